#include "machine/fiber.hpp"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SCANLAB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCANLAB_ASAN 1
#endif
#endif
#ifdef SCANLAB_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace scanlab::machine {
namespace {

namespace ctx = boost::context::detail;

constexpr std::size_t kPage = 4096;
#ifdef SCANLAB_ASAN
constexpr std::size_t kStackBytes = 64 * kPage;
#else
constexpr std::size_t kStackBytes = 32 * kPage;
#endif
constexpr std::size_t kPitch = kStackBytes + kPage;  // one guard page below each stack

std::vector<std::uint8_t*> stacks;
Fiber* leaving = nullptr;  // the fiber that the last switch came from
void (*entry_function)() = nullptr;

std::uint8_t* map_stack() {
  void* memory = mmap(nullptr, kPitch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kPage, PROT_NONE);
  return static_cast<std::uint8_t*>(memory) + kPage;
}

// Stacks that start at the same place of a page alias in the L1 cache: each starts an odd number of
// cache lines further down.
std::size_t colour(std::size_t index) { return (index * 17 % 64) * 64; }

void start(ctx::transfer_t from) {
  leaving->context = from.fctx;
  entry_function();
}

void announce_switch([[maybe_unused]] Fiber& from, [[maybe_unused]] const Fiber& to, [[maybe_unused]] bool from_ends) {
#ifdef SCANLAB_ASAN
  __sanitizer_start_switch_fiber(from_ends ? nullptr : &from.fake_stack, to.low, to.bytes);
#endif
}

}  // namespace

void set_fiber_entry(void (*entry)()) { entry_function = entry; }

void prepare(Fiber& fiber, std::size_t index) {
  while (stacks.size() <= index) stacks.push_back(map_stack());
  fiber.low = stacks[index];
  fiber.bytes = kStackBytes;
  fiber.fake_stack = nullptr;
#ifdef SCANLAB_ASAN
  __asan_unpoison_memory_region(fiber.low, kStackBytes);
#endif
  fiber.context = ctx::make_fcontext(fiber.low + kStackBytes - colour(index), kStackBytes - colour(index), start);
}

void fiber_started() {
#ifdef SCANLAB_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
  if (leaving->bytes == 0) {  // the host's own stack, first seen here
    leaving->low = static_cast<std::uint8_t*>(const_cast<void*>(bottom));
    leaving->bytes = size;
  }
#endif
}

void switch_fiber(Fiber& from, Fiber& to, bool from_ends) {
  announce_switch(from, to, from_ends);
  leaving = &from;
  const ctx::transfer_t back = ctx::jump_fcontext(to.context, nullptr);
  leaving->context = back.fctx;
#ifdef SCANLAB_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

}  // namespace scanlab::machine
