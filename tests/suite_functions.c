/* suite_functions.c - created tuners; and autotune_lookup() and autotune_each(), for the results of call sites and of
   created tuners. */
#include "expect.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool error_says(const char *part) { return contains(autotune_last_error(), part); }
static void start(void) { /* begins each test: keeps the lines of the log that report errors */
    setenv("AUTOTUNE_LOG", "errors", 1);
    autotune_set_log(keep_line, NULL);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* The switch has no default case, so compilers warn if a verdict is missing. */
static const char *text_of(autotune_verdict verdict) {
    switch (verdict) {
    case AUTOTUNE_DEFAULT: return "not measured";
    case AUTOTUNE_SINGLE: return "the only configuration";
    case AUTOTUNE_SEPARATED: return "separated";
    case AUTOTUNE_TIE: return "a tie";
    case AUTOTUNE_UNRESOLVED: return "unresolved";
    case AUTOTUNE_UNRELIABLE: return "unreliable";
    case AUTOTUNE_ONGOING: return "ongoing";
    case AUTOTUNE_PINNED: return "pinned";
    case AUTOTUNE_GUESSED: return "guessed";
    }
    return "an unknown verdict";
}
Test(texts, each_verdict_has_its_own) {
    for (int i = -1; i <= AUTOTUNE_GUESSED + 1; i++)
        EXPECT_STRING(autotune_verdict_text((autotune_verdict)i), text_of((autotune_verdict)i));
}
Test(texts, no_two_statuses_have_the_same) {
    for (int i = -1; i <= AUTOTUNE__STATUS_COUNT; i++)
        for (int k = -1; k < i; k++)
            cr_assert(!strcmp(autotune_status_text((autotune_status)i), autotune_status_text((autotune_status)k)) ==
                          (i == AUTOTUNE__STATUS_COUNT && k == -1),
                      "%d and %d: %s", i, k, autotune_status_text((autotune_status)i));
}

/* ---- Call sites -------------------------------------------------------------------------------------------------- */

static int fastest = 32;
static autotune_status kernel(int tile) {
    virtual_ns += tile == fastest ? 50000 : 90000 + 1000 * (uint64_t)tile;
    return tile == 64 ? AUTOTUNE_REJECT("tile %d is too large", tile) : AUTOTUNE_OK;
}
static autotune_result tune_site(size_t n, const char *layout, const char *name) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .key = KEY(n, layout), .name = name,
             .backend = virtual_backend(), .result = &result);
    return result;
}
static autotune_result tune_second_site(size_t n) { /* another tuner with the same name */
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .key = KEY(n, "rows"), .name = "gemm", .version = "2",
             .backend = virtual_backend(), .result = &result);
    return result;
}

TestSuite(known, .init = start);

Test(known, a_call_site_is_found_by_its_name_and_key) {
    autotune_config winner;
    EXPECT_INT(tune_site(512, "rows", "gemm").index, 1);
    char layout[] = "rows"; /* strings are compared by content */
    EXPECT_INT(autotune_lookup("gemm", KEY((size_t)512, layout), &winner), AUTOTUNE_OK);
    EXPECT_INT(winner.index, 1);
    EXPECT_INT(winner.count, 1);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 32);
    EXPECT_STRING(autotune_get_label(&winner, "tile"), "32");
    EXPECT_INT(autotune_lookup("gemm", KEY((size_t)512, layout), NULL), AUTOTUNE_OK);
}

Test(known, without_a_name_a_call_site_is_named_after_file_and_function) {
    autotune_config winner;
    tune_site(1, "rows", NULL);
    EXPECT_INT(autotune_lookup("suite_functions.c:tune_site", KEY((size_t)1, "rows"), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 32);
}

Test(known, numbers_of_a_key_are_compared_by_value) {
    tune_site(512, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(512, "rows"), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("gemm", KEY((unsigned char)512, "rows"), NULL), AUTOTUNE_ERR_MISS);
    EXPECT_INT(autotune_lookup("gemm", KEY(512.0, "rows"), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("gemm", KEY(512.5, "rows"), NULL), AUTOTUNE_ERR_MISS);
    EXPECT_INT(autotune_lookup("gemm", KEY(512, "columns"), NULL), AUTOTUNE_ERR_MISS);
    EXPECT_INT(autotune_lookup("gemm", KEY("rows", 512), NULL), AUTOTUNE_ERR_MISS);
    EXPECT_INT(autotune_lookup("gemm", KEY(512), NULL), AUTOTUNE_ERR_MISS);
    tune_site(SIZE_MAX, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(SIZE_MAX, "rows"), NULL), AUTOTUNE_OK);
    /* the bits of SIZE_MAX, with another sign */
    EXPECT_INT(autotune_lookup("gemm", KEY(-1, "rows"), NULL), AUTOTUNE_ERR_MISS);
    EXPECT_INT(autotune_lookup("gemm", KEY(true, "rows"), NULL), AUTOTUNE_ERR_MISS);
    tune_site(1, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(true, "rows"), NULL), AUTOTUNE_OK);
}

