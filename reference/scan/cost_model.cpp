#include "scan/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "scan/elements.hpp"

namespace scanlab::cost {

using scan::SectionScan;

std::string name_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::sequential:
      return "sequential";
    case Algorithm::naive:
      return "naive";
    case Algorithm::kogge_stone:
      return "Kogge-Stone";
    case Algorithm::double_buffered:
      return "double-buffered Kogge-Stone";
    case Algorithm::brent_kung:
      return "Brent-Kung";
    case Algorithm::coarsened:
      return "three-phase coarsened";
    case Algorithm::hierarchical:
      return "hierarchical";
    case Algorithm::domino:
      return "domino";
  }
  return "";
}

// --- closed forms --------------------------------------------------------------------------------

bool is_power_of_two(std::uint64_t n) { return std::has_single_bit(n); }

std::uint64_t floor_log2(std::uint64_t n) {
  return static_cast<std::uint64_t>(std::bit_width(n)) - 1;
}

std::uint64_t ceil_log2(std::uint64_t n) { return floor_log2(n) + (is_power_of_two(n) ? 0 : 1); }

std::uint64_t sequential_work(std::uint64_t n) { return n == 0 ? 0 : n - 1; }

std::uint64_t naive_work(std::uint64_t n) { return n == 0 ? 0 : n * (n - 1) / 2; }

std::uint64_t kogge_stone_work(std::uint64_t n) {
  if (n == 0) return 0;
  const std::uint64_t strides = ceil_log2(n);
  return n * strides - ((std::uint64_t{1} << strides) - 1);
}

std::uint64_t unguarded_work(std::uint64_t n) { return n == 0 ? 0 : n * ceil_log2(n); }

std::uint64_t brent_kung_tree_work(std::uint64_t n) { return n - 1; }

std::uint64_t brent_kung_reverse_tree_work(std::uint64_t n) { return n - 1 - floor_log2(n); }

std::uint64_t brent_kung_work(std::uint64_t n) {
  return brent_kung_tree_work(n) + brent_kung_reverse_tree_work(n);
}

std::uint64_t coarsened_phase_1_work(std::uint64_t threads, std::uint64_t factor) {
  return threads * (factor - 1);
}

std::uint64_t coarsened_phase_3_work(std::uint64_t threads, std::uint64_t factor) {
  return (threads - 1) * (factor - 1);
}

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

std::uint64_t section_work(SectionScan kind, std::uint64_t n) {
  return kind == SectionScan::brent_kung ? brent_kung_work(n) : kogge_stone_work(n);
}

// Elements outside the first section: those that a carry is added to.
std::uint64_t elements_with_carry(std::uint64_t elements, std::uint64_t section) {
  return elements > section ? elements - section : 0;
}

// The block sums are a level even where there is one section (see work_ceiling).
std::vector<Level> graded_levels(std::uint64_t elements, std::uint64_t section) {
  std::vector<Level> levels = hierarchical_levels(elements, section);
  if (levels.size() == 1) levels.push_back({1, 1});
  return levels;
}

}  // namespace

std::vector<Level> hierarchical_levels(std::uint64_t elements, std::uint64_t section) {
  std::vector<Level> levels;
  if (elements == 0) return levels;
  do {
    levels.push_back({elements, divide_up(elements, section)});
    elements = levels.back().sections;
  } while (elements > 1);
  return levels;
}

// --- work ----------------------------------------------------------------------------------------

namespace {

Count coarsened_work(const Shape& shape) {
  const std::uint64_t s = shape.threads * shape.factor, t = shape.threads;
  return {2 * (s - t) + t * floor_log2(t), coarsened_phase_1_work(t, shape.factor) +
                                               section_work(shape.kind, t) +
                                               coarsened_phase_3_work(t, shape.factor)};
}

Count hierarchical_work(const Shape& shape) {
  Count count;
  for (const Level& level : hierarchical_levels(shape.elements, shape.section)) {
    count.textbook += level.sections * unguarded_work(shape.section) + level.elements;
    count.exact += level.sections * section_work(shape.kind, shape.section) +
                   elements_with_carry(level.elements, shape.section);
  }
  return count;
}

// Exact: the first section passes its sum on as it is and the last passes nothing on.
Count domino_work(const Shape& shape) {
  const std::uint64_t m = divide_up(shape.elements, shape.section);
  const std::uint64_t passed_on = m > 2 ? m - 2 : 0;
  return {m * unguarded_work(shape.section) + m * shape.section + m,
          m * section_work(shape.kind, shape.section) + passed_on +
              elements_with_carry(shape.elements, shape.section)};
}

}  // namespace

