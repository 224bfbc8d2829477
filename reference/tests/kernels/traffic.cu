// Access patterns whose cost in sectors and bank conflicts is known by hand. One warp each.
#include "case.h"

__global__ void straight(int* y, const int* x) { y[threadIdx.x] = x[threadIdx.x]; }  //@ copy
CASE(straight) { LAUNCH((1, 32), straight, c.y, c.x); }

__global__ void strided(int* y, const int* x) { y[threadIdx.x] = x[threadIdx.x * 8]; }  //@ copy
CASE(strided) { LAUNCH((1, 32), strided, c.y, c.x); }

__global__ void same_word(int* y, const int* x) { y[threadIdx.x] = x[5]; }  //@ copy
CASE(same_word) { LAUNCH((1, 32), same_word, c.y, c.x); }

__global__ void half_a_warp(int* y, const int* x) {
  if (threadIdx.x < 16) y[threadIdx.x] = x[threadIdx.x];  //@ copy
}
CASE(half_a_warp) { LAUNCH((1, 32), half_a_warp, c.y, c.x); }

template <unsigned STRIDE>
__global__ void banks(int* y) {
  __shared__ int XY[1024];
  XY[threadIdx.x * STRIDE % 1024] = 1;  //@ banks
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x];
}
CASE(banks1) { LAUNCH((1, 32), banks<1>, c.y); }
CASE(banks2) { LAUNCH((1, 32), banks<2>, c.y); }
CASE(banks32) { LAUNCH((1, 32), banks<32>, c.y); }
CASE(banks33) { LAUNCH((1, 32), banks<33>, c.y); }

__global__ void broadcast(int* y) {
  __shared__ int XY[64];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x / 16];  //@ banks
}
CASE(broadcast) { LAUNCH((1, 32), broadcast, c.y); }
