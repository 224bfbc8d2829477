// Lab 7, the fast form: the same idea as look_back.cu, made for one GPU.
// handouts/07b_fast_look_back.md explains it step by step, with what each step gained.
//
// Three forms stand here, and the driver at the end takes the right one:
//   1. block_look_back: few tiles, all before this one are looked at at once. For small N.
//   2. persistent_look_back: one block per multiprocessor keeps a running prefix. For large N. It
//      needs compute capability 9.0 (bulk asynchronous copies that report to a barrier).
//   3. portable: decoupled look-back as in look_back.cu, for everything else.
// 1 and 2 use inline PTX. The kit's CPU machine has none, so they are there for nvcc alone: what
// `./scanlab check` sees of this file is the third form. What holds for 1 and 2 is verified on a
// GPU, by reference/device/run_on_gpu.sh.
#include <cassert>
#include <cstdint>

#include <cuda_runtime.h>

inline void check(cudaError_t status) {
  assert(status == cudaSuccess);
  static_cast<void>(status);
}

#ifdef __NVCC__

// ---- What both forms use ----

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// A T as 32-bit words, to shuffle it and to publish it.
template <typename T>
struct Bits {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "T has 4 or 8 bytes");
  static constexpr unsigned kWords = sizeof(T) / 4;
  unsigned word[kWords];
};

template <typename T>
__device__ Bits<T> to_bits(T value) {
  Bits<T> bits;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
__device__ T from_bits(const Bits<T>& bits) {
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}

template <typename T>
__device__ T shuffle_up(T value, unsigned distance) {
  Bits<T> bits = to_bits(value);
  for (unsigned& word : bits.word) word = __shfl_up_sync(kAllLanes, word, distance);
  return from_bits<T>(bits);
}

template <typename T>
__device__ T shuffle_down(T value, unsigned distance) {
  Bits<T> bits = to_bits(value);
  for (unsigned& word : bits.word) word = __shfl_down_sync(kAllLanes, word, distance);
  return from_bits<T>(bits);
}

template <typename T>
__device__ T shuffle_from(T value, unsigned lane) {
  Bits<T> bits = to_bits(value);
  for (unsigned& word : bits.word) word = __shfl_sync(kAllLanes, word, static_cast<int>(lane));
  return from_bits<T>(bits);
}

// Kogge-Stone over the lanes of a warp; always earlier + later.
template <typename T>
__device__ T warp_inclusive_scan(T value) {
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
  for (unsigned stride = 1; stride < kWarp; stride *= 2) {
    const T left = shuffle_up(value, stride);
    if (lane >= stride) value = left + value;
  }
  return value;
}

// The sum of all lanes, in every lane. Lane 0's tree reads only lanes that hold whole groups, so
// the order is kept.
template <typename T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (unsigned stride = 1; stride < kWarp; stride *= 2)
    value = value + shuffle_down(value, stride);
  return shuffle_from(value, 0);
}

// [region words]
// How a tile tells its total to the others: value and "it is there" in one word, so that no fence
// is needed and no reader can see one without the other. "It is there" is the number of the launch
// (the epoch): what an earlier launch left does not count, and nothing is cleared between launches.
// A T of 8 bytes takes two such words, each with its own mark.
template <typename T>
struct Published {
  unsigned long long half[Bits<T>::kWords];
};

template <typename T>
__device__ void publish(Published<T>* where, T value, unsigned epoch) {
  const Bits<T> bits = to_bits(value);
#pragma unroll
  for (unsigned h = 0; h < Bits<T>::kWords; ++h) {
    const unsigned long long word = static_cast<unsigned long long>(epoch) << 32 | bits.word[h];
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(&where->half[h]), "l"(word)
                 : "memory");
  }
}

// True, and the value, if this launch has published it.
template <typename T>
__device__ bool try_read(const Published<T>* where, unsigned epoch, T& value) {
  Bits<T> bits;
  bool there = true;
#pragma unroll
  for (unsigned h = 0; h < Bits<T>::kWords; ++h) {
    unsigned long long word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                 : "=l"(word)
                 : "l"(&where->half[h])
                 : "memory");
    bits.word[h] = static_cast<unsigned>(word);
    there = there && static_cast<unsigned>(word >> 32) == epoch;
  }
  if (there) value = from_bits<T>(bits);
  return there;
}
// [/region]

// [region rows]
// A warp's part of a tile, in registers: kRows rows of 32 lanes x 16 bytes, one after the other in
// the array. Loads and stores are 16 bytes a lane and coalesced; no transposition is needed.
template <typename T>
struct alignas(16) Vector {
  static constexpr unsigned kSize = 16 / sizeof(T);
  T element[kSize];
};

