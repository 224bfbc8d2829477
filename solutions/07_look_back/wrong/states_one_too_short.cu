// expect: fail memory.out_of_bounds
// allow: value.wrong,value.unwritten,run.crash
// forbid: race.shared,fence.missing
// why: no place for the state of the last tile, whole or not
// line: 57
#include <cuda_runtime.h>

constexpr unsigned TILE = 256;
enum : unsigned { EMPTY = 0, AGGREGATE = 1, PREFIX = 2 };

template <typename T>
__device__ T look_back(unsigned p, unsigned* status, T* aggregate, T* prefix) {
  T carry{};
  for (unsigned q = p; q > 0; --q) {
    unsigned seen;
    do {
      seen = atomicAdd(&status[q - 1], 0u);
    } while (seen == EMPTY);
    __threadfence();
    if (seen == PREFIX) return prefix[q - 1] + carry;
    carry = aggregate[q - 1] + carry;
  }
  return carry;
}

template <typename T>
__global__ void look_back_kernel(const T* X, T* Y, unsigned N, unsigned* status, T* aggregate, T* prefix,
                                 unsigned* counter) {
  __shared__ T XY[TILE];
  __shared__ T carry;
  __shared__ unsigned tile;
  const unsigned tx = threadIdx.x;
  if (tx == 0) tile = atomicAdd(counter, 1u);
  __syncthreads();
  const unsigned p = tile;
  const unsigned i = p * TILE + tx;

  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < TILE; stride *= 2) {
    __syncthreads();
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();
    if (tx >= stride) XY[tx] = sum;
  }

  if (tx == TILE - 1) {
    T before{};
    if (p > 0) {
      aggregate[p] = XY[tx];
      __threadfence();
      atomicExch(&status[p], AGGREGATE);
      before = look_back(p, status, aggregate, prefix);
    }
    prefix[p] = before + XY[tx];
    __threadfence();
    atomicExch(&status[p], PREFIX);
    carry = before;
  }
  __syncthreads();
  if (i < N) Y[i] = carry + XY[tx];
}

template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned M = N / TILE + (N % TILE != 0);
  unsigned *status, *counter;
  T *aggregate, *prefix;
  cudaMalloc(&status, N / TILE * sizeof(unsigned));
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMalloc(&aggregate, M * sizeof(T));
  cudaMalloc(&prefix, M * sizeof(T));
  cudaMemset(status, 0, N / TILE * sizeof(unsigned));
  cudaMemset(counter, 0, sizeof(unsigned));
  look_back_kernel<T><<<M, TILE>>>(X, Y, N, status, aggregate, prefix, counter);
  cudaFree(status);
  cudaFree(counter);
  cudaFree(aggregate);
  cudaFree(prefix);
}
