// Lab 6: the domino scan, in one kernel. Every block scans its own section, waits for the sum of
// everything before it, adds its own sum and passes the result on to the next: like dominoes.
// The data is read once and written once, where the three kernels of lab 5 touch it twice.
//
// Blocks talk through global memory: scan_value[p] is the sum of all sections before section p, and
// flags[p] says that it is there. Both have one entry more than there are sections, so that the
// last block needs no special case.
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

// [region pass_on]
// One thread of section p: waits for the sum before the section, passes on the sum after it, and
// returns the former.
template <typename T>
__device__ T pass_on(unsigned p, T section_sum, unsigned* flags, T* scan_value) {
  T carry{};
  if (p > 0) {
    while (atomicAdd(&flags[p], 0u) == 0u) {
    }
    __threadfence();  // ends: reading scan_value[p] before the flag was seen
    carry = scan_value[p];
  }
  scan_value[p + 1] = carry + section_sum;
  __threadfence();  // ends: the flag becoming visible to section p + 1 before the value
  atomicExch(&flags[p + 1], 1u);
  return carry;
}
// [/region]

// [region domino_scan_kernel]
// <<<M, SECTION_SIZE>>>; flags and block_counter all 0 at the start.
template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ unsigned section;
  __shared__ T carry;
  const unsigned tx = threadIdx.x;

  // Phase 0: draw a number. Blocks may start in any order, and a block that waits keeps its place
  // on the device. With numbers drawn at the start, all sections before this one have a running
  // block.
  if (tx == 0) section = atomicAdd(block_counter, 1u);
  __syncthreads();  // ends: reading the number before thread 0 has stored it
  const unsigned p = section;
  const unsigned i = p * SECTION_SIZE + tx;

  // Phase 1: scan the section.
  XY[tx] = i < N ? X[i] : T{};
  scan_in_shared_memory<T, SECTION_SIZE>(XY);

  // Phase 2: the last thread stored the section's sum itself, so it can use it without a barrier.
  if (tx == SECTION_SIZE - 1) carry = pass_on(p, XY[tx], flags, scan_value);
  __syncthreads();  // ends: reading the carry before the last thread has stored it

  // Phase 3: every element gets what lies before its section, earlier + later.
  if (i < N) Y[i] = carry + XY[tx];
}
// [/region]

// [region driver]
// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each; any N, 0 included.
template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;  // a grid of no blocks is no valid launch
  // Not (N + SECTION_SIZE - 1) / SECTION_SIZE: that sum wraps around for N near 2^32.
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned* flags = nullptr;
  unsigned* block_counter = nullptr;
  T* scan_value = nullptr;
  check(cudaMalloc(&flags, (M + 1) * sizeof(unsigned)));
  check(cudaMalloc(&block_counter, sizeof(unsigned)));
  check(cudaMalloc(&scan_value, (M + 1) * sizeof(T)));
  check(cudaMemset(flags, 0, (M + 1) * sizeof(unsigned)));  // anew for each launch
  check(cudaMemset(block_counter, 0, sizeof(unsigned)));

  domino_scan_kernel<T, SECTION_SIZE>
      <<<M, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);
  check(cudaGetLastError());

  check(cudaFree(scan_value));  // waits for the kernel
  check(cudaFree(block_counter));
  check(cudaFree(flags));
}
// [/region]
