/* autotune_cuda.h - tuning of CUDA launches: one backend for autotune.h, over the CUDA Driver API

   Name the stream as the backend of a statement, and its launches are timed on the device, with caches cold, by events on that
   stream; buffers that options name are device memory:

       #include "autotune_cuda.h"

       AUTOTUNE(SPACE(AXIS(block, 64, 128, 256, 512, 1024)), cld(n, block),
                cuLaunchKernel(saxpy, blocks.x, 1, 1, block, 1, 1, 0, stream, arguments, NULL),
                .backend = CUDA(stream), .key = KEY(n), .restore = BUFFERS({(void *)y, n * sizeof(float)}));

   and in exactly one file of the program, C or C++:

       #define AUTOTUNE_CUDA_IMPLEMENTATION          the bodies of this header and of autotune.h
       #include "autotune_cuda.h"

   CUDA(stream)   the backend. 0 is the default stream: the legacy one, or the thread's own where the file is compiled with
                  CUDA_API_PER_THREAD_DEFAULT_STREAM. The stream is no part of the key. The context is the thread's current one; without
                  one the stream's, or the primary context of device 0, is made current while the statement tunes.
   the call       any expression that launches on that stream: cuLaunchKernel, cuLaunchKernelEx, a function of your own that launches
                  several kernels. If its type is CUresult it is a verdict, as autotune_status is: anything but CUDA_SUCCESS fails the
                  configuration. Errors that show only when the kernel has run fail it too.

   Good to know

   * Winners are kept for each device: its name, compute capability, multiprocessors, memory and driver. Contexts on equal devices share
     them.
   * Caches are cold by default: before each trial launch a buffer of twice the second-level cache is overwritten. It is kept for the next
     time. .cache_state = AUTOTUNE_HOT times batches instead.
   * While the stream is captured nothing is tuned: the known winner is launched, or the first configuration, and nothing else is done.
   * A configuration that cannot be launched is data. An error after which CUDA works no more in this context (an illegal address, an
     assertion), or a launch that does not end within .launch_timeout, stops tuning: the sentence names the configuration, no call is
     made, and no later statement touches that context again.
   * libcuda.so.1 is opened when the first statement needs it. Without it, without a device, or with a driver older than CUDA 11.3, a
     statement ends with AUTOTUNE_ERR_ENVIRONMENT and one sentence; tuning on the CPU is not affected.
   * A child process made by fork cannot use CUDA unless it calls exec.

   Needs: cuda.h of the CUDA Toolkit to compile, and dlopen (-ldl with C libraries older than glibc 2.34). Nothing of CUDA to link with.

   MIT License, as autotune.h. */
#ifndef AUTOTUNE_CUDA_H
#define AUTOTUNE_CUDA_H

#if defined AUTOTUNE_CUDA_IMPLEMENTATION && !defined AUTOTUNE_IMPLEMENTATION
#define AUTOTUNE_IMPLEMENTATION
#endif
#include "autotune.h"
#include <cuda.h>

/* ---------------------------------------------------------------------------------------------------------------------------------
   The call site
   --------------------------------------------------------------------------------------------------------------------------------- */

#define AUTOTUNE_CUDA(stream) autotune_cuda(autotune__cuda_named(stream))
#ifndef AUTOTUNE_NO_SHORT_NAMES
#define CUDA(stream) AUTOTUNE_CUDA(stream)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What CUDA(stream) calls: the backend of the current context, and the stream for what this thread launches next. Never NULL; where CUDA
   does not work, a backend whose statements end with AUTOTUNE_ERR_ENVIRONMENT. Any thread. */
AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream);

AUTOTUNE__COLD void autotune__cuda_failed(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code);

/* NULL is another stream in files that are compiled for per-thread default streams. */
AUTOTUNE__INLINE CUstream autotune__cuda_named(CUstream stream) {
#if defined CUDA_API_PER_THREAD_DEFAULT_STREAM || defined __CUDA_API_PER_THREAD_DEFAULT_STREAM
    return stream ? stream : CU_STREAM_PER_THREAD;
#else
    return stream ? stream : CU_STREAM_LEGACY;
#endif
}
AUTOTUNE__INLINE void autotune__cuda_verdict(const autotune__run *run, int code) {
    if (!AUTOTUNE__LIKELY(code == CUDA_SUCCESS)) autotune__cuda_failed(run->tuning, run->site, run->slot, run->result, code);
}

#ifdef __cplusplus
}   /* extern "C" */
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, CUresult code) { autotune__cuda_verdict(launcher.run, code); }
#else
#undef AUTOTUNE__IS_BACKEND_VERDICT
#undef AUTOTUNE__TAKE_VERDICT
#define AUTOTUNE__IS_BACKEND_VERDICT(t) _Generic((t), CUresult *: 1, default: 0)
#define AUTOTUNE__TAKE_VERDICT(t) _Generic((t), CUresult *: autotune__cuda_verdict, default: autotune__verdict)
#endif

