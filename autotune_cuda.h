/* autotune 0.2.0, revision 0b92aee7 of src/: made by src/headers.sh, so edit the files in src/, and not this one. */
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


/* ---- src/kernels/site.h --------------------------------------------------------------------------------------------
   Kernels that are compiled for each configuration, in any language: the part that programs see. */

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

/* ---- src/cuda/site.h -----------------------------------------------------------------------------------------------
   The part of CUDA that programs see: its macros and functions at a call site. */

#define AUTOTUNE_CUDA(stream) autotune_cuda(autotune__cuda_named(stream))

/* CUDA_PROGRAM(text, option, ...)            a program as CUDA C++ source. It is compiled for the device, unless
                                              there is an option --gpu-architecture=...
   CUDA_PROGRAM_FILE(path, option, ...)       source in a file.

   Each of them initialises an autotune_cuda_program.

   Each context loads each kernel of each configuration as a separate module. The end of the race unloads all modules
   but the winner's. Modules that mode ONLINE launched for real stay loaded. A program may have a function that fills
   the __constant__ memory and __device__ variables of each such module:

       static autotune_status fill(void *weights, CUmodule module) {
           return autotune_cuda_fill(module, "weights", weights, 256);
       }
       ...
       convolution.loaded = fill;
       convolution.user = weights;

   .loaded    The library calls this function for each module, with the module's context current, before any launch of
              the module. If the function does not return AUTOTUNE_OK, the configuration fails. The function must not
              run a statement. Without .loaded, variables without an initialiser are zero in all configurations. So
              the results of configurations do not differ, and .outputs finds no error.

   Each axis is a macro in the source, and in the headers of CUDA. __launch_bounds__(THREADS, BLOCKS) can have two axes,
   and __maxnreg__(REGISTERS) one axis, with NVRTC 12.4 or later. */
#define AUTOTUNE_CUDA_PROGRAM(...) AUTOTUNE__CUDA_PROGRAM(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CUDA_PROGRAM_FILE(...) AUTOTUNE__CUDA_PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)

/* CUDA_LAUNCH(&program, name, threads, shared, argument, ...)    an expression of type autotune_status, in the
                                                                  call or block of a statement.
   It launches `blocks` blocks. AUTOTUNE provides the variable `blocks`. A block of AUTOTUNE_BLOCK has to declare it:
   autotune_grid blocks = GRID(x);
   name     the name of the kernel as C++ writes it: "gemm", "space::gemm", or an instance of a template,
            "gemm<TILE, 4>". In an instance the value of an axis replaces its name. This axis is a macro only if the
            source has its name, and no template has a parameter of this name.
   threads  the threads of a block: THREADS(x), THREADS(x, y), THREADS(x, y, z) or an integer. These macros around it
            say how to launch the blocks. Their arguments may depend on axes:
            CLUSTER(threads, x), (threads, x, y), (threads, x, y, z)    in clusters of x * y * z blocks. The grid must
                     be a multiple of the cluster. More than 8 blocks are allowed, but not every device can launch
                     them. 1 means no clusters. This needs compute capability 9.0.
            COOPERATIVE(threads)    with all blocks running at once, so that the grid can synchronize.
            COOPERATIVE(CLUSTER(THREADS(256), 2))    both.
            A launch that the device cannot make fails with the driver's error.
   shared   SHARED(bytes): dynamic shared memory of a block. SHARED has its own type, so that the compiler notices a
            missing SHARED.
   argument an argument of the kernel.
   Without a CUDA backend or without NVRTC CUDA_LAUNCH returns AUTOTUNE_ERR_ENVIRONMENT, and tuning ends. */
#define AUTOTUNE_CUDA_LAUNCH(program, name, threads, ...) AUTOTUNE__CUDA_LAUNCH(program, name, threads, __VA_ARGS__, 0)
#define AUTOTUNE_CUDA_THREADS(...) AUTOTUNE_GRID(__VA_ARGS__)
#define AUTOTUNE_CUDA_CLUSTER(threads, ...) \
    autotune__cuda_clustered(AUTOTUNE__CUDA_SHAPE_OF(threads), AUTOTUNE_GRID(__VA_ARGS__))
#define AUTOTUNE_CUDA_COOPERATIVE(threads) autotune__cuda_cooperative(AUTOTUNE__CUDA_SHAPE_OF(threads))
#define AUTOTUNE_CUDA_SHARED(bytes) autotune__local_bytes_of(AUTOTUNE__AS(size_t, bytes))

/* CUDA_FUNCTION(&program, name)    an expression of type CUfunction, in the call or block of a statement. It is the
                                    kernel of this configuration, for cuLaunchKernelEx() with other attributes, for
                                    nodes of graphs, or for cuFuncSetAttribute(). The kernel is loaded, and may use all
                                    dynamic shared memory of the device. The kernel stays valid during the trial of
                                    its configuration. The winner's kernel stays valid until the context ends or
                                    autotune_shutdown(). NULL: the kernel could not be made, and the configuration or
                                    the call fails with the reason. Launch the kernel on the stream of the backend. */
#define AUTOTUNE_CUDA_FUNCTION(program, name) autotune__cuda_function_of(autotune__this, program, name)

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define CUDA(stream) AUTOTUNE_CUDA(stream)
#define CUDA_PROGRAM(...) AUTOTUNE_CUDA_PROGRAM(__VA_ARGS__)
#define CUDA_PROGRAM_FILE(...) AUTOTUNE_CUDA_PROGRAM_FILE(__VA_ARGS__)
#define CUDA_LAUNCH(program, name, threads, ...) AUTOTUNE_CUDA_LAUNCH(program, name, threads, __VA_ARGS__)
#define CUDA_FUNCTION(program, name) AUTOTUNE_CUDA_FUNCTION(program, name)
#define THREADS(...) AUTOTUNE_CUDA_THREADS(__VA_ARGS__)
#define CLUSTER(threads, ...) AUTOTUNE_CUDA_CLUSTER(threads, __VA_ARGS__)
#define COOPERATIVE(threads) AUTOTUNE_CUDA_COOPERATIVE(threads)
#define SHARED(bytes) AUTOTUNE_CUDA_SHARED(bytes)
#endif

AUTOTUNE__BEGIN_C

typedef struct autotune_cuda_program {
    autotune_program_source source;             /* comes first; has the text or the file, and the options */
    autotune_status (*loaded)(void *user, CUmodule module);     /* see CUDA_PROGRAM; NULL: nothing is called */
    void *user;
} autotune_cuda_program;
typedef struct autotune_cuda_shape {            /* the value of CLUSTER and COOPERATIVE: how to launch a kernel */
    autotune_grid threads, cluster;             /* threads of a block; blocks of a cluster */
    unsigned attributes;                        /* AUTOTUNE__CUDA_CLUSTERED, _COOPERATIVE, or both with |; for
                                                   CUDA_FUNCTION: _FIND_ONLY */
} autotune_cuda_shape;
typedef autotune_local_bytes autotune_cuda_shared;      /* the value of SHARED */
enum { AUTOTUNE__CUDA_CLUSTERED = 1, AUTOTUNE__CUDA_COOPERATIVE = 2, AUTOTUNE__CUDA_FIND_ONLY = 4 };

/* CUDA(stream) calls this function. Returns the backend of the current context, never NULL. If no context is current,
   the context of the stream counts, or the primary context of device 0. The next launches of this thread use the
   stream. If CUDA does not work, statements with the backend end with AUTOTUNE_ERR_ENVIRONMENT. Any thread may call
   this function. */
AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream);

/* Turns a CUresult into an autotune_status. An error becomes the reason why the trial fails. For launch() of a created
   tuner: return autotune_cuda_status(cuLaunchKernel(...)). Any thread may call this function. */
AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result);

/* Copies bytes from data, in host memory, to a __constant__ or __device__ variable of a module. For .loaded of a
   program. Declare the variable outside of namespaces and not static, so that the module exports its name. The copy
   fails with a reason if the variable has fewer bytes, or if the module has no such variable. A module has no variable
   that its kernel does not use. */
AUTOTUNE__API autotune_status autotune_cuda_fill(CUmodule module, const char *name, const void *data, size_t bytes);

typedef struct autotune__cuda_call {            /* the arguments of CUDA_LAUNCH */
    autotune_cuda_program *program;
    const char *name;
    autotune_grid blocks;
    autotune_cuda_shape shape;
    size_t shared;                              /* bytes */
    autotune__arguments arguments;
} autotune__cuda_call;
/* CUDA_LAUNCH and CUDA_FUNCTION call this function. tuning: NULL on a hit. values: the values of the configuration; the
   word after them leads to its kernels. With the attribute FIND_ONLY nothing is launched, and *arguments.at becomes the
   CUfunction. */
AUTOTUNE__API autotune_status autotune__cuda_launch(autotune__tuning *tuning, const uint64_t *values,
                                                    const autotune__cuda_call *call);
/* Takes the CUresult or the cudaError_t of a call that failed. The function's name is a message, which the linker shows
   if no file has the implementation. */
#define AUTOTUNE__CUDA_FAILED autotune__define_AUTOTUNE_CUDA_IMPLEMENTATION_in_one_file
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code);

/* The meaning of stream 0 depends on how the file of the call site is compiled. */
AUTOTUNE__INLINE CUstream autotune__cuda_named(CUstream stream) {
#if defined CUDA_API_PER_THREAD_DEFAULT_STREAM || defined __CUDA_API_PER_THREAD_DEFAULT_STREAM
    return stream ? stream : CU_STREAM_PER_THREAD;
#else
    return stream ? stream : CU_STREAM_LEGACY;
#endif
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_same(autotune_cuda_shape shape) { return shape; }
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_grid(autotune_grid threads) {
    const autotune_cuda_shape shape = { threads, { 1, 1, 1 }, 0 };
    return shape;
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_signed(int64_t threads) {
    return autotune__cuda_shape_grid(autotune__grid_signed(threads));
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_unsigned(uint64_t threads) {
    return autotune__cuda_shape_grid(autotune__grid_unsigned(threads));
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_clustered(autotune_cuda_shape shape, autotune_grid cluster) {
    shape.cluster = cluster;
    if (cluster.x != 1 || cluster.y != 1 || cluster.z != 1) shape.attributes |= AUTOTUNE__CUDA_CLUSTERED;
    return shape;
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_cooperative(autotune_cuda_shape shape) {
    shape.attributes |= AUTOTUNE__CUDA_COOPERATIVE;
    return shape;
}
AUTOTUNE__INLINE CUfunction autotune__cuda_function_of(const autotune__run *run, autotune_cuda_program *program,
                                                       const char *name) {
    CUfunction function = AUTOTUNE__NULL;
    const autotune__cuda_call call = { program, name, { 1, 1, 1 },
                                 { { 1, 1, 1 }, { 1, 1, 1 }, AUTOTUNE__CUDA_FIND_ONLY }, 0,
                                 { AUTOTUNE__AS(void **, AUTOTUNE__AS(void *, &function)), AUTOTUNE__NULL, 0 } };
    (void)autotune__launched(run, autotune__cuda_launch(run->tuning, run->slot, &call));
    return function;
}
#define AUTOTUNE__CUDA_NOT_SHARED \
    "CUDA_LAUNCH(&program, name, threads, shared, argument, ...): shared is SHARED(bytes), SHARED(0) for none"
AUTOTUNE__INLINE void autotune__cuda_take_status(const autotune__run *run, int code) {
    if (!AUTOTUNE__LIKELY(code == CUDA_SUCCESS))
        AUTOTUNE__CUDA_FAILED(run->tuning, run->site, run->slot, run->result, code);
}

AUTOTUNE__END_C

#ifdef __cplusplus
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, CUresult code) {
    autotune__cuda_take_status(launcher.run, code);
}
/* For a cudaError_t, if the runtime's header is included. No other enum has the function cudaGetErrorName(). */
template <class T, class = typename std::enable_if<std::is_enum<T>::value>::type,
          class = decltype(cudaGetErrorName(T()))>
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, T code) {
    autotune__cuda_take_status(launcher.run, static_cast<int>(code));
}
AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_of(autotune_cuda_shape shape) { return shape; }
template <class T> AUTOTUNE__INLINE autotune_cuda_shape autotune__cuda_shape_of(T threads) {
    return autotune__cuda_shape_grid(AUTOTUNE__GRID_OF(threads));
}
#define AUTOTUNE__CUDA_SHAPE_OF(threads) autotune__cuda_shape_of(threads)
AUTOTUNE__INLINE size_t autotune__cuda_bytes_of(autotune_cuda_shared shared) { return shared.bytes; }
template <class T> AUTOTUNE__INLINE size_t autotune__cuda_bytes_of(const T &) {
    static_assert(std::is_same<T, autotune_cuda_shared>::value, AUTOTUNE__CUDA_NOT_SHARED);
    return 0;
}
#define AUTOTUNE__CUDA_BYTES_OF(shared) autotune__cuda_bytes_of(shared)
#else
/* An argument of another type becomes 0, so that the compiler shows only the sentence of AUTOTUNE__DEMAND(). */
#define AUTOTUNE__CUDA_BYTES_OF(shared) \
    (__extension__({ AUTOTUNE__DEMAND(_Generic((shared), autotune_cuda_shared: 1, default: 0), \
                                      AUTOTUNE__CUDA_NOT_SHARED); }), \
     _Generic((shared), autotune_cuda_shared: (shared), default: autotune__local_bytes_of(0)).bytes)
#define AUTOTUNE__CUDA_SHAPE_OF(threads) _Generic((threads), autotune_cuda_shape: autotune__cuda_shape_same, \
    autotune_grid: autotune__cuda_shape_grid, \
    AUTOTUNE__BY_SIGN(autotune__cuda_shape_signed, autotune__cuda_shape_unsigned))(threads)
#undef AUTOTUNE__IS_BACKEND_STATUS
#undef AUTOTUNE__TAKE_STATUS
#define AUTOTUNE__IS_BACKEND_STATUS(t) _Generic((t), AUTOTUNE__CUDA_STATUSES(1), default: 0)
#define AUTOTUNE__TAKE_STATUS(t) \
    _Generic((t), AUTOTUNE__CUDA_STATUSES(autotune__cuda_take_status), default: autotune__take_status)
/* If the runtime's header is included, before or after this header, __DRIVER_TYPES_H__ is an empty macro. Then the name
   below becomes AUTOTUNE__CUDA_RUNTIME, and a cudaError_t counts as a status. */
#define AUTOTUNE__CUDA_STATUSES(is) CUresult *: is AUTOTUNE__CUDA_WITH(AUTOTUNE__CUDA_RUNTIME, __DRIVER_TYPES_H__)(is)
#define AUTOTUNE__CUDA_WITH(name, end) AUTOTUNE__CUDA_WITH_(name, end)
#define AUTOTUNE__CUDA_WITH_(name, end) name##end
#define AUTOTUNE__CUDA_RUNTIME(is) , enum cudaError *: is
#define AUTOTUNE__CUDA_RUNTIME__DRIVER_TYPES_H__(is)
#endif
#define AUTOTUNE__CUDA_LAUNCH(program, name, threads, shared, ...) \
    AUTOTUNE__LAUNCH_KERNEL(autotune__cuda_launch, autotune__cuda_call, \
                            (program, name, blocks, AUTOTUNE__CUDA_SHAPE_OF(threads), \
                             AUTOTUNE__CUDA_BYTES_OF(shared)), __VA_ARGS__)
#define AUTOTUNE__CUDA_PROGRAM(text, ...) \
    { AUTOTUNE__PROGRAM_TEXT(text, __VA_ARGS__), AUTOTUNE__NULL, AUTOTUNE__NULL }
#define AUTOTUNE__CUDA_PROGRAM_FILE(path, ...) \
    { AUTOTUNE__PROGRAM_FILE(path, __VA_ARGS__), AUTOTUNE__NULL, AUTOTUNE__NULL }

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
#ifndef AUTOTUNE__KERNELS_IMPLEMENTED
#define AUTOTUNE__KERNELS_IMPLEMENTED

/* ---- src/kernels/digest.h ------------------------------------------------------------------------------------------
   Digests of 128 bits: FNV-1a, and a second hash by another rule. This room also hashes the tokens of a source. */

typedef struct autotune__digest { uint64_t word[2]; } autotune__digest;

static void autotune__digest_bytes(autotune__digest *digest, const void *bytes, size_t count) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t a = digest->word[0], b = digest->word[1];
    size_t i;
    for (i = 0; i < count; i++) {
        a = autotune__hash_byte(a, at[i]);
        b = ((b << 9 | b >> 55) + at[i] + 1) * 0x9E3779B97F4A7C15u;
    }
    digest->word[0] = (a ^ count) * 1099511628211u; /* marks the end: "ab", "c" differs from "a", "bc" */
    digest->word[1] = (b + count) * 0x9E3779B97F4A7C15u;
}
static void autotune__digest_string(autotune__digest *digest, const char *string) {
    autotune__digest_bytes(digest, string, strlen(string));
}
/* Returns true if the two characters make one token without a gap between them, such as `+=`. `>>` and `..` do not
   count: `> >` closes two templates like `>>`, and `... ...` means the same as `......`. */
static bool autotune__are_joined(char first, char second) {
    if (second == '=') return strchr("+-*/%&|^<>!=", first) != NULL;
    return (first == second && strchr("+-<&|:#", second)) || (first == '-' && second == '>');
}
/* Hashes the tokens of a source, without comments and blanks. A line feed counts if it ends a directive. A gap is a
   comment, or blanks. A gap counts between characters that would be one token without the gap. A gap also counts in a
   #define between name and `(`. */
static uint64_t autotune__hash_code(uint64_t hash, const char *text) {
    const char *at, *next, *feed;
    char last = ' ';
    bool directive = false, gap = false, joined = false, defines = false, named = false;
    for (at = text; *at; at = next) {
        bool counts = *at == '\n' && directive;
        next = at + 1;
        if (*at == '\n') directive = named = false;
        else if (at[0] == '/' && at[1] == '/') next = at + strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') next = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (at[0] == '\\' && at[1] == '\n') { next = at + 2; continue; }
        else if (!strchr(" \t\r\f\v", *at)) {
            counts = true;
            directive = directive || *at == '#';
            next = autotune__past_token(at);
            feed = autotune__past_raw_string(at) ? NULL : (const char *)memchr(at, '\n', (size_t)(next - at));
            if (feed && feed > at && feed[-1] != '\\') next = feed;     /* a quote left open in a directive */
            joined = !joined && autotune__are_joined(last, *at);
            if (gap && (joined || (named && *at == '('))) hash = autotune__hash_byte(hash, ' ');
            joined = joined && !gap;
            named = defines;
            defines = directive && next - at == 6 && !memcmp(at, "define", 6);
        }
        if ((gap = !counts)) continue;
        last = next[-1];
        hash = autotune__hash_more(hash, at, (size_t)(next - at));
    }
    return hash;
}

/* ---- src/kernels/compiler.h ----------------------------------------------------------------------------------------
   The functions that a backend provides for its compiler, and the structs of this floor. The floor compiles a program
   with the values of a configuration as definitions. It loads the machine code as a kernel. */

/* The target into which kernels are loaded: a context of a device. It lives as long as the process. */
typedef struct autotune__target {
    struct autotune__compiler *compiler;
    const char *architecture;                   /* targets with equal architectures share machine code */
    const struct autotune__target *other;       /* a second target for the same code, whose copy may be faster or
                                                   slower: the control of a duel launches the copy. NULL: none */
} autotune__target;

/* An entry of the list of a configuration. The list has the kernels that the configuration launches. */
typedef struct autotune__listed_kernel {
    autotune__listed_function function;         /* has to come first: a call site reads it */
    const void *program;                        /* the program's autotune_program_source */
    const char *name;
    struct autotune__kernel *kernel;
    struct autotune__listed_kernel *next;       /* the next kernel of the same configuration */
    struct autotune__listed_kernel *older_copy; /* the copies of the kernel's own entry, the newest first. The own entry
                                                   points to the newest copy. The end of `kernel` frees all copies */
} autotune__listed_kernel;

/* A kernel: a compilation that is loaded into a target. The backend's struct of a kernel contains this struct. */
typedef struct autotune__kernel {
    autotune__listed_kernel listed;             /* its entry for lists; hits read it */
    const autotune__target *target;
    struct autotune__compilation *compilation;
    struct autotune__kernel *sibling;           /* the next kernel of this compilation, in another target */
    size_t users;                               /* how many sessions try the kernel */
    bool kept;                                  /* it was launched for real, so entries may point to it; or there was
                                                   no memory to note its session */
} autotune__kernel;

/* The kinds of options that a program gives to its compiler. */
typedef enum autotune__option_kind {
    AUTOTUNE__OPTION_OTHER,                     /* names neither a folder nor a file */
    AUTOTUNE__OPTION_FOLDER,                    /* names a folder of included files */
    AUTOTUNE__OPTION_FILE                       /* makes the compiler read or write a file, which the scan cannot see */
} autotune__option_kind;
typedef struct autotune__known_option {
    const char *name;                           /* without its dashes; the value may follow the name without a gap */
    autotune__option_kind kind;
} autotune__known_option;

/* The limits at which a compiler may stop. */
typedef struct autotune__compile_limits {
    bool *unwanted;                             /* true: the code is not needed any more; NULL: it is needed */
    double seconds;                             /* a longer compilation fails */
} autotune__compile_limits;
static bool autotune__program_ends;             /* exit() was called: code that is compiled ahead is unwanted */
static AUTOTUNE__UNUSED bool autotune__is_unwanted(const autotune__compile_limits *limits) {
    return limits->unwanted && (__atomic_load_n(limits->unwanted, __ATOMIC_RELAXED) ||
                                __atomic_load_n(&autotune__program_ends, __ATOMIC_RELAXED));
}

/* The compiler of a backend. It lives as long as the process. Any thread may call its functions. The callers of
   add_options, compile and still_holds do not hold autotune__kernels_lock; the callers of the others do. */
typedef struct autotune__compiler {
    const char *folder, *suffix;                /* of machine code on disk: "cubins", "cubin" */
    const char *version;                        /* name and version; if they change, a key is tuned again. NULL: each
                                                   compilation has its own */
    const char *identity;                       /* further data that decide machine code, such as the compiler's file;
                                                   NULL: there are no further data */
    bool divides;                               /* an option string may have several options, with blanks between */
    bool outlives_session;                      /* compile() needs no context, and may return long after it is unwanted:
                                                   the end of a session does not wait for it */
    const autotune__known_option *options;      /* the known options. The last one has no name, and gives the kind of
                                                   all other options, and of words without a dash. If two names begin
                                                   alike, the longer name comes first */
    const char *const *variables;               /* variables of the environment, up to NULL. They decide machine code,
                                                   too, and name folders of included files. NULL: there are no such
                                                   variables */
    /* Returns the name of the file in `folder` that has the version of a toolkit. This version stands for the headers
       of the toolkit. "": the folder has copies of such headers, but no toolkit. NULL: the folder has no such headers.
       If the function is NULL, the compiler knows no toolkit. */
    const char *(*version_file)(const char *folder);
    /* Appends the options that come before the program's own options, each with its zero. NULL: there are none. */
    void (*add_options)(autotune__text *options, const struct autotune__program *program,
                        const autotune__target *target);
    /* Compiles a compilation with the progress WAITING: sets .progress to MADE, and .image, .image_bytes and .symbol.
       Or calls autotune__refuse(). The progress stays WAITING if the compilation is given up, or if memory lacks. This
       takes from milliseconds to seconds. */
    void (*compile)(struct autotune__compilation *compilation, const autotune__target *target,
                    const autotune__compile_limits *limits);
    /* Called after machine code was read from disk. Returns true if the symbol of the code shows that the code is
       still valid. If the function is NULL, code on disk is always valid, and code is not kept there if the scan of its
       includes is blind. */
    bool (*still_holds)(struct autotune__compilation *compilation);
    /* Loads the machine code. NULL: this failed, the trial has the reason, and *error is the backend's error number. */
    autotune__kernel *(*load)(const autotune__target *target, const struct autotune__compilation *compilation,
                              int *error);
    /* Frees the kernel, and unloads it if its context still works. */
    void (*unload)(autotune__kernel *kernel);
    /* Returns the function of this name in a kernel that has several functions. NULL: it has no such function, or
       kernels are no functions of this process. */
    void (*(*function_of)(const autotune__kernel *kernel, const char *name))(void);
    double kept_bytes;                          /* of machine code on disk; 0: not counted yet. Guarded by
                                                   autotune__cache_lock, except in autotune_shutdown() */
} autotune__compiler;

typedef struct autotune__compilation autotune__compilation;
/* A program: the source that the user named. The struct lives as long as the process. The user's source lives as long
   as the process launches it. */
typedef struct autotune__program {
    autotune__compiler *compiler;
    autotune_program_source *declared;          /* the user's struct, which launches name */
    char *file_text;                            /* the source, if it is in a file; NULL: the file was not read */
    autotune__text options;                     /* each with its zero */
    struct autotune__scan *scan;                /* of its source; NULL: the source was not scanned */
    autotune__map *mentions;                    /* names that were asked for, with the places that mention the name */
    autotune__map *compilations;                /* found by the key that autotune__compilation_of() makes */
    struct autotune__program *next;             /* in the list of all programs */
} autotune__program;
static const char *autotune__source_of(const autotune__program *program) {         /* NULL: the file was not read */
    return program->declared->text ? program->declared->text : program->file_text;
}
/* Goes through the options of a text. */
#define AUTOTUNE__EACH_OPTION(option, of) \
    for ((option) = (of)->at; (option) && (option) < (of)->at + autotune__count((of)->at); \
         (option) += strlen(option) + 1)
/* Returns the kind of an option. *value: the folder, which follows the name of the option or is the next option; NULL:
   the option names no folder. */
static autotune__option_kind autotune__read_option(const autotune__compiler *compiler, const char *option,
                                                   const char **value) {
    const size_t dashes = strspn(option, "-");
    const autotune__known_option *known = compiler->options;
    *value = NULL;
    if (*option == '@') return AUTOTUNE__OPTION_FILE;           /* the file has options */
    while (known->name && (!dashes || strncmp(option + dashes, known->name, strlen(known->name)))) known++;
    if (known->kind != AUTOTUNE__OPTION_FOLDER) return known->kind;
    *value = option + dashes + strlen(known->name);
    *value += strspn(*value, "= \t");
    if (!**value) *value = option + strlen(option) + 1;         /* "": there is no next option */
    return known->kind;
}

/* WAITING: no thread has begun the compilation, or a thread gave it up, or there was no memory.
   IN_WORK: a thread compiles.
   MADE: the machine code is in memory.
   REFUSED: there is no machine code, and `reason` says why. */
typedef enum autotune__code_progress {
    AUTOTUNE__CODE_WAITING, AUTOTUNE__CODE_IN_WORK,
    AUTOTUNE__CODE_MADE, AUTOTUNE__CODE_REFUSED         /* in both the compilation is complete */
} autotune__code_progress;
/* A compilation: a program with the values of a configuration as definitions, for one kernel of the program. */
struct autotune__compilation {
    autotune__program *program;
    autotune__text definitions;                 /* the definitions on which the code may depend, each with its zero */
    autotune__text options;                     /* of the compiler, each with its zero, the definitions last; set before
                                                   the code is compiled or read from disk */
    char *name;                                 /* of the kernel, as written; a copy, since strings of an axis end with
                                                   the statement */
    const char *instance;                       /* `name` with values of axes in it: the name that is compiled */
    autotune__code_progress progress;
    char *image;                                /* memory with the machine code, then the symbol */
    size_t image_bytes;                         /* of the machine code */
    const char *symbol;                         /* data for load() and still_holds(): the kernel's name in the code, or
                                                   the folders of its headers */
    size_t shared_bytes;                        /* size of the first part of the text, its headers, which does not
                                                   depend on the definitions; 0: there is no such part */
    char version[64];                           /* of the compiler that made it, if the backend's compiler has none */
    char *reason;                               /* why it is refused; NULL: it is not refused */
    bool no_compiler;                           /* it is refused because no compiler works */
    bool unsettled;                             /* its dependencies may change unnoticed: it is not kept on disk */
    autotune__kernel *kernels;                  /* loaded from this compilation: one for each target */
};

/* ---- src/kernels/includes.h ----------------------------------------------------------------------------------------
   Scans the files that a program includes. The scan follows each #include line that names a file. It reads every file
   with this name: beside the including file, in the working directory, and in each folder that an option or the
   environment names. So the order in which the compiler searches does not matter. If one of these files changes, or
   is missing at the scan and appears later, the scan becomes invalid. In folders of a toolkit the scan reads only the
   file with the toolkit's version. The scan cannot follow an include of another form. Then the scan is blind: the
   machine code of the program is not kept on disk, unless the compiler has still_holds(). */

/* with more files or bytes the scan is blind */
enum { AUTOTUNE__MOST_LOOKED_FOR = 16384, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__looked_for {           /* a file for which the scan has looked */
    autotune__file_facts facts;                 /* all 0: the file does not exist */
    autotune__file_id folder;                   /* the folder in which the path stands: the includes of the file are
                                                   searched there. If the path is a link: the folder of the link */
    char *text;                                 /* NULL: the file does not exist, cannot be read, belongs to a
                                                   toolkit, or was read before by another path */
} autotune__looked_for;
typedef struct autotune__scan {
    autotune__digest digest;                    /* of the program's options and text, the versions of toolkits,
                                                   and the included files */
    uint64_t code;                              /* a hash of the same data; if the program's text is C, its comments and
                                                   blanks do not count */
    bool blind;                                 /* the scan does not see all data that decide the code */
    bool has_include_of_macro;                  /* __has_include has a macro as its argument */
    autotune__text folders;                     /* folders that are searched, each with its zero */
    autotune__text toolkits;                    /* folders of a toolkit, each with its zero: their files are not read */
    autotune__looked_for *files;
    autotune__map *paths;                       /* of the files, in the same order */
    size_t bytes;                               /* of all files that were read */
    size_t header_end;                          /* where the headers of the program's text end */
    bool pastes;                                /* a text uses the operator ##, which may join two words to one name */
} autotune__scan;

static const char *autotune__skip_blanks(const char *at) { return at + strspn(at, " \t"); }
static const char *autotune__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
static autotune__file_id autotune__folder_of(char *path) {
    char *const base = path + (autotune__base_name(path) - path), first = *base;
    autotune__file_facts facts;
    *base = 0;
    (void)autotune__facts_of_path(*path ? path : ".", &facts);
    *base = first;
    return facts.id;
}
/* Returns true if the file was read before, by another spelling of its path. */
static bool autotune__was_read(const autotune__scan *scan, const autotune__looked_for *file, const char *path) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].folder, file->folder) &&
            !strcmp(autotune__base_name(scan->paths[i].key), autotune__base_name(path))) return true;
    return false;
}
static void autotune__read_included(autotune__scan *scan, autotune__looked_for *file, char *path) {
    const char *why;
    size_t bytes = 0;
    file->folder = autotune__folder_of(path);
    if (autotune__was_read(scan, file, path) || !(file->text = autotune__read_path(path, &bytes, &why))) return;
    autotune__digest_bytes(&scan->digest, file->text, bytes);
    scan->code = autotune__hash_more(scan->code, file->text, bytes);
    scan->bytes += bytes;
    if (strlen(file->text) < bytes || scan->bytes > AUTOTUNE__MOST_INCLUDED_BYTES)  /* text after a zero is not seen */
        scan->blind = true;
}
/* Adds a file with its facts. reads: also reads the file. */
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length, bool reads) {
    autotune__text path AUTOTUNE__FREED = { NULL, false };
    autotune__looked_for file;
    memset(&file, 0, sizeof file);
    if (*name != '/') autotune__append(&path, "%.*s/", (int)folder_length, folder);
    autotune__append_piece(&path, name, length);
    if (scan->blind || autotune__value_of(scan->paths, autotune__string(&path))) return;
    if (!path.broken && autotune__facts_of_path(path.at, &file.facts) && reads)
        autotune__read_included(scan, &file, path.at);
    if (!path.broken && autotune__count(scan->files) < AUTOTUNE__MOST_LOOKED_FOR &&
        autotune__put_value(&scan->paths, path.at, scan) && AUTOTUNE__PUSH(scan->files, file)) return;
    scan->blind = true;
    autotune__free(file.text);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    const char *folder;
    autotune__digest_bytes(&scan->digest, name, length);
    scan->code = autotune__hash_more(scan->code, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length, true);
    autotune__scan_file(scan, ".", 1, name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) autotune__scan_file(scan, folder, strlen(folder), name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->toolkits)
        autotune__scan_file(scan, folder, strlen(folder), name, length, false);
}
/* Called for a word `include` that no "name" or <name> follows. end: the end of the word. Returns true if the word is
   in a directive. Then a macro may name a file that the scan cannot see. A directive begins at the beginning of a
   line, or after a comment. */
