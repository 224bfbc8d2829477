// Runs batches, whatever the submission does: workers that die or hang become findings of the launch that they
// died in, and the launches after it go on in a new worker, as long as that makes sense.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/backend.hpp"
#include "harness/launch.hpp"

namespace scanlab::harness {

struct Limits {
  TimeLimits time;
  unsigned timeouts = 1;  // of a function; what is left of it is not run
  unsigned crashes = 2;
};

class Runner {
 public:
  Runner(std::unique_ptr<Backend> backend, std::string source, std::uint64_t seed, Limits limits);

  // One result per size, in their order. `depth` (dependent additions) is what floats are judged with.
  std::vector<LaunchResult> run(const Batch& batch, std::uint64_t depth = 0);
  bool out_of_time() const { return out_of_time_; }

 private:
  struct Strikes {
    unsigned timeouts = 0, crashes = 0;
  };

  std::size_t fill(const Batch& batch, std::size_t first);
  void fill_header(const Batch& batch, std::uint32_t slots);
  void fill_input(const Batch& batch, std::size_t elements);
  void run_slots(const Batch& batch);
  void note_end(const Batch& batch, const RunOutcome& outcome);
  bool given_up(unsigned function);
  LaunchResult collect(const Batch& batch, std::uint32_t slot, std::uint64_t depth);
  void judge(const Batch& batch, std::uint32_t slot, std::uint64_t depth, LaunchResult& result);
  Values judge_call(const Batch& batch, const Slot& slot, unsigned repeat, std::uint64_t depth);

  std::unique_ptr<Backend> backend_;
  std::string source_;
  std::uint64_t seed_;
  Limits limits_;
  std::map<unsigned, Strikes> strikes_;  // by function
  std::map<std::uint32_t, machine::Finding> ends_;  // by slot of the batch that is running
  std::vector<Slot> own_slots_;  // what we wrote: the worker may have changed the shared ones
  std::uint64_t batches_ = 0;
  bool out_of_time_ = false;
};

}  // namespace scanlab::harness
