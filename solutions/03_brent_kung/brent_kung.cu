// Brent-Kung scan: every block scans one section of the input on its own.
//
// Half as many threads as elements. A reduction tree (upsweep) sums ever larger groups into their
// last elements; a reverse tree (downsweep) hands these sums to the elements between them.
// Work for a full section: (S - 1) + (S - 1 - log2(S)) = 2S - 2 - log2(S) additions.
// Steps: log2(S) + log2(S) - 1.
#include <cuda_runtime.h>

// [region upsweep]
// Phase 2: the reduction tree. Afterwards the last element of each aligned group of 2 * stride
// elements holds the sum of the group, for every stride.
// Threads 0, 1, 2, ... take the 1st, 2nd, 3rd, ... group: the threads that still work stand side
// by side, and whole warps fall idle together instead of diverging.
template <typename T, unsigned SECTION_SIZE>
__device__ void upsweep(T* XY) {
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();  // ends read-after-write: both halves of the group have their sums
    const unsigned last = (threadIdx.x + 1) * 2 * stride - 1;
    if (last < SECTION_SIZE) XY[last] = XY[last - stride] + XY[last];  // earlier + later
  }
}
// [/region upsweep]

// [region downsweep]
// Phase 3: the reverse tree. XY[last] is finished and XY[last + stride] holds the sum of the
// `stride` elements that follow it; together they finish XY[last + stride].
template <typename T, unsigned SECTION_SIZE>
__device__ void downsweep(T* XY) {
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();  // ends read-after-write: the level above has finished XY[last]
    const unsigned last = (threadIdx.x + 1) * 2 * stride - 1;
    if (last + stride < SECTION_SIZE) XY[last + stride] = XY[last] + XY[last + stride];
  }
}
// [/region downsweep]

// [region inclusive]
template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned begin = blockIdx.x * SECTION_SIZE;

  // Phase 1: each thread loads two elements, half a section apart, so that neighbouring threads
  // read neighbouring elements. Beyond the end of the input stands the identity.
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    XY[k] = begin + k < N ? X[begin + k] : T{};
  }

  upsweep<T, SECTION_SIZE>(XY);
  downsweep<T, SECTION_SIZE>(XY);

  // Phase 4: store, two elements a thread.
  __syncthreads();  // ends read-after-write: the elements a thread stores are other threads' work
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
// [/region inclusive]

// [region exclusive]
// The same two trees on a section shifted by one: element k holds X[begin + k - 1] at the start.
template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned begin = blockIdx.x * SECTION_SIZE;

  // Phase 1: load shifted; the first element of a section has nothing on its left: the identity.
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    XY[k] = (k > 0 && begin + k < N) ? X[begin + k - 1] : T{};
  }

  upsweep<T, SECTION_SIZE>(XY);
  downsweep<T, SECTION_SIZE>(XY);

  // Phase 4: store.
  __syncthreads();  // ends read-after-write: the elements a thread stores are other threads' work
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += blockDim.x) {
    if (begin + k < N) Y[begin + k] = XY[k];
  }
}
// [/region exclusive]
