/* The backend of a context. This room finds the backend for CUDA(stream), and opens, prepares and ends its sessions. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../device/floor.h"
#include "../statement/floor.h"
#include "../accelerator/floor.h"
#include "errors.h"
#include "driver.h"
#include "context.h"
#include "session.h"
#include "open_calls.h"
#include "memory.h"
#include "elements.h"
#include "ranges.h"
#include "timing.h"
#include "compile.h"

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
