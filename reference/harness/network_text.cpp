#include "harness/network_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace scanlab::harness {
namespace {

using json = nlohmann::ordered_json;
using Levels = std::vector<std::int64_t>;  // of the nodes so far

constexpr std::int64_t kNoInterval = -1;  // also the thread number of the host
constexpr std::uint32_t kLargest = std::numeric_limits<std::int32_t>::max();

// A whole number from `least` to `most`.
std::optional<std::int64_t> number(const json& value, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > kLargest) return std::nullopt;
  const auto read = value.get<std::int64_t>();
  if (read < least || read > most) return std::nullopt;
  return read;
}

// The level of what a reference names: "i3", "n7", "e" or "?". Nothing where there is no such
// thing.
std::optional<std::int64_t> level_of(const json& value, const Levels& levels) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "e" || text == "?") return 0;
  std::size_t index = 0;
  const char* const end = text.data() + text.size();
  if (text.size() < 2 || std::from_chars(text.data() + 1, end, index).ptr != end)
    return std::nullopt;
  if (text[0] == 'i' && index < kMostLanes) return 0;
  if (text[0] == 'n' && index < levels.size()) return levels[index];
  return std::nullopt;
}

bool is_interval(const json& low, const json& high) {
  const auto first = number(low, kNoInterval, kMostLanes - 1),
             last = number(high, kNoInterval, kMostLanes - 1);
  if (!first || !last) return false;
  return (*first == kNoInterval) == (*last == kNoInterval) && *first <= *last;
}

// [level, launch, thread, lo, hi, left, right]; adds its level to `levels`.
bool is_node(const json& node, Levels& levels) {
  if (!node.is_array() || node.size() != 7) return false;
  const auto level = number(node[0], 1, kMostNodes);
  if (!level || !number(node[1], 0, kLargest) || !number(node[2], kNoInterval, kLargest))
    return false;
  if (!is_interval(node[3], node[4])) return false;
  const auto left = level_of(node[5], levels), right = level_of(node[6], levels);
  if (!left || !right || *level <= std::max(*left, *right)) return false;
  levels.push_back(*level);
  return true;
}

bool is_array(const json& object, const char* key, std::size_t most) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() && !found->empty() && found->size() <= most;
}

bool is_network(const json& network) {
  if (!network.is_object() || network.size() != 2) return false;
  if (!is_array(network, "nodes", kMostNodes) || !is_array(network, "outputs", kMostLanes))
    return false;
  Levels levels;
  for (const json& node : network["nodes"])
    if (!is_node(node, levels)) return false;
  for (const json& output : network["outputs"])
    if (!level_of(output, levels)) return false;
  return true;
}

}  // namespace

std::string checked_network(std::string_view text) {
  if (!is_network(json::parse(text, nullptr, false))) return {};
  return std::string(text);
}

}  // namespace scanlab::harness
