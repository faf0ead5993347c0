/* suite_buffers.c - how trials change memory: .restore, .zero and .outputs, the callbacks beside them, and the state of
   memory after the call. The clock is virtual. Each function of the backend is recorded, and takes time that must not
   be measured. */
#define _DEFAULT_SOURCE
#include "virtual_clock.h"
#ifndef _WIN32
#define bytes bytes_of_file /* below, `bytes` is the name of parameters */
#include "cache_file.h"
#undef bytes
#endif

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* ---- A backend that records its calls ---------------------------------------------------------------------------- */

/* One letter for each call: c copy, w write, r read, z fill, f flush, s setup, v verify. A launch is a digit, the
   number of the configuration; the call for real is F. */
static char record[1 << 16];
static size_t recorded;
static const uint64_t UNTIMED_NS = 1000000;

static void write_down(char what) {
    if (recorded + 1 < sizeof record) record[recorded++] = what;
    if (strchr("cwrzfsv", what)) virtual_ns += UNTIMED_NS;
}
static autotune_status recorded_copy(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    write_down('c');
    memcpy(to, from, bytes);
    return AUTOTUNE_OK;
}
static autotune_status recorded_read(autotune_backend *self, void *host, const void *memory, size_t offset,
                                     size_t bytes) {
    (void)self;
    write_down('r');
    memcpy(host, (const char *)memory + offset, bytes);
    return AUTOTUNE_OK;
}
static autotune_status recorded_write(autotune_backend *self, void *memory, size_t offset, const void *host,
                                      size_t bytes) {
    (void)self;
    write_down('w');
    memcpy((char *)memory + offset, host, bytes);
    return AUTOTUNE_OK;
}
static autotune_status recorded_fill(autotune_backend *self, void *memory, int byte, size_t bytes) {
    (void)self;
    write_down('z');
    memset(memory, byte, bytes);
    return AUTOTUNE_OK;
}
static autotune_status recorded_flush(autotune_backend *self) {
    (void)self;
    write_down('f');
    return AUTOTUNE_OK;
}
static autotune_backend *recording_backend(void) {
    static autotune_backend backend;
    if (!backend.now) {
        backend = *virtual_backend();
        backend.copy = recorded_copy;
        backend.read = recorded_read;
        backend.write = recorded_write;
        backend.fill = recorded_fill;
        backend.flush = recorded_flush;
    }
    return &backend;
}
static void record_setup(void *user, const autotune_config *config) {
    (void)config;
    if (user) ++*(int *)user;
    write_down('s');
}
static bool record_verify(void *user, const autotune_config *config) {
    (void)config;
    if (user) ++*(int *)user;
    write_down('v');
    return true;
}
static void record_launch(int id, bool trial, uint64_t ns) {
    write_down(trial ? (char)('0' + id) : 'F');
    virtual_ns += ns;
}

/* ---- .restore and .zero ------------------------------------------------------------------------------------------ */

enum { LENGTH = 100 };
static int32_t sums[LENGTH];
static size_t wrong_starts; /* launches that found a wrong content of a buffer */

static void fill_sums(void) {
    for (int i = 0; i < LENGTH; i++) sums[i] = 7 * i + 3;
}
static bool sums_are_as_before(void) {
    for (int i = 0; i < LENGTH; i++)
        if (sums[i] != 7 * i + 3) return false;
    return true;
}
static bool sums_are_as_called_once(void) {
    for (int i = 0; i < LENGTH; i++)
        if (sums[i] != 7 * i + 3 + 1000) return false;
    return true;
}
static void accumulate(int id, bool trial) {
    if (!sums_are_as_before()) wrong_starts++;
    for (int i = 0; i < LENGTH; i++) sums[i] += 1000;
    record_launch(id, trial, 100 + 10 * (uint64_t)id);
}

Test(buffers, a_kernel_that_accumulates_in_place_is_called_once) {
    autotune_result result;
    fill_sums();
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, accumulate(id, autotune_trial), .backend = virtual_backend(),
             .result = &result, .restore = BUFFERS({sums, sizeof sums}));
    cr_assert(sums_are_as_called_once());
    cr_assert_eq(wrong_starts, 0u, "%zu of %zu launches did not see the original", wrong_starts, result.launches);
    cr_assert_gt(result.launches, 100u, "there were batches");
    cr_assert_eq(result.failed, 0u);
}

Test(buffers, a_hit_prepares_nothing) {
    for (int call = 0; call < 2; call++) {
        fill_sums();
        recorded = 0;
        AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, accumulate(id, autotune_trial), .backend = recording_backend(),
                 .setup = record_setup, .verify = record_verify, .restore = BUFFERS({sums, sizeof sums}));
    }
    cr_assert(recorded == 1 && record[0] == 'F');
    cr_assert(sums_are_as_called_once());
}

static void expect_zeros_in_trials(int id, bool trial) {
    for (int i = 0; i < LENGTH; i++)
        if (trial ? sums[i] != 0 : sums[i] != 7 * i + 3) wrong_starts++;
    for (int i = 0; i < LENGTH; i++) sums[i] += 1;
    record_launch(id, trial, 100 + 10 * (uint64_t)id);
}
Test(buffers, zero_is_for_trials_alone) {
    fill_sums();
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, expect_zeros_in_trials(id, autotune_trial), .backend = virtual_backend(),
             .zero = BUFFERS({sums, sizeof sums}));
    cr_assert_eq(wrong_starts, 0u);
    cr_assert_eq(sums[10], 74, "the final launch saw the original, and its result stays");
}

/* ---- Order, and what is timed ------------------------------------------------------------------------------------ */

static int32_t restored[4], zeroed[4], output[4];
static void write_output(int id, bool trial) {
    for (int i = 0; i < 4; i++) output[i] = i;
    restored[0]++;
    zeroed[0]++;
    record_launch(id, trial, 40000 + 1000 * (uint64_t)id);
}
static autotune_result tune_recorded(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, write_output(id, autotune_trial), .backend = recording_backend(),
             .result = &result, .restore = BUFFERS({restored, sizeof restored}),
             .zero = BUFFERS({zeroed, sizeof zeroed}), .outputs = BUFFERS({output, sizeof output, AUTOTUNE_I32}),
             .setup = record_setup, .verify = record_verify, .cache_state = AUTOTUNE_COLD);
    return result;
}

Test(buffers, poison_restore_zero_setup_flush_launch_compare_verify) {
    bool seen[3] = {false};
    tune_recorded();
    cr_assert(strncmp(record, "ccc", 3) == 0, "every buffer is saved before the first trial");
    cr_assert(recorded > 20 && strncmp(record + recorded - 4, "cccF", 4) == 0,
              "and put back before the final launch: %s", record + recorded - 10);
    for (size_t at = 3; at < recorded - 1; at++) {
        const char what = record[at];
        if (what < '0' || what > '2') continue;
        cr_assert(strncmp(record + at - 4, "czsf", 4) == 0, "before every trial: %.8s", record + at - 4);
        if (!seen[what - '0']) {
            cr_assert(record[at - 5] == 'w', "poisoned before the checking launch");
            cr_assert(strncmp(record + at + 1, seen[0] || seen[1] || seen[2] ? "rv" : "vr", 2) == 0,
                      "compared, then verified; the first is verified, then kept to compare with: %.8s", record + at);
        } else
            cr_assert(record[at - 5] != 'w' && record[at + 1] != 'r' && record[at + 1] != 'v',
                      "only the first launch of each is checked");
        seen[what - '0'] = true;
    }
    cr_assert(seen[0] && seen[1] && seen[2]);
    cr_assert(restored[0] == 1 && zeroed[0] == 1, "as called once");
}

