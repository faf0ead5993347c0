/* suite_cache.c - the cache on disk: which winners a second run knows, which it must not use, and all kinds of bad
   files and folders.

   A process reads the cache once. So every run of a program is a child process here; the test itself never tunes. */
#define _DEFAULT_SOURCE
#include "virtual_clock.h"
#include "cache_file.h"
#include "decimal_comma.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

/* ---- Runs of a program ------------------------------------------------------------------------------------------- */

enum { IDS = 8 };

/* The figures of a run. `calls` are launches for real. `sum` is the memory that launches change, after the call. */
typedef struct seen {
    autotune_result result;
    int trials, calls, id, tried[IDS];
    int status[8], again[4]; /* status: what functions returned; again: which keys were tuned again */
    long sum;
    char error[1024], log[sizeof logged];
    size_t errors;
    char label[64];
} seen;
static seen *now; /* the figures of the run in this process */

/* The behaviour of the programs, set by the test before they run. */
static int best = 5;             /* the fastest configuration */
static unsigned broken;          /* bit n: configuration n fails */
static unsigned broken_for_real; /* bit n: configuration n fails only in the call for real */
static int last_id = IDS - 1, least_id;
static int dies_after;                                 /* the process ends after so many trials; 0: it does not */
static int stops_at;                                   /* a pipe: the first trial writes to it, and stays; 0: none */
/* the time of the best configuration. Each step away from it takes slower_ns more */
static uint64_t launch_ns = 100000, slower_ns = 10000;

static uint64_t noise_ns;     /* a launch takes up to noise_ns longer */
static uint64_t far_ns;       /* a configuration above 7 takes far_ns longer */
static uint64_t first_ns;     /* the first configuration takes first_ns longer */
static uint64_t dice = 88172645463325252u;
static uint64_t step_ns;      /* the clock moves in steps of this length; 0: it moves evenly */
static uint64_t noise(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return noise_ns ? dice % noise_ns : 0;
}

/* if not NULL: the first trial forks, and a signal ends the process. The child stays, and its number is here */
static pid_t *orphan;
static void leave_an_orphan(void) {
    const pid_t child = fork();
    if (child != 0) {
        *orphan = child;
        raise(SIGKILL);
    }
    alarm(600);
    pause();
    _exit(EXIT_FAILURE);
}

static bool is_broken(int id) { return id < 32 && broken >> id & 1; }
static autotune_status launch(int id, bool trial) {
    now->sum++;
    virtual_ns += launch_ns + slower_ns * (uint64_t)abs(id - best) + noise() + (id < IDS ? 0 : far_ns) +
                  (id ? 0 : first_ns);
    if (step_ns) virtual_ns -= virtual_ns % step_ns;
    if (trial) {
        now->trials++;
        if (id >= 0 && id < IDS) now->tried[id]++;
        if (dies_after && now->trials == dies_after) _exit(EXIT_SUCCESS);
        if (stops_at && write(stops_at, "", 1) == 1) pause();
        if (orphan) leave_an_orphan();
        return is_broken(id) ? AUTOTUNE_FAILED : AUTOTUNE_OK;
    }
    now->calls++;
    now->id = id;
    if (is_broken(id)) (void)AUTOTUNE_REJECT("broken as %d is", id);
    return id < 32 && (broken | broken_for_real) >> id & 1 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static seen run(void (*program)(void)) {
    seen *shared = shared_memory(sizeof *shared), all;
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        now = shared;
        autotune_set_log(keep_line, NULL);
        program();
        snprintf(now->error, sizeof now->error, "%s", autotune_last_error());
        memcpy(now->log, logged, sizeof logged);
        now->errors = logged_lines[AUTOTUNE_LOG_ERRORS];
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS,
              "status %x", (unsigned)status);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}

static int key = 1;
static autotune_mode mode;
static autotune_cache policy;
static const char *version, *name;
static uint64_t max_trials;
static double max_seconds, stop_at_ns, margin;
static long total; /* the memory that the call reads and writes */
static void program(void) {
    total = 1;
    AUTOTUNE(SPACE(RANGE(id, least_id, last_id, 1)), 1, (total *= 3, launch(id, autotune_trial)), .key = KEY(key),
             .mode = mode, .cache = policy, .version = version, .name = name, .max_trials = max_trials,
             .max_seconds = max_seconds, .stop_at_ns = stop_at_ns, .margin = margin,
             .restore = BUFFERS({&total, sizeof total}), .backend = virtual_backend(), .result = &now->result);
    now->sum = total;
}
static bool tuned(seen s, int id) { /* the run raced the key, and id won */
    return s.result.status == AUTOTUNE_OK && !s.result.cache_hit && s.trials > 0 && s.calls == 1 && s.id == id &&
           s.sum == 3;
}
static bool known(seen s, int id) { /* the run knew the winner from an earlier run, and it was id */
    return s.result.status == AUTOTUNE_OK && s.result.cache_hit && s.trials == 0 && s.calls == 1 && s.id == id &&
           s.sum == 3 && s.result.launches == 1 && s.result.tried == 0;
}
static bool untuned(seen s) {
    return s.result.status == AUTOTUNE_OK && !s.result.cache_hit && s.trials == 0 && s.calls == 1 && s.id == 0 &&
           s.sum == 3;
}
static bool quiet(seen s) { return s.errors == 0; }

TestSuite(cache, .init = use_new_folder, .fini = remove_folder);
TestSuite(online, .init = use_new_folder, .fini = remove_folder);
TestSuite(unsure, .init = use_new_folder, .fini = remove_folder);

/* ---- A second run ---------------------------------------------------------------------------------------------------
 */

Test(cache, a_second_run_tunes_nothing) {
    const seen first = run(program), second = run(program);
    cr_assert(tuned(first, 5) && quiet(first));
    cr_assert(known(second, 5) && quiet(second), "%s", second.log);
    cr_assert(second.result.index == 5 && second.result.verdict == first.result.verdict &&
              second.result.space_size == 8);
    cr_assert(fabs(second.result.median_ns - first.result.median_ns) < 0.1 &&
              fabs(second.result.min_ns - first.result.min_ns) < 0.1);
    cr_assert(fabs(second.result.runner_up_ns - first.result.runner_up_ns) < 0.1);
    cr_assert(fabs(second.result.default_ns - 150000) < 0.1 && fabs(second.result.slowest_ns - 150000) < 0.1);
}
Test(cache, a_known_winner_answers_in_every_mode_but_force_and_off) {
    cr_assert(tuned(run(program), 5));
    mode = AUTOTUNE_CACHED;
    cr_assert(known(run(program), 5));
    mode = AUTOTUNE_REQUIRE;
    cr_assert(known(run(program), 5));
    mode = AUTOTUNE_OFF;
    cr_assert(untuned(run(program)));
    mode = AUTOTUNE_FORCE;
    best = 3;
    cr_assert(tuned(run(program), 3));
    mode = AUTOTUNE_ON;
    cr_assert(known(run(program), 3), "the newer record counts");
}
Test(cache, another_key_version_or_name_is_not_known) {
    cr_assert(tuned(run(program), 5));
    key = 2;
    cr_assert(tuned(run(program), 5));
    version = "2";
    cr_assert(tuned(run(program), 5));
    name = "another";
    cr_assert(tuned(run(program), 5));
    cr_assert(known(run(program), 5));
    version = name = NULL;
    key = 1;
    cr_assert(known(run(program), 5));
    cr_assert_eq(sound_lines(cache_bytes()), 4u);
}
Test(cache, another_device_is_not_known) {
    cr_assert(tuned(run(program), 5));
    cr_assert_eq(edit_records(cache_file, "\"device\":\"", "\"device\":\"Another "), 1u);
    cr_assert(tuned(run(program), 5), "the words are compared, not only their hash");
    cr_assert(known(run(program), 5));
}
static void program_of_another_call(void) {
    total = 1;
    AUTOTUNE(SPACE(RANGE(id, least_id, last_id, 1)), 1, (total *= 3, launch((int)(id), autotune_trial)),
             .key = KEY(key), .name = "suite_cache.c:program", .restore = BUFFERS({&total, sizeof total}),
             .backend = virtual_backend(), .result = &now->result);
    now->sum = total;
}
Test(cache, another_text_of_the_call_is_not_known) {
    cr_assert(tuned(run(program), 5));
    cr_assert(tuned(run(program_of_another_call), 5));
    cr_assert(known(run(program_of_another_call), 5));
    cr_assert(known(run(program), 5), "and the two take turns");
}

/* The same tokens with other blanks. */
/* clang-format off */
static void program_as_formatted(void) {
    total = 1;
    AUTOTUNE( SPACE( RANGE(id,least_id,last_id,1) ),
              1,(total*=3,launch( id,autotune_trial )),.key = KEY( key ), .name = "suite_cache.c:program",
              .restore = BUFFERS({&total, sizeof total}), .backend = virtual_backend(), .result = &now->result);
    now->sum = total;
}
static void select_program(void) {
    AUTOTUNE_SELECT((.key = KEY(key, "a b"), .name = "two", .backend = virtual_backend(), .result = &now->result),
                    launch(4, autotune_trial), (now->log[0] = "a b"[1], launch(5, autotune_trial)));
    now->sum = 3;
}
static void select_program_as_formatted(void) {
    AUTOTUNE_SELECT((.key = KEY( key,"a b" ), .name = "two", .backend = virtual_backend(), .result = &now->result),
                    launch( 4,autotune_trial ), ( now->log[0]="a b"[1],launch( 5,autotune_trial ) ) );
    now->sum = 3;
}
static void select_program_with_another_text(void) {
    AUTOTUNE_SELECT((.key = KEY(key, "a b"), .name = "two", .backend = virtual_backend(), .result = &now->result),
                    launch(4, autotune_trial), (now->log[0] = "ab"[1], launch(5, autotune_trial)));
    now->sum = 3;
}
/* clang-format on */
Test(cache, blanks_of_a_formatter_change_nothing) {
    cr_assert(tuned(run(program), 5));
    cr_assert(known(run(program_as_formatted), 5));
    cr_assert(tuned(run(select_program), 5));
    cr_assert(known(run(select_program_as_formatted), 5));
    cr_assert(known(run(select_program), 5));
    cr_assert(tuned(run(select_program_with_another_text), 5), "blanks of a literal count");
    cr_assert(known(run(select_program), 5));
}
/* Older records have fingerprints of the texts with their blanks: FNV-1a, as docs/cache-format.md says. */
Test(cache, a_record_of_the_text_with_its_blanks_answers) {
    char texts[500], fingerprint[40], older[40];
    uint64_t hash = 0xCBF29CE484222325u;
    snprintf(texts, sizeof texts, "\n%s\n%s\n%s\nid:%d:0:1:0:1:8", AUTOTUNE__BUILD,
             "SPACE(RANGE(id, least_id, last_id, 1))", "(total *= 3, launch(id, autotune_trial))", (int)AUTOTUNE_I32);
    for (const char *at = texts; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001B3u;
    snprintf(older, sizeof older, "\"fingerprint\":\"%016llx", (unsigned long long)hash);
    cr_assert(tuned(run(program), 5));
    snprintf(fingerprint, sizeof fingerprint, "%.31s", strstr(cache_bytes().at, "\"fingerprint\""));
    cr_assert(strcmp(fingerprint, older) != 0);
    cr_assert_eq(edit_records(cache_file, fingerprint, older), 1u);
    cr_assert(known(run(program), 5));
}

/* ---- Turned off -----------------------------------------------------------------------------------------------------
 */

static bool is_empty(void) { return cache_bytes().at == NULL; }

Test(cache, off_does_not_look_for_a_folder) {
    unsetenv("AUTOTUNE_CACHE_DIR");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    policy = AUTOTUNE_CACHE_OFF;
    const seen s = run(program);
    cr_assert(tuned(s, 5) && quiet(s), "%s", s.log);
}
Test(cache, off_neither_reads_nor_writes) {
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(tuned(run(program), 5) && is_empty());
    policy = AUTOTUNE_CACHE_ON;
    cr_assert(tuned(run(program), 5));
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(tuned(run(program), 5));
    cr_assert_eq(sound_lines(cache_bytes()), 1u);
}
Test(cache, readonly_reads_and_does_not_write) {
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert(tuned(run(program), 5) && is_empty());
    char lock[300];
    snprintf(lock, sizeof lock, "%s/lock", cache_folder);
    cr_assert_neq(access(lock, F_OK), 0, "it makes no lock");
    policy = AUTOTUNE_CACHE_ON;
    cr_assert(tuned(run(program), 5));
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert(known(run(program), 5));
    key = 2;
    cr_assert(tuned(run(program), 5));
    cr_assert_eq(sound_lines(cache_bytes()), 1u);
}
Test(cache, the_environment_overrides_the_option) {
    setenv("AUTOTUNE_CACHE", "off", 1);
    cr_assert(tuned(run(program), 5) && is_empty());
    setenv("AUTOTUNE_CACHE", "readonly", 1);
    cr_assert(tuned(run(program), 5) && is_empty());
    setenv("AUTOTUNE_CACHE", "on", 1);
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(tuned(run(program), 5) && !is_empty());
    cr_assert(known(run(program), 5));
    setenv("AUTOTUNE_CACHE", "sometimes", 1);
    policy = AUTOTUNE_CACHE_ON;
    const seen s = run(program);
    cr_assert(known(s, 5) && s.errors == 1 && contains(s.log, "AUTOTUNE_CACHE=sometimes") &&
              contains(s.log, "on, off, readonly"));
}
Test(cache, a_wrong_option_is_said) {
    policy = (autotune_cache)7;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_ERR_ARGUMENT && s.calls == 1 && contains(s.error, ".cache is 7"));
}
static void one_configuration(void) {
    AUTOTUNE(SPACE(AXIS(id, 5)), 1, launch(id, autotune_trial), .result = &now->result);
}
Test(cache, only_what_was_measured_is_written) {
    const seen s = run(one_configuration);
    cr_assert(s.result.verdict == AUTOTUNE_SINGLE && is_empty());
    broken = ~0u;
    cr_assert_eq(run(program).result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(is_empty());
}

/* ---- Every kind of value --------------------------------------------------------------------------------------------
 */

enum way { NARROW, WIDE };
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static void charge(bool is_best, bool trial) {
    virtual_ns += is_best ? 100000 : 300000;
    now->trials += trial;
    now->calls += !trial;
}
#define LABEL_OF(axis) snprintf(now->label, sizeof now->label, "%s", autotune_get_label(&now->result.config, axis))
#define OPTIONS        .backend = virtual_backend(), .result = &now->result

static void of_strings(void) {
    AUTOTUNE(SPACE(AXIS(s, "plain", "quote\" back\\slash", "\x01\x02 bell\a\x7f", "\xff\xfe no UTF-8 \xc3\x28",
                        "\xc3\xa9 UTF-8", "")),
             1, charge(strchr(s, '\\') != NULL, autotune_trial), .key = KEY("a/b/../c\n\"\\", "\xff", ""), OPTIONS);
    LABEL_OF("s");
}
static void of_no_utf8(void) {
    AUTOTUNE(SPACE(AXIS(s, "plain", "\xff\xfe no UTF-8 \xc3\x28", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80")), 1,
             charge(s[0] == '\xff', autotune_trial), .name = "a name/with ../slashes\r\n and \xff", OPTIONS);
    LABEL_OF("s");
}
static void of_functions(void) {
    AUTOTUNE(SPACE(AXIS(f, twice, &thrice), AXIS(way, NARROW, WIDE)), 1,
             charge(f(1) == 3 && way == WIDE, autotune_trial), OPTIONS);
    LABEL_OF("f");
}
static void of_doubles(void) {
    const double v[] = {0.1, 0.1000000000000001, 1e300, -2.5, HUGE_VAL};
    AUTOTUNE(SPACE(AXIS_OF(d, v, 5)), 1, charge(d > v[0] && d < 0.2, autotune_trial),
             .key = KEY(0.1, 1e300, -HUGE_VAL, 2.5f), OPTIONS);
    LABEL_OF("d");
}
/* Subnormal numbers. */
static void of_subnormal_numbers(void) {
    const double v[] = {1e-320, 5e-324, -5e-324};
    const double small = 1e-310;
    AUTOTUNE(SPACE(AXIS_OF(d, v, 3)), 1, charge(d < 0, autotune_trial), .key = KEY(small, -1e-40f), OPTIONS);
    LABEL_OF("d");
}
static void of_rules(void) {
    AUTOTUNE(SPACE(RANGE(down, 9, -9, -3), POW2(up, 1, 64), RANGE(wide, 0x8000000000000000u, 0x8000000000000002u, 1)),
             1, charge(down == -6 && up == 32 && wide == 0x8000000000000001u, autotune_trial),
             .key = KEY((bool)1, (unsigned char)200, -7L), OPTIONS);
    LABEL_OF("wide");
}
static void of_a_table(void) {
    AUTOTUNE(SPACE(CONFIGS((tile, how), (16, "a"), (32, "b"), (16, "b")), AXIS(x, 1, 2)), 1,
             charge(tile == 16 && *how == 'b' && x == 2, autotune_trial), OPTIONS);
    LABEL_OF("how");
}
static void of_calls(void) {
    AUTOTUNE_SELECT((OPTIONS), charge(false, autotune_trial),
                    CASE(charge(true, autotune_trial), NAME("the \"second\"")),
                    CASE((charge(false, autotune_trial)), WHERE(1)));
    LABEL_OF("call");
}
static void of_a_long_name(void) {
    char *long_name = kept(10241);
    memset(long_name, 'x', 10240);
    long_name[5000] = '\n';
    AUTOTUNE(SPACE(AXIS(id, 1, 2, 3)), 1, charge(id == 2, autotune_trial), .name = long_name, .key = KEY(long_name),
             OPTIONS);
    LABEL_OF("id");
}
static void comes_back(void (*values)(void), const char *label) {
    const seen first = run(values), second = run(values);
    const bytes all = cache_bytes();
    cr_assert(first.trials > 0 && first.calls == 1 && quiet(first), "%s", first.log);
    cr_assert_str_eq(first.label, label);
    cr_assert(second.trials == 0 && second.calls == 1 && second.result.cache_hit && quiet(second), "%s", second.log);
    cr_assert_str_eq(second.label, label);
    cr_assert_eq(second.result.index, first.result.index);
    cr_assert(count_lines(all) == 1 && sound_lines(all) == 1, "one line, whatever is in it");
    for (size_t i = 0; i + 1 < all.count; i++) cr_assert((unsigned char)all.at[i] >= 0x20 && all.at[i] != 0x7f);
}
Test(cache, strings) { comes_back(of_strings, "quote\" back\\slash"); }
Test(cache, bytes_that_are_no_utf8) {
    comes_back(of_no_utf8, "\xff\xfe no UTF-8 \xc3\x28");
    const bytes all = cache_bytes();
    cr_assert(contains(all.at, "\"\\udcff\\udcfe no UTF-8 \\udcc3(\""));
    cr_assert(contains(all.at, "\"\\udced\\udca0\\udc80\"") && contains(all.at, "\"\\udcf4\\udc90\\udc80\\udc80\""));
    cr_assert(contains(all.at, "\"\\udcc0\\udc80\"") && contains(all.at, "\"plain\""));
    cr_assert(contains(all.at, "\"a name/with ../slashes\\u000d\\u000a and \\udcff\""));
}
Test(cache, functions_and_enumerators) {
    comes_back(of_functions, "thrice");
    cr_assert(contains(cache_bytes().at, "\"winner\":{\"f\":\"thrice\",\"way\":\"WIDE\"}"));
}
Test(cache, doubles) {
    comes_back(of_doubles, "0.1");
    cr_assert(contains(cache_bytes().at, "\"winner\":{\"d\":0.1000000000000001}"));
    cr_assert(contains(cache_bytes().at, "\"-inf\",\"2.5f\":2.5}"));
    cr_assert(contains(cache_bytes().at, "\"key\":{\"0.1\":0.1,\"1e300\":1e+300,\""));
}
Test(cache, subnormal_numbers) {
    comes_back(of_subnormal_numbers, "-4.94065646e-324");
    cr_assert(contains(cache_bytes().at, "\"key\":{\"small\":1e-310,"));
}
Test(cache, rules) {
    comes_back(of_rules, "9223372036854775809");
    cr_assert(contains(cache_bytes().at, "\"winner\":{\"down\":-6,\"up\":32,\"wide\":9223372036854775809}"));
    cr_assert(contains(cache_bytes().at, "true,\"(unsigned char)200\":200,\"-7L\":-7}"));
}
Test(cache, tables) { comes_back(of_a_table, "b"); }
Test(cache, calls) { comes_back(of_calls, "the \"second\""); }
Test(cache, a_name_of_ten_kilobytes) { comes_back(of_a_long_name, "2"); }

/* A created tuner whose labels look like numbers, and whose values are in memory of the caller. */
static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    const bool is_best = autotune_get_int(config, "tile") == 32 &&
                         !strcmp(autotune_get_string(config, "order"), "j\ni");
    virtual_ns += is_best ? 100000 : 1000000;
    now->calls++;
    return AUTOTUNE_OK;
}
static bool tune_first;
static void created(void) {
    static const int64_t tiles[] = {16, 32, 64};
    static const char *const labels[] = {"007", "32x32", "-"}, *const names[] = {"plain", "newline"};
    const char *const orders[] = {"ij", "j\ni"};
    const int64_t values[] = {(intptr_t)orders[0], (intptr_t)orders[1]};
    const autotune_axis axes[] =
        {{.name = "tile", .values = tiles, .count = 3, .labels = labels},
         {.name = "order", .values = values, .count = 2, .type = AUTOTUNE_STRING, .labels = names}};
    const autotune_desc desc = {.name = "created", .axes = axes, .axis_count = 2, .launch = launch_created};
    const autotune_options options = {.key = KEY(key),
                                      .backend = virtual_backend(),
                                      .result = &now->result,
                                      .mode = mode};
    autotune_tuner *tuner = autotune_create(&desc);
    if (tune_first) now->status[0] = (int)autotune_tune(tuner, &options);
    now->status[1] = now->calls;
    now->status[2] = (int)autotune_call(tuner, &options);
    LABEL_OF("tile");
    autotune_destroy(tuner);
}
Test(cache, created_tuners) {
    const seen first = run(created), second = run(created);
    cr_assert(first.result.status == AUTOTUNE_OK && first.calls > 6 && quiet(first), "%s", first.log);
    cr_assert(second.result.cache_hit && second.calls == 1 && quiet(second), "%s", second.log);
    cr_assert_str_eq(second.label, "32x32");
    cr_assert(contains(cache_bytes().at, "\"winner\":{\"tile\":\"32x32\",\"order\":\"j\\u000ai\"}"), "%s",
              cache_bytes().at);
    tune_first = true;
    const seen third = run(created);
    cr_assert(third.status[0] == AUTOTUNE_OK && third.status[1] == 0, "what is known is tuned without a call");
    cr_assert(third.status[2] == AUTOTUNE_OK && third.calls == 1 && third.result.cache_hit);
}
Test(cache, a_created_tuner_in_a_rebuilt_program_is_raced_again) {
    const seen first = run(created);
    cr_assert_eq(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 1u,
                 "the program is that of the launch function");
    const seen second = run(created);
    cr_assert(!second.result.cache_hit && second.calls > 1 && second.result.tried == 6 && first.result.tried == 6);
    cr_assert_str_eq(second.label, "32x32");
}

/* Two blocks with equal text in one function. Each keeps its own winner, whichever of them runs. */
#define BLOCK(fastest)                                                    \
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 1, 2, 3)), .name = "blocks", OPTIONS) { \
        charge(id == (fastest), autotune_trial);                          \
        if (!autotune_trial) now->id = 10 * now->id + id;                 \
    }
