// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: block.sync() and cg::sync() of cooperative groups as barriers; cuda_runtime.h not included
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  const unsigned i = blockIdx.x * block.size() + rank;
  XY[rank] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < block.size(); stride *= 2) {
    block.sync();
    T sum = XY[rank];
    if (rank >= stride) sum = XY[rank - stride] + sum;
    cg::sync(block);
    XY[rank] = sum;
  }
  if (i < N) Y[i] = XY[rank];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  const unsigned i = blockIdx.x * block.size() + rank;
  XY[rank] = i < N && rank > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < block.size(); stride *= 2) {
    block.sync();
    T sum = XY[rank];
    if (rank >= stride) sum = XY[rank - stride] + sum;
    cg::sync(block);
    XY[rank] = sum;
  }
  if (i < N) Y[i] = XY[rank];
}
