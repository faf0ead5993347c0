/* A session's clock, and its calibration. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../accelerator/floor.h"
#include "session.h"
#include "memory.h"
#include "hold.h"
#include "ranges.h"
#include "runtime.h"

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