static int which_blocks = 3; /* bit 0: the first block runs; bit 1: the second */
static void two_blocks(void) {
    if (which_blocks & 1) BLOCK(2)
    if (which_blocks & 2) BLOCK(3)
}
Test(cache, blocks_of_equal_text_are_told_apart) {
    const seen first = run(two_blocks), second = run(two_blocks);
    cr_assert(first.trials > 0 && first.id == 23);
    cr_assert(second.trials == 0 && second.id == 23);
    cr_assert_eq(sound_lines(cache_bytes()), 2u);
    which_blocks = 2;
    const seen alone = run(two_blocks);
    cr_assert(alone.trials == 0 && alone.id == 3, "%d after %d trials", alone.id, alone.trials);
}
Test(cache, of_blocks_of_equal_text_the_one_that_runs_is_tuned) {
    for (which_blocks = 1; which_blocks <= 2; which_blocks++) {
        const seen first = run(two_blocks), second = run(two_blocks);
        cr_assert(first.trials > 0 && first.id == which_blocks + 1, "%d after %d trials", first.id, first.trials);
        cr_assert(second.trials == 0 && second.id == which_blocks + 1);
    }
}

/* A statement without the text of a call is identified by all texts of its space. If two such statements have the same
   name and key, a loser of the first statement says nothing about the second. */
static void charge_dearly(bool is_best, bool trial) { /* losers are so slow that they are no finalists */
    virtual_ns += is_best ? 0 : 9000000;
    charge(is_best, trial);
}
static void unlike_blocks(void) {
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 1, 2, 4, 8)), .name = "unlike", OPTIONS) { charge_dearly(id == 1, autotune_trial); }
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 1, 2, 4, 8, 16)), .name = "unlike", OPTIONS) {
        charge_dearly(id == 8, autotune_trial);
    }
    LABEL_OF("id");
}
static void unlike_selects(void) {
    bool one = true, other = false;
    AUTOTUNE_SELECT((.name = "unlike", OPTIONS), charge_dearly(one, autotune_trial),
                    charge_dearly(other, autotune_trial));
    one = false, other = true;
    AUTOTUNE_SELECT((.name = "unlike", OPTIONS), charge_dearly(false, autotune_trial),
                    charge_dearly(one, autotune_trial), charge_dearly(other, autotune_trial));
    LABEL_OF("call");
}
static autotune_status launch_unlike(void *best_id, const autotune_config *config) {
    charge_dearly(autotune_get_int(config, "id") == *(const int *)best_id, now->calls < 0);
    return AUTOTUNE_OK;
}
static void unlike_created(void) {
    static const int64_t ids[] = {1, 2, 4, 8, 16};
    static int best_ids[] = {1, 8};
    const autotune_options options = {OPTIONS};
    for (size_t i = 0; i < 2; i++) {
        const autotune_axis axis = {.name = "id", .values = ids, .count = 4 + i};
        autotune_tuner *tuner = autotune_create(&(autotune_desc){.name = "unlike", .axes = &axis, .axis_count = 1,
                                                                 .launch = launch_unlike, .user = &best_ids[i]});
        autotune_call(tuner, &options);
        LABEL_OF("id");
        autotune_destroy(tuner);
    }
}
static void are_tuned_apart(void (*statements)(void), const char *label) {
    const seen first = run(statements), second = run(statements);
    cr_assert(!first.result.cache_hit && quiet(first), "%s", first.log);
    cr_assert_str_eq(first.label, label);
    cr_assert(second.result.cache_hit && second.result.launches == 1 && quiet(second), "%s", second.log);
    cr_assert_str_eq(second.label, label);
}
Test(cache, unlike_blocks_are_tuned_apart) { are_tuned_apart(unlike_blocks, "8"); }
Test(cache, unlike_selects_are_tuned_apart) { are_tuned_apart(unlike_selects, "charge_dearly(other, autotune_trial)"); }
Test(cache, unlike_created_tuners_are_tuned_apart) { are_tuned_apart(unlike_created, "8"); }

/* ---- The winner no longer works -------------------------------------------------------------------------------------
 */

Test(cache, a_winner_that_fails_is_tuned_again) {
    cr_assert(tuned(run(program), 5));
    broken = 1u << 5;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 2 && s.trials > 0 && (s.id == 4 || s.id == 6), "%d", s.id);
    cr_assert_eq(s.sum, 3, "the failing launch left no trace");
    cr_assert(s.errors == 1 && contains(s.log, "id=5") && contains(s.log, "broken as 5 is") &&
                  contains(s.log, "tuned again"),
              "%s", s.log);
    const seen next = run(program);
    cr_assert(known(next, s.id) && quiet(next), "and what was found is known");
}
Test(cache, without_tuning_the_next_of_the_record_is_taken) {
    cr_assert(tuned(run(program), 5));
    broken = 1u << 5;
    mode = AUTOTUNE_CACHED;
    seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 2 && s.trials == 0 && (s.id == 4 || s.id == 6));
    cr_assert(s.result.verdict == AUTOTUNE_UNRESOLVED && s.result.cache_hit);
    cr_assert(s.sum == 3 && s.errors == 1 && contains(s.log, "id=5") && contains(s.log, "the next one is tried"), "%s",
              s.log);
    broken = ~1u;
    s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.trials == 0 && s.id == 0 && s.sum == 3, "the last one that works");
    broken = ~0u;
    mode = AUTOTUNE_REQUIRE;
    const seen none = run(program);
    cr_assert(none.result.status == AUTOTUNE_ERR_MISS && none.trials == 0 && none.sum == 1);
}
static void filtered(void) {
    total = 1;
    AUTOTUNE(SPACE(RANGE(id, 0, 7, 1), WHERE(!(broken_for_real >> id & 1))), 1,
             (total *= 3, launch(id, autotune_trial)), .restore = BUFFERS({&total, sizeof total}), OPTIONS);
    now->sum = total;
}
Test(cache, a_winner_that_where_no_longer_admits_is_tuned_again) {
    cr_assert(tuned(run(filtered), 5));
    broken_for_real = 1u << 5;
    const seen s = run(filtered);
    cr_assert(s.result.status == AUTOTUNE_OK && s.trials > 0 && s.calls == 1 && (s.id == 4 || s.id == 6) && s.sum == 3);
    cr_assert(s.errors == 1 && contains(s.log, "id=5") && contains(s.log, "WHERE"), "%s", s.log);
    for (int id = 0; id < IDS; id++)
        cr_assert_eq(s.tried[id] > 0, id != 5, "something that WHERE reads has changed: all are raced");
}
/* Several sizes share a key. WHERE admits other configurations for some of these sizes. */
static int sizes[4];
static void anchored(void) {
    for (int i = 0; i < 4 && sizes[i]; i++) {
        const int n = sizes[i];
        now->calls = now->trials = 0;
        AUTOTUNE(SPACE(RANGE(id, 0, 7, 1), WHERE(8 * id >= n)), 1, launch(id, autotune_trial), .key = KEY(ANCHOR(n)),
                 OPTIONS);
        now->tried[i] = now->id;
        if (now->result.status != AUTOTUNE_OK || now->calls != 1 || 8 * now->id < n || (i && now->trials)) _exit(1);
    }
}
Test(cache, a_hit_of_an_anchored_size_asks_where) {
    for (int process = 0; process < 3; process++) {
        const int order[3][4] = {{33, 50, 33, 56}, {50, 33, 50, 0}, {33, 56, 34, 0}};
        memcpy(sizes, order[process], sizeof sizes);
        const seen s = run(anchored);
        cr_assert(s.errors == 1 && contains(s.log, "does not satisfy WHERE here"), "%s", s.log);
        cr_assert((s.trials > 0) == false, "process %d", process);
        for (int i = 0; i < 4 && sizes[i]; i++)     /* the winner, or the fastest configuration that WHERE admits */
            cr_assert_eq(s.tried[i], sizes[i] < 41 ? 5 : 7, "%d: %d", sizes[i], s.tried[i]);
    }
}
static void fails_later(void) {
    for (int i = 0; i < 3; i++) {
        if (i == 1) broken = 1u << 5;
        program();
    }
}
Test(cache, a_known_winner_that_fails_later_is_tuned_again) {
    cr_assert(tuned(run(program), 5));
    const seen s = run(fails_later);
    cr_assert(s.calls == 3 && s.trials > 0 && s.result.status == AUTOTUNE_OK && (s.id == 4 || s.id == 6));
}
static unsigned broken_later;
static void fail_later(void) {
    program();
    broken = broken_later;
    for (int i = 0; i < 2; i++) program();
}
Test(cache, what_lost_to_a_winner_that_fails_later_is_tried_again) {
    broken_later = 1u << 4 | 1u << 5 | 1u << 6; /* the first configuration, which is a finalist too, works */
    slower_ns = 30000;
    cr_assert(tuned(run(program), 5));
    const seen s = run(fail_later);
    cr_assert(s.result.status == AUTOTUNE_OK && (s.id == 3 || s.id == 7), "%d", s.id);
}

/* ---- Damage ---------------------------------------------------------------------------------------------------------
 */

static void three_keys(void) {
    for (key = 1; key <= 3; key++) program();
}
static int known_keys(void) { /* how many of the three keys a run knows */
    int sum = 0;
    mode = AUTOTUNE_REQUIRE;
    for (key = 1; key <= 3; key++) sum += run(program).result.status == AUTOTUNE_OK;
    mode = AUTOTUNE_ON;
    key = 1;
    return sum;
}
/* Writes a damaged file. A run must know `known_still` of its three keys, and report the damaged `line`. A line that
   was not written to its end is not reported: then line is 0. Later records are appended, and no byte of the file is
   lost. */
