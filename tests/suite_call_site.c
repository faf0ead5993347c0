/* suite_call_site.c - the three statements: how often the call is made and what it sees, and where a statement may
   stand. Which values of a call are statuses, and which call sites are one tuner? */
#define AUTOTUNE_CHECKS /* a hit evaluates WHERE, and reports a winner that violates it */
#include "virtual_clock.h"
#include "expect.h"
#include <limits.h>
#include <math.h>

static void keep_log(void) { autotune_set_log(keep_line, NULL); }
TestSuite(call_site, .init = keep_log);

/* ---- The kernel: one value is fast, all others are so slow that the screening drops them. It counts its runs. ---- */

enum { MILLISECOND = 1000000 };
static int favourite = 2;
static int trials, real, value_for_real;
static autotune_result result;

static void run(bool trial, int value) {
    virtual_ns += value == favourite ? MILLISECOND : 100 * MILLISECOND;
    if (trial)
        trials++;
    else
        real++, value_for_real = value;
}
#define OPTIONS .backend = virtual_backend(), .result = &result

/* Expects these counts for the calls since the last check, and sets the counts to 0. */
static void expect_winner(int value) {
    cr_expect(!result.cache_hit);
    EXPECT_INT(real, 1);
    EXPECT_INT(value_for_real, value);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    trials = real = 0;
}
static void expect_tuned(int value) {
    cr_expect(trials > 0, "no trial");
    EXPECT_INT(result.launches, trials + real);
    expect_winner(value);
}
static void expect_hit(int value) {
    cr_expect(result.cache_hit);
    EXPECT_INT(trials, 0);
    EXPECT_INT(real, 1);
    EXPECT_INT(value_for_real, value);
    EXPECT_INT(result.launches, 1);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    real = 0;
}

/* ---- How often the call is made, and what it sees ---------------------------------------------------------------- */

static void statement_of_a_call(int key) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3)), 1, run(autotune_trial, a), OPTIONS, .key = KEY(key));
}
static void statement_of_a_block(int key) {
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2, 3)), OPTIONS, .key = KEY(key)) {
        int commas, and_loops = 0;
        for (commas = 0; commas < 3; commas++) and_loops += a;
        run(autotune_trial, and_loops / 3);
    }
}
static void statement_of_alternatives(int key) {
    AUTOTUNE_SELECT((OPTIONS, .key = KEY(key)), run(autotune_trial, 1), run(autotune_trial, 2),
                    CASE(run(autotune_trial, 3)));
}
static void expect_once(void (*statement)(int key)) {
    for (int key = 0; key < 3; key++) {
        favourite = 1 + key;
        statement(key);
        expect_tuned(1 + key);
        for (int again = 0; again < 3; again++) statement(key), expect_hit(1 + key);
    }
    for (int key = 3; key-- > 0;) statement(key), expect_hit(1 + key);
}
Test(call_site, a_call_is_made_once_for_real) { expect_once(statement_of_a_call); }
Test(call_site, a_block_is_run_once_for_real) { expect_once(statement_of_a_block); }
Test(call_site, one_alternative_is_called_once_for_real) { expect_once(statement_of_alternatives); }

Test(call_site, no_option_is_needed) {
    for (int call = 0; call < 2; call++) {
        AUTOTUNE(SPACE(AXIS(a, 2)), 1, run(autotune_trial, a));
        AUTOTUNE_BLOCK(SPACE(AXIS(a, 2))) run(autotune_trial, a);
        AUTOTUNE_SELECT((), run(autotune_trial, 2));
    }
    EXPECT_INT(real, 6);
    EXPECT_INT(trials, 0);
}

static void write_to(int *memory, int value, bool trial) { *memory += value, run(trial, value); }
Test(call_site, trials_can_have_memory_of_their_own) {
    int scratch = 0, out = 0;
    for (int call = 1; call <= 3; call++) {
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, write_to(autotune_trial ? &scratch : &out, a, autotune_trial), OPTIONS);
        EXPECT_INT(out, 2 * call);
    }
    cr_expect(scratch > 0);
}
Test(call_site, an_untuned_call_is_no_trial) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .mode = AUTOTUNE_OFF);
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .mode = AUTOTUNE_CACHED);
    EXPECT_INT(trials, 0);
    EXPECT_INT(real, 2);
    EXPECT_INT(value_for_real, 1);
}
Test(call_site, names_may_hide_those_of_the_caller) {
    const int a = 77, blocks = 78, autotune_trial = 79;
    for (int call = 0; call < 2; call++)
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 5, run(autotune_trial, blocks.x == 5 ? a : 0), OPTIONS);
    EXPECT_INT(value_for_real, 2);
    EXPECT_INT(a + blocks + autotune_trial, 77 + 78 + 79);
}

