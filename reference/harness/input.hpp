// Inputs for T = int and T = float: every element has its own value, by its position and a seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scanlab::harness {

// Positive whole numbers: small ones first, since people read them; from index 64 on up to 2^20, so that sums
// need more than the 24 bits of a float.
std::int32_t integer_input(std::uint64_t seed, std::size_t index);
// Not whole, of both signs, from 2^-4 to 2^4 in size, so that an int on the way shows.
float real_input(std::uint64_t seed, std::size_t index);

}  // namespace scanlab::harness
