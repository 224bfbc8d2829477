// expect: pass
// forbid: race.shared,race.global,memory.leak
// why: no recursion, an array of levels goes up and comes down; double-buffered sections
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__device__ const T* double_buffered(T (*buffer)[SECTION_SIZE]) {
  unsigned from = 0;
  for (unsigned stride = 1; stride < SECTION_SIZE; stride <<= 1) {
    __syncthreads();
    const T* in = buffer[from];
    T* out = buffer[1 - from];
    out[threadIdx.x] = threadIdx.x < stride ? in[threadIdx.x] : in[threadIdx.x - stride] + in[threadIdx.x];
    from = 1 - from;
  }
  return buffer[from];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  __shared__ T buffer[2][SECTION_SIZE];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N)
    buffer[0][threadIdx.x] = X[i];
  else
    buffer[0][threadIdx.x] = T{};
  const T* result = double_buffered<T, SECTION_SIZE>(buffer);
  if (i < N) Y[i] = result[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) S[blockIdx.x] = result[SECTION_SIZE - 1];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  __shared__ T buffer[2][SECTION_SIZE];
  buffer[0][threadIdx.x] = threadIdx.x < M ? S[threadIdx.x] : T{};
  const T* result = double_buffered<T, SECTION_SIZE>(buffer);
  if (threadIdx.x < M) S[threadIdx.x] = result[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  __shared__ T before;
  if (blockIdx.x == 0) return;  // the whole block leaves: no barrier is divergent
  if (threadIdx.x == 0) before = S[blockIdx.x - 1];
  __syncthreads();
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) Y[i] = before + Y[i];
}

template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  T* sums[8];         // 64^6 > 2^32: never more than 6 levels
  unsigned count[8];  // elements of each level; level 0 is Y
  if (N == 0) return;
  unsigned top = 0;
  sums[0] = Y;
  count[0] = N;
  while (count[top] > SECTION_SIZE) {
    const unsigned blocks = 1 + (count[top] - 1) / SECTION_SIZE;
    cudaMalloc(&sums[top + 1], blocks * sizeof(T));
    scan_sections<T, SECTION_SIZE>
        <<<blocks, SECTION_SIZE>>>(top == 0 ? X : sums[top], sums[top], sums[top + 1], count[top]);
    count[++top] = blocks;
  }
  if (top == 0) cudaMemcpy(Y, X, N * sizeof(T), cudaMemcpyDeviceToDevice);
  scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE>>>(sums[top], count[top]);
  for (unsigned level = top; level-- > 0;) {
    add_block_sums<T, SECTION_SIZE><<<count[level + 1], SECTION_SIZE>>>(sums[level], sums[level + 1], count[level]);
    cudaFree(sums[level + 1]);
  }
}
