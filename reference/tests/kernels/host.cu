// Launches, errors, properties, events, printing: what the host sees.
#include "case.h"

__global__ void nothing() {}
__global__ void ones(int* y) { y[threadIdx.x] = 1; }
__global__ void breaks(int* y) { y[1 << 20] = 1; }  //@ break

// argument: which launch of the list below.
CASE(limits) {
  switch (c.argument) {
    case 0: LAUNCH((1, 1025), nothing); break;  //@ launch
    case 1: LAUNCH((dim3(1), dim3(32, 32, 2)), nothing); break;  //@ launch
    case 2: LAUNCH((dim3(1), dim3(1, 1, 65)), nothing); break;  //@ launch
    case 3: LAUNCH((0, 32), nothing); break;  //@ launch
    case 4: LAUNCH((1, 0), nothing); break;  //@ launch
    case 5: LAUNCH((dim3(1, 65536), 1), nothing); break;  //@ launch
    case 6: LAUNCH((dim3(1, 1, 65536), 1), nothing); break;  //@ launch
    case 7: LAUNCH((dim3(0x80000000u), 1), nothing); break;  //@ launch
    case 8: LAUNCH((1, 32, 49153), nothing); break;  //@ launch
    case 9: LAUNCH((1, 1024), nothing); break;
    case 10: LAUNCH((dim3(1), dim3(16, 1, 64)), nothing); break;
    case 11: LAUNCH((dim3(1, 65), 1), nothing); break;
    case 12: LAUNCH((1, 32, 49152), nothing); break;
  }
  c.result = cudaGetLastError() * 1000 + cudaGetLastError();
}

__global__ void too_much_static(int* y) {
  __shared__ int first[8192];
  __shared__ int second[4097];
  first[threadIdx.x] = 1;
  second[threadIdx.x] = first[threadIdx.x];
  y[threadIdx.x] = second[threadIdx.x];
}
CASE(too_much_static) { LAUNCH((1, 32), too_much_static, c.y); }  //@ static

__global__ void launches(int* y) { LAUNCH((1, 1), ones, y); }
CASE(kernel_launches) { LAUNCH((1, 1), launches, c.y); }

// A launch that was refused, seen at once, later or never.
CASE(error_is_sticky_until_read) {
  LAUNCH((1, 2000), nothing);
  const int peeked = cudaPeekAtLastError();
  const int synchronized = cudaDeviceSynchronize();
  const int got = cudaGetLastError();
  const int again = cudaGetLastError();
  c.result = peeked * 1000 + synchronized * 100 + got * 10 + again;
}

// After an illegal access everything fails, as on a device.
CASE(context_is_lost) {
  int value = 0;
  LAUNCH((1, 1), breaks, c.y);
  const int synchronized = cudaDeviceSynchronize();
  const int copied = cudaMemcpy(&value, c.y, 4, cudaMemcpyDeviceToHost);
  LAUNCH((1, 32), ones, c.y);
  c.result = synchronized == 700 && copied == 700 && cudaGetLastError() == 700 && cudaGetLastError() == 700;
}

CASE(words) {
  c.result = 0;
  const auto is = [&](const char* a, const char* b) { c.result += strcmp(a, b) == 0; };
  is(cudaGetErrorString(cudaSuccess), "no error");
  is(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  is(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  is(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  is(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  is(cudaGetErrorName(cudaErrorLaunchFailure), "cudaErrorLaunchFailure");
}

CASE(properties) {
  int count = 0, device = -1, value = 0;
  cudaDeviceProp p;
  cudaGetDeviceCount(&count);
  cudaGetDevice(&device);
  const int ok = cudaGetDeviceProperties(&p, 0), wrong = cudaGetDeviceProperties(&p, 1);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
  c.result = count == 1 && device == 0 && ok == 0 && wrong == 101 && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 &&
             p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin == 232448 && p.maxThreadsDim[2] == 64 &&
             p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.major == 9 && value == 1024 &&
             p.concurrentManagedAccess == 1 && strlen(p.name) > 0;
}

__global__ void opt_in(int* y) {
  DYNAMIC_SHARED(int, XY);
  XY[threadIdx.x + 20000] = 1;
  y[threadIdx.x] = XY[threadIdx.x + 20000];
}
CASE(more_dynamic_memory) {
  c.result = cudaFuncSetAttribute(opt_in, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  LAUNCH((1, 1, 98304), opt_in, c.y);
  c.result += cudaGetLastError();
}

CASE(events) {
  cudaEvent_t start, stop;
  cudaStream_t stream;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaStreamCreate(&stream);
  float milliseconds = -1;
  const int early = cudaEventElapsedTime(&milliseconds, start, stop);
  cudaGetLastError();
  cudaEventRecord(start, stream);
  LAUNCH((1, 32, 0, stream), ones, c.y);
  cudaEventRecord(stop, stream);
  const int done = cudaEventSynchronize(stop), queried = cudaEventQuery(stop);
  const int measured = cudaEventElapsedTime(&milliseconds, start, stop);
  c.result = early == 400 && done == 0 && queried == 0 && measured == 0 && milliseconds > 0 &&
             cudaStreamSynchronize(stream) == 0;
  cudaStreamDestroy(stream);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

CASE(memory_info) {
  size_t free_before = 0, free_after = 0, total = 0;
  int* p = nullptr;
  cudaMemGetInfo(&free_before, &total);
  cudaMalloc(&p, 1000000);
  cudaMemGetInfo(&free_after, &total);
  cudaFree(p);
  c.result = free_before - free_after;
}

// ---- printing -------------------------------------------------------------------------------------------

__global__ void prints() {
  if (threadIdx.x == 1) printf("thread %u of block %u: %.2f %s\n", threadIdx.x, blockIdx.x, 1.5, "text");
}
CASE(printing) {
  printf("before\n");
  LAUNCH((2, 32), prints);
  puts("after");
  putchar('!');
}

__global__ void floods() {
  for (int i = 0; i < 100000; ++i) printf("%d 0123456789012345678901234567890123456789\n", i);
}
CASE(flood) { LAUNCH((1, 1), floods); }
CASE(host_flood) {
  for (int i = 0; i < 100000; ++i) printf("%d 0123456789012345678901234567890123456789\n", i);
}

// ---- records --------------------------------------------------------------------------------------------

__global__ void recorded(int* y, unsigned* flags) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x + 32 * blockIdx.x] = XY[threadIdx.x];
  atomicAdd(&flags[0], 1u);
  if (blockIdx.x == 1) __syncthreads();
}
CASE(records) { LAUNCH((dim3(2), dim3(32), 64), recorded, c.y, c.flags); }

// Something of everything that the schedule decides, right and wrong.
__global__ void mixed(int* y, unsigned* flags) {
  __shared__ int XY[64];
  XY[threadIdx.x] = (int)threadIdx.x;
  y[blockIdx.x * 64 + threadIdx.x] = XY[(threadIdx.x + 1) % 64];
  y[2048 + atomicAdd(&flags[0], 1u)] = (int)(blockIdx.x * 64 + threadIdx.x);
  if (threadIdx.x == 0) printf("block %u is %u\n", blockIdx.x, atomicAdd(&flags[1], 1u));
  __syncthreads();
  if (threadIdx.x == 63) y[3000] = y[blockIdx.x * 64];
}
CASE(mixed) { LAUNCH((10, 64), mixed, c.y, c.flags); }
