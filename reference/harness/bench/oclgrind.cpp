#include "harness/bench/oclgrind.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

extern char** environ;

namespace scanlab::harness {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kBarriers = 20;  // two in each of the ten steps

constexpr char kKernel[] = R"(
__kernel void kogge_stone(__global const int* X, __global int* Y) {
  __local int XY[1024];
  const uint tx = get_local_id(0), i = get_global_id(0);
  XY[tx] = X[i];
  for (uint stride = 1; stride < 1024; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx >= stride) XY[tx] = sum;
  }
  Y[i] = XY[tx];
}
)";

// A folder of its own that goes away again.
class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "scanlab-bench-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The simulator's description of a launch of so many groups.
void write_launch(const std::string& path, const std::string& kernel, unsigned groups) {
  const std::string items = std::to_string(groups * kThreads);
  const std::string bytes = std::to_string(groups * kThreads * sizeof(int));
  std::ofstream(path) << kernel << "\nkogge_stone\n"
                      << items << " 1 1\n1024 1 1\n"
                      << "<size=" << bytes << " fill=1 int>\n<size=" << bytes << " fill=0 int>\n";
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Its processor time; nothing when it cannot be run.
std::optional<double> run_quietly(std::string launch) {
  std::string words[] = {"oclgrind-kernel", "--data-races", "--num-threads", "1"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), launch.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, argv[0], &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage = {};
  if (problem != 0 || wait4(child, &status, 0, &usage) != child) return std::nullopt;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The least of three.
std::optional<double> least_seconds(const std::string& launch) {
  std::optional<double> best;
  for (int i = 0; i < 3; ++i) {
    const std::optional<double> time = run_quietly(launch);
    if (!time) return std::nullopt;
    best = std::min(best.value_or(*time), *time);
  }
  return best;
}

}  // namespace

// From the difference of two sizes, so that its start and the compiling of the kernel do not count.
std::optional<double> oclgrind_rate() {
  constexpr unsigned kFew = 1, kMany = 9;
  const Folder folder;
  std::ofstream(folder.file("kernel.cl")) << kKernel;
  write_launch(folder.file("few.sim"), folder.file("kernel.cl"), kFew);
  write_launch(folder.file("many.sim"), folder.file("kernel.cl"), kMany);
  const auto few = least_seconds(folder.file("few.sim")), many = least_seconds(folder.file("many.sim"));
  if (!few || !many || *many <= *few) return std::nullopt;
  return (kMany - kFew) * double{kThreads} * kBarriers / (*many - *few);
}

}  // namespace scanlab::harness
