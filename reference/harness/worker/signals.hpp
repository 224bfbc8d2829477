// What a worker says when it dies: handlers on a stack of their own, and a watchdog on the CPU clock.
#pragma once

#include "harness/protocol.hpp"

namespace scanlab::harness {

inline constexpr int kCrashStatus = 70;  // exit status after a CrashReport

// From now on a fatal signal, a forbidden system call or a launch beyond `header.cpu_ticks` fills in
// `header.crash` and ends the process. `batch_running` is what the watchdog looks at.
void install_handlers(BatchHeader& header);
void watch(bool batch_running);

}  // namespace scanlab::harness
