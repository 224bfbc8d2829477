// What a lab lets a launch cost, from the cost model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/lab.hpp"

namespace scanlab::harness {

// Additions. Either one of `counts` (the first is the lab's own), or at most `ceiling`.
struct WorkRule {
  std::vector<std::uint64_t> counts;
  std::uint64_t ceiling = 0;
  bool accepts(std::uint64_t additions) const;
};

// For `n` elements; by_harness only where n is a number of full sections, else none.
std::optional<WorkRule> work_rule(const Lab& lab, unsigned function, const Shape& shape, unsigned n);
// The longest chain that is let through; none where the lab has no bound.
std::optional<std::uint64_t> most_steps(const Lab& lab, unsigned function, const Shape& shape, unsigned n);
std::optional<std::uint64_t> most_barriers(const Lab& lab, const Shape& shape);
// Warps partly active at a store to shared memory, counted once for each barrier interval; one section.
std::uint64_t most_divergent_warps(const Shape& shape);

}  // namespace scanlab::harness
