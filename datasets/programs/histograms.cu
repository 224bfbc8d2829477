// expect: ok
// output: global and private histograms agree: a-d 8
// A text histogram with atomics, first straight in global memory, then private to each block.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define NUM_BINS 7
#define CHECK(x)                                                                         \
  do {                                                                                   \
    cudaError_t err = (x);                                                               \
    if (err != cudaSuccess) {                                                            \
      printf("%s failed at line %d: %s\n", #x, __LINE__, cudaGetErrorName(err));         \
      return 1;                                                                          \
    }                                                                                    \
  } while (0)

__global__ void histo_kernel(const char* data, unsigned length, unsigned* histo) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int alphabet_position = data[i] - 'a';
    if (alphabet_position >= 0 && alphabet_position < 26)
      atomicAdd(&(histo[alphabet_position / 4]), 1);
  }
}

__global__ void histo_private_kernel(const char* data, unsigned length, unsigned* histo) {
  __shared__ unsigned histo_s[NUM_BINS];
  for (unsigned bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) histo_s[bin] = 0u;
  __syncthreads();

  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = tid; i < length; i += blockDim.x * gridDim.x) {
    int alphabet_position = data[i] - 'a';
    if (alphabet_position >= 0 && alphabet_position < 26)
      atomicAdd(&(histo_s[alphabet_position / 4]), 1);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
    unsigned count = histo_s[bin];
    if (count > 0) atomicAdd(&(histo[bin]), count);
  }
}

int main() {
  const char* text = "programming massively parallel processors is what this text is about, more or less";
  const unsigned length = (unsigned)strlen(text);
  char* d_text;
  unsigned *d_global, *d_private;
  CHECK(cudaMalloc((void**)&d_text, length));
  CHECK(cudaMalloc((void**)&d_global, NUM_BINS * sizeof(unsigned)));
  CHECK(cudaMalloc((void**)&d_private, NUM_BINS * sizeof(unsigned)));
  CHECK(cudaMemcpy(d_text, text, length, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_global, 0, NUM_BINS * sizeof(unsigned)));
  CHECK(cudaMemset(d_private, 0, NUM_BINS * sizeof(unsigned)));

  histo_kernel<<<(length + 31) / 32, 32>>>(d_text, length, d_global);
  CHECK(cudaGetLastError());
  histo_private_kernel<<<2, 32>>>(d_text, length, d_private);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  unsigned a[NUM_BINS], b[NUM_BINS];
  CHECK(cudaMemcpy(a, d_global, sizeof(a), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(b, d_private, sizeof(b), cudaMemcpyDeviceToHost));
  bool agree = memcmp(a, b, sizeof(a)) == 0;
  if (agree) printf("global and private histograms agree: a-d %u\n", a[0]);

  CHECK(cudaFree(d_text));
  CHECK(cudaFree(d_global));
  CHECK(cudaFree(d_private));
  return agree ? 0 : 2;
}
