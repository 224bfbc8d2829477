// expect: fail barriers.too_many
// forbid: race.shared,value.wrong,work.wrong,barrier.divergent
// why: the scan of lab 1: one array, two barriers a step
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }
  if (i < N) Y[i] = XY[tx];
}
