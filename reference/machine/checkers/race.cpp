// race.shared, race.global and fence.missing: two accesses of one word by different threads, one of
// them a write, that nothing orders. Each word keeps its last writer and all readers since; a write
// that does not change the value counts, and the finding does not depend on what the output was.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "machine/checkers/happens_before.hpp"

namespace scanlab::machine {
namespace {

Pc to_pc(std::uint32_t place) {
  const std::uintptr_t begin = engine().module_begin;
  return reinterpret_cast<Pc>(begin + ((place - begin) & kPlaceMask));
}

// The cells of one array; of one block for shared memory.
struct Shadow {
  std::unique_ptr<Cell[], void (*)(void*)> cells{nullptr, std::free};
  std::size_t count = 0;
  unsigned shift = 3;  // a cell for each 8 bytes; for fewer once somebody uses less

  void make(std::size_t bytes, unsigned wanted_shift) {
    count = (bytes >> wanted_shift) + 1;
    shift = wanted_shift;
    cells.reset(static_cast<Cell*>(std::calloc(count, sizeof(Cell))));
  }
};

unsigned shift_for(unsigned bytes) { return bytes >= 8 ? 3 : bytes >= 4 ? 2 : 0; }

// One access, as each of its cells sees it.
struct Now {
  Thread& thread;
  const Access& access;
  std::uint32_t tag, me, base, block;
  bool one_block;  // the array is one block's: all that is in its cells is too
  bool flag;

  // Ordered before this access by a barrier.
  bool after(std::uint32_t other, std::uint32_t clock) const {
    return clock < base && (one_block || other / kMaxThreadsPerBlock == block);
  }
};

class RaceChecker final : public Observer {
 public:
  unsigned wants() const override { return kOnAccess | kOnFence | kOnWarpSync; }
  bool has_quick_way() const override { return true; }

  void kernel_begin(Grid& grid) override {
    order_.kernel_begin();
    more_.clear();
    unused_.clear();
    old_writes_.clear();
    launch_ = static_cast<std::uint32_t>(grid.launch);
  }
  void fence(Thread& thread, Scope scope, Pc) override { order_.fence(thread, scope); }
  void warp_sync(Block& block, unsigned warp, std::uint32_t lanes) override {
    order_.warp_sync(block, warp, lanes);
  }

  void access(Thread& thread, const Access& a) override {
    const bool shared = a.region->space == Space::shared;
    const std::uint32_t tag = shared ? thread.block->serial : launch_;
    const bool flag = a.is_atomic || (a.is_volatile && volatile_is_flag(thread, a, shared));
    if (flag) [[unlikely]] {
      order_.flag_access(thread, a, word_key(a, tag));
    }
    Shadow& shadow = shadow_of(thread, *a.region, shared, a.size);
    if ((a.size >> shadow.shift) == 0) [[unlikely]]
      refine(shadow, a.region->bytes, shift_for(a.size), tag);
    const Now now{thread, a,   tag, thread.number, thread.block->base_clock, thread.block->number,
                  shared, flag};
    const std::size_t first = a.offset >> shadow.shift,
                      last = (a.offset + a.size - 1u) >> shadow.shift;
    for (std::size_t i = first; i <= last; ++i) touch(shadow.cells[i], now);
    if (flag && a.kind == AccessKind::write)
      advance_clock(thread);  // what follows is not told by this flag
    remember(*a.region, shadow, tag);
  }

 private:
  void remember(Region& region, const Shadow& shadow, std::uint32_t tag) const {
    QuickView& view = quick_view(region);
    view.cells = shadow.cells.get();
    view.tag = tag;
    view.size = static_cast<std::uint16_t>(1u << shadow.shift);
    be_quick(view);
  }

  // In global memory a volatile access is a flag's. In shared memory old code uses volatile for
  // plain data, so there a write is a flag only where a fence announces it.
  bool volatile_is_flag(const Thread& thread, const Access& a, bool shared) const {
    return !shared || a.kind == AccessKind::read || order_.fenced_in_interval(thread);
  }

