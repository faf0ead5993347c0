/* Patience: how long a thread waits for the race of another thread, of the same key, or of another key on the same
   device. The waiting thread may be a worker of the trial of that race, and then the trial would never end. So it waits
   only while the loop of the race iterates. The loop may not iterate for autotune__moment, or for four times the race's
   longest launch if this is longer. Then the call of the waiting thread stays untuned, the trial is repeated, and no
   thread waits for this race again. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"

/* The progress that a race shows to the threads that wait for it. Its own thread alone writes this. */
typedef struct autotune__progress {
    size_t steps;                               /* iterations of the statement's loop */
    autotune__shared_word longest_ns;           /* the longest launch */
} autotune__progress;
static void autotune__count_step(autotune__progress *race) {
    __atomic_store_n(&race->steps, race->steps + 1, __ATOMIC_RELAXED);
}
/* A launch of the race, or something that belongs to one, took so long or may take so long. */
static void autotune__expect_long(autotune__progress *race, uint64_t ns) {
    if (race->longest_ns < ns) __atomic_store_n(&race->longest_ns, ns, __ATOMIC_RELAXED);
}

static const uint64_t autotune__between_looks = 25000000u;
static const uint64_t autotune__moment = 1000000000u;       /* more than most launches take for the first time */

/* The progress that a waiting thread saw so far. */
typedef struct autotune__watch {
    const autotune__progress *race;             /* for which the thread waits */
    size_t steps;
    uint64_t stepped;                           /* the time at which its last step was seen */
} autotune__watch;
/* One look, at that time. */
static bool autotune__makes_progress(autotune__watch *watch, const autotune__progress *race, uint64_t now) {
    const size_t steps = __atomic_load_n(&race->steps, __ATOMIC_RELAXED);
    const uint64_t longest = 4 * __atomic_load_n(&race->longest_ns, __ATOMIC_RELAXED);
    if (race != watch->race || steps != watch->steps) watch->stepped = now;
    watch->race = race;
    watch->steps = steps;
    return now <= watch->stepped + (longest > autotune__moment ? longest : autotune__moment);
}
