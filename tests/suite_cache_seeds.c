/* suite_cache_seeds.c - a race begins with the ten best configurations of the tuner's nearest other key, from this
   process or from records on disk. A race on a device without records begins with the best configurations of another
   device. An earlier run of a program is a child process here; the test itself never tunes. Allocations fail if a test
   asks for it. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "opened.h"
#include "virtual_clock.h"
#include "cache_file.h"
#include "sanitized.h"

#include <criterion/criterion.h>

/* ---- Runs of a program. The time is a bowl over three axes, with its optimum at (at, at, at) --------------------- */

enum { FIRST = 16, MILLISECOND = 1000000 };
typedef struct point {
    int a, b, c;
} point;
typedef struct seen {
    autotune_result result;
    /* first: the points in the order of their first trial; winner: the point of the call for real */
    point first[FIRST], winner;
    size_t tried, calls, errors;
    bool failed; /* an allocation failed */
    char log[4096];
} seen;
static seen *now; /* the figures of the run in this process */

static int at = 12, least, last = 19; /* the optimum, the least and the last value on each axis */
static int key = 1;
static const char *kind = "f32";
static const char *version;
static uint64_t trials = 60;
static int broken = -1; /* a configuration fails unless one of its values is above this one */
static bool in_order;   /* the space has so few configurations that all are launched, without a search */
static const char *device = "device one";
static autotune_mode mode;
static autotune_cache policy;

static double cost(point p) {
    return 1 + ((p.a - at) * (p.a - at) + (p.b - at) * (p.b - at) + (p.c - at) * (p.c - at)) / 50.0;
}
static autotune_status launch(bool trial, int a, int b, int c) {
    const point p = {a, b, c};
    virtual_ns += (uint64_t)(MILLISECOND * cost(p));
    if (!trial) now->calls++, now->winner = p;
    const autotune_status status = a > broken || b > broken || c > broken ? AUTOTUNE_OK : AUTOTUNE_FAILED;
    if (!trial || now->tried == FIRST) return status;
    for (size_t i = 0; i < now->tried; i++)
        if (!memcmp(&now->first[i], &p, sizeof p)) return status;
    now->first[now->tried++] = p;
    return status;
}
static autotune_backend *backend(void) {
    virtual_backend()->device = device;
    return virtual_backend();
}
static autotune_status line(bool trial, int a) { return launch(trial, a, a, a); }
static void program(void) {
    now->tried = 0;
    if (in_order)
        AUTOTUNE(SPACE(RANGE(a, 0, 19, 1)), 1, line(autotune_trial, a), .key = KEY(key), .name = "line",
                 .max_trials = trials, .seed = 3, .backend = backend(), .result = &now->result);
    else
        AUTOTUNE(SPACE(RANGE(a, least, last, 1), RANGE(b, least, last, 1), RANGE(c, least, last, 1)), 1,
                 launch(autotune_trial, a, b, c), .key = KEY(key, kind), .name = "bowl", .version = version,
                 .mode = mode, .cache = policy, .strategy = AUTOTUNE_SURROGATE, .max_trials = trials,
                 .backend = backend(), .result = &now->result);
}
static seen run(void (*what)(void)) {
    seen *shared = (seen *)shared_memory(sizeof *shared), all;
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        now = shared;
        autotune_set_log(keep_line, NULL);
        what();
        snprintf(now->log, sizeof now->log, "%.4000s", logged);
        now->errors = logged_lines[AUTOTUNE_LOG_ERRORS];
        now->failed = allocator.failed;
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS,
              "status %x", (unsigned)status);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
/* Races this key in a new process, with this optimum. */
static seen race(int this_key, int optimum) {
    key = this_key;
    at = optimum;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 1 && s.result.tried == trials && s.errors == 0, "%s", s.log);
    return s;
}
/* Returns how many of the eleven points that were tried first are near (there, there, there). Hardly one of
   eleven random points is near. */
static int seeds_at(seen s, int there) {
    int close = 0;
    for (int i = 0; i < 11; i++)
        close += abs(s.first[i].a - there) + abs(s.first[i].b - there) + abs(s.first[i].c - there) < 9;
    return close;
}
static bool is_seeded(seen s, int there) { return seeds_at(s, there) == 10; }
static bool is_unseeded(seen s, int there) { return seeds_at(s, there) <= 3; }

TestSuite(seeds, .init = use_new_folder, .fini = remove_folder);

/* ---- Which key --------------------------------------------------------------------------------------------------- */

