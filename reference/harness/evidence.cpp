#include "harness/evidence.hpp"

namespace scanlab::harness {

Evidence::Evidence(const Lab& lab, std::vector<Run> runs, bool out_of_time)
    : lab_(&lab), runs_(std::move(runs)), out_of_time_(out_of_time) {}

std::vector<const Run*> Evidence::probe_runs(unsigned function) const {
  std::vector<const Run*> found;
  for (const Run& run : runs_)
    if (run.batch.function == function && run.batch.element == Element::probe) found.push_back(&run);
  return found;
}

std::vector<const Run*> Evidence::runs_for(unsigned function, Purpose purpose) const {
  std::vector<const Run*> found;
  for (const Run& run : runs_)
    if (run.batch.function == function && run.purpose == purpose) found.push_back(&run);
  return found;
}

bool Evidence::sound(unsigned function) const {
  for (const Run* run : probe_runs(function))
    for (const LaunchResult& result : run->results)
      if (result.ending != Ending::spared && (!result.right() || has_error(result))) return false;
  return true;
}

bool Evidence::not_wrong(unsigned function) const {
  bool any = false;
  for (const Run* run : probe_runs(function))
    for (const LaunchResult& result : run->results) {
      if (result.ending != Ending::done) continue;
      if (!result.right()) return false;
      any = true;
    }
  return any;
}

bool Evidence::anything_ran(unsigned function) const {
  for (const Run& run : runs_)
    for (const LaunchResult& result : run.results)
      if (run.batch.function == function && result.ending == Ending::done) return true;
  return false;
}

}  // namespace scanlab::harness