#endif  /* AUTOTUNE_CUDA_H */

/* =================================================================================================================================
   Implementation: errors, the driver, contexts, what a statement does with its context, the verdict of a call
   ================================================================================================================================= */
#if (defined AUTOTUNE_CUDA_IMPLEMENTATION || defined AUTOTUNE_STATIC) && !defined AUTOTUNE__CUDA_IMPLEMENTED
#define AUTOTUNE__CUDA_IMPLEMENTED

#ifndef AUTOTUNE__IMPLEMENTED
#error "autotune_cuda.h: define AUTOTUNE_CUDA_IMPLEMENTATION in the file that defines AUTOTUNE_IMPLEMENTATION, or there alone"
#endif

#include <dlfcn.h>

/* ---------------------------------------------------------------------------------------------------------------------------------
   Errors. Names are ours: a stub library knows none. What is not listed fails the configuration.
   --------------------------------------------------------------------------------------------------------------------------------- */

typedef enum autotune__cuda_class {
    AUTOTUNE__CUDA_CONFIGURATION,               /* this configuration does not work */
    AUTOTUNE__CUDA_ENVIRONMENT,                 /* CUDA does not work here, or not now: a capture has begun */
    AUTOTUNE__CUDA_STICKY                       /* and from now on nothing in this context will, in this process */
} autotune__cuda_class;

#define AUTOTUNE__CUDA_ERRORS(X) \
    X(1, INVALID_VALUE, CONFIGURATION) X(2, OUT_OF_MEMORY, CONFIGURATION) X(200, INVALID_IMAGE, CONFIGURATION) \
    X(209, NO_BINARY_FOR_GPU, CONFIGURATION) X(218, INVALID_PTX, CONFIGURATION) X(222, UNSUPPORTED_PTX_VERSION, CONFIGURATION) \
    X(400, INVALID_HANDLE, CONFIGURATION) X(500, NOT_FOUND, CONFIGURATION) X(701, LAUNCH_OUT_OF_RESOURCES, CONFIGURATION) \
    X(720, COOPERATIVE_LAUNCH_TOO_LARGE, CONFIGURATION) X(801, NOT_SUPPORTED, CONFIGURATION) \
    X(912, INVALID_CLUSTER_SIZE, CONFIGURATION) \
    X(3, NOT_INITIALIZED, ENVIRONMENT) X(34, STUB_LIBRARY, ENVIRONMENT) X(36, CALL_REQUIRES_NEWER_DRIVER, ENVIRONMENT) \
    X(46, DEVICE_UNAVAILABLE, ENVIRONMENT) X(100, NO_DEVICE, ENVIRONMENT) X(101, INVALID_DEVICE, ENVIRONMENT) \
    X(201, INVALID_CONTEXT, ENVIRONMENT) X(221, JIT_COMPILER_NOT_FOUND, ENVIRONMENT) X(600, NOT_READY, ENVIRONMENT) \
    X(802, SYSTEM_NOT_READY, ENVIRONMENT) X(803, SYSTEM_DRIVER_MISMATCH, ENVIRONMENT) \
    X(804, COMPAT_NOT_SUPPORTED_ON_DEVICE, ENVIRONMENT) X(900, STREAM_CAPTURE_UNSUPPORTED, ENVIRONMENT) \
    X(901, STREAM_CAPTURE_INVALIDATED, ENVIRONMENT) X(902, STREAM_CAPTURE_MERGE, ENVIRONMENT) \
    X(903, STREAM_CAPTURE_UNMATCHED, ENVIRONMENT) X(904, STREAM_CAPTURE_UNJOINED, ENVIRONMENT) \
    X(905, STREAM_CAPTURE_ISOLATION, ENVIRONMENT) X(906, STREAM_CAPTURE_IMPLICIT, ENVIRONMENT) \
    X(907, CAPTURED_EVENT, ENVIRONMENT) X(908, STREAM_CAPTURE_WRONG_THREAD, ENVIRONMENT) \
    X(4, DEINITIALIZED, STICKY) X(214, ECC_UNCORRECTABLE, STICKY) X(220, NVLINK_UNCORRECTABLE, STICKY) X(226, CONTAINED, STICKY) \
    X(700, ILLEGAL_ADDRESS, STICKY) X(702, LAUNCH_TIMEOUT, STICKY) X(709, CONTEXT_IS_DESTROYED, STICKY) X(710, ASSERT, STICKY) \
    X(714, HARDWARE_STACK_ERROR, STICKY) X(715, ILLEGAL_INSTRUCTION, STICKY) X(716, MISALIGNED_ADDRESS, STICKY) \
    X(717, INVALID_ADDRESS_SPACE, STICKY) X(718, INVALID_PC, STICKY) X(719, LAUNCH_FAILED, STICKY) X(721, TENSOR_MEMORY_LEAK, STICKY) \
    X(810, MPS_CLIENT_TERMINATED, STICKY) X(911, EXTERNAL_DEVICE, STICKY) X(999, UNKNOWN, STICKY)

