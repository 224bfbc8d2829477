// The worker's face of the machine: runs, reports, schedules.
#include "machine/machine.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "machine/engine.hpp"
#include "machine/module.hpp"

namespace scanlab::machine {
namespace {

std::vector<ObserverFactory>& factories() {
  static std::vector<ObserverFactory> list;
  return list;
}

void subscribe(Engine& e, Observer* observer) {
  const unsigned wants = observer->wants();
  if (wants & kOnAccess) e.on_access.push_back(observer);
  if (wants & kOnFence) e.on_fence.push_back(observer);
  if (wants & kOnBarrier) e.on_barrier.push_back(observer);
  if (wants & kOnWarpSync) e.on_warp_sync.push_back(observer);
  if (wants & kOnExit) e.on_exit.push_back(observer);
  if (wants & kOnStall) e.on_stall.push_back(observer);
  if (wants & kOnBlock) e.on_block.push_back(observer);
}

void unsubscribe_all(Engine& e) {
  for (auto* list : {&e.on_access, &e.on_fence, &e.on_barrier, &e.on_warp_sync, &e.on_exit,
                     &e.on_stall, &e.on_block})
    list->clear();
  e.observers.clear();
}

bool same_place(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.severity != b.severity || a.sites.size() != b.sites.size())
    return false;
  return std::equal(
      a.sites.begin(), a.sites.end(), b.sites.begin(),
      [](const Site& x, const Site& y) { return x.line == y.line && x.access == y.access; });
}

Schedule random_schedule(std::uint64_t seed) {
  Random random(seed * 0x2545f4914f6cdd1du + 1);
  Schedule s;
  s.name = std::to_string(seed);
  s.seed = seed;
  s.threads = static_cast<ThreadOrder>(random.below(4));
  s.dispatch = static_cast<DispatchOrder>(random.below(3));
  s.resident_blocks = 1 + static_cast<unsigned>(random.below(8));
  const unsigned rates[] = {0, 7, 40, 300};
  s.preempt_one_in = rates[random.below(4)];
  return s;
}

}  // namespace

Engine the_engine;

Registration::Registration(ObserverFactory factory) { factories().push_back(factory); }
const std::vector<ObserverFactory>& observer_factories() { return factories(); }

const char* to_string(Severity severity) {
  static const char* const kNames[] = {"note", "warning", "error"};
  return kNames[static_cast<unsigned>(severity)];
}

const std::vector<std::string>& schedule_names() {
  static const std::vector<std::string> names{"in_order",  "reversed",       "few_blocks",
                                              "one_block", "warps_shuffled", "preempted"};
  return names;
}

Schedule named_schedule(std::string_view name, std::uint64_t seed) {
  Schedule s;
  s.name = std::string(name);
  s.seed = seed;
  if (name == "in_order") return s;
  if (name == "reversed") {
    s.threads = ThreadOrder::descending;
    s.dispatch = DispatchOrder::descending;
    return s;
  }
  if (name == "few_blocks") {
    s.dispatch = DispatchOrder::descending;
    s.resident_blocks = 2;
    return s;
  }
  if (name == "one_block") {
    s.resident_blocks = 1;
    return s;
  }
  if (name == "warps_shuffled") {
    s.threads = ThreadOrder::warps_shuffled;
    s.dispatch = DispatchOrder::random;
    return s;
  }
  if (name == "preempted") {
    s.threads = ThreadOrder::random;
    s.dispatch = DispatchOrder::random;
    s.preempt_one_in = 20;
    return s;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size()) return random_schedule(number);
  throw std::invalid_argument("no schedule is named '" + std::string(name) + "'");
}

namespace {

// Checkers live on from run to run where the same ones are asked for: their shadow memory is warm.
void choose_checkers(Engine& e, const Options& options) {
  if (!e.observers.empty() && e.options.checks == options.checks) return;
  unsubscribe_all(e);
  for (const ObserverFactory factory : factories()) {
    std::unique_ptr<Observer> observer = factory(options);
    if (!observer) continue;
    subscribe(e, observer.get());
    e.observers.push_back(std::move(observer));
  }
  e.quick = std::all_of(e.on_access.begin(), e.on_access.end(),
                        [](const Observer* observer) { return observer->has_quick_way(); });
}

}  // namespace

void begin_run(const Options& options) {
  Engine& e = engine();
  forget_allocations();
  choose_checkers(e, options);
  e.options = options;
  e.random = Random(options.schedule.seed ^ 0x5ca1ab1e);
  e.report = Report{};
  e.reported.clear();
  e.current = nullptr;
  e.grid = nullptr;
  e.accesses = 0;
  restart_countdown(e);
  e.first_launch = e.launches + 1;
  e.last_error = e.sticky_error = 0;
  e.allowed_dynamic = kMaxSharedBytes;
  for (Region* region : e.shared_regions) region->touched_launch = 0;
  add_module_regions();
}

void map_buffer(void* address, std::size_t bytes, std::string name, BufferState state) {
  Region& region = add_region(std::move(name), Space::global, address, bytes);
  if (state == BufferState::written) return set_bits(region.written, 0, bytes);
  poison(address, bytes);
}

bool was_written(const void* address, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const Region* region = find_region(at, bytes);
  return region != nullptr && !reads_unwritten(*region, at - region->begin, bytes);
}

Report end_run() {
  Engine& e = engine();
  if (!e.report.aborted) report_leaks();
  forget_allocations();
  return std::move(e.report);
}

std::uint64_t current_owner() {
  const Engine& e = engine();
  if (e.current == nullptr) return 0;
  ++e.current->additions;
  const std::uint64_t thread =
      std::uint64_t{e.current->block->number} * e.grid->threads_per_block + e.current->linear;
  return (e.grid->launch - e.first_launch) << 32 | (1 + thread);
}

std::uint64_t current_barriers() {
  const Thread* thread = engine().current;
  return thread == nullptr ? 0 : thread->block->barriers;
}

unsigned source_line(const void* return_address) { return place_of(return_address).line; }

std::string current_place() {
  const Engine& e = engine();
  if (e.current == nullptr) return "";
  const Place place = place_of(e.current->pc);
  return place.line == 0 ? "" : place.file + ":" + std::to_string(place.line);
}

void add_to_output(const void* data, std::size_t bytes) {
  std::uint64_t hash = engine().report.copied ^ 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const std::uint8_t*>(data)[i]) * 0x100000001b3u;
  engine().report.copied = hash;
}

Site site_of(const Thread& thread, Pc pc, std::string access) {
  const Place place = place_of(pc);
  return {place.file, place.line, thread.block->index, thread.index, std::move(access)};
}

Site site_of(std::uint32_t number, Pc pc, std::string access) {
  const Place place = place_of(pc);
  const Grid& grid = *engine().grid;
  return {place.file, place.line, unlinear(number / kMaxThreadsPerBlock, grid.grid),
          unlinear(number % kMaxThreadsPerBlock, grid.block), std::move(access)};
}

std::size_t report(Finding finding) {
  std::vector<Finding>& findings = engine().report.findings;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (same_place(findings[i], finding)) {
      findings[i].count += finding.count;
      return i;
    }
  findings.push_back(std::move(finding));
  return findings.size() - 1;
}

void fail_launch(Finding finding, int cuda_error) {
  Engine& e = engine();
  report(std::move(finding));
  e.sticky_error = e.last_error = cuda_error;
  e.report.aborted = true;
  if (e.current != nullptr) abort_launch();
}

}  // namespace scanlab::machine
