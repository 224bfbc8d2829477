// Saga Lindqvist
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE, unsigned STRIDE>
struct Steps {
  __device__ static const T* run(T* from, T* to) {
    __syncthreads();
    const unsigned k = threadIdx.x;
    T sum = from[k];
    if (k >= STRIDE) sum = from[k - STRIDE] + sum;
    to[k] = sum;
    return Steps<T, SECTION_SIZE / 2, STRIDE * 2>::run(to, from);
  }
};

// No steps are left when the remaining section is one element long.
template <typename T, unsigned STRIDE>
struct Steps<T, 1, STRIDE> {
  __device__ static const T* run(T* from, T*) { return from; }
};

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T a[SECTION_SIZE];
  __shared__ T b[SECTION_SIZE];
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  a[threadIdx.x] = i < N ? X[i] : T{};
  const T* result = Steps<T, SECTION_SIZE, 1>::run(a, b);
  if (i < N) Y[i] = result[threadIdx.x];
}
