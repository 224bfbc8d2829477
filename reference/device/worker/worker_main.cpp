// scanlab_worker_cuda --submission S.so --source NAME.cu: speaks scanlab_worker's protocol, and
// runs on a GPU. scanlab_worker_cuda --alone S.so LAUNCH...: see alone.hpp; --speed: see speed.hpp;
// --context: whether a context can be had at all.
//
// A CUDA context that a kernel has broken is of no use to anybody: the process then replaces itself
// (with
// --resume and how often that was at the end) and goes on with the launches that wait. The harness
// sees one process, and a dead one only after some of these.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/worker/alone.hpp"
#include "device/worker/device_batch.hpp"
#include "device/worker/speed.hpp"
#include "harness/shared_memory.hpp"

namespace {

using namespace scanlab::device;
namespace harness = scanlab::harness;

constexpr int kUsageStatus = 2;
constexpr int kLoadStatus = 3;
constexpr int kTimeoutStatus = 4;
constexpr int kCudaStatus = 5;
constexpr unsigned kMostReplacements = 3;
const std::string kResume = "--resume=";
constexpr std::chrono::seconds kLaunchLimit{8};
constexpr std::chrono::seconds kAloneLimit{60};  // a sanitizer makes everything slow

bool next_command() {
  char command = 0;
  return read(harness::kSocketFd, &command, 1) == 1 && command == harness::kRun;
}

bool say(char word) { return write(harness::kSocketFd, &word, 1) == 1; }

// A new context costs about a second: after some of them the harness is to decide whether to go on.
[[noreturn]] void replace_process(char** argv, unsigned before, harness::CrashReport& crash) {
  if (before >= kMostReplacements) {
    crash.signal = SIGSEGV;
    crash.set = 1;
    _exit(kCudaStatus);
  }
  std::string words[] = {argv[0], argv[1], argv[2],
                         argv[3], argv[4], kResume + std::to_string(before + 1)};
  char* again[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                   words[4].data(), words[5].data(), nullptr};
  execv("/proc/self/exe", again);
  _exit(kLoadStatus);
}

// A thread that waits for the device sleeps: the harness counts processor time.
void open_context() {
  SCANLAB_MUST(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  SCANLAB_MUST(cudaFree(nullptr));
}

void serve(DeviceBatch& batch, char** argv, unsigned replaced, harness::CrashReport& crash) {
  bool resume = replaced != 0;
  if (!resume && !say(harness::kReady)) return;
  while (resume || next_command()) {
    if (!batch.run()) replace_process(argv, replaced, crash);
    resume = false;
    if (!say(harness::kFinished)) return;
  }
}

int run_worker(char** argv, unsigned replaced) {
  using harness::Access;
  const auto shared =
      harness::Mapping::open(harness::kExchangeFd, sizeof(harness::Exchange), Access::read_write);
  const auto input =
      harness::Mapping::open(harness::kInputFd, harness::kInputBytes, Access::read_only);
  auto& exchange = *static_cast<harness::Exchange*>(shared.data());
  if (exchange.header.protocol != harness::kProtocol)
    throw std::runtime_error("built for another harness");
  open_context();
  Submission submission(argv[2]);
  Watchdog watchdog(kLaunchLimit, [&exchange] {
    exchange.header.crash.signal = 0;
    exchange.header.crash.set = 1;
    _exit(kTimeoutStatus);
  });
  DeviceBatch batch(submission, watchdog, exchange,
                    static_cast<const unsigned char*>(input.data()));
  serve(batch, argv, replaced, exchange.header.crash);
  _exit(0);
}

int run_watched(const std::function<int()>& work) {
  Watchdog watchdog(kAloneLimit, [] {
    std::puts("time is up");
    std::fflush(stdout);
    _exit(kTimeoutStatus);
  });
  open_context();
  watchdog.start();
  return work();
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 3 && words[0] == "--alone")
    return run_watched([&] { return run_alone(words[1], {words.begin() + 2, words.end()}); });
  if (words.size() == 4 && words[0] == "--speed")
    return run_watched([&] { return measure_speed(words[1], words[2], words[3]), 0; });
  if (words.size() == 1 && words[0] == "--context") return run_watched([] { return 0; });
  const bool resume = words.size() == 5 && words[4].rfind(kResume, 0) == 0;
  if ((words.size() == 4 || resume) && words[0] == "--submission" && words[2] == "--source")
    return run_worker(
        argv, resume ? static_cast<unsigned>(std::stoul(words[4].substr(kResume.size()))) : 0);
  std::fputs(
      "usage: scanlab_worker_cuda --submission S.so --source NAME.cu\n"
      "       scanlab_worker_cuda --alone S.so FUNCTION:SECTION:FACTOR:N:LENGTH:EXCLUSIVE...\n"
      "       scanlab_worker_cuda --speed S.so FUNCTION:SECTION:FACTOR:N:LENGTH:EXCLUSIVE "
      "OUT.json\n"
      "       scanlab_worker_cuda --context\n",
      stderr);
  return kUsageStatus;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const CudaError& error) {
    std::printf("cuda error: %s\n", error.what());
    std::fflush(stdout);
    std::fprintf(stderr, "scanlab_worker_cuda: %s\n", error.what());
    return kCudaStatus;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab_worker_cuda: %s\n", problem.what());
    return kLoadStatus;
  }
}
