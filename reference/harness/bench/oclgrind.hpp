// The peer: Debian's oclgrind with --data-races on the same algorithm.
#pragma once

#include <optional>

namespace scanlab::harness {

// Barrier arrivals per second of its 1024-thread Kogge-Stone; nothing where it is not installed.
std::optional<double> oclgrind_rate();

}  // namespace scanlab::harness
