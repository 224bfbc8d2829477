// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_up(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  const unsigned n = 2048;
  int first = 41;
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  // [region shown]
  count_up<<<1, n>>>(data);  // a block has at most 1024 threads
  // [/region]
  cudaMemcpy(&first, data, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(data);
  return 0;
}
