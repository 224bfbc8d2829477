#include "device/worker/alone.hpp"

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "device/worker/cuda_check.hpp"
#include "device/worker/submission.hpp"

namespace scanlab::device {
namespace {

constexpr unsigned kInteger = 1;  // Request::element

std::vector<std::int32_t> inputs(unsigned n, unsigned call) {
  std::vector<std::int32_t> values(n);
  for (unsigned i = 0; i < n; ++i)
    values[i] = static_cast<std::int32_t>((i * 2654435761U >> 20) + call + 1);
  return values;
}

std::vector<std::int32_t> expected(const std::vector<std::int32_t>& in, const Launch& launch) {
  std::vector<std::int32_t> out(in.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i == 0 || (launch.length != 0 && i % launch.length == 0)) sum = 0;
    const std::uint32_t after = sum + static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(launch.exclusive != 0 ? sum : after);
    sum = after;
  }
  return out;
}

// Memory of exactly so many bytes, freed in any case.
class Exact {
 public:
  explicit Exact(std::size_t bytes) { SCANLAB_MUST(cudaMalloc(&data_, bytes)); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { static_cast<void>(cudaFree(data_)); }  // after an error there is nothing to free
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// The number of wrong elements.
unsigned run_call(const Submission& submission, const Launch& launch, unsigned call) {
  const std::vector<std::int32_t> in = inputs(launch.n, call), right = expected(in, launch);
  const std::size_t bytes = in.size() * sizeof in[0];
  const Exact x(bytes), y(bytes);
  SCANLAB_MUST(cudaMemcpy(x.data(), in.data(), bytes, cudaMemcpyHostToDevice));
  submission.call(
      {launch.function, kInteger, launch.section, launch.factor, x.data(), y.data(), launch.n});
  must(cudaGetLastError(), "the launch");
  must(cudaDeviceSynchronize(), "the kernel");
  std::vector<std::int32_t> out(in.size());
  SCANLAB_MUST(cudaMemcpy(out.data(), y.data(), bytes, cudaMemcpyDeviceToHost));
  unsigned wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != right[i];
  return wrong;
}

}  // namespace

Launch parse_launch(const std::string& text) {
  Launch launch;
  if (std::sscanf(text.c_str(), "%u:%u:%u:%u:%u:%u", &launch.function, &launch.section,
                  &launch.factor, &launch.n, &launch.length, &launch.exclusive) != 6)
    throw std::invalid_argument("'" + text + "' is no launch");
  return launch;
}

int run_alone(const std::string& path, const std::vector<std::string>& launches) {
  const Submission submission(path);
  unsigned all = 0;
  for (const std::string& text : launches) {
    const Launch launch = parse_launch(text);
    for (unsigned call = 0; call < 2; ++call) {
      const unsigned wrong = run_call(submission, launch, call);
      std::printf("%s call %u: %u of %u wrong\n", text.c_str(), call + 1, wrong, launch.n);
      std::fflush(stdout);
      all += wrong;
    }
  }
  return all == 0 ? 0 : 1;
}

}  // namespace scanlab::device