  static std::uint64_t word_key(const Access& a, std::uint32_t tag) {
    return (a.region->begin + a.offset) ^ (std::uint64_t{tag} << 44);
  }

  Shadow& shadow_of(const Thread& thread, const Region& region, bool shared, unsigned size) {
    Shadow& shadow = find_shadow(thread, region, shared);
    if ((region.bytes >> shadow.shift) >= shadow.count)
      shadow.make(region.bytes, std::min(shadow.shift, shift_for(size)));
    return shadow;
  }

  Shadow& find_shadow(const Thread& thread, const Region& region, bool shared) {
    if (!shared) {
      if (global_.size() <= region.id) global_.resize(region.id + 1);
      return global_[region.id];
    }
    const unsigned slot = thread.block->slot;
    if (shared_.size() <= slot) shared_.resize(slot + 1);
    const std::size_t place = region.id + 1u;  // dynamic shared memory has id -1
    if (shared_[slot].size() <= place) shared_[slot].resize(place + 1);
    return shared_[slot][place];
  }

  // What is known of a word is known of each of its parts.
  void refine(Shadow& shadow, std::size_t bytes, unsigned shift, std::uint32_t tag) {
    Shadow fine;
    fine.make(bytes, shift);
    for (std::size_t i = 0; i < bytes >> shift; ++i) {
      const Cell& coarse = shadow.cells[i << shift >> shadow.shift];
      fine.cells[i] = coarse;
      fine.cells[i].more = 0;
      if (coarse.more == 0 || coarse.tag != tag) continue;
      const std::vector<Reader> readers = more_[coarse.more - 1];
      for (const Reader& reader : readers) add_reader(fine.cells[i], reader);
    }
    shadow = std::move(fine);
  }

  void touch(Cell& cell, const Now& now) {
    if (cell.tag != now.tag) clear(cell, now.tag);
    if (cell.writer != now.me && !now.after(cell.writer, cell.write_clock) &&
        cell.writer != kNobody) [[unlikely]]
      check_writer(cell, now);
    if (cell.old_write != 0 && now.flag) [[unlikely]]
      check_old_write(old_writes_[cell.old_write - 1], now);
    if (now.access.kind == AccessKind::write) {
      check_readers(cell, now);
      write(cell, now);
    } else {
      read(cell, now);
    }
  }

  void check_writer(const Cell& cell, const Now& now) {
    if (now.flag && cell.write_flag) return;
    judge({cell.writer, cell.write_clock}, to_pc(cell.write_place),
          cell.write_atomic ? "atomic" : "write", now.thread, now.access);
  }

  // Atomics do not order each other: each has to be ordered after the plain accesses before them.
  void check_old_write(const Reader& write, const Now& now) {
    if (write.thread == now.me || now.after(write.thread, write.clock)) return;
    judge({write.thread, write.clock}, to_pc(write.place), "write", now.thread, now.access);
  }

  void check_readers(const Cell& cell, const Now& now) {
    for (const Reader& reader : cell.readers) check_reader(reader, now);
    if (cell.more == 0) return;
    for (const Reader& reader : more_[cell.more - 1]) check_reader(reader, now);
  }

  void check_reader(const Reader& reader, const Now& now) {
    if (reader.thread == now.me || now.after(reader.thread, reader.clock) ||
        reader.thread == kNobody)
      return;
    if (now.flag && reader.flag) return;
    judge({reader.thread, reader.clock}, to_pc(reader.place), "read", now.thread, now.access);
  }

  void write(Cell& cell, const Now& now) {
    if (now.flag) [[unlikely]]
      keep_plain_write(cell);
    else
      forget_older(cell);
    cell.writer = now.me;
    cell.write_clock = now.thread.clock;
    cell.write_place = to_place(now.access.pc);
    cell.write_flag = now.flag;
    cell.write_atomic = now.access.is_atomic;
  }

