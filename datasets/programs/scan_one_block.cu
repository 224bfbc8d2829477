// expect: ok
// output: 3 4 11 11 15 16 22 25
// output: 0 3 4 11 11 15 16 22
// Inclusive and exclusive Kogge-Stone scan of one block, in dynamic shared memory, double-buffered.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void scan(float *g_odata, const float *g_idata, int n, bool inclusive) {
  extern __shared__ float temp[];  // two buffers of n elements each
  int thid = threadIdx.x;
  int pout = 0, pin = 1;

  if (inclusive)
    temp[thid] = g_idata[thid];
  else
    temp[thid] = (thid > 0) ? g_idata[thid - 1] : 0;  // shifted right by one
  __syncthreads();

  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;  // swap the buffers
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid - offset] + temp[pin * n + thid];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[thid] = temp[pout * n + thid];
}

int main() {
  const int n = 8;
  const float h_in[n] = {3, 1, 7, 0, 4, 1, 6, 3};
  float h_out[n];
  float *d_in, *d_out;
  if (cudaMalloc(&d_in, sizeof(h_in)) != cudaSuccess) return 1;
  if (cudaMalloc(&d_out, sizeof(h_out)) != cudaSuccess) return 1;
  cudaMemcpy(d_in, h_in, sizeof(h_in), cudaMemcpyHostToDevice);

  for (int inclusive = 1; inclusive >= 0; --inclusive) {
    scan<<<1, n, 2 * n * sizeof(float)>>>(d_out, d_in, n, inclusive != 0);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
      printf("launch failed: %s\n", cudaGetErrorString(err));
      return 1;
    }
    cudaMemcpy(h_out, d_out, sizeof(h_out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) printf("%g%c", h_out[i], i + 1 < n ? ' ' : '\n');
  }
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
