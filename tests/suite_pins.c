/* suite_pins.c - AUTOTUNE_USE: which configuration of which tuner it pins, in every mode, and the messages about a pin
   that cannot be used. The library reads the environment once per process, and each test runs in its own process. */
#define _DEFAULT_SOURCE
#include "expect.h"
#include "sanitized.h"
#include "fork.h"
#include "virtual_clock.h"
#ifndef _WIN32
#include "cache_file.h"
#endif

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum shape { ROWS = 7, COLUMNS = 9 };
static size_t launches;
static char launched[100];
static autotune_status outcome;

static autotune_status launch(const char *format, int a, int b) {
    launches++;
    virtual_ns += 20000 - 10 * ((uint64_t)a * (uint64_t)a % 1000 + (uint64_t)b);
    snprintf(launched, sizeof launched, format, a, b);
    return outcome;
}
static void pin(const char *pins) {
    setenv("AUTOTUNE_USE", pins, 1);
    autotune_set_log(keep_line, NULL);
}
/* The values of unroll have another order than in the pins below. WHERE refuses one tile. */
static autotune_result tune(int n, autotune_mode mode) {
    autotune_result result;
    launches = 0;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16, 32), WHERE(tile != 8 || n < 100), AXIS(unroll, 4, 1, 2)), 1,
             launch("tile %d unroll %d", tile, unroll), .name = "multiply", .key = KEY(n), .mode = mode,
             .backend = virtual_backend(), .result = &result);
    return result;
}
static void was_pinned(autotune_result result, const char *what) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.verdict, AUTOTUNE_PINNED);
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT(launches, 1);
    EXPECT_INT(result.launches, 1);
    EXPECT_STRING(launched, what);
    cr_expect(is_nan(result.median_ns) && is_nan(result.default_ns), "nothing was measured");
}
static void was_pinned_twice(int n, autotune_mode mode, const char *what) {
    was_pinned(tune(n, mode), what);
    was_pinned(tune(n, mode), what);            /* the second call is a hit */
}

/* ---- Which configuration ----------------------------------------------------------------------------------------- */

Test(pins, hold_in_every_mode_but_off) {
    static const autotune_mode modes[] = {AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE, AUTOTUNE_FORCE,
                                          AUTOTUNE_ONLINE};
    pin("multiply=tile=16, unroll=2");
    for (int i = 0; i < 5; i++) was_pinned_twice(i, modes[i], "tile 16 unroll 2");
    for (int i = 0; i < 5; i++) was_pinned(tune(i, AUTOTUNE_ON), "tile 16 unroll 2");
}
Test(pins, first_is_the_first_that_where_admits) {
    pin("*=first");
    was_pinned_twice(1, AUTOTUNE_ON, "tile 8 unroll 4");
    was_pinned_twice(100, AUTOTUNE_ON, "tile 16 unroll 4");
}
Test(pins, the_first_pin_that_fits_counts_and_keys_are_told_apart) {
    pin("sort*=first; multiply [n=1]=unroll=2,tile=32; *ply [n=2*]=tile=32,unroll=4;"
        "multiply=tile=16, unroll=4");
    was_pinned_twice(1, AUTOTUNE_ON, "tile 32 unroll 2");
    was_pinned_twice(25, AUTOTUNE_ON, "tile 32 unroll 4");
    was_pinned_twice(3, AUTOTUNE_ON, "tile 16 unroll 4");
}
Test(pins, other_tuners_are_tuned) {
    pin("multi=first;*ply*x=first;?*=first");
    const autotune_result result = tune(1, AUTOTUNE_ON);
    cr_expect(result.verdict != AUTOTUNE_PINNED && result.tried == 9);
}

