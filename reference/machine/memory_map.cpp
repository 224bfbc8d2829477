// Which array an address belongs to, what unwritten memory holds, and which bytes were written.
#include <algorithm>
#include <cstring>
#include <map>

#include "machine/engine.hpp"

namespace scanlab::machine {
namespace {

std::vector<std::unique_ptr<Region>>
    regions;  // device allocations and mapped buffers, live and freed
std::map<std::uintptr_t, Region*> by_address;  // begin -> region
constexpr std::size_t kNearShared = 2048;      // the same for shared arrays, beyond all of them
constexpr std::size_t kNear = std::size_t{64}
                              << 20;  // how far a wild index may be blamed on an array

Region* find_shared(std::uintptr_t address, std::size_t bytes) {
  Engine& e = engine();
  auto after = std::upper_bound(e.shared_regions.begin(), e.shared_regions.end(), address,
                                [](std::uintptr_t a, const Region* r) { return a < r->begin; });
  if (after == e.shared_regions.begin()) return nullptr;
  Region* candidate = *std::prev(after);
  if (!contains(*candidate, address, bytes)) return nullptr;
  return candidate;
}

Region* find_dynamic(std::uintptr_t address, std::size_t bytes) {
  const Thread* thread = engine().current;
  if (thread == nullptr || !thread->block->dynamic_region) return nullptr;
  Region* region = thread->block->dynamic_region.get();
  return contains(*region, address, bytes) ? region : nullptr;
}

// Bytes between an address range and a region: 0 when inside, > 0 past the end, < 0 before the
// beginning.
long long distance_to(const Region& region, std::uintptr_t address) {
  if (address < region.begin) return -static_cast<long long>(region.begin - address);
  return static_cast<long long>(address - (region.begin + region.bytes)) + 1;
}

void consider(Resolution& best, Region& region, std::uintptr_t address) {
  const long long distance = distance_to(region, address);
  const auto rank = [](const Region& r, long long d) {  // arrays that this launch uses come first
    const bool idle = engine().grid != nullptr && r.touched_launch != engine().grid->launch;
    return std::make_pair(idle && r.space == Space::shared, std::llabs(d));
  };
  if (static_cast<std::size_t>(std::llabs(distance)) > kNear) return;
  if (best.nearest == nullptr || rank(region, distance) < rank(*best.nearest, best.distance)) {
    best.nearest = &region;
    best.distance = distance;
  }
}

// Shared memory lies on the host's heap: what is further away than its guards may well be the
// host's.
bool near_shared(std::uintptr_t address) {
  const Engine& e = engine();
  return address - (reinterpret_cast<std::uintptr_t>(e.shared) - kNearShared) <
         e.shared_bytes + 2 * kNearShared;
}

bool guards_dynamic(const Block& block, std::uintptr_t address) {
  const std::uintptr_t begin = block.dynamic_region->begin - kDynamicGuard;
  return address - begin < block.dynamic_region->bytes + 2 * kDynamicGuard;
}

Resolution nearest_to(std::uintptr_t address) {
  Resolution best;
  if (near_shared(address))
    for (Region* region : engine().shared_regions) consider(best, *region, address);
  const Thread* thread = engine().current;
  if (thread != nullptr && guards_dynamic(*thread->block, address))
    consider(best, *thread->block->dynamic_region, address);
  for (auto& [begin, region] : by_address) consider(best, *region, address);
  return best;
}

}  // namespace

Region* find_region(std::uintptr_t address, std::size_t bytes) {
  const Engine& e = engine();
  if (address - reinterpret_cast<std::uintptr_t>(e.shared) < e.shared_bytes)
    return find_shared(address, bytes);
  if (Region* dynamic = find_dynamic(address, bytes)) return dynamic;
  auto after = by_address.upper_bound(address);
  if (after == by_address.begin()) return nullptr;
  Region* candidate = std::prev(after)->second;
  if (!contains(*candidate, address, bytes)) return nullptr;
  return candidate;
}

// An unsigned 32-bit index that wrapped below zero lands 2^32 elements further up: look there too.
// Elements may be structs, longer than what is accessed.
Resolution explain_address(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t kLongestElement = 64;
  Resolution result = nearest_to(address);
  for (std::size_t element = bytes; result.nearest == nullptr && element <= kLongestElement;
       ++element) {
    result = nearest_to(address - (static_cast<std::uintptr_t>(element) << 32));
    result.wrapped = element;
  }
  return result;
}

Region& add_region(std::string name, Space space, void* address, std::size_t bytes) {
  auto region = std::make_unique<Region>();
  region->name = std::move(name);
  region->space = space;
  region->begin = reinterpret_cast<std::uintptr_t>(address);
  region->bytes = bytes;
  region->id = static_cast<unsigned>(engine().shared_regions.size() + regions.size());
  if (space != Space::shared) region->written.assign((bytes + 7) / 8, 0);
  by_address[region->begin] = region.get();
  regions.push_back(std::move(region));
  return *regions.back();
}

void clear_device_regions() {
  regions.clear();
  by_address.clear();
  engine().last_global = &engine().nowhere;
}

const std::vector<std::unique_ptr<Region>>& device_regions() { return regions; }

// Every byte non-zero and unlike small numbers, different for each seed.
std::uint64_t poison_word() {
  Random random(engine().options.poison_seed);
  return (random.next() & 0x0f0f0f0f0f0f0f0fu) | 0xc0d0c0d0c0d0c0d0u;
}

// The pattern goes by address, whatever byte an array begins at: holds_poison reads it the same
// way.
void poison(void* address, std::size_t bytes) {
  const std::uint64_t word = poison_word();
  const auto* pattern = reinterpret_cast<const std::uint8_t*>(&word);
  auto* to = static_cast<std::uint8_t*>(address);
  auto* const end = to + bytes;
  for (; to < end && (reinterpret_cast<std::uintptr_t>(to) & 7) != 0; ++to)
    *to = pattern[reinterpret_cast<std::uintptr_t>(to) & 7];
  for (; to + 8 <= end; to += 8) std::memcpy(to, &word, 8);
  std::memcpy(to, &word, static_cast<std::size_t>(end - to));
}

bool holds_poison(const void* address, std::size_t bytes) {
  const std::uint64_t word = poison_word();
  const auto* pattern = reinterpret_cast<const std::uint8_t*>(&word);
  const auto* at = static_cast<const std::uint8_t*>(address);
  for (std::size_t i = 0; i < bytes; ++i)
    if (at[i] != pattern[(reinterpret_cast<std::uintptr_t>(at) + i) & 7]) return false;
  return true;
}

void set_many_bits(std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes) {
  while (bytes > 0) {
    const std::size_t step = std::min(bytes, 8 - (offset & 7));
    bits[offset / 8] |= bit_mask(offset, step);
    offset += step;
    bytes -= step;
  }
}

bool has_many_bits(const std::vector<std::uint8_t>& bits, std::size_t offset, std::size_t bytes) {
  while (bytes > 0) {
    const std::size_t step = std::min(bytes, 8 - (offset & 7));
    if ((~bits[offset / 8] & bit_mask(offset, step)) != 0) return false;
    offset += step;
    bytes -= step;
  }
  return true;
}

bool reads_unwritten(const Region& region, std::size_t offset, std::size_t bytes) {
  for (std::size_t i = offset; i < offset + bytes; ++i)
    if (!has_bits(region.written, i, 1) &&
        holds_poison(reinterpret_cast<const void*>(region.begin + i), 1))
      return true;
  return false;
}

std::string element_name(const Region& region, std::uint64_t offset) {
  return region.name + "[" + std::to_string(offset / region.element_bytes) + "]";
}

}  // namespace scanlab::machine
