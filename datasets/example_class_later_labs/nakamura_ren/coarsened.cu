// Ren Nakamura
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[THREADS * COARSE_FACTOR];
  __shared__ T ends[2][THREADS];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  __syncthreads();

  T total = XY[own];
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) total = total + XY[own + c];

  int side = 0;
  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    ends[side][tx] = total;
    __syncthreads();
    if (tx >= stride) total = ends[side][tx - stride] + total;
    side = 1 - side;
  }
  ends[side][tx] = total;
  __syncthreads();

  if (tx > 0) XY[own] = ends[side][tx - 1] + XY[own];
  for (unsigned c = 1; c < COARSE_FACTOR - 1; ++c) XY[own + c] = XY[own + c - 1] + XY[own + c];
  XY[own + COARSE_FACTOR - 1] = total;
  __syncthreads();

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
