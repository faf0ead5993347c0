/* plain_threads.c - one call site, many threads. Each key has one race, and a device has one race at a time. No thread
   waits for a known key, and no thread waits for ever. The thread sanitizers of gcc and clang must find nothing. */
#include "plain.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* ---- Threads that meet ------------------------------------------------------------------------------------------- */

/* A number that threads raise and wait for. */
typedef struct counter {
    pthread_mutex_t lock;
    pthread_cond_t raised;
    int value;
} counter;
#define COUNTER \
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 }
static void raise_counter(counter *c) {
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_cond_broadcast(&c->raised);
    pthread_mutex_unlock(&c->lock);
}
static void await(counter *c, int value) { /* if no thread raises the counter, an alarm ends the program */
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

/* Real time: for tests of how long the library waits. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void pass_milliseconds(long milliseconds) {
    const struct timespec time = {0, milliseconds * MILLISECOND};
    nanosleep(&time, NULL);
}

/* ---- What the statements of all tests do ------------------------------------------------------------------------- */

enum { THREADS = 8, FIRST = 16, MIDDLE = 32, LAST = 64 };
#define TILES    SPACE(AXIS(tile, FIRST, MIDDLE, LAST))
#define MEASURED .max_seconds = 1e9

/* Two clocks of one device. own_clock shows each thread the time of its own kernels. shared_clock shows the time of the
   kernels of all threads. */
static autotune_backend own_clock, shared_clock;
static __thread uint64_t own_time;
static uint64_t own_now(autotune_backend *self) { return (void)self, own_time; }

/* The effects of one statement. total: the statement adds 1 to it, and trials restore it. disturbed: something runs
   during the first trial of the best tile. */
typedef struct seen {
    autotune_result result;
    int key, best, total, trials, calls, tile;
    bool disturbed;
} seen;

static atomic_int trials_now; /* how many trials run at this moment, in all threads */

/* A launch takes 10 s or more by the virtual clock. Waiting threads are patient for four times the longest launch, so a
   delay of the machine does not make them give up. */
static void launch(seen *s, bool trial, int tile) {
    if (trial) {
        CHECK(atomic_fetch_add(&trials_now, 1) == 0);
        sched_yield();
        s->trials++;
    } else {
        s->calls++;
        s->tile = tile;
    }
    s->total++;
    own_time += (tile == s->best ? 10 : 20) * SECOND;
    spend((tile == s->best ? 10 : 20) * SECOND);
    if (trial) atomic_fetch_sub(&trials_now, 1);
}
static void enter(seen *s) {
    AUTOTUNE(TILES, 1, launch(s, autotune_trial, tile), .key = KEY(s->key),
             .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &own_clock, MEASURED, .result = &s->result);
}
static bool called(const seen *s) { return s->calls == 1 && s->total == 1 && s->result.status == AUTOTUNE_OK; }
static bool tuned(const seen *s) {
    return called(s) && s->tile == s->best && s->trials > 0 && s->result.tried == 3 && !s->result.cache_hit;
}
static bool hit(const seen *s) { return called(s) && s->tile == s->best && s->trials == 0 && s->result.cache_hit; }
static bool untuned(const seen *s) {
    return called(s) && s->tile == FIRST && s->trials == 0 && s->result.launches == 1 && !s->result.cache_hit &&
           s->result.verdict == AUTOTUNE_DEFAULT;
}
static seen entered(int key, int best) {
    seen s = {.key = key, .best = best};
    enter(&s);
    return s;
}

/* ---- One key ----------------------------------------------------------------------------------------------------- */

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
        s[i] = (seen){.key = 1, .best = LAST};
        thread[i] = start(enter_together, &s[i]);
    }
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    for (int i = 0; i < THREADS; i++) {
        CHECK(tuned(&s[i]) || hit(&s[i]));
        races += s[i].trials > 0;
    }
    CHECK(races == 1);
}

/* Threads wait as long as the race makes progress. In the first race one launch takes half a second of real time, which
   is short beside its earlier launches. In the second race no launch is long, but all together take far longer than a
   thread waits for one launch. */
