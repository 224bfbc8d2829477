// Lab 7: decoupled look-back, after D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan
// with Decoupled Look-back", NVIDIA Technical Report NVR-2016-002, 2016.
//
// As in lab 6 one kernel reads the data once. But a tile does not wait until its predecessor knows
// everything: as soon as a tile has its own sum it publishes that (the aggregate), and a tile that
// looks back adds up aggregates until it meets a tile that knows its inclusive prefix already.
//
// The status of a tile only ever grows: empty -> aggregate -> prefix. Value and status are separate
// words, so this form takes a T of any size: value first, then a fence, then the status.
#include <cuda_runtime.h>
#include <cassert>

inline void check(cudaError_t status) { assert(status == cudaSuccess); }

constexpr unsigned kTile = 256;  // elements of a tile = threads of a block

// [region tile_states]
enum TileStatus : unsigned {
  kEmpty = 0,      // nothing is known yet
  kAggregate = 1,  // aggregate[p] holds the sum of tile p alone
  kPrefix = 2      // prefix[p] holds the sum of the tiles 0..p
};

// One entry per tile in each array. The two sums have a word each: a reader that saw kAggregate may
// still be reading the aggregate when the prefix is stored.
template <typename T>
struct TileStates {
  unsigned* status;
  T* aggregate;
  T* prefix;
};
// [/region]

// [region scan_in_shared_memory]
// Kogge-Stone, as in lab 1: one thread for each element of XY, inclusive, in place.
template <typename T>
__device__ void scan_in_shared_memory(T* XY) {
  const unsigned tx = threadIdx.x;
  for (unsigned stride = 1; stride < kTile; stride *= 2) {
    __syncthreads();  // ends: reading a neighbour that its own thread has not stored yet
    T sum{};
    if (tx >= stride) sum = XY[tx - stride] + XY[tx];
    __syncthreads();  // ends: overwriting an element that a later thread has still to read
    if (tx >= stride) XY[tx] = sum;
  }
}
// [/region]

// [region publish]
__device__ inline void publish(unsigned* status, TileStatus news) {
  __threadfence();  // ends: another block seeing the status before the value stored above
  atomicExch(status, news);
}

__device__ inline unsigned wait_until_not_empty(unsigned* status) {
  unsigned seen = atomicAdd(status, 0u);
  while (seen == kEmpty) seen = atomicAdd(status, 0u);
  __threadfence();  // ends: reading the value before the status was seen
  return seen;
}
// [/region]

// [region look_back]
// The sum of all tiles before tile p (p > 0). Goes from tile p - 1 towards tile 0, and stops at the
// first one that knows its prefix; tile 0 publishes nothing else, so the walk always ends.
template <typename T>
__device__ T look_back(unsigned p, TileStates<T> tiles) {
  T carry{};
  for (unsigned q = p - 1;; --q) {
    if (wait_until_not_empty(&tiles.status[q]) == kPrefix) return tiles.prefix[q] + carry;
    carry = tiles.aggregate[q] + carry;  // earlier + later: tile q lies before what we have
  }
}

// One thread of tile p: publishes what others wait for, as soon as it is known.
template <typename T>
__device__ T carry_into(unsigned p, T tile_sum, TileStates<T> tiles) {
  T carry{};
  if (p > 0) {
    tiles.aggregate[p] = tile_sum;
    publish(&tiles.status[p], kAggregate);
    carry = look_back(p, tiles);
  }
  tiles.prefix[p] = carry + tile_sum;
  publish(&tiles.status[p], kPrefix);
  return carry;
}
// [/region]

// [region look_back_scan_kernel]
// <<<tiles, kTile>>>; all status words and the counter 0 at the start.
template <typename T>
__global__ void look_back_scan_kernel(const T* X, T* Y, unsigned N, TileStates<T> tiles,
                                      unsigned* tile_counter) {
  __shared__ T XY[kTile];
  __shared__ unsigned tile;
  __shared__ T carry;
  const unsigned tx = threadIdx.x;

  // Phase 0: draw a number, so that every tile before this one has a block that is running or done.
  if (tx == 0) tile = atomicAdd(tile_counter, 1u);
  __syncthreads();  // ends: reading the number before thread 0 has stored it
  const unsigned p = tile;
  const unsigned i = p * kTile + tx;

  // Phase 1: scan the tile.
  XY[tx] = i < N ? X[i] : T{};
  scan_in_shared_memory(XY);

  // Phase 2: the last thread stored the tile's sum itself, so it can use it without a barrier.
  if (tx == kTile - 1) carry = carry_into(p, XY[tx], tiles);
  __syncthreads();  // ends: reading the carry before the last thread has stored it

  // Phase 3: every element gets what lies before its tile.
  if (i < N) Y[i] = carry + XY[tx];
}
// [/region]

// [region driver]
// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each; any N, 0 included.
template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;                                   // a grid of no blocks is no valid launch
  const unsigned count = N / kTile + (N % kTile != 0);  // no overflow for N near 2^32
  TileStates<T> tiles{};
  unsigned* tile_counter = nullptr;
  check(cudaMalloc(&tiles.status, count * sizeof(unsigned)));
  check(cudaMalloc(&tiles.aggregate, count * sizeof(T)));
  check(cudaMalloc(&tiles.prefix, count * sizeof(T)));
  check(cudaMalloc(&tile_counter, sizeof(unsigned)));
  check(cudaMemset(tiles.status, 0, count * sizeof(unsigned)));  // kEmpty, anew for each launch
  check(cudaMemset(tile_counter, 0, sizeof(unsigned)));

  look_back_scan_kernel<T><<<count, kTile>>>(X, Y, N, tiles, tile_counter);
  check(cudaGetLastError());

  check(cudaFree(tile_counter));  // waits for the kernel
  check(cudaFree(tiles.prefix));
  check(cudaFree(tiles.aggregate));
  check(cudaFree(tiles.status));
}
// [/region]
