// expect: fail memory.uninitialized
// A private histogram whose counters in shared memory are never set to zero.
#include <cuda_runtime.h>
#include <stdio.h>

#define BINS 4

__global__ void count(const int* values, int n, unsigned* result) {
  __shared__ unsigned local[BINS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[values[i] % BINS], 1u);
  __syncthreads();
  if (threadIdx.x < BINS) result[blockIdx.x * BINS + threadIdx.x] = local[threadIdx.x];
}

int main() {
  const int n = 256;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i * 3;
  int* d_values;
  unsigned *d_result, result[2 * BINS];
  cudaMalloc(&d_values, sizeof(h));
  cudaMalloc(&d_result, sizeof(result));
  cudaMemcpy(d_values, h, sizeof(h), cudaMemcpyHostToDevice);
  count<<<2, 128>>>(d_values, n, d_result);
  cudaMemcpy(result, d_result, sizeof(result), cudaMemcpyDeviceToHost);
  for (int b = 0; b < BINS; ++b) printf("bin %d: %u\n", b, result[b] + result[BINS + b]);
  cudaFree(d_values);
  cudaFree(d_result);
  return 0;
}
