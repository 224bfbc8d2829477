// expect: fail value.unwritten
// allow: value.wrong,work.wrong
// forbid: race.shared,barrier.divergent,memory.out_of_bounds
// why: blocks whose section is not full return before they store: nothing of the last section is written
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  T* in = a;
  T* out = b;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  if ((blockIdx.x + 1) * SECTION_SIZE > N) return;
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
