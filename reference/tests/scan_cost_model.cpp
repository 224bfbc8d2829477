// Every closed form against the counting oracle, and the figures that courses quote.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scan/cost_model.hpp"

using namespace scanlab;
using cost::Algorithm;
using cost::Shape;
using scan::SectionScan;

namespace {

constexpr SectionScan kKinds[] = {SectionScan::kogge_stone, SectionScan::brent_kung};

void check_against_oracle(Algorithm algorithm, const Shape& shape) {
  CAPTURE(cost::name_of(algorithm));
  CAPTURE(shape.elements);
  CAPTURE(shape.section);
  CAPTURE(shape.threads);
  const cost::Counts counts = cost::count_by_running(cost::plan_of(algorithm, shape));
  CHECK(counts.right);
  CHECK(counts.work == cost::work(algorithm, shape).exact);
  CHECK(counts.steps == cost::steps(algorithm, shape).exact);
  CHECK(counts.work <= cost::work_ceiling(algorithm, shape));
  CHECK(counts.steps <= cost::steps_ceiling(algorithm, shape));
}

// The time on P units, taken from the whole plan and not from one section of it.
cost::UnitSteps unit_steps_of_plan(const scan::Plan& plan, std::uint64_t units) {
  cost::UnitSteps sum;
  for (const scan::Step& step : plan.steps) {
    sum.by_threads += (scan::active_threads(step) + units - 1) / units;
    sum.by_warps += (scan::active_warps(step) * 32 + units - 1) / units;
  }
  return sum;
}

double figure_textbook(const std::string& id) {
  for (const cost::Figure& figure : cost::figures())
    if (figure.id == id) return figure.textbook;
  FAIL("no figure ", id);
  return 0;
}

double figure_exact(const std::string& id) {
  for (const cost::Figure& figure : cost::figures())
    if (figure.id == id) return figure.exact;
  FAIL("no figure ", id);
  return 0;
}

}  // namespace

