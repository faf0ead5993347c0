/* The part that programs see of kernels that are compiled for each configuration, whatever their language. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"

#ifndef AUTOTUNE__KERNEL_LAUNCHES               /* each header of a backend with a compiler has a copy of this room */
#define AUTOTUNE__KERNEL_LAUNCHES
/* These rules hold for CUDA and for OpenCL:

   * Caches are cold by default, unless the device is the CPU: before each trial launch a buffer of twice the device's
     cache is overwritten, which is freed after the race. With .cache_state = AUTOTUNE_HOT batches of launches are
     timed.
   * After an error that makes the device unusable, or a launch that does not end within .launch_timeout, tuning stops.
     A sentence names the configuration, no call is made, and nothing is tuned in that context again. If the launch was
     slow and ends later, calls after that are made as before.
   * Give .outputs the memory that the kernel writes. This memory is then filled with a pattern before the first launch
     of each configuration. So a kernel that leaves something out fails, even if the right values were there before.
     Without .outputs a kernel that does nothing is the fastest.
   * Winners are kept for each kind of device: its name, multiprocessors or compute units, memory (of a GPU), compute
     capability or version of OpenCL, and driver. Contexts, streams and queues of equal devices share them.
   * A driver is opened when the first statement needs it: libcuda.so.1 of CUDA 12.4 or later, or libOpenCL.so.1, on
     macOS the framework OpenCL. Without it, or without a device, such a statement ends with AUTOTUNE_ERR_ENVIRONMENT
     and one sentence. Statements on the CPU still work. No library is linked but that of dlopen: -ldl with C libraries
     older than glibc 2.34.
   * On a hit CUDA_LAUNCH, OPENCL_LAUNCH and OPENCL_RUN launch on the stream or queue that the thread named last. If the
     body runs a statement with another one before, write (void)CUDA(stream); or (void)OPENCL(queue); between them.
   * A CUDA_LAUNCH, OPENCL_LAUNCH or OPENCL_RUN that fails is a failure of the configuration, or of the call, wherever
     it stands: in a block, too, where nobody takes its status.
   * A program may include both headers, in any order. The file that has the implementations defines both
     AUTOTUNE_CUDA_IMPLEMENTATION and AUTOTUNE_OPENCL_IMPLEMENTATION before it includes them.

   And for kernels that CUDA_LAUNCH and OPENCL_RUN compile:

   * Each configuration has a kernel of its own, in which each axis is a macro: AXIS(TILE, 16, 32) is compiled with TILE
     as 16 and as 32. Numbers and bools become literals, and strings are written as they are: AXIS(ELEMENT, "float",
     "double") names a type. Axes of functions are left out. The macro replaces its name everywhere, also in what the
     source includes: so write it in capitals. If an option of the program defines this name, too, the compiler takes
     the value of the axis, or refuses the configuration.
   * A program is source as a string, or in a file that is read before the first launch. The folder of the file is
     searched for what it includes. Up to 12 options of the compiler follow. $NAME in an option is the value of an axis,
     and an option that is nothing else is divided at blanks. The program must live until the last launch of the
     process.
   * A launch names a kernel. The name may be an axis, and need not outlive the statement. Up to 60 arguments follow,
     each with the type that it has at the call site: an int for an int, a float and no double for a float. Their number
     and sizes are checked. Any number of threads may make the same call at once.
   * Kernels are compiled on .compile_threads worker threads, in the order in which the race tries them: the first is
     measured while the next are compiled.
   * Compiled kernels are kept on disk, in the folder cubins or opencl of the cache, so that a second run compiles
     nothing. Each file is named by a digest of all that decides the code, included files too. AUTOTUNE_CUBINS_MIB in
     the environment is the largest size of the folder in MiB (256); 0 keeps nothing. .cache and AUTOTUNE_CACHE also
     hold for this folder. A winner that an earlier run found is not used if the source of its kernel, or the compiler,
     has changed since: the key is tuned again. */

