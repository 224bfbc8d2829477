#include "harness/cases/common.hpp"

#include <algorithm>

namespace scanlab::harness::judge {
namespace {

bool matches(std::string_view kind, std::initializer_list<std::string_view> kinds) {
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view wanted) {
    return wanted.back() == '.' ? kind.substr(0, wanted.size()) == wanted : kind == wanted;
  });
}

const char* element_words(Element element) {
  switch (element) {
    case Element::probe: return "";
    case Element::integer: return "T = int, ";
    case Element::real: break;
  }
  return "T = float, ";
}

std::string list_wrong(const Values& values) {
  std::string text;
  for (const WrongElement& wrong : values.first_wrong) {
    text += text.empty() ? "" : "; ";
    text += "Y[" + std::to_string(wrong.index) + "] expected " + wrong.expected + ", got " + wrong.got;
  }
  if (values.wrong == 1) return text;
  return text + "; " + std::to_string(values.wrong) + " elements are wrong in all";
}

std::string list_unwritten(const Values& values) {
  std::string text;
  for (const std::uint32_t index : values.first_unwritten)
    text += (text.empty() ? "Y[" : ", Y[") + std::to_string(index) + "]";
  return text + "; " + std::to_string(values.unwritten) + " in all";
}

using Counter = std::uint64_t Values::*;

// The first call with something in `counter`; null where there is none.
const Values* first_with(const LaunchResult& result, Counter counter) {
  for (const Values& values : result.calls)
    if (values.*counter != 0) return &values;
  return nullptr;
}

WrongLaunch find_launch(const std::vector<const Run*>& runs, Counter counter) {
  WrongLaunch wrong;
  for (const Run* run : runs)
    for (const LaunchResult& result : run->results) {
      if (first_with(result, counter) == nullptr) continue;
      if (wrong.launches++ == 0) wrong.run = run, wrong.result = &result;
    }
  return wrong;
}

std::string others(const WrongLaunch& wrong) {
  if (wrong.launches < 2) return ".";
  return ". So it is in " + std::to_string(wrong.launches) + " launches.";
}

void add_wrong(const WrongLaunch& wrong, Check& check) {
  const Values& values = *first_with(*wrong.result, &Values::wrong);
  machine::Finding finding = make_finding(
      "value.wrong", machine::Severity::error,
      where(wrong.run->batch, wrong.result->n) + ": " + list_wrong(values) + others(wrong),
      "Take the smallest N that is wrong and follow the first wrong element through the steps on paper.");
  finding.count = wrong.launches;
  if (!values.first_wrong.empty()) {
    check.expected = values.first_wrong.front().expected;
    check.actual = values.first_wrong.front().got;
  }
  check.add(std::move(finding));
}

void add_unwritten(const WrongLaunch& unwritten, Check& check) {
  const Values& values = *first_with(*unwritten.result, &Values::unwritten);
  machine::Finding finding = make_finding(
      "value.unwritten", machine::Severity::error,
      where(unwritten.run->batch, unwritten.result->n) + ": never written: " + list_unwritten(values) +
          others(unwritten),
      "Which thread should store this element, and what keeps it from doing so?");
  finding.count = unwritten.launches;
  check.add(std::move(finding));
}

}  // namespace

machine::Finding make_finding(std::string kind, machine::Severity severity, std::string message,
                              std::string help) {
  machine::Finding finding;
  finding.kind = std::move(kind);
  finding.severity = severity;
  finding.message = std::move(message);
  finding.help = std::move(help);
  return finding;
}

void add_findings(const Evidence& evidence, unsigned function,
                  std::initializer_list<std::string_view> kinds, Check& check) {
  FindingMerger merger;
  for (const Run& run : evidence.runs()) {
    if (run.purpose == Purpose::second) continue;
    if (function != kAllFunctions && run.batch.function != function) continue;
    for (const LaunchResult& result : run.results)
      for (const machine::Finding& finding : result.report.findings)
        if (matches(finding.kind, kinds)) merger.add(finding);
  }
  for (machine::Finding& finding : merger.take()) check.add(std::move(finding));
}

std::string correctness_check(const Lab& lab, unsigned function) {
  return lab.functions[function].name + " scan: right for every size";
}

void require_soundness(const Evidence& evidence, Check& check) {
  bool any = false;
  for (unsigned function = 0; function < evidence.lab().functions.size(); ++function) {
    check.requirements.push_back(correctness_check(evidence.lab(), function));
    any = any || evidence.sound(function);
  }
  for (const char* name : {"no races", "no thread waits forever", "memory"})
    check.requirements.push_back(name);
  if (!any) check.verdict = Verdict::skip;
}

std::string where(const Batch& batch, unsigned n) {
  std::string text = element_words(batch.element);
  if (const std::string shape = describe(batch.shape); !shape.empty()) text += shape + ", ";
  text += "N = " + std::to_string(n);
  if (batch.schedule != "in_order") text += ", schedule " + batch.schedule;
  return text;
}

void add_wrong_values(const std::vector<const Run*>& runs, Check& check) {
  const WrongLaunch wrong = find_launch(runs, &Values::wrong);
  if (wrong.launches != 0) add_wrong(wrong, check);
  const WrongLaunch unwritten = find_launch(runs, &Values::unwritten);
  if (unwritten.launches != 0) add_unwritten(unwritten, check);
}

std::string ranges(const std::vector<unsigned>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last < i + 2) last = i;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last != i) text += ".." + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace scanlab::harness::judge
