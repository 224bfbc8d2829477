// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: SECTION_SIZE identities stand before the section, so that no thread needs to ask for its partner before it reads
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T padded[2 * SECTION_SIZE];
  T* XY = padded + SECTION_SIZE;
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  padded[tx] = T{};
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T partner = XY[int(tx) - int(stride)];
    __syncthreads();
    if (tx >= stride) XY[tx] = partner + XY[tx];
  }
  if (i < N) Y[i] = XY[tx];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T padded[2 * SECTION_SIZE];
  T* XY = padded + SECTION_SIZE;
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  padded[tx] = T{};
  XY[tx] = i < N && tx > 0 ? X[i - 1] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T partner = XY[int(tx) - int(stride)];
    __syncthreads();
    if (tx >= stride) XY[tx] = partner + XY[tx];
  }
  if (i < N) Y[i] = XY[tx];
}
