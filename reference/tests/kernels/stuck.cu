// Barriers that not all threads reach, and kernels in which nobody can go on.
#include "case.h"

// ---- barriers -----------------------------------------------------------------------------------------

__global__ void in_a_branch(int* y) {
  if (threadIdx.x < 40) __syncthreads();  //@ branch
  y[threadIdx.x] = 1;
}
CASE(in_a_branch) { LAUNCH((1, 64), in_a_branch, c.y); }

__global__ void two_barriers(int* y) {
  if (threadIdx.x < 40) {
    __syncthreads();  //@ one
  } else {
    __syncthreads();  //@ other
  }
  y[threadIdx.x] = 1;
}
CASE(two_barriers) { LAUNCH((1, 64), two_barriers, c.y); }

// Half of the block makes one round more and leaves the rest at the barrier behind the loop.
__global__ void loop_of_its_own(int* y) {
  for (unsigned i = 0; i < (threadIdx.x < 32 ? 3u : 2u); ++i) __syncthreads();  //@ loop
  __syncthreads();  //@ behind
  y[threadIdx.x] = 1;
}
CASE(loop_of_its_own) { LAUNCH((1, 64), loop_of_its_own, c.y); }

__global__ void early_return(int* y, unsigned n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = 1;
  __syncthreads();  //@ left
  y[100 + threadIdx.x] = y[(threadIdx.x + 1) % n];
}
CASE(early_return) { LAUNCH((1, 64), early_return, c.y, 50u); }
CASE(nobody_returns) { LAUNCH((1, 64), early_return, c.y, 64u); }

// Some threads wait for lanes that wait at the barrier.
__global__ void barrier_against_warp(int* y) {
  if (threadIdx.x == 3) {
    __syncwarp();  //@ warp
  } else {
    __syncthreads();  //@ barrier
  }
  y[threadIdx.x] = 1;
}
CASE(barrier_against_warp) { LAUNCH((1, 64), barrier_against_warp, c.y); }

__global__ void counting_in_a_branch(int* y) {
  if (threadIdx.x % 2 == 0) {
    y[threadIdx.x] = __syncthreads_count(1);  //@ count
  } else {
    __syncthreads();  //@ plain
  }
}
CASE(counting_in_a_branch) { LAUNCH((1, 64), counting_in_a_branch, c.y); }

// Divergence of one block does not depend on the others.
__global__ void only_the_last_block(int* y) {
  if (blockIdx.x < 3 || threadIdx.x == 0) __syncthreads();  //@ some
  y[blockIdx.x * 32 + threadIdx.x] = 1;
}
CASE(only_the_last_block) { LAUNCH((4, 32), only_the_last_block, c.y); }

// The condition is the same for all threads of a block: no divergence.
__global__ void uniform_branch(int* y) {
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = 1;
}
CASE(uniform_branch) { LAUNCH((4, 32), uniform_branch, c.y); }

__device__ void meet() { __syncthreads(); }
__global__ void barrier_in_a_function(int* y) {
  y[threadIdx.x] = 1;
  meet();
  y[64 + threadIdx.x] = y[63 - threadIdx.x];
  meet();
}
CASE(barrier_in_a_function) { LAUNCH((1, 64), barrier_in_a_function, c.y); }

// ---- warp functions -----------------------------------------------------------------------------------

__global__ void shuffle_in_a_branch(int* y) {
  int v = (int)threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_up_sync(0xffffffffu, v, 1);  //@ shuffle
  __syncthreads();  //@ wait
  y[threadIdx.x] = v;
}
CASE(shuffle_in_a_branch) { LAUNCH((1, 32), shuffle_in_a_branch, c.y); }

__global__ void mask_of_the_branch(int* y) {
  int v = (int)threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_up_sync(0xffffu, v, 1);
  __syncthreads();
  y[threadIdx.x] = v;
}
CASE(mask_of_the_branch) { LAUNCH((1, 32), mask_of_the_branch, c.y); }

__global__ void lane_not_in_its_mask(int* y) {
  y[threadIdx.x] = __any_sync(0xffffu, 1);  //@ vote
}
CASE(lane_not_in_its_mask) { LAUNCH((1, 32), lane_not_in_its_mask, c.y); }

