// What a harness executable keeps while doctest runs: the evidence and the checks made so far.
#pragma once

#include <string>
#include <vector>

#include "harness/cases.hpp"

namespace scanlab::harness {

struct Session {
  const Evidence* evidence = nullptr;
  std::vector<Check> checks;
};

Session& session();

}  // namespace scanlab::harness
