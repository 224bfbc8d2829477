// expect: ok
// output: PASSED
// Matrix multiplication with tiles in shared memory; the width is no multiple of the tile.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define TILE_WIDTH 16

inline void cudaCheck(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    fprintf(stderr, "CUDA error: %s at %s:%d\n", cudaGetErrorString(code), file, line);
    exit(1);
  }
}
#define CUDA_CHECK(ans) cudaCheck((ans), __FILE__, __LINE__)

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = by * TILE_WIDTH + ty;
  int col = bx * TILE_WIDTH + tx;

  float value = 0.0f;
  for (int ph = 0; ph < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    if (row < width && ph * TILE_WIDTH + tx < width)
      Mds[ty][tx] = M[row * width + ph * TILE_WIDTH + tx];
    else
      Mds[ty][tx] = 0.0f;
    if (ph * TILE_WIDTH + ty < width && col < width)
      Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * width + col];
    else
      Nds[ty][tx] = 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) value += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = value;
}

int main() {
  const int width = 50;
  const size_t bytes = width * width * sizeof(float);
  float *hM = new float[width * width], *hN = new float[width * width];
  float* hP = new float[width * width];
  for (int i = 0; i < width * width; ++i) {
    hM[i] = static_cast<float>(i % 7);
    hN[i] = static_cast<float>(i % 5) - 2.0f;
  }

  float *dM, *dN, *dP;
  CUDA_CHECK(cudaMalloc(&dM, bytes));
  CUDA_CHECK(cudaMalloc(&dN, bytes));
  CUDA_CHECK(cudaMalloc(&dP, bytes));
  CUDA_CHECK(cudaMemcpy(dM, hM, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dN, hN, bytes, cudaMemcpyHostToDevice));

  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
  dim3 dimGrid((width + TILE_WIDTH - 1) / TILE_WIDTH, (width + TILE_WIDTH - 1) / TILE_WIDTH, 1);
  matrixMulKernel<<<dimGrid, dimBlock>>>(dM, dN, dP, width);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(hP, dP, bytes, cudaMemcpyDeviceToHost));

  int bad = 0;
  for (int r = 0; r < width; ++r)
    for (int c = 0; c < width; ++c) {
      float sum = 0.0f;
      for (int k = 0; k < width; ++k) sum += hM[r * width + k] * hN[k * width + c];
      if (sum != hP[r * width + c]) ++bad;
    }
  printf(bad == 0 ? "PASSED\n" : "FAILED\n");

  cudaFree(dM);
  cudaFree(dN);
  cudaFree(dP);
  delete[] hM;
  delete[] hN;
  delete[] hP;
  return bad != 0;
}