static autotune_result tune_labels(int number, const char *flags, enum shape shape, double factor) {
    autotune_result result;
    const char *names[] = {"-O3", "-O3, -g", "a;b", flags};
    (void)number;
    launches = 0;
    AUTOTUNE(SPACE(AXIS_OF(option, names, 4), AXIS(form, ROWS, COLUMNS), AXIS(share, 0.25, 0.5, factor)), 1,
             launch(option, (int)form, (int)(100 * share)), .name = "labels", .key = KEY(number),
             .backend = virtual_backend(), .result = &result);
    (void)shape;
    return result;
}
Test(pins, values_are_written_as_the_log_shows_them) {
    pin("labels [number=1]=option=-O3, -g, form=COLUMNS, share=0.5;labels [number=2]=option=-O3, form=ROWS, share=0.25;"
        "labels=option=c:\\\\users");
    autotune_result result = tune_labels(1, "x", ROWS, 0.75);
    EXPECT_STRING(launched, "-O3, -g");
    EXPECT_STRING(result.config.labels[1], "COLUMNS");
    EXPECT_STRING(result.config.labels[2], "0.5");
    result = tune_labels(2, "x", ROWS, 0.75);
    EXPECT_STRING(launched, "-O3");
    EXPECT_INT(result.verdict, AUTOTUNE_PINNED);
    (void)tune_labels(3, "c:\\\\users", ROWS, 0.75);
    EXPECT_STRING(launched, "c:\\\\users");
}
Test(pins, rows_of_tables_and_calls_of_a_select_are_pinned) {
    autotune_result result;
    pin("table=y=2,x=3;select=launch(\"second %d%d\", 1, 2)");
    AUTOTUNE(SPACE(CONFIGS((x, y), (1, 2), (3, 4), (3, 2))), 1, launch("%d %d", x, y), .name = "table",
             .backend = virtual_backend(), .result = &result);
    EXPECT_STRING(launched, "3 2");
    EXPECT_INT(result.verdict, AUTOTUNE_PINNED);
    AUTOTUNE_SELECT((.name = "select", .backend = virtual_backend(), .result = &result), launch("first %d%d", 1, 2),
                    launch("second %d%d", 1, 2));
    EXPECT_STRING(launched, "second 12");
    EXPECT_INT(result.verdict, AUTOTUNE_PINNED);
}

static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    return launch("%d", (int)autotune_get_int(config, "tile"), 0);
}
Test(pins, created_tuners_are_pinned) {
    static const int64_t tiles[] = {8, 16, 32};
    const autotune_axis axes[] = {{.name = "tile", .type = AUTOTUNE_I64, .values = tiles, .count = 3}};
    autotune_desc desc = {.name = "created", .axes = axes, .axis_count = 1, .launch = launch_created};
    autotune_tuner *tuner;
    autotune_result result;
    autotune_options options = {.backend = virtual_backend(), .result = &result};
    pin("created=tile=32");
    tuner = autotune_create(&desc);
    EXPECT_INT(autotune_tune(tuner, &options), AUTOTUNE_OK);
    EXPECT_INT(launches, 0);
    for (int i = 0; i < 2; i++) {
        launches = 0;
        EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_OK);
        was_pinned(result, "32");
    }
    autotune_destroy(tuner);
}

/* ---- Several configurations are left ----------------------------------------------------------------------------- */

