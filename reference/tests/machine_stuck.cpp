// barrier.divergent, deadlock, run.timeout, run.crash: who waits where, and for whom.
#include <doctest/doctest.h>

#include "machine_support.hpp"

using scanlab::test::expect;
using scanlab::test::expect_kinds;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

const char kFile[] = "stuck.cu";

void golden(const char* name, const char* findings) { expect(kFile, name, findings); }
void clean(const char* name) { expect_kinds(kFile, name, ""); }

std::string message(const char* name, const char* schedule = "in_order") {
  const Outcome outcome = run_case(kFile, name, schedule);
  return outcome.report.findings.empty() ? "" : outcome.report.findings.front().message;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("stuck") {
  TEST_CASE("threads that live and never come are an error") {
    golden("in_a_branch", "barrier.divergent warning: barrier branch b0 t0, exit - b0 t40");
    golden("two_barriers", "barrier.divergent error: barrier one b0 t0, barrier other b0 t40");
    golden("loop_of_its_own", "barrier.divergent error: barrier loop b0 t0, barrier behind b0 t32");
    golden("barrier_against_warp",
           "barrier.divergent error: warp warp b0 t3, waiting barrier b0 t0");
    golden("counting_in_a_branch",
           "barrier.divergent error: barrier count b0 t0, barrier plain b0 t1");
    golden("only_the_last_block", "barrier.divergent warning: barrier some b3 t0, exit - b3 t1");
  }

  TEST_CASE("threads that have left are a warning") {
    golden("early_return", "barrier.divergent warning: barrier left b0 t0, exit - b0 t50");
    CHECK_FALSE(run_case(kFile, "early_return").report.aborted);
    clean("nobody_returns");
  }

  TEST_CASE("barriers that all threads reach") {
    clean("uniform_branch");
    clean("barrier_in_a_function");
  }

  TEST_CASE("warp functions") {
    golden("shuffle_in_a_branch",
           "barrier.divergent error: warp shuffle b0 t0, waiting wait b0 t16");
    clean("mask_of_the_branch");
    golden("lane_not_in_its_mask", "barrier.divergent error: warp vote b0 t16");
    golden("masks_differ", "barrier.divergent error: warp meet b0 t0, waiting meet b0 t1");
    clean("lanes_leave");
    clean("lane_leaves_late");
  }

  TEST_CASE("nobody can go on") {
    golden("own_flag", "deadlock error: poll own b0 t0");
    golden("volatile_spin", "deadlock error: poll spin b0 t0");
    golden("plain_spin", "deadlock error: poll plain spin b0 t0");
    golden("barrier_and_flag", "deadlock error: poll five b0 t5");
    golden("warp_and_flag", "deadlock error: poll lane b0 t0");
    golden("votes_for_ever", "deadlock error: poll votes b0 t0");
    golden("barriers_for_ever", "deadlock error: poll barriers b0 t0");
    golden("two_words_for_ever", "deadlock error: poll two words b0 t0");
    golden("lock_kept", "deadlock error: poll lock b1 t0");
    golden("sleeps_for_ever", "deadlock error: poll sleep b0 t0");
  }

  TEST_CASE("a block that was never started") {
    golden("waits_for_the_next", "deadlock error: poll next b0 t0");
    const std::string text = message("waits_for_the_next");
    CHECK(contains(text, "flags[1]"));
    CHECK(contains(text, "56 blocks of 64 were never started"));
    CHECK(contains(text, "block 8"));
    CHECK(message("waits_by_index").empty());
    CHECK(contains(message("waits_by_index", "reversed"), "were never started"));
    CHECK(contains(message("waits_by_index", "few_blocks"), "flags[62]"));
  }

  TEST_CASE("slow is not stuck") {
    clean("slow_thread");
    clean("long_shuffles");
  }

  TEST_CASE("kernels that never end run into the limit") {
    golden("endless", "run.timeout error: running endless b0 t0");
    golden("endless_reads", "run.timeout error: running reads b0 t0");
  }

  TEST_CASE("asserts and traps") {
    golden("assert_fails", "run.crash error: assert assert b0 t33");
    clean("assert_holds");
    golden("traps", "run.crash error: trap trap b0 t9");
    CHECK(run_case(kFile, "traps").result == 719);
  }
}
