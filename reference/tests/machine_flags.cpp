// fence.missing, and the many right ways to tell another block.
#include <doctest/doctest.h>

#include "machine_support.hpp"

using scanlab::test::expect;
using scanlab::test::expect_kinds;
using scanlab::test::run_case;

namespace {

const char kFile[] = "flags.cu";

void golden(const char* name, const char* findings) { expect(kFile, name, findings); }
void clean(const char* name) { expect_kinds(kFile, name, ""); }

// What each handoff's third block must arrive at.
void clean_sum(const char* name, std::size_t index, int sum) {
  clean(name);
  for (const std::string& schedule : scanlab::test::all_schedules()) {
    INFO(std::string(name) << " under " << schedule);
    CHECK(run_case(kFile, name, schedule).y[index] == sum);
  }
}

const char kNoFence[] =
    "fence.missing error: write data b0 t0, flag write flag b0 t0, read carry b1 t0";

}  // namespace

TEST_SUITE("flags") {
  TEST_CASE("a fence between the data and the flag") {
    for (const char* name : {"atomic_flag", "system_fence", "volatile_flag", "exchange_poll",
                             "add_as_flag", "thread_fences"})
      clean_sum(name, 2, 3);
  }

  TEST_CASE("no fence, or one in the wrong place") {
    for (const char* name :
         {"atomic_flag_no_fence", "volatile_flag_no_fence", "fence_before_data",
          "fence_behind_flag", "block_fence_only", "block_scope_fence", "block_scope_release"})
      golden(name, kNoFence);
  }

  TEST_CASE("the textbook's consumer is a note") {
    golden("textbook_consumer", "fence.missing note: read carry b1 t0, poll poll b1 t0");
  }

  TEST_CASE("plain flags are races") {
    golden("plain_flag",
           "race.global error: read data b1 t0, write plain data b0 t0\n"
           "race.global error: read poll b1 t0, write flag b0 t0");
    golden("plainly_set_flag", "race.global error: atomic poll b1 t0, write flag b0 t0");
  }

  TEST_CASE("orders of cuda::atomic_ref") {
    clean("release_acquire");
    clean("sequentially_consistent");
    golden("relaxed_store",
           "fence.missing error: write ref data b0 t0, flag write ref flag b0 t0, read ref carry "
           "b1 t0");
    golden("relaxed_load", "fence.missing note: read ref carry b1 t0, poll ref poll b1 t0");
  }

  TEST_CASE("the leader tells of what its block wrote") {
    clean_sum("leader_publishes", 64, 3);
    clean_sum("everybody_fences", 64, 3);
    const char* const kRaces =
        "race.global error: read leader data b1 t0, write leader first b0 t31\n"
        "race.global error: read leader data b2 t0, write leader data b1 t31";
    golden("leader_without_barrier", kRaces);
    golden("everybody_fences_without_barrier", kRaces);
    golden("leader_without_fence",
           "fence.missing error: write leader data b1 t31, flag write leader flag b1 t0, read "
           "leader data b2 t0\n"
           "fence.missing error: write leader first b0 t31, flag write leader flag b0 t0, read "
           "leader data b1 t0");
    golden("readers_do_not_wait", "race.global error: read carry b1 t9, write data b0 t0");
    clean("warp_publishes");
    clean("every_lane_fences");
    clean("fence_behind_meeting");
    golden("fence_before_meeting",
           "fence.missing error: write lane data b0 t5, flag write lane flag b0 t0, read lane read "
           "b1 t0");
  }

  TEST_CASE("chains over three blocks") {
    clean("chain");
    golden("chain_first_fence_missing",
           "fence.missing error: write chain data b0 t0, flag write chain first b0 t0, read chain "
           "read b2 t0");
    golden("chain_middle_fence_missing",
           "fence.missing error: write chain data b0 t0, flag write chain middle b1 t0, read chain "
           "read b2 t0");
    const std::string message =
        run_case(kFile, "chain_middle_fence_missing").report.findings.front().message;
    CHECK(message.find("thread 0 of block 1 learnt of that and told other blocks") !=
          std::string::npos);
  }

  TEST_CASE("counters") {
    clean_sum("last_block_sums", 100, 6);
    golden("last_block_sums_no_fence",
           "fence.missing error: write sum data b0 t0, flag write sum count b0 t0, read sum read "
           "b5 t0");
    clean_sum("last_block_by_inc", 1000, 6);
  }

  TEST_CASE("locks") {
    clean_sum("compare_and_swap_lock", 0, 6);
    clean_sum("exchange_lock", 0, 6);
    clean_sum("lock_in_a_warp", 0, 64);
    clean_sum("ticket_lock", 0, 64);
    golden("no_lock",
           "race.global error: read unlocked b1 t0, write unlocked b0 t0\n"
           "race.global error: write unlocked b1 t0, write unlocked b0 t0");
  }

  TEST_CASE("flags within a block") {
    clean("warp_to_warp");
    golden("warp_to_warp_no_fence",
           "race.shared error: read warp poll b0 t32, write warp flag b0 t0\n"
           "race.shared error: read warp read b0 t32, write warp data b0 t0");
    golden("warp_synchronous",
           "race.shared error: read old add b0 t1, write old store b0 t0\n"
           "race.shared error: read old add b0 t2, write old add b0 t1");
  }

  TEST_CASE("packed words and look-back") {
    clean_sum("packed_word", 4, 5);
    clean_sum("look_back", 11, 12);
  }

  TEST_CASE("every way of polling lets the others run") {
    for (const char* name : {"two_words", "busy_atomics", "vote_while_polling",
                             "barrier_while_polling", "sleeping_poll"})
      clean(name);
    golden("plain_with_work", "race.global error: read work poll b1 t0, write work set b0 t0");
  }
}
