// Where batches are run: in a worker process, or (--in-process, for a debugger) in this one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/protocol.hpp"

namespace scanlab::harness {

struct Submission {
  std::string object;  // path of the shared object
  std::string source;  // the file's name as findings give it
  std::string worker;  // path of scanlab_worker
};

enum class WorkerEnd : std::uint8_t { finished, died, silent };

struct RunOutcome {
  WorkerEnd end = WorkerEnd::finished;
  int exit_status = 0;  // of a worker that left by itself (died, no signal)
  int signal = 0;       // that killed it; 0 = none
};

using Clock = std::chrono::steady_clock;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual Exchange& exchange() = 0;
  virtual unsigned char* input() = 0;  // kInputBytes
  // Makes the next run() begin in a process where nothing has run.
  virtual void restart() = 0;
  // Runs the batch that lies in exchange(). `silent`: no launch ended for `patience`, or `deadline` passed.
  virtual RunOutcome run(Clock::duration patience, Clock::time_point deadline) = 0;
};

// Throws std::system_error where the system has no shared memory or no processes left.
std::unique_ptr<Backend> worker_backend(const Submission& submission);
// Throws std::runtime_error with the loader's words. One per process.
std::unique_ptr<Backend> in_process_backend(const Submission& submission);

}  // namespace scanlab::harness
