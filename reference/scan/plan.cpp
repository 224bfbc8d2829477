#include "scan/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace scanlab::scan {
namespace {

std::uint32_t narrow(std::size_t value) { return static_cast<std::uint32_t>(value); }

Addition addition(std::size_t left, std::size_t right, std::size_t thread) {
  return {narrow(left), narrow(right), narrow(right), narrow(thread)};
}

Step new_step(std::string phase, std::size_t stride = 0) {
  return {std::move(phase), narrow(stride), {}, {}};
}

// Where element i of the thing being scanned lies: cell first + i * spacing, thread_base + i its
// thread.
struct Lanes {
  std::size_t count = 0;
  std::size_t first = 0;
  std::size_t spacing = 1;
  std::size_t thread_base = 0;

  std::size_t cell(std::size_t i) const { return first + i * spacing; }
};

std::vector<Step> kogge_stone_steps_of(const Lanes& lanes, const std::string& phase) {
  std::vector<Step> steps;
  for (std::size_t stride = 1; stride < lanes.count; stride *= 2) {
    Step step = new_step(phase, stride);
    for (std::size_t i = stride; i < lanes.count; ++i)
      step.additions.push_back(
          addition(lanes.cell(i - stride), lanes.cell(i), lanes.thread_base + i));
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<Step> brent_kung_steps_of(const Lanes& lanes, const std::string& up,
                                      const std::string& down) {
  std::vector<Step> steps;
  const std::size_t n = lanes.count;
  for (std::size_t stride = 1; stride < n; stride *= 2) {
    Step step = new_step(up, stride);
    for (std::size_t thread = 0; (thread + 1) * 2 * stride - 1 < n; ++thread) {
      const std::size_t index = (thread + 1) * 2 * stride - 1;
      step.additions.push_back(
          addition(lanes.cell(index - stride), lanes.cell(index), lanes.thread_base + thread));
    }
    steps.push_back(std::move(step));
  }
  for (std::size_t stride = n / 4; stride > 0; stride /= 2) {
    Step step = new_step(down, stride);
    for (std::size_t thread = 0; (thread + 1) * 2 * stride - 1 + stride < n; ++thread) {
      const std::size_t index = (thread + 1) * 2 * stride - 1;
      step.additions.push_back(
          addition(lanes.cell(index), lanes.cell(index + stride), lanes.thread_base + thread));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

void append(std::vector<Step>& steps, std::vector<Step> more) {
  for (Step& step : more) steps.push_back(std::move(step));
}

// Steps of equal index become one: independent blocks run side by side.
std::vector<Step> side_by_side(const std::vector<std::vector<Step>>& blocks) {
  std::vector<Step> merged = blocks.front();
  for (std::size_t block = 1; block < blocks.size(); ++block)
    for (std::size_t i = 0; i < merged.size(); ++i)
      merged[i].additions.insert(merged[i].additions.end(), blocks[block][i].additions.begin(),
                                 blocks[block][i].additions.end());
  return merged;
}

std::size_t sections_of(std::size_t n, std::size_t section) { return (n + section - 1) / section; }

// Every section of `section` cells from `first` on, scanned on its own.
std::vector<Step> section_steps(std::size_t sections, std::size_t section, std::size_t first,
                                SectionScan kind, const std::string& phase) {
  const std::size_t threads = kind == SectionScan::brent_kung ? section / 2 : section;
  std::vector<std::vector<Step>> blocks;
  for (std::size_t block = 0; block < sections; ++block) {
    const Lanes lanes{section, first + block * section, 1, block * threads};
    blocks.push_back(kind == SectionScan::brent_kung ? brent_kung_steps_of(lanes, phase, phase)
                                                     : kogge_stone_steps_of(lanes, phase));
  }
  return side_by_side(blocks);
}

// Carries in cells carry_first, carry_first + 1, ... are added to sections 1, 2, ... of the n cells
// at first.
Step carry_step(std::size_t n, std::size_t section, std::size_t first, std::size_t carry_first,
                const std::string& phase) {
  Step step = new_step(phase);
  for (std::size_t i = section; i < n; ++i)
    step.additions.push_back(addition(carry_first + i / section - 1, first + i, i));
  return step;
}

// One level: n cells from `first` on; `next` is the first free cell. Returns the first free cell
// after.
std::size_t plan_level(std::vector<Step>& steps, std::size_t n, std::size_t section,
                       std::size_t first, SectionScan kind, std::size_t level) {
  const std::size_t sections = sections_of(n, section);
  const std::size_t sums = first + sections * section;
  const std::string suffix = " (level " + std::to_string(level) + ")";
  append(steps, section_steps(sections, section, first, kind, "scan sections" + suffix));
  if (sections == 1) return sums;
  Step gather = new_step("block sums" + suffix);
  for (std::size_t block = 0; block < sections; ++block)
    gather.copies.push_back({narrow(first + (block + 1) * section - 1), narrow(sums + block)});
  steps.push_back(std::move(gather));
  const std::size_t free = plan_level(steps, sections, section, sums, kind, level + 1);
  steps.push_back(carry_step(n, section, first, sums, "add carries" + suffix));
  return free;
}

}  // namespace

Plan sequential_plan(std::size_t n) {
  Plan plan{n, n, 0, {}};
  for (std::size_t i = 1; i < n; ++i) {
    Step step = new_step("sequential");
    step.additions.push_back(addition(i - 1, i, 0));
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

Plan naive_plan(std::size_t n) {
  Plan plan{n, 2 * n, n, {}};
  Step start = new_step("start");
  for (std::size_t i = 0; i < n; ++i) start.copies.push_back({0, narrow(n + i)});
  plan.steps.push_back(std::move(start));
  for (std::size_t k = 1; k < n; ++k) {
    Step step = new_step("naive");
    for (std::size_t i = k; i < n; ++i)
      step.additions.push_back({narrow(n + i), narrow(k), narrow(n + i), narrow(i)});
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

Plan kogge_stone_plan(std::size_t n) {
  return {n, n, 0, kogge_stone_steps_of({n, 0, 1, 0}, "scan")};
}

Plan double_buffered_plan(std::size_t n) {
  Plan plan{n, 2 * n, 0, {}};
  std::size_t from = 0, to = n;
  for (std::size_t stride = 1; stride < n; stride *= 2, std::swap(from, to)) {
    Step step = new_step("scan", stride);
    for (std::size_t i = 0; i < std::min(stride, n); ++i)
      step.copies.push_back({narrow(from + i), narrow(to + i)});
    for (std::size_t i = stride; i < n; ++i)
      step.additions.push_back(
          {narrow(from + i - stride), narrow(from + i), narrow(to + i), narrow(i)});
    plan.steps.push_back(std::move(step));
  }
  plan.result = from;
  return plan;
}

Plan brent_kung_plan(std::size_t n) {
  return {n, n, 0, brent_kung_steps_of({n, 0, 1, 0}, "tree", "reverse tree")};
}

Plan brent_kung_scattered_plan(std::size_t n) {
  Plan plan = brent_kung_plan(n);
  // In both trees the thread of the left-hand form's index does the work.
  for (Step& step : plan.steps)
    for (Addition& add : step.additions) add.thread = step.phase == "tree" ? add.right : add.left;
  return plan;
}

Plan coarsened_plan(std::size_t threads, std::size_t factor, SectionScan phase_2) {
  const std::size_t n = threads * factor;
  Plan plan{n, n, 0, {}};
  for (std::size_t c = 1; c < factor; ++c) {
    Step step = new_step("phase 1");
    for (std::size_t t = 0; t < threads; ++t)
      step.additions.push_back(addition(t * factor + c - 1, t * factor + c, t));
    plan.steps.push_back(std::move(step));
  }
  const Lanes ends{threads, factor - 1, factor, 0};
  append(plan.steps, phase_2 == SectionScan::brent_kung
                         ? brent_kung_steps_of(ends, "phase 2", "phase 2")
                         : kogge_stone_steps_of(ends, "phase 2"));
  for (std::size_t c = 0; c + 1 < factor; ++c) {
    Step step = new_step("phase 3");
    for (std::size_t t = 1; t < threads; ++t)
      step.additions.push_back(addition(t * factor - 1, t * factor + c, t));
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

Plan hierarchical_plan(std::size_t n, std::size_t section, SectionScan kind) {
  Plan plan{n, n, 0, {}};
  plan.cells = plan_level(plan.steps, n, section, 0, kind, 0);
  return plan;
}

Plan domino_plan(std::size_t n, std::size_t section, SectionScan kind) {
  const std::size_t sections = sections_of(n, section);
  const std::size_t carries = sections * section;
  const std::size_t threads = kind == SectionScan::brent_kung ? section / 2 : section;
  Plan plan{n, carries + sections, 0, section_steps(sections, section, 0, kind, "scan sections")};
  if (sections == 1) return plan;
  Step first = new_step("carry from section 0");
  first.copies.push_back({narrow(section - 1), narrow(carries)});
  plan.steps.push_back(std::move(first));
  for (std::size_t block = 1; block + 1 < sections; ++block) {
    Step step = new_step("carry from section " + std::to_string(block));
    step.additions.push_back({narrow(carries + block - 1), narrow((block + 1) * section - 1),
                              narrow(carries + block), narrow(block * threads)});
    plan.steps.push_back(std::move(step));
  }
  plan.steps.push_back(carry_step(n, section, 0, carries, "add carries"));
  return plan;
}

std::uint64_t additions_of(const Plan& plan) {
  std::uint64_t count = 0;
  for (const Step& step : plan.steps) count += step.additions.size();
  return count;
}

std::size_t active_threads(const Step& step) {
  std::set<std::uint32_t> threads;
  for (const Addition& add : step.additions) threads.insert(add.thread);
  return threads.size();
}

namespace {

std::map<std::uint32_t, std::set<std::uint32_t>> threads_by_warp(const Step& step,
                                                                 std::size_t warp) {
  std::map<std::uint32_t, std::set<std::uint32_t>> warps;
  for (const Addition& add : step.additions) warps[add.thread / narrow(warp)].insert(add.thread);
  return warps;
}

}  // namespace

std::size_t active_warps(const Step& step, std::size_t warp) {
  return threads_by_warp(step, warp).size();
}

std::vector<std::uint32_t> divergent_warps(const Step& step, std::size_t warp) {
  std::vector<std::uint32_t> divergent;
  for (const auto& [number, threads] : threads_by_warp(step, warp))
    if (threads.size() < warp) divergent.push_back(number);
  return divergent;
}

}  // namespace scanlab::scan
