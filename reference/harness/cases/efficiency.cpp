// What a right kernel costs: additions, dependent steps, barriers, divergence, memory traffic.
#include <functional>

#include "harness/cases/common.hpp"
#include "harness/costs.hpp"

namespace scanlab::harness::judge {
namespace {

using machine::Finding;
using machine::LineTraffic;
using machine::Severity;

// Calls visit(run, result) for every launch of the proving type that belongs to a sound function.
template <typename Visit>
void for_each_sound(const Evidence& evidence, Visit visit) {
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    if (!evidence.sound(function)) continue;
    for (const Run* run : evidence.runs_for(function, Purpose::proof))
      for (const LaunchResult& result : run->results) visit(*run, result);
  }
}

// Keeps the words of the first launch that breaks a rule and counts the others.
class FirstBreach {
 public:
  void add(const std::function<Finding()>& make) {
    if (launches_++ == 0) finding_ = make();
  }
  void report(Check& check) {
    if (launches_ == 0) return;
    finding_.count = launches_;
    check.add(finding_);
  }
  bool first() const { return launches_ == 1; }

 private:
  std::uint64_t launches_ = 0;
  Finding finding_;
};

std::string function_name(const Evidence& evidence, const Run& run) {
  return "The " + evidence.lab().functions[run.batch.function].name + " scan (" ;
}

std::string place(const Evidence& evidence, const Run& run, const LaunchResult& result) {
  return function_name(evidence, run) + where(run.batch, result.n) + ")";
}

std::string recognised(const Run& run, const LaunchResult& result) {
  const Shape& shape = run.batch.shape;
  if (result.counts.threads == 1) return ", all made by one thread";
  if (shape.section == 0 || run.batch.extent.length == 0) return {};
  const std::uint64_t sections = result.n / shape.length();
  if (sections == 0 || result.counts.additions % sections != 0) return {};
  const std::string name = cost::recognise_work(result.counts.additions / sections, shape.length(),
                                                shape.factor != 0 ? shape.section : 0, shape.factor);
  return name.empty() ? "" : ", which is " + name;
}

Finding wrong_work(const Evidence& evidence, const Run& run, const LaunchResult& result, const WorkRule& rule) {
  const bool exact = !rule.counts.empty();
  const std::string allowed = exact ? std::to_string(rule.counts.front()) : "at most " + std::to_string(rule.ceiling);
  return make_finding("work.wrong", Severity::error,
                      place(evidence, run, result) + " takes " + allowed + " additions; counted: " +
                          std::to_string(result.counts.additions) + recognised(run, result) + ".",
                      exact ? "Which threads add in a step, and which of them need to?"
                            : "Does every section's scan do its work once?");
}

// The exact count, filled up with additions that no output needs.
bool is_padded(const Run& run, const LaunchResult& result, const WorkRule& rule) {
  if (rule.counts.empty()) return false;
  const std::uint64_t spare = run.batch.extent.exclusive == 0 ? 0 : 2 * cost::floor_log2(run.batch.shape.length());
  const std::uint64_t sections = result.n / run.batch.shape.length();
  return result.counts.additions - result.counts.reaching > spare * sections;
}

Finding padded_work(const Evidence& evidence, const Run& run, const LaunchResult& result) {
  return make_finding("work.wrong", Severity::error,
                      place(evidence, run, result) + " makes " + std::to_string(result.counts.additions) +
                          " additions, but only " + std::to_string(result.counts.reaching) +
                          " of them reach an output.",
                      "Which sums does nobody read?");
}

Finding host_work(const Evidence& evidence, const Run& run, const LaunchResult& result) {
  return make_finding("work.wrong", Severity::error,
                      place(evidence, run, result) + " makes " +
                          std::to_string(result.counts.host_additions) + " additions on the host.",
                      "The scan belongs into kernels: the driver only allocates and launches.");
}

void judge_work(const Evidence& evidence, const Run& run, const LaunchResult& result, FirstBreach& breach,
                Check& check) {
  if (result.counts.host_additions != 0)
    return breach.add([&] { return host_work(evidence, run, result); });
  const auto rule = work_rule(evidence.lab(), run.batch.function, run.batch.shape, result.n);
  if (!rule) return;
  if (rule->accepts(result.counts.additions)) {
    if (is_padded(run, result, *rule)) breach.add([&] { return padded_work(evidence, run, result); });
    return;
  }
  breach.add([&] { return wrong_work(evidence, run, result, *rule); });
  if (!breach.first()) return;
  check.expected = rule->counts.empty() ? rule->ceiling : rule->counts.front();
  check.actual = result.counts.additions;
}

// Of the largest launch that has a rule.
void measure_work(const Evidence& evidence, Check& check) {
  const Run* largest = nullptr;
  const LaunchResult* largest_result = nullptr;
  for_each_sound(evidence, [&](const Run& run, const LaunchResult& result) {
    if (run.batch.function != 0 || !work_rule(evidence.lab(), 0, run.batch.shape, result.n)) return;
    if (largest_result != nullptr && result.n < largest_result->n) return;
    largest = &run, largest_result = &result;
  });
  if (largest == nullptr) return;
  const WorkRule rule = *work_rule(evidence.lab(), 0, largest->batch.shape, largest_result->n);
  check.measure("launch", where(largest->batch, largest_result->n));
  check.measure("work", largest_result->counts.additions);
  check.measure(rule.counts.empty() ? "ceiling" : "expected",
                rule.counts.empty() ? rule.ceiling : rule.counts.front());
}

// int and the proving type: a kernel that looks at its type may do one thing for the proof and another one
// for numbers. Struct copies are counted in words, so twice as many accesses are no sign of that.
bool same_trace(const SlotCounts& a, const SlotCounts& b) {
  const auto near = [](std::uint64_t x, std::uint64_t y) { return x <= 2 * y + 64 && y <= 2 * x + 64; };
  return a.barriers == b.barriers && a.launches == b.launches && near(a.shared_accesses, b.shared_accesses) &&
         (a.spins + b.spins != 0 || near(a.global_accesses, b.global_accesses));
}

Finding other_trace(const Evidence& evidence, const Run& run, const LaunchResult& probe, const LaunchResult& number) {
  const auto words = [](const SlotCounts& counts) {
    return std::to_string(counts.shared_accesses) + " accesses to shared memory, " +
           std::to_string(counts.global_accesses) + " to global memory and " + std::to_string(counts.barriers) +
           " barriers";
  };
  return make_finding("work.wrong", Severity::error,
                      place(evidence, run, number) + " does something else than with the type that counts: " +
                          words(number.counts) + ", not " + words(probe.counts) + ".",
                      "A scan must not depend on the element type.");
}

// The runs of a numbers task stand in the order probe, int, float, with the same sizes.
void judge_traces(const Evidence& evidence, Check& check) {
  FirstBreach breach;
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    if (!evidence.sound(function)) continue;
    const Run* probe = nullptr;
    for (const Run* run : evidence.runs_for(function, Purpose::numbers)) {
      if (run->batch.element == Element::probe) probe = run;
      else
        for (std::size_t i = 0; i < run->results.size(); ++i) {
          const LaunchResult &a = probe->results[i], &b = run->results[i];
          if (b.ending == Ending::done && !same_trace(a.counts, b.counts))
            breach.add([&] { return other_trace(evidence, *run, a, b); });
        }
    }
  }
  breach.report(check);
}

}  // namespace

