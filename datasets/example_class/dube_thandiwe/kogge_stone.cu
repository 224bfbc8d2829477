// Everything below a warp goes through shuffles; larger strides through shared memory.
#include <cuda_runtime.h>

// __shfl_up_sync knows numbers only, so an element is sent as 32-bit words.
template <typename T>
__device__ T shfl_up(T value, unsigned delta) {
  unsigned words[sizeof(T) / 4];
  memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = __shfl_up_sync(0xffffffff, word, delta);
  memcpy(&value, words, sizeof(T));
  return value;
}

template <typename T, unsigned SECTION_SIZE>
__device__ T scan(T x) {
  __shared__ T board[SECTION_SIZE];
  unsigned t = threadIdx.x, lane = t & 31;

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    board[t] = x;
    __syncthreads();
    T left = T{};
    if (stride < 32) left = shfl_up(x, stride);
    if (stride >= 32 || lane < stride) {        // the partner sits in another warp
      if (t >= stride) left = board[t - stride];
    }
    if (t >= stride) x = left + x;
    __syncthreads();
  }
  return x;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  T sum = scan<T, SECTION_SIZE>(i < N ? X[i] : T{});
  if (i < N) Y[i] = sum;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  T sum = scan<T, SECTION_SIZE>(i < N && threadIdx.x > 0 ? X[i - 1] : T{});
  if (i < N) Y[i] = sum;
}
