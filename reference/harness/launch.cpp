#include "harness/launch.hpp"

namespace scanlab::harness {

using machine::Finding;

bool has_error(const LaunchResult& result) {
  const auto& findings = result.report.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == machine::Severity::error; });
}

bool has_kind(const LaunchResult& result, std::string_view kind) {
  const auto& findings = result.report.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.kind == kind; });
}

bool is_wrong(const LaunchResult& result) {
  return has_error(result) || (result.ending == Ending::done && !result.right());
}

LaunchResult spared(unsigned n) {
  LaunchResult result;
  result.n = n;
  result.ending = Ending::spared;
  return result;
}

}  // namespace scanlab::harness
