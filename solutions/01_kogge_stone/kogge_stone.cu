// Kogge-Stone scan: every block scans one section of the input on its own.
//
// One thread per element. After k steps element i holds the sum of itself and of its left
// neighbours, 2^k elements in all; so log2(SECTION_SIZE) steps are enough.
// Work for a full section: S * log2(S) - (S - 1) additions. Steps: log2(S).
#include <cuda_runtime.h>

// [region steps]
// Scans XY[0 .. SECTION_SIZE) in place. Every thread of the block must call it.
// A thread's own element may be read after the call without a further barrier.
template <typename T, unsigned SECTION_SIZE>
__device__ void kogge_stone_steps(T* XY) {
  const unsigned tx = threadIdx.x;

  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();  // ends read-after-write: the left neighbour has stored what we read next
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];  // earlier + later

    __syncthreads();  // ends write-after-read: the right neighbour has read what we overwrite
    if (tx >= stride) XY[tx] = sum;
  }
}
// [/region steps]

// [region inclusive]
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  // Phase 1: load the section; beyond the end of the input stands the identity.
  XY[tx] = i < N ? X[i] : T{};

  // Phase 2: the steps. They begin with a barrier, so none is needed here.
  kogge_stone_steps<T, SECTION_SIZE>(XY);

  // Phase 3: store. Each thread stores what it wrote itself, so no barrier is needed.
  if (i < N) Y[i] = XY[tx];
}
// [/region inclusive]

// [region exclusive]
// The same steps on a section shifted by one: element i holds X[i - 1] when they begin.
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  // Phase 1: load shifted. The first element of a section has nothing on its left: the identity.
  // It is tx, not i, that says which element is the first: every section starts anew.
  XY[tx] = (tx > 0 && i < N) ? X[i - 1] : T{};

  // Phase 2: the same steps.
  kogge_stone_steps<T, SECTION_SIZE>(XY);

  // Phase 3: store.
  if (i < N) Y[i] = XY[tx];
}
// [/region exclusive]
