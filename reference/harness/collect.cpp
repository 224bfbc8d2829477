#include "harness/collect.hpp"

#include <algorithm>
#include <barrier>
#include <exception>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>

#include "harness/runner.hpp"
#include "harness/uninitialized.hpp"

namespace scanlab::harness {
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

// A worker and the tasks that go through it.
class Lane {
 public:
  explicit Lane(const CollectOptions& options) : options_(options) {}

  // Keeps what is thrown for move_to(): it may run in a thread of its own.
  void run(std::vector<Task> tasks) {
    try {
      for (Task& task : tasks) {
        run_task(runner(), task);
        done_.push_back(std::move(task));
      }
    } catch (...) {
      problem_ = std::current_exception();
    }
  }

  // Hands over what was run. Throws what run() threw.
  void move_to(std::vector<Task>& done) {
    if (problem_) std::rethrow_exception(problem_);
    std::move(done_.begin(), done_.end(), std::back_inserter(done));
  }

  // True where one of the launches of `function` was wrong, or one of any function had an error finding.
  bool spoils(unsigned function) const {
    for (const Task& task : done_)
      for (const Run& run : task.runs)
        if (std::any_of(run.results.begin(), run.results.end(),
                        run.batch.function == function ? is_wrong : has_error))
          return true;
    return false;
  }
  bool out_of_time() const { return runner_ && runner_->out_of_time(); }

 private:
  Runner& runner() {
    const Submission& submission = options_.submission;
    if (!runner_)
      runner_.emplace(options_.in_process ? in_process_backend(submission) : worker_backend(submission),
                      submission.source, options_.plan.seed, Limits{.time = options_.time});
    return *runner_;
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
  std::optional<Runner> runner_;
  std::vector<Task> done_;
  std::exception_ptr problem_;
};

// The lanes of one submission, each in a thread that lives as long as its worker: the worker dies with it.
class Lanes {
 public:
  explicit Lanes(const CollectOptions& options) {
    lanes_.emplace_back(options);
    if (!options.in_process) lanes_.emplace_back(options);
  }

  // Runs `first`, and then of `second` what belongs to functions that have been right so far.
  void run(std::vector<Task> first, std::vector<Task> second) {
    const auto count = static_cast<unsigned>(lanes_.size());
    auto shares = spread(std::move(first), count), more = spread(std::move(second), count);
    std::barrier between(count, [&]() noexcept {
      for (const Lane& lane : lanes_) out_of_time_ = out_of_time_ || lane.out_of_time();
      for (std::vector<Task>& tasks : more)
        std::erase_if(tasks, [&](const Task& task) { return out_of_time_ || spoilt(task); });
    });
    const auto work = [&](std::size_t i) {
      lanes_[i].run(std::move(shares[i]));
      between.arrive_and_wait();
      lanes_[i].run(std::move(more[i]));
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
    work(0);
    for (std::thread& thread : threads) thread.join();
  }

  bool out_of_time() const { return out_of_time_; }

  // What was run, in the plan's order. Throws what a lane threw.
  std::vector<Run> take_runs() {
    std::vector<Task> done;
    for (Lane& lane : lanes_) lane.move_to(done);
    std::sort(done.begin(), done.end(), [](const Task& a, const Task& b) { return a.place < b.place; });
    std::vector<Run> runs;
    for (Task& task : done) std::move(task.runs.begin(), task.runs.end(), std::back_inserter(runs));
    return runs;
  }

 private:
  bool spoilt(const Task& task) const {
    const unsigned function = task.runs.front().batch.function;
    return std::any_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) { return lane.spoils(function); });
  }

  std::vector<Lane> lanes_;
  bool out_of_time_ = false;  // before what is optional
};

// A harness that saw nothing has no verdict to give: it is not the submission's fault.
void require_some(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    for (const LaunchResult& result : run.results)
      if (result.ending != Ending::not_run && result.ending != Ending::spared) return;
  throw std::runtime_error("no launch was run");
}

}  // namespace

// What is optional comes last.
Evidence collect(const Lab& lab, const CollectOptions& options) {
  std::vector<Task> tasks = make_plan(lab, options.plan);
  const auto optional = std::stable_partition(tasks.begin(), tasks.end(), [](const Task& task) {
    return !task.runs.front().batch.optional;
  });
  std::vector<Task> more(std::make_move_iterator(optional), std::make_move_iterator(tasks.end()));
  tasks.erase(optional, tasks.end());

  Lanes lanes(options);
  lanes.run(std::move(tasks), std::move(more));
  std::vector<Run> runs = lanes.take_runs();
  require_some(runs);
  return {lab, std::move(runs), lanes.out_of_time()};
}

}  // namespace scanlab::harness
