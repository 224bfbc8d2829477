// The command line of scanlab_run:
//   --submission S.so --source NAME.cu [--json OUT] [--checks all|none|KIND,...] [--schedule NAME|SEED] [-- ARGS]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"

namespace scanlab::harness {

struct RunOptions {
  std::string submission, source, json;
  std::string checks = "all";
  std::vector<std::string> kinds;  // asked for one by one; empty = all or none
  machine::Options machine;
  std::vector<std::string> arguments;  // the program's own

  // Findings of this kind are to be said. What ends a program is always said.
  bool wants(std::string_view kind) const;
};

// Throws std::invalid_argument with a sentence for the user.
RunOptions parse_run_options(const std::vector<std::string>& arguments);

}  // namespace scanlab::harness
