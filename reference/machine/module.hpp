// The submission's shared object: its shared arrays and globals by name, its source lines.
#pragma once

#include "machine/engine.hpp"

namespace scanlab::machine {

// Makes the submission's __device__ and host globals known as regions of this run.
void add_module_regions();

}  // namespace scanlab::machine
