/* The call site */
#pragma once
#include <cuda.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../site/hit.h"
#include "../site/lists.h"
#include "../site/values.h"

#define AUTOTUNE_CUDA(stream) autotune_cuda(autotune__cuda_named(stream))

/* CUDA_PROGRAM(text, option, ...)            a program as CUDA C++ source. Options are NVRTC's, 12 at most. The
                                              architecture is that of the device, unless an option says
                                              --gpu-architecture=...
   CUDA_PROGRAM_HEADERS(text, headers, option, ...)    the same, with headers in memory: an array that ends with one
                                              without a name, 64 at most.
   CUDA_PROGRAM_FILE(path, option, ...)       source in a file, read at its first launch. What it includes is looked for
                                              beside it.
   CUDA_PROGRAM_IMAGE(image)                  compiled: a cubin, a fatbin or PTX, which ends with a zero. The same for
                                              all values of axes.

   Each initialises an autotune_cuda_program, which must outlive the process's last launch.

   Each kernel of each configuration is loaded as a module of its own, once for each context, and modules that lost are
   unloaded at the end of the race. So __constant__ memory and __device__ variables are filled by a function of the
   program, before its first launch:

       static autotune_status fill(void *weights, CUmodule module) {
           return autotune_cuda_fill(module, "weights", weights, 256);
       }
       ...
       convolution.loaded = fill;
       convolution.user = weights;

   .loaded    is called for each module, with its context current, before any launch from it. What it returns but
              AUTOTUNE_OK fails the configuration. It must not contain a statement. Where a kernel reads __constant__
              memory that has no initialiser, and the program has no such function, one sentence says so: it reads
              zeros, in which all configurations agree.

   In source each axis is a macro: AXIS(TILE, 16, 32) compiles with -DTILE=16 and -DTILE=32. Numbers and bools are
   written as literals, strings as they are: AXIS(ELEMENT, "float", "double") names a type. Functions are left out. A
   macro meets whatever has its name, in CUDA's own headers too: capitals are safe. A configuration fails if an option
   of the program defines the name of an axis too.

   Two macros also tell the compiler what to aim at, as an axis or fixed by an option ("-DREGISTERS_PER_THREAD=64"); 0
   leaves it free.
   REGISTERS_PER_THREAD          at most so many, 255 at most: NVRTC's --maxrregcount, which then cannot be an option as
                                 well. What does not fit into them goes to local memory.
   BLOCKS_PER_MULTIPROCESSOR     at most as many registers as let so many blocks, 32 at most, of the threads that
                                 CUDA_LAUNCH names run at once on a multiprocessor. More than its threads allow are
                                 refused. Of both hints the lower number of registers counts. */
#define AUTOTUNE_CUDA_PROGRAM(...) AUTOTUNE__CUDA_PROGRAM(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CUDA_PROGRAM_HEADERS(...) AUTOTUNE__CUDA_PROGRAM_HEADERS(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CUDA_PROGRAM_FILE(...) AUTOTUNE__CUDA_PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CUDA_PROGRAM_IMAGE(image) \
    { AUTOTUNE__NULL, AUTOTUNE__NULL, AUTOTUNE__NULL, image, { AUTOTUNE__NULL }, AUTOTUNE__NULL, AUTOTUNE__NULL, \
      AUTOTUNE__NULL }

