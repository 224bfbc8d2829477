// Findings on their way into a result file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "harness/check.hpp"
#include "harness/finding_json.hpp"

using namespace scanlab::harness;
using scanlab::machine::Finding;
using scanlab::machine::Severity;

namespace {

Finding finding(const std::string& kind, unsigned line, Severity severity = Severity::error) {
  Finding made;
  made.kind = kind;
  made.severity = severity;
  made.message = kind + " at " + std::to_string(line);
  made.sites = {{"a.cu", line, {1, 0, 0}, {33, 0, 0}, "read"}};
  return made;
}

}  // namespace

TEST_CASE("a report survives the way through shared memory") {
  scanlab::machine::Report report;
  report.findings = {finding("race.shared", 21), finding("memory.leak", 3, Severity::warning)};
  report.launches.resize(1);
  report.launches[0].traffic.push_back({"a.cu", 7, true, false, 10, 320, 40, 40, 1});
  report.output = "hello";
  const ReportText read = text_to_report(report_to_text(report));
  REQUIRE(read.findings.size() == 2);
  CHECK(read.findings[0].kind == "race.shared");
  CHECK(read.findings[0].sites == report.findings[0].sites);
  CHECK(read.findings[1].severity == Severity::warning);
  REQUIRE(read.traffic.size() == 1);
  CHECK(read.traffic[0].sectors == 40);
  CHECK(read.output == "hello");
}

TEST_CASE("whatever a hostile worker writes is read without harm") {
  for (const char* text : {"", "{", "[]", "null", "{\"findings\": 3}", "{\"findings\": [1, {}]}",
                           "{\"findings\": [{\"kind\": 7, \"sites\": [{\"line\": -1}], \"count\": 1e99}]}"})
    CHECK_NOTHROW(text_to_report(text));
  CHECK(text_to_report("{\"findings\": [{}]}").findings.at(0).count == 1);
}

TEST_CASE("findings of one kind at the same lines become one") {
  FindingMerger merger;
  for (int i = 0; i < 3; ++i) merger.add(finding("race.shared", 21));
  merger.add(finding("race.shared", 22));
  const auto merged = merger.take();
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].count == 3);
}

TEST_CASE("at most five of a kind are kept, the gravest first") {
  FindingMerger merger;
  for (unsigned line = 1; line <= 9; ++line) merger.add(finding("memory.uninitialized", line, Severity::note));
  merger.add(finding("memory.uninitialized", 10));
  const auto merged = merger.take();
  REQUIRE(merged.size() == FindingMerger::kMostOfAKind);
  CHECK(merged[0].severity == Severity::error);
}

TEST_CASE("warnings and notes do not fail a check") {
  Check check;
  check.add(finding("traffic.bank_conflict", 1, Severity::warning));
  check.add(finding("value.order", 1, Severity::note));
  CHECK(check.verdict == Verdict::pass);
  check.add(finding("value.wrong", 1));
  CHECK(check.verdict == Verdict::fail);
}

TEST_CASE("a result file has every field of the contract") {
  Check check;
  check.name = "work";
  check.add(finding("work.wrong", 4));
  check.expected = std::uint64_t{9};
  check.measure("work", std::uint64_t{10});
  const auto result = nlohmann::json::parse(to_json({"kogge_stone", "k.cu", "ab", "bubblewrap", 7}, {check}, nullptr));
  for (const char* field : {"schema", "lab", "file", "sha256", "backend", "seed", "sandbox", "score", "max_score",
                            "checks", "error"})
    CHECK(result.contains(field));
  CHECK(result["schema"] == "scanlab/result/v1");
  const auto& made = result["checks"][0];
  for (const char* field : {"name", "verdict", "points", "max_points", "requires", "findings", "expected", "actual",
                            "measured"})
    CHECK(made.contains(field));
  CHECK(made["verdict"] == "fail");
  CHECK(made["actual"].is_null());
  CHECK(made["findings"][0]["sites"][0]["thread"] == nlohmann::json::array({33, 0, 0}));
}

TEST_CASE("a failure of the harness itself is an error, without checks") {
  const GraderError error{"harness", "no worker"};
  const auto result = nlohmann::json::parse(to_json({}, {}, &error));
  CHECK(result["error"]["message"] == "no worker");
  CHECK(result["checks"].empty());
}

TEST_CASE("a note becomes an error when its value reached an output") {
  Finding note = finding("memory.uninitialized", 3, Severity::note);
  note.message = "thread 0 reads a[1]. Whether that matters depends on where the value goes.";
  mark_reached(note);
  CHECK(note.severity == Severity::error);
  CHECK(note.message == "thread 0 reads a[1]. The value reached an output.");
}
