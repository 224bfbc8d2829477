// expect: fail build.forbidden
// why: the driver calls a library
// line: 5
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

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
  thrust::inclusive_scan(thrust::device, X, X + N, Y);
}
