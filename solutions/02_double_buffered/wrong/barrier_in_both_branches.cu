// expect: fail barrier.divergent
// allow: race.shared,deadlock,run.timeout,value.unwritten,value.wrong,memory.uninitialized,steps.too_many,work.wrong
// why: a barrier in the if and another in the else: two barriers, and each sees a part of the block
// line: 19
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
    if (tx >= stride) {
      out[tx] = in[tx - stride] + in[tx];
      __syncthreads();
    } else {
      out[tx] = in[tx];
      __syncthreads();
    }
    T* swap = in;
    in = out;
    out = swap;
  }
  if (i < N) Y[i] = in[tx];
}
