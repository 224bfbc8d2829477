// Mateo Castillo
#include <cuda_runtime.h>

// The tree works on different elements in every step, so one barrier before it should do.
template <typename T, unsigned SECTION_SIZE>
__device__ void trees(T* data, int tid) {
  __syncthreads();
  for (int offset = 1; offset < SECTION_SIZE; offset *= 2) {
    int last = (tid + 1) * 2 * offset - 1;
    if (last < SECTION_SIZE) data[last] = data[last - offset] + data[last];
  }
  __syncthreads();
  for (int offset = SECTION_SIZE / 4; offset > 0; offset /= 2) {
    int last = (tid + 1) * 2 * offset - 1;
    if (last + offset < SECTION_SIZE) data[last + offset] = data[last] + data[last + offset];
  }
  __syncthreads();
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T data[SECTION_SIZE];
  int start = blockIdx.x * SECTION_SIZE;
  for (int k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x)
    data[k] = start + k < N ? X[start + k] : T{};
  trees<T, SECTION_SIZE>(data, threadIdx.x);
  for (int k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x)
    if (start + k < N) Y[start + k] = data[k];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T data[SECTION_SIZE];
  int start = blockIdx.x * SECTION_SIZE;
  for (int k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x)
    data[k] = k > 0 && start + k < N ? X[start + k - 1] : T{};
  trees<T, SECTION_SIZE>(data, threadIdx.x);
  for (int k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x)
    if (start + k < N) Y[start + k] = data[k];
}
