// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void difference(int* data, unsigned n) {
  const unsigned i = threadIdx.x;
  // [region shown]
  const int next = data[i + 1];
  // [/region]
  __syncthreads();
  data[i] = next - data[i];
}

int main() {
  const unsigned n = 64;
  int host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = static_cast<int>(i);
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
  difference<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
