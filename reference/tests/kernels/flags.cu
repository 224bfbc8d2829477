// Blocks that tell each other of data by flags, right and wrong.
#include "case.h"

__device__ void wait_for(unsigned* flag) {
  while (atomicAdd(flag, 0u) == 0u) {
  }
}

// ---- one block tells the next -----------------------------------------------------------------------

// Blocks draw numbers, so that a waiting block waits for one that runs.
#define NUMBER()                                                \
  __shared__ unsigned drawn;                                    \
  if (threadIdx.x == 0) drawn = atomicAdd(&flags[1000], 1u);    \
  __syncthreads();                                              \
  const unsigned p = drawn

#define HANDOFF(NAME) CASE(NAME) { LAUNCH((3, 32), NAME, c.y, c.flags); }

__global__ void atomic_flag(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence();
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    __threadfence();
    atomicExch(&flags[p + 1], 1u);
  }
}
HANDOFF(atomic_flag)

__global__ void atomic_flag_no_fence(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence();
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    atomicExch(&flags[p + 1], 1u);  //@ flag
  }
}
HANDOFF(atomic_flag_no_fence)

// A fence in front of the data orders nothing behind it.
__global__ void fence_before_data(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      carry = y[p - 1];  //@ carry
    }
    __threadfence();
    y[p] = carry + 1;  //@ data
    atomicExch(&flags[p + 1], 1u);  //@ flag
  }
}
HANDOFF(fence_before_data)

__global__ void fence_behind_flag(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence();
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    atomicExch(&flags[p + 1], 1u);  //@ flag
    __threadfence();
  }
}
HANDOFF(fence_behind_flag)

__global__ void block_fence_only(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence();
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    __threadfence_block();
    atomicExch(&flags[p + 1], 1u);  //@ flag
  }
}
HANDOFF(block_fence_only)

__global__ void system_fence(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence_system();
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    __threadfence_system();
    atomicExch(&flags[p + 1], 1u);
  }
}
HANDOFF(system_fence)

// The textbook's consumer reads plainly behind its poll: a note.
__global__ void textbook_consumer(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      while (atomicAdd(&flags[p], 0u) == 0u) {  //@ poll
      }
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;
    __threadfence();
    atomicExch(&flags[p + 1], 1u);
  }
}
HANDOFF(textbook_consumer)

__global__ void volatile_flag(int* y, volatile unsigned* flags) {
  if (threadIdx.x == 0) {
    const unsigned p = atomicAdd((unsigned*)&flags[1000], 1u);
    int carry = 0;
    if (p > 0) {
      while (flags[p] == 0u) {
      }
      __threadfence();
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    __threadfence();
    flags[p + 1] = 1u;
  }
}
CASE(volatile_flag) { LAUNCH((3, 32), volatile_flag, c.y, c.flags); }

__global__ void volatile_flag_no_fence(int* y, volatile unsigned* flags) {
  if (threadIdx.x == 0) {
    const unsigned p = atomicAdd((unsigned*)&flags[1000], 1u);
    int carry = 0;
    if (p > 0) {
      while (flags[p] == 0u) {
      }
      __threadfence();
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    flags[p + 1] = 1u;  //@ flag
  }
}
CASE(volatile_flag_no_fence) { LAUNCH((3, 32), volatile_flag_no_fence, c.y, c.flags); }

// A flag that is neither atomic nor volatile is a race itself.
__global__ void plain_flag(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0 && threadIdx.x == 0) {
    y[0] = 1;  //@ plain data
    __threadfence();
    flags[0] = 1;  //@ flag
  }
  if (p == 1 && threadIdx.x == 0) {
    while (flags[0] == 0) {  //@ poll
    }
    __threadfence();
    y[1] = y[0];  //@ data
  }
}
CASE(plain_flag) { LAUNCH((2, 32), plain_flag, c.y, c.flags); }

// Set plainly, polled atomically.
__global__ void plainly_set_flag(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0 && threadIdx.x == 0) {
    y[0] = 1;
    __threadfence();
    flags[0] = 1;  //@ flag
  }
  if (p == 1 && threadIdx.x == 0) {
    while (atomicAdd(&flags[0], 0u) == 0) {  //@ poll
    }
  }
}
CASE(plainly_set_flag) { LAUNCH((2, 32), plainly_set_flag, c.y, c.flags); }

