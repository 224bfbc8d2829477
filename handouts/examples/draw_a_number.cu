// A program: ./scanlab run FILE. Blocks take places in the order in which they start.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned kBlocks = 6, kThreads = 32;

__global__ void take_a_place(unsigned* counter, unsigned* taken_by) {
  // [region shown]
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) drawn = atomicAdd(counter, 1u);  // one thread draws for the block
  __syncthreads();  // ends read-after-write: the others read what thread 0 has stored
  const unsigned place = drawn;
  // [/region]
  taken_by[place * kThreads + threadIdx.x] = blockIdx.x;
}

int main() {
  unsigned *counter = nullptr, *taken_by = nullptr, host[kBlocks * kThreads];
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMalloc(&taken_by, sizeof host);
  cudaMemset(counter, 0, sizeof(unsigned));
  take_a_place<<<kBlocks, kThreads>>>(counter, taken_by);
  cudaMemcpy(host, taken_by, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(counter);
  cudaFree(taken_by);
  unsigned blocks_seen = 0;
  for (unsigned i = 0; i < kBlocks; ++i) blocks_seen |= 1u << host[i * kThreads];
  std::printf("%s\n", blocks_seen == (1u << kBlocks) - 1 ? "a place for each block" : "wrong");
  return 0;
}