static void survives(const char *text, size_t count, int known_still, int line, const char *why) {
    char place[500];
    write_file(cache_file, text, count);
    const size_t sound_before = sound_lines(cache_bytes());
    cr_assert_eq(known_keys(), known_still);
    key = 4;
    seen s = run(program);
    cr_assert(tuned(s, 5));
    snprintf(place, sizeof place, "%s:%d: this line %s", cache_file, line, why);
    if (line)
        cr_assert(s.errors == 1 && contains(s.log, place), "%s is not in: %s", place, s.log);
    else
        cr_assert(quiet(s), "%s", s.log);
    key = 5;
    cr_assert(tuned(run(program), 5));
    const bytes after = cache_bytes();
    cr_assert(after.count > count && !memcmp(after.at, text, count));
    for (key = 4; key <= 5; key++) {
        s = run(program);
        cr_assert(known(s, 5) && s.errors == (line != 0), "%s", s.log);
    }
    cr_assert_eq(known_keys(), known_still);
    cr_assert_eq(sound_lines(after), sound_before + 2);
}
static bytes three_records(void) {
    run(three_keys);
    const bytes all = cache_bytes();
    cr_assert(sound_lines(all) == 3 && count_lines(all) == 3);
    return all;
}
static size_t line_at(bytes all, int number) { /* the offset of this line, from 1 */
    size_t at = 0;
    while (--number) at = (size_t)((char *)memchr(all.at + at, '\n', all.count - at) - all.at) + 1;
    return at;
}
Test(cache, cut_short_in_its_last_line) {
    const bytes all = three_records();
    survives(all.at, all.count - 30, 2, 0, "");
}
Test(cache, cut_short_before_the_last_line_feed) {
    const bytes all = three_records();
    survives(all.at, all.count - 1, 3, 0, "");
}
Test(cache, cut_short_by_a_byte_more) {
    const bytes all = three_records();
    survives(all.at, all.count - 2, 2, 0, "");
}
Test(cache, cut_short_in_its_first_line) {
    const bytes all = three_records();
    survives(all.at, 10, 0, 0, "");
}
Test(cache, a_flipped_bit_anywhere) {
    const bytes all = three_records();
    for (size_t at = line_at(all, 2); at < line_at(all, 3) - 1; at += 37) {
        all.at[at] ^= 4;
        write_file(cache_file, all.at, all.count);
        cr_assert_eq(known_keys(), 2, "at %lu", (unsigned long)at);
        all.at[at] ^= 4;
    }
    all.at[line_at(all, 2) + 100] ^= 1;
    survives(all.at, all.count, 2, 2, "is damaged or no record and is skipped; delete it to silence this");
}
Test(cache, a_line_that_is_missing_its_middle) {
    const bytes all = three_records();
    const size_t from = line_at(all, 2) + 100;
    memmove(all.at + from, all.at + from + 50, all.count - from - 50);
    survives(all.at, all.count - 50, 2, 2, "is damaged");
}
Test(cache, a_foreign_file) {
    static const char text[] = "name,value\nhello,1\n{\"autotune\":\"yes\"}\n";
    survives(text, sizeof text - 1, 0, 1,
             "is damaged or no record and is skipped, and so are others below it; delete the lines that 'autotune "
             "check' lists to silence this");
}
Test(cache, an_empty_file) { survives("", 0, 0, 0, ""); }
Test(cache, empty_lines) { survives("\n\n\n", 3, 0, 0, ""); }
Test(cache, a_binary_file) {
    char text[5000];
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (char)((random = random * 1664525u + 1013904223u) >> 24);
    survives(text, sizeof text, 0, 1, "is damaged or no record");
}
Test(cache, a_file_of_zeros) {
    static char text[70000];
    survives(text, sizeof text, 0, 0, "");
}
Test(cache, a_line_of_ten_megabytes_between) {
    const size_t huge = 10 << 20;
    const bytes all = three_records();
    char *text = kept(all.count + huge + 1);
    const size_t second = line_at(all, 2);
    memcpy(text, all.at, second);
    memset(text + second, '[', huge);
    text[second + huge] = '\n';
    memcpy(text + second + huge + 1, all.at + second, all.count - second);
    survives(text, all.count + huge + 1, 3, 2, "is damaged or no record and is skipped; delete it to silence this");
}
/* One of several lines, with so many bytes more, without its line feed. */
static bytes lengthened_line(bytes all, int number, size_t large) {
    const size_t begin = line_at(all, number), crc_bytes = strlen(",\"crc\":\"12345678\"}");
    size_t count = line_at(all, number + 1) - begin - 1 - crc_bytes;
    char *text = kept(count + large + 40);
    memcpy(text, all.at + begin, count);
    count += (size_t)sprintf(text + count, ",\"more\":\"");
    memset(text + count, 'x', large);
    strcpy(text + count + large, "\"");
    return with_crc(text, count + large + 1);
}
Test(cache, a_line_of_five_megabytes_is_read) {
    const bytes line = lengthened_line(three_records(), 1, 5 << 20);
    survives(line.at, line.count, 1, 0, "");
}
/* A record with long labels or many names of kernels may have many MiB. The next record shrinks the file again. */
Test(cache, a_long_record_behind_a_full_file_does_not_end_the_cache) {
    const bytes line = lengthened_line(three_records(), 1, 70 << 20);
    write_file(cache_file, line.at, line.count);
    key = 4;
    cr_assert(tuned(run(program), 5));
    cr_assert(sound_lines(cache_bytes()) == 1 && cache_bytes().count < 48 << 20, "%zu", cache_bytes().count);
    cr_assert(known(run(program), 5));
}
/* Bytes beyond the largest size of a cache are neither read nor changed. The last part of the 8 GiB is a hole. */
Test(cache, a_file_that_is_larger_than_a_cache_becomes) {
    if (sizeof(off_t) < 8) cr_skip_test("no file of this size can be opened");
    const off_t huge = (off_t)(UINT64_C(8) << 30);
    struct rusage used;
    struct stat status;
    const bytes all = three_records();
    cr_assert_eq(truncate(cache_file, huge), 0);
    key = 4;
    for (int i = 0; i < 2; i++) {
        const seen s = run(program);
        cr_assert(tuned(s, 5) && s.errors == 1 && contains(s.log, "results.jsonl: is larger than a cache may be"),
                  "%s", s.log);
    }
    cr_assert(getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_maxrss < 500000, "%ld KiB", used.ru_maxrss);
    cr_assert(stat(cache_file, &status) == 0 && status.st_size == huge);
    key = 2;
    cr_assert(known(run(program), 5), "the first part is read");
    cr_assert_eq(truncate(cache_file, (off_t)all.count), 0);
    const bytes after = cache_bytes();
    cr_assert(after.count == all.count && !memcmp(after.at, all.at, all.count));
}
Test(cache, a_line_of_a_later_version) {
    three_records();
    cr_assert_eq(edit_records(cache_file, "{\"autotune\":1,", "{\"autotune\":2,"), 3u);
    const bytes all = cache_bytes();
    mode = AUTOTUNE_REQUIRE;
    seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_ERR_MISS &&
                  contains(s.log, "results.jsonl:1: this line was written by a later version"),
              "%s", s.log);
    mode = AUTOTUNE_ON;
    cr_assert(tuned(run(program), 5));
    cr_assert(known(run(program), 5));
    const bytes after = cache_bytes();
    cr_assert(!memcmp(after.at, all.at, all.count), "it is left as it is");
}
Test(cache, a_sound_line_of_other_json) { /* the checksum is right, but the JSON is not that of a record */
    static const char *const bodies[] = {
        "{\"autotune\":1", "{\"autotune\":1,\"id\":\"0\"", "{}", "{\"autotune\":1,\"id\":\"", "{\"autotune\":", ""};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const bytes line = with_crc(bodies[i], strlen(bodies[i]));
        char text[200];
        snprintf(text, sizeof text, "%s\n", line.at);
        survives(text, strlen(text), 0, 1, "is damaged or no record");
    }
}
/* A sound record that lacks a member, or has it with another type, gives no winner. Nothing else goes wrong. */
Test(cache, a_record_without_its_members) {
    static const char *const edits[][2] = {
        {"\"winner\":{\"id\":5}", "\"winner\":null"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"id\":55}"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"id\":\"5\"}"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"it\":5}"},
        {"\"winner\":{\"id\":5}", "\"winner\":{}"},
        {"\"winner\":{\"id\":5}", "\"winner\":[5]"},
        {"\"winner\":{\"id\":5}", "\"winner\":5"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"id\":5,\"x\":1}"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"id\":-5}"},
        {"\"winner\":{\"id\":5}", "\"winner\":{\"id\":5.0}"},
        {"\"winner\":", "\"looser\":"},
        {"\"tuner\":", "\"toner\":"},
        {"\"tuner\":\"", "\"tuner\":\"x"},
        {"\"key\":{\"key\":1}", "\"key\":{\"key\":2}"},
        {"\"key\":{\"key\":1}", "\"key\":{}"},
        {"\"key\":{\"key\":1}", "\"key\":1"},
        {"\"key\":{\"key\":1}", "\"key\":{\"key\":1,\"m\":1}"},
        {"\"device\":", "\"levice\":"},
    };
    cr_assert(tuned(run(program), 5));
    const bytes all = cache_bytes();
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_file(cache_file, all.at, all.count);
        cr_assert_eq(edit_records(cache_file, edits[i][0], edits[i][1]), 1u, "%s", edits[i][0]);
        const seen s = run(program);
        cr_assert(tuned(s, 5) && quiet(s), "%s: %s", edits[i][1], s.log);
    }
}
/* The name of a key's part may change. Unknown members are ignored. */
Test(cache, a_record_with_more_members) {
    cr_assert(tuned(run(program), 5));
    cr_assert_eq(edit_records(cache_file, "\"key\":{\"key\":1}", "\"more\":[{\"a\":{}},null],\"key\":{\"other\":1}"),
                 1u);
    cr_assert_eq(edit_records(cache_file, "\"median_ns\":100000.0,\"verdict\"", "\"median_ns\":1e5,\"verdict\""), 1u);
    const seen s = run(program);
    cr_assert(known(s, 5) && fabs(s.result.median_ns - 1e5) < 1e-6);
}

/* ---- Folders and files that cannot be used --------------------------------------------------------------------------
 */

/* Tuning works as without a cache. One line of the log names the path and the reason. */
static void does_without(const char *path, const char *why) {
    for (int i = 0; i < 2; i++) {
        const seen s = run(three_keys);
        cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 3 && s.trials > 0 && s.id == 5);
        cr_assert(s.errors == 1 && contains(s.log, path) && contains(s.log, why), "%s, %s: %s", path, why, s.log);
    }
}
Test(cache, no_home) {
    unsetenv("AUTOTUNE_CACHE_DIR");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    does_without("the cache on disk", "HOME");
    setenv("HOME", "", 1);
    setenv("XDG_CACHE_HOME", "relative", 1);
    does_without("the cache on disk", "HOME");
}
Test(cache, where_it_is) {
    char path[300];
    unsetenv("AUTOTUNE_CACHE_DIR");
    setenv("HOME", cache_folder, 1);
    unsetenv("XDG_CACHE_HOME");
    cr_assert(tuned(run(program), 5));
    snprintf(path, sizeof path, "%s/.cache/autotune/results.jsonl", cache_folder);
    cr_assert_eq(sound_lines(read_file(path)), 1u);
    snprintf(path, sizeof path, "%s/xdg", cache_folder);
    setenv("XDG_CACHE_HOME", path, 1);
    cr_assert(tuned(run(program), 5));
    snprintf(path, sizeof path, "%s/xdg/autotune/results.jsonl", cache_folder);
    cr_assert_eq(sound_lines(read_file(path)), 1u);
    cr_assert_eq(chdir(cache_folder), 0);
    setenv("AUTOTUNE_CACHE_DIR", "here/and there", 1);
    cr_assert(tuned(run(program), 5));
    snprintf(path, sizeof path, "%s/here/and there/results.jsonl", cache_folder);
    cr_assert_eq(sound_lines(read_file(path)), 1u);
}
Test(cache, folder_and_files_are_the_user_s_alone) {
    char path[300];
    struct stat status;
    umask(0);
    snprintf(path, sizeof path, "%s/a/b", cache_folder);
    setenv("AUTOTUNE_CACHE_DIR", path, 1);
    cr_assert(tuned(run(program), 5));
    cr_assert(stat(path, &status) == 0 && (status.st_mode & 0777) == 0700);
    snprintf(path, sizeof path, "%s/a/b/results.jsonl", cache_folder);
    cr_assert(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
    snprintf(path, sizeof path, "%s/a/b/lock", cache_folder);
    cr_assert(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
}
Test(cache, a_folder_that_cannot_be_made) {
    setenv("AUTOTUNE_CACHE_DIR", "/dev/null/autotune", 1);
    does_without("/dev/null/autotune", "Not a directory");
    setenv("AUTOTUNE_CACHE_DIR", "/proc/autotune", 1);
    does_without("/proc/autotune", "No such file");
}
Test(cache, a_file_in_the_folder_s_place) {
    char path[300];
    snprintf(path, sizeof path, "%s/file", cache_folder);
    write_file(path, "mine\n", 5);
    setenv("AUTOTUNE_CACHE_DIR", path, 1);
    does_without(path, "Not a directory");
    cr_assert_str_eq(read_file(path).at, "mine\n");
}
Test(cache, a_folder_in_the_file_s_place) {
    cr_assert_eq(mkdir(cache_file, 0700), 0);
    does_without(cache_file, "is no regular file");
}
Test(cache, a_link_in_the_file_s_place) {
    char target[300];
    snprintf(target, sizeof target, "%s/target", cache_folder);
    write_file(target, "mine\n", 5);
    cr_assert_eq(symlink(target, cache_file), 0);
    does_without(cache_file, "is a link");
    cr_assert_str_eq(read_file(target).at, "mine\n", "it is not written through");
}
Test(cache, a_dangling_link_in_the_file_s_place) {
    char target[300];
    snprintf(target, sizeof target, "%s/target", cache_folder);
    cr_assert_eq(symlink(target, cache_file), 0);
    does_without(cache_file, "is a link");
    cr_assert_neq(access(target, F_OK), 0);
}
Test(cache, a_pipe_in_the_file_s_place) {
    cr_assert_eq(mkfifo(cache_file, 0600), 0);
    does_without(cache_file, "is no regular file");
}
Test(cache, a_file_of_another_user) {
    if (geteuid() != 0) cr_skip_test("only root can give files away");
    const bytes all = three_records();
    cr_assert_eq(chown(cache_file, 4321, 4321), 0);
    does_without(cache_file, "belongs to another user");
    const bytes after = cache_bytes();
    cr_assert(after.count == all.count && !memcmp(after.at, all.at, all.count));
}
static void as_nobody(void) { /* not as root, who may write everywhere */
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(EXIT_FAILURE);
    three_keys();
}
Test(cache, a_folder_without_permission) {
    cr_assert_eq(chmod(cache_folder, geteuid() == 0 ? 0700 : 0500), 0);
    const seen s = run(as_nobody);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 3 && s.id == 5);
    cr_assert(s.errors == 1 && contains(s.log, cache_file) && contains(s.log, "Permission denied"), "%s", s.log);
    cr_assert_eq(chmod(cache_folder, 0700), 0);
}
Test(cache, a_folder_that_cannot_be_made_for_want_of_permission_above_it) {
    char above[300], path[400];
    snprintf(above, sizeof above, "%s/above", cache_folder);
    snprintf(path, sizeof path, "%s/cache/autotune", above);
    cr_assert(chmod(cache_folder, 0755) == 0 && mkdir(above, 0555) == 0);
    setenv("AUTOTUNE_CACHE_DIR", path, 1);
    const seen s = run(as_nobody);
    cr_assert(s.errors == 1 && contains(s.log, path) && contains(s.log, "Permission denied"), "%s", s.log);
}
/* A limit on the size of files acts like a full disk. But a write that begins at the limit would end the process by a
   signal. */
static void with_little_room(void) {
    const struct rlimit limit = {3000, 3000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(EXIT_FAILURE);
    for (key = 1; key <= 5; key++) program();
}
Test(cache, no_room_for_more) {
    const seen s = run(with_little_room);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 5 && s.id == 5);
    cr_assert(s.errors == 1 && contains(s.log, cache_file) && contains(s.log, "File too large"), "%s", s.log);
    const bytes all = cache_bytes();
    cr_assert(all.count <= 3000 && count_lines(all) >= 1 && sound_lines(all) == count_lines(all), "whole lines only");
    key = 5;
    cr_assert(tuned(run(program), 5), "and with room it is kept");
    cr_assert(known(run(program), 5));
}

/* A program that was started without standard input, output and error. The cache's files must not get their numbers,
   else the program would print into the cache. */
static void without_standard_files(void) {
    for (int file = 0; file <= 2; file++) close(file);
    for (key = 1; key <= 3; key++) program();
    for (int file = 0; file <= 2; file++) now->status[file] = fcntl(file, F_GETFD);
}
Test(cache, its_files_take_no_number_of_standard_ones) {
    const seen s = run(without_standard_files);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 3 && quiet(s), "%s", s.log);
    for (int file = 0; file <= 2; file++) cr_assert_eq(s.status[file], -1, "%d is open", file);
    cr_assert_eq(sound_lines(cache_bytes()), 3u);
}