__global__ void exchange_poll(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      while (atomicCAS(&flags[p], 1u, 2u) != 1u) {
      }
      __threadfence();
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    __threadfence();
    atomicCAS(&flags[p + 1], 0u, 1u);
  }
}
HANDOFF(exchange_poll)

__global__ void add_as_flag(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      while (atomicOr(&flags[p], 0u) == 0u) {
      }
      __threadfence();
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    __threadfence();
    atomicAdd(&flags[p + 1], 1u);
  }
}
HANDOFF(add_as_flag)

// ---- orders of cuda::atomic_ref -----------------------------------------------------------------------

template <int STORE, int LOAD>
__global__ void ordered_flag(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[p]);
      while (flag.load((cuda::memory_order)LOAD) == 0) {  //@ ref poll
      }
      carry = y[p - 1];  //@ ref carry
    }
    y[p] = carry + 1;  //@ ref data
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[p + 1]);
    flag.store(1u, (cuda::memory_order)STORE);  //@ ref flag
  }
}
CASE(release_acquire) { LAUNCH((3, 32), (ordered_flag<3, 2>), c.y, c.flags); }
CASE(sequentially_consistent) { LAUNCH((3, 32), (ordered_flag<5, 5>), c.y, c.flags); }
CASE(relaxed_store) { LAUNCH((3, 32), (ordered_flag<0, 2>), c.y, c.flags); }
CASE(relaxed_load) { LAUNCH((3, 32), (ordered_flag<3, 0>), c.y, c.flags); }

__global__ void thread_fences(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      cuda::atomic_ref<unsigned> flag(flags[p]);
      while (flag.load(cuda::memory_order_relaxed) == 0) {
      }
      cuda::atomic_thread_fence(cuda::memory_order_acquire);
      carry = y[p - 1];
    }
    y[p] = carry + 1;
    cuda::atomic_thread_fence(cuda::memory_order_release);
    cuda::atomic_ref<unsigned> flag(flags[p + 1]);
    flag.store(1u, cuda::memory_order_relaxed);
  }
}
HANDOFF(thread_fences)

__global__ void block_scope_fence(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      wait_for(&flags[p]);
      __threadfence();
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    atomicExch(&flags[p + 1], 1u);  //@ flag
  }
}
HANDOFF(block_scope_fence)

// A release that names only its own block says nothing to others.
__global__ void block_scope_release(int* y, unsigned* flags) {
  NUMBER();
  if (threadIdx.x == 0) {
    int carry = 0;
    if (p > 0) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[p]);
      while (flag.load(cuda::memory_order_acquire) == 0) {
      }
      carry = y[p - 1];  //@ carry
    }
    y[p] = carry + 1;  //@ data
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> flag(flags[p + 1]);
    flag.store(1u, cuda::memory_order_release);  //@ flag
  }
}
HANDOFF(block_scope_release)

// ---- what the leader tells of others ------------------------------------------------------------------

// All threads write, the leader publishes after a barrier; all threads of the next block read after a barrier.
template <bool BARRIER, int FENCE>
__global__ void leader_publishes(int* y, unsigned* flags) {
  NUMBER();
  if (p > 0) {
    if (threadIdx.x == 0) {
      wait_for(&flags[p]);
      __threadfence();
    }
    __syncthreads();
    y[p * 32 + threadIdx.x] = y[(p - 1) * 32 + 31 - threadIdx.x] + 1;  //@ leader data
  } else {
    y[threadIdx.x] = 1;  //@ leader first
  }
  if (FENCE == 2) __threadfence();  // each for its own
  if (BARRIER) __syncthreads();
  if (threadIdx.x == 0) {
    if (FENCE == 1) __threadfence();
    atomicExch(&flags[p + 1], 1u);  //@ leader flag
  }
}
CASE(leader_publishes) { LAUNCH((3, 32), (leader_publishes<true, 1>), c.y, c.flags); }
CASE(leader_without_barrier) { LAUNCH((3, 32), (leader_publishes<false, 1>), c.y, c.flags); }
CASE(leader_without_fence) { LAUNCH((3, 32), (leader_publishes<true, 0>), c.y, c.flags); }
CASE(everybody_fences) { LAUNCH((3, 32), (leader_publishes<true, 2>), c.y, c.flags); }
CASE(everybody_fences_without_barrier) { LAUNCH((3, 32), (leader_publishes<false, 2>), c.y, c.flags); }

