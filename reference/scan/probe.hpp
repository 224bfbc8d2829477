// The graph behind the element type `scanlab::Probe`.
//
// A Probe is a scoped enum over std::uint64_t, so that every load and store of it is a scalar
// access that the machine sees. Value 0 is the identity T{}. Every other value that this file hands
// out holds a random tag in its high 32 bits and a reference in its low 32: an input element
// ("leaf") or an addition ("node"). operator+ calls scanlab_probe_add(), which appends a node to a
// graph kept outside the submission. One run therefore answers, for every output:
//
//   * which run of inputs it is the sum of, by the interval abstraction (a proof for every
//     associative operator, see `strict`) and by its weaker form for commutative operators;
//   * how long the chain of dependent additions behind it is (steps);
//   * how many additions reach an output and how many were made at all (work);
//   * who made them: which launch and thread, or the host.
//
// Source of the interval abstraction: N. Chong, A. F. Donaldson, J. Ketema, "A sound and complete
// abstraction for reasoning about parallel prefix sums", POPL 2014.
//
// An addition only appends two references and an owner; everything else is derived afterwards, in
// one pass over the nodes (an operand is always older than the sum, so their order is topological).
// There is one graph per process and no locking: all CUDA threads are fibers of one OS thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The only function that a submission reaches. Never fails: what is no Probe becomes `undefined`.
extern "C" std::uint64_t scanlab_probe_add(std::uint64_t a, std::uint64_t b);

namespace scanlab::probe {

inline constexpr std::size_t kDefaultNodeLimit = std::size_t{8} << 20;
inline constexpr std::uint64_t kIdentity = 0;

// Forgets everything and draws a new tag and new leaf weights. At most `node_limit` additions are
// kept (capped at 2^31 - 1); later ones are counted, give an undefined value and set
// Summary::overflow.
void begin(std::uint64_t nonce_seed, std::size_t node_limit = kDefaultNodeLimit);

// The value of input element `index` (< 2^31 - 1). Only leaves asked for here are known: any other
// reference is undefined. Asking for a leaf makes all smaller indices known, too.
std::uint64_t leaf(std::size_t index);

// Who executes now: 0 = the host, else launch number in the high 32 bits and 1 + global thread
// number in the low ones (a source that does not number its launches leaves the high bits 0). A
// null source attributes everything to the host.
using OwnerSource = std::uint64_t (*)();
void set_owner_source(OwnerSource source);

constexpr std::uint32_t owner_launch(std::uint64_t owner) {
  return static_cast<std::uint32_t>(owner >> 32);
}
// 0-based global thread number; only for owners that are not the host.
constexpr std::uint32_t owner_thread(std::uint64_t owner) {
  return static_cast<std::uint32_t>(owner) - 1U;
}

enum class Class : std::uint8_t {
  identity,   // the empty sum
  interval,   // the sum of the inputs lo..hi, each once
  top,        // a sum of inputs that are no run, or not each once, or not merged from adjacent runs
  undefined,  // a value that never came from an input, or a sum with such a value
};

struct ProbeValue {
  Class cls = Class::undefined;
  bool strict = false;       // interval only: every merge was earlier + later, so right for every
                             // associative operator; else right for commutative ones
  std::uint32_t lo = 0;      // interval only
  std::uint32_t hi = 0;      // interval only, inclusive
  std::uint32_t depth = 0;   // longest chain of applications of +, those with the identity included
  std::uint64_t weight = 0;  // sum of the random leaf weights modulo 2^61 - 1; 0 when undefined
};

ProbeValue classify(std::uint64_t value);

// The weight that the sum of the inputs first..last (inclusive) must have. Where classify() says
// `top` but the weight agrees, the output is right for commutative operators with probability 1 -
// 2^-61.
std::uint64_t expected_weight(std::size_t first, std::size_t last);
// Of the inclusive prefix sum at `index`.
std::uint64_t expected_weight(std::size_t index);

struct LaunchAdditions {
  std::uint32_t launch = 0;    // owner_launch() of its additions
  std::uint64_t total = 0;     // all additions made in it
  std::uint64_t reaching = 0;  // those that reach an output
};

struct Summary {
  std::uint64_t additions = 0;       // applications of + since begin(), lost ones included
  std::uint64_t reaching = 0;        // those that reach an output
  std::uint64_t host_additions = 0;  // made by the host
  std::uint64_t host_reaching = 0;
  std::uint64_t threads = 0;  // distinct owners (host left out) of additions that reach an output
  std::uint64_t busiest_thread = 0;       // most reaching additions of one of them
  std::uint32_t max_depth = 0;            // over the outputs
  std::vector<LaunchAdditions> launches;  // ascending by launch
  bool overflow = false;                  // node limit hit: only `additions` is exact
};

Summary summarise(std::span<const std::uint64_t> outputs);

// Applications of + since begin().
std::uint64_t additions();

// --- the network, for drawings -------------------------------------------------------------------

// What an addition or an output refers to.
struct Reference {
  enum class Kind : std::uint8_t { identity, leaf, node, undefined };
  Kind kind = Kind::undefined;
  std::uint32_t index = 0;  // leaf: input index; node: index into Network::nodes
};

struct NetworkNode {
  Reference left, right;
  std::uint32_t level = 0;  // 1 + the deeper operand's level; leaves are level 0
  std::uint64_t owner = 0;
  ProbeValue value;
  std::uint32_t number = 0;  // among all additions since begin(), those that reach no output included
};

struct Network {
  std::vector<NetworkNode> nodes;  // those that reach an output, operands before sums
  std::vector<Reference> outputs;  // one per output asked for
};

Network network(std::span<const std::uint64_t> outputs);

// {"nodes": [[level, launch, thread, lo, hi, left, right], ...], "outputs": [ref, ...]}; thread is
// -1 for the host, lo and hi are -1 where the value is no interval; a reference is "i3" (input),
// "n7" (node), "e" (identity) or "?".
std::string to_json(const Network& network);

// Equal for two runs (of any nonce) exactly when every output is the same tree of additions over
// the same inputs, up to hash collisions. Owners do not count. Undefined values are all alike.
std::uint64_t fingerprint(std::span<const std::uint64_t> outputs);

}  // namespace scanlab::probe
