// The kernel that scanlab_bench times: lab 1's algorithm, compiled as a submission is, with the launch already in
// the form that the launch pass makes of <<<...>>>.
#include "machine/cuda/prologue.h"

#include "harness/entry.h"

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned tx = threadIdx.x;
  const unsigned i = blockIdx.x * SECTION_SIZE + tx;
  XY[tx] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();  // ends read-after-write: the left neighbour has stored what we read next
    T sum = T{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();  // ends write-after-read: the right neighbour has read what we overwrite
    if (tx >= stride) XY[tx] = sum;
  }
  if (i < N) Y[i] = XY[tx];
}

extern "C" int scanlab_entry(const scanlab::Request* request) {
  constexpr unsigned kSection = 1024;
  ::scanlab::machine::launch(
      ::scanlab::machine::LaunchConfig(scanlab::sections_of(request->N, kSection), kSection),
      "kogge_stone_inclusive_scan",
      [&](auto... arguments) { kogge_stone_inclusive_scan<int, kSection>(arguments...); },
      static_cast<const int*>(request->X), static_cast<int*>(request->Y), request->N);
  return scanlab::kDone;
}
