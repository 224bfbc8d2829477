// Lab 5: the hierarchical scan. Three kernels scan an array of any length:
//   1. every block scans its own section and leaves the section's sum in S;
//   2. S is scanned, so that S[b] becomes the sum of the sections 0..b;
//   3. every block adds the sum of all earlier sections to each of its elements.
// Blocks cannot wait for each other at a barrier. They need not: a kernel starts only when the
// kernel launched before it is done, so each launch is a barrier for the whole grid.
#include <cuda_runtime.h>
#include <cassert>

inline void check(cudaError_t status) { assert(status == cudaSuccess); }

// [region scan_in_shared_memory]
// Kogge-Stone, as in lab 1: one thread for each element of XY, inclusive, in place.
template <typename T, unsigned SECTION_SIZE>
__device__ void scan_in_shared_memory(T* XY) {
  const unsigned tx = threadIdx.x;
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();  // ends: reading a neighbour that its own thread has not stored yet
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();  // ends: overwriting an element that a later thread has still to read
    if (tx >= stride) XY[tx] = sum;
  }
}
// [/region]

// [region scan_sections]
// Phase 1. <<<M, SECTION_SIZE>>>: Y gets each section scanned on its own, S[b] the sum of section
// b. X and Y may be the same array: element i is read and written by one thread only.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  XY[tx] = i < N ? X[i] : T{};  // the last section is filled up with identities
  scan_in_shared_memory<T, SECTION_SIZE>(XY);

  // Each thread stores the element that it wrote itself, so no barrier is needed here.
  if (i < N) Y[i] = XY[tx];
  if (tx == SECTION_SIZE - 1) S[blockIdx.x] = XY[tx];
}
// [/region]

// [region scan_block_sums]
// Phase 2. <<<1, SECTION_SIZE>>>: scans the M <= SECTION_SIZE block sums in place.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;

  XY[tx] = tx < M ? S[tx] : T{};
  scan_in_shared_memory<T, SECTION_SIZE>(XY);
  if (tx < M) S[tx] = XY[tx];
}
// [/region]

// [region add_block_sums]
// Phase 3. <<<M, SECTION_SIZE>>>: section b still lacks everything before it, which is S[b - 1].
template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  const unsigned i = blockIdx.x * SECTION_SIZE + threadIdx.x;
  if (blockIdx.x > 0 && i < N) Y[i] = S[blockIdx.x - 1] + Y[i];  // earlier + later
}
// [/region]

// [region driver]
// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each; any N, 0 included.
template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;  // a grid of no blocks is no valid launch
  // Not (N + SECTION_SIZE - 1) / SECTION_SIZE: that sum wraps around for N near 2^32.
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  T* S = nullptr;
  check(cudaMalloc(&S, M * sizeof(T)));

  scan_sections<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(X, Y, S, N);
  check(cudaGetLastError());
  if (M > 1) {
    if (M <= SECTION_SIZE) {
      scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE>>>(S, M);
      check(cudaGetLastError());
    } else {
      hierarchical_inclusive_scan<T, SECTION_SIZE>(S, S, M);  // too many sums for one block
    }
    add_block_sums<T, SECTION_SIZE><<<M, SECTION_SIZE>>>(Y, S, N);
    check(cudaGetLastError());
  }
  check(cudaFree(S));  // waits for the kernels that still use S
}
// [/region]
