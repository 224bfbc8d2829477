// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: the section is summed first, the carry joins its first element, and only then the section is scanned
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T data[SECTION_SIZE];
  __shared__ T tree[SECTION_SIZE];
  __shared__ unsigned section;
  const unsigned tx = threadIdx.x;
  if (tx == 0) section = atomicAdd(block_counter, 1u);
  __syncthreads();
  const unsigned p = section, i = p * SECTION_SIZE + tx;
  tree[tx] = data[tx] = i < N ? X[i] : T{};

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    const unsigned left = 2 * stride * tx;
    if (left + stride < SECTION_SIZE) tree[left] = tree[left] + tree[left + stride];
  }

  // Thread 0 made the sum and owns the first element: no barrier is needed before it reads either.
  if (tx == 0 && p > 0) {
    while (atomicOr(&flags[p], 0u) == 0u) {
    }
    __threadfence();
    const T before = scan_value[p];
    tree[0] = before + tree[0];
    data[0] = before + data[0];
  }
  if (tx == 0 && p + 1 < gridDim.x) {
    scan_value[p + 1] = tree[0];
    __threadfence();
    atomicOr(&flags[p + 1], 1u);
  }

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = data[tx];
    if (tx >= stride) sum = data[tx - stride] + sum;
    __syncthreads();
    data[tx] = sum;
  }
  if (i < N) Y[i] = data[tx];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned* flags;
  unsigned* block_counter;
  T* scan_value;
  cudaMalloc(&flags, M * sizeof(unsigned));
  cudaMalloc(&block_counter, sizeof(unsigned));
  cudaMalloc(&scan_value, M * sizeof(T));
  cudaMemsetAsync(flags, 0, M * sizeof(unsigned));
  cudaMemsetAsync(block_counter, 0, sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);
  cudaFree(flags);
  cudaFree(block_counter);
  cudaFree(scan_value);
}
