// expect: ok
// output: map: 1 4 9 16 25 36 49 64 81 100
// output: every kernel and copy was checked
// Host code in modern C++: an owning class, exceptions, a template kernel with a functor.
#include <cuda_runtime.h>

#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cuda_check {
struct Error : std::runtime_error {
  Error(cudaError_t status, const char* what)
      : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status)) {}
};
inline void ok(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(status, what);
}
}  // namespace cuda_check

template <typename T>
class DeviceVector {
 public:
  explicit DeviceVector(std::size_t size) : size_(size) {
    cuda_check::ok(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
  }
  explicit DeviceVector(const std::vector<T>& host) : DeviceVector(host.size()) {
    cuda_check::ok(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "to the device");
  }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  DeviceVector(DeviceVector&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ~DeviceVector() { cudaFree(data_); }

  T* data() { return data_; }
  std::size_t size() const { return size_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    cuda_check::ok(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "to the host");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

template <typename T, typename F>
__global__ void map_kernel(T* values, std::size_t size, F f) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) values[i] = f(values[i]);
}

template <typename T, typename F>
void map(DeviceVector<T>& values, F f) {
  constexpr unsigned kThreads = 64;
  const unsigned blocks = static_cast<unsigned>((values.size() + kThreads - 1) / kThreads);
  map_kernel<T, F><<<blocks, kThreads>>>(values.data(), values.size(), f);
  cuda_check::ok(cudaGetLastError(), "map_kernel");
}

int main() try {
  std::vector<int> numbers(10);
  std::iota(numbers.begin(), numbers.end(), 1);
  DeviceVector<int> first(numbers);
  DeviceVector<int> device(std::move(first));
  map(device, Square{});
  std::cout << "map:";
  for (int value : device.to_host()) std::cout << ' ' << value;
  std::cout << "\nevery kernel and copy was checked\n";
  return 0;
} catch (const std::exception& problem) {
  std::cerr << problem.what() << '\n';
  return 1;
}
