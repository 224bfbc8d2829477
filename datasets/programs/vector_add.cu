// expect: ok
// output: 5000 sums, largest error 0
// Vector addition: one thread for each element.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

__global__ void vecAddKernel(float* A, float* B, float* C, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    C[i] = A[i] + B[i];
  }
}

void vecAdd(float* A_h, float* B_h, float* C_h, int n) {
  int size = n * sizeof(float);
  float *A_d, *B_d, *C_d;

  CHECK(cudaMalloc((void**)&A_d, size));
  CHECK(cudaMalloc((void**)&B_d, size));
  CHECK(cudaMalloc((void**)&C_d, size));
  CHECK(cudaMemcpy(A_d, A_h, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(B_d, B_h, size, cudaMemcpyHostToDevice));

  vecAddKernel<<<ceil(n / 256.0), 256>>>(A_d, B_d, C_d, n);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(C_h, C_d, size, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(A_d));
  CHECK(cudaFree(B_d));
  CHECK(cudaFree(C_d));
}

int main() {
  const int n = 5000;
  float* A = (float*)malloc(n * sizeof(float));
  float* B = (float*)malloc(n * sizeof(float));
  float* C = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    A[i] = 0.5f * i;
    B[i] = 2.0f * i;
  }

  vecAdd(A, B, C, n);

  float worst = 0.0f;
  for (int i = 0; i < n; ++i) worst = fmaxf(worst, fabsf(C[i] - 2.5f * i));
  printf("%d sums, largest error %g\n", n, worst);
  free(A);
  free(B);
  free(C);
  return worst == 0.0f ? EXIT_SUCCESS : EXIT_FAILURE;
}
