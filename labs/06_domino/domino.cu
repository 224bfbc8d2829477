// Lab 6: the domino scan. One kernel scans an array of any length.
//
// Every block scans its own section, waits until the block before it has passed on the sum of
// everything so far, adds its own sum and passes the result on. Blocks talk through global memory:
//   scan_value     sums, passed from one section to the next
//   flags          say that a sum is there
//   block_counter  counts the blocks that have started
// What exactly stands in these arrays, how long they are and what they hold at the start is up to
// you.
//
// The host driver alone is called by the checks. The order in which blocks start, and how many run
// at a time, is the machine's choice.
//
// T is any type of 4 or 8 bytes with an associative + ; T{} is its identity. Write earlier + later.
#include <cuda_runtime.h>

// Launched with SECTION_SIZE threads in each block, one block for each section.
template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  // TODO 1: Which section is this block's? With blockIdx.x, block 1 may be on the device, waiting
  //         for block 0, which cannot start until block 1 is done. Let the block draw its number
  //         from block_counter instead. One thread draws; how do the others learn of it?
  //
  // TODO 2: Scan the section, as in the labs before. Threads past the end of X count as identities.
  //
  // TODO 3: One thread waits for the flag of its section. Which section has nobody to wait for? The
  //         flag must be read from memory again at each look: a plain read will not do.
  //
  // TODO 4: The same thread passes on the sum up to and with its section, then sets the next flag.
  //         What must stand between the two, so that nobody sees the flag before the sum? And is
  //         the section's own sum surely complete when this thread reads it?
  //
  // TODO 5: Every thread adds what came in to its element, and stores the result in Y. How do the
  //         threads that did not wait learn of the value?
}

// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each.
template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 6: How many sections are there? N may be 0, and N may be so large that N + SECTION_SIZE
  //         does not fit in an unsigned.
  //
  // TODO 7: Allocate what the kernel needs. How many flags, and how many sums, does it touch?
  //         Memory from cudaMalloc holds anything. Which of the arrays must be set, and to what?
  //
  // TODO 8: Launch, and free what you allocated. Your driver is called twice in a row: does the
  //         second call start from the same state as the first?
}
