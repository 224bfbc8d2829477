// Submissions for the tests of harness and worker, in the form that the build makes of a student's file: after the
// launch pass. One kernel, `act`, is what they differ in.
#pragma once
#include "machine/cuda/prologue.h"

#include "harness/entry.h"

template <typename T>
__global__ void act(const T* X, T* Y, unsigned N);

template <typename T>
int launch_act(const scanlab::Request& request) {
  constexpr unsigned kThreads = 32;
  ::scanlab::machine::launch(
      ::scanlab::machine::LaunchConfig(scanlab::sections_of(request.N, kThreads), kThreads), "act",
      [&](auto... arguments) { act<T>(arguments...); }, static_cast<const T*>(request.X),
      static_cast<T*>(request.Y), request.N);
  return scanlab::kDone;
}

extern "C" int scanlab_entry(const scanlab::Request* request) {
  switch (request->element) {
    case 0: return launch_act<scanlab::Probe>(*request);
    case 1: return launch_act<int>(*request);
    case 2: return launch_act<float>(*request);
    default: return scanlab::kNoSuchInstance;
  }
}
