/* autotune_cuda.h - tuning of CUDA launches: one backend for autotune.h, over the CUDA Driver API

   Name the stream as the backend of a statement, and its launches are timed on the device, with caches cold, by events
   on that stream; buffers that options name are device memory, whose CUdeviceptr C needs as a pointer and C++ takes as
   it is:

       #include "autotune_cuda.h"

       AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512, 1024)), cld(n, block),
                cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, stream, arguments, NULL),
                .backend = CUDA(stream), .key = KEY(n), .restore = BUFFERS({(void *)y, (size_t)n * sizeof(float)}));

   Or let each configuration be a kernel of its own, compiled with the values of the axes as definitions:

       static autotune_cuda_program gemm = CUDA_PROGRAM_FILE("gemm.cu", "--use_fast_math");

       AUTOTUNE(SPACE(AXIS(TILE_M, 64, 128), AXIS(TILE_N, 64, 128), AXIS(STAGES, 2, 3, 4)),
                GRID(cld(m, TILE_M), cld(n, TILE_N)),
                CUDA_LAUNCH(&gemm, "gemm", THREADS(256), SHARED(0), a, b, c, m, n, k),
                .backend = CUDA(stream), .key = KEY(m, n, k));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CUDA_IMPLEMENTATION          the bodies of this header and of autotune.h
       #include "autotune_cuda.h"

   CUDA(stream)   the backend. 0 is the default stream: the legacy one, or the thread's own where the file is compiled
                  with CUDA_API_PER_THREAD_DEFAULT_STREAM. The stream is no part of the key. The context is the thread's
                  current one; without one the stream's, or the primary context of device 0, is made current while the
                  statement tunes.
   the call       any expression that launches on that stream: cuLaunchKernel, cuLaunchKernelEx, a function of your own
                  that launches several kernels. If its type is CUresult it decides whether the configuration works:
                  anything but CUDA_SUCCESS fails the configuration. Errors that show only when the kernel has run fail
                  it too. So does a launch that takes no time on that stream: it went to another one, or it was refused,
                  and the call does not return that error. After a launch by <<<>>> return cudaGetLastError(), as
                  (CUresult)cudaGetLastError() or an autotune_status.

   CUDA_LAUNCH    launches a kernel of a program on the backend's stream, with `blocks` as its grid: see where it is
                  declared. Where the body runs a statement with another stream before it, write (void)CUDA(stream);
                  between them: a hit launches on the stream that the thread named last.

   Good to know

   * Winners are kept for each device: its name, compute capability, multiprocessors, memory and driver. Contexts on
     equal devices share them. One that an earlier run found with another source of the kernel, or another NVRTC, is not
     used: the key is tuned again.
   * Caches are cold by default: before each trial launch a buffer of twice the second-level cache is overwritten. It is
     kept for the next time. .cache_state = AUTOTUNE_HOT times batches instead. A kernel that is shorter than its launch
     takes on the CPU, some microseconds, is then timed right where the call is one CUDA_LAUNCH and nothing else: its
     batches are replayed as graphs.
   * While the stream is captured nothing is tuned: the known winner is launched, or the first configuration, and
     nothing else is done. A CUDA_LAUNCH whose kernel is not loaded yet fails then: make each call once, for each key
     and context, before it is captured.
   * Contexts are told apart by their address on a hit: a program must not destroy a context, or reset its device, and
     go on tuning calls in another one that may get that address.
   * A configuration that cannot be launched is data. An error after which CUDA works no more in this context (an
     illegal address, an assertion), or a launch that does not end within .launch_timeout, stops tuning: the sentence
     names the configuration, no call is made, and nothing is tuned in that context again. Known winners are still
     launched there: their errors are the driver's.
   * Kernels are compiled by NVRTC on worker threads, as many as .compile_threads says, in the order in which the race
     tries them; the first is measured while the next are compiled. What is in work when a race ends is given up, where
     NVRTC has nvrtcSetFlowCallback. Headers are the price: <cooperative_groups.h> takes 1.5 s of each compilation, in
     one thread at a time, where a small kernel takes 20 to 70 ms, and headers of CUB more. So what stands before the
     first line that is no directive is compiled once, with NVRTC 12.8 or later, and the definitions are made behind it:
     0.15 to 0.3 s are left for each. That needs headers, and directives before the last of them, in which no axis has a
     name that they contain, and whose names do not begin with an underscore. NVRTC keeps some 140 MB for it in the
     folder for temporary files, up to the end of the process. Values of an axis that neither source nor headers nor the
     kernel's name contain share one compilation, unless ## occurs in them.
   * NVRTC finds what it brings along, and nothing else of the toolkit: name its folder, "-I/usr/local/cuda/include",
     and since CUDA 13 "-I/usr/local/cuda/include/cccl" too, which <cooperative_groups.h> needs.
   * A program may have several kernels, by the name in CUDA_LAUNCH; each that is launched is compiled for itself.
   * Give .outputs what the kernel writes. Then its memory is filled with a pattern before a configuration's first
     launch, so that what a kernel leaves out shows, even if the right values stood there before; without it a kernel
     that does nothing is the fastest.
   * What cannot be launched (threads, registers, shared memory, arguments) is refused before its launch, with the
     numbers.
   * What was compiled is kept on disk, in the folder cubins of the cache, so that a second run compiles nothing,
     whatever it tunes. Each file is named by a digest of all that decides the code, included files too; a source that
     includes what a macro names, or has options that name files (--pre-include, --pch), is compiled in every run.
     AUTOTUNE_CUBINS_MIB in the environment bounds the folder; 256 if it is not set, and 0 keeps nothing. .cache and
     AUTOTUNE_CACHE hold as for records.
   * libcuda.so.1 is opened when the first statement needs it. Without it, without a device, or with a driver older than
     CUDA 11.3, a statement ends with AUTOTUNE_ERR_ENVIRONMENT and one sentence; tuning on the CPU is not affected.
   * A child process made by fork cannot use CUDA unless it calls exec.

   Needs: cuda.h and nvrtc.h of the CUDA Toolkit, 11.8 or later, to compile, and dlopen (-ldl with C libraries older
   than glibc 2.34). Nothing of CUDA to link with. CUDA_LAUNCH of a program in source needs libnvrtc at run time.

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_CUDA_H
#define AUTOTUNE_CUDA_H

#if defined AUTOTUNE_CUDA_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#include <cuda.h>
#include <nvrtc.h>

#include "cuda/site.h"

#endif  /* AUTOTUNE_CUDA_H */

