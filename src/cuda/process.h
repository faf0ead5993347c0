/* What happens to contexts when the process forks, and in autotune_shutdown(). */
#pragma once
#include <cuda.h>
#include "../system/threads.h"
#include "../base/log.h"
#include "driver.h"
#include "context.h"
#include "compile.h"
#include "backend.h"
#include "roofline.h"

/* The memory in contexts is freed; what tells contexts apart stays: threads remember theirs. */
static void autotune__cuda_shut_down(void) {
    autotune__cuda_context *context;
    autotune__lock_mutex(&autotune__cuda_contexts_lock);
    for (context = autotune__cuda_contexts; context; context = context->next) {
        if (context->flushed && autotune__cuda_visit(context)) {
            autotune__driver.cuMemFree_(context->flushed);
            autotune__cuda_leave();
        }
        context->flushed = 0;
    }
    autotune__unlock_mutex(&autotune__cuda_contexts_lock);
}
static void autotune__cuda_begin_child(void) {
    autotune__make_mutex(&autotune__nvrtc_lock);
    autotune__make_mutex(&autotune__nvrtc_headers_lock);
    autotune__make_mutex(&autotune__cuda_contexts_lock);
    autotune__make_mutex(&autotune__cuda_primary_lock);
    autotune__make_mutex(&autotune__cuda_peaks_lock);
}
static __attribute__((__constructor__(101))) void autotune__cuda_enter_floor(void) {
    static autotune__floor floor = { autotune__cuda_begin_child, autotune__cuda_shut_down, NULL };
    autotune__enter_floor(&floor);
}