/* A hit reads .key, .name, .version, .result, .mode and .backend. Other options of the call may have any value. */
static void with_options(autotune_options o) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), .key = o.key, .name = o.name, .version = o.version,
             .mode = o.mode, .preset = o.preset, .strategy = o.strategy, .max_seconds = o.max_seconds,
             .stop_at_ns = o.stop_at_ns, .restore = o.restore, .setup = o.setup, .verify = o.verify,
             .backend = o.backend, .result = o.result);
}
static int setups;
static void count_setup(void *user, const autotune_config *config) { (void)user, (void)config, setups++; }
static bool refuse(void *user, const autotune_config *config) {
    return (void)user, (void)config, setups++, false;
}
Test(call_site, a_hit_reads_six_options) {
    autotune_result other_result;
    autotune_backend other_backend = *virtual_backend();
    const autotune_options good = {.key = KEY(1), .backend = virtual_backend(), .result = &result};
    autotune_options o = good;
    with_options(o);
    expect_tuned(2);
    o.preset = (autotune_preset)77;
    o.strategy = (autotune_strategy)77;
    o.max_seconds = -1;
    o.stop_at_ns = (double)NAN;
    o.restore.count = 1; /* one buffer without an address */
    o.setup = count_setup;
    o.verify = refuse;
    with_options(o);
    expect_hit(2);
    EXPECT_INT(setups, 0);
    EXPECT_STRING(logged, "");
    /* changes the six options in turn */
    o = good;
    o.name = "another";
    with_options(o);
    expect_tuned(2);
    o.version = "another";
    with_options(o);
    expect_tuned(2);
    o = good;
    o.result = &other_result;
    memset(&other_result, 0, sizeof other_result);
    with_options(o);
    cr_expect(other_result.cache_hit);
    EXPECT_INT(autotune_get_int(&other_result.config, "a"), 2);
    o.result = NULL;
    with_options(o);
    EXPECT_INT(real, 2);
    real = 0;
    o = good;
    o.mode = AUTOTUNE_REQUIRE;
    with_options(o);
    expect_hit(2);
    o.mode = AUTOTUNE_OFF;
    with_options(o);
    EXPECT_INT(value_for_real, 1);
    cr_expect(!result.cache_hit);
    real = 0;
    o = good;
    o.key = KEY(2);
    with_options(o);
    expect_tuned(2);
    o = good;
    o.backend = &other_backend;
    with_options(o);
    expect_tuned(2);
    with_options(o);
    expect_hit(2);
    with_options(good);
    expect_hit(2);
}
/* One call site. Each caller has an inlined copy, in which the compiler knows the backend. */
static inline __attribute__((__always_inline__)) bool is_known_to(autotune_backend *backend) {
    AUTOTUNE(SPACE(AXIS(a, 1)), 1, run(autotune_trial, a), .backend = backend, .result = &result);
    return result.cache_hit;
}
Test(call_site, a_winner_of_one_backend_is_none_of_another) {
    static autotune_backend other_backend;
    other_backend = autotune_cpu();
    cr_expect(!is_known_to(&other_backend));
    cr_expect(!is_known_to(NULL));
    cr_expect(is_known_to(NULL));
    cr_expect(is_known_to(&other_backend));
    cr_expect(is_known_to(NULL));
    cr_expect(!is_known_to(virtual_backend()));
    cr_expect(is_known_to(NULL));
}
static int read_now(int *count, int value) { return ++*count, value; }
Test(call_site, blocks_and_key_are_evaluated_at_every_hit) {
    int blocks_read = 0, key_read = 0;
    for (int call = 0; call < 3; call++) {
        blocks_read = key_read = 0;
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), read_now(&blocks_read, 4 + call),
                 run(autotune_trial, blocks.x == 4u + (unsigned)call ? a : 0), OPTIONS,
                 .key = KEY(read_now(&key_read, 1)));
        cr_expect(blocks_read > 0 && key_read > 0);
        EXPECT_INT(value_for_real, 2);
    }
}

/* ---- Where a statement may stand --------------------------------------------------------------------------------- */

enum { POSITIONS = 12 };
static void at_position(int position) {
#define STATEMENT AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .key = KEY(position))
#define BLOCK \
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS, .key = KEY(position)) run(autotune_trial, a)
#define ALTERNATIVES AUTOTUNE_SELECT((OPTIONS, .key = KEY(position)), run(autotune_trial, 1), run(autotune_trial, 2))
    int turns = 0;
    if (position == 0)
        STATEMENT;
    else if (position == 1)
        BLOCK;
    else if (position == 2)
        ALTERNATIVES;
    else
        for (int i = 0; i < 2; i++)
            if (position == 3 && i == 1) STATEMENT;
    switch (position) {
    case 4: STATEMENT; break;
    case 5: BLOCK; break;
    case 6: ALTERNATIVES; break;
    case 7:
    default:;
    }
    for (int i = 0; i < 1 && position == 7; i++) STATEMENT;
    while (position == 8 && turns++ < 3) STATEMENT;
    do
        if (position == 9) ALTERNATIVES;
    while (position == 9 && turns++ < 2);
    if (position != 10) goto after;
again:
    STATEMENT;
    if (turns++ < 2) goto again;
after:
    if (position == 11) {
        STATEMENT;
        BLOCK;
        ALTERNATIVES;
    }
#undef STATEMENT
#undef BLOCK
#undef ALTERNATIVES
}
Test(call_site, a_statement_stands_wherever_a_statement_may) {
    static const int expected[POSITIONS] = {1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3};
    for (int call = 0; call < 2; call++)
        for (int position = 0; position < POSITIONS; position++) {
            trials = real = 0;
            at_position(position);
            cr_expect(real == expected[position], "position %d: %d calls and not %d", position, real,
                      expected[position]);
            cr_expect(value_for_real == 2, "position %d: the winner is %d", position, value_for_real);
            if (call > 0) EXPECT_INT(trials, 0);
        }
}
Test(call_site, loops_of_the_caller_go_on) {
    int calls = 0;
    for (int i = 0; i < 10; i++) {
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .key = KEY(i % 3));
        if (i == 7) break;
        if (i % 2) continue;
        calls++;
    }
    EXPECT_INT(real, 8);
    EXPECT_INT(calls, 4);
}
Test(call_site, continue_in_a_block_ends_the_launch_only) {
    int after = 0;
    for (int i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS) {
            run(autotune_trial, a);
            if (a == 2) continue;
            after++;
        }
        EXPECT_INT(value_for_real, 2);
        EXPECT_INT(real, i + 1);
    }
    cr_expect(after > 0);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static autotune_grid seen;