static void was_raced(autotune_result result, size_t of, const char *what) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    EXPECT_INT(result.tried, of);
    EXPECT_INT(result.space_size, of);
    cr_expect(result.verdict == AUTOTUNE_SEPARATED || result.verdict == AUTOTUNE_TIE);
    cr_expect(!result.cache_hit && launches > of);
    EXPECT_STRING(launched, what);
}
static void was_known(autotune_result result, const char *what) {
    EXPECT_INT(result.status, AUTOTUNE_OK);
    cr_expect(result.verdict != AUTOTUNE_PINNED && result.median_ns > 0);
    EXPECT_INT(result.cache_hit, true);
    EXPECT_INT(launches, 1);
    EXPECT_STRING(launched, what);
}
Test(pins, what_a_pin_leaves_is_raced_and_nothing_else_is_launched) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    pin("multiply = unroll = 1 ");
    was_raced(tune(1, AUTOTUNE_ON), 3, "tile 16 unroll 1");
    EXPECT_CONTAINS(logged, "multiply [n=1]: AUTOTUNE_USE leaves the configurations that have 'unroll = 1'\n");
    was_known(tune(1, AUTOTUNE_ON), "tile 16 unroll 1");
    was_raced(tune(100, AUTOTUNE_FORCE), 2, "tile 16 unroll 1");
}
Test(pins, a_value_is_left_out) {
    pin("multiply [n=1]=tile!=16; multiply [n=2]=tile != 16, unroll=2, tile!=8; *=unroll!=1,unroll!=4,tile!=16");
    was_raced(tune(1, AUTOTUNE_ON), 6, "tile 8 unroll 4");
    was_known(tune(1, AUTOTUNE_ON), "tile 8 unroll 4");
    was_pinned_twice(2, AUTOTUNE_ON, "tile 32 unroll 2");
    was_raced(tune(3, AUTOTUNE_ON), 2, "tile 8 unroll 2");
    EXPECT_STRING(logged, "");
}
Test(pins, without_a_winner_modes_do_what_they_do_with_what_is_left) {
    pin("multiply=tile!=8");
    autotune_result result = tune(1, AUTOTUNE_CACHED);
    EXPECT_INT(result.verdict, AUTOTUNE_DEFAULT);
    EXPECT_INT(launches, 1);
    EXPECT_STRING(launched, "tile 16 unroll 4");
    EXPECT_INT(tune(1, AUTOTUNE_CACHED).index, 3);      /* launches a stand-in */
    EXPECT_INT(tune(2, AUTOTUNE_REQUIRE).status, AUTOTUNE_ERR_MISS);
    EXPECT_INT(launches, 0);
}
Test(online, calls_launch_what_the_pin_leaves) {
    autotune_result result = {0};
    pin("multiply=tile!=8");
    for (int i = 0; i < 400; i++) {
        result = tune(3, AUTOTUNE_ONLINE);
        EXPECT_INT(launches, 1);
        cr_assert(strncmp(launched, "tile 8", 6) != 0, "a call for real was made with what the pin leaves out");
    }
    EXPECT_STRING(launched, "tile 16 unroll 4");
    EXPECT_INT(result.space_size, 6);
}
Test(pins, calls_of_a_select_and_created_tuners_are_left_out) {
    static const int64_t tiles[] = {8, 16, 32};
    const autotune_axis axes[] = {{.name = "tile", .type = AUTOTUNE_I64, .values = tiles, .count = 3}};
    autotune_desc desc = {.name = "created", .axes = axes, .axis_count = 1, .launch = launch_created};
    autotune_result result;
    autotune_options options = {.backend = virtual_backend(), .result = &result};
    pin("select=call!=best;created=tile!=16");
    AUTOTUNE_SELECT((.name = "select", .backend = virtual_backend(), .result = &result),
                    CASE(launch("best %d%d", 16, 9), NAME("best")), launch("second %d%d", 16, 2),
                    launch("third %d%d", 1, 2));
    was_raced(result, 2, "second 162");
    autotune_tuner *tuner = autotune_create(&desc);
    EXPECT_INT(autotune_call(tuner, &options), AUTOTUNE_OK);
    was_raced(result, 2, "8");
    autotune_destroy(tuner);
}
Test(pins, the_log_counts_what_is_left_out) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    pin("multiply=tile=16");
    EXPECT_INT(tune(1, AUTOTUNE_ON).refused, 6);
    EXPECT_CONTAINS(logged, "; 3 of 3 tried, 6 refused (6 by AUTOTUNE_USE), ");
}
Test(pins, a_value_that_is_not_there_cannot_be_left_out) {
    pin("multiply=tile!=64");
    EXPECT_INT(tune(1, AUTOTUNE_ON).tried, 9);
    EXPECT_CONTAINS(logged, "AUTOTUNE_USE asks for 'tile!=64', and no configuration");
    EXPECT_INT(tune(2, AUTOTUNE_REQUIRE).status, AUTOTUNE_ERR_ARGUMENT);
}
#ifndef _WIN32
static void next_process(const char *pins) {
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
    pin(pins);
}
Test(pins, what_is_found_is_kept_for_the_pin_alone, .init = use_new_folder, .fini = remove_folder) {
    static const char *const pins[] = {"multiply=tile!=16", "", "multiply=tile!=16, unroll!=4"},
                      *const winners[] = {"tile 8 unroll 4", "tile 16 unroll 4", "tile 8 unroll 1"};
    static const size_t left[] = {6, 9, 4};
    for (int i = 0; i < 3; i++) {
        next_process(pins[i]);
        const autotune_result result = tune(1, AUTOTUNE_ON);
        was_raced(result, left[i], winners[i]);
        EXPECT_INT(result.refused, 9 - left[i]);
    }
    for (int i = 0; i < 3; i++) {
        next_process(pins[i]);
        was_known(tune(1, AUTOTUNE_ON), winners[i]);
        const autotune_result result = tune(1, AUTOTUNE_CACHED);
        was_known(result, winners[i]);
        EXPECT_INT(result.refused, 9 - left[i]);
    }
    EXPECT_INT(count_lines(cache_bytes()), 3);
    EXPECT_CONTAINS(cache_bytes().at, ",\"pin\":\"tile!=16\"");
}
/* If its space grows, a call goes on with the times of its record: configurations that lost are not launched again. But
   times of a record without a pin do not count for a call with a pin. Times of a record with a pin do not count for a
   call without it. */
