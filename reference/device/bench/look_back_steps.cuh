// Steps between look_back.cu and look_back_fast.cu that only the benchmark has: decoupled look-back
// as CUB does it, one block a tile. Included after look_back_fast.cu, in its namespace; T of 4
// bytes.
//
// Status and value stand in one word: the mark is twice the epoch for an aggregate, and one more
// for a prefix.

// [region window]
// The sum of all tiles before `tile`: one warp reads 32 tiles at a time and stops at the nearest
// prefix.
template <typename T, unsigned kBackOff>
__device__ T look_back_by_windows(const Published<T>* tiles, unsigned tile, unsigned epoch) {
  const unsigned lane = threadIdx.x % kWarp;
  T carry{};
  for (unsigned end = tile; end > 0; end = end > kWarp ? end - kWarp : 0) {
    const bool exists = lane < end;
    T value{};
    bool prefix = !exists;  // before tile 0 lies the identity
    bool found = !exists;
    while (!found) {
      prefix = try_read(&tiles[end - 1 - lane], 2 * epoch + 1, value);
      found = prefix || try_read(&tiles[end - 1 - lane], 2 * epoch, value);
      if constexpr (kBackOff > 0) {
        if (!found) __nanosleep(kBackOff);
      }
    }
    const unsigned prefixes = __ballot_sync(kAllLanes, prefix);
    const unsigned nearest =
        prefixes == 0 ? kWarp - 1 : static_cast<unsigned>(__ffs(static_cast<int>(prefixes))) - 1;
    if (lane > nearest) value = T{};
    carry = warp_sum(shuffle_from(value, kWarp - 1 - lane)) +
            carry;  // the far tiles are the earlier ones
    if (prefixes != 0) break;
  }
  return carry;
}

template <typename T, unsigned kThreads, unsigned kRows, unsigned kBackOff>
__global__ __launch_bounds__(kThreads) void window_look_back(const T* X, T* Y, unsigned N,
                                                             Published<T>* tiles, unsigned epoch,
                                                             unsigned* tickets,
                                                             unsigned first_ticket) {
  using Part = Rows<T, kRows>;
  constexpr unsigned kWarps = kThreads / kWarp;
  __shared__ T warp_sums[kWarps];
  __shared__ T shared_carry;
  __shared__ unsigned shared_tile;
  if (threadIdx.x == 0) shared_tile = atomicAdd(tickets, 1u) - first_ticket;
  __syncthreads();  // ends read-after-write: the number is drawn
  const unsigned tile = shared_tile;
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned long long begin =
      (static_cast<unsigned long long>(tile) * kWarps + warp) * Part::kElements;
  const unsigned count = elements_from(begin, N);

  Part rows;
  if (count >= Part::kElements) {
    load(rows, X + begin);
  } else {
    load_guarded(rows, X + begin, count);
  }
  const T warp_total = scan(rows);
  if (threadIdx.x % kWarp == 0) warp_sums[warp] = warp_total;
  __syncthreads();  // ends read-after-write: all warps' sums are there
  T before;
  T total;
  scan_warp_sums<T, kWarps>(warp_sums, warp, before, total);
  if (warp == 0) {
    if (threadIdx.x == 0 && tile > 0) publish(&tiles[tile], total, 2 * epoch);
    const T carry = look_back_by_windows<T, kBackOff>(tiles, tile, epoch);
    if (threadIdx.x == 0) {
      publish(&tiles[tile], carry + total, 2 * epoch + 1);
      shared_carry = carry;
    }
  }
  __syncthreads();  // ends read-after-write: the carry is there
  add_carry(rows, shared_carry + before);
  if (count >= Part::kElements) {
    store<Store::kPlain>(rows, Y + begin);
  } else {
    store_guarded(rows, Y + begin, count);
  }
}

template <typename T, unsigned kThreads, unsigned kRows, unsigned kBackOff>
void run_window_look_back(ScanPlan<T>& plan, const T* X, T* Y, unsigned N, cudaStream_t stream) {
  constexpr unsigned kTile = kThreads * kRows * Vector<T>::kSize;
  const unsigned tiles = N / kTile + (N % kTile != 0);
  launch(window_look_back<T, kThreads, kRows, kBackOff>, tiles, kThreads, 0, false, stream, X, Y, N,
         plan.totals, next_epoch(plan, stream), plan.tickets, plan.first_ticket);
  plan.first_ticket += tiles;
}
// [/region]
