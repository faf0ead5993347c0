/* autotune_cuda.h - tuning of CUDA launches: one backend for autotune.h, over the CUDA Driver API

   Name the stream as the backend of a statement. Then events on that stream time the launches, with cold caches.
   Buffers in options are device memory. In C cast their CUdeviceptr to a pointer; in C++ no cast is needed:

       #include "autotune_cuda.h"

       AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512, 1024)), cld(n, block),
                cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, stream, arguments, NULL),
                .backend = CUDA(stream), .key = KEY(n), .restore = BUFFERS({(void *)y, (size_t)n * sizeof(float)}));

   Or let each configuration have its own kernel, which is compiled with the values of the axes as macros:

       static autotune_cuda_program gemm = CUDA_PROGRAM_FILE("gemm.cu", "--use_fast_math");

       AUTOTUNE(SPACE(AXIS(TILE_M, 64, 128), AXIS(TILE_N, 64, 128), AXIS(STAGES, 2, 3, 4)),
                GRID(cld(m, TILE_M), cld(n, TILE_N)),
                CUDA_LAUNCH(&gemm, "gemm", THREADS(256), SHARED(0), a, b, c, m, n, k),
                .backend = CUDA(stream), .key = KEY(m, n, k));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CUDA_IMPLEMENTATION          the bodies of this header and of autotune.h
       #include "autotune_cuda.h"

   CUDA(stream)   the backend. 0 is the default stream: the legacy stream, or the thread's own stream if the file is
                  compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM. The stream is no part of the key. The context is the
                  current context of the thread. If the thread has none, the context of the stream, or the primary
                  context of device 0, is current while the statement tunes.
   the call       any expression that launches on that stream: cuLaunchKernel, cuLaunchKernelEx, or a function of your
                  own that launches several kernels. After a launch by <<<>>> return cudaGetLastError(), as
                  (CUresult)cudaGetLastError() or as an autotune_status. The configuration fails in each of these cases:
                  - The call returns a CUresult other than CUDA_SUCCESS.
                  - An error shows when the kernel has run.
                  - The call takes no time on that stream: it launched on another stream, or its launch was refused and
                    the call did not return the error.

   CUDA_LAUNCH    launches a kernel of a program on the backend's stream, with `blocks` as its grid. Its declaration
                  below describes it.

   Read also the part below, "These rules hold for CUDA and for OpenCL". These rules hold for CUDA alone:

   * With hot caches the stream holds a batch of short launches back until all of them are queued. So the time of a
     kernel is right even if it is shorter than the few microseconds that the CPU needs for a launch.
   * While the stream is captured nothing is tuned: the known winner is launched, or the first configuration. During a
     capture a CUDA_LAUNCH whose kernel is not loaded yet fails. So make each call once, for each key and context,
     before the capture.
   * A hit tells contexts apart by their address. After a program has destroyed a context, or reset its device, it must
     not run statements in a new context: that context may have the same address.
   * In a context that an error made unusable (an illegal address, an assertion) known winners are still launched. These
     launches return the errors of the driver.
   * NVRTC needs 20 to 70 ms to compile a small kernel. When a race ends, unfinished compilations are given up if NVRTC
     has nvrtcSetFlowCallback. Two configurations share one compilation if the names of the axes in which they
     differ occur neither in the source, nor in its headers, nor in the kernel's name. None of these may contain ##.
   * With <cooperative_groups.h> a compilation takes 1.5 s, and with headers of CUB more; only one thread at a time can
     compile. So NVRTC 12.8 or later compiles the beginning of the source, with its headers, only once. The beginning
     ends at the first line that is no directive. Then each further kernel takes only 0.15 to 0.3 s. This works if no
     name of an axis begins with an underscore. And no name of an axis may occur in the headers, or in the directives up
     to the last #include.
     NVRTC keeps some 140 MB for this in the folder for temporary files until the process ends. A killed process leaves
     these files there (__nvrtc_auto_pch_*).
   * NVRTC finds only the headers that it brings along. For headers of the toolkit pass "-I/usr/local/cuda/include", and
     since CUDA 13 also "-I/usr/local/cuda/include/cccl", which <cooperative_groups.h> needs.
   * A program may have several kernels: CUDA_LAUNCH names one of them. Each kernel that is launched is compiled
     separately.
   * If the number or the size of arguments is wrong, the launch is refused, with a sentence that has the numbers. The
     reason for any other failed launch is the driver's error, such as CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES.
   * If a source includes a file by a macro, or has options that name files (--pre-include, --pch), its kernels are
     compiled again in every run.
   * A child process made by fork() cannot use CUDA unless it calls exec().

   Needs: cuda.h and nvrtc.h of the CUDA Toolkit, 11.8 or later, to compile. CUDA_LAUNCH of a program in source needs
   libnvrtc of CUDA 12.0 or later at run time.

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_CUDA_H
#define AUTOTUNE_CUDA_H

#if defined AUTOTUNE_CUDA_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#include <cuda.h>
#include <nvrtc.h>

#include "kernels/site.h"
#include "cuda/site.h"

#endif  /* AUTOTUNE_CUDA_H */

/* =====================================================================================================================
   The implementation. Each part stands below the parts that it uses.
   ================================================================================================================== */
#if (defined AUTOTUNE_CUDA_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__CUDA_IMPLEMENTED
#define AUTOTUNE__CUDA_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_cuda.h: define AUTOTUNE_CUDA_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, \
or there alone"
#endif

AUTOTUNE__COLD_CODE
#include "kernels/floor.h"
#include "accelerator/floor.h"

#include "cuda/driver.h"
#include "cuda/errors.h"
#include "cuda/context.h"
#include "cuda/session.h"
#include "cuda/memory.h"
#include "cuda/elements.h"
#include "cuda/hold.h"
#include "cuda/ranges.h"
#include "cuda/runtime.h"
#include "cuda/open_calls.h"
#include "cuda/timing.h"
#include "cuda/nvrtc.h"
#include "cuda/load.h"
#include "cuda/compile.h"
#include "cuda/backend.h"
#include "cuda/start.h"
#include "cuda/arguments.h"
#include "cuda/launch.h"
AUTOTUNE__END_COLD_CODE
#include "cuda/hit.h"
AUTOTUNE__COLD_CODE
#include "cuda/floor.h"
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
