// A submission: ./scanlab check coarsened FILE
#include <cuda_runtime.h>

template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  constexpr unsigned kSection = THREADS * COARSE_FACTOR;
  __shared__ T XY[kSection];
  const unsigned i = threadIdx.x, own = i * COARSE_FACTOR, last = own + COARSE_FACTOR - 1;
  const unsigned begin = blockIdx.x * kSection;
  // [region shown]
  for (unsigned c = 0; c < COARSE_FACTOR; ++c) {  // lanes are COARSE_FACTOR elements apart
    XY[own + c] = begin + own + c < N ? X[begin + own + c] : T{};
  }
  // [/region]
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) XY[own + c] = XY[own + c - 1] + XY[own + c];
  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();
    T sum = T{};
    if (i >= stride) sum = XY[last - stride * COARSE_FACTOR] + XY[last];
    __syncthreads();
    if (i >= stride) XY[last] = sum;
  }
  __syncthreads();
  for (unsigned c = 0; i > 0 && c + 1 < COARSE_FACTOR; ++c) XY[own + c] = XY[own - 1] + XY[own + c];
  __syncthreads();
  for (unsigned k = i; k < kSection; k += THREADS) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
