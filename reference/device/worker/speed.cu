#include "device/worker/speed.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

#include <cub/device/device_scan.cuh>

#include "device/bench/bench_support.cuh"
#include "device/worker/alone.hpp"
#include "device/worker/cuda_check.hpp"
#include "device/worker/submission.hpp"

namespace scanlab::device {
namespace {

using bench::DeviceArray;
using Work = std::function<void(const float* X, float* Y)>;

constexpr unsigned kFloat = 2;  // Request::element
constexpr unsigned kSamples = 21;
constexpr std::size_t kPastTheCache = std::size_t{320} << 20;

// Pairs of input and output that take turns, so that no call finds its data in the L2 cache.
class Buffers {
 public:
  explicit Buffers(unsigned n)
      : n_(n),
        stride_((std::size_t{n} + bench::kGuard + 63) / 64 * 64),
        pairs_(std::max<std::size_t>(2, kPastTheCache / (2 * sizeof(float) * stride_))),
        in_(stride_ * pairs_),
        out_(stride_ * pairs_) {
    bench::fill<<<1024, 256>>>(in_.get(), in_.size(), 20260101ULL);
    SCANLAB_MUST(cudaGetLastError());
  }
  void call(const Work& work) {
    turn_ = (turn_ + 1) % pairs_;
    work(in(), out());
  }
  const float* in() const { return in_.get() + turn_ * stride_; }
  float* out() const { return out_.get() + turn_ * stride_; }
  unsigned n() const { return n_; }

 private:
  unsigned n_;
  std::size_t stride_, pairs_, turn_ = 0;
  DeviceArray<float> in_, out_;
};

// Elements that are wrong after a call into a poisoned output.
unsigned long long count_wrong(const Work& work, Buffers& buffers, unsigned length) {
  DeviceArray<unsigned long long> wrong(1);
  SCANLAB_MUST(cudaMemset(wrong.get(), 0, sizeof(unsigned long long)));
  buffers.call([&](const float* X, float* Y) {
    const std::size_t bytes = (std::size_t{buffers.n()} + bench::kGuard) * sizeof(float);
    SCANLAB_MUST(cudaMemset(Y, bench::kPoison, bytes));
    work(X, Y);
    bench::count_wrong<<<1024, 256>>>(X, Y, buffers.n(), length, wrong.get());
    SCANLAB_MUST(cudaGetLastError());
  });
  unsigned long long found = 0;
  SCANLAB_MUST(cudaMemcpy(&found, wrong.get(), sizeof found, cudaMemcpyDeviceToHost));
  return found;
}

class Clock {
 public:
  Clock() {
    SCANLAB_MUST(cudaEventCreate(&begin_));
    SCANLAB_MUST(cudaEventCreate(&end_));
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {  // the worker ends
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
  }
  // Microseconds a call.
  double time(const Work& work, Buffers& buffers, unsigned calls) const {
    SCANLAB_MUST(cudaEventRecord(begin_));
    for (unsigned k = 0; k < calls; ++k) buffers.call(work);
    SCANLAB_MUST(cudaGetLastError());
    SCANLAB_MUST(cudaEventRecord(end_));
    SCANLAB_MUST(cudaEventSynchronize(end_));
    float milliseconds = 0;
    SCANLAB_MUST(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds * 1000.0 / calls;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

// Sorted samples of each work, which take turns: a change of clocks hits all of them.
std::vector<std::vector<double>> sample(const std::vector<Work>& all, Buffers& buffers) {
  const Clock clock;
  std::vector<unsigned> calls;
  std::vector<std::vector<double>> samples(all.size());
  for (const Work& work : all) {
    clock.time(work, buffers, 1);  // a warm-up
    const double guess = clock.time(work, buffers, 1);
    calls.push_back(static_cast<unsigned>(std::clamp(1500.0 / guess, 1.0, 40.0)));
  }
  for (unsigned round = 0; round < kSamples; ++round)
    for (std::size_t k = 0; k < all.size(); ++k)
      samples[k].push_back(clock.time(all[k], buffers, calls[k]));
  for (std::vector<double>& one : samples) std::sort(one.begin(), one.end());
  return samples;
}

std::FILE* open(const std::string& path) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("cannot write " + path);
  return out;
}

// The device does its part: what does not come to an end from here on is the submission.
void announce(const std::string& path, unsigned n) {
  std::FILE* const out = open(path);
  std::fprintf(out, "{\"n\": %u}\n", n);
  std::fclose(out);
}

void write(const std::string& path, unsigned n, unsigned long long wrong,
           const std::vector<std::vector<double>>& samples) {
  const auto at = [&](std::size_t which, unsigned quarter) {
    return samples[which][quarter * (kSamples - 1) / 4];
  };
  std::FILE* const out = open(path);
  std::fprintf(out, "{\"n\": %u, \"samples\": %u, \"us\": %.6g, \"spread\": %.3g, ", n, kSamples,
               at(2, 2), at(2, 3) - at(2, 1));
  std::fprintf(out, "\"copy_us\": %.6g, \"cub_us\": %.6g, \"wrong\": %llu}\n", at(0, 2), at(1, 2),
               wrong);
  std::fclose(out);
}

}  // namespace

void measure_speed(const std::string& path, const std::string& words, const std::string& json) {
  const Submission submission(path);
  const Launch launch = parse_launch(words);
  Buffers buffers(launch.n);
  const Work copy = [&](const float* X, float* Y) {
    SCANLAB_MUST(cudaMemcpyAsync(Y, X, sizeof(float) * launch.n, cudaMemcpyDeviceToDevice));
  };
  std::size_t bytes = 0;
  SCANLAB_MUST(
      cub::DeviceScan::InclusiveSum(nullptr, bytes, buffers.in(), buffers.out(), launch.n));
  const DeviceArray<unsigned char> room(bytes);
  const Work cub = [&](const float* X, float* Y) {
    SCANLAB_MUST(cub::DeviceScan::InclusiveSum(room.get(), bytes, X, Y, launch.n));
  };
  const Work scan = [&](const float* X, float* Y) {
    submission.call({launch.function, kFloat, launch.section, launch.factor, X, Y, launch.n});
  };
  static_cast<void>(sample({copy, cub}, buffers));
  announce(json, launch.n);
  const unsigned long long wrong = count_wrong(scan, buffers, launch.length);
  write(json, launch.n, wrong, sample({copy, cub, scan}, buffers));
}

}  // namespace scanlab::device