enum { AUTOTUNE_MAX_OPTIONS = 12 };
typedef struct autotune_program_source {        /* static, since it must live until the last launch of the process */
    const char *text;                           /* its source, or NULL */
    const char *file;                           /* the path of its source, or NULL */
    const char *options[AUTOTUNE_MAX_OPTIONS + 1];      /* of its compiler, up to the first NULL */
    struct autotune__program *made;             /* what was made of it */
} autotune_program_source;
#define AUTOTUNE__PROGRAM_TEXT(text, ...) { text, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL }
#define AUTOTUNE__PROGRAM_FILE(path, ...) { AUTOTUNE__NULL, path, { __VA_ARGS__ }, AUTOTUNE__NULL }

/* The part of a kernel that a hit reads, if the kernel is a function of this process. It begins the list behind the
   values of an entry. */
typedef struct autotune__listed_function {
    const void *key;                            /* an address that the call site has for itself; NULL: none, and the
                                                   kernel is no function of this process */
    void (*address)(void);
} autotune__listed_function;

/* What SHARED and LOCAL_BYTES give: so much memory of a block, or of a work-group. */
typedef struct autotune_local_bytes { size_t bytes; } autotune_local_bytes;
AUTOTUNE__INLINE autotune_local_bytes autotune__local_bytes_of(size_t size) {
    const autotune_local_bytes local = { size };
    return local;
}
typedef struct autotune__arguments {            /* of a launch */
    void **at;
    const unsigned short *sizes;                /* in bytes; 0: an autotune_local_bytes */
    size_t count;
} autotune__arguments;
/* AUTOTUNE__LAUNCH_KERNEL(function, call, (member, ...), argument, ..., 0) calls the function with a struct `call`, the
   last member of which are the arguments. The last argument is none: it lets the list be empty. */
#define AUTOTUNE__UNWRAPPED(...) __VA_ARGS__
#ifdef __cplusplus
template <class Status, class Call, class... T>
AUTOTUNE__INLINE Status autotune__launch_with(Status (*function)(autotune__tuning *, const uint64_t *, const Call *),
                                              const autotune__run *run, Call call, T... argument) {
    void *at[] = { const_cast<void *>(static_cast<const void *>(&argument))... };
    static constexpr unsigned short sizes[] = {
        static_cast<unsigned short>(std::is_same<T, autotune_local_bytes>::value ? 0 : sizeof(T))... };
    call.arguments.at = at;                     /* nvcc takes members in one list for unused variables */
    call.arguments.sizes = sizes;
    call.arguments.count = sizeof...(T) - 1;
    return autotune__launched(run, function(run->tuning, run->slot, &call));
}
#define AUTOTUNE__LAUNCH_KERNEL(launch, call, members, ...) \
    autotune__launch_with(launch, autotune__this, call{ AUTOTUNE__UNWRAPPED members, autotune__arguments() }, \
                          __VA_ARGS__)
#else
/* Arguments lie in structs of one member, which even a struct may initialise. */
#define AUTOTUNE__LAUNCH_KERNEL(launch, call, members, ...) \
    autotune__launched(autotune__this, launch(autotune__this->tuning, autotune__this->slot, \
                       (const call[]){ { AUTOTUNE__UNWRAPPED members, AUTOTUNE__ARGUMENTS(__VA_ARGS__) } }))
#define AUTOTUNE__ARGUMENTS(...) \
    { (void *[]){ AUTOTUNE__EACH(AUTOTUNE__ARGUMENT, ~, __VA_ARGS__) }, \
      (const unsigned short[]){ AUTOTUNE__EACH(AUTOTUNE__ARGUMENT_SIZE, ~, __VA_ARGS__) }, \
      AUTOTUNE__COUNT(__VA_ARGS__) - 1 }
#define AUTOTUNE__ARGUMENT(c, left, v) (void *)&(struct { AUTOTUNE__DECAYED(v) value; }){ v },
#define AUTOTUNE__ARGUMENT_SIZE(c, left, v) \
    _Generic((v), autotune_local_bytes: 0, default: sizeof(AUTOTUNE__DECAYED(v))),
#endif
#endif