Count work(Algorithm algorithm, const Shape& shape) {
  const std::uint64_t n = shape.elements;
  if (n == 0) return {};
  switch (algorithm) {
    case Algorithm::sequential:
      return {sequential_work(n), sequential_work(n)};
    case Algorithm::naive:
      return {naive_work(n), naive_work(n)};
    case Algorithm::kogge_stone:
    case Algorithm::double_buffered:
      return {kogge_stone_work(n), kogge_stone_work(n)};
    case Algorithm::brent_kung:
      return {brent_kung_work(n), brent_kung_work(n)};
    case Algorithm::coarsened:
      return coarsened_work(shape);
    case Algorithm::hierarchical:
      return hierarchical_work(shape);
    case Algorithm::domino:
      return domino_work(shape);
  }
  return {};
}

// --- steps ---------------------------------------------------------------------------------------

namespace {

// The chain behind the prefix of `count` elements in a Brent-Kung scan: a power of two is the
// tree's own sum; else the sum of its lowest bit's elements is added to the prefix before them.
std::uint64_t brent_kung_prefix_chain(std::uint64_t count) {
  const std::uint64_t low = count & (~count + 1);
  if (count == low) return floor_log2(low);
  return 1 + std::max(brent_kung_prefix_chain(count - low), floor_log2(low));
}

// The longest chain among the first `count` elements of a section.
std::uint64_t section_chain(SectionScan kind, std::uint64_t count) {
  if (count == 0) return 0;
  if (kind == SectionScan::kogge_stone) return ceil_log2(count);
  std::uint64_t longest = 0;
  for (std::uint64_t i = 1; i <= count; ++i)
    longest = std::max(longest, brent_kung_prefix_chain(i));
  return longest;
}

// `carry`: the longest chain among the carries, one of which is added to every section but the
// first.
std::uint64_t chain_with_carries(SectionScan kind, std::uint64_t elements, std::uint64_t section,
                                 std::uint64_t carry) {
  const std::uint64_t others = section_chain(kind, std::min(section, elements - section));
  return std::max(section_chain(kind, section), 1 + std::max(others, carry));
}

// Among the first `elements` of a hierarchical scan.
std::uint64_t hierarchical_chain(SectionScan kind, std::uint64_t elements, std::uint64_t section) {
  if (elements <= section) return section_chain(kind, elements);
  // All sums but the last one are carries; a section's sum has a chain of log2 section by itself.
  const std::uint64_t carries = divide_up(elements, section) - 1;
  const std::uint64_t carry = floor_log2(section) + hierarchical_chain(kind, carries, section);
  return chain_with_carries(kind, elements, section, carry);
}

std::uint64_t domino_chain(SectionScan kind, std::uint64_t elements, std::uint64_t section) {
  if (elements <= section) return section_chain(kind, elements);
  const std::uint64_t additions_to_the_carry = divide_up(elements, section) - 2;
  return chain_with_carries(kind, elements, section, floor_log2(section) + additions_to_the_carry);
}

// Phase 1 gives chains of factor - 1 for the ends, then thread t adds the end of thread t - 1.
std::uint64_t coarsened_chain(const Shape& shape) {
  const std::uint64_t ends = shape.factor - 1 + section_chain(shape.kind, shape.threads);
  if (shape.threads == 1 || shape.factor == 1) return ends;
  const std::uint64_t carry = shape.factor - 1 + section_chain(shape.kind, shape.threads - 1);
  return std::max(ends, carry + 1);
}

std::uint64_t brent_kung_steps(std::uint64_t n) { return n == 1 ? 0 : 2 * floor_log2(n) - 1; }

}  // namespace

Count steps(Algorithm algorithm, const Shape& shape) {
  const std::uint64_t n = shape.elements;
  if (n == 0) return {};
  const std::uint64_t log_section = shape.section == 0 ? 0 : floor_log2(shape.section);
  switch (algorithm) {
    case Algorithm::sequential:
    case Algorithm::naive:
      return {n - 1, n - 1};
    case Algorithm::kogge_stone:
    case Algorithm::double_buffered:
      return {ceil_log2(n), ceil_log2(n)};
    case Algorithm::brent_kung:
      return {brent_kung_steps(n), section_chain(SectionScan::brent_kung, n)};
    case Algorithm::coarsened:
      return {shape.factor + 2 * floor_log2(shape.threads), coarsened_chain(shape)};
    case Algorithm::hierarchical:
      return {3 * log_section * hierarchical_levels(n, shape.section).size(),
              hierarchical_chain(shape.kind, n, shape.section)};
    case Algorithm::domino:
      return {divide_up(n, shape.section) + 2 * log_section + 2,
              domino_chain(shape.kind, n, shape.section)};
  }
  return {};
}

