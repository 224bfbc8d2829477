// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add_left_neighbour(int* data, unsigned n) {
  __shared__ int XY[64];
  const unsigned i = threadIdx.x;
  XY[i] = data[i];
  __syncthreads();
  // [region shown]
  if (i > 0) XY[i] += XY[i - 1];
  // [/region]
  data[i] = XY[i];
}

int main() {
  const unsigned n = 64;
  int host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = static_cast<int>(i);
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
  add_left_neighbour<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
