// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent
// why: cooperative groups' block sync; whole blocks never return early, threads beyond the end do nothing but wait
#include <cooperative_groups.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  namespace cg = cooperative_groups;
  auto block = cg::this_thread_block();
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  T* in = a;
  T* out = b;
  unsigned tx = block.thread_rank();
  unsigned i = blockIdx.x * SECTION_SIZE + tx;
  bool mine = i < N;
  if (mine) in[tx] = X[i];
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    block.sync();
    if (mine) out[tx] = tx >= stride ? in[tx - stride] + in[tx] : in[tx];
    T* swap = in;
    in = out;
    out = swap;
  }
  if (mine) Y[i] = in[tx];
}
