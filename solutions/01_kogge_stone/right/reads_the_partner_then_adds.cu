// expect: pass
// report: value.order
// forbid: race.shared,work.wrong,barrier.divergent
// why: keeps the partner's value, waits, and adds with +=: XY[threadIdx.x] += temp
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = (i < N) ? X[i] : T{};
  for (unsigned int stride = 1; stride <= SECTION_SIZE / 2; stride = stride << 1) {
    __syncthreads();
    T temp{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] += temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = (i < N && threadIdx.x) ? X[i - 1] : T{};
  for (unsigned int stride = 1; stride <= SECTION_SIZE / 2; stride = stride << 1) {
    __syncthreads();
    T temp{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] += temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
