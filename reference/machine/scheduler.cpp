// Runs a grid: dispatches blocks, switches between threads at barriers and polls, and notices when
// nobody can go on.
//
// A visit to a block is a round over its threads in the order of the schedule. When the round ends,
// either all live threads stand at the barrier, which is released, or some poll or have been
// preempted, and the next resident block gets its round. Only polls that see something new, stores
// that a poll could see, barriers, exits and dispatches count as progress; many rounds over all
// blocks without any are a deadlock.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "machine/engine.hpp"

namespace scanlab::machine {
namespace {

constexpr unsigned kIdleRounds =
    64;  // rounds over all resident blocks without progress: nobody can go on
constexpr unsigned kIdlePolls = 1 << 14;  // polls of each block since memory changed: the same

void swap_in(Block& block) {
  Engine& e = engine();
  if (e.shared_owner == &block) return;
  e.last_shared = &e.nowhere;  // dynamic shared memory is another block's now
  e.quick_shared = {};
  if (auto* owner = const_cast<Block*>(e.shared_owner)) {
    owner->saved_low = e.touched_low;
    owner->saved_high = e.touched_high;
    if (owner->saved_shared.size() < e.shared_bytes) owner->saved_shared.resize(e.shared_bytes);
    std::memcpy(owner->saved_shared.data() + e.touched_low, e.shared + e.touched_low,
                e.touched_high - e.touched_low);
  }
  poison(e.shared + e.touched_low, e.touched_high - e.touched_low);
  if (block.saved_high > block.saved_low)
    std::memcpy(e.shared + block.saved_low, block.saved_shared.data() + block.saved_low,
                block.saved_high - block.saved_low);
  e.shared_owner = &block;
}

void fiber_main() {
  fiber_started();
  Engine& e = engine();
  for (;;) {
    e.grid->body(e.grid->context);
    Thread& self = *e.current;
    for (Observer* observer : e.on_exit) observer->thread_exit(self);
    self.wait = Wait::exited;
    --self.block->live;
    if (e.grid->uses_warps) lane_left(self);
    note_progress();
    yield_thread();  // returns where the last thread of a block is also the first of the next one
                     // in its place
  }
}

// Beside the one that runs: the one after it, and its stack, and the one after that.
constexpr std::size_t kAhead = 2;

void begin_round(Block& block) {
  block.next = block.order.data();
  block.round_end = block.next + block.threads.size();
}

std::vector<Thread*> by_shuffled_warps(Block& block) {
  const std::size_t count = block.threads.size();
  std::vector<std::uint16_t> warps((count + kWarpSize - 1) / kWarpSize);
  std::iota(warps.begin(), warps.end(), std::uint16_t{0});
  engine().random.shuffle(warps);
  std::vector<Thread*> order;
  for (const std::uint16_t warp : warps)
    for (std::size_t t = warp * kWarpSize;
         t < std::min<std::size_t>(count, (warp + 1u) * kWarpSize); ++t)
      order.push_back(&block.threads[t]);
  return order;
}

void order_threads(Block& block) {
  Engine& e = engine();
  const ThreadOrder order = e.options.schedule.threads;
  if (block.reordered && (order == ThreadOrder::ascending || order == ThreadOrder::descending))
    return begin_round(block);
  block.reordered = true;
  block.order.clear();
  for (Thread& thread : block.threads) block.order.push_back(&thread);
  if (order == ThreadOrder::descending) std::reverse(block.order.begin(), block.order.end());
  if (order == ThreadOrder::random) e.random.shuffle(block.order);
  if (order == ThreadOrder::warps_shuffled) block.order = by_shuffled_warps(block);
  block.order.insert(block.order.end(), kAhead, block.order.front());
  begin_round(block);
}

void reset_threads(Grid& grid, Block& block) {
  block.threads.resize(grid.threads_per_block);
  Index3 index;  // counted up: three divisions for each thread would show
  for (std::uint32_t i = 0; i < grid.threads_per_block; ++i) {
    Thread& thread = block.threads[i];
    const Fiber fiber = thread.fiber;
    thread = Thread{};
    thread.fiber = fiber;
    thread.block = &block;
    thread.linear = static_cast<std::uint16_t>(i);
    thread.number = block.number * kMaxThreadsPerBlock + i;
    thread.index = index;
    if (++index.x != grid.block.x) continue;
    index.x = 0;
    if (++index.y != grid.block.y) continue;
    index.y = 0;
    ++index.z;
  }
}

void reset_memory(Grid& grid, Block& block) {
  Engine& e = engine();
  block.saved_low = block.saved_high = 0;
  if (e.shared_owner == &block) e.shared_owner = nullptr;
  block.written_shared.assign((e.shared_bytes + 7) / 8, 0);
  block.dynamic_shared.resize(grid.dynamic_bytes + 2 * kDynamicGuard);
  if (block.dynamic_region) grid.dynamic_accesses += block.dynamic_region->accesses;
  std::uint8_t* const dynamic = block.dynamic_shared.data() + kDynamicGuard;
  poison(dynamic, grid.dynamic_bytes);
  block.dynamic_region = std::make_unique<Region>();
  block.dynamic_region->name = "dynamic shared memory";
  block.dynamic_region->space = Space::shared;
  block.dynamic_region->begin = reinterpret_cast<std::uintptr_t>(dynamic);
  block.dynamic_region->bytes = grid.dynamic_bytes;
  block.dynamic_region->id = static_cast<unsigned>(-1);
  block.dynamic_region->written.assign((grid.dynamic_bytes + 7) / 8, 0);
}

void dispatch(Grid& grid, Block& block) {
  block.number = grid.pending.back();
  grid.pending.pop_back();
  block.index = unlinear(block.number, grid.grid);
  block.serial = ++engine().block_serial;
  reset_threads(grid, block);
  reset_memory(grid, block);
  block.live = grid.threads_per_block;
  block.at_barrier = 0;
  block.barriers = 0;
  block.barriers_mix = false;
  block.barrier_pc = nullptr;
  block.base_clock = block.newest_clock = 1;
  block.reordered = false;
  order_threads(block);
  for (Observer* observer : engine().on_block) observer->block_begin(block);
  note_progress();
}

void count_predicates(Block& block) {
  block.arrived = block.at_barrier;
  block.predicates = 0;
  for (const Thread& thread : block.threads)
    if (wait_of(thread) == Wait::barrier && thread.operand != 0) ++block.predicates;
  block.counting = false;
}

void release_barrier(Block& block) {
  Engine& e = engine();
  for (Observer* observer : e.on_barrier) observer->barrier_release(block);
  if (e.grid->aborted) return;
  if (block.counting) count_predicates(block);
  block.base_clock = ++block.newest_clock;
  block.at_barrier = 0;
  block.barrier_pc = nullptr;
  block.barriers_mix = false;
  ++block.barriers;
  e.grid->record.barriers = std::max<std::uint64_t>(e.grid->record.barriers, block.barriers);
  order_threads(block);
  note_progress();
  ++e.releases;
}

// The stacks of 1024 fibers do not fit the L1 cache: the next ones are fetched while this one runs.
void prefetch_fibers(Thread* const* after) {
  constexpr std::size_t kLines = 4;
  __builtin_prefetch(after[1]);
  const auto top = reinterpret_cast<std::uintptr_t>(after[0]->fiber.context);
  for (std::size_t i = 0; i < kLines; ++i)
    __builtin_prefetch(reinterpret_cast<const void*>(top + 64 * i));
}

Thread* next_in_round(Block& block) {
  while (block.next != block.round_end) {
    Thread& thread = **block.next++;
    if (wait_of(thread) != Wait::none) continue;
    prefetch_fibers(block.next);
    return &thread;
  }
  return nullptr;
}

// Somebody in the block can go on and does not just poll.
bool has_work(const Block& block) {
  return std::any_of(block.threads.begin(), block.threads.end(),
                     [](const Thread& t) { return wait_of(t) == Wait::none && !t.polling; });
}

// The round over `block` has ended. True when it has a new one to run at once.
bool round_ended(Grid& grid, Block& block) {
  begin_round(block);
  if (block.live == 0) {
    if (grid.pending.empty()) return false;
    dispatch(grid, block);
    return true;
  }
  if (block.at_barrier != block.live) return has_work(block);
  release_barrier(block);
  return !grid.aborted;
}

bool finished(const Grid& grid) {
  if (!grid.pending.empty()) return false;
  return std::all_of(grid.resident.begin(), grid.resident.end(),
                     [](const auto& b) { return b->live == 0; });
}

// After a round over all resident blocks: is anybody still getting anywhere?
bool stalled(Grid& grid) {
  if (engine().progress != grid.progress_seen) {
    grid.progress_seen = engine().progress;
    grid.idle_rounds = 0;
    return false;
  }
  return ++grid.idle_rounds >= kIdleRounds;
}

void give_up(Grid& grid) {
  for (Observer* observer : engine().on_stall) observer->stalled(grid);
  grid.aborted = true;
  engine().in_turn = &engine().nobody;
}

void next_block(Grid& grid) {
  engine().in_turn = &engine().nobody;
  grid.active = (grid.active + 1) % grid.resident.size();
  if (grid.active == 0 && stalled(grid)) give_up(grid);
}

bool only_polls(const Block& block) {
  return block.live == 0 ||
         (block.idle_since == engine().changes() && block.idle_polls >= kIdlePolls);
}

// Loops that poll between barriers or votes do get around, and yet nowhere: this block has polled
// often since memory changed, and so has every other.
bool polls_in_vain(Block& block) {
  if (block.idle_since != engine().changes()) {
    block.idle_since = engine().changes();
    block.idle_polls = 0;
  }
  if (++block.idle_polls < kIdlePolls || block.idle_polls % 64 != 0) return false;
  const auto& resident = engine().grid->resident;
  return std::all_of(resident.begin(), resident.end(),
                     [](const auto& b) { return only_polls(*b); });
}

// Who runs next; null when the grid has ended.
[[gnu::noinline]] Thread* pick_slowly(Grid& grid) {
  engine().in_turn = &engine().nobody;
  while (!grid.aborted) {
    Block& block = *grid.resident[grid.active];
    if (Thread* thread = next_in_round(block)) {
      swap_in(block);
      engine().in_turn = &block;
      begin_turn(*thread);
      return thread;
    }
    if (round_ended(grid, block)) continue;
    if (block.live == 0 && finished(grid)) return nullptr;
    next_block(grid);
  }
  return nullptr;
}

[[gnu::always_inline]] inline Thread* pick(Engine& e) {
  Block& block = *e.in_turn;
  if (block.next != block.round_end && wait_of(**block.next) == Wait::none) [[likely]] {
    Thread& thread = **block.next++;
    prefetch_fibers(block.next);
    begin_turn(thread);
    return &thread;
  }
  return pick_slowly(*e.grid);
}

std::size_t stack_number(const Grid& grid, const Thread& thread) {
  return std::size_t{thread.block->slot} * grid.threads_per_block + thread.linear;
}

__attribute__((noinline)) void prepare_thread(Thread& thread) {
  thread.started = true;
  prepare(thread.fiber, stack_number(*engine().grid, thread));
}

// Makes `next` the current thread (null: the host). Its fiber, ready to be switched to.
[[gnu::always_inline]] inline Fiber& enter(Thread* next) {
  Engine& e = engine();
  if (next != nullptr && !next->started) [[unlikely]]
    prepare_thread(*next);
  e.current = next;
  return next != nullptr ? next->fiber : e.host;
}

[[gnu::always_inline]] inline void resume(Thread* next) {
  Engine& e = engine();
  Thread* self = e.current;
  if (next == self) {
    if (self != nullptr) self->started = true;
    return;
  }
  Fiber& to = enter(next);
  switch_fiber(self != nullptr ? self->fiber : e.host, to,
               self != nullptr && (self->wait == Wait::exited || e.grid->aborted));
}

std::vector<std::uint32_t> dispatch_order(const Grid& grid) {
  std::vector<std::uint32_t> order(grid.blocks);
  std::iota(order.begin(), order.end(), 0u);
  Engine& e = engine();
  if (e.options.schedule.dispatch == DispatchOrder::random) e.random.shuffle(order);
  if (e.options.schedule.dispatch != DispatchOrder::descending)
    std::reverse(order.begin(), order.end());
  return order;  // taken from the back
}

// Blocks are kept from launch to launch: their vectors are warm.
std::vector<std::unique_ptr<Block>>& block_pool() {
  static std::vector<std::unique_ptr<Block>> pool;
  return pool;
}

void fill_machine(Grid& grid) {
  const std::size_t wanted =
      std::min<std::size_t>(engine().options.schedule.resident_blocks, grid.blocks);
  auto& pool = block_pool();
  while (grid.resident.size() < wanted) {
    if (pool.empty()) pool.push_back(std::make_unique<Block>());
    grid.resident.push_back(std::move(pool.back()));
    pool.pop_back();
    grid.resident.back()->slot = static_cast<unsigned>(grid.resident.size() - 1);
    grid.resident.back()->dynamic_region.reset();
    dispatch(grid, *grid.resident.back());
  }
}

}  // namespace

Index3 unlinear(std::uint64_t linear, const Index3& extent) {
  return {static_cast<unsigned>(linear % extent.x),
          static_cast<unsigned>(linear / extent.x % extent.y),
          static_cast<unsigned>(linear / extent.x / extent.y)};
}

void yield_thread() { resume(pick(engine())); }

void abort_launch() {
  engine().grid->aborted = true;
  resume(nullptr);
  __builtin_unreachable();
}

void note_place(Block& block, Pc pc) {
  if (block.barrier_pc != nullptr) block.barriers_mix = true;
  block.barrier_pc = pc;
}

[[gnu::always_inline]] inline void stand_at_barrier(Thread& self, Block& block, Pc pc) {
  self.wait = Wait::barrier;
  self.pc = pc;
  self.polling = false;
  self.barrier = block.barriers;
  ++block.at_barrier;
  if (block.barrier_pc != pc) [[unlikely]]
    note_place(block, pc);
}

void wait_at_barrier(Pc pc) {
  Thread& self = *engine().current;
  stand_at_barrier(self, *self.block, pc);
  yield_thread();
}

namespace {

[[gnu::noinline]] void* arrive_slowly(Thread& self, Pc pc, void* context) {
  stand_at_barrier(self, *self.block, pc);
  self.fiber.context = context;
  return enter(pick_slowly(*engine().grid)).context;
}

}  // namespace

// Most often the next thread, too, has come from a barrier, the one before.
void* scanlab_arrive(Pc pc, void* context) {
  Engine& e = engine();
  if (e.current == nullptr) [[unlikely]]
    return context;
  Thread& self = *e.current;
  Block& block = *e.in_turn;
  if (block.next == block.round_end) [[unlikely]]
    return arrive_slowly(self, pc, context);
  Thread& next = **block.next;
  if (next.wait != Wait::barrier || next.barrier == block.barriers) [[unlikely]]
    return arrive_slowly(self, pc, context);
  stand_at_barrier(self, block, pc);
  self.fiber.context = context;
  prefetch_fibers(++block.next);
  next.clock = block.base_clock;
  e.current = &next;
  return next.fiber.context;
}

void restart_countdown(Engine& e) {
  constexpr std::uint32_t kLook = 1 << 16;
  const std::uint32_t mean = e.options.schedule.preempt_one_in;
  e.countdown = mean == 0 ? kLook : 1 + static_cast<std::uint32_t>(e.random.below(2ull * mean));
  const std::uint64_t limit = e.options.access_limit;
  if (limit > e.accesses)
    e.countdown =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(e.countdown, limit - e.accesses));
  e.countdown_from = e.countdown;
}