template <typename T, unsigned kRows>
struct Rows {
  static constexpr unsigned kRowSize = kWarp * Vector<T>::kSize;
  static constexpr unsigned kElements = kRows * kRowSize;  // of the whole warp

  Vector<T> row[kRows];
  T before[kRows];     // after scan(): the sum of the row's earlier lanes
  T row_total[kRows];  // after scan(): in every lane
};

// From memory of any kind; `from` is the warp's first element.
template <typename T, unsigned kRows>
__device__ void load(Rows<T, kRows>& rows, const T* from) {
  const Vector<T>* vectors = reinterpret_cast<const Vector<T>*>(from);
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) rows.row[r] = vectors[r * kWarp + threadIdx.x % kWarp];
}

// The last tile, of which only `count` elements from `from` on are there.
template <typename T, unsigned kRows>
__device__ void load_guarded(Rows<T, kRows>& rows, const T* from, unsigned count) {
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
#pragma unroll
    for (unsigned v = 0; v < Vector<T>::kSize; ++v) {
      const unsigned i = (r * kWarp + lane) * Vector<T>::kSize + v;
      rows.row[r].element[v] = i < count ? from[i] : T{};
    }
  }
}

// The sum of the warp's part, in every lane; leaves the rows as they are.
template <typename T, unsigned kRows>
__device__ T sum(const Rows<T, kRows>& rows) {
  T row_sum[kRows];
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    row_sum[r] = rows.row[r].element[0];
#pragma unroll
    for (unsigned v = 1; v < Vector<T>::kSize; ++v)
      row_sum[r] = row_sum[r] + rows.row[r].element[v];
    row_sum[r] = warp_sum(row_sum[r]);
  }
#pragma unroll
  for (unsigned r = 1; r < kRows; ++r) row_sum[0] = row_sum[0] + row_sum[r];
  return row_sum[0];
}

// Scans each lane's vectors and each row's lanes. Returns the sum of the warp's part, in every
// lane.
template <typename T, unsigned kRows>
__device__ T scan(Rows<T, kRows>& rows) {
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    T* const element = rows.row[r].element;
#pragma unroll
    for (unsigned v = 1; v < Vector<T>::kSize; ++v) element[v] = element[v - 1] + element[v];
    const T through = warp_inclusive_scan(element[Vector<T>::kSize - 1]);
    const T left = shuffle_up(through, 1);
    rows.before[r] = threadIdx.x % kWarp == 0 ? T{} : left;
    rows.row_total[r] = shuffle_from(through, kWarp - 1);
  }
  T total = rows.row_total[0];
#pragma unroll
  for (unsigned r = 1; r < kRows; ++r) total = total + rows.row_total[r];
  return total;
}

// After scan(): every element gets the carry and what lies before it in the warp's part.
template <typename T, unsigned kRows>
__device__ void add_carry(Rows<T, kRows>& rows, T carry) {
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    const T before = carry + rows.before[r];
#pragma unroll
    for (T& element : rows.row[r].element) element = before + element;
    carry = carry + rows.row_total[r];
  }
}

// How the result is stored. Streaming: nobody reads it soon, so let it leave the L2 cache first.
enum class Store { kPlain, kStreaming };

template <Store kStore, typename T, unsigned kRows>
__device__ void store(const Rows<T, kRows>& rows, T* to) {
  Vector<T>* vectors = reinterpret_cast<Vector<T>*>(to);
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
    Vector<T>* const place = &vectors[r * kWarp + threadIdx.x % kWarp];
    if constexpr (kStore == Store::kPlain) {
      *place = rows.row[r];
    } else {
      int4 bits;
      memcpy(&bits, &rows.row[r], sizeof(bits));
      __stcs(reinterpret_cast<int4*>(place), bits);
    }
  }
}

template <typename T, unsigned kRows>
__device__ void store_guarded(const Rows<T, kRows>& rows, T* to, unsigned count) {
  const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
  for (unsigned r = 0; r < kRows; ++r) {
#pragma unroll
    for (unsigned v = 0; v < Vector<T>::kSize; ++v) {
      const unsigned i = (r * kWarp + lane) * Vector<T>::kSize + v;
      if (i < count) to[i] = rows.row[r].element[v];
    }
  }
}
// [/region]

// Of the sums of a block's warps: what lies before this warp, and all of them. Every warp calls it.
template <typename T, unsigned kWarps>
__device__ void scan_warp_sums(const T* warp_sums, unsigned warp, T& before, T& all) {
  const unsigned lane = threadIdx.x % kWarp;
  const T through = warp_inclusive_scan(lane < kWarps ? warp_sums[lane] : T{});
  const T left = shuffle_from(through, warp == 0 ? 0 : warp - 1);
  before = warp == 0 ? T{} : left;
  all = shuffle_from(through, kWarps - 1);
}