static void keyed_by_both(int wide) { /* one tuner, two keys with equal numbers of other types */
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(7), .name = "both", .backend = virtual_backend());
    fastest = wide;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY((int64_t)7), .name = "both",
             .backend = virtual_backend());
}
Test(known, of_equal_numbers_those_of_the_same_type_are_found) {
    autotune_config winner;
    keyed_by_both(16);
    EXPECT_INT(autotune_lookup("both", KEY(7), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 32);
    EXPECT_INT(autotune_lookup("both", KEY((int64_t)7), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 16);
    EXPECT_INT(autotune_lookup("both", KEY((short)7), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 32);
}

Test(known, a_miss_zeroes_the_winner_and_says_what_is_missing) {
    autotune_config winner;
    memset(&winner, 0xFF, sizeof winner);
    EXPECT_INT(autotune_lookup("gemm", KEY(1), &winner), AUTOTUNE_ERR_MISS);
    EXPECT_INT(winner.count, 0);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 0);
    cr_expect(isnan(autotune_get_double(&winner, "tile")) && !autotune_get_label(&winner, "tile"));
    EXPECT_CONTAINS(logged, "the configuration has no value 'tile'");
    *logged = 0;
    EXPECT_INT(autotune_lookup("gemm", KEY(1), &winner), AUTOTUNE_ERR_MISS);
    cr_expect(error_says("no tuner named 'gemm'"), "%s", autotune_last_error());
    tune_site(1, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(1), &winner), AUTOTUNE_ERR_MISS);
    cr_expect(error_says("no winner of 'gemm' is known for this key"), "%s", autotune_last_error());
    EXPECT_STRING(logged, ""); /* a miss is no error, so it is not logged */
}

Test(known, what_no_name_and_no_key_can_be_is_an_argument_error) {
    autotune_config winner;
    autotune_key nine = KEY(1);
    memset(&winner, 0xFF, sizeof winner);
    EXPECT_INT(autotune_lookup(NULL, KEY(1), &winner), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(winner.count, 0);
    EXPECT_INT(autotune_lookup("", KEY(1), &winner), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_lookup: the name of a tuner is missing"));
    EXPECT_INT(autotune_lookup("gemm", KEY((double)NAN), &winner), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("NaN"));
    nine.count = 9;
    EXPECT_INT(autotune_lookup("gemm", nine, &winner), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("more than 8 parts"));
    EXPECT_INT(count_of(logged, "\n"), 4);
}

Test(known, a_number_selects_among_tuners_of_one_name) {
    autotune_config winner;
    tune_site(512, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(512, "rows"), &winner), AUTOTUNE_OK);
    fastest = 16;
    tune_second_site(512);
    tune_second_site(7);
    EXPECT_INT(autotune_lookup("gemm", KEY(512, "rows"), &winner), AUTOTUNE_ERR_AMBIGUOUS);
    EXPECT_INT(winner.count, 0);
    cr_expect(error_says("several tuners named 'gemm'"));
    EXPECT_INT(autotune_lookup("gemm#1", KEY(512, "rows"), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 32);
    EXPECT_INT(autotune_lookup("gemm#2", KEY(512, "rows"), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 16);
    /* only one of the tuners with this name knows this key */
    EXPECT_INT(autotune_lookup("gemm", KEY(7, "rows"), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("gemm#1", KEY(7, "rows"), &winner), AUTOTUNE_ERR_MISS);
    const char *const wrong[] = {"gemm#3", "gemm#0", "gemm#", "gemm#1x", "gemm#-1", "#1", "gem#1", "gemm#01"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect(autotune_lookup(wrong[i], KEY(512, "rows"), &winner) == AUTOTUNE_ERR_MISS, "%s", wrong[i]);
}

Test(known, a_name_may_contain_what_looks_like_a_number) {
    tune_site(1, "rows", "gemm#2");
    EXPECT_INT(autotune_lookup("gemm#2", KEY(1, "rows"), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("gemm#2#1", KEY(1, "rows"), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("gemm", KEY(1, "rows"), NULL), AUTOTUNE_ERR_MISS);
}

static autotune_status fails_when_real(int tile, bool trial, bool *fails) {
    virtual_ns += 1000 * (uint64_t)tile;
    return *fails && !trial ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void visit_none(void *user, const autotune_known *known) { (void)known, ++*(size_t *)user; }
Test(known, a_winner_that_failed_is_known_no_longer) {
    bool fails = false;
    size_t visits = 0;
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, fails_when_real(tile, autotune_trial, &fails), .name = "failing",
                 .backend = virtual_backend());
        EXPECT_INT(autotune_lookup("failing", (autotune_key){0}, NULL), i ? AUTOTUNE_ERR_MISS : AUTOTUNE_OK);
        fails = true;
    }
    autotune_each(visit_none, &visits);
    EXPECT_INT(visits, 0);
}

/* ---- Every result ------------------------------------------------------------------------------------------------ */

static char seen[4096];
static void write_down(void *user, const autotune_known *known) {
    char *at = seen + strlen(seen);
    size_t left = sizeof seen - strlen(seen);
    (void)user;
    snprintf(at, left, "%s#%zu (%s)=%lld %s: ", known->name, known->number, known->key.text,
             (long long)known->key.word[0],
             known->result.status == AUTOTUNE_OK ? autotune_get_label(&known->result.config, "tile") : "none");
    for (size_t i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *m = &known->measurements[i];
        at = seen + strlen(seen), left = sizeof seen - strlen(seen);
        snprintf(at, left, "%s%lld %s", i ? ", " : "", (long long)autotune_get_int(&m->config, "tile"),
                 m->reason ? m->reason : m->stage);
        cr_expect((m->status == AUTOTUNE_OK) == !m->reason && (m->launches > 0) == (known->measurement_count > 1));
        cr_expect(m->reason || m->launches == 0 ? isnan(m->min_ns) : m->min_ns >= 50000 && m->min_ns <= 130000, "%g",
                  m->min_ns);
    }
    strcat(seen, "\n");
}
Test(known, each_visits_every_key_with_what_was_measured) {
    tune_site(512, "rows", "gemm");
    tune_site(7, "rows", "gemm");
    fastest = 16;
    tune_second_site(512);
    AUTOTUNE(SPACE(AXIS(tile, 64)), 1, (void)kernel(16), .name = "single", .key = KEY(3), .backend = virtual_backend());
    autotune_each(write_down, NULL);
    EXPECT_CONTAINS(seen, "gemm#1 (n, layout)=512 32: 16 duel, 32 winner, 64 tile 64 is too large\n"
                          "gemm#1 (n, layout)=7 32: ");
    EXPECT_CONTAINS(seen, "gemm#2 (n, \"rows\")=512 16: 16 winner");
    EXPECT_INT(count_of(seen, "\n"), 4);
}

static void find_no_measurements(void *user, const autotune_known *known) {
    ++*(size_t *)user;
    cr_expect(!known->measurements && !known->measurement_count);
}
Test(known, a_winner_that_no_race_found_has_no_measurements) {
    size_t visits = 0;
    setenv("AUTOTUNE_USE", "pinned=tile=16", 1);
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .name = "pinned", .backend = virtual_backend());
    autotune_each(find_no_measurements, &visits);
    EXPECT_INT(visits, 1);
}

static autotune_status never(int tile) { return AUTOTUNE_REJECT("%d does not work", tile); }
static void tune_in_vain(void) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, never(tile), .name = "hopeless", .backend = virtual_backend());
}
static void count_visits(void *user, const autotune_known *known) {
    ++*(size_t *)user;
    EXPECT_INT(known->result.status, AUTOTUNE_OK);
}
Test(known, each_visits_no_key_for_which_nothing_works) {
    size_t visits = 0;
    tune_in_vain();
    tune_site(7, "rows", "gemm");
    autotune_each(count_visits, &visits);
    EXPECT_INT(visits, 1);
    EXPECT_INT(autotune_lookup("hopeless", (autotune_key){0}, NULL), AUTOTUNE_ERR_MISS);
}

static void tune_anew(autotune_mode mode) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .name = "anew", .mode = mode,
             .backend = virtual_backend());
}
static void replace_what_is_visited(void *user, const autotune_known *known) {
    ++*(size_t *)user;
    fastest = 16;
    tune_anew(AUTOTUNE_FORCE);
    autotune_config winner;
    EXPECT_INT(autotune_lookup("anew", (autotune_key){0}, &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 16);
    EXPECT_INT(known->measurement_count, 3); /* the visitor still sees the old result */
    EXPECT_INT(autotune_get_int(&known->result.config, "tile"), 32);
    EXPECT_STRING(known->measurements[1].stage, "winner");
    EXPECT_STRING(known->measurements[2].reason, "tile 64 is too large");
    autotune_each(visit_none, user);
}
static void tune_a_new_key(void *user, const autotune_known *known) {
    const size_t visits = ++*(size_t *)user;
    (void)known;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .name = "anew", .key = KEY(visits),
             .backend = virtual_backend());
}
Test(known, keys_that_a_visitor_tunes_are_not_visited) {
    size_t visits = 0;
    tune_anew(AUTOTUNE_ON);
    autotune_each(tune_a_new_key, &visits);
    EXPECT_INT(visits, 1);
    autotune_each(visit_none, &visits);
    EXPECT_INT(visits, 3);
}
Test(known, a_visitor_may_call_anything) {
    size_t visits = 0;
    tune_anew(AUTOTUNE_ON);
    autotune_each(replace_what_is_visited, &visits);
    EXPECT_INT(visits, 2);
    autotune_each(NULL, NULL);
    cr_expect(error_says("autotune_each: visit is NULL"));
}

/* ---- Keys that never repeat -------------------------------------------------------------------------------------- */

Test(known, the_sixty_fifth_key_of_a_tuner_is_remarked_once) {
    for (int n = 0; n < 200; n++) {
        AUTOTUNE(SPACE(AXIS(tile, 16)), 1, (void)kernel(tile), .name = "restless", .key = KEY(n),
                 .backend = virtual_backend());
        if (n == 63) EXPECT_STRING(logged, "");
        if (n == 64) EXPECT_CONTAINS(logged, "restless [n=64]: more than 64 keys, each of which is tuned for itself");
    }
    EXPECT_INT(all_logged_lines(), 1);
    EXPECT_STRING(autotune_last_error(), ""); /* the remark is a hint, and no error */
}
Test(known, many_keys_are_remarked_though_one_was_tuned_twice) {
    for (int n = -1; n < 200; n++) {
        if (n == 0) autotune_clear("restless", NULL, AUTOTUNE_MEMORY);
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, (void)kernel(tile), .name = "restless", .key = KEY(n < 0 ? 0 : n),
                 .backend = virtual_backend());
    }
    EXPECT_INT(all_logged_lines(), 1);
}
Test(known, many_keys_that_are_not_tuned_are_not_remarked) {
    for (int n = 0; n < 200; n++)
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, (void)kernel(tile), .name = "restless", .key = KEY(n),
                 .mode = n % 2 ? AUTOTUNE_CACHED : AUTOTUNE_OFF, .backend = virtual_backend());
    EXPECT_INT(all_logged_lines(), 0);
}

