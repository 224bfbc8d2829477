// A submission's shared object, and the graph of additions that it keeps on the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/protocol.hpp"

namespace scanlab::device {

// The layouts of device/submission/harness/entry.h.
struct GraphNode {
  std::uint64_t left, right, owner;
};
struct GraphState {
  GraphNode* nodes;
  std::uint64_t tag;
  std::uint32_t capacity;
  std::uint32_t count;
};

class Submission {
 public:
  // Throws std::runtime_error with the loader's words.
  explicit Submission(std::string path);
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;
  ~Submission();

  // Loads it anew: its variables, those on the device too, have their first values again.
  void reload();
  int call(const harness::EntryRequest& request) const { return entry_(&request); }

  // An empty graph with this tag. Throws CudaError.
  void begin_graph(std::uint64_t tag);
  // Appends what was added since then to the graph of scan/probe.hpp. Throws CudaError.
  void replay() const;

 private:
  void load();
  void unload();
  using Entry = int (*)(const harness::EntryRequest*);
  using Graph = int (*)(GraphState*, int set);

  std::string path_;
  void* handle_ = nullptr;
  Entry entry_ = nullptr;
  Graph graph_ = nullptr;
  GraphNode* nodes_ = nullptr;
};

}  // namespace scanlab::device