// The readers of the next block forget their barrier after the leader's poll.
__global__ void readers_do_not_wait(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0 && threadIdx.x == 0) {
    y[0] = 1;  //@ data
    __threadfence();
    atomicExch(&flags[1], 1u);
  }
  if (p == 1) {
    if (threadIdx.x == 0) {
      wait_for(&flags[1]);
      __threadfence();
    }
    if (threadIdx.x == 9) y[9] = y[0];  //@ carry
  }
}
CASE(readers_do_not_wait) { LAUNCH((2, 32), readers_do_not_wait, c.y, c.flags); }

// Within a warp __syncwarp joins what a barrier joins.
__global__ void warp_publishes(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0) {
    y[threadIdx.x] = 1;
    __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(&flags[1], 1u);
    }
  } else {
    if (threadIdx.x == 0) {
      wait_for(&flags[1]);
      __threadfence();
    }
    __syncwarp();
    y[64 + threadIdx.x] = y[31 - threadIdx.x];
  }
}
CASE(warp_publishes) { LAUNCH((2, 32), warp_publishes, c.y, c.flags); }

// The leader's fence stands in front of the meeting: it covers its own write, not the other lanes'.
template <bool BEHIND>
__global__ void fence_and_meeting(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0) {
    y[threadIdx.x] = 1;  //@ lane data
    if (threadIdx.x == 0 && !BEHIND) __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) {
      if (BEHIND) __threadfence();
      atomicExch(&flags[1], 1u);  //@ lane flag
    }
    __syncwarp();
  } else {
    if (threadIdx.x == 0) {
      wait_for(&flags[1]);
      __threadfence();
      y[100] = y[0] + y[5];  //@ lane read
    }
  }
}
CASE(fence_behind_meeting) { LAUNCH((2, 32), fence_and_meeting<true>, c.y, c.flags); }
CASE(fence_before_meeting) { LAUNCH((2, 32), fence_and_meeting<false>, c.y, c.flags); }

// Each lane fences, the warp meets, the leader tells.
__global__ void every_lane_fences(int* y, unsigned* flags) {
  NUMBER();
  if (p == 0) {
    y[threadIdx.x] = 1;
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) atomicExch(&flags[1], 1u);
  } else if (threadIdx.x == 0) {
    wait_for(&flags[1]);
    __threadfence();
    y[100] = y[0] + y[5];
  }
}
CASE(every_lane_fences) { LAUNCH((2, 32), every_lane_fences, c.y, c.flags); }

// ---- chains ---------------------------------------------------------------------------------------------

// Block 0 tells 1, 1 tells 2; 2 reads what 0 wrote. The middle's fence is the last link.
template <bool FIRST, bool MIDDLE>
__global__ void chain(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  const unsigned p = atomicAdd(&flags[1000], 1u);
  if (p == 0) {
    y[0] = 1;  //@ chain data
    if (FIRST) __threadfence();
    atomicExch(&flags[1], 1u);  //@ chain first
  }
  if (p == 1) {
    wait_for(&flags[1]);
    if (MIDDLE) __threadfence();
    atomicExch(&flags[2], 1u);  //@ chain middle
  }
  if (p == 2) {
    wait_for(&flags[2]);
    __threadfence();
    y[2] = y[0];  //@ chain read
  }
}
CASE(chain) { LAUNCH((3, 1), (chain<true, true>), c.y, c.flags); }
CASE(chain_first_fence_missing) { LAUNCH((3, 1), (chain<false, true>), c.y, c.flags); }
CASE(chain_middle_fence_missing) { LAUNCH((3, 1), (chain<true, false>), c.y, c.flags); }

// ---- counters -------------------------------------------------------------------------------------------

// The last block to arrive adds up what all wrote (as in the toolkit's threadFenceReduction).
template <bool FENCE>
__global__ void last_block_sums(int* y, unsigned* flags) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    y[blockIdx.x] = 1;  //@ sum data
    if (FENCE) __threadfence();
    last = atomicAdd(&flags[0], 1u) == gridDim.x - 1;  //@ sum count
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += y[i];  //@ sum read
    y[100] = sum;
  }
}
CASE(last_block_sums) { LAUNCH((6, 32), last_block_sums<true>, c.y, c.flags); }
CASE(last_block_sums_no_fence) { LAUNCH((6, 32), last_block_sums<false>, c.y, c.flags); }

// A counter made by atomicInc, as that sample has it.
__global__ void last_block_by_inc(int* y, unsigned* flags) {
  __shared__ bool last;
  y[blockIdx.x * 32 + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&flags[0], gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += y[i * 32 + threadIdx.x];
    y[1000 + threadIdx.x] = sum;
  }
}
CASE(last_block_by_inc) { LAUNCH((6, 32), last_block_by_inc, c.y, c.flags); }

