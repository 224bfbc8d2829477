#include <cuda_runtime.h>

// I don't need a temp, += does the read and the write in one go.

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T data[SECTION_SIZE];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;

  data[tid] = gid < N ? X[gid] : T{};

  for (int offset = 1; offset < SECTION_SIZE; offset *= 2) {
    __syncthreads();
    if (tid >= offset) {
      data[tid] += data[tid - offset];
    }
  }

  if (gid < N) Y[gid] = data[tid];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T data[SECTION_SIZE];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;

  data[tid] = (gid < N && tid > 0) ? X[gid - 1] : T{};

  for (int offset = 1; offset < SECTION_SIZE; offset *= 2) {
    __syncthreads();
    if (tid >= offset) {
      data[tid] += data[tid - offset];
    }
  }

  if (gid < N) Y[gid] = data[tid];
}
