// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_up(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  const unsigned n = 32;
  int first = 41;
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  // [region shown]
  count_up<<<1, n>>>(data);
  cudaMemcpy(&first, data, sizeof(int), cudaMemcpyDeviceToHost);
  data = nullptr;  // nobody knows the array any more
  // [/region]
  std::printf("%d\n", first);
  return 0;
}
