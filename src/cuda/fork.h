/* A child made by fork() makes the locks of this floor anew. */
#pragma once
#include <cuda.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "compile.h"
#include "backend.h"
#include "roofline.h"

static void autotune__cuda_begin_forked(void) {
    autotune__make_mutex(&autotune__nvrtc_lock);
    autotune__make_mutex(&autotune__cuda_primary_lock);
    autotune__make_mutex(&autotune__cuda_peaks_lock);
}
static __attribute__((__constructor__(101))) void autotune__cuda_enter_floor(void) {
    static autotune__floor floor = { autotune__cuda_begin_forked, NULL, NULL };
    autotune__enter_floor(&floor);
}
