// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

// [region shown]
__global__ void add_up(const int* x, int* total, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, x[i]);
}
// [/region]

int main() {
  const unsigned n = 256;
  int host[n], sum = 0;
  for (int& value : host) value = 1;
  int *x = nullptr, *total = nullptr;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(x, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  add_up<<<n / 64, 64>>>(x, total, n);
  cudaMemcpy(&sum, total, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  cudaFree(x);
  cudaFree(total);
  return 0;
}