static autotune__cuda_class autotune__cuda_class_of(int code) {
    switch (code) {
#define AUTOTUNE__CUDA_ERROR(number, name, class_) case number: return AUTOTUNE__CUDA_##class_;
    AUTOTUNE__CUDA_ERRORS(AUTOTUNE__CUDA_ERROR)
#undef AUTOTUNE__CUDA_ERROR
    default: return AUTOTUNE__CUDA_CONFIGURATION;
    }
}
static const char *autotune__cuda_error_name(int code) {
    switch (code) {
#define AUTOTUNE__CUDA_ERROR(number, name, class_) case number: return "CUDA_ERROR_" #name;
    AUTOTUNE__CUDA_ERRORS(AUTOTUNE__CUDA_ERROR)
#undef AUTOTUNE__CUDA_ERROR
    default: return "CUDA error";
    }
}

/* Why the launch, or the preparation, of the statement that runs in this thread failed. The first reason counts. */
static __attribute__((__format__(__printf__, 1, 2))) void autotune__explain(const char *format, ...) {
    autotune__work *work = autotune__current;
    va_list list;
    if (!work || (work->why.at && *work->why.at)) return;
    va_start(list, format);
    autotune__append_list(&work->why, format, list);
    va_end(list);
}

/* ---------------------------------------------------------------------------------------------------------------------------------
   The driver, opened at run time. Every function is asked for by the version in which it got the signature that stands here, so that
   neither a newer header nor a newer driver changes what is called.
   --------------------------------------------------------------------------------------------------------------------------------- */

