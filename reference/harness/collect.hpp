// Runs a plan and keeps what its launches showed.
#pragma once

#include "harness/backend.hpp"
#include "harness/evidence.hpp"

namespace scanlab::harness {

struct CollectOptions {
  Submission submission;
  PlanOptions plan;
  bool in_process = false;
  TimeLimits time;
};

// Runs the lab's plan on two workers side by side (in this process: on one). Throws what went wrong on our side.
Evidence collect(const Lab& lab, const CollectOptions& options);

}  // namespace scanlab::harness