// Two lanes name each other in different masks.
__global__ void masks_differ(int* y) {
  __syncwarp(threadIdx.x == 0 ? 0x3u : 0x7u);  //@ meet
  y[threadIdx.x] = 1;
}
CASE(masks_differ) { LAUNCH((1, 3), masks_differ, c.y); }

// Lanes that left are not waited for; lanes that do not exist neither.
__global__ void lanes_leave(int* y) {
  if (threadIdx.x >= 20) return;
  __syncwarp();
  y[threadIdx.x] = __popc(__ballot_sync(0xffffffffu, 1));
}
CASE(lanes_leave) { LAUNCH((1, 24), lanes_leave, c.y); }

// A lane leaves while the others wait already.
__global__ void lane_leaves_late(int* y) {
  if (threadIdx.x == 31) {
    y[100] = 1;
    return;
  }
  __syncwarp();
  y[threadIdx.x] = 1;
}
CASE(lane_leaves_late) { LAUNCH((1, 32), lane_leaves_late, c.y); }

// ---- deadlocks ----------------------------------------------------------------------------------------

__global__ void own_flag(int* y, unsigned* flags) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&flags[blockIdx.x], 0u) == 0u) {  //@ own
    }
    atomicExch(&flags[blockIdx.x], 1u);
  }
  __syncthreads();
  y[threadIdx.x] = 1;
}
CASE(own_flag) { LAUNCH((2, 64), own_flag, c.y, c.flags); }

__global__ void volatile_spin(int* y, volatile unsigned* flags) {
  if (threadIdx.x == 0)
    while (flags[7] == 0) {  //@ spin
    }
  y[threadIdx.x] = 1;
}
CASE(volatile_spin) { LAUNCH((1, 32), volatile_spin, c.y, c.flags); }

__global__ void plain_spin(int* y, unsigned* flags) {
  if (threadIdx.x == 0)
    while (flags[7] == 0) {  //@ plain spin
    }
  y[threadIdx.x] = 1;
}
CASE(plain_spin) { LAUNCH((1, 32), plain_spin, c.y, c.flags); }

// Each waits for the block that comes next, whichever that is: the machine is full before the last has started.
__global__ void waits_for_the_next(int* y, unsigned* flags) {
  if (threadIdx.x == 0) {
    const unsigned p = atomicAdd(&flags[1000], 1u);
    if (p + 1 < gridDim.x)
      while (atomicAdd(&flags[p + 1], 0u) == 0u) {  //@ next
      }
    atomicExch(&flags[p], 1u);
  }
}
CASE(waits_for_the_next) { LAUNCH((64, 32), waits_for_the_next, c.y, c.flags); }

// Waits by block index: right only where blocks start in order.
__global__ void waits_by_index(int* y, unsigned* flags) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (atomicAdd(&flags[blockIdx.x - 1], 0u) == 0u) {  //@ before
      }
    atomicExch(&flags[blockIdx.x], 1u);
  }
}
CASE(waits_by_index) { LAUNCH((64, 32), waits_by_index, c.y, c.flags); }

// Thread 5 waits for what thread 0 sets behind the barrier at which it waits for thread 5.
__global__ void barrier_and_flag(int* y, unsigned* flags) {
  if (threadIdx.x == 5)
    while (atomicAdd(&flags[0], 0u) == 0u) {  //@ five
    }
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&flags[0], 1u);
}
CASE(barrier_and_flag) { LAUNCH((1, 64), barrier_and_flag, c.y, c.flags); }

// Lane 0 polls while the rest of its warp waits for it.
__global__ void warp_and_flag(int* y, unsigned* flags) {
  if (threadIdx.x == 0)
    while (atomicAdd(&flags[0], 0u) == 0u) {  //@ lane
    }
  __syncwarp();
  if (threadIdx.x == 1) atomicExch(&flags[0], 1u);
}
CASE(warp_and_flag) { LAUNCH((1, 32), warp_and_flag, c.y, c.flags); }