/* A buffer of .zero may be a part of a buffer of .restore, whichever of the two lists stands first. */
Test(buffers, a_part_of_what_is_restored_is_zeroed_after_that) {
    static unsigned char all[100];
    autotune_result result;
    for (int again = 0; again < 2; again++) {
        int trials = 0, wrong = 0;
        memset(all, 7, sizeof all);
        AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 2, 1)), .backend = recording_backend(), .result = &result,
                       .outputs = BUFFERS({all, 50}), .zero = BUFFERS({all, 50}), .restore = BUFFERS({all, 100})) {
            trials += autotune_trial;
            wrong += autotune_trial && (all[0] != 0 || all[60] != 7);
            memset(all, 1, 50);
            all[60] = 9;
            record_launch(id, autotune_trial, 40000 + 1000 * (uint64_t)id);
        }
        cr_assert(result.status == AUTOTUNE_OK && result.cache_hit == again && wrong == 0, "%d of %d", wrong, trials);
        cr_assert(again ? trials == 0 : trials > 3);
        cr_assert(all[0] == 1 && all[60] == 9 && all[61] == 7, "as called once");
    }
}
Test(buffers, nothing_but_the_launch_is_timed) {
    const autotune_result result = tune_recorded();
    cr_assert(result.index == 0 && result.median_ns == 40000 && result.min_ns == 40000 && result.slowest_ns == 42000,
              "median %g ns", result.median_ns);
}

Test(buffers, setup_and_verify_are_given_the_user_s_pointer) {
    int called = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, record_launch(id, autotune_trial, 50000), .backend = virtual_backend(),
             .setup = record_setup, .verify = record_verify, .user = &called);
    size_t launches = 0, setups = 0, verifications = 0;
    for (size_t at = 0; at < recorded; at++) {
        launches += record[at] >= '0' && record[at] <= '2';
        setups += record[at] == 's';
        verifications += record[at] == 'v';
    }
    cr_assert_eq(setups, launches, "before every trial, not before the final launch");
    cr_assert_eq(verifications, 3u, "after the first launch of each configuration");
    cr_assert_eq((size_t)called, setups + verifications);
}

/* With cold caches each launch of a batch is flushed before. If nothing has to be prepared, the launches of a batch
   follow each other. */
Test(buffers, cold_launches_are_flushed_one_by_one) {
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, record_launch(id, autotune_trial, 1000), .backend = recording_backend(),
             .cache_state = AUTOTUNE_COLD);
    for (size_t at = 0; at + 1 < recorded; at++)
        if (record[at] >= '0' && record[at] <= '1') cr_assert(at && record[at - 1] == 'f');
    cr_assert(record[recorded - 1] == 'F' && record[recorded - 2] != 'f');
    recorded = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, record_launch(id, autotune_trial, 1000), .backend = recording_backend());
    for (size_t at = 0; at < recorded; at++) cr_assert(!strchr("cwrzfsv", record[at]), "nothing was asked for");
}
/* Returns true if the log says that the race flushed the caches. */
static bool is_flushed(autotune_cache_state state) {
    static int calls;
    const int call = ++calls;
    recorded = 0;
    *logged = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, record_launch(id, autotune_trial, 1000), .backend = recording_backend(),
             .cache_state = state, .key = KEY(call));
    const bool flushed = memchr(record, 'f', recorded) != NULL;
    cr_assert_eq(strstr(logged, "; caches were cold") != NULL, flushed, "%s", logged);
    cr_assert(!strstr(logged, "caches were hot"), "as they are by default");
    return flushed;
}
static void state_is(const char *word, bool flushed) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    if (word) setenv("AUTOTUNE_CACHE_STATE", word, 1);
    autotune_set_log(keep_line, NULL);
    cr_assert_eq(is_flushed(AUTOTUNE_COLD), word ? flushed : true);
    cr_assert_eq(is_flushed(AUTOTUNE_HOT), word ? flushed : false);
    cr_assert_eq(is_flushed(AUTOTUNE_CACHE_STATE_DEFAULT), word ? flushed : false);
}
Test(buffers, a_race_tells_that_caches_were_cold) { state_is(NULL, false); }
Test(buffers, the_environment_has_the_caches_cold) { state_is("cold", true); }
Test(buffers, the_environment_has_the_caches_hot) { state_is("hot", false); }

static bool refuse_two(void *user, const autotune_config *config) {
    cr_assert_eq(*(int *)user, (int)autotune_get_int(config, "id"));
    return *(int *)user != 2;
}
Test(buffers, what_verify_refuses_does_not_win) {
    autotune_result result;
    int last = -1;
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, (last = id, virtual_ns += id == 2 ? 1000 : 50000 + 1000 * (uint64_t)id),
             .backend = virtual_backend(), .result = &result, .verify = refuse_two, .user = &last);
    cr_assert(result.index == 0 && result.failed == 1 && last == 0);
    cr_assert(contains(logged, "id=2  (refused by .verify)"), "%s", logged);
}
static bool refuse_with_reason(void *user, const autotune_config *config) {
    (void)user;
    autotune_explain("%s", "too many bytes");
    return autotune_get_int(config, "id") != 1;
}
Test(buffers, the_reason_that_verify_gives_is_told_alone) {
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, virtual_ns += 1000 + (uint64_t)id, .backend = virtual_backend(),
             .verify = refuse_with_reason);
    cr_assert(contains(logged, "id=1  (too many bytes)"), "%s", logged);
}

static char prepared_for[40], launched_as[40];
static size_t preparations, unprepared;
static void write_config(char text[40], int tile, const char *order, size_t index) {
    snprintf(text, 40, "%d %s %zu", tile, order, index);
}
static void prepare_for(void *user, const autotune_config *config) {
    (void)user;
    preparations++;
    write_config(prepared_for, (int)autotune_get_int(config, "tile"), autotune_get_string(config, "order"),
                 autotune_get_index(config));
}
static bool was_launched(void *user, const autotune_config *config) {
    char told[40];
    write_config(told, (int)autotune_get_int(config, "tile"), autotune_get_string(config, "order"), config->index);
    return !strcmp(autotune_get_label(config, "order"), autotune_get_string(config, "order")) && (!user) &&
           !strcmp(told, launched_as) && config->count == 2;
}
static void launch_prepared(int tile, const char *order, bool trial) {
    virtual_ns += 1000 + 10 * (uint64_t)tile;
    write_config(launched_as, tile, order, (size_t)(2 * (tile - 1) + (*order == 'd')));
    unprepared += trial && strcmp(launched_as, prepared_for) != 0;
}
Test(buffers, setup_and_verify_see_the_configuration) {
    autotune_result result;
    for (int i = 0; i < 2; i++)
        AUTOTUNE(SPACE(AXIS(tile, 1, 2, 3), AXIS(order, "up", "down")), 1, launch_prepared(tile, order, autotune_trial),
                 .backend = virtual_backend(), .result = &result, .setup = prepare_for, .verify = was_launched);
    cr_assert(result.status == AUTOTUNE_OK && result.cache_hit);
    cr_assert_eq(unprepared, 0u);
    cr_assert_gt(preparations, 12u);
}
Test(online, verify_sees_the_configuration_of_each_first_call) {
    autotune_result result;
    for (int i = 0; i < 2000; i++)
        AUTOTUNE(SPACE(AXIS(tile, 1, 2, 3), AXIS(order, "up", "down")), 1, launch_prepared(tile, order, false),
                 .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = &result, .verify = was_launched);
    cr_assert(result.status == AUTOTUNE_OK && result.cache_hit, "no first call was refused");
}

