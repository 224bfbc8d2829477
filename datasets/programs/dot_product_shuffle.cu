// expect: ok
// output: dot product 16189440, expected 16189440
// A dot product: warps reduce with shuffles, the block with one more warp, the grid with an atomic.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK_CUDA(call)                                                    \
  {                                                                         \
    const cudaError_t error = call;                                         \
    if (error != cudaSuccess) {                                             \
      printf("Error: %s:%d, ", __FILE__, __LINE__);                         \
      printf("code:%d, reason: %s\n", error, cudaGetErrorString(error));    \
      exit(1);                                                              \
    }                                                                       \
  }

constexpr unsigned kFullMask = 0xffffffffu;

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(kFullMask, val, offset);
  return val;
}

__inline__ __device__ float blockReduceSum(float val) {
  static __shared__ float shared[32];  // one partial sum for each warp
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;

  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();

  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}

__global__ void dot(const float* __restrict__ a, const float* __restrict__ b, float* result, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

int main() {
  const int n = 8192;
  float* h_a = static_cast<float*>(malloc(n * sizeof(float)));
  float* h_b = static_cast<float*>(malloc(n * sizeof(float)));
  double expected = 0.0;
  for (int i = 0; i < n; ++i) {
    h_a[i] = static_cast<float>(i % 256);
    h_b[i] = static_cast<float>(i / 256);
    expected += static_cast<double>(h_a[i]) * h_b[i];
  }
  float *d_a, *d_b, *d_result;
  CHECK_CUDA(cudaMalloc(&d_a, n * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&d_b, n * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&d_result, sizeof(float)));
  CHECK_CUDA(cudaMemcpy(d_a, h_a, n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(d_b, h_b, n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemset(d_result, 0, sizeof(float)));

  dot<<<8, 128>>>(d_a, d_b, d_result, n);
  CHECK_CUDA(cudaGetLastError());

  float h_result = 0.0f;
  CHECK_CUDA(cudaMemcpy(&h_result, d_result, sizeof(float), cudaMemcpyDeviceToHost));
  printf("dot product %.0f, expected %.0f\n", h_result, expected);

  CHECK_CUDA(cudaFree(d_a));
  CHECK_CUDA(cudaFree(d_b));
  CHECK_CUDA(cudaFree(d_result));
  free(h_a);
  free(h_b);
  return h_result == expected ? 0 : 1;
}
