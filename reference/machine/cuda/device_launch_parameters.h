// threadIdx and its kin are in cuda_runtime.h here.
#include "cuda_runtime.h"
