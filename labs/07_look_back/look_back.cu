// Lab 7, the capstone: a single-pass scan with decoupled look-back.
//
// In the domino scan a block waits until its predecessor knows the sum of everything before it.
// Here a tile publishes its own sum as soon as it has it, and looks back over as many predecessors
// as it must, until it meets one that knows more. Read: D. Merrill and M. Garland, "Single-pass
// Parallel Prefix Scan with Decoupled Look-back", NVIDIA Technical Report NVR-2016-002, 2016.
//
// Only the host driver at the end has a fixed name; everything else here is a proposal. Kernels,
// tile size and the form of the status words are yours to choose. The order in which blocks start,
// and how many run at a time, is the machine's choice.
//
// T is any type of 4 or 8 bytes with an associative + ; T{} is its identity. Write earlier + later.
#include <cuda_runtime.h>

constexpr unsigned kTile = 256;  // elements of a tile = threads of a block

// What is known of a tile; it only ever grows.
enum TileStatus : unsigned {
  kEmpty = 0,      // nothing yet
  kAggregate = 1,  // the sum of this tile alone
  kPrefix = 2      // the sum of everything up to and with this tile
};

// TODO 1: Where do the two sums of a tile stand, and where its status? A status word beside its
//         value takes any T, and needs a fence between the two. A T of 4 bytes can also be packed
//         with its status in one word of 8 bytes, written and read at once. What would a T of 8
//         bytes need?

// One block for each tile, kTile threads in each.
template <typename T>
__global__ void look_back_scan_kernel(const T* X, T* Y, unsigned N, unsigned* status, T* aggregate,
                                      T* prefix, unsigned* tile_counter) {
  // TODO 2: Draw the tile's number p and scan the tile, as in the lab before.
  //
  // TODO 3: One thread publishes the tile's own sum: value first, then what makes the order visible
  //         to other blocks, then the status. What can tile 0 publish at once?
  //
  // TODO 4: The same thread looks back from tile p - 1 towards tile 0. For each: wait until its
  //         status is not empty. An aggregate is added, and the walk goes on; a prefix is added,
  //         and ends it. On which side of the + does the tile stand that you have just reached?
  //
  // TODO 5: Publish the prefix of this tile, as early as you can. May it overwrite the aggregate,
  //         while somebody else has just seen the old status?
  //
  // TODO 6: Every thread adds what came before the tile to its element, and stores the result in Y.
}

// Y[i] = X[0] + ... + X[i]. X and Y are device pointers to N elements each.
template <typename T>
void look_back_inclusive_scan(const T* X, T* Y, unsigned N) {
  // TODO 7: Count the tiles (N may be 0, or close to 2^32), allocate, set what must be set before
  //         each launch, launch, free.
}
