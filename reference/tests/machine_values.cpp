// What the machine computes, against models, under every schedule.
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <set>

#include "machine_support.hpp"

using scanlab::test::all_schedules;
using scanlab::test::findings_text;
using scanlab::test::kEffort;
using scanlab::test::kinds_text;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

const char kFile[] = "values.cu";

template <typename T>
std::uint64_t bits(T value) {
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

Outcome run(const char* name, const std::string& schedule, std::uint64_t argument = 0) {
  scanlab::test::Options options;
  options.schedule = scanlab::machine::named_schedule(schedule, 1);
  return run_case(kFile, name, options, argument);
}

// Under each schedule no finding but notes, and y[index(i)] == model(i) for i < count.
void check_values(const char* name, unsigned count, const std::function<int(unsigned)>& model,
                  unsigned from = 0, std::uint64_t argument = 0, unsigned seeds = 8) {
  for (const std::string& schedule : all_schedules(seeds)) {
    INFO(std::string(name) << " under " << schedule << ", argument " << argument);
    const Outcome outcome = run(name, schedule, argument);
    CHECK(kinds_text(outcome.report) == "");
    unsigned wrong = count;
    for (unsigned i = count; i-- > 0;)
      if (outcome.y[from + i] != model(i)) wrong = i;
    INFO("first wrong element " << wrong << ": " << (wrong < count ? outcome.y[from + wrong] : 0));
    CHECK(wrong == count);
    if (wrong != count) return;
  }
}

void check_result(const char* name, std::uint64_t result) {
  for (const std::string& schedule : all_schedules(4)) {
    INFO(std::string(name) << " under " << schedule);
    const Outcome outcome = run(name, schedule);
    CHECK(kinds_text(outcome.report) == "");
    CHECK(outcome.result == result);
  }
}

// The lane that gives its value to `lane`, as the programming guide describes it.
unsigned source(unsigned kind, unsigned lane, int by, int width) {
  const int first = static_cast<int>(lane) / width * width, inside = static_cast<int>(lane) - first;
  if (kind == 0) return static_cast<unsigned>(first + ((by % width) + width) % width);
  if (kind == 1) return inside >= by ? lane - static_cast<unsigned>(by) : lane;
  if (kind == 2) return inside + by < width ? lane + static_cast<unsigned>(by) : lane;
  // A lane of another, later group gives nothing; one of an earlier group may be read.
  const unsigned partner = lane ^ static_cast<unsigned>(by);
  return partner < static_cast<unsigned>(first + width) ? partner : lane;
}

}  // namespace

