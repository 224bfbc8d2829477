// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pair_sums(int* data, unsigned n) {
  __shared__ int XY[65];
  const unsigned i = threadIdx.x;
  // [region shown]
  XY[i] = data[i];  // XY[64] is read below, and nobody writes it
  // [/region]
  __syncthreads();
  data[i] = XY[i] + XY[i + 1];
}

int main() {
  const unsigned n = 64;
  int host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = static_cast<int>(i);
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
  pair_sums<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