/* Some network file systems have no locks. Then records are still appended, but the file is never rewritten. */
static void force_ten_keys(void) {
    mode = AUTOTUNE_FORCE;
    for (key = 1; key <= 10; key++) program();
}
Test(cache, a_file_system_without_locks) {
    char lock[300];
    snprintf(lock, sizeof lock, "%s/lock", cache_folder);
    cr_assert_eq(mkdir(lock, 0700), 0);
    seen s = run(program);
    cr_assert(tuned(s, 5) && s.errors == 1, "%s", s.log);
    cr_assert(contains(s.log, "/lock: Is a directory: processes do not wait"), "%s", s.log);
    cr_assert(known(run(program), 5));
    for (int i = 0; i < 10; i++) run(force_ten_keys);
    cr_assert_eq(sound_lines(cache_bytes()), 101u);
    const bytes all = cache_bytes();
    write_file(cache_file, all.at, all.count - 30); /* a writer was stopped in the middle of a line */
    key = 11;
    s = run(program);
    cr_assert(tuned(s, 5) && s.errors == 1, "%s", s.log);
    cr_assert_eq(sound_lines(cache_bytes()), 101u);
    cr_assert(known(run(program), 5));
}
Test(cache, a_link_or_a_pipe_in_the_lock_s_place_is_said_once) {
    char lock[300], target[300];
    snprintf(lock, sizeof lock, "%s/lock", cache_folder);
    snprintf(target, sizeof target, "%s/target", cache_folder);
    cr_assert_eq(symlink(target, lock), 0);
    seen s = run(three_keys);
    cr_assert(s.errors == 1 && contains(s.log, "/lock: is a link, which is not followed: processes do not wait for "
                                               "each other, and may race a key twice; remove what is there"),
              "%s", s.log);
    cr_assert(access(target, F_OK) != 0 && unlink(lock) == 0 && mkfifo(lock, 0600) == 0);
    s = run(program);
    cr_assert(known(s, 5) && quiet(s), "a hit needs no lock: %s", s.log);
    key = 9;
    s = run(program);
    cr_assert(tuned(s, 5) && s.errors == 1 && contains(s.log, "/lock: is no regular file"), "%s", s.log);
}
/* Numbers are written and read with a decimal point, whatever the locale uses. */
static void of_doubles_in_another_locale(void) {
    if (!with_a_decimal_comma()) _exit(EXIT_FAILURE);
    of_doubles();
}
Test(cache, another_locale_changes_nothing) {
    if (!use_decimal_comma(cache_folder)) cr_skip_test("no locale with a decimal comma is installed");
    setlocale(LC_ALL, "C");
    const seen first = run(of_doubles_in_another_locale);
    cr_assert(first.trials > 0);
    cr_assert(contains(cache_bytes().at, "\"median_ns\":100000.0,"));
    const seen second = run(of_doubles), third = run(of_doubles_in_another_locale);
    cr_assert(second.result.cache_hit && fabs(second.result.median_ns - 100000) < 0.1);
    edit_records(cache_file, "\"median_ns\":100000.0,", "\"median_ns\":0.5,");
    cr_assert(fabs(run(of_doubles_in_another_locale).result.median_ns - 0.5) < 1e-9);
    cr_assert(third.result.cache_hit && fabs(third.result.median_ns - 100000) < 0.1);
}

/* ---- Save, load, clear ----------------------------------------------------------------------------------------------
 */

static char saved[300];
static void tune_and_save(void) {
    three_keys();
    now->status[0] = (int)autotune_save(saved);
}
static void load_and_tune(void) {
    now->status[0] = (int)autotune_load(saved);
    key = 2;
    program();
}
static void load_text_and_tune(void) {
    const bytes all = read_file(saved);
    now->status[0] = (int)autotune_load_text(all.at, all.count);
    memset(all.at, 'x', all.count);
    key = 2;
    program();
}
static void start_saving(void) {
    use_new_folder();
    snprintf(saved, sizeof saved, "%s/saved.jsonl", cache_folder);
    setenv("AUTOTUNE_CACHE", "off", 1);
}
TestSuite(functions, .init = start_saving, .fini = remove_folder);

Test(functions, what_is_saved_can_be_loaded) {
    cr_assert_eq(run(tune_and_save).status[0], (int)AUTOTUNE_OK);
    cr_assert(sound_lines(read_file(saved)) == 3 && count_lines(read_file(saved)) == 3);
    seen s = run(load_and_tune);
    cr_assert(s.status[0] == (int)AUTOTUNE_OK && s.result.cache_hit && s.trials == 0 && s.id == 5 && quiet(s), "%s",
              s.log);
    s = run(load_text_and_tune);
    cr_assert(s.status[0] == (int)AUTOTUNE_OK && s.result.cache_hit && s.trials == 0 && s.id == 5 && quiet(s), "%s",
              s.log);
}
static const char *in_folder(const char *part) {
    char *path = kept(300);
    snprintf(path, 300, "%s/%s", cache_folder, part);
    return path;
}
static void is_not_saved_to(const char *path) {
    struct stat before, after;
    cr_assert_eq(lstat(path, &before), 0);
    const seen s = run(tune_and_save);
    cr_assert(s.status[0] == (int)AUTOTUNE_ERR_FILE && contains(s.error, path) &&
                  contains(s.error, ": is no regular file: give a new path, or the path of a regular file, which is "
                            "replaced"),
              "%s", s.error);
    cr_assert(lstat(path, &after) == 0 && before.st_mode == after.st_mode && before.st_ino == after.st_ino);
}
Test(functions, links_and_pipes_are_not_saved_to) {
    write_file(in_folder("file.jsonl"), "old", 3);
    cr_assert_eq(symlink("file.jsonl", saved), 0);
    is_not_saved_to(saved);
    cr_assert_eq(read_file(in_folder("file.jsonl")).count, 3u);
    cr_assert(unlink(saved) == 0 && mkfifo(saved, 0600) == 0);
    is_not_saved_to(saved);
}
/* The clock stands still, so the winner is unreliable. It is kept nevertheless, with the reason for the doubt. */
static void save_after_tuning(void) {
    key = 2;
    program();
    now->status[0] = (int)autotune_save(saved);
}
Test(functions, what_is_unreliable_is_kept_and_saved) {
    setenv("AUTOTUNE_CACHE", "on", 1);
    setenv("AUTOTUNE_LOG", "winner", 1);
    launch_ns = slower_ns = 0;
    seen s = run(save_after_tuning);
    cr_assert(s.result.verdict == AUTOTUNE_UNRELIABLE && s.status[0] == AUTOTUNE_OK);
    cr_assert(contains(s.log, "unreliable (the clock did not move during the launches); "), "%s", s.log);
    cr_assert_eq(sound_lines(read_file(saved)), 1u);
    cr_assert(sound_lines(cache_bytes()) == 1 && contains(cache_bytes().at, "\"verdict\":\"unreliable\""));
    key = 2;
    s = run(program);
    cr_assert(s.result.cache_hit && s.result.verdict == AUTOTUNE_UNRELIABLE && s.result.doubt != NULL);
    setenv("AUTOTUNE_CACHE", "off", 1);
    s = run(load_and_tune);
    cr_assert(s.result.cache_hit && s.result.verdict == AUTOTUNE_UNRELIABLE && s.result.doubt != NULL);
}
static void know_and_save(void) {
    if (autotune_load(saved) != AUTOTUNE_OK) _exit(EXIT_FAILURE);
    key = 2;
    program();
    now->status[0] = (int)autotune_save(saved);
}
Test(functions, a_line_of_five_megabytes_is_loaded) {
    run(tune_and_save);
    const bytes line = lengthened_line(read_file(saved), 2, 5 << 20);
    write_file(saved, line.at, line.count);
    const seen s = run(load_and_tune);
    cr_assert(s.status[0] == (int)AUTOTUNE_OK && s.result.cache_hit && s.trials == 0, "%s", s.log);
}
Test(functions, what_was_loaded_and_used_is_saved_again) {
    run(tune_and_save);
    cr_assert_eq(run(know_and_save).status[0], (int)AUTOTUNE_OK);
    const bytes all = read_file(saved);
    cr_assert(sound_lines(all) == 1 && contains(all.at, "\"key\":{\"key\":2}"),
              "only what this process knows; the file is replaced");
}
Test(functions, records_of_another_machine_do_not_answer) {
    run(tune_and_save);
    cr_assert_eq(edit_records(saved, "\"device\":\"", "\"device\":\"Another "), 3u);
    cr_assert_eq(edit_records(saved, "\"machine\":\"",
                              "\"machine\":\"0123456789abcdef\",\"date\":\"2026-01-01T00:00:00Z\",\"old\":\""),
                 3u);
    const seen s = run(load_and_tune);
    cr_assert(s.status[0] == (int)AUTOTUNE_OK && !s.result.cache_hit && s.trials > 0);
}
static void load_two(void) {
    char path[320];
    snprintf(path, sizeof path, "%s.2", saved);
    if (autotune_load(saved) != AUTOTUNE_OK || autotune_load(path) != AUTOTUNE_OK) _exit(EXIT_FAILURE);
    key = 2;
    program();
}
Test(functions, of_two_files_the_later_date_counts) {
    char path[320];
    run(tune_and_save);
    const bytes all = read_file(saved);
    snprintf(path, sizeof path, "%s.2", saved);
    write_file(path, all.at, all.count);
    edit_records(path, "\"winner\":{\"id\":5}", "\"winner\":{\"id\":3}");
    cr_assert_eq(run(load_two).id, 3, "of equal dates the one that was loaded last");
    edit_records(path, "\"date\":\"20", "\"date\":\"19");
    cr_assert_eq(run(load_two).id, 5);
    edit_records(path, "\"date\":\"19", "\"date\":\"29");
    cr_assert_eq(run(load_two).id, 3);
}
Test(functions, a_damaged_file_is_loaded_as_far_as_it_is_sound) {
    run(tune_and_save);
    bytes all = read_file(saved);
    all.at[50] ^= 1;
    write_file(saved, all.at, all.count - 5);
    const seen s = run(load_and_tune);
    cr_assert(s.status[0] == (int)AUTOTUNE_ERR_FILE && s.result.cache_hit && s.id == 5);
    cr_assert(contains(s.log, ":1: this line is damaged") &&
                  contains(s.log, "lines that were skipped: 2, records that were loaded: 1"),
              "%s", s.log);
}
static void load_badly(void) {
    char path[300];
    now->status[0] = (int)autotune_load(NULL);
    now->status[1] = (int)autotune_load("/nowhere/at all");
    now->status[2] = (int)autotune_load(cache_folder);
    now->status[3] = (int)autotune_load_text(NULL, 1);
    now->status[4] = (int)autotune_save(NULL);
    now->status[5] = (int)autotune_save("/nowhere/at all");
    now->status[6] = (int)autotune_save(cache_folder);
    snprintf(path, sizeof path, "%s/none", cache_folder);
    now->status[7] = (int)autotune_load_text(NULL, 0);
}
Test(functions, paths_that_cannot_be) {
    const seen s = run(load_badly);
    for (int i = 0; i < 7; i++) cr_assert_eq(s.status[i], (int)AUTOTUNE_ERR_FILE, "%d", i);
    cr_assert_eq(s.status[7], (int)AUTOTUNE_OK, "an empty text");
    cr_assert(s.errors == 7 && contains(s.log, "/nowhere/at all: No such file") &&
                  contains(s.log, "is no regular file"),
              "%s", s.log);
}

/* Clears in a process that knows three keys, and on disk. Then tunes the keys again. */
static unsigned where;
static const char *clear_name;
static int clear_key; /* 0: all keys */
static void clear_and_tune_three(void) {
    three_keys();
    const autotune_key one = KEY(clear_key);
    now->status[0] = (int)autotune_clear(clear_name, clear_key ? &one : NULL, where);
    now->trials = 0;
    for (key = 1; key <= 3; key++) {
        const int before = now->trials;
        program();
        now->again[key] = now->trials > before;
    }
}
static unsigned tuned_again(void) { /* one decimal digit for each key */
    const seen s = run(clear_and_tune_three);
    cr_assert_eq(s.status[0], (int)AUTOTUNE_OK, "%s", s.log);
    return (unsigned)(100 * s.again[1] + 10 * s.again[2] + s.again[3]);
}
Test(functions, clear_in_memory) {
    where = AUTOTUNE_MEMORY;
    cr_assert_eq(tuned_again(), 111u);
    clear_key = 2;
    cr_assert_eq(tuned_again(), 10u);
    clear_name = "suite_cache.c:program";
    cr_assert_eq(tuned_again(), 10u);
    clear_key = 0;
    cr_assert_eq(tuned_again(), 111u);
    clear_name = "suite_cache.c:prog";
    cr_assert_eq(tuned_again(), 0u);
}
static void clear_only(void) {
    const autotune_key one = KEY(clear_key);
    now->status[0] = (int)autotune_clear(clear_name, clear_key ? &one : NULL, where);
}
static size_t left_on_disk(void) {
    const seen s = run(clear_only);
    cr_assert(s.status[0] == (int)AUTOTUNE_OK && quiet(s), "%s", s.log);
    return sound_lines(cache_bytes());
}
Test(functions, clear_on_disk) {
    setenv("AUTOTUNE_CACHE", "on", 1);
    where = AUTOTUNE_DISK;
    cr_assert_eq(left_on_disk(), 0u, "there is none");
    run(three_keys);
    clear_name = "another";
    cr_assert_eq(left_on_disk(), 3u);
    clear_name = "suite_cache.c:program";
    clear_key = 2;
    cr_assert_eq(left_on_disk(), 2u);
    cr_assert_eq(known_keys(), 2);
    clear_key = 0;
    cr_assert_eq(left_on_disk(), 0u);
    cr_assert_eq(known_keys(), 0);
    run(three_keys);
    clear_name = NULL;
    cr_assert_eq(left_on_disk(), 0u);
}
static int64_t long_key;
static void tune_long_key(void) {
    AUTOTUNE(SPACE(RANGE(id, 0, 7, 1)), 1, launch(id, autotune_trial), .key = KEY(long_key),
             .backend = virtual_backend());
}
static void clear_long_key(void) {
    const autotune_key one = KEY(long_key);
    now->status[0] = (int)autotune_clear(NULL, &one, AUTOTUNE_DISK);
}
Test(functions, clearing_tells_apart_what_is_one_double) {
    const int64_t both = (int64_t)1 << 53; /* the next integer is the same double */
    setenv("AUTOTUNE_CACHE", "on", 1);
    for (long_key = both; long_key <= both + 1; long_key++) run(tune_long_key);
    long_key = both;
    cr_assert_eq(run(clear_long_key).status[0], (int)AUTOTUNE_OK);
    cr_assert(sound_lines(cache_bytes()) == 1 && contains(cache_bytes().at, "9007199254740993"));
}
Test(functions, clearing_keeps_what_it_cannot_read) {
    setenv("AUTOTUNE_CACHE", "on", 1);
    run(three_keys);
    const int file = open(cache_file, O_WRONLY | O_APPEND);
    cr_assert(write(file, "a note of mine\ncut short", 24) == 24 && close(file) == 0);
    where = AUTOTUNE_DISK;
    run(clear_only);
    cr_assert_str_eq(cache_bytes().at, "a note of mine\ncut short");
}
static void load_clear_and_tune(void) {
    if (autotune_load(saved) != AUTOTUNE_OK || autotune_clear(clear_name, NULL, AUTOTUNE_MEMORY) != AUTOTUNE_OK)
        _exit(EXIT_FAILURE);
    key = 2;
    program();
}
Test(functions, clear_in_memory_forgets_what_was_loaded) {
    run(tune_and_save);
    cr_assert(tuned(run(load_clear_and_tune), 5));
    clear_name = "another";
    cr_assert(run(load_clear_and_tune).result.cache_hit);
}
Test(functions, clear_in_memory_leaves_the_disk_to_answer) {
    setenv("AUTOTUNE_CACHE", "on", 1);
    where = AUTOTUNE_MEMORY;
    cr_assert_eq(tuned_again(), 0u);
    where = AUTOTUNE_MEMORY | AUTOTUNE_DISK;
    cr_assert_eq(tuned_again(), 111u);
}
Test(functions, clearing_what_must_not_be_written) {
    setenv("AUTOTUNE_CACHE", "on", 1);
    run(three_keys);
    setenv("AUTOTUNE_CACHE", "readonly", 1);
    where = AUTOTUNE_DISK;
    seen s = run(clear_only);
    cr_assert(s.status[0] == (int)AUTOTUNE_ERR_ENVIRONMENT && sound_lines(cache_bytes()) == 3);
    where = 0;
    s = run(clear_only);
    cr_assert(s.status[0] == (int)AUTOTUNE_ERR_ARGUMENT);
    where = 4;
    s = run(clear_only);
    cr_assert(s.status[0] == (int)AUTOTUNE_ERR_ARGUMENT);
}