static uint64_t max_trials;
static autotune_result tune_more(int n, int last) {
    autotune_result result;
    launches = 0;
    AUTOTUNE(SPACE(RANGE(id, 1, last, 1)), 1, launch("id %d", id, 0), .name = "more", .key = KEY(n),
             .max_trials = max_trials, .backend = virtual_backend(), .result = &result);
    return result;
}
Test(pins, times_of_a_record_of_all_do_not_count_for_a_pin_nor_the_other_way_round, .init = use_new_folder,
     .fini = remove_folder) {
    for (int n = 0; n < 2; n++) {
        next_process(n ? "more=id!=12" : "");
        EXPECT_INT(tune_more(n, 12).tried, 12 - n);
        next_process(n ? "" : "more=id!=12");
        EXPECT_INT(tune_more(n, 13).tried, 12 + n);
        next_process(n ? "" : "more=id!=12");
        EXPECT_INT(tune_more(n, 13).launches, 1);
    }
}
static int seeded(const char *pins) {           /* returns the configuration that is tried after the first */
    next_process("more=id!=12");
    (void)tune_more(1, 12);
    next_process(pins);
    max_trials = 2;
    EXPECT_INT(tune_more(2, 12).tried, 2);
    max_trials = 0;
    return launched[3] == '1' ? atoi(launched + 3) : 0;
}
Test(seeds, are_of_keys_with_the_same_pin, .init = use_new_folder, .fini = remove_folder) {
    EXPECT_INT(seeded("more=id!=12"), 11);
    (void)autotune_clear(NULL, NULL, AUTOTUNE_DISK);
    cr_expect(seeded("more=id!=1") != 11, "it is drawn");
}
/* The nearest key has the winner of a pin. This winner is no guess for a key without the pin. */
static autotune_result guess(int n) {
    autotune_result result;
    launches = 0;
    AUTOTUNE(SPACE(AXIS(tile, 8, 16, 32)), 1, launch("tile %d%d", tile, 0), .name = "guess", .key = KEY(n),
             .unseen = AUTOTUNE_GUESS, .backend = virtual_backend(), .result = &result);
    return result;
}
Test(guesses, are_made_of_keys_with_the_same_pin, .init = use_new_folder, .fini = remove_folder) {
    autotune_result result;
    setenv("AUTOTUNE_MISSES", "off", 1); /* otherwise a file of misses would be written after the folder is removed */
    pin("guess [n=100]=tile!=16;guess [n=101]=tile!=16");
    EXPECT_INT(guess(100).index, 0);
    EXPECT_INT(guess(101).verdict, AUTOTUNE_GUESSED);
    result = guess(102);
    cr_expect(result.verdict != AUTOTUNE_GUESSED && result.tried == 3, "of this process");
    next_process("");
    EXPECT_INT(guess(103).index, 1);
    next_process("guess [n=104]=tile!=16");
    EXPECT_STRING(guess(104).guessed_from, "1 key, the nearest n=100");
    EXPECT_INT(launches, 1);
    EXPECT_STRING(launched, "tile 80");
}
#endif

/* ---- What is logged, and what a pin does not change -------------------------------------------------------------- */

