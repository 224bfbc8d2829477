// What is run and what came of it, in the harness's own memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/finding_json.hpp"
#include "harness/protocol.hpp"

namespace scanlab::harness {

// The template arguments of an entry point.
struct Shape {
  unsigned section = 0;  // SECTION_SIZE, or THREADS in `coarsened`; 0 where the driver takes none
  unsigned factor = 0;   // COARSE_FACTOR, or 0
  unsigned length() const { return section * std::max(factor, 1U); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// Launches of one entry point that differ in N alone.
struct Batch {
  unsigned function = 0;
  Element element = Element::probe;
  Shape shape;
  Extent extent;
  std::string schedule = "in_order";
  std::uint64_t schedule_seed = 0;
  std::uint64_t poison_seed = 1;
  bool checkers = true;
  bool efficiency = false;
  bool fresh_worker = false;  // no launch before it in its process
  unsigned repeats = 1;       // calls in a row, with the submission's state kept
  unsigned stop_after = 2;    // launches with an error finding; the rest is not run
  bool optional = false;      // what is costly is left out, and nobody misses it
  std::vector<unsigned> sizes;
  unsigned drawn = 0;         // the N whose network of additions is kept for a drawing; 0 = none
};

struct WrongElement {
  std::uint32_t index = 0;
  std::string expected, got;
};

// The outputs of one call.
struct Values {
  std::uint64_t wrong = 0;
  std::vector<WrongElement> first_wrong;      // at most kListed
  std::uint64_t unwritten = 0;
  std::vector<std::uint32_t> first_unwritten;  // at most kListed
  std::uint64_t undefined = 0;    // written, but with a value that never came from an input (Probe)
  std::uint32_t first_undefined = 0;
  std::uint64_t reordered = 0;    // right for commutative operators only (Probe)
  std::uint64_t by_weight = 0;    // of these, known by their random weights alone
  bool right() const { return wrong == 0 && unwritten == 0 && undefined == 0; }
};

enum class Ending : std::uint8_t {
  done,
  aborted,      // by a finding: the outputs mean nothing
  died,         // took the worker with it
  timed_out,
  not_run,      // for what happened before
  spared,       // the launches before it took so much, or were so often wrong, that we do not wait for this one
  no_instance,  // the lab's entry.cu has none for this shape: our fault
};

struct LaunchResult {
  unsigned n = 0;
  Ending ending = Ending::not_run;
  SlotCounts counts;
  ReportText report;
  std::uint32_t input_changed = 0, input_first = 0;
  std::vector<Values> calls;  // one per repeat; empty unless done

  bool right() const {
    return ending == Ending::done &&
           std::all_of(calls.begin(), calls.end(), [](const Values& v) { return v.right(); });
  }
};

bool has_error(const LaunchResult& result);
bool has_kind(const LaunchResult& result, std::string_view kind);
bool is_wrong(const LaunchResult& result);  // an error finding or a wrong output
LaunchResult spared(unsigned n);

}  // namespace scanlab::harness
