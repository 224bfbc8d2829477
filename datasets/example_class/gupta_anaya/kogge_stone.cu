// Anaya Gupta, lab 1
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE, bool kExclusive>
__device__ void scan_section(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i >= N) return;  // nothing to do for the threads behind the end

  if (!kExclusive) {
    XY[tx] = X[i];
  } else {
    XY[tx] = tx == 0 ? T{} : X[i - 1];
  }

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = XY[tx];
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  Y[i] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  scan_section<T, SECTION_SIZE, false>(X, Y, N);
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  scan_section<T, SECTION_SIZE, true>(X, Y, N);
}
