// The entry points that -fsanitize=thread calls before each access of the submission. Each hook is
// one line. A plain access tries the short way first (shadow.hpp), with its size and kind
// as constants; what any other means is decided in on_access.
#include <algorithm>
#include <cstdint>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

#define SCANLAB_PC __builtin_return_address(0)

namespace scanlab::machine {
namespace {

constexpr unsigned kPlainSpin =
    512;  // so many reads of one word in a row, with nothing between: a spin

bool on_own_stack(const Thread& thread, std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(thread.fiber.low) < thread.fiber.bytes;
}

// The submission's literals and other constants have no names; its variables do.
bool is_constant(std::uintptr_t address, AccessKind kind) {
  const Engine& e = engine();
  const bool in_module = address >= e.module_begin && address < e.module_end;
  return in_module && kind == AccessKind::read && (address < e.data_begin || address >= e.data_end);
}

// The first access of a launch to an array: its memory is swapped with the block from now on.
void first_touch(Engine& e, Region& region) {
  region.touched_launch = e.grid->launch;
  region.accesses = 0;
  const std::size_t low = region.begin - reinterpret_cast<std::uintptr_t>(e.shared),
                    high = low + region.bytes;
  if (region.space != Space::shared || high > e.shared_bytes)
    return;  // dynamic shared memory is not in the segment
  poison(reinterpret_cast<void*>(region.begin),
         region.bytes);  // what an earlier launch left is not to be seen
  if (e.touched_low == e.touched_high) e.touched_low = low & ~std::size_t{63};
  e.touched_low = std::min(e.touched_low, low & ~std::size_t{63});
  e.touched_high = std::max(e.touched_high, high);
}

// A loop that reads one word over and over, plainly, waits for another thread as a poll does. True
// for such a poll.
[[gnu::noinline]] bool reread(Engine& e, const void* address, Pc pc) {
  // A recursion comes by each time further down, and other accesses between make it another word's
  // turn: no such loop.
  const void* const frame = __builtin_frame_address(0);
  const std::uint64_t now = time_now(e);
  if (e.spin_pc != pc || e.spin_frame != frame || now - e.spin_time > 2) e.spin_reads = 0;
  e.spin_pc = pc;
  e.spin_frame = frame;
  e.spin_time = now;
  if (++e.spin_reads < kPlainSpin) return false;
  note_poll(address, *static_cast<const std::uint8_t*>(address), pc);
  return true;
}

bool watch_for_spin(Engine& e, const void* address, Pc pc) {
  if (e.spin_address == address) [[unlikely]]
    return reread(e, address, pc);
  e.spin_address = address;
  return false;
}

// Paths that few accesses take are kept out of line: what is inlined into the hooks has to be
// short, and their frames small, since each of a thousand stacks is to stay in the cache.
[[gnu::noinline]] Region* usable_region(Thread& thread, std::uintptr_t address, std::size_t bytes,
                                        AccessKind kind, Pc pc) {
  Region* region = find_region(address, bytes);
  if (region == nullptr) {
    if (is_constant(address, kind)) return nullptr;
    fail_launch(words::bad_address(thread, address, bytes, kind, pc), kIllegalAddress);
  }
  if (region->freed) fail_launch(words::freed(thread, *region, address, kind, pc), kIllegalAddress);
  if (region->space == Space::host)
    fail_launch(words::host_pointer(thread, *region, kind, pc), kIllegalAddress);
  Engine& e = engine();
  if (region->touched_launch != e.grid->launch) first_touch(e, *region);
  (region->space == Space::shared ? e.last_shared : e.last_global) = region;
  return region;
}

// Now and then: is the run over its limit? Then the others get a turn, as the schedule wants it or
// because this thread has had so many accesses.
[[gnu::noinline]] void on_countdown(Engine& e, bool polls, Pc pc) {
  e.accesses += e.countdown_from;
  const std::uint64_t limit = e.options.access_limit;
  if (limit != 0 && e.accesses >= limit)
    fail_launch(words::still_running(*e.current, pc), kLaunchTimeout);
  restart_countdown(e);
  preempt_thread(polls);
}

[[gnu::noinline, gnu::cold]] void misaligned(const Region& region, std::uintptr_t address,
                                             std::size_t bytes, AccessKind kind, Pc pc) {
  fail_launch(words::misaligned(*engine().current, region, address, bytes, kind, pc),
              kMisalignedAddress);
}

[[gnu::always_inline]] inline Region* region_of(Engine& e, std::uintptr_t address,
                                                std::size_t bytes, AccessKind kind, Pc pc) {
  Region* region = e.last_shared;
  if (!contains(*region, address, bytes)) {
    region = e.last_global;
    if (!contains(*region, address, bytes))
      region = usable_region(*e.current, address, bytes, kind, pc);
    if (region == nullptr) return nullptr;
  }
  if ((address & (bytes - 1)) != 0 && (bytes & (bytes - 1)) == 0) [[unlikely]]
    misaligned(*region, address, bytes, kind, pc);
  region->element_bytes = static_cast<std::uint32_t>(bytes);
  return region;
}

[[gnu::noinline]] void on_host_access(std::uintptr_t address, std::size_t bytes, AccessKind kind,
                                      Pc pc) {
  Region* region = find_region(address, bytes);
  if (region == nullptr || region->space != Space::global || region->managed) return;
  report(words::host_dereference(*region, address, kind, pc));
  engine().report.aborted = true;
}

[[gnu::noinline]] void poll_volatile(const void* pointer, std::size_t bytes, Pc pc) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, pointer, std::min<std::size_t>(bytes, 8));
  note_poll(pointer, value, pc);  // yields first: the value is loaded after the hook
}

