// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: __syncthreads_count() as the barrier: it tells how many threads still have a partner
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  unsigned stride = 1;
  while (__syncthreads_count(tx >= stride) > 0) {
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
    stride *= 2;
  }
  if (i < N) Y[i] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N && tx > 0 ? X[i - 1] : T{};
  unsigned stride = 1;
  while (__syncthreads_count(tx >= stride) > 0) {
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
    stride *= 2;
  }
  if (i < N) Y[i] = XY[tx];
}
