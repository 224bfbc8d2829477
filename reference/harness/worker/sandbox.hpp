// What a worker gives up before it runs a submission's code.
#pragma once

namespace scanlab::harness {

// Memory, core files, file sizes; death with the parent; no new privileges.
void limit_resources();

// From now on the kernel answers memory, futex, exit and reads and writes of `socket`; anything else is a
// SIGSYS. Does nothing under a sanitizer and on processors that it does not know. False where the kernel
// refuses the filter.
bool forbid_system_calls(int socket);

}  // namespace scanlab::harness