/* CUDA_LAUNCH(&program, name, threads, shared, argument, ...)    an expression of type CUresult, in the call or the
                                                                  body of a statement.
   Launches `blocks` blocks, which AUTOTUNE has in scope and the body of AUTOTUNE_BLOCK declares (autotune_grid blocks =
   GRID(x);).
   name     of the kernel. In source it is looked up as C++ does: "gemm", "space::gemm", or an instance of a template,
            "gemm<TILE, 4>". It may be an axis, and may end with the statement.
   threads  THREADS(x), THREADS(x, y), THREADS(x, y, z) or an integer: of a block. How the blocks are launched is
            wrapped around it, and may depend on axes:
            CLUSTER(threads, x), (threads, x, y), (threads, x, y, z)    in clusters of so many blocks, which the grid
                     must be a multiple of. Above 8 blocks the kernel is allowed the sizes that not every device has. 1
                     is a launch without clusters. Needs compute capability 9.0 and CUDA 11.8.
            COOPERATIVE(threads)    all blocks at once, so that the grid can synchronize. Needs CUDA 11.8.
            COOPERATIVE(CLUSTER(THREADS(256), 2)) is both. What the device cannot have is refused before the launch,
            with the numbers.
   shared   SHARED(bytes) of dynamic shared memory. A type of its own, so that what is left out is not taken from the
            kernel's arguments.
   argument of the kernel, 60 at most; passed as the type it has here: an int for an int, a float and no double
            for a float. Their number and sizes are checked where the driver tells them (CUDA 12.4).
   On what is no configuration's fault (no CUDA backend, no NVRTC) it returns an error of the environment, and tuning
   ends. */
#define AUTOTUNE_CUDA_LAUNCH(program, name, threads, ...) AUTOTUNE__CUDA_LAUNCH(program, name, threads, __VA_ARGS__, 0)
#define AUTOTUNE_CUDA_THREADS(...) AUTOTUNE_GRID(__VA_ARGS__)
#define AUTOTUNE_CUDA_CLUSTER(threads, ...) \
    autotune__cuda_clustered(AUTOTUNE__CUDA_SHAPE_OF(threads), AUTOTUNE_GRID(__VA_ARGS__))
#define AUTOTUNE_CUDA_COOPERATIVE(threads) autotune__cuda_cooperative(AUTOTUNE__CUDA_SHAPE_OF(threads))
#define AUTOTUNE_CUDA_SHARED(bytes) autotune__cuda_shared_bytes(AUTOTUNE__AS(size_t, bytes))

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define CUDA(stream) AUTOTUNE_CUDA(stream)
#define CUDA_PROGRAM(...) AUTOTUNE_CUDA_PROGRAM(__VA_ARGS__)
#define CUDA_PROGRAM_HEADERS(...) AUTOTUNE_CUDA_PROGRAM_HEADERS(__VA_ARGS__)
#define CUDA_PROGRAM_FILE(...) AUTOTUNE_CUDA_PROGRAM_FILE(__VA_ARGS__)
#define CUDA_PROGRAM_IMAGE(image) AUTOTUNE_CUDA_PROGRAM_IMAGE(image)
#define CUDA_LAUNCH(program, name, threads, ...) AUTOTUNE_CUDA_LAUNCH(program, name, threads, __VA_ARGS__)
#define THREADS(...) AUTOTUNE_CUDA_THREADS(__VA_ARGS__)
#define CLUSTER(threads, ...) AUTOTUNE_CUDA_CLUSTER(threads, __VA_ARGS__)
#define COOPERATIVE(threads) AUTOTUNE_CUDA_COOPERATIVE(threads)
#define SHARED(bytes) AUTOTUNE_CUDA_SHARED(bytes)
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { AUTOTUNE_CUDA_MAX_OPTIONS = 12 };
typedef struct autotune_cuda_header { const char *name, *text; } autotune_cuda_header;      /* as #include names it */
typedef struct autotune_cuda_program {
    const char *text;                           /* one of these three */
    const char *file;
    const autotune_cuda_header *headers;        /* of a text; NULL: none */
    const void *image;
    const char *options[AUTOTUNE_CUDA_MAX_OPTIONS + 1];     /* up to the first NULL */
    struct autotune__cuda_source *source;       /* what was made of it */
    autotune_status (*loaded)(void *user, CUmodule module);     /* NULL: nothing is called; see below */
    void *user;
} autotune_cuda_program;
typedef struct autotune_cuda_shape {            /* what CLUSTER and COOPERATIVE give: how a kernel is launched */
    autotune_grid threads, cluster;             /* of a block; blocks of a cluster */
    unsigned attributes;                        /* that the launch has; 0: a plain one */
} autotune_cuda_shape;
typedef struct autotune_cuda_shared { size_t bytes; } autotune_cuda_shared;     /* what SHARED gives */
enum { AUTOTUNE__CUDA_CLUSTERED = 1, AUTOTUNE__CUDA_COOPERATIVE = 2 };

