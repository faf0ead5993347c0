/* suite_memory.c - every allocation may fail. Each run of a statement is a new process, and in each run another
   allocation fails. Either the call is made once; or it is not made, memory is unchanged, and the status says why. When
   memory is available again, the same statement tunes and hits, and no memory has leaked. */
#include "opened.h"
#include "sanitized.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last-level cache is small here, so the memory that empties caches is small, and is checked soon. */
static __attribute__((__constructor__)) void configure(void) { configured_cache_bytes = 4 << 20; }

/* ---- What all statements do -------------------------------------------------------------------------------------- */

enum { LENGTH = 6, UNWRITTEN = -1 };
typedef struct call {
    int key, trials, made, tile; /* counts of launches; tile: of the call for real */
    int total;                   /* each launch adds 1 */
    int out[LENGTH];             /* each launch writes key, key + 1, ... */
    bool restores;               /* .restore and .outputs name total and out, so trials leave no trace in them */
    bool has_result;
    autotune_result result;
} call;

static uint64_t virtual_time;
static uint64_t virtual_now(autotune_backend *self) { return (void)self, virtual_time; }
static autotune_backend kernel_clock;
static void say_nothing(void *user, autotune_log_level level, const char *line) { (void)user, (void)level, (void)line; }

static void launch(call *c, bool trial, int tile) {
    virtual_time += (uint64_t)tile * 1000000; /* the first tile, which is the least, is the best */
    if (trial)
        c->trials++;
    else
        c->made++, c->tile = tile;
    for (int i = 0; i < LENGTH; i++) c->out[i] = c->key + i;
    c->total++;
}
static autotune_status launch_or_fail(call *c, bool trial, int tile) {
    launch(c, trial, tile);
    return tile == 3 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static call new_call(int key) {
    call c = {.key = key};
    for (int i = 0; i < LENGTH; i++) c.out[i] = UNWRITTEN;
    return c;
}

/* ---- The statements ---------------------------------------------------------------------------------------------- */

#define MEASURED       .backend = &kernel_clock, .max_seconds = 1e6
#define NO_TRACE_OF(c) \
    .restore = BUFFERS({&(c).total, sizeof(c).total}), .outputs = BUFFERS({(c).out, sizeof(c).out, AUTOTUNE_I32})
#define NO_TRACE       NO_TRACE_OF(*c)

static void plain(call *c) {
    AUTOTUNE(SPACE(AXIS(tile, 1, 2, 4)), 1, launch(c, autotune_trial, tile), .key = KEY(c->key), MEASURED);
}

static void with_buffers_and_result(call *c) {
    c->restores = c->has_result = true;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2, 4)), 1, launch(c, autotune_trial, tile), .key = KEY(c->key), NO_TRACE, MEASURED,
             .result = &c->result);
}
static void with_strings(call *c) {
    char layout[32], name[32], version[32];
    snprintf(layout, sizeof layout, "layout %d", c->key);
    snprintf(name, sizeof name, "strings %d", c->key / 2);
    snprintf(version, sizeof version, "version %d", c->key / 4);
    c->has_result = true;
    AUTOTUNE(SPACE(AXIS(name_of_way, "one", "two"), AXIS(tile, 1, 2)), 1,
             launch(c, autotune_trial, tile + (name_of_way[0] == 't')), MEASURED,
             .key = KEY(layout, c->key, "same for all"), .name = name, .version = version, .result = &c->result);
    /* autotune has copied the texts */
    memset(layout, 0, sizeof layout), memset(name, 0, sizeof name), memset(version, 0, sizeof version);
}
static void with_configs(call *c) {
    c->restores = c->has_result = true;
    AUTOTUNE(SPACE(CONFIGS((tile, unroll, how), (1, 1, "narrow"), (2, 4, "wide"), (4, 4, "wide")),
                   WHERE(unroll + tile > 0)),
             1, launch(c, autotune_trial, tile + (how[0] == 'w')), .key = KEY(c->key), NO_TRACE, MEASURED,
             .result = &c->result);
}
static void with_alternatives(call *c) {
    c->restores = c->has_result = true;
    AUTOTUNE_SELECT((.key = KEY(c->key), NO_TRACE, MEASURED, .result = &c->result), launch(c, autotune_trial, 1),
                    launch_or_fail(c, autotune_trial, 3),
                    CASE(launch(c, autotune_trial, 4), NAME("the slow one"), WHERE(c->key >= 0)),
                    CASE(launch(c, autotune_trial, 5), PRIORITY(1)));
}
static void with_model_and_priority(call *c) {
    c->has_result = true;
    AUTOTUNE(SPACE(RANGE(tile, 1, 12, 1), AXIS(group, 1, 0), WHERE(tile != 7), MODEL(tile < 6 ? tile : 100),
                   PRIORITY(group, tile % 2)),
             1, launch(c, autotune_trial, tile), .key = KEY(c->key), MEASURED, .top_k = 5, .result = &c->result);
}
static void set_up(void *user, const autotune_config *config) {
    ((call *)user)->out[0] = config->count == 1 ? UNWRITTEN : -UNWRITTEN;
}
static bool verified(void *user, const autotune_config *config) {
    return config->count == 1 && ((call *)user)->out[0] == ((call *)user)->key;
}
static void with_callbacks(call *c) {
    c->restores = c->has_result = true;
    AUTOTUNE(SPACE(POW2(tile, 1, 16)), 1, launch(c, autotune_trial, tile), .key = KEY(c->key),
             .zero = BUFFERS({c->out, sizeof c->out}), .restore = BUFFERS({&c->total, sizeof c->total}),
             .setup = set_up, .verify = verified, .user = c, MEASURED, .result = &c->result);
}
static void with_failures(call *c) {
    c->restores = c->has_result = true;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2, 3, 4)), .key = KEY(c->key), NO_TRACE, MEASURED, .result = &c->result) {
        launch(c, autotune_trial, tile);
        if (tile == 2) {
            (void)AUTOTUNE_REJECT(
                "a reason of some length, so that it is not kept in whatever room there already was: %d", tile);
            continue;
        }
        if (tile == 3) c->out[LENGTH - 1] = 3; /* a wrong output */
    }
}
static void of_one_configuration(call *c) { /* one configuration, which is not raced: short, for long sequences */
    c->has_result = true;
    AUTOTUNE(SPACE(AXIS(tile, 1)), 1, launch(c, autotune_trial, tile), .key = KEY(c->key, "text"), MEASURED,
             .result = &c->result);
}

