// The element types of the CPU machine and the request that a lab's entry.cu answers. It is compiled with
// the submission (C++17, after the student's own text), so it stays light and includes nothing.
#pragma once

extern "C" unsigned long scanlab_probe_add(unsigned long a, unsigned long b);
namespace scanlab {

// Opaque to the student, scalar to the compiler. Its additions are noted outside of the submission.
enum class Probe : unsigned long {};

inline Probe operator+(Probe a, Probe b) {
  return Probe(scanlab_probe_add(static_cast<unsigned long>(a), static_cast<unsigned long>(b)));
}

// Always inlined: so its accesses are seen where the student wrote +=, and the line table says so.
__attribute__((always_inline)) inline Probe& operator+=(Probe& a, Probe b) { return a = a + b; }

// The same layout is known to the worker (protocol.hpp).
struct Request {
  unsigned function;  // index into the lab's list of entry points, e.g. 0 inclusive, 1 exclusive
  unsigned element;   // 0 Probe, 1 int, 2 float
  unsigned section;   // SECTION_SIZE or THREADS
  unsigned factor;    // COARSE_FACTOR or 0
  const void* X;      // N elements
  void* Y;            // N elements
  unsigned N;
};

constexpr int kDone = 0;
constexpr int kNoSuchInstance = 1;

constexpr unsigned sections_of(unsigned N, unsigned length) { return N / length + (N % length != 0); }

}  // namespace scanlab

extern "C" int scanlab_entry(const scanlab::Request* request);
