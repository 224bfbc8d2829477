// expect: fail race.shared
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong
// forbid: barrier.divergent,memory.out_of_bounds
// why: __threadfence_block() in place of the barrier
// line: 20
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  T* in = a;
  T* out = b;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  in[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __threadfence_block();
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
