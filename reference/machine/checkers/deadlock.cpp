// deadlock: no thread can go on, and somebody polls a word that never changes. Names the flag and
// the blocks that were never dispatched. Always on: without it the run would not end.
#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {
namespace {

class DeadlockChecker final : public Observer {
 public:
  unsigned wants() const override { return kOnStall; }

  void stalled(Grid& grid) override {
    if (engine().sticky_error != 0) return;  // another checker knows better
    const Thread* polling = nullptr;
    unsigned pollers = 0;
    for (const auto& block : grid.resident)
      for (const Thread& thread : block->threads) {
        if (wait_of(thread) != Wait::none || !thread.polling) continue;
        if (pollers++ == 0) polling = &thread;
      }
    if (polling == nullptr) return;
    report(words::deadlock(grid, *polling, pollers));
    engine().sticky_error = kLaunchTimeout;
  }
};

const Registration registration{[](const Options&) -> std::unique_ptr<Observer> {
  return std::make_unique<DeadlockChecker>();
}};

}  // namespace
}  // namespace scanlab::machine
