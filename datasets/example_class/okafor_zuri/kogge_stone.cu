#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T vals[SECTION_SIZE];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * SECTION_SIZE + t;
  vals[t] = i < N ? X[i] : T{};

  // strides 1, 2, 4, ...: shift left each time
  for (unsigned stride = 1; stride < SECTION_SIZE; stride << 1) {
    __syncthreads();
    T v = vals[t];
    if (t >= stride) v = vals[t - stride] + v;
    __syncthreads();
    vals[t] = v;
  }
  if (i < N) Y[i] = vals[t];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T vals[SECTION_SIZE];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * SECTION_SIZE + t;
  vals[t] = i < N && t > 0 ? X[i - 1] : T{};

  for (unsigned stride = 1; stride < SECTION_SIZE; stride << 1) {
    __syncthreads();
    T v = vals[t];
    if (t >= stride) v = vals[t - stride] + v;
    __syncthreads();
    vals[t] = v;
  }
  if (i < N) Y[i] = vals[t];
}
