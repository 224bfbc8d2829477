// Accesses outside their arrays, to memory that is no longer or never was the device's, and of values never written.
#include "case.h"

// ---- shared arrays ------------------------------------------------------------------------------------

__global__ void past_the_end(int* y) {
  __shared__ int XY[32];
  __shared__ int carry;
  XY[threadIdx.x + 1] = 1;  //@ past
  if (threadIdx.x == 0) carry = 0;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x] + carry;
}
CASE(past_the_end) { LAUNCH((1, 32), past_the_end, c.y); }

__global__ void before_the_beginning(int* y) {
  __shared__ int other[32];
  __shared__ int XY[32];
  other[threadIdx.x] = 1;
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[(int)threadIdx.x - 1] + other[threadIdx.x];  //@ before
}
CASE(before_the_beginning) { LAUNCH((1, 32), before_the_beginning, c.y); }

__global__ void unsigned_below_zero(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x - 2];  //@ below
}
CASE(unsigned_below_zero) { LAUNCH((1, 32), unsigned_below_zero, c.y); }

// The same kernel exists for other sizes: their arrays lie beside this one's.
template <unsigned SECTION_SIZE>
__global__ void of_a_template(int* y) {
  __shared__ int XY[SECTION_SIZE];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x + SECTION_SIZE / 2];  //@ template
}
CASE(of_a_template) { LAUNCH((1, 32), of_a_template<32>, c.y); }
CASE(of_a_larger_template) {
  LAUNCH((1, 16), of_a_template<16>, c.y);
  LAUNCH((1, 64), of_a_template<64>, c.y);
}

__global__ void inside(int* y) {
  __shared__ int XY[32];
  XY[threadIdx.x] = 1;
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = XY[31 - threadIdx.x];
}
CASE(inside) { LAUNCH((3, 32), inside, c.y); }

__global__ void dynamic_past_the_end(int* y) {
  DYNAMIC_SHARED(int, XY);
  XY[threadIdx.x] = 1;  //@ dynamic
  y[blockIdx.x * 32 + threadIdx.x] = XY[threadIdx.x];
}
CASE(dynamic_past_the_end) { LAUNCH((1, 33, 128), dynamic_past_the_end, c.y); }
CASE(no_dynamic_memory) { LAUNCH((1, 32), dynamic_past_the_end, c.y); }
CASE(dynamic_inside) { LAUNCH((4, 32, 128), dynamic_past_the_end, c.y); }

static ::scanlab::machine::DynamicShared<int> outside;  // extern __shared__ int outside[]; in namespace scope
__global__ void dynamic_of_the_namespace(int* y) {
  outside[threadIdx.x] = (int)(blockIdx.x + threadIdx.x);
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = outside[31 - threadIdx.x];
  int* moved = outside + 1;
  if (threadIdx.x < 31) y[2048 + blockIdx.x * 32 + threadIdx.x] = moved[threadIdx.x];
}
CASE(dynamic_of_the_namespace) { LAUNCH((4, 32, 128), dynamic_of_the_namespace, c.y); }

// ---- global memory ------------------------------------------------------------------------------------

__global__ void store_all(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }  //@ store
CASE(buffer_past_the_end) { LAUNCH((65, 64), store_all, c.y); }
CASE(buffer_full) { LAUNCH((64, 64), store_all, c.y); }
CASE(allocation_past_the_end) {
  int* p = nullptr;
  cudaMalloc(&p, 100 * sizeof(int));
  LAUNCH((2, 64), store_all, p);
  cudaFree(p);
}
CASE(allocation_before_the_beginning) {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  LAUNCH((1, 64), store_all, p - 1);
  cudaFree(p);
}
CASE(allocation_exact) {
  int *p = nullptr, *q = nullptr;
  cudaMalloc(&p, 128 * sizeof(int));
  cudaMalloc(&q, 128 * sizeof(int));
  LAUNCH((2, 64), store_all, p);
  LAUNCH((2, 64), store_all, q);
  cudaFree(p);
  cudaFree(q);
}

// The last element hangs over the end.
__global__ void half_outside(long long* wide) { wide[threadIdx.x] = 1; }  //@ half
CASE(half_outside) {
  long long* p = nullptr;
  cudaMalloc(&p, 60);
  LAUNCH((1, 8), half_outside, p);
  cudaFree(p);
}

