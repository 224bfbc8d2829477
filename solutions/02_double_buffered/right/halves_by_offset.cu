// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent
// why: one array of two halves, addressed by an offset that changes sides
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T both[2 * SECTION_SIZE];
  unsigned from = 0;
  unsigned tx = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tx;
  both[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    unsigned to = SECTION_SIZE - from;
    __syncthreads();
    T value = both[from + tx];
    if (tx >= stride) value = both[from + tx - stride] + value;
    both[to + tx] = value;
    from = to;
  }
  if (i < N) Y[i] = both[from + tx];
}