std::optional<std::uint64_t> barriers_allowed(Algorithm algorithm, const Shape& shape) {
  switch (algorithm) {
    case Algorithm::kogge_stone:
    case Algorithm::brent_kung:
      return 2 * ceil_log2(shape.elements) + 1;
    case Algorithm::double_buffered:
      return ceil_log2(shape.elements) + 1;
    case Algorithm::coarsened:
      return 2 * floor_log2(shape.threads) + 4;
    default:
      return std::nullopt;
  }
}

// --- traffic and ceilings ------------------------------------------------------------------------

namespace {

// Per level: read and write every element, write the sums; read and write again what gets a carry.
Count hierarchical_traffic(const Shape& shape) {
  Count count{4 * shape.elements, 0};
  for (const Level& level : hierarchical_levels(shape.elements, shape.section)) {
    count.exact += 2 * level.elements + 2 * elements_with_carry(level.elements, shape.section);
    if (level.sections > 1)
      count.exact += level.sections + (level.sections - 1);  // sums out, carries in
  }
  return count;
}

}  // namespace

Count traffic(Algorithm algorithm, const Shape& shape) {
  const std::uint64_t n = shape.elements;
  switch (algorithm) {
    case Algorithm::naive:
      return {naive_work(n) + 2 * n, naive_work(n) + 2 * n};
    case Algorithm::hierarchical:
      return hierarchical_traffic(shape);
    case Algorithm::domino: {
      const std::uint64_t m = divide_up(n, shape.section);
      return {2 * n, 2 * n + (m == 0 ? 0 : 2 * (m - 1))};  // each carry is written and read once
    }
    default:
      return {2 * n, 2 * n};
  }
}

std::uint64_t work_ceiling(Algorithm algorithm, const Shape& shape) {
  if (algorithm != Algorithm::hierarchical) return work(algorithm, shape).textbook;
  std::uint64_t ceiling = 0;
  for (const Level& level : graded_levels(shape.elements, shape.section))
    ceiling += level.sections * unguarded_work(shape.section) + level.elements;
  return ceiling;
}

std::uint64_t steps_ceiling(Algorithm algorithm, const Shape& shape) {
  return steps(algorithm, shape).textbook;
}

// --- steps on units ------------------------------------------------------------------------------

namespace {

// Equal steps: `repeats` times so many active threads and warps.
struct Activity {
  std::uint64_t threads = 0;
  std::uint64_t warps = 0;
  std::uint64_t repeats = 1;
};

// The steps of one plan, `copies` of it side by side.
void append_plan(std::vector<Activity>& all, const scan::Plan& plan, std::uint64_t copies) {
  for (const scan::Step& step : plan.steps)
    if (!step.additions.empty())
      all.push_back({copies * scan::active_threads(step), copies * scan::active_warps(step), 1});
}

void append_sections(std::vector<Activity>& all, const Shape& shape, std::uint64_t sections) {
  const scan::Plan plan = shape.kind == SectionScan::brent_kung
                              ? scan::brent_kung_plan(shape.section)
                              : scan::kogge_stone_plan(shape.section);
  append_plan(all, plan, sections);
}

void append_carries(std::vector<Activity>& all, std::uint64_t elements, std::uint64_t section) {
  const std::uint64_t threads = elements_with_carry(elements, section);
  if (threads != 0) all.push_back({threads, divide_up(threads, kWarp), 1});
}

// Naive: thread i adds in the steps 1 .. i, so n - k threads from thread k on are active in step k.
std::vector<Activity> naive_activity(std::uint64_t n) {
  std::vector<Activity> all;
  for (std::uint64_t k = 1; k < n; ++k) all.push_back({n - k, divide_up(n, kWarp) - k / kWarp, 1});
  return all;
}

std::vector<Activity> hierarchical_activity(const Shape& shape) {
  std::vector<Activity> all;
  for (const Level& level : hierarchical_levels(shape.elements, shape.section)) {
    append_sections(all, shape, level.sections);
    append_carries(all, level.elements, shape.section);
  }
  return all;
}

std::vector<Activity> domino_activity(const Shape& shape) {
  std::vector<Activity> all;
  const std::uint64_t m = divide_up(shape.elements, shape.section);
  append_sections(all, shape, m);
  if (m > 2) all.push_back({1, 1, m - 2});
  append_carries(all, shape.elements, shape.section);
  return all;
}

std::vector<Activity> activity_of(Algorithm algorithm, const Shape& shape) {
  if (algorithm == Algorithm::sequential) return {{1, 1, sequential_work(shape.elements)}};
  if (algorithm == Algorithm::naive) return naive_activity(shape.elements);
  if (algorithm == Algorithm::hierarchical) return hierarchical_activity(shape);
  if (algorithm == Algorithm::domino) return domino_activity(shape);
  std::vector<Activity> all;
  append_plan(all, plan_of(algorithm, shape), 1);
  return all;
}

}  // namespace

