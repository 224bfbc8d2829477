// A CUDA thread's own stack and the switch between two of them. All fibers run on one OS thread.
//
// On x86-64 the switch is ours (switch_x86_64.cpp); elsewhere, and where a sanitizer has to be told
// of each switch, it is Boost.Context's.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define SCANLAB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCANLAB_ASAN 1
#endif
#endif
#if defined(__x86_64__) && !defined(SCANLAB_ASAN)
#define SCANLAB_OWN_SWITCH 1
#else
#include <boost/context/detail/fcontext.hpp>
#endif
#ifdef SCANLAB_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace scanlab::machine {

struct Fiber {
  void* context = nullptr;      // where it goes on: its stack pointer, with its registers above
  std::uint8_t* low = nullptr;  // its stack: [low, low + bytes)
  std::uint32_t bytes = 0;
#ifdef SCANLAB_ASAN
  void* fake_stack = nullptr;
#endif
};

// Every fiber starts in `entry`, which must never return.
void set_fiber_entry(void (*entry)());

// Gives `fiber` stack number `index` of the pool (guarded below, kept for the life of the process)
// and makes it ready to start. Throws std::bad_alloc when the stack cannot be mapped.
void prepare(Fiber& fiber, std::size_t index);

// Whether a fiber's stack or its guard is there.
bool is_fiber_stack(std::uintptr_t address);

// To be called first thing in the entry function.
void fiber_started();

#ifdef SCANLAB_OWN_SWITCH
extern "C" void scanlab_switch(void** from, void* to);

// Saves the current place in `from` and goes on in `to`. `from_ends` when `from` is never resumed.
inline void switch_fiber(Fiber& from, Fiber& to, bool /*from_ends*/) {
  scanlab_switch(&from.context, to.context);
}
#else
extern Fiber* leaving;  // the fiber that the last switch came from

inline void switch_fiber(Fiber& from, Fiber& to, [[maybe_unused]] bool from_ends) {
#ifdef SCANLAB_ASAN
  __sanitizer_start_switch_fiber(from_ends ? nullptr : &from.fake_stack, to.low, to.bytes);
#endif
  leaving = &from;
  const auto back = boost::context::detail::jump_fcontext(to.context, nullptr);
  leaving->context = back.fctx;
#ifdef SCANLAB_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}
#endif

}  // namespace scanlab::machine