/* A created tuner: made, called, queued, looked up and destroyed. Memory may run out in each of these. Its functions
   are not told what is a trial, so `total` has all launches that were not undone. */
static autotune_status launch_created(void *user, const autotune_config *config) {
    call *c = (call *)user;
    c->tile = (int)autotune_get_int(config, "tile");
    launch(c, true, c->tile);
    return strcmp(autotune_get_string(config, "way"), "none") ? AUTOTUNE_OK : AUTOTUNE_REJECT("the way is %s", "none");
}
static bool no_eight(void *user, const autotune_config *partial) {
    return (void)user, autotune_get_int(partial, "tile") != 8;
}
static void count_known(void *user, const autotune_known *known) { *(size_t *)user += known->measurement_count > 0; }
static autotune_tuner *create_both(call *c) {
    static const int64_t tiles[] = {1, 2, 4, 8};
    const int64_t ways[] = {(int64_t)(intptr_t) "one", (int64_t)(intptr_t) "none"};
    const char *const labels[] = {"the first", "the second"};
    const autotune_axis axes[] =
        {{.name = "tile", .values = tiles, .count = 4, .where = no_eight},
         {.name = "way", .values = ways, .count = 2, .type = AUTOTUNE_STRING, .labels = labels}};
    const int64_t table[] = {1, ways[0], 2, ways[1], 4, ways[0], 8, ways[0]};
    const bool of_table = c->key % 2;
    return autotune_create(&(autotune_desc){.name = of_table ? "table" : "product",
                                            .axes = axes,
                                            .axis_count = 2,
                                            .configs = of_table ? table : NULL,
                                            .config_count = of_table ? 4 : 0,
                                            .launch = launch_created,
                                            .user = c});
}
static void created(call *c) {
    autotune_tuner *tuner = create_both(c);
    const autotune_options o = {.key = KEY(c->key, "text"), .version = "1", NO_TRACE, MEASURED, .result = &c->result};
    c->restores = c->has_result = true;
    c->result.status = AUTOTUNE_ERR_MEMORY;
    if (!tuner) return;
    if (autotune_call(tuner, &o) != c->result.status) abort();
    c->made = c->total;
    c->trials -= c->made;
    autotune_destroy(tuner);
}
static void queued(call *c) {
    size_t known = 0;
    autotune_tuner *tuner = create_both(c);
    const autotune_options o = {.key = KEY(c->key, "queued"),
                                .name = "queued",
                                NO_TRACE,
                                MEASURED,
                                .result = &c->result};
    autotune_config winner;
    c->restores = c->has_result = true;
    c->result.status = AUTOTUNE_ERR_MEMORY;
    if (!tuner) return;
    if (autotune_add(tuner, &o) == AUTOTUNE_OK && autotune_tune_all() == AUTOTUNE_OK &&
        /* the key is known, and autotune_each() visits it */
        autotune_lookup("queued", o.key, &winner) == AUTOTUNE_OK) {
        c->made = 1;
        c->tile = (int)autotune_get_int(&winner, "tile");
        autotune_each(count_known, &known);
        if (!known) abort();
        if (c->total != 0) abort();
        launch(c, false, c->tile);
        c->made = 1;
    }
    autotune_destroy(tuner);
}

