#include "harness/worker/drawing.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "harness/network_text.hpp"
#include "machine/machine.hpp"
#include "scan/probe.hpp"

namespace scanlab::harness {
namespace {

using Interval =
    std::pair<std::uint32_t, std::uint64_t>;  // launch, barriers that the block went through

constexpr std::size_t kMostAdditions = std::size_t{1} << 16;  // those that reach no output included

std::vector<std::uint64_t> barriers;  // by addition

std::uint32_t level_of(const probe::Reference& reference, const probe::Network& network) {
  return reference.kind == probe::Reference::Kind::node ? network.nodes[reference.index].level : 0;
}

void set_rows(probe::Network& network) {
  std::map<Interval, std::uint32_t> deepest;
  std::map<std::uint64_t, std::uint32_t> last;  // by owner
  for (probe::NetworkNode& node : network.nodes) {
    const Interval interval{probe::owner_launch(node.owner), barriers[node.number]};
    const auto here = deepest.lower_bound(interval);
    const std::uint32_t above = here == deepest.begin() ? 0 : std::prev(here)->second;
    std::uint32_t& own = last[node.owner];
    own = node.level =
        1 + std::max({level_of(node.left, network), level_of(node.right, network), above, own});
    std::uint32_t& most = deepest[interval];
    most = std::max(most, node.level);
  }
}

}  // namespace

std::uint64_t owner_in_interval() {
  if (barriers.size() < kMostAdditions) barriers.push_back(machine::current_barriers());
  return machine::current_owner();
}

void begin_drawing() {
  barriers.clear();
  barriers.reserve(kMostAdditions);  // a device thread's stack is no place to grow it
}

std::string drawn_network(std::span<const std::uint64_t> outputs) {
  if (outputs.size() > kMostLanes || probe::additions() > barriers.size()) return {};
  probe::Network network = probe::network(outputs);
  if (network.nodes.empty() || network.nodes.size() > kMostNodes) return {};
  set_rows(network);
  return probe::to_json(network);
}

}  // namespace scanlab::harness
