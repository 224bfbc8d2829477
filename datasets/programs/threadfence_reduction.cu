// expect: ok
// output: sum of 5000 elements: 12497500
// A sum in one launch: the last block to finish adds up what all the others left.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ unsigned int count = 0;
__shared__ bool isLastBlockDone;

__device__ long long blockSum(long long value) {
  __shared__ long long partial[kThreads];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int s = kThreads / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  long long sum = partial[0];
  __syncthreads();
  return sum;
}

__global__ void sum(const int* array, int n, volatile long long* result) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const long long mine = blockSum(i < n ? array[i] : 0);

  if (threadIdx.x == 0) {
    result[blockIdx.x] = mine;
    // The result must be seen before the counter says that this block is done.
    __threadfence();
    const unsigned int value = atomicInc(&count, gridDim.x);
    isLastBlockDone = (value == (gridDim.x - 1));
  }
  __syncthreads();

  if (isLastBlockDone) {
    long long all = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) all += result[b];
    all = blockSum(all);
    if (threadIdx.x == 0) {
      result[0] = all;
      count = 0;
    }
  }
}

int main() {
  const int n = 5000, blocks = (n + kThreads - 1) / kThreads;
  static int host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  int* d_array;
  long long *d_result, total = 0;
  cudaMalloc(&d_array, sizeof(host));
  cudaMalloc(&d_result, blocks * sizeof(long long));
  cudaMemcpy(d_array, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int round = 0; round < 2; ++round) {  // the counter is back at 0 for the second
    sum<<<blocks, kThreads>>>(d_array, n, d_result);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaMemcpy(&total, d_result, sizeof(total), cudaMemcpyDeviceToHost);
  }
  printf("sum of %d elements: %lld\n", n, total);
  cudaFree(d_array);
  cudaFree(d_result);
  return total == 12497500 ? 0 : 1;
}
