// expect: fail memory.illegal
// The input is freed before the second kernel reads it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(call)                                                    \
  do {                                                                      \
    cudaError_t error_ = (call);                                            \
    if (error_ != cudaSuccess) {                                            \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));       \
      exit(1);                                                              \
    }                                                                       \
  } while (false)

__global__ void doubled(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 100;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i;
  int *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, sizeof(h)));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(h)));
  CUDA_CHECK(cudaMemcpy(d_in, h, sizeof(h), cudaMemcpyHostToDevice));
  doubled<<<1, 128>>>(d_in, d_out, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(d_in));
  doubled<<<1, 128>>>(d_in, d_out, n);
  CUDA_CHECK(cudaMemcpy(h, d_out, sizeof(h), cudaMemcpyDeviceToHost));
  printf("h[10] = %d\n", h[10]);
  CUDA_CHECK(cudaFree(d_out));
  return 0;
}
