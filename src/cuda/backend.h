/* The backend of a context: a session opens, becomes ready and closes; what CUDA(stream) gives. */
#pragma once
#include <cuda.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../system/threads.h"
#include "../base/memory.h"
#include "../device/cpu.h"
#include "../statement/options.h"
#include "../kernels/ahead.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "memory.h"
#include "graphs.h"
#include "timing.h"
#include "compile.h"

static autotune_backend *autotune__cuda_open(autotune_backend *self, void *place, const autotune_options *options);
static autotune_backend autotune__cuda_backend(const char *device);
static bool autotune__cuda_device_of(CUcontext handle, CUdevice *device) {
    CUcontext popped;
    bool known;
    if (autotune__driver.cuCtxPushCurrent_(handle) != CUDA_SUCCESS) return false;
    known = autotune__driver.cuCtxGetDevice_(device) == CUDA_SUCCESS;
    autotune__driver.cuCtxPopCurrent_(&popped);
    return known;
}
/* What is kept for a context, found or made. NULL: there is no memory, or the context is no longer valid. */
static autotune__cuda_context *autotune__cuda_context_of(CUcontext handle) {
    const unsigned long long id = autotune__cuda_id(handle);
    autotune__cuda_context *context;
    CUdevice device;
    autotune__lock_mutex(&autotune__cuda_contexts_lock);
    for (context = autotune__cuda_contexts; context && (context->handle != handle || context->id != id);
         context = context->next) {}
    if (!context && autotune__cuda_device_of(handle, &device) &&
        (context = (autotune__cuda_context *)autotune__allocate(sizeof *context))) {
        autotune__cuda_describe(context, device);
        context->backend = autotune__cuda_backend(context->words);
        context->target.compiler = &autotune__nvrtc_compiler;
        context->target.architecture = context->architecture;
        context->handle = handle;
        context->id = id;
        context->next = autotune__cuda_contexts;
        autotune__cuda_contexts = context;
    }
    autotune__unlock_mutex(&autotune__cuda_contexts_lock);
    return context;
}
static autotune__mutex autotune__cuda_primary_lock = AUTOTUNE__MUTEX;      /* one thread asks for the primary context */
/* The context for a thread in which none is current: the stream's, or the primary context of device 0, which is then
   kept as long as the process lives. NULL: there is none, and autotune__cuda_here.refused says why. */
static CUcontext autotune__cuda_other_context(CUstream stream) {
    static CUcontext primary;
    const bool own = stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    CUcontext handle = NULL;
    CUdevice device;
    CUresult result;
    if (own) {
        autotune__cuda_here.refused = result = autotune__driver.cuStreamGetCtx_(stream, &handle);
        return result == CUDA_SUCCESS ? handle : NULL;
    }
    autotune__lock_mutex(&autotune__cuda_primary_lock);
    if (!primary) {
        result = autotune__driver.cuDeviceGet_(&device, 0);
        if (result == CUDA_SUCCESS) result = autotune__driver.cuDevicePrimaryCtxRetain_(&primary, device);
        if (result != CUDA_SUCCESS) primary = NULL;
        autotune__cuda_here.refused = result;
    }
    handle = primary;
    autotune__unlock_mutex(&autotune__cuda_primary_lock);
    return handle;
}
static __attribute__((__cold__, __noinline__)) autotune_backend *autotune__cuda_backend_of(CUcontext current,
                                                                                           CUstream stream) {
    static autotune__cuda_context nowhere;
    const CUcontext handle = current || !autotune__cuda_works() ? current : autotune__cuda_other_context(stream);
    autotune__cuda_context *context = handle ? autotune__cuda_context_of(handle) : NULL;
    if (context && current) autotune__cuda_here.context = context;
    if (context) return &context->backend;
    autotune__lock_mutex(&autotune__cuda_contexts_lock);
    if (!nowhere.backend.device) nowhere.backend = autotune__cuda_backend("cuda");
    autotune__unlock_mutex(&autotune__cuda_contexts_lock);
    return &nowhere.backend;
}
static inline autotune_backend *autotune__cuda_current_backend(CUstream stream) {
    CUcontext current = NULL;
    if (autotune__cuda_works()) autotune__driver.cuCtxGetCurrent_(&current);
    if (AUTOTUNE__LIKELY(current && autotune__cuda_here.context && autotune__cuda_here.context->handle == current))
        return &autotune__cuda_here.context->backend;
    return autotune__cuda_backend_of(current, stream);
}
AUTOTUNE__API autotune_backend *autotune_cuda(CUstream stream) {
    autotune__cuda_here.stream = stream;
    return autotune__cuda_current_backend(stream);
}

