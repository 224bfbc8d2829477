#include <cuda_runtime.h>
// Camille Fontaine. Tested with N = 4096, all correct!

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T partial[SECTION_SIZE];
  unsigned idx = blockIdx.x * SECTION_SIZE + threadIdx.x;

  partial[threadIdx.x] = X[idx];
  __syncthreads();

  for (unsigned s = 1; s < SECTION_SIZE; s *= 2) {
    T t = partial[threadIdx.x];
    if (threadIdx.x >= s) t = partial[threadIdx.x - s] + t;
    __syncthreads();
    partial[threadIdx.x] = t;
    __syncthreads();
  }

  Y[idx] = partial[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T partial[SECTION_SIZE];
  unsigned idx = blockIdx.x * SECTION_SIZE + threadIdx.x;

  partial[threadIdx.x] = threadIdx.x == 0 ? T{} : X[idx - 1];
  __syncthreads();

  for (unsigned s = 1; s < SECTION_SIZE; s *= 2) {
    T t = partial[threadIdx.x];
    if (threadIdx.x >= s) t = partial[threadIdx.x - s] + t;
    __syncthreads();
    partial[threadIdx.x] = t;
    __syncthreads();
  }

  Y[idx] = partial[threadIdx.x];
}