// A barrier of the whole grid, by hand: all blocks are resident in the schedules that allow it.
__global__ void grid_barrier(int* y, unsigned* flags) {
  y[blockIdx.x * 32 + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&flags[0], 1u);
    while (atomicAdd(&flags[0], 0u) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  y[1000 + blockIdx.x * 32 + threadIdx.x] = y[(gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x];
}
CASE(grid_barrier) { LAUNCH((4, 32), grid_barrier, c.y, c.flags); }

// ---- locks ----------------------------------------------------------------------------------------------

template <int KIND>
__device__ void lock(unsigned* word) {
  if (KIND == 0)
    while (atomicCAS(word, 0u, 1u) != 0u) {
    }
  if (KIND == 1)
    while (atomicExch(word, 1u) != 0u) {
    }
  __threadfence();
}
__device__ void unlock(unsigned* word) {
  __threadfence();
  atomicExch(word, 0u);
}
template <int KIND>
__global__ void locked_sum(int* y, unsigned* flags) {
  if (threadIdx.x == 0) {
    lock<KIND>(&flags[0]);
    y[0] += 1;
    unlock(&flags[0]);
  }
}
CASE(compare_and_swap_lock) {
  cudaMemset(c.y, 0, 4);
  LAUNCH((6, 32), locked_sum<0>, c.y, c.flags);
}
CASE(exchange_lock) {
  cudaMemset(c.y, 0, 4);
  LAUNCH((6, 32), locked_sum<1>, c.y, c.flags);
}
__global__ void unlocked_sum(int* y) {
  if (threadIdx.x == 0) y[0] += 1;  //@ unlocked
}
CASE(no_lock) {
  cudaMemset(c.y, 0, 4);
  LAUNCH((6, 32), unlocked_sum, c.y);
}

// All lanes of a warp take the lock in turn: right since Volta.
__global__ void lock_in_a_warp(int* y, unsigned* flags) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&flags[0], 0u, 1u) == 0u) {
      __threadfence();
      y[0] += 1;
      __threadfence();
      atomicExch(&flags[0], 0u);
      done = true;
    }
  }
}
CASE(lock_in_a_warp) {
  cudaMemset(c.y, 0, 4);
  LAUNCH((2, 32), lock_in_a_warp, c.y, c.flags);
}

// Ticket lock.
__global__ void ticket_lock(int* y, unsigned* flags) {
  const unsigned ticket = atomicAdd(&flags[0], 1u);
  while (atomicAdd(&flags[1], 0u) != ticket) {
  }
  __threadfence();
  y[0] += 1;
  __threadfence();
  atomicAdd(&flags[1], 1u);
}
CASE(ticket_lock) {
  cudaMemset(c.y, 0, 4);
  LAUNCH((2, 32), ticket_lock, c.y, c.flags);
}

// ---- flags within a block -------------------------------------------------------------------------------

// A warp tells another by a flag in shared memory.
template <bool FENCE>
__global__ void warp_to_warp(int* y) {
  __shared__ volatile unsigned flag;
  __shared__ int data;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 5;  //@ warp data
    if (FENCE) __threadfence_block();
    flag = 1;  //@ warp flag
  }
  if (threadIdx.x == 32) {
    while (flag == 0) {  //@ warp poll
    }
    __threadfence_block();
    y[0] = data;  //@ warp read
  }
}
CASE(warp_to_warp) { LAUNCH((1, 64), warp_to_warp<true>, c.y); }
CASE(warp_to_warp_no_fence) { LAUNCH((1, 64), warp_to_warp<false>, c.y); }

// Volatile shared memory in place of barriers: the warp-synchronous style that Volta ended.
__global__ void warp_synchronous(int* y) {
  __shared__ volatile int XY[32];
  XY[threadIdx.x] = 1;  //@ old store
  if (threadIdx.x >= 1) XY[threadIdx.x] += XY[threadIdx.x - 1];  //@ old add
  y[threadIdx.x] = XY[threadIdx.x];
}
CASE(warp_synchronous) { LAUNCH((1, 32), warp_synchronous, c.y); }

// ---- packed status words (decoupled look-back) -------------------------------------------------------

