/* Misses: how often keys were missed in mode CACHED or REQUIRE, and what these calls took. The store keeps the counts,
   which say what is worth tuning. */
#pragma once
#include "../api/language.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../system/threads.h"

/* Each thread counts in one share, so that threads which miss one key seldom write to the same cache line. */
enum { AUTOTUNE__MISS_SHARES = 16, AUTOTUNE__CACHE_LINE = 64, AUTOTUNE__MOST_MISSES = 4096 };
typedef struct autotune__miss_share {
    size_t calls;
    size_t next;                                /* the number of the call that is timed next */
    char apart[AUTOTUNE__CACHE_LINE - 2 * sizeof(size_t)];
} autotune__miss_share;
typedef struct autotune__miss_counts { double calls, timed, seconds; } autotune__miss_counts;
/* A key that was missed. It lives until autotune_shutdown(). */
typedef struct autotune__miss {
    autotune__miss_share share[AUTOTUNE__MISS_SHARES];
    /* autotune__misses_lock guards what follows */
    double timed, ns, stood_for;                /* calls that were timed; their times, each as often as calls for which
                                                   it stands; the number of these calls */
    autotune__miss_counts kept, taken;          /* what was written of it; and what is, if that can be written */
    /* all counts stand above */
    autotune__text words;                       /* a line of the file, but for the counts */
    struct autotune__miss *older;
} autotune__miss;
static autotune__mutex autotune__misses_lock = AUTOTUNE__MUTEX;
static autotune__miss *autotune__misses;        /* the newest first */
static size_t autotune__miss_count;

static autotune__miss_share *autotune__share_of_thread(autotune__miss *miss) {
    static unsigned threads;
    static __thread unsigned own;               /* the number of this thread, from 1 on */
    if (!AUTOTUNE__LIKELY(own != 0)) own = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return &miss->share[own % AUTOTUNE__MISS_SHARES];
}
/* Counts a call. Returns 0, or for how many calls the time of this one stands. Of a share's calls the first eight are
   timed, and then one after each eighth more: some 8 * ln(n / 8) of n calls, none of which stands for more than an
   eighth of them. */
static size_t autotune__count_miss(autotune__miss *miss) {
    autotune__miss_share *share = autotune__share_of_thread(miss);
    const size_t call = __atomic_add_fetch(&share->calls, 1, __ATOMIC_RELAXED), stands_for = 1 + call / 8;
    size_t next = __atomic_load_n(&share->next, __ATOMIC_RELAXED);
    if (AUTOTUNE__LIKELY(call < next)) return 0;
    return __atomic_compare_exchange_n(&share->next, &next, call + stands_for, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED) ? stands_for : 0;
}
/* A call that stands for many, and during which the system ran something else, would outweigh all others: so after the
   first eight none counts for more than 16 times the mean so far, or what is too short to be measured, 1 us. */
static void autotune__time_miss(autotune__miss *miss, double ns, size_t stands_for) {
    const double short_ns = 1000;
    double most;
    autotune__lock_mutex(&autotune__misses_lock);
    most = miss->timed >= 8 ? 16 * (miss->ns / miss->stood_for + short_ns) : AUTOTUNE__NEVER;
    if (ns > most) ns = most;
    miss->timed++;
    miss->ns += ns * (double)stands_for;
    miss->stood_for += (double)stands_for;
    autotune__unlock_mutex(&autotune__misses_lock);
}
/* With the lock. The seconds are those of all calls, by the mean of those that were timed. */
static AUTOTUNE__UNUSED autotune__miss_counts autotune__counts_of(const autotune__miss *miss) {
    autotune__miss_counts counts = { 0, miss->timed, 0 };
    size_t i;
    for (i = 0; i < AUTOTUNE__MISS_SHARES; i++)
        counts.calls += (double)__atomic_load_n(&miss->share[i].calls, __ATOMIC_RELAXED);
    if (miss->stood_for > 0) counts.seconds = counts.calls * miss->ns / miss->stood_for / 1e9;
    return counts;
}
/* Takes over the words. NULL: no memory, or there are too many. */
static AUTOTUNE__UNUSED autotune__miss *autotune__new_miss(autotune__text words) {
    autotune__miss *miss = words.broken ? NULL : (autotune__miss *)autotune__allocate(sizeof *miss);
    bool taken = false;
    autotune__lock_mutex(&autotune__misses_lock);
    if (miss && autotune__miss_count < AUTOTUNE__MOST_MISSES) {
        taken = true;
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
    for (miss = autotune__misses; miss; miss = miss->older) memset(miss, 0, offsetof(autotune__miss, words));
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
