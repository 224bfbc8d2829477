// What is known of each word that kernels touch, and the short way of an access: inlined into the
// hooks, past the observers that keep this state. Most accesses are plain, go to the array of the
// one before, meet nobody whom a barrier has not ordered and read what was written: nothing is to
// be said of them, and a few instructions note them down. Observers hear of all others, and leave
// here what the next one may need.
#pragma once

#include "machine/state.hpp"

namespace scanlab::machine {

inline constexpr std::uint32_t kNobody = 0xffffffffu;

// Where in the submission: the low bits of a return address, 31 of them where a flag is beside it.
inline constexpr std::uint32_t kPlaceMask = 0x7fffffffu;
inline std::uint32_t to_place(Pc pc) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pc));
}

// A read that later writes must be ordered after.
struct Reader {
  std::uint32_t thread = kNobody, clock = 0;
  std::uint32_t place : 31 = 0;
  std::uint32_t flag : 1 = 0;  // an atomic or volatile read, which may meet such a write
};

// Who wrote a word and who has read it since.
struct Cell {
  std::uint32_t tag = 0;  // block serial (shared) or launch (global): older cells are empty
  std::uint32_t writer = kNobody, write_clock = 0, write_place = 0;
  Reader readers[2];            // most words have two readers at most between two writes
  std::uint32_t more : 30 = 0;  // 1 + index of further readers
  std::uint32_t write_flag : 1 = 0, write_atomic : 1 = 0;
  std::uint32_t old_write = 0;  // 1 + index of the plain write that atomics have followed
};
static_assert(sizeof(Cell) == 48);

inline void clear(Cell& cell, std::uint32_t tag) {
  cell = Cell{};
  cell.tag = tag;
}

// The array of the last access to shared or to global memory, as the block that made it sees it.
struct QuickView {
  std::uintptr_t begin = 0;
  std::size_t span = 0;  // accesses that begin at offsets below may be quick: 0 until all is known
  Region* region = nullptr;
  Cell* cells = nullptr;         // who touched each word
  std::uint8_t* bits = nullptr;  // one for each byte that was written
  std::uint32_t tag = 0;
  std::uint16_t size = 0;  // bytes that a cell stands for, a power of two
};

// Whether what `other` did at `clock` is ordered before what `thread` does now, or its own.
template <Space space>
bool settled(const Thread& thread, std::uint32_t base, std::uint32_t other, std::uint32_t clock) {
  if (other == thread.number) return true;
  if (clock >= base) return false;
  if constexpr (space == Space::shared) return true;  // one block's alone
  return clock == 0 || other / kMaxThreadsPerBlock == thread.number / kMaxThreadsPerBlock;
}

template <Space space>
bool read_quickly(Cell& cell, const Thread& thread, Pc pc) {
  const std::uint32_t base = thread.block->base_clock;
  if (!settled<space>(thread, base, cell.writer, cell.write_clock)) return false;
  for (Reader& reader : cell.readers) {
    if (!settled<space>(thread, base, reader.thread, reader.clock)) continue;
    reader = {thread.number, thread.clock, to_place(pc) & kPlaceMask, 0};
    return true;
  }
  return false;
}

template <Space space>
bool write_quickly(Cell& cell, const Thread& thread, Pc pc) {
  const std::uint32_t base = thread.block->base_clock;
  if (cell.more != 0 || !settled<space>(thread, base, cell.writer, cell.write_clock)) return false;
  for (const Reader& reader : cell.readers)
    if (!settled<space>(thread, base, reader.thread, reader.clock)) return false;
  cell = {cell.tag, thread.number, thread.clock, to_place(pc), {}, 0, 0, 0, 0};
  return true;
}

// Notes a plain access of `kBytes` at `offset` < view.span. False: the observers have to hear of
// it.
template <Space space, std::size_t kBytes, AccessKind kind>
[[gnu::always_inline]] inline bool pass_quickly(const QuickView& view, const Thread& thread,
                                                std::uintptr_t offset, Pc pc) {
  if (kBytes > 8 || view.size != kBytes || offset % kBytes != 0) return false;
  Cell& cell = view.cells[offset / kBytes];
  if (cell.tag != view.tag) [[unlikely]]
    clear(cell, view.tag);
  std::uint8_t& bits = view.bits[offset / 8];
  constexpr unsigned kAll = (1u << kBytes) - 1;
  const auto mask = static_cast<std::uint8_t>(kAll << offset % 8);
  if constexpr (kind == AccessKind::read) {
    const bool known = cell.writer != kNobody || (~bits & mask) == 0;
    return known && read_quickly<space>(cell, thread, pc);
  } else {
    if (!write_quickly<space>(cell, thread, pc)) return false;
    bits |= mask;
    return true;
  }
}

}  // namespace scanlab::machine
