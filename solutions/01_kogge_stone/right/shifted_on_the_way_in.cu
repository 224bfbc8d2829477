// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: a two-dimensional array; in the exclusive kernel each thread puts its element one place to the right
#include <cstdint>

__device__ inline bool has_partner(std::uint32_t k, std::uint32_t stride) { return k >= stride; }

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T sums[2][SECTION_SIZE];
  const std::uint32_t k = threadIdx.x;
  const std::uint32_t i = blockDim.x * blockIdx.x + k;
  int side = 0;
  sums[side][k] = i < N ? X[i] : T{};
  __syncthreads();
#pragma unroll
  for (std::uint32_t stride = 1; stride < SECTION_SIZE; stride += stride) {
    sums[1 - side][k] = sums[side][k];
    if (has_partner(k, stride)) sums[1 - side][k] = sums[side][k - stride] + sums[side][k];
    side = 1 - side;
    __syncthreads();
  }
  if (i < N) Y[i] = sums[side][k];
}

// The exclusive scan reads the inclusive scan's input one place further left.
template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T* X, T* Y, unsigned N) {
  __shared__ T sums[2][SECTION_SIZE];
  const std::uint32_t k = threadIdx.x;
  const std::uint32_t i = blockDim.x * blockIdx.x + k;
  int side = 0;
  if (k == 0) {
    sums[0][0] = T{};
  }
  if (i < N && k + 1 < SECTION_SIZE) sums[0][k + 1] = X[i];
  if (i >= N && k + 1 < SECTION_SIZE) sums[0][k + 1] = T{};
  __syncthreads();
#pragma unroll
  for (std::uint32_t stride = 1; stride < SECTION_SIZE; stride += stride) {
    sums[1 - side][k] = sums[side][k];
    if (has_partner(k, stride)) sums[1 - side][k] = sums[side][k - stride] + sums[side][k];
    side = 1 - side;
    __syncthreads();
  }
  if (i < N) Y[i] = sums[side][k];
}