TEST_SUITE("cost model") {
  TEST_CASE("closed forms agree with the oracle for every power of two") {
    for (std::uint64_t n = 1; n <= 4096; n *= 2)
      for (const Algorithm algorithm : {Algorithm::sequential, Algorithm::kogge_stone,
                                        Algorithm::double_buffered, Algorithm::brent_kung})
        check_against_oracle(algorithm, Shape::whole(n));
    for (std::uint64_t n = 1; n <= 1024; n *= 2)
      check_against_oracle(Algorithm::naive, Shape::whole(n));
  }

  TEST_CASE("Kogge-Stone, naive and sequential also for sizes that are no power of two") {
    for (std::uint64_t n = 1; n <= 100; ++n)
      for (const Algorithm algorithm : {Algorithm::sequential, Algorithm::naive,
                                        Algorithm::kogge_stone, Algorithm::double_buffered})
        check_against_oracle(algorithm, Shape::whole(n));
  }

  TEST_CASE("coarsened agrees for every number of threads and factor") {
    for (std::uint64_t threads = 2; threads <= 1024; threads *= 2)
      for (std::uint64_t factor = 1; factor <= 16 && threads * factor <= 4096; factor *= 2)
        for (const SectionScan phase_2 : kKinds)
          check_against_oracle(Algorithm::coarsened, Shape::coarsened(threads, factor, phase_2));
  }

  TEST_CASE("hierarchical and domino agree for any N") {
    for (const std::uint64_t section : {2U, 4U, 8U})
      for (std::uint64_t n = 1; n <= 130; ++n)
        for (const SectionScan kind : kKinds) {
          check_against_oracle(Algorithm::hierarchical, Shape::driver(n, section, kind));
          check_against_oracle(Algorithm::domino, Shape::driver(n, section, kind));
        }
  }

  TEST_CASE("hierarchical and domino agree for the labs' sections and sizes") {
    for (const std::uint64_t s : {64U, 256U, 1024U})
      for (const std::uint64_t n :
           {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{31}, std::uint64_t{32},
            std::uint64_t{33}, s - 1, s, s + 1, 2 * s + 1, 3 * s + 7, 5 * s})
        for (const SectionScan kind : kKinds) {
          check_against_oracle(Algorithm::hierarchical, Shape::driver(n, s, kind));
          check_against_oracle(Algorithm::domino, Shape::driver(n, s, kind));
        }
    check_against_oracle(Algorithm::hierarchical,
                         Shape::driver(64 * 64 * 2 + 5, 64, SectionScan::brent_kung));
    check_against_oracle(Algorithm::hierarchical,
                         Shape::driver(64 * 65, 64, SectionScan::kogge_stone));
  }

  TEST_CASE("steps on units come out the same from one section as from the whole plan") {
    for (const std::uint64_t units : {1U, 32U, 64U, 128U})
      for (const std::uint64_t n : {1U, 64U, 65U, 200U, 5000U})
        for (const SectionScan kind : kKinds)
          for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::domino}) {
            const Shape shape = Shape::driver(n, 64, kind);
            const auto model = cost::unit_steps(algorithm, shape, units);
            const auto plan = unit_steps_of_plan(cost::plan_of(algorithm, shape), units);
            CHECK(model.by_threads == plan.by_threads);
            // The carries' threads are numbered from the second section on, in warps of their own.
            CHECK(model.by_warps == plan.by_warps);
          }
    for (const std::uint64_t n : {1U, 2U, 40U, 100U, 256U}) {
      const auto model = cost::unit_steps(Algorithm::naive, Shape::whole(n), 32);
      const auto plan = unit_steps_of_plan(scan::naive_plan(n), 32);
      CHECK(model.by_threads == plan.by_threads);
      CHECK(model.by_warps == plan.by_warps);
    }
  }

  TEST_CASE("the textbook's figures") {
    CHECK(figure_textbook("sequential.work.512") == 511);
    CHECK(figure_textbook("naive.work.1024") == 523776);
    CHECK(figure_textbook("kogge_stone.work.512") == 4097);
    CHECK(figure_textbook("kogge_stone.work.1024") == 9217);
    CHECK(figure_textbook("brent_kung.work.1024") == 2036);
    CHECK(figure_textbook("coarsened.work.1024") == 960 + 384 + 960);
    CHECK(figure_textbook("kogge_stone.unit_steps.1024.32") == 320);
    CHECK(figure_textbook("brent_kung.unit_steps.1024.32") == doctest::Approx(73.6).epsilon(0.001));
    CHECK(figure_textbook("coarsened.unit_steps.1024.32") == 72);
    CHECK(figure_textbook("kogge_stone.speed_up.1024.32") == doctest::Approx(3.2));
    CHECK(figure_textbook("brent_kung.speed_up.1024.32") == doctest::Approx(14).epsilon(0.01));
    CHECK(4097.0 / 511.0 == doctest::Approx(8).epsilon(0.01));
  }

  TEST_CASE("the exact figures beside them") {
    CHECK(figure_exact("kogge_stone.work.512") == 4097);
    CHECK(figure_exact("brent_kung.work.1024") == 1023 + 1013);
    CHECK(figure_exact("coarsened.work.1024") == 960 + (64 * 6 - 63) + 63 * 15);
    CHECK(figure_exact("kogge_stone.unit_steps.1024.32") == 289);
    CHECK(figure_exact("brent_kung.unit_steps.1024.32") == 71);
    CHECK(figure_exact("coarsened.unit_steps.1024.32") == 71);
    CHECK(figure_exact("kogge_stone.speed_up.1024.32") == doctest::Approx(1023.0 / 289.0));
  }

  TEST_CASE("the scattered Brent-Kung takes five times as long by warps, the same by threads") {
    const auto together = unit_steps_of_plan(scan::brent_kung_plan(1024), 32);
    const auto scattered = unit_steps_of_plan(scan::brent_kung_scattered_plan(1024), 32);
    CHECK(together.by_warps == 71);
    CHECK(scattered.by_threads == together.by_threads);
    CHECK(scattered.by_warps == 376);
  }

  TEST_CASE("Brent-Kung's two trees") {
    CHECK(cost::brent_kung_tree_work(16) == 8 + 4 + 2 + 1);
    CHECK(cost::brent_kung_reverse_tree_work(16) == 1 + 3 + 7);
    CHECK(cost::steps(Algorithm::brent_kung, Shape::whole(16)).textbook == 7);
    CHECK(cost::steps(Algorithm::brent_kung, Shape::whole(16)).exact == 6);
  }

  TEST_CASE("ceilings and limits as the labs state them") {
    CHECK(cost::barriers_allowed(Algorithm::kogge_stone, Shape::whole(1024)) == 21);
    CHECK(cost::barriers_allowed(Algorithm::double_buffered, Shape::whole(1024)) == 11);
    CHECK(cost::barriers_allowed(Algorithm::brent_kung, Shape::whole(2048)) == 23);
    const Shape coarse = Shape::coarsened(256, 8, SectionScan::kogge_stone);
    CHECK(cost::barriers_allowed(Algorithm::coarsened, coarse) == 20);
    CHECK(cost::work_ceiling(Algorithm::coarsened, coarse) == 2 * (2048 - 256) + 256 * 8);
    CHECK(cost::steps_ceiling(Algorithm::coarsened, coarse) == 8 + 16);
    CHECK_FALSE(cost::barriers_allowed(Algorithm::domino, Shape::driver(9, 64, {})).has_value());
    CHECK(cost::steps_ceiling(Algorithm::brent_kung, Shape::whole(64)) == 11);
  }

  TEST_CASE("ceilings of the drivers") {
    const Shape shape = Shape::driver(3 * 64 + 7, 64, SectionScan::kogge_stone);
    CHECK(cost::work_ceiling(Algorithm::domino, shape) == 4 * 64 * 6 + 4 * 64 + 4);
    CHECK(cost::steps_ceiling(Algorithm::domino, shape) == 4 + 12 + 2);
    CHECK(cost::work_ceiling(Algorithm::hierarchical, shape) == 4 * 64 * 6 + 199 + 64 * 6 + 4);
    CHECK(cost::steps_ceiling(Algorithm::hierarchical, shape) == 2 * 18);
    const Shape one = Shape::driver(5, 64, SectionScan::kogge_stone);
    CHECK(cost::work_ceiling(Algorithm::hierarchical, one) == 64 * 6 + 5 + 64 * 6 + 1);
    CHECK(cost::steps_ceiling(Algorithm::hierarchical, one) == 18);
    for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::domino})
      CHECK(cost::work_ceiling(algorithm, Shape::driver(0, 64, {})) == 0);
  }

  TEST_CASE("levels of the hierarchical scan") {
    CHECK(cost::hierarchical_levels(0, 64).empty());
    CHECK(cost::hierarchical_levels(64, 64).size() == 1);
    CHECK(cost::hierarchical_levels(65, 64).size() == 2);
    CHECK(cost::hierarchical_levels(64 * 64, 64).size() == 2);
    const auto levels = cost::hierarchical_levels(64 * 64 + 1, 64);
    REQUIRE(levels.size() == 3);
    CHECK(levels[1].elements == 65);
    CHECK(levels[1].sections == 2);
    CHECK(levels[2].sections == 1);
    const auto most = cost::hierarchical_levels(0xFFFFFFFFU, 64);
    CHECK(most.size() == 6);
    CHECK(most[0].sections == (std::uint64_t{1} << 26));
  }

  TEST_CASE("one pass reads and writes half of what three kernels do") {
    const Shape shape = Shape::driver(1U << 20, 1024, SectionScan::kogge_stone);
    const auto three = cost::traffic(Algorithm::hierarchical, shape);
    const auto one = cost::traffic(Algorithm::domino, shape);
    CHECK(three.textbook == 2 * one.textbook);
    CHECK(static_cast<double>(three.exact) / static_cast<double>(one.exact) ==
          doctest::Approx(2.0).epsilon(0.01));
  }

  TEST_CASE("counts are recognised for every section size of the labs") {
    for (std::uint64_t n = 32; n <= 4096; n *= 2) {
      CAPTURE(n);
      CHECK(cost::recognise_work(cost::kogge_stone_work(n), n) == "Kogge-Stone's count");
      CHECK(cost::recognise_work(cost::brent_kung_work(n), n) == "Brent-Kung's count");
      CHECK(cost::recognise_work(cost::naive_work(n), n) == "the naive N(N-1)/2");
      CHECK(cost::recognise_work(n - 1, n).rfind("the sequential scan's N-1", 0) == 0);
      CHECK(cost::recognise_work(cost::unguarded_work(n), n) ==
            "Hillis-Steele's count without a guard, N log2 N");
      CHECK(cost::recognise_work(cost::kogge_stone_work(n) - n / 2, n) ==
            "Kogge-Stone's count without its last step");
      CHECK(cost::recognise_work(cost::kogge_stone_work(n) + 1, n).empty());
    }
  }

  TEST_CASE("counts of the coarsened scan are named by phase 2") {
    for (std::uint64_t t = 32; t <= 1024; t *= 2)
      for (std::uint64_t c = 2; c <= 16 && t * c <= 4096; c *= 2) {
        const auto count = [&](SectionScan kind) {
          return cost::work(Algorithm::coarsened, Shape::coarsened(t, c, kind)).exact;
        };
        CHECK(cost::recognise_work(count(SectionScan::kogge_stone), t * c, t, c) ==
              "three phases with Kogge-Stone in phase 2");
        CHECK(cost::recognise_work(count(SectionScan::brent_kung), t * c, t, c) ==
              "three phases with Brent-Kung in phase 2");
      }
    CHECK(cost::recognise_work(960 + 63 + 945, 1024, 64, 16) ==
          "three phases with a sequential scan in phase 2");
    CHECK(cost::recognise_work(9217, 1024, 64, 16) == "Kogge-Stone's count");
  }

  TEST_CASE("the bound for floats") {
    CHECK(cost::float_gamma(0) == 0);
    CHECK(cost::float_gamma(1) == doctest::Approx(0x1p-24));
    CHECK(cost::float_gamma(1023) > 1023 * 0x1p-24);
    CHECK(cost::float_bound(10, 100.0) == doctest::Approx(1000 * 0x1p-24));
  }
}
