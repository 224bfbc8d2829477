#include <cuda_runtime.h>

/* Inclusive: works.
   Exclusive: same thing but every thread loads the element before its own. */

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N)
{
  __shared__ T buf[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  buf[threadIdx.x] = (i < N) ? X[i] : T{};
  __syncthreads();

  unsigned stride = 1;
  while (stride < SECTION_SIZE) {
    T value = buf[threadIdx.x];
    if (threadIdx.x >= stride) value = buf[threadIdx.x - stride] + value;
    __syncthreads();
    buf[threadIdx.x] = value;
    __syncthreads();
    stride = stride * 2;
  }
  if (i < N) Y[i] = buf[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N)
{
  __shared__ T buf[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= N)
    buf[threadIdx.x] = T{};
  else
    buf[threadIdx.x] = X[i - 1];
  __syncthreads();

  unsigned stride = 1;
  while (stride < SECTION_SIZE) {
    T value = buf[threadIdx.x];
    if (threadIdx.x >= stride) value = buf[threadIdx.x - stride] + value;
    __syncthreads();
    buf[threadIdx.x] = value;
    __syncthreads();
    stride = stride * 2;
  }
  if (i < N) Y[i] = buf[threadIdx.x];
}
