/* Misses: how often keys were missed in mode CACHED or REQUIRE, and what the first of these calls took. The store keeps
   the counts, which say what is worth tuning. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"

enum { AUTOTUNE__MOST_MISSES = 4096 };
/* first_seconds: AUTOTUNE__NEVER: no first call was timed. */
typedef struct autotune__miss_counts { double calls, runs, first_seconds; } autotune__miss_counts;
/* A key that was missed. It lives until autotune_shutdown(). */
typedef struct autotune__miss {
    size_t calls;                               /* atomic */
    /* autotune__misses_lock guards what follows */
    double first_seconds;
    size_t written, taken;                      /* how many of the calls are written; and will be, if that works */
    autotune__text words;                       /* a line of the file, but for the counts */
    struct autotune__miss *older;
} autotune__miss;
static autotune__mutex autotune__misses_lock = AUTOTUNE__MUTEX;
static autotune__miss *autotune__misses;        /* the newest first */
static size_t autotune__miss_count;

/* Counts a call. Returns how many there were so far. */
static size_t autotune__count_miss(autotune__miss *miss) {
    return __atomic_add_fetch(&miss->calls, 1, __ATOMIC_RELAXED);
}
/* Of a key whose calls are answered at once, when is it looked whether what was counted is to be written? */
static bool autotune__is_power_of_two(size_t calls) { return !(calls & (calls - 1)); }
static void autotune__time_miss(autotune__miss *miss, double ns) {             /* the first call */
    autotune__lock_mutex(&autotune__misses_lock);
    miss->first_seconds = ns / 1e9;
    autotune__unlock_mutex(&autotune__misses_lock);
}
/* Takes over the words. NULL: no memory, or there are too many. */
static AUTOTUNE__UNUSED autotune__miss *autotune__new_miss(autotune__text words) {
    autotune__miss *miss = words.broken ? NULL : (autotune__miss *)autotune__allocate(sizeof *miss);
    bool taken = false;
    autotune__lock_mutex(&autotune__misses_lock);
    if (miss && autotune__miss_count < AUTOTUNE__MOST_MISSES) {
        taken = true;
        miss->first_seconds = AUTOTUNE__NEVER;
        miss->words = words;
        miss->older = autotune__misses;
        autotune__misses = miss;
        autotune__miss_count++;
    }
    autotune__unlock_mutex(&autotune__misses_lock);
    if (taken) return miss;
    autotune__free(miss);
    autotune__free_text(&words);
    return NULL;
}
/* With the lock, in a child made by fork(): what was counted so far is the parent's. */
static AUTOTUNE__UNUSED void autotune__leave_misses_to_parent(void) {
    autotune__miss *miss;
    for (miss = autotune__misses; miss; miss = miss->older) {
        miss->calls = miss->written = 0;
        miss->first_seconds = AUTOTUNE__NEVER;
    }
}
static AUTOTUNE__UNUSED void autotune__free_misses(void) {       /* autotune_shutdown() */
    autotune__miss *miss;
    autotune__lock_mutex(&autotune__misses_lock);
    while ((miss = autotune__misses) != NULL) {
        autotune__misses = miss->older;
        autotune__free_text(&miss->words);
        autotune__free(miss);
    }
    autotune__miss_count = 0;
    autotune__unlock_mutex(&autotune__misses_lock);
}
