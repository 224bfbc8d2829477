// expect: fail divergence.high
// forbid: race.shared,barrier.divergent,memory.out_of_bounds,value.wrong,work.wrong
// why: the 2^n-index form in both kernels, with a pair of elements for each thread
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : T{};
  XY[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    unsigned right = 2 * threadIdx.x + 1;
    if ((right + 1) % (2 * stride) == 0) XY[right] = XY[right - stride] + XY[right];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned right = 2 * threadIdx.x + 1;
    if (stride == 1) right = 2 * threadIdx.x;
    if (right > stride && (right + 1) % (2 * stride) == stride)
      XY[right] = XY[right - stride] + XY[right];
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
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    unsigned right = 2 * threadIdx.x + 1;
    if ((right + 1) % (2 * stride) == 0) XY[right] = XY[right - stride] + XY[right];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned right = 2 * threadIdx.x + 1;
    if (stride == 1) right = 2 * threadIdx.x;
    if (right > stride && (right + 1) % (2 * stride) == stride)
      XY[right] = XY[right - stride] + XY[right];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}
