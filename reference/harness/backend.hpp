// Where batches are run: in a worker process, or (--in-process, for a debugger) in this one.
#pragma once

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

// In seconds of the worker's processor time: how busy the machine is must not decide a verdict.
struct TimeLimits {
  double launch = 5;   // without a launch coming to its end; the worker's own watchdog comes first
  double total = 10;   // of all workers of this backend together
  TimeLimits operator*(double factor) const { return {launch * factor, total * factor}; }
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual Exchange& exchange() = 0;
  virtual unsigned char* input() = 0;  // kInputBytes
  // Makes the next run() begin in a process where nothing has run.
  virtual void restart() = 0;
  // Runs the batch that lies in exchange(). `silent`: a limit was passed, or the worker does nothing at all.
  virtual RunOutcome run(const TimeLimits& limits) = 0;
  // Processor time of all workers so far.
  virtual double seconds_used() const = 0;
};

// Throws std::system_error where the system has no shared memory or no processes left.
std::unique_ptr<Backend> worker_backend(const Submission& submission);
// Throws std::runtime_error with the loader's words. One per process.
std::unique_ptr<Backend> in_process_backend(const Submission& submission);

}  // namespace scanlab::harness
