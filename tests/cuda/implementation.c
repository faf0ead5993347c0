#define AUTOTUNE_CUDA_IMPLEMENTATION
#include "autotune_cuda.h"
