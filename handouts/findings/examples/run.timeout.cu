// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void double_up(int* data, unsigned n) {
  // [region shown]
  for (unsigned stride = 0; stride < n; stride *= 2) {  // 0 * 2 is 0
    data[threadIdx.x] += static_cast<int>(stride);
  }
  // [/region]
}

int main() {
  const unsigned n = 64;
  int host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = static_cast<int>(i);
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
  double_up<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
