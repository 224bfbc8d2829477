// Lab 2: double-buffered Kogge-Stone scan
//
// The kernel is launched with SECTION_SIZE threads a block; every block scans one section of
// SECTION_SIZE elements on its own, and the last section may be only partly filled. SECTION_SIZE
// is a power of two from 32 to 1024. T is any type with an operator +; T{} is its identity.
//
// In lab 1 each step needed two barriers. Here it may have one.
//
// Check your work at any time with:   ./scanlab check double_buffered
// Stuck?                              ./scanlab hint double_buffered
#include <cuda_runtime.h>

// Inclusive: Y[i] is the sum of the section's elements up to and including X[i].
template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 1: In lab 1, which of the two barriers was there only because a step reads and writes the
  //         same array? What memory do you need to do without it?

  // TODO 2: Load the section, as in lab 1. Into which of your arrays?

  // TODO 3: The steps. In each of them:
  //         - Where does a thread read from, and where does it write to?
  //         - What must a thread do that has no partner `stride` elements to its left?
  //         - How do the two arrays change places for the next step? No data need be moved.
  //         - Where does the one barrier stand, and which two hazards does it end?

  // TODO 4: Store. Which array holds the result? Is it the same one for every SECTION_SIZE?
}
