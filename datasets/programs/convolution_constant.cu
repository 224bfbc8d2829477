// expect: ok
// output: convolution: 0 of 1920 pixels differ
// 2-D convolution: the filter lies in constant memory, each block loads an input tile with its halo.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define FILTER_RADIUS 2
#define IN_TILE_DIM 16
#define OUT_TILE_DIM ((IN_TILE_DIM) - 2 * (FILTER_RADIUS))

#define CUDA_CALL(x)                                                     \
  if ((x) != cudaSuccess) {                                              \
    printf("Error at %s:%d\n", __FILE__, __LINE__);                      \
    return EXIT_FAILURE;                                                 \
  }

__constant__ float F_c[2 * FILTER_RADIUS + 1][2 * FILTER_RADIUS + 1];

__global__ void convolution_tiled_2D_const_mem_kernel(float* N, float* P, int width, int height) {
  int col = blockIdx.x * OUT_TILE_DIM + threadIdx.x - FILTER_RADIUS;
  int row = blockIdx.y * OUT_TILE_DIM + threadIdx.y - FILTER_RADIUS;

  __shared__ float N_s[IN_TILE_DIM][IN_TILE_DIM];
  if (row >= 0 && row < height && col >= 0 && col < width) {
    N_s[threadIdx.y][threadIdx.x] = N[row * width + col];
  } else {
    N_s[threadIdx.y][threadIdx.x] = 0.0f;
  }
  __syncthreads();

  int tileCol = threadIdx.x - FILTER_RADIUS;
  int tileRow = threadIdx.y - FILTER_RADIUS;
  if (col >= 0 && col < width && row >= 0 && row < height) {
    if (tileCol >= 0 && tileCol < OUT_TILE_DIM && tileRow >= 0 && tileRow < OUT_TILE_DIM) {
      float Pvalue = 0.0f;
      for (int fRow = 0; fRow < 2 * FILTER_RADIUS + 1; fRow++) {
        for (int fCol = 0; fCol < 2 * FILTER_RADIUS + 1; fCol++) {
          Pvalue += F_c[fRow][fCol] * N_s[tileRow + fRow][tileCol + fCol];
        }
      }
      P[row * width + col] = Pvalue;
    }
  }
}

float at(const float* image, int row, int col, int width, int height) {
  return row >= 0 && row < height && col >= 0 && col < width ? image[row * width + col] : 0.0f;
}

int main() {
  const int width = 48, height = 40, side = 2 * FILTER_RADIUS + 1;
  static float image[width * height], result[width * height], filter[side][side];
  for (int i = 0; i < width * height; ++i) image[i] = static_cast<float>((i * 31) % 17);
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) filter[r][c] = static_cast<float>(r + 2 * c - 5);

  float *N_d, *P_d;
  CUDA_CALL(cudaMalloc(&N_d, sizeof(image)));
  CUDA_CALL(cudaMalloc(&P_d, sizeof(image)));
  CUDA_CALL(cudaMemcpy(N_d, image, sizeof(image), cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpyToSymbol(F_c, filter, sizeof(filter)));

  dim3 block(IN_TILE_DIM, IN_TILE_DIM);
  dim3 grid((width + OUT_TILE_DIM - 1) / OUT_TILE_DIM, (height + OUT_TILE_DIM - 1) / OUT_TILE_DIM);
  convolution_tiled_2D_const_mem_kernel<<<grid, block>>>(N_d, P_d, width, height);
  CUDA_CALL(cudaGetLastError());
  CUDA_CALL(cudaMemcpy(result, P_d, sizeof(image), cudaMemcpyDeviceToHost));

  int differ = 0;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      float sum = 0.0f;
      for (int r = 0; r < side; ++r)
        for (int c = 0; c < side; ++c)
          sum += filter[r][c] * at(image, row + r - FILTER_RADIUS, col + c - FILTER_RADIUS, width, height);
      if (std::fabs(sum - result[row * width + col]) > 1e-3f) ++differ;
    }
  printf("convolution: %d of %d pixels differ\n", differ, width * height);
  CUDA_CALL(cudaFree(N_d));
  CUDA_CALL(cudaFree(P_d));
  return differ;
}
