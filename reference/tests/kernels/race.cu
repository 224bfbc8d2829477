// Races within a block and between blocks, and their correct brothers.
#include "case.h"

// ---- shared memory ----------------------------------------------------------------------------------

__global__ void neighbour_without_barrier(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;  //@ store
  const unsigned from = threadIdx.x == 33 ? 32 : threadIdx.x;
  y[threadIdx.x] = XY[from];  //@ load
}
CASE(neighbour_without_barrier) { LAUNCH((1, 64), neighbour_without_barrier, c.y); }

__global__ void neighbour_with_barrier(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x ^ 33];
}
CASE(neighbour_with_barrier) { LAUNCH((1, 64), neighbour_with_barrier, c.y); }

// The second half of a Kogge-Stone step without its barrier: a write overtakes a read.
__global__ void write_after_read(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;
  __syncthreads();
  const int left = threadIdx.x >= 32 ? XY[threadIdx.x - 32] : 0;  //@ load
  XY[threadIdx.x] = left;  //@ store
  y[threadIdx.x] = XY[threadIdx.x];
}
CASE(write_after_read) { LAUNCH((1, 64), write_after_read, c.y); }

// All write the same value: still a race, since nothing says so to the hardware.
__global__ void same_value(int* y) {
  __shared__ int flag;
  flag = 7;  //@ store
  __syncthreads();
  y[threadIdx.x] = flag;
}
CASE(same_value) { LAUNCH((1, 64), same_value, c.y); }

// A write that leaves the word as it was.
__global__ void unchanging_write(int* y) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 5;
  __syncthreads();
  const int seen = word;  //@ load
  if (threadIdx.x == 40) word = 5;  //@ store
  y[threadIdx.x] = seen;
}
CASE(unchanging_write) { LAUNCH((1, 64), unchanging_write, c.y); }

// Many readers, then one write: each reader is a party, the first and the last.
__global__ void first_of_many_readers(int* y) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 5;
  __syncthreads();
  if (threadIdx.x == 3) y[0] = word;   //@ first
  if (threadIdx.x >= 8) y[threadIdx.x] = word;
  __syncwarp();
  if (threadIdx.x == 4) word = 6;  //@ store
}
CASE(first_of_many_readers) { LAUNCH((1, 32), first_of_many_readers, c.y); }

__global__ void last_of_many_readers(int* y) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 5;
  __syncthreads();
  if (threadIdx.x < 60) y[threadIdx.x] = word;
  __syncthreads();
  if (threadIdx.x == 60) y[60] = word;  //@ late
  if (threadIdx.x == 63) word = 6;  //@ store
}
CASE(last_of_many_readers) { LAUNCH((1, 64), last_of_many_readers, c.y); }

// A reader of the newer barrier interval must not hide one of the same interval in another warp.
__global__ void reader_behind_a_newer_reader(int* y) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 5;
  __syncthreads();
  if (threadIdx.x == 1) y[1] = word;
  __syncthreads();
  if (threadIdx.x == 2 || threadIdx.x == 1) y[2] = word;  //@ load
  if (threadIdx.x == 50) word = 1;  //@ store
}
CASE(reader_behind_a_newer_reader) { LAUNCH((1, 64), reader_behind_a_newer_reader, c.y); }

