// The cases, on evidence made by hand.
#include <doctest/doctest.h>

#include "harness/cases.hpp"
#include "harness/uninitialized.hpp"

using namespace scanlab::harness;
using scanlab::machine::Finding;
using scanlab::machine::Severity;

namespace {

Lab small_lab() {
  Lab lab;
  lab.name = "small";
  lab.functions = {{"inclusive", false}};
  lab.shapes = lab.number_shapes = {{32}};
  lab.algorithm = scanlab::cost::Algorithm::kogge_stone;
  return lab;
}

// Every launch of the plan, right and at the right cost.
std::vector<Run> perfect_runs(const Lab& lab) {
  std::vector<Run> runs;
  for (Task& task : make_plan(lab, {}))
    for (Run& run : task.runs) {
      for (const unsigned n : run.batch.sizes) {
        LaunchResult result;
        result.n = n;
        result.ending = Ending::done;
        result.calls.resize(run.batch.repeats);
        const std::uint64_t sections = (n + 31) / 32;
        result.counts.additions = result.counts.reaching = sections * (32 * 5 - 31);
        result.counts.depth = 5;
        result.counts.barriers = 10;
        result.counts.launches = 1;
        result.counts.threads = 32;
        run.results.push_back(std::move(result));
      }
      runs.push_back(std::move(run));
    }
  return runs;
}

Finding finding(const std::string& kind, Severity severity) {
  Finding made;
  made.kind = kind;
  made.severity = severity;
  made.sites = {{"a.cu", 4, {}, {}, "read"}};
  return made;
}

void add_to_probes(std::vector<Run>& runs, const Finding& what) {
  for (Run& run : runs)
    if (run.batch.element == Element::probe)
      for (LaunchResult& result : run.results) result.report.findings.push_back(what);
}

template <typename Judge>
Check judged(const Lab& lab, std::vector<Run> runs, Judge judge) {
  const Evidence evidence(lab, std::move(runs), false);
  Check check;
  judge(evidence, check);
  return check;
}

const auto kRight = [](const Evidence& evidence, Check& check) {
  judge::right_for_every_size(evidence, 0, check);
};

}  // namespace

TEST_CASE("a perfect submission passes every case") {
  const Lab lab = small_lab();
  for (const auto judge : {judge::numbers, judge::schedules, judge::races, judge::waits, judge::memory,
                           judge::second_launch, judge::work, judge::steps, judge::barriers, judge::divergence,
                           judge::traffic}) {
    const Check check = judged(lab, perfect_runs(lab), judge);
    CHECK(check.verdict == Verdict::pass);
    CHECK(check.findings.empty());
  }
  const Check right = judged(lab, perfect_runs(lab), kRight);
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.measured.front().first == "proved");
}

TEST_CASE("a race with right outputs fails its own check, and nothing is proved") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  add_to_probes(runs, finding("race.shared", Severity::error));
  CHECK(judged(lab, runs, judge::races).verdict == Verdict::fail);
  CHECK(judged(lab, runs, kRight).verdict == Verdict::skip);
  CHECK(judged(lab, runs, judge::work).verdict == Verdict::skip);
  CHECK(judged(lab, runs, judge::memory).verdict == Verdict::pass);
}

TEST_CASE("wrong values are said once, and bring no follow-up errors") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    for (LaunchResult& result : run.results) {
      result.calls[0].wrong = 1;
      result.calls[0].first_wrong = {{3, "7", "5"}};
      result.counts.additions = 1;
      result.counts.depth = 99;
    }
  const Check right = judged(lab, runs, kRight);
  CHECK(right.verdict == Verdict::fail);
  REQUIRE(right.findings.size() == 1);
  CHECK(right.findings[0].kind == "value.wrong");
  for (const auto judge : {judge::numbers, judge::schedules, judge::second_launch, judge::work, judge::steps,
                           judge::barriers}) {
    const Check check = judged(lab, runs, judge);
    CHECK(check.verdict == Verdict::skip);
    CHECK(check.findings.empty());
  }
}

TEST_CASE("a wrong second call is state that was not reset") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    if (run.purpose == Purpose::second) run.results[0].calls[1].unwritten = 4;
  const Check check = judged(lab, runs, judge::second_launch);
  REQUIRE(check.findings.size() == 1);
  CHECK(check.findings[0].kind == "state.not_reset");
}

TEST_CASE("work of another algorithm is named") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    for (LaunchResult& result : run.results)
      result.counts.additions = result.counts.reaching = (result.n + 31) / 32 * (2 * 32 - 2 - 5);
  const Check check = judged(lab, runs, judge::work);
  REQUIRE(check.findings.size() == 1);
  CHECK(check.findings[0].kind == "work.wrong");
  CHECK(check.findings[0].message.find("Brent-Kung") != std::string::npos);
}

TEST_CASE("additions that no output needs do not make up the count") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    for (LaunchResult& result : run.results) result.counts.reaching = result.n;
  CHECK(judged(lab, runs, judge::work).verdict == Verdict::fail);
}

TEST_CASE("a kernel that does something else for numbers is found by its trace") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    if (run.purpose == Purpose::numbers && run.batch.element == Element::integer)
      for (LaunchResult& result : run.results) result.counts.barriers = 0;
  CHECK(judged(lab, runs, judge::work).verdict == Verdict::fail);
}

TEST_CASE("barriers cost points only where the lab says so") {
  Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    for (LaunchResult& result : run.results) result.counts.barriers = 12;
  CHECK(judged(lab, runs, judge::barriers).findings.at(0).severity == Severity::warning);
  lab.severities.barriers = Severity::error;
  CHECK(judged(lab, runs, judge::barriers).verdict == Verdict::fail);
}

TEST_CASE("nothing is passed that was never run") {
  const Lab lab = small_lab();
  std::vector<Run> runs = perfect_runs(lab);
  for (Run& run : runs)
    for (LaunchResult& result : run.results) result.ending = Ending::not_run, result.calls.clear();
  for (const auto judge : {judge::numbers, judge::schedules, judge::races, judge::waits, judge::memory,
                           judge::second_launch, judge::work, judge::steps, judge::barriers})
    CHECK(judged(lab, runs, judge).verdict == Verdict::skip);
}

TEST_CASE("a read of unwritten memory is an error only where the value reaches an output") {
  LaunchResult result;
  result.ending = Ending::done;
  result.calls.resize(1);
  result.report.findings = {finding("memory.uninitialized", Severity::note)};
  settle_uninitialized(result, false);
  CHECK(result.report.findings[0].severity == Severity::note);
  LaunchResult by_branch = result;
  settle_uninitialized(by_branch, true);
  CHECK(by_branch.report.findings[0].severity == Severity::error);
  result.calls[0].undefined = 1;
  settle_uninitialized(result, false);
  CHECK(result.report.findings[0].severity == Severity::error);
}

TEST_CASE("beside a race, unwritten memory stays a note") {
  LaunchResult result;
  result.ending = Ending::done;
  result.calls.resize(1);
  result.calls[0].undefined = 1;
  result.report.findings = {finding("race.shared", Severity::error), finding("memory.uninitialized", Severity::note)};
  settle_uninitialized(result, true);
  CHECK(result.report.findings[1].severity == Severity::note);
}
