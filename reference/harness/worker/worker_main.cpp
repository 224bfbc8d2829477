// scanlab_worker --submission S.so --source NAME.cu: the only process that loads a student's code.
// It finds the socket and the shared memories at the file descriptors of protocol.hpp.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "harness/shared_memory.hpp"
#include "harness/worker/batch.hpp"
#include "harness/worker/sandbox.hpp"
#include "harness/worker/signals.hpp"
#include "machine/machine.hpp"

namespace {

using namespace scanlab::harness;

constexpr int kUsageStatus = 2;
constexpr int kLoadStatus = 3;

// True when the harness asks for another batch; false when it is gone.
bool next_command() {
  char command = 0;
  return read(kSocketFd, &command, 1) == 1 && command == kRun;
}

bool say(char word) { return write(kSocketFd, &word, 1) == 1; }

void serve(BatchRunner& runner) {
  if (!say(kReady)) return;
  while (next_command()) {
    watch(true);
    runner.run();
    watch(false);
    if (!say(kFinished)) return;
  }
}

int run_worker(const std::string& submission, const std::string& source) {
  limit_resources();
  const Mapping shared = Mapping::open(kExchangeFd, sizeof(Exchange), Access::read_write);
  const Mapping input = Mapping::open(kInputFd, kInputBytes, Access::read_only);
  auto& exchange = *static_cast<Exchange*>(shared.data());
  if (exchange.header.protocol != kProtocol) throw std::runtime_error("built for another harness");
  BatchRunner runner(submission, source, exchange, static_cast<const unsigned char*>(input.data()));
  install_handlers(exchange.header.crash, source);
  install_watchdog(exchange.header);
  if (!forbid_system_calls(kSocketFd)) return kLoadStatus;
  serve(runner);
  // Not by way of exit handlers: none of the submission's code is to run now.
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  scanlab::machine::reserve_shared_memory(argv);
  if (argc != 5 || std::string(argv[1]) != "--submission" || std::string(argv[3]) != "--source") {
    std::fputs("usage: scanlab_worker --submission S.so --source NAME.cu\n", stderr);
    return kUsageStatus;
  }
  try {
    return run_worker(argv[2], argv[4]);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab_worker: %s\n", problem.what());
    return kLoadStatus;
  }
}
