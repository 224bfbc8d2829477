// What a lab's harness.cpp says about its lab. Everything else is shared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/launch.hpp"
#include "machine/findings.hpp"
#include "scan/cost_model.hpp"

namespace scanlab::harness {

enum class Launched : std::uint8_t {
  by_harness,  // a kernel, one block for each section; each section is scanned on its own
  by_driver,   // by the student's host function, which scans the whole array
};

// One entry point; its place in Lab::functions is Request::function in entry.cu.
struct Function {
  std::string name;  // "inclusive", "exclusive"
  bool exclusive = false;
};

// Which efficiency findings cost points (CONTRACT section 4).
struct Severities {
  machine::Severity barriers = machine::Severity::warning;
  machine::Severity coalescing = machine::Severity::warning;
  machine::Severity divergence = machine::Severity::warning;
};

struct Lab {
  std::string name;
  Launched launched = Launched::by_harness;
  std::vector<Function> functions = {{"inclusive", false}};
  std::vector<Shape> shapes;         // that entry.cu knows for the proving type
  std::vector<Shape> number_shapes;  // of these, those that it knows for int and float
  std::optional<cost::Algorithm> algorithm;  // for work, steps and barriers; none = linear work is all
  bool provable = true;              // no flags between blocks: one run proves a launch shape
  unsigned random_schedules = 2;
  unsigned bank_conflicts = 32;      // the worst degree that the algorithm's own mapping has
  Severities severities = {};
};

// What the outputs of a function are sums of.
Extent extent_of(const Lab& lab, unsigned function, const Shape& shape);
// "SECTION_SIZE = 64" or "THREADS = 64, COARSE_FACTOR = 4"; empty where there is nothing to choose.
std::string describe(const Shape& shape);

}  // namespace scanlab::harness
