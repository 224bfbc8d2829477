#include "device/worker/submission.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

#include "device/worker/cuda_check.hpp"
#include "scan/probe.hpp"

namespace scanlab::device {
namespace {

constexpr std::uint32_t kCapacity = probe::kDefaultNodeLimit;
constexpr std::uint64_t kHighHalf = 0xFFFFFFFF00000000U;

std::uint64_t replayed_owner = 0;

template <typename Function>
Function symbol(void* handle, const char* name) {
  void* address = dlsym(handle, name);
  if (address == nullptr) throw std::runtime_error(std::string("the submission has no ") + name);
  return reinterpret_cast<Function>(address);
}

}  // namespace

Submission::Submission(std::string path) : path_(std::move(path)) {
  probe::set_owner_source([] { return replayed_owner; });
  load();
}

Submission::~Submission() {
  unload();
  static_cast<void>(cudaFree(nodes_));  // the worker ends
}

void Submission::load() {
  handle_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
  entry_ = symbol<Entry>(handle_, "scanlab_entry");
  graph_ = symbol<Graph>(handle_, "scanlab_device_graph");
}

void Submission::unload() {
  if (handle_ != nullptr) dlclose(handle_);
  handle_ = nullptr;
}

void Submission::reload() {
  unload();
  load();
}

void Submission::begin_graph(std::uint64_t tag) {
  if (nodes_ == nullptr) {
    void* room = nullptr;
    SCANLAB_MUST(cudaMalloc(&room, kCapacity * sizeof(GraphNode)));
    nodes_ = static_cast<GraphNode*>(room);
  }
  GraphState state{nodes_, tag & kHighHalf, kCapacity, 0};
  must(static_cast<cudaError_t>(graph_(&state, 1)), "setting the graph");
}

void Submission::replay() const {
  GraphState state{};
  must(static_cast<cudaError_t>(graph_(&state, 0)), "reading the graph");
  std::vector<GraphNode> nodes(std::min(state.count, state.capacity));
  SCANLAB_MUST(
      cudaMemcpy(nodes.data(), nodes_, nodes.size() * sizeof(GraphNode), cudaMemcpyDeviceToHost));
  for (const GraphNode& node : nodes) {
    replayed_owner = node.owner;
    scanlab_probe_add(node.left, node.right);
  }
  for (std::uint32_t lost = state.capacity; lost < state.count; ++lost) scanlab_probe_add(0, 0);
}

}  // namespace scanlab::device
