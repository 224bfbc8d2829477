// What kernels compute: atomics, shuffles, votes, tiles, indices, barriers with a value. The tests hold the models.
#include "case.h"

// ---- atomics ------------------------------------------------------------------------------------------

// 64 threads apply one operation to one word in an order that the result does not depend on.
#define COMBINE(NAME, TYPE, INITIAL, OPERATION)                       \
  __global__ void NAME(TYPE* word, const int* x) {                    \
    const unsigned i = threadIdx.x;                                   \
    (void)x;                                                          \
    OPERATION;                                                        \
  }                                                                   \
  CASE(NAME) {                                                        \
    TYPE *word = nullptr, value = INITIAL;                            \
    cudaMalloc(&word, sizeof(TYPE));                                  \
    cudaMemcpy(word, &value, sizeof(TYPE), cudaMemcpyHostToDevice);   \
    LAUNCH((1, 64), NAME, word, c.x);                                 \
    cudaMemcpy(&value, word, sizeof(TYPE), cudaMemcpyDeviceToHost);   \
    cudaFree(word);                                                   \
    c.result = 0;                                                     \
    __builtin_memcpy(&c.result, &value, sizeof(TYPE));                \
  }

COMBINE(add_int, int, -5, atomicAdd(word, (int)i - 70))
COMBINE(add_unsigned, unsigned, 0xffffff00u, atomicAdd(word, i))
COMBINE(add_wide, unsigned long long, 1ull << 40, atomicAdd(word, (unsigned long long)i << 33))
COMBINE(add_float, float, 0.5f, atomicAdd(word, (float)i))
COMBINE(add_double, double, 0.25, atomicAdd(word, (double)i))
COMBINE(sub_int, int, 7, atomicSub(word, (int)i))
COMBINE(sub_unsigned, unsigned, 7, atomicSub(word, i))
COMBINE(min_int, int, 1000, atomicMin(word, (int)i - 30))
COMBINE(max_int, int, -1000, atomicMax(word, (int)i - 90))
COMBINE(min_unsigned, unsigned, 0xfffffff0u, atomicMin(word, 0xffffff00u - i))
COMBINE(max_unsigned, unsigned, 5, atomicMax(word, 0x80000000u + i))
COMBINE(min_wide, unsigned long long, ~0ull, atomicMin(word, (1ull << 63) - i))
COMBINE(max_wide_signed, long long, -(1ll << 50), atomicMax(word, -(1ll << 40) - (long long)i))
COMBINE(and_unsigned, unsigned, ~0u, atomicAnd(word, ~(1u << (i % 32 / 2))))
COMBINE(or_wide, unsigned long long, 0, atomicOr(word, 1ull << (i & ~1u)))
COMBINE(xor_unsigned, unsigned, 0x55u, atomicXor(word, 1u << (i % 32 / 2)))
COMBINE(inc_wraps, unsigned, 0, atomicInc(word, 9u))
COMBINE(dec_wraps, unsigned, 0, atomicDec(word, 9u))
COMBINE(exchange, unsigned, 0, if (i == 9) atomicExch(word, 77u))
COMBINE(block_and_system, unsigned, 0, atomicAdd_block(word, 1u); atomicAdd_system(word, 2u))
COMBINE(swap_once, unsigned, 3, atomicCAS(word, 3u, 100u))
COMBINE(swap_short, unsigned short, 3, atomicCAS(word, (unsigned short)3, (unsigned short)500))
// The usual loop for an operation that has no atomic of its own.
COMBINE(multiply, unsigned, 1, unsigned seen = *(volatile unsigned*)word; unsigned old; do {
  old = seen;
  seen = atomicCAS(word, old, old * (i < 16 ? 3u : 1u));
} while (seen != old))
COMBINE(reference, int, 0, cuda::atomic_ref<int> r(*word); r.fetch_add(2); r.fetch_sub(1); ++r)
COMBINE(reference_swap, int, 0, cuda::atomic_ref<int> r(*word); int seen = r.load(cuda::memory_order_relaxed);
        while (!r.compare_exchange_weak(seen, seen + 1)) {
        })