static bool autotune__includes_unseen(const char *text, const char *word, const char *end) {
    while (word > text && (word[-1] == ' ' || word[-1] == '\t')) word--;
    if (autotune__is_word(*end) || *end == '\'' || word == text || *--word != '#') return false;
    while (word > text && word[-1] != '\n' && word[-1] <= ' ') word--;
    return word == text || word[-1] == '\n' || word[-1] == '/';
}
static bool autotune__has_pastes(const char *text) { return strstr(text, "##") || strstr(text, "%:%:"); }
/* Returns the end of the headers of a text: after the last #include that is outside of conditions, and has only
   directives and comments before it. 0: there is none. */
static size_t autotune__header_end(const char *text) {
    const char *at = text, *end = text;
    int depth = 0;
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            if (!(at = strstr(at + 2, "*/"))) break;
            at += 2;
        } else if (*at == '#') {
            const char *word = autotune__skip_blanks(at + 1), *const line = at;
            while (*at && (*at != '\n' || at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\'))) at++;
            if (memchr(line, '*', (size_t)(at - line))) break;      /* a comment may go on in the next line */
            if (!strncmp(word, "if", 2)) depth++;
            else if (!strncmp(word, "endif", 5)) depth--;
            else if (!strncmp(word, "include", 7) && !depth && *at) end = at + 1;
        } else break;
    }
    return (size_t)(end - text);
}
/* Finds each "name" and <name> after the word `include`, wherever the word stands: in a directive, in __has_include or
   in a comment. */
static void autotune__scan_text(autotune__scan *scan, const char *text, const char *path) {
    const char *at = text, *word, *end;
    scan->pastes = scan->pastes || autotune__has_pastes(text);
    while (!scan->blind && (word = strstr(at, "include")) != NULL) {
        const char *const behind = word + (strncmp(word + 7, "_next", 5) ? 7 : 12);
        at = autotune__skip_blanks(behind);
        if (*at == '(') at = autotune__skip_blanks(at + 1);
        end = *at == '<' ? strpbrk(at, ">\n") : *at == '"' ? strpbrk(at + 1, "\"\n") : NULL;
        if (end && *end != '\n') autotune__scan_name(scan, path, at + 1, (size_t)(end - at - 1));
        else if (word - text < 6 || strncmp(word - 6, "__has_", 6))
            scan->blind = autotune__includes_unseen(text, word, behind);
        else scan->has_include_of_macro = scan->has_include_of_macro || *autotune__skip_blanks(behind) == '(';
    }
}
static void autotune__scan_files(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)              /* more files are added meanwhile */
        if (scan->files[i].text) autotune__scan_text(scan, scan->files[i].text, scan->paths[i].key);
}
static const char *autotune__path_of(const autotune__program *program) {        /* of its source; "": no file */
    return program->declared->file ? program->declared->file : "";
}
/* Moves the folders of toolkits from `folders` to `toolkits`: the version of a toolkit stands for its headers. Some
   folders have copies of a toolkit's headers, but no toolkit. If there is such a folder, the function moves no folder,
   since headers of the toolkit may include the copies. */
static void autotune__set_toolkits_apart(autotune__scan *scan, const autotune__compiler *compiler) {
    autotune__text rest = { NULL, false };
    const char *folder, *version, *why;
    bool strange = !compiler->version_file;
    size_t bytes;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders)
        strange = strange || ((version = compiler->version_file(folder)) != NULL && !*version);
    if (strange) return;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) {
        version = compiler->version_file(folder);
        char *path AUTOTUNE__OWNED = version ? autotune__joined(folder, version) : NULL,
             *text AUTOTUNE__OWNED = path ? autotune__read_path(path, &bytes, &why) : NULL;
        autotune__append(text ? &scan->toolkits : &rest, "%s%c", folder, 0);
        if (text) autotune__digest_bytes(&scan->digest, text, bytes);
        if (text) scan->code = autotune__hash_more(scan->code, text, bytes);
        if (text) autotune__scan_file(scan, folder, strlen(folder), version, strlen(version), false);
    }
    rest.broken = rest.broken || scan->toolkits.broken;
    autotune__free_text(&scan->folders);
    scan->folders = rest;
}
/* Returns true if compilers may take the file for Fortran or assembler, by the suffix of its name. In these languages
   `//` begins no comment, and line feeds have a meaning. */
static bool autotune__may_not_be_c(const char *path) {
    const char *const suffix = strrchr(autotune__base_name(path), '.');
    return suffix && suffix[1] && strchr("fFsS", suffix[1]);
}
/* Scans a program that has source: its options, its text or file, and the included files. If an option names
   a file, this file is not scanned, and the scan is blind. The digest has no data of a configuration or a device. The
   digest has no path of a folder, unless the path is an option of its own. */
static void autotune__scan_source(autotune__scan *scan, const autotune__program *program) {
    const char *text = autotune__source_of(program), *option, *value = NULL, *folder;
    const char *const *variable = program->compiler->variables;
    bool reads_files = false, is_c = !autotune__may_not_be_c(autotune__path_of(program));
    size_t length;
    memset(scan, 0, sizeof *scan);
    AUTOTUNE__EACH_OPTION(option, &program->options) {
        const autotune__option_kind kind =
            option == value ? AUTOTUNE__OPTION_OTHER : autotune__read_option(program->compiler, option, &value);
        reads_files = reads_files || kind == AUTOTUNE__OPTION_FILE ||
                      (kind == AUTOTUNE__OPTION_FOLDER && strchr(value, '$'));       /* a folder named by an axis */
        is_c = is_c && strncmp(option, "-x", 2);                /* -x names a language */
        if (kind == AUTOTUNE__OPTION_FOLDER) autotune__append(&scan->folders, "%s%c", value, 0);
        else autotune__digest_string(&scan->digest, option);
        scan->pastes = scan->pastes || autotune__has_pastes(option);
    }
    scan->header_end = autotune__header_end(text);
    for (; variable && *variable; variable++)
        AUTOTUNE__EACH_FOLDER(folder, length, autotune__variable(*variable))
            autotune__append(&scan->folders, "%.*s%c", (int)length, folder, 0);
    scan->code = is_c ? autotune__hash_code(scan->digest.word[0], text)
                      : autotune__hash_more(scan->digest.word[0], text, strlen(text));
    autotune__set_toolkits_apart(scan, program->compiler);
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, autotune__path_of(program));
    autotune__scan_files(scan);
    scan->blind = scan->blind || reads_files || scan->folders.broken;
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) autotune__free(scan->files[i].text);
    AUTOTUNE__FREE_ARRAY(scan->files);
    autotune__free_map(&scan->paths);
    autotune__free_text(&scan->folders);
    autotune__free_text(&scan->toolkits);
}
/* Returns true if a new scan would probably find the same files. Reads no file for this. */
static bool autotune__files_unchanged(const autotune__scan *scan) {
    autotune__file_facts facts;
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) {
        const autotune__file_facts *known = &scan->files[i].facts;
        (void)autotune__facts_of_path(scan->paths[i].key, &facts);
        if (!autotune__is_same_id(facts.id, known->id) || facts.bytes != known->bytes ||
            facts.modified_ns != known->modified_ns) return false;
    }
    return true;
}
/* Makes the digest of all data that decide the machine code of a compilation for this target. Returns false if there is
   no scan, or if a file has changed since the scan. Also returns false if the scan is blind and the compiler has no
   still_holds(). */
static bool autotune__digest_code(autotune__digest *digest, const autotune__compilation *compilation,
                                  const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    const char *option;
    const char *const *variable = target->compiler->variables;
    if (!scan || (scan->blind && !target->compiler->still_holds) || !autotune__files_unchanged(scan)) return false;
    memset(digest, 0, sizeof *digest);
    if (target->compiler->version) autotune__digest_string(digest, target->compiler->version);
    if (target->compiler->identity) autotune__digest_string(digest, target->compiler->identity);
    for (; variable && *variable; variable++) {
        const char *const value = autotune__variable(*variable);
        autotune__digest_string(digest, value ? value : "");
    }
    autotune__digest_string(digest, target->architecture);
    autotune__digest_string(digest, autotune__path_of(program));        /* __FILE__ */
    autotune__digest_string(digest, compilation->instance);
    AUTOTUNE__EACH_OPTION(option, &compilation->options) autotune__digest_string(digest, option);
    autotune__digest_bytes(digest, &scan->digest, sizeof scan->digest);
    return true;
}

/* ---- src/kernels/source_words.h ------------------------------------------------------------------------------------
   Finds the names that a program mentions. The definition of any other name does not change the program's machine
   code. */

/* The places that mention a name. A word in a comment counts, too.
   MENTIONED: the program may mention the name.
   SEEN_BY_HEADERS: a header may mention the name.
   NO_MACRO: the program needs no macro of this name. No text and no option has this word, or a template has a parameter
   of this name. */
enum { AUTOTUNE__MENTIONED = 1, AUTOTUNE__SEEN_BY_HEADERS = 2, AUTOTUNE__NO_MACRO = 4 };

static bool autotune__has_word(const char *text, size_t bytes, const char *word, size_t length) {
    const char *at = text, *const end = text + bytes;
    for (; (size_t)(end - at) >= length && (at = (const char *)memchr(at, *word, (size_t)(end - at))) != NULL; at++)
        if ((size_t)(end - at) >= length && !memcmp(at, word, length) &&
            (at == text || at[-1] == '$' || !autotune__is_word(at[-1])) &&          /* an option may have $A$B */
            (at + length == end || at[length] == '$' || !autotune__is_word(at[length]))) return true;
    return false;
}
/* Returns true if the parameter list of a template in the text has this name. A macro of this name would break the
   template. Reads the whole text. */
static bool autotune__declares(const char *text, size_t bytes AUTOTUNE__UNUSED, const char *name, size_t length) {
    const char *at = text, *list;
    while ((at = strstr(at, "template")) != NULL) {
        int depth = 0;
        at += 8;
        list = at += strspn(at, " \t\r\n");
        do depth += (*at == '<') - (*at == '>'); while (depth > 0 && *++at);
        if (autotune__has_word(list, (size_t)(at - list), name, length)) return true;
    }
    return false;
}
/* Returns true if is_so() holds for the first `bytes` bytes of the program's text, or for an included file. */
static bool autotune__some_text(bool (*is_so)(const char *text, size_t bytes, const char *word, size_t length),
                                const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const autotune__scan *scan = program->scan;
    bool some = is_so(autotune__source_of(program), bytes, word, length);
    size_t i;
    for (i = 0; !some && i < autotune__count(scan->files); i++)
        some = scan->files[i].text && is_so(scan->files[i].text, strlen(scan->files[i].text), word, length);
    return some;
}
/* Returns true if the first `bytes` bytes of the text, an included file, or an option of the program mentions the
   name. If `bytes` is the end of the headers, options with a `$` do not count. */
static bool autotune__is_mentioned(const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const char *option;
    AUTOTUNE__EACH_OPTION(option, &program->options)        /* headers see the value of $NAME, not the name */
        if ((bytes != program->scan->header_end || !strchr(option, '$')) &&
            autotune__has_word(option, strlen(option), word, length)) return true;
    return autotune__some_text(autotune__has_word, program, bytes, word, length);
}
/* Returns true if headers of a toolkit may read the macro. These headers are not scanned. */
static bool autotune__configures_toolkit(const char *name) {
    return !strncmp(name, "CU", 2) || !strncmp(name, "NV", 2) || !strncmp(name, "CCCL_", 5) ||
           !strncmp(name, "THRUST_", 7) || !strncmp(name, "LIBCUDACXX_", 11);
}
/* Returns true if headers may read the macro of this name. The operator ## may join two mentioned words to this
   name, or a mentioned word and a number. Headers of the compiler may read any name that begins with an underscore. */
static bool autotune__headers_may_read(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = program->scan->header_end;
    size_t i;
    for (i = 1; program->scan->pastes && i < length; i++)
        if (autotune__is_mentioned(program, bytes, name, i) &&
            ((name[i] >= '0' && name[i] <= '9') || autotune__is_mentioned(program, bytes, name + i, length - i)))
            return true;
    return *name == '_' || (program->scan->toolkits.at && autotune__configures_toolkit(name)) ||
           autotune__is_mentioned(program, bytes, name, length);
}
static unsigned autotune__find_mentions(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = strlen(autotune__source_of(program));
    const bool seen = autotune__is_mentioned(program, bytes, name, length),
               declared = autotune__some_text(autotune__declares, program, bytes, name, length);
    unsigned mentions = seen || program->scan->pastes || program->scan->blind ? AUTOTUNE__MENTIONED : 0;
    if (program->scan->blind || autotune__headers_may_read(program, name, length))
        mentions |= AUTOTUNE__SEEN_BY_HEADERS;
    return !seen || declared ? mentions | AUTOTUNE__NO_MACRO : mentions;
}
/* The caller holds the lock. Returns the places that mention the name of a definition. Texts may be long, so a map
   keeps the answer. The map has the answer plus one, since NULL means that there is no answer. */
static unsigned autotune__mentions_of(autotune__program *program, const char *name, size_t length) {
    autotune__text key AUTOTUNE__FREED = { NULL, false };
    uintptr_t known;
    unsigned mentions;
    if (!program->scan) return AUTOTUNE__MENTIONED | AUTOTUNE__SEEN_BY_HEADERS;
    autotune__append(&key, "%.*s", (int)length, name);
    known = key.broken ? 0 : (uintptr_t)autotune__value_of(program->mentions, key.at);
    if (known) return (unsigned)known - 1;
    mentions = autotune__find_mentions(program, name, length);
    if (!key.broken) (void)autotune__put_value(&program->mentions, key.at, (void *)(uintptr_t)(mentions + 1));
    return mentions;
}

/* ---- src/kernels/images.h ------------------------------------------------------------------------------------------
   Machine code on disk. Each compiler has a folder beside the records, such as `cubins`. The folder has a file for each
   compilation, named by its digest. The file is the output of the compiler, which tools can read. Behind it a line
   identifies the code. A file with a wrong line or checksum is not loaded. A file is always replaced as a whole. If the
   folder has no room for a new file, all files are removed. */

typedef struct autotune__image_name { char at[64]; } autotune__image_name;
/* Returns the name of the file for a digest. */
static autotune__image_name autotune__name_image(const autotune__compiler *compiler, const autotune__digest *digest) {
    autotune__image_name name;
    autotune__put_text(name.at, sizeof name.at, "%016llx%016llx.%s", (unsigned long long)digest->word[0],
                       (unsigned long long)digest->word[1], compiler->suffix);
    return name;
}
/* The line after the code, for the suffix cubin: {"cubin":1,"digest":"...","kernel":"its name in the
   code","crc":"..."}. Its checksum is that of records. This function writes the part before the kernel's name, and
   returns its length. */
enum { AUTOTUNE__IMAGE_LINE_START = 96 };
static size_t autotune__begin_image_line(char *start, const char *suffix, const autotune__digest *digest) {
    return (size_t)snprintf(start, AUTOTUNE__IMAGE_LINE_START,
                            "\n{\"%s\":1,\"digest\":\"%016llx%016llx\",\"kernel\":\"", suffix,
                            (unsigned long long)digest->word[0], (unsigned long long)digest->word[1]);
}
/* Returns true if the file has the code of this digest. The compilation then owns the bytes. The caller has put a
   zero behind the bytes of the file. */
static bool autotune__take_image(autotune__compilation *compilation, const autotune__digest *digest, char *file,
                                 size_t bytes) {
    char start[AUTOTUNE__IMAGE_LINE_START], sum[AUTOTUNE__CRC_BYTES + 2];
    const size_t length = autotune__begin_image_line(start, compilation->program->compiler->suffix, digest);
    char *const end = file + (bytes < sizeof sum ? 0 : bytes + 1 - sizeof sum), *at = end;
    autotune__put_text(sum, sizeof sum, ",\"crc\":\"%08lx\"}\n",
                       (unsigned long)autotune__crc(file, (size_t)(end - file)));
    while (at > file && *at != '\n') at--;
    if (strcmp(end, sum) || strncmp(at, start, length) || (size_t)(end - at) <= length || end[-1] != '"') return false;
    *at = end[-1] = 0;
    compilation->image = file;
    compilation->image_bytes = (size_t)(at - file);
    compilation->symbol = at + length;
    return true;
}
/* Reads the code of a digest. Returns false if the folder has no such code, or if the code no longer holds. */
static bool autotune__read_image(autotune__compilation *compilation, const autotune__digest *digest) {
    const autotune__compiler *compiler = compilation->program->compiler;
    const int file AUTOTUNE__CLOSED = autotune__open_in_cache(compiler->folder,
                                                              autotune__name_image(compiler, digest).at);
    const char *why;
    char *bytes = NULL;
    size_t got;
    const bool taken = file >= 0 && (bytes = autotune__read_whole(file, &got, &why)) != NULL &&
                       autotune__take_image(compilation, digest, bytes, got) &&
                       (!compiler->still_holds || compiler->still_holds(compilation));
    if (taken) compilation->progress = AUTOTUNE__CODE_MADE;
    else {
        autotune__free(bytes);
        compilation->image = NULL;
    }
    return taken;
}

typedef struct autotune__image_walk {
    autotune__compiler *compiler;
    const char *folder;
    bool removes;                               /* removes the files; false: counts their bytes */
} autotune__image_walk;
/* Counts or removes a file. An unfinished file has a longer name. It stays for a minute, since a process may still
   write it. */
static void autotune__meet_image(const char *name, void *user) {
    const autotune__image_walk *walk = (const autotune__image_walk *)user;
    const size_t length = strlen(walk->compiler->suffix);
    const bool is_image = strspn(name, "0123456789abcdef") == 32 && name[32] == '.' &&
                          !strncmp(name + 33, walk->compiler->suffix, length);
    autotune__file_facts facts;
    char *path AUTOTUNE__OWNED = is_image ? autotune__joined(walk->folder, name) : NULL;
    if (path && autotune__facts_of_name(path, &facts)) {
        const bool in_work = name[33 + length] && facts.modified_ns / 1000000000 > autotune__calendar_seconds() - 60;
        if (!walk->removes) walk->compiler->kept_bytes += (double)facts.bytes;
        else if (!in_work) autotune__remove_file(path);
    }
}
/* The caller holds the lock of the cache. Makes room for `bytes` bytes in the folder. If there is no room, all files
   are removed, and their code is compiled again when it is needed. Other processes add and remove files, too, so all
   files are counted once, and counted anew when the limit seems to be reached. */
static void autotune__make_image_room(const char *folder, double bytes, void *user) {
    const double room = autotune__environment.cubins_mib * 1048576;
    autotune__compiler *compiler = (autotune__compiler *)user;
    autotune__image_walk walk = { compiler, folder, false };
    if (!(compiler->kept_bytes > 0) || compiler->kept_bytes + bytes > room) {
        compiler->kept_bytes = 0;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
    }
    if (compiler->kept_bytes + bytes > room) {
        walk.removes = true;
        autotune__walk_folder(folder, autotune__meet_image, &walk);
        compiler->kept_bytes = 0;
    }
    compiler->kept_bytes += bytes;
}
static void autotune__keep_image(const autotune__compilation *compilation, const autotune__digest *digest) {
    const double room = autotune__environment.cubins_mib * 1048576, bytes = (double)compilation->image_bytes;
    const bool plain = !compilation->unsettled && !strpbrk(compilation->symbol, "\"\\\n") && bytes <= room / 4;
    autotune__compiler *compiler = compilation->program->compiler;
    char start[AUTOTUNE__IMAGE_LINE_START];
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    if (!plain) return;
    autotune__append_piece(&text, compilation->image, compilation->image_bytes);
    autotune__begin_image_line(start, compiler->suffix, digest);
    autotune__append(&text, "%s%s\"", start, compilation->symbol);
    autotune__append_crc(&text, 0);
    autotune__keep_in_cache(compiler->folder, autotune__name_image(compiler, digest).at, &text,
                            autotune__make_image_room, compiler);
}

/* ---- src/kernels/image_turn.h --------------------------------------------------------------------------------------
   Turns: several processes may need the same machine code at the same time, for instance the ranks of a node. One
   process compiles the code, and the others wait for its file on disk. */

/* Returns the byte of the cache's lock file for an image: at least 0x80000001. The locks of keys use the bytes up to
   0x80000000, see store/lock.h. Systems with 32 bits may lack offsets from 0x80000000 on. On these systems an image
   has a byte above 0x40000000. This byte may be the lasting byte of a key, with a chance of one in 2^30. Earlier
   versions of the library use these lower bytes on all systems. So two processes with different versions do not wait
   for each other, and may compile the same code at the same time. A lock ends with its process. */