typedef struct statement {
    const char *name;
    void (*make)(call *);
} statement;
static const statement statements[] = {
    {"plain", plain},
    {"with buffers and result", with_buffers_and_result},
    {"with strings", with_strings},
    {"with CONFIGS", with_configs},
    {"SELECT", with_alternatives},
    {"with MODEL and PRIORITY", with_model_and_priority},
    {"with callbacks", with_callbacks},
    {"with failures", with_failures},
    {"created", created},
    {"queued", queued},
    {"of one configuration", of_one_configuration},
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

/* ---- What is promised of a statement ----------------------------------------------------------------------------- */

/* In a child, a broken promise prints a line to stderr and ends the process. */
#define PROMISE(condition) \
    ((condition) \
         ? (void)0 \
         : (fprintf(stderr, "%s: line %d: %s, key %d: not so: %s (made %d, status %s, last error: %s)\n", __func__, \
                    __LINE__, s->name, \
                    c.key, #condition, c.made, c.has_result ? autotune_status_text(c.result.status) : "unknown", \
                    autotune_last_error()), \
            _exit(EXIT_FAILURE)))

static bool out_is_right(const call *c) {
    for (int i = 0; i < LENGTH; i++)
        if (c->out[i] != c->key + i) return false;
    return true;
}
static bool is_untouched(const call *c) {
    for (int i = 0; i < LENGTH; i++)
        if (c->out[i] != UNWRITTEN) return false;
    return c->total == 0;
}
static void make_without_memory(const statement *s, int key) {
    call c = new_call(key);
    s->make(&c);
    if (c.made) {
        PROMISE(c.made == 1 && out_is_right(&c));
        PROMISE(!c.restores || c.total == 1);
        PROMISE(!c.has_result || c.result.status == AUTOTUNE_OK || c.result.status == AUTOTUNE_ERR_MEMORY);
    } else {
        PROMISE(!c.has_result || c.result.status == AUTOTUNE_ERR_MEMORY);
        PROMISE(strstr(autotune_last_error(), "out of memory"));
        PROMISE(!c.restores || is_untouched(&c));
    }
}
static void make_with_memory(const statement *s, int key) {
    for (int again = 0; again < 3; again++) {
        call c = new_call(key);
        s->make(&c);
        PROMISE(c.made == 1 && out_is_right(&c));
        PROMISE(!c.restores || c.total == 1);
        PROMISE(!c.has_result || c.result.status == AUTOTUNE_OK);
        PROMISE(c.tile == 1); /* the best tile wins: running out of memory counts as no failure of a configuration */
        PROMISE(!again || (c.trials == 0 && (!c.has_result || c.result.cache_hit)));
    }
}

/* ---- Children ---------------------------------------------------------------------------------------------------- */

/* The task of a child, and how the child ended. */
typedef struct scenario {
    const statement *first;
    int statements, keys;
} scenario;
typedef struct report {
    bool complete, failed;
    long living;
} report;

static void make_all_with_memory(const scenario *what, int first_key) {
    for (int key = first_key; key < first_key + what->keys; key++)
        for (int i = 0; i < what->statements; i++) make_with_memory(&what->first[i], key);
}
static void play(const scenario *what) {
    for (int key = 0; key < what->keys; key++)
        for (int i = 0; i < what->statements; i++) make_without_memory(&what->first[i], key);
    allocator.until_failure = -1;
    allocator.random = 0;
    /* All statements twice, with other keys between: a call site whose table could not be allocated knows only its last
       winner. */
    make_all_with_memory(what, 0);
    make_all_with_memory(what, 1000);
    make_all_with_memory(what, 0);
    /* How many results are kept for autotune_save() depends on the free memory. */
    cr_assert(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
}
static report play_in_child(const scenario *what, long until_failure, uint64_t random) {
    report r = {.complete = false};
    int ends[2];
    cr_assert(pipe(ends) == 0);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        autotune_set_log(say_nothing, NULL);
        kernel_clock = autotune_cpu();
        kernel_clock.now = virtual_now;
        allocator.until_failure = until_failure;
        allocator.random = random;
        play(what);
        r = (report){true, allocator.failed, allocator.living};
        _exit(write(ends[1], &r, sizeof r) == (ssize_t)sizeof r ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    close(ends[1]);
    if (read(ends[0], &r, sizeof r) != (ssize_t)sizeof r) r.complete = false;
    close(ends[0]);
    int status;
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status),
              "%s, %ld allocations then one fails, seed %lu: ended by signal %d", what->first->name, until_failure,
              (unsigned long)random, WTERMSIG(status));
    cr_assert(r.complete && WEXITSTATUS(status) == EXIT_SUCCESS,
              "%s, %ld allocations then one fails, seed %lu: a promise was broken", what->first->name, until_failure,
              (unsigned long)random);
    return r;
}
/* Lets allocation `from` fail in a child. In each next child, an allocation `step` later fails, until a child makes no
   allocation with this number. */
static void fail_each(const scenario *what, long from, long step) {
    const report healthy = play_in_child(what, -1, 0);
    for (long n = from;; n += step) {
        const report r = play_in_child(what, n, 0);
        cr_assert(r.living == healthy.living, "%s, %ld allocations then one fails: %ld blocks live at the end, not %ld",
                  what->first->name, n, r.living, healthy.living);
        if (!r.failed) {
            cr_assert(n > 10, "%s: only %ld allocations", what->first->name, n);
            break;
        }
    }
}

/* ---- The tests --------------------------------------------------------------------------------------------------- */

/* other allocations of each statement, since the statements have most allocations in common */
Test(memory, allocations_fail_in_turn) {
    for (int i = 0; i < STATEMENTS; i++) fail_each(&(scenario){&statements[i], 1, 1}, i % NEXT_FAILURE, NEXT_FAILURE);
}
/* every seventh, since the allocations of each key are like those of the next */
Test(memory, one_allocation_in_seven_of_forty_keys_fails_in_turn) {
    fail_each(&(scenario){&statements[STATEMENTS - 1], 1, 40}, 0, 7);
}

Test(memory, one_allocation_in_five_fails) {
    enum { SEEDS = ADDRESS_SANITIZED ? 20 : 60, KEYS = 5 };
    const scenario all = {statements, STATEMENTS, KEYS};
    const report healthy = play_in_child(&all, -1, 0);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const report r = play_in_child(&all, -1, seed);
        cr_assert(r.failed);
        cr_assert(r.living == healthy.living, "seed %lu: %ld blocks live at the end, not %ld", (unsigned long)seed,
                  r.living, healthy.living);
    }
}

