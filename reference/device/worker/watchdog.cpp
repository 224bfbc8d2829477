#include "device/worker/watchdog.hpp"

namespace scanlab::device {

Watchdog::Watchdog(std::chrono::seconds limit, std::function<void()> at_end)
    : limit_(limit), at_end_(std::move(at_end)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  over_.store(true);
  thread_.join();
}

void Watchdog::start() { deadline_.store((Clock::now() + limit_).time_since_epoch().count()); }

void Watchdog::watch() {
  while (!over_.load()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Clock::rep deadline = deadline_.load();
    if (deadline != 0 && Clock::now().time_since_epoch().count() > deadline) at_end_();
  }
}

}  // namespace scanlab::device
