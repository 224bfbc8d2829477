// expect: pass
// report: memory.leak
// forbid: fence.missing,race.shared,race.global,deadlock,state.not_reset
// why: the workspace is kept, and each call has a number of its own instead of clearing the flags
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ T carry;
  __shared__ unsigned place;
  const unsigned tx = threadIdx.x;
  if (tx == 0) place = atomicAdd(&block_counter[0], 1u);
  __syncthreads();
  const unsigned epoch = block_counter[1];  // set by the host, read only in the kernel
  const unsigned p = place, i = p * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }
  if (tx == SECTION_SIZE - 1) {
    carry = T{};
    if (p > 0) {
      while (atomicMax(&flags[p - 1], 0u) != epoch) {
      }
      __threadfence();
      carry = scan_value[p - 1];
    }
    scan_value[p] = carry + XY[tx];
    __threadfence();
    atomicExch(&flags[p], epoch);
  }
  __syncthreads();
  if (i < N) Y[i] = carry + XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  static unsigned* flags = nullptr;  // kept from call to call, for as many sections as ever needed
  static unsigned* counter = nullptr;
  static T* values = nullptr;
  static unsigned capacity = 0, epoch = 0;
  if (N == 0) return;
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  if (M > capacity) {
    cudaFree(flags);
    cudaFree(values);
    cudaFree(counter);
    cudaMalloc(&flags, M * sizeof(unsigned));
    cudaMalloc(&values, M * sizeof(T));
    cudaMalloc(&counter, 2 * sizeof(unsigned));
    cudaMemset(flags, 0, M * sizeof(unsigned));
    capacity = M;
  }
  const unsigned start[2] = {0, ++epoch};
  cudaMemcpy(counter, start, sizeof(start), cudaMemcpyHostToDevice);
  domino_scan_kernel<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, N, flags, values, counter);
}