#define AUTOTUNE__CUDA_FUNCTIONS(X) \
    X(cuInit, 2000, (unsigned flags)) \
    X(cuDriverGetVersion, 2020, (int *version)) \
    X(cuDeviceGetCount, 2000, (int *count)) \
    X(cuDeviceGet, 2000, (CUdevice *device, int ordinal)) \
    X(cuDeviceGetName, 2000, (char *name, int bytes, CUdevice device)) \
    X(cuDeviceTotalMem, 3020, (size_t *bytes, CUdevice device)) \
    X(cuDeviceGetAttribute, 2000, (int *value, CUdevice_attribute attribute, CUdevice device)) \
    X(cuDevicePrimaryCtxRetain, 7000, (CUcontext *context, CUdevice device)) \
    X(cuCtxGetCurrent, 4000, (CUcontext *context)) \
    X(cuCtxGetDevice, 2000, (CUdevice *device)) \
    X(cuCtxPushCurrent, 4000, (CUcontext context)) \
    X(cuCtxPopCurrent, 4000, (CUcontext *context)) \
    X(cuStreamGetCtx, 9020, (CUstream stream, CUcontext *context)) \
    X(cuStreamIsCapturing, 10000, (CUstream stream, CUstreamCaptureStatus *status)) \
    X(cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode *mode)) \
    X(cuStreamSynchronize, 2000, (CUstream stream)) \
    X(cuEventCreate, 2000, (CUevent *event, unsigned flags)) \
    X(cuEventDestroy, 4000, (CUevent event)) \
    X(cuEventRecord, 2000, (CUevent event, CUstream stream)) \
    X(cuEventQuery, 2000, (CUevent event)) \
    X(cuEventElapsedTime, 2000, (float *milliseconds, CUevent start, CUevent stop)) \
    X(cuMemAlloc, 3020, (CUdeviceptr *memory, size_t bytes)) \
    X(cuMemFree, 3020, (CUdeviceptr memory)) \
    X(cuMemcpyAsync, 4000, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
    X(cuMemsetD8Async, 3020, (CUdeviceptr memory, unsigned char byte, size_t count, CUstream stream)) \
    X(cuMemsetD32Async, 3020, (CUdeviceptr memory, unsigned word, size_t count, CUstream stream))
/* In drivers of CUDA 12.0 and later. */
#define AUTOTUNE__CUDA_NEW_FUNCTIONS(X) \
    X(cuCtxGetId, 12000, (CUcontext context, unsigned long long *id))

/* Members end in an underscore: cuda.h has macros by the functions' own names. */
static struct autotune__cuda_driver {
#define AUTOTUNE__CUDA_FUNCTION(name, version, parameters) CUresult (CUDAAPI *name##_) parameters;
    AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
    AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
#undef AUTOTUNE__CUDA_FUNCTION
    int version;                                /* as 13000 for 13.0 */
    char problem[256];                          /* why CUDA does not work here; "" if it does */
} autotune__cuda;

typedef CUresult (CUDAAPI *autotune__cuda_lookup)(const char *name, void **function, int version, cuuint64_t flags, void *status);
typedef CUresult (CUDAAPI *autotune__cuda_lookup_v1)(const char *name, void **function, int version, cuuint64_t flags);

/* The address of a function of the driver into a member; false: the driver does not have it. */
static bool autotune__cuda_find(void *library, const char *name, int version, void *member) {
    void *symbol = dlsym(library, "cuGetProcAddress_v2"), *function = NULL;
    autotune__cuda_lookup lookup = NULL;
    autotune__cuda_lookup_v1 lookup_v1 = NULL;
    CUresult result = CUDA_ERROR_NOT_FOUND;
    if (symbol) {
        memcpy(&lookup, &symbol, sizeof lookup);                    /* ISO C has no cast from void * to a function */
        result = lookup(name, &function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, NULL);
    } else if ((symbol = dlsym(library, "cuGetProcAddress"))) {     /* 11.3 to 11.8 */
        memcpy(&lookup_v1, &symbol, sizeof lookup_v1);
        result = lookup_v1(name, &function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
    }
    if (result != CUDA_SUCCESS || !function) return false;
    memcpy(member, &function, sizeof function);
    return true;
}
static void autotune__cuda_open_driver(void) {
    struct autotune__cuda_driver *cuda = &autotune__cuda;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "cuInit") : NULL;
    const char *missing = NULL;
    int count = 0, result;
    if (!symbol) {
        snprintf(cuda->problem, sizeof cuda->problem, "CUDA is not available: libcuda.so.1, which NVIDIA's driver installs, was not found");
        return;
    }
    memcpy(&cuda->cuInit_, &symbol, sizeof symbol);
    result = (int)cuda->cuInit_(0);
    if (result == CUDA_ERROR_STUB_LIBRARY) {
        snprintf(cuda->problem, sizeof cuda->problem, "CUDA is not available: libcuda.so.1 is the toolkit's stub for linking: "
                 "take its folder out of LD_LIBRARY_PATH, or install NVIDIA's driver");
        return;
    }
    if (result != CUDA_SUCCESS) {
        snprintf(cuda->problem, sizeof cuda->problem, "CUDA is not available: cuInit: %s (%d)%s", autotune__cuda_error_name(result), result,
                 result == CUDA_ERROR_NO_DEVICE ? ": no GPU is visible; CUDA_VISIBLE_DEVICES may hide it" : "");
        return;
    }
#define AUTOTUNE__CUDA_FUNCTION(name, version, parameters) \
    if (!autotune__cuda_find(library, #name, version, (void *)&cuda->name##_) && !missing) missing = #name;
    AUTOTUNE__CUDA_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
#undef AUTOTUNE__CUDA_FUNCTION
#define AUTOTUNE__CUDA_FUNCTION(name, version, parameters) (void)autotune__cuda_find(library, #name, version, (void *)&cuda->name##_);
    AUTOTUNE__CUDA_NEW_FUNCTIONS(AUTOTUNE__CUDA_FUNCTION)
#undef AUTOTUNE__CUDA_FUNCTION
    if (missing)
        snprintf(cuda->problem, sizeof cuda->problem, "CUDA is not available: the driver lacks %s: one for CUDA 11.3 or later is needed",
                 missing);
    else if (cuda->cuDriverGetVersion_(&cuda->version) != CUDA_SUCCESS || cuda->cuDeviceGetCount_(&count) != CUDA_SUCCESS || !count)
        snprintf(cuda->problem, sizeof cuda->problem, "CUDA is not available: no GPU is visible; CUDA_VISIBLE_DEVICES may hide it");
}
static bool autotune__cuda_works(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, autotune__cuda_open_driver);
    return !*autotune__cuda.problem;
}

/* ---------------------------------------------------------------------------------------------------------------------------------
   Contexts: what is kept for each, and never freed. Its backend is what CUDA(stream) gives while it is current, so that a hit compares
   contexts by comparing backends.
   --------------------------------------------------------------------------------------------------------------------------------- */

typedef struct autotune__cuda_context {
    autotune_backend backend;                   /* first */
    CUcontext handle;                           /* NULL: CUDA does not work here */
    unsigned long long id;                      /* a later context may have the same address */
    char device[224];                           /* in words */
    CUdeviceptr flushed;                        /* memory that is overwritten to empty the second-level cache */
    size_t flushed_bytes;
    const char *lost;                           /* why nothing may be done with it any more; NULL: it works */
    struct autotune__cuda_context *next;
} autotune__cuda_context;

static pthread_mutex_t autotune__cuda_lock = PTHREAD_MUTEX_INITIALIZER;     /* of the list */
static autotune__cuda_context *autotune__cuda_contexts;
static __thread struct { autotune__cuda_context *context; CUstream stream; } autotune__cuda_here;     /* of CUDA(stream), the last */

static autotune_backend *autotune__cuda_open(autotune_backend *self, const autotune_options *options);
static autotune_backend autotune__cuda_backend(const char *device);

static int autotune__cuda_attribute(CUdevice device, CUdevice_attribute attribute) {        /* 0: the driver does not tell */
    int value = 0;
    return autotune__cuda.cuDeviceGetAttribute_(&value, attribute, device) == CUDA_SUCCESS ? value : 0;
}
static void autotune__cuda_describe(autotune__cuda_context *context, CUdevice device) {
    const int version = autotune__cuda.version;
    char name[128] = "CUDA device";
    size_t bytes = 0;
    autotune__cuda.cuDeviceGetName_(name, sizeof name, device);
    autotune__cuda.cuDeviceTotalMem_(&bytes, device);
    context->flushed_bytes = 2 * (size_t)autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    snprintf(context->device, sizeof context->device, "%s, compute %d.%d, %d SMs, %lu MiB, driver %d.%d", name,
             autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
             autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
             autotune__cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), (unsigned long)(bytes >> 20),
             version / 1000, version % 1000 / 10);
}
static unsigned long long autotune__cuda_id(CUcontext handle) {     /* 0: an older driver gives none */
    unsigned long long id = 0;
    return autotune__cuda.cuCtxGetId_ && autotune__cuda.cuCtxGetId_(handle, &id) == CUDA_SUCCESS ? id : 0;
}
/* Found or made; NULL: no memory, or the context is no longer valid. */
static autotune__cuda_context *autotune__cuda_context_of(CUcontext handle) {
    const struct autotune__cuda_driver *cuda = &autotune__cuda;
    const unsigned long long id = autotune__cuda_id(handle);
    autotune__cuda_context *context;
    CUcontext popped;
    CUdevice device;
    pthread_mutex_lock(&autotune__cuda_lock);
    for (context = autotune__cuda_contexts; context && (context->handle != handle || context->id != id); context = context->next) {}
    if (!context && (context = (autotune__cuda_context *)autotune__allocate(sizeof *context))) {
        if (cuda->cuCtxPushCurrent_(handle) != CUDA_SUCCESS || cuda->cuCtxGetDevice_(&device) != CUDA_SUCCESS) {
            autotune__free(context);
            context = NULL;
        } else {
            autotune__cuda_describe(context, device);
            context->backend = autotune__cuda_backend(context->device);
            context->handle = handle;
            context->id = id;
            context->next = autotune__cuda_contexts;
            autotune__cuda_contexts = context;
            cuda->cuCtxPopCurrent_(&popped);
        }
    }
    pthread_mutex_unlock(&autotune__cuda_lock);
    return context;
}
/* Where no context is current: the stream's own, or the primary context of device 0, which is then kept for as long as the process lives. */
static CUcontext autotune__cuda_other_context(CUstream stream) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static CUcontext primary;
    const bool own = stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    CUcontext handle = NULL;
    CUdevice device;
    if (own) return autotune__cuda.cuStreamGetCtx_(stream, &handle) == CUDA_SUCCESS ? handle : NULL;
    pthread_mutex_lock(&one_at_a_time);
    if (!primary && (autotune__cuda.cuDeviceGet_(&device, 0) != CUDA_SUCCESS ||
                     autotune__cuda.cuDevicePrimaryCtxRetain_(&primary, device) != CUDA_SUCCESS)) primary = NULL;
    handle = primary;
    pthread_mutex_unlock(&one_at_a_time);
    return handle;
}
static __attribute__((__cold__, __noinline__)) autotune_backend *autotune__cuda_backend_of(CUcontext current, CUstream stream) {
    static autotune__cuda_context nowhere;
    const CUcontext handle = current || !autotune__cuda_works() ? current : autotune__cuda_other_context(stream);
    autotune__cuda_context *context = handle ? autotune__cuda_context_of(handle) : NULL;
    if (context && current) autotune__cuda_here.context = context;
    if (context) return &context->backend;
    pthread_mutex_lock(&autotune__cuda_lock);
    if (!nowhere.backend.device) nowhere.backend = autotune__cuda_backend("cuda");
    pthread_mutex_unlock(&autotune__cuda_lock);
    return &nowhere.backend;
}
AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream) {
    CUcontext current = NULL;
    autotune__cuda_here.stream = stream;
    if (autotune__cuda_works()) autotune__cuda.cuCtxGetCurrent_(&current);
    if (AUTOTUNE__LIKELY(current && autotune__cuda_here.context && autotune__cuda_here.context->handle == current))
        return &autotune__cuda_here.context->backend;
    return autotune__cuda_backend_of(current, stream);
}

