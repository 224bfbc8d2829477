// Device memory: allocations with guard zones, copies, sets. Freed memory is kept until the run
// ends, so that a use after free is told by name.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

#define SCANLAB_PC __builtin_return_address(0)

namespace scanlab::machine {
namespace {

constexpr std::size_t kGuard = 64 << 10;  // bytes that belong to nobody, on both sides
constexpr std::size_t kPage = 4096;

std::size_t in_use = 0;
unsigned allocations = 0;

// Device memory lies far from everything that is the host's, at the same addresses in each run.
constexpr std::uintptr_t kDeviceSpace = std::uintptr_t{1} << 45;
std::uintptr_t next_address = kDeviceSpace;

std::size_t mapped_bytes(std::size_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage + 2 * kGuard;
}

int failed(int error) { return engine().last_error = error; }

bool is_taken(const std::string& name) {
  return std::any_of(device_regions().begin(), device_regions().end(),
                     [&](const auto& region) { return region->name == name; });
}

// What the program calls the array where it allocates it. Where that is not to be read or not the
// first of that name, the allocations are numbered.
std::string array_name(Pc pc) {
  const std::string number = "allocation " + std::to_string(++allocations);
  if (engine().array_names.empty()) return number;
  const auto found = engine().array_names.find(place_of(pc).line);
  if (found == engine().array_names.end()) return number;
  return is_taken(found->second) ? found->second + " (" + number + ")" : found->second;
}

int allocate(void** pointer, std::size_t bytes, bool managed, Pc pc) {
  Engine& e = engine();
  if (pointer == nullptr) return failed(kInvalidValue);
  *pointer = nullptr;  // and a place of its own even for 0 bytes, where a GPU gives null: a use of
                       // it is told by name
  if (bytes > e.options.device_memory_limit || in_use > e.options.device_memory_limit - bytes)
    return failed(kOutOfMemory);
  void* base = mmap(reinterpret_cast<void*>(next_address), mapped_bytes(bytes),
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return failed(kOutOfMemory);
  in_use += bytes;
  next_address += mapped_bytes(bytes);
  *pointer = static_cast<std::uint8_t*>(base) + kGuard;
  Region& region = add_region(array_name(pc), Space::global, *pointer, bytes);
  region.owned = true;
  region.managed = managed;
  region.allocated_at = pc;
  if (e.options.checks.memory) poison(*pointer, bytes);
  return 0;
}

int release(void* pointer, Pc pc) {
  if (pointer == nullptr) return 0;
  Region* region = find_region(reinterpret_cast<std::uintptr_t>(pointer), 0);
  if (region == nullptr || !region->owned || region->freed ||
      region->begin != reinterpret_cast<std::uintptr_t>(pointer)) {
    report(words::bad_free(pc));
    return failed(kInvalidValue);
  }
  region->freed = true;
  engine().last_global = &engine().nowhere;
  in_use -= region->bytes;
  return 0;
}

// The region of a host-side copy or set; null when the address is host memory. `ok` is false where
// it does not fit.
Region* copied_region(const void* address, std::size_t bytes, bool& ok, AccessKind kind, Pc pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Region* region = find_region(at, 0);
  if (region == nullptr || (region->space != Space::global && region->space != Space::module))
    return nullptr;
  ok = !region->freed && at - region->begin + bytes <= region->bytes;
  if (!ok) report(words::bad_copy(*region, at - region->begin, bytes, kind, pc));
  return region;
}

int copy(void* to, const void* from, std::size_t bytes, int kind, Pc pc) {
  if (bytes == 0) return 0;
  bool to_ok = true, from_ok = true;
  Region* target = copied_region(to, bytes, to_ok, AccessKind::write, pc);
  Region* origin = copied_region(from, bytes, from_ok, AccessKind::read, pc);
  if (!to_ok || !from_ok) return failed(kInvalidValue);
  const bool device_to = kind == 1 || kind == 3, device_from = kind == 2 || kind == 3;
  if (kind != 4 && ((device_to && target == nullptr) || (device_from && origin == nullptr) ||
                    (!device_to && target != nullptr && !target->managed) ||
                    (!device_from && origin != nullptr && !origin->managed)))
    return failed(kInvalidValue);
  if (engine().sticky_error != 0) return failed(engine().sticky_error);
  std::memmove(to, from, bytes);
  if (target != nullptr)
    set_bits(target->written, reinterpret_cast<std::uintptr_t>(to) - target->begin, bytes);
  if (origin != nullptr && (target == nullptr || target->space == Space::module)) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(from) - origin->begin;
    if (engine().options.checks.memory && reads_unwritten(*origin, offset, bytes))
      report(words::copied_unwritten(*origin, pc));
    add_to_output(from, bytes);
  }
  return 0;
}

int set(void* to, int value, std::size_t bytes, Pc pc) {
  if (bytes == 0) return 0;
  bool ok = true;
  Region* target = copied_region(to, bytes, ok, AccessKind::write, pc);
  if (target == nullptr || !ok) return failed(kInvalidValue);
  if (engine().sticky_error != 0) return failed(engine().sticky_error);
  std::memset(to, value, bytes);
  set_bits(target->written,
           static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(to) - target->begin), bytes);
  return 0;
}

}  // namespace

