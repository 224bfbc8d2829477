// What the machine tells, and to whom: a checker is one file that implements Observer and registers
// itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace scanlab::machine {

struct Thread;
struct Block;
struct Grid;
struct Region;

using Pc = const void*;  // a return address inside the submission

enum class AccessKind : std::uint8_t { read = 0, write = 1 };

// One access of one thread to shared or global memory. Volatile and atomic ones say so; an atomic
// read-modify-write is told once, as a write, with `changed` saying whether it altered the word.
struct Access {
  Region* region;
  std::uint32_t offset;  // bytes from the region's start
  std::uint16_t size;    // bytes
  AccessKind kind;
  bool is_volatile = false, is_atomic = false;
  bool changed;  // an atomic that left the word as it was is a poll
  bool looks;    // the value that was there is used; not so for plain stores and exchanges
  bool reads;    // the value that was there is seen: all but stores
  std::uint8_t order = 0;    // C++ memory order of an atomic: 0 relaxed .. 5 seq_cst
  bool block_scope = false;  // an atomic whose order holds in its own block only
  Pc pc;
};

enum class Scope : std::uint8_t { block, device };

enum EventMask : unsigned {
  kOnAccess = 1,
  kOnFence = 2,
  kOnBarrier = 4,
  kOnWarpSync = 8,
  kOnExit = 16,
  kOnStall = 32,
  kOnBlock = 64,
};

// An observer outlives runs: what it keeps of a launch it forgets at the next kernel_begin.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual unsigned wants() const = 0;  // a sum of EventMask: the machine keeps one list per event
  virtual bool has_quick_way() const { return false; }  // for most accesses: shadow.hpp
  virtual void kernel_begin(Grid&) {}
  virtual void block_begin(Block&) {}
  virtual void access(Thread&, const Access&) {}
  virtual void fence(Thread&, Scope, Pc) {}
  virtual void barrier_release(Block&) {}  // all live threads have arrived
  virtual void warp_sync(Block&, unsigned /*warp*/, std::uint32_t /*lanes*/) {}
  virtual void thread_exit(Thread&) {}
  virtual void stalled(Grid&) {}  // nothing can run any more
  virtual void kernel_end(Grid&) {}
};

using ObserverFactory = std::unique_ptr<Observer> (*)(const Options&);

// Registers a checker: `static const Registration race{make_race_checker};` in the checker's own
// file. A factory gives null where the options do not ask for it.
struct Registration {
  explicit Registration(ObserverFactory factory);
};
const std::vector<ObserverFactory>& observer_factories();

}  // namespace scanlab::machine
