// A program: ./scanlab run FILE. Flood levels on a ring: two arrays in turn, one barrier a step.
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned kPlaces = 64;

// In each step every place rises to the level of its left neighbour, if that is higher.
__global__ void flood(int* levels, unsigned steps) {
  __shared__ int first[kPlaces], second[kPlaces];
  const unsigned i = threadIdx.x;
  const unsigned left = (i + kPlaces - 1) % kPlaces;
  int *now = first, *next = second;
  now[i] = levels[i];
  // [region shown]
  for (unsigned step = 0; step < steps; ++step) {
    __syncthreads();
    next[i] = now[left] > now[i] ? now[left] : now[i];
    int* const filled = next;  // the arrays change roles; no element is moved
    next = now;
    now = filled;
  }
  // [/region]
  levels[i] = now[i];
}

int main() {
  int host[kPlaces];
  for (unsigned i = 0; i < kPlaces; ++i) host[i] = i % 8 == 0 ? 9 : static_cast<int>(i % 8);
  int* levels = nullptr;
  cudaMalloc(&levels, sizeof host);
  cudaMemcpy(levels, host, sizeof host, cudaMemcpyHostToDevice);
  flood<<<1, kPlaces>>>(levels, 3);
  cudaMemcpy(host, levels, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(levels);
  for (unsigned i = 0; i < 8; ++i) std::printf("%d%c", host[i], i < 7 ? ' ' : '\n');
  return 0;
}
