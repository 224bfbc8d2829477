// The first values of a submission's own variables (its writable segments, not its shared arrays), so that
// every launch of a batch starts as the first one in a fresh process does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace scanlab::harness {

class ModuleState {
 public:
  // Copies the writable segments of the loaded object with this path.
  explicit ModuleState(const std::string& path);
  void restore();

 private:
  struct Segment {
    unsigned char* start;
    std::vector<unsigned char> first;
  };
  std::vector<Segment> segments_;
};

}  // namespace scanlab::harness
