// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent,traffic.uncoalesced
// why: cooperative groups' barriers and rank; loads by a strided loop
#include <cooperative_groups.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  namespace cg = cooperative_groups;
  __shared__ T XY[THREADS * COARSE_FACTOR];
  cg::thread_block block = cg::this_thread_block();
  const unsigned tx = block.thread_rank();
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = tx * COARSE_FACTOR;
  const unsigned last = own + COARSE_FACTOR - 1;

  for (unsigned k = tx; k < THREADS * COARSE_FACTOR; k += block.size()) {
    if (begin + k < N) XY[k] = X[begin + k];
  }
  block.sync();

  // phase 1
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) XY[own + c] = XY[own + c - 1] + XY[own + c];

  // phase 2
  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    block.sync();
    T sum = XY[last];
    if (tx >= stride) sum = XY[last - stride * COARSE_FACTOR] + sum;
    block.sync();
    XY[last] = sum;
  }
  block.sync();

  // phase 3
  if (tx > 0) {
    T carry = XY[own - 1];
    for (unsigned c = 0; c < COARSE_FACTOR - 1; ++c) XY[own + c] = carry + XY[own + c];
  }
  block.sync();

  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    unsigned k = c * THREADS + tx;
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
