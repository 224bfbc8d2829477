// memory.uninitialized is a note of the machine's until it is known whether the value reached an output.
#pragma once

#include <cstdint>

#include "harness/launch.hpp"

namespace scanlab::harness {

// Outputs that were made from what was never an input.
std::uint64_t undefined_outputs(const LaunchResult& result);

// `poison_matters`: with other poison in memory the launch gave something else.
void settle_uninitialized(LaunchResult& result, bool poison_matters);

}  // namespace scanlab::harness
