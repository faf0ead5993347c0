/* plain_online_threads.c - mode ONLINE in many threads: one call of a key is measured at a time, and other calls do not
   wait for it. Each call runs exactly one configuration, once. */
#include "autotune.h"
#include "plain.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

enum { THREADS = 16, CALLS = 1200, KEYS = 2 };

static size_t launches;
static autotune_status work(int id) {
    const struct timespec pause = {.tv_nsec = 20000 + 5000 * (long)(id > 3 ? id - 3 : 3 - id)};
    __atomic_fetch_add(&launches, 1, __ATOMIC_RELAXED);
    nanosleep(&pause, NULL);
    return id == 5 ? AUTOTUNE_REJECTED : AUTOTUNE_OK;
}
/* The first thread that comes begins a step, and stores it. The next thread ends this step. So a step begins in one
   thread and ends in another. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static autotune_step waiting;
static bool waits;
static void step(autotune_tuner *tuner) {
    autotune_step mine;
    CHECK(autotune_step_begin(tuner, &(autotune_options){.mode = AUTOTUNE_ONLINE, .key = {.count = 0},
                                                         .version = "steps", .cache = AUTOTUNE_CACHE_OFF}, &mine) ==
          AUTOTUNE_OK);
    pthread_mutex_lock(&lock);
    const autotune_step other = waiting;
    const bool ends = waits;
    waiting = mine;
    waits = true;
    pthread_mutex_unlock(&lock);
    if (!ends) return;
    autotune_step ended = other;
    CHECK(autotune_step_end(&ended, 1e5 + 1e4 * (double)autotune_get_int(&ended.config, "id")) == AUTOTUNE_OK);
}
/* A device for whose calls no thread waits. The library must call its functions from one thread at a time: this is
   checked, and the data have no lock. */
static struct { size_t made, made_at[AUTOTUNE_MOST_OPEN]; int id[AUTOTUNE_MOST_OPEN], entered; } device;
static size_t made;
static __thread int last_id;
static autotune_status on_device(int id) {
    last_id = id;
    __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    return AUTOTUNE_OK;
}
static autotune_status enter(autotune_backend *self, void *place) {
    (void)self, (void)place;
    CHECK(device.entered++ == 0);
    return AUTOTUNE_OK;
}
static void leave(autotune_backend *self) {
    (void)self;
    CHECK(--device.entered == 0);
}
static autotune_status clock_call(autotune_backend *self, size_t number, bool ended) {
    (void)self;
    device.made_at[number] = device.made += ended;
    device.id[number] = last_id;
    return AUTOTUNE_OK;
}
static autotune_status ask(autotune_backend *self, size_t number, double *ns) {
    (void)self;
    *ns = device.made > device.made_at[number] + 3 ? 1e5 + 1e4 * (double)(device.id[number] ^ 2) : -1;
    return AUTOTUNE_OK;
}
static autotune_backend backend;
static void call_device(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, on_device(id), .name = "device", .mode = AUTOTUNE_ONLINE,
             .backend = &backend, .result = &result, .cache = AUTOTUNE_CACHE_OFF);
    CHECK(result.status == AUTOTUNE_OK);
    if (result.cache_hit) CHECK(result.index == 2);
}
/* A call of a watched winner, by a clock of each thread. One thread clears the key once. Halfway the winner becomes
   slower. */
static __thread uint64_t own_ns;
static uint64_t own_clock(autotune_backend *self) {
    (void)self;
    return own_ns;
}
static autotune_backend own_backend;
static bool slower;
static autotune_status advance(int id) {
    const bool slow = __atomic_load_n(&slower, __ATOMIC_RELAXED) && id == 2;
    own_ns += 100000 + 10000 * (uint64_t)(id ^ 2) + (slow ? 50000 : 0);
    return AUTOTUNE_OK;
}
static autotune_result call_watched(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, advance(id), .name = "watched", .mode = AUTOTUNE_ONLINE, .watch = 2,
             .backend = &own_backend, .result = &result, .cache = AUTOTUNE_CACHE_OFF);
    CHECK(result.status == AUTOTUNE_OK && result.launches == 1);
    return result;
}
/* Calls a key. Returns true if the key has a winner. .max_loss is large, since threads that share a processor lose much
   time anyway. */
