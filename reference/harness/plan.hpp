// Which launches a lab's checks need. Decided before anything runs, so that a verdict does not depend on time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/lab.hpp"
#include "harness/launch.hpp"

namespace scanlab::harness {

enum class Purpose : std::uint8_t {
  proof,       // the proving type: values, races, memory, counts
  numbers,     // int and float, and the proving type beside them
  schedules,   // int under every other schedule
  second,      // two calls in a row in a fresh process
  efficiency,  // one full section under the warp view: the proving type for divergence, int for traffic
};

struct Run {
  Purpose purpose = Purpose::proof;
  Batch batch;
  std::vector<LaunchResult> results;
};

// Runs that belong together and go through one worker in their order.
struct Task {
  std::vector<Run> runs;
  std::size_t place = 0;  // in the plan
  double cost = 0;        // a guess, in barrier arrivals
};

struct PlanOptions {
  std::uint64_t seed = 20260101;
  bool thorough = false;          // every N in 1..1024 for every shape
  unsigned random_schedules = 0;  // beyond the lab's own
  bool many_blocks = false;       // numbers also on so many blocks that a GPU cannot hold all of them at a time
};

std::vector<Task> make_plan(const Lab& lab, const PlanOptions& options);

// Spreads the tasks over `lanes` workers, evenly by their guessed costs. Each lane keeps the plan's order.
std::vector<std::vector<Task>> spread(std::vector<Task> tasks, unsigned lanes);

// The sizes that a proof runs, and those that it runs too where they are not costly: see plan.cpp.
std::vector<unsigned> proof_sizes(const Lab& lab, const Shape& shape, bool thorough);
std::vector<unsigned> more_proof_sizes(const Lab& lab, const Shape& shape);

}  // namespace scanlab::harness
