// What a worker says when it dies: handlers on a stack of their own, and a watchdog on the CPU clock.
#pragma once

#include <string>

#include "harness/protocol.hpp"

namespace scanlab::harness {

inline constexpr int kCrashStatus = 70;  // exit status after a CrashReport

// From now on a fatal signal or a forbidden system call fills in `crash` and ends the process. `source` is the
// submission's file name.
void install_handlers(CrashReport& crash, const std::string& source);

// From now on a launch that runs for more than `header.cpu_ticks` does the same; only while a batch is running.
void install_watchdog(const BatchHeader& header);
void watch(bool batch_running);

}  // namespace scanlab::harness
