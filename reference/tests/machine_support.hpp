// Runs a case of reference/tests/kernels and turns its report into text that a golden can be
// compared with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/case.h"
#include "machine/machine.hpp"

namespace scanlab::test {

using machine::Options;
using machine::Report;

struct Outcome {
  Report report;
  std::vector<int> y;  // as the case left it
  std::vector<unsigned> flags;
  std::vector<bool> y_written;  // by element
  std::uint64_t result = 0;
};

// Runs case `name` of kernels/`file`. Loading another file puts its kernels in place of the former
// ones.
Outcome run_case(const std::string& file, const std::string& name, const Options& options,
                 std::uint64_t argument = 0);
Outcome run_case(const std::string& file, const std::string& name,
                 std::string_view schedule = "in_order");

// A line for each finding, sorted:
//   "race.shared error: read load b0 t33, write store b0 t32"
// A site is its access, its line and who was there. The line is the marker that stands there as a
// comment,
// `//@ load`, else its number; block and thread are left out where the host is the party.
std::string findings_text(const std::string& file, const Report& report);
// "race.shared error" for each error and warning, sorted, each once. Notes come and go with the
// schedule.
std::string kinds_text(const Report& report);

// Sanitizers make each run ten times as long: fewer will do there.
#ifdef SCANLAB_SANITIZED
inline constexpr unsigned kEffort = 1;
#else
inline constexpr unsigned kEffort = 4;
#endif

// Every named schedule and `seeds` random ones.
std::vector<std::string> all_schedules(unsigned seeds = 2 * kEffort);

// The golden under the schedule "in_order", and the same kinds under every schedule. Empty: no
// finding at all.
void expect(const std::string& file, const std::string& name, const std::string& golden);
// The kinds alone, under every schedule. "" forbids any finding.
void expect_kinds(const std::string& file, const std::string& name, const std::string& kinds);

}  // namespace scanlab::test
