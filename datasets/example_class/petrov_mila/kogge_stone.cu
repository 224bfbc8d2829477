#include <cuda_runtime.h>

// Inclusive: Y[i] is the sum of the section's elements up to and including X[i].
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T part[SECTION_SIZE];
  const unsigned lane = threadIdx.x;
  const unsigned pos = lane + SECTION_SIZE * blockIdx.x;
  if (pos < N) part[lane] = X[pos];

  for (unsigned reach = 1; reach < SECTION_SIZE; reach += reach) {
    __syncthreads();
    T grown = part[lane];
    if (lane >= reach) grown = part[lane - reach] + grown;
    __syncthreads();
    part[lane] = grown;
  }
  if (pos < N) Y[pos] = part[lane];
}

// Exclusive: Y[i] is the sum of the section's elements before X[i]; the first element of every
// section gets T{}.
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO: ran out of time, sorry
}
