// expect: fail work.wrong,steps.too_many
// allow: work.wrong,steps.too_many
// forbid: value.wrong,race.shared,barrier.divergent
// why: scans each warp in log2 steps, but then adds the warps' sums one after the other
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
  for (unsigned stride = 1; stride < 32; stride *= 2) {
    __syncthreads();
    T temp = T{};
    if (threadIdx.x % 32 >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 32 >= stride) XY[threadIdx.x] = temp;
  }
  for (unsigned warp = 1; warp < SECTION_SIZE / 32; ++warp) {
    __syncthreads();
    if (threadIdx.x / 32 == warp) XY[threadIdx.x] = XY[warp * 32 - 1] + XY[threadIdx.x];
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
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
