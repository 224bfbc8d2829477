// Asks the kernel for what a submission may not have.
#include "submission.hpp"

extern "C" int fork();

template <typename T>
__global__ void act(const T* X, T* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 && fork() == 0) {
    for (;;) {
    }
  }
  if (i < N) Y[i] = X[i];
}
