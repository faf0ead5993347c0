/* plain_threads.c - one call site, many threads: one race per key, one race at a time on a device, nobody waits on a known key, and nobody
   waits for ever. Clean under the thread sanitizers of gcc and clang. */
#include "plain.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* ---- Threads that meet ------------------------------------------------------------------------------------------------------------------ */

/* A number that threads raise and wait for. */
typedef struct counter { pthread_mutex_t lock; pthread_cond_t raised; int value; } counter;
#define COUNTER { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 }
static void raise_counter(counter *c) {
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_cond_broadcast(&c->raised);
    pthread_mutex_unlock(&c->lock);
}
static void await(counter *c, int value) {          /* whoever waits in vain is killed by the alarm */
    pthread_mutex_lock(&c->lock);
    while (c->value < value) pthread_cond_wait(&c->raised, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static pthread_t start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, argument) == 0);
    return thread;
}
static void finish(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

/* Real time passes here: for what the library promises about waiting. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void pass_milliseconds(long milliseconds) {
    const struct timespec time = { 0, milliseconds * MILLISECOND };
    nanosleep(&time, NULL);
}

/* ---- What all statements here do --------------------------------------------------------------------------------------------------------- */

enum { THREADS = 8, FIRST = 16, MIDDLE = 32, LAST = 64 };
#define TILES SPACE(AXIS(tile, FIRST, MIDDLE, LAST))
#define MEASURED .max_seconds = 1e9

/* Two clocks of one device. By the first a thread sees what its own kernels spend, whatever runs beside them; by the second what all do. */
static autotune_backend own_clock, shared_clock;
static __thread uint64_t own_time;
static uint64_t own_now(autotune_backend *self) { return (void)self, own_time; }

/* What one statement did. total is memory that it adds 1 to, and that trials put back. */
typedef struct seen { autotune_result result; int key, best, total, trials, calls, tile; } seen;

static atomic_int trials_now;           /* how many trials run at this moment, in all threads */

/* A launch is long by the virtual clock, ten seconds or more: waiters are patient for four times the longest one, so that no delay of the
   machine's makes them give up. */
static void launch(seen *s, bool trial, int tile) {
    if (trial) {
        CHECK(atomic_fetch_add(&trials_now, 1) == 0);
        sched_yield();
        s->trials++;
    } else s->calls++, s->tile = tile;
    s->total++;
    own_time += (tile == s->best ? 10 : 20) * SECOND;
    spend((tile == s->best ? 10 : 20) * SECOND);
    if (trial) atomic_fetch_sub(&trials_now, 1);
}
static void enter(seen *s) {
    AUTOTUNE(TILES, 1, launch(s, autotune_trial, tile), .key = KEY(s->key), .restore = BUFFERS({ &s->total, sizeof s->total }),
             .backend = &own_clock, MEASURED, .result = &s->result);
}
static bool called(const seen *s) { return s->calls == 1 && s->total == 1 && s->result.status == AUTOTUNE_OK; }
static bool tuned(const seen *s) { return called(s) && s->tile == s->best && s->trials > 0 && s->result.tried == 3 && !s->result.cache_hit; }
static bool hit(const seen *s) { return called(s) && s->tile == s->best && s->trials == 0 && s->result.cache_hit; }
static bool untuned(const seen *s) {
    return called(s) && s->tile == FIRST && s->trials == 0 && s->result.launches == 1 && !s->result.cache_hit && s->result.verdict == AUTOTUNE_DEFAULT;
}
static seen entered(int key, int best) {
    seen s = { .key = key, .best = best };
    enter(&s);
    return s;
}

/* ---- One key -------------------------------------------------------------------------------------------------------------------------------- */

static counter ready_for_one_key = COUNTER;
static void *enter_together(void *s) {
    raise_counter(&ready_for_one_key);
    await(&ready_for_one_key, THREADS);
    enter((seen *)s);
    return NULL;
}
static void one_key_is_raced_once(void) {
    seen s[THREADS];
    pthread_t thread[THREADS];
    int races = 0;
    for (int i = 0; i < THREADS; i++) {
        s[i] = (seen){ .key = 1, .best = LAST };
        thread[i] = start(enter_together, &s[i]);
    }
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    for (int i = 0; i < THREADS; i++) {
        CHECK(tuned(&s[i]) || hit(&s[i]));
        races += s[i].trials > 0;
    }
    CHECK(races == 1);
}

/* Waiters stay as long as the race makes progress, be it for longer than they would wait for a race of another key: this one takes more
   than a second by the clock on the wall, and one launch of it alone half a second. */
static counter slow_trials = COUNTER;
static void slow_launch(seen *s, bool trial, int tile) {
    if (trial) {
        raise_counter(&slow_trials);
        pass_milliseconds(s->trials == 1 ? 500 : 100);
    }
    launch(s, trial, tile);
}
static void *enter_slowly(void *argument) {
    seen *s = argument;
    AUTOTUNE(TILES, 1, slow_launch(s, autotune_trial, tile), .restore = BUFFERS({ &s->total, sizeof s->total }), .backend = &own_clock, MEASURED,
             .result = &s->result);
    return NULL;
}
static void waiters_stay_while_the_race_makes_progress(void) {
    seen s[4] = { { .best = MIDDLE }, { .best = MIDDLE }, { .best = MIDDLE }, { .best = MIDDLE } };
    pthread_t thread[4] = { start(enter_slowly, &s[0]) };
    await(&slow_trials, 2);
    for (int i = 1; i < 4; i++) thread[i] = start(enter_slowly, &s[i]);
    for (int i = 0; i < 4; i++) finish(thread[i]);
    CHECK(tuned(&s[0]) && s[0].trials >= 4);
    for (int i = 1; i < 4; i++) CHECK(hit(&s[i]));
}

/* Whoever holds the race leaves its body by return: another of the waiting takes it up. */
static counter about_to_enter = COUNTER;
static atomic_flag somebody_left = ATOMIC_FLAG_INIT;
static int launch_or_leave(seen *s) {
    AUTOTUNE_BLOCK(TILES, .restore = BUFFERS({ &s->total, sizeof s->total }), .backend = &own_clock, MEASURED, .result = &s->result) {
        launch(s, autotune_trial, tile);
        if (autotune_trial && s->trials == 2 && !atomic_flag_test_and_set(&somebody_left)) {
            await(&about_to_enter, THREADS);
            return 1;
        }
    }
    return 0;
}
static void *leave_or_tune(void *s) {
    raise_counter(&about_to_enter);
    ((seen *)s)->key = launch_or_leave((seen *)s);
    return NULL;
}
static void when_the_first_leaves_another_goes_on(void) {
    seen s[THREADS];
    pthread_t thread[THREADS];
    int left = 0, races = 0;
    for (int i = 0; i < THREADS; i++) {
        s[i] = (seen){ .best = MIDDLE };
        thread[i] = start(leave_or_tune, &s[i]);
    }
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    for (int i = 0; i < THREADS; i++) {
        if (s[i].key == 1) {
            CHECK(s[i].result.status == AUTOTUNE_ERR_LEFT && s[i].calls == 0 && s[i].trials == 2 && s[i].total == 1);
            left++;
        } else {
            CHECK(called(&s[i]) && s[i].tile == MIDDLE && s[i].result.cache_hit == (s[i].trials == 0));
            races += s[i].trials > 0;
        }
    }
    CHECK(left == 1 && races == 1);
}

/* ---- Many keys -------------------------------------------------------------------------------------------------------------------------------- */

/* launch() sees to it that never two trials run at once. Some calls may find the device busy and stay untuned. */
enum { KEYS = 12 };
static seen keyed[THREADS][KEYS];
static void *enter_all_keys(void *argument) {
    seen *mine = argument;
    for (int i = 0; i < KEYS; i++) enter(&mine[i]);
    return NULL;
}
static void one_race_at_a_time(void) {
    pthread_t thread[THREADS];
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < KEYS; i++) {
            const int key = (t * KEYS / THREADS + i) % KEYS;        /* each begins with another key */
            keyed[t][i] = (seen){ .key = 100 + key, .best = key % 2 ? MIDDLE : LAST };
        }
        thread[t] = start(enter_all_keys, keyed[t]);
    }
    for (int t = 0; t < THREADS; t++) finish(thread[t]);
    int races[KEYS] = { 0 };
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < KEYS; i++) {
            const seen *s = &keyed[t][i];
            CHECK(tuned(s) || hit(s) || untuned(s));
            races[s->key - 100] += s->trials > 0;
        }
    for (int key = 0; key < KEYS; key++) {
        const seen s = entered(100 + key, key % 2 ? MIDDLE : LAST);
        CHECK(races[key] == 1 ? hit(&s) : races[key] == 0 && tuned(&s));
    }
}

