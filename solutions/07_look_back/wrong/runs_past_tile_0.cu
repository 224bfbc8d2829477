// expect: fail memory.out_of_bounds
// allow: run.crash,value.wrong,value.unwritten,race.global,fence.missing,run.timeout,deadlock,memory.uninitialized
// forbid: race.shared
// why: tile 0 publishes only its own sum, so nothing ends the walk at the left end
// line: 49
#include <cuda_runtime.h>

#define THREADS 128

template <typename T>
struct Published {
  volatile int state;  // 0: nothing, 1: the tile's own sum, 2: everything up to the tile
  T own;
  T total;
};

template <typename T>
__global__ void scan_tiles(const T* X, T* Y, unsigned N, Published<T>* tiles, unsigned* ticket) {
  __shared__ T data[THREADS];
  __shared__ T left;
  __shared__ unsigned drawn;
  const unsigned t = threadIdx.x;
  if (t == 0) drawn = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned me = drawn;
  const unsigned i = me * THREADS + t;

  T mine = i < N ? X[i] : T{};
  data[t] = mine;
  __syncthreads();
  for (unsigned hop = 1; hop < THREADS; hop *= 2) {
    if (t >= hop) mine = data[t - hop] + mine;
    __syncthreads();
    data[t] = mine;
    __syncthreads();
  }

  if (t == 0) {
    const T own = data[THREADS - 1];
    T sum{};
    if (me > 0) {
      tiles[me].own = own;
      __threadfence();
      tiles[me].state = 1;
      unsigned other = me;
      int state;
      do {
        --other;
        while ((state = tiles[other].state) == 0) {
        }
        __threadfence();
        sum = (state == 2 ? tiles[other].total : tiles[other].own) + sum;
      } while (state != 2);
    }
    tiles[me].own = own;
    tiles[me].total = sum + own;
    __threadfence();
    tiles[me].state = me > 0 ? 2 : 1;
    left = sum;
  }
  __syncthreads();
  if (i < N) Y[i] = left + mine;
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned count = (N - 1) / THREADS + 1;
  Published<T>* tiles;
  unsigned* ticket;
  cudaMalloc((void**)&tiles, count * sizeof(Published<T>));
  cudaMalloc((void**)&ticket, sizeof(unsigned));
  cudaMemset(tiles, 0, count * sizeof(Published<T>));
  cudaMemset(ticket, 0, sizeof(unsigned));
  scan_tiles<T><<<count, THREADS>>>(X, Y, N, tiles, ticket);
  cudaDeviceSynchronize();
  cudaFree(tiles);
  cudaFree(ticket);
}
