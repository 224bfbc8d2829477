// What is launched, and what it may cost.
#include <doctest/doctest.h>

#include <algorithm>

#include "harness/cases/common.hpp"
#include "harness/costs.hpp"
#include "harness/plan.hpp"

using namespace scanlab::harness;
using scanlab::cost::Algorithm;

namespace {

Lab lab_of(Algorithm algorithm, Launched launched, std::vector<Shape> shapes) {
  Lab lab;
  lab.name = "test";
  lab.launched = launched;
  lab.functions = {{"inclusive", false}, {"exclusive", true}};
  lab.shapes = shapes;
  lab.number_shapes = {shapes.front(), shapes.back()};
  lab.algorithm = algorithm;
  return lab;
}

const Lab kKoggeStone = lab_of(Algorithm::kogge_stone, Launched::by_harness, {{32}, {64}, {1024}});
const Lab kDomino = lab_of(Algorithm::domino, Launched::by_driver, {{64}, {256}});

bool contains(const std::vector<unsigned>& sizes, unsigned n) {
  return std::find(sizes.begin(), sizes.end(), n) != sizes.end();
}

}  // namespace

TEST_CASE("the sizes of DESIGN section 5 are among those that are proved") {
  for (const unsigned section : {32U, 64U, 256U, 1024U}) {
    const auto sizes = proof_sizes(kKoggeStone, {section}, false);
    for (const unsigned n : {1U, 2U, 31U, 32U, 33U, section - 1, section + 1, 2 * section + 1, 3 * section + 7,
                             3 * section, 5 * section})
      CHECK_MESSAGE(contains(sizes, n), "S = " << section << ", N = " << n);
    CHECK_FALSE(contains(sizes, 0));
  }
  CHECK(proof_sizes(kKoggeStone, {32}, false).back() > 32 * 32);
  CHECK(contains(proof_sizes(kDomino, {64}, false), 0));
}

TEST_CASE("every N is proved for a section that holds it, and for all of them when thorough") {
  for (const unsigned section : {32U, 64U, 128U, 256U, 512U, 1024U}) {
    const auto sizes = proof_sizes(kKoggeStone, {section}, false);
    const auto all = proof_sizes(kKoggeStone, {section}, true);
    const auto more = more_proof_sizes(kKoggeStone, {section});
    for (unsigned n = 1; n <= section; ++n) {
      CHECK_FALSE((contains(sizes, n) && contains(more, n)));
      if (section <= 512 || n > 512) CHECK((contains(sizes, n) || contains(more, n)));
    }
    for (unsigned n = 1; n <= 1024; ++n) CHECK(contains(all, n));
  }
}

TEST_CASE("a plan is the same every time and loses nothing when it is spread") {
  const auto plan = make_plan(kKoggeStone, {});
  const auto lanes = spread(plan, 2);
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].size() + lanes[1].size() == plan.size());
  for (const auto& lane : lanes)
    CHECK(std::is_sorted(lane.begin(), lane.end(), [](const Task& a, const Task& b) { return a.place < b.place; }));
  const auto again = spread(make_plan(kKoggeStone, {}), 2);
  for (std::size_t i = 0; i < lanes[0].size(); ++i) CHECK(lanes[0][i].place == again[0][i].place);
}

TEST_CASE("numbers come after the proving type, the second call in a fresh process") {
  for (const Task& task : make_plan(kKoggeStone, {})) {
    if (task.runs.front().purpose == Purpose::numbers) CHECK(task.runs.front().batch.element == Element::probe);
    if (task.runs.front().purpose != Purpose::second) continue;
    CHECK(task.runs.front().batch.fresh_worker);
    CHECK(task.runs.front().batch.repeats == 2);
  }
}

TEST_CASE("work: exact for full sections, a ceiling for drivers") {
  const auto rule = work_rule(kKoggeStone, 0, {1024}, 1024);
  REQUIRE(rule);
  CHECK(rule->accepts(9217));
  CHECK_FALSE(rule->accepts(9216));
  CHECK(work_rule(kKoggeStone, 0, {1024}, 3072)->accepts(3 * 9217));
  CHECK_FALSE(work_rule(kKoggeStone, 0, {1024}, 1000));
  CHECK(work_rule(kKoggeStone, 1, {1024}, 1024)->accepts(9217 - 10));
  const auto ceiling = work_rule(kDomino, 0, {64}, 129);
  REQUIRE(ceiling);
  CHECK(ceiling->accepts(3 * 64 * 6 + 3 * 64 + 3));
  CHECK_FALSE(ceiling->accepts(3 * 64 * 6 + 3 * 64 + 4));
}

TEST_CASE("steps and barriers are the contract's") {
  CHECK(most_steps(kKoggeStone, 0, {1024}, 1024) == 10);
  CHECK(most_barriers(kKoggeStone, {1024}) == 21);
  CHECK(most_steps(kDomino, 0, {64}, 129) == 3 + 12 + 2);
  CHECK_FALSE(most_barriers(kDomino, {64}));
}

TEST_CASE("numbers are told as ranges") {
  CHECK(judge::ranges({1, 2, 3, 4, 9, 10, 12}) == "1..4, 9, 10, 12");
  CHECK(judge::ranges({}) == "");
}
