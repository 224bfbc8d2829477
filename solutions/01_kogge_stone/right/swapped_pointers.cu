// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: two arrays whose pointers change places, as in lab 2
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T front[SECTION_SIZE];
  __shared__ T back[SECTION_SIZE];
  T* in = front;
  T* out = back;
  const unsigned t = threadIdx.x;
  const unsigned g = blockIdx.x * SECTION_SIZE + t;
  in[t] = g < N ? X[g] : T{};
  for (unsigned d = 1; d < SECTION_SIZE; d *= 2) {
    __syncthreads();
    out[t] = t < d ? in[t] : in[t - d] + in[t];
    T* tmp = in;
    in = out;
    out = tmp;
  }
  if (g < N) Y[g] = in[t];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T front[SECTION_SIZE];
  __shared__ T back[SECTION_SIZE];
  T* in = front;
  T* out = back;
  const unsigned t = threadIdx.x;
  const unsigned g = blockIdx.x * SECTION_SIZE + t;
  in[t] = t > 0 && g < N ? X[g - 1] : T{};
  for (unsigned d = 1; d < SECTION_SIZE; d *= 2) {
    __syncthreads();
    out[t] = t < d ? in[t] : in[t - d] + in[t];
    T* tmp = in;
    in = out;
    out = tmp;
  }
  if (g < N) Y[g] = in[t];
}
