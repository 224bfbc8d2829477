// Are the outputs right? Compares raw outputs with the oracle, element by element.
#pragma once

#include <span>

#include "harness/launch.hpp"

namespace scanlab::harness {

// The proving type. `records` is one call's outputs.
Values judge_probe(std::span<const ProbeRecord> records, Extent extent);

// One call's numbers. `written[i]` is 0 where output i was never written; empty = all were.
template <typename T>
struct Numbers {
  std::span<const T> input, output;
  std::span<const unsigned char> written;
};

// Whole numbers, exactly (modulo 2^32).
Values judge_integers(const Numbers<std::int32_t>& numbers, Extent extent);

// Floats against a double oracle, within gamma_d * sum|x|, gamma_d = d u / (1 - d u), u = 2^-24, where d is
// the length of the longest chain of additions (N. Higham, Accuracy and Stability, section 4.2).
Values judge_reals(const Numbers<float>& numbers, Extent extent, std::uint64_t depth);

}  // namespace scanlab::harness
