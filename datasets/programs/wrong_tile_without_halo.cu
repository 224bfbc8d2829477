// expect: fail memory.out_of_bounds
// A stencil whose tile has no place for the right neighbour of the last element.
#include <cuda_runtime.h>
#include <stdio.h>

#define BLOCK 64

__global__ void difference(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n - 1) out[i] = tile[threadIdx.x + 1] - tile[threadIdx.x];
}

int main() {
  const int n = 128;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i * i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof(h));
  cudaMalloc(&d_out, sizeof(h));
  cudaMemcpy(d_in, h, sizeof(h), cudaMemcpyHostToDevice);
  difference<<<n / BLOCK, BLOCK>>>(d_in, d_out, n);
  cudaMemcpy(h, d_out, (n - 1) * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
