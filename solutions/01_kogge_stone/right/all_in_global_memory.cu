// expect: pass
// forbid: race.shared,race.global,work.wrong,barrier.divergent
// why: no shared memory at all: the steps work in Y, two barriers each
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i < N) Y[i] = X[i];
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    const bool adds = tx >= stride && i < N;
    T sum = T{};
    __syncthreads();
    if (adds) sum = Y[i - stride] + Y[i];
    __syncthreads();
    if (adds) Y[i] = sum;
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i < N) Y[i] = tx > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    const bool adds = tx >= stride && i < N;
    T sum = T{};
    __syncthreads();
    if (adds) sum = Y[i - stride] + Y[i];
    __syncthreads();
    if (adds) Y[i] = sum;
  }
}
