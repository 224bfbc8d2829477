#include "device/worker/device_batch.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "scan/probe.hpp"

namespace scanlab::device {
namespace {

using namespace harness;

bool is_bad_address(cudaError_t code) {
  return code == cudaErrorIllegalAddress || code == cudaErrorMisalignedAddress ||
         code == cudaErrorInvalidAddressSpace || code == cudaErrorInvalidPc;
}

bool is_refused_launch(cudaError_t code) {
  return code == cudaErrorInvalidConfiguration || code == cudaErrorLaunchOutOfResources ||
         code == cudaErrorInvalidValue || code == cudaErrorInvalidDeviceFunction;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

// The words that finding_json.cpp reads.
std::string finding_text(const char* kind, const std::string& message, const char* help) {
  return std::string(R"({"findings":[{"kind":")") + kind + R"(","severity":"error","message":")" +
         escaped(message) + R"(","help":")" + help + R"(","count":1,"sites":[]}]})";
}

bool has_finding(const Slot& slot) { return slot.text_bytes != 0; }

}  // namespace

bool is_sticky(cudaError_t code) {
  return is_bad_address(code) || code == cudaErrorAssert || code == cudaErrorLaunchFailure ||
         code == cudaErrorIllegalInstruction || code == cudaErrorHardwareStackError ||
         code == cudaErrorLaunchTimeout;
}

bool DeviceBatch::run() {
  BatchHeader& header = exchange_.header;
  const std::span slots(exchange_.slots, std::min(header.slots, kMaxSlots));
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    if (slots[i].state != SlotState::waiting) continue;
    header.progress.store(i, std::memory_order_release);
    const auto failed =
        static_cast<std::uint32_t>(std::count_if(slots.begin(), slots.end(), has_finding));
    if (header.stop_after != 0 && failed >= header.stop_after)
      slots[i].state = SlotState::skipped;
    else if (!run_slot(i))
      return false;
  }
  return true;
}

unsigned char* DeviceBatch::output_of(const Slot& slot, std::uint32_t repeat) const {
  return exchange_.device + slot.output_offset + repeat * slot.output_stride;
}

unsigned char* DeviceBatch::records_of(const Slot& slot, std::uint32_t repeat) const {
  return exchange_.device + slot.record_offset + repeat * slot.record_stride;
}

bool DeviceBatch::run_slot(std::uint32_t index) {
  Slot& slot = exchange_.slots[index];
  slot.state = SlotState::running;
  poison_ = poison_byte(exchange_.header.poison_seed * 1000003 + index);
  watchdog_.start();
  bool alive = true;
  try {
    run_calls(slot, index);
  } catch (const CudaError& error) {
    add_error(slot, error);
    alive = !is_sticky(error.code());
  }
  watchdog_.stop();
  if (slot.state == SlotState::running) slot.state = SlotState::done;
  return alive;
}

void DeviceBatch::run_calls(Slot& slot, std::uint32_t index) {
  // Variables of a submission are as at its start in every run; reloading is slow, so only where
  // there are any.
  static const bool keeps_state = std::getenv("SCANLAB_CUDA_RELOAD") != nullptr;
  if (keeps_state) submission_.reload();
  if (element() == Element::probe) {
    probe::begin(exchange_.header.probe_seed + index);
    submission_.begin_graph(probe::leaf(0));
  }
  bool right = true;
  for (std::uint32_t repeat = 0; right && repeat < std::min(slot.repeats, kMaxRepeats); ++repeat)
    right = call(slot, repeat);
  if (!right || element() != Element::probe) return;
  watchdog_.stop();
  submission_.replay();
  note_probe(slot);
}

// False where what follows would mean nothing.
bool DeviceBatch::call(Slot& slot, std::uint32_t repeat) {
  const BatchHeader& header = exchange_.header;
  const std::vector<unsigned char> input = input_of(slot, repeat);
  x_.poison(input.size(), poison_);
  x_.fill(input.data());
  y_.poison(input.size(), poison_);
  poison_shared_memory(poison_);
  SCANLAB_MUST(cudaDeviceSynchronize());
  const EntryRequest request{header.function, header.element, header.section, header.factor,
                             x_.data(),       y_.data(),      slot.n};
  const int answer = submission_.call(request);
  must(cudaGetLastError(), "the launch");
  must(cudaDeviceSynchronize(), "the kernel");
  if (answer == kEntryNoSuchInstance) {
    slot.state = SlotState::no_such_instance;
    return false;
  }
  note_overrun(slot);
  note_input(slot, input);
  take_output(slot, repeat);
  return true;
}

// Numbers of a second call are other numbers, so that outputs of the first cannot pass for its own.
std::vector<unsigned char> DeviceBatch::input_of(const Slot& slot, std::uint32_t repeat) const {
  const std::size_t bytes = slot.n * size_of(element());
  std::vector<unsigned char> input(bytes);
  if (element() != Element::probe) {
    if (bytes != 0) std::memcpy(input.data(), input_ + repeat * bytes, bytes);
    return input;
  }
  for (std::uint32_t i = 0; i < slot.n; ++i) {
    const std::uint64_t leaf = probe::leaf(i);
    std::memcpy(input.data() + i * sizeof leaf, &leaf, sizeof leaf);
  }
  return input;
}

