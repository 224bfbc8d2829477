// expect: pass
// report: traffic.uncoalesced
// forbid: race.shared,work.wrong,barrier.divergent,divergence.high,barriers.too_many
// why: each thread loads and stores two neighbours: fewer barriers, but the global accesses are two apart
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  const unsigned even = begin + 2 * tx;
  XY[2 * tx] = even < N ? X[even] : T{};
  XY[2 * tx + 1] = even + 1 < N ? X[even + 1] : T{};
  // The first level needs no barrier: a thread adds the pair that it has loaded itself.
  XY[2 * tx + 1] = XY[2 * tx] + XY[2 * tx + 1];
  for (unsigned stride = 2; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    unsigned index = (tx + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  __syncthreads();
  if (even < N) Y[even] = XY[2 * tx];
  if (even + 1 < N) Y[even + 1] = XY[2 * tx + 1];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  const unsigned even = begin + 2 * tx;
  XY[2 * tx] = tx > 0 && even < N ? X[even - 1] : T{};
  XY[2 * tx + 1] = even + 1 < N ? X[even] : T{};
  // The first level needs no barrier: a thread adds the pair that it has loaded itself.
  XY[2 * tx + 1] = XY[2 * tx] + XY[2 * tx + 1];
  for (unsigned stride = 2; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    unsigned index = (tx + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  __syncthreads();
  if (even < N) Y[even] = XY[2 * tx];
  if (even + 1 < N) Y[even + 1] = XY[2 * tx + 1];
}