static autotune__cuda_session *autotune__cuda_new_session(autotune__cuda_context *context, CUstream stream,
                                                          const autotune_options *options) {       /* NULL: no memory */
    autotune__cuda_session *session = (autotune__cuda_session *)autotune__allocate(sizeof *session);
    autotune__cuda_context *now = context;
    if (!session) return NULL;
    if (context->handle && !(now = autotune__cuda_context_of(context->handle))) now = context;
    if (now != context) autotune__cuda_here.context = NULL;         /* another context took the address: CUDA(stream)
                                                                       looks again */
    session->backend = now->backend;
    session->context = now;
    session->stream = stream;
    session->timeout_ns = 1e9 * (options->launch_timeout > 0 ? options->launch_timeout : 10);
    session->kernels.target = &now->target;
    session->kernels.policy = autotune__cache_policy(options);
    session->kernels.threads = options->compile_threads;
    return session;
}
static autotune_backend *autotune__cuda_open(autotune_backend *self, void *place, const autotune_options *options) {
    autotune__cuda_session *session = autotune__cuda_new_session((autotune__cuda_context *)(void *)self,
                                                                 (CUstream)place, options);
    return session ? &session->backend : NULL;
}
static void *autotune__cuda_place(autotune_backend *self) { (void)self; return autotune__cuda_here.stream; }
/* May a race begin? While the stream is captured anything but a launch would end the capture, so that this is asked
   before anything else is done. */
static autotune_status autotune__cuda_ready(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUcontext current = NULL;
    autotune_status status;
    CUresult result;
    bool capturing;
    if (!session->context->handle) {
        result = autotune__cuda_works() ? autotune__driver.cuCtxGetCurrent_(&current) : CUDA_SUCCESS;
        if (!*autotune__driver.problem && result == CUDA_SUCCESS && autotune__cuda_here.refused != CUDA_SUCCESS)
            autotune__cuda_explain("no context is current, and none could be had of the stream or of device 0: %s (%d)",
                              autotune__cuda_error_name((int)autotune__cuda_here.refused),
                              (int)autotune__cuda_here.refused);
        autotune__cuda_explain(
            "%s%s", autotune__driver.problem,
            *autotune__driver.problem ? ""
            : result == CUDA_ERROR_NOT_INITIALIZED
                ? "CUDA does not work in a process made by fork: call exec there, or use CUDA only in the child"
                : "no context is current, and the stream has none: pass a stream that exists");
        return AUTOTUNE_ERR_ENVIRONMENT;
    }
    if (autotune__cuda_lost(session)) return autotune__cuda_still_lost(session);
    if ((status = autotune__cuda_enter(session)) != AUTOTUNE_OK) return status;
    result = autotune__cuda_ask_capture(session, &capturing);
    if (capturing) return AUTOTUNE_REJECTED;
    if ((status = autotune__cuda_outcome(session, "cuStreamIsCapturing", result)) != AUTOTUNE_OK)
        return status == AUTOTUNE_FAILED ? AUTOTUNE_ERR_ENVIRONMENT : status;
    autotune__cuda_relax(session);
    return AUTOTUNE_OK;
}
static void autotune__cuda_close(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUcontext popped;
    size_t i;
    autotune__end_kernel_session(&session->kernels);
    for (i = 0; i < autotune__count(session->copies); i++) autotune__free(session->copies[i]);
    AUTOTUNE__FREE_ARRAY(session->copies);
    if (!autotune__cuda_lost(session)) {
        for (i = 0; i < AUTOTUNE_MOST_QUEUED; i++) {
            if (session->begun[i]) autotune__driver.cuEventDestroy_(session->begun[i]);
            if (session->ended[i]) autotune__driver.cuEventDestroy_(session->ended[i]);
        }
        autotune__cuda_free_replays(session);
    }
    if (session->relaxed) autotune__driver.cuThreadExchangeStreamCaptureMode_(&session->capture_mode);
    if (session->pushed) autotune__driver.cuCtxPopCurrent_(&popped);
    autotune__free(session);
}

static autotune_backend autotune__cuda_backend(const char *device) {
    autotune_backend backend;
    memset(&backend, 0, sizeof backend);
    backend.device = device;
    backend.now = autotune__cuda_now;
    backend.allocate = autotune__cuda_allocate;
    backend.release = autotune__cuda_release;
    backend.copy = autotune__cuda_copy;
    backend.fill = autotune__cuda_fill_memory;
    backend.read = autotune__cuda_read;
    backend.write = autotune__cuda_write;
    backend.flush = autotune__cuda_flush;
    backend.classify = autotune__cuda_classify;
    backend.pause = autotune__cpu_pause;
    backend.cache_state = AUTOTUNE_COLD;
    backend.family = &autotune__driver;
    backend.place = autotune__cuda_place;
    backend.open = autotune__cuda_open;
    backend.close = autotune__cuda_close;
    backend.ready = autotune__cuda_ready;
    backend.calibrate = autotune__cuda_calibrate;
    backend.start = autotune__cuda_start;
    backend.stop = autotune__cuda_stop;
    backend.mark = autotune__cuda_mark;
    backend.least_launch_ns = 400;              /* on an H100 an empty kernel takes 1600 to 1900, in a graph 800, and
                                                   nothing at all 0 to 300, the most while another stream is busy */
    return backend;
}