/* ---- Created tuners ---------------------------------------------------------------------------------------------- */

/* How the launches of the tuners below behave, and what they were given. */
static struct kernel {
    size_t launches;
    int64_t tile, unroll; /* the values of the last launch */
    size_t index;
    char labels[64];
    int32_t data[4]; /* each launch adds 1 to each element */
    autotune_status outcome;
} machine;
static bool is_best(int64_t tile, int64_t unroll) { return tile == 32 && unroll == 4; }
static autotune_status run_kernel(void *user, const autotune_config *config) {
    struct kernel *k = (struct kernel *)user;
    k->launches++;
    k->tile = autotune_get_int(config, "tile");
    k->unroll = autotune_get_int(config, "unroll");
    k->index = autotune_get_index(config);
    snprintf(k->labels, sizeof k->labels, "%s %s", autotune_get_label(config, "tile"),
             autotune_get_label(config, "unroll"));
    for (int i = 0; i < 4; i++) k->data[i]++;
    virtual_ns += is_best(k->tile, k->unroll) ? 50000 : 80000;
    return k->outcome;
}
static const int64_t tiles[] = {16, 32, 64}, unrolls[] = {1, 2, 4};
static const autotune_axis two_axes[] = {{.name = "tile", .values = tiles, .count = 3},
                                         {.name = "unroll", .values = unrolls, .count = 3}};
static const autotune_desc plain_desc = {.name = "created",
                                         .axes = two_axes,
                                         .axis_count = 2,
                                         .launch = run_kernel,
                                         .user = &machine};
static autotune_tuner *create(autotune_desc desc) {
    autotune_tuner *tuner = autotune_create(&desc);
    cr_assert(tuner, "%s", autotune_last_error());
    return tuner;
}

TestSuite(created, .init = start);
TestSuite(large_spaces, .init = start);

Test(created, a_miss_tunes_and_a_hit_launches) {
    autotune_tuner *tuner = create(plain_desc);
    autotune_result result;
    const autotune_options o = {.key = KEY(1), .backend = virtual_backend(), .result = &result};
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.cache_hit, false);
    EXPECT_INT(result.tried, 9);
    EXPECT_INT(result.space_size, 9);
    EXPECT_INT(result.index, 5);
    EXPECT_INT(result.launches, machine.launches);
    EXPECT_INT(machine.tile, 32);
    EXPECT_INT(machine.unroll, 4);
    EXPECT_STRING(machine.labels, "32 4");
    const size_t before = machine.launches;
    machine.tile = machine.unroll = 0;
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, before + 1);
    EXPECT_INT(machine.tile, 32);
    EXPECT_INT(machine.index, 5);
    EXPECT_STRING(machine.labels, "32 4");
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT(result.launches, 1);
    autotune_destroy(tuner);
}

/* The configuration whose index `user` points to is the best. */
static autotune_status best_for_user(void *user, const autotune_config *config) {
    machine.launches++;
    machine.index = autotune_get_index(config);
    virtual_ns += machine.index == *(const size_t *)user ? 50000 : 90000;
    return AUTOTUNE_OK;
}
Test(created, a_hit_is_of_its_own_key_backend_and_mode) {
    autotune_tuner *tuner = create(
        (autotune_desc){.name = "keys", .axes = two_axes, .axis_count = 2, .launch = best_for_user});
    autotune_backend other = *virtual_backend();
    size_t best[] = {3, 7, 5, 6};
    char rows[] = "rows", columns[] = "columns";
    autotune_options o[] = {{.key = KEY(1, rows), .backend = virtual_backend(), .user = &best[0]},
                            {.key = KEY(1, columns), .backend = virtual_backend(), .user = &best[1]},
                            {.key = KEY(2, rows), .backend = virtual_backend(), .user = &best[2]},
                            {.key = KEY(1, rows), .backend = &other, .user = &best[3]}};
    for (int i = 0; i < 4; i++) EXPECT_INT(autotune_call(tuner, &o[i]), AUTOTUNE_OK);
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < 4; i++) {
            const size_t before = machine.launches;
            EXPECT_INT(autotune_call(tuner, &o[i]), AUTOTUNE_OK);
            EXPECT_INT(machine.launches, before + 1);
            EXPECT_INT(machine.index, best[i]);
        }
    o[0].mode = AUTOTUNE_OFF;
    EXPECT_INT(autotune_call(tuner, &o[0]), AUTOTUNE_OK);
    EXPECT_INT(machine.index, 0);
    o[0].mode = AUTOTUNE_REQUIRE;
    EXPECT_INT(autotune_call(tuner, &o[0]), AUTOTUNE_OK);
    EXPECT_INT(machine.index, 3);
    o[0].mode = AUTOTUNE_FORCE;
    best[0] = 8;
    EXPECT_INT(autotune_call(tuner, &o[0]), AUTOTUNE_OK);
    EXPECT_INT(machine.index, 8);
    o[0].mode = AUTOTUNE_ON;
    EXPECT_INT(autotune_call(tuner, &o[0]), AUTOTUNE_OK);
    EXPECT_INT(machine.index, 8);
    autotune_destroy(tuner);
}

Test(created, without_options_there_is_one_key_and_the_real_clock) {
    autotune_tuner *tuner = create(plain_desc);
    setenv("AUTOTUNE_MAX_SECONDS", "0.05", 1);
    EXPECT_INT(autotune_call(tuner, NULL), AUTOTUNE_OK);
    const size_t before = machine.launches;
    EXPECT_INT(autotune_call(tuner, NULL), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, before + 1);
    autotune_destroy(tuner);
}

Test(created, tune_makes_no_launch_of_its_own) {
    autotune_tuner *tuner = create(plain_desc);
    autotune_result result;
    autotune_options o = {.key = KEY(1),
                          .backend = virtual_backend(),
                          .result = &result,
                          .restore = BUFFERS({machine.data, sizeof machine.data})};
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(result.launches, machine.launches);
    EXPECT_INT(result.index, 5);
    EXPECT_INT(autotune_get_int(&result.config, "tile"), 32);
    EXPECT_INT(machine.data[0], 0);
    const size_t before = machine.launches;
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_OK); /* the key is known, so nothing is launched */
    EXPECT_INT(machine.launches, before);
    EXPECT_INT(result.launches, 0);
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT(result.index, 5);
    o.mode = AUTOTUNE_FORCE;
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_OK);
    cr_expect(machine.launches > before && !result.cache_hit);
    o.mode = AUTOTUNE_REQUIRE;
    o.key = KEY(2);
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_ERR_MISS);
    const autotune_mode no_modes[] = {AUTOTUNE_OFF, AUTOTUNE_CACHED};
    for (int i = 0; i < 2; i++) {
        const size_t launches = machine.launches;
        o.mode = no_modes[i];
        EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_OK);
        EXPECT_INT(machine.launches, launches);
        EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
        EXPECT_INT(result.launches, 0);
        EXPECT_INT(autotune_get_int(&result.config, "tile"), 16);
    }
    autotune_destroy(tuner);
}

static autotune_status only_launches(autotune_backend *opened) { return (void)opened, AUTOTUNE_REJECTED; }
Test(created, tune_is_refused_where_the_backend_can_only_launch) {
    autotune_backend captures = *virtual_backend();
    captures.ready = only_launches;
    autotune_tuner *tuner = create(plain_desc);
    autotune_result result;
    const autotune_options o = {.key = KEY(1), .backend = &captures, .result = &result};
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_ERR_ENVIRONMENT);
    cr_expect(error_says("nothing was tuned: the backend can only launch now"));
    EXPECT_INT(machine.launches, 0);
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK); /* launches the first configuration */
    EXPECT_INT(machine.launches, 1);
    EXPECT_INT(autotune_get_int(&result.config, "tile"), 16);
    autotune_destroy(tuner);
}

