#include <cuda_runtime.h>

// Every thread computes its own prefix: no race, no barriers in a loop, very parallel.

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T section[SECTION_SIZE];
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  section[threadIdx.x] = i < N ? X[i] : T{};
  __syncthreads();
  if (i >= N) return;

  T sum = section[0];
  for (unsigned k = 1; k <= threadIdx.x; ++k) sum += section[k];
  Y[i] = sum;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T section[SECTION_SIZE];
  unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  section[threadIdx.x] = i < N ? X[i] : T{};
  __syncthreads();
  if (i >= N) return;

  T sum = T{};
  for (unsigned k = 0; k < threadIdx.x; ++k) sum += section[k];
  Y[i] = sum;
}