static void count_visit(void *count, const autotune_known *known) {
    (void)known;
    ++*(int *)count;
}
static void visit_and_clear(void) {
    program();
    autotune_each(count_visit, &now->status[0]);
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
    autotune_each(count_visit, &now->status[1]);
}
Test(functions, what_is_cleared_is_not_visited) {
    const seen s = run(visit_and_clear);
    cr_assert(s.result.status == AUTOTUNE_OK && s.status[0] == 1 && s.status[1] == 0);
}

/* ---- A record of another build saves launches -------------------------------------------------------------------- */

static int launched_ids(seen s) { /* bit n: configuration n was tried */
    int ids = 0;
    for (int id = 0; id < IDS; id++) ids |= (s.tried[id] > 0) << id;
    return ids;
}
static size_t rows_of(const char *line) { /* the number of rows in the record's launch table */
    size_t rows = 0;
    for (const char *at = line; (at = strstr(at, "{\"config\":")) != NULL; at++) rows++;
    return rows;
}
static const char *last_line(bytes all) { return all.at + line_at(all, (int)count_lines(all)); }

static void rebuild(void) { /* makes the record one of another build */
    cr_assert_gt(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 0u);
}
Test(cache, after_a_rebuild_a_small_space_is_raced_whole) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    cr_assert(tuned(run(program), 5));
    rebuild();
    const seen s = run(program);
    cr_assert(tuned(s, 5) && quiet(s));
    cr_assert_eq(launched_ids(s), 0xFF, "%x", (unsigned)launched_ids(s));
    cr_assert(contains(s.log, "; the program is new"), "%s", s.log);
    cr_assert(s.result.space_size == 8 && s.result.tried == 8);
    cr_assert_eq(rows_of(last_line(cache_bytes())), 8u);
    cr_assert(known(run(program), 5));
}
Test(cache, after_a_rebuild_an_improved_loser_wins) {
    cr_assert(tuned(run(program), 5));
    rebuild();
    best = 1;
    cr_assert(tuned(run(program), 1));
    cr_assert(known(run(program), 1));
}

/* A space whose screen takes long: 360 configurations of 2 to 6 ms. */
enum { MANY = 360 };
static int improved = -1;       /* this configuration takes 1 ms */
static int changed_from = MANY; /* configurations from this one on take twice as long */
static uint64_t common = 1;     /* all configurations take so many times as long */
static bool *many_tried;        /* many_tried[id]: this run launched configuration id */
static bool fails_again;        /* four configurations near the best fail from their second trial on */
static int trials_of[MANY];
static autotune_status launch_many(int id, bool trial) {
    const uint64_t ns = id == improved ? 1000000 : 2000000 + 20000 * (uint64_t)abs(id - 200);
    now->trials += trial;
    now->calls += !trial;
    if (trial) many_tried[id] = true;
    else now->id = id;
    virtual_ns += common * ns * (id >= changed_from ? 2 : 1) + noise();
    if (trial && now->trials == dies_after) _exit(EXIT_SUCCESS);
    const bool fails = trial && fails_again && id % 2 && abs(id - 200) < 4 && ++trials_of[id] > 1;
    return fails || is_broken(id) ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void many(void) {
    memset(trials_of, 0, sizeof trials_of);
    memset(many_tried, 0, MANY);
    AUTOTUNE(SPACE(RANGE(id, 0, MANY - 1, 1)), 1, launch_many(id, autotune_trial), .max_trials = max_trials,
             .backend = virtual_backend(), .result = &now->result);
}
static seen run_many(void) { return run(many); }
static int many_launched(void) {
    int count = 0;
    for (int id = 0; id < MANY; id++) count += many_tried[id];
    return count;
}
static seen raced_many(void) { /* a run that races, whose record is then made one of another build */
    setenv("AUTOTUNE_LOG", "winner", 1);
    many_tried = shared_memory(MANY);
    const seen s = run_many();
    cr_assert(s.result.status == AUTOTUNE_OK && s.id == 200 && many_launched() == MANY, "%d", many_launched());
    rebuild();
    return s;
}
static size_t former_of(const char *line) {
    size_t rows = 0;
    for (const char *at = line; (at = strstr(at, "\"ratio\":")) != NULL; at++) rows++;
    return rows;
}
Test(cache, after_a_rebuild_of_a_large_space_finalists_and_eight_others_are_checked) {
    bool before[MANY];
    raced_many();
    for (int build = 0; build < 3; build++) {
        seen s = run_many();
        const int launched = many_launched();
        int again = 0;
        cr_assert(s.result.status == AUTOTUNE_OK && s.id == 200 && !s.result.cache_hit);
        /* the winner and other finalists, the first configuration, eight others, and up to eight more */
        cr_assert(launched >= 1 + 1 + 8 && launched <= 8 + 1 + 8 + 8, "%d", launched);
        cr_assert(contains(s.log, " checked configurations agree with its record"), "%s", s.log);
        cr_assert(s.result.verdict == AUTOTUNE_SEPARATED || s.result.verdict == AUTOTUNE_TIE);
        const char *line = last_line(cache_bytes());
        cr_assert(contains(line, "\"checked\":") && rows_of(line) == MANY, "names of all stay");
        cr_assert_eq(former_of(line), (size_t)(MANY - launched), "%zu", former_of(line));
        if (build) {
            for (int id = 0; id < MANY; id++) again += before[id] && many_tried[id] && abs(id - 200) > 30;
            cr_assert_lt(again, 5, "others are drawn anew");
        }
        memcpy(before, many_tried, sizeof before);
        s = run_many();
        cr_assert(s.result.cache_hit && s.trials == 0 && s.id == 200);
        rebuild();
    }
}
Test(cache, after_a_rebuild_what_all_have_in_common_is_no_change) {
    raced_many();
    common = 3;
    noise_ns = 50000;
    const seen s = run_many();
    cr_assert(s.id >= 195 && s.id <= 205 && many_launched() <= 25, "%d of %d", s.id, many_launched());
}
Test(cache, after_a_rebuild_all_are_raced_where_one_that_is_checked_has_changed) {
    raced_many();
    improved = 200; /* 200 is a finalist */
    seen s = run_many();
    cr_assert(s.id == 200 && many_launched() == MANY, "%d, %d\n%s", s.id, many_launched(), s.log);
    cr_assert(contains(s.log, "the program is new, and id=200 no longer compares"), "%s", s.log);
    cr_assert_eq(former_of(last_line(cache_bytes())), 0u, "times are of this build");
    rebuild();
    improved = -1;
    changed_from = 160; /* many configurations that are no finalists */
    s = run_many();
    cr_assert(s.id == 159 && many_launched() == MANY, "%d, %d", s.id, many_launched());
    s = run_many();
    cr_assert(s.result.cache_hit && s.id == 159 && s.trials == 0);
}
Test(cache, after_a_rebuild_all_are_raced_where_a_finalist_fails) {
    raced_many();
    broken = 1u; /* the first configuration */
    seen s = run_many();
    cr_assert(s.id == 200 && many_launched() == MANY, "%d, %d", s.id, many_launched());
}
Test(cache, after_a_rebuild_a_check_that_was_interrupted_leaves_nothing_unchecked) {
    raced_many();
    common = 200; /* the race takes so long that it is written before its end */
    dies_after = 12;
    run_many();
    cr_assert(contains(last_line(cache_bytes()), "\"unfinished\":true"));
    cr_assert_gt(former_of(last_line(cache_bytes())), 300u);
    common = 1;
    dies_after = 0;
    improved = 7;
    const seen s = run_many();
    cr_assert(s.id == 7 && many_launched() > 300, "%d, %d\n%s", s.id, many_launched(), s.log);
}
Test(cache, after_a_rebuild_a_space_that_grew_is_raced_whole) {
    last_id = 5;
    cr_assert(tuned(run(program), 5));
    rebuild();
    last_id = 7;
    best = 1;
    const seen s = run(program);
    cr_assert(tuned(s, 1) && launched_ids(s) == 0xFF, "%x", (unsigned)launched_ids(s));
}
Test(cache, after_a_rebuild_what_failed_in_the_record_is_not_checked) {
    fails_again = true;
    raced_many();
    for (int build = 0; build < 30; build++) { /* one of the four that fail is drawn in about one of eleven builds */
        const seen s = run_many();
        cr_assert(s.id == 200 && many_launched() <= 25, "%d, %d\n%s", s.id, many_launched(), s.log);
        rebuild();
    }
}
Test(cache, after_a_rebuild_a_record_that_left_something_out_is_not_sure) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    many_tried = shared_memory(MANY);
    max_trials = 100;
    common = 10;
    run_many();
    rebuild();
    const seen s = run_many();
    cr_assert(many_launched() <= 25, "%d", many_launched());
    cr_assert_eq(s.result.verdict, AUTOTUNE_UNRESOLVED);
    cr_assert(contains(last_line(cache_bytes()), "\"complete\":false"));
}
static int trial_of(const char *line, int id) { /* the trial of this configuration in the launch table; 0: none */
    char config[32];
    snprintf(config, sizeof config, "{\"config\":{\"id\":%d}", id);
    const char *row = strstr(line, config), *end = row ? strchr(row + strlen(config), '}') : NULL;
    const char *trial = row ? strstr(row, "\"trial\":") : NULL;
    return trial && trial < end ? atoi(trial + strlen("\"trial\":")) : 0;
}
Test(cache, what_is_launched_again_is_numbered_behind_the_race_before) {
    int seen_before[IDS] = {0};
    last_id = 5;
    cr_assert(tuned(run(program), 5));
    for (int id = 0; id <= 5; id++) seen_before[id] = trial_of(last_line(cache_bytes()), id);
    unsigned numbers = 0;
    for (int id = 0; id <= 5; id++) numbers |= 1u << seen_before[id];
    cr_assert(seen_before[0] == 1 && numbers == 0x7E, "the first is 1, and each has a number of its own: %x", numbers);
    last_id = 7;
    cr_assert(tuned(run(program), 5));
    const char *line = last_line(cache_bytes());
    numbers = 0;
    for (int id = 0; id <= 7; id++) {
        const int trial = trial_of(line, id);
        cr_assert(trial > 6 || (id <= 5 && trial == seen_before[id]), "%d was %d, is %d", id, seen_before[id], trial);
        cr_assert(trial < 31 && !(numbers & 1u << trial), "each has a number of its own");
        numbers |= 1u << trial;
    }
    cr_assert(trial_of(line, 5) > 6 && trial_of(line, 6) > 6 && trial_of(line, 7) > 6, "these were launched");
}
Test(cache, after_a_rebuild_another_finalist_may_win) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    best = 6;
    cr_assert(tuned(run(program), 6));
    cr_assert(known(run(program), 6));
}
Test(cache, programs_that_take_turns_race_once_each) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x"); /* the record is of another program now */
    cr_assert(tuned(run(program), 5));
    cr_assert(contains(last_line(cache_bytes()), "\"programs\":[\"x"));
    /* now another program has raced, and the record lists this program, which found the same winner */
    edit_records(cache_file, "\"programs\":[\"x", "\"programs\":[\"");
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    cr_assert(known(run(program), 5));
    edit_records(cache_file, "\"programs\":[\"", "\"programs\":[\"y\",\"");
    cr_assert(known(run(program), 5), "any of them counts");
    edit_records(cache_file, "\"programs\":[\"y\",\"", "\"programs\":[\"y");
    cr_assert(tuned(run(program), 5));
    cr_assert(contains(last_line(cache_bytes()), "\"programs\":[\"x") &&
                  contains(last_line(cache_bytes()), "\",\"y"),
              "others stay");
}
/* Makes the record one of another program, which lists this one: both found the same winner. */
static void list_this_program(void) {
    char listed[80];
    const char *mine = strstr(last_line(cache_bytes()), "\"program\":\"") + strlen("\"program\":\"");
    snprintf(listed, sizeof listed, "\"programs\":[\"%.*s\"],\"version\":", (int)strcspn(mine, "\""), mine);
    cr_assert(edit_records(cache_file, "\"version\":", listed) && edit_records(cache_file, "\"program\":\"",
                                                                             "\"program\":\"x"));
}
Test(cache, the_verdict_of_a_program_is_not_said_by_another_program_of_the_same_winner) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    cr_assert(tuned(run(program), 5));
    list_this_program();
    const seen s = run(program);
    cr_assert(known(s, 5) && contains(s.log, "known from an earlier run of another build\n"), "%s", s.log);
    cr_assert_eq(s.result.verdict, AUTOTUNE_UNRESOLVED);
}
Test(cache, many_programs_with_one_call_race_once_each) { /* the tests of a library, which all link it */
    enum { PROGRAMS = 60 };
    char named[40], first[40];
    cr_assert(tuned(run(program), 5));
    for (int i = 0; i < PROGRAMS; i++) {
        snprintf(named, sizeof named, "\"program\":\"%02d", i);
        edit_records(cache_file, "\"program\":\"", named);
        cr_assert(tuned(run(program), 5), "%d", i);
    }
    snprintf(first, sizeof first, "\"%02d", 0);
    cr_assert(contains(strstr(last_line(cache_bytes()), "\"programs\":"), first), "the first has to race again");
}
Test(cache, a_program_that_found_another_winner_is_not_answered_by_the_record_of_others) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    best = 6;
    cr_assert(tuned(run(program), 6));
    cr_assert(!contains(last_line(cache_bytes()), "\"programs\":"));
}
/* A configuration with a lower index is 2.5 % faster now. */
static void is_raced_again(double share, int winner) {
    best = 4;
    slower_ns = 2500;
    margin = share;
    cr_assert(tuned(run(program), winner));
    mode = AUTOTUNE_ON;
    cr_assert(known(run(program), winner));
}
static void is_rebuilt_and_raced(double share, int winner) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    is_raced_again(share, winner);
}
static void is_forced(double share, int winner) {
    cr_assert(tuned(run(program), 5));
    mode = AUTOTUNE_FORCE;
    is_raced_again(share, winner);
}
Test(cache, after_a_rebuild_the_winner_stays_within_the_margin) { is_rebuilt_and_raced(0.03, 5); }
Test(cache, after_a_rebuild_another_wins_beyond_the_margin) { is_rebuilt_and_raced(0.01, 4); }
Test(cache, forced_in_another_process_the_winner_stays_within_the_margin) { is_forced(0.03, 5); }
Test(cache, forced_in_another_process_another_wins_beyond_the_margin) { is_forced(0.01, 4); }
Test(cache, a_rebuild_without_leave_to_tune_or_write_changes_nothing) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    setenv("AUTOTUNE_LOG", "winner", 1);
    mode = AUTOTUNE_REQUIRE;
    const seen s = run(program);
    cr_assert(known(s, 5) && contains(s.log, "known from an earlier run of another build\n"), "%s", s.log);
    cr_assert_eq(s.result.verdict, AUTOTUNE_UNRESOLVED); /* this build has compared nothing */
    mode = AUTOTUNE_ON;
    policy = AUTOTUNE_CACHE_READONLY;
    const seen read_only = run(program);
    cr_assert(known(read_only, 5), "else it would race at every start");
    cr_assert_eq(read_only.result.verdict, AUTOTUNE_UNRESOLVED);
    edit_records(cache_file, "\"program\":\"x", "\"program\":\""); /* the record is of this build again */
    cr_assert_eq(run(program).result.verdict, AUTOTUNE_SEPARATED);
}
Test(cache, a_space_that_grew_measures_what_is_new) {
    last_id = 5;
    best = 3;
    cr_assert(tuned(run(program), 3));
    last_id = 7;
    best = 7;
    const seen s = run(program);
    cr_assert(tuned(s, 7) && quiet(s));
    cr_assert_eq(launched_ids(s), 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7, "%x", (unsigned)launched_ids(s));
    cr_assert_eq(rows_of(last_line(cache_bytes())), 8u);
    cr_assert(known(run(program), 7));
}
Test(cache, a_space_that_grew_twice_knows_the_later_times) {
    best = 3;
    for (last_id = 5; last_id <= 7; last_id++) {
        const seen s = run(program);
        cr_assert(tuned(s, 3));
        cr_assert(last_id == 5 || launched_ids(s) == (1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << last_id), "%x",
                  (unsigned)launched_ids(s));
    }
}
Test(cache, after_a_rebuild_a_budget_of_trials_is_spent_anew) {
    max_trials = 4;
    const seen first = run(program);
    cr_assert(first.result.status == AUTOTUNE_OK && first.result.tried == 4);
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.result.tried == 4 && s.tried[first.id], "%x after %x",
              (unsigned)launched_ids(s), (unsigned)launched_ids(first));
    cr_assert_eq(rows_of(last_line(cache_bytes())), 4u, "times are of this build");
}
Test(cache, a_space_that_shrank_races_what_is_left) {
    cr_assert(tuned(run(program), 5));
    last_id = 4;
    const seen s = run(program);
    cr_assert(tuned(s, 4) && launched_ids(s) == (1 << 0 | 1 << 4), "%x", (unsigned)launched_ids(s));
}
Test(cache, another_version_s_times_do_not_count) {
    cr_assert(tuned(run(program), 5));
    version = "2";
    cr_assert_eq(launched_ids(run(program)), 0xFF);
}
Test(cache, times_of_another_compiler_do_not_count) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    edit_records(cache_file, "\"compiler\":\"", "\"compiler\":\"another ");
    cr_assert_eq(launched_ids(run(program)), 0xFF);
}
Test(cache, force_launches_all) {
    cr_assert(tuned(run(program), 5));
    mode = AUTOTUNE_FORCE;
    cr_assert_eq(launched_ids(run(program)), 0xFF);
}
Test(cache, where_all_that_is_known_to_be_good_fails_the_rest_is_raced) {
    cr_assert(tuned(run(program), 5));
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    broken = 1u << 0 | 1u << 4 | 1u << 5 | 1u << 6;
    const seen s = run(program);
    cr_assert(tuned(s, 3) || tuned(s, 7));
    cr_assert_eq(launched_ids(s), 0xFF);
}
/* Two calls in one function, with one key. Each has its own times, whichever call was raced last. */
static int which_calls = 3; /* bit 0: the first call is made; bit 1: the second */
static void call_other(int id, bool trial) {
    virtual_ns += launch_ns + slower_ns * (uint64_t)abs(id - best);
    now->trials += trial;
    now->status[id] += trial;
}
static void two_calls(void) {
    if (which_calls & 1)
        AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1)), 1, launch(id, autotune_trial), .name = "two calls", OPTIONS);
    if (which_calls & 2)
        AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1)), 1, call_other(id, autotune_trial), .name = "two calls", OPTIONS);
}
static int others_ids(seen s) { /* bit n: the other call tried configuration n */
    int ids = 0;
    for (int id = 0; id < IDS; id++) ids |= (s.status[id] > 0) << id;
    return ids;
}
Test(cache, after_a_rebuild_each_of_two_calls_is_raced) {
    run(two_calls);
    cr_assert_eq(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 2u);
    const seen s = run(two_calls);
    cr_assert(launched_ids(s) == 0xFF && others_ids(s) == 0xFF, "%x and %x", (unsigned)launched_ids(s),
              (unsigned)others_ids(s));
    cr_assert_eq(run(two_calls).trials, 0);
}
Test(cache, of_two_calls_whose_space_grew_each_measures_what_is_new) {
    const int fresh = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7;
    best = 3;
    last_id = 5;
    run(two_calls);
    last_id = 7;
    const seen s = run(two_calls);
    cr_assert(launched_ids(s) == fresh && others_ids(s) == fresh, "%x and %x", (unsigned)launched_ids(s),
              (unsigned)others_ids(s));
    cr_assert_eq(run(two_calls).trials, 0);
}
Test(cache, an_interrupted_race_is_resumed_after_that_of_another_call) {
    launch_ns = slower_ns = 300000000;
    best = 0;
    dies_after = 7;
    which_calls = 1;
    cr_assert_eq(run(two_calls).trials, 7);
    dies_after = 0;
    which_calls = 2;
    cr_assert_gt(run(two_calls).trials, 0);
    which_calls = 1;
    const seen s = run(two_calls);
    cr_assert(s.result.status == AUTOTUNE_OK && s.id == 0 && s.trials > 0);
    cr_assert_neq(launched_ids(s), 0xFF, "what was not within twice the best is left out");
    setenv("AUTOTUNE_MODE", "cached", 1); /* mode CACHED, since the race would go on: it had too little time */
    const seen cached = run(two_calls);
    cr_assert(cached.trials == 0 && cached.result.cache_hit && cached.id == 0);
}
/* A launch takes 0.3 s of the virtual clock. The race is written to disk every two seconds. */
Test(cache, an_interrupted_race_is_resumed) {
    launch_ns = slower_ns = 300000000;
    best = 0;
    dies_after = 7;
    const seen dead = run(program);
    cr_assert(dead.trials == 7 && dead.calls == 0);
    cr_assert(sound_lines(cache_bytes()) >= 1 && contains(cache_bytes().at, "\"unfinished\":true"));
    cr_assert(!contains(cache_bytes().at, "\"launches\":0"), "what was not launched yet has no row");
    dies_after = 0;
    mode = AUTOTUNE_REQUIRE;
    cr_assert_eq(run(program).result.status, AUTOTUNE_ERR_MISS, "it is no answer");
    mode = AUTOTUNE_ON;
    const seen s = run(program);
    cr_assert(tuned(s, 0));
    for (int id = 2, left_out = 0; id < IDS; id++) {
        left_out += s.tried[id] == 0;
        cr_assert(s.tried[id] <= 2, "what is not within twice the best was launched twice at most");
        cr_assert(id < IDS - 1 || left_out >= 3, "%d", left_out);
    }
    mode = AUTOTUNE_REQUIRE;
    cr_assert(known(run(program), 0));
}
/* The loser of an interrupted race is left out. The other configuration is not the only one of the space. */
Test(cache, an_interrupted_race_leaves_no_single_configuration) {
    launch_ns = 700000000;
    slower_ns = 2200000000;
    best = 0;
    last_id = 1;
    dies_after = 3;
    run(program);
    cr_assert(contains(cache_bytes().at, "\"unfinished\":true"));
    dies_after = 0;
    const seen s = run(program);
    cr_assert(tuned(s, 0) && s.result.space_size == 2 && s.result.verdict != AUTOTUNE_SINGLE, "%s", s.log);
    cr_assert(known(run(program), 0));
}
/* A space whose points are drawn at random. Points with an even sum are three times as slow. The first point is one of
   them. */