static uint64_t autotune__image_byte(const autotune__digest *digest) {
    return (sizeof(void *) > 4 ? 0x80000001u : 0x40000001u) + digest->word[0] % 0x3FFFFFFF;
}
static void autotune__end_image_turn(const autotune__digest *digest) {
    autotune__release_lock(autotune__image_byte(digest));
}
/* Waits for the turn. Returns true if this process has the turn. Returns false if another process had the turn when
   this function was called. Then the turn of the other process has ended or takes too long, or the code is unwanted
   now. Also returns false if locks do not work, or if another thread of this process has the turn. */
static bool autotune__take_image_turn(const autotune__digest *digest, const autotune__compile_limits *limits) {
    const uint64_t began = autotune__wait_clock();
    const double patience_ns = limits->seconds * 1e9;
    autotune__locked locked;
    bool waited = false;
    while ((locked = autotune__hold_lock(autotune__image_byte(digest))) == AUTOTUNE__BUSY &&
           (double)(autotune__wait_clock() - began) < patience_ns && !autotune__is_unwanted(limits)) {
        waited = true;
        autotune__sleep_ns(1000000);
    }
    if (locked == AUTOTUNE__HELD && waited) autotune__end_image_turn(digest);
    return locked == AUTOTUNE__HELD && !waited;
}

/* ---- src/kernels/definitions.h -------------------------------------------------------------------------------------
   Definitions: the values of a configuration as options of the compiler, "-DTILE=16", each with its zero. */

/* Appends the definition for the value of an axis. An axis of functions gets no definition. A definition is one line:
   blanks replace line feeds. Negative integers and all floating-point numbers are in parentheses, since an operator may
   come before the macro. */
static void autotune__define(autotune__text *text, const char *name, autotune_type type, uint64_t value) {
    const size_t start = autotune__count(text->at);
    if (type == AUTOTUNE_POINTER) return;
    if (type == AUTOTUNE_STRING) {
        char *at;
        autotune__append(text, "-D%s=%s%c", name, value ? autotune__string_of_value(value) : "", 0);
        for (at = text->broken ? NULL : text->at + start; at && (at = strpbrk(at, "\r\n")) != NULL; ) *at = ' ';
    }
    else if (type == AUTOTUNE_U64) autotune__append(text, "-D%s=%lluu%c", name, (unsigned long long)value, 0);
    else if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64) {
        autotune__append(text, "-D%s=(", name);
        autotune__append_number(text, "%.17g", autotune__double_of_value(type, value));
        if (!text->broken && !strpbrk(text->at + start + strlen(name) + 4, ".en")) autotune__append(text, ".0");
        autotune__append(text, "%s)%c", type == AUTOTUNE_F32 ? "f" : "", 0);
    } else {
        const int64_t number = autotune__int_of_value(type, value);
        autotune__append(text, number < 0 ? "-D%s=(%lld)%c" : "-D%s=%lld%c", name, (long long)number, 0);
    }
}
/* Defines the axes of the located point. The axis of AUTOTUNE_SELECT gets no definition. */
static void autotune__define_point(autotune__text *text, const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count && !autotune__is_select(space); a++)
        autotune__define(text, space->axes[a].name, space->axes[a].type, space->value[a]);
}
static AUTOTUNE__UNUSED void autotune__define_config(autotune__text *text, const autotune_config *config) {
    size_t a;
    const bool select = config->count == 1 && config->types[0] == AUTOTUNE_U64 && !strcmp(config->names[0], "call");
    for (a = 0; a < config->count && !select; a++)
        autotune__define(text, config->names[a], config->types[a], config->values[a]);
}
/* Returns the value of an axis in the definitions. NULL: no axis has this name. */
static const char *autotune__value_of_axis(const autotune__text *definitions, const char *axis, size_t length) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)      /* -DNAME=VALUE */
        if (!strncmp(at + 2, axis, length) && at[2 + length] == '=') return at + 3 + length;
    return NULL;
}

/* ---- src/kernels/program.h -----------------------------------------------------------------------------------------
   Programs: the library's structs for the programs of the user. This room lists the programs, and reads their source
   and their options. It also has the lock of this floor. */

/* The lock of programs, compilations and kernels. */
static autotune__mutex autotune__kernels_lock = AUTOTUNE__MUTEX;
static autotune__condition autotune__kernels_changed = AUTOTUNE__CONDITION;     /* a compilation made progress, or
                                                                                   workers have new work, or
                                                                                   have to end */

/* The number of forks between the first process and this process. */
static unsigned autotune__kernels_generation;
static autotune__program *autotune__programs;                   /* all programs */

/* The caller holds the lock, or is the only thread of a child made by fork(). Forgets the source of the program and its
   compilations, and frees nothing. The options stay. */
static void autotune__empty_program(autotune__program *program) {
    program->scan = NULL;
    program->mentions = program->compilations = NULL;
    program->file_text = NULL;
}
/* The caller holds the lock. Reads the program's file and scans its source, unless both were done. Tries again after a
   failure. */
static void autotune__read_program(autotune__program *program) {
    const char *why;
    size_t bytes;
    if (!autotune__source_of(program) && program->declared->file)
        program->file_text = autotune__read_path(program->declared->file, &bytes, &why);
    if (!program->scan && autotune__source_of(program) &&
        (program->scan = (autotune__scan *)autotune__allocate(sizeof *program->scan)) != NULL)
        autotune__scan_source(program->scan, program);
}
/* Divides a text at blanks, and appends each word with its zero. */
static void autotune__append_divided(autotune__text *words, const char *text) {
    static const char blanks[] = " \t\r\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const size_t length = strcspn(text, blanks);
        autotune__append(words, "%.*s%c", (int)length, text, 0);
        text += length;
    }
}
/* Makes the options of a program: the user's options. If the source is in a file, -I with the folder of this file comes
   first, for included files. Returns false if there is no memory. */
static bool autotune__take_options(autotune__program *program) {
    const char *const *given = program->declared->options;
    const char *const path = autotune__path_of(program), *const name = autotune__base_name(path);
    autotune__text *const options = &program->options;
    size_t i;
    if (*path) autotune__append(options, "-I%.*s%c", name > path ? (int)(name - path) : 1, name > path ? path : ".", 0);
    for (i = 0; i < AUTOTUNE_MAX_OPTIONS && given[i]; i++)
        if (program->compiler->divides) autotune__append_divided(options, given[i]);
        else if (*given[i]) autotune__append(options, "%s%c", given[i], 0);
    return !options->broken;
}
/* The caller holds the lock. NULL: no memory. */
static autotune__program *autotune__make_program(autotune_program_source *of, autotune__compiler *compiler) {
    autotune__program *program = (autotune__program *)autotune__allocate(sizeof *program);
    if (!program) return NULL;
    program->declared = of;
    program->compiler = compiler;
    if (autotune__take_options(program)) {
        program->next = autotune__programs;
        return autotune__programs = program;
    }
    autotune__free_text(&program->options);
    autotune__free(program);
    return NULL;
}
/* The caller holds the lock. Returns the struct for the user's program; if needed makes the struct and reads the
   program. NULL: no memory. */
static autotune__program *autotune__program_from(autotune_program_source *of, autotune__compiler *compiler) {
    if (!of->made) of->made = autotune__make_program(of, compiler);
    if (of->made) autotune__read_program(of->made);
    return of->made;
}

/* ---- src/kernels/compilation.h -------------------------------------------------------------------------------------
   Finds or makes the compilation for a program, kernel, architecture and definitions. Each compilation is compiled
   once. This room also has the functions by which a compiler reads a compilation, and gives it machine code or a
   reason. */

/* Returns true if the axis is an argument of a template in the kernel's name, and the source needs no macro of this
   name. An axis that the source mentions is a macro, unless a template has a parameter of this name. */
static bool autotune__is_argument(autotune__program *program, const char *kernel, const char *axis, size_t length) {
    const char *arguments = kernel + strcspn(kernel, "<");
    return autotune__has_word(arguments, strlen(arguments), axis, length) &&
           (autotune__mentions_of(program, axis, length) & AUTOTUNE__NO_MACRO);
}
/* Appends the kernel's name. Values replace the axes for which autotune__is_argument() is true. */
static void autotune__append_instance(autotune__text *instance, autotune__program *program,
                                      const autotune__text *definitions, const char *kernel) {
    const char *at, *next, *value;
    for (at = kernel; *at; at = next) {
        next = autotune__past_token(at);
        value = autotune__value_of_axis(definitions, at, (size_t)(next - at));
        if (value && autotune__is_argument(program, kernel, at, (size_t)(next - at)))
            autotune__append(instance, "%s", value);
        else autotune__append_piece(instance, at, (size_t)(next - at));
    }
}
/* Keeps the definitions on which the code may depend. Their names are in the source, in the kernel's name, or in the
   value of a definition. An axis whose value is in the kernel's name needs no definition. All values of any other axis
   share one compilation. An axis DX beside an axis X counts as mentioned, since the option -DX has the word DX. */
static void autotune__keep_mentioned(autotune__text *kept, autotune__program *program,
                                     const autotune__text *definitions, const char *kernel, const char *instance) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions) {
        const size_t length = strcspn(at, "=") - 2;
        if (!autotune__is_argument(program, kernel, at + 2, length) &&
            ((autotune__mentions_of(program, at + 2, length) & AUTOTUNE__MENTIONED) ||
             autotune__has_word(instance, strlen(instance), at + 2, length) ||
             autotune__has_word(definitions->at, autotune__count(definitions->at), at + 2, length)))
            autotune__append(kept, "%s%c", at, 0);
    }
}
/* Returns the size of the part of the text that may come before the definitions: the headers. This part is the same for
   all configurations. 0: there is no such part, a header may read an axis, or the scan does not see all headers. */
static size_t autotune__shared_bytes(autotune__program *program, const autotune__text *definitions) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)
        if (autotune__mentions_of(program, at + 2, strcspn(at + 2, "=")) & AUTOTUNE__SEEN_BY_HEADERS) return 0;
    return program->scan && !program->scan->blind ? program->scan->header_end : 0;
}
/* Refuses a compilation with a reason. If there is no memory for the reason, the compilation is not refused. */
static __attribute__((__format__(__printf__, 2, 3)))
void autotune__refuse(autotune__compilation *compilation, const char *format, ...) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    AUTOTUNE__APPEND_ARGUMENTS(&text, format);
    if (!text.broken) compilation->reason = autotune__copy_string(autotune__string(&text));
    if (compilation->reason) compilation->progress = AUTOTUNE__CODE_REFUSED;
}
/* Allocates room for `bytes` bytes of machine code, and for the symbol, which is copied there. Returns false if there
   is no memory. */
static AUTOTUNE__UNUSED bool autotune__take_room(autotune__compilation *compilation, size_t bytes, const char *symbol) {
    compilation->image = (char *)autotune__allocate(bytes + strlen(symbol) + 2);
    if (!compilation->image) return false;
    compilation->image_bytes = bytes;
    compilation->symbol = strcpy(compilation->image + bytes + 1, symbol);
    return true;
}
/* Returns the place in .options where the definitions begin. NULL: there are no options. */
static AUTOTUNE__UNUSED const char *autotune__own_options_end(const autotune__compilation *compilation) {
    const autotune__text *const all = &compilation->options;
    return all->at ? all->at + (autotune__count(all->at) - autotune__count(compilation->definitions.at)) : NULL;
}
/* Returns the axis that probably breaks a header: the compiler's message shows a line that has the name of the axis.
   NULL: the error is in no header, or the message has no axis. */
static const char *autotune__axis_in_header(const autotune__compilation *compilation, const char *error) {
    const char *const shown = strchr(error, '\n'), *const end = shown ? strstr(shown, "\n\n") : NULL;
    const char *const place = shown && !strncmp(error, "<command-line>", 14) ? shown + 1 : error;   /* for gcc */
    const char *const own = autotune__path_of(compilation->program);
    const size_t length = strcspn(place, "(:\n"), bytes = end ? (size_t)(end - shown) : shown ? strlen(shown) : 0;
    const char *axis;
    if (!shown || length < 3 || (strlen(own) == length && !strncmp(own, place, length)) ||
        (place[length - 1] != 'h' && strncmp(place + length - 3, "hpp", 3) != 0)) return NULL;
    AUTOTUNE__EACH_OPTION(axis, &compilation->definitions)
        if (autotune__has_word(shown, bytes, axis + 2, strcspn(axis, "=") - 2)) return axis + 2;
    return NULL;
}
/* Refuses a compilation that does not compile. The reason is the first line of the compiler's log that has an error.
   If no line has an error, the reason is the first line. If the log is NULL or empty, the reason is `otherwise`. */
static AUTOTUNE__UNUSED void autotune__refuse_by_log(autotune__compilation *compilation, const char *log,
                                                     const char *otherwise) {
    const char *at = log ? strstr(log, "rror") : NULL, *axis;      /* error, or Error */
    while (at && at > log && at[-1] != '\n') at--;
    if (!at || !strncmp(at, "collect2", 8)) at = log && *log ? log : otherwise;     /* collect2 repeats the linker */
    axis = autotune__axis_in_header(compilation, at);
    autotune__refuse(compilation, axis ? "does not compile: %.*s; the axis %.*s is a macro in this header: give it "
                                         "another name"
                                       : "does not compile: %.*s",
                     (int)strcspn(at, "\n"), at, axis ? (int)strcspn(axis, "=") : 0, axis);
}
/* Returns the text of a compilation: the first `length` bytes, `between`, the definitions, and the rest. NULL: no
   memory. */
static AUTOTUNE__UNUSED char *autotune__text_with_definitions(const autotune__compilation *compilation, size_t length,
                                                              const char *between) {
    const char *const text = autotune__source_of(compilation->program), *at;
    autotune__text whole AUTOTUNE__FREED = { NULL, false };
    unsigned long line = 1;
    for (at = text; at < text + length; at++) line += *at == '\n';
    autotune__append(&whole, "%.*s%s", (int)length, text, between);
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) {
        const int name = (int)strcspn(at, "=");
        autotune__append(&whole, "#define %.*s %s\n", name - 2, at + 2, at + name + 1);
    }
    autotune__append(&whole, "#line %lu\n%s", line, text + length);
    return whole.broken ? NULL : autotune__copy_string(autotune__string(&whole));
}
/* The caller holds the lock. Takes over `definitions`, unless there is no memory: then returns NULL. */
static autotune__compilation *autotune__new_compilation(autotune__program *program, const char *key, const char *name,
                                                        const char *instance, autotune__text *definitions) {
    autotune__compilation *compilation = (autotune__compilation *)autotune__put_block(
        &program->compilations, key, autotune__allocate(sizeof *compilation + strlen(name) + strlen(instance) + 2));
    if (!compilation) return NULL;
    compilation->program = program;
    compilation->name = strcpy((char *)(compilation + 1), name);
    compilation->instance = strcpy(compilation->name + strlen(name) + 1, instance);
    compilation->definitions = *definitions;
    definitions->at = NULL;
    compilation->shared_bytes = autotune__shared_bytes(program, &compilation->definitions);
    return compilation;
}
/* The caller holds the lock. Finds or makes a compilation, but does not compile it. NULL: no memory. */
static autotune__compilation *autotune__compilation_of(const autotune__target *target, autotune__program *program,
                                                       const char *name, const autotune__text *definitions) {
    autotune__text key AUTOTUNE__FREED = { NULL, false }, kept AUTOTUNE__FREED = { NULL, false },
                   instance AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation = NULL;
    const char *at;
    if (autotune__source_of(program)) {
        autotune__append_instance(&instance, program, definitions, name);
        autotune__keep_mentioned(&kept, program, definitions, name, autotune__string(&instance));
    }
    autotune__append(&key, "%s\n%s\n%s", target->architecture, name, autotune__string(&instance));
    AUTOTUNE__EACH_OPTION(at, &kept) autotune__append(&key, "\n%s", at);
    key.broken = key.broken || kept.broken || instance.broken || definitions->broken;
    if (!key.broken && !(compilation = (autotune__compilation *)autotune__value_of(program->compilations, key.at)))
        compilation = autotune__new_compilation(program, key.at, name, autotune__string(&instance), &kept);
    return compilation;
}

/* ---- src/kernels/compile.h -----------------------------------------------------------------------------------------
   Compiles one compilation, or reads its machine code from disk. */

/* Appends an option of the program, with the value of an axis in place of each $NAME. An option that is only "$NAME" is
   divided at blanks. Returns false if a NAME is no axis; the compilation is then refused. */
static bool autotune__append_with_values(autotune__compilation *compilation, const char *option) {
    autotune__text word AUTOTUNE__FREED = { NULL, false };
    const char *at = option, *dollar, *value;
    size_t length;
    bool whole = false;
    for (; (dollar = strchr(at, '$')) != NULL; at = dollar + 1 + length) {
        for (length = 0; autotune__is_word(dollar[1 + length]) && dollar[1 + length] != '$'; length++) continue;
        whole = dollar == option && !dollar[1 + length];
        value = autotune__value_of_axis(&compilation->definitions, dollar + 1, length);
        if (!value) {
            autotune__refuse(compilation, "the option %s asks for $%.*s, which is no axis", option, (int)length,
                             dollar + 1);
            return false;
        }
        autotune__append(&word, "%.*s%s", (int)(dollar - at), at, value);
    }
    autotune__append(&word, "%s", at);
    if (whole) autotune__append_divided(&compilation->options, autotune__string(&word));
    else autotune__append(&compilation->options, "%s%c", autotune__string(&word), 0);
    compilation->options.broken = compilation->options.broken || word.broken;
    return true;
}
/* Gathers the options of a compilation in their order: options of the compiler for the target, options of the program,
   definitions. Returns false if the compilation is refused, or if there is no memory. */
static bool autotune__gather_options(autotune__compilation *compilation, const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const char *at;
    autotune__free_text(&compilation->options);
    if (target->compiler->add_options) target->compiler->add_options(&compilation->options, program, target);
    AUTOTUNE__EACH_OPTION(at, &program->options) if (!autotune__append_with_values(compilation, at)) return false;
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) autotune__append(&compilation->options, "%s%c", at, 0);
    return !compilation->options.broken;
}
/* Compiles and keeps the code on disk, unless another process makes the code meanwhile. If the user edits a file
   meanwhile, the digest differs afterwards, and the code is not kept. */
static void autotune__compile_and_keep(autotune__compilation *compilation, const autotune__target *target,
                                       const autotune__digest *digest, const autotune__compile_limits *limits) {
    const bool has_turn = autotune__take_image_turn(digest, limits);
    autotune__digest after;
    if (!autotune__read_image(compilation, digest) && !autotune__is_unwanted(limits)) {
        target->compiler->compile(compilation, target, limits);
        if (compilation->progress == AUTOTUNE__CODE_MADE &&
            autotune__digest_code(&after, compilation, target) && !memcmp(digest, &after, sizeof after))
            autotune__keep_image(compilation, digest);
    }
    if (has_turn) autotune__end_image_turn(digest);
}
/* The caller does not hold the lock. Reads the code from disk, or compiles it. Policy ON: compiled code is kept on
   disk. Policy OFF: no code is read from disk. */
static void autotune__compile(autotune__compilation *compilation, const autotune__target *target,
                              autotune_cache policy, const autotune__compile_limits *limits) {
    const char *const file = compilation->program->declared->file;
    autotune__digest digest;
    bool has_digest;
    if (!autotune__source_of(compilation->program))
        autotune__refuse(compilation, "%s cannot be read: the path is relative to the working directory",
                         file ? file : "a program without text");
    else if (autotune__gather_options(compilation, target)) {
        has_digest = policy != AUTOTUNE_CACHE_OFF && autotune__digest_code(&digest, compilation, target);
        if (has_digest && autotune__read_image(compilation, &digest)) return;
        if (has_digest && policy == AUTOTUNE_CACHE_ON) autotune__compile_and_keep(compilation, target, &digest, limits);
        else target->compiler->compile(compilation, target, limits);
    }
}
/* The caller holds the lock, which is released meanwhile. Compiles in this thread, or waits for the thread that
   compiles. Ends early if the code is unwanted. If the compilation is not complete afterwards, the code is unwanted or
   there was no memory. */
static void autotune__finish_compilation(autotune__compilation *compilation, const autotune__target *target,
                                         autotune_cache policy, const autotune__compile_limits *limits) {
    while (compilation->progress < AUTOTUNE__CODE_MADE && !autotune__is_unwanted(limits)) {
        autotune__compilation done = *compilation;
        if (compilation->progress == AUTOTUNE__CODE_IN_WORK) {
            autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
            continue;
        }
        compilation->progress = AUTOTUNE__CODE_IN_WORK;
        autotune__unlock_mutex(&autotune__kernels_lock);
        autotune__compile(&done, target, policy, limits);
        autotune__lock_mutex(&autotune__kernels_lock);
        *compilation = done;
        autotune__wake_all(&autotune__kernels_changed);
        if (compilation->progress < AUTOTUNE__CODE_MADE) break;
    }
}

/* ---- src/kernels/kernels.h -----------------------------------------------------------------------------------------
   Kernels: compilations that are loaded into a target. The end of a session unloads kernels that were only tried. */

/* The caller holds the lock. NULL: the compilation is not loaded into this target. */
static autotune__kernel *autotune__loaded_kernel(const autotune__target *target,
                                                 const autotune__compilation *compilation) {
    autotune__kernel *kernel = compilation->kernels;
    while (kernel && kernel->target != target) kernel = kernel->sibling;
    return kernel;
}
/* The caller holds the lock. Returns the loaded kernel, and loads it if needed. NULL: loading failed, the trial has the
   reason, and *error is the backend's error number. */
static autotune__kernel *autotune__load_kernel(const autotune__target *target, autotune__compilation *compilation,
                                               int *error) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    if (!kernel && (kernel = target->compiler->load(target, compilation, error))) {
        kernel->listed.program = compilation->program->declared;
        kernel->listed.name = compilation->name;
        kernel->listed.kernel = kernel;
        kernel->target = target;
        kernel->compilation = compilation;
        kernel->sibling = compilation->kernels;
        compilation->kernels = kernel;
    }
    return kernel;
}
static void autotune__unload_kernel(autotune__kernel *kernel) {         /* the caller holds the lock */
    AUTOTUNE__UNLINK(kernel->compilation->kernels, kernel, sibling);
    while (kernel->listed.older_copy) {
        autotune__listed_kernel *const copy = kernel->listed.older_copy;
        kernel->listed.older_copy = copy->older_copy;
        autotune__free(copy);
    }
    kernel->target->compiler->unload(kernel);
}

/* The caller holds the lock. Notes in the list `used` of a session that the session tries the kernel. */
static void autotune__use_kernel(autotune__kernel ***used, autotune__kernel *kernel) {
    size_t i;
    for (i = 0; i < autotune__count(*used); i++) if ((*used)[i] == kernel) return;
    if (AUTOTUNE__PUSH(*used, kernel)) kernel->users++;
    else kernel->kept = true;                   /* no memory for the note: the kernel stays loaded */
}
/* Unloads kernels of a session that ends, if no other session tries them and they were not launched for real. */
static void autotune__let_kernels_go(autotune__kernel **used) {
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; i < autotune__count(used); i++)
        if (!--used[i]->users && !used[i]->kept) autotune__unload_kernel(used[i]);
    AUTOTUNE__FREE_ARRAY(used);
}

/* ---- src/kernels/workers.h -----------------------------------------------------------------------------------------
   Worker threads that compile ahead, in the order of a queue. */

/* The workers of a session compile ahead of its measurements. A thread is started only if there is work: a race whose
   kernels are all compiled starts no thread. */
typedef struct autotune__workers {
    autotune__thread *threads;                  /* in the memory after this struct */
    size_t most;                                /* the most threads; 0: no thread can be started */
    size_t count, running, next;                /* how many threads were started, and how many compile; next: the index
                                                   of the next compilation in `queue`. If `left` is true, `count` is the
                                                   number of threads that have not ended */
    autotune__compilation **queue;              /* in the order in which the race tries the kernels */
    const autotune__target *target;             /* of the session */
    autotune_cache policy;                      /* of the session */
    unsigned generation;                        /* autotune__kernels_generation when the threads were started: a child
                                                   made by fork() has no such threads */
    bool dismissed;                             /* the session ends */
    bool left;                                  /* the session ended while threads compile: the last thread that ends
                                                   frees this struct */
    autotune__compile_limits limits;            /* of compilations in these threads */
} autotune__workers;
/* A kernel that a race expects each of its configurations to launch. */
typedef struct autotune__launch_guess {
    autotune__program *program;
    char *name;                                 /* of the kernel; NULL: it is the value of an axis */
    size_t name_axis;                           /* the axis that has the name; the number of axes: none */
} autotune__launch_guess;
/* The kernels of a session. */
typedef struct autotune__kernel_session {
    const autotune__target *target;
    const autotune__target *other;              /* the target's `other`; NULL: none, or loading into it failed once */
    bool loads_nothing;                         /* a stream is captured: only loaded kernels can be launched */
    autotune_cache policy;                      /* of the cache on disk */
    int threads;                                /* .compile_threads */
    autotune__compile_limits limits;            /* of compilations that a launch needs now */
    autotune__workers *workers;                 /* NULL: no kernel was launched yet */
    autotune__launch_guess *guesses;            /* the kernels that workers compile for each configuration */
    size_t first;                               /* the first launched configuration: the guesses are made from it */
    autotune__kernel **used;                    /* the kernels that the session tried */
    autotune_status status;                     /* of the last autotune__find_kernel(), if it returned NULL */
    int error;                                  /* the backend's error number, if loading a kernel failed in this
                                                   autotune__find_kernel(); else 0 */
} autotune__kernel_session;

