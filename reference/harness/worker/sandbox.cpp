#include "harness/worker/sandbox.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace scanlab::harness {
namespace {

[[maybe_unused]] constexpr rlim_t kAddressSpace = rlim_t{8} << 30;  // the sanitizers want more
constexpr rlim_t kCpuSeconds = 120;

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::uint32_t kX32Bit = 0x40000000U;  // the x32 interface numbers its calls from here

constexpr std::uint32_t low_word(unsigned argument) {  // both processors are little-endian
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
}

// A classic BPF program, put together rule by rule. Every rule leaves the call's number loaded.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, kArchitecture, 1, 0);
    result(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    jump(BPF_JGE, kX32Bit, 0, 1);
    result(SECCOMP_RET_KILL_PROCESS);
  }

  void allow(long number) {
    jump(BPF_JEQ, word(number), 0, 1);
    result(SECCOMP_RET_ALLOW);
  }

  void allow_if_equal(long number, unsigned argument, std::uint32_t value) {
    when(number, argument, BPF_JEQ, value, true);
  }

  void allow_if_clear(long number, unsigned argument, std::uint32_t bits) {
    when(number, argument, BPF_JSET, bits, false);
  }

  bool install() {
    result(SECCOMP_RET_TRAP);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static std::uint32_t word(long number) { return static_cast<std::uint32_t>(number); }
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void jump(unsigned short test, std::uint32_t value, unsigned char yes, unsigned char no) {
    code_.push_back(BPF_JUMP(static_cast<unsigned short>(BPF_JMP | test | BPF_K), value, yes, no));
  }
  void result(std::uint32_t action) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

  void when(long number, unsigned argument, unsigned short test, std::uint32_t value, bool wanted) {
    jump(BPF_JEQ, word(number), 0, 4);
    load(low_word(argument));
    jump(test, value, wanted ? 0 : 1, wanted ? 1 : 0);
    result(SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }

  std::vector<sock_filter> code_;
};

void allow_memory(Filter& filter) {
  filter.allow_if_clear(SYS_mmap, 2, PROT_EXEC);
  filter.allow_if_clear(SYS_mprotect, 2, PROT_EXEC);
  for (const long number : {SYS_munmap, SYS_madvise, SYS_mremap, SYS_brk}) filter.allow(number);
}

void allow_signals(Filter& filter) {
  const auto self = static_cast<std::uint32_t>(getpid());
  filter.allow_if_equal(SYS_tgkill, 0, self);
  for (const long number : {SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_getpid, SYS_gettid})
    filter.allow(number);
}

}  // namespace

void limit_resources() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);
  limit(RLIMIT_CORE, 0);
#ifndef SCANLAB_SANITIZED  // whose shadow memory is terabytes
  limit(RLIMIT_AS, kAddressSpace);
#endif
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, kCpuSeconds);
}

bool forbid_system_calls(int socket) {
#ifdef SCANLAB_SANITIZED
  (void)socket;
  return true;
#endif
  if (kArchitecture == 0) return true;
  Filter filter;
  filter.allow_if_equal(SYS_read, 0, static_cast<std::uint32_t>(socket));
  filter.allow_if_equal(SYS_write, 0, static_cast<std::uint32_t>(socket));
  allow_memory(filter);
  allow_signals(filter);
  for (const long number : {SYS_futex, SYS_exit, SYS_exit_group, SYS_clock_gettime, SYS_sched_yield, SYS_sysinfo,
                            SYS_restart_syscall})
    filter.allow(number);
  return filter.install();
}

}  // namespace scanlab::harness
