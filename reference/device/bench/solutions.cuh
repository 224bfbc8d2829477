// Every lab's solution as something the benchmark can launch: workspace is allocated once, outside
// of what is timed; what a launch needs anew (cleared flags) is inside.
//
// The solutions are student files: no headers of ours, and the same names in several of them. So
// each one gets a namespace, and what they include is included first. Build with the repository's
// root as include directory.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <cub/device/device_scan.cuh>

#include "bench_support.cuh"

namespace lab1 {
#include "solutions/01_kogge_stone/kogge_stone.cu"
}
namespace lab2 {
#include "solutions/02_double_buffered/double_buffered.cu"
}
namespace lab3 {
#include "solutions/03_brent_kung/brent_kung.cu"
}
namespace lab4 {
#include "solutions/04_coarsened/coarsened.cu"
}
namespace lab5 {
#include "solutions/05_hierarchical/hierarchical.cu"
}
namespace lab5_fast {
#include "solutions/05_hierarchical/hierarchical_coarsened_fast.cu"
}
namespace lab6 {
#include "solutions/06_domino/domino.cu"
}
namespace lab7 {
#include "solutions/07_look_back/look_back.cu"
}
namespace fast {
#include "solutions/07_look_back/look_back_fast.cu"

#include "look_back_steps.cuh"
}  // namespace fast

namespace scanlab::bench {

// One line of the table. `section`: 0 if the whole array is scanned, else the elements of a
// section.
template <typename T>
struct Candidate {
  std::string name;
  unsigned section;
  std::function<void(const T* X, T* Y, unsigned N, cudaStream_t stream)> launch;
};

inline unsigned sections_of(unsigned N, unsigned section) {
  return N / section + (N % section != 0);
}

template <typename T>
Candidate<T> copy() {
  return {"copy", kNoScan, [](const T* X, T* Y, unsigned N, cudaStream_t stream) {
            must(cudaMemcpyAsync(Y, X, sizeof(T) * N, cudaMemcpyDeviceToDevice, stream));
          }};
}

template <typename T>
Candidate<T> cub_scan(unsigned max_n) {
  std::size_t bytes = 0;
  must(cub::DeviceScan::InclusiveSum(nullptr, bytes, static_cast<const T*>(nullptr),
                                     static_cast<T*>(nullptr), max_n));
  auto workspace = std::make_shared<DeviceArray<unsigned char>>(bytes);
  return {"cub", 0, [workspace](const T* X, T* Y, unsigned N, cudaStream_t stream) {
            std::size_t available = workspace->size();
            must(cub::DeviceScan::InclusiveSum(workspace->get(), available, X, Y, N, stream));
          }};
}

// Labs 1 to 4: each section on its own, as the harness launches them.
template <typename T>
void add_section_labs(std::vector<Candidate<T>>& all) {
  all.push_back({"kogge_stone", 1024, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab1::kogge_stone_inclusive_scan<T, 1024>
                       <<<sections_of(N, 1024), 1024, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"double_buffered", 1024, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab2::double_buffered_inclusive_scan<T, 1024>
                       <<<sections_of(N, 1024), 1024, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"brent_kung", 1024, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab3::brent_kung_inclusive_scan<T, 1024>
                       <<<sections_of(N, 1024), 512, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"coarsened", 4096, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab4::coarsened_inclusive_scan<T, 256, 16>
                       <<<sections_of(N, 4096), 256, 0, s>>>(X, Y, N);
                 }});
}

// Scratch for the block sums of every level of a hierarchical scan.
template <typename T>
using Levels = std::vector<std::shared_ptr<DeviceArray<T>>>;

template <typename T>
std::shared_ptr<Levels<T>> make_levels(unsigned max_n, unsigned section) {
  auto levels = std::make_shared<Levels<T>>();
  for (unsigned n = max_n; n > 1;) {
    n = sections_of(n, section);
    levels->push_back(std::make_shared<DeviceArray<T>>(n));
  }
  return levels;
}

// The drivers of lab 5 without their allocations.
template <typename T, unsigned kSection>
void run_hierarchical(const T* X, T* Y, unsigned N, const Levels<T>& levels, std::size_t level,
                      cudaStream_t s) {
  const unsigned M = sections_of(N, kSection);
  T* const sums = levels[level]->get();
  lab5::scan_sections<T, kSection><<<M, kSection, 0, s>>>(X, Y, sums, N);
  if (M == 1) return;
  if (M <= kSection) {
    lab5::scan_block_sums<T, kSection><<<1, kSection, 0, s>>>(sums, M);
  } else {
    run_hierarchical<T, kSection>(sums, sums, M, levels, level + 1, s);
  }
  lab5::add_block_sums<T, kSection><<<M, kSection, 0, s>>>(Y, sums, N);
}

