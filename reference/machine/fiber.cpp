#include "machine/fiber.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <vector>

namespace scanlab::machine {
namespace {

constexpr std::uint32_t kPage = 4096;
#ifdef SCANLAB_ASAN
constexpr std::uint32_t kStackBytes = 64 * kPage;
#else
constexpr std::uint32_t kStackBytes = 32 * kPage;
#endif
constexpr std::size_t kPitch = kStackBytes + kPage;  // one guard page below each stack

std::vector<std::uint8_t*> stacks;
void (*entry_function)() = nullptr;

std::uint8_t* map_stack() {
  void* memory = mmap(nullptr, kPitch, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kPage, PROT_NONE);
  return static_cast<std::uint8_t*>(memory) + kPage;
}

// Stacks that start at the same place of a page alias in the L1 cache: each starts an odd number of
// cache lines further down.
std::size_t colour(std::size_t index) { return (index * 17 % 64) * 64; }

#ifdef SCANLAB_OWN_SWITCH
// A stack as scanlab_switch leaves one: six registers, then where to go on; above, the null that
// ends a backtrace.
void* first_context(std::uint8_t* top) {
  constexpr std::size_t kRegisters = 6;
  auto** frame = reinterpret_cast<void**>(top) - kRegisters - 2;
  std::fill_n(frame, kRegisters, nullptr);
  frame[kRegisters] = reinterpret_cast<void*>(entry_function);
  frame[kRegisters + 1] = nullptr;
  return frame;
}
#else
void start(boost::context::detail::transfer_t from) {
  leaving->context = from.fctx;
  entry_function();
}

void* first_context(std::uint8_t* top) {
  return boost::context::detail::make_fcontext(top, kStackBytes / 2, start);
}
#endif

}  // namespace

#ifndef SCANLAB_OWN_SWITCH
Fiber* leaving = nullptr;
#endif

void set_fiber_entry(void (*entry)()) { entry_function = entry; }

void prepare(Fiber& fiber, std::size_t index) {
  while (stacks.size() <= index) stacks.push_back(map_stack());
  fiber.low = stacks[index];
  fiber.bytes = kStackBytes;
#ifdef SCANLAB_ASAN
  fiber.fake_stack = nullptr;
  __asan_unpoison_memory_region(fiber.low, kStackBytes);
#endif
  fiber.context = first_context(fiber.low + kStackBytes - colour(index));
}

bool is_fiber_stack(std::uintptr_t address) {
  return std::any_of(stacks.begin(), stacks.end(), [&](const std::uint8_t* low) {
    return address - (reinterpret_cast<std::uintptr_t>(low) - kPage) < kPitch;
  });
}

void fiber_started() {
#ifdef SCANLAB_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
  if (leaving->bytes == 0) {  // the host's own stack, first seen here
    leaving->low = static_cast<std::uint8_t*>(const_cast<void*>(bottom));
    leaving->bytes = static_cast<std::uint32_t>(size);
  }
#endif
}

}  // namespace scanlab::machine
