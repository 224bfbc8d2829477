// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: atomicCAS polls and takes the flag; the last thread leads; a kernel sets the start state, flags and counter in one allocation
#include <cuda_runtime.h>

enum : unsigned { kWaiting = 7, kReady = 8, kTaken = 9 };

__global__ void start_state(unsigned* words, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) words[i] = i == 0 ? 0u : kWaiting;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T lane[2][SECTION_SIZE];
  __shared__ struct {
    unsigned section;
  } drawn;
  __shared__ T carry;
  const unsigned t = threadIdx.x, last = SECTION_SIZE - 1;
  if (t == last) drawn.section = atomicInc(block_counter, 0xffffffffu);
  __syncthreads();
  const unsigned p = drawn.section, i = p * SECTION_SIZE + t;

  T mine = i < N ? X[i] : T{};
  unsigned side = 0;
  for (unsigned hop = 1; hop < SECTION_SIZE; hop *= 2, side ^= 1) {
    lane[side][t] = mine;
    __syncthreads();
    if (t >= hop) mine = lane[side][t - hop] + mine;
  }

  if (t == last) {
    carry = T{};
    if (p != 0) {
      while (atomicCAS(&flags[p - 1], kReady, kTaken) != kReady) continue;
      __threadfence();
      carry = scan_value[p - 1];
    }
    scan_value[p] = p != 0 ? carry + mine : mine;
    __threadfence();
    atomicCAS(&flags[p], kWaiting, kReady);
  }
  __syncthreads();
  if (i < N) Y[i] = p != 0 ? carry + mine : mine;
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (!N) return;
  const unsigned M = N / SECTION_SIZE + !!(N % SECTION_SIZE);
  unsigned* words;  // the counter, then M flags
  T* values;
  cudaMalloc(&words, (M + 1) * sizeof *words);
  cudaMalloc(&values, M * sizeof *values);
  start_state<<<M / 256 + 1, 256>>>(words, M + 1);
  domino_scan_kernel<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, N, words + 1, values, words);
  cudaFree(words);
  cudaFree(values);
}
