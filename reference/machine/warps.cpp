// __syncwarp, shuffles and votes: real meetings of the lanes named in the mask. No lockstep is
// assumed.
#include <bit>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

#define SCANLAB_PC __builtin_return_address(0)

namespace scanlab::machine {
namespace {

enum Operation : std::uint32_t { kSync, kShuffle, kVote };  // low bits of Thread::operation
constexpr std::uint32_t kKindShift = 4;

std::uint32_t operation(Operation what, unsigned kind) { return what | (kind << kKindShift); }

struct Warp {
  Block& block;
  unsigned number;
  Thread* lane(unsigned i) const {
    const std::size_t linear = std::size_t{number} * kWarpSize + i;
    return linear < block.threads.size() ? &block.threads[linear] : nullptr;
  }
};

bool arrived(const Thread& lane, std::uint32_t mask, std::uint32_t what) {
  return lane.wait == Wait::warp && lane.warp_mask == mask && lane.operation == what;
}

// The lanes of `mask` that exist and live; zero while one of them is still missing.
std::uint32_t meeting(const Warp& warp, std::uint32_t mask, std::uint32_t what) {
  std::uint32_t lanes = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Thread* lane = warp.lane(i);
    if (lane == nullptr || lane->wait == Wait::exited) continue;
    if (!arrived(*lane, mask, what)) return 0;
    lanes |= 1u << i;
  }
  return lanes;
}

unsigned source_lane(const Thread& self, unsigned kind) {
  const int lane = static_cast<int>(self.lane()), width = self.width, first = lane / width * width;
  const int inside = lane - first, argument = self.lane_argument;
  int from = lane;
  if (kind == 0) from = first + (argument & (width - 1));
  if (kind == 1) from = inside - argument >= 0 ? lane - argument : lane;
  if (kind == 2) from = inside + argument < width ? lane + argument : lane;
  if (kind == 3)
    from =
        (lane ^ argument) < first + width ? lane ^ argument : lane;  // an earlier group may be read
  return static_cast<unsigned>(from);
}

std::uint64_t vote(const Warp& warp, std::uint32_t lanes, const Thread& self, unsigned kind) {
  std::uint32_t ballot = 0, equal = 0;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    if (warp.lane(i)->operand != 0) ballot |= 1u << i;
    if (warp.lane(i)->operand == self.operand) equal |= 1u << i;
  }
  if (kind == 1) return ballot == lanes;
  if (kind == 2) return ballot != 0;
  return kind == 3 ? equal : ballot;
}

void answer(const Warp& warp, std::uint32_t lanes, Thread& lane) {
  const unsigned kind = lane.operation >> kKindShift;
  const auto what = static_cast<Operation>(lane.operation & ((1u << kKindShift) - 1));
  if (what == kVote) lane.result = vote(warp, lanes, lane, kind);
  if (what != kShuffle) return;
  const unsigned from = source_lane(lane, kind);
  // A lane that takes no part has no defined value to give: poison shows it.
  lane.result = (lanes >> from & 1) != 0 ? warp.lane(from)->operand : poison_word();
}

void complete(const Warp& warp, std::uint32_t lanes) {
  Engine& e = engine();
  const bool orders_memory =
      (warp.lane(static_cast<unsigned>(std::countr_zero(lanes)))->operation & 0xf) == kSync;
  for (unsigned i = 0; i < kWarpSize; ++i)
    if ((lanes >> i & 1) != 0) answer(warp, lanes, *warp.lane(i));
  if (orders_memory)
    for (Observer* observer : e.on_warp_sync) observer->warp_sync(warp.block, warp.number, lanes);
  for (unsigned i = 0; i < kWarpSize; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    warp.lane(i)->wait = Wait::none;
    advance_clock(*warp.lane(i));
  }
}

constexpr unsigned kGatherRounds =
    32;  // so long a lane waits for others to come to the same __activemask()

