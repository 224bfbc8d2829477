// Ren Nakamura
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  unsigned tid = threadIdx.x;
  unsigned pos = blockIdx.x * SECTION_SIZE + tid;
  a[tid] = pos < N ? X[pos] : T{};

  for (unsigned hop = 1; hop < SECTION_SIZE; hop *= 2) {
    __syncthreads();
    b[tid] = tid >= hop ? a[tid - hop] + a[tid] : a[tid];
    __syncthreads();
    a[tid] = b[tid];  // back, so that the next step finds it in a
  }
  if (pos < N) Y[pos] = a[tid];
}