double textbook_unit_steps(Algorithm algorithm, const Shape& shape, std::uint64_t units) {
  const double p = static_cast<double>(units);
  const double n = static_cast<double>(shape.elements);
  const double counted = static_cast<double>(work(algorithm, shape).textbook);
  switch (algorithm) {
    case Algorithm::sequential:
      return n;
    case Algorithm::kogge_stone:
    case Algorithm::double_buffered:
      return static_cast<double>(unguarded_work(shape.elements)) / p;
    case Algorithm::brent_kung:
      return counted / p + 2.0 * static_cast<double>(floor_log2(units));
    default:
      return counted / p;
  }
}

UnitSteps unit_steps(Algorithm algorithm, const Shape& shape, std::uint64_t units) {
  UnitSteps sum;
  if (shape.elements == 0) return sum;
  sum.textbook = textbook_unit_steps(algorithm, shape, units);
  for (const Activity& activity : activity_of(algorithm, shape)) {
    sum.by_threads += activity.repeats * divide_up(activity.threads, units);
    // One thread alone needs no warp: the sequential scan runs on one unit.
    const std::uint64_t lanes = algorithm == Algorithm::sequential ? 1 : activity.warps * kWarp;
    sum.by_warps += activity.repeats * divide_up(lanes, units);
  }
  return sum;
}

SpeedUp speed_up(Algorithm algorithm, const Shape& shape, std::uint64_t units) {
  const UnitSteps time = unit_steps(algorithm, shape, units);
  const double n = static_cast<double>(shape.elements);
  return {time.textbook == 0 ? 1 : n / time.textbook,
          time.by_threads == 0 ? 1 : (n - 1) / static_cast<double>(time.by_threads)};
}

// --- the counting oracle -------------------------------------------------------------------------

scan::Plan plan_of(Algorithm algorithm, const Shape& shape) {
  switch (algorithm) {
    case Algorithm::sequential:
      return scan::sequential_plan(shape.elements);
    case Algorithm::naive:
      return scan::naive_plan(shape.elements);
    case Algorithm::kogge_stone:
      return scan::kogge_stone_plan(shape.elements);
    case Algorithm::double_buffered:
      return scan::double_buffered_plan(shape.elements);
    case Algorithm::brent_kung:
      return scan::brent_kung_plan(shape.elements);
    case Algorithm::coarsened:
      return scan::coarsened_plan(shape.threads, shape.factor, shape.kind);
    case Algorithm::hierarchical:
      return scan::hierarchical_plan(shape.elements, shape.section, shape.kind);
    case Algorithm::domino:
      return scan::domino_plan(shape.elements, shape.section, shape.kind);
  }
  return {};
}

namespace {

bool proves_itself(const scan::Plan& plan) {
  std::vector<Interval> runs;
  for (std::uint32_t i = 0; i < plan.size; ++i) runs.push_back(make_run<Interval>(i, i));
  const std::vector<Interval> sums = scan::run_plan(plan, runs);
  for (std::uint32_t i = 0; i < plan.size; ++i)
    if (sums[i] != make_run<Interval>(0, i)) return false;
  return true;
}

}  // namespace

