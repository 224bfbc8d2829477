// expect: fail value.input_modified
// allow: memory.illegal,run.crash,value.wrong,value.unwritten,work.wrong
// forbid: race.global,race.shared
// why: casts the const away and scans in X before copying to Y
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  T* data = const_cast<T*>(X);
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    T temp = T{};
    if (i < N && threadIdx.x >= stride) temp = data[i - stride] + data[i];
    __syncthreads();
    if (i < N && threadIdx.x >= stride) data[i] = temp;
    __syncthreads();
  }
  if (i < N) Y[i] = data[i];
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
