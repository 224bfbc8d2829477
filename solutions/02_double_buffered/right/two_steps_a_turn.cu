// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent
// why: a loop that goes there and back, two steps in each turn; an odd step at the end
#include <cuda_runtime.h>

template <typename T>
__device__ void step(const T* from, T* to, unsigned tx, unsigned stride) {
  to[tx] = tx < stride ? from[tx] : from[tx - stride] + from[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T ping[SECTION_SIZE];
  __shared__ T pong[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  ping[tx] = i < N ? X[i] : T{};
  __syncthreads();
  unsigned stride = 1;
  for (; 2 * stride < SECTION_SIZE; stride *= 4) {
    step(ping, pong, tx, stride);
    __syncthreads();
    step(pong, ping, tx, 2 * stride);
    __syncthreads();
  }
  T* result = ping;
  if (stride < SECTION_SIZE) {
    step(ping, pong, tx, stride);
    result = pong;
  }
  if (i < N) Y[i] = result[tx];
}
