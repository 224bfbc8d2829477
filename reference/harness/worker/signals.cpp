#include "harness/worker/signals.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "machine/machine.hpp"

namespace scanlab::harness {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr int kTickMicroseconds = 100'000;

CrashReport* shared_crash = nullptr;
char source_name[kPlaceBytes / 2] = {};
const BatchHeader* watched = nullptr;
std::atomic<bool> running{false};
std::uint32_t ticks = 0;
std::uint32_t ticking_launch = 0;

std::uintptr_t instruction(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  (void)machine;
  return 0;
#endif
}

// The line of the instruction, else (in a library, in the machine) of the last access that was seen.
void note_place(CrashReport& crash, const void* context) {
  // source_line() wants the address after a call; the signal gives that of the instruction itself.
  const unsigned line = machine::source_line(reinterpret_cast<const void*>(instruction(context) + 1));
  if (line != 0) {
    std::snprintf(crash.place, sizeof crash.place, "%s:%u", source_name, line);
  } else {
    std::strncpy(crash.place, machine::current_place().c_str(), kPlaceBytes - 1);
  }
}

[[noreturn]] void report_and_leave(int signal, int system_call, const void* context) {
  CrashReport& crash = *shared_crash;
  crash.signal = signal;
  crash.system_call = system_call;
  crash.set = 1;  // the place is an extra: finding it may crash again
  note_place(crash, context);
  _exit(kCrashStatus);
}

void on_fatal(int signal, siginfo_t* info, void* context) {
  if (shared_crash->set != 0) _exit(kCrashStatus);
  report_and_leave(signal, signal == SIGSYS ? info->si_syscall : -1, context);
}

void on_tick(int, siginfo_t*, void* context) {
  const std::uint32_t launch = watched->progress.load(std::memory_order_relaxed);
  if (!running.load(std::memory_order_relaxed) || launch != ticking_launch) {
    ticking_launch = launch;
    ticks = 0;
    return;
  }
  if (++ticks >= watched->cpu_ticks) report_and_leave(0, -1, context);
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void use_own_stack() {
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, nullptr);
}

}  // namespace

void install_handlers(CrashReport& crash, const std::string& source) {
  shared_crash = &crash;
  std::strncpy(source_name, source.c_str(), sizeof source_name - 1);
  use_own_stack();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ})
    handle(signal, on_fatal, SA_NODEFER);
}

void install_watchdog(const BatchHeader& header) {
  watched = &header;
  handle(SIGPROF, on_tick, SA_RESTART);
  const itimerval every{{0, kTickMicroseconds}, {0, kTickMicroseconds}};
  setitimer(ITIMER_PROF, &every, nullptr);
}

void watch(bool batch_running) { running.store(batch_running, std::memory_order_relaxed); }

}  // namespace scanlab::harness