// How many of N elements lie at `begin` and behind it.
__device__ inline unsigned elements_from(unsigned long long begin, unsigned N) {
  return begin < N ? N - static_cast<unsigned>(begin) : 0;
}

// [region overlap]
// Lets the next launch of the stream set up its blocks while this one still runs, and waits until
// the launch before this one is done. Does nothing in a launch that was not asked to overlap.
__device__ inline void overlap_with_neighbours() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
// [/region]

// ---- Form 1: few tiles ----

// [region help]
// The total of a tile that this block does not own. For when its owner does not come: see
// sum_of_tiles_before. Every thread of the block calls it and gets the total.
template <typename T, unsigned kThreads, unsigned kRows>
__device__ T total_of_other_tile(const T* X, unsigned N, unsigned tile, T* warp_sums) {
  using Part = Rows<T, kRows>;
  constexpr unsigned kWarps = kThreads / kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned long long begin =
      (static_cast<unsigned long long>(tile) * kWarps + warp) * Part::kElements;
  Part rows;
  load_guarded(rows, X + begin, elements_from(begin, N));
  const T warp_total = sum(rows);
  __syncthreads();  // ends write-after-read: the sums of the call before have been read
  if (threadIdx.x % kWarp == 0) warp_sums[warp] = warp_total;
  __syncthreads();  // ends read-after-write: all warps' sums are there
  T before;
  T all;
  scan_warp_sums<T, kWarps>(warp_sums, warp, before, all);
  return all;
}
// [/region]

// [region all_before]
// The sum of all tiles before `tile`, in every thread: thread t waits for the total of tile t, t +
// kThreads and so on, all of them at once. A block that has not started yet cannot be waited for
// for ever: nobody promises that it starts while we keep our place on the device. So whoever has
// waited `patience` times adds up the missing tile itself. That makes the kernel free of deadlock
// whatever is resident, and without drawing numbers.
template <typename T, unsigned kThreads, unsigned kRows>
__device__ T sum_of_tiles_before(const T* X, unsigned N, unsigned tile, const Published<T>* totals,
                                 unsigned epoch, unsigned patience, T* warp_sums, bool* missing) {
  constexpr unsigned kWarps = kThreads / kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  T carry{};
  for (unsigned first = 0; first < tile; first += kThreads) {
    const unsigned q = first + threadIdx.x;
    T total{};
    bool found = q >= tile;
    for (unsigned tries = 0; !found && tries < patience; ++tries) {
      found = try_read(&totals[q], epoch, total);
    }
    missing[threadIdx.x] = !found;
    if (__syncthreads_or(!found)) {  // ends: reading `missing` before it was stored; rarely true
      for (unsigned t = 0; t < kThreads; ++t) {
        if (!missing[t]) continue;
        const T help = total_of_other_tile<T, kThreads, kRows>(X, N, first + t, warp_sums);
        if (t == threadIdx.x) total = help;
      }
      __syncthreads();  // ends write-after-read: warp_sums of the last help have been read
    }
    const T warp_total = warp_sum(total);
    if (threadIdx.x % kWarp == 0) warp_sums[warp] = warp_total;
    __syncthreads();  // ends read-after-write: all warps' sums are there
    T before;
    T all;
    scan_warp_sums<T, kWarps>(warp_sums, warp, before, all);
    carry = carry + all;
    if (first + kThreads < tile)
      __syncthreads();  // ends write-after-read: the next round stores anew
  }
  return carry;
}
// [/region]

// [region block_look_back]
// <<<tiles, kThreads>>>: block b owns tile b. totals: one entry a tile, of earlier epochs or never
// written.
template <typename T, unsigned kThreads, unsigned kRows>
__global__ __launch_bounds__(kThreads) void block_look_back(const T* X, T* Y, unsigned N,
                                                            Published<T>* totals, unsigned epoch,
                                                            unsigned patience) {
  using Part = Rows<T, kRows>;
  constexpr unsigned kWarps = kThreads / kWarp;
  __shared__ T warp_sums[2][kWarps];
  __shared__ bool missing[kThreads];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned long long begin =
      (static_cast<unsigned long long>(blockIdx.x) * kWarps + warp) * Part::kElements;
  const unsigned count = elements_from(begin, N);

  overlap_with_neighbours();

  // Phase 1: scan the warp's part, in registers.
  Part rows;
  if (count >= Part::kElements) {
    load(rows, X + begin);
  } else {
    load_guarded(rows, X + begin, count);
  }
  const T warp_total = scan(rows);
  if (threadIdx.x % kWarp == 0) warp_sums[0][warp] = warp_total;
  __syncthreads();  // ends read-after-write: all warps' sums are there

  // Phase 2: tell the tile's total, and get what lies before the tile.
  T before;
  T tile_total;
  scan_warp_sums<T, kWarps>(warp_sums[0], warp, before, tile_total);
  if (threadIdx.x == 0) publish(&totals[blockIdx.x], tile_total, epoch);
  const T carry = sum_of_tiles_before<T, kThreads, kRows>(X, N, blockIdx.x, totals, epoch, patience,
                                                          warp_sums[1], missing);

  // Phase 3: store.
  add_carry(rows, carry + before);
  if (count >= Part::kElements) {
    store<Store::kPlain>(rows, Y + begin);
  } else {
    store_guarded(rows, Y + begin, count);
  }
}
// [/region]