enum { DRAWN = 400 };
/* drawn[0]: the number of launches of all runs; then the points in the order of their first launch. Shared memory */
static int *drawn;
static void draw(int a, int b, bool trial) {
    virtual_ns += (a + b) % 2 ? 300000000 - (uint64_t)a : 900000000;
    now->calls += !trial;
    if (trial && drawn[0] < DRAWN) drawn[++drawn[0]] = 1000 * a + b;
    if (trial && dies_after && ++now->trials == dies_after) _exit(EXIT_SUCCESS);
}
static void of_a_sampled_space(void) {
    drawn[0] = 0;
    AUTOTUNE(SPACE(RANGE(a, 0, 19999, 1), RANGE(b, 0, 999, 1)), 1, draw(a, b, autotune_trial),
             .strategy = AUTOTUNE_RANDOM, .max_trials = 40, .max_seconds = 1000, .backend = virtual_backend(),
             .result = &now->result);
}
static int losers_of(const int *points, int count) {
    int losers = 0;
    for (int i = 1; i <= count; i++) losers += (points[i] / 1000 + points[i]) % 2 == 0;
    return losers;
}
/* returns how many points of `before` were launched again; lost: losers are counted, else winners */
static int again_of(const int *before, int count, int lost) {
    int again = 0;
    for (int i = 1; i <= count; i++)
        for (int j = 1; j <= drawn[0]; j++)
            if (before[i] && before[i] == drawn[j] && (before[i] / 1000 + before[i]) % 2 != lost) {
                again++;
                break;
            }
    return again;
}
Test(cache, an_interrupted_search_launches_no_loser_again) {
    int before[DRAWN + 1];
    drawn = shared_memory(sizeof before);
    dies_after = 30;
    run(of_a_sampled_space);
    memcpy(before, drawn, sizeof before);
    cr_assert(before[0] == 30 && losers_of(before, 20) > 3, "%d", losers_of(before, 20));
    dies_after = 0;
    const seen s = run(of_a_sampled_space);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 1);
    cr_assert_eq(before[1], 0);
    cr_assert_eq(again_of(before, 20, 1), 0, "what lost stays away, but for the first configuration");
    cr_assert_eq(drawn[1], 0);
    int best_before = 0, first = 1;
    for (int i = 1; i <= 20; i++)
        if ((before[i] / 1000 + before[i]) % 2 && before[i] > best_before) best_before = before[i];
    while (first < drawn[0] && !drawn[first]) first++;
    cr_assert_eq(drawn[first], best_before, "the best of before come first");
}
Test(cache, an_interrupted_race_takes_no_answer_away) {
    cr_assert(tuned(run(program), 5));
    launch_ns = slower_ns = 300000000;
    mode = AUTOTUNE_FORCE;
    dies_after = 7;
    run(program);
    cr_assert(contains(cache_bytes().at, "\"unfinished\":true"));
    dies_after = 0;
    mode = AUTOTUNE_ON;
    cr_assert(known(run(program), 5));
}

/* ---- Another process replaces the file that this process has read ------------------------------------------------ */

static int with_the_same_number;
static char others_file[300];
static void another_rewrites_it(void) { /* after this process has read the file */
    key = 1;
    program();
    mode = AUTOTUNE_REQUIRE;
    const bytes other = read_file(others_file);
    if (with_the_same_number)
        write_file(cache_file, other.at, other.count);
    else if (rename(others_file, cache_file) != 0)
        _exit(EXIT_FAILURE);
    for (key = 2; key <= 5; key++) {
        program(); /* a key that was in the old file is found in mode REQUIRE; a new key is found before a race */
        if (key == 3) mode = AUTOTUNE_ON;
    }
}
static void is_noticed(int same_number) {
    const bytes all = three_records();
    with_the_same_number = same_number;
    snprintf(others_file, sizeof others_file, "%s/other", cache_folder);
    /* The new file lacks the first record, and has two new records. It is longer than the old file. */
    cr_assert_eq(unlink(cache_file), 0);
    for (key = 4; key <= 5; key++) cr_assert(tuned(run(program), 5));
    const bytes more = cache_bytes();
    char *text = kept(all.count + more.count);
    const size_t first = line_at(all, 2);
    memcpy(text, all.at + first, all.count - first);
    memcpy(text + all.count - first, more.at, more.count);
    write_file(others_file, text, all.count - first + more.count);
    write_file(cache_file, all.at, all.count);
    const seen s = run(another_rewrites_it);
    cr_assert(s.trials == 0 && s.calls == 5 && s.result.cache_hit && quiet(s), "%d trials: %s", s.trials, s.log);
    cr_assert_eq(sound_lines(cache_bytes()), 4u);
}
Test(cache, a_file_that_another_process_replaced) { is_noticed(0); }
Test(cache, a_file_that_was_replaced_by_one_of_the_same_number) { is_noticed(1); }
/* The new file has the same inode number, length and last line. Another process wrote the same records in another
   order. */
static void another_swaps_its_lines(void) {
    const bytes all = cache_bytes();
    const size_t second = line_at(all, 2), third = line_at(all, 3);
    char *text = kept(all.count);
    memcpy(text, all.at + second, third - second);
    memcpy(text + third - second, all.at, second);
    memcpy(text + third, all.at + third, all.count - third);
    mode = AUTOTUNE_REQUIRE;
    key = 3;
    program();
    write_file(cache_file, text, all.count);
    for (key = 1; key <= 2; key++) program();
}
Test(cache, a_file_that_was_replaced_by_one_that_ends_alike) {
    three_records();
    const seen s = run(another_swaps_its_lines);
    cr_assert(s.trials == 0 && s.calls == 3 && quiet(s), "%d calls: %s", s.calls, s.log);
}

/* The new file also has one more record, of a key in the moved lines. Room is short, so this process then cuts out a
   whole line. */
static void another_swaps_lines_and_appends(void) {
    const bytes all = cache_bytes();
    const size_t eighth = line_at(all, 8), ninth = line_at(all, 9), tenth = line_at(all, 10);
    char *text = kept(all.count + ninth - eighth);
    memcpy(text, all.at, eighth);
    memcpy(text + eighth, all.at + ninth, tenth - ninth);
    memcpy(text + eighth + tenth - ninth, all.at + eighth, ninth - eighth);
    memcpy(text + tenth, all.at + tenth, all.count - tenth);
    memcpy(text + all.count, all.at + eighth, ninth - eighth);
    mode = AUTOTUNE_REQUIRE;
    key = 10;
    program();
    write_file(cache_file, text, all.count + ninth - eighth);
    mode = AUTOTUNE_ON;
    name = "another"; /* a tuner that looks for no seeds in the moved lines */
    program();
}
Test(cache, what_is_cut_out_of_a_file_that_was_replaced_is_lines) {
    static const int keys[] = {1, 2, 3, 4, 5, 6, 7, 8, 1 << 20, 10};
    char room[40];
    for (int i = 0; i < 10; i++) {
        key = keys[i];
        cr_assert(tuned(run(program), 5));
    }
    snprintf(room, sizeof room, "%.9f", 1.15 * (double)cache_bytes().count / 1048576);
    setenv("AUTOTUNE_CACHE_MIB", room, 1);
    cr_assert(quiet(run(another_swaps_lines_and_appends)));
    const bytes all = cache_bytes();
    cr_assert(sound_lines(all) == 11 && count_lines(all) == 11, "%zu of %zu", sound_lines(all), count_lines(all));
    mode = AUTOTUNE_REQUIRE;
    for (int i = 0; i < 10; i++) {
        key = keys[i];
        cr_assert(known(run(program), 5), "%d", key);
    }
}

/* A call finds a winner that was loaded after the key was missed. */
static void miss_then_load(void) {
    mode = AUTOTUNE_CACHED;
    program();
    program();
    now->status[0] = now->id;
    if (autotune_load(saved) != AUTOTUNE_OK) _exit(EXIT_FAILURE);
    program();
}
Test(cache, a_winner_that_is_loaded_after_misses_answers) {
    cr_assert(tuned(run(program), 5));
    const bytes all = cache_bytes();
    snprintf(saved, sizeof saved, "%s/saved.jsonl", cache_folder);
    write_file(saved, all.at, all.count);
    unlink(cache_file);
    const seen s = run(miss_then_load);
    cr_assert(s.status[0] == 0 && s.id == 5 && s.calls == 3 && s.trials == 0 && s.result.cache_hit, "%s", s.log);
}

/* A smaller budget left configurations out. They are raced when a statement has a larger budget. The configurations
   that were tried are not raced again. */
Test(cache, a_larger_budget_goes_on_with_what_a_smaller_one_left_out) {
    max_trials = 4;
    const seen first = run(program);
    cr_assert(first.result.status == AUTOTUNE_OK && first.result.tried == 4);
    cr_assert(contains(cache_bytes().at, "\"complete\":false") && contains(cache_bytes().at, "\"trials\":4"));
    cr_assert_eq(run(program).trials, 0, "the same budget");
    max_trials = 0;
    const seen s = run(program);
    cr_assert(tuned(s, 5) && (launched_ids(s) | launched_ids(first)) == 0xFF, "%x after %x",
              (unsigned)launched_ids(s), (unsigned)launched_ids(first));
    cr_assert(launched_ids(s) != 0xFF || first.result.tried != 4, "what lost is not launched again");
    cr_assert(contains(last_line(cache_bytes()), "\"complete\":true"));
    cr_assert(known(run(program), 5));
    max_trials = 4;
    cr_assert(known(run(program), 5), "a smaller budget is content with it");
}

/* A race that ran out of time goes on if a later run has more time. Only launches move the clock. */
static bool last_says(const char *what) { return contains(last_line(cache_bytes()), what); }
static seen slow_race(void) { /* there is time for some 36 of 100 first launches */
    last_id = 99;
    best = 60;
    launch_ns = 100000000;
    slower_ns = 100000;
    max_seconds = 4;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.result.tried > 20 && s.result.tried < 50, "%zu", s.result.tried);
    cr_assert(s.result.verdict != AUTOTUNE_SEPARATED && s.result.verdict != AUTOTUNE_TIE);
    cr_assert(last_says("\"complete\":false") && last_says("\"left_out\":\"time\""));
    return s;
}
/* The process was killed after all configurations were launched once. Those within twice the best time are launched
   again. */
