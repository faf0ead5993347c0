/* Patience: how long a thread waits for the race of another thread, of the same key, or of another key on the same
   device. The waiting thread may be a worker of the trial of that race, and then the trial would never end. So it waits
   only while the race makes progress: its loop iterates, or the process computes something besides waiting, if only a
   fiftieth of the time, since the race may share its processor with many others. If neither happened for
   autotune__moment, or for four times the race's longest launch if this is longer, or if the loop did not iterate for
   as long as a race may take, the call of the waiting thread stays untuned, the trial is repeated, and no thread waits
   for this race again. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"

/* What a race shows to the threads that wait for it. Its own thread alone writes this. */
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
/* 100 ms; but a clock with long steps shows a fiftieth of the time only after 50 of them. */
static const uint64_t autotune__moment =
    50u * AUTOTUNE__COMPUTED_STEP_NS > 100000000u ? 50u * AUTOTUNE__COMPUTED_STEP_NS : 100000000u;
/* For how long this process was stopped since the last look, by Ctrl-Z or with its container, which is no waiting;
   0: it was not. Who waits looks 40 times a second, so a quarter of a second without a look means that the process was
   stopped. */
static uint64_t autotune__stopped_ns(uint64_t looked, uint64_t now) {
    const uint64_t long_ns = 250000000u;
    return looked && now - looked > long_ns ? now - looked : 0;
}

/* What a waiting thread saw so far. */
typedef struct autotune__watch {
    const autotune__progress *race;             /* for which the thread waits */
    size_t steps;
    uint64_t looked, own_ns;                    /* the time of the last look; the processor time of this thread then */
    int64_t besides_ns;                         /* the most that autotune__computed_besides() said so far */
    uint64_t stepped, worked;                   /* the times of the last step and of the last progress that were seen */
} autotune__watch;
static uint64_t autotune__waiting_ns;           /* with the lock: for which threads computed while they waited here */
/* With the lock: for which the process computed, without what waiting took; only differences count. It may become less:
   what a waiting thread computed is in the time of the process at once, and is known to be waiting when that thread has
   looked. */
static int64_t autotune__computed_besides(autotune__watch *watch) {
    const uint64_t computed_ns = autotune__computed_ns(), own_ns = autotune__thread_computed_ns();
    if (watch->looked) autotune__waiting_ns += own_ns - watch->own_ns;
    watch->own_ns = own_ns;
    return (int64_t)(computed_ns - autotune__waiting_ns);
}
/* One look: at that time, when the process had computed for so long besides. */
static bool autotune__makes_progress(autotune__watch *watch, const autotune__progress *race, uint64_t now,
                                     int64_t besides_ns, uint64_t longest_wait) {
    const size_t steps = __atomic_load_n(&race->steps, __ATOMIC_RELAXED);
    const uint64_t longest = 4 * __atomic_load_n(&race->longest_ns, __ATOMIC_RELAXED),
                   stopped_ns = autotune__stopped_ns(watch->looked, now);
    watch->stepped += stopped_ns;
    watch->worked += stopped_ns;
    if (race != watch->race || steps != watch->steps) watch->stepped = watch->worked = now;
    else if (50 * (besides_ns - watch->besides_ns) > (int64_t)(now - watch->looked)) watch->worked = now;
    if (!watch->looked || besides_ns > watch->besides_ns) watch->besides_ns = besides_ns;
    watch->race = race;
    watch->steps = steps;
    watch->looked = now;
    return now <= watch->worked + (longest > autotune__moment ? longest : autotune__moment) &&
           now <= watch->stepped + (longest > longest_wait ? longest : longest_wait);
}
