#include <cuda_runtime.h>

// Inclusive: every thread computes its own prefix. No race, no barriers in a loop, very parallel!
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T section[SECTION_SIZE];
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  section[threadIdx.x] = i < N ? X[i] : T{};
  __syncthreads();
  if (i >= N) return;

  T sum = section[0];
  for (unsigned k = 1; k <= threadIdx.x; ++k) sum = sum + section[k];
  Y[i] = sum;
}

// Exclusive: as in the lecture.
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T section[SECTION_SIZE];
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  section[threadIdx.x] = i < N && threadIdx.x > 0 ? X[i - 1] : T{};

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = section[threadIdx.x];
    if (threadIdx.x >= stride) sum = section[threadIdx.x - stride] + sum;
    __syncthreads();
    section[threadIdx.x] = sum;
  }
  if (i < N) Y[i] = section[threadIdx.x];
}