/* ---- .outputs: is the first configuration the wrong one? --------------------------------------------------------- */

static int results_of[6];                       /* results_of[i] is the result of configuration i */
static autotune_result compute(int key) {
    static int out[4];
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 5, 1)), 1,
             (out[0] = 7, out[1] = out[2] = 1, out[3] = results_of[id], virtual_ns += 1000 + 100 * (uint64_t)id),
             .key = KEY(key), .name = "compute", .outputs = BUFFERS({out, sizeof out, AUTOTUNE_I32}),
             .backend = virtual_backend(), .result = &result);
    cr_assert_eq(out[3], results_of[result.index]);
    return result;
}
static void compute_all(int a, int b, int c, int d, int e, int f) {
    const int all[] = {a, b, c, d, e, f};
    memcpy(results_of, all, sizeof all);
    autotune_set_log(keep_line, NULL);
}
#define SUSPECT "compute [key=1]: .outputs: "
Test(buffers, five_that_agree_against_the_first_are_told_and_no_verdict_is_sure) {
    compute_all(3, 2, 2, 2, 2, 2);
    for (int i = 0; i < 2; i++) {
        const autotune_result result = compute(1);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 0 && result.verdict == AUTOTUNE_UNRELIABLE);
        cr_assert(result.cache_hit == (i > 0) && contains(result.doubt, "not with the first one"));
    }
    cr_assert(contains(logged, SUSPECT "5 configurations agree with each other, and not with the first one: is the "
                               "first one wrong?"), "%s", logged);
}
Test(buffers, as_many_as_agree_with_the_first_are_enough) {
    compute_all(3, 2, 3, 2, 3, 2);
    cr_assert_eq(compute(1).verdict, AUTOTUNE_UNRELIABLE);
    cr_assert(contains(logged, SUSPECT "3 configurations agree with each other, and not with the first one"));
}
Test(buffers, wrong_ones_that_are_fewer_or_differ_among_themselves_are_wrong) {
    compute_all(2, 2, 2, 2, 3, 3);
    cr_assert(compute(1).verdict != AUTOTUNE_UNRELIABLE);
    compute_all(2, 3, 4, 5, 6, 7);
    cr_assert(compute(2).verdict != AUTOTUNE_UNRELIABLE);
    compute_all(2, 2, 2, 2, 2, 2);
    cr_assert(compute(3).verdict != AUTOTUNE_UNRELIABLE);
    cr_assert(!contains(logged, ".outputs: "), "%s", logged);
}
Test(buffers, a_first_one_that_is_wrong_is_left_out_by_a_pin) {
    setenv("AUTOTUNE_USE", "compute=id!=0", 1);
    compute_all(3, 2, 2, 2, 2, 2);
    const autotune_result result = compute(1);
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 0);
    cr_assert(result.verdict == AUTOTUNE_SEPARATED && !contains(logged, ".outputs: "));
}
#ifndef _WIN32
Test(buffers, a_first_one_that_is_in_doubt_is_raced_again_in_the_next_process, .init = use_new_folder,
     .fini = remove_folder) {
    for (int i = 0; i < 2; i++) {
        compute_all(3, 2, 2, 2, 2, 2);
        logged[0] = 0;
        const autotune_result result = compute(1);
        cr_assert(!result.cache_hit && result.failed == 5 && result.tried == 6);
        cr_assert_eq(result.verdict, AUTOTUNE_UNRELIABLE);
        cr_assert(contains(logged, SUSPECT "5 configurations"));
        cr_assert(contains(cache_bytes().at, "agree with each other, and not with the first one"));
        cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    }
    compute_all(2, 2, 2, 2, 2, 2);              /* the first configuration was corrected */
    cr_assert(compute(1).tried == 6);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert(compute(1).cache_hit);
}
#endif

/* ---- .outputs: what counts as equal ------------------------------------------------------------------------------ */

static unsigned char result_memory[64];

/* Configuration 0 writes the expected bytes. Configuration 1, which is far faster, writes the bytes to judge. */
static void write_bytes(int id, const void *expected, const void *judged, size_t bytes) {
    memcpy(result_memory, id ? judged : expected, bytes);
    virtual_ns += id ? 40000 : 200000;
}
static bool is_accepted(autotune_type type, double tolerance, const void *expected, const void *judged, size_t bytes) {
    static int calls;
    const int call = ++calls;
    autotune_result result;
    if (call == 1) {
        setenv("AUTOTUNE_LOG", "full", 1);
        autotune_set_log(keep_line, NULL);
    }
    logged[0] = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, write_bytes(id, expected, judged, bytes), .key = KEY(call),
             .backend = virtual_backend(), .outputs = BUFFERS({result_memory, bytes, type, tolerance}),
             .result = &result);
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.index == 0, result.failed == 1, "refused, and only then, it does not win");
    return result.index == 1;
}
#define ELEMENTS(...) __VA_ARGS__
#define ACCEPTED(type, tolerance, element, expected, judged) \
    is_accepted(type, tolerance, (element[]){ELEMENTS expected}, (element[]){ELEMENTS judged}, \
                sizeof((element[]){ELEMENTS expected}))
#define WHY(sentence) cr_assert(contains(logged, "(wrong output: " sentence ")"), "%s", logged)

