// expect: pass
// forbid: race.shared,work.wrong,barrier.divergent
// why: the section in a struct, both kernels made by a macro, 64-bit indices
#define SECTION(kind, first)                                                          \
  template <typename T, unsigned SECTION_SIZE>                                         \
  __global__ void kogge_stone_##kind##_scan(const T* __restrict__ X, T* __restrict__ Y, \
                                            const unsigned N) {                        \
    scan_section<T, SECTION_SIZE>(X, Y, N, first);                                     \
  }

template <typename T, unsigned SECTION_SIZE>
struct Section {
  T elements[SECTION_SIZE];

  __device__ T left_of(unsigned k, unsigned stride) const { return elements[k - stride]; }
};

template <typename T, unsigned SECTION_SIZE>
__device__ void scan_section(const T* X, T* Y, unsigned N, unsigned shift) {
  __shared__ Section<T, SECTION_SIZE> section;
  const unsigned k = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * SECTION_SIZE + k;

  T own{};
  if (i < N && k >= shift) own = X[i - shift];
  for (unsigned stride = 1; stride < SECTION_SIZE; stride <<= 1) {
    section.elements[k] = own;
    __syncthreads();
    if (k >= stride) own = section.left_of(k, stride) + own;
    __syncthreads();
  }
  if (i < N) Y[i] = own;
}

SECTION(inclusive, 0)
SECTION(exclusive, 1)