static AUTOTUNE__UNUSED void autotune__begin_kernel_session(autotune__kernel_session *session,
                                                            const autotune__target *target,
                                                            const autotune_options *options) {
    memset(session, 0, sizeof *session);
    session->target = target;
    session->other = target->other;
    session->policy = autotune__cache_policy(options);
    session->threads = options->compile_threads;
    session->limits.seconds = options->compile_timeout > 0 ? options->compile_timeout : 60;
}
static void autotune__free_workers(autotune__workers *workers) {
    AUTOTUNE__FREE_ARRAY(workers->queue);
    autotune__free(workers);
}
static void *autotune__compile_queued(void *argument) {
    autotune__workers *workers = (autotune__workers *)argument;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    while (!workers->dismissed && !autotune__program_ends) {
        if (workers->next < autotune__count(workers->queue)) {
            autotune__compilation *compilation = workers->queue[workers->next++];
            workers->running++;
            __atomic_fetch_add(&autotune__compiling, 1, __ATOMIC_RELAXED);
            if (compilation->progress == AUTOTUNE__CODE_WAITING)
                autotune__finish_compilation(compilation, workers->target, workers->policy, &workers->limits);
            workers->running--;
            __atomic_fetch_sub(&autotune__compiling, 1, __ATOMIC_RELAXED);
        } else autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    }
    autotune__wake_all(&autotune__kernels_changed);
    if (workers->left && !--workers->count) autotune__free_workers(workers);
    return NULL;
}
/* The caller holds the lock. Starts or wakes threads after compilations were queued. */
static void autotune__call_workers(autotune__workers *workers) {
    const size_t queued = autotune__count(workers->queue) - workers->next, useful = workers->running + queued;
    if (autotune__program_ends || workers->generation != autotune__kernels_generation) workers->most = 0;
    while (workers->count < useful && workers->count < workers->most)
        if (autotune__start_thread(&workers->threads[workers->count], autotune__compile_queued, workers))
            workers->count++;
        else workers->most = workers->count;
    if (queued) autotune__wake_all(&autotune__kernels_changed);
}
/* The caller holds the lock. Waits until no worker of this process compiles. */
static void autotune__await_workers(void) {
    while (autotune__compiling) autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
}
/* Called at the end of the program: no worker may compile while the libraries of the program are destroyed. A race that
   goes on compiles in its own thread. */
static void autotune__end_workers(void) {
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    __atomic_store_n(&autotune__program_ends, true, __ATOMIC_RELAXED);  /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    autotune__await_workers();
}
/* The caller holds the lock. Makes the workers of a session. The limit is .compile_threads; 0: one thread less than
   processors, but at least one and at most eight. NULL: no memory, and each kernel is compiled at its launch. */
static autotune__workers *autotune__hire_workers(const autotune__kernel_session *session) {
    const long others = autotune__usable_processors(autotune__processor_count()) - 1,
               usual = others < 1 ? 1 : others < 8 ? others : 8;
    const size_t most = (size_t)(session->threads ? session->threads : usual);
    autotune__workers *workers = (autotune__workers *)autotune__allocate(sizeof *workers +
                                                                         most * sizeof *workers->threads);
    static bool watched;
    if (!workers) return NULL;
    workers->threads = (autotune__thread *)(void *)(workers + 1);
    workers->most = most;
    workers->target = session->target;
    workers->policy = session->policy;
    workers->limits = session->limits;
    workers->limits.unwanted = &workers->dismissed;
    workers->generation = autotune__kernels_generation;
    if (!watched) watched = atexit(autotune__end_workers) == 0;
    return workers;
}
/* Dismisses the workers. A running compilation is given up, and ends in its thread. The function waits for this end,
   unless the compiler outlives the session. A queued compilation is not begun. */
static void autotune__dismiss_workers(autotune__workers *workers) {
    size_t i;
    if (!workers) return;
    autotune__lock_mutex(&autotune__kernels_lock);
    if (workers->generation != autotune__kernels_generation) workers->count = workers->running = 0;
    __atomic_store_n(&workers->dismissed, true, __ATOMIC_RELAXED);      /* compilers read it without the lock */
    autotune__wake_all(&autotune__kernels_changed);
    while (workers->running && !workers->target->compiler->outlives_session)
        autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
    workers->left = workers->running > 0;
    for (i = 0; workers->left && i < workers->count; i++) autotune__detach_thread(workers->threads[i]);
    if (workers->left) workers = NULL;
    autotune__unlock_mutex(&autotune__kernels_lock);
    for (i = 0; workers && i < workers->count; i++) autotune__join_thread(workers->threads[i]);
    if (workers) autotune__free_workers(workers);
}

/* ---- src/kernels/ahead.h -------------------------------------------------------------------------------------------
   Compiling ahead: queues the kernels that the race will probably try next for the workers of a session. This room also
   ends the part of a session that has kernels.

   The kernels of later configurations are not known before their launch. The guess is that they launch the kernel of
   the first configuration. If the name of this kernel is the value of an axis, the value at each configuration is used.
   After a wrong guess a worker compiles a kernel in vain, and the right kernel is compiled at its launch. */

/* Called for a kernel that a configuration launches in a trial or in a measured call. Returns the guess that the next
   configurations launch the same kernel. NULL: no guess. */
static const autotune__launch_guess *autotune__guess_launch(autotune__kernel_session *session,
                                                            autotune__tuning *tuning, autotune__program *program,
                                                            const char *name) {
    const size_t count = autotune__count(session->guesses), index = autotune__point_of(tuning);
    const autotune__space *space = autotune__space_of(tuning);
    autotune__launch_guess guess;
    size_t i, axis = 0;
    if (!count) session->first = index;
    while (axis < space->axis_count && space->value[axis] != (uint64_t)(uintptr_t)name) axis++;
    if (axis < space->axis_count) name = NULL;
    guess.program = program;
    guess.name_axis = axis;
    for (i = 0; i < count; i++) {
        const autotune__launch_guess *known = &session->guesses[i];
        if (known->program == program && known->name_axis == axis &&
            (!name || !strcmp(name, known->name))) return known;
    }
    if (session->first != index) return NULL;
    guess.name = name ? autotune__copy_string(name) : NULL;
    if ((!name || guess.name) && AUTOTUNE__PUSH(session->guesses, guess)) return &session->guesses[count];
    autotune__free(guess.name);
    return NULL;
}
/* The caller holds the lock. Locates the point `index`, and returns the compilation that this point will probably
   launch. NULL: there is no memory. */
static autotune__compilation *autotune__guessed_compilation(autotune__kernel_session *session, autotune__space *space,
                                                            size_t index, const autotune__launch_guess *guess) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__locate(space, index);
    autotune__define_point(&definitions, space);
    return autotune__compilation_of(session->target, guess->program,
                                    guess->name ? guess->name
                                                : autotune__string_of_value(space->value[guess->name_axis]),
                                    &definitions);
}
/* The caller holds the lock. Queues a compilation unless it is made, in work, or queued. */
static void autotune__queue_compilation(autotune__workers *workers, autotune__compilation *compilation) {
    size_t i = workers->next;
    while (i < autotune__count(workers->queue) && workers->queue[i] != compilation) i++;
    if (compilation && compilation->progress == AUTOTUNE__CODE_WAITING && i == autotune__count(workers->queue))
        (void)AUTOTUNE__PUSH(workers->queue, compilation);
}
/* The caller holds the lock. Queues compilations for the next configurations of the race, two for each worker. */
static void autotune__compile_ahead(autotune__kernel_session *session, autotune__tuning *tuning,
                                    autotune__program *program, const char *name) {
    autotune__space *space = autotune__space_of(tuning);
    const autotune__launch_guess *guess;
    size_t k, index, ahead;
    if (!session->workers && !(session->workers = autotune__hire_workers(session))) return;
    guess = autotune__guess_launch(session, tuning, program, name);
    ahead = guess ? 2 * session->workers->most : 0;
    for (k = 0; k < ahead && (index = autotune__coming_point(tuning, k)) != SIZE_MAX; k++)
        autotune__queue_compilation(session->workers, autotune__guessed_compilation(session, space, index, guess));
    autotune__locate(space, autotune__point_of(tuning));
    autotune__call_workers(session->workers);
}
/* Returns true if all kernels that the configuration at `index` will probably launch are compiled or refused. Queues
   the other kernels. Without workers the function always returns true. tuning: NULL if the session works for no
   statement. */
static bool autotune__is_compiled(autotune__kernel_session *session, autotune__tuning *tuning, size_t index) {
    bool compiled = true;
    size_t i;
    if (!session->workers || !tuning) return true;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    for (i = 0; session->workers->most && i < autotune__count(session->guesses) && compiled; i++) {
        autotune__compilation *compilation =
            autotune__guessed_compilation(session, autotune__space_of(tuning), index, &session->guesses[i]);
        autotune__queue_compilation(session->workers, compilation);
        compiled = !compilation || compilation->progress >= AUTOTUNE__CODE_MADE;
    }
    if (!compiled) autotune__call_workers(session->workers);
    return compiled;
}
/* Returns the class of an error. Without a compiler or a device the race ends, since no other configuration would
   work. */
static AUTOTUNE__UNUSED autotune_error_class autotune__classify_by_status(autotune_backend *self,
                                                                            autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE
         : status == AUTOTUNE_ERR_ENVIRONMENT ? AUTOTUNE_ERROR_ENVIRONMENT
         : AUTOTUNE_ERROR_CONFIGURATION;
}
static void autotune__end_kernel_session(autotune__kernel_session *session) {
    size_t i;
    autotune__dismiss_workers(session->workers);
    autotune__let_kernels_go(session->used);
    for (i = 0; i < autotune__count(session->guesses); i++) autotune__free(session->guesses[i].name);
    AUTOTUNE__FREE_ARRAY(session->guesses);
}

/* ---- src/kernels/find.h --------------------------------------------------------------------------------------------
   Finds the kernels of a launch. Each configuration has a list of its kernels, and the word after its values points to
   the list. A hit and a trial look there first. If the list lacks a kernel, this room finds or compiles and loads it,
   and puts it into the list. */

/* The program and the kernel that a launch names. */
typedef struct autotune__kernel_call {
    autotune_program_source *declared;
    const char *name;
    const void *key;                            /* an address that identifies the call site's function; NULL: none */
    const char *function;                       /* with a key: the name of a function of the kernel */
} autotune__kernel_call;

AUTOTUNE__INLINE const autotune__listed_kernel *autotune__kernels_behind(const uint64_t *values) {
    const autotune__shared_word *prepared = (const autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    return (const autotune__listed_kernel *)(uintptr_t)__atomic_load_n(prepared, __ATOMIC_ACQUIRE);
}
/* NULL: the list does not have the kernel. */
AUTOTUNE__INLINE autotune__kernel *autotune__listed_kernel_of(const uint64_t *values, const void *program,
                                                           const char *name) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && (at->program != program || strcmp(at->name, name))) at = at->next;
    return at ? at->kernel : NULL;
}
static AUTOTUNE__UNUSED const autotune__listed_kernel *autotune__listed_by_key(const uint64_t *values,
                                                                               const void *key) {
    const autotune__listed_kernel *at = autotune__kernels_behind(values);
    while (at && at->function.key != key) at = at->next;
    return at;
}
/* The caller holds the lock. Puts a kernel into a list. If the list is empty and the kernel has no key, the list gets
   the kernel's own entry. Else the list gets a copy of this entry. Lists with the same key and the same next entry
   share a copy. If there is no memory for the copy, each launch searches for the kernel again. */
static void autotune__list_kernel(uint64_t *values, autotune__kernel *kernel,
                                  const autotune__listed_function *function) {
    autotune__shared_word *prepared = (autotune__shared_word *)&values[AUTOTUNE_MAX_AXES];
    autotune__listed_kernel *head = (autotune__listed_kernel *)(uintptr_t)*prepared, *at = &kernel->listed;
    if (head || function->key) {
        at = kernel->listed.older_copy;
        while (at && (at->function.key != function->key || at->next != head)) at = at->older_copy;
        if (!at && (at = (autotune__listed_kernel *)autotune__allocate(sizeof *at)) != NULL) {
            *at = kernel->listed;
            at->function = *function;
            at->next = head;
            kernel->listed.older_copy = at;
        }
    }
    if (at) __atomic_store_n(prepared, (uint64_t)(uintptr_t)at, __ATOMIC_RELEASE);
}
/* The caller holds the lock. Lists the kernel, so that the next launch of the configuration finds it. Notes that the
   session tries the kernel, or that the kernel is launched for real. */
static void autotune__put_in_list(autotune__kernel_session *session, autotune__tuning *tuning, const uint64_t *values,
                                  autotune__kernel *kernel, const autotune__kernel_call *call) {
    const autotune__listed_function function = {
        call->key, call->key ? kernel->target->compiler->function_of(kernel, call->function) : NULL };
    uint64_t *list = tuning ? autotune__lasting_values(tuning) : autotune__entry_of(values)->value;
    if (autotune__is_trying(tuning)) autotune__use_kernel(&session->used, kernel);
    else kernel->kept = true;
    if (list && !call->key == !function.address &&
        !(call->key ? autotune__listed_by_key(list, call->key) != NULL
                    : autotune__listed_kernel_of(list, kernel->listed.program, kernel->listed.name) != NULL))
        autotune__list_kernel(list, kernel, &function);
}
/* The caller holds the lock. Returns false if the cached winner was found with another source or compiler. Such a
   winner is not launched. */
static bool autotune__is_known_source(autotune__tuning *tuning, const autotune__compilation *compilation) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    return !scan ||
           autotune__is_known_kernel(tuning, compilation->name, scan->code, scan->digest.word[0] ^ scan->digest.word[1],
                                     program->compiler->version ? program->compiler->version : compilation->version);
}
/* The caller holds the lock, which is released meanwhile. Compiles the kernel of a launch. The lock is also released
   around the changes of the launch note, since these changes may call a log function, which may launch kernels. */
static void autotune__compile_for_launch(autotune__kernel_session *session, autotune__tuning *tuning,
                                         autotune__compilation *compilation) {
    bool put_off;
    if (compilation->progress >= AUTOTUNE__CODE_MADE) return;
    autotune__unlock_mutex(&autotune__kernels_lock);
    put_off = autotune__puts_off_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__finish_compilation(compilation, session->target, session->policy, &session->limits);
    autotune__unlock_mutex(&autotune__kernels_lock);
    if (put_off) autotune__goes_on_to_launch(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
}
/* The caller holds the lock. Returns the loaded kernel, or NULL after a failure. session->status has the failure. The
   status is unchanged if there was no memory. */
static autotune__kernel *autotune__make_kernel(autotune__kernel_session *session, const autotune__target *target,
                                               autotune__tuning *tuning, autotune__compilation *compilation) {
    autotune__kernel *kernel = autotune__loaded_kernel(target, compilation);
    const uint64_t began = autotune__wait_clock();
    if (kernel) return kernel;
    if (session->loads_nothing) { session->status = AUTOTUNE_ERR_ENVIRONMENT; return NULL; }
    autotune__compile_for_launch(session, tuning, compilation);
    if (autotune__is_trying(tuning)) autotune__be_patient(tuning, autotune__wait_clock() - began);
    autotune__can_share(tuning, autotune__wait_clock() - began, session->workers ? session->workers->most : 0);
    if (compilation->progress == AUTOTUNE__CODE_WAITING) return NULL;
    session->status = compilation->no_compiler ? AUTOTUNE_ERR_ENVIRONMENT : AUTOTUNE_FAILED;
    if (compilation->progress == AUTOTUNE__CODE_MADE)
        return autotune__load_kernel(target, compilation, &session->error);
    autotune_explain("%s", compilation->reason);
    return NULL;
}
/* Like autotune__make_kernel(), but a duel's control launches the kernel of the other target. If this kernel cannot be
   made, the session does not ask for the other target again. */
static autotune__kernel *autotune__make_kernel_or_copy(autotune__kernel_session *session, autotune__tuning *tuning,
                                                       autotune__compilation *compilation) {
    autotune__kernel *kernel = NULL;
    if (session->other && autotune__tries_control(tuning)) {
        kernel = autotune__make_kernel(session, session->other, tuning, compilation);
        if (kernel) autotune__launches_copy(tuning);
        else session->other = NULL;
    }
    return kernel ? kernel : autotune__make_kernel(session, session->target, tuning, compilation);
}
/* Finds the kernel of a launch if the list of the configuration lacks it. tuning: NULL on a hit. Returns NULL after a
   failure: session->status and session->error have the error. The trial has the reason, unless there was no memory or
   session->loads_nothing is true. */
static autotune__kernel *autotune__find_kernel(autotune__kernel_session *session, autotune__tuning *tuning,
                                               const uint64_t *values, const autotune__kernel_call *call) {
    autotune__text definitions AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation;
    autotune__kernel *kernel = NULL;
    autotune__program *program;
    session->status = AUTOTUNE_ERR_MEMORY;
    session->error = 0;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    if (!(program = autotune__program_from(call->declared, session->target->compiler))) return NULL;
    if (tuning) autotune__define_point(&definitions, autotune__space_of(tuning));
    else autotune__define_config(&definitions, &autotune__entry_of(values)->result.config);
    if (autotune__is_trying(tuning) || autotune__is_measuring(tuning)) {
        autotune__be_patient(tuning, 2000000000u);          /* NVRTC takes 0.2 to 3 s for a matrix product */
        autotune__compile_ahead(session, tuning, program, call->name);
    }
    compilation = autotune__compilation_of(session->target, program, call->name, &definitions);
    if (compilation) kernel = autotune__make_kernel_or_copy(session, tuning, compilation);
    if (kernel && tuning && !autotune__is_known_source(tuning, compilation)) {      /* the compiler is known now */
        session->status = AUTOTUNE_FAILED;
        kernel = NULL;
    }
    if (kernel) autotune__put_in_list(session, tuning, values, kernel, call);
    return kernel;
}

/* ---- src/kernels/free_kernels.h ------------------------------------------------------------------------------------
   autotune_shutdown() frees compilations and kernels. A child made by fork() gives up the kernels of its parent. */

static void autotune__free_compilation(autotune__compilation *compilation) {
    while (compilation->kernels) autotune__unload_kernel(compilation->kernels);
    autotune__free(compilation->image);
    autotune__free(compilation->reason);
    autotune__free_text(&compilation->definitions);
    autotune__free_text(&compilation->options);
    autotune__free(compilation);
}
/* Frees the compilations, kernels and texts of all programs. The programs stay: the user's structs point to them. */
static void autotune__free_kernels(void) {
    autotune__program *program;
    size_t i;
    AUTOTUNE__WITH_LOCK(&autotune__kernels_lock);
    autotune__await_workers();
    for (program = autotune__programs; program; program = program->next) {
        for (i = 0; i < AUTOTUNE__MAP_COUNT(program->compilations); i++)
            autotune__free_compilation((autotune__compilation *)program->compilations[i].value);
        autotune__free_map(&program->compilations);
        if (program->scan) autotune__free_scan(program->scan);
        autotune__free(program->scan);
        autotune__free_map(&program->mentions);
        autotune__free(program->file_text);
        program->compiler->kept_bytes = 0;
        autotune__empty_program(program);
    }
}
/* At the fork another thread may have held the lock in the middle of a change. So the child uses no old data. */
static void autotune__forget_parents_kernels(void) {
    autotune__program *program;
    autotune__make_mutex(&autotune__kernels_lock);
    autotune__make_condition(&autotune__kernels_changed);
    autotune__kernels_generation++;
    autotune__compiling = 0;
    for (program = autotune__programs; program; program = program->next) autotune__empty_program(program);
}
AUTOTUNE__ENTER_FLOOR(autotune__enter_kernels, autotune__forget_parents_kernels, autotune__free_kernels)
#endif
#ifndef AUTOTUNE__ACCELERATORS_IMPLEMENTED
#define AUTOTUNE__ACCELERATORS_IMPLEMENTED

/* ---- src/accelerator/accelerator.h ---------------------------------------------------------------------------------
   Accelerators: contexts of devices beside the processor. The struct of a context is never freed, since hits compare
   its address, and read the struct without a lock. */

struct autotune__accelerator;
struct autotune__accelerator_session;
/* The functions and texts by which this floor uses a driver. Each backend has one such struct, which lives as long as
   the process. */
typedef struct autotune__driver_interface {
    autotune_status (*status_of)(int error);    /* returns the status for an error.
                                                   FAILED: this configuration does not work.
                                                   ERR_ENVIRONMENT: the driver does not work in this process, or not
                                                   now.
                                                   ERR_DEVICE: the device is lost. */
    const char *(*error_name)(int error);
    const char *lost;                           /* the message about a lost device */
    const char *named;                          /* how a statement names the backend: "CUDA(stream)" */
    size_t bytes, session_bytes;                /* sizes of the backend's structs for an accelerator and a session */
    /* The backend of statements without a context, for instance if the driver does not work: */
    struct autotune__accelerator *without_context;
    autotune__compiler *compiler;               /* compiles kernels */
    const autotune_backend *backend;            /* the functions of the backend; its `device` describes accelerators
                                                   without a context, such as `without_context` */
    /* Names the device, and sets the members that differ between drivers. Returns false if the context is not valid. */
    bool (*describe)(struct autotune__accelerator *accelerator);
    /* Explains why there is no context. */
    void (*explain_absence)(void);
    /* Returns AUTOTUNE_OK if a call of mode ONLINE, or on probation, may be measured in this session. See enter() of
       the backend. */
    autotune_status (*enter)(struct autotune__accelerator_session *session);
    /* The clock (clock.h) calls these two functions directly before and after the launches of batch `session->number`.
       end_batch may be NULL. */
    autotune_status (*begin_batch)(struct autotune__accelerator_session *session);
    autotune_status (*end_batch)(struct autotune__accelerator_session *session);
    /* Waits until the device has ended all batches of the session that begin_batch() and end_batch() have queued, but
       no longer than autotune__wait_for_kernel() waits. */
    autotune_status (*await)(struct autotune__accelerator_session *session);
    /* Returns true if the device has ended this batch. Does not wait. *error: the error of the batch; 0: no error. */
    bool (*has_done)(struct autotune__accelerator_session *session, size_t number, int *error);
    /* Measures the time of a batch that the device has ended. */
    autotune_status (*measure)(struct autotune__accelerator_session *session, size_t number, double *ns);
    /* Called at the end of the session: frees the members that only the backend knows. */
    void (*end)(struct autotune__accelerator_session *session);
    /* Keeps a lost context, so that no other context gets its address. NULL if contexts have numbers, as in CUDA. */
    void (*keep)(const struct autotune__accelerator *accelerator);
    /* Returns true if the device has reached the event. *error: the error of the work before the event; 0: no error. */
    bool (*has_ended)(void *event, int *error);
    /* Returns the status for an error. of_kernel: a kernel ended with the error. */
    autotune_status (*judge)(struct autotune__accelerator_session *session, int error, bool of_kernel);
    /* For work_on() of the backend. Prepares the kernel that works on elements, once in a session. Returns true if the
       kernel can work on these elements. */
    bool (*can_work_on)(struct autotune__accelerator_session *session, const autotune_elements *elements);
    /* Starts the kernel that works on elements. The kernel writes its answer to session->answer. */
    autotune_status (*start_work)(struct autotune__accelerator_session *session, const autotune_elements *elements);
} autotune__driver_interface;

typedef struct autotune__accelerator {
    autotune_backend backend;                   /* the backend that a statement names */
    const autotune__driver_interface *driver;
    void *handle;                               /* the context; NULL: the driver does not work */
    uint64_t id;                                /* CUDA: the number of the context, which differs between contexts with
                                                   the same address. OpenCL: the device, since one context may have
                                                   several devices */
    autotune__target target;                    /* the target for kernels */
    char words[400];                            /* the device and the driver, in words */
    bool is_cpu;                                /* the device is the processor of this program */
    bool said;                                  /* the backend has logged why it cannot measure on this device; see
                                                   opencl/session.h */
    size_t flushed_bytes;                       /* how many bytes are written to empty the caches */
    const char *lost;                           /* why the context must not be used any more; NULL: it works */
    void *hung;                                 /* the event after the launch that hangs; NULL: no launch hangs */
    const char *was_lost;                       /* the former `lost` of a device that works again; kept, since other
                                                   threads may still read this text */
    struct autotune__accelerator *next;
} autotune__accelerator;

AUTOTUNE__DEFINE_AROUND(autotune__accelerator_at, autotune__accelerator, target, const autotune__target)
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_named, autotune__accelerator, backend, autotune_backend)

static autotune__mutex autotune__accelerators_lock = AUTOTUNE__MUTEX;           /* held to make accelerators */
static autotune__accelerator *autotune__accelerators;

static autotune__accelerator *autotune__find_accelerator(const autotune__driver_interface *driver, const void *handle,
                                                         uint64_t id) {                    /* NULL: not found */
    autotune__accelerator *at = __atomic_load_n(&autotune__accelerators, __ATOMIC_ACQUIRE);
    while (at && (at->driver != driver || at->handle != handle || at->id != id)) at = at->next;
    return at;
}
/* Describes the device in a new accelerator, whose driver, handle and id are set. Returns false if the context is not
   valid. */
static bool autotune__complete_accelerator(autotune__accelerator *accelerator) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__put_text(accelerator->words, sizeof accelerator->words, "%s", driver->backend->device);
    accelerator->target.compiler = driver->compiler;
    accelerator->target.architecture = accelerator->words;
    accelerator->backend = *driver->backend;
    accelerator->backend.device = accelerator->words;
    accelerator->backend.family = driver;
    if (accelerator->handle && !driver->describe(accelerator)) return false;
    accelerator->backend.cache_state = accelerator->is_cpu ? AUTOTUNE_HOT : AUTOTUNE_COLD;
    return true;
}
/* Finds or makes an accelerator. NULL: there is no memory, or the context is not valid. */
static autotune__accelerator *autotune__accelerator_of(const autotune__driver_interface *driver, void *handle,
                                                       uint64_t id) {
    autotune__accelerator *accelerator = autotune__find_accelerator(driver, handle, id);
    if (accelerator) return accelerator;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    accelerator = autotune__find_accelerator(driver, handle, id);               /* another thread may have made it */
    if (accelerator || !(accelerator = (autotune__accelerator *)autotune__allocate(driver->bytes))) return accelerator;
    accelerator->driver = driver;
    accelerator->handle = handle;
    accelerator->id = id;
    accelerator->next = autotune__accelerators;
    if (!autotune__complete_accelerator(accelerator)) {
        autotune__free(accelerator);
        return NULL;
    }
    __atomic_store_n(&autotune__accelerators, accelerator, __ATOMIC_RELEASE);
    return accelerator;
}
/* Returns the backend of a context. handle: the context; NULL: no context. Returns the backend without context if there
   is no context, if the context is not valid, or if there is no memory. */
static autotune_backend *autotune__backend_at(const autotune__driver_interface *driver, void *handle, uint64_t id) {
    autotune__accelerator *accelerator = handle ? autotune__accelerator_of(driver, handle, id) : NULL;
    if (accelerator) return &accelerator->backend;
    AUTOTUNE__WITH_LOCK(&autotune__accelerators_lock);
    if (!driver->without_context->backend.device) {
        driver->without_context->driver = driver;
        (void)autotune__complete_accelerator(driver->without_context);
    }
    return &driver->without_context->backend;
}

