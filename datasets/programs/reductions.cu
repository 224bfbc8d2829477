// expect: ok
// output: all sums agree
// Four reductions, from the first idea to a better one, each timed with events.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_DIM 256
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

// Strides grow; the active threads spread over all warps.
__global__ void interleaved(const int *in, int *out, unsigned n)
{
   __shared__ int sdata[BLOCK_DIM];
   unsigned tid = threadIdx.x;
   unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
   sdata[tid] = i < n ? in[i] : 0;
   __syncthreads();
   for (unsigned s = 1; s < blockDim.x; s *= 2)
   {
      if (tid % (2 * s) == 0)
         sdata[tid] += sdata[tid + s];
      __syncthreads();
   }
   if (tid == 0) out[blockIdx.x] = sdata[0];
}

// The active threads stand together, but share banks.
__global__ void packed(const int *in, int *out, unsigned n)
{
   __shared__ int sdata[BLOCK_DIM];
   unsigned tid = threadIdx.x;
   unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
   sdata[tid] = i < n ? in[i] : 0;
   __syncthreads();
   for (unsigned s = 1; s < blockDim.x; s *= 2)
   {
      unsigned index = 2 * s * tid;
      if (index < blockDim.x)
         sdata[index] += sdata[index + s];
      __syncthreads();
   }
   if (tid == 0) out[blockIdx.x] = sdata[0];
}

// Strides shrink: no conflicts, and whole warps leave at once.
__global__ void sequential(const int *in, int *out, unsigned n)
{
   __shared__ int sdata[BLOCK_DIM];
   unsigned tid = threadIdx.x;
   unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
   sdata[tid] = i < n ? in[i] : 0;
   __syncthreads();
   for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)
   {
      if (tid < s)
         sdata[tid] += sdata[tid + s];
      __syncthreads();
   }
   if (tid == 0) out[blockIdx.x] = sdata[0];
}

// Each thread adds many elements first: a grid-stride loop.
__global__ void coarsened(const int *in, int *out, unsigned n)
{
   __shared__ int sdata[BLOCK_DIM];
   int sum = 0;
   for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      sum += in[i];
   sdata[threadIdx.x] = sum;
   for (unsigned s = blockDim.x / 2; s >= 1; s /= 2)
   {
      __syncthreads();
      if (threadIdx.x < s)
         sdata[threadIdx.x] += sdata[threadIdx.x + s];
   }
   if (threadIdx.x == 0) out[blockIdx.x] = sdata[0];
}

typedef void (*Kernel)(const int *, int *, unsigned);

int main(void)
{
   const unsigned n = 10000;
   const char *names[4] = {"interleaved", "packed", "sequential", "coarsened"};
   Kernel kernels[4] = {interleaved, packed, sequential, coarsened};
   const unsigned blocks[4] = {(n + BLOCK_DIM - 1) / BLOCK_DIM, (n + BLOCK_DIM - 1) / BLOCK_DIM,
                               (n + BLOCK_DIM - 1) / BLOCK_DIM, 4};

   int *h_in = (int *)malloc(n * sizeof(int));
   int expected = 0;
   for (unsigned i = 0; i < n; i++) { h_in[i] = (int)(i * 7 % 101) - 50; expected += h_in[i]; }

   int *d_in, *d_out;
   gpuErrchk(cudaMalloc((void **)&d_in, n * sizeof(int)));
   gpuErrchk(cudaMalloc((void **)&d_out, blocks[0] * sizeof(int)));
   gpuErrchk(cudaMemcpy(d_in, h_in, n * sizeof(int), cudaMemcpyHostToDevice));

   cudaEvent_t start, stop;
   gpuErrchk(cudaEventCreate(&start));
   gpuErrchk(cudaEventCreate(&stop));

   int wrong = 0;
   for (int k = 0; k < 4; k++)
   {
      gpuErrchk(cudaEventRecord(start));
      kernels[k]<<<blocks[k], BLOCK_DIM>>>(d_in, d_out, n);
      gpuErrchk(cudaPeekAtLastError());
      gpuErrchk(cudaEventRecord(stop));
      gpuErrchk(cudaEventSynchronize(stop));
      float ms = 0.0f;
      gpuErrchk(cudaEventElapsedTime(&ms, start, stop));

      int partial[64], sum = 0;
      gpuErrchk(cudaMemcpy(partial, d_out, blocks[k] * sizeof(int), cudaMemcpyDeviceToHost));
      for (unsigned b = 0; b < blocks[k]; b++) sum += partial[b];
      printf("%-12s sum %d, took a time: %s\n", names[k], sum, ms >= 0.0f ? "yes" : "no");
      wrong += sum != expected;
   }
   if (wrong == 0) printf("all sums agree\n");

   gpuErrchk(cudaEventDestroy(start));
   gpuErrchk(cudaEventDestroy(stop));
   gpuErrchk(cudaFree(d_in));
   gpuErrchk(cudaFree(d_out));
   free(h_in);
   return wrong;
}
