// Coarsened scan: every block scans one section of THREADS * COARSE_FACTOR elements on its own.
//
// Each thread owns a subsection of COARSE_FACTOR neighbouring elements and scans it alone, which
// costs no more additions than a sequential scan. Only the subsections' last elements (one per
// thread) go through a parallel scan; then each thread adds what came before its subsection.
// With S = T * C: (S - T) + (T * log2(T) - (T - 1)) + (T - 1) * (C - 1) additions.
#include <cuda_runtime.h>

// [region padding]
// Where element k of the section stands in shared memory. Without the gaps, threads that walk
// through their subsections side by side would be COARSE_FACTOR elements apart and meet in the
// same few banks; one free element after every 128 bytes (all banks once) spreads them out.
template <typename T>
__device__ unsigned place(unsigned k) {
  return k + k / (128 / sizeof(T));
}
// [/region padding]

// [region phase1]
// Phase 1: the thread's own subsection, sequentially. Nobody else touches it: no barriers.
template <typename T, unsigned COARSE_FACTOR>
__device__ void scan_own_subsection(T* XY) {
  const unsigned own = threadIdx.x * COARSE_FACTOR;
  for (unsigned c = 1; c < COARSE_FACTOR; ++c) {
    XY[place<T>(own + c)] = XY[place<T>(own + c - 1)] + XY[place<T>(own + c)];
  }
}
// [/region phase1]

// [region phase2]
// Phase 2: Kogge-Stone over the last elements of the subsections, one per thread, where they are.
template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__device__ void scan_last_elements(T* XY) {
  const unsigned tx = threadIdx.x;
  const unsigned last = tx * COARSE_FACTOR + COARSE_FACTOR - 1;

  for (unsigned stride = 1; stride < THREADS; stride *= 2) {
    __syncthreads();  // ends read-after-write: the left neighbour has stored what we read next
    T sum = T{};
    if (tx >= stride) {
      sum = XY[place<T>(last - stride * COARSE_FACTOR)] + XY[place<T>(last)];  // earlier + later
    }
    __syncthreads();  // ends write-after-read: the right neighbour has read what we overwrite
    if (tx >= stride) XY[place<T>(last)] = sum;
  }
}
// [/region phase2]

// [region phase3]
// Phase 3: the sum of everything before the subsection goes to all its elements but the last,
// which phase 2 has finished. Thread 0 has nothing before it.
template <typename T, unsigned COARSE_FACTOR>
__device__ void add_carry_in(T* XY) {
  const unsigned own = threadIdx.x * COARSE_FACTOR;
  if (own == 0) return;
  const T carry_in = XY[place<T>(own - 1)];
  for (unsigned c = 0; c + 1 < COARSE_FACTOR; ++c) {
    XY[place<T>(own + c)] = carry_in + XY[place<T>(own + c)];
  }
}
// [/region phase3]

// [region kernel]
template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  constexpr unsigned kSectionSize = THREADS * COARSE_FACTOR;
  __shared__ T XY[kSectionSize + kSectionSize / (128 / sizeof(T))];
  const unsigned begin = blockIdx.x * kSectionSize;

  // Load: neighbouring threads take neighbouring elements, THREADS at a time, whoever will own
  // them. This is what keeps the global accesses coalesced; the subsections are for later.
  for (unsigned k = threadIdx.x; k < kSectionSize; k += THREADS) {
    XY[place<T>(k)] = begin + k < N ? X[begin + k] : T{};
  }

  __syncthreads();  // ends read-after-write: our subsection was loaded by other threads
  scan_own_subsection<T, COARSE_FACTOR>(XY);

  scan_last_elements<T, THREADS, COARSE_FACTOR>(XY);  // begins with a barrier of its own

  __syncthreads();  // ends read-after-write: the left neighbour's last element is finished
  add_carry_in<T, COARSE_FACTOR>(XY);

  __syncthreads();  // ends read-after-write: what we store was finished by other threads
  for (unsigned k = threadIdx.x; k < kSectionSize; k += THREADS) {
    if (begin + k < N) Y[begin + k] = XY[place<T>(k)];
  }
}
// [/region kernel]
