// expect: fail build.error
// allow: build.contract
// why: the buffers are of int whatever T is
// line: 15
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ int a[SECTION_SIZE];
  __shared__ int b[SECTION_SIZE];
  int* in = a;
  int* out = b;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  in[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    if (tx >= stride) {
      out[tx] = in[tx - stride] + in[tx];
    } else {
      out[tx] = in[tx];
    }
    int* swap = in;
    in = out;
    out = swap;
  }
  if (i < N) Y[i] = in[tx];
}
