// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_up(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

unsigned length_of_input() { return 32; }

int main() {
  const unsigned n = length_of_input();
  int first = 41;
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  // [region shown]
  const unsigned sections = n / 1024;     // 0 for 32 elements
  const unsigned per_section = n / sections;  // division by zero
  // [/region]
  count_up<<<sections, per_section>>>(data);
  cudaMemcpy(&first, data, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(data);
  return 0;
}