// Each gets another old value: a ticket each.
__global__ void tickets(int* y, unsigned* flags) {
  y[atomicAdd(&flags[0], 1u)] = (int)(blockIdx.x * blockDim.x + threadIdx.x);
}
CASE(tickets) { LAUNCH((8, 64), tickets, c.y, c.flags); }

// ---- warp functions -----------------------------------------------------------------------------------

// argument: what to shuffle by, and the width in the high half.
template <int KIND, typename T>
__device__ T shuffled(T value, int by, int width) {
  if (KIND == 0) return __shfl_sync(0xffffffffu, value, by, width);
  if (KIND == 1) return __shfl_up_sync(0xffffffffu, value, (unsigned)by, width);
  if (KIND == 2) return __shfl_down_sync(0xffffffffu, value, (unsigned)by, width);
  return __shfl_xor_sync(0xffffffffu, value, by, width);
}
template <int KIND>
__global__ void shuffles(int* y, int by, int width) {
  const unsigned i = threadIdx.x;
  y[i] = shuffled<KIND>((int)(100 + i), by, width);
  y[1024 + i] = (int)(shuffled<KIND>((1ll << 40) + i, by, width) >> 38);
  y[2048 + i] = (int)shuffled<KIND>(2.0 * i, by, width);
}
template <int KIND>
void launch_shuffles(scanlab_test::Case& c) {
  LAUNCH((1, 96), shuffles<KIND>, c.y, (int)(c.argument & 0xffffffffu), (int)(c.argument >> 32));
}
CASE(shuffle) { launch_shuffles<0>(c); }
CASE(shuffle_up) { launch_shuffles<1>(c); }
CASE(shuffle_down) { launch_shuffles<2>(c); }
CASE(shuffle_xor) { launch_shuffles<3>(c); }

// argument: a mask of lanes whose predicate is true.
__global__ void votes(int* y, unsigned wanted) {
  const unsigned i = threadIdx.x;
  const int predicate = (int)(wanted >> (i % 32) & 1u) * 5;
  y[i] = (int)__ballot_sync(0xffffffffu, predicate);
  y[64 + i] = __any_sync(0xffffffffu, predicate);
  y[128 + i] = __all_sync(0xffffffffu, predicate);
  y[192 + i] = (int)__match_any_sync(0xffffffffu, (int)(i % 3));
  if (i % 32 < 20) y[256 + i] = (int)__ballot_sync(0xfffffu, predicate);
}
CASE(votes) { LAUNCH((1, 64), votes, c.y, (unsigned)c.argument); }

// The lanes of a branch find each other, and add for all of them at once.
__global__ void active_lanes(int* y, unsigned* flags) {
  y[threadIdx.x] = (int)__activemask();
  if (threadIdx.x % 32 < 12) {
    const unsigned mask = __activemask();
    const unsigned leader = (unsigned)__ffs((int)mask) - 1;
    unsigned first = 0;
    if (threadIdx.x % 32 == leader) first = atomicAdd(&flags[0], (unsigned)__popc(mask));
    first = __shfl_sync(mask, first, (int)leader);
    const unsigned mine = first + (unsigned)__popc(mask & ((1u << threadIdx.x % 32) - 1));
    y[100 + mine] = 1;
  } else {
    y[200 + threadIdx.x] = __popc(__activemask());
  }
}
CASE(active_lanes) { LAUNCH((1, 64), active_lanes, c.y, c.flags); }

