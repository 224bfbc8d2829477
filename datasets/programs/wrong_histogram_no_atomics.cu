// expect: fail race.global
// A histogram whose counters are raised without atomics: increments get lost.
#include <cuda_runtime.h>
#include <iostream>
#include <vector>

constexpr int kBins = 8;

__global__ void histogram(const unsigned char* data, int n, unsigned int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    bins[data[i] % kBins]++;
  }
}

int main() {
  std::vector<unsigned char> data(1000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * i);
  unsigned char* d_data;
  unsigned int* d_bins;
  cudaMalloc(&d_data, data.size());
  cudaMalloc(&d_bins, kBins * sizeof(unsigned int));
  cudaMemcpy(d_data, data.data(), data.size(), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(unsigned int));
  histogram<<<8, 128>>>(d_data, static_cast<int>(data.size()), d_bins);
  std::vector<unsigned int> bins(kBins);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(unsigned int), cudaMemcpyDeviceToHost);
  unsigned int total = 0;
  for (unsigned int count : bins) total += count;
  std::cout << total << " of " << data.size() << " counted\n";
  cudaFree(d_data);
  cudaFree(d_bins);
  return 0;
}
