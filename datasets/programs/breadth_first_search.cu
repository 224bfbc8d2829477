// expect: ok
// output: reached 64 vertices in 14 levels
// Breadth-first search with a frontier: atomicCAS claims a vertex, atomicAdd a place in the queue.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t e = (call);                                                               \
    if (e != cudaSuccess) {                                                               \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));             \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

struct Graph {
  const unsigned* srcPtrs;
  const unsigned* dst;
};

__global__ void bfs_kernel(Graph g, int* level, const unsigned* prev, unsigned* curr, unsigned numPrev,
                           unsigned* numCurr, int currLevel) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < numPrev) {
    unsigned vertex = prev[i];
    for (unsigned edge = g.srcPtrs[vertex]; edge < g.srcPtrs[vertex + 1]; ++edge) {
      unsigned neighbor = g.dst[edge];
      if (atomicCAS(&level[neighbor], -1, currLevel) == -1) {
        unsigned place = atomicAdd(numCurr, 1u);
        curr[place] = neighbor;
      }
    }
  }
}

// A grid of side x side vertices, each joined to its right and its lower neighbour.
void build_grid(unsigned side, std::vector<unsigned>& srcPtrs, std::vector<unsigned>& dst) {
  for (unsigned v = 0; v < side * side; ++v) {
    srcPtrs.push_back(static_cast<unsigned>(dst.size()));
    if (v % side + 1 < side) dst.push_back(v + 1);
    if (v / side + 1 < side) dst.push_back(v + side);
  }
  srcPtrs.push_back(static_cast<unsigned>(dst.size()));
}

int main() {
  const unsigned side = 8, n = side * side;
  std::vector<unsigned> srcPtrs, dst;
  build_grid(side, srcPtrs, dst);
  std::vector<int> level(n, -1);
  level[0] = 0;

  unsigned *d_src, *d_dst, *d_prev, *d_curr, *d_count;
  int* d_level;
  CHECK(cudaMalloc(&d_src, srcPtrs.size() * sizeof(unsigned)));
  CHECK(cudaMalloc(&d_dst, dst.size() * sizeof(unsigned)));
  CHECK(cudaMalloc(&d_prev, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&d_curr, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&d_count, sizeof(unsigned)));
  CHECK(cudaMalloc(&d_level, n * sizeof(int)));
  CHECK(cudaMemcpy(d_src, srcPtrs.data(), srcPtrs.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_dst, dst.data(), dst.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_prev, 0, sizeof(unsigned)));  // the frontier starts with vertex 0

  Graph g{d_src, d_dst};
  unsigned frontier = 1;
  int depth = 0;
  while (frontier > 0) {
    CHECK(cudaMemset(d_count, 0, sizeof(unsigned)));
    bfs_kernel<<<(frontier + 31) / 32, 32>>>(g, d_level, d_prev, d_curr, frontier, d_count, depth + 1);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&frontier, d_count, sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::swap(d_prev, d_curr);
    if (frontier > 0) ++depth;
  }
  CHECK(cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost));

  unsigned reached = 0;
  bool right = true;
  for (unsigned v = 0; v < n; ++v) {
    if (level[v] >= 0) ++reached;
    right = right && level[v] == static_cast<int>(v % side + v / side);
  }
  std::printf("reached %u vertices in %d levels\n", reached, depth);
  CHECK(cudaFree(d_src));
  CHECK(cudaFree(d_dst));
  CHECK(cudaFree(d_prev));
  CHECK(cudaFree(d_curr));
  CHECK(cudaFree(d_count));
  CHECK(cudaFree(d_level));
  return right ? 0 : 1;
}
