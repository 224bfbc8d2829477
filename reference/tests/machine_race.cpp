// race.shared and race.global: who, where, and never where something orders the two.
#include <doctest/doctest.h>

#include "machine_support.hpp"

using scanlab::test::expect;
using scanlab::test::expect_kinds;

namespace {

const char kFile[] = "race.cu";

void golden(const char* name, const char* findings) { expect(kFile, name, findings); }
void clean(const char* name) { expect_kinds(kFile, name, ""); }

}  // namespace

TEST_SUITE("race") {
  TEST_CASE("shared memory: a missing barrier is a race, whatever the order was") {
    golden("neighbour_without_barrier", "race.shared error: read load b0 t33, write store b0 t32");
    golden("write_after_read", "race.shared error: read load b0 t32, write store b0 t0");
    clean("neighbour_with_barrier");
    clean("counting_barriers");
    clean("shared_of_two_blocks");
  }

  TEST_CASE("shared memory: writes that change nothing count") {
    golden("same_value", "race.shared error: write store b0 t1, write store b0 t0");
    golden("unchanging_write",
           "race.shared error: read load b0 t41, write store b0 t40\n"
           "race.shared error: write store b0 t40, read load b0 t0");
  }

  TEST_CASE("shared memory: every reader since the last write is a party") {
    golden("first_of_many_readers", "");
    golden("last_of_many_readers", "race.shared error: write store b0 t63, read late b0 t60");
    golden("reader_behind_a_newer_reader",
           "race.global error: write load b0 t2, write load b0 t1\n"
           "race.shared error: write store b0 t50, read load b0 t1");
  }

  TEST_CASE("parts of words") {
    clean("byte_in_one_word");
    clean("bytes_of_neighbours");
    golden("same_byte", "race.shared error: write store b0 t1, write store b0 t0");
    golden("word_then_byte", "race.shared error: write byte b0 t32, write word b0 t0");
    golden("half_words",
           "memory.uninitialized note: read load b0 t0\n"
           "race.shared error: read load b0 t63, write store b0 t0\n"
           "race.shared error: write store b0 t1, read load b0 t0");
    golden("wide_words",
           "memory.uninitialized note: read half b0 t40\n"
           "race.shared error: write store b0 t41, read half b0 t40");
  }

  TEST_CASE("within a warp no lockstep is assumed") {
    golden("warp_without_sync",
           "memory.uninitialized note: read load b0 t0\n"
           "race.shared error: read load b0 t16, write store b0 t15\n"
           "race.shared error: write store b0 t16, read load b0 t15");
    clean("warp_with_sync");
    golden("sync_of_the_other_warp",
           "memory.uninitialized note: read load b0 t31\n"
           "race.shared error: read load b0 t63, write store b0 t31\n"
           "race.shared error: write store b0 t63, read load b0 t31");
    golden("lanes_outside_the_mask", "race.shared error: read load b0 t0, write store b0 t20");
    clean("chained_masks");
    golden("shuffle_orders_nothing", "race.shared error: read load b0 t31, write store b0 t0");
    clean("tile_sync");
    golden("tile_too_small",
           "memory.uninitialized note: read load b0 t15\n"
           "race.shared error: read load b0 t31, write store b0 t15\n"
           "race.shared error: write store b0 t31, read load b0 t15");
  }

  TEST_CASE("atomics race with plain accesses only") {
    clean("atomics_only");
    golden("atomic_against_plain", "race.shared error: read load b0 t40, atomic atomic b0 t0");
    golden("plain_write_against_atomic",
           "race.shared error: write store b0 t1, atomic atomic b0 t0");
    golden("read_behind_atomics", "race.shared error: atomic late b0 t40, read early b0 t4");
  }

  TEST_CASE("global memory, within a block and between blocks") {
    golden("global_within_a_block", "race.global error: read load b0 t63, write store b0 t0");
    clean("global_with_barrier");
    golden("between_blocks", "race.global error: read load b1 t5, write store b0 t0");
    golden("overlapping_tails", "race.global error: write store b1 t0, write store b0 t31");
    golden("forgotten_reader", "race.global error: read other b1 t0, write store b0 t3");
    golden("plain_read_then_poll", "race.global error: atomic set b0 t32, read plain b0 t0");
    clean("two_launches");
    golden("module_global", "race.global error: read load b0 t1, write store b0 t0");
    golden("dynamic_shared_race",
           "memory.uninitialized note: read load b0 t0\n"
           "race.shared error: read load b0 t1, write store b0 t0\n"
           "race.shared error: write store b0 t1, read load b0 t0");
  }

  TEST_CASE("copies are accesses, and the line is the kernel's own") {
    golden("struct_copy",
           "memory.uninitialized note: read load b0 t0\n"
           "race.shared error: read load b0 t32, write store b0 t0\n"
           "race.shared error: write store b0 t32, read load b0 t0");
    golden("memcpy_is_seen",
           "memory.uninitialized note: read copy b0 t40\n"
           "race.shared error: read copy b0 t40, write store b0 t0\n"
           "race.shared error: write store b0 t41, read copy b0 t40");
    golden("hinted_load", "race.global error: read load b0 t9, write store b0 t8");
  }
}
