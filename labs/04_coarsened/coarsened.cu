// Lab 4: thread coarsening
//
// The kernel is launched with THREADS threads a block (32 to 1024), and every block scans one
// section of THREADS * COARSE_FACTOR elements on its own (at most 4096). COARSE_FACTOR is 2 to 16;
// both are powers of two. The last section may be only partly filled.
// T is any type with an operator +; T{} is its identity.
//
// The plan has three phases:
//   1. each thread scans its own subsection of COARSE_FACTOR neighbouring elements, sequentially;
//   2. the threads scan the last elements of the subsections together;
//   3. each thread adds what stands before its subsection to the elements of its subsection.
//
// Check your work at any time with:   ./scanlab check coarsened
// Stuck?                              ./scanlab hint coarsened
#include <cuda_runtime.h>

// Inclusive: Y[i] is the sum of the section's elements up to and including X[i].
template <typename T, unsigned THREADS, unsigned COARSE_FACTOR>
__global__ void coarsened_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 1: Load. If every thread loaded its own subsection straight from X, how far apart would
  //         the addresses be that the threads of a warp read at the same time?
  //         Who should load which element, and where to, so that they are neighbours?

  // TODO 2: Phase 1. Which elements of the section are this thread's subsection? Who loaded them?
  //         How many additions does a subsection need?

  // TODO 3: Phase 2. There is one last element per subsection, so one per thread. Use a scan that
  //         you know. Which barriers does it need, the first one included?

  // TODO 4: Phase 3. Which value does this thread add? To which of its elements must it not be
  //         added, because phase 2 has been there already? And what about thread 0?

  // TODO 5: Store, as you loaded. Who computed the elements that this thread stores?
}
