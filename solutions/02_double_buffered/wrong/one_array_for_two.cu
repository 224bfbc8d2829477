// expect: fail memory.out_of_bounds
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong,memory.illegal,run.crash,race.shared
// forbid: barrier.divergent
// why: both halves in one array of SECTION_SIZE elements
// line: 19
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T both[SECTION_SIZE];
  T* in = both;
  T* out = both + SECTION_SIZE;
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