__global__ void votes_for_ever(int* y, unsigned* flags) {
  volatile unsigned* words = flags;
  while (!__all_sync(0xffffffffu, words[threadIdx.x] != 0)) {  //@ votes
  }
}
CASE(votes_for_ever) { LAUNCH((1, 32), votes_for_ever, c.y, c.flags); }

__global__ void barriers_for_ever(int* y, unsigned* flags) {
  while (__syncthreads_or(threadIdx.x == 0 && atomicAdd(&flags[0], 0u) == 0)) {  //@ barriers
  }
}
CASE(barriers_for_ever) { LAUNCH((1, 64), barriers_for_ever, c.y, c.flags); }

__global__ void two_words_for_ever(int* y, volatile unsigned* flags) {
  if (threadIdx.x == 0)
    while (flags[0] == 0 && flags[1] == 0) {  //@ two words
    }
}
CASE(two_words_for_ever) { LAUNCH((2, 32), two_words_for_ever, c.y, c.flags); }

// A lock that is not given back.
__global__ void lock_kept(int* y, unsigned* flags) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&flags[0], 0u, 1u) != 0u) {  //@ lock
    }
    y[blockIdx.x] = 1;
  }
}
CASE(lock_kept) { LAUNCH((3, 32), lock_kept, c.y, c.flags); }

__global__ void sleeps_for_ever(int* y, unsigned* flags) {
  while (atomicAdd(&flags[0], 0u) == 0u) __nanosleep(10);  //@ sleep
}
CASE(sleeps_for_ever) { LAUNCH((1, 32), sleeps_for_ever, c.y, c.flags); }

// ---- no deadlocks -------------------------------------------------------------------------------------

// One thread computes for long while all others wait or poll.
__global__ void slow_thread(int* y, const int* x, unsigned* flags) {
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int round = 0; round < 20; ++round)
      for (int i = 0; i < 4096; ++i) sum += x[i];
    y[0] = sum;
    __threadfence();
    atomicExch(&flags[0], 1u);
  } else if (threadIdx.x < 32) {
    while (atomicAdd(&flags[0], 0u) == 0u) {
    }
  }
  __syncthreads();
}
CASE(slow_thread) { LAUNCH((1, 64), slow_thread, c.y, c.x, c.flags); }

// Registers only, for many meetings, while another block polls.
__global__ void long_shuffles(int* y, unsigned* flags) {
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(&flags[1], 1u);
  __shared__ unsigned number;
  if (threadIdx.x == 0) number = atomicAdd(&flags[1000], 1u);
  __syncthreads();
  if (number == 0) {
    int v = 1;
    for (int i = 0; i < 2000; ++i) {
      v = __shfl_xor_sync(0xffffffffu, v, 1) + 1;
      if (i % 8 == 0) __syncthreads();
    }
    y[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(&flags[0], 1u);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&flags[0], 0u) == 0u) {
    }
  }
}
CASE(long_shuffles) { LAUNCH((2, 64), long_shuffles, c.y, c.flags); }

// ---- kernels that never end ---------------------------------------------------------------------------

__global__ void endless(int* y) {
  for (unsigned i = 0;; ++i) y[threadIdx.x] = (int)i;  //@ endless
}
CASE(endless) { LAUNCH((1, 1), endless, c.y); }

__global__ void endless_reads(int* y, const int* x) {
  int sum = 0;
  for (unsigned i = 0; sum != 7; i = (i + 1) % 64) sum += x[i] > 99999;  //@ reads
  y[0] = sum;
}
CASE(endless_reads) { LAUNCH((1, 1), endless_reads, c.y, c.x); }

// ---- asserts and traps --------------------------------------------------------------------------------

__global__ void asserts(int* y, unsigned n) {
  y[threadIdx.x] = 1;
  assert(threadIdx.x < n);  //@ assert
}
CASE(assert_fails) { LAUNCH((1, 64), asserts, c.y, 33u); }
CASE(assert_holds) { LAUNCH((1, 64), asserts, c.y, 64u); }

__global__ void traps(int* y) {
  if (threadIdx.x == 9) __trap();  //@ trap
}
CASE(traps) {
  LAUNCH((1, 32), traps, c.y);
  c.result = cudaDeviceSynchronize();
}
