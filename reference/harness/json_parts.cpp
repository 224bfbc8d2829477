#include "harness/json_parts.hpp"

namespace scanlab::harness {

using nlohmann::ordered_json;

ordered_json to_json(const machine::Index3& index) {
  return ordered_json::array({index.x, index.y, index.z});
}

ordered_json to_json(const machine::Site& site) {
  return {{"file", site.file},
          {"line", site.line},
          {"block", to_json(site.block)},
          {"thread", to_json(site.thread)},
          {"access", site.access}};
}

ordered_json to_json(const machine::Finding& finding) {
  ordered_json sites = ordered_json::array();
  for (const machine::Site& site : finding.sites) sites.push_back(to_json(site));
  return {{"kind", finding.kind},       {"severity", machine::to_string(finding.severity)},
          {"message", finding.message}, {"help", finding.help},
          {"sites", sites},             {"count", finding.count}};
}

}  // namespace scanlab::harness