/* Mode ONLINE: each call is made once; or it is not made, and its status says why. Later, with enough memory, the race
   goes on to its end. Returns true if an allocation failed. */
static unsigned online_watch; /* the option .watch */
static bool online_changed;   /* true: the best configuration takes three times as long */
static call online_call(void) {
    call c = new_call(1);
    c.has_result = true;
    AUTOTUNE(SPACE(AXIS(tile, 3, 1, 2), AXIS(way, "a", "b")), 1,
             launch(&c, false, tile + (way[0] == 'b') + (online_changed && tile == 1 && way[0] == 'a' ? 2 : 0)),
             .key = KEY("online"), .mode = AUTOTUNE_ONLINE, .cache = AUTOTUNE_CACHE_OFF, .backend = &kernel_clock,
             .watch = online_watch, .result = &c.result);
    return c;
}
static call online_calls(int count) {
    call c = new_call(1);
    for (int i = 0; i < count; i++) {
        c = online_call();
        if (c.made != (c.result.status == AUTOTUNE_ERR_MEMORY ? c.made > 0 : 1) || c.total > 1) _exit(3);
    }
    return c;
}
static bool online_with_failure(long failing, unsigned watch) {
    const pid_t child = fork();
    int status;
    if (child == 0) {
        autotune_set_log(say_nothing, NULL);
        kernel_clock = autotune_cpu();
        kernel_clock.now = virtual_now;
        allocator.until_failure = failing;
        online_watch = watch;
        call c = online_calls(watch ? 250 : 100);
        online_changed = watch > 0;
        if (watch) c = online_calls(250);
        const bool failed = allocator.failed;
        allocator.until_failure = -1;
        if (watch) c = online_calls(1000);
        for (int i = 0; i < 1000 && !c.result.cache_hit; i++) c = online_call();
        if (!c.result.cache_hit || c.tile != (watch ? 2 : 1)) _exit(4);
        if (autotune_shutdown() != AUTOTUNE_OK || allocator.living) _exit(5);
        _exit(failed ? 1 : 0);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) <= 1,
              "%ld allocations then one fails: %d", failing, status);
    return WEXITSTATUS(status) == 1;
}
/* A call on probation that lacks memory for its statement does not count. Later calls are timed in its place. */
Test(memory, calls_on_probation_that_lack_memory_do_not_prolong_it) {
    int evaluations = 0, calls = 0, before;
    kernel_clock = autotune_cpu();
    kernel_clock.now = virtual_now;
    do {
        call c = new_call(1);
        before = evaluations;
        if (calls > 0 && calls <= 8) allocator.until_failure = 0;
        AUTOTUNE(SPACE(AXIS(tile, 3, 1, 2)), 1, launch(&c, false, tile), .key = KEY((evaluations++, "probation")),
                 .cache = AUTOTUNE_CACHE_OFF, .backend = &kernel_clock);
        allocator.until_failure = -1;
    } while (evaluations > before + 1 && ++calls < 100);
    cr_assert_eq(calls, 1 + 8 + 8, "%d calls before the first hit", calls);
}
Test(online, allocations_of_an_online_race_fail_in_turn) {
    long failing = 0;
    while (online_with_failure(failing, 0)) failing += NEXT_FAILURE;
    cr_assert_gt(failing, 40, "%ld allocations", failing);
}
Test(online, allocations_of_a_winner_that_is_watched_fail_in_turn) {
    long failing = 1;
    while (online_with_failure(failing, 1)) failing += NEXT_FAILURE;
    cr_assert_gt(failing, 60, "%ld allocations", failing);
}

