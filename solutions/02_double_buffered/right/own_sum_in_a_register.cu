// expect: pass
// forbid: race.shared,work.wrong,barriers.too_many,barrier.divergent
// why: the own sum stays in a register, the last step writes to Y directly; log2 S barriers
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T buffer[2][SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  int turn = 0;
  T own = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2, turn ^= 1) {
    buffer[turn][tx] = own;
    __syncthreads();
    if (tx >= stride) own = buffer[turn][tx - stride] + own;
  }
  if (i < N) Y[i] = own;
}
