// Are the outputs right: by proof, with numbers, under other schedules, and the second time.
#include <algorithm>

#include "harness/cases/common.hpp"

namespace scanlab::harness::judge {
namespace {

using machine::Finding;
using machine::Severity;

std::vector<const LaunchResult*> probe_results(const Evidence& evidence, unsigned function) {
  std::vector<const LaunchResult*> results;
  for (const Run* run : evidence.probe_runs(function))
    for (const LaunchResult& result : run->results) results.push_back(&result);
  return results;
}

void add_input_modified(const Evidence& evidence, unsigned function, Check& check) {
  std::uint64_t launches = 0;
  const LaunchResult* first = nullptr;
  for (const LaunchResult* result : probe_results(evidence, function)) {
    if (result->input_changed == 0) continue;
    if (launches++ == 0) first = result;
  }
  if (first == nullptr) return;
  Finding finding = make_finding(
      "value.input_modified", Severity::error,
      "The input changed: X[" + std::to_string(first->input_first) + "] and " +
          std::to_string(first->input_changed - 1) + " others with N = " + std::to_string(first->n) + ".",
      "X is the caller's: keep what you compute in shared memory or in Y.");
  finding.count = launches;
  check.add(std::move(finding));
}

void add_order_note(const Evidence& evidence, unsigned function, Check& check) {
  std::uint64_t reordered = 0, by_weight = 0;
  for (const LaunchResult* result : probe_results(evidence, function))
    for (const Values& values : result->calls) reordered += values.reordered, by_weight += values.by_weight;
  if (reordered == 0) return;
  check.add(make_finding(
      "value.order", Severity::note,
      std::string("Right for commutative operators only") + (by_weight != 0 ? ", with probability" : "") +
          ": somewhere a later sum stands on the left of an earlier one.",
      "Write earlier + later, as in XY[i - stride] + XY[i]: then it is right for every associative operator."));
}

bool left_some_out(const Evidence& evidence, unsigned function) {
  for (const Run* run : evidence.probe_runs(function))
    for (const LaunchResult& result : run->results)
      if (result.ending == Ending::spared && !run->batch.optional) return true;
  return false;
}

// Whether an atomic or a poll makes the result depend on the schedule.
bool schedule_matters(const Evidence& evidence, unsigned function) {
  const auto results = probe_results(evidence, function);
  return std::any_of(results.begin(), results.end(), [](const LaunchResult* result) {
    return result->counts.atomics != 0 || result->counts.spins != 0;
  });
}

std::vector<std::string> sizes_by_shape(const Evidence& evidence, unsigned function) {
  std::vector<std::string> lines;
  for (const Shape& shape : evidence.lab().shapes) {
    const std::string words = describe(shape);
    std::vector<unsigned> sizes;
    for (const Run* run : evidence.runs_for(function, Purpose::proof))
      for (const LaunchResult& result : run->results)
        if (run->batch.shape == shape && result.ending == Ending::done) sizes.push_back(result.n);
    std::sort(sizes.begin(), sizes.end());
    lines.push_back((words.empty() ? "" : words + ": ") + "N = " + ranges(sizes));
  }
  return lines;
}

void measure_proof(const Evidence& evidence, unsigned function, Check& check) {
  const bool proof = evidence.lab().provable && !schedule_matters(evidence, function) &&
                     !left_some_out(evidence, function);
  check.measure(proof ? "proved" : "tested", sizes_by_shape(evidence, function));
  if (!proof) {
    check.measure("schedules", std::uint64_t{evidence.runs_for(function, Purpose::schedules).size() + 1});
    return;
  }
  check.measure("preconditions",
                std::vector<std::string>{"no data race: held", "no divergent barrier: held",
                                         "no access out of bounds: held",
                                         "no uninitialised value in an output: held",
                                         "no atomics and no spinning: held",
                                         "the element type is opaque: held by the compiler"});
}

// Of the largest shape's first full section.
void measure_counts(const Evidence& evidence, unsigned function, Check& check) {
  const Shape& largest = evidence.lab().shapes.back();
  for (const Run* run : evidence.runs_for(function, Purpose::proof)) {
    if (!(run->batch.shape == largest)) continue;
    for (const LaunchResult& result : run->results) {
      if (result.n != largest.length() || result.ending == Ending::spared) continue;
      check.measure("n", std::uint64_t{result.n});
      check.measure("work", result.counts.additions);
      check.measure("steps", result.counts.depth);
      check.measure("barriers", result.counts.barriers);
    }
  }
}

// Of the first launch that has one, right or wrong: what it drew is what it did.
void add_network(const Evidence& evidence, unsigned function, Check& check) {
  for (const LaunchResult* result : probe_results(evidence, function)) {
    if (result->ending != Ending::done || result->report.network.empty()) continue;
    check.network = result->report.network;
    return;
  }
}

bool lacks_instance(const Evidence& evidence) {
  for (const Run& run : evidence.runs())
    for (const LaunchResult& result : run.results)
      if (result.ending == Ending::no_instance) return true;
  return false;
}

}  // namespace

void right_for_every_size(const Evidence& evidence, unsigned function, Check& check) {
  for (const char* name : {"no races", "no thread waits forever", "memory"})
    check.requirements.push_back(name);
  if (lacks_instance(evidence)) {
    check.verdict = Verdict::error;
    return;
  }
  add_findings(evidence, function, {"run.", "launch.invalid"}, check);
  add_wrong_values(evidence.probe_runs(function), check);
  add_input_modified(evidence, function, check);
  add_order_note(evidence, function, check);
  add_network(evidence, function, check);
  if (check.verdict == Verdict::fail) return;
  if (!evidence.sound(function)) {
    check.verdict = Verdict::skip;
    return;
  }
  measure_proof(evidence, function, check);
  measure_counts(evidence, function, check);
}

namespace {

// Judges runs of numbers, of those functions that the proving type did not find wrong: for them a wrong number
// is news, such as what a race does under another schedule.
void judge_runs(const Evidence& evidence, Purpose purpose, Check& check) {
  std::vector<const Run*> runs;
  std::vector<std::string> judged;
  bool complete = true;
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    check.requirements.push_back(correctness_check(evidence.lab(), function));
    if (!evidence.not_wrong(function)) continue;
    judged.push_back(evidence.lab().functions[function].name);
    for (const Run* run : evidence.runs_for(function, purpose)) {
      if (run->batch.element == Element::probe) continue;
      runs.push_back(run);
      for (const LaunchResult& result : run->results)
        complete = complete && (result.ending == Ending::done || result.ending == Ending::spared);
    }
  }
  add_wrong_values(runs, check);
  if (check.verdict == Verdict::pass && (runs.empty() || !complete)) check.verdict = Verdict::skip;
  if (judged.size() < evidence.lab().functions.size()) check.measure("judged", judged);
}

}  // namespace

