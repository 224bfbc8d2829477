// The warp view: sectors and bank conflicts of patterns that one can count by hand.
#include <doctest/doctest.h>

#include "machine_support.hpp"

using scanlab::machine::LineTraffic;
using scanlab::test::all_schedules;
using scanlab::test::Options;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

Outcome run(const char* name, const std::string& schedule) {
  Options options;
  options.schedule = scanlab::machine::named_schedule(schedule, 1);
  options.checks.efficiency = true;
  return run_case("traffic.cu", name, options);
}

// The one line of that kind which is not a plain copy of 32 words to Y.
LineTraffic traffic(const Outcome& outcome, bool global, bool store) {
  for (const LineTraffic& line : outcome.report.launches.front().traffic)
    if (line.global == global && line.store == store) return line;
  return {};
}

void check_load(const char* name, std::uint64_t lanes, std::uint64_t sectors, std::uint64_t ideal) {
  for (const std::string& schedule : all_schedules(4)) {
    INFO(std::string(name) << " under " << schedule);
    const LineTraffic line = traffic(run(name, schedule), true, false);
    CHECK(line.requests == 1);
    CHECK(line.active_lanes == lanes);
    CHECK(line.sectors == sectors);
    CHECK(line.ideal_sectors == ideal);
  }
}

void check_conflicts(const char* name, bool store, unsigned degree) {
  for (const std::string& schedule : all_schedules(4)) {
    INFO(std::string(name) << " under " << schedule);
    CHECK(traffic(run(name, schedule), false, store).worst_conflict == degree);
  }
}

}  // namespace

TEST_SUITE("traffic") {
  TEST_CASE("sectors of global loads") {
    check_load("straight", 32, 4, 4);
    check_load("strided", 32, 32, 4);
    check_load("same_word", 32, 1, 1);
    check_load("half_a_warp", 16, 2, 2);
  }

  TEST_CASE("bank conflicts") {
    check_conflicts("banks1", true, 1);
    check_conflicts("banks2", true, 2);
    check_conflicts("banks32", true, 32);
    check_conflicts("banks33", true, 1);
    check_conflicts("broadcast", false, 1);
  }
}