// A read that may wait for another thread gives it the chance to run.
[[gnu::always_inline]] inline bool notice_poll(Engine& e, const void* pointer, std::size_t bytes,
                                               bool is_volatile, Pc pc) {
  if (!is_volatile) return watch_for_spin(e, pointer, pc);
  poll_volatile(pointer, bytes, pc);
  return true;
}

[[gnu::noinline]] void tell_checkers(Engine& e, Region& region, std::uint32_t offset,
                                     std::uint16_t bytes, AccessKind kind, bool is_volatile,
                                     Pc pc) {
  const bool read = kind == AccessKind::read;
  const Access access{.region = &region,
                      .offset = offset,
                      .size = bytes,
                      .kind = kind,
                      .is_volatile = is_volatile,
                      .changed = true,
                      .looks = read,
                      .reads = read,
                      .pc = pc};
  ++e.grid->slow_accesses;
  for (Observer* observer : e.on_access) observer->access(*e.current, access);
}

[[gnu::noinline]] void on_access(const void* pointer, std::size_t bytes, AccessKind kind,
                                 bool is_volatile, Pc pc) {
  Engine& e = engine();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (e.current == nullptr) [[unlikely]]
    return on_host_access(address, bytes, kind, pc);
  if (on_own_stack(*e.current, address)) return;
  Region* region = region_of(e, address, bytes, kind, pc);
  if (region == nullptr) [[unlikely]]
    return;
  const bool polls = kind == AccessKind::read && notice_poll(e, pointer, bytes, is_volatile, pc);
  if (--e.countdown == 0) [[unlikely]]
    on_countdown(e, polls, pc);
  if (kind == AccessKind::write) note_progress();
  ++region->accesses;
  const auto offset = static_cast<std::uint32_t>(address - region->begin);
  tell_checkers(e, *region, offset, static_cast<std::uint16_t>(bytes), kind, is_volatile, pc);
}

