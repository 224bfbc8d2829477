// expect: ok
// output: Hello from thread 3 of block 1
// output: Hello from the host
// The first program of many courses: printf in a kernel.
#include <stdio.h>

__global__ void hello() {
  printf("Hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
  hello<<<2, 4>>>();
  cudaDeviceSynchronize();
  printf("Hello from the host\n");
  return 0;
}