/* ---------------------------------------------------------------------------------------------------------------------------------
   A session: one statement that is no hit, and what it does with its context
   --------------------------------------------------------------------------------------------------------------------------------- */

typedef struct autotune__cuda_session {
    autotune_backend backend;                   /* first */
    autotune__cuda_context *context;
    CUstream stream;
    CUevent begun, ended;                       /* around launches; NULL before the race */
    double timeout_ns;
    bool pushed, relaxed;                       /* to be undone at its end */
    CUstreamCaptureMode capture_mode;           /* of the thread, before */
} autotune__cuda_session;
static autotune__cuda_session *autotune__cuda_session_of(autotune_backend *opened) {
    return (autotune__cuda_session *)(void *)opened;
}

static autotune_backend *autotune__cuda_open(autotune_backend *self, const autotune_options *options) {
    autotune__cuda_session *session = (autotune__cuda_session *)autotune__allocate(sizeof *session);
    autotune__cuda_context *context = (autotune__cuda_context *)(void *)self, *now = context;
    if (!session) return NULL;
    if (context->handle && !(now = autotune__cuda_context_of(context->handle))) now = context;
    if (now != context) autotune__cuda_here.context = NULL;         /* another context took the address: CUDA(stream) looks again */
    session->backend = now->backend;
    session->context = now;
    session->stream = autotune__cuda_here.stream;
    session->timeout_ns = 1e9 * (options->launch_timeout > 0 ? options->launch_timeout : 10);
    return &session->backend;
}
static const char *autotune__cuda_lost(const autotune__cuda_session *session) {
    return __atomic_load_n(&session->context->lost, __ATOMIC_ACQUIRE);
}

