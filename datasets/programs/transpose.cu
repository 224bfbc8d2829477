// expect: ok
// output: transposed 100 x 70 twice, back to the start
// Matrix transpose through a padded tile; a block of 32 x 8 threads handles 32 x 32 elements.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

constexpr int TILE_DIM = 32;
constexpr int BLOCK_ROWS = 8;

static void check(cudaError_t result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

__global__ void transposeCoalesced(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];  // one more column: no bank conflicts

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

dim3 tiles(int width, int height) {
  return dim3((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
}

int main() {
  const int width = 100, height = 70;
  std::vector<float> h_in(width * height), h_once(width * height), h_twice(width * height);
  for (size_t i = 0; i < h_in.size(); ++i) h_in[i] = float(i);
  const size_t bytes = h_in.size() * sizeof(float);

  float *d_in, *d_once, *d_twice;
  checkCudaErrors(cudaMalloc(&d_in, bytes));
  checkCudaErrors(cudaMalloc(&d_once, bytes));
  checkCudaErrors(cudaMalloc(&d_twice, bytes));
  checkCudaErrors(cudaMemcpy(d_in, h_in.data(), bytes, cudaMemcpyHostToDevice));

  dim3 block(TILE_DIM, BLOCK_ROWS);
  transposeCoalesced<<<tiles(width, height), block>>>(d_once, d_in, width, height);
  checkCudaErrors(cudaGetLastError());
  transposeCoalesced<<<tiles(height, width), block>>>(d_twice, d_once, height, width);
  checkCudaErrors(cudaGetLastError());

  checkCudaErrors(cudaMemcpy(h_once.data(), d_once, bytes, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(h_twice.data(), d_twice, bytes, cudaMemcpyDeviceToHost));
  bool right = h_twice == h_in;
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) right = right && h_once[c * height + r] == h_in[r * width + c];
  if (right) printf("transposed %d x %d twice, back to the start\n", width, height);

  checkCudaErrors(cudaFree(d_in));
  checkCudaErrors(cudaFree(d_once));
  checkCudaErrors(cudaFree(d_twice));
  checkCudaErrors(cudaDeviceReset());
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
