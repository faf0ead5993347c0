/* The part of CUDA that programs see: its macros and functions at a call site. */
#pragma once
#include <cuda.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../kernels/site.h"

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