/* Nothing is done with this context again. Its memory stays: what runs on the device may still use it. */
static void autotune__cuda_lose(autotune__cuda_session *session, const char *why) {
    autotune__work *work = autotune__current;
    autotune__text text = { NULL, false };
    const char *lost;
    if (autotune__cuda_lost(session)) return;
    autotune__append(&text, "the device can no longer be used in this process");
    if (work && work->phase == AUTOTUNE__TRYING) {
        autotune__append(&text, ", since ");
        autotune__append_statement(&text, work);
        autotune__append(&text, " tried ");
        autotune__append_point(&text, &work->space, work->request.index);
    }
    autotune__append(&text, " (%s)", why);
    lost = autotune__copy_string(autotune__string(&text));
    __atomic_store_n(&session->context->lost, lost ? lost : "the device can no longer be used in this process", __ATOMIC_RELEASE);
    autotune__free_text(&text);
}
/* The status of an answer of the driver, with its reason. */
static autotune_status autotune__cuda_status(autotune__cuda_session *session, const char *function, CUresult result) {
    const int code = (int)result;
    char why[128];
    if (AUTOTUNE__LIKELY(code == CUDA_SUCCESS)) return AUTOTUNE_OK;
    snprintf(why, sizeof why, "%s: %s (%d)", function, autotune__cuda_error_name(code), code);
    autotune__explain("%s", why);
    switch (autotune__cuda_class_of(code)) {
    case AUTOTUNE__CUDA_STICKY: autotune__cuda_lose(session, why); return AUTOTUNE_ERR_DEVICE;
    case AUTOTUNE__CUDA_ENVIRONMENT: return AUTOTUNE_ERR_ENVIRONMENT;
    default: return AUTOTUNE_FAILED;
    }
}
/* One call of the driver, unless the context is lost. */
#define AUTOTUNE__CUDA_CALL(session, function, ...) \
    (autotune__cuda_lost(session) ? AUTOTUNE_ERR_DEVICE \
                                  : autotune__cuda_status(session, #function, autotune__cuda.function##_(__VA_ARGS__)))

static autotune_error_class autotune__cuda_classify(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE
         : status == AUTOTUNE_ERR_ENVIRONMENT ? AUTOTUNE_ERROR_ENVIRONMENT
         : AUTOTUNE_ERROR_CONFIGURATION;
}

/* Before a race. While a stream is captured whatever is not a launch would end the capture: so the first question, and here because of
   it. What another thread captures must not forbid our allocations: hence the relaxed mode. */
static autotune_status autotune__cuda_ready(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    CUcontext current = NULL;
    autotune_status status;
    CUresult result;
    if (!session->context->handle) {
        result = autotune__cuda_works() ? autotune__cuda.cuCtxGetCurrent_(&current) : CUDA_SUCCESS;
        autotune__explain("%s%s", autotune__cuda.problem,
                          *autotune__cuda.problem ? ""
                          : result == CUDA_ERROR_NOT_INITIALIZED
                              ? "CUDA does not work in a process made by fork: call exec there, or use CUDA only in the child"
                              : "no context is current, and the stream has none: pass a stream that exists");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    if (autotune__cuda_lost(session)) {
        autotune__explain("%s", autotune__cuda_lost(session));
        return AUTOTUNE_ERR_DEVICE;
    }
    autotune__cuda.cuCtxGetCurrent_(&current);
    if (!current) {
        if ((status = AUTOTUNE__CUDA_CALL(session, cuCtxPushCurrent, session->context->handle)) != AUTOTUNE_OK) return status;
        session->pushed = true;
    }
    result = autotune__cuda.cuStreamIsCapturing_(session->stream, &capture);
    if (capture != CU_STREAM_CAPTURE_STATUS_NONE || result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) return AUTOTUNE_REJECTED;
    if ((status = autotune__cuda_status(session, "cuStreamIsCapturing", result)) != AUTOTUNE_OK)
        return status == AUTOTUNE_FAILED ? AUTOTUNE_ERR_ENVIRONMENT : status;
    session->capture_mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    session->relaxed = autotune__cuda.cuThreadExchangeStreamCaptureMode_(&session->capture_mode) == CUDA_SUCCESS;
    return AUTOTUNE_OK;
}
static void autotune__cuda_close(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUcontext popped;
    if (!autotune__cuda_lost(session)) {
        if (session->begun) autotune__cuda.cuEventDestroy_(session->begun);
        if (session->ended) autotune__cuda.cuEventDestroy_(session->ended);
    }
    if (session->relaxed) autotune__cuda.cuThreadExchangeStreamCaptureMode_(&session->capture_mode);
    if (session->pushed) autotune__cuda.cuCtxPopCurrent_(&popped);
    autotune__free(session);
}

/* Memory. Pointers are of the device, of managed or of pinned memory; the driver tells them apart. */
static CUdeviceptr autotune__cuda_address(const void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static void *autotune__cuda_allocate(autotune_backend *self, size_t bytes) {
    CUdeviceptr memory = 0;
    return AUTOTUNE__CUDA_CALL(autotune__cuda_session_of(self), cuMemAlloc, &memory, bytes) == AUTOTUNE_OK ? (void *)(uintptr_t)memory : NULL;
}
static void autotune__cuda_release(autotune_backend *self, void *memory) {
    (void)AUTOTUNE__CUDA_CALL(autotune__cuda_session_of(self), cuMemFree, autotune__cuda_address(memory));
}
static autotune_status autotune__cuda_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemcpyAsync, autotune__cuda_address(to), autotune__cuda_address(from), bytes, session->stream);
}
static autotune_status autotune__cuda_copy_and_wait(autotune_backend *self, void *to, const void *from, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    const autotune_status status = autotune__cuda_copy(self, to, from, bytes);
    return status == AUTOTUNE_OK ? AUTOTUNE__CUDA_CALL(session, cuStreamSynchronize, session->stream) : status;
}
static autotune_status autotune__cuda_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    return AUTOTUNE__CUDA_CALL(session, cuMemsetD8Async, autotune__cuda_address(memory), (unsigned char)byte, bytes, session->stream);
}
/* Overwrites twice the second-level cache. */
static autotune_status autotune__cuda_flush(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune__cuda_context *context = session->context;
    if (!context->flushed_bytes) return AUTOTUNE_OK;
    if (!context->flushed && AUTOTUNE__CUDA_CALL(session, cuMemAlloc, &context->flushed, context->flushed_bytes) != AUTOTUNE_OK)
        return autotune__cuda_lost(session) ? AUTOTUNE_ERR_DEVICE : AUTOTUNE_ERR_MEMORY;
    return AUTOTUNE__CUDA_CALL(session, cuMemsetD32Async, context->flushed, 0, context->flushed_bytes / 4, session->stream);
}

/* The clock: two events around the launches, on their stream. */
static uint64_t autotune__cuda_now(autotune_backend *self) {                /* for the budget, not for launches */
    (void)self;
    return autotune__wait_clock();
}
static autotune_status autotune__cuda_start(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    if (!session->begun) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, &session->begun, CU_EVENT_DEFAULT);
    if (status == AUTOTUNE_OK && !session->ended)
        status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, &session->ended, CU_EVENT_DEFAULT);
    return status == AUTOTUNE_OK ? AUTOTUNE__CUDA_CALL(session, cuEventRecord, session->begun, session->stream) : status;
}
/* Waits for the last launch, but not for ever: nothing can end a kernel that hangs. Asks often at first, then every 50 us. */
static autotune_status autotune__cuda_wait(autotune__cuda_session *session) {
    const struct timespec pause = { 0, 50000 };
    const uint64_t begun = autotune__wait_clock();
    for (;;) {
        const CUresult result = autotune__cuda.cuEventQuery_(session->ended);
        const double waited = (double)(autotune__wait_clock() - begun);
        if (result != CUDA_ERROR_NOT_READY) return autotune__cuda_status(session, "the kernel", result);
        if (waited > session->timeout_ns) {
            char why[128];
            snprintf(why, sizeof why, "the launch did not end within %g s, .launch_timeout: it counts as hung", session->timeout_ns / 1e9);
            autotune__explain("%s", why);
            autotune__cuda_lose(session, why);
            return AUTOTUNE_ERR_DEVICE;
        }
        if (waited > 1e6) nanosleep(&pause, NULL);
    }
}
static autotune_status autotune__cuda_stop(autotune_backend *self, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = AUTOTUNE__CUDA_CALL(session, cuEventRecord, session->ended, session->stream);
    float milliseconds = 0;
    if (status == AUTOTUNE_OK) status = autotune__cuda_wait(session);
    if (status == AUTOTUNE_OK)
        status = AUTOTUNE__CUDA_CALL(session, cuEventElapsedTime, &milliseconds, session->begun, session->ended);
    *ns = (double)milliseconds * 1e6;
    return status;
}
/* What two events with nothing between them show, and by how much two times differ at least: from pairs around nothing and around
   fills of several lengths. What cannot be measured stays 0. */
