// Findings as JSON: between worker and harness, and in result files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"

namespace scanlab::harness {

// What a report says beside numbers, and the network of additions (probe::to_json()) where there is one.
// Empty when there is nothing to say.
std::string report_to_text(const machine::Report& report, const std::string& network = {});

struct ReportText {
  std::vector<machine::Finding> findings;
  std::vector<machine::LineTraffic> traffic;
  std::string output;
  std::string network;  // looked through by checked_network(); empty = none
};
// Takes any bytes; what is not understood is left out.
ReportText text_to_report(std::string_view text);

}  // namespace scanlab::harness
