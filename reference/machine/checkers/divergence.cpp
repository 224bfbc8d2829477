// Control divergence by additions: in each barrier interval, which warps add, with all their lanes
// or with some. The harness makes divergence.high of it, and the steps on P units of the cost model
// (PMPP 4th ed. chapter 11).
#include <algorithm>

#include "machine/engine.hpp"

namespace scanlab::machine {
namespace {

class Divergence final : public Observer {
 public:
  unsigned wants() const override { return kOnBarrier | kOnBlock | kOnExit; }

  void block_begin(
      Block& block) override {  // the block before it in this slot ends its last interval
    if (last_.size() <= block.slot) last_.resize(block.slot + 1);
    last_[block.slot].assign(block.threads.size(), 0);
  }
  void barrier_release(Block& block) override { end_interval(block); }
  void thread_exit(Thread& thread) override {
    if (thread.block->live == 1) end_interval(*thread.block);  // the last one
  }

 private:
  void end_interval(Block& block) {
    LaunchRecord& record = engine().grid->record;
    std::uint64_t sum = 0;
    const std::size_t count = block.threads.size();
    for (std::size_t first = 0; first < count; first += kWarpSize) {
      const std::size_t last = std::min(count, first + kWarpSize);
      std::uint32_t most = 0, active = 0;
      for (std::size_t i = first; i < last; ++i) {
        const std::uint32_t made = block.threads[i].additions - last_[block.slot][i];
        last_[block.slot][i] = block.threads[i].additions;
        most = std::max(most, made);
        active += made > 0;
        sum += made;
      }
      record.warp_steps += most;
      record.active_warps += active > 0;
      record.divergent_warps += active > 0 && active < last - first;
    }
    record.ideal_warp_steps += (sum + kWarpSize - 1) / kWarpSize;
  }

  std::vector<std::vector<std::uint32_t>>
      last_;  // additions of each thread at the last barrier, by slot
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.efficiency ? std::make_unique<Divergence>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
