// Global memory traffic by line: 32-byte sectors that the requests of a warp touch, beside the
// fewest that their distinct bytes would fit in. The harness makes traffic.uncoalesced of it.
#include <bit>
#include <set>

#include "machine/checkers/warp_view.hpp"

namespace scanlab::machine {
namespace {

constexpr std::uint64_t kSectorBytes = 32;

class Coalescing final : public WarpObserver {
 protected:
  bool looks_at(Space space) const override { return space == Space::global; }

  void warp_access(const WarpAccess& access) override {
    std::set<std::uint64_t> sectors, starts;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if ((access.lanes >> lane & 1) == 0) continue;
      starts.insert(access.address[lane]);
      sectors.insert(access.address[lane] / kSectorBytes);
      sectors.insert((access.address[lane] + access.size - 1) / kSectorBytes);
    }
    LineTraffic& line = line_of(access);
    ++line.requests;
    line.active_lanes += static_cast<unsigned>(std::popcount(access.lanes));
    line.sectors += sectors.size();
    line.ideal_sectors += (starts.size() * access.size + kSectorBytes - 1) / kSectorBytes;
  }
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.efficiency ? std::make_unique<Coalescing>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
