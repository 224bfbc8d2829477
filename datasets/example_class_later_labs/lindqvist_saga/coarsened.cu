// Saga Lindqvist
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* __restrict__ X, T* __restrict__ Y, const unsigned N) {
  __shared__ T section[THREADS * COARSE_FACTOR];
  const unsigned rank = threadIdx.x;
  const unsigned begin = blockIdx.x * THREADS * COARSE_FACTOR;
  const unsigned own = rank * COARSE_FACTOR;
  const unsigned last = own + COARSE_FACTOR - 1;

  // Every thread fetches its own elements and sums them up on the way.
  T sum = T{};
  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {
    T next = begin + own + c < N ? X[begin + own + c] : T{};
    sum = c == 0 ? next : sum + next;
    section[own + c] = sum;
  }

  for (unsigned distance = 1; distance < THREADS; distance *= 2) {
    __syncthreads();
    if (rank >= distance) sum = section[last - distance * COARSE_FACTOR] + sum;
    __syncthreads();
    section[last] = sum;
  }
  __syncthreads();

  if (rank > 0) {
    const T before = section[own - 1];
    for (unsigned c = 0; c + 1 < COARSE_FACTOR; ++c) section[own + c] = before + section[own + c];
  }
  __syncthreads();

  for (unsigned k = rank; k < THREADS * COARSE_FACTOR; k += THREADS) {
    if (begin + k < N) Y[begin + k] = section[k];
  }
}
