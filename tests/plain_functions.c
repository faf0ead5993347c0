/* plain_functions.c - created tuners, queued cases and lookups of results, from many threads at once. The thread
   sanitizers of gcc and clang must find nothing. */
#include "plain.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 8, KEYS = 5, BEST = 3 };

static autotune_backend clock_of_all;
static atomic_int launches_now;
static atomic_bool is_raced = true; /* all launches are trials, so two launches at the same time are an error */

static autotune_status launch(void *user, const autotune_config *config) {
    const int64_t tile = autotune_get_int(config, "tile");
    CHECK(atomic_fetch_add(&launches_now, 1) == 0 || !is_raced);
    CHECK(atoi(autotune_get_label(config, "tile")) == tile);
    spend((tile == BEST ? 10 : 20) * SECOND);
    atomic_fetch_add((atomic_int *)user, 1);
    atomic_fetch_sub(&launches_now, 1);
    return AUTOTUNE_OK;
}
static autotune_tuner *create(const char *name, atomic_int *count) {
    static const int64_t tiles[] = {1, 2, 3, 4};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = 4};
    autotune_tuner *tuner = autotune_create(
        &(autotune_desc){.name = name, .axes = &axis, .axis_count = 1, .launch = launch, .user = count});
    CHECK(tuner);
    return tuner;
}
static bool knows(const char *name, int key) {
    autotune_config winner;
    return autotune_lookup(name, KEY(key), &winner) == AUTOTUNE_OK && autotune_get_int(&winner, "tile") == BEST;
}
static autotune_options options_of(int key) {
    return (autotune_options){.key = KEY(key), .backend = &clock_of_all, .max_seconds = 1e9};
}

