#include <cuda_runtime.h>

// No branch in the step: a thread without a partner adds the identity.
template <typename T, unsigned SECTION_SIZE>
__device__ void branch_free_steps(T* a, unsigned tid) {
  for (unsigned hop = 1; hop < SECTION_SIZE; hop *= 2) {
    __syncthreads();
    T left = tid >= hop ? a[tid - hop] : T{};
    T sum = left + a[tid];
    __syncthreads();
    a[tid] = sum;
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  unsigned tid = threadIdx.x;
  unsigned pos = blockIdx.x * SECTION_SIZE + tid;
  a[tid] = pos < N ? X[pos] : T{};
  branch_free_steps<T, SECTION_SIZE>(a, tid);
  if (pos < N) Y[pos] = a[tid];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  unsigned tid = threadIdx.x;
  unsigned pos = blockIdx.x * SECTION_SIZE + tid;
  a[tid] = tid > 0 && pos < N ? X[pos - 1] : T{};
  branch_free_steps<T, SECTION_SIZE>(a, tid);
  if (pos < N) Y[pos] = a[tid];
}
