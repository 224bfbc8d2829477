// The part of the CUDA runtime that course programs use, and the launch itself.
#ifndef SCANLAB_HOST_API_H
#define SCANLAB_HOST_API_H

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorAssert = 710,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, sharedMemPerBlockOptin, totalConstMem;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int maxThreadsDim[3], maxGridSize[3];
  int major, minor, multiProcessorCount, l2CacheSize, memoryBusWidth;
  int concurrentKernels, unifiedAddressing, managedMemory, cooperativeLaunch, canMapHostMemory, integrated, ECCEnabled;
  int asyncEngineCount, regsPerMultiprocessor, concurrentManagedAccess;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, maxDynamicSharedSizeBytes;
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
#define cudaHostAllocDefault 0x00u
#define cudaHostAllocPortable 0x01u
#define cudaHostAllocMapped 0x02u
#define cudaMemAttachGlobal 0x01u
#define cudaStreamDefault 0x00u
#define cudaStreamNonBlocking 0x01u
#define cudaEventDefault 0x00u
#define cudaEventBlockingSync 0x01u
#define cudaEventDisableTiming 0x02u
#define cudaCpuDeviceId (-1)

extern "C" {
cudaError_t scanlab_malloc(void** pointer, size_t bytes);
cudaError_t scanlab_malloc_managed(void** pointer, size_t bytes);
cudaError_t scanlab_malloc_host(void** pointer, size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t scanlab_symbol_copy(const void* symbol, size_t symbol_bytes, void* host, size_t bytes, size_t offset,
                                int to_symbol, cudaMemcpyKind kind);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t scanlab_stream_create(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t scanlab_event_create(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t scanlab_event_record(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t scanlab_allow_dynamic_shared(const void* function, int bytes);
void scanlab_launch(dim3 grid, dim3 block, size_t shared_bytes, const char* name, const void* function,
                    void (*body)(void*), void* context);
}

SCANLAB_INLINE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
template <typename T>
SCANLAB_INLINE cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return scanlab_malloc((void**)pointer, bytes);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal) {
  return scanlab_malloc_managed((void**)pointer, bytes);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) {
  return scanlab_malloc_host((void**)pointer, bytes);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned = 0) {
  return scanlab_malloc_host((void**)pointer, bytes);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t) {
  return scanlab_malloc((void**)pointer, bytes);
}
SCANLAB_INLINE cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return cudaFree(pointer); }
SCANLAB_INLINE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                           cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, bytes, kind);
}
SCANLAB_INLINE cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr) {
  return cudaMemset(to, value, bytes);
}
SCANLAB_INLINE cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = nullptr) {
  return cudaSuccess;
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return scanlab_symbol_copy(&symbol, sizeof(T), (void*)from, bytes, offset, 1, kind);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return scanlab_symbol_copy(&symbol, sizeof(T), to, bytes, offset, 0, kind);
}
template <typename T>
SCANLAB_INLINE cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  *pointer = (void*)&symbol;
  return cudaSuccess;
}
SCANLAB_INLINE cudaError_t cudaStreamCreate(cudaStream_t* stream) { return scanlab_stream_create(stream); }
SCANLAB_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return scanlab_stream_create(stream);
}
SCANLAB_INLINE cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
SCANLAB_INLINE cudaError_t cudaEventCreate(cudaEvent_t* event) { return scanlab_event_create(event); }
SCANLAB_INLINE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return scanlab_event_create(event);
}
SCANLAB_INLINE cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  return scanlab_event_record(event, stream);
}
template <typename F>
SCANLAB_INLINE cudaError_t cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
             ? scanlab_allow_dynamic_shared((const void*)function, value)
             : cudaSuccess;
}
template <typename F>
SCANLAB_INLINE cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) { return cudaSuccess; }
template <typename F>
SCANLAB_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F*, int threads, size_t) {
  *blocks = threads > 0 ? 2048 / threads : 0;
  return threads > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <typename F>
SCANLAB_INLINE cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F*, size_t = 0, int = 0) {
  *grid = 132;
  *block = 1024;
  return cudaSuccess;
}

namespace scanlab {
namespace machine {

struct LaunchConfig {
  dim3 grid, block;
  size_t shared_bytes;
  LaunchConfig(dim3 g, dim3 b, size_t s = 0, cudaStream_t = nullptr) : grid(g), block(b), shared_bytes(s) {}
};

// `call(args...)` is the kernel; every CUDA thread calls it with its own copies of the arguments. Inlined, so that the
// machine returns to the student's own line.
template <typename Call, typename... Args>
SCANLAB_INLINE void launch(const LaunchConfig& config, const char* name, const Call& call, Args... args) {
  auto body = [&]() __attribute__((always_inline, no_sanitize_thread)) { call(args...); };
  scanlab_launch(config.grid, config.block, config.shared_bytes, name, nullptr,
                 [](void* context) __attribute__((no_sanitize_thread)) { (*static_cast<decltype(body)*>(context))(); },
                 &body);
}

SCANLAB_INLINE void* dynamic_shared() { return scanlab_dynamic_shared(); }

// `extern __shared__ T name[];` outside a function: a name that is the block's dynamic shared memory.
template <typename T>
struct DynamicShared {
  SCANLAB_INLINE operator T*() const { return static_cast<T*>(scanlab_dynamic_shared()); }
};

}  // namespace machine
}  // namespace scanlab

#endif
