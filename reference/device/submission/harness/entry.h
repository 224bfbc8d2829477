// The GPU's form of reference/harness/entry.h: a lab's entry.cu finds this one first when nvcc
// compiles it.
//
// An addition appends a node (its operands and who made it) to a graph in device memory and gives
// the node's number. Nothing on the device ever reads a node, so a missing fence in the submission
// stays visible: only values travel between threads. After the run the worker replays the nodes
// into the CPU's graph (scan/probe.hpp), whose numbers are the same, because an operand is always
// older than its sum.
#pragma once

#include <cuda_runtime.h>

namespace scanlab {

enum class Probe : unsigned long {};

namespace device {

struct Node {
  unsigned long left, right, owner;  // owner: 0 the host, else 1 + global thread number
};

// The same layout is known to the worker (device_graph.hpp).
struct Graph {
  Node* nodes;
  unsigned long tag;  // in the high 32 bits; a node's value is tag | kNodeBit | number
  unsigned capacity;
  unsigned count;  // additions so far; those from `capacity` on are lost
};

constexpr unsigned long kNodeBit = 0x80000000UL;
constexpr unsigned long kLost = 0xFFFFFFFFUL;

static __device__ Graph graph;

__device__ inline unsigned long this_thread() {
  const unsigned long block =
      blockIdx.x + static_cast<unsigned long>(gridDim.x) *
                       (blockIdx.y + static_cast<unsigned long>(gridDim.y) * blockIdx.z);
  const unsigned long thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__device__ inline unsigned long append(unsigned long a, unsigned long b) {
  const unsigned number = atomicAdd(&graph.count, 1U);
  if (number >= graph.capacity) return graph.tag | kLost;
  graph.nodes[number] = {a, b, this_thread() + 1};
  return graph.tag | kNodeBit | number;
}

// The blocking copies wait for kernels of the default stream, so the order of the numbers holds.
inline unsigned long append_on_host(unsigned long a, unsigned long b) {
  Graph now;
  if (cudaMemcpyFromSymbol(&now, graph, sizeof now) != cudaSuccess || now.count >= now.capacity)
    return kLost;
  const Node node{a, b, 0};
  const unsigned number = now.count++;
  if (cudaMemcpy(now.nodes + number, &node, sizeof node, cudaMemcpyHostToDevice) != cudaSuccess ||
      cudaMemcpyToSymbol(graph, &now, sizeof now) != cudaSuccess)
    return kLost;
  return now.tag | kNodeBit | number;
}

}  // namespace device

__host__ __device__ inline Probe operator+(Probe a, Probe b) {
  const unsigned long x = static_cast<unsigned long>(a), y = static_cast<unsigned long>(b);
#ifdef __CUDA_ARCH__
  return static_cast<Probe>(device::append(x, y));
#else
  return static_cast<Probe>(device::append_on_host(x, y));
#endif
}

__host__ __device__ inline Probe& operator+=(Probe& a, Probe b) { return a = a + b; }

// The same layout is known to the worker (harness/protocol.hpp).
struct Request {
  unsigned function;
  unsigned element;
  unsigned section;
  unsigned factor;
  const void* X;
  void* Y;
  unsigned N;
};

constexpr int kDone = 0;
constexpr int kNoSuchInstance = 1;

constexpr unsigned sections_of(unsigned N, unsigned length) {
  return N / length + (N % length != 0);
}

}  // namespace scanlab

extern "C" int scanlab_entry(const scanlab::Request* request);

// Sets the graph, or reads it back; the worker's only way to it. Gives a cudaError_t.
extern "C" inline __attribute__((used)) int scanlab_device_graph(scanlab::device::Graph* host,
                                                                 int set) {
  return set != 0 ? cudaMemcpyToSymbol(scanlab::device::graph, host, sizeof *host)
                  : cudaMemcpyFromSymbol(host, scanlab::device::graph, sizeof *host);
}