Test(seeds, the_best_of_the_nearest_key_on_disk_are_tried_first) {
    race(1 << 20, 3);
    const point best = race(1 << 10, 15).winner;
    const seen s = race(1 << 12, 9);
    cr_assert(s.first[0].a == 0 && s.first[0].b == 0 && s.first[0].c == 0, "the first configuration");
    cr_assert(!memcmp(&s.first[1], &best, sizeof best), "then the winner");
    cr_assert(is_seeded(s, 15), "%d", seeds_at(s, 15));
    for (int i = 2; i <= 10; i++) {
        at = 15;
        cr_assert_geq(cost(s.first[i]), cost(s.first[i - 1]) * 0.999, "then the others by their times");
    }
}
Test(seeds, strings_are_further_apart_than_numbers) {
    kind = "f16";
    race(1 << 12, 3);
    kind = "f32";
    race(1 << 10, 15);
    cr_assert(is_seeded(race(1 << 12, 9), 15));
}
static void three_keys(void) {
    const char *const kinds[] = {"f16", "f32", "f32"};
    const int keys[] = {1 << 12, 1 << 10, 1 << 12}, optima[] = {3, 15, 9};
    for (int i = 0; i < 3; i++) {
        kind = kinds[i], key = keys[i], at = optima[i];
        program();
    }
}
Test(seeds, strings_are_further_apart_than_numbers_in_a_process_too) {
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(is_seeded(run(three_keys), 15));
}
Test(seeds, whatever_a_string_contains) {
    kind = "\"}, \\";
    race(1 << 10, 15);
    cr_assert(is_seeded(race(1 << 12, 9), 15));
}
Test(seeds, of_two_records_of_a_key_the_later_counts) {
    race(1, 3);
    mode = AUTOTUNE_FORCE;
    race(1, 15);
    mode = AUTOTUNE_ON;
    cr_assert(is_seeded(race(2, 9), 15));
}
static void two_keys(void) { /* a first key in this process, then the key that the test examines */
    const int second = key;
    key = 1 << 20;
    at = 15;
    program();
    key = second;
    at = 9;
    program();
}
Test(seeds, the_nearest_of_disk_and_process_counts) {
    race(1 << 10, 3);
    key = 1 << 12;
    seen s = run(two_keys);
    cr_assert(is_seeded(s, 3), "%d", seeds_at(s, 3));
    key = 1 << 18;
    s = run(two_keys);
    cr_assert(is_seeded(s, 15), "%d", seeds_at(s, 15));
}
Test(seeds, an_interrupted_race_gives_none) {
    race(1, 15);
    cr_assert_eq(edit_records(cache_file, "\"tuner\"", "\"unfinished\":true,\"tuner\""), 1u);
    cr_assert(is_unseeded(race(2, 3), 15));
}

/* ---- Which records ----------------------------------------------------------------------------------------------- */

