#include "harness/runner.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "harness/input.hpp"
#include "harness/values.hpp"
#include "harness/worker_end.hpp"

namespace scanlab::harness {
namespace {

constexpr std::size_t kPage = 4096;

std::size_t round_up(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// Bytes of the device region, first to last: guard, X, guard, then for every launch and repeat Y and records,
// each followed by a guard.
struct Layout {
  std::size_t next;
  Element element;

  Layout(const Batch& batch, std::size_t largest)
      : next(2 * kGuardBytes + round_up(largest * size_of(batch.element))), element(batch.element) {}

  std::size_t output_stride(unsigned n) const { return round_up(n * size_of(element)) + kGuardBytes; }
  std::size_t record_stride(unsigned n) const {
    const std::size_t size = element == Element::probe ? sizeof(ProbeRecord) : 1;
    return round_up(n * size) + kGuardBytes;
  }
  std::size_t bytes(unsigned n, unsigned repeats) const {
    return repeats * (output_stride(n) + record_stride(n));
  }
};

Slot place(Layout& layout, const Batch& batch, unsigned n) {
  const unsigned repeats = batch.repeats;
  Slot slot;
  slot.n = n;
  slot.repeats = repeats;
  slot.drawn = n != 0 && n == batch.drawn;
  slot.output_stride = layout.output_stride(n);
  slot.output_offset = layout.next;
  slot.record_stride = layout.record_stride(n);
  slot.record_offset = layout.next + repeats * slot.output_stride;
  layout.next += layout.bytes(n, repeats);
  return slot;
}

template <typename T>
std::span<const T> view(const unsigned char* start, std::size_t count) {
  return {reinterpret_cast<const T*>(start), count};
}

// What the worker said, laid out as we said.
Slot checked_copy(const Slot& shared, const Slot& own) {
  Slot slot = shared;
  slot.n = own.n;
  slot.repeats = own.repeats;
  slot.output_offset = own.output_offset;
  slot.output_stride = own.output_stride;
  slot.record_offset = own.record_offset;
  slot.record_stride = own.record_stride;
  slot.drawn = own.drawn;
  return slot;
}

// The worker's own watchdog, in tenths of a processor second, comes in half of the time that we wait for a launch.
constexpr double kTicksPerSecond = 10 * 0.5;

// What the launches in `slots`, of a batch, may take of the machine together. Kogge-Stone, the costliest of the
// textbook's scans, takes about 50 an element: an optional batch is for those that take little more, any other for eight
// times as much, so that quadratic work is measured on a few launches and not waited for in all of them.
std::uint64_t effort_budget(const Batch& batch, const std::vector<Slot>& slots) {
  const std::uint64_t length = std::max(batch.shape.length(), 256U);
  std::uint64_t elements = 0;  // with those that only fill up a section
  for (const Slot& slot : slots) elements += (slot.n / length + 1) * length;
  return batch.optional ? 75 * elements
                        : 16'000'000 * slots.size() / batch.sizes.size() + 400 * elements * batch.repeats;
}

// A kernel that is often wrong is known well enough: its other launches would tell nothing new.
constexpr std::size_t kLaunchesAtOnce = 64;
constexpr std::ptrdiff_t kWrongLaunches = 16;

bool wrong_enough(const std::vector<LaunchResult>& results) {
  return std::count_if(results.begin(), results.end(), is_wrong) >= kWrongLaunches;
}

}  // namespace

Runner::Runner(std::unique_ptr<Backend> backend, std::string source, std::uint64_t seed, Limits limits)
    : backend_(std::move(backend)), source_(std::move(source)), seed_(seed), limits_(limits) {}

std::vector<LaunchResult> Runner::run(const Batch& batch, std::uint64_t depth) {
  std::vector<LaunchResult> results;
  if (batch.fresh_worker) backend_->restart();
  while (results.size() < batch.sizes.size() && !wrong_enough(results)) {
    const std::size_t count = fill(batch, results.size());
    run_slots(batch);
    for (std::uint32_t slot = 0; slot < count; ++slot) results.push_back(collect(batch, slot, depth));
  }
  for (std::size_t i = results.size(); i < batch.sizes.size(); ++i) results.push_back(spared(batch.sizes[i]));
  if (batch.optional)
    for (LaunchResult& result : results)
      if (result.ending == Ending::not_run) result.ending = Ending::spared;  // there was no time for it
  return results;
}

// Puts as many launches into the exchange as fit, from size `first` on. Returns how many.
std::size_t Runner::fill(const Batch& batch, std::size_t first) {
  const unsigned largest = *std::max_element(batch.sizes.begin(), batch.sizes.end());
  Layout layout(batch, largest);
  own_slots_.clear();
  for (std::size_t i = first; i < batch.sizes.size() && own_slots_.size() < kLaunchesAtOnce; ++i) {
    const unsigned n = batch.sizes[i];
    if (!own_slots_.empty() && layout.next + layout.bytes(n, batch.repeats) > kDeviceBytes) break;
    own_slots_.push_back(place(layout, batch, n));
  }
  std::copy(own_slots_.begin(), own_slots_.end(), backend_->exchange().slots);
  fill_header(batch, static_cast<std::uint32_t>(own_slots_.size()));
  if (batch.element != Element::probe) fill_input(batch, std::size_t{largest} * batch.repeats);
  ends_.clear();
  return own_slots_.size();
}

void Runner::fill_header(const Batch& batch, std::uint32_t slots) {
  BatchHeader& header = *new (&backend_->exchange().header) BatchHeader;
  header.function = batch.function;
  header.element = static_cast<std::uint32_t>(batch.element);
  header.section = batch.shape.section;
  header.factor = batch.shape.factor;
  header.extent = batch.extent;
  std::strncpy(header.schedule, batch.schedule.c_str(), sizeof header.schedule - 1);
  header.schedule_seed = batch.schedule_seed;
  header.poison_seed = batch.poison_seed;
  header.probe_seed = seed_ + (++batches_ << 16);
  header.checkers = batch.checkers;
  header.efficiency = batch.efficiency;
  header.stop_after = batch.stop_after;
  header.effort_budget = effort_budget(batch, own_slots_);
  header.slots = slots;
  header.cpu_ticks = static_cast<std::uint32_t>(limits_.time.launch * kTicksPerSecond);
}

void Runner::fill_input(const Batch& batch, std::size_t elements) {
  const std::size_t count = std::min(elements, kInputBytes / size_of(batch.element));
  if (batch.element == Element::integer) {
    auto* values = reinterpret_cast<std::int32_t*>(backend_->input());
    for (std::size_t i = 0; i < count; ++i) values[i] = integer_input(seed_, i);
  } else {
    auto* values = reinterpret_cast<float*>(backend_->input());
    for (std::size_t i = 0; i < count; ++i) values[i] = real_input(seed_, i);
  }
}

// Until every slot is done or given up. A slot that a worker died in is not run again.
void Runner::run_slots(const Batch& batch) {
  while (!given_up(batch.function)) {
    const RunOutcome outcome = backend_->run(limits_.time);
    if (outcome.end == WorkerEnd::finished) return;
    note_end(batch, outcome);
    backend_->restart();
  }
}

bool Runner::given_up(unsigned function) {
  if (backend_->seconds_used() >= limits_.time.total) out_of_time_ = true;
  const Strikes& strikes = strikes_[function];
  return out_of_time_ || strikes.timeouts >= limits_.timeouts || strikes.crashes >= limits_.crashes;
}

void Runner::note_end(const Batch& batch, const RunOutcome& outcome) {
  Exchange& exchange = backend_->exchange();
  const std::uint32_t slot = std::min<std::uint32_t>(
      exchange.header.progress.load(), static_cast<std::uint32_t>(own_slots_.size()) - 1);
  const bool timed_out = is_timeout(outcome, exchange.header.crash);
  Strikes& strikes = strikes_[batch.function];
  ++(timed_out ? strikes.timeouts : strikes.crashes);
  ends_[slot] = worker_end_finding(outcome, exchange.header.crash, source_);
  exchange.header.crash = {};
  exchange.slots[slot].state = SlotState::skipped;
}

LaunchResult Runner::collect(const Batch& batch, std::uint32_t index, std::uint64_t depth) {
  LaunchResult result;
  result.n = own_slots_[index].n;
  if (const auto end = ends_.find(index); end != ends_.end()) {
    result.ending = end->second.kind == "run.timeout" ? Ending::timed_out : Ending::died;
    result.report.findings.push_back(end->second);
    return result;
  }
  judge(batch, index, depth, result);
  if (has_kind(result, "run.timeout")) ++strikes_[batch.function].timeouts;
  return result;
}

void Runner::judge(const Batch& batch, std::uint32_t index, std::uint64_t depth, LaunchResult& result) {
  const Exchange& exchange = backend_->exchange();
  const Slot slot = checked_copy(exchange.slots[index], own_slots_[index]);
  if (slot.state == SlotState::no_such_instance) result.ending = Ending::no_instance;
  if (slot.state == SlotState::spared) result.ending = Ending::spared;
  if (slot.state != SlotState::done) return;
  result.counts = slot.counts;
  result.input_changed = slot.input_changed;
  result.input_first = slot.input_first;
  if (slot.text_offset <= kTextBytes && slot.text_bytes <= kTextBytes - slot.text_offset)
    result.report = text_to_report({exchange.text + slot.text_offset, slot.text_bytes});
  result.ending = slot.aborted != 0 ? Ending::aborted : Ending::done;
  if (result.ending != Ending::done) return;
  for (unsigned repeat = 0; repeat < batch.repeats; ++repeat)
    result.calls.push_back(judge_call(batch, slot, repeat, depth));
}

Values Runner::judge_call(const Batch& batch, const Slot& slot, unsigned repeat, std::uint64_t depth) {
  const unsigned char* device = backend_->exchange().device;
  const unsigned char* output = device + slot.output_offset + repeat * slot.output_stride;
  const unsigned char* records = device + slot.record_offset + repeat * slot.record_stride;
  if (batch.element == Element::probe) return judge_probe(view<ProbeRecord>(records, slot.n), batch.extent);
  const std::span<const unsigned char> written =
      slot.unwritten[repeat] == 0 ? std::span<const unsigned char>{} : view<unsigned char>(records, slot.n);
  const unsigned char* input = backend_->input() + repeat * slot.n * size_of(batch.element);
  if (batch.element == Element::integer)
    return judge_integers({view<std::int32_t>(input, slot.n), view<std::int32_t>(output, slot.n), written},
                          batch.extent);
  return judge_reals({view<float>(input, slot.n), view<float>(output, slot.n), written}, batch.extent, depth);
}

}  // namespace scanlab::harness
