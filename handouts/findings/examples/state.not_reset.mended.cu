// A submission: ./scanlab check domino FILE
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T XY[SECTION_SIZE];
  __shared__ unsigned drawn;
  __shared__ T carry;
  const unsigned i = threadIdx.x;
  if (i == 0) drawn = atomicAdd(block_counter, 1u);
  __syncthreads();
  const unsigned section = drawn, at = section * SECTION_SIZE + i;
  XY[i] = at < N ? X[at] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    T sum = T{};
    if (i >= stride) sum = XY[i - stride] + XY[i];
    __syncthreads();
    if (i >= stride) XY[i] = sum;
  }
  if (i == SECTION_SIZE - 1) {
    if (section > 0) {
      while (atomicAdd(&flags[section], 0u) == 0) {
      }
      __threadfence();
    }
    carry = section > 0 ? scan_value[section] : T{};
    scan_value[section + 1] = carry + XY[i];
    __threadfence();
    atomicExch(&flags[section + 1], 1u);
  }
  __syncthreads();
  if (at < N) Y[at] = carry + XY[i];
}

__device__ unsigned block_counter_of_all_launches;

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned sections = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned *flags = nullptr, *block_counter = nullptr;
  T* scan_value = nullptr;
  cudaMalloc(&flags, (sections + 1) * sizeof(unsigned));
  cudaMalloc(&scan_value, (sections + 1) * sizeof(T));
  cudaMemset(flags, 0, (sections + 1) * sizeof(unsigned));
  // [region shown]
  cudaGetSymbolAddress(reinterpret_cast<void**>(&block_counter), block_counter_of_all_launches);
  const unsigned zero = 0;
  cudaMemcpyToSymbol(block_counter_of_all_launches, &zero, sizeof zero);  // before each launch
  // [/region]
  domino_scan_kernel<T, SECTION_SIZE>
      <<<sections, SECTION_SIZE>>>(X, Y, N, flags, scan_value, block_counter);
  cudaFree(flags);
  cudaFree(scan_value);
}
