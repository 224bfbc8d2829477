// expect: ok
// output: sum 499500
// A block sum with cooperative groups: tiles of 32 threads, shuffles, and a group's own barrier.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ int reduce_tile(cg::thread_block_tile<32> tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
  return value;  // right in lane 0
}

__global__ void sum_kernel(const int* input, int* output, int n) {
  __shared__ int partial[8];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);

  int value = 0;
  for (int i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size())
    value += input[i];
  value = reduce_tile(tile, value);
  if (tile.thread_rank() == 0) partial[block.thread_rank() / 32] = value;
  block.sync();

  if (block.thread_rank() == 0) {
    int sum = 0;
    for (unsigned w = 0; w < block.size() / 32; ++w) sum += partial[w];
    atomicAdd(output, sum);
  }
}

int main() {
  const int n = 1000;
  int h_input[n], h_sum = 0;
  for (int i = 0; i < n; ++i) h_input[i] = i;
  int *d_input = nullptr, *d_sum = nullptr;
  if (cudaMalloc(&d_input, sizeof(h_input)) || cudaMalloc(&d_sum, sizeof(int))) return 1;
  cudaMemcpy(d_input, h_input, sizeof(h_input), cudaMemcpyHostToDevice);
  cudaMemset(d_sum, 0, sizeof(int));
  sum_kernel<<<2, 256>>>(d_input, d_sum, n);
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaMemcpy(&h_sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d\n", h_sum);
  cudaFree(d_input);
  cudaFree(d_sum);
  return h_sum == 499500 ? 0 : 1;
}