static counter slow_trials = COUNTER;
static void one_slow_launch(seen *s, bool trial, int tile) {
    if (trial) raise_counter(&slow_trials);
    if (trial && s->trials == 1) pass_milliseconds(500);
    launch(s, trial, tile);
}
static void *enter_one_slow_launch(void *argument) {
    seen *s = argument;
    AUTOTUNE(TILES, 1, one_slow_launch(s, autotune_trial, tile), .restore = BUFFERS({&s->total, sizeof s->total}),
             .backend = &own_clock, MEASURED, .result = &s->result);
    return NULL;
}
static void many_launches(seen *s, bool trial, int tile) {
    if (trial) raise_counter(&slow_trials), pass_milliseconds(50);
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    s->total++;
    /* waiting threads are patient for a second. All tiles are equal, so the race needs dozens of launches */
    own_time += SECOND / 4;
}
static void *enter_many_launches(void *argument) {
    seen *s = argument;
    AUTOTUNE(TILES, 1, many_launches(s, autotune_trial, tile), .restore = BUFFERS({&s->total, sizeof s->total}),
             .backend = &own_clock, MEASURED, .result = &s->result);
    return NULL;
}
static int trials_beside_waiters(void *(*function)(void *), int best) {
    seen s[4];
    pthread_t thread[4];
    const int trials_before = slow_trials.value; /* no other thread runs now */
    for (int i = 0; i < 4; i++) {
        s[i] = (seen){.best = best};
        thread[i] = start(function, &s[i]);
        if (i == 0) await(&slow_trials, trials_before + 2);
    }
    for (int i = 0; i < 4; i++) finish(thread[i]);
    CHECK(tuned(&s[0]));
    for (int i = 1; i < 4; i++) CHECK(hit(&s[i]));
    return s[0].trials;
}
static void waiters_stay_while_the_race_makes_progress(void) {
    (void)trials_beside_waiters(enter_one_slow_launch, MIDDLE);
    CHECK(trials_beside_waiters(enter_many_launches, FIRST) * 0.05 > 1.5);
}

/* The thread that races leaves its body by return. One of the waiting threads takes up the race. The first launch is
   long, so all threads still wait when the last thread comes. */
static counter about_to_enter = COUNTER;
static atomic_flag somebody_left = ATOMIC_FLAG_INIT;
static int launch_or_leave(seen *s) {
    AUTOTUNE_BLOCK(TILES, .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &own_clock, MEASURED,
                   .result = &s->result) {
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
        s[i] = (seen){.best = LAST};
        thread[i] = start(leave_or_tune, &s[i]);
    }
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    for (int i = 0; i < THREADS; i++) {
        if (s[i].key == 1) {
            CHECK(s[i].result.status == AUTOTUNE_ERR_LEFT && s[i].calls == 0 && s[i].trials == 2 && s[i].total == 1);
            left++;
        } else {
            CHECK(called(&s[i]) && s[i].tile == LAST && s[i].result.cache_hit == (s[i].trials == 0));
            races += s[i].trials > 0;
        }
    }
    CHECK(left == 1 && races == 1);
}

/* All configurations of a key fail. The threads that waited for this race launch no configuration again, even if the
   first thread's report takes long. */
static counter about_to_fail = COUNTER;
static void tell_slowly(void *user, autotune_log_level level, const char *line) {
    (void)user, (void)level;
    if (strstr(line, "none of")) pass_milliseconds(50);
}
static autotune_status fail_when_all_wait(seen *s, bool trial, int tile) {
    if (s->trials == 1) await(&about_to_fail, THREADS); /* after a long launch, so the waiting threads are patient */
    launch(s, trial, tile);
    return AUTOTUNE_FAILED;
}
static void *enter_failing(void *argument) {
    seen *s = argument;
    raise_counter(&about_to_fail);
    AUTOTUNE(TILES, 1, fail_when_all_wait(s, autotune_trial, tile), .backend = &own_clock, MEASURED,
             .result = &s->result);
    return NULL;
}
static void what_failed_is_not_raced_again(void) {
    seen s[THREADS] = {{.key = 0}};
    pthread_t thread[THREADS];
    int trials = 0;
    autotune_set_log(tell_slowly, NULL);
    for (int i = 0; i < THREADS; i++) thread[i] = start(enter_failing, &s[i]);
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    autotune_set_log(say_nothing, NULL);
    for (int i = 0; i < THREADS; i++) {
        CHECK(s[i].result.status == AUTOTUNE_ERR_ALL_FAILED && s[i].calls == 0);
        trials += s[i].trials;
    }
    CHECK(trials == 3);
}