Test(buffers, integers_are_compared_exactly) {
    cr_assert(ACCEPTED(AUTOTUNE_I32, 0, int32_t, (5, 6, 7, 8), (5, 6, 7, 8)));
    cr_assert_not(ACCEPTED(AUTOTUNE_I32, 0, int32_t, (5, 6, 7, 8), (5, 6, 8, 8)));
    WHY("element 2 is 8, not 7");
    cr_assert_not(ACCEPTED(AUTOTUNE_I32, 0.5, int32_t, (1000000), (1000001)));
    WHY("element 0 is 1000001, not 1000000");
    cr_assert_not(ACCEPTED(AUTOTUNE_I8, 0, int8_t, (1, -2), (1, -3)));
    WHY("element 1 is -3, not -2");
    cr_assert_not(ACCEPTED(AUTOTUNE_U8, 0, uint8_t, (1, 2, 3), (1, 2, 255)));
    WHY("element 2 is 255, not 3");
    cr_assert_not(ACCEPTED(AUTOTUNE_I16, 0, int16_t, (-300), (300)));
    WHY("element 0 is 300, not -300");
    cr_assert_not(ACCEPTED(AUTOTUNE_U16, 0, uint16_t, (65535), (65534)));
    WHY("element 0 is 65534, not 65535");
    cr_assert_not(ACCEPTED(AUTOTUNE_U32, 0, uint32_t, (4000000000u), (4000000001u)));
    WHY("element 0 is 4000000001, not 4000000000");
    cr_assert_not(ACCEPTED(AUTOTUNE_I64, 0, int64_t, (0, INT64_MIN), (0, INT64_MIN + 1)));
    WHY("element 1 is -9223372036854775807, not -9223372036854775808");
    cr_assert_not(ACCEPTED(AUTOTUNE_U64, 0, uint64_t, (UINT64_MAX), (UINT64_MAX - 1)));
    WHY("element 0 is 18446744073709551614, not 18446744073709551615");
    cr_assert_not(ACCEPTED(AUTOTUNE_BYTES, 0, unsigned char, (1, 2, 3, 0xAB, 5), (1, 2, 3, 0xAC, 5)));
    WHY("element 3 is 0xac, not 0xab");
}

Test(buffers, single_precision_has_a_relative_tolerance) {
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, float, (1000, -1000), (1000.09f, -999.91f)), "within 1e-4");
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1000, -1000), (1000, -1000.11f)));
    WHY("element 1 is -1000.10999, not -1000");
    cr_assert(ACCEPTED(AUTOTUNE_F32, 1e-2, float, (1000), (1009)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 1e-2, float, (1000), (1011)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 1e-6, float, (1000), (1000.09f)), "a stricter one counts as well");
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, float, (0.0f, 1), (-0.0f, 1)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1, 1), (1, -1)));
}

Test(buffers, double_precision_has_a_smaller_tolerance) {
    cr_assert(ACCEPTED(AUTOTUNE_F64, 0, double, (1000), (1000 + 9e-8)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F64, 0, double, (1000), (1000 + 1.1e-7)));
    cr_assert(ACCEPTED(AUTOTUNE_F64, 0.25, double, (1000), (1249)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F64, 0.25, double, (1000), (1251)));
}

/* If the terms of a sum cancel, the sum is little more than the rounding of its terms. So every element may differ by
   16 units in the last place of the largest value, and by 2 units in the half precisions. A unit in the last place of 1
   is 2^-23, 2^-52, 2^-10 and 2^-7. */
Test(buffers, rounding_of_the_largest_value_is_allowed_everywhere) {
    const double f32 = 16 * ldexp(1, -23), f64 = 16 * ldexp(1, -52);
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, float, (1048576, 0), (1048576, (float)(1048576 * f32))));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1048576, 0), (1048576, (float)(1048576 * f32 * 1.01))));
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, float, (-1048576, 0), (-1048576, (float)(1048576 * f32))),
              "the largest magnitude counts");
    cr_assert(ACCEPTED(AUTOTUNE_F64, 0, double, (1048576, 0), (1048576, 1048576 * f64)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F64, 0, double, (1048576, 0), (1048576, 1048576 * f64 * 1.01)));
    cr_assert(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x3C00, 0), (0x3C00, 0x1800)), "1 and 2^-9");
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x3C00, 0), (0x3C00, 0x1801)));
    cr_assert(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x3F80, 0), (0x3F80, 0x3C80)), "1 and 2^-6");
    cr_assert_not(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x3F80, 0), (0x3F80, 0x3C81)));
}

Test(buffers, half_precisions) {
    cr_assert(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x3C00), (0x3C0A)), "1 and 1 + 10 * 2^-10: within 1e-2");
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x3C00), (0x3C0B)));
    WHY("element 0 is 1.01074219, not 1");
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x3C00), (0xBC00)));
    WHY("element 0 is -1, not 1");
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x7BFF), (0x7800)));
    WHY("element 0 is 32768, not 65504");
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x0001), (0x8002)));
    WHY("element 0 is -1.1920929e-07, not 5.96046448e-08");
    cr_assert(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x3F80), (0x3F86)), "1 and 1 + 6 * 2^-7: within 5e-2");
    cr_assert_not(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x3F80), (0x3F87)));
    WHY("element 0 is 1.0546875, not 1");
    cr_assert_not(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0xC2C8, 0), (0x42C8, 0)));
    WHY("element 0 is 100, not -100");
}

Test(buffers, nan_equals_nan_and_nothing_else) {
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, uint32_t, (0x7FC00000, 0x3F800000), (0xFFC00001, 0x3F800000)),
              "of any sign and payload");
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1, NAN), (1, 2)));
    WHY("element 1 is 2, not nan");
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1, 2), (1, NAN)));
    cr_assert(ACCEPTED(AUTOTUNE_F64, 0, uint64_t, (0x7FF8000000000000), (0x7FF8000000000001)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F64, 0, double, (NAN), (0)));
    cr_assert(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x7E00), (0xFE01)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x7E00), (0x7C00)));
    cr_assert(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x7FC0), (0x7FC1)));
    cr_assert_not(ACCEPTED(AUTOTUNE_BF16, 0, uint16_t, (0x7FC0), (0x7F80)));
}

Test(buffers, infinity_equals_itself_alone) {
    cr_assert(ACCEPTED(AUTOTUNE_F32, 0, float, (INFINITY, 1), (INFINITY, 1.00001f)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1, 2), (1, INFINITY)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (INFINITY, 1), (-INFINITY, 1)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (INFINITY, 1), (5, 1)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F32, 0, float, (1e30f, 1, INFINITY), (1e30f, 1e29f, INFINITY)),
                  "and allows no rounding");
    cr_assert_not(ACCEPTED(AUTOTUNE_F64, 0, double, (-INFINITY), (0)));
    cr_assert_not(ACCEPTED(AUTOTUNE_F16, 0, uint16_t, (0x7C00), (0x7BFF)));
}

