// The harness's command line, as a table.
#pragma once

#include <string>
#include <vector>

#include "harness/check.hpp"
#include "harness/collect.hpp"

namespace scanlab::harness {

struct Options {
  CollectOptions collect;
  std::string json;       // where the result goes; empty = nowhere
  std::string sha256;     // of the submission, for the result
  std::string sandbox = "none";
  bool help = false;
};

// Throws std::invalid_argument with a sentence for the user. Arguments that begin with "--dt-" are doctest's.
Options parse_options(const std::vector<std::string>& arguments);
std::string usage(const std::string& program);

}  // namespace scanlab::harness
