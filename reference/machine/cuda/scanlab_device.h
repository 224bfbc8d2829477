// What kernels may call: built-in variables, barriers, fences, atomics, warp intrinsics, a little arithmetic.
// Everything that the machine must see is a plain function defined in the machine, so that its return
// address is the student's own line.
#ifndef SCANLAB_DEVICE_H
#define SCANLAB_DEVICE_H

extern "C" {
uint3 scanlab_thread_idx();
uint3 scanlab_block_idx();
uint3 scanlab_block_dim();
uint3 scanlab_grid_dim();
void* scanlab_dynamic_shared();
size_t scanlab_dynamic_shared_size();

void __syncthreads();
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void scanlab_sync_warp(unsigned mask);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned nanoseconds);
long long clock64();
void __trap();
unsigned scanlab_lane_id();
unsigned scanlab_active_mask();

// kind: 0 idx, 1 up, 2 down, 3 xor. Gives the bits that the source lane brought.
unsigned long long scanlab_shuffle(unsigned mask, unsigned long long bits, unsigned kind, int lane, int width);
// kind: 0 ballot, 1 all, 2 any, 3 match_any
unsigned scanlab_vote(unsigned mask, unsigned long long value, unsigned kind);

// Loads and stores with a C++ memory order; order: 0 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst;
// scope: 0 block, 1 device, 2 system. operation: see ScanlabAtomic.
unsigned long long scanlab_atomic(void* address, unsigned long long value, unsigned long long compare,
                                  unsigned operation, unsigned size, int order, int scope);
void scanlab_fence(int order, int scope);
}

#define threadIdx (scanlab_thread_idx())
#define blockIdx (scanlab_block_idx())
#define blockDim (dim3(scanlab_block_dim()))
#define gridDim (dim3(scanlab_grid_dim()))
static constexpr int warpSize = 32;

SCANLAB_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { scanlab_sync_warp(mask); }
SCANLAB_INLINE unsigned __activemask() { return scanlab_active_mask(); }

// ---- atomics ---------------------------------------------------------------------------------------
enum ScanlabAtomic : unsigned {
  scanlab_load, scanlab_store, scanlab_exchange, scanlab_compare_exchange, scanlab_add, scanlab_sub,
  scanlab_and, scanlab_or, scanlab_xor, scanlab_min, scanlab_max, scanlab_min_signed, scanlab_max_signed,
  scanlab_inc, scanlab_dec, scanlab_add_float
};

