// Sequential and naive scans, and the element types that count, measure and prove.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "scan/cost_model.hpp"
#include "scan/elements.hpp"
#include "scan/naive.hpp"
#include "scan/sequential.hpp"

using namespace scanlab;
using scan::Kind;

namespace {

template <typename T>
std::vector<T> sequential(Kind kind, const std::vector<T>& in) {
  std::vector<T> out(in.size());
  scan::sequential_scan<T>(kind, in, out);
  return out;
}

template <typename T>
std::vector<T> naive(Kind kind, const std::vector<T>& in) {
  std::vector<T> out(in.size());
  if (kind == Kind::inclusive)
    scan::naive_inclusive_scan<T>(in, out);
  else
    scan::naive_exclusive_scan<T>(in, out);
  return out;
}

// Additions that `run` makes.
template <typename Run>
std::uint64_t counted(Run run) {
  const std::uint64_t before = counted_on_host;
  run();
  return counted_on_host - before;
}

}  // namespace

TEST_SUITE("sequential and naive") {
  TEST_CASE("the running example") {
    const std::vector<int> in = {3, 1, 7, 0, 4, 1, 6, 3};
    const std::vector<int> inclusive = {3, 4, 11, 11, 15, 16, 22, 25};
    const std::vector<int> exclusive = {0, 3, 4, 11, 11, 15, 16, 22};
    CHECK(sequential(Kind::inclusive, in) == inclusive);
    CHECK(sequential(Kind::exclusive, in) == exclusive);
    CHECK(naive(Kind::inclusive, in) == inclusive);
    CHECK(naive(Kind::exclusive, in) == exclusive);
  }

  TEST_CASE("no element and one element") {
    CHECK(sequential(Kind::inclusive, std::vector<int>{}).empty());
    CHECK(naive(Kind::exclusive, std::vector<int>{}).empty());
    CHECK(sequential(Kind::inclusive, std::vector<int>{7}) == std::vector<int>{7});
    CHECK(sequential(Kind::exclusive, std::vector<int>{7}) == std::vector<int>{0});
    CHECK(naive(Kind::exclusive, std::vector<int>{7}) == std::vector<int>{0});
  }

  TEST_CASE("in place") {
    for (const Kind kind : {Kind::inclusive, Kind::exclusive}) {
      std::vector<int> data = {3, 1, 7, 0, 4};
      const auto expected = sequential(kind, data);
      scan::sequential_scan<int>(kind, data, data);
      CHECK(data == expected);
    }
  }

  TEST_CASE("sections, the last one short") {
    const std::vector<int> in = {1, 2, 3, 4, 5, 6, 7};
    std::vector<int> out(7);
    scan::sequential_section_scan<int>(Kind::inclusive, in, out, 3);
    CHECK(out == std::vector<int>{1, 3, 6, 4, 9, 15, 7});
    scan::sequential_section_scan<int>(Kind::exclusive, in, out, 3);
    CHECK(out == std::vector<int>{0, 1, 3, 0, 4, 9, 0});
  }

  TEST_CASE("both prove themselves and make the additions of the cost model") {
    for (std::uint32_t n = 0; n <= 64; ++n) {
      std::vector<Interval> runs;
      for (std::uint32_t i = 0; i < n; ++i) runs.push_back(make_run<Interval>(i, i));
      for (const auto& sums : {sequential(Kind::inclusive, runs), naive(Kind::inclusive, runs)})
        for (std::uint32_t i = 0; i < n; ++i) CHECK(sums[i] == make_run<Interval>(0, i));
      for (const auto& sums : {sequential(Kind::exclusive, runs), naive(Kind::exclusive, runs)})
        for (std::uint32_t i = 0; i < n; ++i)
          CHECK(sums[i] == (i == 0 ? Interval{} : make_run<Interval>(0, i - 1)));
      const std::vector<Counted> numbers(n);
      CHECK(counted([&] { sequential(Kind::inclusive, numbers); }) == cost::sequential_work(n));
      CHECK(counted([&] { naive(Kind::inclusive, numbers); }) == cost::naive_work(n));
      if (n < 2) continue;
      CHECK(counted([&] { sequential(Kind::exclusive, numbers); }) == n - 2);
      CHECK(counted([&] { naive(Kind::exclusive, numbers); }) == (n - 1) * (n - 2) / 2);
    }
  }
}

TEST_SUITE("element types") {
  TEST_CASE("the identity of each is all bytes zero") {
    CHECK(make_run<Interval>(3, 5) + Interval{} == make_run<Interval>(3, 5));
    CHECK(Interval{} + make_run<Interval>(3, 5) == make_run<Interval>(3, 5));
    CHECK(CommutativeInterval{} + CommutativeInterval{} == CommutativeInterval{});
    CHECK(Depth{} + Depth{} == Depth{1});
    CHECK(Counted{5} + Counted{} == Counted{5});
  }

  TEST_CASE("an interval takes only the run right after it, a commutative one either neighbour") {
    const auto low = make_run<Interval>(0, 1), high = make_run<Interval>(2, 4);
    CHECK(low + high == make_run<Interval>(0, 4));
    CHECK(is_top(high + low));
    CHECK(is_top(low + make_run<Interval>(3, 4)));
    CHECK(is_top(low + low));
    CHECK(is_top((high + low) + make_run<Interval>(5, 5)));
    CHECK(is_top((high + low) + Interval{}) == true);
    const auto left = make_run<CommutativeInterval>(0, 1),
               right = make_run<CommutativeInterval>(2, 4);
    CHECK(right + left == make_run<CommutativeInterval>(0, 4));
    CHECK(left + right == make_run<CommutativeInterval>(0, 4));
    CHECK(is_top(left + make_run<CommutativeInterval>(3, 3)));
  }

  TEST_CASE("intervals are associative, so the abstraction is a monoid") {
    std::vector<Interval> all = {Interval{}, make_run<Interval>(0, 2) + make_run<Interval>(0, 2)};
    for (std::uint32_t first = 0; first < 4; ++first)
      for (std::uint32_t last = first; last < 4; ++last)
        all.push_back(make_run<Interval>(first, last));
    for (const Interval a : all)
      for (const Interval b : all)
        for (const Interval c : all) CHECK((a + b) + c == a + (b + c));
  }

  TEST_CASE("depth is one more than the deeper operand's") {
    Depth a{3};
    a += Depth{5};
    CHECK(a == Depth{6});
  }

  TEST_CASE("the largest indices still pack") {
    CHECK_FALSE(is_top(make_run<Interval>(0, 0xFFFFFFFDU)));
    CHECK(make_run<Interval>(0, 0xFFFFFFFCU) + make_run<Interval>(0xFFFFFFFDU, 0xFFFFFFFDU) ==
          make_run<Interval>(0, 0xFFFFFFFDU));
  }
}
