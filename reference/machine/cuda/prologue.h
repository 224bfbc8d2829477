// Everything that a submission may include, in front of it: its own #includes then add nothing, so that all
// text after the last line of this file is the student's.
#include "cuda_runtime.h"
#include "cassert"
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include "cooperative_groups.h"
#include "cuda/atomic"
#include "device_launch_parameters.h"
#ifdef SCANLAB_PROGRAM  // a whole program: what nvcc gives without being asked
#include <cmath>
#include <cstdlib>
#include <cstring>
#include "scanlab_math.h"
#endif
struct scanlab_prologue_end;
