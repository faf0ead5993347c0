/* The roofline: the least time of a kernel, by the peak speeds of its device. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../accelerator/floor.h"
#include "site.h"
#include "context.h"
#include "hit.h"

AUTOTUNE__API double autotune_roofline(double bytes, double operations) {
    const autotune__cuda_context *context =
        autotune__cuda_context_of(autotune__accelerator_named(autotune__cuda_current_backend(CU_STREAM_LEGACY)));
    double moving, computing;
    if (!autotune__is_within(bytes, 0, AUTOTUNE__NEVER) || !autotune__is_within(operations, 0, AUTOTUNE__NEVER) ||
        !(context->peak.bytes > 0 && context->peak.operations > 0)) return 0;
    moving = bytes / context->peak.bytes;
    computing = operations / context->peak.operations;
    return moving > computing ? moving : computing;
}
