/* autotune_opencl.h - tuning of OpenCL launches: one backend for autotune.h

   Name the queue as the backend of a statement. Then the device times the launches by their events. Buffers in options
   are cl_mem:

       #include "autotune_opencl.h"

       AUTOTUNE(SPACE(AXIS(local, 0, 32, 64, 128, 256)), 1,
                OPENCL_LAUNCH(saxpy, GLOBAL(n), LOCAL(local)),
                .backend = OPENCL(queue), .key = KEY(n), .restore = BUFFERS({y, bytes}));

   Or let each configuration have its own kernel, which is compiled with the values of the axes as macros:

       static autotune_opencl_program gemm = OPENCL_PROGRAM_FILE("gemm.cl", "-cl-fast-relaxed-math");

       AUTOTUNE(SPACE(AXIS(TILE, 8, 16), AXIS(PER, 1, 2, 4)), 1,
                OPENCL_RUN(&gemm, "gemm", GLOBAL(m / PER, n), LOCAL(TILE, TILE / PER), a, b, c, m, n, k),
                .backend = OPENCL(queue), .key = KEY(m, n, k));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_OPENCL_IMPLEMENTATION        the bodies of this header and of autotune.h
       #include "autotune_opencl.h"

   OPENCL(queue)  the backend: the device of the queue in its context. The queue is no part of the key. Make an in-order
                  queue with CL_QUEUE_PROFILING_ENABLE. On any other queue nothing is tuned, and a sentence says so.

   Read also the part below, "These rules hold for CUDA and for OpenCL". These rules hold for OpenCL alone:

   * The time of a launch is the time in which the device works on its commands. The time between two commands does not
     count.
   * Two threads must not set the arguments of one cl_kernel at the same time. OPENCL_RUN ensures this. With
     OPENCL_LAUNCH give each thread its own cl_kernel.

   Needs: CL/cl.h to compile (Debian's opencl-headers).

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_OPENCL_H
#define AUTOTUNE_OPENCL_H

#if defined AUTOTUNE_OPENCL_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120            /* define it yourself for newer functions */
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "kernels/site.h"
#include "opencl/site.h"

#endif  /* AUTOTUNE_OPENCL_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_OPENCL_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__OPENCL_IMPLEMENTED
#define AUTOTUNE__OPENCL_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_opencl.h: define AUTOTUNE_OPENCL_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, \
or there alone"
#endif

AUTOTUNE__COLD_CODE
#include "kernels/floor.h"
#include "accelerator/floor.h"

#include "opencl/floor.h"
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
