// expect: fail launch.invalid
// A block of 64 x 32 threads is more than a device takes; the launch fails, and nobody asks.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scale(float* image, int width, int height, float factor) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] *= factor;
}

int main() {
  const int width = 128, height = 64;
  static float image[width * height];
  for (int i = 0; i < width * height; ++i) image[i] = 1.0f;
  float* d_image;
  cudaMalloc(&d_image, sizeof(image));
  cudaMemcpy(d_image, image, sizeof(image), cudaMemcpyHostToDevice);
  dim3 block(64, 32);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  scale<<<grid, block>>>(d_image, width, height, 2.0f);
  cudaMemcpy(image, d_image, sizeof(image), cudaMemcpyDeviceToHost);
  printf("image[0] = %.1f\n", image[0]);
  cudaFree(d_image);
  return 0;
}
