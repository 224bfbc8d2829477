// expect: fail race.shared
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong
// forbid: barrier.divergent,memory.out_of_bounds
// why: a fence orders the accesses of one thread; it makes nobody wait
// line: 20
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
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __threadfence_block();
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __threadfence_block();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
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
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __threadfence_block();
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __threadfence_block();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
