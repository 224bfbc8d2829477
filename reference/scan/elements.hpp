// Element types that count, measure and prove. Each is a scoped enum over an integer: opaque to a
// kernel, scalar to the compiler (so that every load and store of it can be seen), and accepted by
// nvcc. The value 0 is the identity. On the CPU machine `Probe` (scan/probe.hpp) answers all of
// this in one run; these four need no graph, so they also serve on a real GPU and in the oracle's
// own tests.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define SCANLAB_HOST_DEVICE __host__ __device__
#else
#define SCANLAB_HOST_DEVICE
#endif

namespace scanlab {

// --- Depth: the longest chain of applications of + behind a value (steps) ------------------------

enum class Depth : std::uint32_t {};

SCANLAB_HOST_DEVICE constexpr Depth operator+(Depth a, Depth b) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  return static_cast<Depth>((x > y ? x : y) + 1U);
}
SCANLAB_HOST_DEVICE constexpr Depth& operator+=(Depth& a, Depth b) { return a = a + b; }

// --- Counted: how many applications of + were made at all (work) ---------------------------------

// The value is an ordinary sum modulo 2^32, so that a run on it is also a check of the result.
enum class Counted : std::uint32_t {};

#ifdef __CUDACC__
static __device__ unsigned long long
    counted_on_device;  // one per translation unit: reset and read it there
#endif
inline std::uint64_t counted_on_host = 0;

SCANLAB_HOST_DEVICE inline Counted operator+(Counted a, Counted b) {
#ifdef __CUDA_ARCH__
  atomicAdd(&counted_on_device, 1ULL);
#else
  ++counted_on_host;
#endif
  return static_cast<Counted>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
SCANLAB_HOST_DEVICE inline Counted& operator+=(Counted& a, Counted b) { return a = a + b; }

// --- Interval and CommutativeInterval: proofs ----------------------------------------------------
//
// A value is a run of inputs [first, last], stored as (first + 1) << 32 | (last + 1); 0 is the
// empty run and all ones is "top", a sum that is no run. Interval merges a run only with the one
// right after it: mapping [0,0] .. [N-1,N-1] to [0,0], [0,1] .. [0,N-1] proves a scan for every
// associative operator (Chong, Donaldson, Ketema, POPL 2014). CommutativeInterval takes adjacent
// runs in either order, which proves it for commutative ones.

enum class Interval : std::uint64_t {};
enum class CommutativeInterval : std::uint64_t {};

namespace detail {

inline constexpr std::uint64_t kTop = ~std::uint64_t{0};

SCANLAB_HOST_DEVICE constexpr std::uint64_t pack_run(std::uint32_t first, std::uint32_t last) {
  return (static_cast<std::uint64_t>(first) + 1U) << 32 | (static_cast<std::uint64_t>(last) + 1U);
}
SCANLAB_HOST_DEVICE constexpr bool meets(std::uint64_t a, std::uint64_t b) {
  return (a & 0xFFFFFFFFU) + 1U == b >> 32;
}
SCANLAB_HOST_DEVICE constexpr std::uint64_t hull(std::uint64_t a, std::uint64_t b) {
  return (a >> 32 << 32) | (b & 0xFFFFFFFFU);
}
SCANLAB_HOST_DEVICE constexpr std::uint64_t merge_in_order(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return a | b;
  if (a == kTop || b == kTop || !meets(a, b)) return kTop;
  return hull(a, b);
}
SCANLAB_HOST_DEVICE constexpr std::uint64_t merge_adjacent(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t in_order = merge_in_order(a, b);
  return in_order != kTop ? in_order : merge_in_order(b, a);
}

}  // namespace detail

template <typename Run>
SCANLAB_HOST_DEVICE constexpr Run make_run(std::uint32_t first, std::uint32_t last) {
  return static_cast<Run>(detail::pack_run(first, last));
}
template <typename Run>
SCANLAB_HOST_DEVICE constexpr bool is_top(Run run) {
  return static_cast<std::uint64_t>(run) == detail::kTop;
}

SCANLAB_HOST_DEVICE constexpr Interval operator+(Interval a, Interval b) {
  return static_cast<Interval>(
      detail::merge_in_order(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}
SCANLAB_HOST_DEVICE constexpr Interval& operator+=(Interval& a, Interval b) { return a = a + b; }

SCANLAB_HOST_DEVICE constexpr CommutativeInterval operator+(CommutativeInterval a,
                                                            CommutativeInterval b) {
  return static_cast<CommutativeInterval>(
      detail::merge_adjacent(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}
SCANLAB_HOST_DEVICE constexpr CommutativeInterval& operator+=(CommutativeInterval& a,
                                                              CommutativeInterval b) {
  return a = a + b;
}

}  // namespace scanlab