template <unsigned SIZE>
__global__ void tiles(int* y) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<SIZE>(block);
  int sum = 1;
  for (unsigned d = 1; d < tile.size(); d *= 2) {
    const int left = tile.shfl_up(sum, d);
    if (tile.thread_rank() >= d) sum += left;
  }
  const unsigned i = block.thread_rank();
  y[i] = sum;
  y[128 + i] = (int)tile.ballot(tile.thread_rank() % 2);
  y[256 + i] = tile.shfl((int)i, 0);
  y[384 + i] = (int)tile.meta_group_rank();
  y[512 + i] = tile.any(tile.thread_rank() == SIZE - 1 && i == SIZE - 1) + 2 * tile.all(i < 64);
  y[640 + i] = tile.shfl_down((int)i, 1) - tile.shfl_xor((int)i, 1);
}
CASE(tiles4) { LAUNCH((1, 128), tiles<4>, c.y); }
CASE(tiles32) { LAUNCH((1, 128), tiles<32>, c.y); }

__global__ void warp_scan(int* y, const int* x) {
  int sum = x[threadIdx.x];
  for (unsigned d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 >= d) sum += left;
  }
  y[threadIdx.x] = sum;
}
CASE(warp_scan) { LAUNCH((1, 256), warp_scan, c.y, c.x); }

// ---- barriers with a value ----------------------------------------------------------------------------

__global__ void counts(int* y, unsigned n) {
  const unsigned i = threadIdx.x;
  const int count = __syncthreads_count((int)(i < n) * 8);
  const int all = __syncthreads_and(i < n);
  const int any = __syncthreads_or(i < n);
  y[i] = count * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}
CASE(counts) { LAUNCH((1, 64), counts, c.y, (unsigned)c.argument); }

// ---- indices ------------------------------------------------------------------------------------------

__global__ void indices(int* y) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  // The lane shows how threads are numbered in warps: x first.
  const unsigned first = __shfl_sync(0xffffffffu, thread, 0);
  y[block * threads + thread] = (int)(first * 1000 + cooperative_groups::this_thread_block().thread_rank());
}
CASE(indices) { LAUNCH((dim3(3, 2, 2), dim3(4, 4, 6)), indices, c.y); }

__global__ void named_index(int* y) {
  if (threadIdx.y == 2 && blockIdx.y == 1) y[5000] = 1;  //@ outside
}
CASE(named_index) { LAUNCH((dim3(2, 2), dim3(4, 4)), named_index, c.y); }

// ---- several blocks with shared memory ------------------------------------------------------------------

