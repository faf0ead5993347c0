/* A session's clock: events around launches, the timeout, and calibration. */
#pragma once
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../site/hit.h"
#include "../base/numbers.h"
#include "../device/clock.h"
#include "../statement/sample.h"
#include "../statement/for_backends.h"
#include "../accelerator/session.h"
#include "session.h"
#include "memory.h"
#include "graphs.h"
#include "runtime.h"

/* The time of a launch, or of a batch, is that between two events around it on the stream. Launches that are each
   prepared, by a copy or a flush, stand on the stream one behind the other and are waited for together: so the device
   does not idle while the CPU waits for each. */

static autotune_status autotune__cuda_start(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    CUevent *begun = &session->begun[session->marked], *ended = &session->ended[session->marked];
    autotune_status status = AUTOTUNE_OK;
    if (!session->begun[0])                     /* what the program queued before is no launch of ours: it has what time
                                                   it takes */
        status = AUTOTUNE__CUDA_CALL(session, cuStreamSynchronize, session->stream);
    if (status == AUTOTUNE_OK && !*begun) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, begun, CU_EVENT_DEFAULT);
    if (status == AUTOTUNE_OK && !*ended) status = AUTOTUNE__CUDA_CALL(session, cuEventCreate, ended, CU_EVENT_DEFAULT);
    autotune__cuda_plan_replay(session);
    session->launched = false;
    if (!session->marked) autotune__cuda_watch_runtime(session);
    if (status == AUTOTUNE_OK) status = AUTOTUNE__CUDA_CALL(session, cuEventRecord, *begun, session->stream);
    session->running = status == AUTOTUNE_OK;
    return status;
}
static autotune_status autotune__cuda_mark(autotune_backend *self) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    const autotune_status status = AUTOTUNE__CUDA_CALL(session, cuEventRecord, session->ended[session->marked],
                                                       session->stream);
    session->running = false;
    if (status == AUTOTUNE_OK) session->marked++;
    return status;
}
/* The time of launches that were clocked one by one. If one of them took less time than a launch can take, the call
   launches nothing on this stream, and the times of the others are how long the CPU was between the two events. Then
   the shortest time stands for all of them, and the configuration fails. Where the clock has coarse steps, a single
   time shows nothing. */
static double autotune__cuda_sum(const autotune_backend *self, double *times, uint32_t count) {
    const autotune__tuning *tuning = autotune__tuning_with(self);          /* NULL: the roofline asks */
    const autotune__clock clock = autotune__clock_in(tuning);
    const double least_ns = tuning ? self->least_launch_ns : 0;
    autotune__sort(times, count);
    if (count && clock.tick_ns < least_ns / 4 && times[0] - clock.cost_ns < least_ns) return times[0] * count;
    return autotune__sum_of_launches(times, count, clock.tick_ns);
}
static autotune_status autotune__cuda_stop(autotune_backend *self, double *ns) {
    autotune__cuda_session *session = autotune__cuda_session_of(self);
    autotune_status status = AUTOTUNE_OK;
    double times[AUTOTUNE_MOST_QUEUED];
    uint32_t i;
    if (session->replay.batch && autotune__is_failing(autotune__tuning_with(self)))
        autotune__cuda_drop_replay(session);
    if (session->replay.batch && !autotune__cuda_replay_batch(session)) autotune__cuda_give_up_replays(session);
    if (session->running) status = autotune__cuda_mark(self);
    if (status == AUTOTUNE_OK && session->marked)
        status = autotune__wait_for_kernel(&session->common, session->ended[session->marked - 1]);
    for (i = 0; status == AUTOTUNE_OK && i < session->marked; i++) {
        float milliseconds = 0;
        status = AUTOTUNE__CUDA_CALL(session, cuEventElapsedTime, &milliseconds, session->begun[i], session->ended[i]);
        times[i] = (double)milliseconds * 1e6;
    }
    *ns = autotune__cuda_sum(self, times, i);
    session->marked = 0;
    if (session->replay.batch && status == AUTOTUNE_OK) *ns = autotune__cuda_take_replay(session, *ns);
    autotune__cuda_end_replay(session);
    return status == AUTOTUNE_OK ? autotune__cuda_ask_runtime(session) : status;
}
/* Measures pairs of events around nothing, and around fills of several lengths. The cost is the mean of what pairs
   around nothing show; the resolution is the least difference of two times. What cannot be measured is 0. */
static void autotune__cuda_calibrate(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    enum { PAIRS = 64, STEPS = 8, STEP = 1 << 17, EMPTY = PAIRS / STEPS, USUAL = EMPTY - 2 };
    double times[PAIRS], empty[EMPTY], sum = 0, difference = AUTOTUNE__NEVER;
    void *memory = autotune__cuda_allocate(self, (STEPS - 1) * STEP);
    int i, measured = 0;
    for (i = 0; memory && i < PAIRS; i++) {
        /* so that the device is busy when the pair comes */
        if (autotune__cuda_fill_memory(self, memory, 0, STEP) != AUTOTUNE_OK) break;
        if (autotune__cuda_start(self) != AUTOTUNE_OK) break;
        if (i % STEPS && autotune__cuda_fill_memory(self, memory, 0, (size_t)(i % STEPS) * STEP) != AUTOTUNE_OK) break;
        if (autotune__cuda_stop(self, &times[measured]) != AUTOTUNE_OK) break;
        if (i % STEPS == 0) empty[i / STEPS] = times[measured];
        measured++;
    }
    if (memory) autotune__cuda_release(self, memory);
    qsort(times, (size_t)measured, sizeof *times, autotune__order_doubles);
    for (i = 1; i < measured; i++)                                  /* below a nanosecond it is the float's rounding */
        if (times[i] - times[i - 1] > 1 && times[i] - times[i - 1] < difference) difference = times[i] - times[i - 1];
    qsort(empty, measured == PAIRS ? EMPTY : 0, sizeof *empty, autotune__order_doubles);
    /* the mean: where steps are coarse the least is too little */
    for (i = 0; i < USUAL && measured == PAIRS; i++) sum += empty[i];
    *cost_ns = sum / (double)USUAL;
    *resolution_ns = autotune__is_definite(difference) ? difference : 0;
}
