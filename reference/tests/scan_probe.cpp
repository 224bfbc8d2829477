// The graph behind Probe: classes, depth, weights, attribution, networks.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "scan/probe.hpp"

namespace probe = scanlab::probe;
using probe::Class;

namespace {

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return scanlab_probe_add(a, b); }

std::uint64_t current_owner_for_test = 0;
std::uint64_t owner_for_test() { return current_owner_for_test; }

// Kogge-Stone over n leaves; `swapped` combines later + earlier, as XY[i] += XY[i - stride] does.
std::vector<std::uint64_t> kogge_stone(std::size_t n, bool swapped) {
  std::vector<std::uint64_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = probe::leaf(i);
  for (std::size_t stride = 1; stride < n; stride *= 2) {
    const std::vector<std::uint64_t> old = values;
    for (std::size_t i = stride; i < n; ++i)
      values[i] = swapped ? add(old[i], old[i - stride]) : add(old[i - stride], old[i]);
  }
  return values;
}

}  // namespace

TEST_SUITE("probe") {
  TEST_CASE("a leaf is its own interval and the identity is empty") {
    probe::begin(1);
    const auto value = probe::classify(probe::leaf(7));
    CHECK(value.cls == Class::interval);
    CHECK(value.lo == 7);
    CHECK(value.hi == 7);
    CHECK(value.strict);
    CHECK(value.depth == 0);
    CHECK(value.weight == probe::expected_weight(7, 7));
    CHECK(probe::classify(0).cls == Class::identity);
    CHECK(probe::classify(0).weight == 0);
  }

  TEST_CASE("adjacent runs merge strictly in order and commutatively out of order") {
    probe::begin(2);
    const auto in_order = probe::classify(add(probe::leaf(3), probe::leaf(4)));
    CHECK(in_order.cls == Class::interval);
    CHECK(in_order.strict);
    CHECK(in_order.lo == 3);
    CHECK(in_order.hi == 4);
    const auto swapped = probe::classify(add(probe::leaf(4), probe::leaf(3)));
    CHECK(swapped.cls == Class::interval);
    CHECK_FALSE(swapped.strict);
    CHECK(swapped.weight == in_order.weight);
  }

  TEST_CASE("what is once out of order stays so") {
    probe::begin(2);
    const std::uint64_t swapped = add(probe::leaf(1), probe::leaf(0));
    const auto value = probe::classify(add(swapped, probe::leaf(2)));
    CHECK(value.cls == Class::interval);
    CHECK(value.hi == 2);
    CHECK_FALSE(value.strict);
  }

  TEST_CASE("gaps and overlaps are top, and the weight tells which top is still right") {
    probe::begin(3);
    const std::uint64_t gap = add(probe::leaf(0), probe::leaf(2));
    CHECK(probe::classify(gap).cls == Class::top);
    const auto healed = probe::classify(add(gap, probe::leaf(1)));
    CHECK(healed.cls == Class::top);
    CHECK(healed.weight == probe::expected_weight(2));
    const std::uint64_t pair = add(probe::leaf(0), probe::leaf(1));
    const auto overlap = probe::classify(add(pair, probe::leaf(1)));
    CHECK(overlap.cls == Class::top);
    CHECK(overlap.weight != probe::expected_weight(1));
  }

  TEST_CASE("the identity counts as an application and keeps the interval") {
    probe::begin(4);
    const auto value = probe::classify(add(0, probe::leaf(5)));
    CHECK(value.cls == Class::interval);
    CHECK(value.lo == 5);
    CHECK(value.strict);
    CHECK(value.depth == 1);
    const auto empty = probe::classify(add(0, 0));
    CHECK(empty.cls == Class::identity);
    CHECK(empty.depth == 1);
    CHECK(probe::additions() == 2);
  }

  TEST_CASE("poison, forged and stale values are undefined, and so is what they reach") {
    probe::begin(5);
    const std::uint64_t stale = probe::leaf(0);
    probe::begin(6);
    const std::uint64_t good = probe::leaf(9);
    const std::uint64_t sum = add(good, good);
    for (const std::uint64_t bad : {std::uint64_t{0xDEADBEEFDEADBEEF}, std::uint64_t{1}, stale,
                                    good + 1, sum + 1, (good >> 32) << 32, ~std::uint64_t{0}}) {
      CHECK(probe::classify(bad).cls == Class::undefined);
      CHECK(probe::classify(add(0, bad)).cls == Class::undefined);
      CHECK(probe::classify(add(bad, good)).cls == Class::undefined);
      probe::begin(6);
      CHECK(probe::leaf(9) == good);
      CHECK(add(good, good) == sum);
    }
  }

  TEST_CASE("a Kogge-Stone of every size proves itself, in either order") {
    for (std::size_t n = 1; n <= 130; ++n) {
      for (const bool swapped : {false, true}) {
        probe::begin(n);
        const auto outputs = kogge_stone(n, swapped);
        for (std::size_t i = 0; i < n; ++i) {
          const auto value = probe::classify(outputs[i]);
          REQUIRE(value.cls == Class::interval);
          REQUIRE(value.lo == 0);
          REQUIRE(value.hi == i);
          REQUIRE(value.strict == (!swapped || i == 0));
          REQUIRE(value.weight == probe::expected_weight(i));
        }
      }
    }
  }

  TEST_CASE("work and steps of Kogge-Stone come out of the graph") {
    probe::begin(7);
    const auto summary = probe::summarise(kogge_stone(512, false));
    CHECK(summary.additions == 4097);
    CHECK(summary.reaching == 4097);
    CHECK(summary.max_depth == 9);
    CHECK(summary.host_additions == 4097);
    CHECK(summary.threads == 0);
    CHECK_FALSE(summary.overflow);
  }

  TEST_CASE("additions that reach no output are told apart") {
    probe::begin(8);
    const std::uint64_t used = add(probe::leaf(0), probe::leaf(1));
    add(used, probe::leaf(2));
    const auto summary = probe::summarise(std::vector<std::uint64_t>{used, 0});
    CHECK(summary.additions == 2);
    CHECK(summary.reaching == 1);
    CHECK(summary.max_depth == 1);
  }

  TEST_CASE("additions are attributed to launches, threads and the host") {
    probe::begin(9);
    probe::set_owner_source(owner_for_test);
    const std::uint64_t x = probe::leaf(0);
    std::vector<std::uint64_t> outputs;
    for (const std::uint64_t owner :
         {std::uint64_t{0}, (std::uint64_t{1} << 32) | 1, (std::uint64_t{1} << 32) | 2,
          (std::uint64_t{1} << 32) | 2, (std::uint64_t{2} << 32) | 1}) {
      current_owner_for_test = owner;
      outputs.push_back(add(x, x));
    }
    add(x, x);
    probe::set_owner_source(nullptr);
    const auto summary = probe::summarise(outputs);
    CHECK(summary.host_additions == 1);
    CHECK(summary.threads == 3);
    CHECK(summary.busiest_thread == 2);
    REQUIRE(summary.launches.size() == 2);
    CHECK(summary.launches[0].launch == 1);
    CHECK(summary.launches[0].total == 3);
    CHECK(summary.launches[1].total == 2);
    CHECK(summary.launches[1].reaching == 1);
    CHECK(probe::owner_thread((std::uint64_t{2} << 32) | 1) == 0);
  }

  TEST_CASE("beyond the node limit additions are counted, undefined and flagged") {
    probe::begin(10, 1);  // rounded up to one chunk
    const std::uint64_t x = probe::leaf(0);
    std::uint64_t last = 0;
    const std::uint64_t many = (std::uint64_t{1} << 15) + 3;
    for (std::uint64_t i = 0; i < many; ++i) last = add(x, x);
    CHECK(probe::classify(last).cls == Class::undefined);
    const auto summary = probe::summarise(std::vector<std::uint64_t>{last});
    CHECK(summary.overflow);
    CHECK(summary.additions == many);
    CHECK(probe::additions() == many);
  }

  TEST_CASE("classifying in between does not disturb later additions") {
    probe::begin(11);
    const std::uint64_t a = add(probe::leaf(0), probe::leaf(1));
    CHECK(probe::classify(a).hi == 1);
    const std::uint64_t b = add(a, probe::leaf(2));
    CHECK(probe::classify(b).hi == 2);
    CHECK(probe::classify(b).depth == 2);
  }

  TEST_CASE("the network of three elements, as a drawing wants it") {
    probe::begin(12);
    const auto network = probe::network(kogge_stone(3, false));
    REQUIRE(network.nodes.size() == 3);
    CHECK(network.nodes[2].level == 2);
    CHECK(network.nodes[2].number == 2);
    CHECK(probe::to_json(network) ==
          "{\"nodes\": [[1,0,-1,0,1,\"i0\",\"i1\"], [1,0,-1,1,2,\"i1\",\"i2\"], "
          "[2,0,-1,0,2,\"i0\",\"n1\"]], \"outputs\": [\"i0\", \"n0\", \"n2\"]}");
  }

  TEST_CASE("fingerprints tell networks apart and forget nonce and order of making") {
    probe::begin(13);
    const auto first = probe::fingerprint(kogge_stone(64, false));
    probe::begin(14);
    add(probe::leaf(5), probe::leaf(5));
    CHECK(probe::fingerprint(kogge_stone(64, false)) == first);
    CHECK(probe::fingerprint(kogge_stone(64, true)) != first);
    CHECK(probe::fingerprint(kogge_stone(63, false)) != first);
  }
}