void DeviceBatch::take_output(Slot& slot, std::uint32_t repeat) {
  const std::vector<unsigned char> output = y_.contents();
  std::copy(output.begin(), output.end(), output_of(slot, repeat));
  note_unwritten(slot, repeat);
}

void DeviceBatch::note_input(Slot& slot, const std::vector<unsigned char>& was) {
  const std::size_t size = size_of(element());
  const std::vector<unsigned char> now = x_.contents();
  for (std::uint32_t i = 0; i < slot.n; ++i) {
    if (std::memcmp(now.data() + i * size, was.data() + i * size, size) == 0) continue;
    if (slot.input_changed++ == 0) slot.input_first = i;
  }
}

// What still holds the poison of this run.
void DeviceBatch::note_unwritten(Slot& slot, std::uint32_t repeat) {
  const std::size_t size = size_of(element());
  const unsigned char* output = output_of(slot, repeat);
  unsigned char* written = records_of(slot, repeat);
  for (std::uint32_t i = 0; i < slot.n; ++i) {
    const unsigned char* bytes = output + i * size;
    written[i] =
        std::any_of(bytes, bytes + size, [this](unsigned char byte) { return byte != poison_; });
    if (written[i] == 0) ++slot.unwritten[repeat];
  }
}

void DeviceBatch::note_probe(Slot& slot) {
  const std::span values(reinterpret_cast<const std::uint64_t*>(output_of(slot, 0)), slot.n);
  for (std::uint32_t repeat = 0; repeat < std::min(slot.repeats, kMaxRepeats); ++repeat)
    note_records(slot, repeat);
  const probe::Summary summary = probe::summarise(values);
  slot.counts.additions = summary.additions;
  slot.counts.reaching = summary.reaching;
  slot.counts.host_additions = summary.host_additions;
  slot.counts.threads = summary.threads;
  slot.counts.busiest_thread = summary.busiest_thread;
  slot.counts.depth = summary.max_depth;
  slot.counts.fingerprint = probe::fingerprint(values);
  // Sums beyond the graph's end look like values that nobody wrote: such a launch has no verdict.
  if (summary.overflow) slot.state = SlotState::spared;
}

// From the last element down: the bytes of note_unwritten() lie in the first records.
void DeviceBatch::note_records(const Slot& slot, std::uint32_t repeat) {
  const Extent extent = exchange_.header.extent;
  const auto* values = reinterpret_cast<const std::uint64_t*>(output_of(slot, repeat));
  const unsigned char* written = records_of(slot, repeat);
  auto* records = reinterpret_cast<ProbeRecord*>(records_of(slot, repeat));
  for (std::uint32_t i = slot.n; i-- > 0;) {
    const bool is_written = written[i] != 0;
    const probe::ProbeValue value = probe::classify(values[i]);
    const std::uint32_t first = extent.length == 0 ? 0 : i - i % extent.length;
    const bool empty = extent.exclusive != 0 && i == first;
    const std::uint64_t weight = empty ? 0 : probe::expected_weight(first, i - extent.exclusive);
    records[i] = {value.lo,     value.hi,
                  value.depth,  static_cast<std::uint8_t>(value.cls),
                  value.strict, value.weight == weight,
                  is_written};
  }
}

void DeviceBatch::note_overrun(Slot& slot) {
  for (const auto& [buffer, name] : {std::pair{&x_, "X"}, std::pair{&y_, "Y"}}) {
    if (!buffer->overrun()) continue;
    add_finding(slot, "memory.out_of_bounds",
                std::string("A kernel wrote outside of ") + name +
                    " with N = " + std::to_string(slot.n) + ".",
                "Which thread has an index that is not below N?");
  }
}

void DeviceBatch::add_error(Slot& slot, const CudaError& error) {
  slot.aborted = 1;
  const std::string words =
      std::string(error.what()) + ", with N = " + std::to_string(slot.n) + ".";
  if (is_refused_launch(error.code()))
    add_finding(slot, "launch.invalid", words, "Check the launch's sizes.");
  else if (is_bad_address(error.code()))
    add_finding(slot, "memory.illegal", words,
                "compute-sanitizer's memcheck, or the CPU backend, names the line.");
  else
    add_finding(slot, "run.crash", words, "The CPU backend names the line.");
}

// One finding for each launch: it is what the process died of, or the first thing that went wrong.
void DeviceBatch::add_finding(Slot& slot, const char* kind, const std::string& message,
                              const char* help) {
  const std::string text = finding_text(kind, message, help);
  std::uint32_t& used = exchange_.header.text_used;
  if (has_finding(slot) || used > kTextBytes || text.size() > kTextBytes - used) return;
  std::memcpy(exchange_.text + used, text.data(), text.size());
  slot.text_offset = used;
  slot.text_bytes = static_cast<std::uint32_t>(text.size());
  used += slot.text_bytes;
}

}  // namespace scanlab::device