/* autotune_shutdown() keeps the accelerators, since threads keep pointers to them. */
static void autotune__begin_accelerators_of_child(void) { autotune__make_mutex(&autotune__accelerators_lock); }
AUTOTUNE__ENTER_FLOOR(autotune__enter_accelerators, autotune__begin_accelerators_of_child, NULL)

/* ---- src/accelerator/lost_device.h ---------------------------------------------------------------------------------
   A lost device: an error made its context unusable, or a launch in the context does not end. The driver's judge() says
   which errors mean a loss. Each later statement of the context ends with AUTOTUNE_ERR_DEVICE and the reason. If the
   launch ends after all, a later statement notices this, and the device works again. A launch that hangs may still use
   events, memory and kernels. So code that frees events, memory or kernels calls autotune__lost_accelerator() first,
   and frees nothing of a lost context. Other contexts of the device may work. */

/* Returns why the context must not be used; NULL: the context works. */
static const char *autotune__lost_accelerator(const autotune__accelerator *accelerator) {
    return __atomic_load_n(&accelerator->lost, __ATOMIC_ACQUIRE);
}
/* Returns AUTOTUNE_OK if the device works. Else explains the loss, and returns AUTOTUNE_ERR_DEVICE. */
static autotune_status autotune__check_lost(const autotune__accelerator *accelerator) {
    const char *why = autotune__lost_accelerator(accelerator);
    if (!why) return AUTOTUNE_OK;
    autotune_explain("%s", why);
    return AUTOTUNE_ERR_DEVICE;
}
/* Declares the device lost, unless it is lost already. tuning: the statement that used the device; NULL: no statement
   used the device. The reason names the configuration in trial, if there is a trial. */
static void autotune__declare_lost(autotune__accelerator *accelerator, const autotune__tuning *tuning,
                                   const char *why) {
    const autotune__driver_interface *driver = accelerator->driver;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    const char *lost;
    if (autotune__lost_accelerator(accelerator)) return;
    autotune__append(&text, "%s", driver->lost);
    if (autotune__is_trying(tuning)) {
        autotune__append(&text, ", since ");
        autotune__append_trial(&text, tuning);
    }
    autotune__append(&text, " (%s)", why);
    lost = text.broken ? NULL : autotune__copy_string(autotune__string(&text));
    if (driver->keep) driver->keep(accelerator);
    __atomic_store_n(&accelerator->lost, lost ? lost : driver->lost, __ATOMIC_RELEASE);
}

/* ---- src/accelerator/session.h -------------------------------------------------------------------------------------
   A session of an accelerator belongs to one statement that is no hit. A hit opens a session only if a kernel of it is
   not listed yet. This room gives errors their status, and waits for the device. It also has the functions of a backend
   that are the same for all drivers. */

typedef struct autotune__accelerator_session {
    autotune_backend backend;                   /* the result of open() */
    autotune__accelerator *accelerator;
    void *place;                                /* the result of place(): the stream or queue of later launches. The
                                                   address of the accelerator: there is no place */
    double timeout_ns;                          /* .launch_timeout: a launch that takes longer fails; see
                                                   autotune__wait_for_kernel() */
    autotune__kernel_session kernels;           /* the kernels of this session */
    void *flushed;                              /* memory that is written to empty the caches; NULL: not used yet */
    void *answer;                               /* 8 bytes on the device, where the kernel of start_work() writes its
                                                   answer; NULL: not used yet */
    size_t number;                              /* the number of the current batch. In a trial: how many batches have
                                                   ended since the last stop(). In mode ONLINE and on probation:
                                                   the number that clock_call() got */
    bool running;                               /* the batch began, and has not ended */
    bool launched;                              /* the library launched something since the batch began, or CUDA refused
                                                   a launch of a trial */
    bool asked_later;                           /* a later call asks for the time of a call: in mode ONLINE, or on
                                                   probation. The session may outlive its context, and end in another
                                                   thread */
} autotune__accelerator_session;
AUTOTUNE__DEFINE_AROUND(autotune__accelerator_session_of, autotune__accelerator_session, backend, autotune_backend)
static const char *autotune__lost(const autotune__accelerator_session *session) {                /* NULL: it works */
    return autotune__lost_accelerator(session->accelerator);
}
/* Returns AUTOTUNE_OK if the device can be used. Else explains why not. If a launch that counted as hung has ended
   meanwhile, the device works again. */
static autotune_status autotune__check_accelerator(const autotune__accelerator_session *session) {
    autotune__accelerator *accelerator = session->accelerator;
    void *const hung = __atomic_load_n(&accelerator->hung, __ATOMIC_ACQUIRE);
    int error = 0;
    if (hung && accelerator->driver->has_ended(hung, &error) && !error &&
        __atomic_exchange_n(&accelerator->hung, (void *)NULL, __ATOMIC_ACQ_REL))
        accelerator->was_lost = __atomic_exchange_n(&accelerator->lost, (const char *)NULL, __ATOMIC_ACQ_REL);
    if (accelerator->handle && session->place != accelerator) return autotune__check_lost(accelerator);
    session->accelerator->driver->explain_absence();
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Explains an error, and returns its status. before: the beginning of the sentence. The name of the error follows. */
static autotune_status autotune__tell_outcome(autotune__accelerator_session *session, const char *before, int error,
                                              bool of_kernel) {
    const autotune__driver_interface *driver = session->accelerator->driver;
    const autotune_status status = driver->judge(session, error, of_kernel);
    char why[160];
    autotune__put_text(why, sizeof why, "%s%s (%d)", before, driver->error_name(error), error);
    autotune_explain("%s", why);
    if (status == AUTOTUNE_ERR_DEVICE)
        autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return status;
}
/* Returns the status for the result of a driver function, and explains an error. before: "function: ", or "" if the
   program called the function. */
static autotune_status autotune__driver_outcome(autotune__accelerator_session *session, const char *before, int error) {
    return AUTOTUNE__LIKELY(!error) ? AUTOTUNE_OK : autotune__tell_outcome(session, before, error, false);
}
/* Returns the status of a kernel that has ended, and explains an error. */
static autotune_status autotune__kernel_outcome(autotune__accelerator_session *session, int error) {
    return error ? autotune__tell_outcome(session, "the kernel ended with ", error, true) : AUTOTUNE_OK;
}
/* Calls a driver function unless the device is lost. The value of the macro is an autotune_status. */
#define AUTOTUNE__DRIVER_CALL(session, function, call)                              \
    (autotune__check_lost((session)->common.accelerator) == AUTOTUNE_OK             \
         ? autotune__driver_outcome(&(session)->common, function ": ", (int)(call)) \
         : AUTOTUNE_ERR_DEVICE)

/* Waits until the device has reached the event, but at most most_ns nanoseconds. In the first millisecond the thread
   asks the driver without a pause, and then every 50 us. If the device is this processor, the thread asks every 20 us
   from the beginning, since the device needs the processor. Returns false if the device has not reached the event yet.
   *error: as in has_ended() of the driver. */
static bool autotune__await_event(const autotune__accelerator_session *session, void *event, double most_ns,
                                  int *error) {
    const bool is_cpu = session->accelerator->is_cpu;
    const uint64_t begun = autotune__wait_clock();
    for (;;) {
        const bool ended = session->accelerator->driver->has_ended(event, error);
        const double waited = (double)(autotune__wait_clock() - begun);
        if (ended || waited > most_ns) return ended;
        autotune__be_patient(autotune__innermost(), 0);     /* the device works, and its time is limited */
        if (is_cpu || waited > 1e6) autotune__sleep_ns(is_cpu ? 20000 : 50000);
    }
}
/* Waits for the kernels before an event. Nothing can end a kernel that hangs, so the wait has two limits. Kernels that
   take longer than the session's timeout have failed. The function then waits for nine more timeouts, but at most 9 s
   more. If the kernels have not ended by then, they count as hung, and the device is lost. */
static autotune_status autotune__wait_for_kernel(autotune__accelerator_session *session, void *event) {
    const double besides_ns = session->timeout_ns < 1e9 ? 9 * session->timeout_ns : 9e9;
    char why[128];
    int error = 0;
    if (autotune__await_event(session, event, session->timeout_ns, &error))
        return autotune__kernel_outcome(session, error);
    if (autotune__await_event(session, event, besides_ns, &error)) {
        if (error) return autotune__kernel_outcome(session, error);
        autotune_explain("the launch took longer than %g s, .launch_timeout", session->timeout_ns / 1e9);
        return AUTOTUNE_FAILED;
    }
    autotune__put_text(why, sizeof why, "the launch did not end within %g s, .launch_timeout: it counts as hung",
                       session->timeout_ns / 1e9);
    autotune_explain("%s", why);
    __atomic_store_n(&session->accelerator->hung, event, __ATOMIC_RELEASE);
    autotune__declare_lost(session->accelerator, autotune__tuning_with(&session->backend), why);
    return AUTOTUNE_ERR_DEVICE;
}

/* Empties the caches: writes memory of twice their size. */
static autotune_status autotune__flush_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const size_t bytes = session->accelerator->flushed_bytes;
    if (!bytes) return AUTOTUNE_OK;
    if (!session->flushed) session->flushed = self->allocate(self, bytes);
    if (!session->flushed) return autotune__lost(session) ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_MEMORY;
    return self->fill(self, session->flushed, 0, bytes);
}
/* The clock for the budget of a race. A function other than autotune__cpu_now() is needed, since autotune__cpu_now()
   marks the backend of the CPU. */
static uint64_t autotune__accelerator_now(autotune_backend *self AUTOTUNE__UNUSED) { return autotune__wait_clock(); }
/* Lets the device fill or compare elements. Returns AUTOTUNE_REJECTED if the CPU has to do this work. */
static autotune_status autotune__work_on_elements(autotune_backend *self, const autotune_elements *elements,
                                                  uint64_t *answer) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status;
    if (autotune__lost(session) || !driver->can_work_on(session, elements)) return AUTOTUNE_REJECTED;
    if (!session->answer && !(session->answer = self->allocate(self, sizeof *answer))) return AUTOTUNE_REJECTED;
    status = self->fill(self, session->answer, 0, sizeof *answer);
    if (status == AUTOTUNE_OK) status = driver->start_work(session, elements);
    if (status == AUTOTUNE_OK && answer) status = self->read(self, answer, session->answer, 0, sizeof *answer);
    return status == AUTOTUNE_OK || status == AUTOTUNE_ERR_DEVICE ? status : AUTOTUNE_REJECTED;
}
static bool autotune__is_point_compiled(autotune_backend *self, size_t index) {
    return autotune__is_compiled(&autotune__accelerator_session_of(self)->kernels, autotune__tuning_with(self), index);
}
static autotune_backend *autotune__open_accelerator(autotune_backend *self, void *place,
                                                    const autotune_options *options) {
    autotune__accelerator *accelerator = autotune__accelerator_named(self);
    autotune__accelerator_session *session =
        (autotune__accelerator_session *)autotune__allocate(accelerator->driver->session_bytes);
    if (!session) return NULL;
    session->backend = accelerator->backend;
    session->accelerator = accelerator;
    session->timeout_ns = 1e9 * (options->launch_timeout > 0 ? options->launch_timeout : 10);
    autotune__begin_kernel_session(&session->kernels, &accelerator->target, options);
    /* A compiler that hangs must not take much more time than the budget of the race, which .max_seconds limits. */
    if (!(options->compile_timeout > 0) && options->max_seconds > 0 && options->max_seconds < 60)
        session->kernels.limits.seconds = options->max_seconds < 10 ? 10 : options->max_seconds;
    session->place = place;
    return &session->backend;
}
static void autotune__close_accelerator(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune__end_kernel_session(&session->kernels);
    if (session->flushed) self->release(self, session->flushed);
    if (session->answer) self->release(self, session->answer);
    session->accelerator->driver->end(session);
    autotune__free(session);
}

/* ---- src/accelerator/clock.h ---------------------------------------------------------------------------------------
   A session's clock: the time of batches of launches, by the events of the driver. In a trial start() begins a batch,
   and mark() or stop() ends it. Only stop() waits for the device, and for all batches at once. So the device does not
   idle between batches. In mode ONLINE and on probation each call is a batch: clock_call() begins and ends the batch,
   and ask() reads its time later. Steps that only one driver needs, such as emptying its queue before a trial, are in
   the start(), stop() or clock_call() of its backend. */

static autotune_status autotune__begin_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = session->accelerator->driver->begin_batch(session);
    session->running = status == AUTOTUNE_OK;
    return status;
}
static autotune_status autotune__end_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    session->running = false;
    return driver->end_batch ? driver->end_batch(session) : AUTOTUNE_OK;
}
static autotune_status autotune__mark_batch(autotune_backend *self) {
    const autotune_status status = autotune__end_batch(self);
    if (status == AUTOTUNE_OK) autotune__accelerator_session_of(self)->number++;
    return status;
}
/* Sums the times of launches that were clocked one by one. If the shortest time is less than any launch takes, the call
   launches nothing on this stream. All times then show only how long the CPU took between two events. So the shortest
   time replaces all times. Then their mean is below least_launch_ns, and the statement fails the configuration. This
   test is left out if the clock's steps are too coarse. */
static double autotune__sum_of_batches(const autotune_backend *self, double *times, size_t count) {
    const autotune__tuning *tuning = autotune__tuning_with(self);          /* NULL: no statement uses the clock */
    const autotune__clock clock = autotune__clock_in(tuning);
    const double least_ns = tuning ? self->least_launch_ns : 0;
    autotune__sort(times, count);
    if (count && clock.tick_ns < least_ns / 4 && times[0] - clock.cost_ns < least_ns) return times[0] * (double)count;
    return autotune__sum_of_launches(times, count, clock.tick_ns);
}
static autotune_status autotune__stop_batches(autotune_backend *self, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = session->running ? autotune__mark_batch(self) : AUTOTUNE_OK;
    double times[AUTOTUNE_MOST_QUEUED];
    size_t i;
    if (status == AUTOTUNE_OK) status = autotune__check_accelerator(session);
    if (status == AUTOTUNE_OK && session->number) status = driver->await(session);
    for (i = 0; status == AUTOTUNE_OK && i < session->number; i++) status = driver->measure(session, i, &times[i]);
    *ns = autotune__sum_of_batches(self, times, i);
    session->number = 0;
    return status;
}

static autotune_status autotune__enter_measured(autotune_backend *self, void *place) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune_status status;
    session->asked_later = true;
    session->place = place;
    status = autotune__check_accelerator(session);
    return status == AUTOTUNE_OK ? session->accelerator->driver->enter(session) : status;
}
static autotune_status autotune__clock_measured(autotune_backend *self, size_t number, bool ended) {
    autotune__accelerator_session_of(self)->number = number;
    return ended ? autotune__end_batch(self) : autotune__begin_batch(self);
}
static autotune_status autotune__ask_measured(autotune_backend *self, size_t number, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = autotune__check_accelerator(session);
    int error = 0;
    *ns = -1;
    if (status != AUTOTUNE_OK || !driver->has_done(session, number, &error)) return status;
    status = autotune__kernel_outcome(session, error);
    return status == AUTOTUNE_OK ? driver->measure(session, number, ns) : status;
}

/* ---- src/accelerator/launch.h --------------------------------------------------------------------------------------
   Launches on accelerators: the session in which a launch is made, and the status for the error that it returns. */

/* Returns the session of a statement. NULL: there is no statement, or its backend belongs to another driver. */
static autotune__accelerator_session *autotune__session_in(const autotune__tuning *tuning,
                                                           const autotune__driver_interface *driver) {
    autotune_backend *backend = tuning ? autotune__backend_of(tuning) : NULL;
    return backend && backend->family == driver ? autotune__accelerator_session_of(backend) : NULL;
}
/* Refuses a launch for which the statement names another backend, or no backend. */
static autotune_status autotune__refuse_backend(const autotune__driver_interface *driver, const char *launch) {
    autotune_explain("%s needs .backend = %s", launch, driver->named);
    return AUTOTUNE_ERR_ENVIRONMENT;
}
/* Returns `status`. If the call failed and launched nothing, and the device is not lost, tells the statement that the
   call may be made again with another configuration. */
static autotune_status autotune__refuse_unlaunched(const autotune__accelerator_session *session,
                                                   autotune__tuning *tuning, autotune_status status) {
    if (status != AUTOTUNE_OK && !session->launched && !autotune__lost(session)) autotune__refuse_call(tuning);
    return status;
}
/* Makes a launch whose kernel is not loaded yet, in the session of its statement. A hit has no session, so its backend
   opens a session for this launch. name: how the program writes the launch. launch: the function that makes the launch.
   tuning: NULL on a hit. of_hit: the backend of a hit. */
typedef autotune_status (*autotune__driver_launch)(autotune__accelerator_session *session, autotune__tuning *tuning,
                                                   const uint64_t *values, const void *call);
static autotune_status autotune__launch_cold(const autotune__driver_interface *driver, const char *name,
                                             autotune__driver_launch launch, autotune__tuning *tuning,
                                             autotune_backend *of_hit, const uint64_t *values, const void *call) {
    static const autotune_options usual;        /* the defaults, since an entry does not keep the options of its call
                                                   site */
    autotune_backend *const backend = tuning ? autotune__backend_of(tuning) : of_hit, *opened = NULL;
    autotune_status status = AUTOTUNE_ERR_MEMORY;
    if (autotune__acts_as_hit(tuning)) autotune__begin_hit_call();
    if (!backend || backend->family != driver) status = autotune__refuse_backend(driver, name);
    else opened = tuning ? backend : backend->open(backend, backend->place(backend), &usual);
    if (opened) status = autotune__check_accelerator(autotune__accelerator_session_of(opened));
    if (status == AUTOTUNE_OK) {
        autotune__accelerator_session *session = autotune__accelerator_session_of(opened);
        status = autotune__refuse_unlaunched(session, tuning, launch(session, tuning, values, call));
    }
    if (!tuning && opened) opened->close(opened);
    autotune__end_hit_call();
    return status;
}

/* Explains the error of a driver function, and returns its status. before: as for autotune__driver_outcome(). */
static autotune_status autotune__explain_error(const autotune__driver_interface *driver, const char *before,
                                               int error) {
    autotune_explain("%s%s (%d)", before, driver->error_name(error), error);
    return driver->status_of(error);
}
/* Explains why a hit failed, and returns the status. */
static __attribute__((__cold__, __noinline__)) autotune_status autotune__launch_failed(
    const autotune__driver_interface *driver, const char *before, int error) {
    autotune_status status;
    autotune__begin_hit_call();
    status = autotune__explain_error(driver, before, error);
    autotune__end_hit_call();
    return status;
}
/* Returns the status for an error that a driver function returned to the program, and explains the error. */
static autotune_status autotune__status_of_call(const autotune__driver_interface *driver, int error) {
    autotune__tuning *tuning = autotune__innermost();
    autotune__accelerator_session *session = autotune__session_in(tuning, driver);
    if (AUTOTUNE__LIKELY(!error)) return AUTOTUNE_OK;
    if (session && session->accelerator->handle) return autotune__driver_outcome(session, "", error);
    return tuning ? autotune__explain_error(driver, "", error) : autotune__launch_failed(driver, "", error);
}
static bool autotune__check_count(size_t parameters, size_t arguments, const char *kernel, const char *launch) {
    if (parameters != arguments)
        autotune_explain("%s has %zu parameters, and %s passes %zu arguments", kernel, parameters, launch, arguments);
    return parameters == arguments;
}
#endif


/* ---- src/cuda/driver.h ---------------------------------------------------------------------------------------------
   The driver, opened at run time. Each function is found by the name that the library exports. A function of this name
   has the same signature in all versions of the library. So neither a newer header nor a newer driver changes the
   called function. */

#define AUTOTUNE__CUDA_FUNCTIONS(X) \
    X(cuGetErrorName, "", (CUresult error, const char **name)) \
    X(cuInit, "", (unsigned flags)) \
    X(cuDriverGetVersion, "", (int *version)) \
    X(cuDeviceGetCount, "", (int *count)) \
    X(cuDeviceGet, "", (CUdevice *device, int ordinal)) \
    X(cuDeviceGetName, "", (char *name, int bytes, CUdevice device)) \
    X(cuDeviceTotalMem, "_v2", (size_t *bytes, CUdevice device)) \
    X(cuDeviceGetAttribute, "", (int *value, CUdevice_attribute attribute, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, "", (CUcontext *context, CUdevice device)) \
    X(cuCtxGetCurrent, "", (CUcontext *context)) \
    X(cuCtxGetDevice, "", (CUdevice *device)) \
    X(cuCtxPushCurrent, "_v2", (CUcontext context)) \
    X(cuCtxPopCurrent, "_v2", (CUcontext *context)) \
    X(cuLaunchHostFunc, "", (CUstream stream, CUhostFn function, void *data)) \
    X(cuStreamGetCtx, "", (CUstream stream, CUcontext *context)) \
    X(cuStreamIsCapturing, "", (CUstream stream, CUstreamCaptureStatus *status)) \
    X(cuThreadExchangeStreamCaptureMode, "", (CUstreamCaptureMode *mode)) \
    X(cuStreamSynchronize, "", (CUstream stream)) \
    X(cuStreamQuery, "", (CUstream stream)) \
    X(cuEventCreate, "", (CUevent *event, unsigned flags)) \
    X(cuEventDestroy, "_v2", (CUevent event)) \
    X(cuEventRecord, "", (CUevent event, CUstream stream)) \
    X(cuEventQuery, "", (CUevent event)) \
    X(cuEventElapsedTime, "", (float *milliseconds, CUevent start, CUevent stop)) \
    X(cuMemAlloc, "_v2", (CUdeviceptr *memory, size_t bytes)) \
    X(cuMemFree, "_v2", (CUdeviceptr memory)) \
    X(cuPointerGetAttribute, "", (void *value, CUpointer_attribute attribute, CUdeviceptr address)) \
    X(cuMemcpyAsync, "", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
    X(cuMemsetD8Async, "", (CUdeviceptr memory, unsigned char byte, size_t count, CUstream stream)) \
    X(cuModuleLoadDataEx, "", \
      (CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)) \
    X(cuModuleUnload, "", (CUmodule module)) \
    X(cuModuleGetFunction, "", (CUfunction *function, CUmodule module, const char *name)) \
    X(cuModuleGetGlobal, "_v2", (CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name)) \
    X(cuFuncGetAttribute, "", (int *value, CUfunction_attribute attribute, CUfunction function)) \
    X(cuFuncSetAttribute, "", (CUfunction function, CUfunction_attribute attribute, int value)) \
    X(cuLaunchKernel, "", \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
                             unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra)) \
    X(cuLaunchKernelEx, "", (const CUlaunchConfig *launch, CUfunction function, void **arguments, void **extra)) \
    X(cuCtxGetId, "", (CUcontext context, unsigned long long *id)) \
    X(cuFuncLoad, "", (CUfunction function)) \
    X(cuFuncGetParamInfo, "", (CUfunction function, size_t index, size_t *offset, size_t *size))
/* Drivers before CUDA 13.2 have no such function: its pointer is NULL. */
#define AUTOTUNE__CUDA_NEW_FUNCTIONS(X) X(cuFuncGetParamCount, "", (CUfunction function, size_t *count))

/* Names of members end in an underscore, since cuda.h has macros with the names of the functions. */
static struct autotune__cuda_driver {
#define AUTOTUNE__CUDA_FUNCTION(name, suffix, parameters) CUresult (CUDAAPI *name##_) parameters;
    AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    int version;                                /* 13000 for 13.0 */
    char problem[256];                          /* why CUDA does not work in this process; "": it works */
} autotune__driver;

/* A function of the CUDA runtime; NULL in a program that is not linked with the runtime. */
AUTOTUNE__BEGIN_C
extern const char *autotune__runtime_error_name(int code) __asm__("cudaGetErrorName") __attribute__((__weak__));
AUTOTUNE__END_C
static const char *autotune__cuda_error_name(int code) {
    const char *name = NULL;                    /* an unknown error keeps NULL */
    if (autotune__driver.cuGetErrorName_) (void)autotune__driver.cuGetErrorName_((CUresult)code, &name);
    if (!name && autotune__runtime_error_name) name = autotune__runtime_error_name(code);
    return name ? name : "CUDA error";
}
#define AUTOTUNE__CUDA_WORDS(code) autotune__cuda_error_name((int)(code)), (int)(code)          /* for "%s (%d)" */

/* Returns true if the function succeeded. Else notes in `problem` why CUDA does not work in this process. */
static bool autotune__cuda_starts(const char *function, CUresult result) {
    struct autotune__cuda_driver *cuda = &autotune__driver;
    if (result == CUDA_ERROR_STUB_LIBRARY)
        autotune__put_text(cuda->problem, sizeof cuda->problem,
                           "CUDA is not available: libcuda.so.1 is the toolkit's stub for linking: take its folder out "
                           "of LD_LIBRARY_PATH, or install NVIDIA's driver");
    else if (result != CUDA_SUCCESS)
        autotune__put_text(cuda->problem, sizeof cuda->problem, "CUDA is not available: %s: %s (%d)%s", function,
                           AUTOTUNE__CUDA_WORDS(result), result != CUDA_ERROR_NO_DEVICE ? ""
                               : ": no GPU is visible; CUDA_VISIBLE_DEVICES may hide it");
    return result == CUDA_SUCCESS;
}
/* The exported name of a function. cuda.h may have another name for it. */
#define AUTOTUNE__CUDA_NAME(name, suffix, parameters) #name suffix "\0"
static void autotune__cuda_open_driver(void) {
    static const autotune__optional_library of = {
        { "libcuda.so.1", NULL }, "CUDA is not available",
        "libcuda.so.1, which NVIDIA's driver installs, was not found", "a driver for CUDA 12.4 or later is needed"
    };
    struct autotune__cuda_driver *cuda = &autotune__driver;
    void *library = autotune__open_functions(&of, AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_NAME), cuda, cuda->problem,
                                             sizeof cuda->problem);
    int count = 0;
    if (!library) return;
    (void)autotune__find_functions(library, AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_NAME),
                                   (void *)&cuda->cuFuncGetParamCount_);
    if (autotune__cuda_starts("cuInit", cuda->cuInit_(0)) &&
        autotune__cuda_starts("cuDriverGetVersion", cuda->cuDriverGetVersion_(&cuda->version)) &&
        autotune__cuda_starts("cuDeviceGetCount", cuda->cuDeviceGetCount_(&count)) && !count)
        autotune__cuda_starts("cuDeviceGetCount", CUDA_ERROR_NO_DEVICE);
}
AUTOTUNE__DEFINE_WORKS(autotune__cuda_works, autotune__cuda_open_driver, autotune__driver.problem)

