#include "machine/checkers/happens_before.hpp"

#include <algorithm>

namespace scanlab::machine {
namespace {

std::uint32_t block_of(std::uint32_t thread) { return thread / kMaxThreadsPerBlock; }
std::uint32_t in_block(std::uint32_t thread) { return thread % kMaxThreadsPerBlock; }
Scope scope_of(const Access& access) { return access.block_scope ? Scope::block : Scope::device; }
std::uint32_t warp_of(std::uint32_t thread) { return in_block(thread) / kWarpSize; }

}  // namespace

void HappensBefore::kernel_begin() {
  blocks_.clear();
  words_.clear();
  rows_.clear();
}

const Known* HappensBefore::known_now(std::uint32_t thread) const {
  const auto log = blocks_.find(block_of(thread));
  if (log == blocks_.end()) return nullptr;
  const auto warp = log->second.warps.find(warp_of(thread));
  return warp == log->second.warps.end() ? nullptr
                                         : &warp->second.known[in_block(thread) % kWarpSize];
}

// A copy that stays as it is when the lane learns more.
const Known* HappensBefore::keep_known(std::uint32_t thread) {
  const Known* now = known_now(thread);
  if (now == nullptr) return nullptr;
  const unsigned lane = in_block(thread) % kWarpSize;
  const Known*& kept = blocks_[block_of(thread)].warps[warp_of(thread)].kept[lane];
  if (kept == nullptr || kept->clock[lane] != now->clock[lane]) kept = &rows_.emplace_back(*now);
  return kept;
}

void HappensBefore::fence(const Thread& thread, Scope scope) {
  const std::uint32_t base = thread.block->base_clock;
  std::vector<FenceMark>& marks = blocks_[thread.block->number].fences[thread.linear];
  if (marks.empty() || marks.back().clock[0] < base)
    marks.push_back(marks.empty() ? FenceMark{} : marks.back());
  for (unsigned s = 0; s <= (scope == Scope::device ? 1u : 0u); ++s) {
    marks.back().clock[s] = thread.clock;
    marks.back().base[s] = base;
    marks.back().known[s] = keep_known(thread_number(thread));
  }
}

// Told before the clocks of `lanes` move on: each learns what all of them know.
void HappensBefore::warp_sync(const Block& block, unsigned warp, std::uint32_t lanes) {
  Warp& state = blocks_[block.number].warps[warp];
  std::uint32_t joined[kWarpSize] = {};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    state.known[lane].clock[lane] = block.threads[std::size_t{warp} * kWarpSize + lane].clock;
    for (unsigned other = 0; other < kWarpSize; ++other)
      joined[other] = std::max(joined[other], state.known[lane].clock[other]);
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((lanes >> lane & 1) != 0) std::copy(joined, joined + kWarpSize, state.known[lane].clock);
}

void HappensBefore::mark_acquire(const Thread& thread, const Access& access, std::uint64_t word) {
  const auto log = words_.find(word);
  if (log == words_.end() || log->second.empty()) return;
  BlockLog& block = blocks_[thread.block->number];
  const auto seen = static_cast<std::uint32_t>(log->second.size());
  std::uint32_t& before = block.seen[{thread.linear, word}];
  if (before == seen) return;  // this thread's older poll tells as much, and earlier
  before = seen;
  block.acquires.push_back({thread_number(thread), thread.clock, word, seen, access.pc});
}

void HappensBefore::mark_release(const Thread& thread, const Access& access, std::uint64_t word) {
  if (access.is_atomic && access.order >= 3)
    fence(thread, scope_of(access));  // release, acq_rel, seq_cst
  Release release{thread_number(thread),
                  thread.clock,
                  thread.block->base_clock,
                  {0, 0},
                  {0, 0},
                  keep_known(thread_number(thread)),
                  {nullptr, nullptr},
                  access.is_atomic && access.reads,
                  access.pc};
  if (const FenceMark* mark = last_fence(thread.block->number, thread.linear)) {
    std::copy(mark->clock, mark->clock + 2, release.fence_clock);
    std::copy(mark->base, mark->base + 2, release.fence_base);
    std::copy(mark->known, mark->known + 2, release.fence_known);
  }
  words_[word].push_back(release);
}

void HappensBefore::flag_access(const Thread& thread, const Access& access, std::uint64_t word) {
  if (access.reads) mark_acquire(thread, access, word);
  if (access.kind == AccessKind::write && access.changed) mark_release(thread, access, word);
  if (access.is_atomic && access.reads && (access.order == 2 || access.order >= 4))
    fence(thread, scope_of(access));
}

const HappensBefore::FenceMark* HappensBefore::last_fence(std::uint32_t block,
                                                          std::uint32_t linear) const {
  const auto log = blocks_.find(block);
  if (log == blocks_.end()) return nullptr;
  const auto marks = log->second.fences.find(linear);
  return marks != log->second.fences.end() ? &marks->second.back() : nullptr;
}

bool HappensBefore::fenced_in_interval(const Thread& thread) const {
  const FenceMark* mark = last_fence(thread.block->number, thread.linear);
  return mark != nullptr && mark->clock[0] >= thread.block->base_clock;
}

bool HappensBefore::sees(const Viewpoint& from, const Event& event) {
  if (block_of(from.thread) != block_of(event.thread)) return false;
  if (event.clock < from.base) return true;
  if (from.thread == event.thread) return event.clock <= from.clock;
  if (from.known == nullptr || warp_of(from.thread) != warp_of(event.thread)) return false;
  return event.clock <= from.known->clock[in_block(event.thread) % kWarpSize];
}

// What a reader of the flag knows of the releasing thread's past.
HappensBefore::Viewpoint HappensBefore::through(const Release& release, bool same_block,
                                                bool forgive) {
  if (forgive) return {release.thread, release.clock, release.base, release.known};
  const unsigned scope = same_block ? 0 : 1;
  return {release.thread, release.fence_clock[scope], release.fence_base[scope],
          release.fence_known[scope]};
}

// Other threads of the releasing block may have fenced what is theirs, in front of the barrier that
// the flag follows.
void HappensBefore::add_fences_of_others(const Release& release, bool same_block,
                                         std::vector<Viewpoint>& views) {
  const auto log = blocks_.find(block_of(release.thread));
  if (log == blocks_.end()) return;
  const unsigned scope = same_block ? 0 : 1;
  for (const auto& [linear, marks] : log->second.fences) {
    const std::uint32_t thread = block_of(release.thread) * kMaxThreadsPerBlock + linear;
    for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
      if (!sees(through(release, same_block, true), {thread, mark->clock[scope]})) continue;
      views.push_back({thread, mark->clock[scope], mark->base[scope], mark->known[scope]});
      break;
    }
  }
}