/* What CUDA(stream) calls: the backend of the current context, and the stream for what this thread launches next. Never
   NULL; where CUDA does not work, a backend whose statements end with AUTOTUNE_ERR_ENVIRONMENT. Any thread. */
AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream);

/* For the launch function of a created tuner, whose verdict is an autotune_status: return
   autotune_cuda_status(cuLaunchKernel(...)). Tells the trial the reason. Any thread. */
AUTOTUNE__API autotune_status autotune_cuda_status(CUresult result);

/* Copies bytes from data, in host memory, to a __constant__ or __device__ variable of a module; for the .loaded of a
   program. The variable's name is as the module has it: declare it outside namespaces, and not static. Not AUTOTUNE_OK,
   with the reason, where it has fewer bytes, or the module has no such variable, which is also so where the compiler
   found that the kernel does not use it. */
AUTOTUNE__API autotune_status autotune_cuda_fill(CUmodule module, const char *name, const void *data, size_t bytes);

/* The nanoseconds that no kernel on the current context's device (without one, device 0) can be expected to beat if it
   moves so many bytes between the caches and memory and makes so many floating-point operations in single precision, a
   multiply-add counting as two:

       .stop_at_ns = 1.05 * autotune_roofline(3.0 * n * sizeof(float), 2.0 * n)

   The peaks are measured at the first call for each device, and kept for the process: copies from the device to itself,
   and multiply-adds of a kernel that NVRTC compiles; without NVRTC, the number of multiprocessors and their clock tell.
   That takes a tenth of a second, and for this time memory of eight times the second-level cache, 32 MiB at least; what
   else runs on the device then spoils it. Faster than this can be what the caches already hold, what is computed in
   half precision, and tensor cores. 0, which stops nothing, where CUDA does not work, the peaks cannot be measured, the
   legacy stream is captured, or an argument is negative or no number. Any thread. */
/* so that a hit leaves it out */
AUTOTUNE__API double autotune_roofline(double bytes, double operations) __attribute__((__pure__));

typedef struct autotune__cuda_call {            /* what CUDA_LAUNCH was given */
    autotune_cuda_program *program;
    const char *name;
    autotune_grid blocks;
    autotune_cuda_shape shape;
    size_t shared;                              /* bytes */
    void **arguments;
    const unsigned short *sizes;                /* of the arguments, in bytes */
    size_t count;                               /* of arguments */
} autotune__cuda_call;
/* tuning: NULL on a hit. values: of the configuration, and behind them the word in which its kernels are found. */
AUTOTUNE__API CUresult autotune__cuda_launch(autotune__tuning *tuning, const uint64_t *values,
                                             const autotune__cuda_call *call);
/* What a call's CUresult comes to when it is no success. As with AUTOTUNE__NO_ENTRY the linker says its name. */
#define AUTOTUNE__CUDA_FAILED autotune__define_AUTOTUNE_CUDA_IMPLEMENTATION_in_one_file
AUTOTUNE__COLD void AUTOTUNE__CUDA_FAILED(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code);

/* NULL is another stream in files that are compiled for per-thread default streams. */
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
AUTOTUNE__INLINE autotune_cuda_shared autotune__cuda_shared_bytes(size_t size) {
    const autotune_cuda_shared shared = { size };
    return shared;
}
#define AUTOTUNE__CUDA_NOT_SHARED \
    "CUDA_LAUNCH(&program, name, threads, shared, argument, ...): shared is SHARED(bytes), SHARED(0) for none"
AUTOTUNE__INLINE void autotune__cuda_take_status(const autotune__run *run, int code) {
    if (!AUTOTUNE__LIKELY(code == CUDA_SUCCESS))
        AUTOTUNE__CUDA_FAILED(run->tuning, run->site, run->slot, run->result, code);
}

#ifdef __cplusplus
}   /* extern "C" */
#endif