/* ---- src/cuda/errors.h ---------------------------------------------------------------------------------------------
   The status for each error of CUDA's driver. */

/* After an ERR_DEVICE the context does not work any more in this process. Errors of a stream capture are
   ERR_ENVIRONMENT, since the program causes them. Any error that is not in the table is the fault of the configuration.
   The table has numbers, since older headers have fewer names. */
static autotune_status autotune__cuda_status_of(int code) {
    static const struct { int first, last; autotune_status status; } known[] = {
        { 3, 3, AUTOTUNE_ERR_ENVIRONMENT },     /* not initialized */
        { 4, 4, AUTOTUNE_ERR_DEVICE },          /* deinitialized */
        { 34, 46, AUTOTUNE_ERR_ENVIRONMENT },   /* the stub, an old driver, a device of another process */
        { 100, 101, AUTOTUNE_ERR_ENVIRONMENT }, /* no device */
        { 201, 201, AUTOTUNE_ERR_ENVIRONMENT }, /* no context */
        { 214, 214, AUTOTUNE_ERR_DEVICE },      /* an uncorrectable ECC error */
        { 220, 220, AUTOTUNE_ERR_DEVICE },      /* an uncorrectable NVLink error */
        { 221, 221, AUTOTUNE_ERR_ENVIRONMENT }, /* no compiler */
        { 226, 226, AUTOTUNE_ERR_DEVICE },      /* a contained error */
        { 600, 600, AUTOTUNE_ERR_ENVIRONMENT }, /* not ready */
        { 700, 700, AUTOTUNE_ERR_DEVICE },      /* an illegal address */
        { 702, 702, AUTOTUNE_ERR_DEVICE },      /* a launch that took too long */
        { 709, 710, AUTOTUNE_ERR_DEVICE },      /* the context is destroyed; assert */
        { 714, 719, AUTOTUNE_ERR_DEVICE },      /* faults of kernels */
        { 721, 721, AUTOTUNE_ERR_DEVICE },      /* tensor memory that a kernel kept */
        { 802, 804, AUTOTUNE_ERR_ENVIRONMENT }, /* driver and system do not fit */
        { 810, 810, AUTOTUNE_ERR_DEVICE },      /* another client of MPS ended */
        { 900, 908, AUTOTUNE_ERR_ENVIRONMENT }, /* a capture */
        { 911, 911, AUTOTUNE_ERR_DEVICE },      /* an external device */
        { 999, 999, AUTOTUNE_ERR_DEVICE }       /* unknown */
    };
    size_t i;
    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].first <= code && code <= known[i].last) return known[i].status;
    return code ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
/* Returns true if a kernel caused the error. Other errors with ERR_DEVICE may come from the device or from another
   process. */
static bool autotune__cuda_is_of_kernel(int code) {
    return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_ASSERT ||
           (code >= CUDA_ERROR_HARDWARE_STACK_ERROR && code <= CUDA_ERROR_LAUNCH_FAILED);
}

/* ---- src/cuda/context.h --------------------------------------------------------------------------------------------
   Contexts. The struct of a context is never freed. Each context has one backend inside its struct, and
   CUDA(stream) returns this backend. So a hit compares the address of the backend only. */

typedef struct autotune__cuda_context {
    autotune__accelerator common;               /* has to come first: the floor `accelerator` allocates the struct */
    int capability;                             /* 90 for 9.0 */
    char architecture[12];                      /* the capability as text */
    int multiprocessors, most_shared;           /* how many multiprocessors; how many bytes of shared memory a block may
                                                   have */
    uint32_t held;                              /* the state of the stream that hold.h holds: AUTOTUNE__STREAM_... */
} autotune__cuda_context;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_context_of, autotune__cuda_context, common, const autotune__accelerator)

static const autotune__cuda_context *autotune__cuda_context_at(const autotune__target *target) {
    return autotune__cuda_context_of(autotune__accelerator_at(target));
}
static CUcontext autotune__cuda_handle(const autotune__cuda_context *context) {
    return (CUcontext)context->common.handle;
}
static __thread struct {                        /* the last CUDA(stream) of this thread that had a context */
    autotune__cuda_context *context;
    CUstream stream;
    CUresult refused;                           /* the error of autotune__cuda_other_context() */
} autotune__cuda_here;

/* Returns an attribute of the device; 0: the driver does not know it. */
static int autotune__cuda_attribute(CUdevice device, CUdevice_attribute attribute) {
    int value = 0;
    return autotune__driver.cuDeviceGetAttribute_(&value, attribute, device) == CUDA_SUCCESS ? value : 0;
}
static void autotune__cuda_leave(void) {
    CUcontext popped;
    autotune__driver.cuCtxPopCurrent_(&popped);
}
static bool autotune__cuda_describe(autotune__accelerator *accelerator) {
    autotune__cuda_context *context = autotune__cuda_context_of(accelerator);
    const int version = autotune__driver.version;
    char name[128] = "CUDA device";
    size_t bytes = 0;
    CUdevice device;
    CUresult result;
    if (autotune__driver.cuCtxPushCurrent_(autotune__cuda_handle(context)) != CUDA_SUCCESS) return false;
    result = autotune__driver.cuCtxGetDevice_(&device);
    autotune__cuda_leave();
    if (result != CUDA_SUCCESS) return false;
    autotune__driver.cuDeviceGetName_(name, sizeof name, device);
    autotune__driver.cuDeviceTotalMem_(&bytes, device);
    accelerator->flushed_bytes = 2 * (size_t)autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    context->capability = 10 * autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                          autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    autotune__put_text(context->architecture, sizeof context->architecture, "%d", context->capability);
    context->multiprocessors = autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    context->most_shared = autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    autotune__put_text(accelerator->words, sizeof accelerator->words,
                       "%s, compute %d.%d, %d SMs, %lu MiB, driver %d.%d", name, context->capability / 10,
                       context->capability % 10, context->multiprocessors, (unsigned long)(bytes >> 20),
                       version / 1000, version % 1000 / 10);
    accelerator->target.architecture = context->architecture;
    return true;
}
static unsigned long long autotune__cuda_id(CUcontext handle) {     /* 0: the context was destroyed */
    unsigned long long id = 0;
    return autotune__driver.cuCtxGetId_(handle, &id) == CUDA_SUCCESS ? id : 0;
}
/* Makes the context current until autotune__cuda_leave(), to free memory in it. Returns false if the device is lost,
   since it may still use the memory. Also returns false if the program destroyed the context, which freed the
   memory. */
static bool autotune__cuda_visit(const autotune__cuda_context *context) {
    const CUcontext handle = autotune__cuda_handle(context);
    return !autotune__lost_accelerator(&context->common) && autotune__cuda_id(handle) == context->common.id &&
           autotune__driver.cuCtxPushCurrent_(handle) == CUDA_SUCCESS;
}

/* ---- src/cuda/session.h --------------------------------------------------------------------------------------------
   A session of a context: see accelerator/session.h. This room makes the context current, and refuses a stream that is
   captured or that belongs to another context. */

typedef struct autotune__cuda_session {
    autotune__accelerator_session common;       /* has to come first: the floor `accelerator` allocates the struct */
    CUevent begun[AUTOTUNE_MOST_QUEUED];        /* the event before each batch; NULL: not made yet */
    CUevent ended[AUTOTUNE_MOST_QUEUED];        /* the event after each batch; NULL: not made yet */
    bool in_range;                              /* a range of NVTX is open: see ranges.h */
    bool watches_runtime;                       /* errors of the CUDA runtime count, since this thread had no error
                                                   before */
    double least_ns;                            /* the shortest time of a launch in a batch; 0: no batch was timed */
    uint32_t held_too_long;                     /* how many batches held their stream for too long; MOST_TIMED_OUT: no
                                                   batch holds it any more; see hold.h */
    bool asked_for_elements;                    /* loading `elements` was tried; if it failed, work_on is NULL */
    CUmodule elements;                          /* the module that works on outputs */
    CUfunction work_on;
    bool entered;                               /* the call is between enter() and leave() */
    bool pushed;                                /* the context was made current; leave() or the end of the session
                                                   pops the context */
    bool relaxed;                               /* the thread's capture mode was changed; leave() or the end of the
                                                   session restores it */
    CUstreamCaptureMode capture_mode;           /* the mode before that change */
} autotune__cuda_session;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_session_of, autotune__cuda_session, common.backend, autotune_backend)
static autotune__cuda_context *autotune__cuda_context_in(const autotune__cuda_session *session) {
    return autotune__cuda_context_of(session->common.accelerator);
}
static CUstream autotune__cuda_stream(const autotune__cuda_session *session) { return (CUstream)session->common.place; }
#define AUTOTUNE__CUDA_CALL(session, function, ...) \
    AUTOTUNE__DRIVER_CALL(session, #function, autotune__driver.function##_(__VA_ARGS__))

/* Returns the status for an error. If a kernel of a statement caused the error, the configuration is convicted: later
   processes do not launch it. */
static autotune_status autotune__cuda_judge(autotune__accelerator_session *session, int error,
                                             bool of_kernel AUTOTUNE__UNUSED) {
    autotune__tuning *tuning = autotune__tuning_with(&session->backend);
    if (tuning && autotune__cuda_is_of_kernel(error)) autotune__launch_broke_device(tuning);
    return autotune__cuda_status_of(error);
}
static bool autotune__cuda_has_ended(void *event, int *error) {
    *error = (int)autotune__driver.cuEventQuery_((CUevent)event);
    return *error != CUDA_ERROR_NOT_READY;
}

/* Makes the session's context current if it is not. This thread may have no context, or tune a case that another thread
   queued. */
static autotune_status autotune__cuda_enter(autotune__cuda_session *session) {
    const CUcontext own = autotune__cuda_handle(autotune__cuda_context_in(session));
    CUcontext current = NULL;
    autotune_status status;
    if (!own || session->pushed) return AUTOTUNE_OK;
    autotune__driver.cuCtxGetCurrent_(&current);
    if (current == own) return AUTOTUNE_OK;
    status = AUTOTUNE__CUDA_CALL(session, cuCtxPushCurrent, own);
    session->pushed = status == AUTOTUNE_OK;
    return status;
}
/* Returns true if the stream is captured, or if it is the legacy stream while the program captures another stream. Then
   any work but a launch would end the capture. *result: the error of the query. */
static bool autotune__cuda_is_capturing(const autotune__cuda_session *session, CUresult *result) {
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    *result = autotune__driver.cuStreamIsCapturing_(autotune__cuda_stream(session), &capture);
    return capture != CU_STREAM_CAPTURE_STATUS_NONE || *result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}
static autotune_status autotune__cuda_refuse_capture(autotune__cuda_session *session) {
    CUresult result;
    return autotune__cuda_is_capturing(session, &result)
               ? AUTOTUNE_REJECTED : autotune__driver_outcome(&session->common, "cuStreamIsCapturing: ", (int)result);
}
/* Returns true if ncu or compute-sanitizer watches the launches. A launch then takes many times as long. */
static bool autotune__cuda_is_under_tool(void) {
    return autotune__variable("NV_COMPUTE_PROFILER_PERFWORKS_DIR") ||
           autotune__variable("NV_SANITIZER_INJECTION_TRANSPORT_TYPE");
}
/* Refuses a stream that the program made in another context. */
static autotune_status autotune__cuda_refuse_foreign(const autotune__cuda_session *session) {
    const CUstream stream = autotune__cuda_stream(session);
    const bool made = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    CUcontext of_stream = NULL, current = NULL;
    if (!made || autotune__driver.cuStreamGetCtx_(stream, &of_stream) != CUDA_SUCCESS ||
        autotune__driver.cuCtxGetCurrent_(&current) != CUDA_SUCCESS || of_stream == current)
        return AUTOTUNE_OK;
    autotune_explain("the stream is not of the current context, which may be that of another device: call "
                     "cuCtxSetCurrent() or cudaSetDevice() for the device of the stream first");
    return AUTOTUNE_ERR_ENVIRONMENT;
}

/* Lets this thread allocate memory and load modules while another thread captures a stream, until leave() or the end of
   the session. In the default mode such a call fails, and ends the other thread's capture. */
static void autotune__cuda_relax(autotune__cuda_session *session) {
    if (session->relaxed) return;
    session->capture_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    session->relaxed = autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode) == CUDA_SUCCESS;
}

/* ---- src/cuda/memory.h ---------------------------------------------------------------------------------------------
   A session's memory on the device: for buffers, and to empty the caches. */

/* A pointer may point to memory of the device, to managed memory, or to memory of the CPU, pinned or not. The driver
   knows which. */
static CUdeviceptr autotune__cuda_address(const void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static void *autotune__cuda_allocate(autotune_backend *self, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUdeviceptr memory = 0;
    return AUTOTUNE__CUDA_CALL(session, cuMemAlloc, &memory, bytes) == AUTOTUNE_OK ? (void *)(uintptr_t)memory : NULL;
}
static void autotune__cuda_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__CUDA_CALL(autotune__cuda_session_of(self), cuMemFree, autotune__cuda_address(memory));
}
static autotune_status autotune__cuda_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemcpyAsync, autotune__cuda_address(to), autotune__cuda_address(from), bytes,
                               autotune__cuda_stream(session));
}
static autotune_status autotune__cuda_copy_and_wait(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    const autotune_status status = autotune__cuda_copy(self, to, from, bytes);
    if (status != AUTOTUNE_OK) return status;
    return AUTOTUNE__CUDA_CALL(session, cuStreamSynchronize, autotune__cuda_stream(session));
}
static autotune_status autotune__cuda_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                           size_t bytes) {
    return autotune__cuda_copy_and_wait(self, host, (const char *)memory + offset, bytes);
}
static autotune_status autotune__cuda_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                            size_t bytes) {
    return autotune__cuda_copy_and_wait(self, (char *)memory + offset, host, bytes);
}
static autotune_status autotune__cuda_fill_memory(autotune_backend *self, void *memory, int byte, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemsetD8Async, autotune__cuda_address(memory), (unsigned char)byte, bytes,
                               autotune__cuda_stream(session));
}

/* ---- src/cuda/elements.h -------------------------------------------------------------------------------------------
   Fills and compares the elements of large outputs on the device, by a kernel. The kernel is PTX, which the driver
   compiles without NVRTC. Each session that needs the kernel loads it. */

/* tests/cuda/elements.sh makes this PTX from the kernel in opencl/elements.h. */
static const char autotune__cuda_elements[] =
    ".version 6.0 .target sm_50 .address_size 64 .visible .entry autotune_elements(.param .u64 m0,.param .u64 m1,"
    ".param .u64 m2,.param .u64 m3,.param .u64 m4,.param .u64 m5,.param .u64 m6,.param .u64 m7,.param .f64 m8,.param "
    ".f64 m9){.reg .pred p<43>;.reg .b32 r<13>;.reg .f64 f<28>;.reg .b64 d<102>;ld.param.u64 d42,[m0];ld.param.u64 d43,"
    "[m1];ld.param.u64 d44,[m2];ld.param.u64 d96,[m3];ld.param.u64 d46,[m4];ld.param.u64 d47,[m5];ld.param.u64 d48,"
    "[m6];ld.param.u64 d49,[m7];ld.param.f64 f12,[m8];ld.param.f64 f13,[m9];mov.u32 r1,%ctaid.x;mov.u32 r2,%ntid.x;"
    "cvt.u64.u32 d1,r2;mul.wide.u32 d51,r1,r2;mov.u32 r3,%tid.x;cvt.u64.u32 d52,r3;add.s64 d94,d51,d52;setp.ge.u64 p5,"
    "d94,d46;mov.u64 d100,0;@p5 bra L49;neg.s64 d54,d48;mov.u64 d100,0;and.b64 d3,d54,d48;add.s64 d4,d3,d48;add.s64 d5,"
    "d4,-1;mov.u64 d55,-1;add.s64 d56,d3,-1;popc.b64 r4,d56;cvt.u64.u32 d6,r4;popc.b64 r5,d48;cvt.u64.u32 d57,r5;"
    "add.s64 d58,d57,-1;cvt.u32.u64 r6,d58;shl.b64 d59,d55,r6;mov.u32 r7,%nctaid.x;cvt.u64.u32 d60,r7;mul.lo.s64 d7,"
    "d60,d1;add.s64 d61,d48,-1;or.b64 d8,d61,d48;add.s64 d62,d59,1025;sub.s64 d63,d62,d6;shl.b64 d64,d63,52;mov.u64 "
    "d65,52;mov.b64 f1,d64;sub.s64 d9,d65,d6;shl.b64 d66,d59,52;add.s64 d10,d66,4611686018427387904;not.b64 d11,d46;"
    "mov.b64 d12,d42;mov.b64 d13,d43;cvt.u32.u64 r11,d9;L2:setp.eq.s64 p6,d96,0;mul.lo.s64 d18,d94,d47;add.s64 d19,d12,"
    "d18;@p6 bra L10;setp.eq.s64 p7,d47,1;@p7 bra L8;setp.eq.s64 p8,d47,2;@p8 bra L7;setp.ne.s64 p9,d47,4;@p9 bra L9;"
    "ld.u32 d25,[d19];bra L11;L10:shr.u64 d69,d18,3;mul.lo.s64 d70,d69,-7046029254386353131;add.s64 d71,d70,"
    "-7046029254386353131;shr.u64 d72,d71,29;xor.b64 d73,d72,d71;mul.lo.s64 d74,d73,-4658895280553007687;shr.u64 d75,"
    "d74,32;xor.b64 d76,d75,d74;or.b64 d77,d76,d49;cvt.u32.u64 r8,d18;shl.b32 r9,r8,3;and.b32 r10,r9,56;shr.u64 d25,"
    "d77,r10;bra L11;L8:ld.u8 d25,[d19];bra L11;L7:ld.u16 d25,[d19];bra L11;L9:ld.u64 d25,[d19];L11:setp.eq.s64 p10,"
    "d48,0;mov.f64 f26,0d0000000000000000;@p10 bra L18;setp.eq.s64 p11,d6,52;and.b64 d26,d25,d5;@p11 bra L16;bra L13;"
    "L16:mov.b64 f25,d26;bra L17;L13:setp.lt.u64 p12,d26,d3;@p12 bra L15;bra L14;L15:cvt.rn.f64.u64 f15,d26;mul.f64 "
    "f25,f1,f15;bra L17;L14:shl.b64 d78,d26,r11;add.s64 d79,d10,d78;mov.b64 f25,d79;L17:and.b64 d80,d25,d4;setp.eq.s64 "
    "p13,d80,0;neg.f64 f16,f25;selp.f64 f26,f25,f16,p13;L18:@p6 bra L41;setp.eq.s64 p15,d96,1;@p15 bra L37;bra L20;"
    "L37:and.b64 d35,d25,d8;setp.gt.u64 p33,d35,d48;mov.u64 d99,0;@p33 bra L40;setp.eq.s64 p34,d35,d48;mov.u64 d99,1;"
    "@p34 bra L40;abs.f64 f24,f26;mov.b64 d91,f24;add.s64 d99,d91,1;L40:max.u64 d100,d100,d99;bra L48;L41:setp.eq.s64 "
    "p35,d47,1;@p35 bra L46;setp.eq.s64 p36,d47,2;@p36 bra L45;setp.ne.s64 p37,d47,4;@p37 bra L47;st.u32 [d19],d25;bra "
    "L48;L20:add.s64 d27,d13,d18;setp.eq.s64 p16,d47,1;@p16 bra L25;setp.eq.s64 p17,d47,2;@p17 bra L24;setp.ne.s64 p18,"
    "d47,4;@p18 bra L26;ld.u32 d98,[d27];bra L27;L46:st.u8 [d19],d25;bra L48;L45:st.u16 [d19],d25;bra L48;L47:st.u64 "
    "[d19],d25;bra L48;L25:ld.u8 d98,[d27];bra L27;L24:ld.u16 d98,[d27];bra L27;L26:ld.u64 d98,[d27];L27:setp.eq.s64 "
    "p42,d25,d98;or.pred p20,p10,p42;@p20 bra L36;and.b64 d81,d25,d48;setp.eq.s64 p21,d81,d48;and.b64 d82,d98,d48;"
    "setp.eq.s64 p22,d82,d48;or.pred p23,p21,p22;@p23 bra L35;bra L29;L35:and.b64 d86,d25,d8;setp.gt.u64 p31,d86,d48;"
    "and.b64 d87,d98,d8;setp.gt.u64 p32,d87,d48;and.pred p42,p31,p32;bra L36;L29:setp.eq.s64 p24,d6,52;and.b64 d33,d98,"
    "d5;@p24 bra L33;bra L30;L33:mov.b64 f27,d33;bra L34;L30:setp.lt.u64 p25,d33,d3;@p25 bra L32;bra L31;"
    "L32:cvt.rn.f64.u64 f17,d33;mul.f64 f27,f1,f17;bra L34;L31:shl.b64 d83,d33,r11;add.s64 d84,d10,d83;mov.b64 f27,d84;"
    "L34:and.b64 d85,d98,d4;setp.eq.s64 p26,d85,0;neg.f64 f18,f27;selp.f64 f19,f27,f18,p26;sub.f64 f20,f26,f19;abs.f64 "
    "f21,f20;abs.f64 f22,f19;mul.f64 f23,f22,f12;setp.le.f64 p27,f21,f23;setp.le.f64 p28,f21,f13;or.pred p29,p28,p27;"
    "setp.lt.f64 p30,f21,0d7FE1CCF385EBC8A0;and.pred p42,p30,p29;L36:not.b64 d88,d94;selp.b64 d100,d100,d88,p42;"
    "L48:add.s64 d94,d94,d7;setp.lt.u64 p38,d94,d46;setp.le.u64 p39,d100,d11;and.pred p40,p39,p38;@p40 bra L2;"
    "L49:setp.eq.s64 p41,d100,0;@p41 bra L51;mov.b64 d92,d44;atom.max.u64 d93,[d92],d100;L51:ret;}";

/* Returns true if a kernel may work on the memory. The memory belongs to the device of the current context, and its
   address is a multiple of `size`. size: the size of an element. */
static bool autotune__cuda_is_own_memory(const void *memory, size_t size) {
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    unsigned type = 0;
    int of_memory = 0;
    CUdevice own;
    return address % size == 0 && autotune__driver.cuCtxGetDevice_(&own) == CUDA_SUCCESS &&
           autotune__driver.cuPointerGetAttribute_(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
           autotune__driver.cuPointerGetAttribute_(&of_memory, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) ==
               CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE && of_memory == own;
}
static bool autotune__cuda_can_work_on(autotune__accelerator_session *common, const autotune_elements *elements) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    if (!autotune__cuda_is_own_memory(elements->memory, (size_t)elements->size)) return false;
    if (!session->asked_for_elements &&
        (cuda->cuModuleLoadDataEx_(&session->elements, autotune__cuda_elements, 0, NULL, NULL) != CUDA_SUCCESS ||
         cuda->cuModuleGetFunction_(&session->work_on, session->elements, "autotune_elements") != CUDA_SUCCESS))
        session->work_on = NULL;
    session->asked_for_elements = true;
    return session->work_on != NULL;
}
static autotune_status autotune__cuda_start_work(autotune__accelerator_session *common,
                                                 const autotune_elements *elements) {
    enum { THREADS = 256, BLOCKS = 8 };                             /* 8 * 256 threads fill a multiprocessor */
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune_elements e = *elements;
    void *arguments[] = { &e.memory, &e.expected, &common->answer, &e.work, &e.count, &e.size, &e.exponent, &e.nan,
                          &e.relative, &e.absolute };
    const unsigned blocks = BLOCKS * (unsigned)autotune__cuda_context_in(session)->multiprocessors;
    return autotune__driver_outcome(common, "comparing outputs: ", (int)autotune__driver.cuLaunchKernel_(
        session->work_on, blocks, 1, 1, THREADS, 1, 1, 0, autotune__cuda_stream(session), arguments, NULL));
}

/* ---- src/cuda/hold.h -----------------------------------------------------------------------------------------------
   Holds the stream until all launches of a batch are queued, if the batch has 2 to 1000 short launches. */

/* The CPU needs some microseconds for a launch. If a kernel is shorter and is launched alone, the clock shows the
   time of the CPU. So a host function blocks the stream until all launches of the batch are queued. The device then
   runs one launch directly after the other. The clock starts after the host function, and shows the time of the
   device. If the program keeps the device busy, its calls take the time of the device, too. A graph cannot replace
   the host function, since the stream belongs to the program, and a call may do more than launch. A call may wait for
   the stream, or the queue may be full. So the host function ends after 4 ms at most. After three batches for which
   the host function ended too early, the session holds its stream no more, and the log says so. */
