// expect: pass
// report: barrier.divergent
// forbid: race.shared,work.wrong
// why: threads beyond the end return before the barriers: defined since Volta, a warning
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i >= N) return;
  __shared__ T XY[SECTION_SIZE];
  XY[tx] = X[i];
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
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i >= N) return;
  __shared__ T XY[SECTION_SIZE];
  XY[tx] = tx > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = XY[tx];
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  Y[i] = XY[tx];
}
