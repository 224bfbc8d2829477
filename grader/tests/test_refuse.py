"""What is refused, and what must not be: false refusals are as bad as misses."""

from __future__ import annotations

from pathlib import Path

import pytest
from builds import KERNEL, LAB, refusals

from scanlab import paths

REFUSED = {
    "asm": '__device__ void f() { asm volatile("nop;"); }',
    "asm by another name": '__device__ void f() { __asm__("nop"); }',
    "asm through a macro": '#define FENCE a##sm("")\n#define PASTE(a) a\n__device__ void f() { __asm volatile(""); }',
    "asm by pasting": '#define GLUE(a, b) a##b\n__device__ void f() { GLUE(as, m)(""); }',
    "system header": "#include <cstdlib>",
    "guarded header that the prologue brought": "#include <string.h>",
    "vector": "#include <vector>",
    "computed include": "#define H <cstdlib>\n#include H",
    "secret": '#include "/usr/include/stdlib.h"',
    "include_next": "#include_next <stdio.h>",
    "line": '#line 7 "other.cu"\nint a;',
    "line, numbers only": "#line 700\nint a;",
    "line, as a marker": '# 7 "other.cu"\nint a;',
    "line, digraph": '%:line 7 "other.cu"\nint a;',
    "line, spliced": '#li\\\nne 7 "other.cu"\nint a;',
    "line behind a comment": '/* x */ # /* y */ line 7 "other.cu"\nint a;',
    "line hidden by a raw string": '#if 0\nR"(\n#endif\n#line 7 "o.cu"\n#if 0\n)"\n#endif\nint a;',
    "has_include": '#if __has_include("/etc/passwd")\nint a;\n#endif',
    "pragma": "#pragma GCC optimize(3)\nint a;",
    "pragma operator": '_Pragma("GCC push_options") int a;',
    "attribute section": '__attribute__((section(".data"))) int a;',
    "attribute alias": 'void f(); void g() __attribute__((alias("f")));',
    "attribute constructor": "__attribute__((constructor)) void f() {}",
    "attribute with priority": "__attribute__((constructor(200))) void f() {}",
    "attribute weakref": 'static int e(int) __attribute__((weakref("exit")));',
    "attribute no_sanitize": '__attribute__((no_sanitize("thread"))) void f() {}',
    "attribute no_sanitize_thread": "__attribute__((__no_sanitize_thread__)) void f() {}",
    "attribute optimize": "__attribute__((optimize(3))) void f() {}",
    "attribute ifunc": 'void f() __attribute__((ifunc("g")));',
    "attribute in brackets": "[[gnu::optimize(3)]] void f() {}",
    "attribute naked": "[[gnu::naked]] void f() {}",
    "attribute with using": '[[using gnu: section(".x")]] int a;',
    "the machine's own attribute macro": "SCANLAB_INLINE void f() {}",
    "builtin": "__device__ int f() { return __builtin_return_address(0) != nullptr; }",
    "builtin apply": "__device__ void f() { __builtin_trap(); }",
    "sync builtin": "__device__ int f(int* p) { return __sync_fetch_and_add(p, 1); }",
    "atomic builtin": "__device__ int f(int* p) { return __atomic_load_n(p, 5); }",
    "try": "void f() { try { } catch (...) { } }",
    "throw": "void f() { throw 1; }",
    "setjmp": "int setjmp(int*); void f() { int b[9]; setjmp(b); }",
    "extern C": 'extern "C" int puts(const char*);',
    "extern C block": 'extern "C" { int puts(const char*); }',
    "thread_local": "thread_local int a;",
    "thread": "__thread int a;",
    "machine's names": "namespace scanlab { int a; }",
    "machine's function": "__device__ void f() { ::scanlab::machine::dynamic_shared(); }",
    "machine's function pasted": "#define G(a, b) a##b\n__device__ void* f() { return ::G(scan, lab)::machine::dynamic_shared(); }",
    "hooks": "void __tsan_read8(void*);",
    "hooks pasted": "#define G(a, b) a##b\nvoid G(__ts, an_write4)(void*);",
    "sanitizer": "void __sanitizer_x();",
    "fopen": 'void f() { fopen("/etc/passwd", "r"); }',
    "system": 'int system(const char*); void f() { system("id"); }',
    "syscall": "long syscall(long, ...); void f() { syscall(39); }",
    "fork": "int fork(); void f() { if (fork() == 0) { } }",
    "dlsym": 'void* dlsym(void*, const char*); void f() { dlsym(nullptr, "x"); }',
    "mmap": "void* mmap(...); void f() { mmap(); }",
    "getenv": 'char* getenv(const char*); void f() { getenv("HOME"); }',
    "computed goto": "void f() { void* p = &&x; goto *p; x: ; }",
    "explicit specialisation of a class": "template <typename T> struct A {}; template <> struct A<int> { int x; };",
    "explicit specialisation of a function": "template <typename T> int f(T) { return 0; } template <> int f<int>(int) { return 1; }",
    "deduced specialisation": "template <typename T> int f(T) { return 0; } template <> int f(float) { return 1; }",
    "specialisation of a variable": "template <typename T> constexpr int k = 0; template <> constexpr int k<int> = 1;",
    "partial specialisation on a pattern": "template <typename T> struct A {}; template <typename T> struct A<T*> { int x; };",
    "partial specialisation on a type": "template <typename T, int N> struct A {}; template <int N> struct A<float, N> { int x; };",
    "specialisation for a class": "struct Pair {}; template <typename T> struct A {}; template <> struct A<Pair> {};",
    "if constexpr on the size": "template <typename T> void f() { if constexpr (sizeof(T) == 8) { } }",
    "if constexpr on T": "template <typename T> void f() { if constexpr (__is_enum(T)) { } }",
    "decision by size": "template <typename T> int f() { return sizeof(T) == 4 ? 1 : 2; }",
    "decision by size, turned": "template <typename T> int f() { if (8 == sizeof(T)) return 1; return 2; }",
    "decision by size, less": "template <typename T> int f() { if (sizeof(T) < 8) return 1; return 2; }",
    "builtin trait": "template <typename T> constexpr bool k() { return __is_enum(T); }",
    "typeid": "template <typename T> bool f() { return typeid(T) == typeid(int); }",
    "decltype in a return type": "template <typename T> auto f(T x) -> decltype(x * 2) { return x; }",
    "decltype in a template list": "template <typename T, typename = decltype(T{} * T{})> int f(T) { return 1; }",
    "overload on int": "template <typename T> int kind(T) { return 0; } inline int kind(int) { return 1; }",
    "overload on a pointer": "template <typename T> int kind(const T*) { return 0; } int kind(const int*) { return 1; }",
    "overload with dots": "int kind(int); long kind(...);",
    "class overload": "struct K { template <typename T> int operator()(T) { return 0; } int operator()(float) { return 1; } };",
}

