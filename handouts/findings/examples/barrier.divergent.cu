// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reverse_second_half(int* data, unsigned n) {
  __shared__ int half[64];
  const unsigned i = threadIdx.x;
  // [region shown]
  if (i >= n / 2) {
    half[i] = data[i];
    __syncthreads();  // threads 0 to 31 never come here
    data[i] = half[n - 1 - (i - n / 2)];
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
  reverse_second_half<<<1, n>>>(data, n);
  cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[1], host[n - 1]);
  cudaFree(data);
  return 0;
}