Test(cache, of_a_race_that_was_broken_off_what_came_near_is_launched_again) {
    best = 0;
    launch_ns = 1000000000;
    slower_ns = 300000000;
    max_seconds = 100;
    dies_after = 16;
    run(program);
    dies_after = 0;
    cr_assert(last_says("\"unfinished\":true"));
    const seen s = run(program);
    cr_assert(s.id == 0 && s.tried[1] && s.tried[2] && s.tried[3], "%x", launched_ids(s));
    cr_assert_neq(launched_ids(s), 0xFFu, "what lost is not");
}
static size_t rows_of_last(void) {
    size_t rows = 0;
    for (const char *at = last_line(cache_bytes()); (at = strstr(at, "{\"config\":")) != NULL; at++) rows++;
    return rows;
}
/* Each run is interrupted after some 6 s. All times are within twice the best. So each run first launches untried
   configurations. No record is replaced by a record with fewer rows. At last the finalists get their time. */
static seen interrupted_again_and_again(int trials_of_a_run) {
    policy = AUTOTUNE_CACHE_OFF;
    dies_after = 0;
    const seen whole = run(program);
    cr_assert(whole.result.status == AUTOTUNE_OK && whole.trials > last_id, "%d", whole.trials);
    policy = AUTOTUNE_CACHE_ON;
    dies_after = trials_of_a_run;
    size_t rows = 0;
    int trials = 0;
    seen s;
    do {
        s = run(program);
        trials += s.trials;
        cr_assert(rows_of_last() >= rows, "%zu after %zu", rows_of_last(), rows);
        rows = rows_of_last();
    } while (!s.calls && trials < 9 * whole.trials);
    cr_assert(s.calls == 1 && trials <= 3 * whole.trials, "%d and %d", trials, whole.trials);
    cr_assert(abs(s.id - best) <= 2 && rows == (size_t)last_id + 1, "%d, %zu", s.id, rows);
    cr_assert_eq(run(program).trials, 0, "it is known");
    return s;
}
Test(cache, a_race_that_is_interrupted_again_and_again_ends) {
    last_id = 399;
    best = 200;
    launch_ns = 20000000;
    slower_ns = 90000;
    interrupted_again_and_again(200);
    cr_assert(last_says("\"complete\":true"));
}
Test(cache, a_race_that_is_interrupted_while_finalists_are_compared_ends) {
    last_id = 39;
    best = 20;
    launch_ns = 500000000;
    slower_ns = 5000000;
    noise_ns = 10000000;
    max_seconds = 60;
    interrupted_again_and_again(12);
}
Test(cache, a_race_is_written_every_two_seconds_and_at_its_end) {
    launch_ns = 100000000;
    slower_ns = 1000;
    noise_ns = 20000000;
    max_seconds = 6;
    const seen s = run(program);
    const size_t lines = sound_lines(cache_bytes());
    cr_assert(s.result.seconds > 5 && lines >= 3 && (double)lines <= 1 + s.result.seconds / 2, "%zu in %g s", lines,
              s.result.seconds);
}
Test(cache, what_time_cut_short_goes_on_where_more_time_is_asked_for) {
    const seen first = slow_race();
    const size_t rows = rows_of_last();
    double again = 0;
    for (int i = 0; i < 3; i++) again += run(program).result.seconds; /* the finalists are duelled again */
    seen s = run(program);
    cr_assert(s.trials == 0 && s.result.cache_hit && rows_of_last() == rows, "it answers");
    cr_assert(again < .3 * first.result.seconds + .75, "%g s", again);
    cr_assert(last_says("\"left_out\":\"time\""), "the duels keep it");
    max_seconds = 12;
    s = run(program);
    cr_assert(s.trials > 0 && s.result.seconds <= 12.25 && rows_of_last() > rows + 15, "%zu rows", rows_of_last());
}
Test(cache, what_time_cut_short_ends_when_all_is_tried) {
    slow_race();
    launch_ns = slower_ns = 10000; /* the machine is idle now, so launches take less */
    max_seconds = 5;
    const seen s = run(program);
    cr_assert(s.trials > 0 && s.result.status == AUTOTUNE_OK && rows_of_last() == 100);
    cr_assert(last_says("\"complete\":true") && !last_says("left_out") && s.id == 60);
    cr_assert(known(run(program), 60));
}
Test(cache, what_time_cut_short_goes_on_only_with_leave_to_tune) {
    slow_race();
    max_seconds = 40;
    mode = AUTOTUNE_CACHED;
    cr_assert_eq(run(program).trials, 0);
    mode = AUTOTUNE_ON;
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert_eq(run(program).trials, 0);
}
Test(cache, what_time_cut_short_has_all_the_time_that_is_asked_for_later) {
    slow_race();
    max_seconds = 40;
    const seen s = run(program);
    cr_assert(s.result.tried > 60 && s.result.seconds > 6, "%zu tried in %g s", s.result.tried, s.result.seconds);
    cr_assert(rows_of_last() == 100, "all are tried");
}
Test(cache, a_budget_of_trials_does_not_go_on) {
    max_trials = 4;
    run(program);
    cr_assert(last_says("\"left_out\":\"trials\""));
    const size_t rows = rows_of_last();
    run(program);
    cr_assert(last_says("\"left_out\":\"trials\"") && rows_of_last() == rows);
}

/* ---- Another process races the key ----------------------------------------------------------------------------------
 */

static void give_up_waiting(void) {
    max_seconds = 0.05;
    program();
    now->again[0] = now->calls;
    max_seconds = 1000;
    program();
}
/* Starts another process, which stops in its first trial, or after its call. */
static pid_t start_another(bool in_trial) {
    static seen unseen;
    int says_so[2];
    char byte;
    cr_assert_eq(pipe(says_so), 0);
    const pid_t other = fork();
    cr_assert(other >= 0);
    if (other == 0) {
        alarm(600);
        now = &unseen;
        if (in_trial) stops_at = says_so[1];
        program();
        if (write(says_so[1], "", 1) == 1) pause();
        _exit(EXIT_FAILURE);
    }
    cr_assert_eq(read(says_so[0], &byte, 1), 1);
    return other;
}
Test(cache, a_process_that_has_raced_the_key_leaves_it_to_others) {
    const pid_t other = start_another(false);
    mode = AUTOTUNE_FORCE;
    const seen s = run(program);
    kill(other, SIGKILL);
    cr_assert_eq(waitpid(other, NULL, 0), other);
    cr_assert(tuned(s, 5) && quiet(s), "%s", s.log);
}
/* A lock ends with its process. A child of this process does not keep the lock. */
Test(cache, a_process_that_was_killed_leaves_the_key_although_a_child_of_its_lives) {
    struct timespec began, ended;
    pid_t *const left = shared_memory(sizeof *left);
    static seen unseen;
    int status = 0;
    max_seconds = 1000; /* so long, that a call would wait a minute for a process that races */
    const pid_t other = fork();
    cr_assert(other >= 0);
    if (other == 0) {
        now = &unseen;
        orphan = left;
        program();
        _exit(EXIT_FAILURE);
    }
    cr_assert(waitpid(other, &status, 0) == other && WIFSIGNALED(status) && *left > 0 && kill(*left, 0) == 0);
    clock_gettime(CLOCK_MONOTONIC, &began);
    const seen s = run(program);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    cr_assert_eq(kill(*left, SIGKILL), 0);
    cr_assert(tuned(s, 5) && !contains(s.log, "another process"), "%s", s.log);
    cr_assert(ended.tv_sec - began.tv_sec < 30, "it was not waited for");
}
/* Another process tunes the key in mode ONLINE. This process does not race the key meanwhile, since such a race would
   have no launch notes. */
static pid_t online;
static void call_beside_and_after(void) {
    max_seconds = 1000; /* so long, that a call would wait a minute for a process that races */
    alarm(30);
    for (int i = 0; i < 2; i++) program();
    alarm(600);
    now->again[0] = now->trials;
    kill(online, SIGKILL);
    for (int tries = 0; tries < 1000 && !now->trials; tries++) { /* the lock of a process ends with it */
        usleep(10000);
        program();
    }
}
Test(online, a_process_that_tunes_the_key_over_its_calls_is_not_waited_for) {
    mode = AUTOTUNE_ONLINE;
    online = start_another(false);
    mode = AUTOTUNE_ON;
    const seen s = run(call_beside_and_after);
    kill(online, SIGKILL);
    cr_assert_eq(waitpid(online, NULL, 0), online);
    cr_assert(s.again[0] == 0 && s.trials > 0 && s.id == 5, "%s", s.log);
    cr_assert(contains(s.log, "another process tunes this key in mode AUTOTUNE_ONLINE, by its own calls"), "%s", s.log);
    cr_assert_eq(s.errors, 1u, "it is said once");
    mode = AUTOTUNE_REQUIRE;
    cr_assert_eq(run(program).result.status, AUTOTUNE_OK, "the next process knows");
}
Test(cache, a_process_that_does_not_come_to_an_end_is_waited_for_once) {
    struct timespec began, ended;
    const pid_t other = start_another(true);
    clock_gettime(CLOCK_MONOTONIC, &began);
    const seen s = run(give_up_waiting);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    kill(other, SIGKILL);
    cr_assert_eq(waitpid(other, NULL, 0), other);
    cr_assert(s.result.status == AUTOTUNE_OK && s.trials == 0 && s.again[0] == 1 && s.calls == 2 && s.id == 0);
    cr_assert(contains(s.log, "another process has been tuning this key for too long"), "%s",
              s.log);
    cr_assert_eq(s.errors, 1u, "it is said once");
    cr_assert(ended.tv_sec - began.tv_sec < 60, "the second call did not wait");
}

/* ---- Winners that are not sure -----------------------------------------------------------------------------------
 */

/* Neighbouring configurations differ by less than the noise, so the duel ends without a decision. */
static void make_unsure(void) {
    last_id = 63;
    launch_ns = 1000000;
    slower_ns = 500;
    noise_ns = 100000;
    far_ns = 20000000; /* so the race takes long, and a tenth of it is enough for a duel */
    setenv("AUTOTUNE_SEED", "1", 1); /* with so much noise, the order of rounds decides which finalists tie */
}
static void make_clear(void) {
    slower_ns = 20000;
    noise_ns = 0;
}
static void make_coarse(void) { /* a coarse clock: many rounds end in a tie */
    noise_ns = 60000;
    step_ns = 60000;
}
static seen unresolved_race(void) {
    make_unsure();
    const seen s = run(program);
    cr_assert(s.result.verdict == AUTOTUNE_UNRESOLVED && s.result.tried == 64 && quiet(s), "%s", s.log);
    return s;
}
static size_t duels(void) {
    const char *at = strstr(last_line(cache_bytes()), ",\"duels\":");
    return at ? (size_t)atoi(at + 9) : 0;
}
static bool duelled_again(seen s, seen race) { /* two to eight finalists were launched, in a tenth of the race's time */
    return s.result.status == AUTOTUNE_OK && !s.result.cache_hit && s.trials > 0 && s.calls == 1 && s.sum == 3 &&
           s.result.tried >= 2 && s.result.tried <= 8 && s.result.space_size == race.result.space_size &&
           s.result.seconds <= 0.1 * race.result.seconds + 3e-3;
}
Test(unsure, an_unresolved_winner_is_duelled_again_until_it_is_sure) {
    const seen race = unresolved_race();
    make_clear();
    best = race.id;
    setenv("AUTOTUNE_LOG", "winner", 1);
    const seen s = run(program);
    unsetenv("AUTOTUNE_LOG");
    cr_assert(duelled_again(s, race), "%s", s.log);
    cr_assert(contains(s.log, "best of an earlier run compared again, ") && !contains(s.log, " tried"), "%s", s.log);
    cr_assert(s.id == race.id && s.result.verdict == AUTOTUNE_SEPARATED, "%s", last_line(cache_bytes()));
    cr_assert(fabs(s.result.default_ns / s.result.median_ns - race.result.default_ns / race.result.median_ns) < 1e-3,
              "it was not launched again, and %g ns were %g", s.result.default_ns, race.result.default_ns);
    cr_assert(fabs(s.result.slowest_ns - race.result.slowest_ns) < 0.1, "that of the race, too");
    cr_assert_eq(rows_of(last_line(cache_bytes())), 64u, "what was not launched again is handed on");
    cr_assert_eq(duels(), 1u);
    const seen third = run(program);
    cr_assert(known(third, race.id) && third.result.verdict == AUTOTUNE_SEPARATED);
}
/* The lowest finalist is not the first configuration, which takes six times as long as the winner. */
Test(unsure, a_first_configuration_that_is_no_finalist_keeps_its_speed) {
    first_ns = 5000000;
    const seen race = unresolved_race();
    const double times = race.result.default_ns / race.result.median_ns;
    cr_assert(times > 4 && times < 8, "%g", times);
    make_clear();
    slower_ns = 3000;
    best = race.id;
    const seen s = run(program);
    cr_assert(duelled_again(s, race), "%s", s.log);
    cr_assert(fabs(s.result.default_ns / s.result.median_ns - times) < 0.1, "%g ns are %g", s.result.default_ns,
              s.result.median_ns);
}
/* Older records have the evidence of a duel, which speaks against the winner here. It is ignored. */
Test(unsure, what_an_older_record_says_of_its_duel_is_ignored) {
    const seen race = unresolved_race();
    cr_assert(!last_says("\"duel\":{"), "nothing of the samples is handed on");
    cr_assert(edit_records(cache_file, "\"stage\":\"winner\"",
                           "\"stage\":\"winner\",\"duel\":{\"rounds\":9999,\"relative\":9,\"slower\":{}}"));
    make_clear();
    best = race.id;
    const seen s = run(program);
    cr_assert(duelled_again(s, race) && quiet(s), "%s", s.log);
    cr_assert(s.id == race.id && s.result.verdict == AUTOTUNE_SEPARATED, "%s", last_line(cache_bytes()));
}
Test(unsure, another_finalist_may_win_the_duel) {
    (void)unresolved_race();
    const char *second = strstr(last_line(cache_bytes()), "\"runner_up\":{\"id\":");
    cr_assert(second);
    make_clear();
    best = atoi(second + strlen("\"runner_up\":{\"id\":"));
    for (int i = 0; i < 3; i++) cr_assert(run(program).calls == 1);
    cr_assert(known(run(program), best));
}
/* Else the record would have times of both programs. */
Test(unsure, the_finalists_of_another_program_are_not_duelled_again) {
    const seen race = unresolved_race();
    list_this_program();
    const seen s = run(program);
    cr_assert(s.result.cache_hit && s.trials == 0 && s.id == race.id, "%s", s.log);
    edit_records(cache_file, "\"program\":\"x", "\"program\":\"");
    cr_assert(duelled_again(run(program), race), "these are its own");
}
Test(unsure, a_winner_is_duelled_again_in_three_runs_at_most) {
    const seen race = unresolved_race();
    for (size_t i = 1; i <= 3; i++) {
        dice += i;
        const seen s = run(program);
        cr_assert(duelled_again(s, race), "%zu: %s", i, s.log);
        cr_assert_eq(duels(), i);
        if (s.result.verdict != AUTOTUNE_UNRESOLVED) return;
    }
    const seen s = run(program);
    cr_assert(s.result.cache_hit && s.trials == 0 && s.result.verdict == AUTOTUNE_UNRESOLVED && quiet(s));
}
static void program_twice(void) {
    program();
    if (autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) != AUTOTUNE_OK) _exit(EXIT_FAILURE);
    now->again[0] = now->trials;
    program();
}
Test(unsure, a_fast_result_does_not_answer_a_thorough_run) {
    setenv("AUTOTUNE_PRESET", "fast", 1);
    unresolved_race();
    cr_assert(contains(last_line(cache_bytes()), "\"rounds\":16"));
    setenv("AUTOTUNE_PRESET", "thorough", 1);
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && !s.result.cache_hit && s.trials > 0, "%s", s.log);
    cr_assert(contains(last_line(cache_bytes()), "\"rounds\":200") && duels() == 0, "a race, and no duel of a tenth");
}
Test(unsure, a_winner_is_duelled_again_once_in_a_process) {
    const seen race = unresolved_race();
    const seen s = run(program_twice);
    cr_assert(s.again[0] > 0 && s.trials == s.again[0] && s.result.cache_hit, "%d, %d", s.again[0], s.trials);
    cr_assert_eq(s.result.space_size, race.result.space_size);
}
Test(unsure, a_winner_answers_as_it_is_where_nothing_may_be_raced_or_written) {
    const seen race = unresolved_race();
    mode = AUTOTUNE_CACHED;
    cr_assert(known(run(program), race.id));
    mode = AUTOTUNE_REQUIRE;
    cr_assert(known(run(program), race.id));
    mode = AUTOTUNE_ON;
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert(known(run(program), race.id));
    cr_assert_eq(count_lines(cache_bytes()), 1u);
}
/* Another finalist is faster now. The winner is slower by more than the boundary. But the clock is coarse, so the
   result is in doubt. */