#ifdef __cplusplus
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, CUresult code) {
    autotune__cuda_take_status(launcher.run, code);
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
template <class... T>
AUTOTUNE__INLINE CUresult autotune__cuda_pass(const autotune__run *run, autotune_cuda_program *program,
                                              const char *name, autotune_grid blocks, autotune_cuda_shape shape,
                                              size_t shared, T... argument) {
    void *arguments[] = { const_cast<void *>(static_cast<const void *>(&argument))... };
    static constexpr unsigned short sizes[] = { static_cast<unsigned short>(sizeof(T))... };
    const autotune__cuda_call call = { program, name, blocks, shape, shared, arguments, sizes, sizeof...(T) - 1 };
    return autotune__cuda_launch(run->tuning, run->slot, &call);
}
#define AUTOTUNE__CUDA_LAUNCH(program, name, threads, shared, ...) \
    autotune__cuda_pass(autotune__this, program, name, blocks, AUTOTUNE__CUDA_SHAPE_OF(threads), \
                        autotune__cuda_bytes_of(shared), __VA_ARGS__)
#else
/* Arguments lie in structs of one member, which even a struct may initialise. The last one is none: it lets the list be
   empty. */
#define AUTOTUNE__CUDA_LAUNCH(program, name, threads, shared, ...) \
    autotune__cuda_launch(autotune__this->tuning, autotune__this->slot, (const autotune__cuda_call[]){ { \
        program, name, blocks, AUTOTUNE__CUDA_SHAPE_OF(threads), AUTOTUNE__CUDA_BYTES_OF(shared), \
        (void *[]){ AUTOTUNE__EACH(AUTOTUNE__CUDA_ARGUMENT, ~, __VA_ARGS__) }, \
        (const unsigned short[]){ AUTOTUNE__EACH(AUTOTUNE__CUDA_SIZE, ~, __VA_ARGS__) }, \
        AUTOTUNE__COUNT(__VA_ARGS__) - 1 } })
/* What is not of the type becomes 0, so that the sentence stands alone. */
#define AUTOTUNE__CUDA_BYTES_OF(shared) \
    (__extension__({ AUTOTUNE__DEMAND(_Generic((shared), autotune_cuda_shared: 1, default: 0), \
                                      AUTOTUNE__CUDA_NOT_SHARED); }), \
     _Generic((shared), autotune_cuda_shared: (shared), default: autotune__cuda_shared_bytes(0)).bytes)
#define AUTOTUNE__CUDA_ARGUMENT(c, left, v) (void *)&(struct { AUTOTUNE__TYPE(v) value; }){ v },
#define AUTOTUNE__CUDA_SIZE(c, left, v) sizeof(AUTOTUNE__TYPE(v)),
#define AUTOTUNE__CUDA_SHAPE_OF(threads) _Generic((threads), autotune_cuda_shape: autotune__cuda_shape_same, \
    autotune_grid: autotune__cuda_shape_grid, \
    AUTOTUNE__BY_SIGN(autotune__cuda_shape_signed, autotune__cuda_shape_unsigned))(threads)
#undef AUTOTUNE__IS_BACKEND_STATUS
#undef AUTOTUNE__TAKE_STATUS
#define AUTOTUNE__IS_BACKEND_STATUS(t) _Generic((t), CUresult *: 1, default: 0)
#define AUTOTUNE__TAKE_STATUS(t) _Generic((t), CUresult *: autotune__cuda_take_status, default: autotune__take_status)
#endif
#define AUTOTUNE__CUDA_PROGRAM(text, ...) \
    { text, AUTOTUNE__NULL, AUTOTUNE__NULL, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL, AUTOTUNE__NULL, \
      AUTOTUNE__NULL }
#define AUTOTUNE__CUDA_PROGRAM_HEADERS(text, headers, ...) \
    { text, AUTOTUNE__NULL, headers, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL, AUTOTUNE__NULL, AUTOTUNE__NULL }
#define AUTOTUNE__CUDA_PROGRAM_FILE(path, ...) \
    { AUTOTUNE__NULL, path, AUTOTUNE__NULL, AUTOTUNE__NULL, { __VA_ARGS__ }, AUTOTUNE__NULL, AUTOTUNE__NULL, \
      AUTOTUNE__NULL }
