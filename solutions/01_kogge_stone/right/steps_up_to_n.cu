// expect: pass
// report: barriers.too_many
// forbid: race.shared,work.wrong,value.wrong
// why: the loop runs to N, not to the section: right, but with idle steps, a warning
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < N; stride *= 2) {
    __syncthreads();
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  XY[threadIdx.x] = i < N && threadIdx.x > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < N; stride *= 2) {
    __syncthreads();
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
