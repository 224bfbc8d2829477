// Lanes' accesses regrouped into the requests of a warp: the k-th time that the lanes of a warp
// pass one place in the submission within a barrier interval is one request. An approximation: a
// GPU decides by time, not by count.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "machine/engine.hpp"

namespace scanlab::machine {

struct WarpAccess {
  bool global = false, store = false;
  unsigned size = 0;        // bytes of each lane's access
  std::uint32_t lanes = 0;  // who takes part
  std::uint64_t address[kWarpSize] = {};
  Pc pc = nullptr;
};

// A checker that looks at warps derives from this; it is told of each request when the interval
// ends.
class WarpObserver : public Observer {
 public:
  unsigned wants() const override { return kOnAccess | kOnBarrier | kOnBlock; }
  void kernel_begin(Grid& grid) override;
  void block_begin(Block& block) override { flush(block.slot); }
  void access(Thread& thread, const Access& access) override;
  void barrier_release(Block& block) override { flush(block.slot); }
  void kernel_end(Grid& grid) override;

 protected:
  virtual bool looks_at(Space space) const = 0;
  virtual void warp_access(const WarpAccess& access) = 0;
  virtual void finish(LaunchRecord&) {}

  // The entry of the record for the line of `access`, made when it is new.
  LineTraffic& line_of(const WarpAccess& access);

 private:
  struct Interval {  // of one resident block
    std::map<std::pair<std::uint32_t, Pc>, std::vector<WarpAccess>> requests;  // by warp and place
    std::map<std::pair<std::uint32_t, Pc>, std::uint32_t> passed;  // by thread and place
  };
  void flush(unsigned slot);

  std::vector<Interval> intervals_;
  std::map<Pc, std::size_t> lines_;  // place -> index in the record's traffic
};

}  // namespace scanlab::machine
