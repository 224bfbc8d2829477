// expect: fail race.shared
// allow: value.wrong,memory.uninitialized,steps.too_many,work.wrong
// forbid: barrier.divergent,memory.out_of_bounds
// why: two steps in each turn of the loop, with one barrier for both
// line: 21
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
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 4) {
    __syncthreads();
    out[tx] = tx >= stride ? in[tx - stride] + in[tx] : in[tx];
    if (stride * 2 < SECTION_SIZE) {
      in[tx] = tx >= 2 * stride ? out[tx - 2 * stride] + out[tx] : out[tx];
    } else {
      in[tx] = out[tx];
    }
  }
  if (i < N) Y[i] = in[tx];
}