/* Returns the number of launches until the optimum is launched; FIRST + 1 if it is not among the first. */
static int launches_until_best(seen s) {
    int i = 0;
    while (i < FIRST && (s.first[i].a != at || s.first[i].b != at || s.first[i].c != at)) i++;
    return i + 1;
}
Test(seeds, on_a_device_without_records_those_of_another_one_count) {
    const seen cold = race(1, 12), other = race(2, 3);
    device = "device two";
    const seen same_key = race(1, 12);
    cr_assert(is_seeded(same_key, 12), "%d", seeds_at(same_key, 12));
    cr_assert(!memcmp(&same_key.first[1], &cold.winner, sizeof cold.winner), "its winner first");
    cr_assert(launches_until_best(same_key) < launches_until_best(cold), "%d, %d", launches_until_best(same_key),
              launches_until_best(cold));
    cr_assert(memcmp(&cold.winner, &other.winner, sizeof cold.winner) != 0);
    cr_assert_eq(same_key.result.tried, trials, "they are no evidence: as much is launched as without them");
}
Test(seeds, of_another_device_the_nearest_key_counts_where_it_lacks_the_key) {
    race(1 << 20, 3);
    race(1 << 10, 15);
    device = "device two";
    cr_assert(is_seeded(race(1 << 12, 9), 15));
}
Test(seeds, of_two_devices_the_nearest_key_counts) {
    const point other = race(1 << 12, 3).winner; /* a record of the same key on another device */
    device = "device two";
    const seen own = race(1 << 10, 15);
    cr_assert(is_seeded(own, 3), "the first of this device");
    cr_assert(is_seeded(race(1 << 9, 3), 15), "the nearest on this one");
    cr_assert(is_seeded(race(1 << 12, 9), 3), "the same key on the other one");
    device = "device one";
    const seen s = run(program);
    cr_assert(s.tried <= 8 && !memcmp(&s.winner, &other, sizeof other), "and the other device has its own winner");
}
Test(seeds, records_may_be_of_another_compiler) {
    race(1, 15);
    cr_assert_eq(edit_records(cache_file, "\"compiler\":\"", "\"compiler\":\"another "), 1u);
    cr_assert(is_seeded(race(1 << 20, 3), 15));
    device = "device two";
    cr_assert(is_seeded(race(2, 3), 15));
}
Test(seeds, they_order_what_is_launched_without_a_search) {
    in_order = true;
    trials = 20;
    race(1, 12);
    trials = 3;
    at = 12;
    device = "device two";
    seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.first[0].a == 0, "the first configuration");
    cr_assert(s.first[1].a == 12 && s.winner.a == 12, "then the other device's winner: %d", s.first[1].a);
    cr_assert_eq(s.result.tried, 3u);
    device = "device three";
    at = 4; /* the seeds are not the best here */
    trials = 20;
    s = run(program);
    cr_assert(s.winner.a == 4 && s.result.tried == 20, "all is launched, and what is the best here wins");
}
Test(seeds, records_of_another_version_or_tuner_do_not_count) {
    race(1, 15);
    version = "2";
    cr_assert(is_unseeded(race(2, 3), 15));
    version = NULL;
    cr_assert_eq(edit_records(cache_file, "\"tuner\":\"bowl", "\"tuner\":\"bowls"), 2u);
    cr_assert(is_unseeded(race(3, 3), 15));
}
Test(seeds, nearer_and_later_records_of_another_version_hide_none) {
    last = 18; /* other values of the axes, so other texts */
    race(1 << 10, 15);
    version = "2";
    race(1 << 10, 3);
    for (int nearer = 1; nearer <= 4; nearer++) race((1 << 12) + nearer, 3);
    version = NULL;
    last = 19;
    cr_assert(is_seeded(race(1 << 12, 9), 15));
}
static void twice_from_a_key_below_zero(void) {
    for (int i = 0; i < 2; i++) {
        key = 1 << (10 + i);
        program();
        autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
    }
}
Test(seeds, a_key_on_the_other_side_of_zero_is_far_but_counts_each_time) {
    race(-1, 15);
    policy = AUTOTUNE_CACHE_READONLY;
    at = 9;
    const seen s = run(twice_from_a_key_below_zero);
    cr_assert(is_seeded(s, 15), "%d", seeds_at(s, 15));
}
/* the space of the second key is smaller: some configurations of the first key exist, with other indices */
Test(seeds, configurations_are_known_by_their_values) {
    race(1, 12);
    last = 13;
    const seen s = race(2, 3);
    cr_assert(is_seeded(s, 12));
    for (int i = 0; i < 11; i++) cr_assert(s.first[i].a <= last && s.first[i].b <= last && s.first[i].c <= last);
    last = 5;
    cr_assert(is_unseeded(race(3, 2), 12), "of these none exists");
}
Test(seeds, a_nearer_record_of_which_nothing_is_left_is_passed_over) {
    race(1 << 10, 10);
    least = 21;
    last = 40;
    race(1 << 12, 35);
    least = 1;
    last = 20;
    cr_assert(is_seeded(race(1 << 13, 5), 10));
}
Test(seeds, a_damaged_record_gives_none) {
    race(1 << 10, 15);
    race(1 << 11, 3);
    bytes all = cache_bytes();
    ((char *)memchr(all.at, '\n', all.count))[200] ^= 4; /* damages the second record */
    write_file(cache_file, all.at, all.count);
    key = 1 << 12;
    at = 9;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && is_seeded(s, 15), "%d", seeds_at(s, 15));
}
/* These records are sound, but the library does not write such records. */
Test(seeds, odd_records_do_no_harm) {
    static const char *const edits[][2] = {
        {"\"key\":{\"key\":1,", "\"key\":{\"key\":1,\"more\":2,"},
        {"\"key\":{\"key\":1,\"kind\":\"f32\"}", "\"key\":{}"},
        {"\"key\":{\"key\":1,\"kind\":\"f32\"}", "\"key\":{\"key\":1"},
        {"\"key\":{\"key\":1,\"kind\":\"f32\"}", "\"key\":[1,2]"},
        {"\"key\":{\"key\":1,\"kind\":\"f32\"}", "\"key\":{\"key\":1,\"kind\":{\"f\":1}}"},
        {"\"key\":{\"key\":1,\"kind\":\"f32\"}", "\"key\":{\"key\":1,\"kind\":\"f32"},
        {"\"configurations\":[", "\"configurations\":7,\"x\":["},
        {"\"configurations\":[", "\"configurations\":[1,{},[],"},
        {"\"call\":\"", "\"call\":\"x"},
    };
    race(1, 15);
    const bytes all = cache_bytes();
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_file(cache_file, all.at, all.count);
        cr_assert_eq(edit_records(cache_file, edits[i][0], edits[i][1]), 1u, "%s", edits[i][0]);
        const seen s = race(2, 3);
        cr_assert(i == 7 ? is_seeded(s, 15) : is_unseeded(s, 15), "%s: %d", edits[i][1], seeds_at(s, 15));
    }
}

