// Interprets small programs that the test makes at random, so that a model can say what must be found.
#include "case.h"

enum Kind : unsigned { kNothing, kRead, kWrite, kAtomic, kBarrier, kMeetWarp };

struct Step {
  unsigned kind, offset, bytes;
};

constexpr unsigned kThreads = 64, kSteps = 12;

struct Program {
  Step steps[kThreads][kSteps];
};

template <typename T>
__device__ int touch(void* at, bool write) {
  if (!write) return (int)*(T*)at;
  *(T*)at = (T)threadIdx.x;
  return 0;
}

__device__ int run_step(const Step& step, char* memory) {
  char* at = memory + step.offset;
  const bool write = step.kind == kWrite;
  if (step.kind == kAtomic) return (int)atomicAdd((unsigned*)at, 1u);
  if (step.bytes == 1) return touch<unsigned char>(at, write);
  if (step.bytes == 2) return touch<unsigned short>(at, write);
  if (step.bytes == 4) return touch<unsigned>(at, write);
  return touch<unsigned long long>(at, write);
}

template <bool SHARED>
__global__ void interpret(int* y, char* global, const Program* program) {
  __shared__ unsigned long long words[8];
  char* memory = SHARED ? (char*)words : global;
  if (threadIdx.x < 8) ((unsigned long long*)memory)[threadIdx.x] = 0;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < kSteps; ++i) {
    const Step step = program->steps[threadIdx.x][i];
    if (step.kind == kBarrier) __syncthreads();
    else if (step.kind == kMeetWarp) __syncwarp();
    else if (step.kind != kNothing) sum += run_step(step, memory);
  }
  y[threadIdx.x] = sum;
}

template <bool SHARED>
void launch_program(scanlab_test::Case& c) {
  Program* program = nullptr;
  cudaMalloc(&program, sizeof(Program));
  cudaMemcpy(program, (const void*)c.argument, sizeof(Program), cudaMemcpyHostToDevice);
  LAUNCH((1, kThreads), interpret<SHARED>, c.y, (char*)(c.y + 1024), program);
  cudaFree(program);
}
CASE(in_shared_memory) { launch_program<true>(c); }
CASE(in_global_memory) { launch_program<false>(c); }

// ---- between blocks -----------------------------------------------------------------------------------

enum BlockKind : unsigned { kLoad, kStore, kFence, kSignal, kWait };

struct BlockStep {
  unsigned kind, what;
};

constexpr unsigned kBlocks = 5, kBlockSteps = 8;

struct BlockProgram {
  BlockStep steps[kBlocks][kBlockSteps];
};

// Each block is the one that its number says, and waits for smaller numbers only.
__global__ void interpret_blocks(int* y, unsigned* flags, const BlockProgram* program) {
  const unsigned p = atomicAdd(&flags[1000], 1u);
  int sum = 0;
  for (unsigned i = 0; i < kBlockSteps; ++i) {
    const BlockStep step = program->steps[p][i];
    if (step.kind == kLoad) sum += y[step.what];
    if (step.kind == kStore) y[step.what] = (int)p;
    if (step.kind == kFence) __threadfence();
    if (step.kind == kSignal) atomicExch(&flags[p], 1u);
    if (step.kind == kWait)
      while (atomicAdd(&flags[step.what], 0u) == 0u) {
      }
  }
  y[100 + p] = sum;
}
CASE(between_blocks) {
  BlockProgram* program = nullptr;
  cudaMemset(c.y, 0, 100);
  cudaMalloc(&program, sizeof(BlockProgram));
  cudaMemcpy(program, (const void*)c.argument, sizeof(BlockProgram), cudaMemcpyHostToDevice);
  LAUNCH((kBlocks, 1), interpret_blocks, c.y, c.flags, program);
  cudaFree(program);
}
