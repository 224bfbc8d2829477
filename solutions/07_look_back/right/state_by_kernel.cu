// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: a kernel sets the start state; volatile status; the counter is a device variable that the last block sets back
#include <cuda_runtime.h>

#define TILE 128

__device__ unsigned next_tile = 0;
__device__ unsigned tiles_done = 0;

__global__ void clear(volatile int* status, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) status[i] = -1;
}

template <typename T>
__global__ void single_pass(const T* in, T* out, unsigned n, volatile int* status, T* sums) {
  __shared__ T buf[2 * TILE];
  __shared__ T exclusive;
  __shared__ unsigned my_tile;
  const unsigned tid = threadIdx.x;
  if (tid == 0) my_tile = atomicAdd(&next_tile, 1u);
  __syncthreads();
  const unsigned tile = my_tile;
  const size_t i = size_t(tile) * TILE + tid;

  unsigned from = 0, to = TILE;
  buf[from + tid] = i < n ? in[i] : T{};
  for (unsigned d = 1; d < TILE; d *= 2) {
    __syncthreads();
    buf[to + tid] = tid < d ? buf[from + tid] : buf[from + tid - d] + buf[from + tid];
    const unsigned swap = from;
    from = to;
    to = swap;
  }

  // sums: for each tile its own sum, then the sum of all up to it
  if (tid == TILE - 1) {
    const T own = buf[from + tid];
    exclusive = T{};
    if (tile != 0) {
      sums[2 * size_t(tile)] = own;
      __threadfence();
      status[tile] = 0;
      unsigned look = tile;
      int seen;
      do {
        --look;
        do {
          seen = status[look];
        } while (seen < 0);
        __threadfence();
        exclusive = sums[2 * size_t(look) + seen] + exclusive;
      } while (seen == 0);
    }
    sums[2 * size_t(tile) + 1] = exclusive + own;
    __threadfence();
    status[tile] = 1;
  }
  __syncthreads();
  if (i < n) out[i] = exclusive + buf[from + tid];

  if (tid == 0 && atomicAdd(&tiles_done, 1u) == gridDim.x - 1) {
    atomicExch(&next_tile, 0u);  // every block has drawn its number
    atomicExch(&tiles_done, 0u);
  }
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned tiles = (N - 1) / TILE + 1;
  int* status = nullptr;
  T* sums = nullptr;
  cudaMalloc((void**)&status, tiles * sizeof(int));
  cudaMalloc((void**)&sums, 2 * size_t(tiles) * sizeof(T));
  clear<<<4, 64>>>(status, tiles);
  single_pass<T><<<tiles, TILE>>>(X, Y, N, status, sums);
  cudaFree(status);
  cudaFree(sums);
}