enum { AUTOTUNE__STREAM_IS_FREE, AUTOTUNE__STREAM_IS_HELD, AUTOTUNE__STREAM_TIMED_OUT, AUTOTUNE__MOST_TIMED_OUT = 3 };
static void CUDA_CB autotune__cuda_wait_on_stream(void *data) {
    const uint64_t begun = autotune__wait_clock(), most_ns = 4000000;
    uint32_t *held = (uint32_t *)data, expected = AUTOTUNE__STREAM_IS_HELD;
    while (__atomic_load_n(held, __ATOMIC_ACQUIRE) == expected && autotune__wait_clock() - begun < most_ns)
        autotune__sleep_ns(5000);
    __atomic_compare_exchange_n(held, &expected, AUTOTUNE__STREAM_TIMED_OUT, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
/* Called before the clock starts. Launches of more than 20 us keep the device busy without a held stream. */
static void autotune__cuda_hold(autotune__cuda_session *session) {
    const uint32_t batch = autotune__launches_at_once(autotune__tuning_with(&session->common.backend)), most = 1000;
    autotune__cuda_context *context = autotune__cuda_context_in(session);
    if (batch < 2 || batch > most || session->least_ns > 20e3 || session->held_too_long == AUTOTUNE__MOST_TIMED_OUT)
        return;
    __atomic_store_n(&context->held, AUTOTUNE__STREAM_IS_HELD, __ATOMIC_RELEASE);
    if (autotune__driver.cuLaunchHostFunc_(autotune__cuda_stream(session), autotune__cuda_wait_on_stream,
                                           &context->held))
        session->held_too_long = AUTOTUNE__MOST_TIMED_OUT;
}
/* Called when all launches are queued. */
static void autotune__cuda_let_go(autotune__cuda_session *session) {
    uint32_t *held = &autotune__cuda_context_in(session)->held;
    if (__atomic_exchange_n(held, AUTOTUNE__STREAM_IS_FREE, __ATOMIC_ACQ_REL) != AUTOTUNE__STREAM_TIMED_OUT) return;
    if (++session->held_too_long == AUTOTUNE__MOST_TIMED_OUT)
        autotune__tell_doubt(autotune__tuning_with(&session->common.backend),
                             "the call waits for the device: times below some 10 us may be those of the CPU");
}
/* Learns the shortest time of a launch. ns: the time of a batch. */
static void autotune__cuda_learn_least(autotune__cuda_session *session, double ns) {
    const uint32_t batch = autotune__launches_at_once(autotune__tuning_with(&session->common.backend));
    if (batch > 1 && ns > 0 && !(session->least_ns <= ns / batch && session->least_ns > 0))
        session->least_ns = ns / batch;
}

/* ---- src/cuda/ranges.h ---------------------------------------------------------------------------------------------
   Ranges around trials: tools such as Nsight Systems show the name of each trial on their time line. */

/* NVTX consists of headers in the toolkit. They load a library only if a tool names it in the environment. */
#if defined __unix__ && __has_include(<nvtx3/nvToolsExt.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <nvtx3/nvToolsExt.h>
#pragma GCC diagnostic pop
#define AUTOTUNE__RANGES(call) (call)
#else
#define AUTOTUNE__RANGES(call) (-1)
#endif
/* Begins the range of a trial. If no tool takes the first range of the process, no further range is begun. */
static void autotune__cuda_begin_range(autotune__cuda_session *session) {
    static bool unwatched;
    const autotune__tuning *tuning = autotune__tuning_with(&session->common.backend);
    autotune__text name AUTOTUNE__FREED = { NULL, false };
    if (session->in_range || __atomic_load_n(&unwatched, __ATOMIC_RELAXED) || !autotune__is_trying(tuning)) return;
    autotune__append(&name, "autotune: ");
    autotune__append_trial(&name, tuning);
    session->in_range = AUTOTUNE__RANGES(nvtxRangePushA(autotune__string(&name))) >= 0;
    if (!session->in_range) __atomic_store_n(&unwatched, true, __ATOMIC_RELAXED);
}
static void autotune__cuda_end_range(autotune__cuda_session *session) {
    if (session->in_range) (void)AUTOTUNE__RANGES(nvtxRangePop());
    session->in_range = false;
}

/* ---- src/cuda/runtime.h --------------------------------------------------------------------------------------------
   Errors of the CUDA runtime: launches <<<...>>> that it refused. */

/* A launch <<<...>>> that the runtime refuses does not reach the driver. Only the runtime's last error of this thread
   shows the refusal. The two functions below ask the runtime for this error. They are NULL in a program that is not
   linked with the runtime. They have other names in C, since the runtime's header declares the functions with its own
   types. */
AUTOTUNE__BEGIN_C
extern int autotune__runtime_peek_error(void) __asm__("cudaPeekAtLastError") __attribute__((__weak__));
extern int autotune__runtime_take_error(void) __asm__("cudaGetLastError") __attribute__((__weak__));
AUTOTUNE__END_C

/* Begins to watch for errors of launches. If the runtime has an earlier error of this thread, the error belongs to the
   program, and stays. Then errors of launches are not seen. */
static void autotune__cuda_watch_runtime(autotune__cuda_session *session) {
    session->watches_runtime = autotune__runtime_peek_error && autotune__runtime_peek_error() == CUDA_SUCCESS;
}
/* Returns the status for the runtime's error since autotune__cuda_watch_runtime(). Clears this error, so that the
   program does not find it. "Not ready" is no error, and stays. */
static autotune_status autotune__cuda_ask_runtime(autotune__cuda_session *session) {
    const int code = session->watches_runtime ? autotune__runtime_peek_error() : CUDA_SUCCESS;
    autotune_status status;
    if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY) return AUTOTUNE_OK;
    if (autotune__runtime_take_error) autotune__runtime_take_error();
    autotune_explain("the CUDA runtime refused a launch or a call, and nobody asked for the error: %s (%d)",
                     AUTOTUNE__CUDA_WORDS(code));
    status = autotune__cuda_status_of(code);
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_FAILED : status;    /* only the driver says that a device is lost */
}

/* ---- src/cuda/open_calls.h -----------------------------------------------------------------------------------------
   Calls of mode ONLINE, or of a winner on probation. No thread waits for their end. The session's context is current
   during the call. A later call, maybe of another thread, asks for the time. */

/* enter() makes the session's context current, and leave() makes the thread's own context current again. enter()
   refuses a stream that is captured, and refuses calls on probation under ncu or compute-sanitizer. */
static void autotune__cuda_leave_call(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    if (session->relaxed) autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode);
    if (session->pushed) autotune__cuda_leave();
    session->relaxed = session->pushed = session->entered = false;
}
static autotune_status autotune__cuda_enter_call(autotune__accelerator_session *common) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune_status status = autotune__cuda_enter(session);
    if (status == AUTOTUNE_OK) status = autotune__cuda_refuse_capture(session);
    if (status == AUTOTUNE_OK && !autotune__tuning_with(&common->backend) && autotune__cuda_is_under_tool())
        status = AUTOTUNE_REJECTED;
    session->entered = status == AUTOTUNE_OK;
    if (status != AUTOTUNE_OK) autotune__cuda_leave_call(&common->backend);
    return status;
}
/* The query of an event ends the capture of another thread, unless this thread's capture mode is relaxed. */
static bool autotune__cuda_has_done(autotune__accelerator_session *common, size_t number, int *error) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune__cuda_relax(session);
    return autotune__cuda_has_ended(session->ended[number], error) && *error != CUDA_ERROR_DEINITIALIZED;
}
static autotune_status autotune__cuda_clock_call(autotune_backend *self, size_t number, bool ended) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status;
    /* only if a statement makes the call: the program itself asks for errors of a call on probation */
    if (!ended && autotune__tuning_with(self)) autotune__cuda_watch_runtime(session);
    status = autotune__clock_measured(self, number, ended);
    return ended && status == AUTOTUNE_OK ? autotune__cuda_ask_runtime(session) : status;
}
static autotune_status autotune__cuda_ask(autotune_backend *self, size_t number, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status;
    if (session->entered || autotune__lost(&session->common)) return autotune__ask_measured(self, number, ns);
    *ns = -1;
    /* If the context is gone, the time stays unknown. */
    if (!autotune__cuda_visit(autotune__cuda_context_in(session))) return AUTOTUNE_OK;
    status = autotune__ask_measured(self, number, ns);
    autotune__cuda_leave();
    autotune__cuda_leave_call(self);
    return status;
}

/* ---- src/cuda/timing.h ---------------------------------------------------------------------------------------------
   A session's clock, and its calibration. */

/* Two events on the stream stand around a batch. The time between them is the time of the batch. */

static autotune_status autotune__cuda_begin_batch(autotune__accelerator_session *common) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    CUevent *begun = &session->begun[common->number], *ended = &session->ended[common->number];
    autotune_status status = AUTOTUNE_OK;
    if (!*begun) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, begun, CU_EVENT_DEFAULT);
    if (status == AUTOTUNE_OK && !*ended) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, ended, CU_EVENT_DEFAULT);
    common->launched = false;
    if (status != AUTOTUNE_OK) return status;
    autotune__cuda_hold(session);
    return AUTOTUNE__CUDA_CALL(session, cuEventRecord, *begun, autotune__cuda_stream(session));
}
static autotune_status autotune__cuda_end_batch(autotune__accelerator_session *common) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    const autotune_status status =
        AUTOTUNE__CUDA_CALL(session, cuEventRecord, session->ended[common->number], autotune__cuda_stream(session));
    autotune__cuda_let_go(session);
    return status;
}
static autotune_status autotune__cuda_await(autotune__accelerator_session *common) {
    return autotune__wait_for_kernel(common, autotune__cuda_session_of(&common->backend)->ended[common->number - 1]);
}
static autotune_status autotune__cuda_measure(autotune__accelerator_session *common, size_t number, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    float milliseconds = 0;
    const autotune_status status = AUTOTUNE__CUDA_CALL(session, cuEventElapsedTime, &milliseconds,
                                                       session->begun[number], session->ended[number]);
    *ns = (double)milliseconds * 1e6;
    return status;
}
static autotune_status autotune__cuda_start(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    if (!session->begun[0])                     /* waits for work that the program queued before; no timeout limits this
                                                   work */
        status = AUTOTUNE__CUDA_CALL(session, cuStreamSynchronize, autotune__cuda_stream(session));
    if (!session->common.number) autotune__cuda_watch_runtime(session);
    autotune__cuda_begin_range(session);
    return status == AUTOTUNE_OK ? autotune__begin_batch(self) : status;
}
static autotune_status autotune__cuda_stop(autotune_backend *self, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    const autotune_status status = autotune__stop_batches(self, ns);
    if (status == AUTOTUNE_OK) autotune__cuda_learn_least(session, *ns);
    autotune__cuda_end_range(session);
    return status == AUTOTUNE_OK ? autotune__cuda_ask_runtime(session) : status;
}
/* Measures pairs of events around no work, and around fills of several lengths. The cost is the mean time of pairs
   around no work, without the two longest times. The resolution is the least difference of two times, of
   those above 1 ns. A value that cannot be measured is 0. */
static void autotune__cuda_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    enum { PAIRS = 64, STEPS = 8, STEP = 1 << 17, EMPTY = PAIRS / STEPS, USUAL = EMPTY - 2 };
    double times[PAIRS], empty[EMPTY], sum = 0, difference = AUTOTUNE__NEVER;
    void *memory = autotune__cuda_allocate(self, (STEPS - 1) * STEP);
    int i, measured = 0;
    for (i = 0; memory && i < PAIRS; i++) {
        /* this fill keeps the device busy until the pair comes */
        if (autotune__cuda_fill_memory(self, memory, 0, STEP) != AUTOTUNE_OK) break;
        if (autotune__cuda_start(self) != AUTOTUNE_OK) break;
        if (i % STEPS && autotune__cuda_fill_memory(self, memory, 0, (size_t)(i % STEPS) * STEP) != AUTOTUNE_OK) break;
        if (autotune__cuda_stop(self, &times[measured]) != AUTOTUNE_OK) break;
        if (i % STEPS == 0) empty[i / STEPS] = times[measured];
        measured++;
    }
    if (memory) autotune__cuda_release(self, memory);
    qsort(times, (size_t)measured, sizeof *times, autotune__order_doubles);
    for (i = 1; i < measured; i++)                                  /* less than 1 ns is the float's rounding */
        if (times[i] - times[i - 1] > 1 && times[i] - times[i - 1] < difference) difference = times[i] - times[i - 1];
    qsort(empty, measured == PAIRS ? EMPTY : 0, sizeof *empty, autotune__order_doubles);
    /* the mean, since with coarse steps the least time is too small */
    for (i = 0; i < USUAL && measured == PAIRS; i++) sum += empty[i];
    *cost_ns = sum / (double)USUAL;
    *resolution_ns = autotune__is_definite(difference) ? difference : 0;
}

/* ---- src/cuda/nvrtc.h ----------------------------------------------------------------------------------------------
   NVRTC, opened at run time; its option for the architecture. */

#define AUTOTUNE__NVRTC_FUNCTIONS(X) \
    X(nvrtcVersion) X(nvrtcGetNumSupportedArchs) X(nvrtcGetSupportedArchs) X(nvrtcCreateProgram) \
    X(nvrtcDestroyProgram) X(nvrtcAddNameExpression) X(nvrtcGetLoweredName) X(nvrtcCompileProgram) \
    X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetPTXSize) \
    X(nvrtcGetPTX)

static struct autotune__nvrtc_library {
#define AUTOTUNE__NVRTC_FUNCTION(name) __typeof__(&name) name##_;
    AUTOTUNE__NVRTC_FUNCTIONS(AUTOTUNE__NVRTC_FUNCTION)
    /* NULL: an older NVRTC */
    nvrtcResult (*nvrtcSetFlowCallback_)(nvrtcProgram program, int (*callback)(void *, void *), void *payload);
    nvrtcResult (*nvrtcGetPCHHeapSize_)(size_t *bytes);         /* all three NULL: an older NVRTC */
    nvrtcResult (*nvrtcGetPCHHeapSizeRequired_)(nvrtcProgram program, size_t *bytes);
    nvrtcResult (*nvrtcSetPCHHeapSize_)(size_t bytes);
    int version;                                /* 13000 for 13.0 */
    char words[24];
    char file[40];                              /* the identity of the library's file; an update changes it */
    char problem[192];                          /* why NVRTC does not work; "": it works */
} autotune__nvrtc;

static void autotune__open_nvrtc(void) {
    static const autotune__optional_library of = {
        { "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL },
        "kernels cannot be compiled",
        "libnvrtc, which the CUDA Toolkit installs, was not found: put its folder into LD_LIBRARY_PATH",
        "one of CUDA 12.0 or later is needed"
    };
    struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    void *library = autotune__open_functions(&of, AUTOTUNE__NVRTC_FUNCTIONS(AUTOTUNE__NAME_OF_FUNCTION), nvrtc,
                                             nvrtc->problem, sizeof nvrtc->problem);
    int major = 0, minor = 0;
    if (!library) return;
    (void)autotune__find_functions(library, "nvrtcSetFlowCallback\0nvrtcGetPCHHeapSize\0"
                                   "nvrtcGetPCHHeapSizeRequired\0nvrtcSetPCHHeapSize\0",
                                   (void *)&nvrtc->nvrtcSetFlowCallback_);
    if (nvrtc->nvrtcVersion_(&major, &minor) == NVRTC_SUCCESS) nvrtc->version = 1000 * major + 10 * minor;
    autotune__put_text(nvrtc->words, sizeof nvrtc->words, "NVRTC %d.%d", major, minor);
    if (nvrtc->version && nvrtc->version < 12000)               /* NVRTC before 12.0 is not safe with several threads */
        autotune__put_text(nvrtc->problem, sizeof nvrtc->problem,
                           "kernels cannot be compiled: libnvrtc is of CUDA %d.%d: one of 12.0 or later is needed",
                           major, minor);
    (void)autotune__identify_program(autotune__symbol_of(library, "nvrtcVersion"), nvrtc->file, sizeof nvrtc->file);
}
AUTOTUNE__DEFINE_WORKS(autotune__nvrtc_works, autotune__open_nvrtc, autotune__nvrtc.problem)
/* Appends the option for the architecture. With the device's own architecture the compiler makes a cubin. If the device
   is newer than the compiler, the option names the newest architecture that both know. Then the compiler makes PTX,
   which the driver compiles. */
static void autotune__nvrtc_add_architecture(autotune__text *options, int capability) {
    int known[64], count = 0, best = 0, i;
    if (autotune__nvrtc.nvrtcGetNumSupportedArchs_(&count) != NVRTC_SUCCESS || count > 64 ||
        autotune__nvrtc.nvrtcGetSupportedArchs_(known) != NVRTC_SUCCESS) count = 0;
    for (i = 0; i < count; i++) if (known[i] <= capability && known[i] > best) best = known[i];
    autotune__append(options, "--gpu-architecture=%s_%d%c", best == capability || !best ? "sm" : "compute",
                     best ? best : capability, 0);
}

/* ---- src/cuda/load.h -----------------------------------------------------------------------------------------------
   Loads machine code as a kernel into a context, and fills the variables of its module. */

typedef struct autotune__cuda_kernel {
    CUfunction function;                        /* comes first with most_shared: hits read both */
    size_t most_shared;                         /* how many bytes of dynamic shared memory a block may have */
    uint64_t fitting;                           /* a hash of the sizes of arguments that fit the parameters; 0: no
                                                   arguments were checked */
    autotune__kernel loaded;
    CUmodule module;
    int resources[3];                           /* registers of a thread; bytes of local memory of a thread; bytes of
                                                   shared memory in variables */
    bool told;                                  /* the log shows its resources */
} autotune__cuda_kernel;
AUTOTUNE__DEFINE_AROUND(autotune__cuda_kernel_of, autotune__cuda_kernel, loaded, autotune__kernel)

AUTOTUNE__API autotune_status autotune_cuda_fill(CUmodule module, const char *name, const void *data, size_t bytes) {
    CUdeviceptr memory = 0;
    size_t room = 0;
    CUresult result = autotune__driver.cuModuleGetGlobal_(&memory, &room, module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        autotune_explain("the module has no variable %s, or the kernel does not use it", name);
    else if (result == CUDA_SUCCESS && bytes > room) {
        autotune_explain("the variable %s has %zu bytes, and %zu are to be copied to it", name, room, bytes);
        return AUTOTUNE_ERR_ARGUMENT;
    }
    if (result == CUDA_SUCCESS)                 /* programs do not capture this stream */
        result = autotune__driver.cuMemcpyAsync_(memory, (CUdeviceptr)(uintptr_t)data, bytes, CU_STREAM_PER_THREAD);
    if (result == CUDA_SUCCESS) result = autotune__driver.cuStreamSynchronize_(CU_STREAM_PER_THREAD);
    if (result != CUDA_SUCCESS) autotune_explain("autotune_cuda_fill: %s (%d)", AUTOTUNE__CUDA_WORDS(result));
    return autotune__cuda_status_of((int)result);
}
/* The caller holds autotune__kernels_lock. Calls .loaded of the program, which fills the variables of a loaded module.
   Returns false if .loaded failed. */
static bool autotune__cuda_fill_module(const autotune__program *source, const autotune__cuda_kernel *kernel) {
    const autotune_cuda_program *program = (const autotune_cuda_program *)(const void *)source->declared;
    const autotune_status status = program->loaded ? program->loaded(program->user, kernel->module) : AUTOTUNE_OK;
    if (status != AUTOTUNE_OK) autotune_explain(".loaded of the program returned \"%s\"", autotune_status_text(status));
    return status == AUTOTUNE_OK;
}
/* Reads the resources of the kernel. Allows the kernel more than the default: dynamic shared memory beyond 48 KiB,
   and clusters of more than 8 blocks. */
static CUresult autotune__cuda_raise_limits(autotune__cuda_kernel *kernel, const autotune__cuda_context *context) {
    static const CUfunction_attribute asked[] = { CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                                  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES };
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUresult result = CUDA_SUCCESS;
    int i;
    for (i = 0; i < 3 && result == CUDA_SUCCESS; i++)
        result = cuda->cuFuncGetAttribute_(&kernel->resources[i], asked[i], kernel->function);
    kernel->most_shared = (size_t)(context->most_shared - kernel->resources[2]);
    if (result == CUDA_SUCCESS)
        result = cuda->cuFuncSetAttribute_(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           (int)kernel->most_shared);
    if (result == CUDA_SUCCESS && context->capability >= 90)
        result = cuda->cuFuncSetAttribute_(kernel->function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return result;
}
static CUresult autotune__cuda_load_module(autotune__cuda_kernel *kernel, const void *image) {
    char log[512] = "";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)(uintptr_t)sizeof log };
    const CUresult result = autotune__driver.cuModuleLoadDataEx_(&kernel->module, image, 2, options, values);
    const char *end = strchr(log, '\n');
    if (result != CUDA_SUCCESS)
        autotune_explain("cuModuleLoadDataEx: %s (%d)%s%.*s", AUTOTUNE__CUDA_WORDS(result), *log ? ": " : "",
                         (int)(end ? end - log : (ptrdiff_t)strlen(log)), log);
    return result;
}
/* The caller holds autotune__kernels_lock. Finds the kernel in its module, and prepares it for launches. Newer drivers
   load a kernel at its first launch, so cuFuncLoad() loads the kernel now. */
static CUresult autotune__cuda_find_function(autotune__cuda_kernel *kernel, const autotune__compilation *compilation,
                                             const autotune__cuda_context *context) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUresult result = cuda->cuModuleGetFunction_(&kernel->function, kernel->module, compilation->symbol);
    if (result == CUDA_SUCCESS) result = cuda->cuFuncLoad_(kernel->function);
    if (result == CUDA_SUCCESS) result = autotune__cuda_raise_limits(kernel, context);
    if (result != CUDA_SUCCESS)
        autotune_explain("the program has no kernel %s that can be loaded: %s (%d)", compilation->name,
                         AUTOTUNE__CUDA_WORDS(result));
    else if (!autotune__cuda_fill_module(compilation->program, kernel)) result = CUDA_ERROR_INVALID_VALUE;
    return result;
}
static autotune__kernel *autotune__cuda_load(const autotune__target *target, const autotune__compilation *compilation,
                                             int *error) {
    autotune__cuda_kernel *kernel = (autotune__cuda_kernel *)autotune__allocate(sizeof *kernel);
    CUresult result = kernel ? autotune__cuda_load_module(kernel, compilation->image) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS) {
        result = autotune__cuda_find_function(kernel, compilation, autotune__cuda_context_at(target));
        if (result != CUDA_SUCCESS) autotune__driver.cuModuleUnload_(kernel->module);
    }
    *error = (int)result;
    if (result == CUDA_SUCCESS) return &kernel->loaded;
    autotune__free(kernel);
    return NULL;
}
static void autotune__cuda_unload(autotune__kernel *loaded) {
    autotune__cuda_kernel *kernel = autotune__cuda_kernel_of(loaded);
    const autotune__cuda_context *context = autotune__cuda_context_at(loaded->target);
    if (autotune__cuda_visit(context)) {
        autotune__driver.cuModuleUnload_(kernel->module);
        autotune__cuda_leave();
    }
    autotune__free(kernel);
}

/* ---- src/cuda/compile.h --------------------------------------------------------------------------------------------
   Compiling with NVRTC: the functions that the floor `kernels` calls. */

static const autotune__known_option autotune__nvrtc_options[] = {
    { "include-path", AUTOTUNE__OPTION_FOLDER },  { "I", AUTOTUNE__OPTION_FOLDER },
    { "pre-include", AUTOTUNE__OPTION_FILE },     { "include", AUTOTUNE__OPTION_FILE },
    { "pch", AUTOTUNE__OPTION_FILE },             { "create-pch", AUTOTUNE__OPTION_FILE },
    { "use-pch", AUTOTUNE__OPTION_FILE },         { "time", AUTOTUNE__OPTION_FILE },
    { "fdevice-time-trace", AUTOTUNE__OPTION_FILE }, { "apply-controls", AUTOTUNE__OPTION_FILE },
    { NULL, AUTOTUNE__OPTION_OTHER }
};
static bool autotune__nvrtc_has(const char *folder, const char *file) {
    char *path AUTOTUNE__OWNED = autotune__joined(folder, file);
    autotune__file_facts facts;
    return path && autotune__facts_of_path(path, &facts);
}
/* See version_file in kernels/compiler.h. A folder belongs to the toolkit if it has headers of CUDA and no headers of a
   system. Since CUDA 13 the core libraries are in a folder within the toolkit's folder. */
static const char *autotune__nvrtc_version_file(const char *folder) {
    const bool cub = autotune__nvrtc_has(folder, "cub/version.cuh");
    if (autotune__nvrtc_has(folder, "cuda.h") && autotune__nvrtc_has(folder, "vector_types.h") &&
        !autotune__nvrtc_has(folder, "stdio.h")) return "cuda.h";
    if (!cub && !autotune__nvrtc_has(folder, "cuda/std/version")) return NULL;
    return cub && autotune__nvrtc_has(folder, "../cuda.h") && !autotune__nvrtc_has(folder, "../stdio.h")
               ? "cub/version.cuh" : "";
}
static void autotune__nvrtc_add_options(autotune__text *options, const autotune__program *program,
                                        const autotune__target *target) {
    const char *option;
    AUTOTUNE__EACH_OPTION(option, &program->options)
        if (!strncmp(option, "--gpu-architecture", 18) || !strncmp(option, "-arch", 5)) return;
    autotune__nvrtc_add_architecture(options, autotune__cuda_context_at(target)->capability);
}

static void autotune__nvrtc_refuse(autotune__compilation *compilation, nvrtcProgram program, nvrtcResult result) {
    size_t bytes = 0;
    const bool has_log = program && autotune__nvrtc.nvrtcGetProgramLogSize_(program, &bytes) == NVRTC_SUCCESS;
    char otherwise[64], *log AUTOTUNE__OWNED = has_log ? (char *)autotune__allocate(bytes + 1) : NULL;
    if (log) (void)autotune__nvrtc.nvrtcGetProgramLog_(program, log);
    autotune__put_text(otherwise, sizeof otherwise, "NVRTC gives no reason (%d)", (int)result);
    autotune__refuse_by_log(compilation, log, otherwise);
}
static void autotune__nvrtc_take_image(autotune__compilation *compilation, nvrtcProgram program) {
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const char *lowered = NULL;
    size_t bytes;
    const bool cubin = nvrtc->nvrtcGetCUBINSize_(program, &bytes) == NVRTC_SUCCESS && bytes,
               known = (cubin || nvrtc->nvrtcGetPTXSize_(program, &bytes) == NVRTC_SUCCESS) &&
                       nvrtc->nvrtcGetLoweredName_(program, compilation->instance, &lowered) == NVRTC_SUCCESS;
    if (known && !autotune__take_room(compilation, bytes, lowered)) return;
    if (known && (cubin ? nvrtc->nvrtcGetCUBIN_(program, compilation->image)
                        : nvrtc->nvrtcGetPTX_(program, compilation->image)) == NVRTC_SUCCESS)
        compilation->progress = AUTOTUNE__CODE_MADE;
    else autotune__refuse(compilation, "was compiled, but NVRTC gives no kernel %s", compilation->instance);
}
typedef struct autotune__nvrtc_patience {       /* how long a compilation may take */
    const autotune__compile_limits *limits;
    uint64_t began;
    bool late;                                  /* the compilation took longer, and was given up */
} autotune__nvrtc_patience;
static int autotune__nvrtc_gives_up(void *of, void *reserved AUTOTUNE__UNUSED) {   /* called by NVRTC */
    autotune__nvrtc_patience *patience = (autotune__nvrtc_patience *)of;
    patience->late = (double)(autotune__wait_clock() - patience->began) > 1e9 * patience->limits->seconds;
    return patience->late || autotune__is_unwanted(patience->limits);
}
/* Compiles `text` in place of the program's text. Returns the result of NVRTC. */
static nvrtcResult autotune__nvrtc_compile_text(autotune__compilation *compilation, const char *text,
                                                const char **options, const autotune__compile_limits *limits) {
    autotune__nvrtc_patience patience = { limits, autotune__wait_clock(), false };
    const struct autotune__nvrtc_library *nvrtc = &autotune__nvrtc;
    const autotune__program *source = compilation->program;
    nvrtcProgram program = NULL;
    nvrtcResult result;
    size_t needs = 0, has = 0;                  /* memory for compiled headers */
    result = nvrtc->nvrtcCreateProgram_(&program, text,
                                        source->declared->file ? source->declared->file : "program.cu", 0, NULL, NULL);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcAddNameExpression_(program, compilation->instance);
    if (result == NVRTC_SUCCESS && nvrtc->nvrtcSetFlowCallback_)
        nvrtc->nvrtcSetFlowCallback_(program, autotune__nvrtc_gives_up, &patience);
    if (result == NVRTC_SUCCESS) result = nvrtc->nvrtcCompileProgram_(program, (int)autotune__count(options), options);
    if (result == NVRTC_SUCCESS && nvrtc->nvrtcSetPCHHeapSize_ &&       /* for the headers of the next program */
        nvrtc->nvrtcGetPCHHeapSizeRequired_(program, &needs) == NVRTC_SUCCESS &&
        nvrtc->nvrtcGetPCHHeapSize_(&has) == NVRTC_SUCCESS && needs > has) (void)nvrtc->nvrtcSetPCHHeapSize_(needs);
    if (result == NVRTC_SUCCESS) autotune__nvrtc_take_image(compilation, program);
    else if (!autotune__is_unwanted(limits) && patience.late)
        autotune__refuse(compilation, "does not compile: NVRTC did not end within %g s, .compile_timeout",
                         limits->seconds);
    else if (!autotune__is_unwanted(limits) && result != NVRTC_ERROR_OUT_OF_MEMORY)
        autotune__nvrtc_refuse(compilation, program, result);
    if (program) nvrtc->nvrtcDestroyProgram_(&program);
    return result;
}
/* Returns true if the text includes no header, and names nothing that --minimal leaves out: textures, surfaces, the
   CUDA runtime, launches by kernels. Before 12.4 NVRTC has no --minimal, and the function returns false. */
