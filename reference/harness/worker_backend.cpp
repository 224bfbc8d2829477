#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "harness/backend.hpp"
#include "harness/shared_memory.hpp"

extern char** environ;

namespace scanlab::harness {
namespace {

// A child process and our end of the socket to it.
class Process {
 public:
  Process(const Submission& submission, int exchange_fd, int input_fd) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::system_error(errno, std::generic_category(), "socketpair");
    socket_ = ends[0];
    const int problem = spawn(submission, ends[1], exchange_fd, input_fd);
    close(ends[1]);
    if (problem != 0) {
      close(socket_);
      throw std::system_error(problem, std::generic_category(), "starting " + submission.worker);
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    end();
    wait_for_end();
    close(socket_);
  }

  int socket() const { return socket_; }

  // What waitpid says. Only once.
  int wait_for_end() {
    int status = 0;
    rusage usage = {};
    if (pid_ > 0 && wait4(pid_, &status, 0, &usage) == pid_)
      final_seconds_ = in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
    pid_ = 0;
    return status;
  }

  // Of processor time.
  double seconds() const {
    clockid_t clock = 0;
    timespec used = {};
    if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0)
      return final_seconds_;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }

  void end() const {
    if (pid_ > 0) kill(pid_, SIGKILL);
  }

 private:
  // The descriptors lie above the numbers that the child wants, so that no dup2 overwrites one of them.
  int spawn(const Submission& submission, int socket, int exchange_fd, int input_fd) {
    const int high[3] = {fcntl(socket, F_DUPFD_CLOEXEC, 10), fcntl(exchange_fd, F_DUPFD_CLOEXEC, 10),
                         fcntl(input_fd, F_DUPFD_CLOEXEC, 10)};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, high[0], kSocketFd);
    posix_spawn_file_actions_adddup2(&actions, high[1], kExchangeFd);
    posix_spawn_file_actions_adddup2(&actions, high[2], kInputFd);
    std::string words[] = {submission.worker, "--submission", submission.object, "--source",
                           submission.source};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(),
                    words[3].data(), words[4].data(), nullptr};
    const int problem = posix_spawn(&pid_, argv[0], &actions, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    for (const int fd : high) close(fd);
    return problem;
  }

  static double in_seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }

  pid_t pid_ = 0;
  int socket_ = -1;
  double final_seconds_ = 0;
};

class WorkerBackend final : public Backend {
 public:
  explicit WorkerBackend(const Submission& submission)
      : submission_(submission),
        exchange_(Mapping::create("scanlab-exchange", sizeof(Exchange))),
        input_(Mapping::create("scanlab-input", kInputBytes)) {
    signal(SIGPIPE, SIG_IGN);
    input_.forbid_new_writers();
    exchange().header.protocol = kProtocol;
    restart();
  }

  Exchange& exchange() override { return *static_cast<Exchange*>(exchange_.data()); }
  unsigned char* input() override { return static_cast<unsigned char*>(input_.data()); }

  void restart() override {
    ready_ = false;
    retire();
    process_ = std::make_unique<Process>(submission_, exchange_.fd(), input_.fd());
  }

  double seconds_used() const override { return former_seconds_ + process_->seconds(); }

  RunOutcome run(const TimeLimits& limits) override {
    wait_until_ready();
    if (write(process_->socket(), &kRun, 1) != 1) return dead();
    Watch watch{exchange().header.progress.load(), process_->seconds(), Clock::now()};
    while (!said(kFinished)) {
      if (hung_up_) return dead();
      if (is_silent(watch, limits)) return silent();
    }
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kPollMilliseconds = 100;
  static constexpr auto kAsleep = std::chrono::seconds(20);  // with less than kIdle seconds of work: it is stuck
  static constexpr double kIdle = 0.05;

  // What was seen when the last launch began.
  struct Watch {
    std::uint32_t progress;
    double seconds;
    Clock::time_point time;
  };

  void retire() {
    if (!process_) return;
    process_->end();
    process_->wait_for_end();
    former_seconds_ += process_->seconds();
    process_.reset();
  }

  bool is_silent(Watch& watch, const TimeLimits& limits) {
    const std::uint32_t progress = exchange().header.progress.load();
    const double seconds = process_->seconds();
    if (progress != watch.progress) watch = {progress, seconds, Clock::now()};
    const double worked = seconds - watch.seconds;
    return worked > limits.launch || former_seconds_ + seconds > limits.total ||
           (worked < kIdle && Clock::now() - watch.time > kAsleep);
  }

  // True when the worker has said `word`; sets hung_up_ when it can no longer say anything.
  bool said(char word) {
    pollfd waiting{process_->socket(), POLLIN, 0};
    if (poll(&waiting, 1, kPollMilliseconds) <= 0) return false;
    char answer = 0;
    hung_up_ = read(process_->socket(), &answer, 1) != 1 || answer != word;
    return !hung_up_;
  }

  // Before that, none of the submission's code runs: it is our fault when the worker does not come up.
  void wait_until_ready() {
    const Clock::time_point give_up = Clock::now() + std::chrono::seconds(60);
    while (!ready_ && !(ready_ = said(kReady)))
      if (hung_up_ || Clock::now() >= give_up) throw std::runtime_error("the worker did not start");
  }

  RunOutcome dead() {
    hung_up_ = false;
    const int status = process_->wait_for_end();
    RunOutcome outcome{WorkerEnd::died, 0, 0};
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
    return outcome;
  }

  RunOutcome silent() {
    process_->end();
    process_->wait_for_end();
    return {WorkerEnd::silent, 0, 0};
  }

  Submission submission_;
  Mapping exchange_, input_;
  std::unique_ptr<Process> process_;
  bool ready_ = false, hung_up_ = false;
  double former_seconds_ = 0;  // of the workers before this one
};

}  // namespace

std::unique_ptr<Backend> worker_backend(const Submission& submission) {
  return std::make_unique<WorkerBackend>(submission);
}

}  // namespace scanlab::harness
