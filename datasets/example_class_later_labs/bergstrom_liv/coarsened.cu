// Liv Bergström
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[THREADS * COARSE_FACTOR];
  __shared__ T ends[THREADS];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;
  const unsigned last = own + COARSE_FACTOR - 1;

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  __syncthreads();

  // phase 1
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) XY[own + c] = XY[own + c - 1] + XY[own + c];

  // phase 2
  ends[tx] = XY[last];
  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();
    unsigned index = (tx + 1) * 2 * stride - 1;
    if (index < THREADS) ends[index] = ends[index - stride] + ends[index];
  }
  for (unsigned stride = THREADS / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (tx + 1) * 2 * stride - 1;
    if (index + stride < THREADS) ends[index + stride] = ends[index] + ends[index + stride];
  }
  __syncthreads();

  // phase 3
  if (tx > 0) {
    for (unsigned c = 0; c < COARSE_FACTOR - 1; ++c) XY[own + c] = ends[tx - 1] + XY[own + c];
  }
  XY[last] = ends[tx];
  __syncthreads();

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
