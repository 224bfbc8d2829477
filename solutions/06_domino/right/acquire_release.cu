// expect: pass
// forbid: fence.missing,race.shared,race.global,deadlock,memory.leak
// why: cuda::atomic_ref with acquire and release in place of fences
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

template <typename T, unsigned SECTION_SIZE>
__global__ void domino_scan_kernel(const T* X, T* Y, unsigned N, unsigned* flags, T* scan_value,
                                   unsigned* block_counter) {
  __shared__ T slot[SECTION_SIZE];
  __shared__ T carry;
  __shared__ unsigned place;
  const unsigned t = threadIdx.x;
  if (t == 0) place = Flag(*block_counter).fetch_add(1u, cuda::memory_order_relaxed);
  __syncthreads();
  const unsigned p = place, i = p * SECTION_SIZE + t;

  slot[t] = i < N ? X[i] : T{};
  for (unsigned stride = 1; stride < SECTION_SIZE; stride *= 2) {
    __syncthreads();
    const T sum = t >= stride ? slot[t - stride] + slot[t] : slot[t];
    __syncthreads();
    slot[t] = sum;
  }

  if (t == SECTION_SIZE - 1) {
    T before{};
    if (p > 0) {
      Flag previous(flags[p - 1]);
      while (previous.load(cuda::memory_order_acquire) == 0u) {
      }
      before = scan_value[p - 1];
    }
    scan_value[p] = before + slot[t];
    Flag(flags[p]).store(1u, cuda::memory_order_release);
    carry = before;
  }
  __syncthreads();
  if (i < N) Y[i] = carry + slot[t];
}

template <typename T, unsigned SECTION_SIZE>
void domino_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;
  const unsigned sections = N / SECTION_SIZE + (N % SECTION_SIZE != 0);
  unsigned* flags = nullptr;
  unsigned* counter = nullptr;
  T* sums = nullptr;
  cudaMalloc(&flags, sections * sizeof(unsigned));
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMalloc(&sums, sections * sizeof(T));
  cudaMemset(flags, 0, sections * sizeof(unsigned));
  cudaMemset(counter, 0, sizeof(unsigned));
  domino_scan_kernel<T, SECTION_SIZE><<<sections, SECTION_SIZE>>>(X, Y, N, flags, sums, counter);
  cudaFree(sums);
  cudaFree(counter);
  cudaFree(flags);
}
