// A CUDA thread's own stack and the switch between two of them. All fibers run on one OS thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scanlab::machine {

struct Fiber {
  void* context = nullptr;          // where it goes on; Boost.Context's fcontext_t
  std::uint8_t* low = nullptr;      // its stack: [low, low + bytes)
  std::size_t bytes = 0;
  void* fake_stack = nullptr;       // AddressSanitizer's
};

// Every fiber starts in `entry`, which must never return.
void set_fiber_entry(void (*entry)());

// Gives `fiber` stack number `index` of the pool (guarded below, kept for the life of the process) and makes it
// ready to start. Throws std::bad_alloc when the stack cannot be mapped.
void prepare(Fiber& fiber, std::size_t index);

// Saves the current place in `from` and goes on in `to`. `from_ends` when `from` is never resumed.
void switch_fiber(Fiber& from, Fiber& to, bool from_ends = false);

// To be called first thing in the entry function.
void fiber_started();

}  // namespace scanlab::machine