// Flag and value in one 64-bit word: no fence is needed, since there is nothing else to order.
__global__ void packed_word(int* y, unsigned long long* words, unsigned* flags) {
  if (threadIdx.x != 0) return;
  const unsigned p = atomicAdd(&flags[1000], 1u);
  unsigned long long carry = 0;
  if (p > 0) {
    unsigned long long seen = 0;
    while ((seen = *(volatile unsigned long long*)&words[p - 1]) >> 32 == 0) {
    }
    carry = seen & 0xffffffffu;
  }
  atomicExch(&words[p], 1ull << 32 | (carry + 1));
  y[p] = (int)(carry + 1);
}
CASE(packed_word) { LAUNCH((5, 32), packed_word, c.y, (unsigned long long*)(c.flags + 16), c.flags); }

// A look-back over several words, each polled until it is there.
__global__ void look_back(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  const unsigned p = atomicAdd(&flags[1000], 1u);
  volatile unsigned* state = flags;       // 0 nothing, 1 own sum, 2 all sums before
  volatile int* own = y + 100;
  volatile int* all = y + 200;
  own[p] = 1;
  __threadfence();
  if (p > 0) state[p] = 1;
  int sum = 0;
  for (unsigned q = p; q-- > 0;) {
    unsigned s;
    while ((s = state[q]) == 0) {
    }
    __threadfence();
    if (s == 2) {
      sum += all[q];
      break;
    }
    sum += own[q];
  }
  all[p] = sum + 1;
  __threadfence();
  state[p] = 2;
  y[p] = sum + 1;
}
CASE(look_back) { LAUNCH((12, 32), look_back, c.y, c.flags); }

// Polls two words in turn.
__global__ void two_words(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(&flags[1000], 1u) == 1) {
    while (true) {
      if (*(volatile unsigned*)&flags[0] != 0) break;
      if (*(volatile unsigned*)&flags[1] != 0) break;
    }
    y[0] = 1;
  } else {
    atomicExch(&flags[1], 1u);
  }
}
CASE(two_words) { LAUNCH((2, 32), two_words, c.y, c.flags); }

// Plain flag with work in the loop: the compiler may hoist it, and the machine must come through.
__global__ void plain_with_work(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(&flags[1000], 1u) == 1) {
    unsigned rounds = 0;
    while (flags[0] == 0) y[10] = (int)++rounds;  //@ work poll
    y[0] = 1;
  } else {
    flags[0] = 1u;  //@ work set
  }
}
CASE(plain_with_work) { LAUNCH((2, 32), plain_with_work, c.y, c.flags); }

// A counter of rounds that others do not wait for must not starve them.
__global__ void busy_atomics(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(&flags[1000], 1u) == 1) {
    while (atomicAdd(&flags[0], 0u) == 0) atomicAdd(&flags[1], 1u);
    y[0] = 1;
  } else {
    atomicExch(&flags[0], 1u);
  }
}
CASE(busy_atomics) { LAUNCH((2, 32), busy_atomics, c.y, c.flags); }

// Each lane polls its own word; the warp votes whether all are there.
__global__ void vote_while_polling(int* y, unsigned* flags) {
  NUMBER();
  if (p == 1) {
    volatile unsigned* words = flags;
    while (!__all_sync(0xffffffffu, words[threadIdx.x] != 0)) {
    }
    y[threadIdx.x] = 1;
  } else {
    __threadfence();
    atomicExch(&flags[threadIdx.x], 1u);
  }
}
CASE(vote_while_polling) { LAUNCH((2, 32), vote_while_polling, c.y, c.flags); }

// The whole block polls behind barriers.
__global__ void barrier_while_polling(int* y, unsigned* flags) {
  NUMBER();
  if (p == 1) {
    while (__syncthreads_or(threadIdx.x == 0 && atomicAdd(&flags[0], 0u) == 0)) {
    }
    y[threadIdx.x] = 1;
  } else if (threadIdx.x == 0) {
    atomicExch(&flags[0], 1u);
  }
}
CASE(barrier_while_polling) { LAUNCH((2, 64), barrier_while_polling, c.y, c.flags); }

// nanosleep between polls.
__global__ void sleeping_poll(int* y, unsigned* flags) {
  if (threadIdx.x != 0) return;
  if (atomicAdd(&flags[1000], 1u) == 1) {
    while (atomicAdd(&flags[0], 0u) == 0) __nanosleep(100);
    y[0] = 1;
  } else {
    atomicExch(&flags[0], 1u);
  }
}
CASE(sleeping_poll) { LAUNCH((2, 32), sleeping_poll, c.y, c.flags); }