Test(pins, the_log_says_so_once) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    pin("multiply=tile=32, unroll != 1, unroll!=2");
    was_pinned_twice(1, AUTOTUNE_ON, "tile 32 unroll 4");
    EXPECT_STRING(logged, "multiply [n=1]: tile=32, unroll=4, which AUTOTUNE_USE asks for\n");
}
static void *allocate_nothing(autotune_backend *self, size_t count) {
    (void)self, (void)count;
    cr_expect(false, "a buffer is saved");
    return NULL;
}
Test(pins, nothing_is_saved_before_the_launch_and_a_failure_is_the_call_s_own) {
    autotune_result result;
    static char buffer[64];
    virtual_backend()->allocate = allocate_nothing;
    pin("fails=tile=2");
    for (int i = 0; i < 2; i++) {
        launches = 0;
        outcome = AUTOTUNE_FAILED;
        AUTOTUNE(SPACE(AXIS(tile, 1, 2, 3)), 1, launch("tile %d%d", tile, buffer[0]++), .name = "fails",
                 .restore = BUFFERS({buffer, sizeof buffer}), .backend = virtual_backend(), .result = &result);
        EXPECT_INT(result.status, AUTOTUNE_FAILED);
        EXPECT_INT(launches, 1);
        EXPECT_INT(buffer[0], i + 1);
    }
}
#define NOTHING_FITS \
    "and no configuration that WHERE and PRIORITY admit has these axes and values, which are written " \
    "as the log shows them; "
