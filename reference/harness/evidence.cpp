#include "harness/evidence.hpp"

#include <exception>
#include <stdexcept>
#include <thread>

#include "harness/check.hpp"

namespace scanlab::harness {

using machine::Finding;
using machine::Severity;

bool has_error(const LaunchResult& result) {
  const auto& findings = result.report.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::error; });
}

bool has_kind(const LaunchResult& result, std::string_view kind) {
  const auto& findings = result.report.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.kind == kind; });
}

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

namespace {

bool is_uninitialized(const Finding& finding) { return finding.kind == "memory.uninitialized"; }

std::uint64_t undefined_outputs(const LaunchResult& result) {
  std::uint64_t count = 0;
  for (const Values& values : result.calls) count += values.undefined;
  return count;
}

// Errors that make values undefined as a consequence: they are said, and nothing beside them.
bool has_graver_cause(const LaunchResult& result) {
  return std::any_of(result.report.findings.begin(), result.report.findings.end(), [](const Finding& f) {
    return f.severity == Severity::error && !is_uninitialized(f) && f.kind != "memory.leak";
  });
}

Finding uninitialized_output(const LaunchResult& result) {
  Finding finding;
  finding.kind = "memory.uninitialized";
  finding.message = "An output (Y[" + std::to_string(result.calls.front().first_undefined) +
                    "] with N = " + std::to_string(result.n) +
                    ") was made from memory that nobody had written.";
  finding.help = "Who should have stored the values that this element is the sum of?";
  return finding;
}

}  // namespace

void settle_uninitialized(LaunchResult& result, bool poison_matters) {
  const bool reached = undefined_outputs(result) != 0;
  if ((!reached && !poison_matters) || has_graver_cause(result)) return;
  auto& findings = result.report.findings;
  for (Finding& finding : findings)
    if (is_uninitialized(finding)) mark_reached(finding);
  if (reached && std::none_of(findings.begin(), findings.end(), is_uninitialized))
    findings.push_back(uninitialized_output(result));
}

namespace {

std::uint64_t longest_chain(const Run& run) {
  std::uint64_t depth = 0;
  for (const LaunchResult& result : run.results) depth = std::max(depth, result.counts.depth);
  return depth;
}

// True where two runs of one launch differ in what somebody outside can see.
bool differs(const LaunchResult& a, const LaunchResult& b) {
  if (a.ending != b.ending || a.counts.fingerprint != b.counts.fingerprint) return true;
  for (std::size_t i = 0; i < std::min(a.calls.size(), b.calls.size()); ++i)
    if (a.calls[i].unwritten != b.calls[i].unwritten) return true;
  return false;
}

// One lane: a worker and the tasks that go through it.
class Lane {
 public:
  Lane(const CollectOptions& options, std::vector<Task> tasks)
      : options_(options), tasks_(std::move(tasks)) {}

  void operator()() {
    try {
      run_all();
    } catch (...) {
      problem_ = std::current_exception();
    }
  }

  // Hands over what was run. Throws what run_all() threw.
  void move_to(std::vector<Task>& done, bool& out_of_time) {
    if (problem_) std::rethrow_exception(problem_);
    std::move(tasks_.begin(), tasks_.end(), std::back_inserter(done));
    out_of_time = out_of_time || out_of_time_;
  }

 private:
  void run_all() {
    if (tasks_.empty()) return;
    const Submission& submission = options_.submission;
    Runner runner(options_.in_process ? in_process_backend(submission) : worker_backend(submission),
                  submission.source, options_.plan.seed, Limits{.time = options_.time});
    for (Task& task : tasks_) run_task(runner, task);
    out_of_time_ = runner.out_of_time();
  }

  void run_task(Runner& runner, Task& task) {
    std::uint64_t depth = 0;
    for (Run& run : task.runs) {
      const std::uint64_t bound = depth != 0 ? depth : *std::max_element(run.batch.sizes.begin(), run.batch.sizes.end());
      run.results = runner.run(run.batch, bound);
      if (run.batch.element != Element::probe) continue;
      depth = longest_chain(run);
      settle(runner, run);
    }
  }

  // The first launch that read what nobody wrote, with no trace of it in an output, is run again on other
  // poison: when that changes anything, the value did reach an output, by a branch or an address.
  void settle(Runner& runner, Run& run) {
    bool tried = false;
    for (LaunchResult& result : run.results) {
      const bool suspicious = has_kind(result, "memory.uninitialized") && undefined_outputs(result) == 0;
      bool matters = false;
      if (suspicious && !tried && result.ending != Ending::not_run) {
        tried = true;
        matters = differs(result, again(runner, run.batch, result.n));
      }
      settle_uninitialized(result, matters);
    }
  }

  static LaunchResult again(Runner& runner, Batch batch, unsigned n) {
    batch.sizes = {n};
    batch.poison_seed += 1;
    return runner.run(batch).front();
  }

  const CollectOptions& options_;
  std::vector<Task> tasks_;
  std::exception_ptr problem_;
  bool out_of_time_ = false;
};

// A harness that saw nothing has no verdict to give: it is not the submission's fault.
void require_some(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    for (const LaunchResult& result : run.results)
      if (result.ending != Ending::not_run && result.ending != Ending::spared) return;
  throw std::runtime_error("no launch was run");
}

}  // namespace

Evidence collect(const Lab& lab, const CollectOptions& options) {
  std::vector<Lane> lanes;
  for (std::vector<Task>& tasks : spread(make_plan(lab, options.plan), options.in_process ? 1 : 2))
    lanes.emplace_back(options, std::move(tasks));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < lanes.size(); ++i) threads.emplace_back(std::ref(lanes[i]));
  lanes.front()();
  for (std::thread& thread : threads) thread.join();
  std::vector<Task> done;
  bool out_of_time = false;
  for (Lane& lane : lanes) lane.move_to(done, out_of_time);
  std::sort(done.begin(), done.end(), [](const Task& a, const Task& b) { return a.place < b.place; });
  std::vector<Run> runs;
  for (Task& task : done) std::move(task.runs.begin(), task.runs.end(), std::back_inserter(runs));
  require_some(runs);
  return {lab, std::move(runs), out_of_time};
}

}  // namespace scanlab::harness
