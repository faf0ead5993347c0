/* implementation.c - autotune::implementation: the implementation of autotune.h, and of each other header whose
   libraries were found. A program that links it compiles no implementation. */
#define AUTOTUNE_IMPLEMENTATION
#ifdef __linux__
#define AUTOTUNE_CC_IMPLEMENTATION
#endif
#ifdef AUTOTUNE_WITH_CUDA
#define AUTOTUNE_CUDA_IMPLEMENTATION
#endif
#ifdef AUTOTUNE_WITH_OPENCL
#define AUTOTUNE_OPENCL_IMPLEMENTATION
#endif
#ifdef AUTOTUNE_WITH_MPI
#define AUTOTUNE_MPI_IMPLEMENTATION
#endif

#include "autotune.h"
#ifdef __linux__
#include "autotune_cc.h"
#endif
#ifdef AUTOTUNE_WITH_CUDA
#include "autotune_cuda.h"
#endif
#ifdef AUTOTUNE_WITH_OPENCL
#include "autotune_opencl.h"
#endif
#ifdef AUTOTUNE_WITH_MPI
#include "autotune_mpi.h"
#endif