/* A race that is held up inside its first trial. */
static counter in_trial = COUNTER, go_on = COUNTER;
static void held_launch(seen *s, bool trial, int tile) {
    if (trial && s->trials == 0) {
        s->trials++;
        raise_counter(&in_trial);
        await(&go_on, 1);
    }
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    s->total++;
    spend((tile == s->best ? 1 : 2) * MILLISECOND);      /* briefly: the waiters' patience is that for launches they know nothing of */
}
static void enter_held(seen *s) {
    AUTOTUNE(TILES, 1, held_launch(s, autotune_trial, tile), .key = KEY(s->key), .restore = BUFFERS({ &s->total, sizeof s->total }),
             .backend = &shared_clock, MEASURED, .result = &s->result);
}
static void *enter_held_thread(void *s) { return enter_held((seen *)s), NULL; }

static void a_race_held_up_holds_up_nobody(void) {
    enum { MISSES = 40 };
    const seen known = entered(200, LAST);
    seen held = { .key = 1, .best = FIRST }, same = held;
    CHECK(tuned(&known));
    const pthread_t thread = start(enter_held_thread, &held);
    await(&in_trial, 1);

    for (int i = 0; i < 1000; i++) {
        const seen s = entered(200, LAST);
        CHECK(hit(&s));
    }
    double began = seconds();
    const seen missed = entered(201, LAST);
    CHECK(untuned(&missed));
    CHECK(seconds() - began < 2);               /* a tenth of a second, and what a busy machine adds */
    began = seconds();
    for (int i = 0; i < MISSES; i++) {
        const seen s = entered(300 + i, LAST);
        CHECK(untuned(&s));
    }
    CHECK(seconds() - began < MISSES * 0.1);    /* nobody waits for this race again */
    same.trials = 1;                            /* it is not held, too */
    enter_held(&same);
    CHECK(called(&same) && same.tile == FIRST && same.result.verdict == AUTOTUNE_DEFAULT && same.trials == 1);

    raise_counter(&go_on);
    finish(thread);
    /* What ran beside the first trial made it far slower than the others; it was repeated, or it would have lost. */
    CHECK(held.calls == 1 && held.total == 1 && held.tile == FIRST && held.result.tried == 3 && held.result.median_ns == MILLISECOND);
    for (int again = 0; again < 2; again++) {
        const seen s = entered(201, LAST);
        CHECK(again ? hit(&s) : tuned(&s));
    }
    same = (seen){ .key = 1, .best = FIRST };
    enter_held(&same);
    CHECK(called(&same) && same.tile == FIRST && same.trials == 0 && same.result.cache_hit);
}

