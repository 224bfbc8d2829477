// expect: fail race.shared
// A block sum that forgot the barrier at the end of each step.
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

__global__ void blockSum(const int* in, int* out) {
  __shared__ int sdata[N];
  sdata[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride) {
      sdata[threadIdx.x] += sdata[threadIdx.x + stride];
    }
  }
  if (threadIdx.x == 0) *out = sdata[0];
}

int main() {
  int h_in[N], h_out = 0;
  for (int i = 0; i < N; ++i) h_in[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof(h_in));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, h_in, sizeof(h_in), cudaMemcpyHostToDevice);
  blockSum<<<1, N>>>(d_in, d_out);
  cudaMemcpy(&h_out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum: %d\n", h_out);
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
