// Keeps what a drawing of a launch's additions needs beside the graph: between which barriers each
// was made.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace scanlab::harness {

// For probe::set_owner_source(): machine::current_owner(), with the barrier interval noted.
std::uint64_t owner_in_interval();

// Forgets the intervals that were noted.
void begin_drawing();
// The network behind these outputs, as probe::to_json() writes it, with rows as levels: a sum
// stands below its operands, below its thread's sum before it, and below all that was added before
// the barrier ahead of it. Empty where there is too much to draw.
std::string drawn_network(std::span<const std::uint64_t> outputs);

}  // namespace scanlab::harness