/* ---- A trial's own worker threads ---------------------------------------------------------------------------------------------------------------- */

/* The trial waits for its workers, the workers enter a key whose race is that trial's own, or that may not begin before it ends. */
static void launch_with_workers(seen *s, bool trial, int tile, bool same_key);
static void enter_with_workers(seen *s, bool same_key) {
    AUTOTUNE(TILES, 1, launch_with_workers(s, autotune_trial, tile, same_key), .key = KEY(s->key), .restore = BUFFERS({ &s->total, sizeof s->total }),
             .backend = &shared_clock, MEASURED, .result = &s->result);
}
enum { WORKER = -1 };           /* in .trials, of a statement that starts no workers of its own */
static void *work_on_same_key(void *s) { return enter_with_workers((seen *)s, true), NULL; }
static void *work_on_another_key(void *s) { return enter((seen *)s), NULL; }
static seen worker[4];
static void launch_with_workers(seen *s, bool trial, int tile, bool same_key) {
    enum { WORKERS = sizeof worker / sizeof *worker };
    if (trial && s->trials == 0) {
        pthread_t thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            worker[i] = (seen){ .key = same_key ? s->key : 500 + i, .best = LAST, .trials = same_key ? WORKER : 0 };
            thread[i] = start(same_key ? work_on_same_key : work_on_another_key, &worker[i]);
        }
        for (int i = 0; i < WORKERS; i++) finish(thread[i]);
    }
    if (s->trials != WORKER) s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    s->total++;
    spend((tile == s->best ? 1 : 2) * MILLISECOND);
}
static void a_trial_may_wait_for_its_workers(void) {
    for (int same_key = 0; same_key < 2; same_key++) {
        seen s = { .key = same_key, .best = FIRST };
        enter_with_workers(&s, same_key);
        /* The first trial had the workers' time to bear; it was repeated. */
        CHECK(called(&s) && s.tile == FIRST && s.trials > 0 && s.result.tried == 3 && s.result.median_ns == MILLISECOND);
        for (size_t i = 0; i < sizeof worker / sizeof *worker; i++) {
            if (same_key) CHECK(called(&worker[i]) && worker[i].tile == FIRST && worker[i].trials == WORKER && worker[i].result.verdict == AUTOTUNE_DEFAULT);
            else CHECK(untuned(&worker[i]));
        }
    }
    for (int i = 0; i < 4; i++) {
        const seen s = entered(500 + i, LAST);
        CHECK(tuned(&s));
    }
}

