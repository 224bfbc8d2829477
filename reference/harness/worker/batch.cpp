#include "harness/worker/batch.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>

#include "harness/finding_json.hpp"
#include "harness/worker/drawing.hpp"
#include "scan/probe.hpp"

namespace scanlab::harness {
namespace {

constexpr std::size_t kInputOffset = kGuardBytes;

// Far above what a scan needs (16 log2 S accesses an element), far below the patience of a student.
std::uint64_t access_limit(const BatchHeader& header, std::uint32_t n) {
  const std::uint64_t length = std::uint64_t{header.section} * std::max(header.factor, 1U);
  return 4'000'000 + 2000 * (n + length);
}

machine::Options options_of(const BatchHeader& header, std::uint32_t n) {
  machine::Options options;
  options.schedule = machine::named_schedule(header.schedule, header.schedule_seed);
  options.checks = header.checkers != 0 ? machine::Checks{} : machine::Checks::none();
  options.checks.efficiency = header.efficiency != 0;
  options.poison_seed = header.poison_seed;
  options.access_limit = access_limit(header, n);
  return options;
}

bool has_error(const machine::Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const auto& finding) {
    return finding.severity == machine::Severity::error;
  });
}

void begin_probe(const Slot& slot, std::uint64_t seed) {
  probe::begin(seed);
  probe::set_owner_source(slot.drawn != 0 ? &owner_in_interval : &machine::current_owner);
  if (slot.drawn != 0) begin_drawing();
}

void add_launch(SlotCounts& counts, const machine::LaunchRecord& launch) {
  ++counts.launches;
  counts.barriers = std::max(counts.barriers, launch.barriers);
  counts.shared_accesses += launch.shared_accesses;
  counts.global_accesses += launch.global_accesses;
  counts.atomics += launch.atomics;
  counts.spins += launch.spins;
  counts.warp_steps += launch.warp_steps;
  counts.divergent_warps += launch.divergent_warps;
  counts.active_warps += launch.active_warps;
}

}  // namespace

BatchRunner::BatchRunner(const std::string& submission, const std::string& source,
                         Exchange& exchange, const unsigned char* input)
    : exchange_(exchange),
      input_(input),
      module_(machine::load_module(submission, source)) {
  if (module_.entry == nullptr) throw std::runtime_error("the submission has no entry point");
}

void BatchRunner::run() {
  BatchHeader& header = exchange_.header;
  failed_ = 0;
  effort_ = 0;
  for (std::uint32_t i = 0; i < std::min(header.slots, kMaxSlots); ++i) {
    header.progress.store(i, std::memory_order_release);
    const bool stop = header.stop_after != 0 && failed_ >= header.stop_after;
    SlotState& state = exchange_.slots[i].state;
    if (state != SlotState::waiting) continue;
    if (stop) state = SlotState::skipped;
    else if (effort_ > header.effort_budget) state = SlotState::spared;
    else run_slot(i);
  }
}

unsigned char* BatchRunner::output_of(const Slot& slot, std::uint32_t repeat) const {
  return exchange_.device + slot.output_offset + repeat * slot.output_stride;
}

unsigned char* BatchRunner::records_of(const Slot& slot, std::uint32_t repeat) const {
  return exchange_.device + slot.record_offset + repeat * slot.record_stride;
}

void BatchRunner::run_slot(std::uint32_t index) {
  Slot& slot = exchange_.slots[index];
  slot.state = SlotState::running;
  if (element() == Element::probe) begin_probe(slot, exchange_.header.probe_seed + index);
  machine::begin_run(options_of(exchange_.header, slot.n));
  for (std::uint32_t repeat = 0; repeat < std::min(slot.repeats, kMaxRepeats); ++repeat)
    call(slot, repeat);
  const machine::Report report = machine::end_run();
  if (element() == Element::probe) note_probe(slot);
  note_report(slot, report);
  if (slot.state == SlotState::running) slot.state = SlotState::done;
}

void BatchRunner::call(Slot& slot, std::uint32_t repeat) {
  const BatchHeader& header = exchange_.header;
  const std::size_t bytes = slot.n * size_of(element());
  unsigned char* input = prepare_input(slot, repeat);
  unsigned char* output = output_of(slot, repeat);
  if (bytes != 0) {
    if (repeat == 0) machine::map_buffer(input, bytes, "X", machine::BufferState::written);
    machine::map_buffer(output, bytes, "Y", machine::BufferState::unwritten);
  }
  const EntryRequest request{header.function, header.element, header.section, header.factor,
                             input,           output,         slot.n};
  if (module_.entry(&request) == kEntryNoSuchInstance) slot.state = SlotState::no_such_instance;
  note_unwritten(slot, repeat);
  note_input(slot, repeat);
}

