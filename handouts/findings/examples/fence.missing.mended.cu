// A program: ./scanlab run FILE
#include <cstdio>
#include <cuda_runtime.h>

// Blocks draw their number, so that the one that waits never keeps the other from starting.
__global__ void hand_over(unsigned* counter, int* value, unsigned* flag, int* out) {
  if (atomicAdd(counter, 1u) == 0) {
    // [region shown]
    *value = 42;
    __threadfence();  // first the value, then the flag
    atomicExch(flag, 1u);
    // [/region]
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence();
    *out = *value;
  }
}

int main() {
  unsigned *counter = nullptr, *flag = nullptr;
  int *value = nullptr, *out = nullptr, result = 0;
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMalloc(&flag, sizeof(unsigned));
  cudaMalloc(&value, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(counter, 0, sizeof(unsigned));
  cudaMemset(flag, 0, sizeof(unsigned));
  hand_over<<<2, 1>>>(counter, value, flag, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(counter);
  cudaFree(flag);
  cudaFree(value);
  cudaFree(out);
  return 0;
}
