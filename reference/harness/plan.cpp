#include "harness/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace scanlab::harness {
namespace {

// Every N in 1..kLargest is proved: up to kEvery for each section that holds it, above for the smallest such. What
// that leaves out is there for every kSparse-th N beside the critical ones.
constexpr unsigned kEvery = 512;
constexpr unsigned kLargest = 1024;  // --thorough: for every section
constexpr unsigned kSparse = 61;     // a prime

// The sizes of DESIGN section 5 for one section length.
std::set<unsigned> critical_sizes(unsigned length) {
  std::set<unsigned> sizes{1, 2, 31, 32, 33, length - 1, length, length + 1, 2 * length + 1, 3 * length,
                           3 * length + 7, 5 * length};
  for (unsigned power = 64; power < length; power *= 2) sizes.insert({power - 1, power, power + 1});
  return sizes;
}

void add_range(std::set<unsigned>& sizes, unsigned first, unsigned last, unsigned step) {
  for (unsigned n = first; n <= last; n += step) sizes.insert(n);
}

// For drivers that choose their own section length, what is usual.
unsigned assumed_length(const Shape& shape) { return shape.section == 0 ? 256 : shape.length(); }

std::vector<unsigned> to_vector(const std::set<unsigned>& sizes) { return {sizes.begin(), sizes.end()}; }

// More than S sections, so that a hierarchical scan needs a third level; only where that is not too long.
void add_many_sections(std::set<unsigned>& sizes, unsigned length) {
  if (length <= 64) sizes.insert(length * length + length + 5);
}

}  // namespace

std::vector<unsigned> proof_sizes(const Lab& lab, const Shape& shape, bool thorough) {
  const unsigned length = assumed_length(shape);
  std::set<unsigned> sizes = critical_sizes(length);
  const bool driver = lab.launched == Launched::by_driver;
  if (driver) sizes.insert(0);
  if (driver || length == 32) add_many_sections(sizes, length);
  if (thorough) add_range(sizes, 1, std::max(kLargest, length), 1);
  else add_range(sizes, 1, length, length <= kEvery && !driver ? 1 : kSparse);
  return to_vector(sizes);
}

std::vector<unsigned> more_proof_sizes(const Lab& lab, const Shape& shape) {
  const unsigned length = assumed_length(shape);
  if (lab.launched == Launched::by_driver || length > kLargest) return {};
  std::set<unsigned> sizes;
  add_range(sizes, kEvery + 1, length, 1);
  for (const unsigned n : proof_sizes(lab, shape, false)) sizes.erase(n);
  return to_vector(sizes);
}

namespace {

// A network is drawn of the proof's launch of this size. Where faults end the proof's batch before it, there is the
// numbers' batch, of which it is the second: a batch goes on after one faulty launch. None of drivers: what they add
// between sections needs more elements than a drawing has room for.
constexpr unsigned kDrawn = 16;
constexpr unsigned kDrawnFactor = 4;  // as many threads as elements each

Shape drawn_shape(const Lab& lab) {
  for (const Shape& shape : lab.shapes)
    if (shape.factor == 0 || shape.factor == kDrawnFactor) return shape;
  return lab.shapes.front();
}

// A missing fence between blocks shows on a GPU from 264 blocks on, twice its number of multiprocessors.
constexpr unsigned kManyBlocks = 300;

std::vector<unsigned> some_sizes(const Lab& lab, const Shape& shape, bool many_blocks) {
  const unsigned length = assumed_length(shape);
  std::set<unsigned> sizes{1, kDrawn, 33, length - 1, length, length + 1, 3 * length + 7};
  if (length <= 64) sizes.insert({31, 32, 2 * length + 1, 3 * length, 5 * length});
  if (lab.launched == Launched::by_driver) sizes.insert(0);
  if (lab.launched == Launched::by_driver || length == 32) add_many_sections(sizes, length);
  if (many_blocks) sizes.insert(kManyBlocks * length + 7);
  return to_vector(sizes);
}

// What a batch costs in barrier arrivals: every thread of a section meets about 2 log2 S barriers.
double guess(const Batch& batch) {
  const double length = assumed_length(batch.shape);
  const double each = length * (2 * std::log2(length) + 3);
  return std::accumulate(batch.sizes.begin(), batch.sizes.end(), 0.0, [&](double sum, unsigned n) {
    return sum + batch.repeats * (1 + std::ceil(n / length)) * each;
  });
}

class Planner {
 public:
  Planner(const Lab& lab, const PlanOptions& options) : lab_(lab), options_(options) {}

  std::vector<Task> plan() {
    for (unsigned function = 0; function < lab_.functions.size(); ++function) plan_function(function);
    for (unsigned function = 0; function < lab_.functions.size(); ++function) plan_more_proof(function);
    return std::move(tasks_);
  }

