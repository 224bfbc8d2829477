#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T s[SECTION_SIZE];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  if (i < N) s[t] = X[i];
  else s[t] = T{};
  __syncthreads();

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    if (t >= stride) {
      T tmp = s[t - stride] + s[t];
      __syncthreads();      // wait until everybody has read
      s[t] = tmp;
    }
    __syncthreads();
  }
  if (i < N) Y[i] = s[t];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T s[SECTION_SIZE];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  if (i < N && t > 0) s[t] = X[i - 1];
  else s[t] = T{};
  __syncthreads();

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    if (t >= stride) {
      T tmp = s[t - stride] + s[t];
      __syncthreads();      // wait until everybody has read
      s[t] = tmp;
    }
    __syncthreads();
  }
  if (i < N) Y[i] = s[t];
}
