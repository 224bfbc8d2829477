// expect: fail work.wrong,steps.too_many
// allow: work.wrong,steps.too_many
// forbid: race.shared,barrier.divergent,memory.out_of_bounds,value.wrong
// why: thread 0 scans the whole section
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

  if (tx == 0) {
    for (unsigned k = 1; k < THREADS * COARSE_FACTOR; ++k) XY[k] = XY[k - 1] + XY[k];
  }
  __syncthreads();

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
