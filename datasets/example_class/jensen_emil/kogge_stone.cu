#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  // Load
  XY[tx] = i < N ? X[i] : T{};

  // Scan
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }

  // Store
  if (i < N) Y[i] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  // Load
  XY[tx] = (tx > 0 && i < N) ? X[i - 1] : T{};

  // Scan
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }

  // Store
  if (i < N) Y[i] = XY[tx];
}