template <typename T>
SCANLAB_INLINE unsigned long long scanlab_to_bits(T value) {
  static_assert(sizeof(T) <= 8, "a value of at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
SCANLAB_INLINE T scanlab_from_bits(unsigned long long bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

#define SCANLAB_ATOMIC_AS(NAME, SUFFIX, T, OPERATION, SCOPE)                                           \
  SCANLAB_INLINE T NAME##SUFFIX(T* address, T value) {                                                 \
    return scanlab_from_bits<T>(scanlab_atomic((void*)address, scanlab_to_bits<T>(value), 0,           \
                                               OPERATION, sizeof(T), 0, SCOPE));                       \
  }
#define SCANLAB_ATOMIC(NAME, T, OPERATION)               \
  SCANLAB_ATOMIC_AS(NAME, , T, OPERATION, 1)             \
  SCANLAB_ATOMIC_AS(NAME, _block, T, OPERATION, 0)       \
  SCANLAB_ATOMIC_AS(NAME, _system, T, OPERATION, 2)

SCANLAB_ATOMIC(atomicAdd, int, scanlab_add)
SCANLAB_ATOMIC(atomicAdd, unsigned, scanlab_add)
SCANLAB_ATOMIC(atomicAdd, unsigned long long, scanlab_add)
SCANLAB_ATOMIC(atomicAdd, float, scanlab_add_float)
SCANLAB_ATOMIC(atomicAdd, double, scanlab_add_float)
SCANLAB_ATOMIC(atomicSub, int, scanlab_sub)
SCANLAB_ATOMIC(atomicSub, unsigned, scanlab_sub)
SCANLAB_ATOMIC(atomicExch, int, scanlab_exchange)
SCANLAB_ATOMIC(atomicExch, unsigned, scanlab_exchange)
SCANLAB_ATOMIC(atomicExch, unsigned long long, scanlab_exchange)
SCANLAB_ATOMIC(atomicExch, float, scanlab_exchange)
SCANLAB_ATOMIC(atomicMin, int, scanlab_min_signed)
SCANLAB_ATOMIC(atomicMin, long long, scanlab_min_signed)
SCANLAB_ATOMIC(atomicMin, unsigned, scanlab_min)
SCANLAB_ATOMIC(atomicMin, unsigned long long, scanlab_min)
SCANLAB_ATOMIC(atomicMax, int, scanlab_max_signed)
SCANLAB_ATOMIC(atomicMax, long long, scanlab_max_signed)
SCANLAB_ATOMIC(atomicMax, unsigned, scanlab_max)
SCANLAB_ATOMIC(atomicMax, unsigned long long, scanlab_max)
SCANLAB_ATOMIC(atomicAnd, int, scanlab_and)
SCANLAB_ATOMIC(atomicAnd, unsigned, scanlab_and)
SCANLAB_ATOMIC(atomicAnd, unsigned long long, scanlab_and)
SCANLAB_ATOMIC(atomicOr, int, scanlab_or)
SCANLAB_ATOMIC(atomicOr, unsigned, scanlab_or)
SCANLAB_ATOMIC(atomicOr, unsigned long long, scanlab_or)
SCANLAB_ATOMIC(atomicXor, int, scanlab_xor)
SCANLAB_ATOMIC(atomicXor, unsigned, scanlab_xor)
SCANLAB_ATOMIC(atomicXor, unsigned long long, scanlab_xor)
SCANLAB_ATOMIC(atomicInc, unsigned, scanlab_inc)
SCANLAB_ATOMIC(atomicDec, unsigned, scanlab_dec)
#undef SCANLAB_ATOMIC
#undef SCANLAB_ATOMIC_AS

#define SCANLAB_CAS_AS(SUFFIX, T, SCOPE)                                                                     \
  SCANLAB_INLINE T atomicCAS##SUFFIX(T* address, T compare, T value) {                                       \
    return scanlab_from_bits<T>(scanlab_atomic((void*)address, scanlab_to_bits<T>(value),                    \
                                               scanlab_to_bits<T>(compare), scanlab_compare_exchange,        \
                                               sizeof(T), 0, SCOPE));                                        \
  }
#define SCANLAB_CAS(T) SCANLAB_CAS_AS(, T, 1) SCANLAB_CAS_AS(_block, T, 0) SCANLAB_CAS_AS(_system, T, 2)
SCANLAB_CAS(int)
SCANLAB_CAS(unsigned)
SCANLAB_CAS(unsigned long long)
SCANLAB_CAS(unsigned short)
#undef SCANLAB_CAS
#undef SCANLAB_CAS_AS

// ---- warp intrinsics -------------------------------------------------------------------------------
template <typename T>
SCANLAB_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return scanlab_from_bits<T>(scanlab_shuffle(mask, scanlab_to_bits<T>(value), 0, lane, width));
}
template <typename T>
SCANLAB_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return scanlab_from_bits<T>(scanlab_shuffle(mask, scanlab_to_bits<T>(value), 1, (int)delta, width));
}
template <typename T>
SCANLAB_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return scanlab_from_bits<T>(scanlab_shuffle(mask, scanlab_to_bits<T>(value), 2, (int)delta, width));
}
template <typename T>
SCANLAB_INLINE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  return scanlab_from_bits<T>(scanlab_shuffle(mask, scanlab_to_bits<T>(value), 3, lanes, width));
}
SCANLAB_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return scanlab_vote(mask, predicate != 0, 0);
}
SCANLAB_INLINE int __all_sync(unsigned mask, int predicate) {
  return (int)scanlab_vote(mask, predicate != 0, 1);
}
SCANLAB_INLINE int __any_sync(unsigned mask, int predicate) {
  return (int)scanlab_vote(mask, predicate != 0, 2);
}
template <typename T>
SCANLAB_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  return scanlab_vote(mask, scanlab_to_bits<T>(value), 3);
}