/* An output is compared in chunks, and each chunk in blocks. A difference must be found wherever it is. */
enum { LARGE = (9 << 20) + 4, LARGE_COUNT = LARGE / 4 };
static int32_t *large;
static void write_large(int id, size_t wrong, size_t unwritten) {
    for (size_t i = 0; i < LARGE_COUNT; i++)
        if (!id || i != unwritten) large[i] = (int32_t)(i + (id && i == wrong));
    virtual_ns += id ? 40000 : 200000;
}
static bool large_is_accepted(size_t wrong, size_t unwritten) {
    static int calls;
    const int call = ++calls;
    autotune_result result;
    logged[0] = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1, write_large(id, wrong, unwritten), .key = KEY(call),
             .backend = virtual_backend(), .outputs = BUFFERS({large, LARGE, AUTOTUNE_I32}), .result = &result);
    for (size_t i = 0; i < LARGE_COUNT; i += 999) cr_assert_eq(large[i], (int32_t)i);
    return result.index == 1 && !result.failed;
}
Test(buffers, large_outputs_are_compared_to_their_end) {
    static const size_t elements[] = {0, 1023, 1024, (4 << 18) - 1, 4 << 18, (8 << 18) + 1, LARGE_COUNT - 1};
    const size_t none = LARGE_COUNT;
    large = malloc(LARGE);
    cr_assert(large);
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    cr_assert(large_is_accepted(none, none), "%s", logged);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        char why[80];
        cr_assert_not(large_is_accepted(elements[i], none));
        snprintf(why, sizeof why, "element %zu is %zu, not %zu)", elements[i], elements[i] + 1, elements[i]);
        cr_assert(contains(logged, why), "%s: %s", why, logged);
        cr_assert_not(large_is_accepted(none, elements[i]), "%zu was not written", elements[i]);
    }
    free(large);
}
Test(buffers, many_values_that_are_near_hide_none_that_is_not) {
    static float expected[5000], judged[5000], written[5000];
    autotune_result result;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 5000; i++) expected[i] = (float)(i + 1), judged[i] = expected[i] * 1.00005f;
        if (k > 0) expected[4000] = judged[4000] = NAN;
        if (k > 1) judged[4321] = 4400;
        AUTOTUNE(SPACE(RANGE(id, 0, 1, 1)), 1,
                 (memcpy(written, id ? judged : expected, sizeof written), virtual_ns += id ? 40000 : 200000),
                 .key = KEY(k), .backend = virtual_backend(),
                 .outputs = BUFFERS({written, sizeof written, AUTOTUNE_F32}), .result = &result);
        cr_assert_eq(result.failed, k > 1, "%d", k);
    }
}

static bool verify_slowly(void *user, const autotune_config *config) {
    return (void)user, (void)config, virtual_ns += 250000000, true;
}
static autotune_result verified_slowly(double max_seconds) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 7, 1)), 1, virtual_ns += 100000 + 10000 * (uint64_t)id, .max_seconds = max_seconds,
             .key = KEY(max_seconds), .verify = verify_slowly, .backend = virtual_backend(), .result = &result);
    return result;
}
Test(buffers, checks_take_nothing_of_the_time_for_launches_but_of_a_limit_that_was_given) {
    const autotune_result by_default = verified_slowly(0);
    cr_assert(by_default.verdict == AUTOTUNE_SEPARATED && by_default.tried == 8 && by_default.seconds > 2, "%g",
              by_default.seconds);
    const autotune_result limited = verified_slowly(2.006);
    cr_assert(limited.verdict == AUTOTUNE_UNRESOLVED && limited.tried == 8 && limited.seconds < 2.007, "%g",
              limited.seconds);
}
/* First launches may take 20 s. Each of 40 configurations needs a second besides: for .verify, for .setup, or to
   compile. This second does not count for the limit. */
static bool takes_a_second(void *user, const autotune_config *config) {
    return (void)user, (void)config, virtual_ns += 1000000000, true;
}
static size_t set_up, compiled;
static void is_set_up_in_a_second(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    virtual_ns += set_up++ < 40 ? 1000000000 : 0; /* so the rounds have hardly any setup */
}
static autotune_status compile_in_a_second(autotune_backend *self, const autotune_config *config, uint64_t *prepared) {
    (void)self, (void)config, (void)prepared;
    virtual_ns += 1000000000;
    compiled++;
    return AUTOTUNE_OK;
}
Test(buffers, what_is_no_launch_puts_the_limit_of_first_launches_off) {
    autotune_backend compiles = *virtual_backend();
    compiles.prepare = compile_in_a_second;
    for (int what = 0; what < 3; what++) {
        autotune_result result;
        AUTOTUNE(SPACE(RANGE(id, 0, 39, 1)), 1, virtual_ns += id == 37 ? 100000 : 1000000, .key = KEY(what),
                 .verify = what == 0 ? takes_a_second : NULL, .setup = what == 1 ? is_set_up_in_a_second : NULL,
                 .backend = what == 2 ? &compiles : virtual_backend(), .result = &result);
        cr_expect(result.tried == 40 && result.index == 37 && result.verdict == AUTOTUNE_SEPARATED,
                  "%d: %zu tried, %zu, %s", what, result.tried, result.index, autotune_verdict_text(result.verdict));
        cr_expect(result.seconds > 37 && result.seconds < 45, "%g s", result.seconds);
    }
}

/* ---- .outputs: elements that a launch does not write, and other lists on the same memory ------------------------- */

static int32_t stale[9];
static int stale_calls;
static void write_unless_lazy(int id, int from) { /* configuration 1 does not write the elements from `from` on */
    for (int i = 0; i < (id == 1 ? from : 9); i++) stale[i] = 100 + i;
    virtual_ns += id == 1 ? 40000 : 100000;
}
Test(buffers, an_output_that_was_not_written_is_noticed) {
    static const autotune_type types[] = {AUTOTUNE_BYTES, AUTOTUNE_I32, AUTOTUNE_F32,
                                          AUTOTUNE_U8,    AUTOTUNE_F16, AUTOTUNE_BF16};
    autotune_result result;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int from = 0; from < 9; from++) {
            const int call = ++stale_calls;
            for (int i = 0; i < 9; i++) stale[i] = 100 + i; /* an earlier call left the right result in the buffer */
            AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, write_unless_lazy(id, from), .key = KEY(call),
                     .backend = virtual_backend(), .result = &result,
                     .outputs = BUFFERS({stale, sizeof stale, types[t]}));
            cr_assert(result.failed == 1 && result.index != 1, "type %d: only %d of 9 elements were written",
                      (int)types[t], from);
            for (int i = 0; i < 9; i++) cr_assert_eq(stale[i], 100 + i);
        }
}

static double summed[8];
static void add_to_sums(int id) { /* the result of configuration 1 is wrong */
    for (int i = 0; i < 8; i++) summed[i] += id == 1 ? 3 : 2;
    virtual_ns += id == 1 ? 40000 : 100000;
}
Test(buffers, an_output_that_is_read_is_to_be_restored) {
    static const char told[] = "a launch left nothing but NaNs in buffer 2 of .outputs, so that wrong "
                               "results there are not noticed: if the call reads the buffer, name it in .restore, too";
    autotune_result result;
    static int32_t untouched[2];
    autotune_set_log(keep_line, NULL);
    for (int i = 0; i < 4; i++) { /* a race and a hit of one key, then of another key */
        AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, add_to_sums(id), .key = KEY(i / 2), .backend = virtual_backend(),
                 .name = "add_to_sums", .result = &result,
                 .outputs = BUFFERS({untouched, sizeof untouched, AUTOTUNE_I32},
                                    {summed, sizeof summed, AUTOTUNE_F64}));
        cr_assert(result.status == AUTOTUNE_OK && (strstr(logged, told) == NULL) == i % 2, "%s", logged);
        cr_expect(i % 2 || !strstr(strstr(logged, told) + 1, told), "it is told once");
        *logged = 0;
    }
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, add_to_sums(id), .key = KEY(2), .backend = virtual_backend(),
             .name = "add_to_sums", .result = &result, .restore = BUFFERS({summed, sizeof summed}),
             .outputs = BUFFERS({summed, sizeof summed, AUTOTUNE_F64}));
    cr_expect(result.failed == 1 && !*logged, "%s", logged);
}

