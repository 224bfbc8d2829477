// Findings that the machine makes itself.
#include "harness/cases/common.hpp"

namespace scanlab::harness::judge {
namespace {

// Where no launch of any function came to its end, "nothing found" would mean nothing.
void judge_kinds(const Evidence& evidence, std::initializer_list<std::string_view> kinds, Check& check) {
  add_findings(evidence, kAllFunctions, kinds, check);
  if (check.verdict == Verdict::fail) return;
  bool ran = false;
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function)
    ran = ran || evidence.anything_ran(function);
  if (!ran) check.verdict = Verdict::skip;
}

}  // namespace

void races(const Evidence& evidence, Check& check) {
  judge_kinds(evidence, {"race.", "fence.missing"}, check);
}

void waits(const Evidence& evidence, Check& check) {
  judge_kinds(evidence, {"barrier.divergent", "deadlock"}, check);
}

void memory(const Evidence& evidence, Check& check) { judge_kinds(evidence, {"memory."}, check); }

}  // namespace scanlab::harness::judge
