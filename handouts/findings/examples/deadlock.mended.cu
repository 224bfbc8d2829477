// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__device__ int flag = 0;

__global__ void wait_and_set(int* data, unsigned n) {
  // [region shown]
  if (threadIdx.x == 1) atomicExch(&flag, 1);
  if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {
    }
  }
  __syncthreads();
  // [/region]
  data[threadIdx.x] += static_cast<int>(n);
}

int main() {
  const unsigned n = 64;
  int host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = static_cast<int>(i);
  int* data = nullptr;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
  wait_and_set<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