/* Starts THREADS threads that run one function, each with its number, and waits for their end. */
typedef struct task {
    int number;
    autotune_tuner *tuner;
} task;
static void run_threads(void *(*function)(void *), autotune_tuner *tuner) {
    pthread_t threads[THREADS];
    task tasks[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tasks[i] = (task){i, tuner};
        CHECK(pthread_create(&threads[i], NULL, function, &tasks[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* ---- tune: it waits for the races of other keys. So each call ends with a known winner --------------------------- */

static void *tune_keys(void *user) {
    const task *t = (const task *)user;
    for (int k = 0; k < KEYS; k++) {
        autotune_options o = options_of((t->number + k) % KEYS);
        autotune_result result;
        o.result = &result;
        CHECK(autotune_tune(t->tuner, &o) == AUTOTUNE_OK);
        CHECK(result.status == AUTOTUNE_OK && autotune_get_int(&result.config, "tile") == BEST);
    }
    return NULL;
}
static void tuned_keys_are_raced_once(void) {
    atomic_int alone = 0, together = 0;
    autotune_tuner *tuner = create("alone", &alone);
    for (int k = 0; k < KEYS; k++) {
        const autotune_options o = options_of(k);
        CHECK(autotune_tune(tuner, &o) == AUTOTUNE_OK);
    }
    autotune_destroy(tuner);
    tuner = create("together", &together);
    run_threads(tune_keys, tuner);
    CHECK(together == alone);
    for (int k = 0; k < KEYS; k++) CHECK(knows("together", k));
    autotune_destroy(tuner);
}

/* A launch starts a thread, and waits for it. The thread wants to tune another key of the same device, whose race would
   wait for this launch. So the thread gives up, and reports why. */
static autotune_tuner *waiting, *wanted;
static atomic_int gave_up;
static void *tune_wanted(void *user) {
    const autotune_options o = options_of(1);
    (void)user;
    if (autotune_tune(wanted, &o) == AUTOTUNE_ERR_MISS && last_error_has("makes no progress")) gave_up++;
    return NULL;
}
static autotune_status wait_for_thread(void *user, const autotune_config *config) {
    pthread_t thread;
    spend(MILLISECOND);
    (void)user, (void)config;
    if (gave_up) return AUTOTUNE_OK;
    CHECK(pthread_create(&thread, NULL, tune_wanted, NULL) == 0 && pthread_join(thread, NULL) == 0);
    return AUTOTUNE_OK;
}
static void a_race_that_stands_still_is_not_waited_for(void) {
    static const int64_t tiles[] = {1, 2};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = 2};
    const autotune_options o = options_of(1);
    atomic_int count = 0;
    waiting = autotune_create(
        &(autotune_desc){.name = "waiting", .axes = &axis, .axis_count = 1, .launch = wait_for_thread});
    wanted = create("wanted", &count);
    CHECK(waiting);
    CHECK(autotune_call(waiting, &o) == AUTOTUNE_OK);
    CHECK(gave_up == 1 && count == 0);
    autotune_destroy(waiting);
    autotune_destroy(wanted);
}

/* A thread waits for the race of another key as long as this race makes progress. One of its launches takes 250 ms of
   real time. */
static pthread_t patient_thread;
static atomic_int slow_launches;
static void *tune_patiently(void *user) {
    const autotune_options o = options_of(2);
    return CHECK(autotune_tune(wanted, &o) == AUTOTUNE_OK), user;
}
static autotune_status be_slow_once(void *user, const autotune_config *config) {
    const struct timespec nap = {0, 250 * MILLISECOND};
    (void)user, (void)config;
    /* by the virtual clock, a launch takes 10 seconds. So a waiting thread is patient for 40 seconds */
    spend(10 * SECOND);
    if (slow_launches++ != 1) return AUTOTUNE_OK;
    CHECK(pthread_create(&patient_thread, NULL, tune_patiently, NULL) == 0);
    nanosleep(&nap, NULL);
    return AUTOTUNE_OK;
}
static void a_race_that_goes_on_is_waited_for(void) {
    static const int64_t tiles[] = {1, 2};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = 2};
    const autotune_options o = options_of(2);
    atomic_int count = 0;
    waiting = autotune_create(&(autotune_desc){.name = "slow", .axes = &axis, .axis_count = 1, .launch = be_slow_once});
    wanted = create("wanted", &count);
    CHECK(waiting && autotune_call(waiting, &o) == AUTOTUNE_OK);
    CHECK(pthread_join(patient_thread, NULL) == 0);
    CHECK(knows("wanted", 2));
    autotune_destroy(waiting);
    autotune_destroy(wanted);
}

/* ---- All functions at the same time ------------------------------------------------------------------------------ */

static atomic_int visits;
static void look(void *user, const autotune_known *known) {
    CHECK(known->name && known->number > 0 && user == &visits);
    if (known->measurement_count) CHECK(known->measurements[0].config.count == 1);
    visits++;
}
static void *do_everything(void *user) {
    const task *t = (const task *)user;
    atomic_int count = 0;
    autotune_tuner *own = create(t->number % 2 ? "odd" : "even", &count);
    for (int i = 0; i < 40; i++) {
        autotune_options o = options_of(i % KEYS);
        o.mode = i == 20 ? AUTOTUNE_FORCE : AUTOTUNE_ON;
        switch ((i + t->number) % 5) {
        case 0: CHECK(autotune_call(t->tuner, &o) == AUTOTUNE_OK); break;
        case 1: CHECK(autotune_add(t->tuner, &o) == AUTOTUNE_OK && autotune_tune_all() == AUTOTUNE_OK); break;
        case 2: autotune_each(look, &visits); break;
        case 3: (void)autotune_lookup("shared", o.key, NULL); break;
        default: CHECK(autotune_call(own, &o) == AUTOTUNE_OK);
        }
    }
    autotune_destroy(own);
    return NULL;
}
static void everything_at_once(void) {
    atomic_int count = 0;
    autotune_tuner *tuner = create("shared", &count);
    is_raced = false; /* hits and launches of first configurations may run at the same time as trials */
    run_threads(do_everything, tuner);
    for (int k = 0; k < KEYS; k++) {
        const autotune_options o = options_of(k);
        CHECK(autotune_tune(tuner, &o) == AUTOTUNE_OK);
        CHECK(autotune_lookup("shared", o.key, NULL) == AUTOTUNE_OK);
    }
    CHECK(visits > 0);
    autotune_destroy(tuner);
    is_raced = true;
}

static void *tune_the_queue(void *user) {
    (void)user;
    CHECK(autotune_tune_all() == AUTOTUNE_OK);
    return NULL;
}
static void threads_share_a_queue(void) {
    atomic_int count = 0;
    autotune_tuner *tuner = create("queue", &count);
    for (int k = 0; k < 3 * THREADS; k++) {
        const autotune_options o = options_of(k);
        CHECK(autotune_add(tuner, &o) == AUTOTUNE_OK);
    }
    run_threads(tune_the_queue, tuner);
    for (int k = 0; k < 3 * THREADS; k++) CHECK(knows("queue", k));
    autotune_destroy(tuner);
}

int main(void) {
    static const plain_test tests[] = {
        {"tuned keys are raced once", tuned_keys_are_raced_once},
        {"a race that stands still is not waited for", a_race_that_stands_still_is_not_waited_for},
        {"a race that goes on is waited for", a_race_that_goes_on_is_waited_for},
        {"threads share a queue", threads_share_a_queue},
        {"everything at once", everything_at_once},
    };
    clock_of_all = virtual_backend("a device");
    return RUN_PLAIN_TESTS(tests);
}