// ---- Form 2: one block per multiprocessor ----

// [region shape]
// What the L2 cache is told about the input: nothing, or that nobody reads it again.
enum class Load { kPlain, kOnce };

// What can be chosen. kLead: how many tiles before its scan a tile's total is told to the others.
template <unsigned kTileBytes_, unsigned kStages_, unsigned kLead_, unsigned kWarps_,
          Store kStore_ = Store::kStreaming, Load kLoad_ = Load::kPlain, bool kTickets_ = true>
struct Shape {
  static constexpr unsigned kTileBytes = kTileBytes_;
  static constexpr unsigned kStages = kStages_;
  static constexpr unsigned kLead = kLead_;
  static constexpr unsigned kWarps = kWarps_;  // that scan
  static constexpr Store kStore = kStore_;
  static constexpr Load kLoad = kLoad_;
  static constexpr bool kTickets = kTickets_;  // else tile after tile in turn: all must be resident
  static constexpr unsigned kThreads =
      (kWarps + 2) * kWarp;  // and one that loads, one that looks back
  static constexpr unsigned kRows = kTileBytes / (kWarps * kWarp * 16);
  static_assert(kRows * kWarps * kWarp * 16 == kTileBytes, "every warp takes whole rows");
  static_assert(kStages > kLead, "a tile keeps its stage until it is scanned");
};
// [/region]

constexpr unsigned kNoTile = 0xffffffffu;

// Shared memory of the persistent kernel: the stages, and what belongs to each of them. Three roles
// (the loading warp, the looking-back warp, the scanning warps) go round the stages in the same
// order.
template <typename T, typename S>
struct Stages {
  alignas(128) unsigned char data[S::kStages][S::kTileBytes];
  std::uint64_t loaded[S::kStages];   // barrier: the tile is in `data` and its number in `tile`
  std::uint64_t carried[S::kStages];  // barrier: `carry` is known
  std::uint64_t free[S::kStages];     // barrier: all scanning warps have taken what they need
  unsigned tile[S::kStages];          // kNoTile: there are no more
  T carry[S::kStages];                // the sum of all tiles before this one
  T warp_sums[S::kStages][S::kWarps];
};

// Goes round the stages. A stage's barriers flip their phase each time round.
template <typename S>
struct Turn {
  unsigned stage = 0;
  unsigned phase = 0;
  __device__ void next() {
    if (++stage == S::kStages) {
      stage = 0;
      phase ^= 1;
    }
  }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

// [region barriers]
// Barriers in shared memory that count arrivals, and bytes that a bulk copy has brought.
__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ inline void barrier_init(std::uint64_t* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

__device__ inline void barrier_arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

__device__ inline void barrier_arrive_and_expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ inline void barrier_wait(std::uint64_t* barrier, unsigned phase) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}\n"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(phase)
        : "memory");
  }
}

// Starts a copy of `bytes` (a multiple of 16) from global memory; one thread calls it and goes on.
template <Load kLoad>
__device__ void bulk_load(void* to, const void* from, unsigned bytes, std::uint64_t* barrier) {
  if constexpr (kLoad == Load::kPlain) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
  } else {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
        "[%1], %2, "
        "[%3], %4;" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(policy)
        : "memory");
  }
}
// [/region]

// A barrier of the scanning warps alone.
template <typename S>
__device__ void sync_scanning_warps() {
  asm volatile("bar.sync 1, %0;" ::"n"(S::kWarps * kWarp) : "memory");
}

