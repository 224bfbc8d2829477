// Each thread sums up its section's elements up to its own: slow, but right.
#include "submission.hpp"

template <typename T>
__global__ void act(const T* X, T* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  T sum = X[blockIdx.x * blockDim.x];
  for (unsigned k = blockIdx.x * blockDim.x + 1; k <= i; ++k) sum += X[k];
  Y[i] = sum;
}
