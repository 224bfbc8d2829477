// expect: fail deadlock
// Each block waits for the one after it, and none ever starts the chain.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void relay(volatile int* ready, int* order) {
  if (threadIdx.x == 0) {
    int next = (blockIdx.x + 1) % gridDim.x;
    while (ready[next] == 0) {
    }
    order[blockIdx.x] = next;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}

int main() {
  const int blocks = 4;
  int *d_ready, *d_order, order[blocks];
  cudaMalloc(&d_ready, blocks * sizeof(int));
  cudaMalloc(&d_order, blocks * sizeof(int));
  cudaMemset(d_ready, 0, blocks * sizeof(int));
  relay<<<blocks, 32>>>(d_ready, d_order);
  cudaMemcpy(order, d_order, sizeof(order), cudaMemcpyDeviceToHost);
  printf("order[0] = %d\n", order[0]);
  cudaFree(d_ready);
  cudaFree(d_order);
  return 0;
}
