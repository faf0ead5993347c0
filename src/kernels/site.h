/* Kernels that are compiled for each configuration, in any language: the part that programs see. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"

#ifndef AUTOTUNE__KERNEL_LAUNCHES               /* each header of a backend with a compiler has a copy of this room */
#define AUTOTUNE__KERNEL_LAUNCHES
/* These rules hold for CUDA and for OpenCL:

   * Caches are cold by default, unless the device is the CPU: a buffer of twice the device's cache is written before
     each trial launch. The end of the statement frees this buffer. If .cache_state is AUTOTUNE_HOT, the race times
     batches of launches.
   * If a launch takes longer than .launch_timeout, and then ends, its configuration fails, and the race goes on. If the
     launch does not end within nine more timeouts, but at most 9 s more, it counts as hung. Tuning stops after a launch
     that hangs, or after an error that makes the device unusable. The library writes a message that names the
     configuration. The statement makes no call. The library tunes nothing more in this context. If the launch was only
     slow and ends later, later calls are made as before.
   * Name the memory that the kernel writes in .outputs. This memory is then filled with a pattern before the first
     launch of each configuration. So a kernel that does not write all results fails, even if the right values were
     there before. Without .outputs a kernel that does nothing is the fastest.
   * Winners are kept for each kind of device: its name, multiprocessors or compute units, memory (of a GPU), compute
     capability or version of OpenCL, and driver. Contexts, streams and queues of equal devices share winners.
   * The first statement that needs a driver opens it: libcuda.so.1 of CUDA 12.4 or later, or libOpenCL.so.1, on macOS
     the framework OpenCL. Without the driver, or without a device, the statement ends with AUTOTUNE_ERR_ENVIRONMENT and
     a sentence. Statements on the CPU still work. The only linked library is that of dlopen: -ldl with C libraries
     older than glibc 2.34.
   * On a hit CUDA_LAUNCH, OPENCL_LAUNCH and OPENCL_RUN launch on the stream or queue that the thread named last. If the
     body first runs a statement with another stream or queue, write (void)CUDA(stream); or (void)OPENCL(queue); after
     that statement.
   * If a CUDA_LAUNCH, OPENCL_LAUNCH or OPENCL_RUN fails, the configuration or the call fails. This also holds in a
     block that ignores its status.
   * A program may include both headers, in any order. The file that has the implementations defines both
     AUTOTUNE_CUDA_IMPLEMENTATION and AUTOTUNE_OPENCL_IMPLEMENTATION before it includes them.

   These rules hold for kernels that CUDA_LAUNCH and OPENCL_RUN compile:

   * Each configuration has its own kernel, in which each axis is a macro: AXIS(TILE, 16, 32) is compiled with TILE as
     16 and as 32. Configurations share a kernel if they differ only in axes that the program does not mention. Numbers
     and bools become literals. Strings are inserted without quotes: AXIS(ELEMENT, "float", "double") names a type. Axes
     of functions are left out. The macro replaces its name everywhere, also in included files, so write it in capitals.
     An option of the program must not define the same name: some compilers use the value of the axis, and other
     compilers refuse the configuration.
   * A program is source as a string, or in a file that is read before the first launch. The compiler searches the
     folder of the file for included files. Up to 12 options of the compiler follow. $NAME in an option is the value of
     an axis. An option that is only "$NAME" is divided at blanks. The program must live until the last launch of the
     process.
   * A launch names a kernel. The name may be an axis, and need not outlive the statement. Up to 60 arguments follow,
     each with its type at the call site: pass an int for an int, and a float, not a double, for a float. Their number
     and sizes are checked. Any number of threads may make the same call at once.
   * .compile_threads worker threads compile kernels, in the order in which the race tries them. The first kernel is
     measured while the next ones are compiled.
   * Compiled kernels are kept on disk, in the folder cubins or opencl of the cache. A second run compiles nothing. The
     name of each file is a digest of all data that decide the code, also of included files. AUTOTUNE_CUBINS_MIB in the
     environment is the largest size of the folder in MiB (default 256); 0 keeps nothing. .cache and AUTOTUNE_CACHE also
     hold for this folder. If the source of the winner's kernel or the compiler has changed since, the winner is not
     used. The key is tuned again. */

enum { AUTOTUNE_MAX_OPTIONS = 12 };
typedef struct autotune_program_source {        /* make it static: it must live until the last launch of the process */
    const char *text;                           /* its source, or NULL */
    const char *file;                           /* the path of its source, or NULL */
    const char *options[AUTOTUNE_MAX_OPTIONS + 1];      /* of its compiler, up to the first NULL */
    struct autotune__program *made;             /* the library's state of this program; NULL: not used yet */
} autotune_program_source;
#define AUTOTUNE__PROGRAM_TEXT(text, ...) { text, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL }
#define AUTOTUNE__PROGRAM_FILE(path, ...) { AUTOTUNE__NULL, path, { __VA_ARGS__ }, AUTOTUNE__NULL }

/* The part of a kernel that a hit reads, if the kernel is a function of this process. The word behind the values of an
   entry points to a list of kernels. Each element of this list begins with this struct. */
typedef struct autotune__listed_function {
    const void *key;                            /* an address that identifies the call site; NULL: the kernel is no
                                                   function of this process */
    void (*address)(void);
} autotune__listed_function;

/* The value of SHARED and LOCAL_BYTES: bytes of shared memory of a block, or of local memory of a work-group. */
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
/* AUTOTUNE__LAUNCH_KERNEL(function, call, (member, ...), argument, ..., 0) calls the function with a struct `call`. The
   last member of this struct has the arguments. The final 0 is no argument: it allows an empty list. */
#define AUTOTUNE__UNWRAPPED(...) __VA_ARGS__
#ifdef __cplusplus
template <class Status, class Call, class... T>
AUTOTUNE__INLINE Status autotune__launch_with(Status (*function)(autotune__tuning *, const uint64_t *, const Call *),
                                              const autotune__run *run, Call call, T... argument) {
    void *at[] = { const_cast<void *>(static_cast<const void *>(&argument))... };
    static constexpr unsigned short sizes[] = {
        static_cast<unsigned short>(std::is_same<T, autotune_local_bytes>::value ? 0 : sizeof(T))... };
    call.arguments.at = at;                     /* nvcc warns of unused members if one list sets all */
    call.arguments.sizes = sizes;
    call.arguments.count = sizeof...(T) - 1;
    return autotune__launched(run, function(run->tuning, run->slot, &call));
}
#define AUTOTUNE__LAUNCH_KERNEL(launch, call, members, ...) \
    autotune__launch_with(launch, autotune__this, call{ AUTOTUNE__UNWRAPPED members, autotune__arguments() }, \
                          __VA_ARGS__)
#else
/* Each argument is wrapped in a struct with one member, so an argument may itself be a struct. */
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
