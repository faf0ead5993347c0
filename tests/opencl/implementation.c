#define AUTOTUNE_OPENCL_IMPLEMENTATION
#include "autotune_opencl.h"
