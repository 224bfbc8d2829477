// expect: fail race.shared
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong,barriers.too_many,value.unwritten,memory.illegal,run.crash
// forbid: barrier.divergent
// why: the pointers are shared and one thread swaps them, while others may still use them
// line: 31
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  __shared__ T* in;
  __shared__ T* out;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  if (tx == 0) {
    in = a;
    out = b;
  }
  __syncthreads();
  in[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    if (tx >= stride) {
      out[tx] = in[tx - stride] + in[tx];
    } else {
      out[tx] = in[tx];
    }
    if (tx == 0) {
      T* swap = in;
      in = out;
      out = swap;
    }
  }
  if (i < N) Y[i] = in[tx];
}
