// What several cases need.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases.hpp"

namespace scanlab::harness::judge {

// The machine's findings of these kinds ("race." takes every race), over all launches but those of the second
// launch check; of one function, or of all of them.
inline constexpr unsigned kAllFunctions = ~0U;
void add_findings(const Evidence& evidence, unsigned function,
                  std::initializer_list<std::string_view> kinds, Check& check);

// Names of other checks that `check` cannot do without.
std::string correctness_check(const Lab& lab, unsigned function);
void require_soundness(const Evidence& evidence, Check& check);

// "with SECTION_SIZE = 64 and N = 100, under the schedule `reversed`"
std::string where(const Batch& batch, unsigned n);

// A launch whose outputs are wrong, and how many others are.
struct WrongLaunch {
  const Run* run = nullptr;
  const LaunchResult* result = nullptr;
  std::uint64_t launches = 0;
};
// Adds value.wrong and value.unwritten for the first launch of these runs that deserves it.
void add_wrong_values(const std::vector<const Run*>& runs, Check& check);

// "1..64, 129"
std::string ranges(const std::vector<unsigned>& numbers);

machine::Finding make_finding(std::string kind, machine::Severity severity, std::string message,
                              std::string help);

}  // namespace scanlab::harness::judge
