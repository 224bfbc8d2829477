// The machine's state: threads, blocks, the grid that runs, memory regions. Internal to
// reference/machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "machine/fiber.hpp"
#include "machine/observer.hpp"

namespace scanlab::machine {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxThreadsPerBlock = 1024;
inline constexpr std::size_t kDynamicGuard =
    4096;  // bytes that are nobody's, around dynamic shared memory
inline constexpr unsigned kMaxSharedBytes = 48 << 10;        // without opting in
inline constexpr unsigned kMaxOptInSharedBytes = 227 << 10;  // Hopper's limit

enum class Space : std::uint8_t { shared, global, module, host };

// A stretch of memory with a name: a shared array, a device allocation, a global of the submission.
struct Region {  // what an access touches comes first
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t touched_launch = 0;  // last launch that used it
  std::uint64_t accesses = 0;        // of the last launch that used it
  std::uint32_t element_bytes = 4;   // size of the last access, to speak in elements
  std::uint32_t id = 0;              // dense; checkers index their shadow memory by it
  Space space = Space::global;
  bool freed = false, managed = false;
  bool owned = false;                 // by cudaMalloc: freed or leaked
  std::vector<std::uint8_t> written;  // global: a bit for each byte; shared: kept by block slot
  std::string name;
  Pc allocated_at = nullptr;
};

enum class Wait : std::uint8_t { none, barrier, warp, exited };

// A look at a word that another thread may change.
struct Poll {
  const void* address = nullptr;
  Pc pc = nullptr;
  std::uint64_t value = 0;
};

// What a barrier or an access touches lies in the first cache line.
struct alignas(64) Thread {
  Fiber fiber;
  Block* block = nullptr;
  Pc pc = nullptr;              // where it waits
  std::uint32_t number = 0;     // in the grid: block number * 1024 + number in the block
  std::uint32_t clock = 1;      // grows with every barrier, warp sync, fence and release
  std::uint32_t barrier = 0;    // where it waits at one: that many were released before
  std::uint32_t additions = 0;  // of element types that tell
  std::uint16_t linear = 0;     // in the block
  Wait wait = Wait::none;       // see wait_of()
  bool started = false;
  bool polling = false;  // its last event was a poll that saw nothing new

  Index3 index;
  Poll polls[4];  // its last ones, and the one that it repeats
  Poll last_poll;
  std::uint32_t next_poll = 0;
  // warp rendezvous and barriers with a value
  std::uint32_t warp_mask = 0, operation = 0;
  std::uint64_t operand = 0, result = 0;
  int lane_argument = 0, width = kWarpSize;
  Pc gathering = nullptr;  // the __activemask() at which it waits for lanes that come too

  unsigned lane() const { return linear % kWarpSize; }
  unsigned warp() const { return linear / kWarpSize; }
};

// A block that is resident on the machine.
struct Block {
  unsigned slot = 0;         // place on the machine, < Schedule::resident_blocks
  std::uint32_t number = 0;  // linear block index in the grid
  Index3 index;
  std::uint32_t serial = 0;  // unique in the process: tells stale shadow cells
  std::vector<Thread> threads;
  std::vector<Thread*>
      order;                // of this barrier interval; after it kAhead more, to be fetched in vain
  Thread** next = nullptr;  // in this round, of which there may be several in an interval
  Thread** round_end = nullptr;
  unsigned live = 0, at_barrier = 0;
  Pc barrier_pc = nullptr;    // where the first of them waits
  bool barriers_mix = false;  // another waits elsewhere
  bool counting = false;      // somebody waits in __syncthreads_count, _and or _or
  unsigned arrived = 0,
           predicates = 0;  // at the last barrier: threads, and those that brought a non-zero value
  std::uint32_t barriers = 0;    // released so far
  std::uint32_t base_clock = 1;  // events of this block with an older clock are ordered before all
  std::uint32_t newest_clock = 1;          // of its threads
  std::vector<std::uint8_t> saved_shared;  // its shared memory while another block is active
  std::size_t saved_low = 0, saved_high = 0;
  std::vector<std::uint8_t> written_shared;  // a bit for each byte of the module's TLS segment
  std::vector<std::uint8_t> dynamic_shared;
  std::unique_ptr<Region> dynamic_region;
  bool reordered = false;
  std::uint64_t idle_since = 0;  // Engine::changes() when the count of its vain polls began
  std::uint32_t idle_polls = 0;
};

struct Grid {
  std::string kernel;
  Index3 grid, block;
  std::uint32_t blocks = 0, threads_per_block = 0;
  std::size_t dynamic_bytes = 0;
  void (*body)(void*) = nullptr;
  void* context = nullptr;
  std::uint64_t launch = 0;  // counts launches in the process
  std::vector<std::unique_ptr<Block>> resident;
  std::vector<std::uint32_t> pending;  // block numbers not yet dispatched, last first
  std::size_t active = 0;              // index into resident
  std::uint64_t progress_seen = 0;
  unsigned idle_rounds = 0;  // rounds over all blocks without progress
  LaunchRecord record;
  std::uint64_t dynamic_accesses = 0;  // to dynamic shared memory, of blocks that have ended
  bool uses_warps = false;             // a thread has waited for its warp
  std::uint64_t slow_accesses = 0;     // that the checkers had to hear of
  std::uint64_t warp_waits = 0;
  bool aborted = false;
};

// A barrier's release only counts: each thread learns of it when its turn comes.
inline Wait wait_of(const Thread& thread) {
  const bool released = thread.wait == Wait::barrier && thread.barrier != thread.block->barriers;
  return released ? Wait::none : thread.wait;
}

inline void begin_turn(Thread& thread) {
  thread.wait = Wait::none;
  if (thread.clock < thread.block->base_clock) thread.clock = thread.block->base_clock;
}

inline void advance_clock(Thread& thread) {
  ++thread.clock;
  if (thread.clock > thread.block->newest_clock) thread.block->newest_clock = thread.clock;
}

inline std::uint32_t thread_number(const Thread& thread) { return thread.number; }

Index3 unlinear(std::uint64_t linear, const Index3& extent);

}  // namespace scanlab::machine
