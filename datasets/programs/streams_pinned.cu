// expect: ok
// output: 4 streams, 4096 elements, 0 wrong
// Copies and kernels in several streams, from and to pinned host memory.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

inline cudaError_t checkCuda(cudaError_t result)
{
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
  return result;
}

__global__ void kernel(float *a, int offset)
{
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i;
  a[i] = a[i] + 2.0f * x;
}

int main()
{
  const int blockSize = 256, nStreams = 4;
  const int n = 4 * blockSize * nStreams;
  const int streamSize = n / nStreams;
  const int streamBytes = streamSize * sizeof(float);
  const int bytes = n * sizeof(float);

  float *a, *d_a;
  checkCuda(cudaMallocHost((void**)&a, bytes));  // host pinned
  checkCuda(cudaMalloc((void**)&d_a, bytes));    // device

  cudaEvent_t startEvent, stopEvent;
  cudaStream_t stream[nStreams];
  checkCuda(cudaEventCreate(&startEvent));
  checkCuda(cudaEventCreate(&stopEvent));
  for (int i = 0; i < nStreams; ++i)
    checkCuda(cudaStreamCreate(&stream[i]));

  for (int i = 0; i < n; ++i) a[i] = 1.0f;
  checkCuda(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamSynchronize(stream[i]));
  checkCuda(cudaEventRecord(stopEvent, 0));
  checkCuda(cudaEventSynchronize(stopEvent));
  float ms;
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (a[i] != 1.0f + 2.0f * i) ++wrong;
  printf("%d streams, %d elements, %d wrong\n", nStreams, n, wrong);

  checkCuda(cudaEventDestroy(startEvent));
  checkCuda(cudaEventDestroy(stopEvent));
  for (int i = 0; i < nStreams; ++i)
    checkCuda(cudaStreamDestroy(stream[i]));
  cudaFree(d_a);
  cudaFreeHost(a);
  return wrong;
}