__global__ void wild(int* y) { y[1u << 30] = 1; }  //@ wild
CASE(wild) { LAUNCH((1, 1), wild, c.y); }

__global__ void null_pointer(int* p) { *p = 1; }  //@ null
CASE(null_pointer) { LAUNCH((1, 1), null_pointer, (int*)nullptr); }

CASE(use_after_free) {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaFree(p);
  LAUNCH((1, 64), store_all, p);
}

__global__ void read_all(int* y, const int* p) { y[threadIdx.x] = p[threadIdx.x]; }  //@ read
CASE(host_heap) {
  int* p = new int[1 << 24];  // so much lies away from the heap, where it could be next to a shared array
  LAUNCH((1, 64), read_all, c.y, p);
  delete[] p;
}
CASE(host_stack) {
  int local[64] = {};
  LAUNCH((1, 64), read_all, c.y, local);
}

CASE(managed) {
  int* p = nullptr;
  cudaMallocManaged(&p, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) p[i] = i;
  LAUNCH((1, 64), read_all, c.y, p);
  cudaDeviceSynchronize();
  c.result = p[63];
  cudaFree(p);
}

CASE(host_dereference) {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  c.result = p[3];  //@ host
  cudaFree(p);
}

// The stack of another thread is nobody's to write.
__device__ int* leaked;
__global__ void stack_of_another(int* y) {
  int mine = 5;
  if (threadIdx.x == 0) leaked = &mine;
  __syncthreads();
  if (threadIdx.x == 1) *leaked = 1;  //@ stack
  __syncthreads();
  y[threadIdx.x] = mine;
}
CASE(stack_of_another) { LAUNCH((1, 2), stack_of_another, c.y); }

__global__ void misaligned(int* y) { *(long long*)(y + 1) = 1; }  //@ misaligned
CASE(misaligned) { LAUNCH((1, 1), misaligned, c.y); }
CASE(aligned) { LAUNCH((1, 1), misaligned, c.y + 1); }

// ---- module variables -----------------------------------------------------------------------------------

__device__ int table[8];
__constant__ int weights[4] = {1, 2, 3, 4};
static int host_counter = 0;
static const int kSteps[] = {1, 2, 4, 8};

__global__ void table_past_the_end(int* y) { table[threadIdx.x] = 1; }  //@ table
CASE(table_past_the_end) { LAUNCH((1, 9), table_past_the_end, c.y); }
CASE(table_inside) { LAUNCH((1, 8), table_past_the_end, c.y); }

__global__ void constants(int* y) {
  const char* text = "abcd";
  y[threadIdx.x] = weights[threadIdx.x] + kSteps[threadIdx.x] + text[threadIdx.x];
}
CASE(constants) {
  const int other[4] = {5, 6, 7, 8};
  cudaMemcpyToSymbol(weights, other, sizeof other);
  LAUNCH((1, 4), constants, c.y);
}

// The host's own variables are the host's to use.
CASE(host_globals) {
  host_counter += 2;
  for (const int step : kSteps) host_counter += step;
  c.result = host_counter > 0;
  LAUNCH((1, 64), store_all, c.y);
}

CASE(symbol_copies) {
  const int in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int out[8] = {};
  cudaMemcpyToSymbol(table, in, sizeof in);
  LAUNCH((1, 8), table_past_the_end, c.y);
  cudaMemcpyFromSymbol(out, table, sizeof out);
  c.result = out[7];
}

// ---- values never written -------------------------------------------------------------------------------

__global__ void unwritten_shared(int* y) {
  __shared__ int XY[64];
  if (threadIdx.x < 40) XY[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x];  //@ unwritten
}
CASE(unwritten_shared) { LAUNCH((1, 64), unwritten_shared, c.y); }