/* A thread waits for a race that ends without a winner after 1000 s, and then races the key itself. The time of the
   first race does not count for the second race. The first race makes a long launch first, so the thread is patient. */
enum { WAITED = 1000, TIME_TO_RACE = 100 }; /* in seconds */
static counter about_to_wait = COUNTER;
static pthread_t waiter;
static void *race_after_waiting(void *s);
static void race_or_be_waited_for(seen *s, seen *next) {
    AUTOTUNE_BLOCK(TILES, .key = KEY("waited for"), .restore = BUFFERS({&s->total, sizeof s->total}),
                   .backend = &shared_clock, .max_seconds = TIME_TO_RACE, .result = &s->result) {
        if (next && s->trials == 1) {
            waiter = start(race_after_waiting, next);
            await(&about_to_wait, 1);
            pass_milliseconds(20); /* now the thread waits */
            spend(WAITED * SECOND);
            return;
        }
        s->trials += autotune_trial;
        s->calls += !autotune_trial;
        s->tile = tile;
        s->total++;
        spend(next ? 10 * SECOND : (uint64_t)(tile == s->best ? 1 : 2) * MILLISECOND);
    }
}
static void *race_after_waiting(void *s) {
    raise_counter(&about_to_wait);
    race_or_be_waited_for((seen *)s, NULL);
    return NULL;
}
static void waiting_is_no_part_of_a_race(void) {
    seen first = {.best = LAST}, next = {.best = LAST};
    race_or_be_waited_for(&first, &next);
    finish(waiter);
    CHECK(first.result.status == AUTOTUNE_ERR_LEFT && first.trials == 1);
    CHECK(called(&next) && next.tile == LAST && next.trials > 0 && next.result.seconds < 1);
    CHECK(next.result.tried == 2); /* one of the three configurations is excluded, since its body was left */
}

/* ---- Many keys --------------------------------------------------------------------------------------------------- */

/* Several threads race several keys. launch() checks that never two trials run at once. Some calls may find the device
   busy, and stay untuned. */
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
            const int key = (t * KEYS / THREADS + i) % KEYS; /* each thread begins with another key */
            keyed[t][i] = (seen){.key = 100 + key, .best = key % 2 ? MIDDLE : LAST};
        }
        thread[t] = start(enter_all_keys, keyed[t]);
    }
    for (int t = 0; t < THREADS; t++) finish(thread[t]);
    int races[KEYS] = {0};
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

/* A short launch by the shared clock: threads that wait for such launches give up after the shortest time. A disturbed
   trial takes far longer than other trials. The best tile is not tried first, so it would lose if its disturbed trial
   were not repeated. */
static void short_launch(seen *s, bool trial, int tile) {
    s->trials += trial;
    s->calls += !trial;
    s->tile = tile;
    s->total++;
    spend((uint64_t)(tile == s->best ? 1 : 2) * MILLISECOND);
}
static bool is_disturbed_now(seen *s, bool trial, int tile) {
    const bool now = trial && s->disturbed && tile == s->best;
    if (now) s->disturbed = false;
    return now;
}
static bool tuned_undisturbed(const seen *s) { return tuned(s) && s->result.median_ns == MILLISECOND; }

/* A race that stops in the middle of a trial, until go_on is raised. */
static counter in_trial = COUNTER, go_on = COUNTER;
static void held_launch(seen *s, bool trial, int tile) {
    if (is_disturbed_now(s, trial, tile)) {
        raise_counter(&in_trial);
        await(&go_on, 1);
    }
    short_launch(s, trial, tile);
}
static void enter_held(seen *s) {
    AUTOTUNE(TILES, 1, held_launch(s, autotune_trial, tile), .key = KEY(s->key),
             .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &shared_clock, MEASURED,
             .result = &s->result);
}
static void *enter_held_thread(void *s) { return enter_held((seen *)s), NULL; }
static int said_untuned; /* how often one thread logged that a call was launched untuned */
static void count_untuned(void *user, autotune_log_level level, const char *line) {
    (void)user;
    said_untuned += level == AUTOTUNE_LOG_ERRORS && strstr(line, "launched untuned");
}

