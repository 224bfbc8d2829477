// What lies in the memory that harness and worker share, and the bytes on the socket between them.
//
// One batch is many launches of one entry point with one shape under one schedule. The harness fills in
// the header and the slots and sends kRun; the worker runs them one after the other and answers kFinished.
// `progress` says which launch is running, so that the harness knows which one a dead worker died in.
// The harness trusts nothing here but its own copy of what it wrote: offsets are recomputed or checked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scanlab::harness {

inline constexpr std::uint32_t kProtocol = 4;  // raise it with every change of this file

enum class Element : std::uint32_t { probe, integer, real };
constexpr std::size_t size_of(Element element) { return element == Element::probe ? 8 : 4; }

// How the outputs of a batch are judged by the proving type: where a sum begins and whether it leaves out
// its own element.
struct Extent {
  std::uint32_t length = 0;     // elements that one scan covers; 0 = the whole array
  std::uint32_t exclusive = 0;  // 1 = exclusive
};

// The same layout as scanlab::Request in entry.h, which is compiled with the submission.
struct EntryRequest {
  std::uint32_t function = 0;
  std::uint32_t element = 0;
  std::uint32_t section = 0;
  std::uint32_t factor = 0;
  const void* input = nullptr;
  void* output = nullptr;
  std::uint32_t n = 0;
};
inline constexpr int kEntryDone = 0;
inline constexpr int kEntryNoSuchInstance = 1;

inline constexpr char kRun = 'R';
inline constexpr char kFinished = 'F';
inline constexpr char kReady = 'L';  // the worker's first word: the submission is loaded

inline constexpr std::uint32_t kMaxSlots = 2048;
inline constexpr std::uint32_t kMaxRepeats = 2;
inline constexpr std::uint32_t kListed = 5;  // indices that a finding lists
inline constexpr std::size_t kInputBytes = std::size_t{64} << 20;
inline constexpr std::size_t kTextBytes = std::size_t{4} << 20;
inline constexpr std::size_t kDeviceBytes = std::size_t{192} << 20;
inline constexpr std::size_t kGuardBytes = 4096;  // between device buffers, for what no hook sees
inline constexpr std::size_t kPlaceBytes = 160;

enum class SlotState : std::uint32_t {
  waiting,
  running,
  done,
  no_such_instance,
  skipped,  // after launches with errors
  spared,   // the batch's budget is used up
};

// An output of the proving type, in plain words.
struct ProbeRecord {
  std::uint32_t lo = 0, hi = 0, depth = 0;
  std::uint8_t cls = 0;     // probe::Class
  std::uint8_t strict = 0;
  std::uint8_t weight = 0;  // 1 = the weight is that of the expected sum
  std::uint8_t written = 0;
};

struct SlotCounts {
  std::uint64_t additions = 0, reaching = 0;            // applications of +
  std::uint64_t host_additions = 0;                     // of these, made by the host
  std::uint64_t threads = 0, busiest_thread = 0;        // that made the reaching ones
  std::uint64_t depth = 0;                              // longest chain behind an output
  std::uint64_t fingerprint = 0;                        // of the network
  std::uint64_t barriers = 0;                           // most that a block went through
  std::uint64_t launches = 0;
  std::uint64_t shared_accesses = 0, global_accesses = 0, atomics = 0, spins = 0;
  std::uint64_t warp_steps = 0, divergent_warps = 0, active_warps = 0;
};

struct Slot {
  // from the harness
  std::uint32_t n = 0;
  std::uint32_t repeats = 1;         // calls in one run, state kept between them
  std::uint64_t output_offset = 0;   // into the device region; repeat r lies r * stride further
  std::uint64_t output_stride = 0;
  std::uint64_t record_offset = 0;   // ProbeRecord[n], or for numbers one byte an element: was it written?
  std::uint64_t record_stride = 0;
  std::uint32_t drawn = 0;           // 1 = the network of its additions is wanted, in the text
  // from the worker
  SlotState state = SlotState::waiting;
  std::uint32_t aborted = 0;         // a finding ended it early: the outputs mean nothing
  std::uint32_t input_changed = 0;   // elements
  std::uint32_t input_first = 0;     // the first of them
  std::uint32_t unwritten[kMaxRepeats] = {};  // 0: the bytes of numbers are not filled in
  std::uint32_t text_offset = 0, text_bytes = 0;  // findings, efficiency and network, as JSON
  SlotCounts counts;
};

struct CrashReport {
  std::uint32_t set = 0;
  std::int32_t signal = 0;   // 0 = the watchdog of the CPU clock
  std::int32_t system_call = -1;
  char place[kPlaceBytes] = {};
};

struct BatchHeader {
  // from the harness
  std::uint32_t protocol = kProtocol;
  std::uint32_t function = 0;
  std::uint32_t element = 0;
  std::uint32_t section = 0, factor = 0;
  Extent extent;
  char schedule[32] = {};
  std::uint64_t schedule_seed = 0;
  std::uint64_t poison_seed = 1;
  std::uint64_t probe_seed = 1;
  std::uint32_t checkers = 1;
  std::uint32_t efficiency = 0;
  std::uint32_t stop_after = 0;      // skip the rest after so many launches with an error; 0 = never
  std::uint32_t slots = 0;
  std::uint64_t effort_budget = 0;   // LaunchRecord::effort of all launches together; the rest is spared
  std::uint32_t cpu_ticks = 0;       // limit of a launch in tenths of a CPU second, from the harness's patience
  // from the worker
  std::uint32_t text_used = 0;       // of Exchange::text
  std::atomic<std::uint32_t> progress{0};  // index of the running launch
  CrashReport crash;
};

struct Exchange {
  BatchHeader header;
  Slot slots[kMaxSlots];
  char text[kTextBytes];
  alignas(4096) unsigned char device[kDeviceBytes];
};

// File descriptors that a worker finds open.
inline constexpr int kSocketFd = 3;
inline constexpr int kExchangeFd = 4;
inline constexpr int kInputFd = 5;

}  // namespace scanlab::harness
