// What the benchmark needs of the device: checked calls, arrays, inputs whose scans can be verified
// exactly, poison, and a kernel that keeps part of the device busy.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include <cuda_runtime.h>

namespace scanlab::bench {

// Ends the program with the place of the call if a CUDA call failed.
inline void must(cudaError_t status, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, cudaGetErrorName(status),
               cudaGetErrorString(status));
  std::exit(3);
}

constexpr unsigned kNoScan = 0xffffffffu;  // section of a candidate whose output is the input
constexpr unsigned kGuard = 64;            // elements behind each output that nobody may write
constexpr unsigned char kPoison =
    0xa5;  // as float: a tiny number that is not whole; as int: no input's sum

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    must(cudaMalloc(&data_, size * sizeof(T)));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// Inputs. Whole numbers of all sizes; floats are small whole numbers without 0, whose sums over any
// range stay far below 2^24 for the sizes here: every order of additions gives exactly the same.
__host__ __device__ inline unsigned long long mix(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

template <typename T>
__device__ T input_at(unsigned long long i, unsigned long long seed) {
  const unsigned long long random = mix(i ^ mix(seed));
  if constexpr (std::is_floating_point_v<T>) {
    const int value = static_cast<int>(random % 8) - 4;
    return static_cast<T>(value < 0 ? value : value + 1);
  } else {
    return static_cast<T>(random | 1);
  }
}

template <typename T>
__global__ void fill(T* X, unsigned long long count, unsigned long long seed) {
  const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i =
           static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < count; i += step) {
    X[i] = input_at<T>(i, seed);
  }
}

template <typename T>
__device__ bool is_poison(T value) {
  unsigned char bytes[sizeof(T)];
  memcpy(bytes, &value, sizeof(T));
  for (unsigned char byte : bytes) {
    if (byte != kPoison) return false;
  }
  return true;
}

// Y is the inclusive scan of X in sections if and only if each section begins with X and Y[i] - Y[i
// - 1] is X[i] everywhere else. No reference is needed, and both sides are exact. Signed numbers
// wrap as unsigned ones.
template <typename T>
__device__ bool is_right(const T* X, const T* Y, unsigned i, unsigned section) {
  if (section == kNoScan || i == 0 || (section != 0 && i % section == 0)) return Y[i] == X[i];
  if constexpr (std::is_floating_point_v<T>) {
    return Y[i] - Y[i - 1] == X[i];
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<U>(Y[i]) - static_cast<U>(Y[i - 1]) == static_cast<U>(X[i]);
  }
}

template <typename T>
__global__ void count_wrong(const T* X, const T* Y, unsigned N, unsigned section,
                            unsigned long long* wrong) {
  const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  unsigned long long mine = 0;
  for (unsigned long long i =
           static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < static_cast<unsigned long long>(N) + kGuard; i += step) {
    if (i < N ? !is_right(X, Y, static_cast<unsigned>(i), section) : !is_poison(Y[i])) ++mine;
  }
  if (mine != 0) atomicAdd(wrong, mine);
}

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Keeps the stream busy while the host fills its queue: what is timed behind it is not the host's
// speed.
__global__ void delay(unsigned long long duration) {
  const unsigned long long end = nanoseconds() + duration;
  while (nanoseconds() < end) {
  }
}

// <<<multiprocessors / 3, 128, all the shared memory there is>>>: one block fills a multiprocessor,
// and stays until the host says stop. Gives up after a minute.
__global__ void occupy(volatile unsigned* started, volatile const unsigned* stop) {
  if (threadIdx.x != 0) return;
  started[blockIdx.x] = 1;
  const unsigned long long end = nanoseconds() + 60ull * 1000 * 1000 * 1000;
  while (*stop == 0 && nanoseconds() < end) __nanosleep(1000);
}

}  // namespace scanlab::bench
