// expect: fail deadlock,run.timeout
// allow: value.unwritten,value.wrong,race.shared,fence.missing,work.wrong,steps.too_many
// why: each thread spins until its left neighbour says it is ready; thread 0 waits for itself
// line: 20
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ volatile int ready[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    XY[threadIdx.x] = X[i];
  } else {
    XY[threadIdx.x] = T{};
  }
  ready[threadIdx.x] = 0;
  __syncthreads();
  unsigned left = threadIdx.x > 0 ? threadIdx.x - 1 : 0;
  while (ready[left] == 0) {
  }
  if (threadIdx.x > 0) XY[threadIdx.x] = XY[left] + XY[threadIdx.x];
  __threadfence_block();
  ready[threadIdx.x] = 1;
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