static void see(bool trial, int a, autotune_grid blocks) {
    run(trial, a);
    if (!trial) seen = blocks;
}
#define EXPECT_BLOCKS(first, second, third, ...) \
    do { \
        for (int call = 0; call < 2; call++) { \
            seen = (autotune_grid){99, 99, 99}; \
            AUTOTUNE(SPACE(AXIS(a, 1, 2)), __VA_ARGS__, see(autotune_trial, a, blocks), OPTIONS, \
                     .key = KEY(__LINE__)); \
            EXPECT_INT(result.status, AUTOTUNE_OK); \
            EXPECT_INT(result.cache_hit, call); \
            EXPECT_INT(seen.x, first); \
            EXPECT_INT(seen.y, second); \
            EXPECT_INT(seen.z, third); \
        } \
    } while (0)
Test(call_site, blocks_of_every_kind) {
    const int n = 100;
    const unsigned long long wide = 100; /* wide: gcc takes the sign of (unsigned long long)n for that of n */
    const autotune_grid grid = {2, 3, 4};
    EXPECT_BLOCKS(1, 1, 1, 1);
    EXPECT_BLOCKS(0, 1, 1, 0);
    EXPECT_BLOCKS(100, 1, 1, n);
    EXPECT_BLOCKS(100, 1, 1, (signed char)n);
    EXPECT_BLOCKS(100, 1, 1, (unsigned short)n);
    EXPECT_BLOCKS(100, 1, 1, (unsigned)n);
    EXPECT_BLOCKS(100, 1, 1, (long)n);
    EXPECT_BLOCKS(100, 1, 1, wide);
    EXPECT_BLOCKS(INT32_MAX, 1, 1, INT32_MAX);
    EXPECT_BLOCKS(INT32_MAX, 1, 1, (size_t)INT32_MAX);
    EXPECT_BLOCKS(50, 1, 1, (n + a - 1) / a); /* the number of blocks depends on the configuration */
    EXPECT_BLOCKS(5, 1, 1, autotune_trial ? 4 : 5);
    EXPECT_BLOCKS(7, 1, 1, GRID(7));
    EXPECT_BLOCKS(7, 8, 1, GRID(7, 8));
    EXPECT_BLOCKS(7, 8, 9, GRID(7, 8LL, 9u));
    EXPECT_BLOCKS(INT32_MAX, INT32_MAX, INT32_MAX, GRID(INT32_MAX, INT32_MAX, (uint64_t)INT32_MAX));
    EXPECT_BLOCKS(2, 3, 4, grid);
}
#define EXPECT_BAD_BLOCKS(good, bad) \
    do { \
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), a == 1 ? (good) : (bad), run(autotune_trial, a), OPTIONS, \
                 .key = KEY(__LINE__)); \
        EXPECT_INT(result.status, AUTOTUNE_OK); \
        EXPECT_INT(result.failed, 1); \
        EXPECT_INT(value_for_real, 1); \
        real = 0; \
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), bad, run(autotune_trial, a), OPTIONS, .key = KEY("all", __LINE__)); \
        EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED); \
        EXPECT_INT(result.failed, 2); \
        EXPECT_CONTAINS(autotune_last_error(), "a=1: a number of blocks or threads is negative or above INT32_MAX; " \
                                               "and 1 more"); \
        EXPECT_INT(real, 0); \
    } while (0)
/* variables, since compilers would report constants */
static long long over = (long long)INT32_MAX + 1, minus_one = -1;
Test(call_site, negative_or_too_many_blocks_fail_the_configuration) {
    EXPECT_BAD_BLOCKS(1, (int)minus_one);
    EXPECT_BAD_BLOCKS(1, INT_MIN);
    EXPECT_BAD_BLOCKS(1, minus_one);
    EXPECT_BAD_BLOCKS(1, over);
    EXPECT_BAD_BLOCKS(1u, (unsigned)over);
    EXPECT_BAD_BLOCKS(1u, UINT_MAX);
    EXPECT_BAD_BLOCKS(1ull, ULLONG_MAX);
    EXPECT_BAD_BLOCKS(1ull, 1ull << 32);
    EXPECT_BAD_BLOCKS(GRID(1), GRID(minus_one));
    EXPECT_BAD_BLOCKS(GRID(1), GRID(1, over));
    EXPECT_BAD_BLOCKS(GRID(1), GRID(1, 1, ULLONG_MAX));
    EXPECT_BAD_BLOCKS(GRID(1), GRID(1, minus_one, 1));
}

/* ---- Which values of a call are statuses ------------------------------------------------------------------------- */

enum other { NO_STATUS = 7 };
struct pair {
    int first, second;
};
#define EXPECT_IGNORED(...)                                                                                       \
    do {                                                                                                          \
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, (run(autotune_trial, a), __VA_ARGS__), OPTIONS);                        \
        EXPECT_INT(result.failed, 0);                                                                             \
        expect_tuned(2);                                                                                          \
        AUTOTUNE_SELECT((OPTIONS), (run(autotune_trial, 1), __VA_ARGS__), (run(autotune_trial, 2), __VA_ARGS__)); \
        EXPECT_INT(result.failed, 0);                                                                             \
        expect_tuned(2);                                                                                          \
    } while (0)
