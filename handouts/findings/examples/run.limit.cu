// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void report(int* data, unsigned n) {
  // [region shown]
  for (unsigned round = 0; round < 100000; ++round) {
    data[threadIdx.x] += 1;
    printf("thread %u of %u in round %u: %d\n", threadIdx.x, n, round, data[threadIdx.x]);
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
  report<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
