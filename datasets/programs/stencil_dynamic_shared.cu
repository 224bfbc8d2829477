// expect: ok
// output: Success!
// A 1-D stencil with a halo in dynamic shared memory, whose size is given at the launch.
#include <stdio.h>

#define N 2048
#define RADIUS 3
#define BLOCK_SIZE 128

#define cudaCheckErrors(msg)                                                                  \
  do {                                                                                        \
    cudaError_t __err = cudaGetLastError();                                                   \
    if (__err != cudaSuccess) {                                                               \
      fprintf(stderr, "Fatal error: %s (%s at %s:%d)\n", msg, cudaGetErrorString(__err),      \
              __FILE__, __LINE__);                                                            \
      fprintf(stderr, "*** FAILED - ABORTING\n");                                             \
      return 1;                                                                               \
    }                                                                                         \
  } while (0)

__global__ void stencil_1d(const int *in, int *out) {
  extern __shared__ int temp[];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + RADIUS;

  // Read input elements into shared memory
  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  // Synchronize (ensure all the data is available)
  __syncthreads();

  // Apply the stencil
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex] = result;
}

void fill_ints(int *x, int n) {
  for (int i = 0; i < n; i++) x[i] = 1;
}

int main(void) {
  int *in, *out;
  int *d_in, *d_out;
  int size = (N + 2 * RADIUS) * sizeof(int);

  in = (int *)malloc(size);
  fill_ints(in, N + 2 * RADIUS);
  out = (int *)malloc(size);
  fill_ints(out, N + 2 * RADIUS);

  cudaMalloc((void **)&d_in, size);
  cudaMalloc((void **)&d_out, size);
  cudaCheckErrors("cudaMalloc");

  cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_out, out, size, cudaMemcpyHostToDevice);
  cudaCheckErrors("cudaMemcpy to the device");

  stencil_1d<<<N / BLOCK_SIZE, BLOCK_SIZE, (BLOCK_SIZE + 2 * RADIUS) * sizeof(int)>>>(d_in + RADIUS,
                                                                                      d_out + RADIUS);
  cudaCheckErrors("kernel launch");

  cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
  cudaCheckErrors("cudaMemcpy to the host");

  // The halo must still be 1, the rest 7
  for (int i = 0; i < N + 2 * RADIUS; i++) {
    int expected = i < RADIUS || i >= N + RADIUS ? 1 : 1 + 2 * RADIUS;
    if (out[i] != expected) {
      printf("Mismatch at index %d, was: %d, should be: %d\n", i, out[i], expected);
      return 1;
    }
  }

  free(in);
  free(out);
  cudaFree(d_in);
  cudaFree(d_out);
  printf("Success!\n");
  return 0;
}
