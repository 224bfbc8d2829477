// The one machine of this process: what the hooks, the scheduler, the host API and the checkers
// share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/random.hpp"
#include "machine/shadow.hpp"
#include "machine/state.hpp"

namespace scanlab::machine {

struct Engine {
  Options options;
  Random random;
  Report report;

  // Who executes: null while the host does.
  Thread* current = nullptr;
  Grid* grid = nullptr;
  Fiber host;
  std::uint64_t launches = 0, first_launch = 1;  // in the process; of this run
  std::uint32_t block_serial = 0;
  std::uint64_t accesses = 0;
  // The word that was read last, and whether a thread reads it plainly over and over.
  const void* spin_address = nullptr;
  Pc spin_pc = nullptr;
  const void* spin_frame = nullptr;
  std::uint32_t spin_reads = 0;
  std::uint64_t spin_time = 0;
  std::uint32_t countdown = 1,
                countdown_from =
                    1;         // accesses until the limit is looked at or a thread is preempted
  std::uint64_t progress = 0;  // grows with all that could let a waiting thread go on
  std::uint64_t releases = 0;  // those of it that were barriers
  std::uint64_t changes() const { return progress - releases; }

  // Checkers, one list per event.
  std::vector<std::unique_ptr<Observer>> observers;
  std::vector<Observer*> on_access, on_fence, on_barrier, on_warp_sync, on_exit, on_stall, on_block;

  bool quick = false;  // all who hear of accesses keep what shadow.hpp needs
  QuickView quick_shared, quick_global;

  // The submission.
  std::string source;
  std::map<unsigned, std::string> array_names;  // by the line that allocates the array
  std::uintptr_t module_begin = 0, module_end = 0;
  std::uintptr_t data_begin = 0, data_end = 0;  // the part of it that can be written
  std::uint8_t* shared = nullptr;               // its TLS segment: every shared array
  std::size_t shared_bytes = 0;
  std::vector<Region*> shared_regions;  // by address
  Region nowhere;                       // holds no address
  Region* last_shared = &nowhere;       // where the last accesses lay, not freed
  Region* last_global = &nowhere;
  std::size_t touched_low = 0, touched_high = 0;  // of `shared`, in this launch
  const Block* shared_owner = nullptr;            // whose shared memory is in place
  Block nobody;                                   // a block without threads
  Block* in_turn = &nobody;  // whose round goes on, with its memory in place; else nobody

  std::unordered_map<std::uint64_t, std::size_t> reported;  // key -> index in the report

