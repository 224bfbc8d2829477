// expect: fail run.crash
// allow: value.unwritten,value.wrong,memory.illegal,memory.out_of_bounds,work.wrong,steps.too_many,run.timeout
// why: a recursive sum whose end is tested for the wrong index
#include <cuda_runtime.h>

template <typename T>
__device__ T sum_to(const T* XY, int k) {
  if (k == -1) return XY[0];
  return sum_to(XY, k > 0 ? k - 1 : 0) + XY[k];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    XY[threadIdx.x] = X[i];
  } else {
    XY[threadIdx.x] = T{};
  }
  __syncthreads();
  T sum = sum_to(XY, threadIdx.x);
  if (i < N) Y[i] = sum;
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
