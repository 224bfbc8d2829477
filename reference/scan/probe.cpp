#include "scan/probe.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

namespace {

// References, the low half of a value. 0 is never handed out, so a bare tag is no value.
constexpr std::uint32_t kNodeBit = 0x80000000U;
constexpr std::uint32_t kUndefinedReference = 0xFFFFFFFFU;
constexpr std::size_t kChunkNodes = std::size_t{1} << 15;

struct Node {
  std::uint32_t left;  // a reference, 0 = identity
  std::uint32_t right;
  std::uint64_t owner;
};

struct Chunk {
  Node nodes[kChunkNodes];
};

std::uint64_t host_owner() { return 0; }

// What scanlab_probe_add() touches, in one or two cache lines.
struct Hot {
  Node* cursor = nullptr;  // where the next node goes
  Node* chunk_end = nullptr;
  std::uint32_t tag = 1;
  std::uint32_t nodes = 0;
  std::uint32_t leaves = 0;
  std::uint32_t node_limit = 0;
  std::uint64_t lost = 0;  // additions beyond the limit
  scanlab::probe::OwnerSource owner = host_owner;
};

Hot hot;
std::vector<std::unique_ptr<Chunk>> chunks;

const Node& node_at(std::size_t index) {
  return chunks[index / kChunkNodes]->nodes[index % kChunkNodes];
}

// Calls f(node, index) for the nodes from index `first` on.
template <typename F>
void for_nodes(std::size_t first, F f) {
  for (std::size_t i = first; i < hot.nodes;) {
    const Node* const nodes = chunks[i / kChunkNodes]->nodes;
    const std::size_t end = std::min<std::size_t>(hot.nodes, (i / kChunkNodes + 1) * kChunkNodes);
    for (; i < end; ++i) f(nodes[i % kChunkNodes], i);
  }
}

// Chunks are kept from run to run, so a chunk may be there already.
void next_chunk() {
  const std::size_t index = hot.nodes / kChunkNodes;
  if (index == chunks.size()) chunks.push_back(std::make_unique_for_overwrite<Chunk>());
  hot.cursor = chunks[index]->nodes;
  hot.chunk_end = hot.cursor + kChunkNodes;
}

// 0 for the identity, kUndefinedReference for what begin() .. now never handed out.
inline std::uint32_t reference_of(std::uint64_t value) {
  if (value == 0) return 0;
  const auto reference = static_cast<std::uint32_t>(value);
  if (static_cast<std::uint32_t>(value >> 32) != hot.tag) return kUndefinedReference;
  const bool known = (reference & kNodeBit) != 0 ? (reference & ~kNodeBit) < hot.nodes
                                                 : reference - 1U < hot.leaves;
  return known ? reference : kUndefinedReference;
}

inline std::uint64_t value_of(std::uint32_t reference) {
  return (static_cast<std::uint64_t>(hot.tag) << 32) | reference;
}

}  // namespace

extern "C" std::uint64_t scanlab_probe_add(std::uint64_t a, std::uint64_t b) {
  if (hot.cursor == hot.chunk_end) {
    if (hot.nodes == hot.node_limit) {
      ++hot.lost;
      return value_of(kUndefinedReference);
    }
    next_chunk();
  }
  *hot.cursor++ = {reference_of(a), reference_of(b), hot.owner()};
  return value_of(kNodeBit | hot.nodes++);
}