/* Entries are never freed. All other memory of a statement is freed. So once the result of a key is known, the number
   of blocks does not change. */
static int known_twice(int key) { /* calls a key at two call sites of one tuner */
    int launches = 0;
#define ONE_OF_TWO \
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, (void)(launches += tile > 0 && !autotune_trial), MEASURED, .key = KEY(key))
    ONE_OF_TWO;
    ONE_OF_TWO;
    return launches;
}
static void in_every_mode(int key) {
    static const autotune_mode modes[] = {AUTOTUNE_ON, AUTOTUNE_OFF, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_FORCE};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        call c = new_call(key);
        AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, launch(&c, autotune_trial, tile), .key = KEY(key, "modes"),
                 .mode = modes[i], .result = &c.result, MEASURED);
        cr_assert(c.made == 1);
        AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, launch(&c, autotune_trial, tile), .key = KEY(key, i),
                 .mode = AUTOTUNE_REQUIRE, .result = &c.result, MEASURED);
        cr_assert(c.made == 1 && c.result.status == AUTOTUNE_ERR_MISS);
        AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, launch(&c, autotune_trial, tile), .key = KEY(i, key),
                 .mode = AUTOTUNE_CACHED, .result = &c.result, MEASURED);
        cr_assert(c.made == 2 && c.result.status == AUTOTUNE_OK && !c.result.cache_hit);
    }
}
static void in_error(int key) {
    call c = new_call(key);
    AUTOTUNE(SPACE(AXIS(tile, 3), AXIS(way, 1, 2)), 1, launch_or_fail(&c, autotune_trial && way, tile), NO_TRACE_OF(c),
             .key = KEY(key), .result = &c.result, MEASURED);
    cr_assert(c.result.status == AUTOTUNE_ERR_ALL_FAILED && c.made == 0 && is_untouched(&c));
    AUTOTUNE(SPACE(AXIS(tile, 1, 2), AXIS(way, "a", "b"), WHERE(tile > 2)), 1,
             launch(&c, autotune_trial, tile + (way[0] == 'b')), .key = KEY(key), .result = &c.result, MEASURED);
    cr_assert(c.result.status == AUTOTUNE_ERR_SPACE);
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, launch(&c, autotune_trial, tile), .restore = BUFFERS({NULL, 4}),
             .key = KEY(key, "text"), .result = &c.result, MEASURED);
    cr_assert(c.result.status == AUTOTUNE_ERR_ARGUMENT);
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .key = KEY(key), .result = &c.result, MEASURED) {
        if (autotune_trial) break;
    }
}
Test(memory, repeated_statements_keep_the_balance) {
    enum { KEYS = 10, ROUNDS = 50 };
    long level = 0;
    autotune_set_log(say_nothing, NULL);
    kernel_clock = autotune_cpu();
    kernel_clock.now = virtual_now;
    for (int round = 0; round < ROUNDS; round++) {
        for (int key = 0; key < KEYS; key++) {
            for (int i = 0; i < STATEMENTS; i++) {
                call c = new_call(key);
                statements[i].make(&c);
                cr_assert(c.made == 1 && out_is_right(&c));
            }
            cr_assert(known_twice(key) == 2);
            in_every_mode(key);
            in_error(key);
        }
        if (round == 4) level = allocator.living; /* by now each body was left so often that it is not raced again */
        cr_assert(round < 4 || allocator.living == level, "round %d: %ld blocks live, not %ld", round, allocator.living,
                  level);
    }
}

