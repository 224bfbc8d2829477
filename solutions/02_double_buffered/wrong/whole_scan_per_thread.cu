// expect: fail work.wrong,steps.too_many
// forbid: race.shared,value.wrong,barrier.divergent,memory.out_of_bounds
// why: each thread adds up its prefix by itself
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
  __syncthreads();
  T sum = in[0];
  for (unsigned k = 1; k <= tx; ++k) sum = sum + in[k];
  out[tx] = sum;
  if (i < N) Y[i] = out[tx];
}
