// Runs the batches that a harness puts into shared memory on the GPU: what harness/worker/batch.hpp
// does on the CPU machine. Values, work and steps are counted; races, barriers and traffic are
// compute-sanitizer's business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/worker/cuda_check.hpp"
#include "device/worker/device_buffer.hpp"
#include "device/worker/submission.hpp"
#include "device/worker/watchdog.hpp"
#include "harness/protocol.hpp"

namespace scanlab::device {

class DeviceBatch {
 public:
  DeviceBatch(Submission& submission, Watchdog& watchdog, harness::Exchange& exchange,
              const unsigned char* input)
      : submission_(submission), watchdog_(watchdog), exchange_(exchange), input_(input) {}

  // Runs the slots that wait. False: the context is lost, and only a new process can go on with the
  // rest.
  bool run();

 private:
  using Slot = harness::Slot;
  bool run_slot(std::uint32_t index);
  void run_calls(Slot& slot, std::uint32_t index);
  bool call(Slot& slot, std::uint32_t repeat);
  std::vector<unsigned char> input_of(const Slot& slot, std::uint32_t repeat) const;
  void take_output(Slot& slot, std::uint32_t repeat);
  void note_input(Slot& slot, const std::vector<unsigned char>& was);
  void note_unwritten(Slot& slot, std::uint32_t repeat);
  void note_probe(Slot& slot);
  void note_records(const Slot& slot, std::uint32_t repeat);
  void note_overrun(Slot& slot);
  void add_finding(Slot& slot, const char* kind, const std::string& message, const char* help);
  void add_error(Slot& slot, const CudaError& error);

  harness::Element element() const {
    return static_cast<harness::Element>(exchange_.header.element);
  }
  unsigned char* output_of(const Slot& slot, std::uint32_t repeat) const;
  unsigned char* records_of(const Slot& slot, std::uint32_t repeat) const;

  Submission& submission_;
  Watchdog& watchdog_;
  harness::Exchange& exchange_;
  const unsigned char* input_;
  DeviceBuffer x_, y_;
  unsigned char poison_ = 0xC0;
};

// After these every further call of the process fails.
bool is_sticky(cudaError_t code);

}  // namespace scanlab::device
