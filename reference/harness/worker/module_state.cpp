#include "harness/worker/module_state.hpp"

#include <limits.h>
#include <link.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace scanlab::harness {
namespace {

using Range = std::pair<unsigned char*, unsigned char*>;

struct Search {
  std::string path;
  std::vector<Range> writable;
};

std::string real_path(const char* path) {
  std::unique_ptr<char, decltype(&free)> real(realpath(path, nullptr), &free);
  return real ? real.get() : path;
}

// What the loader protects after relocation is read-only: leave it out. It is the segment's first part.
std::vector<Range> writable_segments(const dl_phdr_info& info) {
  std::vector<Range> ranges;
  Range relro{nullptr, nullptr};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    auto* start = reinterpret_cast<unsigned char*>(info.dlpi_addr + header.p_vaddr);
    if (header.p_type == PT_GNU_RELRO) relro = {start, start + header.p_memsz};
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
      ranges.emplace_back(start, start + header.p_memsz);
  }
  for (Range& range : ranges)
    if (relro.first >= range.first && relro.first < range.second)
      range.first = std::min(std::max(range.first, relro.second), range.second);
  return ranges;
}

int visit(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (info->dlpi_name == nullptr || real_path(info->dlpi_name) != search.path) return 0;
  search.writable = writable_segments(*info);
  return 1;
}

}  // namespace

ModuleState::ModuleState(const std::string& path) {
  Search search{real_path(path.c_str()), {}};
  dl_iterate_phdr(visit, &search);
  for (const auto& [start, end] : search.writable) segments_.push_back({start, {start, end}});
}

void ModuleState::restore() {
  for (const Segment& segment : segments_)
    std::memcpy(segment.start, segment.first.data(), segment.first.size());
}

}  // namespace scanlab::harness
