#include "harness/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace scanlab::harness {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void* map(int fd, std::size_t bytes, int protection) {
  void* data = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED) fail("mmap of shared memory");
  return data;
}

}  // namespace

Mapping Mapping::create(const std::string& name, std::size_t bytes) {
  const int fd = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) fail("memfd_create");
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) fail("ftruncate");
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) fail("sealing");
  return {fd, map(fd, bytes, PROT_READ | PROT_WRITE), bytes};
}

Mapping Mapping::open(int fd, std::size_t bytes, Access access) {
  const int protection = access == Access::read_only ? PROT_READ : PROT_READ | PROT_WRITE;
  return {fd, map(fd, bytes, protection), bytes};
}

Mapping::Mapping(Mapping&& other) noexcept { *this = std::move(other); }

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, bytes_);
  if (fd_ >= 0) close(fd_);
}

void Mapping::forbid_new_writers() const {
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
  if (fcntl(fd_, F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0) fail("sealing against writers");
}

}  // namespace scanlab::harness