static bool autotune__nvrtc_needs_little(const char *text) {
    static const char *const more[] = { "include", "tex", "surf", "cuda", "<<<" };
    size_t i = 0;
    while (i < sizeof more / sizeof *more && !strstr(text, more[i])) i++;
    return i == sizeof more / sizeof *more && autotune__nvrtc.version >= 12040;
}
/* From 12.8 on NVRTC compiles the headers of a program once, and keeps the result in a file. NVRTC uses the file again
   if the text of the headers and the options are the same. Reading the file takes less than a tenth of the time that
   compiling the headers takes. NVRTC makes one such file at a time, and other threads wait for it.

   With --minimal NVRTC makes the same code and maps less memory. Threads that map memory wait for each other: eight
   threads compiled 48 small kernels in two thirds of the time. If NVRTC refuses the text, the text is compiled again
   without --minimal. */
static void autotune__nvrtc_compile(autotune__compilation *compilation, const autotune__target *target,
                                    const autotune__compile_limits *limits) {
    const size_t length = autotune__nvrtc.version < 12080 ? 0 : compilation->shared_bytes;
    char *headed AUTOTUNE__OWNED =              /* NULL: the headers are not compiled apart */
        length ? autotune__text_with_definitions(compilation, length, "#pragma nv_hdrstop\n") : NULL;
    const char *const text = headed ? headed : autotune__source_of(compilation->program),
               *const definitions = autotune__own_options_end(compilation), *option, **list = NULL;
    const bool minimal = !headed && autotune__nvrtc_needs_little(text);
    bool complete = true;
    (void)target;                               /* the options name the architecture */
    AUTOTUNE__EACH_OPTION(option, &compilation->options)    /* the text has the definitions if `headed` is made */
        if (!headed || option < definitions) complete = complete && AUTOTUNE__PUSH(list, option);
    if (headed) complete = complete && AUTOTUNE__PUSH(list, "--pch") && AUTOTUNE__PUSH(list, "--pch-messages=false");
    if (minimal) complete = complete && AUTOTUNE__PUSH(list, "--minimal");
    if (complete && autotune__nvrtc_compile_text(compilation, text, list, limits) == NVRTC_ERROR_COMPILATION &&
        minimal) {
        autotune__free(compilation->reason);
        compilation->reason = NULL;
        compilation->progress = AUTOTUNE__CODE_WAITING;
        autotune__set_count(list, autotune__count(list) - 1);           /* removes --minimal */
        (void)autotune__nvrtc_compile_text(compilation, text, list, limits);
    }
    AUTOTUNE__FREE_ARRAY(list);
}

static autotune__compiler autotune__nvrtc_compiler = {
    "cubins", "cubin", autotune__nvrtc.words, autotune__nvrtc.file, false, true, autotune__nvrtc_options, NULL,
    autotune__nvrtc_version_file, autotune__nvrtc_add_options, autotune__nvrtc_compile, NULL,
    autotune__cuda_load, autotune__cuda_unload, NULL, 0
};

/* ---- src/cuda/backend.h --------------------------------------------------------------------------------------------
   The backend of a context. This room finds the backend for CUDA(stream), and opens, prepares and ends its sessions. */

/* Opens a session. If another context now has the address of this context, the session belongs to the other context. */
static autotune_backend *autotune__cuda_open(autotune_backend *self, void *place, const autotune_options *options) {
    autotune__accelerator *context = autotune__accelerator_named(self), *now = NULL;
    const CUcontext handle = (CUcontext)context->handle;
    if (handle) now = autotune__accelerator_of(context->driver, handle, autotune__cuda_id(handle));
    if (now && now != context) autotune__cuda_here.context = NULL;          /* CUDA(stream) asks the driver again */
    return autotune__open_accelerator(now ? &now->backend : self, place, options);
}
static void *autotune__cuda_place(autotune_backend *self) { (void)self; return autotune__cuda_here.stream; }
/* Explains why a statement has no context. */
static void autotune__cuda_explain_absence(void) {
    CUcontext current = NULL;
    const CUresult result = autotune__cuda_works() ? autotune__driver.cuCtxGetCurrent_(&current) : CUDA_SUCCESS;
    if (*autotune__driver.problem) autotune_explain("%s", autotune__driver.problem);
    else if (result == CUDA_ERROR_NOT_INITIALIZED)
        autotune_explain(
            "CUDA does not work in a process made by fork: call exec there, or use CUDA only in the child");
    else if (result == CUDA_SUCCESS && autotune__cuda_here.refused != CUDA_SUCCESS)
        autotune_explain("no context is current, and none could be had of the stream or of device 0: %s (%d)",
                         AUTOTUNE__CUDA_WORDS(autotune__cuda_here.refused));
    else autotune_explain("no context is current, and the stream has none: pass a stream that exists");
}
static autotune_status autotune__cuda_ready(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = autotune__check_accelerator(&session->common);
    if (status == AUTOTUNE_OK) status = autotune__cuda_enter(session);
    if (status != AUTOTUNE_OK) return status;
    if ((status = autotune__cuda_refuse_capture(session)) == AUTOTUNE_OK)
        status = autotune__cuda_refuse_foreign(session);
    if (status == AUTOTUNE_OK) autotune__cuda_relax(session);
    if (status == AUTOTUNE_OK && autotune__cuda_is_under_tool())
        autotune__keep_nothing(autotune__tuning_with(self), "ncu or compute-sanitizer watches the launches, and each "
                               "takes many times as long");
    return status == AUTOTUNE_FAILED ? AUTOTUNE_ERR_ENVIRONMENT : status;
}
static void autotune__cuda_end(autotune__accelerator_session *common) {
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    const bool may_free = common->asked_later   /* otherwise the session's context is current */
                              ? autotune__cuda_visit(autotune__cuda_context_in(session)) : !autotune__lost(common);
    size_t i;
    autotune__cuda_end_range(session);
    for (i = 0; may_free && i < AUTOTUNE_MOST_QUEUED; i++) {
        if (session->begun[i]) autotune__driver.cuEventDestroy_(session->begun[i]);
        if (session->ended[i]) autotune__driver.cuEventDestroy_(session->ended[i]);
    }
    if (may_free && session->elements) autotune__driver.cuModuleUnload_(session->elements);
    if (may_free && common->asked_later) autotune__cuda_leave();
    autotune__cuda_leave_call(&common->backend);
}

/* least_launch_ns is 400. On an H100 an empty kernel takes 1600 to 1900 ns, and 800 ns in a graph. A batch without any
   launch takes 0 to 300 ns there: 300 ns if another stream is busy. */
static const autotune_backend autotune__cuda_backend = {
    "cuda", NULL, NULL, autotune__accelerator_now,
    autotune__cuda_allocate, autotune__cuda_release, autotune__cuda_copy, autotune__cuda_fill_memory,
    autotune__cuda_read, autotune__cuda_write,
    AUTOTUNE_COLD, autotune__flush_accelerator, NULL, autotune__classify_by_status,
    autotune__cuda_start, autotune__cuda_stop, autotune__mark_batch, autotune__cuda_calibrate, 400,
    autotune__cuda_place, autotune__cuda_open, autotune__cuda_ready, autotune__close_accelerator,
    autotune__enter_measured, autotune__cuda_leave_call, autotune__cuda_clock_call, autotune__cuda_ask,
    autotune__is_point_compiled, autotune__work_on_elements
};
static autotune__cuda_context autotune__cuda_without_context;
static const autotune__driver_interface autotune__cuda_interface = {
    autotune__cuda_status_of, autotune__cuda_error_name,
    "the device can no longer be used in this process", "CUDA(stream)",
    sizeof(autotune__cuda_context), sizeof(autotune__cuda_session), &autotune__cuda_without_context.common,
    &autotune__nvrtc_compiler, &autotune__cuda_backend,
    autotune__cuda_describe, autotune__cuda_explain_absence, autotune__cuda_enter_call,
    autotune__cuda_begin_batch, autotune__cuda_end_batch, autotune__cuda_await,
    autotune__cuda_has_done, autotune__cuda_measure, autotune__cuda_end,
    NULL, autotune__cuda_has_ended, autotune__cuda_judge, autotune__cuda_can_work_on, autotune__cuda_start_work
};

/* Returns the context for a thread that has no current context: the context of the stream, or the primary context of
   device 0. The primary context is kept until the process ends. NULL: there is no such context, and
   autotune__cuda_here.refused has the error. */
static CUcontext autotune__cuda_other_context(CUstream stream) {
    static CUcontext primary;                   /* concurrent threads get the same context */
    const bool own = stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    CUcontext handle = own ? NULL : __atomic_load_n(&primary, __ATOMIC_RELAXED);
    CUdevice device;
    CUresult result;
    if (handle) return handle;
    if (own) result = autotune__driver.cuStreamGetCtx_(stream, &handle);
    else if ((result = autotune__driver.cuDeviceGet_(&device, 0)) == CUDA_SUCCESS)
        result = autotune__driver.cuDevicePrimaryCtxRetain_(&handle, device);
    autotune__cuda_here.refused = result;
    if (result != CUDA_SUCCESS) return NULL;
    if (!own) __atomic_store_n(&primary, handle, __ATOMIC_RELAXED);
    return handle;
}
static __attribute__((__cold__, __noinline__)) autotune_backend *autotune__cuda_backend_of(CUcontext current,
                                                                                           CUstream stream) {
    const CUcontext handle = current || !autotune__cuda_works() ? current : autotune__cuda_other_context(stream);
    autotune_backend *backend =
        autotune__backend_at(&autotune__cuda_interface, handle, handle ? autotune__cuda_id(handle) : 0);
    autotune__cuda_context *context = autotune__cuda_context_of(autotune__accelerator_named(backend));
    if (current && context->common.handle) autotune__cuda_here.context = context;
    return backend;
}

/* ---- src/cuda/start.h ----------------------------------------------------------------------------------------------
   Starts kernels. The callers have checked the launch: if the kernel is in the list of its configuration, they check
   only its shared memory. */

AUTOTUNE__INLINE autotune__cuda_kernel *autotune__cuda_listed(const uint64_t *values, const autotune__cuda_call *call) {
    return autotune__cuda_kernel_of(autotune__listed_kernel_of(values, call->program, call->name));
}
static __attribute__((__noinline__)) CUresult autotune__cuda_start_with_attributes(const autotune__cuda_kernel *kernel,
                                                                                   const autotune__cuda_call *call,
                                                                                   CUstream stream) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads, cluster = call->shape.cluster;
    CUlaunchAttribute attributes[2];
    CUlaunchConfig launch;
    if (call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY)
        return *(CUfunction *)(void *)call->arguments.at = kernel->function, CUDA_SUCCESS;
    memset(&launch, 0, sizeof launch);
    memset(attributes, 0, sizeof attributes);
    launch.gridDimX = blocks.x; launch.gridDimY = blocks.y; launch.gridDimZ = blocks.z;
    launch.blockDimX = threads.x; launch.blockDimY = threads.y; launch.blockDimZ = threads.z;
    launch.sharedMemBytes = (unsigned)call->shared;
    launch.hStream = stream;
    launch.attrs = attributes;
    if (call->shape.attributes & AUTOTUNE__CUDA_CLUSTERED) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute->value.clusterDim.x = cluster.x; attribute->value.clusterDim.y = cluster.y;
        attribute->value.clusterDim.z = cluster.z;
    }
    if (call->shape.attributes & AUTOTUNE__CUDA_COOPERATIVE) {
        CUlaunchAttribute *attribute = &attributes[launch.numAttrs++];
        attribute->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute->value.cooperative = 1;
    }
    return autotune__driver.cuLaunchKernelEx_(&launch, kernel->function, call->arguments.at, NULL);
}
AUTOTUNE__INLINE CUresult autotune__cuda_start_kernel(const autotune__cuda_kernel *kernel,
                                                      const autotune__cuda_call *call, CUstream stream) {
    const autotune_grid blocks = call->blocks, threads = call->shape.threads;
    if (call->shape.attributes) return autotune__cuda_start_with_attributes(kernel, call, stream);
    return autotune__driver.cuLaunchKernel_(kernel->function, blocks.x, blocks.y, blocks.z, threads.x, threads.y,
                                          threads.z, (unsigned)call->shared, stream, call->arguments.at, NULL);
}

/* ---- src/cuda/arguments.h ------------------------------------------------------------------------------------------
   Compares the arguments of a launch with the parameters of its kernel, and its shared memory with the limit. The
   driver refuses all other launches that it cannot make. */

/* A driver below 13.2 cannot tell how many parameters a kernel has. So this function asks for parameter after parameter
   until the driver returns an error. Tools that watch the driver report this error. */
static autotune_status autotune__cuda_check_arguments(autotune__accelerator_session *session,
                                                      const autotune__cuda_kernel *kernel,
                                                      const autotune__cuda_call *call) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    size_t count = SIZE_MAX, i, offset, size;
    if (cuda->cuFuncGetParamCount_) (void)cuda->cuFuncGetParamCount_(kernel->function, &count);
    for (i = 0; i < count; i++) {
        const CUresult result = cuda->cuFuncGetParamInfo_(kernel->function, i, &offset, &size);
        if (result == CUDA_ERROR_INVALID_VALUE) break;              /* the kernel has no more parameters */
        if (result != CUDA_SUCCESS) return autotune__driver_outcome(session, "cuFuncGetParamInfo: ", (int)result);
        if (i >= call->arguments.count || size == call->arguments.sizes[i]) continue;
        autotune_explain("argument %zu of %s has %d bytes, and the kernel's parameter %zu: pass a value of its type",
                         i + 1, call->name, (int)call->arguments.sizes[i], size);
        return AUTOTUNE_FAILED;
    }
    return autotune__check_count(i, call->arguments.count, call->name, "CUDA_LAUNCH") ? AUTOTUNE_OK : AUTOTUNE_FAILED;
}
static autotune_status autotune__cuda_check(autotune__accelerator_session *session, autotune__cuda_kernel *kernel,
                                            const autotune__cuda_call *call) {
    const size_t count = call->arguments.count;
    const uint64_t sizes = autotune__hash_more(count + 1, (const char *)call->arguments.sizes,
                                               count * sizeof *call->arguments.sizes);
    const bool fit = __atomic_load_n(&kernel->fitting, __ATOMIC_RELAXED) == sizes;
    const autotune_status status = fit ? AUTOTUNE_OK : autotune__cuda_check_arguments(session, kernel, call);
    if (status != AUTOTUNE_OK) return status;
    __atomic_store_n(&kernel->fitting, sizes, __ATOMIC_RELAXED);
    if (call->shared <= kernel->most_shared) return AUTOTUNE_OK;
    autotune_explain("SHARED gives %s %zu bytes, and a block of it can have %zu on this device", call->name,
                     call->shared, kernel->most_shared);
    return AUTOTUNE_FAILED;
}

/* ---- src/cuda/launch.h ---------------------------------------------------------------------------------------------
   CUDA_LAUNCH and CUDA_FUNCTION in a statement that is no hit, and on a hit that does not find the kernel (hit.h).
   This room finds or makes the kernel, lists it for later launches, checks the launch (arguments.h), and starts the
   kernel. It also has the status of a call that returned a CUresult. */

/* Finds the kernel of a launch; if needed compiles and loads it. tuning: NULL on a hit. */
static autotune_status autotune__cuda_find_kernel(autotune__cuda_session *session, autotune__tuning *tuning,
                                                  const uint64_t *values, const autotune__cuda_call *call,
                                                  autotune__cuda_kernel **kernel) {
    const autotune__kernel_call named = { &call->program->source, call->name, NULL, NULL };
    autotune__kernel_session *const kernels = &session->common.kernels;
    CUresult result;
    if (!autotune__nvrtc_works()) {
        autotune_explain("%s", autotune__nvrtc.problem);
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    kernels->loads_nothing = autotune__cuda_is_capturing(session, &result);
    if (!kernels->loads_nothing) autotune__cuda_relax(session);
    *kernel = autotune__cuda_kernel_of(autotune__find_kernel(kernels, tuning, values, &named));
    if (*kernel) return AUTOTUNE_OK;
    if (kernels->loads_nothing)
        autotune_explain("the stream is captured, and %s is not loaded yet: make this call once before the capture",
                         call->name);
    return kernels->error ? autotune__driver_outcome(&session->common, "", kernels->error) : kernels->status;
}
/* Notes the registers and memory that the kernel needs. At level `full` the log shows these needs once for each
   kernel. */
static void autotune__cuda_tell_resources(const autotune__tuning *tuning, autotune__cuda_kernel *kernel,
                                          const autotune__cuda_call *call) {
    const int *const own = kernel->resources, needs[] = { own[0], own[1], own[2] + (int)call->shared };
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    const autotune__race *race = autotune__statement_of(tuning)->turn.race;
    int *const most = race->rows[autotune__find_row(race, autotune__point_of(tuning))].resources, i;
    for (i = 0; i < 3; i++) if (needs[i] > most[i]) most[i] = needs[i];
    if (autotune__environment.log < AUTOTUNE_LOG_FULL || __atomic_exchange_n(&kernel->told, true, __ATOMIC_RELAXED))
        return;
    autotune__append_trial(&line, tuning);
    autotune__append(&line, ": %s has %d registers, %d bytes of local memory, %d bytes of shared memory", call->name,
                     needs[0], needs[1], needs[2]);
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
}
static autotune_status autotune__cuda_launch_in(autotune__accelerator_session *common, autotune__tuning *tuning,
                                                const uint64_t *values, const void *given) {
    const autotune__cuda_call *call = (const autotune__cuda_call *)given;
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune__cuda_kernel *kernel = autotune__cuda_listed(values, call);
    const bool listed = kernel != NULL, find_only = call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY,
               trying = autotune__is_trying(tuning), timed = trying || autotune__is_measuring(tuning);
    autotune_status status = AUTOTUNE_OK;
    CUresult result = CUDA_SUCCESS;
    autotune__cuda_enter(session);
    if (!listed) status = autotune__cuda_find_kernel(session, tuning, values, call, &kernel);
    if (status == AUTOTUNE_OK && !find_only && (!listed || call->shared > kernel->most_shared))
        status = autotune__cuda_check(common, kernel, call);
    if (status != AUTOTUNE_OK) return status;
    if (!listed && timed) autotune__cuda_tell_resources(tuning, kernel, call);
    if (!listed && common->running && timed) {
        /* The time for finding the kernel must not count. If kernels of the trial ran before, or the program starts the
           kernel itself, the trial is repeated. */
        if (trying && (find_only || common->launched)) autotune__disturb_trial(tuning);
        /* If no kernel ran before, and this launch starts the kernel, the clock starts again. */
        else if (!find_only && !common->launched)
            result = autotune__driver.cuEventRecord_(session->begun[common->number], autotune__cuda_stream(session));
    }
    if (result == CUDA_SUCCESS) result = autotune__cuda_start_kernel(kernel, call, autotune__cuda_stream(session));
    common->launched = common->launched || (!find_only && (result == CUDA_SUCCESS || trying));
    return autotune__driver_outcome(common, "", (int)result);
}
static __attribute__((__cold__, __noinline__)) autotune_status autotune__cuda_launch_cold(
    autotune__tuning *tuning, const uint64_t *values, const autotune__cuda_call *call) {
    if (tuning && autotune__acts_as_hit(tuning)) return autotune__cuda_launch(NULL, values, call);
    return autotune__launch_cold(&autotune__cuda_interface, call->shape.attributes & AUTOTUNE__CUDA_FIND_ONLY
                                     ? "CUDA_FUNCTION" : "CUDA_LAUNCH", autotune__cuda_launch_in, tuning,
                                 tuning ? NULL : autotune__entry_of(values)->scope.backend, values, call);
}

AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result) {
    return autotune__status_of_call(&autotune__cuda_interface, (int)result);
}
/* Called if a call returned the error of a launch. If the text of the call has at most one launch, the call launched
   nothing. Then this function tells the statement that the call may be made again with another configuration. */
static void autotune__cuda_refuse_call(autotune__tuning *tuning) {
    static const char *const words[] = { "<<<", "Launch", "LAUNCH" };
    const autotune__accelerator_session *session = autotune__session_in(tuning, &autotune__cuda_interface);
    size_t length = 0, launches = 0, i;
    const char *const call = autotune__call_of(tuning, &length), *at;
    for (i = 0; call && i < sizeof words / sizeof *words; i++)
        for (at = strstr(call, words[i]); at && at < call + length; at = strstr(at + 1, words[i])) launches++;
    if (session && launches <= 1 && call) autotune__refuse_call(tuning);
}
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code) {
    char why[96];
    if (tuning) {
        const autotune_status status = autotune_cuda_status((CUresult)code);
        if (status == AUTOTUNE_FAILED) autotune__cuda_refuse_call(tuning);
        autotune__trial_failed(tuning, (int)status);
        return;
    }
    autotune__put_text(why, sizeof why, "%s (%d)", AUTOTUNE__CUDA_WORDS(code));
    autotune__hit_failed(site, slot, result, (int)autotune__cuda_status_of(code), why);
}
AUTOTUNE__END_COLD_CODE

/* ---- src/cuda/hit.h ------------------------------------------------------------------------------------------------
   The part of CUDA that a hit runs: CUDA(stream), and CUDA_LAUNCH if the list of the entry has the kernel. */

AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream) {
    autotune__cuda_context *context = autotune__cuda_here.context;
    CUcontext current = NULL;
    autotune__cuda_here.stream = stream;
    if (autotune__cuda_works()) autotune__driver.cuCtxGetCurrent_(&current);
    if (AUTOTUNE__LIKELY(current && context && context->common.handle == current)) return &context->common.backend;
    return autotune__cuda_backend_of(current, stream);
}

AUTOTUNE__API autotune_status autotune__cuda_launch(autotune__tuning *tuning, const uint64_t *values,
                                                    const autotune__cuda_call *call) {
    autotune__cuda_kernel *kernel = tuning ? NULL : autotune__cuda_listed(values, call);
    CUresult result = CUDA_ERROR_INVALID_CONTEXT;           /* launch_cold() makes the launch if it is no hit, if
                                                               its kernel is not listed, if its shared memory is
                                                               too large, or if the thread has no context */
    if (AUTOTUNE__LIKELY(kernel && call->shared <= kernel->most_shared))
        result = autotune__cuda_start_kernel(kernel, call, autotune__cuda_here.stream);
    if (AUTOTUNE__LIKELY(result == CUDA_SUCCESS)) return AUTOTUNE_OK;
    return result == CUDA_ERROR_INVALID_CONTEXT
               ? autotune__cuda_launch_cold(tuning, values, call)
               : autotune__launch_failed(&autotune__cuda_interface, "", (int)result);
}
AUTOTUNE__COLD_CODE

/* ---- src/cuda/at_work.h --------------------------------------------------------------------------------------------
   Notices that the call of a statement leaves work on the device, although the statement names no backend. */

/* Returns true if a context is current, and CUDA works. Without a current context the function does not start the
   driver: after cuInit() a child made by fork() cannot use CUDA. */
static bool autotune__cuda_has_context(void) {
    void *library = autotune__find_library("libcuda.so.1");
    CUresult (CUDAAPI *get_current)(CUcontext *context);
    CUcontext current = NULL;
    return library && !autotune__find_functions(library, "cuCtxGetCurrent\0", (void *)&get_current) &&
           get_current(&current) == CUDA_SUCCESS && current && autotune__cuda_works();
}
/* Returns "CUDA(stream)" if the current context has work, else NULL. The function records an event on the legacy
   stream. The event ends after the work of all streams except non-blocking streams. Without work the event ends within
   some microseconds, so the function waits for at most 20 us. While a stream is captured the function returns NULL,
   since a query of the event would end the capture. */
static const char *autotune__cuda_at_work(void) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUstreamCaptureStatus capture;
    CUresult result;
    CUevent event;
    if (!autotune__cuda_has_context() || cuda->cuThreadExchangeStreamCaptureMode_(&mode) != CUDA_SUCCESS) return NULL;
    result = cuda->cuStreamIsCapturing_(CU_STREAM_LEGACY, &capture);
    if (result == CUDA_SUCCESS) result = cuda->cuStreamQuery_(CU_STREAM_LEGACY);
    if (result == CUDA_SUCCESS && cuda->cuEventCreate_(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS) {
        const uint64_t until = autotune__monotonic_ns() + 20000;
        (void)cuda->cuEventRecord_(event, CU_STREAM_LEGACY);
        do result = cuda->cuEventQuery_(event);
        while (result == CUDA_ERROR_NOT_READY && autotune__monotonic_ns() < until);
        if (result == CUDA_ERROR_NOT_READY) result = cuda->cuEventQuery_(event);    /* this thread may have slept */
        cuda->cuEventDestroy_(event);
    }
    cuda->cuThreadExchangeStreamCaptureMode_(&mode);
    return result == CUDA_ERROR_NOT_READY ? autotune__cuda_interface.named : NULL;
}
static __attribute__((__constructor__(101))) void autotune__cuda_tell_of_work(void) {
    autotune__device_at_work = autotune__cuda_at_work;
}
AUTOTUNE__END_COLD_CODE

#endif  /* the implementation */
