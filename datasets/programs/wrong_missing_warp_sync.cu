// expect: fail race.shared
// The last steps of a reduction rely on a warp running in lockstep, which newer devices do not promise.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void reduce(const int* in, int* out) {
  __shared__ int sdata[128];
  unsigned t = threadIdx.x;
  sdata[t] = in[t];
  __syncthreads();
  if (t < 64) sdata[t] += sdata[t + 64];
  __syncthreads();
  if (t < 32) {
    sdata[t] += sdata[t + 32];
    sdata[t] += sdata[t + 16];
    sdata[t] += sdata[t + 8];
    sdata[t] += sdata[t + 4];
    sdata[t] += sdata[t + 2];
    sdata[t] += sdata[t + 1];
  }
  if (t == 0) *out = sdata[0];
}

int main() {
  int h[128], sum = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof(h));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, h, sizeof(h), cudaMemcpyHostToDevice);
  reduce<<<1, 128>>>(d_in, d_out);
  cudaMemcpy(&sum, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d\n", sum);
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