Test(created, another_tuner_of_the_same_description_knows_what_was_found) {
    autotune_tuner *first = create(plain_desc);
    autotune_options o = {.key = KEY(1), .backend = virtual_backend()};
    EXPECT_INT(autotune_tune(first, &o), AUTOTUNE_OK);
    autotune_destroy(first);
    const size_t before = machine.launches;
    autotune_tuner *second = create(plain_desc);
    EXPECT_INT(autotune_tune(second, &o), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, before);
    autotune_destroy(second);
    second = create(plain_desc);
    EXPECT_INT(autotune_call(second, &o), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, before + 1);
    EXPECT_STRING(machine.labels, "32 4");
    EXPECT_INT(autotune_call(second, &o), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, before + 2);
    autotune_destroy(second);
    static const int64_t others[] = {1, 2, 3}; /* other values make another tuner with the same name */
    const autotune_axis axes[] = {two_axes[0], {.name = "unroll", .values = others, .count = 3}};
    autotune_desc desc = plain_desc;
    desc.axes = axes;
    autotune_tuner *third = create(desc);
    EXPECT_INT(autotune_tune(third, &o), AUTOTUNE_OK);
    cr_expect(machine.launches > before + 2);
    EXPECT_INT(autotune_lookup("created", KEY(1), NULL), AUTOTUNE_ERR_AMBIGUOUS);
    autotune_config winner;
    EXPECT_INT(autotune_lookup("created#1", KEY(1), &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "unroll"), 4);
    autotune_destroy(third);
}

Test(created, the_description_is_copied) {
    char name[] = "copied", axis_name[] = "how", label[] = "the first", text[] = "one";
    int64_t values[] = {(int64_t)(intptr_t)text, (int64_t)(intptr_t) "two", 0};
    const char *labels[] = {label, "the second", "no string"};
    autotune_axis axes[] = {
        {.name = axis_name, .values = values, .count = 3, .type = AUTOTUNE_STRING, .labels = labels}};
    autotune_desc desc = {.name = name, .axes = axes, .axis_count = 1};
    static char heard[64];
    desc.launch = NULL;
    cr_assert(!autotune_create(&desc));
    desc.launch = run_kernel; /* this launch function has other axes, so it reads 0 */
    autotune_tuner *tuner = create(desc);
    memset(name, 'x', sizeof name - 1), memset(axis_name, 'x', sizeof axis_name - 1),
        memset(text, 'x', sizeof text - 1);
    memset(label, 'x', sizeof label - 1), memset(values, 0xFF, sizeof values), memset(labels, 0, sizeof labels);
    memset(axes, 0, sizeof axes), memset(&desc, 0, sizeof desc);
    autotune_result result;
    EXPECT_INT(autotune_call(tuner,
                             &(autotune_options){.backend = virtual_backend(), .user = &machine, .result = &result}),
               AUTOTUNE_OK);
    autotune_destroy(tuner);
    autotune_config winner;
    EXPECT_INT(autotune_lookup("copied", (autotune_key){0}, &winner), AUTOTUNE_OK);
    EXPECT_STRING(autotune_get_string(&winner, "how"), "one");
    EXPECT_STRING(autotune_get_label(&winner, "how"), "the first");
    snprintf(heard, sizeof heard, "%zu", result.tried);
    EXPECT_STRING(heard, "3");
}

static char launched[1024];
static autotune_status write_values(void *user, const autotune_config *config) {
    char *at = launched + strlen(launched);
    int (*function)(int);
    void *pointer = autotune_get_pointer(config, "function");
    const char *string = autotune_get_string(config, "flags");
    (void)user;
    memcpy(&function, &pointer, sizeof function);
    snprintf(at, sizeof launched - strlen(launched), "[%g %s %d %s %s %s]", autotune_get_double(config, "ratio"),
             string ? string : "NULL", function(3), autotune_get_label(config, "ratio"),
             autotune_get_label(config, "flags"), autotune_get_label(config, "function"));
    virtual_ns += 4000000;
    return AUTOTUNE_OK;
}
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
Test(created, axes_are_of_four_types) {
    static const double ratios[] = {0.5, 1.25};
    const int64_t flags[] = {(int64_t)(intptr_t) "-O3", 0},
                  functions[] = {(int64_t)(intptr_t)(void (*)(void))twice, (int64_t)(intptr_t)(void (*)(void))thrice};
    const char *const names[] = {"twice", "thrice"};
    const autotune_axis axes[] =
        {{.name = "ratio", .values = (const int64_t *)(const void *)ratios, .count = 2, .type = AUTOTUNE_F64},
         {.name = "flags", .values = flags, .count = 2, .type = AUTOTUNE_STRING},
         {.name = "function", .values = functions, .count = 2, .type = AUTOTUNE_POINTER, .labels = names}};
    autotune_tuner *tuner = create(
        (autotune_desc){.name = "types", .axes = axes, .axis_count = 3, .launch = write_values});
    const autotune_options o = {.backend = virtual_backend(), .mode = AUTOTUNE_OFF};
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_STRING(launched, "[0.5 -O3 6 0.5 -O3 twice]");
    autotune_options exhaustive = o;
    exhaustive.mode = AUTOTUNE_ON;
    exhaustive.strategy = AUTOTUNE_EXHAUSTIVE;
    launched[0] = 0;
    EXPECT_INT(autotune_call(tuner, &exhaustive), AUTOTUNE_OK);
    EXPECT_CONTAINS(
        launched,
        "[0.5 -O3 6 0.5 -O3 twice][0.5 -O3 9 0.5 -O3 thrice][0.5 NULL 6 0.5 NULL twice][0.5 NULL 9 0.5 NULL thrice]"
        "[1.25 -O3 6 1.25 -O3 twice]");
    launched[0] = 0;
    EXPECT_INT(autotune_call(tuner, &exhaustive), AUTOTUNE_OK);
    EXPECT_STRING(launched, "[0.5 -O3 6 0.5 -O3 twice]");
    autotune_destroy(tuner);
}

Test(created, a_table_lists_the_configurations) {
    static const int64_t table[] = {64, 1, 32, 4, 16, 1, 32, 4, 64, 2};
    static const char *const labels[] = {"small", "middle", "large"}, *const same[] = {"small", "small", "large"};
    autotune_axis axes[] = {{.name = "tile"}, {.name = "unroll"}};
    autotune_desc desc = plain_desc;
    desc.axes = axes;
    desc.configs = table;
    desc.config_count = 5;
    autotune_result result;
    autotune_options o = {.key = KEY(1), .backend = virtual_backend(), .result = &result};
    autotune_tuner *tuner = create(desc);
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(result.index, 1);
    EXPECT_INT(result.tried, 5); /* one row is twice in the table */
    EXPECT_STRING(machine.labels, "32 4");
    autotune_destroy(tuner);
    axes[0] = two_axes[0];
    axes[0].labels = labels;
    tuner = create(desc);
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_STRING(machine.labels, "middle 4");
    EXPECT_STRING(autotune_get_label(&result.config, "tile"), "middle");
    autotune_destroy(tuner);
    axes[0].labels = same;
    cr_expect(!autotune_create(&desc));
    cr_expect(error_says("two values of the axis 'tile' differ and have the same label, 'small'"), "%s",
              autotune_last_error());
    axes[0].labels = labels;
    axes[0].count = 2;
    cr_expect(!autotune_create(&desc));
    cr_expect(error_says("the value of 'tile' in row 1 of the table is not a value of the axis"), "%s",
              autotune_last_error());
}

/* ---- Filters, priority, model ------------------------------------------------------------------------------------ */