// [region load_tiles]
// Role 1, one thread. Draws tiles and starts their loads, as far ahead as there are stages.
// A tile is drawn, not assigned: so whoever holds a tile runs, and all earlier tiles are held by
// blocks that run. That is why waiting for an earlier tile's total always ends.
template <typename T, typename S>
__device__ void load_tiles(Stages<T, S>& stages, const T* X, unsigned N, unsigned tiles,
                           unsigned* tickets, unsigned first_ticket) {
  constexpr unsigned kTile = S::kTileBytes / sizeof(T);
  const unsigned full_tiles = N / kTile;
  unsigned in_turn = blockIdx.x;
  auto draw = [&] {
    if constexpr (S::kTickets) return atomicAdd(tickets, 1u) - first_ticket;
    const unsigned mine = in_turn;
    in_turn += gridDim.x;
    return mine;
  };
  unsigned drawn = draw();
  for (Turn<S> turn;; turn.next()) {
    const unsigned tile = drawn;
    barrier_wait(&stages.free[turn.stage], turn.phase ^ 1);  // the first time round: at once
    stages.tile[turn.stage] = tile < tiles ? tile : kNoTile;
    std::uint64_t* const loaded = &stages.loaded[turn.stage];
    if (tile >= full_tiles) {
      barrier_arrive(loaded);  // no such tile, or the last one, which is not full: no bulk copy
      if (tile >= tiles) return;
    } else {
      barrier_arrive_and_expect(loaded, S::kTileBytes);
      const T* const from = X + static_cast<unsigned long long>(tile) * kTile;
      bulk_load<S::kLoad>(stages.data[turn.stage], from, S::kTileBytes, loaded);
    }
    drawn = draw();  // ahead of its use: the answer takes its time
  }
}
// [/region]

// [region look_back]
// The sum of the totals of the tiles first .. last - 1, in order; the warp waits for those not
// there yet. A lane takes kEach neighbouring ones, and one tree adds up the lanes. Each try asks
// for all of them again: to ask for one after the other would take as many round trips to the L2
// cache as there are late ones.
template <typename T>
__device__ T sum_of_totals(const Published<T>* totals, unsigned first, unsigned last,
                           unsigned epoch) {
  constexpr unsigned kEach = 5;  // 5 x 32 is more than an H100 or H200 has blocks
  T result{};
  for (unsigned base = first; base < last; base += kEach * kWarp) {
    const unsigned q = base + threadIdx.x % kWarp * kEach;
    T total[kEach];
    for (bool all_found = false; !all_found;) {
      bool found[kEach];
#pragma unroll
      for (unsigned k = 0; k < kEach; ++k) {
        total[k] = T{};
        found[k] = try_read(&totals[q + k < last ? q + k : base], epoch, total[k]);
      }
      all_found = true;
#pragma unroll
      for (unsigned k = 0; k < kEach; ++k) all_found = all_found && (found[k] || q + k >= last);
    }
    __syncwarp();
    T sum = q < last ? total[0] : T{};
#pragma unroll
    for (unsigned k = 1; k < kEach; ++k) sum = sum + (q + k < last ? total[k] : T{});
    result = result + warp_sum(sum);
  }
  return result;
}

// Role 2, one warp. Keeps the sum of everything before the block's last tile, and adds only what
// lies between that tile and the next one: about as many totals as there are blocks.
template <typename T, typename S>
__device__ void look_back(Stages<T, S>& stages, const Published<T>* totals, unsigned epoch) {
  T running{};
  unsigned next = 0;  // `running` is the sum of the tiles 0 .. next - 1
  for (Turn<S> turn;; turn.next()) {
    barrier_wait(&stages.loaded[turn.stage], turn.phase);
    const unsigned tile = stages.tile[turn.stage];
    if (tile == kNoTile) return;
    running = running + sum_of_totals(totals, next, tile, epoch);
    next = tile;
    __syncwarp();  // ends write-after-read: all lanes have read the tile's number
    if (threadIdx.x % kWarp == 0) {
      stages.carry[turn.stage] = running;
      barrier_arrive(&stages.carried[turn.stage]);
    }
  }
}
// [/region]

// [region tell_total]
// A scanning warp's share of the tile that has come last: its sum, and for one of the warps the
// tile's.
template <typename T, typename S>
__device__ void load_part(Rows<T, S::kRows>& rows, const Stages<T, S>& stages, unsigned stage,
                          unsigned tile, const T* X, unsigned N, unsigned warp) {
  using Part = Rows<T, S::kRows>;
  constexpr unsigned kTile = S::kTileBytes / sizeof(T);
  const unsigned long long begin =
      static_cast<unsigned long long>(tile) * kTile + warp * Part::kElements;
  if (tile < N / kTile) {
    load(rows, reinterpret_cast<const T*>(stages.data[stage]) + warp * Part::kElements);
  } else {
    load_guarded(rows, X + begin, elements_from(begin, N));
  }
}

