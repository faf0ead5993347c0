/* A call of a key without a winner that is timed. It is no statement: a stand-in has its values, and nothing is kept of
   it but when it began. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../site/hit.h"
#include "../base/memory.h"
#include "../device/cpu.h"
#include "../registry/misses.h"
#include "../registry/stand_ins.h"
#include "../store/store.h"

typedef struct autotune__missed_call {
    autotune__tuning head;                      /* the first member: all that the loop sees */
    autotune__miss *miss;
    size_t stands_for;                          /* so many calls of the key */
    autotune_backend *backend;
    uint64_t before, began;                     /* by its clock, which takes the time between both to read */
    const autotune__site *site;
    const uint64_t *slot;
    autotune_result *result;
} autotune__missed_call;
static __thread size_t autotune__missed_calls;  /* of this thread, one in the body of the other */

static autotune__missed_call *autotune__missed_call_of(const autotune__tuning *tuning) {
    return (autotune__missed_call *)(uintptr_t)tuning;
}
/* Does the clock of the backend tell what a call took? Where launches are only queued, as on a GPU, it does not, and to
   wait for them in production would cost time: such calls are only counted. */
static bool autotune__tells_time(const autotune_backend *backend) { return !backend->start; }
/* Counts a call that a stand-in answers. Returns NULL, or the call that is timed. slot: its values; NULL: no call. */
static autotune__tuning *autotune__count_missed_call(const autotune__stand_in *stand_in, const autotune__site *site,
                                                     const autotune_options *options, const uint64_t *slot) {
    autotune_backend *backend = options->backend ? options->backend : &autotune__cpu_backend;
    const size_t stands_for = autotune__count_miss(stand_in->miss);
    autotune__missed_call *call;
    if (AUTOTUNE__LIKELY(!stands_for)) return NULL;
    call = slot && autotune__tells_time(backend) ? (autotune__missed_call *)autotune__allocate(sizeof *call) : NULL;
    if (!call) { autotune__write_misses_when_due(); return NULL; }
    call->head.missed = true;
    call->miss = stand_in->miss;
    call->stands_for = stands_for;
    call->backend = backend;
    call->site = site;
    call->slot = slot;
    call->result = options->result;
    autotune__missed_calls++;
    call->before = backend->now(backend);
    call->began = backend->now(backend);
    return &call->head;
}
static void autotune__end_missed_call(const autotune__tuning *tuning) {
    const autotune__missed_call *call = autotune__missed_call_of(tuning);
    const uint64_t now = call->backend->now(call->backend), reading = call->began - call->before;
    autotune__time_miss(call->miss, now > call->began + reading ? (double)(now - call->began - reading) : 0,
                        call->stands_for);
    autotune__write_misses_when_due();
}
static void autotune__free_missed_call(autotune__missed_call *call) {
    autotune__missed_calls--;
    autotune__free(call);
}