Test(unsure, rounds_in_doubt_choose_no_other_winner) {
    const seen race = unresolved_race();
    const char *const rival = strstr(last_line(cache_bytes()), "\"runner_up\":{\"id\":");
    make_clear();
    best = atoi(rival + strlen("\"runner_up\":{\"id\":"));
    make_coarse();
    const seen s = run(program);
    cr_assert(duelled_again(s, race), "%s", s.log);
    cr_assert(s.id == race.id && s.result.verdict == AUTOTUNE_UNRELIABLE && s.result.doubt, "%s", s.log);
    cr_assert(duels() == 1 && last_says("\"verdict\":\"unreliable\""), "each run has its own verdict");
    cr_assert_eq(rows_of(last_line(cache_bytes())), 64u, "what was not launched again is handed on");
    const seen second = run(program);
    cr_assert(duelled_again(second, race) && duels() == 2, "%.1000s", last_line(cache_bytes()));
}
/* The winner takes several times as long now, so there is time for few rounds only. */
Test(unsure, few_rounds_make_no_winner_sure) {
    const seen race = unresolved_race();
    const char *const second = strstr(last_line(cache_bytes()), "\"runner_up\":{\"id\":");
    make_clear();
    slower_ns = 8000000;
    best = atoi(second + strlen("\"runner_up\":{\"id\":"));
    const seen s = run(program);
    cr_assert(s.id == race.id && s.result.verdict == AUTOTUNE_UNRESOLVED, "%d, %s", s.id, last_line(cache_bytes()));
    cr_assert(s.result.runner_up_ns < s.result.median_ns, "%s", last_line(cache_bytes()));
    cr_assert(duels() == 1 && last_says("\"verdict\":\"unresolved\""));
}
Test(unsure, and_what_its_race_was_allowed_stays) {
    const seen race = unresolved_race();
    dice++;
    cr_assert(duelled_again(run(program), race) && duels() == 1 && last_says("\"budget\":{"));
    make_coarse();
    run(program);
    cr_assert(duels() == 2 && last_says("\"budget\":{"), "%.1000s", last_line(cache_bytes()));
}
Test(unsure, an_unreliable_winner_is_duelled_again) {
    make_unsure();
    make_coarse();
    const seen race = run(program);
    cr_assert(race.result.verdict == AUTOTUNE_UNRELIABLE, "%s", race.log);
    step_ns = 0;
    make_clear();
    best = race.id;
    const seen s = run(program);
    cr_assert(s.trials > 0 && s.trials < 100 && s.id == race.id && s.result.verdict == AUTOTUNE_SEPARATED, "%s",
              last_line(cache_bytes()));
    cr_assert(known(run(program), race.id));
}
/* While another thread races on the device, a call gets the known winner at once. The other thread computes until this
   call has its winner, so a call that waited would wait for long. */
static bool racing, answered;
static autotune_status launch_until_answered(bool trial) {
    struct timespec began, looked;
    virtual_ns += 1000000;
    if (!trial || __atomic_exchange_n(&racing, true, __ATOMIC_ACQ_REL)) return AUTOTUNE_OK;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do clock_gettime(CLOCK_MONOTONIC, &looked);
    while (!__atomic_load_n(&answered, __ATOMIC_ACQUIRE) && looked.tv_sec - began.tv_sec < 60);
    now->again[0] = !__atomic_load_n(&answered, __ATOMIC_ACQUIRE);
    return AUTOTUNE_OK;
}
static void *race_until_answered(void *unused) {
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, ((void)id, launch_until_answered(autotune_trial)), .name = "another",
             .cache = AUTOTUNE_CACHE_OFF, .backend = virtual_backend());
    return unused;
}
static void program_beside_a_race(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, race_until_answered, NULL) != 0) abort();
    while (!__atomic_load_n(&racing, __ATOMIC_ACQUIRE)) sched_yield();
    program();
    __atomic_store_n(&answered, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
}
Test(unsure, a_winner_answers_as_it_is_while_another_thread_races) {
    const seen race = unresolved_race();
    const seen s = run(program_beside_a_race);
    cr_assert(known(s, race.id) && quiet(s), "%s", s.log);
    cr_assert_eq(s.again[0], 0, "it did not wait");
}
/* A winner that reached .stop_at_ns is good enough, and so is a winner without a rival. Neither is duelled again. */
Test(unsure, a_winner_that_earlier_runs_cannot_help_answers_at_once) {
    const seen race = unresolved_race();
    stop_at_ns = 2 * race.result.median_ns;
    cr_assert(known(run(program), race.id));
    stop_at_ns = 0;
    edit_records(cache_file, "\"stage\":\"duel\"", "\"stage\":\"halving\"");
    while (edit_records(cache_file, "\"stage\":\"duel\"", "\"stage\":\"halving\"")) {}
    cr_assert(known(run(program), race.id));
}

/* ---- Compaction -----------------------------------------------------------------------------------------------------
 */

/* If there is little room, the oldest records are deleted. The newest record stays even if it alone is too large. */
static int first_key, last_key;
static void tune_keys(void) {
    for (key = first_key; key <= last_key; key++) program();
}
Test(cache, the_oldest_go_when_there_are_too_many) {
    const size_t room = 100 * 1024;
    setenv("AUTOTUNE_CACHE_MIB", "0.09765625", 1);
    size_t most = 0;
    for (first_key = 1; first_key <= 201; first_key += 20) {
        last_key = first_key + 19;
        run(tune_keys);
        if (cache_bytes().count > most) most = cache_bytes().count;
    }
    cr_assert(most > room / 2 && most <= room, "%zu", most);
    const bytes all = cache_bytes();
    cr_assert(sound_lines(all) == count_lines(all) && sound_lines(all) < 200);
    mode = AUTOTUNE_CACHED;
    for (key = 200; key >= 180; key--) cr_assert(known(run(program), 5), "%d", key);
    key = 1;
    cr_assert(untuned(run(program)));
}
/* Before records are deleted, the oldest records lose their launch tables. Their winners stay. */
static size_t tables(bytes all) {
    size_t count = 0;
    for (const char *at = all.at; (at = strstr(at, ",\"configurations\":[")) != NULL; at++) count++;
    return count;
}
static const char *first_line(bytes all) {
    const size_t length = line_at(all, 2);
    return memcpy(kept(length + 1), all.at, length);
}
static size_t times_told(const seen *s, const char *what) {
    size_t count = 0;
    for (const char *at = s->log; (at = strstr(at, what)) != NULL; at++) count++;
    return count;
}
static const char tables_went[] = "the oldest records lost their tables of configurations, and their winners stay",
                  records_went[] = "the oldest records were removed, and their keys are tuned again";
static seen fill(int from_key, const char *room) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    setenv("AUTOTUNE_CACHE_MIB", room, 1);
    first_key = from_key;
    last_key = 40;
    return run(tune_keys);
}
static void fill_the_cache(int from_key) {
    const seen s = fill(from_key, "0.06");
    cr_assert(times_told(&s, tables_went) == 1 && times_told(&s, records_went) == 0, "%s", s.log);
}
Test(cache, what_went_for_want_of_room_is_told_once) {
    const seen s = fill(1, "0.02");
    cr_assert(times_told(&s, tables_went) == 1 && times_told(&s, records_went) == 1, "%s", s.log);
}
Test(cache, tables_of_configurations_go_before_winners) {
    fill_the_cache(1);
    const bytes all = cache_bytes();
    cr_assert(all.count <= 62914 && count_lines(all) == 40 && sound_lines(all) == 40, "%zu", all.count);
    cr_assert(tables(all) > 0 && tables(all) < 40 && contains(last_line(all), ",\"configurations\":["));
    cr_assert(!contains(first_line(all), "\"configurations\""), "the oldest lost its table");
    for (int run_again = 0; run_again < 2; run_again++)
        for (key = 1; key <= 40; key++) cr_assert(known(run(program), 5), "%d", key);
    cr_assert_eq(cache_bytes().count, all.count, "what is known writes nothing");
}
Test(cache, a_record_without_its_table_is_raced_whole_by_another_build) {
    fill_the_cache(1);
    edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    key = 1;
    best = 3;
    const seen s = run(program);
    cr_assert(tuned(s, 3) && launched_ids(s) == 0xFF, "%x", launched_ids(s));
    cr_assert(known(run(program), 3));
}
/* A damaged line must not get a new checksum, since this would make it sound. */
Test(cache, a_damaged_line_is_not_made_sound) {
    key = 1;
    cr_assert(tuned(run(program), 5));
    bytes all = cache_bytes();
    char *digit = strstr(all.at, "\"median_ns\":1");
    digit[12] = '2';
    write_file(cache_file, all.at, all.count);
    fill_the_cache(2);
    all = cache_bytes();
    cr_assert(tables(all) < 40 && contains(first_line(all), "\"configurations\""));
    cr_assert_eq(sound_lines(all) + 1, count_lines(all));
}
Test(cache, the_newest_stays_whatever_room_there_is) {
    setenv("AUTOTUNE_CACHE_MIB", "0.0001", 1);
    for (key = 1; key <= 3; key++) {
        cr_assert(tuned(run(program), 5));
        cr_assert(known(run(program), 5));
        cr_assert(sound_lines(cache_bytes()) == 1 && count_lines(cache_bytes()) == 1);
    }
    setenv("AUTOTUNE_CACHE_MIB", "0", 1);
    const seen s = run(program);
    cr_assert(s.errors == 1 && contains(s.log, "AUTOTUNE_CACHE_MIB=0 is out of range"), "%s", s.log);
}
/* A line with a million open brackets, which is the most that a line may have. A reader whose time grows with the
   square of this number would take minutes. The library does not know the member, and the record gives its winner. */
Test(cache, a_line_of_a_million_brackets_is_read) {
    enum { DEPTH = 1000000 };
    static const char member[] = ",\"deep\":";
    cr_assert(tuned(run(program), 5));
    const bytes all = cache_bytes();
    char *text = kept(all.count + sizeof member + 2 * DEPTH);
    size_t count = all.count - 19;
    memcpy(text, all.at, count);
    memcpy(text + count, member, sizeof member - 1);
    count += sizeof member - 1;
    memset(text + count, '[', DEPTH);
    memset(text + count + DEPTH, ']', DEPTH);
    const bytes line = with_crc(text, count + 2 * DEPTH);
    write_file(cache_file, line.at, line.count);
    cr_assert(known(run(program), 5));
}
/* A record as it was written in November 2026. Only the members that name the statement, its build and its device are
   those of this program. */
Test(cache, a_record_of_then_answers) {
    static const char result[] =
        "\"winner\":{\"id\":3},\"median_ns\":100022.5,\"verdict\":\"separated\",\"min_ns\":100003.0,"
        "\"runner_up\":{\"id\":4},\"runner_up_ns\":110024.0,\"lead\":0.0999,\"lead_low\":0.09986,"
        "\"lead_high\":0.1007,\"doubt\":null,\"note\":null,\"default_ns\":150040.3,"
        "\"slowest_ns\":150040.3,\"space_size\":8,\"tried\":8,\"failed\":1,\"complete\":true,\"launches\":94,"
        "\"seconds\":0.010464888,\"budget\":{\"trials\":0,\"top_k\":0,\"rounds\":60,\"screen_seconds\":20},";
    static const char rows[] =
        "\"configurations\":[{\"config\":{\"id\":3},\"stage\":\"winner\",\"state\":\"ok\",\"launches\":40,"
        "\"trial\":6,\"min_ns\":100003.0,\"median_ns\":100022.5},{\"config\":{\"id\":4},\"stage\":\"duel\","
        "\"state\":\"slow\",\"launches\":28,\"trial\":3,\"min_ns\":110002.0,\"median_ns\":110024.0},"
        "{\"config\":{\"id\":0},\"stage\":\"screen\",\"state\":\"failed\",\"launches\":1,\"trial\":1,"
        "\"min_ns\":null,\"median_ns\":null,\"reason\":\"the \\\"first\\\" \\udc80 {[\"}]";
    cr_assert(tuned(run(program), 5));
    const bytes all = cache_bytes();
    const char *winner = strstr(all.at, "\"winner\":"), *build = strstr(all.at, "\"version\":"),
               *configurations = strstr(all.at, "\"configurations\":");
    cr_assert(winner && build && configurations);
    char *text = kept(all.count + sizeof result + sizeof rows);
    const int count = sprintf(text, "%.*s%s%.*s%s", (int)(winner - all.at), all.at, result,
                              (int)(configurations - build), build, rows);
    const bytes line = with_crc(text, (size_t)count);
    write_file(cache_file, line.at, line.count);
    const seen s = run(program);
    cr_assert(known(s, 3), "%s", s.log);
    cr_assert(s.result.verdict == AUTOTUNE_SEPARATED && s.result.lead > 0.0998 && s.result.lead < 0.1 &&
              s.result.default_ns > 150040 && s.result.space_size == 8);
}
Test(cache, a_record_without_the_size_of_this_space_refused_nothing) {
    static const char *const told[] = {"\"space_size\":8,", "\"space_size\":9,", "\"space_size\":0,"};
    cr_assert(tuned(run(program), 5));
    for (int i = 1; i < 3; i++) {
        cr_assert_eq(edit_records(cache_file, told[i - 1], told[i]), 1u);
        const seen s = run(program);
        cr_assert(known(s, 5) && s.result.refused == 0, "%zu", s.result.refused);
    }
}
Test(cache, the_file_is_rewritten_once_half_of_it_is_dead) {
    static const char note[] = "a line of mine\n";
    size_t largest = 0;
    key = 99;
    cr_assert(tuned(run(program), 5));
    const int file = open(cache_file, O_WRONLY | O_APPEND);
    cr_assert(write(file, note, sizeof note - 1) == (ssize_t)sizeof note - 1 && close(file) == 0);
    for (int i = 0; i < 20; i++) {
        const seen s = run(force_ten_keys);
        const bytes all = cache_bytes();
        cr_assert(s.errors == 1, "about that line: %s", s.log);
        if (all.count > largest) largest = all.count;
        cr_assert_eq(count_lines(all), sound_lines(all) + 1);
    }
    const bytes all = cache_bytes();
    cr_assert(largest > 40000 && largest < 90000, "%lu", (unsigned long)largest);
    cr_assert(contains(all.at, note), "what cannot be read stays");
    mode = AUTOTUNE_REQUIRE;
    key = 99;
    const seen s = run(program);
    cr_assert(s.result.cache_hit && s.id == 5, "a record that nobody touched stays");
    for (key = 1; key <= 10; key++) cr_assert(run(program).result.cache_hit);
}
/* Many statements in one function, with the same key. */
enum { STATEMENTS = 12 };
#define STATEMENT(n) \
    AUTOTUNE(SPACE(AXIS(id, 1, 2, 3)), 1, charge(id == n % 3 + 1, autotune_trial), .name = "many", OPTIONS);
static void many_statements(void) {
    STATEMENT(1) STATEMENT(2) STATEMENT(3) STATEMENT(4) STATEMENT(5) STATEMENT(6) STATEMENT(7) STATEMENT(8)
    STATEMENT(9) STATEMENT(10) STATEMENT(11) STATEMENT(12)
}
Test(cache, every_statement_of_a_function_is_remembered) {
    const seen first = run(many_statements), second = run(many_statements);
    cr_assert(first.trials > 0 && first.calls == STATEMENTS && quiet(first), "%s", first.log);
    cr_assert(second.trials == 0 && second.calls == STATEMENTS, "%d trials", second.trials);
}
/* Each race has another text of the statement, and another program. */
Test(cache, every_text_of_a_statement_is_remembered) {
    static char text[20];
    version = text;
    for (int i = 0; i < STATEMENTS; i++) {
        snprintf(text, sizeof text, "%d", i);
        cr_assert(tuned(run(program), 5));
        edit_records(cache_file, "\"program\":\"", "\"program\":\"x");
    }
    mode = AUTOTUNE_REQUIRE;
    for (int i = 0; i < STATEMENTS; i++) {
        snprintf(text, sizeof text, "%d", i);
        cr_assert(known(run(program), 5), "version %d", i);
    }
}
