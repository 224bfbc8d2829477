// The naive parallel scan, run on the CPU: every output is summed from scratch, N(N - 1)/2
// additions. It is what "one thread per output" comes to without sharing. PMPP 4th ed.,
// section 11.1.
#pragma once

#include <cstddef>
#include <span>

namespace scanlab::scan {

// The sum that thread `i` of the naive kernel computes: in[0] + ... + in[i], i additions.
template <typename T>
T naive_element(std::span<const T> in, std::size_t i) {
  T sum = in[0];
  for (std::size_t k = 1; k <= i; ++k) sum = sum + in[k];
  return sum;
}

// `in` and `out` must not overlap.
template <typename T>
void naive_inclusive_scan(std::span<const T> in, std::span<T> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = naive_element(in, i);
}

// out[0] = T{}; (N - 1)(N - 2)/2 additions.
template <typename T>
void naive_exclusive_scan(std::span<const T> in, std::span<T> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = i == 0 ? T{} : naive_element(in, i - 1);
}

}  // namespace scanlab::scan