namespace scanlab::probe {
namespace {

constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61) - 1;

// Derived from a node and its operands, or of an input or a special value.
struct Derived {
  std::uint64_t weight = 0;
  std::uint64_t hash = 0;  // of the tree of additions
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  std::uint32_t depth = 0;
  Class cls = Class::undefined;
  bool strict = false;
};
static_assert(sizeof(Derived) == 32);  // two of them in a cache line

constexpr Derived kUndefined{0, 2, 0, 0, 0, Class::undefined, false};
constexpr Derived kEmpty{0, 1, 0, 0, 0, Class::identity, true};

std::vector<Derived> derived;  // by node: the first `derived_nodes`, and what is left of other runs
std::size_t derived_nodes = 0;
std::vector<Derived> inputs;                // by leaf
std::vector<std::uint64_t> prefix_weights;  // prefix_weights[i] = sum of the first i leaf weights
std::uint64_t weight_seed = 0;

std::uint64_t mix(std::uint64_t x) {  // splitmix64 (Steele, Lea, Flood 2014)
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

std::uint64_t add_weights(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kModulus ? sum - kModulus : sum;
}

void draw_weights(std::size_t count) {
  if (prefix_weights.empty()) prefix_weights.push_back(0);
  while (inputs.size() < count) {
    const auto index = static_cast<std::uint32_t>(inputs.size());
    const std::uint64_t weight = mix(weight_seed + index) % kModulus;
    inputs.push_back({weight, mix(~std::uint64_t{index}), index, index, 0, Class::interval, true});
    prefix_weights.push_back(add_weights(prefix_weights.back(), weight));
  }
}

// Of leaves whose weights are drawn and of nodes that are derived.
const Derived& derived_of(std::uint32_t reference) {
  if (reference == 0) return kEmpty;
  if (reference == kUndefinedReference) return kUndefined;
  if ((reference & kNodeBit) != 0) return derived[reference & ~kNodeBit];
  return inputs[reference - 1];
}

// Sets class, bounds and strictness of the sum of two values that are neither undefined.
void merge(const Derived& a, const Derived& b, Derived& sum) {
  const Derived& other = a.cls == Class::identity ? b : a;
  if (a.cls == Class::identity || b.cls == Class::identity) {
    sum.cls = other.cls, sum.lo = other.lo, sum.hi = other.hi, sum.strict = other.strict;
    return;
  }
  sum.cls = Class::top;
  if (a.cls == Class::top || b.cls == Class::top) return;
  const bool in_order = a.hi + 1 == b.lo;
  if (!in_order && b.hi + 1 != a.lo) return;
  sum.cls = Class::interval;
  sum.lo = std::min(a.lo, b.lo);
  sum.hi = std::max(a.hi, b.hi);
  sum.strict = in_order && a.strict && b.strict;
}

Derived derive_sum(const Derived& a, const Derived& b) {
  Derived sum;
  sum.depth = 1 + std::max(a.depth, b.depth);
  sum.hash = mix(a.hash * 3 + b.hash);
  if (a.cls == Class::undefined || b.cls == Class::undefined) return sum;
  sum.weight = add_weights(a.weight, b.weight);
  merge(a, b, sum);
  return sum;
}

// Brings `derived` up to the nodes of now.
void derive_all() {
  draw_weights(hot.leaves);
  if (derived.size() < hot.nodes) derived.resize(hot.nodes);
  for_nodes(derived_nodes, [](const Node& node, std::size_t i) {
    derived[i] = derive_sum(derived_of(node.left), derived_of(node.right));
  });
  derived_nodes = hot.nodes;
}

// Not 0 at the index of every node that an output depends on.
std::vector<std::uint8_t> reached_nodes(std::span<const std::uint64_t> outputs) {
  std::vector<std::uint8_t> reached(hot.nodes, 0);
  const auto reach = [&](std::uint32_t reference) {
    if ((reference & kNodeBit) != 0 && reference != kUndefinedReference)
      reached[reference & ~kNodeBit] = 1;
  };
  for (const std::uint64_t output : outputs) reach(reference_of(output));
  for (std::size_t i = hot.nodes; i-- > 0;) {
    if (reached[i] == 0) continue;
    reach(node_at(i).left);
    reach(node_at(i).right);
  }
  return reached;
}

ProbeValue public_value(const Derived& d) {
  return {d.cls, d.strict && d.cls == Class::interval, d.lo, d.hi, d.depth, d.weight};
}

}  // namespace

void begin(std::uint64_t nonce_seed, std::size_t node_limit) {
  // Whole chunks, so that add() checks the limit only when a chunk is full.
  const std::size_t most = (std::size_t{kNodeBit} / kChunkNodes - 1) * kChunkNodes;
  const std::size_t whole =
      (std::min(node_limit, most) + kChunkNodes - 1) / kChunkNodes * kChunkNodes;
  hot.node_limit = static_cast<std::uint32_t>(whole);
  hot.cursor = hot.chunk_end = nullptr;
  hot.nodes = 0;
  hot.leaves = 0;
  hot.lost = 0;
  hot.tag = static_cast<std::uint32_t>(mix(nonce_seed) >> 32) | 1U;
  weight_seed = mix(nonce_seed + 1);
  derived_nodes = 0;
  inputs.clear();
  prefix_weights.clear();
}

std::uint64_t leaf(std::size_t index) {
  if (index >= kNodeBit - 1U) return value_of(kUndefinedReference);
  const auto reference = static_cast<std::uint32_t>(index) + 1U;
  hot.leaves = std::max(hot.leaves, reference);
  return value_of(reference);
}

void set_owner_source(OwnerSource source) { hot.owner = source != nullptr ? source : host_owner; }

ProbeValue classify(std::uint64_t value) {
  derive_all();
  return public_value(derived_of(reference_of(value)));
}

std::uint64_t expected_weight(std::size_t first, std::size_t last) {
  draw_weights(last + 1);
  return add_weights(prefix_weights[last + 1], kModulus - prefix_weights[first]) % kModulus;
}

std::uint64_t expected_weight(std::size_t index) { return expected_weight(0, index); }

std::uint64_t additions() { return hot.nodes + hot.lost; }

namespace {

// Additions by owner and by launch, each split into all and reaching.
class Tally {
 public:
  void add(std::uint64_t owner, bool reaching) {
    const std::uint64_t one = reaching ? 1 : 0;
    summary_.reaching += one;
    if (owner == 0) {
      ++summary_.host_additions;
      summary_.host_reaching += one;
      return;
    }
    Launch& launch = launch_of(owner_launch(owner));
    ++launch.additions.total;
    launch.additions.reaching += one;
    if (reaching) ++count_of(launch, owner_thread(owner));
  }