// Every lane of the warp is at an __activemask(), waits somewhere or has left.
bool settled(const Warp& warp) {
  for (unsigned i = 0; i < kWarpSize; ++i) {
    const Thread* lane = warp.lane(i);
    if (lane != nullptr && wait_of(*lane) == Wait::none && lane->gathering == nullptr &&
        !lane->polling)
      return false;
  }
  return true;
}

void answer_gathering(const Warp& warp, Pc pc) {
  std::uint32_t lanes = 0;
  for (unsigned i = 0; i < kWarpSize; ++i)
    if (warp.lane(i) != nullptr && warp.lane(i)->gathering == pc) lanes |= 1u << i;
  for (unsigned i = 0; i < kWarpSize; ++i) {
    if ((lanes >> i & 1) == 0) continue;
    warp.lane(i)->result = lanes;
    warp.lane(i)->gathering = nullptr;
  }
}

// Which lanes are together is the hardware's choice. Here those are that come to the same place
// before the rest of the warp waits for something: all of them in straight code, those of the
// branch in a branch.
std::uint32_t gather(Thread& self, Pc pc) {
  const Warp warp{*self.block, self.warp()};
  self.gathering = pc;
  self.polling = false;
  for (unsigned round = 0; self.gathering != nullptr; ++round) {
    if (settled(warp) || round == kGatherRounds) {
      answer_gathering(warp, pc);
    } else {
      yield_thread();
    }
  }
  return static_cast<std::uint32_t>(self.result);
}

std::uint32_t existing_lanes(const Thread& self) {
  const std::size_t first = std::size_t{self.warp()} * kWarpSize,
                    count = self.block->threads.size() - first;
  return count >= kWarpSize ? ~0u : (1u << count) - 1u;
}

}  // namespace

void wait_for_warp(std::uint32_t mask, std::uint32_t what, Pc pc) {
  Thread& self = *engine().current;
  mask &= existing_lanes(self);
  if ((mask >> self.lane() & 1) == 0)
    fail_launch(words::mask_without_self(self, mask, pc), kLaunchFailure);
  engine().grid->uses_warps = true;
  ++engine().grid->warp_waits;
  self.wait = Wait::warp;
  self.warp_mask = mask;
  self.operation = what;
  self.pc = pc;
  self.polling = false;
  const Warp warp{*self.block, self.warp()};
  if (const std::uint32_t lanes = meeting(warp, mask, what)) return complete(warp, lanes);
  yield_thread();
}

// A lane that leaves is no longer waited for.
void lane_left(Thread& gone) {
  const Warp warp{*gone.block, gone.warp()};
  for (unsigned i = 0; i < kWarpSize; ++i) {
    const Thread* lane = warp.lane(i);
    if (lane == nullptr || lane->wait != Wait::warp) continue;
    if (const std::uint32_t lanes = meeting(warp, lane->warp_mask, lane->operation))
      return complete(warp, lanes);
  }
}

}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" {
void scanlab_sync_warp(unsigned mask) {
  if (engine().current != nullptr) wait_for_warp(mask, operation(kSync, 0), SCANLAB_PC);
}

unsigned scanlab_active_mask() {
  return engine().current != nullptr ? gather(*engine().current, SCANLAB_PC) : 1;
}

unsigned long long scanlab_shuffle(unsigned mask, unsigned long long bits, unsigned kind, int lane,
                                   int width) {
  Thread* self = engine().current;
  if (self == nullptr) return bits;
  self->operand = bits;
  self->lane_argument = lane;
  self->width = width;
  wait_for_warp(mask, operation(kShuffle, kind), SCANLAB_PC);
  return self->result;
}

unsigned scanlab_vote(unsigned mask, unsigned long long value, unsigned kind) {
  Thread* self = engine().current;
  if (self == nullptr) return value != 0;
  self->operand = value;
  wait_for_warp(mask, operation(kVote, kind), SCANLAB_PC);
  return static_cast<unsigned>(self->result);
}
}