// From what is visible at `step` through one poll to the releases that it saw. Those that this
// search has been at are left out, and with them the older ones that read-modify-writes carried on
// into them.
void HappensBefore::follow(const Step& step, const Acquire& acquire, Search& search) {
  const std::vector<Release>& releases = words_[acquire.word];
  std::vector<bool>& visited = search.visited[{acquire.word, block_of(step.view.thread)}];
  if (visited.size() < acquire.seen) visited.resize(acquire.seen);
  std::size_t first = acquire.seen;  // one past the oldest that is looked at
  for (bool more = true; more && first > 0 && !visited[first - 1]; --first) {
    visited[first - 1] = true;
    more = releases[first - 1].keeps_older;
  }
  const bool was_fenced = sees(step.fenced, {acquire.thread, acquire.clock});
  for (std::size_t i = first; i < acquire.seen;
       ++i) {  // the newest ends on top: it most likely has the answer
    const Release& release = releases[i];
    const bool same_block = block_of(release.thread) == block_of(step.view.thread);
    const Viewpoint fenced = through(release, same_block, false);
    std::vector<Viewpoint> views{through(release, same_block, search.trust == Trust::anything)};
    if (search.trust == Trust::all_fences) add_fences_of_others(release, same_block, views);
    for (const Viewpoint& view : views)
      search.open.push_back({view, fenced, step.flag.pc ? step.poll : acquire, release,
                             was_fenced ? step.unfenced : step.flag});
  }
}

bool HappensBefore::search_from(const Viewpoint& start, const Event& event, Trust trust,
                                Answer& answer) {
  Search search{trust, {{start, start, {}, {}, {}}}, {}};
  std::unordered_map<std::uint32_t, std::uint32_t>
      explored;  // thread -> newest clock from which we searched
  while (!search.open.empty()) {
    const Step step = search.open.back();
    search.open.pop_back();
    if (step.view.clock == 0) continue;  // nothing was fenced
    if (sees(step.view, event)) {
      answer.flag =
          sees(step.fenced, event) && step.unfenced.pc != nullptr ? step.unfenced : step.flag;
      answer.poll = step.poll;
      return true;
    }
    std::uint32_t& newest = explored[step.view.thread];
    if (newest >= step.view.clock) continue;
    newest = step.view.clock;
    const auto log = blocks_.find(block_of(step.view.thread));
    if (log == blocks_.end()) continue;
    for (const Acquire& acquire : log->second.acquires)
      if (sees(step.view, {acquire.thread, acquire.clock})) follow(step, acquire, search);
  }
  return false;
}

Answer HappensBefore::search(const Event& event, const Thread& thread) {
  const Viewpoint here{thread_number(thread), thread.clock, thread.block->base_clock,
                       known_now(thread_number(thread))};
  Answer answer;
  if (sees(here, event) || search_from(here, event, Trust::own_fences, answer) ||
      search_from(here, event, Trust::all_fences, answer)) {
    answer.order = Order::ordered;
    if (answer.poll.pc == nullptr) return answer;
    const FenceMark* mark = last_fence(thread.block->number, in_block(answer.poll.thread));
    answer.formal = mark != nullptr && mark->clock[1] >= answer.poll.clock;
    return answer;
  }
  if (search_from(here, event, Trust::anything, answer)) answer.order = Order::unfenced;
  return answer;
}

}  // namespace scanlab::machine
