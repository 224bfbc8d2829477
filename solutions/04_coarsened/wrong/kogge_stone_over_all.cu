// expect: fail work.wrong
// allow: steps.too_many,work.wrong
// forbid: race.shared,barrier.divergent,memory.out_of_bounds,value.wrong
// why: Kogge-Stone over the whole section, COARSE_FACTOR elements a thread: right, but no work is saved
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[THREADS * COARSE_FACTOR];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;
  const unsigned last = own + COARSE_FACTOR - 1;

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  __syncthreads();

  T sum[COARSE_FACTOR];

  for (unsigned stride = 1; stride < THREADS * COARSE_FACTOR; stride *= 2) {
    for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
      unsigned k = c * THREADS + tx;
      sum[c] = XY[k];
      if (k >= stride) sum[c] = XY[k - stride] + sum[c];
    }
    __syncthreads();
    for (unsigned c = 0; c < COARSE_FACTOR; ++c) XY[c * THREADS + tx] = sum[c];
    __syncthreads();
  }

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