void work(const Evidence& evidence, Check& check) {
  require_soundness(evidence, check);
  FirstBreach breach;
  for_each_sound(evidence, [&](const Run& run, const LaunchResult& result) {
    judge_work(evidence, run, result, breach, check);
  });
  breach.report(check);
  judge_traces(evidence, check);
  measure_work(evidence, check);
}

void steps(const Evidence& evidence, Check& check) {
  require_soundness(evidence, check);
  FirstBreach breach;
  std::uint64_t longest = 0;
  for_each_sound(evidence, [&](const Run& run, const LaunchResult& result) {
    const auto most = most_steps(evidence.lab(), run.batch.function, run.batch.shape, result.n);
    longest = std::max(longest, result.counts.depth);
    if (!most || result.counts.depth <= *most) return;
    breach.add([&] {
      return make_finding("steps.too_many", Severity::error,
                          place(evidence, run, result) + " has a chain of " + std::to_string(result.counts.depth) +
                              " additions that wait for each other; the algorithm needs " + std::to_string(*most) + ".",
                          "Which addition could have been made earlier, by another thread?");
    });
    if (breach.first()) check.expected = *most, check.actual = result.counts.depth;
  });
  breach.report(check);
  if (check.verdict != Verdict::skip) check.measure("steps", longest);
}

