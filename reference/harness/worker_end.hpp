// A worker's death in words.
#pragma once

#include <string>

#include "harness/backend.hpp"
#include "machine/findings.hpp"

namespace scanlab::harness {

bool is_timeout(const RunOutcome& outcome, const CrashReport& crash);

// run.crash or run.timeout, with the line where the worker could tell it.
machine::Finding worker_end_finding(const RunOutcome& outcome, const CrashReport& crash,
                                    const std::string& source);

}  // namespace scanlab::harness
