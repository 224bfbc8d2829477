// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: two steps in each turn of the loop, and one more where their number is odd
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  T sum = XY[tx];
  unsigned stride = 1;
  for (; stride * 2 < SECTION_SIZE; stride *= 4) {
    __syncthreads();
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
    __syncthreads();
    if (tx >= 2 * stride) sum = XY[tx - 2 * stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  if (stride < SECTION_SIZE) {
    __syncthreads();
    if (tx >= stride) sum = XY[tx - stride] + sum;
  }
  if (i < N) Y[i] = sum;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N && tx > 0 ? X[i - 1] : T{};
  T sum = XY[tx];
  unsigned stride = 1;
  for (; stride * 2 < SECTION_SIZE; stride *= 4) {
    __syncthreads();
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
    __syncthreads();
    if (tx >= 2 * stride) sum = XY[tx - 2 * stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  if (stride < SECTION_SIZE) {
    __syncthreads();
    if (tx >= stride) sum = XY[tx - stride] + sum;
  }
  if (i < N) Y[i] = sum;
}