void barriers(const Evidence& evidence, Check& check) {
  require_soundness(evidence, check);
  FirstBreach breach;
  std::uint64_t most_seen = 0;
  for_each_sound(evidence, [&](const Run& run, const LaunchResult& result) {
    const auto most = most_barriers(evidence.lab(), run.batch.shape);
    most_seen = std::max(most_seen, result.counts.barriers);
    if (!most || result.counts.barriers <= *most) return;
    breach.add([&] {
      return make_finding("barriers.too_many", evidence.lab().severities.barriers,
                          place(evidence, run, result) + " goes through " + std::to_string(result.counts.barriers) +
                              " barriers; the algorithm needs " + std::to_string(*most) + ".",
                          "Say for each barrier which read and which write it keeps apart. Is there one without?");
    });
    if (breach.first()) check.expected = *most, check.actual = result.counts.barriers;
  });
  breach.report(check);
  if (check.verdict != Verdict::skip) check.measure("barriers", most_seen);
}

namespace {

// Calls visit(run, result) for the launches of this element type under the warp view, of sound functions.
template <typename Visit>
void for_each_view(const Evidence& evidence, Element element, Visit visit) {
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    if (!evidence.sound(function)) continue;
    for (const Run* run : evidence.runs_for(function, Purpose::efficiency))
      for (const LaunchResult& result : run->results)
        if (run->batch.element == element && result.ending == Ending::done) visit(*run, result);
  }
}

machine::Site site_of(const LineTraffic& line) {
  return {line.file, line.line, {}, {}, line.store ? "write" : "read"};
}

std::string at_line(const LineTraffic& line) { return "Line " + std::to_string(line.line); }

// Twice the ideal lets pairs and shifted loads pass.
bool is_uncoalesced(const LineTraffic& line) { return line.global && line.sectors > 2 * line.ideal_sectors; }

Finding uncoalesced(const Evidence& evidence, const LineTraffic& line) {
  Finding finding = make_finding(
      "traffic.uncoalesced", evidence.lab().severities.coalescing,
      at_line(line) + " touches " + std::to_string(line.sectors) + " sectors of 32 bytes in global memory where " +
          std::to_string(line.ideal_sectors) + " would do (" + std::to_string(line.requests) + " requests of a warp).",
      "Neighbouring threads should touch neighbouring elements in the same instruction.");
  finding.sites.push_back(site_of(line));
  return finding;
}

Finding conflict(const LineTraffic& line) {
  Finding finding = make_finding(
      "traffic.bank_conflict", Severity::warning,
      at_line(line) + ": up to " + std::to_string(line.worst_conflict) +
          " threads of a warp want different words of one bank of shared memory at a time.",
      "Word i lies in bank i mod 32: which indices do neighbouring threads use?");
  finding.sites.push_back(site_of(line));
  return finding;
}

}  // namespace

void divergence(const Evidence& evidence, Check& check) {
  require_soundness(evidence, check);
  for_each_view(evidence, Element::probe, [&](const Run& run, const LaunchResult& result) {
    const std::uint64_t most = most_divergent_warps(run.batch.shape), seen = result.counts.divergent_warps;
    if (run.batch.function == 0) {
      check.measure("divergent warps", seen);
      check.measure("steps on 32 units", result.counts.warp_steps);
    }
    if (seen <= most) return;
    check.expected = most;
    check.actual = seen;
    check.add(make_finding("divergence.high", evidence.lab().severities.divergence,
                           place(evidence, run, result) + ": " + std::to_string(seen) + " times a warp is only partly active at a " +
                               "store to shared memory; " + std::to_string(most) + " would do.",
                           "Let the threads that work be neighbours: compute the element from the thread, not the other way round."));
  });
}

void traffic(const Evidence& evidence, Check& check) {
  require_soundness(evidence, check);
  FindingMerger merger;
  for_each_view(evidence, Element::integer, [&](const Run&, const LaunchResult& result) {
    for (const LineTraffic& line : result.report.traffic) {
      if (is_uncoalesced(line)) merger.add(uncoalesced(evidence, line));
      if (!line.global && line.worst_conflict > evidence.lab().bank_conflicts) merger.add(conflict(line));
    }
  });
  for (Finding& finding : merger.take()) check.add(std::move(finding));
}

}  // namespace scanlab::harness::judge