Counts count_by_running(const scan::Plan& plan) {
  std::vector<Counted> numbers(plan.size);
  for (std::uint32_t i = 0; i < plan.size; ++i) numbers[i] = static_cast<Counted>(i + 1);
  const std::uint64_t before = counted_on_host;
  const std::vector<Counted> sums = scan::run_plan(plan, numbers);
  Counts counts{counted_on_host - before, 0, proves_itself(plan)};
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < plan.size; ++i) {
    expected += i + 1;
    counts.right = counts.right && sums[i] == static_cast<Counted>(expected);
  }
  for (const Depth depth : scan::run_plan(plan, std::vector<Depth>(plan.size)))
    counts.steps = std::max<std::uint64_t>(counts.steps, static_cast<std::uint32_t>(depth));
  return counts;
}

// --- recognition ---------------------------------------------------------------------------------

namespace {

struct Candidate {
  std::uint64_t count = 0;
  std::string name;
};

std::string first_match(const std::vector<Candidate>& candidates, std::uint64_t count) {
  for (const Candidate& candidate : candidates)
    if (candidate.count == count) return candidate.name;
  return "";
}

std::vector<Candidate> well_known(std::uint64_t n) {
  const std::uint64_t levels = floor_log2(n);
  return {{0, "no addition at all"},
          {kogge_stone_work(n), "Kogge-Stone's count"},
          {brent_kung_work(n), "Brent-Kung's count"},
          {sequential_work(n), "the sequential scan's N-1, or Brent-Kung's reduction tree alone"},
          {n, "the sequential scan's count, started from the identity"},
          {naive_work(n), "the naive N(N-1)/2"},
          {n * (n + 1) / 2, "the naive scan's count, started from the identity: N(N+1)/2"},
          {unguarded_work(n), "Hillis-Steele's count without a guard, N log2 N"},
          {n * levels / 2, "Sklansky's count, (N/2) log2 N"},
          {2 * (n - 1), "Blelloch's count, 2(N-1)"},
          {2 * (n - 1) + n, "Blelloch's exclusive scan, made inclusive by N more additions"}};
}

// What becomes of the count when a loop has one step too few or a guard is off by one.
std::vector<Candidate> near_misses(std::uint64_t n) {
  const std::uint64_t full = kogge_stone_work(n), levels = floor_log2(n);
  return {{full - n / 2, "Kogge-Stone's count without its last step"},
          {full - (n - 1), "Kogge-Stone's count without its first step"},
          {full - levels, "Kogge-Stone's count with a guard one too strict (> in place of >=)"},
          {2 * full, "Kogge-Stone's count twice over"},
          {2 * brent_kung_work(n), "Brent-Kung's count twice over"},
          {full + n - 1, "Kogge-Stone's count and one more addition for each other element"},
          {brent_kung_work(n) + n, "Brent-Kung's count and one more addition per element"},
          {full + n, "Kogge-Stone's count and one more addition per element"}};
}

// Warps of 32 scanned by shuffles, then the warps' sums, then carries for all warps but the first.
std::vector<Candidate> warp_wise(std::uint64_t n) {
  if (n < 2 * kWarp) return {};
  const std::uint64_t warps = n / kWarp, carries = n - kWarp;
  const std::uint64_t guarded = warps * kogge_stone_work(kWarp),
                      bare = warps * unguarded_work(kWarp);
  const std::string name = "the count of warp scans with carries between the warps";
  std::vector<Candidate> candidates;
  for (const std::uint64_t within : {guarded, bare})
    for (const std::uint64_t sums : {kogge_stone_work(warps), unguarded_work(warps), warps - 1,
                                     kogge_stone_work(kWarp), unguarded_work(kWarp)})
      for (const std::uint64_t added : {carries, n})
        candidates.push_back({within + sums + added, name});
  return candidates;
}

struct Part {
  std::uint64_t count = 0;
  std::string name;
};

std::vector<Part> phase_2_parts(std::uint64_t t) {
  return {{kogge_stone_work(t), "Kogge-Stone"},
          {brent_kung_work(t), "Brent-Kung"},
          {sequential_work(t), "a sequential scan"},
          {unguarded_work(t), "Hillis-Steele without a guard"},
          {naive_work(t), "the naive scan"}};
}

std::vector<Candidate> coarsened_candidates(std::uint64_t t, std::uint64_t c) {
  std::vector<Candidate> candidates;
  const std::vector<Part> first = {{t * (c - 1), ""},
                                   {t * c, ", phase 1 started from the identity"}};
  const std::vector<Part> third = {{(t - 1) * (c - 1), ""},
                                   {(t - 1) * c, ", phase 3 done for the last elements, too"},
                                   {t * (c - 1), ", phase 3 done by the first thread, too"},
                                   {t * c, ", phase 3 done for all elements"}};
  for (const Part& one : first)
    for (const Part& three : third)
      for (const Part& two : phase_2_parts(t))
        candidates.push_back(
            {one.count + two.count + three.count,
             "three phases with " + two.name + " in phase 2" + one.name + three.name});
  candidates.push_back({2 * t * (c - 1) + unguarded_work(t), "the textbook's 2(S-T) + T log2 T"});
  return candidates;
}

}  // namespace