static size_t asked[4], wheres;
static bool prefix_is_whole; /* each filter saw only the values of the axes up to its own */
static bool see_axes(const autotune_config *config, size_t count) {
    if (config->count != count) prefix_is_whole = false;
    return true;
}
static bool first_is_even(void *user, const autotune_config *config) {
    (void)user, asked[0]++;
    return see_axes(config, 1) && autotune_get_int(config, "a") % 2 == 0;
}
static bool second_is_larger(void *user, const autotune_config *config) {
    (void)user, asked[1]++;
    return see_axes(config, 2) && autotune_get_int(config, "b") > autotune_get_int(config, "a");
}
static bool sum_is_seven(void *user, const autotune_config *config) {
    (void)user, wheres++;
    return see_axes(config, 3) &&
           autotune_get_int(config, "a") + autotune_get_int(config, "b") + autotune_get_int(config, "c") == 7;
}
static autotune_status count_launch(void *user, const autotune_config *config) {
    ++*(size_t *)user;
    virtual_ns += 50000 + 100 * (uint64_t)autotune_get_index(config);
    return AUTOTUNE_OK;
}
static const int64_t digits[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
Test(created, filters_of_axes_prune_and_where_sees_what_is_left) {
    const autotune_axis axes[] = {{.name = "a", .values = digits, .count = 10, .where = first_is_even},
                                  {.name = "b", .values = digits, .count = 10, .where = second_is_larger},
                                  {.name = "c", .values = digits, .count = 10}};
    size_t launches = 0;
    autotune_result result;
    autotune_tuner *tuner = create((autotune_desc){.name = "pruned",
                                                   .axes = axes,
                                                   .axis_count = 3,
                                                   .where = sum_is_seven,
                                                   .launch = count_launch,
                                                   .user = &launches});
    prefix_is_whole = true;
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.backend = virtual_backend(), .result = &result}), AUTOTUNE_OK);
    cr_expect(prefix_is_whole);
    EXPECT_INT(asked[0], 10);     /* asked for each value of the first axis once */
    EXPECT_INT(asked[1], 5 * 10); /* asked for each value of the second axis, once below each even value of the first */
    EXPECT_INT(wheres, (9 + 7 + 5 + 3 + 1) * 10);
    EXPECT_INT(result.space_size, 7 + 3); /* a = 0: b from 1 to 7; a = 2: b from 3 to 5 */
    EXPECT_INT(result.refused, 990);
    EXPECT_INT(result.index, 16);         /* the values 0, 1 and 6 */
    autotune_destroy(tuner);
}

static size_t axes_of_ten(autotune_axis axes[16], char names[16][2]) { /* a space of 10^16 points */
    for (int a = 0; a < 16; a++) {
        names[a][0] = (char)('a' + a), names[a][1] = 0;
        axes[a] = (autotune_axis){.name = names[a], .values = digits, .count = 10};
    }
    return 16;
}
static bool is_zero_so_far(void *user, const autotune_config *partial) {
    (void)user, asked[2]++;
    return partial->values[partial->count - 1] == 0 || partial->count > 14;
}
Test(created, a_space_of_ten_to_the_sixteen_is_walked_by_its_filters) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    char names[16][2];
    autotune_axis axes[16];
    size_t launches = 0;
    autotune_result result;
    axes_of_ten(axes, names);
    for (int a = 0; a < 16; a++) axes[a].where = is_zero_so_far;
    autotune_tuner *tuner = create(
        (autotune_desc){.name = "huge", .axes = axes, .axis_count = 16, .launch = count_launch, .user = &launches});
    EXPECT_INT(autotune_tune(tuner, &(autotune_options){.backend = virtual_backend(), .result = &result}), AUTOTUNE_OK);
    EXPECT_INT(result.space_size, 100);
    EXPECT_INT(result.tried, 100);
    EXPECT_INT(asked[2], 14 * 10 + 10 + 100);
    autotune_destroy(tuner);
}

static bool always(void *user, const autotune_config *partial) {
    (void)user, (void)partial, asked[3]++;
    return true;
}
static bool is_three(void *user, const autotune_config *partial) {
    return (void)user, autotune_get_int(partial, "a") == 3;
}
Test(large_spaces, filters_that_leave_too_many_points_lead_to_a_sampled_space) {
    size_t launches = 0;
    char names[16][2];
    autotune_axis axes[16];
    autotune_result result;
    axes_of_ten(axes, names);
    axes[7].where = always;
    autotune_desc desc = {.name = "vast", .axes = axes, .axis_count = 8, .launch = count_launch, .user = &launches};
    autotune_tuner *tuner = create(desc);
    for (int filtered = 1; filtered >= 0; filtered--) {
        const autotune_options o = {.backend = virtual_backend(),
                                    .key = KEY(filtered),
                                    .result = &result,
                                    .max_trials = 20,
                                    .max_seconds = 1e6};
        EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
        EXPECT_INT(result.tried, 20);
        EXPECT_INT(result.space_size, 100000000);
        cr_assert_lt(asked[3], AUTOTUNE_MAX_POINTS + 1000000); /* then the space is sampled, and not listed */
        autotune_destroy(tuner);
        axes[7].where = NULL;
        tuner = create(desc);
    }
    autotune_destroy(tuner);
}

Test(created, the_first_configuration_is_found_by_the_filters_too) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    size_t launches = 0;
    char names[16][2];
    autotune_axis axes[16];
    autotune_result result;
    autotune_desc desc = {.name = "far",
                          .axes = axes,
                          .axis_count = axes_of_ten(axes, names),
                          .launch = count_launch,
                          .user = &launches};
    axes[0].where = is_three;
    autotune_tuner *tuner = create(desc);
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.mode = AUTOTUNE_OFF, .result = &result}), AUTOTUNE_OK);
    EXPECT_INT(result.index, 3000000000000000);
    EXPECT_INT(launches, 1);
    autotune_destroy(tuner);
    static const int64_t repeating[] = {1, 1, 3};
    axes[0].values = repeating, axes[0].count = 3;
    tuner = create(desc);
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.mode = AUTOTUNE_OFF, .result = &result}), AUTOTUNE_OK);
    EXPECT_INT(result.index, 2000000000000000);
    autotune_destroy(tuner);
}

static bool none(void *user, const autotune_config *config) { return (void)user, (void)config, false; }
Test(created, a_space_without_a_configuration_makes_no_call) {
    size_t launches = 0;
    autotune_axis axis = {.name = "a", .values = digits, .count = 10};
    autotune_desc desc =
        {.name = "empty", .axes = &axis, .axis_count = 1, .where = none, .launch = count_launch, .user = &launches};
    for (int i = 0; i < 2; i++) {
        autotune_tuner *tuner = create(desc);
        EXPECT_INT(autotune_call(tuner, NULL), AUTOTUNE_ERR_SPACE);
        EXPECT_INT(autotune_call(tuner, &(autotune_options){.mode = AUTOTUNE_OFF}), AUTOTUNE_ERR_SPACE);
        autotune_destroy(tuner);
        desc.where = NULL;
        axis.where = none;
    }
    EXPECT_INT(launches, 0);
}

Test(created, off_launches_the_first_configuration_that_is_admitted) {
    size_t launches = 0;
    autotune_result result;
    const autotune_axis axis = {.name = "a", .values = digits + 1, .count = 9, .where = first_is_even};
    autotune_tuner *tuner = create(
        (autotune_desc){.name = "first", .axes = &axis, .axis_count = 1, .launch = count_launch, .user = &launches});
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.mode = AUTOTUNE_OFF, .result = &result}), AUTOTUNE_OK);
    EXPECT_INT(launches, 1);
    EXPECT_INT(autotune_get_int(&result.config, "a"), 2);
    EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
    autotune_destroy(tuner);
}

