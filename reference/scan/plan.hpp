// Scan algorithms as plans: who adds what to what, step by step.
//
// A plan is written with the same index arithmetic and guards as the kernel it stands for, and
// knows no element type. Running it (run_plan) gives every intermediate state; running it on
// elements that count gives the counting oracle of the cost model; looking at who is active gives
// steps on P units, active warps and divergence. Within one step all operands are read before any
// sum is written, as the kernels' barriers (or second buffer) see to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scanlab::scan {

// cell[target] = cell[left] + cell[right]; left holds the earlier elements.
struct Addition {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t target = 0;
  std::uint32_t thread = 0;  // global: block * block size + thread in the block
};

struct Copy {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
};

// What happens between two barriers (or launches).
struct Step {
  std::string phase;         // "scan", "tree", "reverse tree", "phase 1", ...
  std::uint32_t stride = 0;  // 0 where the step has none
  std::vector<Copy> copies;
  std::vector<Addition> additions;
};

// Cells 0 .. size-1 hold the input (padded with the identity up to `cells`); the result is found in
// the `size` cells from `result` on.
struct Plan {
  std::size_t size = 0;
  std::size_t cells = 0;
  std::size_t result = 0;
  std::vector<Step> steps;
};

enum class SectionScan : std::uint8_t { kogge_stone, brent_kung };

Plan sequential_plan(std::size_t n);
// Thread i sums x[0] .. x[i] from scratch. n(n - 1)/2 additions are stored: keep n small.
Plan naive_plan(std::size_t n);
// Any n. Thread i adds where i >= stride. PMPP 4th ed., section 11.2.
Plan kogge_stone_plan(std::size_t n);
// The same additions between two halves of 2n cells: even steps read the first half, odd ones the
// second; threads that do not add copy. PMPP 4th ed., section 11.2 (double-buffering).
Plan double_buffered_plan(std::size_t n);
// n a power of two; n/2 threads, index (thread + 1) * 2 * stride - 1. PMPP 4th ed., section 11.4.
Plan brent_kung_plan(std::size_t n);
// The same additions by n threads, of which thread i works on element i where i + 1 is a multiple of
// 2 * stride: the form that diverges in every warp.
Plan brent_kung_scattered_plan(std::size_t n);
// threads and factor powers of two; size threads * factor. PMPP 4th ed., section 11.5.
Plan coarsened_plan(std::size_t threads, std::size_t factor, SectionScan phase_2);
// Any n > 0; section a power of two. Sections are padded and scanned, their sums scanned in the
// same way (as often as needed), then added to all sections but the first. PMPP 4th ed.,
// section 11.6.
Plan hierarchical_plan(std::size_t n, std::size_t section, SectionScan kind);
// Any n > 0. The carry goes from section to section, then all sections but the first add theirs.
// PMPP 4th ed., section 11.7.
Plan domino_plan(std::size_t n, std::size_t section, SectionScan kind);

// --- running -------------------------------------------------------------------------------------

// Changes `cells` into what they are after `step`.
template <typename T>
void run_step(const Step& step, std::vector<T>& cells) {
  std::vector<T> fresh;
  fresh.reserve(step.copies.size() + step.additions.size());
  for (const Copy& copy : step.copies) fresh.push_back(cells[copy.source]);
  for (const Addition& add : step.additions) fresh.push_back(cells[add.left] + cells[add.right]);
  auto value = fresh.begin();
  for (const Copy& copy : step.copies) cells[copy.target] = *value++;
  for (const Addition& add : step.additions) cells[add.target] = *value++;
}

template <typename T>
std::vector<T> initial_cells(const Plan& plan, const std::vector<T>& input) {
  std::vector<T> cells = input;
  cells.resize(plan.cells, T{});
  return cells;
}

// The cells before the first step and after every step: plan.steps.size() + 1 states.
template <typename T>
std::vector<std::vector<T>> run_plan_states(const Plan& plan, const std::vector<T>& input) {
  std::vector<std::vector<T>> states{initial_cells(plan, input)};
  for (const Step& step : plan.steps) {
    states.push_back(states.back());
    run_step(step, states.back());
  }
  return states;
}

template <typename T>
std::vector<T> run_plan(const Plan& plan, const std::vector<T>& input) {
  std::vector<T> cells = initial_cells(plan, input);
  for (const Step& step : plan.steps) run_step(step, cells);
  const auto first = cells.begin() + static_cast<std::ptrdiff_t>(plan.result);
  return {first, first + static_cast<std::ptrdiff_t>(plan.size)};
}

template <typename T>
struct State {
  std::string phase;
  std::uint32_t stride = 0;
  std::vector<T> values;
};

// The states after each step, without padding cells or scratch.
template <typename T>
std::vector<State<T>> run_plan_steps(const Plan& plan, const std::vector<T>& input) {
  std::vector<State<T>> states;
  std::vector<T> cells = initial_cells(plan, input);
  for (const Step& step : plan.steps) {
    run_step(step, cells);
    states.push_back({step.phase, step.stride, cells});
  }
  return states;
}

template <typename T>
std::vector<State<T>> kogge_stone_steps(const std::vector<T>& input) {
  return run_plan_steps(kogge_stone_plan(input.size()), input);
}

// input.size() a power of two.
template <typename T>
std::vector<State<T>> brent_kung_steps(const std::vector<T>& input) {
  return run_plan_steps(brent_kung_plan(input.size()), input);
}

// The states at the end of phases 1, 2 and 3.
template <typename T>
std::vector<State<T>> coarsened_phases(const std::vector<T>& input, std::size_t threads,
                                       SectionScan phase_2 = SectionScan::kogge_stone) {
  const Plan plan = coarsened_plan(threads, input.size() / threads, phase_2);
  std::vector<State<T>> phases;
  for (State<T>& state : run_plan_steps(plan, input)) {
    if (!phases.empty() && phases.back().phase == state.phase)
      phases.back() = std::move(state);
    else
      phases.push_back(std::move(state));
  }
  return phases;
}

// --- looking at a plan ---------------------------------------------------------------------------

std::uint64_t additions_of(const Plan& plan);
// Distinct threads that add in the step.
std::size_t active_threads(const Step& step);
// Warps of `warp` threads with at least one adding thread.
std::size_t active_warps(const Step& step, std::size_t warp = 32);
// Warps of which some but not all threads add: numbers of the warps, ascending.
std::vector<std::uint32_t> divergent_warps(const Step& step, std::size_t warp = 32);

}  // namespace scanlab::scan