static int of_int(void) { return 7; }
static unsigned of_unsigned(void) { return 7; }
static long of_long(void) { return 7; }
static bool of_bool(void) { return true; }
static double of_double(void) { return 7; }
static enum other of_enum(void) { return NO_STATUS; }
static void *of_pointer(void) { return &result; }
static const char *of_string(void) { return "failed"; }
static struct pair of_struct(void) { return (struct pair){7, 7}; }
static void of_void(void) {}
Test(call_site, other_types_than_the_status_are_ignored) {
    EXPECT_IGNORED(of_int());
    EXPECT_IGNORED(of_unsigned());
    EXPECT_IGNORED(of_long());
    EXPECT_IGNORED(of_bool());
    EXPECT_IGNORED(of_double());
    EXPECT_IGNORED(of_enum());
    EXPECT_IGNORED(of_pointer());
    EXPECT_IGNORED(of_string());
    EXPECT_IGNORED(of_struct());
    EXPECT_IGNORED(of_void());
    EXPECT_IGNORED((void)AUTOTUNE_FAILED);
}

static autotune_status judged(bool trial, int value, autotune_status status) { return run(trial, value), status; }
Test(call_site, a_status_counts) {
    const autotune_status statuses[] = {AUTOTUNE_OK, AUTOTUNE_OK, AUTOTUNE_FAILED};
    for (int status = AUTOTUNE_FAILED; status < AUTOTUNE__STATUS_COUNT; status++) {
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, judged(autotune_trial, a, a == 2 ? (autotune_status)status : AUTOTUNE_OK),
                 OPTIONS, .key = KEY(status));
        EXPECT_INT(result.failed, 1);
        expect_tuned(1);
    }
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1,
             (run(autotune_trial, a), (autotune_status)(a == 1 ? AUTOTUNE_OK : AUTOTUNE_FAILED)), OPTIONS);
    EXPECT_INT(result.failed, 1);
    expect_tuned(1);
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, statuses[a], OPTIONS); /* a status in a const variable counts, too */
    EXPECT_INT(result.failed, 1);
    EXPECT_INT(result.index, 0);
}
Test(call_site, each_alternative_has_a_type_of_its_own) {
    AUTOTUNE_SELECT((OPTIONS), (run(autotune_trial, 1), 7u), judged(autotune_trial, 2, AUTOTUNE_FAILED),
                    run(autotune_trial, 3));
    EXPECT_INT(result.failed, 1);
    EXPECT_INT(result.tried, 3);
    expect_tuned(1);
}
Test(call_site, a_rejection_is_a_call) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1,
             a == 2 ? AUTOTUNE_REJECT("%d is %s", a, "too much") : judged(autotune_trial, a, AUTOTUNE_OK), OPTIONS);
    EXPECT_INT(result.failed, 1);
    expect_winner(1);
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, AUTOTUNE_REJECT("%d is %s", a, "too much"), OPTIONS);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_CONTAINS(autotune_last_error(), "a=1: 1 is too much; a=2: 2 is too much");
    AUTOTUNE_SELECT((OPTIONS), run(autotune_trial, 1), AUTOTUNE_REJECT("not here"));
    EXPECT_INT(result.failed, 1);
    expect_winner(1);
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS) {
        if (a == 2) {
            AUTOTUNE_REJECT("not here");
            continue;
        }
        run(autotune_trial, a);
    }
    EXPECT_INT(result.failed, 1);
    expect_winner(1);
    EXPECT_INT(AUTOTUNE_REJECT("outside of any statement"), AUTOTUNE_REJECTED);
}
/* In C, ?: between two statuses is an integer. A hit has no trial, so the rejection has to reach the statement in
   another way. */
#define EXPECT_REJECTED_HIT(type, ...)                                                            \
    for (int hit = 0; hit < 2; hit++) {                                                           \
        AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, __VA_ARGS__, OPTIONS, .key = KEY(type));                \
        EXPECT_INT(result.status, hit ? AUTOTUNE_REJECTED : AUTOTUNE_OK);                         \
        if (hit) EXPECT_CONTAINS(autotune_last_error(), "not now");                               \
    }
Test(call_site, a_hit_is_rejected_whatever_the_type_of_its_call) {
    (void)AUTOTUNE_REJECT("an earlier one"); /* an earlier rejection rejects no later call */
    EXPECT_REJECTED_HIT("enum", hit ? AUTOTUNE_REJECT("not now") : judged(autotune_trial, a, AUTOTUNE_OK))
    EXPECT_REJECTED_HIT("int", hit ? (int)AUTOTUNE_REJECT("not now") : (run(autotune_trial, a), 7))
    EXPECT_REJECTED_HIT("void", (void)(hit ? AUTOTUNE_REJECT("not now") : judged(autotune_trial, a, AUTOTUNE_OK)))
    EXPECT_REJECTED_HIT("struct", (hit ? (void)AUTOTUNE_REJECT("not now") : run(autotune_trial, a), of_struct()))
}

/* ---- AUTOTUNE_SELECT --------------------------------------------------------------------------------------------- */

