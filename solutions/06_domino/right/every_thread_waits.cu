// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: each thread polls the flag and takes the carry itself, so none is passed through shared memory
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ unsigned ticket;
  const unsigned tx = threadIdx.x;
  if (tx == 0) ticket = atomicAdd(block_counter, 1u);
  __syncthreads();
  const unsigned p = ticket, i = p * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }

  T total = XY[tx];
  if (p > 0) {
    while (*(volatile unsigned*)&flags[p - 1] != 1u) {
    }
    __threadfence();
    total = scan_value[p - 1] + total;
  }
  if (tx == SECTION_SIZE - 1) {
    scan_value[p] = total;
    __threadfence();
    *(volatile unsigned*)&flags[p] = 1u;
  }
  if (i < N) Y[i] = total;
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned* flags;
  T* values;
  cudaMalloc(&flags, (M + 1) * sizeof(unsigned));
  cudaMalloc(&values, M * sizeof(T));
  cudaMemset(flags, 0, (M + 1) * sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, N, flags, values, flags + M);
  cudaFree(values);
  cudaFree(flags);
}
