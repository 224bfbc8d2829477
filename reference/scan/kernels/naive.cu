// One thread per output, each summing from scratch: N(N - 1)/2 additions, no shared memory, no
// barrier. Launch: enough threads for N outputs. X and Y are device arrays of N elements and do not
// overlap.
#include <cuda_runtime.h>

template <typename T>
__device__ T naive_sum_up_to(const T* X, unsigned last) {
  T sum = X[0];
  for (unsigned k = 1; k <= last; ++k) sum = sum + X[k];
  return sum;
}

template <typename T>
__global__ void naive_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = naive_sum_up_to(X, i);
}

template <typename T>
__global__ void naive_exclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = i == 0 ? T{} : naive_sum_up_to(X, i - 1);
}
