// A submission: ./scanlab check kogge_stone FILE
#include <cstdio>
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__device__ void steps(T* XY) {
  const unsigned i = threadIdx.x;
  // [region shown]
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = T{};
    if (i >= stride) sum = XY[i - stride] + XY[i];
    __syncthreads();
    if (i >= stride) XY[i] = sum;
    for (unsigned k = 0; k < 1000; ++k) printf("thread %u, stride %u, round %u\n", i, stride, k);
  }
  // [/region]
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned at = blockIdx.x * SECTION_SIZE + threadIdx.x;
  XY[threadIdx.x] = at < N ? X[at] : T{};
  steps<T, SECTION_SIZE>(XY);
  if (at < N) Y[at] = XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned at = blockIdx.x * SECTION_SIZE + threadIdx.x;
  XY[threadIdx.x] = threadIdx.x > 0 && at < N ? X[at - 1] : T{};
  steps<T, SECTION_SIZE>(XY);
  if (at < N) Y[at] = XY[threadIdx.x];
}
