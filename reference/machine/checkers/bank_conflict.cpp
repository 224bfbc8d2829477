// Bank conflicts by line: how many different words of one of the 32 banks a warp wants at a time.
// Accesses of 8 bytes are served in two halves of the warp, those of 16 in four quarters. The
// harness makes traffic.bank_conflict of it.
#include <algorithm>
#include <bit>
#include <set>

#include "machine/checkers/warp_view.hpp"

namespace scanlab::machine {
namespace {

constexpr unsigned kBanks = 32, kWordBytes = 4;

unsigned conflict_degree(const WarpAccess& access, unsigned first, unsigned last) {
  std::set<std::uint64_t> words[kBanks];
  for (unsigned lane = first; lane < last; ++lane) {
    if ((access.lanes >> lane & 1) == 0) continue;
    for (std::uint64_t word = access.address[lane] / kWordBytes;
         word <= (access.address[lane] + access.size - 1) / kWordBytes; ++word)
      words[word % kBanks].insert(word);
  }
  std::size_t worst = 1;
  for (const auto& bank : words) worst = std::max(worst, bank.size());
  return static_cast<unsigned>(worst);
}

class BankConflict final : public WarpObserver {
 protected:
  bool looks_at(Space space) const override { return space == Space::shared; }

  void warp_access(const WarpAccess& access) override {
    const unsigned parts = std::max(1u, access.size / kWordBytes),
                   lanes = kWarpSize / std::min(parts, 4u);
    LineTraffic& line = line_of(access);
    ++line.requests;
    line.active_lanes += static_cast<unsigned>(std::popcount(access.lanes));
    for (unsigned first = 0; first < kWarpSize; first += lanes)
      line.worst_conflict =
          std::max(line.worst_conflict, conflict_degree(access, first, first + lanes));
  }
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.efficiency ? std::make_unique<BankConflict>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