/* On the trial's own thread. */
static void launch_with_inner(seen *s, bool trial, int tile, seen *inner);
static void enter_with_inner(seen *s, seen *inner) {
    AUTOTUNE(TILES, 1, launch_with_inner(s, autotune_trial, tile, inner), .key = KEY(s->key), .restore = BUFFERS({ &s->total, sizeof s->total }),
             .backend = &shared_clock, MEASURED, .result = &s->result);
}
static void launch_with_inner(seen *s, bool trial, int tile, seen *inner) {
    if (trial && inner && s->trials == 0) enter_with_inner(inner, NULL);
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    s->total++;
    spend((tile == s->best ? 1 : 2) * MILLISECOND);
}
static void a_trial_may_enter_another_key(void) {
    seen outer = { .key = 1, .best = FIRST }, inner = { .key = 2, .best = LAST };
    enter_with_inner(&outer, &inner);
    CHECK(tuned(&inner) && tuned(&outer) && outer.result.median_ns == MILLISECOND);
}
static void a_trial_may_enter_its_own_key(void) {
    seen outer = { .key = 3, .best = LAST }, inner = outer;
    enter_with_inner(&outer, &inner);
    CHECK(untuned(&inner) && tuned(&outer));
}

/* ---- Devices ---------------------------------------------------------------------------------------------------------------------------------------- */

/* Two devices race at the same time: in each, a trial waits for one of the other. */
typedef struct device_race { seen s; autotune_backend backend; counter *here, *there; } device_race;
static counter trials_on_left = COUNTER, trials_on_right = COUNTER;
static void meeting_launch(device_race *race, bool trial, int tile) {
    if (trial) {
        raise_counter(race->here);
        await(race->there, 1);
    }
    race->s.trials += trial;
    race->s.calls += !trial;
    race->s.tile = tile;
    race->s.total++;
    spend(MILLISECOND);
}
static void *enter_on_device(void *argument) {
    device_race *race = argument;
    AUTOTUNE(TILES, 1, meeting_launch(race, autotune_trial, tile), .restore = BUFFERS({ &race->s.total, sizeof race->s.total }), .backend = &race->backend,
             MEASURED, .result = &race->s.result);
    return NULL;
}
static void two_devices_race_at_the_same_time(void) {
    static device_race left = { .here = &trials_on_left, .there = &trials_on_right }, right = { .here = &trials_on_right, .there = &trials_on_left };
    left.backend = virtual_backend("left");
    right.backend = virtual_backend("right");
    const pthread_t thread = start(enter_on_device, &left);
    enter_on_device(&right);
    finish(thread);
    CHECK(called(&left.s) && left.s.trials > 0 && left.s.result.tried == 3);
    CHECK(called(&right.s) && right.s.trials > 0 && right.s.result.tried == 3);
}

/* ---- Publication ---------------------------------------------------------------------------------------------------------------------------------------- */

/* Readers hit on all that was published while writers add to it: the call site's table grows ten times meanwhile. An entry's value tells its
   key, so that half an entry, or another key's, is noticed. */
