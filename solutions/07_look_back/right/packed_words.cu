// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: each half of a value travels in one 8-byte word with its status; no fence is needed
#include <cuda_runtime.h>

typedef unsigned long long Word;  // status in the upper half, 4 bytes of the value in the lower

constexpr unsigned kThreads = 128;
enum : unsigned { kNothing = 0, kOwn = 1, kAll = 2 };

template <typename T>
__device__ void put(volatile Word* words, unsigned status, T value) {
  constexpr unsigned kHalves = sizeof(T) / sizeof(unsigned);
  unsigned half[kHalves];
  memcpy(half, &value, sizeof(T));
  for (unsigned h = 0; h < kHalves; ++h) words[h] = Word(status) << 32 | half[h];
}

// Waits until all halves carry the same status. A half is written once for each status, so halves of
// equal status belong together.
template <typename T>
__device__ unsigned get(volatile Word* words, T& value) {
  constexpr unsigned kHalves = sizeof(T) / sizeof(unsigned);
  unsigned half[kHalves];
  unsigned status, other;
  do {
    Word word = words[0];
    status = unsigned(word >> 32);
    other = status;
    half[0] = unsigned(word);
    for (unsigned h = 1; h < kHalves; ++h) {
      word = words[h];
      if (unsigned(word >> 32) != status) other = kNothing;
      half[h] = unsigned(word);
    }
  } while (other == kNothing);
  memcpy(&value, half, sizeof(T));
  return status;
}

template <typename T>
__global__ void scan_tiles(const T* X, T* Y, unsigned N, Word* state, unsigned* ticket) {
  constexpr unsigned kHalves = sizeof(T) / sizeof(unsigned);
  __shared__ T data[kThreads];
  __shared__ T carry;
  __shared__ unsigned place;
  const unsigned t = threadIdx.x;
  if (t == 0) place = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned p = place, i = p * kThreads + t;
  data[t] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < kThreads; stride *= 2) {
    __syncthreads();
    T sum = data[t];
    if (t >= stride) sum = data[t - stride] + sum;
    __syncthreads();
    data[t] = sum;
  }
  if (t == kThreads - 1) {
    T before{};
    if (p > 0) {
      put(state + p * kHalves, kOwn, data[t]);
      unsigned q = p, status;
      do {
        --q;
        T part;
        status = get(state + q * kHalves, part);
        before = part + before;
      } while (status != kAll);
    }
    put(state + p * kHalves, kAll, before + data[t]);
    carry = before;
  }
  __syncthreads();
  if (i < N) Y[i] = carry + data[t];
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned tiles = N / kThreads + (N % kThreads != 0);
  const size_t words = size_t(tiles) * (sizeof(T) / sizeof(unsigned));
  Word* state;
  cudaMalloc(&state, (words + 1) * sizeof(Word));
  cudaMemset(state, 0, (words + 1) * sizeof(Word));
  scan_tiles<T><<<tiles, kThreads>>>(X, Y, N, state, reinterpret_cast<unsigned*>(state + words));
  cudaFree(state);
}
