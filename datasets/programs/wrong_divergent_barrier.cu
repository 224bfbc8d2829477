// expect: fail barrier.divergent
// The barrier stands in both branches of an if: two barriers, each for half of the block.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void exchange(int* data) {
  __shared__ int buffer[128];
  int t = threadIdx.x;
  if (t % 2 == 0) {
    buffer[t] = data[t];
    __syncthreads();
  } else {
    buffer[t] = -data[t];
    __syncthreads();
  }
  data[t] = buffer[127 - t];
}

int main() {
  int h[128];
  for (int i = 0; i < 128; ++i) h[i] = i;
  int* d;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  exchange<<<1, 128>>>(d);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) printf("%s\n", cudaGetErrorString(err));
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  printf("h[0] = %d\n", h[0]);
  cudaFree(d);
  return 0;
}
