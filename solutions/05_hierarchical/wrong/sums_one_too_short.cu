// expect: fail memory.out_of_bounds
// allow: value.wrong,launch.invalid,run.crash
// forbid: race.shared
// why: no place for the sum of a short last section
// line: 27
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__device__ void kogge_stone(T* XY) {
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (threadIdx.x >= stride) sum = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = sum;
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  kogge_stone<T, SECTION_SIZE>(XY);
  if (i < N) Y[i] = XY[tx];
  if (tx == SECTION_SIZE - 1) S[blockIdx.x] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  XY[tx] = tx < M ? S[tx] : T{};
  kogge_stone<T, SECTION_SIZE>(XY);
  if (tx < M) S[tx] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  if (blockIdx.x > 0 && i < N) Y[i] = S[blockIdx.x - 1] + Y[i];
}

template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  T* S = nullptr;
  cudaMalloc(&S, N / SECTION_SIZE * sizeof(T));
  scan_sections<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, S, N);
  if (M > SECTION_SIZE)
    hierarchical_inclusive_scan<T, SECTION_SIZE>(S, S, M);
  else if (M > 1)
    scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE>>>(S, M);
  if (M > 1) add_block_sums<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(Y, S, N);
  cudaFree(S);
}
