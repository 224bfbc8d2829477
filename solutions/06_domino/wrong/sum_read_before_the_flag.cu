// expect: fail race.global,fence.missing,memory.uninitialized,value.wrong
// forbid: deadlock,race.shared
// why: the sum of the section before is read before its flag is seen
// line: 34
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ unsigned bid_s;
  __shared__ T data[SECTION_SIZE];
  __shared__ T previous;
  if (threadIdx.x == 0) bid_s = atomicAdd(block_counter, 1);
  __syncthreads();
  unsigned bid = bid_s;
  unsigned i = bid * blockDim.x + threadIdx.x;

  data[threadIdx.x] = T{};
  if (i < N) data[threadIdx.x] = X[i];
  __syncthreads();
  for (unsigned hop = 1; hop < blockDim.x; hop *= 2) {
    T mine = data[threadIdx.x];
    if (threadIdx.x >= hop) mine = data[threadIdx.x - hop] + mine;
    __syncthreads();
    data[threadIdx.x] = mine;
    __syncthreads();
  }

  if (threadIdx.x == 0) {
    volatile unsigned* ready = flags;
    T sum = data[blockDim.x - 1];
    previous = T{};
    if (bid != 0) {
      previous = scan_value[bid - 1];
      while (ready[bid - 1] == 0) {
      }
      __threadfence();
      sum = previous + sum;
    }
    scan_value[bid] = sum;
    __threadfence();
    ready[bid] = 1;
  }
  __syncthreads();
  if (i < N) Y[i] = bid != 0 ? previous + data[threadIdx.x] : data[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  unsigned blocks = (N - 1) / SECTION_SIZE + 1;
  unsigned* words;  // a flag for each block, then the counter
  T* values;
  cudaMalloc(&words, (blocks + 1) * sizeof(unsigned));
  cudaMalloc(&values, blocks * sizeof(T));
  cudaMemset(words, 0, (blocks + 1) * sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<blocks, SECTION_SIZE>>>(X, Y, N, words, values, words + blocks);
  cudaDeviceSynchronize();
  cudaFree(words);
  cudaFree(values);
}