static int tried_set;
static void attempt(bool trial, int value) {
    if (trial) tried_set |= 1 << value;
    run(trial, value);
}
static void select_where(int n) {
    AUTOTUNE_SELECT((OPTIONS, .key = KEY(n)), attempt(autotune_trial, 0),
                    CASE(attempt(autotune_trial, 1), WHERE(n > 64), WHERE(n < 128)),
                    CASE(attempt(autotune_trial, 2), WHERE(n > 32)), attempt(autotune_trial, 3));
}
Test(call_site, where_of_a_case) {
    static const struct {
        int n, size, tried, favourite, winner;
    } rows[] = {
        {100, 4, 0xF, 1, 1},
        {50, 3, 0xD, 1, 0},
        {200, 3, 0xD, 2, 2},
        {10, 2, 0x9, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tried_set = 0;
        favourite = rows[i].favourite;
        select_where(rows[i].n);
        EXPECT_INT(result.space_size, rows[i].size);
        EXPECT_INT(tried_set, rows[i].tried);
        EXPECT_INT(result.index, rows[i].winner); /* the index counts all calls of the SELECT */
        expect_tuned(rows[i].winner);
    }
}
Test(call_site, priority_of_a_case) {
    favourite = 0;
    AUTOTUNE_SELECT((OPTIONS), CASE(attempt(autotune_trial, 0), PRIORITY(1)),
                    CASE(attempt(autotune_trial, 1), PRIORITY(2)), attempt(autotune_trial, 2),
                    CASE(attempt(autotune_trial, 3), PRIORITY(-1)), CASE(attempt(autotune_trial, 4), PRIORITY(2, 0)));
    /* 1 and 4, and also 2, which has no PRIORITY; 0 is fast, but has a lower PRIORITY; 3 is never tried */
    EXPECT_INT(tried_set, 0x16);
    EXPECT_INT(result.space_size, 4);
    EXPECT_INT(result.tried, 3);
    tried_set = 0;
    AUTOTUNE_SELECT((OPTIONS), CASE(attempt(autotune_trial, 0), PRIORITY(1)),
                    CASE((attempt(autotune_trial, 1), (autotune_status)AUTOTUNE_FAILED), PRIORITY(2)),
                    CASE((attempt(autotune_trial, 2), (autotune_status)AUTOTUNE_FAILED), PRIORITY(2, 1)));
    EXPECT_INT(tried_set, 0x7); /* 0 is tried since 1 and 2, of a higher PRIORITY, fail */
    EXPECT_INT(result.index, 0);
    EXPECT_INT(result.failed, 2);
    tried_set = 0;
    AUTOTUNE_SELECT((OPTIONS), CASE(attempt(autotune_trial, 0), PRIORITY(2)),
                    CASE(attempt(autotune_trial, 1), PRIORITY(1, 9)), CASE(attempt(autotune_trial, 2), PRIORITY(2, 1)),
                    CASE(attempt(autotune_trial, 3), PRIORITY(2, 1)));
    EXPECT_INT(tried_set, 0xC); /* also within a group the highest comes first */
}
Test(call_site, each_of_eight_items_of_a_case_counts) {
    for (int refused = 0; refused <= 8; refused++) {
        AUTOTUNE_SELECT((OPTIONS, .key = KEY(refused)), attempt(autotune_trial, 0),
                        CASE(attempt(autotune_trial, 1), WHERE(refused != 1), WHERE(refused != 2), WHERE(refused != 3),
                             WHERE(refused != 4), WHERE(refused != 5), WHERE(refused != 6), WHERE(refused != 7),
                             WHERE(refused != 8)));
        EXPECT_INT(result.space_size, refused ? 1 : 2);
    }
}
Test(call_site, model_of_a_case) {
    const double predicted = 3;
    AUTOTUNE_SELECT((OPTIONS, .top_k = 2), CASE(attempt(autotune_trial, 0), MODEL(predicted)),
                    CASE(attempt(autotune_trial, 1), MODEL(predicted - 1)),
                    CASE(attempt(autotune_trial, 2), MODEL(predicted - 2), NAME("two")), attempt(autotune_trial, 3));
    EXPECT_INT(tried_set, 0x6);
    expect_tuned(2);
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "two");
}
Test(call_site, names_of_cases_are_in_messages) {
    AUTOTUNE_SELECT((OPTIONS), judged(autotune_trial, 0, AUTOTUNE_FAILED),
                    CASE(AUTOTUNE_REJECT("not today"), NAME("the second")));
    EXPECT_INT(result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_CONTAINS(autotune_last_error(),
                    "judged(autotune_trial, 0, AUTOTUNE_FAILED): the launch failed; the second: not today");
}
/* The label of an alternative is its text, with macros as they are written. If one macro is several alternatives, their
   labels are its expansion. */
Test(call_site, the_labels_of_alternatives_are_as_written) {
#define WRITTEN 1
#define BOTH    run(autotune_trial, 2), run(autotune_trial, 3)
    favourite = 1;
    AUTOTUNE_SELECT((OPTIONS), run(autotune_trial, 0), run(autotune_trial, WRITTEN));
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "run(autotune_trial, WRITTEN)");
    favourite = 3;
    AUTOTUNE_SELECT((OPTIONS), run(autotune_trial, WRITTEN), BOTH);
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "run(autotune_trial, 3)");
    favourite = 1;
    AUTOTUNE_SELECT((OPTIONS, .key = KEY(1)), BOTH, run(autotune_trial, WRITTEN));
    EXPECT_STRING(autotune_get_label(&result.config, "call"), "run(autotune_trial, 1)");
}
Test(call_site, twenty_four_alternatives) {
#define FOUR(n) \
    run(autotune_trial, n), run(autotune_trial, n + 1), run(autotune_trial, n + 2), CASE(run(autotune_trial, n + 3))
    for (favourite = 0; favourite < 24; favourite += 23) {
        AUTOTUNE_SELECT((OPTIONS, .key = KEY(favourite)), FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20));
        EXPECT_INT(result.space_size, 24);
        EXPECT_INT(result.index, favourite);
        expect_tuned(favourite);
    }
}

