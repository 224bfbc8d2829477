// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent,value.wrong
// why: nothing is loaded beyond the end of the input: what stands there never reaches an output
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i < N) XY[tx] = X[i];
  // Whatever stands beyond the end of the input is only ever added further to the right.
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = XY[tx];
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  if (i < N) Y[i] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  if (i < N) XY[tx] = tx > 0 ? X[i - 1] : T{};
  // Whatever stands beyond the end of the input is only ever added further to the right.
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = XY[tx];
    if (tx >= stride) sum = XY[tx - stride] + sum;
    __syncthreads();
    XY[tx] = sum;
  }
  if (i < N) Y[i] = XY[tx];
}