static int rank(void *user, const autotune_config *config) {
    const int64_t a = autotune_get_int(config, "a");
    (void)user;
    return a == 0 ? -1 : a < 5 ? 1 : 2;
}
static double cost(void *user, const autotune_config *config) {
    return (void)user, (double)autotune_get_int(config, "a");
}
static autotune_status note_order(void *user, const autotune_config *config) {
    const int64_t a = autotune_get_int(config, "a");
    char *at = launched + strlen(launched);
    (void)user;
    if (!strchr(launched, (char)('0' + a))) snprintf(at, sizeof launched - strlen(launched), "%lld", (long long)a);
    virtual_ns += 50000;
    return a < 5 ? AUTOTUNE_OK : AUTOTUNE_REJECT("%lld is too much", (long long)a);
}
Test(created, priority_and_model_order_the_race) {
    const autotune_axis axis = {.name = "a", .values = digits, .count = 10};
    autotune_desc desc =
        {.name = "ranked", .axes = &axis, .axis_count = 1, .priority = rank, .model = cost, .launch = note_order};
    autotune_result result;
    autotune_tuner *tuner = create(desc);
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.backend = virtual_backend(), .result = &result}), AUTOTUNE_OK);
    EXPECT_STRING(launched, "567891234");
    EXPECT_INT(result.failed, 5);
    EXPECT_INT(result.space_size, 9);
    launched[0] = 0;
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.backend = virtual_backend(),
                                                        .result = &result,
                                                        .key = KEY(2),
                                                        .top_k = 2}),
               AUTOTUNE_OK);
    EXPECT_STRING(launched, "5678912"); /* the two cheapest configurations of each priority, until one works */
    autotune_destroy(tuner);
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static size_t setups;
static void set_up(void *user, const autotune_config *config) {
    cr_assert(config->count > 1);
    setups++;
    ((struct kernel *)user)->data[3] = 7;
}
static bool no_four(void *user, const autotune_config *config) {
    cr_assert_eq(((struct kernel *)user)->unroll, autotune_get_int(config, "unroll"));
    return ((struct kernel *)user)->unroll != 4;
}
Test(created, every_option_of_a_call_site_works) {
    static int32_t zeroed = 5;
    struct kernel mine = {.data = {1, 2, 3, 4}};
    autotune_result result;
    autotune_tuner *tuner = create(plain_desc);
    EXPECT_INT(autotune_call(tuner,
                             &(autotune_options){.key = KEY(1),
                                                 .backend = virtual_backend(),
                                                 .result = &result,
                                                 .user = &mine,
                                                 .restore = BUFFERS({mine.data, sizeof(int32_t)}),
                                                 .outputs = BUFFERS({mine.data, 2 * sizeof(int32_t), AUTOTUNE_I32}),
                                                 .zero = BUFFERS({&zeroed, sizeof zeroed}),
                                                 .setup = set_up,
                                                 .verify = no_four,
                                                 .max_trials = 6,
                                                 .strategy = AUTOTUNE_EXHAUSTIVE,
                                                 .name = "renamed"}),
               AUTOTUNE_OK);
    EXPECT_INT(machine.launches, 0); /* options->user replaces the description's user */
    EXPECT_INT(result.tried, 6);
    EXPECT_INT(setups, result.launches - 1);
    /* .verify refuses unroll 4, and in the other failed configurations the poison of the outputs shows */
    cr_expect(mine.unroll != 4 && result.failed >= 2);
    EXPECT_INT(mine.data[0], 2);
    EXPECT_INT(zeroed, 5); /* restored before the call */
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.key = KEY(1),
                                                        .backend = virtual_backend(),
                                                        .user = &mine,
                                                        .name = "renamed"}),
               AUTOTUNE_OK);
    EXPECT_INT(mine.data[0], 3);
    EXPECT_INT(machine.launches, 0); /* a hit uses options->user, too */
    EXPECT_INT(autotune_lookup("renamed", KEY(1), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("created", KEY(1), NULL), AUTOTUNE_ERR_MISS);
    autotune_destroy(tuner);
}

/* The second configuration is 2.5 % faster than the first. */
static autotune_status run_near_tie(void *user, const autotune_config *config) {
    struct kernel *k = (struct kernel *)user;
    k->launches++;
    k->index = autotune_get_index(config);
    virtual_ns += k->index == 0 ? 102500 : k->index == 1 ? 100000 : 130000;
    return AUTOTUNE_OK;
}
Test(created, another_has_to_be_faster_than_the_first_by_the_margin) {
    static const struct {
        double margin;
        size_t winner;
    } cases[] = {{0, 1}, {0.01, 1}, {0.03, 0}};
    autotune_desc desc = plain_desc;
    desc.launch = run_near_tie;
    autotune_tuner *tuner = create(desc);
    for (int i = 0; i < 3; i++) {
        autotune_result result;
        const autotune_options o = {.key = KEY(i), .margin = cases[i].margin, .backend = virtual_backend(),
                                    .result = &result};
        EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_OK);
        EXPECT_INT(result.index, cases[i].winner);
        EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
        cr_expect(result.cache_hit && result.index == cases[i].winner && machine.index == result.index);
    }
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.key = KEY(4), .margin = 1.5}), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("created [4]: .margin is 1.5"), "%s", autotune_last_error());
    autotune_destroy(tuner);
}

Test(created, a_wrong_option_launches_the_first_configuration_untuned) {
    autotune_tuner *tuner = create(plain_desc);
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.max_seconds = -1}), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(machine.launches, 1);
    EXPECT_INT(machine.tile, 16);
    cr_expect(error_says("created: .max_seconds is -1") && error_says("the first configuration is launched untuned"));
    EXPECT_INT(autotune_tune(tuner, &(autotune_options){.max_seconds = -1}), AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(machine.launches, 1);
    cr_expect(error_says("nothing was tuned"), "%s", autotune_last_error());
    autotune_destroy(tuner);
}

