// Lab 1: Kogge-Stone scan
//
// Both kernels are launched with SECTION_SIZE threads a block and as many blocks as it takes to
// cover N elements. Every block scans one section of SECTION_SIZE elements on its own; the last
// section may be only partly filled. SECTION_SIZE is a power of two from 32 to 1024.
//
// T is some type with an operator +. It need not be a number: write T{} for the value that
// changes nothing when it is added (the identity), never 0.
//
// Check your work at any time with:   ./scanlab check kogge_stone
// Stuck?                              ./scanlab hint kogge_stone
#include <cuda_runtime.h>

// Inclusive: Y[i] is the sum of the section's elements up to and including X[i].
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 1: The threads of the block work on the section together. Which memory can all of them
  //         see, and how many elements of T must it hold?

  // TODO 2: Load. Which element of X belongs to this thread of this block? What must stand in the
  //         place of the elements that a partly filled last section does not have?

  // TODO 3: The steps, with stride 1, 2, 4, ... Which threads have a partner `stride` elements to
  //         their left, and how many steps are needed?
  //         For each step ask two questions:
  //         - Is the value that I am about to read there yet?
  //         - Has everybody who needs the value that I am about to overwrite read it?
  //         Each "not surely" is a barrier. Every thread of the block must come to it.

  // TODO 4: Store. Which threads have an element of Y?
}

// Exclusive: Y[i] is the sum of the section's elements before X[i]; the first element of every
// section gets T{}.
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 5: The steps can stay as they are. What could you load differently, so that the same
  //         steps give the exclusive scan? What does the first thread of each block load?
  //         (If you would rather not write the steps twice, put them in a __device__ function.)
}
