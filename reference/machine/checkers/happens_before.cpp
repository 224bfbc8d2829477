#include "machine/checkers/happens_before.hpp"

#include <algorithm>

namespace scanlab::machine {
namespace {

std::uint32_t block_of(std::uint32_t thread) { return thread / kMaxThreadsPerBlock; }
std::uint32_t in_block(std::uint32_t thread) { return thread % kMaxThreadsPerBlock; }
std::uint32_t warp_of(std::uint32_t thread) { return in_block(thread) / kWarpSize; }

}  // namespace

void HappensBefore::kernel_begin() {
  blocks_.clear();
  words_.clear();
}

void HappensBefore::fence(const Thread& thread, Scope scope) {
  FenceMark& mark = blocks_[thread.block->number].fences[thread.linear];
  for (unsigned s = 0; s <= (scope == Scope::device ? 1u : 0u); ++s) {
    mark.clock[s] = thread.clock;
    mark.base[s] = thread.block->base_clock;
  }
}

// Told before the clocks of `lanes` move on: each learns what all of them know.
void HappensBefore::warp_sync(const Block& block, unsigned warp, std::uint32_t lanes) {
  Warp& state = blocks_[block.number].warps[warp];
  std::uint32_t joined[kWarpSize] = {};
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    state.known[lane][lane] = block.threads[std::size_t{warp} * kWarpSize + lane].clock;
    for (unsigned other = 0; other < kWarpSize; ++other) joined[other] = std::max(joined[other], state.known[lane][other]);
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if ((lanes >> lane & 1) != 0) std::copy(joined, joined + kWarpSize, state.known[lane]);
}

void HappensBefore::mark_acquire(const Thread& thread, const Access& access, std::uint64_t word) {
  const auto log = words_.find(word);
  if (log == words_.end() || log->second.empty()) return;
  auto& acquires = blocks_[thread.block->number].acquires;
  const std::uint32_t me = thread_number(thread), seen = static_cast<std::uint32_t>(log->second.size());
  if (!acquires.empty()) {
    const Acquire& last = acquires.back();
    if (last.thread == me && last.word == word && last.seen == seen && last.clock >= thread.block->base_clock) return;
  }
  acquires.push_back({me, thread.clock, word, seen, access.pc});
}

void HappensBefore::mark_release(const Thread& thread, const Access& access, std::uint64_t word) {
  if (access.is_atomic && access.order >= 3) fence(thread, Scope::device);  // release, acq_rel, seq_cst
  Release release{thread_number(thread), thread.clock, thread.block->base_clock, {0, 0}, {0, 0}, access.is_atomic && access.looks, access.pc};
  const auto log = blocks_.find(thread.block->number);
  if (log != blocks_.end()) {
    const auto mark = log->second.fences.find(thread.linear);
    if (mark != log->second.fences.end())
      for (unsigned s = 0; s < 2; ++s) {
        release.fence_clock[s] = mark->second.clock[s];
        release.fence_base[s] = mark->second.base[s];
      }
  }
  words_[word].push_back(release);
}

void HappensBefore::flag_access(const Thread& thread, const Access& access, std::uint64_t word) {
  if (access.looks) mark_acquire(thread, access, word);
  if (access.kind == AccessKind::write && access.changed) mark_release(thread, access, word);
  if (access.is_atomic && access.looks && (access.order == 2 || access.order >= 4)) fence(thread, Scope::device);
}

bool HappensBefore::fenced_in_interval(const Thread& thread) const {
  const auto log = blocks_.find(thread.block->number);
  if (log == blocks_.end()) return false;
  const auto mark = log->second.fences.find(thread.linear);
  return mark != log->second.fences.end() && mark->second.clock[0] >= thread.block->base_clock;
}

bool HappensBefore::sees(const Viewpoint& from, const Event& event) {
  if (block_of(from.thread) != block_of(event.thread)) return false;
  if (event.clock < from.base) return true;
  if (from.thread == event.thread) return event.clock <= from.clock;
  if (warp_of(from.thread) != warp_of(event.thread)) return false;
  const auto log = blocks_.find(block_of(from.thread));
  if (log == blocks_.end()) return false;
  const auto warp = log->second.warps.find(warp_of(from.thread));
  if (warp == log->second.warps.end()) return false;
  const std::uint32_t(&known)[kWarpSize] = warp->second.known[in_block(from.thread) % kWarpSize];
  return event.clock <= known[in_block(event.thread) % kWarpSize];
}

bool HappensBefore::visible(const Viewpoint& from, const Acquire& acquire) {
  return sees(from, Event{acquire.thread, acquire.clock});
}

// What a reader of the flag knows of the releasing thread's past.
HappensBefore::Viewpoint HappensBefore::through(const Release& release, bool same_block, bool forgive) {
  if (forgive) return {release.thread, release.clock, release.base};
  const unsigned scope = same_block ? 0 : 1;
  return {release.thread, release.fence_clock[scope], release.fence_base[scope]};
}

bool HappensBefore::search_from(const Viewpoint& start, const Event& event, bool forgive, Answer& answer) {
  struct Step {
    Viewpoint view;
    Acquire poll;
    Release flag;
  };
  std::vector<Step> open{{start, {}, {}}};
  std::unordered_map<std::uint32_t, std::uint32_t> explored;  // thread -> newest clock from which we searched
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    if (step.view.clock == 0) continue;  // nothing was fenced
    if (sees(step.view, event)) {
      answer.flag = step.flag;
      answer.poll = step.poll;
      return true;
    }
    std::uint32_t& newest = explored[step.view.thread];
    if (newest >= step.view.clock) continue;
    newest = step.view.clock;
    const auto log = blocks_.find(block_of(step.view.thread));
    if (log == blocks_.end()) continue;
    for (const Acquire& acquire : log->second.acquires) {
      if (!visible(step.view, acquire)) continue;
      const std::vector<Release>& releases = words_[acquire.word];
      for (std::size_t i = acquire.seen; i > 0; --i) {
        const Release& release = releases[i - 1];
        const bool same_block = block_of(release.thread) == block_of(step.view.thread);
        open.push_back({through(release, same_block, forgive), step.flag.pc ? step.poll : acquire, release});
        if (!release.keeps_older) break;
      }
    }
  }
  return false;
}

Answer HappensBefore::search(const Event& event, const Thread& thread) {
  const Viewpoint here{thread_number(thread), thread.clock, thread.block->base_clock};
  Answer answer;
  if (sees(here, event) || search_from(here, event, false, answer)) {
    answer.order = Order::ordered;
    const auto log = blocks_.find(thread.block->number);
    if (answer.poll.pc != nullptr && log != blocks_.end()) {
      const auto mark = log->second.fences.find(in_block(answer.poll.thread));
      answer.formal = mark != log->second.fences.end() && mark->second.clock[1] >= answer.poll.clock;
    }
    return answer;
  }
  if (search_from(here, event, true, answer)) answer.order = Order::unfenced;
  return answer;
}

}  // namespace scanlab::machine
