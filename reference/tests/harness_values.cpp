// Right or wrong, element by element.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "harness/input.hpp"
#include "harness/values.hpp"
#include "scan/probe.hpp"

using namespace scanlab::harness;

namespace {

constexpr Extent kWhole{0, 0};
constexpr Extent kSections{4, 0};
constexpr Extent kExclusive{4, 1};

ProbeRecord interval(std::uint32_t lo, std::uint32_t hi, bool strict = true) {
  return {lo, hi, 0, static_cast<std::uint8_t>(scanlab::probe::Class::interval), strict, 1, 1};
}
ProbeRecord of_class(scanlab::probe::Class cls, bool weight = false) {
  return {0, 0, 0, static_cast<std::uint8_t>(cls), 0, weight, 1};
}

Values judge_ints(const std::vector<std::int32_t>& input, const std::vector<std::int32_t>& output,
                  Extent extent, const std::vector<unsigned char>& written = {}) {
  return judge_integers({input, output, written}, extent);
}

}  // namespace

TEST_CASE("whole numbers: sections, exclusive, wrap around") {
  const std::vector<std::int32_t> x{3, 1, 7, 0, 4, 1, 6, 3};
  CHECK(judge_ints(x, {3, 4, 11, 11, 15, 16, 22, 25}, kWhole).right());
  CHECK(judge_ints(x, {3, 4, 11, 11, 4, 5, 11, 14}, kSections).right());
  CHECK(judge_ints(x, {0, 3, 4, 11, 0, 4, 5, 11}, kExclusive).right());
  CHECK_FALSE(judge_ints(x, {3, 4, 11, 11, 15, 16, 22, 26}, kWhole).right());
  CHECK(judge_ints({2147483647, 1}, {2147483647, -2147483647 - 1}, kWhole).right());
}

TEST_CASE("wrong elements are listed up to five and counted in all") {
  const std::vector<std::int32_t> x(8, 1), y(8, 0);
  const Values values = judge_ints(x, y, kWhole);
  CHECK(values.wrong == 8);
  REQUIRE(values.first_wrong.size() == 5);
  CHECK(values.first_wrong[1].index == 1);
  CHECK(values.first_wrong[1].expected == "2");
  CHECK(values.first_wrong[1].got == "0");
}

TEST_CASE("what was never written is not called wrong too") {
  const Values values = judge_ints({1, 1, 1}, {1, 77, 3}, kWhole, {1, 0, 1});
  CHECK(values.wrong == 0);
  CHECK(values.unwritten == 1);
  CHECK(values.first_unwritten == std::vector<std::uint32_t>{1});
  CHECK_FALSE(values.right());
}

TEST_CASE("floats: the bound grows with the chain and with the sizes, not with the error") {
  const std::vector<float> x{1.0F, 1e-8F, 1.0F};
  const double unit = 0x1p-24;
  const float exact = 2.0F, off_by_one = 2.0F + 0x1p-22F;
  CHECK(judge_reals({x, std::vector<float>{1.0F, 1.0F, exact}, {}}, kWhole, 2).right());
  CHECK_FALSE(judge_reals({x, std::vector<float>{1.0F, 1.0F, exact * (1 + 4e-7F)}, {}}, kWhole, 2).right());
  CHECK(judge_reals({x, std::vector<float>{1.0F, 1.0F, off_by_one}, {}}, kWhole, 4).right());
  CHECK_FALSE(judge_reals({x, std::vector<float>{1.0F, 1.0F, std::nanf("")}, {}}, kWhole, 100).right());
  CHECK(unit > 0);
}

TEST_CASE("the proving type: intervals, order, weights, undefined values") {
  CHECK(judge_probe(std::vector{interval(0, 0), interval(0, 1), interval(0, 2)}, kWhole).right());
  const Values reordered = judge_probe(std::vector{interval(0, 0), interval(0, 1, false)}, kWhole);
  CHECK(reordered.right());
  CHECK(reordered.reordered == 1);
  const Values weighed = judge_probe(std::vector{of_class(scanlab::probe::Class::top, true)}, kWhole);
  CHECK(weighed.right());
  CHECK(weighed.by_weight == 1);
  CHECK(judge_probe(std::vector{of_class(scanlab::probe::Class::top)}, kWhole).wrong == 1);
  CHECK(judge_probe(std::vector{of_class(scanlab::probe::Class::undefined)}, kWhole).undefined == 1);
  CHECK(judge_probe(std::vector{of_class(scanlab::probe::Class::identity), interval(0, 0)}, kExclusive).right());
  CHECK(judge_probe(std::vector{of_class(scanlab::probe::Class::identity)}, kWhole).wrong == 1);
}

TEST_CASE("the words for a wrong sum name its inputs") {
  const Values values = judge_probe(std::vector{interval(0, 0), interval(1, 1), interval(1, 2)}, kWhole);
  REQUIRE(values.first_wrong.size() == 2);
  CHECK(values.first_wrong[0].expected == "X[0]+X[1]");
  CHECK(values.first_wrong[0].got == "X[1]");
  CHECK(values.first_wrong[1].expected == "X[0]+...+X[2]");
}

TEST_CASE("inputs are coded by position, and not whole where they are real") {
  unsigned equal = 0, whole = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    equal += integer_input(1, 64 + i) == integer_input(1, 65 + i);
    whole += std::floor(real_input(1, i)) == real_input(1, i);
    CHECK(integer_input(1, i) > 0);
  }
  CHECK(equal < 5);
  CHECK(whole < 5);
  CHECK(integer_input(1, 7) == integer_input(1, 7));
}
