// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent,divergence.high,barriers.too_many
// why: one free element after every 32, so that the strided accesses of the trees meet in fewer banks
#include <cuda_runtime.h>

__device__ inline unsigned conflict_free(unsigned k) { return k + k / 32; }

template <typename T>
__device__ void add(T* XY, unsigned earlier, unsigned later) {
  T* target = XY + conflict_free(later);
  *target = XY[conflict_free(earlier)] + *target;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE + SECTION_SIZE / 32];
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    unsigned source = blockIdx.x * SECTION_SIZE + k;
    XY[conflict_free(k)] = source < N ? X[source] : T{};
  }
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) add<T>(XY, index - stride, index);
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) add<T>(XY, index, index + stride);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    unsigned target = blockIdx.x * SECTION_SIZE + k;
    if (target < N) Y[target] = XY[conflict_free(k)];
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE + SECTION_SIZE / 32];
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    unsigned source = blockIdx.x * SECTION_SIZE + k;
    XY[conflict_free(k)] = k > 0 && source < N ? X[source - 1] : T{};
  }
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) add<T>(XY, index - stride, index);
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) add<T>(XY, index, index + stride);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    unsigned target = blockIdx.x * SECTION_SIZE + k;
    if (target < N) Y[target] = XY[conflict_free(k)];
  }
}
