/* A child made by fork() makes the locks of this floor anew. */
#pragma once
#include <cuda.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "compile.h"
#include "backend.h"

static void autotune__cuda_begin_forked(void) {
    autotune__make_mutex(&autotune__nvrtc_lock);
    autotune__make_mutex(&autotune__cuda_primary_lock);
}
AUTOTUNE__ENTER_FLOOR(autotune__cuda_enter_floor, autotune__cuda_begin_forked, NULL)