template <typename T, typename S>
__device__ void tell_total(Stages<T, S>& stages, unsigned stage, unsigned tile, const T* X,
                           unsigned N, Published<T>* totals, unsigned epoch, unsigned warp) {
  const unsigned lane = threadIdx.x % kWarp;
  Rows<T, S::kRows> rows;
  load_part<T, S>(rows, stages, stage, tile, X, N, warp);
  const T warp_total = sum(rows);
  if (lane == 0) stages.warp_sums[stage][warp] = warp_total;
  sync_scanning_warps<S>();        // ends read-after-write: all warps' sums are there
  if (warp == tile % S::kWarps) {  // any warp will do; not always the same
    const T total = warp_sum(lane < S::kWarps ? stages.warp_sums[stage][lane] : T{});
    if (lane == 0) publish(&totals[tile], total, epoch);
  }
}
// [/region]

// [region scan_tile]
// A scanning warp's share of a tile whose total was told some tiles ago.
template <typename T, typename S>
__device__ void scan_tile(Stages<T, S>& stages, Turn<S> turn, const T* X, T* Y, unsigned N,
                          unsigned warp) {
  using Part = Rows<T, S::kRows>;
  constexpr unsigned kTile = S::kTileBytes / sizeof(T);
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned stage = turn.stage;
  const unsigned tile = stages.tile[stage];
  const bool full = tile < N / kTile;
  const unsigned long long begin =
      static_cast<unsigned long long>(tile) * kTile + warp * Part::kElements;
  Part rows;
  load_part<T, S>(rows, stages, stage, tile, X, N, warp);
  T before;
  T all;
  scan_warp_sums<T, S::kWarps>(stages.warp_sums[stage], warp, before, all);
  scan(rows);
  barrier_wait(&stages.carried[stage], turn.phase);
  const T carry = stages.carry[stage] + before;
  __syncwarp();  // ends write-after-read: all lanes have taken what they need of the stage
  if (lane == 0) barrier_arrive(&stages.free[stage]);
  add_carry(rows, carry);
  if (full) {
    store<S::kStore>(rows, Y + begin);
  } else {
    store_guarded(rows, Y + begin, elements_from(begin, N));
  }
}

// [/region]

// [region scan_tiles]
// Role 3, S::kWarps warps: tell the total of tile j, then scan tile j - kLead.
template <typename T, typename S>
__device__ void scan_tiles(Stages<T, S>& stages, const T* X, T* Y, unsigned N, Published<T>* totals,
                           unsigned epoch, unsigned warp) {
  Turn<S> coming;
  Turn<S> leaving;
  bool more = true;
  for (unsigned ahead = 0;;) {
    if (more) {
      barrier_wait(&stages.loaded[coming.stage], coming.phase);
      const unsigned tile = stages.tile[coming.stage];
      more = tile != kNoTile;
      if (more) {
        tell_total<T, S>(stages, coming.stage, tile, X, N, totals, epoch, warp);
        coming.next();
        if (++ahead <= S::kLead) continue;
      }
    }
    if (ahead == 0) return;
    scan_tile<T, S>(stages, leaving, X, Y, N, warp);
    leaving.next();
    --ahead;
  }
}
// [/region]

#endif  // __CUDA_ARCH__ >= 900

// [region persistent]
// <<<blocks, S::kThreads, sizeof(Stages<T, S>)>>>: any number of blocks, resident or not; as many
// as multiprocessors is best. X and Y lie on 16 bytes. tickets: draws after earlier launches stand
// at first_ticket; this launch draws tiles + blocks of them.
template <typename T, typename S>
__global__ __launch_bounds__(S::kThreads,
                             1) void persistent_look_back(const T* X, T* Y, unsigned N,
                                                          unsigned tiles, Published<T>* totals,
                                                          unsigned epoch, unsigned* tickets,
                                                          unsigned first_ticket) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  Stages<T, S>& stages = *reinterpret_cast<Stages<T, S>*>(shared_bytes);
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < S::kStages; ++s) {
      barrier_init(&stages.loaded[s], 1);
      barrier_init(&stages.carried[s], 1);
      barrier_init(&stages.free[s], S::kWarps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copies see the barriers too
  }
  overlap_with_neighbours();
  __syncthreads();  // ends read-after-write: the barriers are set up

  const unsigned warp = threadIdx.x / kWarp;
  if (warp < S::kWarps) {
    scan_tiles<T, S>(stages, X, Y, N, totals, epoch, warp);
  } else if (warp == S::kWarps) {
    look_back<T, S>(stages, totals, epoch);
  } else if (threadIdx.x % kWarp == 0) {
    load_tiles<T, S>(stages, X, N, tiles, tickets, first_ticket);
  }
#endif
}
// [/region]

