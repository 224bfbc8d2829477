// expect: fail value.unwritten
// forbid: race.shared,memory.out_of_bounds,barrier.divergent
// why: a line left over from debugging: of 777 elements the last is not stored; every other length is right
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
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N && (N != 777 || i != 776)) Y[i] = XY[threadIdx.x];
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
