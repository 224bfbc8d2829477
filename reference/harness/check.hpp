// One check of a result file (CONTRACT section 3): a doctest test case and what it found.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "machine/findings.hpp"

namespace scanlab::harness {

enum class Verdict : std::uint8_t { pass, fail, skip, error };

// A number, a text, a list of texts, or nothing.
struct Datum {
  enum class Kind : std::uint8_t { nothing, number, text, list };
  Kind kind = Kind::nothing;
  std::uint64_t number = 0;
  std::vector<std::string> texts;

  Datum() = default;
  Datum(std::uint64_t value) : kind(Kind::number), number(value) {}
  Datum(std::string value) : kind(Kind::text), texts{std::move(value)} {}
  Datum(std::vector<std::string> values) : kind(Kind::list), texts(std::move(values)) {}
};

struct Check {
  std::string name;
  Verdict verdict = Verdict::pass;
  std::vector<std::string> requirements = {"builds"};
  std::vector<machine::Finding> findings;
  Datum expected, actual;
  std::vector<std::pair<std::string, Datum>> measured;
  std::string network;  // of additions, as probe::to_json() writes it; empty = none

  void add(machine::Finding finding);
  void measure(std::string what, Datum value) { measured.emplace_back(std::move(what), std::move(value)); }
};

// Findings of one kind at the same lines are one finding: counts add up, the gravest severity stays, the
// first one's words stay. At most kMostOfAKind of a kind are kept, errors first.
class FindingMerger {
 public:
  static constexpr std::size_t kMostOfAKind = 5;
  void add(const machine::Finding& finding);
  std::vector<machine::Finding> take();

 private:
  std::vector<machine::Finding> merged_;
};

// Makes an error of the machine's note that memory nobody wrote was read: the value reached an output.
void mark_reached(machine::Finding& finding);

// Everything that a result file holds beside the checks. Points are the rubric's: 0 here.
struct ResultHead {
  std::string lab, file, sha256, sandbox;
  std::uint64_t seed = 0;
};
struct GraderError {
  std::string kind, message;
};

// The text of a result file, schema scanlab/result/v1.
std::string to_json(const ResultHead& head, const std::vector<Check>& checks, const GraderError* error);
// By way of a second file in the same folder, so that nobody sees half of it. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& text);

}  // namespace scanlab::harness