static void autotune__cuda_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    enum { PAIRS = 32, STEPS = 8, STEP = 1 << 17 };
    double times[PAIRS], least = HUGE_VAL, difference = HUGE_VAL;
    void *memory = autotune__cuda_allocate(self, (STEPS - 1) * STEP);
    int i, measured = 0;
    for (i = 0; memory && i < PAIRS; i++) {
        if (autotune__cuda_fill(self, memory, 0, STEP) != AUTOTUNE_OK) break;       /* so that the device is busy when the pair comes */
        if (autotune__cuda_start(self) != AUTOTUNE_OK) break;
        if (i % STEPS && autotune__cuda_fill(self, memory, 0, (size_t)(i % STEPS) * STEP) != AUTOTUNE_OK) break;
        if (autotune__cuda_stop(self, &times[measured]) != AUTOTUNE_OK) break;
        if (i % STEPS == 0 && times[measured] < least) least = times[measured];
        measured++;
    }
    if (memory) autotune__cuda_release(self, memory);
    qsort(times, (size_t)measured, sizeof *times, autotune__order_doubles);
    for (i = 1; i < measured; i++)                                  /* below a nanosecond it is the float's rounding */
        if (times[i] - times[i - 1] > 1 && times[i] - times[i - 1] < difference) difference = times[i] - times[i - 1];
    *cost_ns = least < HUGE_VAL ? least : 0;
    *resolution_ns = difference < HUGE_VAL ? difference : 0;
}