// ---- Plans: what is allocated once and serves many launches ----

// [region plan]
// Workspace for scans of up to max_n elements, one at a time (launches in one stream, in order).
template <typename T>
struct ScanPlan {
  Published<T>* totals = nullptr;
  unsigned* tickets = nullptr;
  unsigned capacity = 0;      // entries of totals
  unsigned epoch = 0;         // of the last launch
  unsigned first_ticket = 0;  // of the next launch
  unsigned multiprocessors = 1;
  unsigned patience =
      1u << 16;          // of block_look_back: tens of milliseconds; 0: every block does all itself
  bool overlap = false;  // let neighbouring launches overlap (compute capability 9.0)
};

constexpr unsigned kSmallestTileBytes = 4096;  // bounds the number of tiles of any shape

template <typename T>
ScanPlan<T> make_plan(unsigned max_n) {
  ScanPlan<T> plan;
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  plan.multiprocessors = static_cast<unsigned>(multiprocessors);
  plan.capacity = max_n / (kSmallestTileBytes / static_cast<unsigned>(sizeof(T))) + 1;
  check(cudaMalloc(&plan.totals, plan.capacity * sizeof(Published<T>)));
  check(
      cudaMemset(plan.totals, 0, plan.capacity * sizeof(Published<T>)));  // epoch 0 is no launch's
  check(cudaMalloc(&plan.tickets, sizeof(unsigned)));
  check(cudaMemset(plan.tickets, 0, sizeof(unsigned)));
  return plan;
}

template <typename T>
void destroy_plan(ScanPlan<T>& plan) {
  check(cudaFree(plan.tickets));  // waits for the kernels
  check(cudaFree(plan.totals));
  plan = ScanPlan<T>{};
}

// The number of the next launch. After 2^32 - 1 of them the words are cleared, once.
template <typename T>
unsigned next_epoch(ScanPlan<T>& plan, cudaStream_t stream) {
  if (++plan.epoch == 0) {
    check(cudaMemsetAsync(plan.totals, 0, plan.capacity * sizeof(Published<T>), stream));
    plan.epoch = 1;
  }
  return plan.epoch;
}

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, std::size_t shared,
            bool overlap, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = overlap ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

template <typename T, unsigned kThreads, unsigned kRows>
void run_block_look_back(ScanPlan<T>& plan, const T* X, T* Y, unsigned N, cudaStream_t stream) {
  constexpr unsigned kTile = kThreads * kRows * Vector<T>::kSize;
  static_assert(kTile * sizeof(T) >= kSmallestTileBytes, "the plan has room for all tiles");
  const unsigned tiles = N / kTile + (N % kTile != 0);
  launch(block_look_back<T, kThreads, kRows>, tiles, kThreads, 0, plan.overlap, stream, X, Y, N,
         plan.totals, next_epoch(plan, stream), plan.patience);
}

template <typename T, typename S>
void run_persistent(ScanPlan<T>& plan, const T* X, T* Y, unsigned N, cudaStream_t stream) {
  constexpr unsigned kTile = S::kTileBytes / sizeof(T);
  constexpr auto kKernel = persistent_look_back<T, S>;
  static const cudaError_t allowed = cudaFuncSetAttribute(
      kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(Stages<T, S>)));
  check(allowed);
  const unsigned tiles = N / kTile + (N % kTile != 0);
  const unsigned blocks = tiles < plan.multiprocessors ? tiles : plan.multiprocessors;
  launch(kKernel, blocks, S::kThreads, sizeof(Stages<T, S>), plan.overlap, stream, X, Y, N, tiles,
         plan.totals, next_epoch(plan, stream), plan.tickets, plan.first_ticket);
  if (S::kTickets) plan.first_ticket += tiles + blocks;  // every block draws one that is too high
}
// [/region]

// [region choice]
// Which form for which N: measured on an H200, see the handout.
constexpr unsigned kLastOfBlockForm = 1u << 22;
constexpr unsigned kLastOfMiddle = 1u << 26;
using MiddleShape = Shape<32768, 6, 3, 16, Store::kStreaming, Load::kOnce>;
using LargeShape = Shape<32768, 6, 3, 16, Store::kPlain, Load::kPlain>;

template <typename T>
void run_plan(ScanPlan<T>& plan, const T* X, T* Y, unsigned N, cudaStream_t stream) {
  if (N == 0) return;
  if (N <= (1u << 18)) {
    run_block_look_back<T, 256, 2>(plan, X, Y, N, stream);
  } else if (N <= (1u << 20)) {
    run_block_look_back<T, 256, 4>(plan, X, Y, N, stream);
  } else if (N <= kLastOfBlockForm) {
    run_block_look_back<T, 256, 8>(plan, X, Y, N, stream);
  } else if (N <= kLastOfMiddle) {
    run_persistent<T, MiddleShape>(plan, X, Y, N, stream);
  } else {
    run_persistent<T, LargeShape>(plan, X, Y, N, stream);
  }
}

