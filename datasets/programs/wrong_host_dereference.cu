// expect: fail memory.illegal
// The result is read on the host through the device pointer, without a copy.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int* a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] = i + 1;
}

int main() {
  int* d_a;
  cudaMalloc(&d_a, 32 * sizeof(int));
  fill<<<1, 32>>>(d_a, 32);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += d_a[i];
  printf("sum %d\n", sum);
  cudaFree(d_a);
  return 0;
}
