// The only place where findings become sentences. Each function is one finding of CONTRACT.md
// section 4.
#pragma once

#include <string>

#include "machine/engine.hpp"

namespace scanlab::machine {

// cudaError_t values that the machine itself raises.
inline constexpr int kIllegalAddress = 700, kLaunchTimeout = 702, kAssert = 710,
                     kMisalignedAddress = 716, kLaunchFailure = 719, kInvalidConfiguration = 9,
                     kInvalidValue = 1, kOutOfMemory = 2;

namespace words {

std::string thread_name(const Index3& thread);  // "thread 33"
std::string place_name(const Thread& thread);   // "thread 33 of block 2"
std::string verb(AccessKind kind);              // "read" / "wrote"

Finding bad_address(const Thread& thread, std::uintptr_t address, std::size_t bytes,
                    AccessKind kind, Pc pc);
Finding freed(const Thread& thread, const Region& region, std::uintptr_t address, AccessKind kind,
              Pc pc);
Finding host_pointer(const Thread& thread, const Region& region, AccessKind kind, Pc pc);
Finding host_dereference(const Region& region, std::uintptr_t address, AccessKind kind, Pc pc);
Finding misaligned(const Thread& thread, const Region& region, std::uintptr_t address,
                   std::size_t bytes, AccessKind kind, Pc pc);
Finding still_running(const Thread& thread, Pc pc);
Finding uninitialized(const Thread& thread, const Region& region, std::uint64_t offset, bool steers,
                      Pc pc);

struct Party {               // one side of a race
  std::uint32_t thread = 0;  // thread number in the grid
  Pc pc = nullptr;
  std::string access;  // "read", "write", "atomic"
};
Finding race(const Region& region, std::uint64_t offset, const Party& earlier, const Party& later,
             bool same_warp);
Finding fence_missing(const Region& region, std::uint64_t offset, const Party& data,
                      const Party& flag, const Party& reader);
Finding fence_note(const Region& region, std::uint64_t offset, const Party& reader,
                   const Party& poll);

Finding barrier_mixed(const Thread& here, const Thread& there, unsigned here_count,
                      unsigned there_count);
Finding barrier_missed(const Thread& waiting, const Thread& missing, unsigned waiting_count,
                       unsigned missing_count);
Finding barrier_left(const Thread& waiting, const Thread& gone, unsigned waiting_count,
                     unsigned gone_count);
Finding mask_without_self(const Thread& thread, std::uint32_t mask, Pc pc);
Finding trapped(const Thread& thread, Pc pc);
Finding warp_missed(const Thread& waiting, const Thread& missing);
Finding deadlock(const Grid& grid, const Thread& polling, unsigned pollers);

Finding launch_refused(const std::string& kernel, const std::string& why, Pc pc);
Finding leak(std::size_t bytes, unsigned allocations, Pc first);
Finding assertion(const std::string& text, unsigned line);
Finding output_flood(std::size_t limit);
Finding bad_free(Pc pc);
Finding bad_copy(const Region& region, std::size_t offset, std::size_t bytes, AccessKind kind,
                 Pc pc);
Finding copied_unwritten(const Region& region, Pc pc);

}  // namespace words
}  // namespace scanlab::machine
