// The part of cooperative groups that a scan needs: the thread block and tiles of a warp.
#ifndef SCANLAB_COOPERATIVE_GROUPS_H
#define SCANLAB_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
 public:
  SCANLAB_INLINE void sync() const { __syncthreads(); }
  SCANLAB_INLINE static unsigned thread_rank() {
    const uint3 t = scanlab_thread_idx(), d = scanlab_block_dim();
    return t.x + d.x * (t.y + d.y * t.z);
  }
  SCANLAB_INLINE static unsigned size() {
    const uint3 d = scanlab_block_dim();
    return d.x * d.y * d.z;
  }
  SCANLAB_INLINE static unsigned num_threads() { return size(); }
  SCANLAB_INLINE static dim3 group_index() { return dim3(scanlab_block_idx()); }
  SCANLAB_INLINE static dim3 thread_index() { return dim3(scanlab_thread_idx()); }
  SCANLAB_INLINE static dim3 group_dim() { return dim3(scanlab_block_dim()); }
  SCANLAB_INLINE static dim3 dim_threads() { return dim3(scanlab_block_dim()); }
};

SCANLAB_INLINE thread_block this_thread_block() { return thread_block(); }
SCANLAB_INLINE void sync(const thread_block&) { __syncthreads(); }

template <unsigned Size, typename Parent = thread_block>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  SCANLAB_INLINE static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  SCANLAB_INLINE static constexpr unsigned size() { return Size; }
  SCANLAB_INLINE static constexpr unsigned num_threads() { return Size; }
  SCANLAB_INLINE static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  SCANLAB_INLINE static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  SCANLAB_INLINE void sync() const { scanlab_sync_warp(mask()); }
  template <typename T>
  SCANLAB_INLINE T shfl(T value, int lane) const { return __shfl_sync(mask(), value, lane, Size); }
  template <typename T>
  SCANLAB_INLINE T shfl_up(T value, unsigned delta) const { return __shfl_up_sync(mask(), value, delta, Size); }
  template <typename T>
  SCANLAB_INLINE T shfl_down(T value, unsigned delta) const { return __shfl_down_sync(mask(), value, delta, Size); }
  template <typename T>
  SCANLAB_INLINE T shfl_xor(T value, int lanes) const { return __shfl_xor_sync(mask(), value, lanes, Size); }
  SCANLAB_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  SCANLAB_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  SCANLAB_INLINE unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }

 private:
  SCANLAB_INLINE static unsigned first() { return scanlab_lane_id() / Size * Size; }
  SCANLAB_INLINE static unsigned mask() { return (Size == 32 ? 0xffffffffu : ((1u << Size) - 1u)) << first(); }
};

template <unsigned Size, typename Parent>
SCANLAB_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

}  // namespace cooperative_groups

#endif