template <typename T, unsigned kSection>
void run_hierarchical_coarsened(const T* X, T* Y, unsigned N, const Levels<T>& levels,
                                std::size_t level, cudaStream_t s) {
  constexpr unsigned kThreads = lab5_fast::Coarse<kSection>::kThreads;
  const unsigned M = sections_of(N, kSection);
  T* const sums = levels[level]->get();
  lab5_fast::scan_sections<T, kSection><<<M, kThreads, 0, s>>>(X, Y, sums, N);
  if (M == 1) return;
  if (M <= kSection) {
    lab5_fast::scan_block_sums<T, kSection><<<1, kThreads, 0, s>>>(sums, M);
  } else {
    run_hierarchical_coarsened<T, kSection>(sums, sums, M, levels, level + 1, s);
  }
  lab5_fast::add_block_sums<T, kSection><<<M, kThreads, 0, s>>>(Y, sums, N);
}

template <typename T, unsigned kSection>
Candidate<T> hierarchical_coarsened(const std::string& name, unsigned max_n) {
  auto levels = make_levels<T>(max_n, kSection);
  return {name, 0, [levels](const T* X, T* Y, unsigned N, cudaStream_t s) {
            run_hierarchical_coarsened<T, kSection>(X, Y, N, *levels, 0, s);
          }};
}

template <typename T>
Candidate<T> domino(unsigned max_n) {
  constexpr unsigned kSection = 1024;
  const unsigned entries = sections_of(max_n, kSection) + 1;
  auto flags =
      std::make_shared<DeviceArray<unsigned>>(entries + 1);  // and the block counter behind them
  auto values = std::make_shared<DeviceArray<T>>(entries);
  return {"domino", 0, [flags, values](const T* X, T* Y, unsigned N, cudaStream_t s) {
            const unsigned M = sections_of(N, kSection);
            must(cudaMemsetAsync(flags->get(), 0, (M + 2) * sizeof(unsigned), s));
            lab6::domino_scan_kernel<T, kSection>
                <<<M, kSection, 0, s>>>(X, Y, N, flags->get(), values->get(), flags->get() + M + 1);
          }};
}

template <typename T>
Candidate<T> look_back(unsigned max_n) {
  const unsigned entries = sections_of(max_n, lab7::kTile);
  auto status =
      std::make_shared<DeviceArray<unsigned>>(entries + 1);  // and the tile counter behind them
  auto aggregates = std::make_shared<DeviceArray<T>>(entries);
  auto prefixes = std::make_shared<DeviceArray<T>>(entries);
  return {"look_back", 0, [=](const T* X, T* Y, unsigned N, cudaStream_t s) {
            const unsigned tiles = sections_of(N, lab7::kTile);
            must(cudaMemsetAsync(status->get(), 0, (tiles + 1) * sizeof(unsigned), s));
            lab7::TileStates<T> states{status->get(), aggregates->get(), prefixes->get()};
            lab7::look_back_scan_kernel<T>
                <<<tiles, lab7::kTile, 0, s>>>(X, Y, N, states, status->get() + tiles);
          }};
}

template <typename T>
using SharedPlan = std::shared_ptr<fast::ScanPlan<T>>;

template <typename T>
SharedPlan<T> make_shared_plan(unsigned max_n, bool overlap = false) {
  auto* const plan = new fast::ScanPlan<T>(fast::make_plan<T>(max_n));
  plan->overlap = overlap;
  return SharedPlan<T>(plan, [](fast::ScanPlan<T>* p) {
    fast::destroy_plan(*p);
    delete p;
  });
}

template <typename T>
Candidate<T> look_back_fast(unsigned max_n, bool overlap) {
  auto plan = make_shared_plan<T>(max_n, overlap);
  return {
      overlap ? "look_back_fast_overlapped" : "look_back_fast", 0,
      [plan](const T* X, T* Y, unsigned N, cudaStream_t s) { fast::run_plan(*plan, X, Y, N, s); }};
}

template <typename T>
std::vector<Candidate<T>> references(unsigned max_n) {
  return {copy<T>(), cub_scan<T>(max_n)};
}

// The performance page's lines.
template <typename T>
std::vector<Candidate<T>> lab_candidates(unsigned max_n) {
  std::vector<Candidate<T>> all = references<T>(max_n);
  add_section_labs(all);
  auto levels = make_levels<T>(max_n, 1024);
  all.push_back({"hierarchical", 0, [levels](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   run_hierarchical<T, 1024>(X, Y, N, *levels, 0, s);
                 }});
  all.push_back(hierarchical_coarsened<T, 1024>("hierarchical_coarsened", max_n));
  all.push_back(domino<T>(max_n));
  all.push_back(look_back<T>(max_n));
  all.push_back(look_back_fast<T>(max_n, false));
  all.push_back(look_back_fast<T>(max_n, true));
  return all;
}