// ---- loads and stores with a cache hint: plain accesses to the machine -------------------------------
#define SCANLAB_HINTED_LOAD(NAME) \
  template <typename T>           \
  __attribute__((always_inline)) inline T NAME(const T* address) { return *address; }
#define SCANLAB_HINTED_STORE(NAME) \
  template <typename T>            \
  __attribute__((always_inline)) inline void NAME(T* address, T value) { *address = value; }
SCANLAB_HINTED_LOAD(__ldg)
SCANLAB_HINTED_LOAD(__ldca)
SCANLAB_HINTED_LOAD(__ldcs)
SCANLAB_HINTED_LOAD(__ldlu)
SCANLAB_HINTED_STORE(__stwb)
SCANLAB_HINTED_STORE(__stcs)
SCANLAB_HINTED_STORE(__stwt)
// These two are read from and written to the level that all blocks share, as volatile accesses are.
template <typename T>
__attribute__((always_inline)) inline T __ldcg(const T* address) { return *(const volatile T*)address; }
template <typename T>
__attribute__((always_inline)) inline T __ldcv(const T* address) { return *(const volatile T*)address; }
template <typename T>
__attribute__((always_inline)) inline void __stcg(T* address, T value) { *(volatile T*)address = value; }
#undef SCANLAB_HINTED_LOAD
#undef SCANLAB_HINTED_STORE

// ---- arithmetic ------------------------------------------------------------------------------------
SCANLAB_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
SCANLAB_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
SCANLAB_INLINE int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
SCANLAB_INLINE int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
SCANLAB_INLINE int __ffs(int v) { return __builtin_ffs(v); }
SCANLAB_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
SCANLAB_INLINE unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= ((v >> i) & 1u) << (31 - i);
  return r;
}
SCANLAB_INLINE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
SCANLAB_INLINE int __mul24(int a, int b) { return a * b; }
SCANLAB_INLINE unsigned __umul24(unsigned a, unsigned b) { return a * b; }
SCANLAB_INLINE int __float_as_int(float v) { return scanlab_from_bits<int>(scanlab_to_bits(v)); }
SCANLAB_INLINE unsigned __float_as_uint(float v) { return scanlab_from_bits<unsigned>(scanlab_to_bits(v)); }
SCANLAB_INLINE float __int_as_float(int v) { return scanlab_from_bits<float>(scanlab_to_bits(v)); }
SCANLAB_INLINE float __uint_as_float(unsigned v) { return scanlab_from_bits<float>(scanlab_to_bits(v)); }
SCANLAB_INLINE long long __double_as_longlong(double v) { return scanlab_from_bits<long long>(scanlab_to_bits(v)); }
SCANLAB_INLINE double __longlong_as_double(long long v) {
  return scanlab_from_bits<double>((unsigned long long)v);
}

#define SCANLAB_MIN_MAX(T)                                            \
  SCANLAB_INLINE constexpr T min(T a, T b) { return b < a ? b : a; } \
  SCANLAB_INLINE constexpr T max(T a, T b) { return a < b ? b : a; }
SCANLAB_MIN_MAX(int)
SCANLAB_MIN_MAX(unsigned)
SCANLAB_MIN_MAX(long)
SCANLAB_MIN_MAX(unsigned long)
SCANLAB_MIN_MAX(long long)
SCANLAB_MIN_MAX(unsigned long long)
SCANLAB_MIN_MAX(float)
SCANLAB_MIN_MAX(double)
#undef SCANLAB_MIN_MAX
SCANLAB_INLINE constexpr unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
SCANLAB_INLINE constexpr unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
SCANLAB_INLINE constexpr unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
SCANLAB_INLINE constexpr unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }

#endif
