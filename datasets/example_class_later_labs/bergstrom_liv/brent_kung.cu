// Liv Bergström
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  const unsigned a = begin + tx;
  const unsigned b = a + SECTION_SIZE / 2;
  XY[tx] = a < N ? X[a] : T{};
  XY[tx + SECTION_SIZE / 2] = b < N ? X[b] : T{};
  unsigned stride = 1;
  for (unsigned groups = SECTION_SIZE / 2; groups > 0; groups /= 2) {
    __syncthreads();
    if (tx < groups) {
      const unsigned left = stride * (2 * tx + 1) - 1;
      const unsigned right = stride * (2 * tx + 2) - 1;
      XY[right] = XY[left] + XY[right];
    }
    stride *= 2;
  }
  for (unsigned groups = 2; groups < SECTION_SIZE; groups *= 2) {
    stride = SECTION_SIZE / groups / 2;
    __syncthreads();
    if (tx + 1 < groups) {
      const unsigned left = (tx + 1) * 2 * stride - 1;
      XY[left + stride] = XY[left] + XY[left + stride];
    }
  }
  __syncthreads();
  if (a < N) Y[a] = XY[tx];
  if (b < N) Y[b] = XY[tx + SECTION_SIZE / 2];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  const unsigned a = begin + tx;
  const unsigned b = a + SECTION_SIZE / 2;
  XY[tx] = a < N && tx != 0 ? X[a - 1] : T{};
  XY[tx + SECTION_SIZE / 2] = b < N ? X[b - 1] : T{};
  unsigned stride = 1;
  for (unsigned groups = SECTION_SIZE / 2; groups > 0; groups /= 2) {
    __syncthreads();
    if (tx < groups) {
      const unsigned left = stride * (2 * tx + 1) - 1;
      const unsigned right = stride * (2 * tx + 2) - 1;
      XY[right] = XY[left] + XY[right];
    }
    stride *= 2;
  }
  for (unsigned groups = 2; groups < SECTION_SIZE; groups *= 2) {
    stride = SECTION_SIZE / groups / 2;
    __syncthreads();
    if (tx + 1 < groups) {
      const unsigned left = (tx + 1) * 2 * stride - 1;
      XY[left + stride] = XY[left] + XY[left + stride];
    }
  }
  __syncthreads();
  if (a < N) Y[a] = XY[tx];
  if (b < N) Y[b] = XY[tx + SECTION_SIZE / 2];
}
