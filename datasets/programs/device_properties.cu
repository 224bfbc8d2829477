// expect: ok
// output: warp size: 32
// output: a block may have up to 1024 threads
// Asks what the device can do, with iostreams.
#include <cuda_runtime.h>

#include <iomanip>
#include <iostream>

int main() {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    std::cout << "no device: " << cudaGetErrorString(error) << std::endl;
    return 1;
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    std::cout << "device " << device << ": " << prop.name << "\n";
    std::cout << "  compute capability: " << prop.major << "." << prop.minor << "\n";
    std::cout << "  multiprocessors: " << prop.multiProcessorCount << "\n";
    std::cout << "  global memory: " << std::fixed << std::setprecision(1)
              << prop.totalGlobalMem / 1024.0 / 1024.0 << " MiB\n";
    std::cout << "  shared memory of a block: " << prop.sharedMemPerBlock / 1024 << " KiB\n";
    std::cout << "  warp size: " << prop.warpSize << "\n";
    std::cout << "  a block may have up to " << prop.maxThreadsPerBlock << " threads\n";
    std::cout << "  grid limits: " << prop.maxGridSize[0] << " x " << prop.maxGridSize[1] << " x "
              << prop.maxGridSize[2] << std::endl;
  }
  cudaSetDevice(0);
  int current = -1;
  cudaGetDevice(&current);
  return current;
}
