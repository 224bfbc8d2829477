// One thread scans the whole array: the baseline of N - 1 dependent additions.
// Launch: <<<1, 1>>>. X and Y are device arrays of N elements.
#include <cuda_runtime.h>

template <typename T>
__global__ void sequential_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (blockIdx.x != 0 || threadIdx.x != 0 || N == 0) return;
  T sum = X[0];
  Y[0] = sum;
  for (unsigned i = 1; i < N; ++i) {
    sum = sum + X[i];
    Y[i] = sum;
  }
}

template <typename T>
__global__ void sequential_exclusive_scan(const T* X, T* Y, unsigned N) {
  if (blockIdx.x != 0 || threadIdx.x != 0 || N == 0) return;
  T sum = X[0];
  Y[0] = T{};
  for (unsigned i = 1; i < N; ++i) {
    Y[i] = sum;
    if (i + 1 < N) sum = sum + X[i];
  }
}
