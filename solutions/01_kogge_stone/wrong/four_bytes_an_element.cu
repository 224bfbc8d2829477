// expect: fail memory.illegal,race.shared,memory.out_of_bounds
// allow: value.wrong,memory.illegal,run.crash,value.unwritten,value.wrong,memory.uninitialized,steps.too_many,work.wrong
// why: takes every element for 4 bytes: with 8-byte elements the addresses are misaligned and overlap
// line: 13
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  char* bytes = reinterpret_cast<char*>(XY);
  T* own = reinterpret_cast<T*>(bytes + 4 * threadIdx.x);
  *own = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T temp = T{};
    if (threadIdx.x >= stride) {
      temp = *reinterpret_cast<T*>(bytes + 4 * (threadIdx.x - stride)) + *own;
    }
    __syncthreads();
    if (threadIdx.x >= stride) *own = temp;
  }
  if (i < N) Y[i] = *own;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && threadIdx.x != 0) {
    XY[threadIdx.x] = X[i - 1];
  } else {
    XY[threadIdx.x] = T{};
  }
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    T temp = T{};
    if (threadIdx.x >= stride) temp = XY[threadIdx.x - stride] + XY[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
