/* autotune_cuda.h - tuning of CUDA launches: one backend for autotune.h, over the CUDA Driver API

   Name the stream as the backend of a statement. Its launches are then timed on the device by events on that stream,
   with cold caches. Buffers in options are device memory; C needs their CUdeviceptr cast to a pointer, C++ does not:

       #include "autotune_cuda.h"

       AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512, 1024)), cld(n, block),
                cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, stream, arguments, NULL),
                .backend = CUDA(stream), .key = KEY(n), .restore = BUFFERS({(void *)y, (size_t)n * sizeof(float)}));

   Or let each configuration be a kernel of its own, which is compiled with the values of the axes as definitions:

       static autotune_cuda_program gemm = CUDA_PROGRAM_FILE("gemm.cu", "--use_fast_math");

       AUTOTUNE(SPACE(AXIS(TILE_M, 64, 128), AXIS(TILE_N, 64, 128), AXIS(STAGES, 2, 3, 4)),
                GRID(cld(m, TILE_M), cld(n, TILE_N)),
                CUDA_LAUNCH(&gemm, "gemm", THREADS(256), SHARED(0), a, b, c, m, n, k),
                .backend = CUDA(stream), .key = KEY(m, n, k));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CUDA_IMPLEMENTATION          the bodies of this header and of autotune.h
       #include "autotune_cuda.h"

   CUDA(stream)   the backend. 0 is the default stream: the legacy stream, or the thread's own if the file is compiled
                  with CUDA_API_PER_THREAD_DEFAULT_STREAM. The stream is no part of the key. The context is the current
                  one of the thread. If there is none, that of the stream, or the primary context of device 0, is
                  current while the statement tunes.
   the call       any expression that launches on that stream: cuLaunchKernel, cuLaunchKernelEx, or a function of your
                  own that launches several kernels. If it returns a CUresult, anything but CUDA_SUCCESS fails the
                  configuration. So does an error that shows only when the kernel has run. So does a call that takes no
                  time on that stream: it launched on another stream, or its launch was refused and the call did not
                  return the error. After a launch by <<<>>> return cudaGetLastError(), as (CUresult)cudaGetLastError()
                  or as an autotune_status.

   CUDA_LAUNCH    launches a kernel of a program on the backend's stream, with `blocks` as its grid: see where it is
                  declared.

   Read also the part below, "These rules hold for CUDA and for OpenCL". Besides:

   * With hot caches a batch of short launches waits on the stream until all of them are queued. So a kernel is timed
     rightly even if it is shorter than the some microseconds that its launch takes on the CPU.
   * While the stream is captured nothing is tuned: the known winner is launched, or the first configuration. A
     CUDA_LAUNCH whose kernel is not loaded yet then fails: make each call once, for each key and context, before the
     capture.
   * On a hit contexts are told apart by their address. After a program has destroyed a context, or reset its device, it
     must not run statements in another context that may get the same address.
   * In a context that an error made unusable (an illegal address, an assertion) known winners are still launched, and
     return the errors of the driver.
   * When a race ends, unfinished compilations are given up if NVRTC has nvrtcSetFlowCallback. A small kernel takes 20
     to 70 ms. With <cooperative_groups.h> each compilation takes 1.5 s, one thread at a time, and with headers of CUB
     more. NVRTC 12.8 or later therefore compiles the text before the first line that is no directive only once, and the
     definitions follow this text. Then 0.15 to 0.3 s are left for each kernel. This works if the names of the axes do
     not occur in the headers and the directives up to the last of them, and do not begin with an underscore. For this
     NVRTC keeps some 140 MB in the folder for temporary files until the process ends; a killed process leaves them
     there (__nvrtc_auto_pch_*). Configurations that differ only in axes whose names occur neither in the source, nor in
     its headers, nor in the kernel's name share one compilation, unless these contain ##.
   * NVRTC finds only the headers that it brings along. For those of the toolkit pass "-I/usr/local/cuda/include", and
     since CUDA 13 also "-I/usr/local/cuda/include/cccl", which <cooperative_groups.h> needs.
   * A program may have several kernels: CUDA_LAUNCH names one. Each kernel that is launched is compiled separately.
   * Arguments of the wrong number or size fail before the launch, with a sentence that has the numbers. The reason of
     any other failed launch is the driver's error, such as CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES.
   * A source that includes a file by a macro, or has options that name files (--pre-include, --pch), is compiled in
     every run.
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
