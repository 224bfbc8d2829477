#include <algorithm>

#include "harness/backend.hpp"
#include "harness/shared_memory.hpp"
#include "harness/worker/batch.hpp"

namespace scanlab::harness {
namespace {

// No signal handlers and no filter: a debugger is to see what happens.
class InProcessBackend final : public Backend {
 public:
  explicit InProcessBackend(const Submission& submission)
      : exchange_(Mapping::create("scanlab-exchange", sizeof(Exchange))),
        input_(Mapping::create("scanlab-input", kInputBytes)),
        runner_(submission.object, submission.source, exchange(), input()) {}

  Exchange& exchange() override { return *static_cast<Exchange*>(exchange_.data()); }
  unsigned char* input() override { return static_cast<unsigned char*>(input_.data()); }
  void restart() override {}  // the machine gives the submission's variables their first values
  double seconds_used() const override { return 0; }
  RunOutcome run(const TimeLimits&) override {
    runner_.run();
    return {};
  }

 private:
  Mapping exchange_, input_;
  BatchRunner runner_;
};

}  // namespace

std::unique_ptr<Backend> in_process_backend(const Submission& submission) {
  return std::make_unique<InProcessBackend>(submission);
}

}  // namespace scanlab::harness
