#include "machine/checkers/warp_view.hpp"

namespace scanlab::machine {

void WarpObserver::kernel_begin(Grid&) {
  intervals_.clear();
  lines_.clear();
}

void WarpObserver::access(Thread& thread, const Access& access) {
  if (!looks_at(access.region->space)) return;
  const unsigned slot = thread.block->slot;
  if (intervals_.size() <= slot) intervals_.resize(slot + 1);
  Interval& interval = intervals_[slot];
  const std::uint32_t occurrence = interval.passed[{thread.linear, access.pc}]++;
  std::vector<WarpAccess>& requests = interval.requests[{thread.warp(), access.pc}];
  if (requests.size() <= occurrence) requests.resize(occurrence + 1);
  WarpAccess& request = requests[occurrence];
  request.global = access.region->space != Space::shared;
  request.store = access.kind == AccessKind::write;
  request.size = access.size;
  request.lanes |= 1u << thread.lane();
  request.address[thread.lane()] = access.region->begin + access.offset;
  request.pc = access.pc;
}

void WarpObserver::flush(unsigned slot) {
  if (slot >= intervals_.size()) return;
  for (const auto& [place, requests] : intervals_[slot].requests)
    for (const WarpAccess& request : requests) warp_access(request);
  intervals_[slot] = Interval{};
}

void WarpObserver::kernel_end(Grid&) {
  for (unsigned slot = 0; slot < intervals_.size(); ++slot) flush(slot);
}

LineTraffic& WarpObserver::line_of(const WarpAccess& access) {
  std::vector<LineTraffic>& traffic = engine().grid->record.traffic;
  const auto known = lines_.find(access.pc);
  if (known != lines_.end()) return traffic[known->second];
  const Place place = place_of(access.pc);
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    const LineTraffic& line = traffic[i];
    if (line.line == place.line && line.global == access.global && line.store == access.store)
      return traffic[lines_[access.pc] = i];
  }
  lines_[access.pc] = traffic.size();
  traffic.push_back({place.file, place.line, access.global, access.store, 0, 0, 0, 0, 1});
  return traffic.back();
}

}  // namespace scanlab::machine
