// expect: fail value.input_modified
// allow: memory.illegal,run.crash,value.wrong,value.unwritten,work.wrong,memory.uninitialized
// forbid: race.shared,barrier.divergent
// why: takes X for the second buffer
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  T* in = a;
  T* out = const_cast<T*>(X) + blockIdx.x * SECTION_SIZE;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  in[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    if (i >= N) {
      // nothing to do
    } else if (tx >= stride) {
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