static bool call_key(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 7, 1)), 1, work(id), .name = "threads", .key = KEY(key), .mode = AUTOTUNE_ONLINE,
             .max_loss = 1, .result = &result, .cache = AUTOTUNE_CACHE_OFF);
    CHECK(result.status == AUTOTUNE_OK);
    CHECK(result.launches <= 2);
    CHECK(result.cache_hit == (result.verdict != AUTOTUNE_ONGOING && result.verdict != AUTOTUNE_DEFAULT));
    return result.cache_hit;
}
static void *call(void *user) {
    autotune_tuner *tuner = user;
    for (int i = 0; i < CALLS; i++) {
        (void)call_key(i % KEYS);
        CHECK(autotune_call(tuner, &(autotune_options){.mode = AUTOTUNE_ONLINE, .cache = AUTOTUNE_CACHE_OFF}) ==
              AUTOTUNE_OK);
        step(tuner);
        for (int calls = 0; calls < 5; calls++) call_device();
        for (int calls = 0; calls < 5; calls++) (void)call_watched();
        if (i == CALLS / 4) CHECK(autotune_clear("watched", NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
        if (i == CALLS / 2) __atomic_store_n(&slower, true, __ATOMIC_RELAXED);
    }
    return NULL;
}
static autotune_status launch(void *user, const autotune_config *config) {
    (void)user;
    return work((int)autotune_get_int(config, "id") + 6);
}
/* Two tuners with the same name share an online race, which a call of the first tuner began. A thread destroys the
   first tuner while a call of the second is in progress: the thread has to wait for the end of this call. */
static autotune_tuner *first_of_two;
static pthread_t ending;
static bool ends, ended;
static void *end_first(void *unused) {
    autotune_destroy(first_of_two);
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
    return unused;
}
static autotune_status launch_of_two(void *user, const autotune_config *config) {
    (void)user;
    own_ns += 100000 + 10000 * (uint64_t)autotune_get_int(config, "id");
    if (!ends) return AUTOTUNE_OK;
    ends = false;
    CHECK(pthread_create(&ending, NULL, end_first, NULL) == 0);
    for (int i = 0; i < 20; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    CHECK(!__atomic_load_n(&ended, __ATOMIC_ACQUIRE));
    return AUTOTUNE_OK;
}
static void a_tuner_ends_after_the_calls_that_its_race_makes(const autotune_axis *axis) {
    const autotune_desc desc = {.name = "two", .axes = axis, .axis_count = 1, .launch = launch_of_two};
    const autotune_options o = {.mode = AUTOTUNE_ONLINE, .backend = &own_backend, .cache = AUTOTUNE_CACHE_OFF};
    autotune_tuner *second = autotune_create(&desc);
    first_of_two = autotune_create(&desc);
    for (int i = 0; i < 20; i++) CHECK(autotune_call(i < 10 ? first_of_two : second, &o) == AUTOTUNE_OK);
    ends = true;
    CHECK(autotune_call(second, &o) == AUTOTUNE_OK && !ends);
    CHECK(pthread_join(ending, NULL) == 0 && ended);
    for (int i = 0; i < 10; i++) CHECK(autotune_call(second, &o) == AUTOTUNE_OK);
    autotune_destroy(second);
}
/* A thread races a key in mode FORCE. Meanwhile a call of another thread ends an online race of this key, since all its
   configurations fail there. The first thread keeps its turn, and ends the turn itself. Otherwise the next race would
   use a freed statement. */
static autotune_tuner *of_both;
static bool measures_beside;
static __thread bool fails_here;
static void *measure_beside(void *unused) {
    const autotune_options o = {.mode = AUTOTUNE_ONLINE, .backend = &own_backend, .cache = AUTOTUNE_CACHE_OFF};
    fails_here = true;
    CHECK(autotune_call(of_both, &o) == AUTOTUNE_REJECTED);
    return unused;
}
static autotune_status launch_of_both(void *user, const autotune_config *config) {
    pthread_t beside;
    (void)user;
    if (fails_here) return AUTOTUNE_REJECTED;
    own_ns += 100000 + 10000 * (uint64_t)autotune_get_int(config, "id");
    if (!measures_beside) return AUTOTUNE_OK;
    measures_beside = false;
    CHECK(pthread_create(&beside, NULL, measure_beside, NULL) == 0 && pthread_join(beside, NULL) == 0);
    return AUTOTUNE_OK;
}
static void a_race_keeps_its_turn_beside_an_online_race(const autotune_axis *axis) {
    const autotune_desc desc = {.name = "both", .axes = axis, .axis_count = 1, .launch = launch_of_both};
    autotune_result result;
    autotune_options o = {.mode = AUTOTUNE_FORCE, .backend = &own_backend, .cache = AUTOTUNE_CACHE_OFF,
                          .result = &result};
    of_both = autotune_create(&desc);
    measures_beside = true;
    CHECK(autotune_call(of_both, &o) == AUTOTUNE_OK && !measures_beside && result.index == 0 && result.tried == 4);
    o.version = "another key";
    CHECK(autotune_call(of_both, &o) == AUTOTUNE_OK && result.index == 0 && result.tried == 4);
    autotune_destroy(of_both);
}
#ifdef _WIN32
static void a_tuner_may_end_with_the_program(const autotune_axis *axis, bool in_call) {
    (void)axis, (void)in_call;
}
#else
/* A tuner is destroyed after the end of the program has begun, as that of a static object of C++ is. in_call: a call of
   the tuner ends the program. */
static autotune_tuner *last_tuner;
static bool exits;
static autotune_status launch_or_exit(void *user, const autotune_config *config) {
    if (exits) exit(EXIT_SUCCESS);
    return launch(user, config);
}
static void end_last(void) { autotune_destroy(last_tuner); }
static void a_tuner_may_end_with_the_program(const autotune_axis *axis, bool in_call) {
    const autotune_desc desc = {.name = "last", .axes = axis, .axis_count = 1, .launch = launch_or_exit};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        last_tuner = autotune_create(&desc);
        CHECK(atexit(end_last) == 0 &&
              autotune_call(last_tuner, &(autotune_options){.mode = AUTOTUNE_ONLINE}) == AUTOTUNE_OK);
        exits = in_call;
        if (in_call) (void)autotune_call(last_tuner, &(autotune_options){.mode = AUTOTUNE_ONLINE});
        exit(in_call ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif
int main(void) {
    static const int64_t values[] = {0, 1, 2, 3};
    const autotune_axis axis = {.name = "id", .values = values, .count = 4};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch};
    autotune_tuner *tuner = autotune_create(&desc);
    pthread_t threads[THREADS];
    a_tuner_may_end_with_the_program(&axis, false);
    a_tuner_may_end_with_the_program(&axis, true);
    backend = autotune_cpu();
    backend.device = "behind";
    backend.enter = enter, backend.leave = leave, backend.clock_call = clock_call, backend.ask = ask;
    own_backend = autotune_cpu();
    own_backend.now = own_clock;
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, call, tuner) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    /* some launches are rejected, so there are more launches than calls */
    CHECK(launches >= 2 * THREADS * CALLS && launches <= 2 * THREADS * CALLS + 2 * KEYS);
    int more = 0; /* how many calls a race takes depends on how evenly the machine sleeps */
    while (!call_key(0) && more < 20000) more++;
    CHECK(more < 20000);
    CHECK(made == 5 * THREADS * CALLS);
    for (int calls = 0; calls < 3000; calls++) (void)call_watched();
    CHECK(call_watched().index == 3);
    autotune_destroy(tuner);
    a_tuner_ends_after_the_calls_that_its_race_makes(&axis);
    a_race_keeps_its_turn_beside_an_online_race(&axis);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
    return 0;
}