template <typename T, unsigned kThreads, unsigned kRows>
Candidate<T> block_step(const std::string& name, SharedPlan<T> plan) {
  return {name, 0, [plan](const T* X, T* Y, unsigned N, cudaStream_t s) {
            fast::run_block_look_back<T, kThreads, kRows>(*plan, X, Y, N, s);
          }};
}

template <typename T, unsigned kThreads, unsigned kRows, unsigned kBackOff>
Candidate<T> window_step(const std::string& name, SharedPlan<T> plan) {
  return {name, 0, [plan](const T* X, T* Y, unsigned N, cudaStream_t s) {
            fast::run_window_look_back<T, kThreads, kRows, kBackOff>(*plan, X, Y, N, s);
          }};
}

template <typename T, typename Shape>
Candidate<T> persistent_step(const std::string& name, SharedPlan<T> plan) {
  return {name, 0, [plan](const T* X, T* Y, unsigned N, cudaStream_t s) {
            fast::run_persistent<T, Shape>(*plan, X, Y, N, s);
          }};
}

constexpr fast::Store kPlain = fast::Store::kPlain;
constexpr fast::Store kStreaming = fast::Store::kStreaming;
constexpr fast::Load kLoadPlain = fast::Load::kPlain;
constexpr fast::Load kLoadOnce = fast::Load::kOnce;