/* ---- A statement within another ---------------------------------------------------------------------------------- */

static autotune_result inner_result, outer_result;
static int inner_runs_for_real, inner_tunings, outer_launches;
static void inner_kernel(bool trial, int a) {
    virtual_ns += a == 2 ? MILLISECOND : 300 * MILLISECOND;
    if (!trial) inner_runs_for_real++;
}
static void inner(int key) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, inner_kernel(autotune_trial, a), .key = KEY(key), .backend = virtual_backend(),
             .result = &inner_result);
    if (!inner_result.cache_hit) inner_tunings++;
    EXPECT_INT(autotune_get_int(&inner_result.config, "a"), 2);
}
/* The fast configuration of the outer statement is its second. In its first trial the inner statement meets a new key,
   and races it. This must not count against the fast configuration. */
static void outer_of_a_function(void) {
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), .backend = virtual_backend(), .result = &outer_result) {
        outer_launches++;
        virtual_ns += a == 2 ? MILLISECOND : 10 * MILLISECOND;
        inner(a);
    }
}
Test(call_site, tuning_inside_a_trial_does_not_spoil_it) {
    outer_of_a_function();
    EXPECT_INT(outer_result.status, AUTOTUNE_OK);
    EXPECT_INT(outer_result.index, 1);
    EXPECT_INT(inner_tunings, 2);
    EXPECT_INT(inner_runs_for_real, outer_launches);
    EXPECT_INT(outer_result.launches, outer_launches);
    cr_expect(outer_result.median_ns == 2 * MILLISECOND, "the inner tuning counted: %g ns", outer_result.median_ns);
    cr_expect(outer_result.slowest_ns == 11 * MILLISECOND, "the inner tuning counted: %g ns", outer_result.slowest_ns);
    outer_of_a_function();
    cr_expect(outer_result.cache_hit);
    EXPECT_INT(inner_runs_for_real, outer_launches);
    EXPECT_INT(inner_tunings, 2);
}
Test(call_site, statements_nest_in_one_function) {
    for (int call = 0; call < 2; call++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), .backend = virtual_backend(), .result = &outer_result) {
            const int outer = a;
            const bool outer_trial = autotune_trial;
            AUTOTUNE_BLOCK(SPACE(AXIS(a, 10, 20)), .key = KEY(outer), .backend = virtual_backend(),
                           .result = &inner_result) {
                virtual_ns += a == 20 ? MILLISECOND : 100 * MILLISECOND;
                AUTOTUNE(SPACE(AXIS(c, 1, 2, 3)), 1, run(outer_trial || autotune_trial, a + outer == 22 ? c : 0),
                         .key = KEY(outer, a), OPTIONS);
            }
        }
        EXPECT_INT(autotune_get_int(&outer_result.config, "a"), 2);
        EXPECT_INT(autotune_get_int(&inner_result.config, "a"), 20);
        EXPECT_INT(autotune_get_int(&result.config, "c"), 2);
        EXPECT_INT(outer_result.cache_hit, call);
        EXPECT_INT(value_for_real, 2);
    }
}
static int deepest;
static void recurse(int depth) {
    AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS) {
        run(autotune_trial, a);
        if (depth > 0)
            recurse(depth - 1);
        else
            deepest++;
    }
    EXPECT_INT(result.status, AUTOTUNE_OK);
}
Test(call_site, a_statement_may_enter_itself) {
    recurse(3);
    cr_expect(deepest > 0);
    real = trials = deepest = 0;
    recurse(3);
    EXPECT_INT(deepest, 1);
    EXPECT_INT(real, 4);
    EXPECT_INT(trials, 0);
    EXPECT_INT(value_for_real, 2);
}

/* ---- AUTOTUNE_CHECKS: a key that lacks what WHERE reads ---------------------------------------------------------- */

static const char violation[] = "does not satisfy WHERE";
static void limited_call(int key, int limit) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), WHERE(a > 0), WHERE(a <= limit)), 1, run(autotune_trial, a), OPTIONS,
             .key = KEY(key));
}
static void limited_block(int key, int limit) {
    AUTOTUNE_BLOCK(SPACE(WHERE(a <= limit), AXIS(a, 1, 2)), OPTIONS, .key = KEY(key)) run(autotune_trial, a);
}
static void limited_alternative(int key, int limit) {
    AUTOTUNE_SELECT((OPTIONS, .key = KEY(key)), CASE(run(autotune_trial, 1), WHERE(1 <= limit)),
                    CASE(run(autotune_trial, 2), NAME("two"), WHERE(2 <= limit)));
}
static void expect_other_than_winner(int value) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(value_for_real, value);
    EXPECT_INT(trials, 0);
    EXPECT_INT(real, 1);
    trials = real = 0;
}
static void expect_violations(void (*statement)(int key, int limit)) {
    for (int key = 1; key <= 2; key++) {
        statement(key, 9);
        expect_tuned(2);
        for (int call = 0; call < 3; call++) statement(key, 2), expect_hit(2);
        EXPECT_INT(count_of(logged, violation), key - 1); /* the only report is that of the key before */
        for (int call = 0; call < 3; call++) statement(key, 1), expect_other_than_winner(1);
        EXPECT_INT(count_of(logged, violation), 1); /* each call site logs this once */
        EXPECT_CONTAINS(autotune_last_error(), violation);
        EXPECT_INT(strncmp(autotune_last_error(), "suite_call_site.c:limited_", 26), 0);
        statement(key, 2), expect_hit(2);
    }
}
Test(call_site, checks_report_once_that_a_winner_violates_where) { expect_violations(limited_call); }
static void limited_untuned(int limit) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), WHERE(a >= limit)), 1, run(autotune_trial, a), OPTIONS, .mode = AUTOTUNE_OFF);
}
Test(call_site, checks_of_the_first_configuration_that_is_launched_untuned) {
    for (int call = 0; call < 2; call++) limited_untuned(1);
    EXPECT_INT(count_of(logged, violation), 0);
    limited_untuned(2);
    EXPECT_INT(value_for_real, 2);
    EXPECT_INT(count_of(logged, violation), 1);
}
static void limited_one(int limit) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), WHERE(a <= limit)), 1, run(autotune_trial, a), OPTIONS, .name = "limited");
}
static void limited_other(int limit) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), WHERE(a <= limit)), 1, run(autotune_trial, a), OPTIONS, .name = "limited");
}
Test(call_site, checks_of_a_winner_that_another_call_site_found) {
    limited_one(2), expect_tuned(2);
    for (int call = 0; call < 2; call++) limited_other(1), expect_other_than_winner(1);
    EXPECT_INT(count_of(logged, violation), 1);
}
Test(call_site, checks_of_a_block) { expect_violations(limited_block); }
Test(call_site, checks_of_alternatives) { expect_violations(limited_alternative); }

