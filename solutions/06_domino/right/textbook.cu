// expect: pass
// forbid: race.shared,race.global,deadlock,memory.leak
// why: as the book has it: the first flag set by the host, a plain read of the carry, later + earlier
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  // Dynamic block index assignment
  __shared__ unsigned int bid_s;
  if (threadIdx.x == 0) {
    bid_s = atomicAdd(block_counter, 1);
  }
  __syncthreads();
  unsigned int bid = bid_s;

  __shared__ T XY[SECTION_SIZE];
  unsigned int i = bid * blockDim.x + threadIdx.x;
  if (i < N) {
    XY[threadIdx.x] = X[i];
  } else {
    XY[threadIdx.x] = T{};
  }
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    T temp;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  __syncthreads();

  __shared__ T previous_sum;
  if (threadIdx.x == 0) {
    T local_sum = XY[SECTION_SIZE - 1];
    // Wait for previous flag
    while (atomicAdd(&flags[bid], 0) == 0) {
    }
    // Read previous partial sum
    previous_sum = scan_value[bid];
    // Propagate partial sum
    scan_value[bid + 1] = previous_sum + local_sum;
    // Memory fence
    __threadfence();
    // Set flag
    atomicAdd(&flags[bid + 1], 1);
  }
  __syncthreads();

  if (i < N) Y[i] = XY[threadIdx.x] + previous_sum;
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned blocks = (N - 1) / SECTION_SIZE + 1;
  unsigned *flags, *block_counter;
  T* scan_value;
  cudaMalloc((void**)&flags, (blocks + 1) * sizeof(unsigned));
  cudaMalloc((void**)&scan_value, (blocks + 1) * sizeof(T));
  cudaMalloc((void**)&block_counter, sizeof(unsigned));
  cudaMemset(flags, 0, (blocks + 1) * sizeof(unsigned));
  cudaMemset(scan_value, 0, sizeof(T));
  cudaMemset(block_counter, 0, sizeof(unsigned));
  const unsigned one = 1;
  cudaMemcpy(flags, &one, sizeof(unsigned), cudaMemcpyHostToDevice);

  domino_scan_kernel<T, SECTION_SIZE><<<blocks, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);

  cudaFree(flags);
  cudaFree(scan_value);
  cudaFree(block_counter);
}
