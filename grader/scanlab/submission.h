/* Included in front of every submission: the allowed headers, with CUDA's qualifiers left as words, so that
   the grader can tell kernels from host functions. launch_pass.py takes the words out again. */
#include "prologue.h"
#undef __global__
#undef __device__
#undef __host__
#undef __constant__
#undef __managed__
#undef __grid_constant__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#undef __cluster_dims__
#undef __shared__
struct scanlab_submission_begins;