// Blocks that are interleaved at every barrier and access keep their arrays apart.
__global__ void apart(int* y) {
  __shared__ int XY[64];
  __shared__ long long wide[64];
  __shared__ unsigned char bytes[64];
  DYNAMIC_SHARED(int, dynamic);
  const int tag = (int)blockIdx.x * 1000;
  XY[threadIdx.x] = tag + (int)threadIdx.x;
  bytes[threadIdx.x] = (unsigned char)(blockIdx.x + threadIdx.x);
  __syncthreads();
  wide[threadIdx.x] = XY[63 - threadIdx.x];
  dynamic[threadIdx.x] = bytes[63 - threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    sum += (int)wide[(threadIdx.x + 1) % 64] + dynamic[(threadIdx.x + 1) % 64];
    __syncthreads();
    wide[threadIdx.x] += 1;
    dynamic[threadIdx.x] += 1;
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}
CASE(apart) { LAUNCH((24, 64, 256), apart, c.y); }

// Some blocks use one array, others another: what is swapped grows while blocks are out.
__global__ void arrays_by_block(int* y) {
  __shared__ int first[32];
  __shared__ int second[32];
  __shared__ int third[32];
  int* const mine = blockIdx.x % 3 == 0 ? first : blockIdx.x % 3 == 1 ? second : third;
  for (int round = 0; round < 4; ++round) {
    mine[threadIdx.x] = (int)(blockIdx.x * 100 + threadIdx.x) + round;
    __syncthreads();
    if (round == 2 && blockIdx.x % 3 == 1) third[threadIdx.x] = -1;
    const int seen = mine[31 - threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = seen;
  }
}
CASE(arrays_by_block) { LAUNCH((30, 32), arrays_by_block, c.y); }

// Blocks of one thread: the thread that ends a block begins the next.
__global__ void lonely(int* y) { y[blockIdx.x] = (int)blockIdx.x; }
CASE(lonely) { LAUNCH((100, 1), lonely, c.y); }

__global__ void full_block(int* y, const int* x) {
  __shared__ int XY[1024];
  XY[threadIdx.x] = x[threadIdx.x];
  for (unsigned stride = 1; stride < 1024; stride *= 2) {
    __syncthreads();
    const int left = threadIdx.x >= stride ? XY[threadIdx.x - stride] : 0;
    __syncthreads();
    XY[threadIdx.x] += left;
  }
  y[blockIdx.x * 1024 + threadIdx.x] = XY[threadIdx.x];
}
CASE(full_block) { LAUNCH((4, 1024), full_block, c.y, c.x); }

// ---- arithmetic and vectors -----------------------------------------------------------------------------

__global__ void bits(int* y) {
  y[0] = __popc(0xf0f0u) + __clz(1) + __clz(0) + __ffs(8) + __ffs(0) + __popcll(~0ull) + __clzll(1);
  y[1] = (int)__brev(1u);
  y[2] = (int)__umulhi(0x80000000u, 6u);
  y[3] = __float_as_int(1.0f);
  y[4] = (int)__int_as_float(0x40400000);
  y[5] = min(3, -4) + max(5u, 2u) + min(2.5f, 9.0f) > 2.0f;
  y[6] = warpSize;
  const int4 v = make_int4(1, 2, 3, 4);
  y[7] = v.x + v.y * 10 + v.z * 100 + v.w * 1000;
  const float2 f = make_float2(1.5f, 2.5f);
  y[8] = (int)(f.x + f.y);
  const dim3 d(4, 2);
  y[9] = (int)(d.x * d.y * d.z);
}
CASE(bits) { LAUNCH((1, 1), bits, c.y); }

__global__ void vectors(int* y, const int4* x) {
  const int4 v = x[threadIdx.x];
  ((int4*)y)[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x);
}
CASE(vectors) { LAUNCH((1, 64), vectors, c.y, (const int4*)c.x); }

// A shared array of words taken as one of vectors, whatever stands in front of it.
__global__ void shared_vectors(int* y, const int* x) {
  __shared__ int odd;
  __shared__ int XY[128];
  __shared__ unsigned char byte;
  __shared__ int other[128];
  if (threadIdx.x == 0) odd = byte = 1;
  ((int4*)XY)[threadIdx.x] = ((const int4*)x)[threadIdx.x];
  ((long long*)other)[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x * 4 + 3] + other[threadIdx.x * 2] + odd + byte;
}
CASE(shared_vectors) { LAUNCH((1, 32), shared_vectors, c.y, c.x); }

__global__ void hints(int* y, const int* x) {
  __stcs(&y[threadIdx.x], __ldg(&x[threadIdx.x]) + __ldcs(&x[threadIdx.x]));
  __stcg(&y[64 + threadIdx.x], __ldcg(&x[threadIdx.x]) + __ldca(&x[threadIdx.x]));
}
CASE(hints) { LAUNCH((1, 64), hints, c.y, c.x); }

// Arguments are each thread's own copies.
struct Big {
  int values[16];
};
__global__ void by_value(int* y, Big big, unsigned n) {
  big.values[0] += (int)threadIdx.x;
  n += threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = big.values[0] * 1000 + (int)n;
}
CASE(by_value) {
  Big big = {};
  big.values[0] = 7;
  LAUNCH((1, 64), by_value, c.y, big, 5u);
}

// Local arrays and recursion live on each thread's own stack.
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void locals(int* y) {
  int local[64];
  for (int i = 0; i < 64; ++i) local[i] = i * (int)threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += local[i];
  y[threadIdx.x] = sum + fibonacci(10);
}
CASE(locals) { LAUNCH((2, 64), locals, c.y); }