Test(created, a_winner_that_fails_is_tuned_again) {
    autotune_tuner *tuner = create(plain_desc);
    autotune_result result;
    const autotune_options o = {.key = KEY(1), .backend = virtual_backend(), .result = &result};
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    machine.outcome = AUTOTUNE_FAILED;
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_FAILED);
    EXPECT_INT(result.status, AUTOTUNE_FAILED);
    cr_expect(error_says("created: the winner failed"), "%s", autotune_last_error());
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_ERR_ALL_FAILED);
    machine.outcome = AUTOTUNE_OK;
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(autotune_tune(tuner, &o), AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(autotune_clear("created", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    EXPECT_INT(autotune_call(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(result.cache_hit, false);
    EXPECT_INT(result.index, 5);
    autotune_destroy(tuner);
}

/* Several sizes share a key. The filters admit other configurations for some of these sizes. */
static struct { int64_t size, limit, id; size_t launches; } sized; /* limit: configurations above it are rejected */
static autotune_status run_sized(void *user, const autotune_config *config) {
    (void)user;
    sized.id = autotune_get_int(config, "id");
    sized.launches++;
    virtual_ns += 50000 + 10000 * (uint64_t)llabs(sized.id - 5);
    return sized.id > sized.limit ? AUTOTUNE_REJECT("%d is too large", (int)sized.id) : AUTOTUNE_OK;
}
static bool is_wide_enough(void *user, const autotune_config *config) {
    (void)user;
    return 8 * autotune_get_int(config, "id") >= sized.size;
}
static const int64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7};
static autotune_tuner *create_sized(bool filters_axis) {
    static autotune_axis axis;
    axis = (autotune_axis){.name = "id", .values = ids, .count = 8, .where = filters_axis ? is_wide_enough : NULL};
    sized.limit = 7;
    return create((autotune_desc){.name = "sized", .axes = &axis, .axis_count = 1, .launch = run_sized,
                                  .where = filters_axis ? NULL : is_wide_enough});
}
static int64_t call_sized(autotune_tuner *tuner, int64_t n, bool hits) {
    autotune_result result;
    sized.size = n;
    sized.launches = 0;
    EXPECT_INT(autotune_call(tuner, &(autotune_options){.key = KEY(ANCHOR(n)), .backend = virtual_backend(),
                                                        .result = &result}), AUTOTUNE_OK);
    EXPECT_INT(result.index, sized.id);
    if (hits) EXPECT_INT(sized.launches, 1);
    return sized.id;
}
Test(created, a_hit_of_an_anchored_size_asks_the_filters) {
    for (int filters_axis = 0; filters_axis < 2; filters_axis++) {
        autotune_tuner *tuner = create_sized(filters_axis);
        EXPECT_INT(call_sized(tuner, 33, false), 5);
        *logged = 0;
        for (int i = 0; i < 20; i++) { /* on probation, and after it */
            EXPECT_INT(call_sized(tuner, 40, true), 5);
            EXPECT_INT(call_sized(tuner, 41, true), 6); /* the fastest configuration that the filters admit */
        }
        EXPECT_INT(count_of(logged, "sized: what is known for the key does not satisfy WHERE here"), 1);
        autotune_destroy(tuner);
        EXPECT_INT(autotune_clear("sized", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    }
}
Test(created, a_step_of_an_anchored_size_asks_the_filters) {
    autotune_tuner *tuner = create_sized(false);
    autotune_step step;
    (void)call_sized(tuner, 33, false);
    sized.size = 50;
    EXPECT_INT(autotune_step_begin(tuner, &(autotune_options){.key = KEY(ANCHOR(sized.size)),
                                                              .backend = virtual_backend()}, &step), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&step.config, "id"), 7);
    EXPECT_INT(autotune_step_end(&step, 1000), AUTOTUNE_OK);
    autotune_destroy(tuner);
}
Test(created, a_hit_that_is_rejected_is_made_with_another_configuration) {
    autotune_tuner *tuner = create_sized(false);
    EXPECT_INT(call_sized(tuner, 1, false), 5);
    /* enough calls to end the probation: the last is a hit */
    for (int i = 0; i < 20; i++) EXPECT_INT(call_sized(tuner, 1, true), 5);
    sized.limit = 4;
    /* the winner is retired. The call launches the first configuration that is admitted */
    EXPECT_INT(call_sized(tuner, 1, false), 1);
    EXPECT_INT(sized.launches, 2);
    autotune_destroy(tuner);
}

static autotune_status call_another(void *user, const autotune_config *config) {
    (void)config;
    return autotune_call((autotune_tuner *)user, &(autotune_options){.key = KEY(3), .backend = virtual_backend()});
}
Test(created, a_launch_may_call_another_tuner) {
    autotune_tuner *inner = create(plain_desc);
    autotune_tuner *outer = create(
        (autotune_desc){.name = "outer", .axes = two_axes, .axis_count = 2, .launch = call_another, .user = inner});
    EXPECT_INT(autotune_call(outer, &(autotune_options){.backend = virtual_backend()}), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("created", KEY(3), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("outer", (autotune_key){0}, NULL), AUTOTUNE_OK);
    autotune_destroy(outer);
    autotune_destroy(inner);
}

Test(created, each_sees_call_sites_and_created_tuners) {
    autotune_tuner *tuner = create(plain_desc);
    tune_site(512, "rows", "gemm");
    EXPECT_INT(autotune_tune(tuner, &(autotune_options){.key = KEY(512), .backend = virtual_backend()}), AUTOTUNE_OK);
    autotune_destroy(tuner);
    autotune_each(write_down, NULL);
    EXPECT_CONTAINS(seen, "gemm#1 (n, layout)=512 32: ");
    EXPECT_CONTAINS(seen, "created#1 (512)=512 32: ");
}

/* ---- What cannot be created -------------------------------------------------------------------------------------- */

typedef struct wrong {
    const char *sentence;
    autotune_desc desc;
} wrong;
Test(created, each_bad_input_has_its_own_sentence) {
    static const char *const labels[] = {"sixteen", NULL, "sixty-four"};
    static const int64_t table[] = {1, 2};
#define AXES(...) \
    .axes = (const autotune_axis[]){__VA_ARGS__}, \
    .axis_count = sizeof((const autotune_axis[]){__VA_ARGS__}) / sizeof(autotune_axis)
#define WITH(...) \
    { .name = "x", .launch = run_kernel, __VA_ARGS__ }
#define TILE(...) \
    { .name = "tile", .values = tiles, .count = 3, __VA_ARGS__ }
    const wrong all[] = {
        {"autotune_create of '': the tuner has no name: results are found by it",
         {.axes = two_axes, .axis_count = 2, .launch = run_kernel}},
        {"the tuner has no name", {.name = "", .axes = two_axes, .axis_count = 2, .launch = run_kernel}},
        {"autotune_create of 'x': launch is NULL: it is what is tuned",
         {.name = "x", .axes = two_axes, .axis_count = 2}},
        {"there are no axes", WITH(.axes = two_axes)},
        {"there are no axes", WITH(.axis_count = 2)},
        {"there are 17 axes: at most 16", WITH(.axes = two_axes, .axis_count = 17)},
        {"axis 2 has no name", WITH(AXES(TILE(.type = AUTOTUNE_I64), {.values = tiles, .count = 3}))},
        {"axis 1 has no name", WITH(AXES({.name = "", .values = tiles, .count = 3}))},
        {"two axes are named 'tile'", WITH(AXES(TILE(.type = AUTOTUNE_I64), {.name = "b", .values = tiles, .count = 3},
                                                TILE(.type = AUTOTUNE_F64)))},
        {"the type of axis 'tile' is 3: it is one of AUTOTUNE_I64, _F64, _STRING, _POINTER",
         WITH(AXES(TILE(.type = AUTOTUNE_I32)))},
        {"the type of axis 'tile' is 99", WITH(AXES(TILE(.type = (autotune_type)99)))},
        {"axis 'tile' has a count of 3, and its values are NULL", WITH(AXES({.name = "tile", .count = 3}))},
        {"axis 'tile' has a count of 0, and its values are not NULL", WITH(AXES({.name = "tile", .values = tiles}))},
        {"axis 'tile' has no values: give some, or a table of configs", WITH(AXES({.name = "tile"}))},
        {"axis 'tile' has labels for values that are not there",
         WITH(AXES({.name = "tile", .labels = labels}), .configs = table, .config_count = 2)},
        {"axis 'tile' has pointers without labels", WITH(AXES(TILE(.type = AUTOTUNE_POINTER)))},
        {"label 2 of axis 'tile' is NULL", WITH(AXES(TILE(.labels = labels)))},
        {"config_count is 0, and configs is not NULL", WITH(.axes = two_axes, .axis_count = 2, .configs = table)},
        {"config_count is 2, and configs is NULL", WITH(.axes = two_axes, .axis_count = 2, .config_count = 2)},
        {"the value of 'tile' in row 1 of the table is not a value of the axis",
         WITH(AXES(TILE(.type = AUTOTUNE_I64)), .configs = table, .config_count = 2)},
    };
    const size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++) {
        cr_expect(!autotune_create(&all[i].desc), "%s", all[i].sentence);
        cr_expect(error_says(all[i].sentence), "\"%s\" does not say \"%s\"", autotune_last_error(), all[i].sentence);
    }
    cr_expect(!autotune_create(NULL) && error_says("autotune_create of '': the description is NULL"));
    EXPECT_INT(all_logged_lines(), count + 1);
}

Test(created, a_space_that_cannot_be_counted_is_refused) {
    static int64_t many[1 << 16];
    char names[16][2];
    autotune_axis axes[16];
    for (int i = 0; i < 1 << 16; i++) many[i] = i;
    for (int a = 0; a < 16; a++) {
        names[a][0] = (char)('a' + a), names[a][1] = 0;
        axes[a] = (autotune_axis){.name = names[a], .values = many, .count = a < 4 ? 1 << 16 : 2};
    }
    cr_expect(!autotune_create(&(autotune_desc){.name = "x", .axes = axes, .axis_count = 16, .launch = run_kernel}));
    cr_expect(error_says("the space has more points than can be counted"), "%s", autotune_last_error());
}

Test(created, without_a_tuner_there_is_a_status) {
    EXPECT_INT(autotune_call(NULL, NULL), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_call: the tuner is NULL: the message of autotune_create() says why"));
    EXPECT_INT(autotune_tune(NULL, NULL), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_tune: the tuner is NULL"));
    autotune_destroy(NULL);
}

/* ---- Queued cases ------------------------------------------------------------------------------------------------ */

TestSuite(queued, .init = start);

Test(queued, all_cases_are_tuned) {
    autotune_tuner *tuner = create(plain_desc), *other = create((autotune_desc){.name = "other",
                                                                                .axes = two_axes,
                                                                                .axis_count = 2,
                                                                                .launch = run_kernel,
                                                                                .user = &machine});
    autotune_result results[3];
    char layout[] = "rows", name[] = "second";
    for (int n = 0; n < 2; n++)
        EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY(n, layout),
                                                           .backend = virtual_backend(),
                                                           .result = &results[n]}),
                   AUTOTUNE_OK);
    EXPECT_INT(autotune_add(other,
                            &(autotune_options){.backend = virtual_backend(), .result = &results[2], .name = name}),
               AUTOTUNE_OK);
    strcpy(layout, "????"), strcpy(name, "??????"); /* autotune_add() has copied the texts */
    EXPECT_INT(machine.launches, 0);
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK);
    for (int i = 0; i < 3; i++) {
        EXPECT_INT(results[i].status, AUTOTUNE_OK);
        EXPECT_INT(results[i].index, 5);
        EXPECT_INT(results[i].tried, 9);
    }
    EXPECT_INT(autotune_lookup("created", KEY(1, "rows"), NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("second", (autotune_key){0}, NULL), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("created", KEY(2, "rows"), NULL), AUTOTUNE_ERR_MISS);
    const size_t before = machine.launches;
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK); /* the queue is empty */
    EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY(1, "rows"), .backend = virtual_backend()}),
               AUTOTUNE_OK);
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK); /* the key is known */
    EXPECT_INT(machine.launches, before);
    autotune_destroy(tuner);
    autotune_destroy(other);
}

