// expect: pass
// forbid: race.shared,race.global,memory.leak,launch.invalid
// why: Brent-Kung sections by half as many threads; block sums left exclusive; one allocation for all levels
#include <cuda_runtime.h>

template <typename T, unsigned SECTION_SIZE>
__device__ void brent_kung(T* XY) {
  const unsigned tx = threadIdx.x;
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    const unsigned index = (tx + 1) * 2 * stride - 1;
    if (index < SECTION_SIZE) XY[index] = XY[index - stride] + XY[index];
  }
  for (unsigned stride = SECTION_SIZE / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned index = (tx + 1) * 2 * stride - 1;
    if (index + stride < SECTION_SIZE) XY[index + stride] = XY[index] + XY[index + stride];
  }
  __syncthreads();
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned first = blockIdx.x * SECTION_SIZE;
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += SECTION_SIZE / 2)
    XY[k] = N - first > k ? X[first + k] : T{};
  brent_kung<T, SECTION_SIZE>(XY);
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += SECTION_SIZE / 2)
    if (N - first > k) Y[first + k] = XY[k];
  if (threadIdx.x == 0) S[blockIdx.x] = XY[SECTION_SIZE - 1];
}

// S becomes exclusive: S[b] is what lies before section b.
template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned half = SECTION_SIZE / 2;
  const unsigned a = threadIdx.x, b = threadIdx.x + half;
  XY[a] = a > 0 && a <= M ? S[a - 1] : T{};
  XY[b] = b <= M ? S[b - 1] : T{};
  brent_kung<T, SECTION_SIZE>(XY);
  if (a < M) S[a] = XY[a];
  if (b < M) S[b] = XY[b];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  const unsigned first = blockIdx.x * SECTION_SIZE;
  for (unsigned k = threadIdx.x; k < SECTION_SIZE; k += SECTION_SIZE / 2)
    if (N - first > k) Y[first + k] = S[blockIdx.x] + Y[first + k];
}

// An inclusive scan of the level below is made exclusive by pointing one entry to the left of it.
template <typename T, unsigned SECTION_SIZE>
void scan_level(const T* X, T* Y, unsigned N, T* workspace) {
  const unsigned M = (N - 1) / SECTION_SIZE + 1;
  scan_sections<T, SECTION_SIZE><<<M, SECTION_SIZE / 2>>>(X, Y, workspace + 1, N);
  if (M == 1) return;
  if (M <= SECTION_SIZE) {
    scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE / 2>>>(workspace + 1, M);
    add_block_sums<T, SECTION_SIZE><<<M, SECTION_SIZE / 2>>>(Y, workspace + 1, N);
  } else {
    cudaMemset(workspace, 0, sizeof(T));
    scan_level<T, SECTION_SIZE>(workspace + 1, workspace + 1, M, workspace + 1 + M);
    add_block_sums<T, SECTION_SIZE><<<M, SECTION_SIZE / 2>>>(Y, workspace, N);
  }
}

template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  size_t entries = 0;
  for (unsigned n = N; entries == 0 || n > 1;) {
    n = (n - 1) / SECTION_SIZE + 1;
    entries += size_t(n) + 1;
  }
  T* workspace = nullptr;
  cudaMalloc((void**)&workspace, entries * sizeof(T));
  scan_level<T, SECTION_SIZE>(X, Y, N, workspace);
  cudaFree(workspace);
}
