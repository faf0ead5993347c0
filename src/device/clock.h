/* The clock of a backend: its least step, and how long a reading takes. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"

/* The properties of a backend's clock. The step is the least difference of two readings that differ. 100 readings are
   enough if the clock moves twice during these readings. Else the clock is read until it has moved twice, but at most
   half a million times, since some clocks move only in launches. These readings may take 10 ms, so each thread keeps
   the properties of the clock that it used last. A backend with calibrate() gives the properties itself, and is asked
   each time. */
typedef struct autotune__clock {
    autotune_backend *backend;
    uint64_t (*now)(autotune_backend *self);
    double cost_ns;                             /* the least time between two readings, or the cost of calibrate() */
    double tick_ns;                             /* the step; 0: at most cost_ns, or unknown */
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
    /* If the cost is 0, two readings were equal: the step is longer than a reading takes. */
    if (!cost && step < UINT64_MAX) clock.tick_ns = (double)step;
    return clock;
}
static autotune__clock autotune__clock_of(autotune_backend *backend) {
    static __thread autotune__clock known;
    if (known.backend != backend || known.now != backend->now || backend->calibrate)
        known = autotune__calibrate(backend);
    return known;
}
