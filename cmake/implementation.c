/* implementation.c - autotune::implementation: the implementation of autotune.h and of those other headers whose needs
   were found, for programs that shall compile none of it. */
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
