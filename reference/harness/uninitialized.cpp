#include "harness/uninitialized.hpp"

#include <algorithm>
#include <string>

#include "harness/check.hpp"

namespace scanlab::harness {

using machine::Finding;
using machine::Severity;

namespace {

bool is_uninitialized(const Finding& finding) { return finding.kind == "memory.uninitialized"; }

// Errors that make values undefined as a consequence: they are said, and nothing beside them.
bool has_graver_cause(const LaunchResult& result) {
  return std::any_of(result.report.findings.begin(), result.report.findings.end(), [](const Finding& f) {
    return f.severity == Severity::error && !is_uninitialized(f) && f.kind != "memory.leak";
  });
}

Finding uninitialized_output(const LaunchResult& result) {
  Finding finding;
  finding.kind = "memory.uninitialized";
  finding.message = "An output (Y[" + std::to_string(result.calls.front().first_undefined) +
                    "] with N = " + std::to_string(result.n) +
                    ") was made from memory that nobody had written.";
  finding.help = "Who should have stored the values that this element is the sum of?";
  return finding;
}

}  // namespace

std::uint64_t undefined_outputs(const LaunchResult& result) {
  std::uint64_t count = 0;
  for (const Values& values : result.calls) count += values.undefined;
  return count;
}

void settle_uninitialized(LaunchResult& result, bool poison_matters) {
  const bool reached = undefined_outputs(result) != 0;
  if ((!reached && !poison_matters) || has_graver_cause(result)) return;
  auto& findings = result.report.findings;
  for (Finding& finding : findings)
    if (is_uninitialized(finding)) mark_reached(finding);
  if (reached && std::none_of(findings.begin(), findings.end(), is_uninitialized))
    findings.push_back(uninitialized_output(result));
}

}  // namespace scanlab::harness