  Summary finish() {
    for (const auto& [number, launch] : launches_) {
      summary_.launches.push_back(launch.additions);
      for (const std::uint32_t count : launch.first_threads) note_thread(count);
      for (const auto& [thread, count] : launch.other_threads) note_thread(count);
    }
    return summary_;
  }

 private:
  static constexpr std::uint32_t kFirst = 1 << 16;  // threads that are found by their number

  struct Launch {
    LaunchAdditions additions;
    std::vector<std::uint32_t> first_threads;  // reaching additions of each
    std::unordered_map<std::uint32_t, std::uint32_t> other_threads;
  };

  // Most often that of the addition before.
  Launch& launch_of(std::uint32_t number) {
    if (last_ == nullptr || last_->additions.launch != number) last_ = &launches_[number];
    last_->additions.launch = number;
    return *last_;
  }

  static std::uint32_t& count_of(Launch& launch, std::uint32_t thread) {
    if (thread >= kFirst) return launch.other_threads[thread];
    if (thread >= launch.first_threads.size()) launch.first_threads.resize(thread + 1);
    return launch.first_threads[thread];
  }

  void note_thread(std::uint32_t additions) {
    if (additions != 0) ++summary_.threads;
    summary_.busiest_thread = std::max<std::uint64_t>(summary_.busiest_thread, additions);
  }

  Summary summary_;
  Launch* last_ = nullptr;
  std::map<std::uint32_t, Launch> launches_;
};

}  // namespace

Summary summarise(std::span<const std::uint64_t> outputs) {
  derive_all();
  const std::vector<std::uint8_t> reached = reached_nodes(outputs);
  Tally tally;
  for_nodes(0, [&](const Node& node, std::size_t i) { tally.add(node.owner, reached[i] != 0); });
  Summary summary = tally.finish();
  summary.additions = additions();
  summary.overflow = hot.lost != 0;
  for (const std::uint64_t output : outputs)
    summary.max_depth = std::max(summary.max_depth, derived_of(reference_of(output)).depth);
  return summary;
}

namespace {

// `numbers` maps a node's index in the graph to its index in the network.
Reference public_reference(std::uint32_t reference, const std::vector<std::uint32_t>& numbers) {
  using Kind = Reference::Kind;
  if (reference == 0) return {Kind::identity, 0};
  if (reference == kUndefinedReference) return {Kind::undefined, 0};
  if ((reference & kNodeBit) != 0) return {Kind::node, numbers[reference & ~kNodeBit]};
  return {Kind::leaf, reference - 1};
}

std::string reference_json(const Reference& reference) {
  switch (reference.kind) {
    case Reference::Kind::identity:
      return "\"e\"";
    case Reference::Kind::leaf:
      return "\"i" + std::to_string(reference.index) + "\"";
    case Reference::Kind::node:
      return "\"n" + std::to_string(reference.index) + "\"";
    case Reference::Kind::undefined:
      break;
  }
  return "\"?\"";
}

std::string node_json(const NetworkNode& node) {
  const bool interval = node.value.cls == Class::interval;
  std::string json =
      "[" + std::to_string(node.level) + "," + std::to_string(owner_launch(node.owner));
  json += "," + (node.owner == 0 ? "-1" : std::to_string(owner_thread(node.owner)));
  json += "," + (interval ? std::to_string(node.value.lo) : "-1");
  json += "," + (interval ? std::to_string(node.value.hi) : "-1");
  json += "," + reference_json(node.left) + "," + reference_json(node.right) + "]";
  return json;
}

}  // namespace

Network network(std::span<const std::uint64_t> outputs) {
  derive_all();
  const std::vector<std::uint8_t> reached = reached_nodes(outputs);
  std::vector<std::uint32_t> numbers(reached.size(), 0);
  Network result;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == 0) continue;
    numbers[i] = static_cast<std::uint32_t>(result.nodes.size());
    const Node& node = node_at(i);
    result.nodes.push_back({public_reference(node.left, numbers),
                            public_reference(node.right, numbers), derived[i].depth, node.owner,
                            public_value(derived[i]), static_cast<std::uint32_t>(i)});
  }
  for (const std::uint64_t output : outputs)
    result.outputs.push_back(public_reference(reference_of(output), numbers));
  return result;
}

std::string to_json(const Network& network) {
  std::string json = "{\"nodes\": [";
  for (std::size_t i = 0; i < network.nodes.size(); ++i)
    json += (i == 0 ? "" : ", ") + node_json(network.nodes[i]);
  json += "], \"outputs\": [";
  for (std::size_t i = 0; i < network.outputs.size(); ++i)
    json += (i == 0 ? "" : ", ") + reference_json(network.outputs[i]);
  return json + "]}";
}

std::uint64_t fingerprint(std::span<const std::uint64_t> outputs) {
  derive_all();
  std::uint64_t all = outputs.size();
  for (const std::uint64_t output : outputs) all = mix(all + derived_of(reference_of(output)).hash);
  return all;
}

}  // namespace scanlab::probe
