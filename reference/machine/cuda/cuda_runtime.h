// What a submission sees in place of the toolkit's cuda_runtime.h. It must stay light: every check compiles it.
// Kernels are ordinary functions here; a launch hands them to the machine, which runs one fiber per CUDA thread.
#ifndef SCANLAB_CUDA_RUNTIME_H
#define SCANLAB_CUDA_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>  // clock(), which the machine answers

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#ifdef __SCANLAB_DEVICE_ARCH__
#define __CUDA_ARCH__ __SCANLAB_DEVICE_ARCH__
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ thread_local  // one ELF TLS segment holds every shared array, by name and size
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define SCANLAB_INLINE __attribute__((always_inline, no_sanitize_thread)) inline

#include "scanlab_vector_types.h"
#include "scanlab_device.h"
#include "scanlab_host_api.h"

#endif