void numbers(const Evidence& evidence, Check& check) { judge_runs(evidence, Purpose::numbers, check); }

void schedules(const Evidence& evidence, Check& check) {
  judge_runs(evidence, Purpose::schedules, check);
  std::vector<std::string> names{"in_order"};
  for (const Run* run : evidence.runs_for(0, Purpose::schedules)) names.push_back(run->batch.schedule);
  check.measure("schedules", names);
}

namespace {

// What went wrong in the two calls together, in words; empty where nothing did.
std::string second_problem(const LaunchResult& result) {
  for (const Finding& finding : result.report.findings)
    if (finding.severity == Severity::error) return finding.kind + ": " + finding.message;
  if (result.calls.size() < 2) return result.ending == Ending::not_run ? "" : "it did not come to its end.";
  const Values& second = result.calls[1];
  if (second.unwritten != 0) return std::to_string(second.unwritten) + " elements were not written.";
  if (second.wrong == 0) return {};
  const WrongElement& wrong = second.first_wrong.front();
  return "Y[" + std::to_string(wrong.index) + "] expected " + wrong.expected + ", got " + wrong.got + ".";
}

std::vector<machine::Site> second_sites(const LaunchResult& result) {
  for (const Finding& finding : result.report.findings)
    if (finding.severity == Severity::error) return finding.sites;
  return {};
}

void judge_second(const Run& run, Check& check) {
  const LaunchResult& result = run.results.front();
  const std::string problem = second_problem(result);
  if (problem.empty()) return;
  Finding finding = make_finding(
      "state.not_reset", Severity::error,
      "The first call is right, the second one in a row is not: " + problem,
      "What did the first call leave behind in memory that outlives it? Set it back where the call begins or ends.");
  finding.sites = second_sites(result);
  check.add(std::move(finding));
}

}  // namespace

void second_launch(const Evidence& evidence, Check& check) {
  bool judged = false;
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    check.requirements.push_back(correctness_check(evidence.lab(), function));
    if (!evidence.sound(function)) continue;
    for (const Run* run : evidence.runs_for(function, Purpose::second)) {
      judged = judged || run->results.front().ending != Ending::not_run;
      judge_second(*run, check);
    }
  }
  if (!judged) check.verdict = Verdict::skip;
}

}  // namespace scanlab::harness::judge
