// expect: fail fence.missing
// The last block adds up what the others left, but nobody put a fence before the counter.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void sumAll(const int* in, int* partial, int* total, unsigned* finished) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned k = 0; k < blockDim.x; ++k) sum += in[blockIdx.x * blockDim.x + k];
    partial[blockIdx.x] = sum;
    last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *total = sum;
  }
}

int main() {
  const int blocks = 4, threads = 32, n = blocks * threads;
  int h[n], total = 0;
  for (int i = 0; i < n; ++i) h[i] = 1;
  int *d_in, *d_partial, *d_total;
  unsigned* d_finished;
  cudaMalloc(&d_in, sizeof(h));
  cudaMalloc(&d_partial, blocks * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMalloc(&d_finished, sizeof(unsigned));
  cudaMemcpy(d_in, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemset(d_finished, 0, sizeof(unsigned));
  sumAll<<<blocks, threads>>>(d_in, d_partial, d_total, d_finished);
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("total %d of %d\n", total, n);
  cudaFree(d_in);
  cudaFree(d_partial);
  cudaFree(d_total);
  cudaFree(d_finished);
  return 0;
}
