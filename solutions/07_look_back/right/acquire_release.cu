// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: cuda::atomic_ref; thread 0 leads; four elements for each thread
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr unsigned kThreads = 64, kEach = 4, kTile = kThreads * kEach;

using Device = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

template <typename T>
struct Tile {
  T own;
  T all;
  unsigned state;  // 0 nothing, 1 own, 2 all
};

template <typename T>
__device__ T sum_before(unsigned p, Tile<T>* tiles) {
  T sum{};
  while (p-- > 0) {
    unsigned state;
    while ((state = Device(tiles[p].state).load(cuda::memory_order_acquire)) == 0) {
    }
    sum = (state == 2 ? tiles[p].all : tiles[p].own) + sum;
    if (state == 2) break;
  }
  return sum;
}

template <typename T>
__global__ void scan_tiles(const T* X, T* Y, unsigned N, Tile<T>* tiles, unsigned* drawn) {
  __shared__ T data[kTile];
  __shared__ T ends[kThreads];
  __shared__ T carry;
  __shared__ unsigned number;
  const unsigned t = threadIdx.x;
  if (t == 0) number = atomicAdd(drawn, 1u);
  __syncthreads();
  const unsigned p = number, first = p * kTile;
  for (unsigned k = t; k < kTile; k += kThreads) data[k] = k < N - first ? X[first + k] : T{};
  __syncthreads();

  T* mine = data + t * kEach;
  for (unsigned k = 1; k < kEach; ++k) mine[k] = mine[k - 1] + mine[k];
  ends[t] = mine[kEach - 1];
  for (unsigned stride = 1; stride < kThreads; stride *= 2) {
    __syncthreads();
    T sum = ends[t];
    if (t >= stride) sum = ends[t - stride] + sum;
    __syncthreads();
    ends[t] = sum;
  }
  __syncthreads();

  if (t == 0) {
    const T own = ends[kThreads - 1];
    Device state(tiles[p].state);
    tiles[p].own = own;
    state.store(1u, cuda::memory_order_release);
    const T before = sum_before(p, tiles);
    tiles[p].all = before + own;
    state.store(2u, cuda::memory_order_release);
    carry = before;
  }
  __syncthreads();
  const T left = t > 0 ? carry + ends[t - 1] : carry;
  for (unsigned k = 0; k < kEach; ++k) mine[k] = left + mine[k];
  __syncthreads();
  for (unsigned k = t; k < kTile && k < N - first; k += kThreads) Y[first + k] = data[k];
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned count = N / kTile + (N % kTile != 0);
  if (count == 0) return;
  Tile<T>* tiles;
  unsigned* drawn;
  cudaMalloc(&tiles, count * sizeof(Tile<T>));
  cudaMalloc(&drawn, sizeof(unsigned));
  cudaMemset(tiles, 0, count * sizeof(Tile<T>));
  cudaMemset(drawn, 0, sizeof(unsigned));
  scan_tiles<T><<<count, kThreads>>>(X, Y, N, tiles, drawn);
  cudaDeviceSynchronize();
  cudaFree(tiles);
  cudaFree(drawn);
}
