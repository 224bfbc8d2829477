#include "harness/finding_json.hpp"

#include <algorithm>

#include "harness/json_parts.hpp"
#include "harness/network_text.hpp"

namespace scanlab::harness {
namespace {

using json = nlohmann::ordered_json;
using machine::Finding;
using machine::Index3;
using machine::LineTraffic;
using machine::Severity;
using machine::Site;

constexpr std::size_t kMaxFindings = 24;  // per launch
constexpr std::size_t kMaxOutput = 4096;  // characters that a launch printed

json traffic_json(const LineTraffic& line) {
  return {{"file", line.file},         {"line", line.line},
          {"global", line.global},     {"store", line.store},
          {"requests", line.requests}, {"lanes", line.active_lanes},
          {"sectors", line.sectors},   {"ideal", line.ideal_sectors},
          {"conflict", line.worst_conflict}};
}

// The value under `key`, or T{} where there is none of that type.
template <typename T>
T get(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return T{};
  if constexpr (std::is_same_v<T, std::string>) return found->is_string() ? found->get<T>() : T{};
  else if constexpr (std::is_same_v<T, bool>) return found->is_boolean() && found->get<bool>();
  else return found->is_number_unsigned() ? found->get<T>() : T{};
}

Index3 index_from(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() || found->size() != 3) return {};
  const auto at = [&](std::size_t i) {
    return (*found)[i].is_number_unsigned() ? (*found)[i].get<unsigned>() : 0U;
  };
  return {at(0), at(1), at(2)};
}

Site site_from(const json& object) {
  return {get<std::string>(object, "file"), get<unsigned>(object, "line"),
          index_from(object, "block"), index_from(object, "thread"),
          get<std::string>(object, "access")};
}

// Calls `take` for every object of the array under `key`.
template <typename Take>
void for_each_object(const json& object, const char* key, Take take) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return;
  for (const json& entry : *found)
    if (entry.is_object()) take(entry);
}

Severity severity_from(const std::string& name) {
  for (const Severity severity : {Severity::note, Severity::warning})
    if (name == machine::to_string(severity)) return severity;
  return Severity::error;
}

Finding finding_from(const json& object) {
  Finding finding;
  finding.kind = get<std::string>(object, "kind");
  finding.severity = severity_from(get<std::string>(object, "severity"));
  finding.message = get<std::string>(object, "message");
  finding.help = get<std::string>(object, "help");
  finding.count = std::max<std::uint64_t>(get<std::uint64_t>(object, "count"), 1);
  for_each_object(object, "sites", [&](const json& site) { finding.sites.push_back(site_from(site)); });
  return finding;
}

LineTraffic traffic_from(const json& object) {
  LineTraffic line;
  line.file = get<std::string>(object, "file");
  line.line = get<unsigned>(object, "line");
  line.global = get<bool>(object, "global");
  line.store = get<bool>(object, "store");
  line.requests = get<std::uint64_t>(object, "requests");
  line.active_lanes = get<std::uint64_t>(object, "lanes");
  line.sectors = get<std::uint64_t>(object, "sectors");
  line.ideal_sectors = get<std::uint64_t>(object, "ideal");
  line.worst_conflict = get<unsigned>(object, "conflict");
  return line;
}

}  // namespace

std::string report_to_text(const machine::Report& report, const std::string& network) {
  json text = json::object();
  for (std::size_t i = 0; i < std::min(report.findings.size(), kMaxFindings); ++i)
    text["findings"].push_back(to_json(report.findings[i]));
  for (const machine::LaunchRecord& launch : report.launches)
    for (const LineTraffic& line : launch.traffic) text["traffic"].push_back(traffic_json(line));
  if (!report.output.empty()) text["output"] = report.output.substr(0, kMaxOutput);
  if (!network.empty()) text["network"] = network;
  if (text.empty()) return {};
  return text.dump(-1, ' ', true, json::error_handler_t::replace);
}

ReportText text_to_report(std::string_view text) {
  ReportText result;
  const json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object()) return result;
  for_each_object(parsed, "findings", [&](const json& f) { result.findings.push_back(finding_from(f)); });
  for_each_object(parsed, "traffic", [&](const json& l) { result.traffic.push_back(traffic_from(l)); });
  result.output = get<std::string>(parsed, "output");
  result.network = checked_network(get<std::string>(parsed, "network"));
  return result;
}

}  // namespace scanlab::harness
