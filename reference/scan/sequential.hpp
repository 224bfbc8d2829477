// Sequential scans on the CPU: the oracle, and the N - 1 additions that others are measured
// against. T needs operator+ (associative) and an identity T{}. `in` and `out` may be the same
// array. PMPP 4th ed. (Hwu, Kirk, El Hajj 2022), section 11.1.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace scanlab::scan {

enum class Kind { inclusive, exclusive };

// out[i] = in[0] + ... + in[i]; N - 1 additions. out.size() >= in.size().
template <typename T>
void sequential_inclusive_scan(std::span<const T> in, std::span<T> out) {
  if (in.empty()) return;
  T sum = in[0];
  out[0] = sum;
  for (std::size_t i = 1; i < in.size(); ++i) {
    sum = sum + in[i];
    out[i] = sum;
  }
}

// out[i] = in[0] + ... + in[i - 1], out[0] = T{}; N - 2 additions: the last input is not needed,
// and the first sum is the first input itself.
template <typename T>
void sequential_exclusive_scan(std::span<const T> in, std::span<T> out) {
  if (in.empty()) return;
  T next = in[0];
  out[0] = T{};
  for (std::size_t i = 1; i < in.size(); ++i) {
    const T element = in[i];  // read before out[i] is written: the arrays may be one
    out[i] = next;
    if (i + 1 < in.size()) next = next + element;
  }
}

template <typename T>
void sequential_scan(Kind kind, std::span<const T> in, std::span<T> out) {
  if (kind == Kind::inclusive)
    sequential_inclusive_scan(in, out);
  else
    sequential_exclusive_scan(in, out);
}

// Every section of `section` elements scanned on its own; the last one may be shorter.
template <typename T>
void sequential_section_scan(Kind kind, std::span<const T> in, std::span<T> out,
                             std::size_t section) {
  for (std::size_t first = 0; first < in.size(); first += section) {
    const std::size_t count = std::min(section, in.size() - first);
    sequential_scan<T>(kind, in.subspan(first, count), out.subspan(first, count));
  }
}

}  // namespace scanlab::scan