static void says_that_nothing_fits(const char *pins, const char *wanted) {
    char sentence[300];
    pin(pins);
    EXPECT_INT(tune(100, AUTOTUNE_ON).tried, 6);
    snprintf(sentence, sizeof sentence,
             "multiply [n=100]: AUTOTUNE_USE asks for '%s', " NOTHING_FITS "nothing is pinned\n", wanted);
    EXPECT_STRING(logged, sentence);
    EXPECT_INT(tune(100, AUTOTUNE_ON).launches, 1);
}
Test(pins, a_value_that_is_not_there_is_a_sentence) {
    says_that_nothing_fits("multiply=unroll=2, tile=64", "unroll=2, tile=64");
}
Test(pins, and_so_is_an_axis) {
    says_that_nothing_fits("multiply=tiles =16", "tiles =16");
}
Test(pins, and_so_is_what_where_refuses) {
    says_that_nothing_fits("multiply=tile=8", "tile=8");
}
Test(pins, and_so_is_half_a_value) {
    says_that_nothing_fits("multiply=tile=1", "tile=1");
}
Test(pins, and_so_are_values_that_no_row_has_together) {
    autotune_result result;
    pin("rows=a=1, b=4");
    AUTOTUNE(SPACE(CONFIGS((a, b), (1, 2), (3, 4))), 1, launch("%d %d", a, b), .name = "rows",
             .backend = virtual_backend(), .result = &result);
    EXPECT_CONTAINS(logged, "AUTOTUNE_USE asks for 'a=1, b=4', " NOTHING_FITS);
}
Test(pins, which_is_an_error_in_mode_require) {
    pin("multiply=tile=64");
    EXPECT_INT(tune(1, AUTOTUNE_REQUIRE).status, AUTOTUNE_ERR_ARGUMENT);
    EXPECT_INT(launches, 0);
    EXPECT_CONTAINS(logged, "AUTOTUNE_USE asks for 'tile=64', " NOTHING_FITS "the mode is REQUIRE, so the call was not "
                            "made");
    EXPECT_CONTAINS(autotune_last_error(), "the mode is REQUIRE");
}
Test(pins, mode_off_launches_the_first_configuration) {
    pin("multiply=tile=16, unroll=2");
    for (int i = 0; i < 2; i++) {
        EXPECT_INT(tune(1, AUTOTUNE_OFF).verdict, AUTOTUNE_DEFAULT);
        EXPECT_STRING(launched, "tile 8 unroll 4");
    }
    was_pinned_twice(2, AUTOTUNE_ON, "tile 16 unroll 2");
    EXPECT_INT(tune(2, AUTOTUNE_OFF).index, 0);
}
Test(pins, a_huge_space_is_not_searched_for_a_value_that_is_not_there) {
    autotune_result result;
    pin("huge=last=2000,a=3");
    AUTOTUNE(SPACE(RANGE(a, 0, 99999, 1), RANGE(b, 0, 99999, 1), RANGE(last, 0, 999, 1)), 1, launch("%d %d", a, last),
             .name = "huge", .mode = AUTOTUNE_REQUIRE, .backend = virtual_backend(), .result = &result);
    EXPECT_INT(result.status, AUTOTUNE_ERR_ARGUMENT);
    cr_expect(clock() < CLOCKS_PER_SEC, "the processor's time: some milliseconds instead of seconds");
}
Test(pins, a_huge_space_has_the_point_at_its_end) {
    if (sizeof(size_t) < 8) cr_skip_test("a size_t of this processor counts fewer points");
    autotune_result result;
    pin("huge=last=999,a=99999,b=5");
    AUTOTUNE(SPACE(RANGE(a, 0, 99999, 1), RANGE(b, 0, 99999, 1), RANGE(last, 0, 999, 1)), 1, launch("%d %d", a, last),
             .name = "huge", .backend = virtual_backend(), .result = &result);
    EXPECT_STRING(launched, "99999 999");
}
static void says(const char *pins, const char *sentence) {
    pin(pins);
    (void)tune(1, AUTOTUNE_ON);
    EXPECT_CONTAINS(logged, sentence);
}
Test(pins, what_is_no_pin_is_a_sentence) {
    says("multiply;multiply = ;=first;multiply=unroll=2, tile=8",
         "AUTOTUNE_USE: 'multiply' is no pin and is ignored: ");
    EXPECT_CONTAINS(logged, "AUTOTUNE_USE: 'multiply =' is no pin and is ignored: ");
    EXPECT_CONTAINS(logged, "AUTOTUNE_USE: '=first' is no pin and is ignored: ");
    EXPECT_CONTAINS(logged, "at most 255 bytes behind TUNER="); /* the key of a TUNER may have a = */
    EXPECT_STRING(launched, "tile 8 unroll 2");
}
Test(pins, a_missing_file_is_a_sentence) {
    says("@/nowhere/pins", "AUTOTUNE_USE=@/nowhere/pins cannot be read (No such file or directory): nothing is pinned");
}
#ifndef _WIN32 /* Windows has neither a folder /tmp nor fork() */
Test(pins, a_file_has_a_pin_in_each_line) {
    char path[] = "/tmp/autotune-test-pins-XXXXXX", given[100];
    const int file = mkstemp(path);
    static const char text[] = "# comment\n\nlabels=option=a;b\r\n"
                               "  multiply [n=2]=tile=32, unroll=1\nmultiply=tile=16, unroll=4";
    cr_assert(write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1 && close(file) == 0);
    snprintf(given, sizeof given, "@%s", path);
    pin(given);
    was_pinned_twice(2, AUTOTUNE_ON, "tile 32 unroll 1");
    was_pinned_twice(3, AUTOTUNE_ON, "tile 16 unroll 4");
    (void)tune_labels(1, "x", ROWS, 0.75);
    EXPECT_STRING(launched, "a;b");
    unlink(path);
    EXPECT_INT(autotune_shutdown(), AUTOTUNE_OK);
    pin("multiply=tile=8, unroll=4");           /* the library is as before the first statement */
    was_pinned_twice(3, AUTOTUNE_ON, "tile 8 unroll 4");
}
static void tells_of_unused_pin(bool shuts_down) {
    int ends[2], status;
    char said[2000] = "";
    size_t used = 0;
    ssize_t got;
    cr_assert(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        setenv("AUTOTUNE_USE", "multyply*=tile=32;multiply=tile=16;multiply [n=77]=tile=32;mult*[n=7]=tile=32", 1);
        (void)tune(1, AUTOTUNE_ON);
        if (shuts_down) (void)autotune_shutdown();
        exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], said + used, sizeof said - 1 - used)) > 0) used += (size_t)got;
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* after a fork, the address sanitizer prints a warning about threads */
    if (ADDRESS_SANITIZED && strchr(said, '\n')) strchr(said, '\n')[1] = 0;
    EXPECT_STRING(said, "autotune: AUTOTUNE_USE: no tuner fits 'multyply*', so that nothing was pinned to 'tile=32'\n");
}
Test(pins, a_pin_that_fits_no_tuner_is_told_at_the_end_of_the_program) { tells_of_unused_pin(false); }
Test(pins, and_where_the_program_shuts_down_before_it_ends) { tells_of_unused_pin(true); }
#endif