void forget_allocations() {
  for (const auto& region : device_regions()) {
    if (!region->owned) continue;
    munmap(reinterpret_cast<std::uint8_t*>(region->begin) - kGuard, mapped_bytes(region->bytes));
  }
  in_use = 0;
  allocations = 0;
  next_address = kDeviceSpace;
  clear_device_regions();
}

void report_leaks() {
  std::size_t bytes = 0;
  unsigned count = 0;
  Pc first = nullptr;
  for (const auto& region : device_regions()) {
    if (!region->owned || region->freed || region->bytes == 0) continue;
    bytes += region->bytes;
    if (count++ == 0) first = region->allocated_at;
  }
  if (count > 0) report(words::leak(bytes, count, first));
}

}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" {
int scanlab_malloc(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, false, SCANLAB_PC);
}
int scanlab_malloc_managed(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, true, SCANLAB_PC);
}
int scanlab_malloc_host(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, true, SCANLAB_PC);
}
int cudaFree(void* pointer) { return release(pointer, SCANLAB_PC); }
int cudaFreeHost(void* pointer) { return release(pointer, SCANLAB_PC); }
int cudaMemcpy(void* to, const void* from, size_t bytes, int kind) {
  return copy(to, from, bytes, kind, SCANLAB_PC);
}
int cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                 size_t height, int kind) {
  int error = 0;
  for (size_t row = 0; row < height && error == 0; ++row)
    error = copy(static_cast<char*>(to) + row * to_pitch,
                 static_cast<const char*>(from) + row * from_pitch, width, kind, SCANLAB_PC);
  return error;
}
int cudaMemset(void* to, int value, size_t bytes) { return set(to, value, bytes, SCANLAB_PC); }
int cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  *total_bytes = engine().options.device_memory_limit;
  *free_bytes = *total_bytes - in_use;
  return 0;
}
int scanlab_symbol_copy(const void* symbol, size_t symbol_bytes, void* host, size_t bytes,
                        size_t offset, int to_symbol, int) {
  if (offset > symbol_bytes || bytes > symbol_bytes - offset) return failed(kInvalidValue);
  auto* at = static_cast<char*>(const_cast<void*>(symbol)) + offset;
  if (to_symbol != 0) {
    std::memmove(at, host, bytes);
  } else {
    std::memmove(host, at, bytes);
    add_to_output(at, bytes);
  }
  return 0;
}

// The submission's own calls (its link renames them): told to the checkers, then done.
void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  on_range(from, bytes, AccessKind::read, SCANLAB_PC);
  on_range(to, bytes, AccessKind::write, SCANLAB_PC);
  return std::memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  on_range(from, bytes, AccessKind::read, SCANLAB_PC);
  on_range(to, bytes, AccessKind::write, SCANLAB_PC);
  return std::memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, size_t bytes) {
  on_range(to, bytes, AccessKind::write, SCANLAB_PC);
  return std::memset(to, value, bytes);
}
}
