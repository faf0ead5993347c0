/* Clocks of backends: how finely they tell the time, and how long reading them takes. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"

/* The properties of a backend's clock. A reading costs the least time between two readings, and a step is the least
   difference of two readings that differ. A clock may not move in a hundred readings. It is then read until it has made
   two steps, but no more than half a million times, some 10 ms: it may be a clock that only launches move. So a thread
   remembers the clock that it used last, and does not measure it again. */
typedef struct autotune__clock {
    autotune_backend *backend;
    uint64_t (*now)(autotune_backend *self);
    double cost_ns;                             /* of two readings, around nothing */
    double tick_ns;                             /* of a step; 0: the steps are finer than can be told */
} autotune__clock;
static autotune__clock autotune__calibrate(autotune_backend *backend) {
    autotune__clock clock = { backend, backend->now, 0, 0 };
    uint64_t last = backend->now(backend), cost = UINT64_MAX, step = UINT64_MAX;
    int i, steps = 0;
    if (backend->calibrate) { backend->calibrate(backend, &clock.tick_ns, &clock.cost_ns); return clock; }
    for (i = 0; i < 100 || (i < 500000 && steps < 2); i++) {
        const uint64_t now = backend->now(backend), delta = now > last ? now - last : 0;
        if (delta < cost) cost = delta;
        if (delta) steps++;
        if (delta && delta < step) step = delta;
        last = now;
    }
    clock.cost_ns = (double)cost;
    if (!cost && step < UINT64_MAX) clock.tick_ns = (double)step;  /* a clock that moves at every reading is finer than
                                                                      its cost */
    return clock;
}
static autotune__clock autotune__clock_of(autotune_backend *backend) {
    static __thread autotune__clock known;
    if (known.backend != backend || known.now != backend->now || backend->calibrate)
        known = autotune__calibrate(backend);
    return known;
}
