#include "device/worker/device_buffer.hpp"

#include <algorithm>

#include "device/worker/cuda_check.hpp"

namespace scanlab::device {

// At the end of a worker; an error here has been said before.
DeviceBuffer::~DeviceBuffer() { static_cast<void>(cudaFree(base_)); }

void DeviceBuffer::poison(std::size_t bytes, unsigned char byte) {
  const std::size_t whole = bytes + 2 * kGuard;
  if (whole > capacity_) {
    SCANLAB_MUST(cudaFree(base_));
    base_ = nullptr;
    void* room = nullptr;
    SCANLAB_MUST(cudaMalloc(&room, whole));
    base_ = static_cast<unsigned char*>(room);
    capacity_ = whole;
  }
  bytes_ = bytes;
  byte_ = byte;
  SCANLAB_MUST(cudaMemset(base_, byte, whole));
}

bool DeviceBuffer::overrun() const {
  return guard_changed(base_) || guard_changed(data() + bytes_);
}

bool DeviceBuffer::guard_changed(const unsigned char* guard) const {
  std::vector<unsigned char> bytes(kGuard);
  SCANLAB_MUST(cudaMemcpy(bytes.data(), guard, kGuard, cudaMemcpyDeviceToHost));
  return std::any_of(bytes.begin(), bytes.end(),
                     [this](unsigned char byte) { return byte != byte_; });
}

void DeviceBuffer::fill(const void* from) const {
  SCANLAB_MUST(cudaMemcpy(data(), from, bytes_, cudaMemcpyHostToDevice));
}

std::vector<unsigned char> DeviceBuffer::contents() const {
  std::vector<unsigned char> bytes(bytes_);
  SCANLAB_MUST(cudaMemcpy(bytes.data(), data(), bytes_, cudaMemcpyDeviceToHost));
  return bytes;
}

unsigned char poison_byte(std::uint64_t seed) {
  seed = (seed ^ (seed >> 29)) * 0xBF58476D1CE4E5B9U;
  return static_cast<unsigned char>(0xC0U | (seed >> 58));
}

}  // namespace scanlab::device
