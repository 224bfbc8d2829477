// Lab 5 with the coarsened scan of lab 4 inside: as fast as three kernels allow.
//
// What limits it: the data is read and written twice (once to scan the sections, once to add what
// lies before them), so it cannot pass 50 % of a copy's speed. What each choice below is for:
//   - long sections: fewer block sums, and little shared memory and few barriers for each element;
//   - a thread scans its subsection in registers: shared memory only turns the layout round;
//   - padding, k + k / 32: without it the threads of a warp meet in two banks;
//   - two buffers in phase 2: one barrier a step instead of two;
//   - the last kernel goes through the array from its end: what was written last is still in the L2
//   cache.
#include <cuda_runtime.h>
#include <cassert>

inline void check(cudaError_t status) {
  assert(status == cudaSuccess);
  static_cast<void>(status);
}

// [region sizes]
// Elements of a thread, and threads of a block, for a section of SECTION_SIZE.
template <unsigned SECTION_SIZE>
struct Coarse {
  static constexpr unsigned kFactor = SECTION_SIZE >= 512 ? 16 : 2;
  static constexpr unsigned kThreads = SECTION_SIZE / kFactor;
};

// Where element k of the section stands in shared memory: a gap after every 128 bytes.
template <typename T>
__device__ unsigned place(unsigned k) {
  return k + k / (128 / sizeof(T));
}
// [/region]

// [region scan_section]
// Phase 2 of the coarsened scan: the sum of everything before each thread's subsection. `last` is
// the subsection's own sum. Kogge-Stone, double-buffered; returns the exclusive sum.
template <typename T, unsigned THREADS>
__device__ T scan_last_elements(T last, T (*buffer)[THREADS]) {
  const unsigned tx = threadIdx.x;
  unsigned source = 0;
  buffer[0][tx] = last;
  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();  // ends both hazards: the source is stored, and the target's last readers are
                      // done
    if (tx >= stride) last = buffer[source][tx - stride] + last;  // earlier + later
    source ^= 1;
    buffer[source][tx] = last;
  }
  __syncthreads();  // ends read-after-write: the left neighbour's sum is there
  return tx > 0 ? buffer[source][tx - 1] : T{};
}

// Scans the section that begins at `begin` from X into Y. The last thread returns the section's
// sum.
template <typename T, unsigned SECTION_SIZE>
__device__ T scan_section(const T* X, T* Y, unsigned begin, unsigned N) {
  constexpr unsigned kFactor = Coarse<SECTION_SIZE>::kFactor;
  constexpr unsigned kThreads = Coarse<SECTION_SIZE>::kThreads;
  __shared__ T XY[SECTION_SIZE + SECTION_SIZE / (128 / sizeof(T))];
  __shared__ T buffer[2][kThreads];
  const unsigned tx = threadIdx.x;
  const unsigned length = N - begin < SECTION_SIZE ? N - begin : SECTION_SIZE;

  // Load: neighbouring threads take neighbouring elements; all loads are started before the first
  // is used.
  T own[kFactor];
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) {
    const unsigned k = c * kThreads + tx;
    own[c] = k < length ? X[begin + k] : T{};
  }
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) XY[place<T>(c * kThreads + tx)] = own[c];
  __syncthreads();  // ends read-after-write: our subsection was loaded by other threads

  // Phase 1: the subsection, in registers.
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) own[c] = XY[place<T>(tx * kFactor + c)];
#pragma unroll
  for (unsigned c = 1; c < kFactor; ++c) own[c] = own[c - 1] + own[c];

  const T before = scan_last_elements<T, kThreads>(own[kFactor - 1], buffer);

  // Phase 3: add what lies before; nobody else touches our subsection, so no barrier is needed
  // first.
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) {
    own[c] = before + own[c];
    XY[place<T>(tx * kFactor + c)] = own[c];
  }
  __syncthreads();  // ends read-after-write: what we store was finished by other threads
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) {
    const unsigned k = c * kThreads + tx;
    if (k < length) Y[begin + k] = XY[place<T>(k)];
  }
  return own[kFactor - 1];
}
// [/region]

// [region kernels]
// <<<M, Coarse<SECTION_SIZE>::kThreads>>>: Y gets each section scanned on its own, S[b] the sum of
// section b. X and Y may be the same array.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  const T sum = scan_section<T, SECTION_SIZE>(X, Y, blockIdx.x * SECTION_SIZE, N);
  if (threadIdx.x == Coarse<SECTION_SIZE>::kThreads - 1) S[blockIdx.x] = sum;
}

// <<<1, Coarse<SECTION_SIZE>::kThreads>>>: scans the M <= SECTION_SIZE block sums in place.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  scan_section<T, SECTION_SIZE>(S, S, 0, M);
}

// <<<M, Coarse<SECTION_SIZE>::kThreads>>>: section b still lacks everything before it, which is S[b
// - 1].
template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  constexpr unsigned kFactor = Coarse<SECTION_SIZE>::kFactor;
  constexpr unsigned kThreads = Coarse<SECTION_SIZE>::kThreads;
  const unsigned section = gridDim.x - 1 - blockIdx.x;  // from the end: it was written last
  if (section == 0) return;
  const unsigned begin = section * SECTION_SIZE;
  const unsigned length = N - begin < SECTION_SIZE ? N - begin : SECTION_SIZE;
  const T before = S[section - 1];
  T own[kFactor];
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) {
    const unsigned k = c * kThreads + threadIdx.x;
    own[c] = k < length ? Y[begin + k] : T{};
  }
#pragma unroll
  for (unsigned c = 0; c < kFactor; ++c) {
    const unsigned k = c * kThreads + threadIdx.x;
    if (k < length) Y[begin + k] = before + own[c];  // earlier + later
  }
}
// [/region]

// [region driver]
// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each; any N, 0 included.
template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  constexpr unsigned kThreads = Coarse<SECTION_SIZE>::kThreads;
  if (N == 0) return;  // a grid of no blocks is no valid launch
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);  // no overflow for N near 2^32
  T* S = nullptr;
  check(cudaMalloc(&S, M * sizeof(T)));

  scan_sections<T, SECTION_SIZE><<<M, kThreads>>>(X, Y, S, N);
  check(cudaGetLastError());
  if (M > 1) {
    if (M <= SECTION_SIZE) {
      scan_block_sums<T, SECTION_SIZE><<<1, kThreads>>>(S, M);
      check(cudaGetLastError());
    } else {
      hierarchical_inclusive_scan<T, SECTION_SIZE>(S, S, M);  // too many sums for one block
    }
    add_block_sums<T, SECTION_SIZE><<<M, kThreads>>>(Y, S, N);
    check(cudaGetLastError());
  }
  check(cudaFree(S));  // waits for the kernels that still use S
}
// [/region]