WELCOME = {
    "comment with asm": "// asm volatile, try, throw, #line 5, scanlab\n/* __attribute__((section)) fork() */ int a;",
    "string with asm": 'const char* words() { return "asm try throw fork( scanlab"; }',
    "raw string": 'const char* words() { return R"x(asm( " )x"; }',
    "character": "char c() { return '\"'; } /* asm */ char d() { return '\\''; }",
    "digit separators": "constexpr int big = 1'000'000; constexpr int more = 0x1'0000;",
    "line splices": "#define TWO \\\n  2\nconstexpr int two = T\\\nWO;",
    "launch by a macro": "#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)\n__global__ void k(int* p) { *p = 1; }\nvoid f(int* p) { LAUNCH(k, 1, 32, p); }",
    "error check macro": '#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { printf("%s:%d %s\\n", __FILE__, __LINE__, cudaGetErrorString(e_)); } } while (0)\nvoid f() { CHECK(cudaDeviceSynchronize()); }',
    "error check macro that exits": '#define CHECK(call) do { if ((call) != cudaSuccess) { fprintf(stderr, "failed\\n"); exit(1); } } while (0)\nvoid exit(int) noexcept;\nvoid f() { CHECK(cudaDeviceSynchronize()); }',
    "launch bounds": "template <int N> __global__ void __launch_bounds__(N, 2) k(int* p) { *p = N; }",
    "qualifiers": "__forceinline__ __device__ int f(int a) { return a; } __noinline__ __device__ int g(int a) { return a; } static __device__ __host__ inline int h(int a) { return a; }",
    "align": "struct __align__(16) Four { float a, b, c, d; }; struct alignas(8) Two { int a, b; };",
    "unroll": "__device__ int f(const int* p) { int s = 0;\n#pragma unroll\nfor (int i = 0; i < 4; ++i) s += p[i];\n#pragma unroll 4\nfor (int i = 0; i < 4; ++i) s += p[i];\nreturn s; }",
    "unroll by operator": '#define UNROLL _Pragma("unroll")\n__device__ int f(const int* p) { int s = 0; UNROLL for (int i = 0; i < 4; ++i) s += p[i]; return s; }',
    "static assert": 'template <typename T, unsigned SECTION_SIZE> __device__ void f() { static_assert(SECTION_SIZE >= 32 && (SECTION_SIZE & (SECTION_SIZE - 1)) == 0, "a power of two"); static_assert(sizeof(T) == 4 || sizeof(T) == 8, "four or eight bytes"); }',
    "lambda": "__device__ int f(int x) { auto add = [x](int y) { return x + y; }; return add(2); }",
    "struct, enum, constexpr": "enum class State : unsigned { empty, partial, done }; struct Range { unsigned first, last; __device__ unsigned length() const { return last - first; } }; constexpr unsigned log2_of(unsigned n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }",
    "template of a template": "template <template <typename> class Box, typename T> __device__ T open(const Box<T>& box) { return box.value; }",
    "template with a class parameter": "template <typename T> struct Tile { T local; T global; }; template <typename T> __device__ void put(Tile<T>* tiles, T v) { tiles[0].local = v; }",
    "if constexpr on the section": "template <typename T, unsigned SECTION_SIZE> __device__ int f() { if constexpr (SECTION_SIZE > 32) return 1; else return 0; }",
    "sizeof in sizes": "template <typename T> void f(unsigned n) { T* p = nullptr; cudaMalloc(&p, n * sizeof(T)); cudaMemset(p, 0, sizeof(T) * n); cudaFree(p); }",
    "sizeof in array lengths": "template <typename T> __global__ void k() { __shared__ char bytes[64 * sizeof(T)]; bytes[0] = 0; }",
    "sizeof compared with bytes": "template <typename T> bool fits(unsigned long bytes, unsigned n) { return n * sizeof(T) <= bytes; }",
    "specialisation on a value": "template <unsigned N> struct Log2 { static constexpr unsigned value = 1 + Log2<N / 2>::value; }; template <> struct Log2<1> { static constexpr unsigned value = 0; };",
    "partial specialisation on a value": "template <typename T, unsigned N> struct Steps { static __device__ void run(T* s) { Steps<T, N / 2>::run(s); } }; template <typename T> struct Steps<T, 1> { static __device__ void run(T*) {} };",
    "function specialised on a value": "template <int N> __device__ int f() { return N + f<N - 1>(); } template <> __device__ int f<0>() { return 0; }",
    "explicit instantiation": KERNEL
    + "template __global__ void kogge_stone_inclusive_scan<int, 64>(const int*, int*, unsigned);",
    "decltype of a variable": "__device__ int f(const int* p) { decltype(p[0] + 1) sum = p[0]; const decltype(sum) twice = 2 * sum; return twice; }",
    "overloads by number of parameters": "template <typename T> __device__ T combine(T a, T b) { return a + b; } template <typename T> __device__ T combine(T a, T b, T c) { return a + b + c; }",
    "overloads of other shape": "template <typename T, unsigned S> __device__ void step(T* s, unsigned d) {} template <typename T> __device__ T step(T v, T w) { return v + w; }",
    "overload for two classes of one's own": "struct A { int x; }; struct B { int x; }; __device__ int get(A a) { return a.x; } __device__ int get(B b) { return b.x; }",
    "operators of a struct": "struct Sum { int v; __device__ Sum& operator+=(const Sum& o) { v += o.v; return *this; } }; __device__ Sum operator+(Sum a, const Sum& b) { return a += b; }",
    "variables called like functions": "__global__ void k(int* p) { int read = 0, write = 1; p[write] = p[read]; int time = 3; p[time] = 1; }",
    "function called read": "template <typename T> __device__ T read(const T* p, unsigned i) { return p[i]; } __device__ int f(const int* p) { return read(p, 3); }",
    "member called open": "struct Gate { bool state; __device__ bool open() const { return state; } }; __device__ bool f(Gate g) { return g.open(); }",
    "variadic template": "template <typename... Ts> __device__ int count(Ts...) { return sizeof...(Ts); }",
    "volatile and atomics": "__device__ int f(int* p) { int v = *(volatile int*)p; atomicAdd(p, 1); atomicCAS(p, v, 2); __threadfence(); return v; }",
    "cooperative groups": "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__device__ void f() { auto block = cg::this_thread_block(); block.sync(); }",
    "atomic_ref": "#include <cuda/atomic>\n__device__ int f(int* p) { cuda::atomic_ref<int, cuda::thread_scope_device> r(*p); return r.load(cuda::memory_order_acquire); }",
    "all allowed headers": '#include <cuda_runtime.h>\n#include "device_launch_parameters.h"\n#include <cooperative_groups.h>\n#include <cuda/atomic>\n#include <cstdint>\n#include <cstddef>\n#include <cstdio>\n#include <cassert>\n#include <climits>\n#include <cfloat>\nstd::uint32_t n;',
    "C names of allowed headers": "#include <stdint.h>\n#include <stdio.h>\n#include <assert.h>\nuint32_t n;",
    "inactive includes": "#ifdef _WIN32\n#include <windows.h>\n#endif\nint a;",
    "infinity": "__device__ float f() { return FLT_MAX + 1.0f / 3; }",
    "printf and assert": '__global__ void k(int n) { assert(n > 0); printf("%d %s\\n", n, "asm"); }',
    "attributes that are fine": "[[maybe_unused]] static int a; [[nodiscard]] int f(); __attribute__((aligned(16))) int b; __attribute__((unused)) static int c;",
    "lambda in a subscript": "int f(const int* a) { return a[[] { return 0; }()]; }",
    "scoped name after less": "namespace n { struct A {}; } template <typename T> struct Box {}; Box<::n::A> box;",
    "old style main loop": "template <class T, unsigned SECTION_SIZE> __global__ void k(const T *__restrict__ X, T *__restrict__ Y, const unsigned N) { for (unsigned stride = 1; stride < SECTION_SIZE; stride <<= 1) { __syncthreads(); } Y[0] = X[0]; }",
    "shifts and templates": "template <int N> struct I { static constexpr int v = N; }; constexpr int a = I<(8 >> 1)>::v >> 1; constexpr bool b = I<I<2>::v>::v < 3;",
    "using types": "template <typename T> using Pointer = T*; typedef unsigned int uint_type; using Index = unsigned;",
    "friend and static": "struct S { static constexpr unsigned kWarp = 32; friend __device__ S operator+(S a, S) { return a; } };",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = refusals(REFUSED[name] + "\n", tmp_path)
    assert found, f"nothing was refused in: {REFUSED[name]}"
    for refusal in found:
        assert refusal.message and refusal.help
        assert 1 <= refusal.line <= REFUSED[name].count("\n") + 2


@pytest.mark.parametrize("name", WELCOME)
def test_welcome(name: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = refusals(WELCOME[name] + "\n", tmp_path)
    assert not found, [(refusal.line, refusal.words, refusal.message) for refusal in found]


def all_good_files() -> list[Path]:
    files = [lab.student_copy for lab in paths.labs()]
    files += [lab.solution for lab in paths.labs()]
    files += sorted((paths.ROOT / "grader" / "tests").glob("correct/*/*.cu"))
    return [file for file in files if file.exists()]


@pytest.mark.parametrize("file", all_good_files(), ids=lambda file: file.stem)
def test_our_own_files_are_welcome(file: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert not refusals(file.read_text(), tmp_path)


def test_a_refusal_says_the_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = refusals(LAB + '\n\n__device__ void f() {\n  asm("");\n}\n', tmp_path)
    assert [refusal.line for refusal in found] == [LAB.count("\n") + 4]