/* configuration 1 is wrong; configuration 2 is right, and the fastest */
static void accumulate_or_not(int id, int32_t *memory) {
    for (int i = 0; i < LENGTH; i++) memory[i] += id == 1 ? 999 : 1000;
    virtual_ns += 90000 - 10000 * (uint64_t)id;
}
Test(buffers, an_output_may_be_restored) {
    autotune_result result;
    fill_sums();
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, accumulate_or_not(id, sums), .backend = recording_backend(),
             .result = &result, .restore = BUFFERS({sums, sizeof sums}),
             .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_I32}));
    cr_assert(result.failed == 1 && result.index == 2);
    cr_assert(sums_are_as_called_once());
    cr_assert_not(memchr(record, 'w', recorded), "what is restored is not poisoned before");
}
Test(buffers, an_output_may_be_part_of_what_is_restored) {
    autotune_result result;
    fill_sums();
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, accumulate_or_not(id, sums), .backend = virtual_backend(), .result = &result,
             .restore = BUFFERS({sums, sizeof sums}), .outputs = BUFFERS({sums + 10, 20 * sizeof *sums, AUTOTUNE_I32}));
    cr_assert(result.failed == 1 && result.index == 2);
    cr_assert(sums_are_as_called_once());
}
Test(buffers, an_output_may_be_zeroed) {
    autotune_result result;
    memset(sums, 0, sizeof sums);
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, accumulate_or_not(id, sums), .backend = virtual_backend(), .result = &result,
             .zero = BUFFERS({sums, sizeof sums}), .outputs = BUFFERS({sums, sizeof sums, AUTOTUNE_I32}));
    cr_assert(result.failed == 1 && result.index == 2);
    for (int i = 0; i < LENGTH; i++) cr_assert_eq(sums[i], 1000);
}

static int32_t second[4];
static void write_two(int id) {
    for (int i = 0; i < 4; i++) {
        output[i] = i;
        second[i] = id == 1 && i == 3 ? -1 : i;
    }
    virtual_ns += 90000 - 10000 * (uint64_t)id;
}
Test(buffers, every_output_of_a_list_is_compared) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, write_two(id), .backend = virtual_backend(), .result = &result,
             .outputs = BUFFERS({output, sizeof output, AUTOTUNE_I32}, {second, sizeof second, AUTOTUNE_I32}));
    cr_assert(result.failed == 1 && result.index == 2);
}

static autotune_status first_fails(int id) {
    for (int i = 0; i < 4; i++) output[i] = id ? i : -1;
    virtual_ns += 90000 - 10000 * (uint64_t)id;
    return id ? AUTOTUNE_OK : AUTOTUNE_FAILED;
}
Test(buffers, the_first_configuration_that_works_sets_what_is_expected) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, first_fails(id), .backend = virtual_backend(), .result = &result,
             .outputs = BUFFERS({output, sizeof output, AUTOTUNE_I32}));
    cr_assert(result.failed == 1 && result.index == 2);
}

/* ---- When nothing works ------------------------------------------------------------------------------------------ */

static autotune_status spoil_all(void) {
    for (int i = 0; i < LENGTH; i++) sums[i] = -1;
    for (int i = 0; i < 4; i++) output[i] = zeroed[i] = -1;
    virtual_ns += 50000;
    return AUTOTUNE_FAILED;
}
Test(buffers, all_are_as_before_when_every_configuration_fails) {
    autotune_result result;
    fill_sums();
    for (int i = 0; i < 4; i++) output[i] = zeroed[i] = 10 + i;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, ((void)id, spoil_all()), .backend = virtual_backend(), .result = &result,
             .restore = BUFFERS({sums, sizeof sums}), .zero = BUFFERS({zeroed, sizeof zeroed}),
             .outputs = BUFFERS({output, sizeof output}));
    cr_assert_eq(result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert(sums_are_as_before());
    for (int i = 0; i < 4; i++) cr_assert(output[i] == 10 + i && zeroed[i] == 10 + i);
}

static int32_t lost, found;
static const void *not_copied;
static autotune_status copy_but_one(autotune_backend *self, void *to, const void *from, size_t bytes) {
    return to == not_copied ? AUTOTUNE_FAILED : recorded_copy(self, to, from, bytes);
}
static void overwrite_both(void) {
    lost = found = -1;
    virtual_ns += 1000;
}
Test(buffers, no_call_is_made_where_one_buffer_cannot_be_put_back_and_the_others_are) {
    for (int first = 0; first <= 1; first++) {
        autotune_backend backend = *recording_backend();
        autotune_result result;
        size_t launches = 0;
        backend.copy = copy_but_one;
        not_copied = &lost;
        lost = found = 5;
        AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, (launches += !autotune_trial, (void)id, overwrite_both()),
                 .key = KEY(first), .backend = &backend, .result = &result,
                 .outputs = first ? BUFFERS({&lost, sizeof lost}, {&found, sizeof found})
                                  : BUFFERS({&found, sizeof found}, {&lost, sizeof lost}));
        cr_assert(result.status == AUTOTUNE_ERR_DEVICE && launches == 0);
        cr_assert(strstr(autotune_last_error(), "the buffers could not be put back, so the call was not made"));
        cr_assert(found == 5 && lost == -1);
    }
}

static size_t allocations_left;
static void *allocate_some(autotune_backend *self, size_t bytes) {
    (void)self;
    return allocations_left && allocations_left-- ? malloc(bytes) : NULL;
}
Test(buffers, without_memory_for_a_snapshot_the_first_configuration_is_launched_untuned) {
    for (size_t enough = 0; enough <= 2; enough++) {
        const int call = (int)enough;
        autotune_backend backend = *virtual_backend();
        autotune_result result;
        backend.allocate = allocate_some;
        allocations_left = enough;
        fill_sums();
        recorded = 0;
        AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, accumulate(id, autotune_trial), .key = KEY(call), .backend = &backend,
                 .result = &result, .restore = BUFFERS({sums, sizeof sums}, {restored, sizeof restored}));
        cr_assert(sums_are_as_called_once());
        if (enough == 2)
            cr_assert(result.status == AUTOTUNE_OK && result.tried == 4);
        else {
            cr_assert(result.status == AUTOTUNE_ERR_MEMORY && result.index == 0 && result.launches == 1);
            cr_assert(recorded == 1 && record[0] == 'F');
            cr_assert(contains(autotune_last_error(), "the buffers cannot be saved"), "%s", autotune_last_error());
        }
    }
}

/* ---- Memory that has no addresses -------------------------------------------------------------------------------- */

/* A handle is a number. The next number is another handle. Handles are no addresses. */
enum { HANDLES = 16, FIRST_HANDLE = 64 };
static struct { unsigned char *bytes; size_t size; } held[HANDLES];