enum { PUBLISHED_KEYS = 4000, WRITERS = 2, READERS = 4 };
static int published[WRITERS];
static int value_for(int writer, int key) { return 1 + WRITERS * key + writer; }
static bool look(int writer, int key) {             /* true: it is tuned now */
    autotune_result result;
    int value_used = 0;
    AUTOTUNE(SPACE(AXIS(value, value_for(writer, key)), AXIS(half, key / 2)), 1, (void)(value_used += value + half), .key = KEY(writer, key), .result = &result);
    CHECK(value_used == value_for(writer, key) + key / 2 && result.status == AUTOTUNE_OK && result.launches == 1);
    CHECK(autotune_get_int(&result.config, "value") == value_for(writer, key) && autotune_get_int(&result.config, "half") == key / 2);
    return result.verdict == AUTOTUNE_SINGLE;
}
static void *write_keys(void *argument) {
    const int writer = (int)((int *)argument - published);
    for (int key = 0; key < PUBLISHED_KEYS; key++) {
        while (!look(writer, key)) {}               /* the other writer's race was waited for too long */
        __atomic_store_n(&published[writer], key + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}
static void *read_keys(void *argument) {
    uint64_t random = (uint64_t)(uintptr_t)argument;
    for (;;) {
        int complete = 0;
        for (int writer = 0; writer < WRITERS; writer++) {
            const int known = __atomic_load_n(&published[writer], __ATOMIC_ACQUIRE);
            complete += known == PUBLISHED_KEYS;
            random = random * 6364136223846793005u + 1442695040888963407u;
            if (known) CHECK(look(writer, (int)(random >> 33) % known));
            if (known) CHECK(look(writer, known - 1));
        }
        if (complete == WRITERS) return NULL;
    }
}
static void readers_hit_while_writers_publish(void) {
    pthread_t thread[WRITERS + READERS];
    for (int i = 0; i < READERS; i++) thread[i] = start(read_keys, &thread[i]);
    for (int i = 0; i < WRITERS; i++) thread[READERS + i] = start(write_keys, &published[i]);
    for (int i = 0; i < WRITERS + READERS; i++) finish(thread[i]);
    for (int writer = 0; writer < WRITERS; writer++)
        for (int key = 0; key < PUBLISHED_KEYS; key++) CHECK(look(writer, key));
}

/* A hit that fails retires its entry while other threads are on it. */
static int failing_since = 1 << 30;         /* launches until the winner fails, once */
static autotune_status wear(int tile) { return tile && __atomic_sub_fetch(&failing_since, 1, __ATOMIC_RELAXED) == 0 ? AUTOTUNE_FAILED : AUTOTUNE_OK; }
static atomic_int failures, retunings;
static void *use_up(void *unused) {
    for (int i = 0; i < 2000; i++) {
        autotune_result result;
        AUTOTUNE(SPACE(AXIS(tile, FIRST)), 1, wear(tile), .result = &result);
        CHECK(result.status == AUTOTUNE_OK || result.status == AUTOTUNE_FAILED);
        if (result.status == AUTOTUNE_FAILED) atomic_fetch_add(&failures, 1), __atomic_store_n(&failing_since, 500, __ATOMIC_RELAXED);
        else if (!result.cache_hit) atomic_fetch_add(&retunings, 1);
    }
    return unused;
}
static void winners_are_retired_under_their_readers(void) {
    pthread_t thread[THREADS];
    failing_since = 500;
    for (int i = 0; i < THREADS; i++) thread[i] = start(use_up, NULL);
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    CHECK(failures >= 10 && retunings >= 10);
}

int main(void) {
    static const plain_test tests[] = {
        { "one key is raced once", one_key_is_raced_once },
        { "waiters stay while the race makes progress", waiters_stay_while_the_race_makes_progress },
        { "when the first leaves another goes on", when_the_first_leaves_another_goes_on },
        { "one race at a time", one_race_at_a_time },
        { "a race held up holds up nobody", a_race_held_up_holds_up_nobody },
        { "a trial may wait for its workers", a_trial_may_wait_for_its_workers },
        { "a trial may enter another key", a_trial_may_enter_another_key },
        { "a trial may enter its own key", a_trial_may_enter_its_own_key },
        { "two devices race at the same time", two_devices_race_at_the_same_time },
        { "readers hit while writers publish", readers_hit_while_writers_publish },
        { "winners are retired under their readers", winners_are_retired_under_their_readers },
    };
    own_clock = shared_clock = virtual_backend("one device");
    own_clock.now = own_now;
    return RUN_PLAIN_TESTS(tests);
}