__global__ void written_in_part(int* y) {
  __shared__ int XY[64];
  ((short*)XY)[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = XY[threadIdx.x];  //@ part
}
CASE(written_in_part) { LAUNCH((1, 64), written_in_part, c.y); }

// What the block before left in shared memory is not written by this one.
__global__ void left_by_the_last_block(int* y) {
  __shared__ int XY[32];
  if (blockIdx.x == 0) XY[threadIdx.x] = 1;
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = XY[threadIdx.x];  //@ left
}
CASE(left_by_the_last_block) { LAUNCH((2, 32), left_by_the_last_block, c.y); }

CASE(unwritten_allocation) {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  LAUNCH((1, 64), read_all, c.y, p);
  cudaFree(p);
}

// A flag that nothing has set to 0 steers the run: an error.
__global__ void unwritten_flag(unsigned* flags) {
  atomicAdd(&flags[0], 1u);  //@ counter
}
CASE(unwritten_flag) {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  LAUNCH((1, 32), unwritten_flag, p);
  cudaFree(p);
}
CASE(zeroed_flag) {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  LAUNCH((1, 32), unwritten_flag, p);
  cudaFree(p);
}

struct Triple {
  int a, b, c;
};
__device__ Triple make(int i) {
  Triple t;
  t.a = t.b = t.c = i;
  return t;
}
// Stores of structs that are returned have no hook: no false alarm for them.
__global__ void returned_struct(int* y) {
  __shared__ Triple XY[32];
  XY[threadIdx.x] = make((int)threadIdx.x);
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = XY[threadIdx.x].a + XY[threadIdx.x].c;
}
CASE(returned_struct) { LAUNCH((2, 32), returned_struct, c.y); }

CASE(copy_of_unwritten) {
  int *p = nullptr, host[64];
  cudaMalloc(&p, 64 * sizeof(int));
  LAUNCH((1, 32), store_all, p);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);  //@ copy
  cudaFree(p);
}

// ---- allocations, copies, sets --------------------------------------------------------------------------

CASE(leaks) {
  int *p = nullptr, *q = nullptr;
  cudaMalloc(&p, 100);  //@ leak
  cudaMalloc(&q, 60);
}
CASE(double_free) {
  int* p = nullptr;
  cudaMalloc(&p, 100);
  cudaFree(p);
  c.result = cudaFree(p);  //@ again
}
CASE(free_of_the_middle) {
  int* p = nullptr;
  cudaMalloc(&p, 100);
  c.result = cudaFree(p + 1);  //@ middle
  cudaFree(p);
}
CASE(free_of_the_host) {
  int local = 0;
  c.result = cudaFree(&local);  //@ local
}
CASE(free_of_null) { c.result = cudaFree(nullptr); }

CASE(copy_too_long) {
  int *p = nullptr, host[64] = {};
  cudaMalloc(&p, 63 * sizeof(int));
  c.result = cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);  //@ long
  cudaFree(p);
}
CASE(copy_elements_for_bytes) {
  int *p = nullptr, host[64] = {};
  cudaMalloc(&p, 64);
  c.result = cudaMemcpy(p, host, 64 * sizeof(int), cudaMemcpyHostToDevice);  //@ bytes
  cudaFree(p);
}
CASE(set_too_long) {
  int* p = nullptr;
  cudaMalloc(&p, 64);
  c.result = cudaMemset(p, 0, 65);  //@ set
  cudaFree(p);
}
CASE(copy_after_free) {
  int *p = nullptr, host[4] = {};
  cudaMalloc(&p, sizeof host);
  cudaFree(p);
  c.result = cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);  //@ freed
}
CASE(copy_the_wrong_way) {
  int *p = nullptr, host[4] = {};
  cudaMalloc(&p, sizeof host);
  c.result = cudaMemcpy(p, host, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(p);
}
CASE(copies_fit) {
  int *p = nullptr, *q = nullptr, host[64], back[64] = {};
  for (int i = 0; i < 64; ++i) host[i] = 3 * i;
  cudaMalloc(&p, sizeof host);
  cudaMalloc(&q, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(q, p, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemcpyAsync(back, q, sizeof host, cudaMemcpyDefault);
  c.result = 0;
  for (int i = 0; i < 64; ++i) c.result += back[i] == 3 * i;
  cudaFree(p);
  cudaFree(q);
}
CASE(rows) {
  int *p = nullptr, host[12], back[6] = {};
  for (int i = 0; i < 12; ++i) host[i] = i;
  cudaMalloc(&p, 6 * sizeof(int));
  cudaMemcpy2D(p, 2 * sizeof(int), host, 4 * sizeof(int), 2 * sizeof(int), 3, cudaMemcpyHostToDevice);
  cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost);
  c.result = back[5];
  cudaFree(p);
}
CASE(too_much_memory) {
  int* p = (int*)1;
  c.result = cudaMalloc(&p, 1ull << 40);
  if (p != nullptr) c.result = 0;
}
CASE(no_bytes) {
  int* p = (int*)1;
  c.result = cudaMalloc(&p, 0);
  if (p == nullptr) cudaFree(p);
}