// Where nobody can be waiting and it is nobody else's turn, the checkers' short way is enough.
template <Space space, std::size_t kBytes, AccessKind kind>
[[gnu::always_inline]] inline bool note_quickly(Engine& e, QuickView& view, const void* pointer,
                                                std::uintptr_t offset, Pc pc) {
  if (e.countdown == 1 || (kind == AccessKind::read && e.spin_address == pointer) ||
      !pass_quickly<space, kBytes, kind>(view, *e.current, offset, pc)) [[unlikely]]
    return false;
  --e.countdown;
  if (kind == AccessKind::read) e.spin_address = pointer;
  if (kind == AccessKind::write) note_progress();
  ++view.region->accesses;
  return true;
}

template <std::size_t kBytes, AccessKind kind>
[[gnu::always_inline]] inline void on_plain_access(const void* pointer, Pc pc) {
  Engine& e = engine();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (const auto offset = address - e.quick_shared.begin; offset < e.quick_shared.span) {
    if (note_quickly<Space::shared, kBytes, kind>(e, e.quick_shared, pointer, offset, pc)) return;
  } else if (const auto far = address - e.quick_global.begin; far < e.quick_global.span) {
    if (note_quickly<Space::global, kBytes, kind>(e, e.quick_global, pointer, far, pc)) return;
  }
  on_access(pointer, kBytes, kind, false, pc);
}

}  // namespace

Region* device_region(const void* pointer, std::size_t bytes, AccessKind kind, Pc pc) {
  Engine& e = engine();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (on_own_stack(*e.current, address)) return nullptr;
  return region_of(e, address, bytes, kind, pc);
}

void count_atomic(bool polls, Pc pc) {
  Engine& e = engine();
  ++e.grid->record.atomics;
  if (--e.countdown == 0) on_countdown(e, polls, pc);
}

// Copies of any length, and of structs: word by word, as the checkers see memory.
void on_range(const void* pointer, std::size_t bytes, AccessKind kind, Pc pc) {
  const auto* at = static_cast<const std::uint8_t*>(pointer);
  while (bytes > 0) {
    const std::size_t step = (reinterpret_cast<std::uintptr_t>(at) & 3) == 0 && bytes >= 4 ? 4 : 1;
    on_access(at, step, kind, false, pc);
    at += step;
    bytes -= step;
  }
}

}  // namespace scanlab::machine

using scanlab::machine::AccessKind;
using scanlab::machine::on_range;

#define SCANLAB_HOOK(NAME, BYTES, KIND) \
  void NAME(void* p) { scanlab::machine::on_plain_access<BYTES, AccessKind::KIND>(p, SCANLAB_PC); }
#define SCANLAB_VOLATILE_HOOK(NAME, BYTES, KIND) \
  void NAME(void* p) { scanlab::machine::on_access(p, BYTES, AccessKind::KIND, true, SCANLAB_PC); }
#define SCANLAB_HOOKS(BYTES)                                                \
  SCANLAB_HOOK(__tsan_read##BYTES, BYTES, read)                             \
  SCANLAB_HOOK(__tsan_write##BYTES, BYTES, write)                           \
  SCANLAB_HOOK(__tsan_unaligned_read##BYTES, BYTES, read)                   \
  SCANLAB_HOOK(__tsan_unaligned_write##BYTES, BYTES, write)                 \
  SCANLAB_VOLATILE_HOOK(__tsan_volatile_read##BYTES, BYTES, read)           \
  SCANLAB_VOLATILE_HOOK(__tsan_volatile_write##BYTES, BYTES, write)         \
  SCANLAB_VOLATILE_HOOK(__tsan_unaligned_volatile_read##BYTES, BYTES, read) \
  SCANLAB_VOLATILE_HOOK(__tsan_unaligned_volatile_write##BYTES, BYTES, write)

extern "C" {
SCANLAB_HOOKS(1)
SCANLAB_HOOKS(2)
SCANLAB_HOOKS(4)
SCANLAB_HOOKS(8)
SCANLAB_HOOKS(16)
void __tsan_read_range(void* p, unsigned long n) { on_range(p, n, AccessKind::read, SCANLAB_PC); }
void __tsan_write_range(void* p, unsigned long n) { on_range(p, n, AccessKind::write, SCANLAB_PC); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
}
