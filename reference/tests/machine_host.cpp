// Launches and their limits, errors, properties, events, printing, records, and that a seed is a
// run.
#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

#include "machine_support.hpp"

using scanlab::test::all_schedules;
using scanlab::test::expect;
using scanlab::test::findings_text;
using scanlab::test::kinds_text;
using scanlab::test::Options;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

const char kFile[] = "host.cu";

// Everything a report says, in one text.
std::string everything(const Outcome& outcome) {
  std::string text = outcome.report.output + "\n";
  for (const auto& f : outcome.report.findings) {
    text += f.kind + "|" + f.message + "|" + f.help + "|" + std::to_string(f.count) + "\n";
    for (const auto& s : f.sites)
      text += s.file + ":" + std::to_string(s.line) + " " + std::to_string(s.block.x) + " " +
              std::to_string(s.thread.x) + "\n";
  }
  for (const auto& l : outcome.report.launches)
    text += l.kernel + " " + std::to_string(l.barriers) + " " + std::to_string(l.shared_accesses) +
            " " + std::to_string(l.global_accesses) + " " + std::to_string(l.atomics) + " " +
            std::to_string(l.spins) + "\n";
  for (const int value : outcome.y) text += std::to_string(value) + " ";
  return text;
}

std::uint64_t result(const char* name) { return run_case(kFile, name).result; }

}  // namespace

TEST_SUITE("host") {
  TEST_CASE("launches that the device would refuse") {
    for (std::uint64_t which = 0; which < 13; ++which) {
      INFO("launch " << which);
      const Outcome outcome = run_case(kFile, "limits", Options{}, which);
      const bool refused = which < 9;
      CHECK(findings_text(kFile, outcome.report) ==
            (refused ? "launch.invalid error: launch launch" : ""));
      CHECK(outcome.result == (refused ? 9000 : 0));
    }
    CHECK(findings_text(kFile, run_case(kFile, "too_much_static").report) ==
          "launch.invalid error: launch static");
    CHECK(kinds_text(run_case(kFile, "kernel_launches").report) == "launch.invalid error");
  }

  TEST_CASE("errors") {
    CHECK(result("error_is_sticky_until_read") == 9090);
    CHECK(result("context_is_lost") == 1);
    CHECK(result("words") == 6);
    CHECK(kinds_text(run_case(kFile, "context_is_lost").report) == "memory.out_of_bounds error");
  }

  TEST_CASE("properties, memory, events") {
    for (const char* name : {"properties", "events"}) {
      INFO(std::string(name));
      CHECK(result(name) == 1);
      CHECK(kinds_text(run_case(kFile, name).report) == "");
    }
    CHECK(result("memory_info") == 1000000);
    CHECK(result("more_dynamic_memory") == 0);
    CHECK(kinds_text(run_case(kFile, "more_dynamic_memory").report) == "");
    CHECK(run_case(kFile, "limits", Options{}, 8).result ==
          9000);  // the next run has to opt in again
  }

  TEST_CASE("printing is part of the report") {
    const Outcome outcome = run_case(kFile, "printing");
    CHECK(outcome.report.output ==
          "before\nthread 1 of block 0: 1.50 text\nthread 1 of block 1: 1.50 text\nafter\n!");
    for (const char* name : {"flood", "host_flood"}) {
      Options options;
      options.output_limit = 10000;
      const Outcome flood = run_case(kFile, name, options);
      CHECK(kinds_text(flood.report) == "run.limit error");
      CHECK(flood.report.findings.size() == 1);
      CHECK(flood.report.output.size() <= 10000);
    }
  }

  TEST_CASE("records of launches") {
    const Outcome outcome = run_case(kFile, "records");
    REQUIRE(outcome.report.launches.size() == 1);
    const auto& record = outcome.report.launches.front();
    CHECK(record.kernel == "recorded");
    CHECK(record.grid.x == 2);
    CHECK(record.block.x == 32);
    CHECK(record.shared_bytes == 64);
    CHECK(record.barriers == 2);
    CHECK(record.shared_accesses == 128);
    CHECK(record.global_accesses == 64);
    CHECK(record.atomics == 64);
    CHECK(record.completed);
    CHECK_FALSE(run_case(kFile, "context_is_lost").report.launches.front().completed);
  }

  TEST_CASE("what was written") {
    const Outcome outcome = run_case(kFile, "records");
    CHECK(outcome.y_written[63]);
    CHECK_FALSE(outcome.y_written[64]);
  }

  TEST_CASE("the same seed is the same run, byte for byte") {
    std::set<std::string> different;
    for (const std::string& schedule : all_schedules(20)) {
      INFO("schedule " << schedule);
      const std::string first = everything(run_case(kFile, "mixed", schedule));
      CHECK(first == everything(run_case(kFile, "mixed", schedule)));
      different.insert(first);
    }
    CHECK(different.size() > 20);
  }

  TEST_CASE("schedules by name") {
    for (const std::string& name : scanlab::machine::schedule_names())
      CHECK(scanlab::machine::named_schedule(name).name == name);
    CHECK(scanlab::machine::named_schedule("12345").seed == 12345);
    CHECK_THROWS_AS(scanlab::machine::named_schedule("sideways"), std::invalid_argument);
    CHECK_THROWS_AS(scanlab::machine::named_schedule("12x"), std::invalid_argument);
    CHECK_THROWS_AS(scanlab::machine::named_schedule(""), std::invalid_argument);
  }

  TEST_CASE("without checkers the machine computes the same") {
    for (const std::string& schedule : all_schedules(4)) {
      Options options;
      options.schedule = scanlab::machine::named_schedule(schedule, 1);
      const Outcome checked = run_case(kFile, "mixed", options);
      options.checks = scanlab::machine::Checks::none();
      const Outcome fast = run_case(kFile, "mixed", options);
      CHECK(fast.report.findings.empty());
      CHECK(fast.report.output == checked.report.output);
      CHECK(fast.y[3000] == checked.y[3000]);
    }
  }

  TEST_CASE("poison differs by seed") {
    Options one, two;
    two.poison_seed = 2;
    CHECK(run_case(kFile, "records", one).y[64] != run_case(kFile, "records", two).y[64]);
  }
}
