// Lab 5: the hierarchical scan. Scan an array that is longer than one block.
//
// Three kernels, one after the other:
//   1. scan_sections    every block scans its own section and leaves the section's sum in S
//   2. scan_block_sums  the block sums in S are scanned
//   3. add_block_sums   every block adds what lies before its section to each of its elements
// and a host driver that launches them. The driver alone is called by the checks; the order in
// which blocks run, and how many run at a time, is the machine's choice.
//
// T is any type of 4 or 8 bytes with an associative + ; T{} is its identity. Write earlier + later.
#include <cuda_runtime.h>

// Launched with SECTION_SIZE threads in each block, one block for each section.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  // TODO 1: Scan the section of this block, with the kernel you know from an earlier lab. The last
  //         section may be short: what do its threads past the end of X put in their place?
  //
  // TODO 2: Leave the sum of the whole section in S[blockIdx.x]. Which thread has it? If another
  //         thread is to store it, what has to happen in between?
}

// Launched with one block of SECTION_SIZE threads.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  // TODO 3: Scan the M block sums in place. How does this differ from TODO 1, now that there is one
  //         block only? Most often M is not SECTION_SIZE.
}

// Launched like scan_sections.
template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  // TODO 4: Add to each element what lies before its section. Which entry of the scanned S is that,
  //         which section has none, and on which side of the + does it stand?
}

// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each.
template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 5: How many sections are there? N may be 0, and N may be so large that N + SECTION_SIZE
  //         does not fit in an unsigned. What would a launch of 0 blocks do?
  //
  // TODO 6: Allocate S on the device, launch the three kernels, free S again. Why is no
  //         synchronisation needed between the kernels?
  //
  // TODO 7: One block scans up to SECTION_SIZE block sums. What if there are more of them? You have
  //         just written a function that scans an array of any length.
}