/* Records that are loaded and cleared are freed. If memory runs out while records are loaded, nothing changes. */
Test(memory, loading_and_clearing_keep_the_balance) {
    static const char text[] = "{\"autotune\":1}\nno record\n"; /* the test adds a record of this process */
    char path[] = "/tmp/autotune-test-XXXXXX";
    long level = 0;
    autotune_set_log(say_nothing, NULL);
    kernel_clock = autotune_cpu();
    kernel_clock.now = virtual_now;
    known_twice(1);
    cr_assert(mkstemp(path) >= 0 && autotune_save(path) == AUTOTUNE_OK);
    for (int i = 0; i < 200; i++) {
        allocator.until_failure = i < 100 ? -1 : i % 20;
        autotune_load(path);
        autotune_load_text(text, sizeof text - 1);
        allocator.until_failure = -1;
        cr_assert(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
        if (i == 10) level = allocator.living;
        cr_assert(i < 10 || allocator.living == level, "round %d: %ld blocks live, not %ld", i, allocator.living,
                  level);
    }
    unlink(path);
}

/* The only configuration fails in each call. Its winner is retired twice, and comes back in the same entry. The third
   time it stays. */
Test(memory, a_call_that_fails_every_time_fills_nothing) {
    long level = 0;
    autotune_set_log(say_nothing, NULL);
    for (int i = 0; i < 100; i++) {
        autotune_result result;
        AUTOTUNE(SPACE(AXIS(tile, 16)), 1, (autotune_status)(tile ? AUTOTUNE_FAILED : AUTOTUNE_OK), .key = KEY(1),
                 .result = &result);
        cr_assert(result.status == AUTOTUNE_FAILED && result.verdict == AUTOTUNE_SINGLE);
        if (i == 3) level = allocator.living;
        cr_assert(i < 3 || allocator.living == level, "call %d: %ld blocks live, not %ld", i, allocator.living, level);
    }
}

static int again_and_again(int best, int round, autotune_backend *backend, autotune_result *result) {
    int called = -1;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 0, 1, 2)), .name = "again", .key = KEY(1), .backend = backend, .max_seconds = 1e6,
                   .result = result) {
        virtual_time += tile == best ? 1000000 + (uint64_t)round : 5000000;
        if (!autotune_trial) called = tile;
    }
    return called;
}
/* A winner that is cleared leaves its entry, since a thread may still use it. The next race publishes the same entry
   again if the same configuration wins. So a key has one entry for each configuration that has won. */