// Numbers of a second call are other numbers, so that outputs of the first cannot pass for its own.
unsigned char* BatchRunner::prepare_input(const Slot& slot, std::uint32_t repeat) {
  unsigned char* input = exchange_.device + kInputOffset;
  if (element() != Element::probe) {
    const std::size_t bytes = slot.n * size_of(element());
    std::memcpy(input, input_ + repeat * bytes, bytes);
    return input;
  }
  auto* values = reinterpret_cast<std::uint64_t*>(input);
  for (std::uint32_t i = 0; i < slot.n; ++i) values[i] = probe::leaf(i);
  return input;
}

void BatchRunner::note_input(Slot& slot, std::uint32_t repeat) {
  const std::size_t size = size_of(element());
  const unsigned char* now = exchange_.device + kInputOffset;
  for (std::uint32_t i = 0; i < slot.n; ++i) {
    const std::uint64_t leaf = element() == Element::probe ? probe::leaf(i) : 0;
    const void* was = element() == Element::probe
                          ? static_cast<const void*>(&leaf)
                          : input_ + (std::size_t{repeat} * slot.n + i) * size;
    if (std::memcmp(now + i * size, was, size) == 0) continue;
    if (slot.input_changed++ == 0) slot.input_first = i;
  }
}

// Into the records, while the machine still knows.
void BatchRunner::note_unwritten(Slot& slot, std::uint32_t repeat) {
  const std::size_t size = size_of(element());
  const unsigned char* output = output_of(slot, repeat);
  if (slot.n == 0 || machine::was_written(output, slot.n * size)) return;
  unsigned char* written = records_of(slot, repeat);
  for (std::uint32_t i = 0; i < slot.n; ++i) {
    written[i] = machine::was_written(output + i * size, size);
    if (written[i] == 0) ++slot.unwritten[repeat];
  }
}

void BatchRunner::note_probe(Slot& slot) {
  const auto* values = reinterpret_cast<const std::uint64_t*>(output_of(slot, 0));
  for (std::uint32_t repeat = 0; repeat < std::min(slot.repeats, kMaxRepeats); ++repeat)
    note_records(slot, repeat);
  const probe::Summary summary = probe::summarise({values, slot.n});
  slot.counts.additions = summary.additions;
  slot.counts.reaching = summary.reaching;
  slot.counts.host_additions = summary.host_additions;
  slot.counts.threads = summary.threads;
  slot.counts.busiest_thread = summary.busiest_thread;
  slot.counts.depth = summary.max_depth;
  slot.counts.fingerprint = probe::fingerprint({values, slot.n});
}

// From the last element down: the bytes of note_unwritten() lie in the first records.
void BatchRunner::note_records(const Slot& slot, std::uint32_t repeat) {
  const Extent extent = exchange_.header.extent;
  const auto* values = reinterpret_cast<const std::uint64_t*>(output_of(slot, repeat));
  const unsigned char* written = records_of(slot, repeat);
  auto* records = reinterpret_cast<ProbeRecord*>(records_of(slot, repeat));
  for (std::uint32_t i = slot.n; i-- > 0;) {
    const bool is_written = slot.unwritten[repeat] == 0 || written[i] != 0;
    const probe::ProbeValue value = probe::classify(values[i]);
    const std::uint32_t first = extent.length == 0 ? 0 : i - i % extent.length;
    const bool empty = extent.exclusive != 0 && i == first;
    const std::uint64_t weight = empty ? 0 : probe::expected_weight(first, i - extent.exclusive);
    records[i] = {value.lo, value.hi, value.depth, static_cast<std::uint8_t>(value.cls),
                  value.strict, value.weight == weight, is_written};
  }
}

void BatchRunner::note_report(Slot& slot, const machine::Report& report) {
  slot.aborted = report.aborted;
  for (const machine::LaunchRecord& launch : report.launches) {
    add_launch(slot.counts, launch);
    effort_ += launch.effort;
  }
  if (has_error(report)) ++failed_;
  note_text(slot, report_to_text(report, network_of(slot)));
}

std::string BatchRunner::network_of(const Slot& slot) const {
  if (slot.drawn == 0 || slot.aborted != 0 || element() != Element::probe) return {};
  return drawn_network({reinterpret_cast<const std::uint64_t*>(output_of(slot, 0)), slot.n});
}

void BatchRunner::note_text(Slot& slot, const std::string& text) {
  std::uint32_t& used = exchange_.header.text_used;
  if (text.empty() || used > kTextBytes || text.size() > kTextBytes - used) return;
  std::memcpy(exchange_.text + used, text.data(), text.size());
  slot.text_offset = used;
  slot.text_bytes = static_cast<std::uint32_t>(text.size());
  used += slot.text_bytes;
}

}  // namespace scanlab::harness
