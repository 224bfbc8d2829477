// expect: fail build.contract
// why: the section's size is a parameter of the call, not of the template
#include <cuda_runtime.h>

template <typename T>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N,
                                               unsigned SECTION_SIZE) {
  __shared__ T a[1024];
  __shared__ T b[1024];
  T* in = a;
  T* out = b;
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
    T* swap = in;
    in = out;
    out = swap;
  }
  if (i < N) Y[i] = in[tx];
}
