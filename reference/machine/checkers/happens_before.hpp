// Which events are ordered before which: barriers join a block, __syncwarp the lanes of its mask,
// and a flag joins threads of any blocks, provided that a fence stands between the data and the
// flag.
//
// Within a block a barrier makes everything older than Block::base_clock ordered, which is one
// comparison. Flags are kept as logs and searched only when that comparison fails, that is for
// accesses that would otherwise be races:
//   - an atomic or volatile write that changes a word appends a Release to the word's log: who, at
//   which clock, and
//     up to which clock of its own a fence had made its earlier events visible;
//   - a read of the word appends an Acquire to the log of the reading block: who, when, and how
//   much of the word's
//     log it saw.
// Backwards from a thread through its block's acquires and their releases: what is found fenced is
// ordered; what is found only when missing fences are forgiven is `fence.missing`.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {

// What a lane knows of its warp: events of each lane up to this clock are ordered before its own.
struct Known {
  std::uint32_t clock[kWarpSize] = {};
};

struct Release {
  std::uint32_t thread = 0, clock = 0;  // who changed the word, and when
  std::uint32_t base = 0;  // its block's events before this clock were ordered before it
  std::uint32_t fence_clock[2] = {
      0, 0};  // its events up to here are visible to the block, to the device
  std::uint32_t fence_base[2] = {0, 0};  // and its whole block's events before this clock
  const Known *known = nullptr,
              *fence_known[2] = {nullptr, nullptr};  // at the release and at its fences
  bool keeps_older = false;  // a read-modify-write continues what older releases began
  Pc pc = nullptr;
};

struct Acquire {
  std::uint32_t thread = 0, clock = 0;
  std::uint64_t word = 0;  // key of the flag
  std::uint32_t seen = 0;  // releases of the word that it saw
  Pc pc = nullptr;
};

struct Event {
  std::uint32_t thread = 0, clock = 0;
};

enum class Order : std::uint8_t { ordered, unfenced, none };

struct Answer {
  Order order = Order::none;
  Release flag;        // the release without a fence, or the last one on the way
  Acquire poll;        // the read that brought the order
  bool formal = true;  // the reader's side had a fence or an acquire too
};

class HappensBefore {
 public:
  void kernel_begin();
  void fence(const Thread& thread, Scope scope);
  void warp_sync(const Block& block, unsigned warp, std::uint32_t lanes);
  void flag_access(const Thread& thread, const Access& access, std::uint64_t word);

  // Is `event` ordered before what `thread` does now? The quick answer covers barriers only.
  static bool quick(const Event& event, const Thread& thread) {
    return event.thread / kMaxThreadsPerBlock == thread.block->number &&
           event.clock < thread.block->base_clock;
  }
  Answer search(const Event& event, const Thread& thread);
  bool fenced_in_interval(
      const Thread& thread) const;  // the thread made a fence since its block's last barrier

 private:
  struct FenceMark {
    std::uint32_t clock[2] = {0, 0}, base[2] = {0, 0};
    const Known* known[2] = {nullptr, nullptr};
  };
  struct Warp {
    Known known[kWarpSize];             // by lane, now
    const Known* kept[kWarpSize] = {};  // the last copy of it that was kept
  };
  struct BlockLog {
    std::vector<Acquire> acquires;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t>
        seen;  // by thread in the block and word
    // By thread in the block: its last fence of each barrier interval that has one, oldest first.
    // Ordered, so that every run searches alike.
    std::map<std::uint32_t, std::vector<FenceMark>> fences;
    std::unordered_map<std::uint32_t, Warp> warps;
  };
  struct Viewpoint {  // "everything ordered before this"
    std::uint32_t thread, clock, base;
    const Known* known;  // null: nothing of other lanes
  };
  // On the way back from a reader to the event.
  struct Step {
    Viewpoint view;    // what is taken to be visible here
    Viewpoint fenced;  // the part of it that a fence made visible
    Acquire poll;      // the first poll on the way
    Release flag;      // the release that led here
    Release unfenced;  // the last one on the way whose fence was missing
  };

  static bool sees(const Viewpoint& from, const Event& event);
  // What a flag is taken to tell: what its own thread has fenced; what others have, too; all that
  // was before it.
  enum class Trust : std::uint8_t { own_fences, all_fences, anything };
  struct Search {
    Trust trust;
    std::vector<Step> open;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<bool>>
        visited;  // releases, by word and reading block
  };

  bool search_from(const Viewpoint& start, const Event& event, Trust trust, Answer& answer);
  void add_fences_of_others(const Release& release, bool same_block, std::vector<Viewpoint>& views);
  const FenceMark* last_fence(std::uint32_t block, std::uint32_t linear) const;
  static Viewpoint through(const Release& release, bool same_block, bool forgive);
  const Known* known_now(std::uint32_t thread) const;
  const Known* keep_known(std::uint32_t thread);
  void follow(const Step& step, const Acquire& acquire, Search& search);
  void mark_acquire(const Thread& thread, const Access& access, std::uint64_t word);
  void mark_release(const Thread& thread, const Access& access, std::uint64_t word);

  std::unordered_map<std::uint32_t, BlockLog> blocks_;  // by block number
  std::unordered_map<std::uint64_t, std::vector<Release>> words_;
  std::deque<Known> rows_;  // never moved: Known pointers point here
};

}  // namespace scanlab::machine
