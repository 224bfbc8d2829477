// expect: fail traffic.uncoalesced
// forbid: race.shared,barrier.divergent,memory.out_of_bounds,value.wrong,work.wrong
// why: phase 1 runs in registers, straight from X, and the result goes straight to Y
// line: 16
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T ends[THREADS];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;

  T mine[COARSE_FACTOR];
  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    mine[c] = begin + own + c < N ? X[begin + own + c] : T{};
  }

  for (unsigned c = 1; c < COARSE_FACTOR; ++c) mine[c] = mine[c - 1] + mine[c];
  ends[tx] = mine[COARSE_FACTOR - 1];

  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();
    T sum = ends[tx];
    if (tx >= stride) sum = ends[tx - stride] + sum;
    __syncthreads();
    ends[tx] = sum;
  }
  __syncthreads();

  if (tx > 0) {
    for (unsigned c = 0; c < COARSE_FACTOR - 1; ++c) mine[c] = ends[tx - 1] + mine[c];
  }
  mine[COARSE_FACTOR - 1] = ends[tx];

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    if (begin + own + c < N) Y[begin + own + c] = mine[c];
  }
}
