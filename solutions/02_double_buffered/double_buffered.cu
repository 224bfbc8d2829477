// Double-buffered Kogge-Stone scan: every block scans one section of the input on its own.
//
// The plain Kogge-Stone scan reads and writes the same array, so each step needs two barriers:
// one before the reads and one before the writes. With two arrays that change places after each
// step nobody overwrites what another thread still reads: one barrier a step is enough.
// Work for a full section: S * log2(S) - (S - 1) additions. Steps: log2(S). Barriers: log2(S).
// The price: twice the shared memory, and threads that add nothing must copy their element.
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T* X, T* Y, unsigned N) {
  // [region buffers]
  __shared__ T buffer[2][SECTION_SIZE];
  T* source = buffer[0];
  T* target = buffer[1];
  // [/region buffers]
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;

  // Phase 1: load the section; beyond the end of the input stands the identity.
  source[tx] = i < N ? X[i] : T{};

  // [region steps]
  // Phase 2: log2(SECTION_SIZE) steps, each from source to target.
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    // One barrier ends both hazards. Read-after-write: what the last step stored in `source` is
    // there. Write-after-read: everyone has read the last step's source, which is `target` now.
    __syncthreads();
    if (tx >= stride) {
      target[tx] = source[tx - stride] + source[tx];  // earlier + later
    } else {
      target[tx] = source[tx];  // finished, but the next step reads it from the other array
    }

    T* const written = target;
    target = source;
    source = written;
  }
  // [/region steps]

  // Phase 3: store. The last swap made `source` the finished array, and each thread stores the
  // element that it wrote itself, so no barrier is needed.
  if (i < N) Y[i] = source[tx];
}