static void *hold(size_t bytes) {
    for (uintptr_t i = 0; i < HANDLES; i++) {
        if (held[i].bytes) continue;
        held[i].bytes = calloc(bytes, 1);
        held[i].size = bytes;
        return (void *)(FIRST_HANDLE + i);
    }
    return NULL;
}
static void *held_bytes(const void *handle, size_t offset, size_t bytes) {
    const uintptr_t i = (uintptr_t)handle - FIRST_HANDLE;
    cr_assert(i < HANDLES && held[i].bytes, "%p is no handle", handle);
    cr_assert(offset <= held[i].size && bytes <= held[i].size - offset);
    return held[i].bytes + offset;
}
static void *allocate_handle(autotune_backend *self, size_t bytes) { return (void)self, hold(bytes); }
static void release_handle(autotune_backend *self, void *handle) {
    (void)self;
    free(held_bytes(handle, 0, 0));
    held[(uintptr_t)handle - FIRST_HANDLE].bytes = NULL;
}
static autotune_status copy_handle(autotune_backend *self, void *to, const void *from, size_t bytes) {
    (void)self;
    memcpy(held_bytes(to, 0, bytes), held_bytes(from, 0, bytes), bytes);
    return AUTOTUNE_OK;
}
static autotune_status fill_handle(autotune_backend *self, void *handle, int byte, size_t bytes) {
    (void)self;
    memset(held_bytes(handle, 0, bytes), byte, bytes);
    return AUTOTUNE_OK;
}
static autotune_status read_handle(autotune_backend *self, void *host, const void *handle, size_t offset,
                                   size_t bytes) {
    (void)self;
    memcpy(host, held_bytes(handle, offset, bytes), bytes);
    return AUTOTUNE_OK;
}
static autotune_status write_handle(autotune_backend *self, void *handle, size_t offset, const void *host,
                                    size_t bytes) {
    (void)self;
    memcpy(held_bytes(handle, offset, bytes), host, bytes);
    return AUTOTUNE_OK;
}
static autotune_backend *handle_backend(void) {
    static autotune_backend backend;
    backend = *virtual_backend();
    backend.allocate = allocate_handle;
    backend.release = release_handle;
    backend.copy = copy_handle;
    backend.fill = fill_handle;
    backend.read = read_handle;
    backend.write = write_handle;
    return &backend;
}
/* More than two of the pieces in which outputs are read. Configuration 2 writes a wrong element near the end. */
enum { MANY = 2500000, WRONG_AT = MANY - 10 };
static void launch_on_handles(int id, void *written, void *changed, void *cleared) {
    float *out = held_bytes(written, 0, MANY * sizeof *out);
    int32_t *sum = held_bytes(changed, 0, sizeof *sum), *zero = held_bytes(cleared, 0, sizeof *zero);
    for (int i = 0; i < MANY; i++) out[i] = (float)i;
    if (id == 2) out[WRONG_AT] = -1;
    *sum += 1000;
    *zero += 1;
    virtual_ns += 50000 - 1000 * (uint64_t)id;
}
Test(buffers, memory_may_be_handles) {
    void *const written = hold(MANY * sizeof(float)), *const changed = hold(64), *const cleared = hold(64);
    autotune_result result;
    setenv("AUTOTUNE_LOG", "full", 1);
    autotune_set_log(keep_line, NULL);
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, launch_on_handles(id, written, changed, cleared),
             .backend = handle_backend(), .result = &result, .restore = BUFFERS({changed, 64}),
             .zero = BUFFERS({cleared, 64}), .outputs = BUFFERS({written, MANY * sizeof(float), AUTOTUNE_F32}));
    cr_assert(result.status == AUTOTUNE_OK && result.index == 1 && result.failed == 1, "%s", logged);
    cr_assert(contains(logged, "wrong output: element 2499990 is -1, not 2499990"), "%s", logged);
    cr_assert(*(int32_t *)held_bytes(changed, 0, 4) == 1000 && *(int32_t *)held_bytes(cleared, 0, 4) == 1);
    for (int i = 3; i < HANDLES; i++) cr_assert(!held[i].bytes, "what was allocated is released");
}
/* ---- Lists that are wrong ---------------------------------------------------------------------------------------- */

static unsigned char memory[256];
static int launched_id;
static size_t launched;
static void count_launch(int id) {
    launched_id = id;
    launched++;
    virtual_ns += 50000;
}
static void is_refused(autotune_options o, const char *part, const char *other_part) {
    static int calls;
    const int call = ++calls;
    autotune_result result;
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i * 7);
    launched = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, count_launch(id), .key = KEY(call), .backend = virtual_backend(),
             .result = &result, .restore = o.restore, .zero = o.zero, .outputs = o.outputs);
    cr_assert_eq(result.status, AUTOTUNE_ERR_ARGUMENT, "'%s': status %d", part, (int)result.status);
    cr_assert(launched == 1 && launched_id == 0 && result.launches == 1 && result.index == 0 && result.tried == 0);
    cr_assert(result.verdict == AUTOTUNE_DEFAULT && !result.cache_hit);
    cr_assert(contains(autotune_last_error(), part) && contains(autotune_last_error(), other_part),
              "'%s' does not say '%s' and '%s'", autotune_last_error(), part, other_part);
    cr_assert(contains(autotune_last_error(), "suite_buffers.c:is_refused"), "%s", autotune_last_error());
    for (size_t i = 0; i < sizeof memory; i++)
        cr_assert_eq(memory[i], (unsigned char)(i * 7), "the memory was touched");
}
Test(buffers, wrong_lists_are_named_and_nothing_is_tuned) {
    unsigned char *const m = memory;
    is_refused((autotune_options){.restore = BUFFERS({NULL, 8})}, "buffer 1 of .restore", "NULL");
    is_refused((autotune_options){.zero = BUFFERS({m, 8}, {NULL, 8})}, "buffer 2 of .zero", "NULL");
    is_refused((autotune_options){.outputs = BUFFERS({NULL, 8})}, "buffer 1 of .outputs", "NULL");
    is_refused((autotune_options){.restore = BUFFERS({m, 0})}, "buffer 1 of .restore", "0 bytes");
    is_refused((autotune_options){.restore = BUFFERS({m, (size_t)-8})}, "buffer 1 of .restore", "a negative number");
    is_refused((autotune_options){.outputs = BUFFERS({m, 10, AUTOTUNE_F32})}, "buffer 1 of .outputs", "no multiple");
    is_refused((autotune_options){.outputs = BUFFERS({m, 12, AUTOTUNE_U64})}, "buffer 1 of .outputs", "no multiple");
    is_refused((autotune_options){.outputs = BUFFERS({m, 8, AUTOTUNE_STRING})}, "buffer 1 of .outputs", "element type");
    is_refused((autotune_options){.outputs = BUFFERS({m, 8, AUTOTUNE_F32, -1e-3})}, "buffer 1 of .outputs",
               "tolerance");
    is_refused((autotune_options){.outputs = BUFFERS({m, 8, AUTOTUNE_F32, NAN})}, "buffer 1 of .outputs", "tolerance");
    is_refused((autotune_options){.outputs = BUFFERS({m, 8, AUTOTUNE_F32, INFINITY})}, "buffer 1 of .outputs",
               "tolerance");
}