 private:
  void plan_function(unsigned function) {
    const bool draws = lab_.launched == Launched::by_harness;
    for (const Shape& shape : lab_.shapes) {
      Run run = make_run(Purpose::proof, function, Element::probe, shape,
                         proof_sizes(lab_, shape, options_.thorough));
      if (draws && shape == drawn_shape(lab_)) run.batch.drawn = kDrawn;
      add({std::move(run)});
    }
    for (const Shape& shape : lab_.number_shapes) plan_numbers(function, shape);
    plan_schedules(function);
    plan_second(function);
    plan_efficiency(function);
  }

  // In halves: where one function has no use for its own, two workers share those of the other.
  void plan_more_proof(unsigned function) {
    if (options_.thorough) return;
    for (const Shape& shape : lab_.shapes) {
      const std::vector<unsigned> sizes = more_proof_sizes(lab_, shape);
      const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
      plan_optional(function, shape, {sizes.begin(), middle});
      plan_optional(function, shape, {middle, sizes.end()});
    }
  }

  void plan_optional(unsigned function, const Shape& shape, std::vector<unsigned> sizes) {
    if (sizes.empty()) return;
    Run run = make_run(Purpose::proof, function, Element::probe, shape, std::move(sizes));
    run.batch.optional = true;
    add({std::move(run)});
  }

  Run make_run(Purpose purpose, unsigned function, Element element, const Shape& shape,
               std::vector<unsigned> sizes) const {
    Run run;
    run.purpose = purpose;
    run.batch.function = function;
    run.batch.element = element;
    run.batch.shape = shape;
    run.batch.extent = extent_of(lab_, function, shape);
    run.batch.schedule_seed = options_.seed;
    run.batch.poison_seed = options_.seed;
    run.batch.sizes = std::move(sizes);
    return run;
  }

  void add(std::vector<Run> runs) {
    Task task{std::move(runs), tasks_.size(), 0};
    for (const Run& run : task.runs) task.cost += guess(run.batch);
    tasks_.push_back(std::move(task));
  }

  // The proving type comes first: it says how long the chains of additions are.
  void plan_numbers(unsigned function, const Shape& shape) {
    std::vector<Run> runs;
    for (const Element element : {Element::probe, Element::integer, Element::real})
      runs.push_back(make_run(Purpose::numbers, function, element, shape, some_sizes(lab_, shape, options_.many_blocks)));
    if (lab_.launched == Launched::by_harness && shape == lab_.number_shapes.front())
      runs.front().batch.drawn = kDrawn;
    add(std::move(runs));
  }

  std::vector<std::string> schedules() const {
    std::vector<std::string> names{"reversed", "few_blocks", "one_block", "warps_shuffled", "preempted"};
    const unsigned random = lab_.random_schedules + options_.random_schedules;
    for (unsigned i = 0; i < random; ++i) names.push_back(std::to_string(options_.seed + i));
    return names;
  }

  void plan_schedules(unsigned function) {
    std::vector<Run> runs;
    for (const std::string& schedule : schedules()) {
      const Shape& shape = lab_.number_shapes.front();
      Run run = make_run(Purpose::schedules, function, Element::integer, shape, some_sizes(lab_, shape, options_.many_blocks));
      run.batch.schedule = schedule;
      runs.push_back(std::move(run));
    }
    add(std::move(runs));
  }

  void plan_second(unsigned function) {
    const Shape& shape = lab_.number_shapes.front();
    const unsigned n = 3 * assumed_length(shape) + 7;
    Run run = make_run(Purpose::second, function, Element::integer, shape, {n});
    run.batch.fresh_worker = true;
    run.batch.repeats = 2;
    add({run});
  }

  void plan_efficiency(unsigned function) {
    const Shape& shape = lab_.number_shapes.back();
    std::vector<Run> runs;
    for (const Element element : {Element::probe, Element::integer}) {
      runs.push_back(make_run(Purpose::efficiency, function, element, shape, {assumed_length(shape)}));
      runs.back().batch.efficiency = true;
    }
    add(std::move(runs));
  }

  const Lab& lab_;
  const PlanOptions& options_;
  std::vector<Task> tasks_;
};

}  // namespace

std::vector<Task> make_plan(const Lab& lab, const PlanOptions& options) {
  return Planner(lab, options).plan();
}

// The costliest first, each to the lane with least to do; in a lane they keep the plan's order, which is that of size:
// of a wrong kernel the small launches tell most.
std::vector<std::vector<Task>> spread(std::vector<Task> tasks, unsigned lanes) {
  std::vector<std::vector<Task>> result(lanes);
  std::vector<double> costs(lanes, 0.0);
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
  for (Task& task : tasks) {
    const auto least = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    costs[least] += task.cost;
    result[least].push_back(std::move(task));
  }
  for (std::vector<Task>& lane : result)
    std::sort(lane.begin(), lane.end(), [](const Task& a, const Task& b) { return a.place < b.place; });
  return result;
}

}  // namespace scanlab::harness
