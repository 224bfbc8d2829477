// expect: ok
// output: 256 bodies, momentum stays near zero
// One step of an all-pairs n-body simulation with float4 and tiles of bodies in shared memory.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 64
#define SOFTENING 1e-2f

__device__ float3 interaction(float4 a, float4 b, float3 acc) {
  float3 r = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
  float inv = rsqrtf(distSqr);
  float s = b.w * inv * inv * inv;
  acc.x += r.x * s;
  acc.y += r.y * s;
  acc.z += r.z * s;
  return acc;
}

__global__ void step(const float4* bodies, float4* velocity, float dt, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i];
  float3 acc = {0.0f, 0.0f, 0.0f};
  for (int start = 0; start < n; start += BLOCK) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; j++) acc = interaction(me, tile[j], acc);
    __syncthreads();
  }
  float4 v = velocity[i];
  v.x += dt * acc.x;
  v.y += dt * acc.y;
  v.z += dt * acc.z;
  velocity[i] = v;
}

int main() {
  const int n = 256;
  std::vector<float4> bodies(n), velocity(n, make_float4(0, 0, 0, 0));
  for (int i = 0; i < n; ++i) {
    float t = 0.1f * i;
    bodies[i] = make_float4(cosf(t) * (1 + 0.01f * i), sinf(t), 0.02f * i, 1.0f / n);
  }
  float4 *d_bodies, *d_velocity;
  size_t bytes = n * sizeof(float4);
  cudaMalloc(&d_bodies, bytes);
  cudaMalloc(&d_velocity, bytes);
  cudaMemcpy(d_bodies, bodies.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_velocity, velocity.data(), bytes, cudaMemcpyHostToDevice);
  step<<<n / BLOCK, BLOCK>>>(d_bodies, d_velocity, 0.01f, n);
  cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return 1;
  }
  cudaMemcpy(velocity.data(), d_velocity, bytes, cudaMemcpyDeviceToHost);
  double x = 0, y = 0, z = 0, speed = 0;
  for (const float4& v : velocity) {
    x += v.x;
    y += v.y;
    z += v.z;
    speed += std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  }
  bool right = speed > 0 && std::fabs(x) + std::fabs(y) + std::fabs(z) < 1e-3 * speed;
  std::printf("%d bodies, momentum %s\n", n, right ? "stays near zero" : "is lost");
  cudaFree(d_bodies);
  cudaFree(d_velocity);
  return right ? 0 : 1;
}
