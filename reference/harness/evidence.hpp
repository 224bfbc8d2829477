// What the launches of a plan showed: collected once, then looked at by every check.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backend.hpp"
#include "harness/plan.hpp"
#include "harness/runner.hpp"

namespace scanlab::harness {

bool has_error(const LaunchResult& result);
bool has_kind(const LaunchResult& result, std::string_view kind);

class Evidence {
 public:
  Evidence(const Lab& lab, std::vector<Run> runs, bool out_of_time);

  const Lab& lab() const { return *lab_; }
  const std::vector<Run>& runs() const { return runs_; }
  bool out_of_time() const { return out_of_time_; }

  // Launches of the proving type in order, where one run says the most.
  std::vector<const Run*> probe_runs(unsigned function) const;
  std::vector<const Run*> runs_for(unsigned function, Purpose purpose) const;

  // Every launch of the proving type came to its end, was right and had no error finding: only then do its
  // counts mean something.
  bool sound(unsigned function) const;
  // Some launch of the proving type came to its end, and none that did was wrong.
  bool not_wrong(unsigned function) const;
  // At least one launch came to its end.
  bool anything_ran(unsigned function) const;

 private:
  const Lab* lab_;
  std::vector<Run> runs_;
  bool out_of_time_;
};

struct CollectOptions {
  Submission submission;
  PlanOptions plan;
  bool in_process = false;
  TimeLimits time;
};

// Runs the lab's plan on two workers side by side (in this process: on one). Throws what went wrong on our side.
Evidence collect(const Lab& lab, const CollectOptions& options);

// memory.uninitialized is a note of the machine's until it is known whether the value reached an output.
void settle_uninitialized(LaunchResult& result, bool poison_matters);

}  // namespace scanlab::harness
