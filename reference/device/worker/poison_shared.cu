#include "device/worker/cuda_check.hpp"
#include "device/worker/device_buffer.hpp"

namespace scanlab::device {
namespace {

constexpr int kThreads = 256;

__global__ void fill_shared(unsigned words, unsigned pattern) {
  extern __shared__ volatile unsigned shared[];
  for (unsigned i = threadIdx.x; i < words; i += kThreads) shared[i] = pattern;
}

struct Limits {
  int bytes = 0, processors = 0;
};

Limits find_limits() {
  Limits limits;
  SCANLAB_MUST(cudaDeviceGetAttribute(&limits.bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  SCANLAB_MUST(cudaDeviceGetAttribute(&limits.processors, cudaDevAttrMultiProcessorCount, 0));
  SCANLAB_MUST(
      cudaFuncSetAttribute(fill_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, limits.bytes));
  return limits;
}

}  // namespace

// As much as a block may have, and two blocks for each multiprocessor: they cannot share one.
void poison_shared_memory(unsigned char byte) {
  static const Limits limits = find_limits();
  fill_shared<<<2 * limits.processors, kThreads, limits.bytes>>>(limits.bytes / sizeof(unsigned),
                                                                 byte * 0x01010101U);
  SCANLAB_MUST(cudaGetLastError());
}

}  // namespace scanlab::device
