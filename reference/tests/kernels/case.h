// What a file of test kernels and the test that runs it share: one case is one launch, or a few.
// The kernels are compiled as a submission is, so a launch is written out as the launch pass writes it.
#pragma once

namespace scanlab_test {

constexpr unsigned kElements = 4096;

// Handed to each case. x, y and flags are device memory of kElements elements.
struct Case {
  const int* x;          // 1, 2, 3, ...
  int* y;                // never written
  unsigned* flags;       // zeros
  unsigned long long argument;  // the case's own
  unsigned long long result;    // the case's own answer
};

}  // namespace scanlab_test

#define CASE(NAME) extern "C" void case_##NAME([[maybe_unused]] scanlab_test::Case& c)

// LAUNCH((grid, block), kernel, arguments...); a line break may stand anywhere.
#define LAUNCH(CONFIG, KERNEL, ...)                                                      \
  ::scanlab::machine::launch(::scanlab::machine::LaunchConfig CONFIG, #KERNEL,           \
                             [&](auto... a) { KERNEL(a...); } __VA_OPT__(, ) __VA_ARGS__)
// `extern __shared__ TYPE NAME[];` inside a function.
#define DYNAMIC_SHARED(TYPE, NAME) \
  TYPE* NAME = static_cast<TYPE*>(::scanlab::machine::dynamic_shared())