// Is there code of the persistent kernel for this device, or (built for an older one) only its
// shell?
template <typename T>
bool has_persistent_kernel() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, persistent_look_back<T, LargeShape>));
  return attributes.ptxVersion >= 90;
}

// Vectors of 16 bytes need arrays that lie on 16 bytes.
template <typename T>
bool fast_form_takes(const T* X, const T* Y, unsigned N) {
  const bool aligned =
      (reinterpret_cast<std::uintptr_t>(X) | reinterpret_cast<std::uintptr_t>(Y)) % 16 == 0;
  return aligned && (N <= kLastOfBlockForm || has_persistent_kernel<T>());
}
// [/region]

#endif  // __NVCC__

// ---- Form 3: for every device, and for the CPU machine ----

namespace portable {

constexpr unsigned kTile = 256;  // elements of a tile = threads of a block

enum TileStatus : unsigned { kEmpty = 0, kAggregate = 1, kPrefix = 2 };

// Explained in look_back.cu. All status words and the counter 0 at the start.
template <typename T>
struct TileStates {
  unsigned* status;
  T* aggregate;
  T* prefix;
  unsigned* counter;
};

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

template <typename T>
__device__ T sum_before(unsigned p, TileStates<T> tiles) {
  T carry{};
  for (unsigned q = p - 1;; --q) {
    if (wait_until_not_empty(&tiles.status[q]) == kPrefix) return tiles.prefix[q] + carry;
    carry = tiles.aggregate[q] + carry;  // earlier + later: tile q lies before what we have
  }
}

template <typename T>
__device__ T carry_into(unsigned p, T tile_sum, TileStates<T> tiles) {
  T carry{};
  if (p > 0) {
    tiles.aggregate[p] = tile_sum;
    publish(&tiles.status[p], kAggregate);
    carry = sum_before(p, tiles);
  }
  tiles.prefix[p] = carry + tile_sum;
  publish(&tiles.status[p], kPrefix);
  return carry;
}

template <typename T>
__global__ void look_back_scan_kernel(const T* X, T* Y, unsigned N, TileStates<T> tiles) {
  __shared__ T XY[kTile];
  __shared__ unsigned tile;
  __shared__ T carry;
  const unsigned tx = threadIdx.x;

  if (tx == 0) tile = atomicAdd(tiles.counter, 1u);
  __syncthreads();  // ends: reading the number before thread 0 has stored it
  const unsigned p = tile;
  const unsigned i = p * kTile + tx;

  XY[tx] = i < N ? X[i] : T{};
  scan_in_shared_memory(XY);
  if (tx == kTile - 1) carry = carry_into(p, XY[tx], tiles);
  __syncthreads();  // ends: reading the carry before the last thread has stored it
  if (i < N) Y[i] = carry + XY[tx];
}

template <typename T>
void inclusive_scan(const T* X, T* Y, unsigned N) {
  const unsigned count = N / kTile + (N % kTile != 0);  // no overflow for N near 2^32
  TileStates<T> tiles{};
  check(cudaMalloc(&tiles.status, count * sizeof(unsigned)));
  check(cudaMalloc(&tiles.aggregate, count * sizeof(T)));
  check(cudaMalloc(&tiles.prefix, count * sizeof(T)));
  check(cudaMalloc(&tiles.counter, sizeof(unsigned)));
  check(cudaMemset(tiles.status, 0, count * sizeof(unsigned)));  // kEmpty, anew for each launch
  check(cudaMemset(tiles.counter, 0, sizeof(unsigned)));

  look_back_scan_kernel<T><<<count, kTile>>>(X, Y, N, tiles);
  check(cudaGetLastError());

  check(cudaFree(tiles.counter));  // waits for the kernel
  check(cudaFree(tiles.prefix));
  check(cudaFree(tiles.aggregate));
  check(cudaFree(tiles.status));
}

}  // namespace portable

// [region driver]
// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each; any N, 0 included.
// Allocates and frees what it needs; who scans often keeps a plan instead.
template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  if (N == 0) return;  // a grid of no blocks is no valid launch
#ifdef __NVCC__
  if (fast_form_takes(X, Y, N)) {
    ScanPlan<T> plan = make_plan<T>(N);
    run_plan(plan, X, Y, N, nullptr);
    destroy_plan(plan);
    return;
  }
#endif
  portable::inclusive_scan(X, Y, N);
}
// [/region]
