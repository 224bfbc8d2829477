// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent,divergence.high,barriers.too_many
// why: block.sync() for the barriers, strided loops for load and store
#include <cooperative_groups.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  for (unsigned k = block.thread_rank(); k < SECTION_SIZE; k += block.size()) {
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    block.sync();
    unsigned index = (block.thread_rank() + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    cg::sync(block);
    unsigned index = (block.thread_rank() + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  block.sync();
  for (unsigned k = block.thread_rank(); k < SECTION_SIZE; k += block.size()) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  for (unsigned k = block.thread_rank(); k < SECTION_SIZE; k += block.size()) {
    XY[k] = k > 0 && begin + k < N ? X[begin + k - 1] : T{};
  }
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    block.sync();
    unsigned index = (block.thread_rank() + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    cg::sync(block);
    unsigned index = (block.thread_rank() + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  block.sync();
  for (unsigned k = block.thread_rank(); k < SECTION_SIZE; k += block.size()) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
