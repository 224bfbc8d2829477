// Runs the batches that a harness puts into shared memory. The one piece that both the worker process and
// --in-process use.
#pragma once

#include "harness/protocol.hpp"
#include "machine/machine.hpp"

namespace scanlab::harness {

class BatchRunner {
 public:
  // Throws std::runtime_error with the loader's words.
  BatchRunner(const std::string& submission, const std::string& source, Exchange& exchange,
              const unsigned char* input);

  // Fills in the slots' results; `exchange.header.progress` runs along.
  void run();

 private:
  void run_slot(std::uint32_t index);
  void call(Slot& slot, std::uint32_t repeat);
  unsigned char* prepare_input(const Slot& slot, std::uint32_t repeat);
  void note_unwritten(Slot& slot, std::uint32_t repeat);
  void note_input(Slot& slot, std::uint32_t repeat);
  void note_probe(Slot& slot);
  void note_records(const Slot& slot, std::uint32_t repeat);
  void note_report(Slot& slot, const machine::Report& report);
  void note_text(Slot& slot, const std::string& text);
  std::string network_of(const Slot& slot) const;

  Element element() const { return static_cast<Element>(exchange_.header.element); }
  unsigned char* output_of(const Slot& slot, std::uint32_t repeat) const;
  unsigned char* records_of(const Slot& slot, std::uint32_t repeat) const;

  Exchange& exchange_;
  const unsigned char* input_;
  machine::Module module_;
  std::uint32_t failed_ = 0;     // launches with an error finding
  std::uint64_t effort_ = 0;     // of all launches of the batch
};

}  // namespace scanlab::harness
