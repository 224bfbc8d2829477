#include "harness/input.hpp"

#include <cmath>

namespace scanlab::harness {
namespace {

std::uint64_t mix(std::uint64_t x) {  // splitmix64 (Steele, Lea, Flood 2014)
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

}  // namespace

std::int32_t integer_input(std::uint64_t seed, std::size_t index) {
  const std::uint64_t bits = mix(seed ^ mix(index));
  return static_cast<std::int32_t>(1 + bits % (index < 64 ? 9 : std::uint64_t{1} << 20));
}

float real_input(std::uint64_t seed, std::size_t index) {
  const std::uint64_t bits = mix(seed ^ mix(~index));
  const double fraction = static_cast<double>(bits >> 12) * 0x1p-52;
  const int exponent = static_cast<int>((bits >> 1) % 8) - 4;
  const double size = std::ldexp(1.0 + fraction, exponent);
  return static_cast<float>((bits & 1) != 0 ? size : -size);
}

}  // namespace scanlab::harness