static void a_race_held_up_holds_up_nobody(void) {
    enum { MISSES = 40 };
    const seen known = entered(200, LAST);
    seen held = {.key = 1, .best = LAST, .disturbed = true}, same = {.key = 1, .best = LAST};
    CHECK(tuned(&known));
    autotune_set_log(count_untuned, NULL);
    const pthread_t thread = start(enter_held_thread, &held);
    await(&in_trial, 1);

    for (int i = 0; i < 1000; i++) {
        const seen s = entered(200, LAST);
        CHECK(hit(&s));
    }
    double began = seconds();
    const seen missed = entered(201, LAST);
    CHECK(untuned(&missed));
    const double waited = seconds() - began; /* usually 0.1 s, on Windows 0.8 s, and more on a busy machine */
    CHECK(waited < 30);                      /* the race does not end before go_on is raised */
    began = seconds();
    CHECK(said_untuned == 1);
    for (int i = 0; i < 2 * MISSES; i++) {
        const seen s = entered(300 + i % MISSES, LAST);
        CHECK(untuned(&s));
    }
    CHECK(said_untuned == 1); /* each call site logs this once */
    CHECK(seconds() - began < MISSES * waited); /* later calls do not wait for this race again */
    enter_held(&same);                       /* a call of the same key does not wait for its winner for ever */
    CHECK(untuned(&same));

    autotune_set_log(say_nothing, NULL);
    raise_counter(&go_on);
    finish(thread);
    CHECK(tuned_undisturbed(&held));
    for (int again = 0; again < 2; again++) {
        const seen s = entered(201, LAST);
        CHECK(again ? hit(&s) : tuned(&s));
    }
    same = (seen){.key = 1, .best = LAST};
    enter_held(&same);
    CHECK(hit(&same));
}

/* A launch computes far longer than all launches before. Threads that wait for this race do not give up: those that
   call the same key, and those that call other keys. */
static counter computing = COUNTER;
static void computing_launch(seen *s, bool trial, int tile) {
    if (is_disturbed_now(s, trial, tile)) {
        const double end = seconds() + 0.5;
        raise_counter(&computing);
        while (seconds() < end) {}
    }
    short_launch(s, trial, tile);
}
static void *enter_computing(void *argument) {
    seen *s = argument;
    AUTOTUNE(TILES, 1, computing_launch(s, autotune_trial, tile), .key = KEY(s->key),
             .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &shared_clock, MEASURED,
             .result = &s->result);
    return NULL;
}
static void who_computes_is_waited_for(void) {
    seen s[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        s[i] = (seen){.key = 400 + i / 2, .best = LAST, .disturbed = i == 0};
        thread[i] = start(enter_computing, &s[i]);
        if (i == 0) await(&computing, 1);
    }
    for (int i = 0; i < 4; i++) finish(thread[i]);
    CHECK(tuned(&s[0]) && hit(&s[1]) && ((tuned(&s[2]) && hit(&s[3])) || (hit(&s[2]) && tuned(&s[3]))));
}

/* ---- A trial's own worker threads -------------------------------------------------------------------------------- */

/* A trial waits for worker threads. The workers call the key of this race, or keys whose race may not begin before this
   trial ends. The workers must not wait for a race. */
enum { WORKERS = 4 };
static seen worker[WORKERS];
static void launch_with_workers(seen *s, bool trial, int tile, void *(*work)(void *));
static void enter_with_workers(seen *s, void *(*work)(void *)) {
    AUTOTUNE(TILES, 1, launch_with_workers(s, autotune_trial, tile, work), .key = KEY(s->key),
             .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &shared_clock, MEASURED,
             .result = &s->result);
}
static void *work_on_same_key(void *s) { return enter_with_workers((seen *)s, work_on_same_key), NULL; }
static void *work_on_another_key(void *s) { return enter((seen *)s), NULL; }
static void launch_with_workers(seen *s, bool trial, int tile, void *(*work)(void *)) {
    if (is_disturbed_now(s, trial, tile)) {
        pthread_t thread[WORKERS];
        for (int i = 0; i < WORKERS; i++) {
            worker[i] = (seen){.key = work == work_on_same_key ? s->key : 500 + i, .best = LAST};
            thread[i] = start(work, &worker[i]);
        }
        for (int i = 0; i < WORKERS; i++) finish(thread[i]);
    }
    short_launch(s, trial, tile);
}
static void a_trial_may_wait_for_its_workers(void) {
    static void *(*const works[])(void *) = {work_on_same_key, work_on_another_key};
    for (int key = 0; key < 2; key++) {
        seen s = {.key = key, .best = LAST, .disturbed = true};
        enter_with_workers(&s, works[key]);
        CHECK(tuned_undisturbed(&s));
        for (int i = 0; i < WORKERS; i++) CHECK(untuned(&worker[i]));
    }
    for (int i = 0; i < WORKERS; i++) {
        const seen s = entered(500 + i, LAST);
        CHECK(tuned(&s));
    }
}

