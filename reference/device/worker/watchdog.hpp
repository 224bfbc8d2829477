// Ends the process when a launch does not come to its end: nothing else can, where the submission
// itself waits.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace scanlab::device {

class Watchdog {
 public:
  // `at_end` is called in the watchdog's own thread and must not return.
  Watchdog(std::chrono::seconds limit, std::function<void()> at_end);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  void start();
  void stop() { deadline_.store(0); }

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  const std::chrono::seconds limit_;
  const std::function<void()> at_end_;
  std::atomic<Clock::rep> deadline_{0};  // 0 = nothing runs
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace scanlab::device
