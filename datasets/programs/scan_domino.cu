// expect: ok
// output: scan of 3000 elements in one pass: right
// A single-pass scan: blocks draw their place, and pass the running sum on by flags.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

#define SECTION_SIZE 128

#define CUDA_SAFE_CALL(call)                                                                   \
  do {                                                                                         \
    cudaError_t err = call;                                                                    \
    if (cudaSuccess != err) {                                                                  \
      fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,        \
              cudaGetErrorString(err));                                                        \
      exit(EXIT_FAILURE);                                                                      \
    }                                                                                          \
  } while (0)

__device__ unsigned int blockCounter = 0;

__global__ void domino_scan(const int* X, int* Y, unsigned int n, unsigned int* flags, int* scan_value) {
  __shared__ unsigned int bid_s;
  __shared__ int XY[SECTION_SIZE];
  __shared__ int previous_sum;
  if (threadIdx.x == 0) bid_s = atomicAdd(&blockCounter, 1);
  __syncthreads();
  const unsigned int bid = bid_s;
  const unsigned int i = bid * blockDim.x + threadIdx.x;

  XY[threadIdx.x] = i < n ? X[i] : 0;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    int temp = 0;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  __syncthreads();

  if (threadIdx.x == 0) {
    const int local_sum = XY[blockDim.x - 1];
    // Wait for the previous block, then pass on the sum
    while (atomicAdd(&flags[bid], 0) == 0) {
    }
    previous_sum = scan_value[bid];
    scan_value[bid + 1] = previous_sum + local_sum;
    __threadfence();
    atomicAdd(&flags[bid + 1], 1);
  }
  __syncthreads();
  if (i < n) Y[i] = previous_sum + XY[threadIdx.x];
}

int main() {
  const unsigned int n = 3000, blocks = (n + SECTION_SIZE - 1) / SECTION_SIZE;
  std::vector<int> x(n), y(n), expected(n);
  for (unsigned int i = 0; i < n; ++i) x[i] = static_cast<int>(i % 13) - 4;
  std::partial_sum(x.begin(), x.end(), expected.begin());

  int *d_x, *d_y, *d_sums;
  unsigned int* d_flags;
  CUDA_SAFE_CALL(cudaMalloc(&d_x, n * sizeof(int)));
  CUDA_SAFE_CALL(cudaMalloc(&d_y, n * sizeof(int)));
  CUDA_SAFE_CALL(cudaMalloc(&d_sums, (blocks + 1) * sizeof(int)));
  CUDA_SAFE_CALL(cudaMalloc(&d_flags, (blocks + 1) * sizeof(unsigned int)));
  CUDA_SAFE_CALL(cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_SAFE_CALL(cudaMemset(d_sums, 0, (blocks + 1) * sizeof(int)));
  CUDA_SAFE_CALL(cudaMemset(d_flags, 0, (blocks + 1) * sizeof(unsigned int)));
  const unsigned int one = 1;  // the first block has nobody to wait for
  CUDA_SAFE_CALL(cudaMemcpy(d_flags, &one, sizeof(one), cudaMemcpyHostToDevice));

  domino_scan<<<blocks, SECTION_SIZE>>>(d_x, d_y, n, d_flags, d_sums);
  CUDA_SAFE_CALL(cudaGetLastError());
  CUDA_SAFE_CALL(cudaDeviceSynchronize());
  CUDA_SAFE_CALL(cudaMemcpy(y.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost));

  unsigned int started = 0;
  CUDA_SAFE_CALL(cudaMemcpyFromSymbol(&started, blockCounter, sizeof(started)));
  const bool right = y == expected && started == blocks;
  printf("scan of %u elements in one pass: %s\n", n, right ? "right" : "wrong");

  CUDA_SAFE_CALL(cudaFree(d_x));
  CUDA_SAFE_CALL(cudaFree(d_y));
  CUDA_SAFE_CALL(cudaFree(d_sums));
  CUDA_SAFE_CALL(cudaFree(d_flags));
  return right ? 0 : 1;
}
