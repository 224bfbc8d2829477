// The rest of the runtime: launches and their limits, errors, properties of a documented model GPU,
// streams, events.
#include <algorithm>
#include <cstring>
#include <string>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

#define SCANLAB_PC __builtin_return_address(0)

namespace scanlab::machine {
namespace {

struct Dim3 {  // laid out as the header's dim3
  unsigned x, y, z;
};

Index3 index3(const Dim3& d) { return {d.x, d.y, d.z}; }
std::uint64_t volume(const Dim3& d) { return std::uint64_t{d.x} * d.y * d.z; }

// Why the device would refuse the launch; empty when it would not.
std::string refusal(const Dim3& grid, const Dim3& block, std::size_t shared) {
  if (volume(grid) == 0) return "the grid has no blocks";
  if (volume(block) == 0) return "the block has no threads";
  if (volume(block) > kMaxThreadsPerBlock || block.z > 64)
    return "a block has at most 1024 threads, and this one has " + std::to_string(volume(block));
  if (grid.y > 65535 || grid.z > 65535) return "a grid has at most 65535 blocks in y and z";
  if (grid.x > 0x7fffffffu)
    return "a grid has at most 2147483647 blocks in x, and this one has " + std::to_string(grid.x);
  if (shared > engine().allowed_dynamic)
    return "a block has at most " + std::to_string(engine().allowed_dynamic) +
           " bytes of dynamic shared memory, and this launch asks for " + std::to_string(shared);
  return "";
}

std::size_t static_shared_bytes(std::uint64_t launch) {
  std::size_t bytes = 0;
  for (const Region* region : engine().shared_regions)
    if (region->touched_launch == launch) bytes += region->bytes;
  return bytes;
}

void count_accesses(Grid& grid) {
  for (const Region* region : engine().shared_regions)
    if (region->touched_launch == grid.launch) grid.record.shared_accesses += region->accesses;
  for (const auto& region : device_regions())
    if (region->touched_launch == grid.launch) grid.record.global_accesses += region->accesses;
  grid.record.shared_accesses += grid.dynamic_accesses;
  constexpr unsigned kSlow = 8,
                     kWarp =
                         16;  // times as long as a quick access; an arrival at a barrier is as long
  grid.record.effort = grid.record.shared_accesses + grid.record.global_accesses +
                       (kSlow - 1) * grid.slow_accesses + kWarp * grid.warp_waits +
                       grid.record.barriers * grid.threads_per_block * grid.blocks;
}

void finish(Grid& grid, Pc pc) {
  Engine& e = engine();
  count_accesses(grid);
  for (auto& observer : e.observers) observer->kernel_end(grid);
  grid.record.completed = !grid.aborted;
  if (grid.aborted) {
    e.report.aborted = true;
    if (e.sticky_error == 0) e.sticky_error = kLaunchFailure;
    e.last_error = e.sticky_error;
  }
  const std::size_t shared = static_shared_bytes(grid.launch);
  if (shared > kMaxSharedBytes)
    report(words::launch_refused(
        grid.kernel,
        "a kernel has at most 49152 bytes of static shared memory, and this one uses " +
            std::to_string(shared),
        pc));
  e.report.launches.push_back(std::move(grid.record));
}

void start_record(Grid& grid) {
  grid.record.kernel = grid.kernel;
  grid.record.grid = grid.grid;
  grid.record.block = grid.block;
  grid.record.shared_bytes = grid.dynamic_bytes;
}

void run_launch(Grid& grid, Pc pc) {
  Engine& e = engine();
  start_record(grid);
  e.grid = &grid;
  for (auto& observer : e.observers) observer->kernel_begin(grid);
  run_grid(grid);
  finish(grid, pc);
  e.grid = nullptr;
}

const char* kErrorNames[][3] = {
    {"0", "cudaSuccess", "no error"},
    {"1", "cudaErrorInvalidValue", "invalid argument"},
    {"2", "cudaErrorMemoryAllocation", "out of memory"},
    {"9", "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {"13", "cudaErrorInvalidSymbol", "invalid device symbol"},
    {"17", "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {"21", "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {"100", "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {"101", "cudaErrorInvalidDevice", "invalid device ordinal"},
    {"400", "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {"600", "cudaErrorNotReady", "device not ready"},
    {"700", "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {"701", "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {"702", "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {"710", "cudaErrorAssert", "device-side assert triggered"},
    {"716", "cudaErrorMisalignedAddress", "misaligned address"},
    {"719", "cudaErrorLaunchFailure", "unspecified launch failure"},
    {"801", "cudaErrorNotSupported", "operation not supported"},
};

const char* error_text(int error, int column) {
  for (const auto& row : kErrorNames)
    if (std::to_string(error) == row[0]) return row[column];
  return column == 1 ? "cudaErrorUnknown" : "unknown error";
}

// The model GPU that programs are told of: a Hopper-class device, with the limits that the launch
// check uses.
struct Properties {  // laid out as the header's cudaDeviceProp
  char name[256];
  std::size_t total_memory, shared_per_block, shared_per_multiprocessor, shared_opt_in,
      constant_memory;
  int registers_per_block, warp_size, threads_per_block, threads_per_multiprocessor,
      blocks_per_multiprocessor;
  int threads_dim[3], grid_size[3];
  int major, minor, multiprocessors, l2_bytes, bus_width;
  int concurrent, unified, managed, cooperative, map_host, integrated, ecc;
  int engines, registers_per_multiprocessor, concurrent_managed;
};

Properties model_gpu() {
  Properties p{};
  std::strcpy(p.name, "scanlab SIMT machine");
  p.total_memory = engine().options.device_memory_limit;
  p.shared_per_block = kMaxSharedBytes;
  p.shared_per_multiprocessor = 228 << 10;
  p.shared_opt_in = kMaxOptInSharedBytes;
  p.constant_memory = 64 << 10;
  p.registers_per_block = p.registers_per_multiprocessor = 65536;
  p.warp_size = static_cast<int>(kWarpSize);
  p.threads_per_block = static_cast<int>(kMaxThreadsPerBlock);
  p.threads_per_multiprocessor = 2048;
  p.blocks_per_multiprocessor = 32;
  p.threads_dim[0] = p.threads_dim[1] = 1024;
  p.threads_dim[2] = 64;
  p.grid_size[0] = 0x7fffffff;
  p.grid_size[1] = p.grid_size[2] = 65535;
  p.major = 9;
  p.multiprocessors = 132;
  p.l2_bytes = 50 << 20;
  p.bus_width = 5120;
  p.concurrent = p.unified = p.managed = p.map_host = p.concurrent_managed = 1;
  p.engines = 3;
  return p;
}

int attribute_value(int attribute) {
  const Properties p = model_gpu();
  switch (attribute) {
    case 1:
      return p.threads_per_block;
    case 2:
      return p.threads_dim[0];
    case 5:
      return p.grid_size[0];
    case 8:
      return static_cast<int>(p.shared_per_block);
    case 10:
      return p.warp_size;
    case 16:
      return p.multiprocessors;
    case 39:
      return p.threads_per_multiprocessor;
    case 75:
      return p.major;
    case 76:
      return p.minor;
    case 81:
      return static_cast<int>(p.shared_per_multiprocessor);
    case 97:
      return static_cast<int>(p.shared_opt_in);
    default:
      return 0;
  }
}

struct Event {
  std::uint64_t at = 0;
  bool recorded = false;
};

}  // namespace
}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" {
void scanlab_launch(Dim3 grid, Dim3 block, size_t shared_bytes, const char* name, const void*,
                    void (*body)(void*), void* context) {
  Engine& e = engine();
  const std::string why = e.current != nullptr
                              ? "a kernel launches a kernel, which these labs do not use"
                              : refusal(grid, block, shared_bytes);
  if (!why.empty()) {
    report(words::launch_refused(name, why, SCANLAB_PC));
    e.last_error = kInvalidConfiguration;
    return;
  }
  if (e.sticky_error != 0) return;
  Grid launch;
  launch.kernel = name;
  launch.grid = index3(grid);
  launch.block = index3(block);
  launch.blocks = static_cast<std::uint32_t>(volume(grid));
  launch.threads_per_block = static_cast<std::uint32_t>(volume(block));
  launch.dynamic_bytes = shared_bytes;
  launch.body = body;
  launch.context = context;
  launch.launch = ++e.launches;
  run_launch(launch, SCANLAB_PC);
}

int scanlab_allow_dynamic_shared(const void*, int bytes) {
  if (bytes < 0 || bytes > static_cast<int>(kMaxOptInSharedBytes))
    return engine().last_error = kInvalidValue;
  engine().allowed_dynamic = std::max(engine().allowed_dynamic, static_cast<std::size_t>(bytes));
  return 0;
}

int cudaDeviceSynchronize() { return engine().sticky_error; }
int cudaDeviceReset() { return 0; }
int cudaPeekAtLastError() { return engine().last_error; }
int cudaGetLastError() {
  Engine& e = engine();
  const int error = e.last_error;
  e.last_error = e.sticky_error;
  return error;
}
const char* cudaGetErrorString(int error) { return error_text(error, 2); }
const char* cudaGetErrorName(int error) { return error_text(error, 1); }

int cudaGetDeviceCount(int* count) { return *count = 1, 0; }
int cudaGetDevice(int* device) { return *device = 0, 0; }
int cudaSetDevice(int device) { return device == 0 ? 0 : engine().last_error = 101; }
int cudaDriverGetVersion(int* version) { return *version = 13000, 0; }
int cudaRuntimeGetVersion(int* version) { return *version = 13000, 0; }
int cudaGetDeviceProperties(void* properties, int device) {
  if (device != 0) return engine().last_error = 101;
  const Properties model = model_gpu();
  std::memcpy(properties, &model, sizeof model);
  return 0;
}
int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  if (device != 0) return engine().last_error = 101;
  *value = attribute_value(attribute);
  return 0;
}

int scanlab_stream_create(void** stream) { return *stream = ::operator new(1), 0; }
int cudaStreamDestroy(void* stream) { return ::operator delete(stream), 0; }
int cudaStreamSynchronize(void*) { return engine().sticky_error; }

// The machine has no clock: an event's time is the number of accesses so far, read as nanoseconds.
int scanlab_event_create(void** event) { return *event = new Event, 0; }
int cudaEventDestroy(void* event) { return delete static_cast<Event*>(event), 0; }
int scanlab_event_record(void* event, void*) {
  if (event == nullptr) return engine().last_error = 400;
  *static_cast<Event*>(event) = {time_now(engine()), true};
  return 0;
}
int cudaEventSynchronize(void*) { return engine().sticky_error; }
int cudaEventQuery(void*) { return engine().sticky_error; }
int cudaEventElapsedTime(float* milliseconds, void* start, void* stop) {
  const auto *a = static_cast<Event*>(start), *b = static_cast<Event*>(stop);
  if (a == nullptr || b == nullptr || !a->recorded || !b->recorded)
    return engine().last_error = 400;
  *milliseconds = static_cast<float>(b->at - a->at) * 1e-6f;
  return 0;
}
}
