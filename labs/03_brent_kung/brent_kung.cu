// Lab 3: Brent-Kung scan
//
// Both kernels are launched with SECTION_SIZE / 2 threads a block, half as many as there are
// elements in a section. Every block scans one section of SECTION_SIZE elements on its own; the
// last section may be only partly filled. SECTION_SIZE is a power of two from 64 to 2048.
// T is any type with an operator +; T{} is its identity.
//
// Kogge-Stone needs S * log2(S) - (S - 1) additions; this algorithm needs 2 * S - 2 - log2(S).
//
// Check your work at any time with:   ./scanlab check brent_kung
// Stuck?                              ./scanlab hint brent_kung
#include <cuda_runtime.h>

// Inclusive: Y[i] is the sum of the section's elements up to and including X[i].
template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 1: Load. Each thread brings in two elements. Which two should they be, so that
  //         neighbouring threads still read neighbouring elements? Mind the end of the input.

  // TODO 2: The reduction tree, with stride 1, 2, 4, ... In the step with stride 1 elements
  //         1, 3, 5, ... take in their left neighbours; with stride 2 elements 3, 7, 11, ... take
  //         in the element two to their left; and so on.
  //         - Which element does thread 0 work on in each step? And thread 1?
  //           Find the formula that gives the working elements to threads 0, 1, 2, ... in a row,
  //           so that warps fall idle as a whole.
  //         - When is the computed index beyond the section?

  // TODO 3: The reverse tree, with stride SECTION_SIZE / 4 down to 1. Elements that are finished
  //         hand their sum to the element `stride` places to their right. Draw it for 16 elements.

  // TODO 4: Store. Did this thread compute the elements that it is about to store? If it did not,
  //         what must happen first?
  //
  // In TODO 2 to 4: which barriers are needed? No step needs two. Why is that so here?
}

// Exclusive: Y[i] is the sum of the section's elements before X[i]; the first element of every
// section gets T{}.
template <typename T, unsigned SECTION_SIZE>
__global__ void brent_kung_exclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 5: The same two trees. What is loaded differently?
  //         (If you would rather not write the trees twice, put them in __device__ functions.)
}