/* A trial calls a tuned statement on its own thread. Another key is raced. The trial's own key is not raced. */
static void launch_with_inner(seen *s, bool trial, int tile, seen *inner);
static void enter_with_inner(seen *s, seen *inner) {
    AUTOTUNE(TILES, 1, launch_with_inner(s, autotune_trial, tile, inner), .key = KEY(s->key),
             .restore = BUFFERS({&s->total, sizeof s->total}), .backend = &shared_clock, MEASURED,
             .result = &s->result);
}
static void launch_with_inner(seen *s, bool trial, int tile, seen *inner) {
    if (is_disturbed_now(s, trial, tile)) enter_with_inner(inner, NULL);
    short_launch(s, trial, tile);
}
static void a_trial_may_enter_another_key(void) {
    seen outer = {.key = 1, .best = LAST, .disturbed = true}, inner = {.key = 2, .best = MIDDLE};
    enter_with_inner(&outer, &inner);
    CHECK(tuned_undisturbed(&inner) && tuned_undisturbed(&outer));
}
static void a_trial_may_enter_its_own_key(void) {
    seen outer = {.key = 3, .best = FIRST, .disturbed = true}, inner = {.key = 3, .best = FIRST};
    enter_with_inner(&outer, &inner);
    CHECK(untuned(&inner) && tuned(&outer));
}

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/* Two devices race at the same time: a trial of each device waits for a trial of the other device. */
typedef struct device_race {
    seen s;
    autotune_backend backend;
    counter *here, *there;
} device_race;
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
    AUTOTUNE(TILES, 1, meeting_launch(race, autotune_trial, tile),
             .restore = BUFFERS({&race->s.total, sizeof race->s.total}), .backend = &race->backend, MEASURED,
             .result = &race->s.result);
    return NULL;
}
static void two_devices_race_at_the_same_time(void) {
    static device_race left = {.here = &trials_on_left, .there = &trials_on_right},
                       right = {.here = &trials_on_right, .there = &trials_on_left};
    left.backend = virtual_backend("left");
    right.backend = virtual_backend("right");
    const pthread_t thread = start(enter_on_device, &left);
    enter_on_device(&right);
    finish(thread);
    CHECK(called(&left.s) && left.s.trials > 0 && left.s.result.tried == 3);
    CHECK(called(&right.s) && right.s.trials > 0 && right.s.result.tried == 3);
}

/* ---- Publication ------------------------------------------------------------------------------------------------- */

/* Readers hit all published keys while writers publish more, so the table of the call site grows eight times. The value
   of an entry depends on its key. So a reader notices half an entry, or the entry of another key. */
