// Saga Lindqvist
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : T{};
  XY[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x] : T{};
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    for (unsigned tx = threadIdx.x; tx < SECTION_SIZE; tx += blockDim.x) {
      if ((tx + 1) % (2 * stride) == 0) XY[tx] = XY[tx - stride] + XY[tx];
    }
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    for (unsigned tx = threadIdx.x; tx < SECTION_SIZE; tx += blockDim.x) {
      if ((tx + 1) % (2 * stride) == stride && tx > stride) XY[tx] = XY[tx - stride] + XY[tx];
    }
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = threadIdx.x > 0 && i < N ? X[i - 1] : T{};
  XY[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x - 1] : T{};
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}