/* A backend whose expression stores a place in a variable of the thread, as CUDA(stream) does. */
static __thread int *named_place;
static int here, there, *opened_places[2];
static size_t opened;
static void *place_named(autotune_backend *self) { return (void)self, named_place; }
static autotune_backend *open_place(autotune_backend *self, void *place, const autotune_options *options) {
    (void)options;
    if (opened < 2) opened_places[opened++] = place;
    return self;
}
static autotune_backend *backend_with_places(void) {
    static autotune_backend backend;
    backend = *virtual_backend();
    backend.place = place_named;
    backend.open = open_place;
    return &backend;
}
static void *add_from_there(void *tuner) {
    named_place = &there;
    EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY(1), .backend = backend_with_places()}), AUTOTUNE_OK);
    return NULL;
}
Test(queued, a_case_keeps_the_place_that_its_thread_named) {
    autotune_tuner *tuner = create(plain_desc);
    pthread_t thread;
    cr_assert(!pthread_create(&thread, NULL, add_from_there, tuner) && !pthread_join(thread, NULL));
    named_place = &here;
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK);
    EXPECT_INT(autotune_tune(tuner, &(autotune_options){.key = KEY(2), .backend = backend_with_places()}),
               AUTOTUNE_OK);
    cr_assert(opened == 2 && opened_places[0] == &there && opened_places[1] == &here);
    autotune_destroy(tuner);
}
Test(queued, a_case_that_fails_stops_no_other) {
    autotune_tuner *tuner = create(plain_desc);
    autotune_desc desc = plain_desc;
    static struct kernel broken = {.outcome = AUTOTUNE_FAILED};
    desc.name = "broken", desc.user = &broken;
    autotune_tuner *failing = create(desc);
    const autotune_options o = {.key = KEY(1), .backend = virtual_backend()};
    EXPECT_INT(autotune_add(failing, &o), AUTOTUNE_OK);
    EXPECT_INT(autotune_add(tuner, &o), AUTOTUNE_OK);
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(autotune_lookup("created", KEY(1), NULL), AUTOTUNE_OK);
    EXPECT_CONTAINS(logged, "broken [1]: none of 9 configurations works");
    /* the progress is not shown, since stderr is no terminal, and AUTOTUNE_PROGRESS is not set */
    EXPECT_INT(all_logged_lines(), 1);
    autotune_destroy(tuner);
    autotune_destroy(failing);
}

static autotune_status add_next(void *user, const autotune_config *config) {
    (void)config;
    if (!machine.launches++)
        EXPECT_INT(autotune_add(*(autotune_tuner **)user,
                                &(autotune_options){.key = KEY(2), .backend = virtual_backend()}),
                   AUTOTUNE_OK);
    virtual_ns += 50000;
    return AUTOTUNE_OK;
}
Test(queued, what_is_added_meanwhile_is_tuned_too) {
    autotune_tuner *tuner = NULL;
    autotune_desc desc = plain_desc;
    desc.launch = add_next, desc.user = &tuner;
    tuner = create(desc);
    EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY(1), .backend = virtual_backend()}), AUTOTUNE_OK);
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK);
    EXPECT_INT(autotune_lookup("created", KEY(2), NULL), AUTOTUNE_OK);
    autotune_destroy(tuner);
}

Test(queued, a_tuner_takes_its_cases_with_it) {
    autotune_tuner *tuner = create(plain_desc);
    autotune_desc desc = plain_desc;
    desc.name = "gone";
    autotune_tuner *gone = create(desc);
    for (int n = 0; n < 3; n++) {
        EXPECT_INT(autotune_add(gone, &(autotune_options){.key = KEY(n, "text"), .backend = virtual_backend()}),
                   AUTOTUNE_OK);
        EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY(n, "text"), .backend = virtual_backend()}),
                   AUTOTUNE_OK);
    }
    autotune_destroy(gone);
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK);
    for (int n = 0; n < 3; n++) {
        EXPECT_INT(autotune_lookup("gone", KEY(n, "text"), NULL), AUTOTUNE_ERR_MISS);
        EXPECT_INT(autotune_lookup("created", KEY(n, "text"), NULL), AUTOTUNE_OK);
    }
    autotune_destroy(tuner);
}

Test(queued, what_is_wrong_is_not_queued) {
    autotune_tuner *tuner = create(plain_desc);
    EXPECT_INT(autotune_add(NULL, NULL), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_add: the tuner is NULL"));
    EXPECT_INT(autotune_add(tuner, &(autotune_options){.key = KEY((double)NAN)}), AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_add to 'created': a part of the key is not a number (NaN)") &&
              error_says("the case was not queued"));
    EXPECT_INT(autotune_tune_all(), AUTOTUNE_OK);
    EXPECT_INT(machine.launches, 0);
    autotune_destroy(tuner);
}

static void shut_down(void *statuses, const autotune_known *known) {
    (void)known;
    *(*(autotune_status **)statuses)++ = autotune_shutdown();
}
Test(known, nothing_is_shut_down_under_a_visitor) {
    autotune_status statuses[4] = {AUTOTUNE_OK, AUTOTUNE_OK, AUTOTUNE_OK, AUTOTUNE_OK}, *next = statuses;
    autotune_tuner *tuner = create(plain_desc);
    for (int n = 0; n < 2; n++)
        EXPECT_INT(autotune_tune(tuner, &(autotune_options){.key = KEY(n), .backend = virtual_backend()}), AUTOTUNE_OK);
    autotune_each(shut_down, &next);
    cr_expect(next == statuses + 2 && statuses[0] == AUTOTUNE_ERR_ARGUMENT && statuses[1] == AUTOTUNE_ERR_ARGUMENT);
    cr_expect(error_says("autotune_each(), is in progress"));
    autotune_destroy(tuner);
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
}
