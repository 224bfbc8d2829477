// Saga Lindqvist
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// One step: `mine` plus the partner's element, or just `mine` where there is no partner.
template <typename T>
__device__ T step(const cg::thread_block& block, T* board, T mine, unsigned distance) {
  const unsigned rank = block.thread_rank();
  board[rank] = mine;
  block.sync();  // everybody's element is on the board
  if (rank >= distance) mine = board[rank - distance] + mine;
  block.sync();  // everybody has read; the board may be written again
  return mine;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* __restrict__ X, T* __restrict__ Y, const unsigned N) {
  __shared__ T board[SECTION_SIZE];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = blockIdx.x * SECTION_SIZE + block.thread_rank();

  T mine = i < N ? X[i] : T{};
#pragma unroll
  for (unsigned distance = 1; distance < SECTION_SIZE; distance *= 2) mine = step(block, board, mine, distance);
  if (i < N) Y[i] = mine;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* __restrict__ X, T* __restrict__ Y, const unsigned N) {
  __shared__ T board[SECTION_SIZE];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = blockIdx.x * SECTION_SIZE + block.thread_rank();

  T mine = i < N && block.thread_rank() > 0 ? X[i - 1] : T{};
#pragma unroll
  for (unsigned distance = 1; distance < SECTION_SIZE; distance *= 2) mine = step(block, board, mine, distance);
  if (i < N) Y[i] = mine;
}
