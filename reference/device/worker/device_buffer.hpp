// Device memory that is fresh for every run: poisoned, and between guard zones that must come out
// untouched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scanlab::device {

class DeviceBuffer {
 public:
  static constexpr std::size_t kGuard = 4096;

  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  // Room for `bytes` of this byte, and as much of it on both sides. Throws CudaError.
  void poison(std::size_t bytes, unsigned char byte);
  // Where the room begins.
  unsigned char* data() const { return base_ + kGuard; }
  // Whether somebody wrote around it since poison(). Throws CudaError.
  bool overrun() const;

  void fill(const void* from) const;
  std::vector<unsigned char> contents() const;

 private:
  bool guard_changed(const unsigned char* guard) const;

  unsigned char* base_ = nullptr;
  std::size_t capacity_ = 0, bytes_ = 0;
  unsigned char byte_ = 0;
};

// Bytes with the two highest bits set: no sum of small inputs, and no tag of a probe, looks like
// that.
unsigned char poison_byte(std::uint64_t seed);

// Fills the shared memory of all multiprocessors, so that a kernel does not find zeros there.
// Throws CudaError.
void poison_shared_memory(unsigned char byte);

}  // namespace scanlab::device