__global__ void byte_in_one_word(int* y) {
  __shared__ unsigned char bytes[64];
  bytes[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = bytes[threadIdx.x ^ 1];
}
CASE(byte_in_one_word) { LAUNCH((1, 64), byte_in_one_word, c.y); }

__global__ void bytes_of_neighbours(int* y) {
  __shared__ unsigned char bytes[64];
  bytes[threadIdx.x] = (unsigned char)threadIdx.x;
  bytes[threadIdx.x] += 1;  // each its own byte: no race, though four share a word
  __syncthreads();
  y[threadIdx.x] = bytes[threadIdx.x];
}
CASE(bytes_of_neighbours) { LAUNCH((1, 64), bytes_of_neighbours, c.y); }

__global__ void same_byte(int* y) {
  __shared__ unsigned char bytes[64];
  bytes[threadIdx.x / 2] = 1;  //@ store
  __syncthreads();
  y[threadIdx.x] = bytes[threadIdx.x / 2];
}
CASE(same_byte) { LAUNCH((1, 4), same_byte, c.y); }

// A word is written, then one of its bytes by somebody else.
__global__ void word_then_byte(int* y) {
  __shared__ unsigned words[4];
  if (threadIdx.x == 0) words[1] = 0x01020304;  //@ word
  if (threadIdx.x == 32) ((unsigned char*)words)[6] = 9;  //@ byte
  __syncthreads();
  y[threadIdx.x] = (int)words[1];
}
CASE(word_then_byte) { LAUNCH((1, 64), word_then_byte, c.y); }

__global__ void half_words(int* y) {
  __shared__ unsigned short halves[64];
  halves[threadIdx.x] = 1;  //@ store
  y[threadIdx.x] = halves[threadIdx.x < 63 ? threadIdx.x + 1 : 0];  //@ load
}
CASE(half_words) { LAUNCH((1, 64), half_words, c.y); }

__global__ void wide_words(int* y) {
  __shared__ unsigned long long wide[64];
  wide[threadIdx.x] = threadIdx.x;  //@ store
  if (threadIdx.x == 40) y[0] = ((int*)wide)[83];  //@ half
}
CASE(wide_words) { LAUNCH((1, 64), wide_words, c.y); }

// ---- warps ----------------------------------------------------------------------------------------

__global__ void warp_without_sync(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;  //@ store
  y[threadIdx.x] = XY[31 - threadIdx.x];  //@ load
}
CASE(warp_without_sync) { LAUNCH((1, 32), warp_without_sync, c.y); }

__global__ void warp_with_sync(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;
  __syncwarp();
  y[threadIdx.x] = XY[31 - threadIdx.x];
  __syncwarp();
  XY[threadIdx.x ^ 1] = 2;
}
CASE(warp_with_sync) { LAUNCH((1, 32), warp_with_sync, c.y); }

// __syncwarp orders one warp's lanes, not another warp's.
__global__ void sync_of_the_other_warp(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;  //@ store
  __syncwarp();
  y[threadIdx.x] = XY[threadIdx.x ^ 32];  //@ load
}
CASE(sync_of_the_other_warp) { LAUNCH((1, 64), sync_of_the_other_warp, c.y); }

// Only the lanes of the mask are ordered.
__global__ void lanes_outside_the_mask(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;  //@ store
  if (threadIdx.x < 16) __syncwarp(0xffffu);
  if (threadIdx.x == 0) y[0] = XY[20];  //@ load
  if (threadIdx.x == 1) y[1] = XY[15];
}
CASE(lanes_outside_the_mask) { LAUNCH((1, 32), lanes_outside_the_mask, c.y); }

// Order through a chain of two partial meetings.
__global__ void chained_masks(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;
  if (threadIdx.x == 0 || threadIdx.x == 1) __syncwarp(0x3u);
  if (threadIdx.x == 1 || threadIdx.x == 2) __syncwarp(0x6u);
  if (threadIdx.x == 2) y[0] = XY[0];
}
CASE(chained_masks) { LAUNCH((1, 32), chained_masks, c.y); }

// A shuffle exchanges registers; it does not order memory.
__global__ void shuffle_orders_nothing(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;  //@ store
  const int v = __shfl_up_sync(0xffffffffu, (int)threadIdx.x, 1);
  y[threadIdx.x] = XY[31 - threadIdx.x] + v;  //@ load
}
CASE(shuffle_orders_nothing) { LAUNCH((1, 32), shuffle_orders_nothing, c.y); }

__global__ void tile_sync(int* y) {
  __shared__ int XY[64];
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  XY[threadIdx.x] = 1;
  tile.sync();
  y[threadIdx.x] = XY[threadIdx.x ^ 15];
}
CASE(tile_sync) { LAUNCH((1, 64), tile_sync, c.y); }

__global__ void tile_too_small(int* y) {
  __shared__ int XY[64];
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  XY[threadIdx.x] = 1;  //@ store
  tile.sync();
  y[threadIdx.x] = XY[threadIdx.x ^ 16];  //@ load
}
CASE(tile_too_small) { LAUNCH((1, 64), tile_too_small, c.y); }

// ---- barriers of other kinds ----------------------------------------------------------------------

__global__ void counting_barriers(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;
  const int many = __syncthreads_count(threadIdx.x < 10);
  const int left = XY[threadIdx.x ^ 63];
  const int all = __syncthreads_and(1);
  XY[threadIdx.x] = left + many + all;
  __syncthreads_or(0);
  y[threadIdx.x] = XY[threadIdx.x ^ 5];
  cooperative_groups::this_thread_block().sync();
  XY[threadIdx.x ^ 1] = 0;
}
CASE(counting_barriers) { LAUNCH((1, 64), counting_barriers, c.y); }

// ---- atomics --------------------------------------------------------------------------------------

__global__ void atomics_only(int* y) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1u);
  __syncthreads();
  y[threadIdx.x] = (int)count;
}
CASE(atomics_only) { LAUNCH((1, 64), atomics_only, c.y); }

__global__ void atomic_against_plain(int* y) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&count, 1u);  //@ atomic
  if (threadIdx.x == 40) y[0] = (int)count;  //@ load
}
CASE(atomic_against_plain) { LAUNCH((1, 64), atomic_against_plain, c.y); }

// Atomics on the elements do not make an in-place scan right.
__global__ void plain_write_against_atomic(int* y) {
  __shared__ unsigned count;
  count = 0;  //@ store
  atomicAdd(&count, 1u);  //@ atomic
  __syncthreads();
  y[threadIdx.x] = (int)count;
}
CASE(plain_write_against_atomic) { LAUNCH((1, 2), plain_write_against_atomic, c.y); }

// A plain access stays a party when atomics have come in between.
__global__ void read_behind_atomics(int* y) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x == 4) y[0] = (int)count;  //@ early
  __syncwarp();
  if (threadIdx.x == 13) atomicAdd(&count, 1u);
  if (threadIdx.x == 40) atomicAdd(&count, 1u);  //@ late
}
CASE(read_behind_atomics) { LAUNCH((1, 64), read_behind_atomics, c.y); }

