/* suite_functions.c - what is known: autotune_lookup() and autotune_each(), over the results of call sites and of created tuners. */
#include "expect.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool error_says(const char *part) { return contains(autotune_last_error(), part); }
static void start(void) { /* of every test: the log is kept, errors alone */
    setenv("AUTOTUNE_LOG", "errors", 1);
    autotune_set_log(keep_line, NULL);
}

/* ---- Call sites -------------------------------------------------------------------------------------------------------------------- */

static int fastest = 32;
static autotune_status kernel(int tile) {
    virtual_ns += tile == fastest ? 50000 : 90000 + 1000 * (uint64_t)tile;
    return tile == 64 ? AUTOTUNE_REJECT("tile %d is too large", tile) : AUTOTUNE_OK;
}
static autotune_result tune_site(size_t n, const char *layout, const char *name) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .key = KEY(n, layout), .name = name, .backend = virtual_backend(),
             .result = &result);
    return result;
}
static autotune_result tune_second_site(size_t n) { /* a tuner of the same name */
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .key = KEY(n, "rows"), .name = "gemm", .version = "2",
             .backend = virtual_backend(), .result = &result);
    return result;
}

TestSuite(known, .init = start);

Test(known, a_call_site_is_found_by_its_name_and_key) {
    autotune_config winner;
    EXPECT_INT(tune_site(512, "rows", "gemm").index, 1);
    char layout[] = "rows"; /* strings by content */
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
    EXPECT_INT(autotune_lookup("gemm", KEY(-1, "rows"), NULL), AUTOTUNE_ERR_MISS); /* the same bits */
    EXPECT_INT(autotune_lookup("gemm", KEY(true, "rows"), NULL), AUTOTUNE_ERR_MISS);
    tune_site(1, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(true, "rows"), NULL), AUTOTUNE_OK);
}

static void keyed_by_both(int wide) { /* one tuner, two keys of equal numbers */
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY(7), .name = "both", .backend = virtual_backend());
    fastest = wide;
    AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, kernel(tile), .key = KEY((int64_t)7), .name = "both", .backend = virtual_backend());
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
    EXPECT_INT(autotune_lookup("gemm", KEY(1), &winner), AUTOTUNE_ERR_MISS);
    cr_expect(error_says("no tuner named 'gemm'"), "%s", autotune_last_error());
    tune_site(1, "rows", "gemm");
    EXPECT_INT(autotune_lookup("gemm", KEY(1), &winner), AUTOTUNE_ERR_MISS);
    cr_expect(error_says("no winner of 'gemm' is known for this key"), "%s", autotune_last_error());
    EXPECT_STRING(logged, ""); /* a miss is an answer */
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
    EXPECT_INT(autotune_lookup("gemm", KEY(7, "rows"), &winner), AUTOTUNE_OK); /* which only one of them knows */
    EXPECT_INT(autotune_lookup("gemm#1", KEY(7, "rows"), &winner), AUTOTUNE_ERR_MISS);
    const char *const wrong[] = {"gemm#3", "gemm#0", "gemm#", "gemm#1x", "gemm#-1", "#1", "gem#1"};
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

/* ---- Every result ------------------------------------------------------------------------------------------------------------------- */

static char seen[4096];
static void write_down(void *user, const autotune_known *known) {
    char *at = seen + strlen(seen);
    size_t left = sizeof seen - strlen(seen);
    (void)user;
    snprintf(at, left, "%s#%zu (%s)=%lld %s: ", known->name, known->number, known->key.text, (long long)known->key.word[0],
             known->result.status == AUTOTUNE_OK ? autotune_get_label(&known->result.config, "tile") : "none");
    for (size_t i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *m = &known->measurements[i];
        at = seen + strlen(seen), left = sizeof seen - strlen(seen);
        snprintf(at, left, "%s%lld %s", i ? ", " : "", (long long)autotune_get_int(&m->config, "tile"), m->reason ? m->reason : m->stage);
        cr_expect((m->status == AUTOTUNE_OK) == !m->reason && (m->launches > 0) == (known->measurement_count > 1));
        cr_expect(m->reason || m->launches == 0 ? isnan(m->min_ns) : m->min_ns >= 50000 && m->min_ns <= 130000, "%g", m->min_ns);
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

static autotune_status never(int tile) { return AUTOTUNE_REJECT("%d does not work", tile); }
static void tune_in_vain(void) { AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, never(tile), .name = "hopeless", .backend = virtual_backend()); }
static void expect_hopeless(void *user, const autotune_known *known) {
    ++*(size_t *)user;
    EXPECT_INT(known->result.status, AUTOTUNE_ERR_ALL_FAILED);
    EXPECT_INT(known->result.config.count, 0);
    EXPECT_INT(known->measurement_count, 2);
    EXPECT_STRING(known->measurements[1].reason, "32 does not work");
    EXPECT_INT(known->measurements[1].status, AUTOTUNE_REJECTED);
}
Test(known, each_visits_a_key_for_which_nothing_works) {
    size_t visits = 0;
    tune_in_vain();
    tune_in_vain();
    autotune_each(expect_hopeless, &visits);
    EXPECT_INT(visits, 1);
    EXPECT_INT(autotune_lookup("hopeless", (autotune_key){0}, NULL), AUTOTUNE_ERR_MISS);
}

static void tune_anew(autotune_mode mode) {
    AUTOTUNE(SPACE(AXIS(tile, 16, 32, 64)), 1, kernel(tile), .name = "anew", .mode = mode, .backend = virtual_backend());
}
static void replace_what_is_visited(void *user, const autotune_known *known) {
    ++*(size_t *)user;
    fastest = 16;
    tune_anew(AUTOTUNE_FORCE);
    autotune_config winner;
    EXPECT_INT(autotune_lookup("anew", (autotune_key){0}, &winner), AUTOTUNE_OK);
    EXPECT_INT(autotune_get_int(&winner, "tile"), 16);
    EXPECT_INT(known->measurement_count, 3); /* as it was */
    EXPECT_INT(autotune_get_int(&known->result.config, "tile"), 32);
    EXPECT_STRING(known->measurements[1].stage, "winner");
    EXPECT_STRING(known->measurements[2].reason, "tile 64 is too large");
    autotune_each(visit_none, user);
}
Test(known, a_visitor_may_call_anything) {
    size_t visits = 0;
    tune_anew(AUTOTUNE_ON);
    autotune_each(replace_what_is_visited, &visits);
    EXPECT_INT(visits, 2);
    autotune_each(NULL, NULL);
    cr_expect(error_says("autotune_each: visit is NULL"));
}

/* ---- Keys that never repeat --------------------------------------------------------------------------------------------------------- */

Test(known, the_sixty_fifth_key_of_a_tuner_is_remarked_once) {
    for (int n = 0; n < 200; n++) {
        AUTOTUNE(SPACE(AXIS(tile, 16)), 1, (void)kernel(tile), .name = "restless", .key = KEY(n), .backend = virtual_backend());
        if (n == 63) EXPECT_STRING(logged, "");
        if (n == 64) EXPECT_CONTAINS(logged, "restless [n=64]: more than 64 keys, each of which is tuned for itself");
    }
    EXPECT_INT(all_logged_lines(), 1);
    EXPECT_STRING(autotune_last_error(), ""); /* a hint */
}