void preempt_thread(bool polls) {
  Engine& e = engine();
  if (!polls) note_progress();  // a thread that computes is no deadlock
  const bool other_block = e.options.schedule.preempt_one_in == 0 || e.random.below(4) == 0;
  if (other_block && e.grid->resident.size() > 1) next_block(*e.grid);
  yield_thread();
}

// A loop may poll a few words in turn: each has its own place among the last polls.
void note_poll(const void* address, std::uint64_t value, Pc pc) {
  Thread& self = *engine().current;
  for (Poll& poll : self.polls) {
    if (poll.address != address || poll.pc != pc) continue;
    self.polling = poll.value == value;
    poll.value = value;
    if (!self.polling) return;
    self.last_poll = poll;
    ++engine().grid->record.spins;
    if (polls_in_vain(*self.block)) give_up(*engine().grid);
    return yield_thread();
  }
  self.polling = false;
  self.polls[self.next_poll++ % std::size(self.polls)] = {address, pc, value};
}

void run_grid(Grid& grid) {
  Engine& e = engine();
  static const bool entry_set = (set_fiber_entry(fiber_main), true);
  (void)entry_set;
  e.grid = &grid;
  e.shared_owner = nullptr;
  e.in_turn = &e.nobody;
  e.touched_low = e.touched_high = 0;
  e.last_shared = e.last_global = &e.nowhere;
  e.quick_shared = e.quick_global = {};
  grid.pending = dispatch_order(grid);
  fill_machine(grid);
  resume(pick(e));
  for (auto& block : grid.resident)
    if (block->dynamic_region) grid.dynamic_accesses += block->dynamic_region->accesses;
  for (auto& block : grid.resident) block_pool().push_back(std::move(block));
  std::reverse(block_pool().begin(), block_pool().end());
  grid.resident.clear();
  e.current = nullptr;
  e.quick_shared = e.quick_global = {};  // what the host does is no thread's access
}

}  // namespace scanlab::machine
