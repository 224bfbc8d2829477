// No CUDA call is left unchecked: must() throws, and what is thrown says which call it was.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace scanlab::device {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& call)
      : std::runtime_error(call + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void must(cudaError_t code, const char* call) {
  if (code != cudaSuccess) throw CudaError(code, call);
}

}  // namespace scanlab::device

#define SCANLAB_MUST(call) ::scanlab::device::must((call), #call)
