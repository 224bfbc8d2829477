// expect: pass
// forbid: race.shared,race.global,memory.leak
// why: a bounded grid whose blocks take several sections each; later + earlier, as the textbook adds
#include <cuda_runtime.h>

#define MAX_BLOCKS 60u

template <typename T, unsigned SECTION_SIZE>
__device__ void kogge_stone(T* XY) {
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    T temp;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  __syncthreads();
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_sections(const T* X, T* Y, T* S, unsigned N) {
  __shared__ T XY[SECTION_SIZE];
  const unsigned sections = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  for (unsigned section = blockIdx.x; section < sections; section += gridDim.x) {
    const unsigned i = section * SECTION_SIZE + threadIdx.x;
    XY[threadIdx.x] = i < N ? X[i] : T{};
    kogge_stone<T, SECTION_SIZE>(XY);
    if (i < N) Y[i] = XY[threadIdx.x];
    if (threadIdx.x == 0) S[section] = XY[SECTION_SIZE - 1];
    __syncthreads();  // before the next section overwrites XY
  }
}

template <typename T, unsigned SECTION_SIZE>
__global__ void scan_block_sums(T* S, unsigned M) {
  __shared__ T XY[SECTION_SIZE];
  XY[threadIdx.x] = threadIdx.x < M ? S[threadIdx.x] : T{};
  kogge_stone<T, SECTION_SIZE>(XY);
  if (threadIdx.x < M) S[threadIdx.x] = XY[threadIdx.x];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void add_block_sums(T* Y, const T* S, unsigned N) {
  const unsigned sections = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  for (unsigned section = blockIdx.x + 1; section < sections; section += gridDim.x) {
    const unsigned i = section * SECTION_SIZE + threadIdx.x;
    if (i < N) Y[i] += S[section - 1];
  }
}

template <typename T, unsigned SECTION_SIZE>
void hierarchical_inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned M = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  if (M == 0) return;
  const unsigned blocks = M < MAX_BLOCKS ? M : MAX_BLOCKS;
  T* S;
  if (cudaMalloc(&S, M * sizeof(T)) != cudaSuccess) return;
  scan_sections<T, SECTION_SIZE><<<blocks, SECTION_SIZE>>>(X, Y, S, N);
  if (M > SECTION_SIZE)
    hierarchical_inclusive_scan<T, SECTION_SIZE>(S, S, M);
  else
    scan_block_sums<T, SECTION_SIZE><<<1, SECTION_SIZE>>>(S, M);
  add_block_sums<T, SECTION_SIZE><<<blocks, SECTION_SIZE>>>(Y, S, N);
  cudaFree(S);
}