std::string recognise_work(std::uint64_t count, std::uint64_t section, std::uint64_t threads,
                           std::uint64_t factor) {
  if (!is_power_of_two(section)) return "";
  std::vector<Candidate> candidates;
  if (threads > 1 && factor > 1) candidates = coarsened_candidates(threads, factor);
  for (const auto& more : {well_known(section), near_misses(section), warp_wise(section)})
    candidates.insert(candidates.end(), more.begin(), more.end());
  return first_match(candidates, count);
}

// --- floats --------------------------------------------------------------------------------------

double float_gamma(std::uint64_t depth) {
  const double du = static_cast<double>(depth) * 0x1p-24;
  return du / (1.0 - du);
}

double float_bound(std::uint64_t depth, double magnitude) { return float_gamma(depth) * magnitude; }

// --- figures -------------------------------------------------------------------------------------

namespace {

Figure work_figure(Algorithm algorithm, const Shape& shape, const std::string& id,
                   std::string formula) {
  const Count count = work(algorithm, shape);
  const std::string n = std::to_string(shape.elements);
  return {id + ".work." + n, name_of(algorithm) + ", " + n + " elements: additions",
          static_cast<double>(count.textbook), static_cast<double>(count.exact),
          std::move(formula)};
}

Figure unit_figure(Algorithm algorithm, const Shape& shape, const std::string& id,
                   std::string formula) {
  const UnitSteps time = unit_steps(algorithm, shape, 32);
  const std::string n = std::to_string(shape.elements);
  return {id + ".unit_steps." + n + ".32",
          name_of(algorithm) + ", " + n + " elements on 32 units: steps", time.textbook,
          static_cast<double>(time.by_warps), std::move(formula)};
}

Figure speed_figure(Algorithm algorithm, const Shape& shape, const std::string& id,
                    std::string formula) {
  const SpeedUp speed = speed_up(algorithm, shape, 32);
  const std::string n = std::to_string(shape.elements);
  return {id + ".speed_up." + n + ".32",
          name_of(algorithm) + ", " + n + " elements on 32 units: speed-up over sequential",
          speed.textbook, speed.exact, std::move(formula)};
}

}  // namespace

std::vector<Figure> figures() {
  const Shape n512 = Shape::whole(512), n1024 = Shape::whole(1024);
  const Shape coarse = Shape::coarsened(64, 16, SectionScan::kogge_stone);
  return {
      work_figure(Algorithm::sequential, n512, "sequential", "N - 1"),
      work_figure(Algorithm::sequential, n1024, "sequential", "N - 1"),
      work_figure(Algorithm::naive, n1024, "naive", "N(N - 1)/2"),
      work_figure(Algorithm::kogge_stone, n512, "kogge_stone", "N log2 N - (N - 1)"),
      work_figure(Algorithm::kogge_stone, n1024, "kogge_stone", "N log2 N - (N - 1)"),
      work_figure(Algorithm::brent_kung, n1024, "brent_kung", "2N - 2 - log2 N"),
      work_figure(Algorithm::coarsened, coarse, "coarsened",
                  "(S - T) + T log2 T + (S - T), T = 64"),
      unit_figure(Algorithm::kogge_stone, n1024, "kogge_stone", "1024 * 10 / 32"),
      unit_figure(Algorithm::brent_kung, n1024, "brent_kung", "2036 / 32 + 2 * 5"),
      unit_figure(Algorithm::coarsened, coarse, "coarsened", "(960 + 384 + 960) / 32"),
      speed_figure(Algorithm::kogge_stone, n1024, "kogge_stone", "1024 / 320"),
      speed_figure(Algorithm::brent_kung, n1024, "brent_kung", "1024 / 73.6"),
      speed_figure(Algorithm::coarsened, coarse, "coarsened", "1024 / 72"),
  };
}

}  // namespace scanlab::cost
