// expect: pass
// forbid: race.shared,race.global,memory.leak
// why: warps scan with the shuffles of cooperative groups, which take any type
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <typename T>
__device__ T warp_scan(cg::thread_block_tile<32> warp, T value, unsigned lanes) {
  const unsigned lane = warp.thread_rank();
  for (unsigned hop = 1; hop < lanes; hop *= 2) {
    const T before = warp.shfl_up(value, hop);
    if (lane >= hop && lane < lanes) value = before + value;
  }
  return value;
}

template <typename T, unsigned SECTION_SIZE>
__device__ T block_scan(T value) {
  constexpr unsigned kWarps = SECTION_SIZE / 32;
  __shared__ T sums[kWarps];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const unsigned w = threadIdx.x / 32, lane = threadIdx.x % 32;

  value = warp_scan(warp, value, 32u);
  if (lane == 31) sums[w] = value;
  block.sync();
  if (w == 0) {
    const T sum = warp_scan(warp, lane < kWarps ? sums[lane] : T{}, kWarps);
    if (lane < kWarps) sums[lane] = sum;
  }
  block.sync();
  return w > 0 ? sums[w - 1] + value : value;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  const T sum = block_scan<T, SECTION_SIZE>(i < N ? X[i] : T{});
  if (i < N) Y[i] = sum;
  if (threadIdx.x + 1 == SECTION_SIZE) S[blockIdx.x] = sum;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  const unsigned i = threadIdx.x;
  const T sum = block_scan<T, SECTION_SIZE>(i < M ? S[i] : T{});
  if (i < M) S[i] = sum;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  if (i >= N || blockIdx.x == 0) return;
  Y[i] = S[blockIdx.x - 1] + Y[i];
}

template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE ? 1 : 0);
  if (M == 0) return;
  T* S;
  cudaMalloc(&S, sizeof(T) * M);
  scan_sections<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, S, N);
  if (M > SECTION_SIZE) {
    hierarchical_inclusive_scan<T, SECTION_SIZE>(S, S, M);
  } else if (M > 1) {
    scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE>>>(S, M);
  }
  if (M > 1) add_block_sums<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(Y, S, N);
  cudaDeviceSynchronize();
  cudaFree(S);
}