// From the readable form to the fast one for large N, one change a step:
// handouts/07b_fast_look_back.md.
template <typename T>
std::vector<Candidate<T>> large_steps(unsigned max_n) {
  using fast::Shape;
  auto marks = make_shared_plan<T>(max_n);  // the window form writes marks of its own
  auto plan = make_shared_plan<T>(max_n);
  std::vector<Candidate<T>> all = references<T>(max_n);
  all.push_back(look_back<T>(max_n));
  all.push_back(window_step<T, 128, 4, 0>("window.128x16", marks));
  all.push_back(window_step<T, 512, 8, 0>("window.512x32", marks));
  all.push_back(window_step<T, 512, 8, 500>("window.512x32.back_off", marks));
  all.push_back(persistent_step<T, Shape<49152, 4, 0, 16>>("persistent.48KB.lead0", plan));
  all.push_back(persistent_step<T, Shape<49152, 4, 1, 16>>("persistent.48KB.lead1", plan));
  all.push_back(persistent_step<T, Shape<49152, 4, 2, 16>>("persistent.48KB.lead2", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 2, 16>>("persistent.32KB.lead2", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 3, 16>>("persistent.32KB.lead3", plan));
  all.push_back(persistent_step<T, fast::LargeShape>("persistent.plain_stores", plan));
  all.push_back(persistent_step<T, fast::LargeShape>("persistent.overlapped",
                                                     make_shared_plan<T>(max_n, true)));
  // Beside the way: what was not taken.
  all.push_back(persistent_step<T, fast::MiddleShape>("persistent.loads_once", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 3, 16, kPlain, kLoadPlain, false>>(
      "persistent.in_turn", plan));
  all.push_back(persistent_step<T, Shape<32768, 4, 3, 16, kPlain>>("persistent.4stages", plan));
  return all;
}

// Shapes for the sizes between, to choose from.
template <typename T>
std::vector<Candidate<T>> shapes(unsigned max_n) {
  using fast::Shape;
  auto plan = make_shared_plan<T>(max_n);
  std::vector<Candidate<T>> all = references<T>(max_n);
  all.push_back(persistent_step<T, Shape<16384, 12, 4, 16, kStreaming, kLoadPlain>>(
      "shape.16KB.lead4.streaming", plan));
  all.push_back(persistent_step<T, Shape<16384, 12, 4, 16, kStreaming, kLoadOnce>>(
      "shape.16KB.lead4.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<16384, 12, 4, 16, kPlain, kLoadPlain>>(
      "shape.16KB.lead4.plain", plan));
  all.push_back(persistent_step<T, Shape<24576, 9, 4, 12, kStreaming, kLoadPlain>>(
      "shape.24KB.lead4.streaming", plan));
  all.push_back(persistent_step<T, Shape<24576, 9, 4, 12, kStreaming, kLoadOnce>>(
      "shape.24KB.lead4.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<24576, 9, 4, 12, kPlain, kLoadPlain>>(
      "shape.24KB.lead4.plain", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 2, 16, kStreaming, kLoadPlain>>(
      "shape.32KB.lead2.streaming", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 2, 16, kStreaming, kLoadOnce>>(
      "shape.32KB.lead2.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 2, 16, kPlain, kLoadPlain>>(
      "shape.32KB.lead2.plain", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 3, 16, kStreaming, kLoadPlain>>(
      "shape.32KB.lead3.streaming", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 3, 16, kStreaming, kLoadOnce>>(
      "shape.32KB.lead3.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<32768, 6, 3, 16, kPlain, kLoadPlain>>(
      "shape.32KB.lead3.plain", plan));
  all.push_back(persistent_step<T, Shape<40960, 5, 3, 16, kStreaming, kLoadPlain>>(
      "shape.40KB.lead3.streaming", plan));
  all.push_back(persistent_step<T, Shape<40960, 5, 3, 16, kStreaming, kLoadOnce>>(
      "shape.40KB.lead3.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<40960, 5, 3, 16, kPlain, kLoadPlain>>(
      "shape.40KB.lead3.plain", plan));
  all.push_back(persistent_step<T, Shape<49152, 4, 2, 16, kStreaming, kLoadPlain>>(
      "shape.48KB.lead2.streaming", plan));
  all.push_back(persistent_step<T, Shape<49152, 4, 2, 16, kStreaming, kLoadOnce>>(
      "shape.48KB.lead2.streaming.once", plan));
  all.push_back(persistent_step<T, Shape<49152, 4, 2, 16, kPlain, kLoadPlain>>(
      "shape.48KB.lead2.plain", plan));
  return all;
}

// The same for small N.
template <typename T>
std::vector<Candidate<T>> small_steps(unsigned max_n) {
  auto marks = make_shared_plan<T>(max_n);
  auto plan = make_shared_plan<T>(max_n);
  auto overlapped = make_shared_plan<T>(max_n, true);
  std::vector<Candidate<T>> all = references<T>(max_n);
  all.push_back(look_back<T>(max_n));
  all.push_back(window_step<T, 256, 2, 0>("window.256x8", marks));
  all.push_back(block_step<T, 256, 1>("block.256x4", plan));
  all.push_back(block_step<T, 256, 2>("block.256x8", plan));
  all.push_back(block_step<T, 512, 2>("block.512x8", plan));
  all.push_back(block_step<T, 256, 4>("block.256x16", plan));
  all.push_back(block_step<T, 512, 4>("block.512x16", plan));
  all.push_back(block_step<T, 256, 8>("block.256x32", plan));
  all.push_back(block_step<T, 256, 2>("block.256x8.overlapped", overlapped));
  all.push_back(block_step<T, 512, 2>("block.512x8.overlapped", overlapped));
  all.push_back(block_step<T, 256, 4>("block.256x16.overlapped", overlapped));
  all.push_back(block_step<T, 512, 4>("block.512x16.overlapped", overlapped));
  all.push_back(persistent_step<T, fast::MiddleShape>("persistent.32KB", plan));
  all.push_back(persistent_step<T, fast::MiddleShape>("persistent.32KB.overlapped", overlapped));
  return all;
}

// Textbook labs: what section length, padding and the rest are worth.
template <typename T>
std::vector<Candidate<T>> lab_variants(unsigned max_n) {
  std::vector<Candidate<T>> all = references<T>(max_n);
  all.push_back({"kogge_stone.256", 256, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab1::kogge_stone_inclusive_scan<T, 256>
                       <<<sections_of(N, 256), 256, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"double_buffered.256", 256, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab2::double_buffered_inclusive_scan<T, 256>
                       <<<sections_of(N, 256), 256, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"brent_kung.512", 512, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab3::brent_kung_inclusive_scan<T, 512>
                       <<<sections_of(N, 512), 256, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"coarsened.128x16", 2048, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab4::coarsened_inclusive_scan<T, 128, 16>
                       <<<sections_of(N, 2048), 128, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"coarsened.64x16", 1024, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab4::coarsened_inclusive_scan<T, 64, 16>
                       <<<sections_of(N, 1024), 64, 0, s>>>(X, Y, N);
                 }});
  all.push_back({"coarsened.128x8", 1024, [](const T* X, T* Y, unsigned N, cudaStream_t s) {
                   lab4::coarsened_inclusive_scan<T, 128, 8>
                       <<<sections_of(N, 1024), 128, 0, s>>>(X, Y, N);
                 }});
  all.push_back(hierarchical_coarsened<T, 512>("hierarchical_coarsened.512", max_n));
  all.push_back(hierarchical_coarsened<T, 2048>("hierarchical_coarsened.2048", max_n));
  all.push_back(hierarchical_coarsened<T, 4096>("hierarchical_coarsened.4096", max_n));
  all.push_back(hierarchical_coarsened<T, 8192>("hierarchical_coarsened.8192", max_n));
  return all;
}

}  // namespace scanlab::bench
