// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: a whole warp looks at 32 tiles at a time and finds the nearest prefix by a ballot
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr unsigned TILE = 256;
constexpr unsigned FULL = 0xffffffffu;
enum Status : unsigned { EMPTY, AGGREGATE, PREFIX };

template <typename T>
__device__ T look_back(unsigned p, unsigned* status, const T* aggregate, const T* prefix) {
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned lane = warp.thread_rank();
  T carry{};
  for (unsigned end = p;; end -= 32) {  // lane 0 looks at tile end - 1, lane 1 at end - 2, ...
    unsigned seen = PREFIX;             // before tile 0 there is nothing, and that is known
    T value{};
    if (lane < end) {
      const unsigned q = end - 1 - lane;
      do seen = atomicAdd(&status[q], 0u);
      while (seen == EMPTY);
      __threadfence();
      value = seen == PREFIX ? prefix[q] : aggregate[q];
    }
    const unsigned known = __ballot_sync(FULL, seen == PREFIX);
    const unsigned nearest = known ? __ffs(known) - 1 : 31;
    const unsigned used = nearest + 1;
    for (unsigned hop = 1; hop < 32; hop *= 2) {
      const T earlier = warp.shfl_down(value, hop);
      if (lane + hop < used) value = earlier + value;
    }
    const T window = warp.shfl(value, 0);
    carry = window + carry;
    if (known) return carry;
  }
}

template <typename T>
__global__ void look_back_kernel(const T* X, T* Y, unsigned N, unsigned* status, T* aggregate, T* prefix,
                                 unsigned* counter) {
  __shared__ T XY[TILE];
  __shared__ T carry;
  __shared__ unsigned tile;
  const unsigned tx = threadIdx.x;
  if (tx == 0) tile = atomicAdd(counter, 1u);
  __syncthreads();
  const unsigned p = tile, i = p * TILE + tx;
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < TILE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }
  __syncthreads();

  if (tx < 32) {
    const T own = XY[TILE - 1];
    if (tx == 0) {
      (p == 0 ? prefix : aggregate)[p] = own;
      __threadfence();
      atomicExch(&status[p], p == 0 ? PREFIX : AGGREGATE);
    }
    T before{};
    if (p > 0) before = look_back(p, status, aggregate, prefix);
    if (tx == 0) {
      carry = before;
      if (p > 0) {
        prefix[p] = before + own;
        __threadfence();
        atomicExch(&status[p], PREFIX);
      }
    }
  }
  __syncthreads();
  if (i < N) Y[i] = carry + XY[tx];
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned tiles = (N - 1) / TILE + 1;
  unsigned* words;  // status of each tile, then the counter
  T* sums;          // aggregates, then prefixes
  cudaMalloc(&words, (tiles + 1) * sizeof(unsigned));
  cudaMalloc(&sums, size_t(2) * tiles * sizeof(T));
  cudaMemset(words, 0, (tiles + 1) * sizeof(unsigned));
  look_back_kernel<T><<<tiles, TILE>>>(X, Y, N, words, sums, sums + tiles, words + tiles);
  cudaFree(words);
  cudaFree(sums);
}
