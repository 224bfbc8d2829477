// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent,traffic.uncoalesced
// why: loads and stores through shared memory, phases 1 and 3 in registers
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[THREADS * COARSE_FACTOR];
  __shared__ T ends[THREADS];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  __syncthreads();

  T mine[COARSE_FACTOR];
  mine[0] = XY[own];
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) mine[c] = mine[c - 1] + XY[own + c];
  ends[tx] = mine[COARSE_FACTOR - 1];

  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();
    T sum = ends[tx];
    if (tx >= stride) sum = ends[tx - stride] + sum;
    __syncthreads();
    ends[tx] = sum;
  }
  __syncthreads();

  for (unsigned c = 0; c + 1 < COARSE_FACTOR; ++c) {
    XY[own + c] = tx == 0 ? mine[c] : ends[tx - 1] + mine[c];
  }
  XY[own + COARSE_FACTOR - 1] = ends[tx];
  __syncthreads();

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
