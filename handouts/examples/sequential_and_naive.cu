// A program: ./scanlab run FILE. Prints the inclusive scan of the handouts' example, made twice.
#include <cstdio>
#include <cuda_runtime.h>

// [region sequential]
void sequential_inclusive_scan(const int* X, int* Y, unsigned N) {
  int sum = 0;
  for (unsigned i = 0; i < N; ++i) {
    sum += X[i];
    Y[i] = sum;
  }
}
// [/region]

// [region naive]
__global__ void naive_inclusive_scan(const int* X, int* Y, unsigned N) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  int sum = X[0];
  for (unsigned k = 1; k <= i; ++k) sum += X[k];  // i additions
  Y[i] = sum;
}
// [/region]

void print(const int* values, unsigned n) {
  for (unsigned i = 0; i < n; ++i) std::printf("%d%c", values[i], i + 1 < n ? ' ' : '\n');
}

int main() {
  const unsigned n = 8;
  const int host[n] = {3, 1, 7, 0, 4, 1, 6, 3};
  int result[n];
  sequential_inclusive_scan(host, result, n);
  print(result, n);

  int *X = nullptr, *Y = nullptr;
  cudaMalloc(&X, sizeof host);
  cudaMalloc(&Y, sizeof host);
  cudaMemcpy(X, host, sizeof host, cudaMemcpyHostToDevice);
  naive_inclusive_scan<<<1, 32>>>(X, Y, n);
  cudaMemcpy(result, Y, sizeof host, cudaMemcpyDeviceToHost);
  print(result, n);
  cudaFree(X);
  cudaFree(Y);
  return 0;
}