/* ---- Which call sites are one tuner ------------------------------------------------------------------------------ */

/* Two functions with the same statement. If they are one tuner, the first call of the second function is a hit. */
#define DEFINE_TWINS(function, parameters, ...)              \
    static void function##_first parameters { __VA_ARGS__; } \
    static void function##_second parameters { __VA_ARGS__; }
#define EXPECT_SHARED(first, second)                     \
    do {                                                 \
        favourite = 2;                                   \
        first;                                           \
        expect_tuned(2);                                 \
        favourite = 1; /* the second function would choose 1 if it raced */ \
        second;                                          \
        expect_hit(2);                                   \
        second;                                          \
        expect_hit(2);                                   \
    } while (0)
#define EXPECT_SEPARATE(first, second) \
    do {                               \
        favourite = 2;                 \
        first;                         \
        expect_tuned(2);               \
        favourite = 1;                 \
        second;                        \
        expect_tuned(1);               \
        first;                         \
        expect_hit(2);                 \
        second;                        \
        expect_hit(1);                 \
    } while (0)

DEFINE_TWINS(unnamed, (void), AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS))
DEFINE_TWINS(named, (int key),
             AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .name = "named", .key = KEY(key)))
DEFINE_TWINS(named_select, (void),
             AUTOTUNE_SELECT((OPTIONS, .name = "select"), run(autotune_trial, 1), run(autotune_trial, 2)))
DEFINE_TWINS(by_name, (const char *name),
             AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .name = name))
DEFINE_TWINS(versioned, (const char *version),
             AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .name = "versioned",
                      .version = version))

Test(call_site, two_functions_are_two_tuners) { EXPECT_SEPARATE(unnamed_first(), unnamed_second()); }
Test(call_site, one_name_and_text_are_one_tuner) {
    EXPECT_SHARED(named_first(1), named_second(1));
    EXPECT_SEPARATE(named_second(2), named_first(3));
    favourite = 1;
    named_first(2), expect_hit(2); /* each function finds the winner of the other function's key */
    favourite = 2;
    named_second(3), expect_hit(1);
}
/* the body of a block is no text that could distinguish tuners */
Test(call_site, two_blocks_are_two_tuners_whatever_their_spaces) {
    for (int call = 0; call < 2; call++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS) run(autotune_trial, a);
        EXPECT_INT(value_for_real, 2);
        AUTOTUNE_BLOCK(SPACE(AXIS(a, 1, 2)), OPTIONS) run(autotune_trial, 3 - a);
        EXPECT_INT(value_for_real, 2);
        EXPECT_INT(autotune_get_int(&result.config, "a"), 1);
        EXPECT_INT(result.cache_hit, call);
    }
}
Test(call_site, one_name_and_text_of_alternatives_are_one_tuner) {
    EXPECT_SHARED(named_select_first(), named_select_second());
}
Test(call_site, another_name_is_another_tuner) {
    char copied[] = "x";
    EXPECT_SEPARATE(by_name_first("x"), by_name_second("y"));
    favourite = 2;
    by_name_first(copied), expect_hit(2);
}
Test(call_site, a_name_is_compared_by_content) {
    char name[] = "x";
    EXPECT_SHARED(by_name_first("x"), by_name_second(name));
}
Test(call_site, another_version_is_another_tuner) { EXPECT_SEPARATE(versioned_first("1"), versioned_second("2")); }
Test(call_site, no_version_is_not_every_version) { EXPECT_SEPARATE(versioned_first(NULL), versioned_second("1")); }
Test(call_site, one_version_is_one_tuner) { EXPECT_SHARED(versioned_first("1"), versioned_second("1")); }

