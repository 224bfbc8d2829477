// The algorithms as plans: the worked examples that courses trace by hand, invariants, divergence.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "scan/elements.hpp"
#include "scan/plan.hpp"

using namespace scanlab;
using scan::SectionScan;

namespace {

using Numbers = std::vector<int>;
using Pairs = std::vector<std::pair<unsigned, unsigned>>;

const Numbers kSixteen = {2, 1, 3, 1, 0, 4, 1, 2, 0, 3, 1, 2, 1, 4, 2, 4};

Pairs arrows_of(const scan::Step& step) {
  Pairs arrows;
  for (const scan::Addition& add : step.additions) arrows.emplace_back(add.left, add.target);
  return arrows;
}

std::vector<Interval> single_runs(std::size_t n) {
  std::vector<Interval> runs;
  for (std::uint32_t i = 0; i < n; ++i) runs.push_back(make_run<Interval>(i, i));
  return runs;
}

}  // namespace

TEST_SUITE("plans") {
  TEST_CASE("Kogge-Stone of [4 6 7 1 2 8 5 2], every state") {
    const auto states = scan::kogge_stone_steps(Numbers{4, 6, 7, 1, 2, 8, 5, 2});
    REQUIRE(states.size() == 3);
    CHECK(states[0].stride == 1);
    CHECK(states[0].values == Numbers{4, 10, 13, 8, 3, 10, 13, 7});
    CHECK(states[1].stride == 2);
    CHECK(states[1].values == Numbers{4, 10, 17, 18, 16, 18, 16, 17});
    CHECK(states[2].stride == 4);
    CHECK(states[2].values == Numbers{4, 10, 17, 18, 20, 28, 33, 35});
  }

  TEST_CASE("double-buffered goes through the same states, between two halves") {
    const Numbers input = {4, 6, 7, 1, 2, 8, 5, 2};
    const scan::Plan plan = scan::double_buffered_plan(8);
    const auto one = scan::kogge_stone_steps(input);
    const auto two = scan::run_plan_steps(plan, input);
    REQUIRE(two.size() == one.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      const auto first = two[k].values.begin() + (k % 2 == 0 ? 8 : 0);
      CHECK(Numbers(first, first + 8) == one[k].values);
    }
    CHECK(scan::run_plan(plan, input) == one.back().values);
    for (const scan::Step& step : plan.steps)
      CHECK(step.copies.size() + step.additions.size() == 8);  // every thread stores in every step
  }

  TEST_CASE("coarsened, 4 threads of 4, every phase") {
    const auto phases = scan::coarsened_phases(kSixteen, 4);
    REQUIRE(phases.size() == 3);
    CHECK(phases[0].values == Numbers{2, 3, 6, 7, 0, 4, 5, 7, 0, 3, 4, 6, 1, 5, 7, 11});
    Numbers ends;
    for (std::size_t i = 3; i < 16; i += 4) ends.push_back(phases[1].values[i]);
    CHECK(ends == Numbers{7, 14, 20, 31});
    CHECK(phases[2].values == Numbers{2, 3, 6, 7, 7, 11, 12, 14, 14, 17, 18, 20, 21, 25, 27, 31});
    CHECK(scan::coarsened_phases(kSixteen, 4, SectionScan::brent_kung)[2].values ==
          phases[2].values);
  }

  TEST_CASE("Brent-Kung on 16: who adds to whom") {
    const scan::Plan plan = scan::brent_kung_plan(16);
    REQUIRE(plan.steps.size() == 7);
    const std::size_t operations[] = {8, 4, 2, 1, 1, 3, 7};
    for (std::size_t k = 0; k < 7; ++k) CHECK(plan.steps[k].additions.size() == operations[k]);
    CHECK(plan.steps[4].stride == 4);
    CHECK(arrows_of(plan.steps[4]) == Pairs{{7, 11}});
    CHECK(plan.steps[5].stride == 2);
    CHECK(arrows_of(plan.steps[5]) == Pairs{{3, 5}, {7, 9}, {11, 13}});
    CHECK(plan.steps[6].stride == 1);
    CHECK(arrows_of(plan.steps[6]) ==
          Pairs{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}, {13, 14}});
  }

  TEST_CASE("Brent-Kung on 16: after the tree, and at the end") {
    const auto states = scan::brent_kung_steps(kSixteen);
    CHECK(states[3].values == Numbers{2, 3, 3, 7, 0, 4, 1, 14, 0, 3, 1, 6, 1, 5, 2, 31});
    CHECK(states[6].values == Numbers{2, 3, 6, 7, 7, 11, 12, 14, 14, 17, 18, 20, 21, 25, 27, 31});
  }

  TEST_CASE("invariant: after k steps element i holds itself and its left neighbours, 2^k in all") {
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{2}, std::size_t{16}, std::size_t{100}, std::size_t{1024}}) {
      const auto states = scan::kogge_stone_steps(single_runs(n));
      for (std::size_t k = 1; k <= states.size(); ++k)
        for (std::uint32_t i = 0; i < n; ++i) {
          const std::uint32_t reach = std::uint32_t{1} << k;
          const std::uint32_t first = i + 1 > reach ? i + 1 - reach : 0;
          REQUIRE(states[k - 1].values[i] == make_run<Interval>(first, i));
        }
    }
  }

  TEST_CASE("Kogge-Stone diverges only in warp 0 and only at strides 1, 2, 4, 8, 16") {
    for (std::size_t n = 32; n <= 1024; n *= 2)
      for (const scan::Step& step : scan::kogge_stone_plan(n).steps) {
        CAPTURE(n);
        CAPTURE(step.stride);
        const std::vector<std::uint32_t> only_the_first = {0};
        CHECK(scan::divergent_warps(step) ==
              (step.stride < 32 ? only_the_first : std::vector<std::uint32_t>{}));
      }
  }

  TEST_CASE("Brent-Kung's consecutive threads: at most one warp diverges in a step") {
    for (std::size_t n = 64; n <= 2048; n *= 2)
      for (const scan::Step& step : scan::brent_kung_plan(n).steps) {
        const std::size_t active = scan::active_threads(step);
        CHECK(active == (step.phase == "tree" ? n / (2 * step.stride) : n / (2 * step.stride) - 1));
        CHECK(scan::active_warps(step) == (active + 31) / 32);
        CHECK(scan::divergent_warps(step).size() == (active % 32 == 0 ? 0 : 1));
        for (const scan::Addition& add : step.additions) CHECK(add.thread < active);
      }
  }

  TEST_CASE("Brent-Kung by the 2^n index: every active warp diverges in every step") {
    for (std::size_t n = 64; n <= 2048; n *= 2)
      for (const scan::Step& step : scan::brent_kung_scattered_plan(n).steps) {
        CHECK(scan::divergent_warps(step).size() == scan::active_warps(step));
        if (step.phase == "tree" && step.stride < 32)
          CHECK(scan::active_warps(step) == (n + 31) / 32);
      }
  }

  TEST_CASE("hierarchical: block sums of block sums") {
    const scan::Plan plan = scan::hierarchical_plan(20, 4, SectionScan::kogge_stone);
    const auto states = scan::run_plan_steps(plan, Numbers(20, 1));
    CHECK(plan.cells == 20 + 8 + 4);
    const Numbers& end = states.back().values;
    for (int i = 0; i < 20; ++i) CHECK(end[static_cast<std::size_t>(i)] == i + 1);
    CHECK(Numbers(end.begin() + 20, end.begin() + 25) == Numbers{4, 8, 12, 16, 20});
    CHECK(Numbers(end.begin() + 28, end.begin() + 30) == Numbers{16, 20});
  }

  TEST_CASE("domino: the carry goes through every section but the last") {
    const scan::Plan plan = scan::domino_plan(16, 4, SectionScan::kogge_stone);
    const auto states = scan::run_plan_steps(plan, kSixteen);
    const Numbers& end = states.back().values;
    CHECK(Numbers(end.begin() + 16, end.begin() + 19) == Numbers{7, 14, 20});
    CHECK(Numbers(end.begin(), end.begin() + 16) ==
          scan::run_plan(scan::kogge_stone_plan(16), kSixteen));
  }

  TEST_CASE("the states of a plan start with the input") {
    const auto states = scan::run_plan_states(scan::brent_kung_plan(4), Numbers{1, 2, 3, 4});
    REQUIRE(states.size() == 4);
    CHECK(states[0] == Numbers{1, 2, 3, 4});
    CHECK(states[1] == Numbers{1, 3, 3, 7});
    CHECK(states[2] == Numbers{1, 3, 3, 10});
    CHECK(states[3] == Numbers{1, 3, 6, 10});
  }
}