Test(memory, a_key_that_is_tuned_again_and_again_grows_by_its_winners_alone) {
    enum { TIMES = 1000, WINNERS = 3, BACKENDS = 2 }; /* the backends are of one family, so entries are copied, too */
    autotune_backend backends[BACKENDS];
    long level = 0;
    autotune_set_log(say_nothing, NULL);
    for (int b = 0; b < BACKENDS; b++) {
        backends[b] = autotune_cpu();
        backends[b].now = virtual_now;
        backends[b].family = &virtual_time;
    }
    for (int i = 0; i < TIMES; i++) {
        for (int calls = 0; calls < 2 * BACKENDS; calls++) {
            autotune_result result;
            const int tile = again_and_again(i % WINNERS, i, &backends[calls % BACKENDS], &result);
            cr_assert(tile == i % WINNERS && result.cache_hit == (calls > 0), "round %d, call %d: %d", i, calls, tile);
            cr_assert(result.median_ns == 1000000 + i, "round %d, call %d: %.0f", i, calls, result.median_ns);
        }
        cr_assert(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
        if (i == 2 * WINNERS) level = allocator.living;
        cr_assert(i < 2 * WINNERS || allocator.living == level, "round %d: %ld blocks live, not %ld", i,
                  allocator.living, level);
    }
}
