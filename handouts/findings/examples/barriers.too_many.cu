// A submission: ./scanlab check double_buffered FILE
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T buffers[2][SECTION_SIZE];
  const unsigned i = threadIdx.x, at = blockIdx.x * SECTION_SIZE + i;
  T *from = buffers[0], *to = buffers[1];
  from[i] = at < N ? X[at] : T{};
  // [region shown]
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    to[i] = i >= stride ? from[i - stride] + from[i] : from[i];
    __syncthreads();  // keeps nothing apart that the next step's barrier does not
    T* const swapped = from;
    from = to;
    to = swapped;
  }
  // [/region]
  if (at < N) Y[at] = from[i];
}