enum { PUBLISHED_KEYS = 1000, WRITERS = 2, READERS = 4 };
static int published[WRITERS];
static int value_for(int writer, int key) { return 1 + WRITERS * key + writer; }
static bool look(int writer, int key) { /* Returns true if the key is tuned */
    autotune_result result;
    int value_used = 0;
    AUTOTUNE(SPACE(AXIS(value, value_for(writer, key)), AXIS(half, key / 2)), 1, (void)(value_used += value + half),
             .key = KEY(writer, key), .result = &result);
    CHECK(value_used == value_for(writer, key) + key / 2 && result.status == AUTOTUNE_OK && result.launches == 1);
    CHECK(autotune_get_int(&result.config, "value") == value_for(writer, key) &&
          autotune_get_int(&result.config, "half") == key / 2);
    return result.verdict == AUTOTUNE_SINGLE;
}
static void *write_keys(void *argument) {
    const int writer = (int)((int *)argument - published);
    for (int key = 0; key < PUBLISHED_KEYS; key++) {
        while (!look(writer, key)) {} /* a call stays untuned if it waited too long for the race of the other writer */
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

/* A hit that fails retires its entry while other threads use the entry. The threads go on until this has happened
   often. The scheduler decides how many of the failing launches are hits, and how soon a thread tunes again. After its
   third failure a key keeps its winner, so the threads change to another key after two failures. */
enum { LAUNCHES_PER_FAILURE = 500, OFTEN = 10 };
static atomic_int launches, failures, retunings;
static autotune_status wear(int tile) {
    CHECK(tile == FIRST);
    return ++launches % LAUNCHES_PER_FAILURE == 0 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void *use_up(void *unused) {
    for (int i = 0; i < 2000 || failures < OFTEN || retunings < OFTEN; i++) {
        autotune_result result;
        const int key = failures / 2;
        AUTOTUNE(SPACE(AXIS(tile, FIRST)), 1, wear(tile), .key = KEY(key), .result = &result);
        CHECK(result.status == AUTOTUNE_OK || result.status == AUTOTUNE_FAILED);
        if (result.status == AUTOTUNE_FAILED)
            failures++;
        else if (!result.cache_hit)
            retunings++;
    }
    return unused;
}
static void winners_are_retired_under_their_readers(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) thread[i] = start(use_up, NULL);
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
    CHECK(failures == launches / LAUNCHES_PER_FAILURE); /* each failure is reported to one call */
}

/* Threads tune and hit a key, which is cleared again and again. By its thread's clock, all launches of a race take the
   same time, and each race has another time. So a result with different times would mix two races. */
enum { CLEARED = 100 };
static atomic_int cleared;
static atomic_long results_of_hits;
static uint64_t time_of_race(void) {
    static _Thread_local int races;
    return 1000000 + 1000 * (uint64_t)(++races % 100);
}
static void *call_what_is_cleared(void *unused) {
    while (cleared < CLEARED) {
        autotune_result result;
        const uint64_t each = time_of_race();
        AUTOTUNE_BLOCK(TILES, .name = "cleared", .backend = &own_clock, .max_seconds = 1e6, .result = &result) {
            own_time += tile == FIRST ? each : 2 * each;
        }
        CHECK(result.status == AUTOTUNE_OK && result.median_ns == result.min_ns);
        CHECK(autotune_get_int(&result.config, "tile") == FIRST && result.runner_up_ns == 2 * result.median_ns);
        results_of_hits += result.cache_hit;
    }
    return unused;
}
static void results_change_under_their_readers(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) thread[i] = start(call_what_is_cleared, NULL);
    for (; cleared < CLEARED; cleared++) {
        const long before = results_of_hits;
        while (results_of_hits == before) sched_yield();
        CHECK(autotune_clear("cleared", NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    }
    for (int i = 0; i < THREADS; i++) finish(thread[i]);
}

int main(void) {
    static const plain_test tests[] = {
        {"one key is raced once", one_key_is_raced_once},
        {"waiters stay while the race makes progress", waiters_stay_while_the_race_makes_progress},
        {"when the first leaves another goes on", when_the_first_leaves_another_goes_on},
        {"what failed is not raced again", what_failed_is_not_raced_again},
        {"waiting is no part of a race", waiting_is_no_part_of_a_race},
        {"one race at a time", one_race_at_a_time},
        {"a race held up holds up nobody", a_race_held_up_holds_up_nobody},
        {"who computes is waited for", who_computes_is_waited_for},
        {"a trial may wait for its workers", a_trial_may_wait_for_its_workers},
        {"a trial may enter another key", a_trial_may_enter_another_key},
        {"a trial may enter its own key", a_trial_may_enter_its_own_key},
        {"two devices race at the same time", two_devices_race_at_the_same_time},
        {"readers hit while writers publish", readers_hit_while_writers_publish},
        {"winners are retired under their readers", winners_are_retired_under_their_readers},
        {"results change under their readers", results_change_under_their_readers},
    };
    own_clock = shared_clock = virtual_backend("one device");
    own_clock.now = own_now;
    return RUN_PLAIN_TESTS(tests);
}
