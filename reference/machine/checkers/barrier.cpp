// barrier.divergent: threads of a block wait at a barrier while others that live wait at another or
// never come (error), or while others have left the kernel (warning).
#include <algorithm>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {
namespace {

using Test = bool (*)(const Thread&);

const Thread* first(const Block& block, Test test) {
  const auto found = std::find_if(block.threads.begin(), block.threads.end(), test);
  return found == block.threads.end() ? nullptr : &*found;
}

unsigned count(const Block& block, Test test) {
  return static_cast<unsigned>(std::count_if(block.threads.begin(), block.threads.end(), test));
}

bool at_barrier(const Thread& t) { return wait_of(t) == Wait::barrier; }
bool at_warp(const Thread& t) { return t.wait == Wait::warp; }
bool gone(const Thread& t) { return t.wait == Wait::exited; }
bool polls(const Thread& t) { return wait_of(t) == Wait::none && t.polling; }
bool elsewhere(const Thread& t) { return wait_of(t) == Wait::none || at_warp(t); }

void end_launch(Finding finding) {
  report(std::move(finding));
  engine().sticky_error = kLaunchFailure;
  engine().grid->aborted = true;
}

class BarrierChecker final : public Observer {
 public:
  unsigned wants() const override { return kOnBarrier | kOnStall; }

  void barrier_release(Block& block) override {
    if (!block.barriers_mix && block.live == block.threads.size()) return;
    const Thread& here = *first(block, at_barrier);
    const Thread* other = nullptr;
    unsigned others = 0;
    for (const Thread& thread : block.threads) {
      if (!at_barrier(thread) || thread.pc == here.pc) continue;
      if (others++ == 0) other = &thread;
    }
    if (other != nullptr)
      return end_launch(words::barrier_mixed(here, *other, block.at_barrier - others, others));
    if (block.live < block.threads.size())
      report(words::barrier_left(here, *first(block, gone), block.live, count(block, gone)));
  }

  void stalled(Grid& grid) override {
    for (const auto& block : grid.resident) {
      if (first(*block, polls) != nullptr)
        continue;  // the deadlock checker's: the others only wait for that thread
      if (const Thread* waiting = first(*block, at_warp)) return missed_warp(*block, *waiting);
      const Thread* waiting = first(*block, at_barrier);
      if (waiting == nullptr) continue;
      const Thread* missing = first(*block, elsewhere);
      if (missing == nullptr) continue;
      return end_launch(words::barrier_missed(*waiting, *missing, count(*block, at_barrier),
                                              count(*block, elsewhere)));
    }
  }

 private:
  void missed_warp(const Block& block, const Thread& waiting) {
    for (const Thread& lane : block.threads) {
      if (lane.warp() != waiting.warp() || (waiting.warp_mask >> lane.lane() & 1) == 0 ||
          gone(lane))
        continue;
      if (lane.wait == Wait::warp && lane.warp_mask == waiting.warp_mask &&
          lane.operation == waiting.operation)
        continue;
      return end_launch(words::warp_missed(waiting, lane));
    }
  }
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.barrier ? std::make_unique<BarrierChecker>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