TEST_SUITE("values") {
  TEST_CASE("atomics of every operation and size") {
    check_result("add_int", bits(-5 + 2016 - 64 * 70));
    check_result("add_unsigned", bits(0xffffff00u + 2016u));
    check_result("add_wide", (1ull << 40) + (2016ull << 33));
    check_result("add_float", bits(2016.5f));
    check_result("add_double", bits(2016.25));
    check_result("sub_int", bits(7 - 2016));
    check_result("sub_unsigned", bits(7u - 2016u));
    check_result("min_int", bits(-30));
    check_result("max_int", bits(-27));
    check_result("min_unsigned", bits(0xffffff00u - 63));
    check_result("max_unsigned", bits(0x80000000u + 63));
    check_result("min_wide", (1ull << 63) - 63);
    check_result("max_wide_signed", bits(-(1ll << 40)));
    check_result("and_unsigned", 0xffff0000u);
    check_result("or_wide", 0x5555555555555555u);
    check_result("xor_unsigned", 0x55u);
    check_result("inc_wraps", 64 % 10);
    check_result("dec_wraps", 10 - 64 % 10);
    check_result("exchange", 77);
    check_result("block_and_system", 64 * 3);
    check_result("swap_once", 100);
    check_result("swap_short", 500);
    check_result("multiply", 43046721);
    check_result("reference", 128);
    check_result("reference_swap", 64);
  }

  TEST_CASE("every ticket is given once") {
    for (const std::string& schedule : all_schedules()) {
      const Outcome outcome = run("tickets", schedule);
      std::set<int> holders(outcome.y.begin(), outcome.y.begin() + 512);
      CHECK(holders.size() == 512);
      CHECK(*holders.begin() == 0);
      CHECK(*holders.rbegin() == 511);
    }
  }

  TEST_CASE("shuffles") {
    const char* const kNames[] = {"shuffle", "shuffle_up", "shuffle_down", "shuffle_xor"};
    for (unsigned kind = 0; kind < 4; ++kind)
      for (const int width : {32, 16, 8, 2})
        for (const int by : {0, 1, 3, 5, 16, 31}) {
          const std::uint64_t argument = std::uint64_t(width) << 32 | unsigned(by);
          const auto from = [&](unsigned i) {
            return i / 32 * 32 + source(kind, i % 32, by, width);
          };
          check_values(
              kNames[kind], 96, [&](unsigned i) { return 100 + int(from(i)); }, 0, argument, 1);
          check_values(
              kNames[kind], 96, [&](unsigned) { return 4; }, 1024, argument, 0);
          check_values(
              kNames[kind], 96, [&](unsigned i) { return 2 * int(from(i)); }, 2048, argument, 0);
        }
  }

  TEST_CASE("votes") {
    for (const std::uint64_t wanted : {0ull, 1ull, 0x80000000ull, 0x0f0f0f0full, 0xffffffffull}) {
      check_values(
          "votes", 64, [&](unsigned) { return int(unsigned(wanted)); }, 0, wanted, 2);
      check_values(
          "votes", 64, [&](unsigned) { return wanted != 0; }, 64, wanted, 1);
      check_values(
          "votes", 64, [&](unsigned) { return wanted == 0xffffffffull; }, 128, wanted, 1);
      check_values(
          "votes", 20, [&](unsigned) { return int(unsigned(wanted) & 0xfffffu); }, 256, wanted, 1);
    }
    check_values(
        "votes", 64,
        [](unsigned i) {
          unsigned equal = 0;
          for (unsigned lane = 0; lane < 32; ++lane)
            if ((i / 32 * 32 + lane) % 3 == i % 3) equal |= 1u << lane;
          return int(equal);
        },
        192);
  }

  TEST_CASE("the active lanes are those of the branch") {
    check_values("active_lanes", 64, [](unsigned) { return -1; });
    check_values(
        "active_lanes", 24, [](unsigned) { return 1; }, 100);
    check_values(
        "active_lanes", 20, [](unsigned) { return 20; }, 212);
  }

  TEST_CASE("tiles") {
    for (const unsigned size : {4u, 32u}) {
      const char* name = size == 4 ? "tiles4" : "tiles32";
      check_values(name, 128, [&](unsigned i) { return int(i % size) + 1; });
      check_values(
          name, 128, [&](unsigned) { return size == 4 ? 10 : int(0xaaaaaaaau); }, 128);
      check_values(
          name, 128, [&](unsigned i) { return int(i / size * size); }, 256);
      check_values(
          name, 128, [&](unsigned i) { return int(i / size); }, 384);
      check_values(
          name, 128, [&](unsigned i) { return (i < size ? 1 : 0) + (i < 64 ? 2 : 0); }, 512);
      check_values(
          name, 128,
          [&](unsigned i) {
            const int down = int(i % size + 1 < size ? i + 1 : i);
            return down - int(i ^ 1u);
          },
          640);
    }
    check_values("warp_scan", 256, [](unsigned i) {
      int sum = 0;
      for (unsigned j = i / 32 * 32; j <= i; ++j) sum += int(j) + 1;
      return sum;
    });
  }

  TEST_CASE("barriers that count") {
    for (const unsigned n : {0u, 1u, 40u, 64u})
      check_values(
          "counts", 64, [&](unsigned) { return int(n * 4 + (n == 64 ? 2 : 0) + (n > 0 ? 1 : 0)); },
          0, n);
  }

  TEST_CASE("indices in two and three dimensions") {
    check_values("indices", 12 * 96,
                 [](unsigned i) { return int(i % 96 / 32 * 32 * 1000 + i % 96); });
    const Outcome outcome = run("named_index", "in_order");
    CHECK(findings_text(kFile, outcome.report) ==
          "memory.out_of_bounds error: write outside b(0,1,0) t(0,2,0)");
  }

  TEST_CASE("resident blocks keep their shared memory apart, under 200 random schedules too") {
    const auto apart = [](unsigned i) {
      const int block = int(i / 64), next = int(i + 1) % 64;
      int sum = 0;
      for (int round = 0; round < 3; ++round)
        sum += block * 1000 + 63 - next + round + (block + 63 - next) % 256 + round;
      return sum;
    };
    check_values("apart", 24 * 64, apart, 0, 0, 50 * kEffort);
    const auto by_block = [](unsigned i) { return int(i / 32 * 100 + 31 - i % 32) + 3; };
    check_values("arrays_by_block", 30 * 32, by_block, 0, 0, 50 * kEffort);
  }

  TEST_CASE("blocks of one thread and of 1024") {
    check_values(
        "lonely", 100, [](unsigned i) { return int(i); }, 0, 0, 30);
    check_values(
        "full_block", 4096, [](unsigned i) { return int((i % 1024 + 1) * (i % 1024 + 2) / 2); }, 0,
        0, 3);
  }

  TEST_CASE("arithmetic, vectors, arguments, locals") {
    const Outcome outcome = run("bits", "in_order");
    const int expected[] = {
        8 + 31 + 32 + 4 + 0 + 64 + 63, int(0x80000000u), 3, 0x3f800000, 3, 1, 32, 4321, 4, 8};
    for (unsigned i = 0; i < 10; ++i) CHECK(outcome.y[i] == expected[i]);
    check_values("vectors", 256, [](unsigned i) { return int(i / 4 * 4 + 4 - i % 4); });
    check_values("shared_vectors", 32, [](unsigned i) { return int(4 * i + 4 + i + 2); });
    check_values("hints", 128, [](unsigned i) { return 2 * int(i % 64 + 1); });
    check_values("by_value", 64, [](unsigned i) { return int(7 + i) * 1000 + int(5 + i); });
  }
}
