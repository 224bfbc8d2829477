// expect: fail race.shared
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong
// forbid: barrier.divergent,memory.out_of_bounds
// why: adds in place in one statement: read and write with no barrier between
// line: 19
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    XY[threadIdx.x] = X[i];
  } else {
    XY[threadIdx.x] = T{};
  }
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] += XY[threadIdx.x - stride];
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && threadIdx.x != 0) {
    XY[threadIdx.x] = X[i - 1];
  } else {
    XY[threadIdx.x] = T{};
  }
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] += XY[threadIdx.x - stride];
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
