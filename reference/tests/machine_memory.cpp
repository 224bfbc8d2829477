// memory.*: by name and by how far, before anything is harmed.
#include <doctest/doctest.h>

#include "machine_support.hpp"

using scanlab::test::all_schedules;
using scanlab::test::expect;
using scanlab::test::expect_kinds;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

const char kFile[] = "memory.cu";

void golden(const char* name, const char* findings) { expect(kFile, name, findings); }
void clean(const char* name) { expect_kinds(kFile, name, ""); }

// The finding, and words of its message.
void says(const char* name, const char* findings, const char* words) {
  golden(name, findings);
  const Outcome outcome = run_case(kFile, name);
  REQUIRE_FALSE(outcome.report.findings.empty());
  const std::string& message = outcome.report.findings.front().message;
  INFO(message);
  CHECK(message.find(words) != std::string::npos);
}

void gives(const char* name, std::uint64_t result) {
  INFO(std::string(name));
  CHECK(run_case(kFile, name).result == result);
}

}  // namespace

TEST_SUITE("memory") {
  TEST_CASE("shared arrays have an end and a beginning") {
    says("past_the_end", "memory.out_of_bounds error: write past b0 t31", "XY[32]");
    says("before_the_beginning", "memory.out_of_bounds error: read before b0 t0", "XY[-1]");
    says("unsigned_below_zero", "memory.out_of_bounds error: read below b0 t0", "wrapped around");
    says("of_a_template", "memory.out_of_bounds error: read template b0 t16", "XY has 32 elements");
    says("of_a_larger_template", "memory.out_of_bounds error: read template b0 t8",
         "XY has 16 elements");
    clean("inside");
  }

  TEST_CASE("dynamic shared memory") {
    says("dynamic_past_the_end", "memory.out_of_bounds error: write dynamic b0 t32",
         "dynamic shared memory");
    says("no_dynamic_memory", "memory.out_of_bounds error: write dynamic b0 t0", "asks for none");
    clean("dynamic_inside");
    clean("dynamic_of_the_namespace");
    for (const std::string& schedule : all_schedules()) {
      const Outcome outcome = run_case(kFile, "dynamic_of_the_namespace", schedule);
      CHECK(outcome.y[3 * 32] == 3 + 31);
      CHECK(outcome.y[2048 + 3 * 32] == 3 + 1);
    }
  }

  TEST_CASE("global memory") {
    says("buffer_past_the_end", "memory.out_of_bounds error: write store b64 t0", "Y[4096]");
    says("allocation_past_the_end", "memory.out_of_bounds error: write store b1 t36",
         "allocation 1[100]");
    says("allocation_before_the_beginning", "memory.out_of_bounds error: write store b0 t0",
         "allocation 1[-1]");
    says("half_outside", "memory.out_of_bounds error: write half b0 t7", "");
    for (const char* name : {"buffer_full", "allocation_exact"}) clean(name);
  }

  TEST_CASE("addresses that are no device memory") {
    golden("null_pointer", "memory.illegal error: write null b0 t0");
    says("host_heap", "memory.illegal error: read read b0 t0", "no device memory");
    golden("host_stack", "memory.illegal error: read read b0 t0");
    golden("stack_of_another", "memory.illegal error: write stack b0 t1");
    says("use_after_free", "memory.illegal error: write store b0 t0",
         "after that memory was freed");
    says("misaligned", "memory.illegal error: write misaligned b0 t0", "not a multiple of 8");
    clean("aligned");
    golden("wild", "memory.illegal error: write wild b0 t0");
  }

  TEST_CASE("the host and device memory") {
    golden("host_dereference", "memory.illegal error: read host");
    clean("managed");
    gives("managed", 63);
    clean("host_globals");
    gives("host_globals", 1);
  }

  TEST_CASE("variables of the module") {
    says("table_past_the_end", "memory.out_of_bounds error: write table b0 t8", "table[8]");
    for (const char* name : {"table_inside", "constants", "symbol_copies"}) clean(name);
    gives("symbol_copies", 1);
    CHECK(run_case(kFile, "constants").y[3] == 8 + 8 + 'd');
  }

  TEST_CASE("values never written are notes") {
    says("unwritten_shared", "memory.uninitialized note: read unwritten b0 t40", "XY[40]");
    golden("written_in_part", "memory.uninitialized note: read part b0 t32");
    golden("left_by_the_last_block", "memory.uninitialized note: read left b1 t0");
    golden("unwritten_allocation", "memory.uninitialized note: read read b0 t0");
    golden("copy_of_unwritten", "memory.uninitialized note: read copy");
    golden("returned_struct", "");
  }

  TEST_CASE("a flag never written is an error") {
    golden("unwritten_flag", "memory.uninitialized error: read counter b0 t0");
    clean("zeroed_flag");
  }

  TEST_CASE("allocations") {
    says("leaks", "memory.leak warning: allocation leak", "2 allocations of 160 bytes");
    golden("double_free", "memory.illegal error: free again");
    golden("free_of_the_middle", "memory.illegal error: free middle");
    golden("free_of_the_host", "memory.illegal error: free local");
    clean("free_of_null");
    gives("double_free", 1);
    gives("too_much_memory", 2);
    gives("no_bytes", 0);
  }

  TEST_CASE("copies and sets") {
    golden("copy_too_long", "memory.out_of_bounds error: write long");
    golden("copy_elements_for_bytes", "memory.out_of_bounds error: write bytes");
    golden("set_too_long", "memory.out_of_bounds error: write set");
    golden("copy_after_free", "memory.illegal error: read freed");
    gives("copy_the_wrong_way", 1);
    for (const char* name : {"copies_fit", "rows"}) clean(name);
    gives("copies_fit", 64);
    gives("rows", 9);
  }
}