  std::size_t allowed_dynamic = kMaxSharedBytes;  // bytes that a launch may ask for
  int last_error = 0, sticky_error = 0;           // cudaError_t
};

extern Engine the_engine;
inline Engine& engine() { return the_engine; }

// ---- shadow.hpp
// Where an observer leaves what it knows of `region`, and then calls be_quick().
inline QuickView& quick_view(Region& region) {
  Engine& e = engine();
  QuickView& view = region.space == Space::shared ? e.quick_shared : e.quick_global;
  if (view.region != &region) view = {.begin = region.begin, .region = &region};
  return view;
}

inline void be_quick(QuickView& view) {
  const bool complete = engine().quick && view.cells != nullptr && view.bits != nullptr &&
                        view.begin % view.size == 0;  // so that whole cells are aligned
  view.span = complete ? view.region->bytes - view.size + 1 : 0;
}

// ---- memory_map.cpp
struct Resolution {
  Region* region = nullptr;   // where the access lies, wholly inside; null: nowhere
  Region* nearest = nullptr;  // else what it most likely missed
  long long distance = 0;     // bytes past the end (> 0) or before the beginning (< 0) of `nearest`
  std::size_t wrapped = 0;  // bytes of an element, where its 32-bit index wrapped around below zero
};
// The machine has no clock: its time is the number of accesses so far, read as nanoseconds.
inline std::uint64_t time_now(const Engine& e) {
  return e.accesses + e.countdown_from - e.countdown;
}

inline bool contains(const Region& region, std::uintptr_t address, std::size_t bytes) {
  return address >= region.begin && address - region.begin + bytes <= region.bytes;
}
Region* find_region(std::uintptr_t address, std::size_t bytes);
Resolution explain_address(std::uintptr_t address, std::size_t bytes);
Region& add_region(std::string name, Space space, void* address, std::size_t bytes);
void clear_device_regions();
const std::vector<std::unique_ptr<Region>>& device_regions();
std::uint64_t poison_word();
void poison(void* address, std::size_t bytes);
bool holds_poison(const void* address, std::size_t bytes);
// Among the bytes never marked as written, one still holds poison (stores of structs may go
// unmarked).
bool reads_unwritten(const Region& region, std::size_t offset, std::size_t bytes);
// Bitmaps with a bit for each byte. Most accesses have all their bits in one byte of the map.
void set_many_bits(std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes);
bool has_many_bits(const std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes);
inline bool in_one_byte(std::size_t offset, std::size_t bytes) { return (offset & 7) + bytes <= 8; }
inline std::uint8_t bit_mask(std::size_t offset, std::size_t bytes) {
  return static_cast<std::uint8_t>(((1u << bytes) - 1u) << (offset & 7));
}
inline void set_bits(std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes) {
  if (!in_one_byte(offset, bytes)) return set_many_bits(bits, offset, bytes);
  bits[offset / 8] |= bit_mask(offset, bytes);
}
inline bool has_bits(const std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes) {
  if (!in_one_byte(offset, bytes)) return has_many_bits(bits, offset, bytes);
  return (~bits[offset / 8] & bit_mask(offset, bytes)) == 0;
}
std::string element_name(const Region& region, std::uint64_t offset);  // "XY[3]"

// ---- hooks.cpp
// The region of a device access; ends the launch with a finding where there is none. Null: a
// constant of the submission.
Region* device_region(const void* address, std::size_t bytes, AccessKind kind, Pc pc);
void count_atomic(bool polls, Pc pc);
// Tells the checkers of an access of any length, word by word.
void on_range(const void* address, std::size_t bytes, AccessKind kind, Pc pc);

// ---- host_memory.cpp
void report_leaks();
void forget_allocations();

// ---- scheduler.cpp
void run_grid(Grid& grid);
void yield_thread();  // lets others run; returns when this thread is scheduled again
void preempt_thread(
    bool polls);  // lets others run, and other blocks as the schedule's chance has it
void restart_countdown(Engine& e);
[[noreturn]] void
abort_launch();               // from a device thread: ends the launch, the outputs mean nothing
void wait_at_barrier(Pc pc);  // returns when the block's barrier is released
// The inner part of our own __syncthreads, which switches: from the context of the thread that
// arrives to that of who runs next.
extern "C" void* scanlab_arrive(Pc pc, void* context);
void wait_for_warp(std::uint32_t mask, std::uint32_t operation, Pc pc);
void lane_left(Thread& gone);  // warps.cpp: those who wait for its warp may go on
inline void note_progress() { ++engine().progress; }
// A poll of `address` that read `value`: yields if it is the same poll again with nothing new.
void note_poll(const void* address, std::uint64_t value, Pc pc);

// ---- source_map.cpp
struct Place {
  std::string file;
  unsigned line = 0;
};
void load_source_map(const std::string& path, std::uintptr_t base);
Place place_of(Pc pc);

// ---- machine.cpp
Site site_of(const Thread& thread, Pc pc, std::string access);
Site site_of(std::uint32_t thread_number, Pc pc, std::string access);
// Reports what `make()` gives at its first call for `key` in this run, and counts on it afterwards.
template <typename Make>
void report_once(std::uint64_t key, Make make);
void add_to_output(const void* data, std::size_t bytes);
// Adds a finding, or counts it on one of the same kind, severity and lines.
std::size_t report(Finding finding);  // its index in the report
void fail_launch(Finding finding,
                 int cuda_error);  // reports it and aborts the launch (never returns on the device)

// A key for one pair of places in the submission and the kind of thing that happened there.
inline std::uint64_t pair_key(unsigned kind, Pc a, Pc b = nullptr) {
  Random mix(reinterpret_cast<std::uintptr_t>(a) * 0x9e3779b97f4a7c15u ^
             reinterpret_cast<std::uintptr_t>(b) ^ (std::uint64_t{kind} << 56));
  return mix.next();
}

template <typename Make>
void report_once(std::uint64_t key, Make make) {
  Engine& e = engine();
  const auto known = e.reported.find(key);
  if (known != e.reported.end()) {
    ++e.report.findings[known->second].count;
    return;
  }
  e.reported[key] = report(make());
}

}  // namespace scanlab::machine
