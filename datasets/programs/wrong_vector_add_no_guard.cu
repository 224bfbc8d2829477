// expect: fail memory.out_of_bounds
// The last block has threads past the end of the arrays, and nothing stops them.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void vecAdd(const float *a, const float *b, float *c, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  c[id] = a[id] + b[id];
}

int main(int argc, char *argv[]) {
  int n = 1000;
  size_t bytes = n * sizeof(float);
  float *h_a = (float *)malloc(bytes), *h_b = (float *)malloc(bytes), *h_c = (float *)malloc(bytes);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  for (int i = 0; i < n; i++) {
    h_a[i] = i;
    h_b[i] = n - i;
  }
  cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);

  int blockSize = 256;
  int gridSize = (n + blockSize - 1) / blockSize;
  vecAdd<<<gridSize, blockSize>>>(d_a, d_b, d_c, n);

  cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);
  printf("c[0] = %f\n", h_c[0]);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  free(h_a);
  free(h_b);
  free(h_c);
  return 0;
}
