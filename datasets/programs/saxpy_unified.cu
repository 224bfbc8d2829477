// expect: ok
// output: Max error: 0.000000
// SAXPY on unified memory, with a grid-stride loop.
#include <iostream>
#include <math.h>
#include <stdio.h>

__global__ void saxpy(int n, float a, float *x, float *y)
{
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

int main(void)
{
  int N = 1 << 13;
  float *x, *y;

  // Allocate unified memory, accessible from CPU or GPU
  cudaMallocManaged(&x, N * sizeof(float));
  cudaMallocManaged(&y, N * sizeof(float));

  for (int i = 0; i < N; i++) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }

  int blockSize = 256;
  int numBlocks = (N + blockSize - 1) / blockSize / 4;
  saxpy<<<numBlocks, blockSize>>>(N, 2.0f, x, y);

  // Wait for the GPU to finish before accessing on the host
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    std::cerr << "saxpy failed: " << cudaGetErrorString(err) << std::endl;
    return 1;
  }

  float maxError = 0.0f;
  for (int i = 0; i < N; i++)
    maxError = fmax(maxError, fabs(y[i] - 4.0f));
  printf("Max error: %f\n", maxError);

  cudaFree(x);
  cudaFree(y);
  return 0;
}
