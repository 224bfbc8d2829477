// expect: pass
// report: value.order
// forbid: race.shared,work.wrong,barrier.divergent,divergence.high,barriers.too_many
// why: the textbook's own listing: nothing is loaded beyond the end, and += adds later + earlier
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) XY[threadIdx.x] = X[i];
  if (i + blockDim.x < N) XY[threadIdx.x + blockDim.x] = X[i + blockDim.x];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] += XY[index - stride];
  }
  for (int stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] += XY[index];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    XY[0] = T{};
  } else if (i < N) {
    XY[threadIdx.x] = X[i - 1];
  }
  if (i + blockDim.x < N) XY[threadIdx.x + blockDim.x] = X[i + blockDim.x - 1];
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] += XY[index - stride];
  }
  for (int stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] += XY[index];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}
