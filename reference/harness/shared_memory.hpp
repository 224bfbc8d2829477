// Anonymous shared memory whose size is sealed, so that nobody who maps it can be sent a SIGBUS.
#pragma once

#include <cstddef>
#include <string>

namespace scanlab::harness {

enum class Access { read_write, read_only };

// Unmaps and closes. Moves, does not copy.
class Mapping {
 public:
  Mapping() = default;
  // A new memory of `bytes` zero bytes. Throws std::system_error.
  static Mapping create(const std::string& name, std::size_t bytes);
  // What another process created. Throws std::system_error.
  static Mapping open(int fd, std::size_t bytes, Access access);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  // From now on nobody can make a writable mapping or write; those that exist stay writable.
  void forbid_new_writers() const;
  void* data() const { return data_; }
  int fd() const { return fd_; }

 private:
  Mapping(int fd, void* data, std::size_t bytes) : fd_(fd), data_(data), bytes_(bytes) {}
  int fd_ = -1;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace scanlab::harness
