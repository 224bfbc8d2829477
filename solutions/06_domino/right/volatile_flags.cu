// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: volatile flags with a fence on both sides; thread 0 leads, after a barrier
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ unsigned bid_s;
  __shared__ T XY[SECTION_SIZE];
  __shared__ T previous_sum;
  if (threadIdx.x == 0) bid_s = atomicAdd(block_counter, 1);
  __syncthreads();
  const unsigned bid = bid_s;
  const unsigned i = bid * blockDim.x + threadIdx.x;

  XY[threadIdx.x] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T temp{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  __syncthreads();  // thread 0 reads the last thread's element

  volatile unsigned* flag = flags;
  if (threadIdx.x == 0) {
    const T local_sum = XY[SECTION_SIZE - 1];
    if (bid == 0) {
      previous_sum = T{};
    } else {
      while (flag[bid - 1] == 0) {
      }
      __threadfence();
      previous_sum = scan_value[bid - 1];
    }
    scan_value[bid] = previous_sum + local_sum;
    __threadfence();
    flag[bid] = 1;
  }
  __syncthreads();
  if (i < N) Y[i] = previous_sum + XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned blocks = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  if (blocks == 0) return;
  unsigned *flags, *block_counter;
  T* scan_value;
  cudaMalloc(&flags, blocks * sizeof(unsigned));
  cudaMalloc(&scan_value, blocks * sizeof(T));
  cudaMalloc(&block_counter, sizeof(unsigned));
  cudaMemset(flags, 0, blocks * sizeof(unsigned));
  cudaMemset(block_counter, 0, sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<blocks, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);
  cudaDeviceSynchronize();
  cudaFree(flags);
  cudaFree(scan_value);
  cudaFree(block_counter);
}
