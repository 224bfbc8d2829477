#include "harness/check.hpp"

#include <algorithm>
#include <map>

namespace scanlab::harness {
namespace {

using machine::Finding;
using machine::Severity;

bool same_place(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.sites.size() != b.sites.size()) return false;
  return std::equal(a.sites.begin(), a.sites.end(), b.sites.begin(), [](const auto& x, const auto& y) {
    return x.file == y.file && x.line == y.line && x.access == y.access;
  });
}

}  // namespace

void Check::add(Finding finding) {
  if (finding.severity == Severity::error) verdict = Verdict::fail;
  findings.push_back(std::move(finding));
}

void FindingMerger::add(const Finding& finding) {
  const auto same = std::find_if(merged_.begin(), merged_.end(),
                                 [&](const Finding& other) { return same_place(finding, other); });
  if (same == merged_.end()) {
    merged_.push_back(finding);
    return;
  }
  const std::uint64_t count = same->count + finding.count;
  if (finding.severity > same->severity) *same = finding;
  same->count = count;
}

std::vector<Finding> FindingMerger::take() {
  std::stable_sort(merged_.begin(), merged_.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  std::map<std::string, std::size_t> kept;
  std::erase_if(merged_, [&](const Finding& finding) { return ++kept[finding.kind] > kMostOfAKind; });
  return std::move(merged_);
}

void mark_reached(Finding& finding) {
  finding.severity = Severity::error;
  const std::size_t doubt = finding.message.find(" Whether that matters");
  if (doubt != std::string::npos) finding.message.erase(doubt);
  finding.message += " The value reached an output.";
}

}  // namespace scanlab::harness