/* After a rebuild, good configurations are raced again. Here all good configurations fail. */
Test(seeds, where_all_that_is_known_to_be_good_fails_the_rest_is_searched) {
    race(1, 3);
    cr_assert_eq(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 1u);
    at = 15;
    broken = 8;
    const seen s = run(program);
    cr_assert(s.result.status == AUTOTUNE_OK && s.calls == 1 && s.result.tried == trials);
    cr_assert_leq(cost(s.winner), 1.1); /* the best of 60 random points costs 1.6 */
}

Test(seeds, before_them_comes_the_winner_of_the_key_itself) { /* the space has grown since the race of the key */
    race(1, 15);
    const point best = race(2, 12).winner;
    last = 21;
    const seen s = race(2, 12);
    cr_assert(s.first[0].a == 0 && s.first[0].b == 0 && s.first[0].c == 0);
    cr_assert(!memcmp(&s.first[1], &best, sizeof best), "%d, %d, %d", s.first[1].a, s.first[1].b, s.first[1].c);
}

/* ---- When it may be read ----------------------------------------------------------------------------------------- */

Test(seeds, readonly_and_force_read_them_and_off_does_not) {
    race(1, 15);
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert(is_seeded(race(2, 3), 15));
    mode = AUTOTUNE_FORCE;
    cr_assert(is_seeded(race(2, 3), 15));
    mode = AUTOTUNE_ON;
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(is_unseeded(race(2, 3), 15));
}
static char saved[300];
static void load_and_tune(void) {
    if (autotune_load(saved) != AUTOTUNE_OK) _exit(EXIT_FAILURE);
    program();
}
Test(seeds, so_do_records_that_were_loaded) {
    race(1, 15);
    snprintf(saved, sizeof saved, "%s/saved", cache_folder);
    cr_assert_eq(rename(cache_file, saved), 0);
    policy = AUTOTUNE_CACHE_OFF;
    key = 2;
    at = 3;
    cr_assert(is_seeded(run(load_and_tune), 15));
}

/* ---- Without memory ---------------------------------------------------------------------------------------------- */

static long failing;
static void tune_without_memory(void) {
    autotune_result before = {.status = AUTOTUNE_OK};
    /* makes the allocations that a process makes once */
    AUTOTUNE(SPACE(AXIS(x, 1)), 1, (void)x, .name = "warm", .backend = virtual_backend(), .result = &before);
    allocator.until_failure = failing;
    program();
    allocator.until_failure = -1;
}
Test(seeds, allocations_fail_in_turn) {
    race(1, 15);
    device = "device two"; /* records of this device are searched for first, then records of the other device */
    at = 3;
    trials = 12;
    int seeded = 0, unseeded = 0;
    policy = AUTOTUNE_CACHE_READONLY;
    for (bool some = true; some; failing += NEXT_FAILURE) {
        const seen s = run(tune_without_memory);
        some = s.failed;
        cr_assert(s.result.status == AUTOTUNE_OK ? s.calls == 1 : s.result.status == AUTOTUNE_ERR_MEMORY, "%ld: %s",
                  failing, s.log);
        if (s.result.status == AUTOTUNE_OK) *(is_seeded(s, 15) ? &seeded : &unseeded) += 1;
    }
    cr_assert(seeded > 0 && unseeded > 0, "%ld allocations: %d, %d", failing, seeded, unseeded);
}
