// expect: fail launch.invalid
// forbid: race.shared,fence.missing,deadlock,value.wrong
// why: for N = 0 the grid has no blocks
// line: 55
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ T carry;
  __shared__ unsigned section;
  const unsigned tx = threadIdx.x;
  if (tx == 0) section = atomicAdd(block_counter, 1u);
  __syncthreads();
  const unsigned p = section;
  const unsigned i = p * SECTION_SIZE + tx;

  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }

  if (tx == SECTION_SIZE - 1) {
    T before{};
    if (p > 0) {
      while (atomicAdd(&flags[p], 0u) == 0u) {
      }
      __threadfence();
      before = scan_value[p];
    }
    carry = before;
    scan_value[p + 1] = before + XY[tx];
    __threadfence();
    atomicExch(&flags[p + 1], 1u);
  }
  __syncthreads();
  if (i < N) Y[i] = carry + XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned *flags, *block_counter;
  T* scan_value;
  cudaMalloc(&flags, (M + 1) * sizeof(unsigned));
  cudaMalloc(&scan_value, (M + 1) * sizeof(T));
  cudaMalloc(&block_counter, sizeof(unsigned));
  cudaMemset(flags, 0, (M + 1) * sizeof(unsigned));
  cudaMemset(block_counter, 0, sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);
  cudaFree(flags);
  cudaFree(scan_value);
  cudaFree(block_counter);
}
