// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: strides below 32 by shuffles, the others through shared memory; the same additions
#include <cuda_runtime.h>

// The shuffles take 32-bit words: an element travels in sizeof(T) / 4 of them.
template <typename T>
__device__ T from_lane_before(T value, unsigned distance) {
  T result = value;
  const unsigned* from = reinterpret_cast<const unsigned*>(&value);
  unsigned* to = reinterpret_cast<unsigned*>(&result);
  for (unsigned w = 0; w < sizeof(T) / sizeof(unsigned); ++w) {
    to[w] = __shfl_up_sync(0xffffffffu, from[w], distance);
  }
  return result;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T shared[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned lane = tx % 32;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  T own = i < N ? X[i] : T{};
  // The partner of the first lanes sits in the warp before: their elements come from shared memory.
  for (unsigned stride = 1; stride < 32; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    T partner = from_lane_before(own, stride);
    if (lane < stride && tx >= stride) partner = shared[tx - stride];
    if (tx >= stride) own = partner + own;
    __syncthreads();
  }
  for (unsigned stride = 32; stride < SECTION_SIZE; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    if (tx >= stride) own = shared[tx - stride] + own;
    __syncthreads();
  }
  if (i < N) Y[i] = own;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T shared[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned lane = tx % 32;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  T own = i < N && tx > 0 ? X[i - 1] : T{};
  // The partner of the first lanes sits in the warp before: their elements come from shared memory.
  for (unsigned stride = 1; stride < 32; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    T partner = from_lane_before(own, stride);
    if (lane < stride && tx >= stride) partner = shared[tx - stride];
    if (tx >= stride) own = partner + own;
    __syncthreads();
  }
  for (unsigned stride = 32; stride < SECTION_SIZE; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    if (tx >= stride) own = shared[tx - stride] + own;
    __syncthreads();
  }
  if (i < N) Y[i] = own;
}