// ---- global memory --------------------------------------------------------------------------------

__global__ void global_within_a_block(int* y) {
  y[threadIdx.x] = 1;  //@ store
  if (threadIdx.x == 63) y[100] = y[0];  //@ load
}
CASE(global_within_a_block) { LAUNCH((1, 64), global_within_a_block, c.y); }

__global__ void global_with_barrier(int* y) {
  y[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 63) y[100] = y[0];
}
CASE(global_with_barrier) { LAUNCH((1, 64), global_with_barrier, c.y); }

__global__ void between_blocks(int* y) {
  if (threadIdx.x == 0) y[blockIdx.x] = 1;  //@ store
  __syncthreads();
  if (threadIdx.x == 5 && blockIdx.x == 1) y[100] = y[0];  //@ load
}
CASE(between_blocks) { LAUNCH((2, 64), between_blocks, c.y); }

// Two blocks write one element, the same value.
__global__ void overlapping_tails(int* y) {
  y[blockIdx.x * 31 + threadIdx.x] = 3;  //@ store
}
CASE(overlapping_tails) { LAUNCH((2, 32), overlapping_tails, c.y); }

// Readers of block 0 are followed by later ones of block 0; the reader of block 1 must not be forgotten for them.
__global__ void forgotten_reader(int* y, int* word) {
  if (blockIdx.x == 0 && threadIdx.x == 0) y[0] = *word;
  if (blockIdx.x == 1 && threadIdx.x == 0) y[1] = *word;  //@ other
  if (blockIdx.x == 0 && threadIdx.x == 1) y[2] = *word;
  if (blockIdx.x == 1) return;
  for (int i = 0; i < 4; ++i) __syncthreads();
  if (threadIdx.x == 2) y[3] = *word;
  __syncthreads();
  if (threadIdx.x == 3) *word = 9;  //@ store
}
CASE(forgotten_reader) {
  cudaMemset(c.y + 100, 0, sizeof(int));
  LAUNCH((2, 32), forgotten_reader, c.y, c.y + 100);
}

// A thread polls a word that it has read plainly before; the plain read is no poll.
__global__ void plain_read_then_poll(int* y, unsigned* flag) {
  if (threadIdx.x == 0) {
    if (*flag == 0)  //@ plain
      while (*(volatile unsigned*)flag == 0) {
      }
    y[0] = 1;
  }
  if (threadIdx.x == 32) atomicExch(flag, 1u);  //@ set
}
CASE(plain_read_then_poll) { LAUNCH((1, 64), plain_read_then_poll, c.y, c.flags); }

// The second launch starts after the first has ended.
__global__ void produce(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void consume(int* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i + 1024] = y[1023 - i];
}
CASE(two_launches) {
  LAUNCH((16, 64), produce, c.y);
  LAUNCH((16, 64), consume, c.y);
}

__device__ int table[8];
__global__ void module_global(int* y) {
  table[threadIdx.x & 7] = 1;  //@ store
  y[threadIdx.x] = table[0];  //@ load
}
CASE(module_global) { LAUNCH((1, 8), module_global, c.y); }

// Dynamic shared memory is as good as any.
__global__ void dynamic_shared_race(int* y) {
  DYNAMIC_SHARED(int, XY);
  XY[threadIdx.x] = 1;  //@ store
  y[threadIdx.x] = XY[threadIdx.x ^ 1];  //@ load
}
CASE(dynamic_shared_race) { LAUNCH((1, 64, 256), dynamic_shared_race, c.y); }

// Blocks have their own shared memory: the same element is not the same word.
__global__ void shared_of_two_blocks(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = (int)blockIdx.x;
  y[blockIdx.x * 32 + threadIdx.x] = XY[threadIdx.x];
}
CASE(shared_of_two_blocks) { LAUNCH((8, 32), shared_of_two_blocks, c.y); }

// Copies are accesses, of structs too.
struct Pair {
  int sum, flag;
};
__global__ void struct_copy(int* y) {
  __shared__ Pair pairs[64];
  pairs[threadIdx.x].flag = 2;  //@ store
  const Pair left = pairs[threadIdx.x ^ 32];  //@ load
  y[threadIdx.x] = left.flag;
}
CASE(struct_copy) { LAUNCH((1, 64), struct_copy, c.y); }

__global__ void memcpy_is_seen(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;  //@ store
  if (threadIdx.x == 40) memcpy(y, XY, blockDim.x * sizeof(int));  //@ copy
}
CASE(memcpy_is_seen) { LAUNCH((1, 64), memcpy_is_seen, c.y); }

// Through a hinted load the line is still the kernel's own.
__global__ void hinted_load(int* y) {
  y[threadIdx.x] = 1;  //@ store
  if (threadIdx.x == 9) y[200] = __ldg(&y[8]);  //@ load
}
CASE(hinted_load) { LAUNCH((1, 64), hinted_load, c.y); }
