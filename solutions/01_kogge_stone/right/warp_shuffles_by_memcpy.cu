// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: the words of an element copied with memcpy; every partner from the warp's own lanes or from shared memory
#include <cuda_runtime.h>

template <typename T>
__device__ T shuffle_up(T value, unsigned distance) {
  constexpr unsigned kWords = sizeof(T) / 4;
  unsigned words[kWords];
  memcpy(words, &value, sizeof(T));
  for (unsigned w = 0; w < kWords; ++w) words[w] = __shfl_up_sync(~0u, words[w], distance);
  memcpy(&value, words, sizeof(T));
  return value;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T shared[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  T own = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    T partner = shuffle_up(own, stride % 32);
    if (tx >= stride && tx % 32 < stride) partner = shared[tx - stride];
    __syncthreads();
    if (tx >= stride) own = partner + own;
  }
  if (i < N) Y[i] = own;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T shared[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  T own = i < N && tx > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    shared[tx] = own;
    __syncthreads();
    T partner = shuffle_up(own, stride % 32);
    if (tx >= stride && tx % 32 < stride) partner = shared[tx - stride];
    __syncthreads();
    if (tx >= stride) own = partner + own;
  }
  if (i < N) Y[i] = own;
}
