// A submission: ./scanlab check brent_kung FILE
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__device__ void trees(T* XY) {
  // [region shown]
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    const unsigned last = (threadIdx.x + 1) * 2 * stride - 1;  // the active ones are neighbours
    if (last < SECTION_SIZE) XY[last] = XY[last - stride] + XY[last];
  }
  // [/region]
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned last = (threadIdx.x + 1) * 2 * stride - 1;
    if (last + stride < SECTION_SIZE) XY[last + stride] = XY[last] + XY[last + stride];
  }
  __syncthreads();
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }
  trees<T, SECTION_SIZE>(XY);
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned begin = blockIdx.x * SECTION_SIZE;
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    XY[k] = k > 0 && begin + k < N ? X[begin + k - 1] : T{};
  }
  trees<T, SECTION_SIZE>(XY);
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
