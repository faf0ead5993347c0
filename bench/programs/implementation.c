/* implementation.c - autotune for all programs of this folder. */
#ifdef WITH_CUDA
#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
#else
#define AUTOTUNE_CC_IMPLEMENTATION
#include "autotune_cc.h"
#endif