  // Who comes after a plain write, and is ordered after it, is ordered after all that was before
  // it.
  void forget_older(Cell& cell) {
    cell.old_write = 0;
    cell.readers[0] = cell.readers[1] = Reader{};
    if (cell.more != 0) [[unlikely]]
      drop_more(cell);
  }

  void keep_plain_write(Cell& cell) {
    if (cell.writer == kNobody || cell.write_flag) return;
    old_writes_.push_back({cell.writer, cell.write_clock, cell.write_place & kPlaceMask, 0});
    cell.old_write = static_cast<std::uint32_t>(old_writes_.size());
  }

  void read(Cell& cell, const Now& now) {
    const Reader reader{now.me, now.thread.clock, to_place(now.access.pc) & kPlaceMask, now.flag};
    for (Reader& known : cell.readers) {
      const bool own = known.thread == now.me &&
                       (known.flag || !now.flag);  // a plain read is not hidden by a later poll
      if (!own && known.thread != kNobody && !now.after(known.thread, known.clock)) continue;
      known = reader;
      return;
    }
    add_reader(cell, reader);
  }

  void add_reader(Cell& cell, const Reader& reader) {
    if (cell.more == 0) {
      if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(more_.size()));
        more_.emplace_back();
      }
      cell.more = (unused_.back() + 1) & 0x3fffffffu;
      unused_.pop_back();
      more_[cell.more - 1].clear();
    }
    std::vector<Reader>& readers = more_[cell.more - 1];
    if (readers.empty() || readers.back().thread < reader.thread) return readers.push_back(reader);
    const auto place =
        std::lower_bound(readers.begin(), readers.end(), reader,
                         [](const Reader& a, const Reader& b) { return a.thread < b.thread; });
    if (place == readers.end() || place->thread != reader.thread) {
      readers.insert(place, reader);
    } else if (place->flag || !reader.flag) {
      *place = reader;
    }
  }

  void drop_more(Cell& cell) {
    unused_.push_back(cell.more - 1);
    cell.more = 0;
  }

  void judge(const Event& event, Pc pc, const char* what, Thread& thread, const Access& a) {
    const Answer answer = order_.search(event, thread);
    const words::Party before{event.thread, pc, what};
    const words::Party now{thread_number(thread), a.pc,
                           a.is_atomic                  ? "atomic"
                           : a.kind == AccessKind::read ? "read"
                                                        : "write"};
    if (answer.order == Order::ordered) {
      if (!answer.formal && a.kind == AccessKind::read)
        report_once(pair_key('n', a.pc, answer.poll.pc), [&] {
          return words::fence_note(*a.region, a.offset, now,
                                   {answer.poll.thread, answer.poll.pc, "poll"});
        });
      return;
    }
    if (answer.order == Order::unfenced &&
        event.thread / kMaxThreadsPerBlock != thread.block->number) {
      report_once(pair_key('f', pc, answer.flag.pc), [&] {
        return words::fence_missing(*a.region, a.offset, before,
                                    {answer.flag.thread, answer.flag.pc, "flag write"}, now);
      });
      return;
    }
    report_race(before, now, event, thread, a);
  }

  static void report_race(const words::Party& before, const words::Party& now, const Event& event,
                          const Thread& thread, const Access& a) {
    const bool one_warp = event.thread / kWarpSize == thread_number(thread) / kWarpSize;
    report_once(pair_key('r', now.pc, before.pc),
                [&] { return words::race(*a.region, a.offset, before, now, one_warp); });
  }

  HappensBefore order_;
  std::uint32_t launch_ = 0;
  std::vector<Shadow> global_;               // by region id
  std::vector<std::vector<Shadow>> shared_;  // by block slot, then region id
  std::vector<Reader> old_writes_;
  std::vector<std::vector<Reader>> more_;  // each by thread
  std::vector<std::uint32_t> unused_;      // of more_
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.race ? std::make_unique<RaceChecker>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