/* =====================================================================================================================
   Implementation: kernels of any backend: digests of source, machine code on disk, compilations and who makes them;
   errors, the driver, contexts, what a statement does with its context; NVRTC, kernels of CUDA, their launch; the
   verdict of a call; the roofline
   ================================================================================================================== */
#if (defined AUTOTUNE_CUDA_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__CUDA_IMPLEMENTED
#define AUTOTUNE__CUDA_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_cuda.h: define AUTOTUNE_CUDA_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, \
or there alone"
#endif

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <strings.h>

#ifndef AUTOTUNE__KERNELS_IMPLEMENTED           /* by another header whose backend compiles kernels */
#define AUTOTUNE__KERNELS_IMPLEMENTED
#include "kernels/digest.h"
#include "kernels/compiler.h"
#include "kernels/includes.h"
#include "kernels/source_words.h"
#include "kernels/images.h"
#include "kernels/definitions.h"
#include "kernels/compilation.h"
#include "kernels/compile.h"
#include "kernels/kernels.h"
#include "kernels/workers.h"
#include "kernels/ahead.h"
#include "kernels/process.h"
#endif

#include "cuda/errors.h"
#include "cuda/driver.h"
#include "cuda/context.h"
#include "cuda/session.h"
#include "cuda/memory.h"
#include "cuda/graphs.h"
#include "cuda/timing.h"
#include "cuda/nvrtc.h"
#include "cuda/elf.h"
#include "cuda/hints.h"
#include "cuda/load.h"
#include "cuda/compile.h"
#include "cuda/backend.h"
#include "cuda/launch_checks.h"
#include "cuda/launch.h"
#include "cuda/roofline.h"
#include "cuda/process.h"

#endif  /* the implementation */
