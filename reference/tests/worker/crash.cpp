// Divides by zero where N is 3.
#include "submission.hpp"

template <typename T>
__global__ void act(const T* X, T* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile unsigned zero = N - 3;
  if (i < N) Y[i] = X[i];
  if (i == 0 && N == 3) zero = N / zero;
}
