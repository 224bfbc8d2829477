// The SIMT machine's face towards the worker: load a submission, run it under a schedule, take the
// report.
//
// The hooks that a submission calls are C functions, so the machine is one per process. Typical
// use:
//
//   Module& module = load_module("submission.so");
//   begin_run(options);
//   map_buffer(x, bytes, "X", BufferState::written);
//   map_buffer(y, bytes, "Y", BufferState::unwritten);
//   module.entry(&request);                  // launches kernels through ::scanlab::machine::launch
//   Report report = end_run();               // findings, counts, leaks; all buffers are forgotten
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/findings.hpp"

namespace scanlab::machine {

enum class ThreadOrder : std::uint8_t { ascending, descending, warps_shuffled, random };
enum class DispatchOrder : std::uint8_t { ascending, descending, random };

// One way to order everything that CUDA leaves open. Same schedule and seed: same run, byte for
// byte.
struct Schedule {
  std::string name = "in_order";
  ThreadOrder threads = ThreadOrder::ascending;
  DispatchOrder dispatch = DispatchOrder::ascending;
  unsigned resident_blocks = 8;  // at most this many blocks are on the machine at a time, >= 1
  unsigned preempt_one_in =
      0;  // a thread is preempted at one in so many accesses to shared or global memory; 0 = never
  std::uint64_t seed = 0;
};

// "in_order", "reversed", "few_blocks" (reversed dispatch, two resident blocks), "one_block",
// "warps_shuffled", "preempted", or a decimal number: a random schedule of that seed. Throws
// std::invalid_argument for other names.
Schedule named_schedule(std::string_view name, std::uint64_t seed = 0);
const std::vector<std::string>& schedule_names();

struct Checks {
  bool race = true;  // race.shared, race.global, fence.missing
  bool memory =
      true;  // memory.uninitialized and bounds between arrays (illegal addresses are always caught)
  bool barrier = true;      // barrier.divergent
  bool efficiency = false;  // divergence, coalescing, bank conflicts: the warp view
  static Checks none() { return {false, false, false, false}; }
  friend bool operator==(const Checks&, const Checks&) = default;
};

struct Options {
  Schedule schedule;
  Checks checks;
  std::uint64_t poison_seed = 1;   // what unwritten memory holds
  std::uint64_t access_limit = 0;  // run.timeout after so many accesses; 0 = no limit
  std::size_t device_memory_limit = std::size_t{4}
                                    << 30;  // bytes; beyond: cudaErrorMemoryAllocation
  std::size_t output_limit = 64 << 10;      // bytes of printf per run; beyond: run.limit
  bool echo_output = false;                 // printf also goes to the process's stdout
};

enum class BufferState : std::uint8_t { written, unwritten };

// Efficiency per source line, of one launch (only with Checks::efficiency). An approximation: lanes
// are regrouped by (warp, site, occurrence).
struct LineTraffic {
  std::string file;
  unsigned line = 0;
  bool global = false;  // else shared
  bool store = false;
  std::uint64_t requests = 0;       // warp-wide requests
  std::uint64_t active_lanes = 0;   // sum over requests
  std::uint64_t sectors = 0;        // 32-byte sectors touched (global)
  std::uint64_t ideal_sectors = 0;  // the fewest that the active lanes' bytes need
  unsigned worst_conflict = 1;      // bank conflict degree (shared)
};

struct LaunchRecord {
  std::string kernel;  // as written at the launch
  Index3 grid, block;
  std::uint64_t shared_bytes = 0;  // dynamic
  std::uint64_t barriers = 0;      // most barriers that one block went through
  std::uint64_t shared_accesses = 0, global_accesses = 0, atomics = 0;
  std::uint64_t spins = 0;  // polls that saw nothing new
  std::uint64_t effort =
      0;  // what it took of the machine, in accesses of the quickest kind; a guess
  // Only with Checks::efficiency, and only for elements whose + tells the machine (current_owner),
  // in barrier intervals:
  std::uint64_t warp_steps = 0;        // sum over warps of the most additions that one lane made
  std::uint64_t ideal_warp_steps = 0;  // the same additions packed into full warps
  std::uint64_t active_warps = 0,
                divergent_warps = 0;  // warps that added at all, and with some of their lanes only
  bool completed = false;             // false: refused or aborted by a finding
  std::vector<LineTraffic> traffic;
};

struct Report {
  std::vector<Finding> findings;
  std::vector<LaunchRecord> launches;
  std::string output;        // what the kernels and the host printed
  std::uint64_t copied = 0;  // a hash of all device data that was copied to the host
  bool aborted = false;      // a finding ended a launch early: outputs mean nothing
};

using EntryFunction = int (*)(const void* request);

struct Module {
  EntryFunction entry = nullptr;          // scanlab_entry, or null
  int (*program)(int, char**) = nullptr;  // scanlab_program_main, or null
};

// To be called first thing in main by who loads submissions built for the initial-exec TLS model
// (the grader's build): their shared arrays then lie in static TLS, reached without a call, which
// is worth a tenth of the machine's speed. The loader takes the room for it from the environment
// when a process starts, so this one starts itself again, once.
void reserve_shared_memory(char** argv);

// Loads a submission's shared object in place of any former one. `source` is its file name as
// findings shall give it. Throws std::runtime_error with the loader's words.
Module load_module(const std::string& path, const std::string& source);

void begin_run(const Options& options);
// Makes `bytes` bytes at `address` device memory under a name. Unwritten buffers are poisoned.
void map_buffer(void* address, std::size_t bytes, std::string name, BufferState state);
// True where every byte of element `index` was written by device code or memset/memcpy since
// begin_run.
bool was_written(const void* address, std::size_t bytes);
Report end_run();

// To be called by an element type's addition. Who executes it: 0 = the host, else (launch of this
// run << 32) | (1 + thread number in the grid).
std::uint64_t current_owner();
// How many barriers the block of the thread that executes went through in this launch; 0 for the
// host.
std::uint64_t current_barriers();
// The student's line that is about to return to (for whoever is called from student code). 0 =
// unknown.
unsigned source_line(const void* return_address);
// Called from a signal handler or a watchdog: where the current thread is ("kogge_stone.cu:21"),
// best effort.
std::string current_place();

}  // namespace scanlab::machine