static autotune_backend autotune__cuda_backend(const char *device) {
    autotune_backend backend;
    memset(&backend, 0, sizeof backend);
    backend.device = device;
    backend.now = autotune__cuda_now;
    backend.allocate = autotune__cuda_allocate;
    backend.release = autotune__cuda_release;
    backend.copy = autotune__cuda_copy;
    backend.fill = autotune__cuda_fill;
    backend.read = autotune__cuda_copy_and_wait;
    backend.write = autotune__cuda_copy_and_wait;
    backend.flush = autotune__cuda_flush;
    backend.classify = autotune__cuda_classify;
    backend.cache_state = AUTOTUNE_COLD;
    backend.family = &autotune__cuda;
    backend.open = autotune__cuda_open;
    backend.close = autotune__cuda_close;
    backend.ready = autotune__cuda_ready;
    backend.calibrate = autotune__cuda_calibrate;
    backend.start = autotune__cuda_start;
    backend.stop = autotune__cuda_stop;
    return backend;
}

/* ---------------------------------------------------------------------------------------------------------------------------------
   The verdict of a call that returned a CUresult
   --------------------------------------------------------------------------------------------------------------------------------- */

AUTOTUNE__COLD void autotune__cuda_failed(autotune__tuning *tuning, const autotune__site *site, const uint64_t *slot,
                                          autotune_result *result, int code) {
    const autotune__cuda_class class_ = autotune__cuda_class_of(code);
    const autotune_status status = class_ == AUTOTUNE__CUDA_STICKY ? AUTOTUNE_ERR_DEVICE
                                 : class_ == AUTOTUNE__CUDA_ENVIRONMENT ? AUTOTUNE_ERR_ENVIRONMENT : AUTOTUNE_FAILED;
    char why[96];
    snprintf(why, sizeof why, "%s (%d)", autotune__cuda_error_name(code), code);
    if (tuning) {
        autotune_backend *backend = ((autotune__work *)(void *)tuning)->backend;
        autotune__explain("%s", why);
        if (class_ == AUTOTUNE__CUDA_STICKY && backend->family == &autotune__cuda)
            autotune__cuda_lose(autotune__cuda_session_of(backend), why);
        autotune__trial_failed(tuning, (int)status);
    } else if (class_ == AUTOTUNE__CUDA_CONFIGURATION) {
        autotune__hit_failed(site, slot, result, (int)status, why);
    } else {                                    /* the winner is not to blame */
        if (result) result->status = status;
        autotune__complain("%s: the call failed: %s", site->function, why);
    }
}

#endif  /* the implementation */
