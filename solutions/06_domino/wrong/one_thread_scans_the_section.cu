// expect: fail steps.too_many
// allow: work.wrong
// forbid: race.shared,value.wrong,fence.missing
// why: one thread scans its section element by element: a chain of SECTION_SIZE additions
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
  if (threadIdx.x == 0)
    for (unsigned k = 1; k < blockDim.x; ++k) data[k] = data[k - 1] + data[k];
  __syncthreads();

  if (threadIdx.x == 0) {
    volatile unsigned* ready = flags;
    T sum = data[blockDim.x - 1];
    previous = T{};
    if (bid != 0) {
      while (ready[bid - 1] == 0) {
      }
      __threadfence();
      previous = scan_value[bid - 1];
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