static void other_axis_name(void) {
    AUTOTUNE(SPACE(AXIS(b, 1, 2)), 1, run(autotune_trial, b), OPTIONS, .name = "named");
}
static void other_value(void) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2, 3)), 1, run(autotune_trial, a), OPTIONS, .name = "named");
}
static void other_type(void) {
    AUTOTUNE(SPACE(AXIS(a, (short)1, 2)), 1, run(autotune_trial, a), OPTIONS, .name = "named");
}
static void other_filter(void) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2), WHERE(a > 0)), 1, run(autotune_trial, a), OPTIONS, .name = "named");
}
static void other_call(void) { AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, (run(autotune_trial, a)), OPTIONS, .name = "named"); }
static void other_blocks_and_options(void) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 7, run(autotune_trial, a), .name = "named", .max_trials = 99, OPTIONS);
}
static void plain_named(void) { AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .name = "named"); }
Test(call_site, the_text_of_space_and_call_tells_tuners_apart) {
    EXPECT_SEPARATE(plain_named(), other_axis_name());
    favourite = 1;
    other_value(), expect_tuned(1);
    other_type(), expect_tuned(1);
    other_filter(), expect_tuned(1);
    other_call(), expect_tuned(1);
    other_blocks_and_options(), expect_hit(2); /* blocks and options do not distinguish tuners */
}

/* Values that the compiler does not know. */
DEFINE_TWINS(of_numbers, (int first, int second),
             AUTOTUNE(SPACE(AXIS(a, first, second)), 1, run(autotune_trial, a >= 10 ? a / 10 : a), OPTIONS,
                      .name = "numbers"))
DEFINE_TWINS(of_array, (const int *values, size_t count),
             AUTOTUNE(SPACE(AXIS_OF(a, values, count)), 1, run(autotune_trial, a), OPTIONS, .name = "array"))
DEFINE_TWINS(of_range, (int last),
             AUTOTUNE(SPACE(RANGE(a, 1, last, 1)), 1, run(autotune_trial, a), OPTIONS, .name = "range"))
DEFINE_TWINS(of_doubles, (double second),
             AUTOTUNE(SPACE(AXIS(a, 1.0, second)), 1, run(autotune_trial, a > 1 ? 2 : 1), OPTIONS, .name = "doubles"))
Test(call_site, other_numbers_are_another_tuner) { EXPECT_SEPARATE(of_numbers_first(1, 2), of_numbers_second(10, 20)); }
Test(call_site, equal_numbers_are_one_tuner) { EXPECT_SHARED(of_numbers_first(1, 2), of_numbers_second(1, 2)); }
Test(call_site, another_array_is_another_tuner) {
    EXPECT_SEPARATE(of_array_first((const int[]){1, 2}, 2), of_array_second((const int[]){1, 2, 3}, 3));
}
Test(call_site, an_equal_array_is_the_same_tuner) {
    EXPECT_SHARED(of_array_first((const int[]){1, 2}, 2), of_array_second((const int[]){1, 2}, 2));
}
Test(call_site, another_range_is_another_tuner) { EXPECT_SEPARATE(of_range_first(2), of_range_second(3)); }
Test(call_site, doubles_are_compared_exactly) {
    EXPECT_SEPARATE(of_doubles_first(2.0), of_doubles_second(2.0000000000000004));
}

/* Strings that begin with b are fast. */
static int letter(const char *text) { return text && *text == 'b' ? 2 : 1; }
DEFINE_TWINS(of_strings, (const char *const *values, size_t count),
             AUTOTUNE(SPACE(AXIS_OF(a, values, count)), 1, run(autotune_trial, letter(a)), OPTIONS, .name = "strings"))
#define STRINGS(...) (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)
Test(call_site, other_strings_are_another_tuner) {
    EXPECT_SEPARATE(of_strings_first(STRINGS("a", "b")), of_strings_second(STRINGS("a", "bc")));
}
Test(call_site, equal_strings_are_one_tuner) {
    EXPECT_SHARED(of_strings_first(STRINGS("a", "b")), of_strings_second(STRINGS("a", "b")));
}
Test(call_site, separators_inside_strings_confuse_nothing) {
    EXPECT_SEPARATE(of_strings_first(STRINGS("a", "b,c")), of_strings_second(STRINGS("a", "b", "c")));
}
Test(call_site, no_string_is_not_the_string_null) {
    EXPECT_SEPARATE(of_strings_first(STRINGS("a", "b", NULL)), of_strings_second(STRINGS("a", "b", "NULL")));
}

/* Functions with the same name, as two static functions in two files may have. */
typedef void kernel(bool trial, int value);
static void slow_kernel(bool trial, int value) { run(trial, value - 10); }
DEFINE_TWINS(of_functions, (kernel * small, kernel *large, int value),
             AUTOTUNE(SPACE(AXIS(f, small, large)), 1, f(autotune_trial, value), OPTIONS, .name = "functions"))
static kernel *called;
static void call_one(bool trial, int value) { called = call_one, run(trial, value); }
static void call_another(bool trial, int value) { called = call_another, run(trial, value); }
Test(call_site, other_functions_of_equal_names_are_not_called) {
    of_functions_first(slow_kernel, call_one, 2);
    cr_expect_eq(called, call_one);
    of_functions_second(slow_kernel, call_another, 2);
    cr_expect(called == call_another, "a function was called that is not among the values of the axis");
}

Test(call_site, the_default_name_is_file_and_function) {
    AUTOTUNE(SPACE(AXIS(a, 1, 2)), 1, run(autotune_trial, a), OPTIONS, .mode = AUTOTUNE_REQUIRE);
    char expected[256];
    snprintf(expected, sizeof expected, "suite_call_site.c:%s: ", __func__);
    EXPECT_CONTAINS(autotune_last_error(), expected);
    cr_expect(!strncmp(autotune_last_error(), expected, strlen(expected)), "without folders");
}
