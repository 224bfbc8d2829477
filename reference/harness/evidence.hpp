// What the launches of a plan showed: collected once (collect.hpp), then looked at by every check.
#pragma once

#include <vector>

#include "harness/plan.hpp"

namespace scanlab::harness {

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

}  // namespace scanlab::harness