Test(buffers, a_list_counts_to_eight) {
    autotune_options options = {0};
    for (size_t i = 0; i < AUTOTUNE_MAX_BUFFERS; i++)
        options.zero.at[i] = (autotune_buffer){.memory = memory + 8 * i, .bytes = 8};
    options.zero.count = AUTOTUNE_MAX_BUFFERS + 1;
    is_refused(options, ".zero", "more than 8 buffers");
    options.zero.count = SIZE_MAX;
    is_refused(options, ".zero", "more than 8 buffers");
}

Test(buffers, a_list_without_its_count) { /* this list is written without BUFFERS: .restore = {{{memory, 16}}} */
    autotune_options options = {0};
    options.restore.at[0] = (autotune_buffer){.memory = memory, .bytes = 16};
    is_refused(options, ".restore", "a count of 0: make it with BUFFERS({pointer, bytes})");
}

Test(buffers, neighbours_do_not_overlap) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, 2, 1)), 1, count_launch(id), .backend = virtual_backend(), .result = &result,
             .restore = BUFFERS({memory, 16}, {memory + 16, 16}), .zero = BUFFERS({memory + 32, 16}),
             .outputs = BUFFERS({memory + 40, 16}, {memory, 16}));
    cr_assert_eq(result.status, AUTOTUNE_OK);
    cr_assert_eq(result.tried, 3u);
}

/* ---- Leaving the body in the middle of a trial ------------------------------------------------------------------- */

/* How the body is left. The launch first writes all bytes except those from `written` up to `resumed`. */
typedef enum way { BY_BREAK, BY_RETURN, BY_GOTO, WAYS } way;
typedef struct leaving {
    unsigned char *memory;
    size_t bytes, written, resumed;
    autotune_type type;
    way way;
} leaving;
static int leavings;

/* Writes the complement of each byte, so each written byte differs from its poison. */
static void leave_after_writing(const leaving *l, unsigned char *kept) {
    const int call = ++leavings;
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 0, 1)), .key = KEY(call), .backend = virtual_backend(),
                   .outputs = BUFFERS({l->memory, l->bytes, l->type})) {
        (void)id;
        for (size_t i = 0; i < l->bytes; i++)
            if (i < l->written || i >= l->resumed) kept[i] = l->memory[i] = (unsigned char)~l->memory[i];
        if (l->way == BY_BREAK) break;
        if (l->way == BY_RETURN) return;
        if (l->way == BY_GOTO) goto out;
    }
out:
    return;
}
static void left_memory_is_right(autotune_type type, size_t bytes, size_t written, size_t resumed, way how) {
    unsigned char left[64], kept[64], before[64];
    for (size_t i = 0; i < bytes; i++) left[i] = before[i] = (unsigned char)(i * 37 + 11);
    leave_after_writing(&(leaving){left, bytes, written, resumed, type, how}, kept);
    for (size_t i = 0; i < bytes; i++) {
        const bool was_written = i < written || i >= resumed;
        cr_assert(left[i] == (was_written ? kept[i] : before[i]),
                  "type %d, %zu of %zu bytes written, way %d: byte %zu is %s", (int)type, written, bytes, (int)how, i,
                  was_written ? "not what was written" : "not what it was");
    }
}

Test(buffers, what_was_written_before_leaving_stays_and_typed_elements_that_were_not_come_back) {
    static const struct {
        autotune_type type;
        size_t size;
    } types[] = {{AUTOTUNE_I8, 1},  {AUTOTUNE_U16, 2},  {AUTOTUNE_I32, 4}, {AUTOTUNE_U64, 8},
                 {AUTOTUNE_F16, 2}, {AUTOTUNE_BF16, 2}, {AUTOTUNE_F32, 4}, {AUTOTUNE_F64, 8}};
    setenv("AUTOTUNE_LOG", "off", 1);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t elements = 1; elements <= 5; elements++)
            for (size_t written = 0; written <= elements; written++)
                for (way how = BY_BREAK; how < WAYS; how++)
                    left_memory_is_right(types[t].type, elements * types[t].size, written * types[t].size,
                                         elements * types[t].size, how);
}

Test(buffers, untyped_bytes_that_were_not_written_come_back) {
    setenv("AUTOTUNE_LOG", "off", 1);
    for (size_t bytes = 1; bytes <= 40; bytes++)
        for (size_t written = 0; written <= bytes; written++)
            for (way how = BY_BREAK; how < WAYS; how++)
                left_memory_is_right(AUTOTUNE_BYTES, bytes, written, bytes, how);
}
Test(buffers, four_untyped_bytes_in_the_middle_come_back_and_every_typed_element) {
    setenv("AUTOTUNE_LOG", "off", 1);
    left_memory_is_right(AUTOTUNE_BYTES, 40, 10, 14, BY_BREAK);
    left_memory_is_right(AUTOTUNE_I8, 40, 10, 11, BY_BREAK);
    left_memory_is_right(AUTOTUNE_U16, 40, 10, 12, BY_BREAK);
}

Test(buffers, what_was_not_written_of_a_large_output_comes_back_too) {
    static const autotune_type types[] = {AUTOTUNE_I32, AUTOTUNE_BYTES};
    unsigned char *left = malloc(LARGE), *kept = malloc(LARGE);
    cr_assert(left && kept);
    setenv("AUTOTUNE_LOG", "off", 1);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        memset(left, 7, LARGE);
        leave_after_writing(&(leaving){left, LARGE, 4096, LARGE, types[t], BY_BREAK}, kept);
        cr_assert(!memcmp(left, kept, 4096));
        for (size_t i = 4096; i < LARGE; i++) cr_assert(left[i] == 7, "type %d: byte %zu", (int)types[t], i);
    }
    free(left), free(kept);
}

/* The body is left in a later launch, whose outputs are not poisoned. All that this launch did stays. */
Test(buffers, leaving_a_launch_that_was_not_poisoned_keeps_all_it_did) {
    autotune_result result;
    int trial = 0;
    unsigned char left[24];
    memset(left, 1, sizeof left);
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 0, 1)), .backend = virtual_backend(), .result = &result,
                   .outputs = BUFFERS({left, sizeof left})) {
        (void)id;
        virtual_ns += 50000;
        trial++;
        memset(left, trial < 5 ? 2 : 3, 12);
        if (trial == 5) break;
        memset(left + 12, 4, 12);
    }
    cr_assert_eq(result.status, AUTOTUNE_ERR_LEFT);
    for (int i = 0; i < 24; i++) cr_assert_eq(left[i], i < 12 ? 3 : 4);
}

Test(buffers, leaving_keeps_what_the_launch_did_to_restored_memory) {
    autotune_result result;
    int value[3] = {5, 6, 7}, trial = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(id, 0, 1)), .backend = virtual_backend(), .result = &result,
                   .restore = BUFFERS({value, sizeof value})) {
        (void)id;
        virtual_ns += 50000;
        value[0] += 10;
        if (++trial == 4) break;
        value[1] += 10;
    }
    cr_assert_eq(result.status, AUTOTUNE_ERR_LEFT);
    cr_assert(value[0] == 15 && value[1] == 6 && value[2] == 7, "%d %d %d", value[0], value[1], value[2]);
}
