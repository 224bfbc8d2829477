// expect: fail race.global
// Each element becomes the mean of its neighbours, in place: blocks overwrite what others still read.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(c) if ((c) != cudaSuccess) { printf("failed at line %d\n", __LINE__); exit(1); }

__global__ void smooth(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = i > 0 && i < n - 1;
    float mean = inside ? (a[i - 1] + a[i] + a[i + 1]) / 3.0f : 0.0f;
    __syncthreads();
    if (inside) a[i] = mean;
}

int main()
{
    const int n = 514;
    float h[n], *d;
    for (int i = 0; i < n; i++) h[i] = (float)(i % 10);
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    smooth<<<(n + 127) / 128, 128>>>(d, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("h[1] = %f\n", h[1]);
    CHECK(cudaFree(d));
    return 0;
}
