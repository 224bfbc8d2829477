// Findings as JSON, the same in result files, in run files and between worker and harness.
#pragma once

#include <nlohmann/json.hpp>

#include "machine/findings.hpp"

namespace scanlab::harness {

nlohmann::ordered_json to_json(const machine::Index3& index);
nlohmann::ordered_json to_json(const machine::Site& site);
nlohmann::ordered_json to_json(const machine::Finding& finding);

}  // namespace scanlab::harness
