/* Holds the stream until all launches of a batch are queued, if the batch has 2 to 1000 short launches. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../statement/for_backends.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "context.h"
#include "session.h"

/* The CPU needs some microseconds for a launch. If a kernel is shorter and is launched alone, the clock shows the
   time of the CPU. So a host function blocks the stream until all launches of the batch are queued. The device then
   runs one launch directly after the other. The clock starts after the host function, and shows the time of the
   device. If the program keeps the device busy, its calls take the time of the device, too. A graph cannot replace
   the host function, since the stream belongs to the program, and a call may do more than launch. A call may wait for
   the stream, or the queue may be full. So the host function ends after 4 ms at most. After three batches for which
   the host function ended too early, the session holds its stream no more, and the log says so. */
enum { AUTOTUNE__STREAM_IS_FREE, AUTOTUNE__STREAM_IS_HELD, AUTOTUNE__STREAM_TIMED_OUT, AUTOTUNE__MOST_TIMED_OUT = 3 };
static void CUDA_CB autotune__cuda_wait_on_stream(void *data) {
    const uint64_t begun = autotune__wait_clock(), most_ns = 4000000;
    uint32_t *held = (uint32_t *)data, expected = AUTOTUNE__STREAM_IS_HELD;
    while (__atomic_load_n(held, __ATOMIC_ACQUIRE) == expected && autotune__wait_clock() - begun < most_ns)
        autotune__sleep_ns(5000);
    __atomic_compare_exchange_n(held, &expected, AUTOTUNE__STREAM_TIMED_OUT, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
/* Called before the clock starts. Launches of more than 20 us keep the device busy without a held stream. */
static void autotune__cuda_hold(autotune__cuda_session *session) {
    const uint32_t batch = autotune__launches_at_once(autotune__tuning_with(&session->common.backend)), most = 1000;
    autotune__cuda_context *context = autotune__cuda_context_in(session);
    if (batch < 2 || batch > most || session->least_ns > 20e3 || session->held_too_long == AUTOTUNE__MOST_TIMED_OUT)
        return;
    __atomic_store_n(&context->held, AUTOTUNE__STREAM_IS_HELD, __ATOMIC_RELEASE);
    if (autotune__driver.cuLaunchHostFunc_(autotune__cuda_stream(session), autotune__cuda_wait_on_stream,
                                           &context->held))
        session->held_too_long = AUTOTUNE__MOST_TIMED_OUT;
}
/* Called when all launches are queued. */
static void autotune__cuda_let_go(autotune__cuda_session *session) {
    uint32_t *held = &autotune__cuda_context_in(session)->held;
    if (__atomic_exchange_n(held, AUTOTUNE__STREAM_IS_FREE, __ATOMIC_ACQ_REL) != AUTOTUNE__STREAM_TIMED_OUT) return;
    if (++session->held_too_long == AUTOTUNE__MOST_TIMED_OUT)
        autotune__tell_doubt(autotune__tuning_with(&session->common.backend),
                             "the call waits for the device: times below some 10 us may be those of the CPU");
}
/* Learns the shortest time of a launch. ns: the time of a batch. */
static void autotune__cuda_learn_least(autotune__cuda_session *session, double ns) {
    const uint32_t batch = autotune__launches_at_once(autotune__tuning_with(&session->common.backend));
    if (batch > 1 && ns > 0 && !(session->least_ns <= ns / batch && session->least_ns > 0))
        session->least_ns = ns / batch;
}
