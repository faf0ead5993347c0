/* suite_online.c - mode ONLINE: each call runs one configuration, once, for real, until the winner is found. The rule
   alone is in rooms/floor_online.c. */
#include "expect.h"
#include "fork.h"
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

enum { CONFIGURATIONS = 12, BEST = 7 };
static size_t launches, launches_of[CONFIGURATIONS];
static size_t sum; /* each call adds to it, so a repeated call would show */
static int last_id;
static autotune_status answer_of[CONFIGURATIONS];

/* unlucky: the first call of this configuration is interrupted; slow: each call of this one takes 20 times as long */
static int unlucky = -1, slow = -1;
static bool busy;                    /* the machine interrupts one call of 25 */
/* change_ns: a call takes so much longer if the call before had another id; build_ns: so does the first call of an
   id */
static uint64_t change_ns, build_ns;
static bool tires;                   /* from its third call in a row on, each id but the first is slow */
static size_t period;                /* one call of `period` calls has three times the work */

static uint64_t step_ns = 50000; /* the difference between neighbouring configurations */
static uint64_t cost_of(int id) { return 1000000 + step_ns * (uint64_t)abs(id - BEST); }
static bool is_long(int id) {
    return id == slow || (id == unlucky && launches_of[id] == 1) || (busy && launches % 25 == 0);
}
static autotune_status launch(int id, double work) {
    static size_t in_row;
    const bool heavy = period && launches % period == 0;
    in_row = id == last_id ? in_row + 1 : 1;
    virtual_ns += launches && id != last_id ? change_ns : 0;
    virtual_ns += launches_of[id] || !id ? 0 : build_ns;
    launches++;
    launches_of[id]++;
    last_id = id;
    virtual_ns += (uint64_t)((double)cost_of(id) * work) * (is_long(id) ? 20 : 1);
    virtual_ns += heavy ? 2 * cost_of(0) : 0;
    virtual_ns -= tires && id && in_row <= 2 ? 30000 : 0;
    virtual_ns += tires && id && in_row > 2 ? 200000 : 0;
    if (answer_of[id] == AUTOTUNE_OK) sum++;
    return answer_of[id];
}
static autotune_result call_with(int key, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGURATIONS - 1, 1)), 1, launch(id, o.work > 0 ? o.work : 1), .name = "online",
             .key = KEY(key), .mode = o.mode, .backend = virtual_backend(), .result = &result, .work = o.work,
             .max_loss = o.max_loss, .max_seconds = o.max_seconds, .verify = o.verify, .user = o.user,
             .restore = o.restore, .setup = o.setup, .max_trials = o.max_trials, .margin = o.margin,
             .cache = AUTOTUNE_CACHE_OFF);
    return result;
}
static autotune_result call(int key) { return call_with(key, (autotune_options){.mode = AUTOTUNE_ONLINE}); }
Test(online, the_result_of_each_call_counts_what_is_refused) {
    autotune_result result;
    do {
        AUTOTUNE(SPACE(RANGE(id, 0, 5, 1), WHERE(id % 3)), 1, launch(id, 1), .mode = AUTOTUNE_ONLINE, .name = "refuses",
                 .backend = virtual_backend(), .cache = AUTOTUNE_CACHE_OFF, .result = &result);
        cr_assert(result.refused == 2 && result.space_size == 4);
    } while (!result.cache_hit);
}
/* Calls until the winner is known. Returns the number of calls. */
static size_t settle(int key, autotune_options o) {
    size_t calls = 0;
    while (calls < 5000 && !call_with(key, o).cache_hit) calls++;
    return calls;
}

/* ---- Each call is real ------------------------------------------------------------------------------------------- */

Test(online, each_call_runs_one_configuration_once) {
    size_t calls = 0;
    autotune_result result;
    do {
        const size_t before = launches;
        result = call(1);
        calls++;
        cr_assert_eq(launches, before + 1);
        cr_assert_eq(sum, calls);
        cr_assert_eq(result.status, AUTOTUNE_OK);
        cr_assert_eq(result.launches, 1u);
        cr_assert_eq((int)result.index, last_id);
        cr_assert_eq(autotune_get_int(&result.config, "id"), last_id);
        cr_assert(result.cache_hit || result.verdict == AUTOTUNE_ONGOING);
    } while (!result.cache_hit && calls < 5000);
    cr_assert(result.cache_hit && result.verdict == AUTOTUNE_SEPARATED && (int)result.index == BEST);
    for (int id = 0; id < CONFIGURATIONS; id++) cr_assert(launches_of[id] >= 1, "%d was tried", id);
    for (int i = 0; i < 100; i++) {
        result = call(1);
        cr_assert(result.cache_hit && last_id == BEST, "an ordinary hit");
    }
    cr_assert_eq(sum, calls + 100);
}
Test(online, the_first_calls_are_those_of_the_first_configuration) {
    for (int i = 0; i < 5; i++) {
        const autotune_result result = call(1);
        cr_assert(last_id == 0 && result.space_size == CONFIGURATIONS && result.tried == 1);
    }
}
Test(online, the_loss_is_bounded_and_becomes_a_gain) {
    uint64_t first = 0;
    autotune_result result;
    double least = 0;
    while (!(result = call_with(1, (autotune_options){.mode = AUTOTUNE_ONLINE, .max_seconds = 1e-3})).cache_hit) {
        first += cost_of(0);
        cr_assert((double)virtual_ns <= 1.05 * (double)first + 1e6 + 2e6);
        if (result.loss_seconds < least) least = result.loss_seconds;
    }
    cr_assert_lt(least, 0, "the best is a third faster");
}
Test(online, what_trials_do_is_not_done) {
    static int content;
    autotune_options o = {.mode = AUTOTUNE_ONLINE};
    size_t calls = 0;
    o.restore.at[0] = (autotune_buffer){&content, sizeof content, AUTOTUNE_BYTES, 0};
    o.restore.count = 1;
    for (content = 0; calls < 200; calls++) {
        const int before = content++;
        (void)call_with(1, o);
        cr_assert_eq(content, before + 1, "nothing is put back");
    }
}
static size_t verified;
static bool refuses_the_best(void *user, const autotune_config *config) {
    cr_assert_eq(autotune_get_int(config, "id"), last_id);
    verified++;
    return last_id != *(int *)user;
}
Test(online, verify_is_asked_after_the_first_call_of_each) {
    int refused = BEST;
    size_t refusals = 0;
    autotune_result result;
    do {
        result = call_with(1, (autotune_options){.mode = AUTOTUNE_ONLINE, .verify = refuses_the_best,
                                                 .user = &refused});
        if (result.status == AUTOTUNE_FAILED) refusals++;
        cr_assert_eq(result.status == AUTOTUNE_FAILED, last_id == BEST);
    } while (!result.cache_hit);
    cr_assert(refusals == 1 && launches_of[BEST] == 1 && verified == CONFIGURATIONS);
    cr_assert((int)result.index == BEST - 1 || (int)result.index == BEST + 1);
}
Test(online, work_is_divided_out) {
    size_t calls = 0;
    autotune_result result;
    do result = call_with(1, (autotune_options){.mode = AUTOTUNE_ONLINE, .work = (double)(calls % 7 + 1)});
    while (!result.cache_hit && ++calls < 5000);
    cr_assert((int)result.index == BEST && calls < 1000);
}
Test(online, at_most_max_trials_configurations_are_tried) {
    size_t tried = 0;
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE, .max_trials = 4});
    for (int id = 0; id < CONFIGURATIONS; id++) tried += launches_of[id] > 0;
    cr_assert_eq(tried, 4u);
    cr_assert_eq(call(1).verdict, AUTOTUNE_UNRESOLVED, "not all were tried");
}

/* The first configuration takes longer than the best, by the share `longer`. */
static autotune_result settle_near_tie(int key, double longer, double margin) {
    step_ns = (uint64_t)(longer * 1e6 / BEST);
    *logged = 0;
    cr_assert_lt(settle(key, (autotune_options){.mode = AUTOTUNE_ONLINE, .margin = margin}), 5000u);
    const autotune_result result = call(key);
    cr_assert(result.cache_hit && (int)result.index == last_id);
    return result;
}
Test(online, within_the_margin_the_first_configuration_stays_in_use) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    for (int percent = 5; percent <= 8; percent += 3) {
        const autotune_result result = settle_near_tie(percent, percent / 100.0, 0.1);
        cr_assert(result.index == 0 && result.verdict == AUTOTUNE_TIE, "%d %%: %zu, verdict %d", percent, result.index,
                  (int)result.verdict);
        cr_assert(!contains(logged, "calls uses id="), "%s", logged);
    }
}
Test(online, beyond_the_margin_the_best_comes_into_use) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    for (int percent = 5; percent <= 8; percent += 3) {
        const autotune_result result = settle_near_tie(percent, percent / 100.0, 0);
        cr_assert((int)result.index == BEST && result.verdict == AUTOTUNE_SEPARATED, "%d %%: %zu, verdict %d", percent,
                  result.index, (int)result.verdict);
        cr_assert(percent == 5 || contains(logged, "calls uses id="), "%s", logged);
    }
}

/* ---- Interrupted calls ------------------------------------------------------------------------------------------- */

Test(online, one_call_that_was_interrupted_does_not_exclude_the_best) {
    busy = true;
    unlucky = BEST;
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    const autotune_result result = call(1);
    cr_assert(result.cache_hit && (int)result.index == BEST && last_id == BEST, "index %d", (int)result.index);
    cr_assert(result.verdict == AUTOTUNE_SEPARATED && launches_of[BEST] > 60);
}
Test(online, what_is_slow_is_excluded_by_its_second_call) {
    busy = true;
    slow = 3;
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    const autotune_result result = call(1);
    cr_assert(result.cache_hit && last_id == BEST && result.verdict == AUTOTUNE_SEPARATED, "index %zu, verdict %d",
              result.index, (int)result.verdict);
    cr_assert_eq(launches_of[slow], 2u);
}
Test(online, where_no_call_is_interrupted_two_calls_exclude) {
    slow = 3;
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    cr_assert(call(1).cache_hit && last_id == BEST);
    cr_assert_leq(launches_of[slow], 2u);
}

/* ---- Calls that are not alike ------------------------------------------------------------------------------------ */

/* The figures until the winner is known. beyond_s: by how many seconds the loss exceeded its bound at most; the longest
   call is part of the bound. lost_s: the true loss in seconds. The first id takes twice as long as the best. */
typedef struct account { autotune_result last; size_t calls; double beyond_s, lost_s; } account;
static account settle_beside_truth(int key, autotune_options o) {
    account a = {.beyond_s = -HUGE_VAL};
    double spent = 0, first = 0, longest = 0;
    o.mode = AUTOTUNE_ONLINE;
    step_ns = 1000000 / BEST;
    for (; a.calls < 20000 && !a.last.cache_hit; a.calls++) {
        const uint64_t from = virtual_ns;
        const bool heavy = period && launches % period == 0;
        a.lost_s = (spent - first) / 1e9;
        a.last = call_with(key, o);
        const double took = (double)(virtual_ns - from);
        spent += took;
        first += (double)cost_of(0) * (heavy ? 3 : 1);
        if (took > longest) longest = took;
        const double beyond = spent - 1.05 * first - longest - (double)change_ns;
        if (beyond / 1e9 - (o.max_seconds > 0 ? o.max_seconds : 0.1) > a.beyond_s)
            a.beyond_s = beyond / 1e9 - (o.max_seconds > 0 ? o.max_seconds : 0.1);
    }
    return a;
}
static bool is_about(double told, double truth) { return fabs(told - truth) <= 0.1 * fabs(truth) + 4e-3; }
Test(online, a_change_of_configuration_is_charged_to_the_bound_and_to_no_configuration) {
    static const double changes[] = {0.25, 0.75, 1, 2, 5, 10}; /* as a share of a call of the first id */
    for (int i = 0; i < 6; i++) {
        change_ns = (uint64_t)(2e6 * changes[i]);
        const account a = settle_beside_truth(i, (autotune_options){.max_seconds = 1});
        cr_assert(a.last.cache_hit && (int)a.last.index == BEST, "%g: %zu", changes[i], a.last.index);
        cr_assert(a.beyond_s <= 0 && a.calls < 1000, "%g: %g s, %zu calls", changes[i], a.beyond_s, a.calls);
        cr_assert(is_about(a.last.loss_seconds, a.lost_s), "%g: %g, and %g", changes[i], a.last.loss_seconds, a.lost_s);
        cr_assert(a.last.verdict == AUTOTUNE_SEPARATED && !a.last.note, "%g: %s", changes[i], a.last.note);
    }
}
Test(online, what_a_first_call_builds_is_charged_once_and_to_no_configuration) {
    static const double steps[] = {12, 40, 60};
    for (int i = 0; i < 3; i++) {
        build_ns = (uint64_t)(2e6 * steps[i]);
        memset(launches_of, 0, sizeof launches_of);
        const account a = settle_beside_truth(i, (autotune_options){.max_seconds = 1});
        cr_assert(a.last.cache_hit && (int)a.last.index == BEST, "%g: %zu", steps[i], a.last.index);
        cr_assert(a.beyond_s <= 0 && a.last.verdict == AUTOTUNE_SEPARATED, "%g: %g s", steps[i], a.beyond_s);
        cr_assert(is_about(a.last.loss_seconds, a.lost_s), "%g: %g, and %g", steps[i], a.last.loss_seconds, a.lost_s);
    }
}
Test(online, where_the_bound_admits_few_configurations_the_end_says_so) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    build_ns = 1000000000;
    const account a = settle_beside_truth(1, (autotune_options){.max_seconds = 1e-3});
    cr_assert(a.last.cache_hit && a.last.verdict == AUTOTUNE_UNRESOLVED && a.calls < 20000, "%zu", a.calls);
    cr_assert(a.beyond_s <= 0 && a.last.tried < CONFIGURATIONS);
    cr_assert(contains(a.last.note, "since .max_loss and .max_seconds admit no more"));
    cr_assert(contains(logged, "since .max_loss and .max_seconds admit no more"), "%s", logged);
}
Test(online, light_and_heavy_calls_in_turn) {
    for (period = 2; period <= 5; period++) {
        const account a = settle_beside_truth((int)period, (autotune_options){0});
        cr_assert(a.last.cache_hit && (int)a.last.index == BEST, "%zu: %zu", period, a.last.index);
        cr_assert(a.beyond_s <= 0, "%zu: %g s", period, a.beyond_s);
        cr_assert(contains(a.last.note, "say in .work how much"), "%zu: %s", period, a.last.note);
    }
    period = 0;
    cr_assert_null(settle_beside_truth(9, (autotune_options){0}).last.note, "where all are alike");
}
/* Each id but the first is faster in two calls in a row, and slower from the third on. So again and again one of them
   comes into use, and the first id replaces it. The log reports this once. */
Test(online, the_log_says_the_same_once) {
    size_t lines = 0;
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    tires = true;
    step_ns = 0;
    for (int i = 0; i < 600; i++) (void)call(1);
    for (const char *at = logged; (at = strstr(at, "it was faster in calls beside")); at++) lines++;
    cr_assert_eq(lines, 1u, "%s", logged);
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

Test(online, what_is_rejected_is_made_again_in_the_same_call) {
    size_t calls = 0;
    autotune_result result;
    answer_of[3] = answer_of[BEST] = AUTOTUNE_REJECTED;
    do {
        result = call(1);
        calls++;
        cr_assert_eq(result.status, AUTOTUNE_OK);
        cr_assert_eq(sum, calls, "each call has its effect once");
    } while (!result.cache_hit && calls < 5000);
    cr_assert(launches_of[3] == 1 && launches_of[BEST] == 1 && (int)result.index != BEST);
}
Test(online, the_first_configuration_may_be_rejected) {
    answer_of[0] = answer_of[1] = AUTOTUNE_REJECTED;
    cr_assert_eq(call(1).status, AUTOTUNE_OK);
    cr_assert(sum == 1 && last_id > 1);
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    cr_assert((int)call(1).index == BEST && launches_of[0] == 1);
}
Test(online, what_failed_is_returned_and_not_tried_again) {
    size_t failures = 0;
    autotune_result result;
    autotune_set_log(keep_line, NULL);
    answer_of[BEST] = AUTOTUNE_FAILED;
    do {
        const size_t before = launches;
        result = call(1);
        failures += result.status == AUTOTUNE_FAILED;
        cr_assert_eq(launches, before + 1);
    } while (!result.cache_hit);
    cr_assert(failures == 1 && launches_of[BEST] == 1 && (int)result.index != BEST);
    cr_assert(contains(logged, "online [key=1]: the launch failed"), "%s", logged);
}
Test(online, what_is_in_use_may_fail_later) {
    for (int i = 0; i < 30; i++) (void)call(1);
    const int used = last_id;
    answer_of[used] = AUTOTUNE_FAILED;
    for (int i = 0, failures = 0; i < 60; i++) {
        failures += call(1).status == AUTOTUNE_FAILED;
        cr_assert_leq(failures, 1);
    }
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    cr_assert_neq((int)call(1).index, used);
}
Test(online, where_all_are_rejected_the_status_says_so) {
    for (int id = 0; id < CONFIGURATIONS; id++) answer_of[id] = AUTOTUNE_REJECTED;
    cr_assert_eq(call(1).status, AUTOTUNE_REJECTED);
    cr_assert(launches == CONFIGURATIONS && sum == 0);
    memset(answer_of, 0, sizeof answer_of);
    cr_assert_eq(call(1).status, AUTOTUNE_OK, "the next call begins anew");
}
static size_t left; /* how many calls left the body */
static void leave_by_break(autotune_result *result) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 5, 1)), .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = result,
                   .cache = AUTOTUNE_CACHE_OFF) {
        (void)launch(id, 1);
        if (id == 3 || id == 4) { left++; break; }
    }
}
static void leave_by_return(autotune_result *result) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 5, 1)), .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = result,
                   .cache = AUTOTUNE_CACHE_OFF) {
        (void)launch(id, 1);
        if (id == 3 || id == 4) { left++; return; }
    }
}
static void leaves_its_body(void (*call_and_leave)(autotune_result *)) {
    size_t calls = 0;
    autotune_result result = {.status = AUTOTUNE_OK};
    autotune_set_log(keep_line, NULL);
    do {
        call_and_leave(&result);
        calls++;
        cr_assert(result.status != AUTOTUNE_ERR_LEFT || result.seconds == 0, "its time is not known");
    } while (!result.cache_hit && calls < 5000);
    cr_assert(left == 2 && result.index == 0 && result.verdict == AUTOTUNE_DEFAULT);
    cr_assert(logged_lines[AUTOTUNE_LOG_ERRORS] == left && contains(logged, "left the body"), "%s", logged);
}
Test(online, a_body_that_is_left_fails_its_configuration_twice_at_most) { leaves_its_body(leave_by_break); }
Test(online, a_body_that_is_left_by_return_fails_its_configuration_twice_at_most) { leaves_its_body(leave_by_return); }

/* ---- Modes, options, the environment ----------------------------------------------------------------------------- */

static bool author_mode_stays(autotune_mode mode) {
    const autotune_result result = call_with((int)mode, (autotune_options){.mode = mode});
    return result.verdict != AUTOTUNE_ONGOING;
}
Test(online, the_environment_sets_it_for_a_whole_program) {
    setenv("AUTOTUNE_MODE", "online", 1);
    cr_assert_eq(call_with(1, (autotune_options){.mode = AUTOTUNE_ON}).verdict, AUTOTUNE_ONGOING);
    cr_assert_eq(call_with(2, (autotune_options){.mode = AUTOTUNE_FORCE}).verdict, AUTOTUNE_ONGOING);
    cr_assert(author_mode_stays(AUTOTUNE_OFF) && author_mode_stays(AUTOTUNE_CACHED) &&
              author_mode_stays(AUTOTUNE_REQUIRE));
    cr_assert_leq(launches, 4u);
}
Test(online, the_environment_adds_no_launches_to_it) {
    setenv("AUTOTUNE_MODE", "on", 1);
    cr_assert_eq(call(1).verdict, AUTOTUNE_ONGOING);
    cr_assert_eq(launches, 1u);
}
Test(online, wrong_options_are_told) {
    autotune_set_log(keep_line, NULL);
    cr_assert_eq(call_with(1, (autotune_options){.mode = AUTOTUNE_ONLINE, .max_loss = -1}).status,
                 AUTOTUNE_ERR_ARGUMENT);
    cr_assert(contains(logged, ".max_loss is -1"));
    cr_assert_eq(call_with(2, (autotune_options){.mode = AUTOTUNE_ONLINE, .work = -2}).status, AUTOTUNE_ERR_ARGUMENT);
    cr_assert(contains(autotune_last_error(), ".work is -2"));
    cr_assert(launches == 2 && last_id == 0);
    cr_assert_eq(call(3).status, AUTOTUNE_OK); /* this call begins the race */
    const autotune_result odd = call_with(3, (autotune_options){.mode = AUTOTUNE_ONLINE, .work = -3});
    cr_assert(odd.status == AUTOTUNE_ERR_ARGUMENT && odd.seconds > 0, "it is measured");
    cr_assert(contains(autotune_last_error(), ".work is -3: it is a number above 0; the earlier value counts"));
    cr_assert_eq(call(3).status, AUTOTUNE_OK);
    cr_assert_eq(launches, 5u);
}
Test(online, a_space_that_is_too_large_to_be_listed_is_told) {
    autotune_result result;
    int called = 0;
    for (int i = 0; i < 2; i++) {
        AUTOTUNE(SPACE(RANGE(a, 1, AUTOTUNE_MAX_POINTS, 1), AXIS(b, 1, 2)), 1, (void)(called += a == 1 && b == 1),
                 .backend = virtual_backend(), .mode = AUTOTUNE_ONLINE, .result = &result);
        cr_assert(result.status == AUTOTUNE_ERR_ARGUMENT && called == i + 1);
        cr_assert(contains(autotune_last_error(), "more than AUTOTUNE_MAX_POINTS (2^24) points: give fewer values"));
        cr_assert(contains(autotune_last_error(), "the first configuration is launched untuned"));
    }
}
Test(online, the_log_tells_when_it_begins_changes_and_ends) {
    setenv("AUTOTUNE_LOG", "winner", 1);
    autotune_set_log(keep_line, NULL);
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    cr_assert(contains(logged, "online [key=1]: online tuning of 12 configurations begins with id=0"), "%s", logged);
    cr_assert(contains(logged, "calls uses id="), "%s", logged);
    cr_assert(contains(logged, ": both of its calls were faster"), "%s", logged);
    cr_assert(contains(logged, "online [key=1]: id=7: 1.000 ms"), "%s", logged);
}
static autotune_status begins(autotune_backend *self) { (void)self; return AUTOTUNE_OK; }
static autotune_status ends(autotune_backend *self, double *ns) { (void)self; *ns = 1; return AUTOTUNE_OK; }
Test(online, a_device_with_a_clock_of_its_own_is_refused_in_a_sentence) {
    autotune_result result;
    autotune_backend device = *virtual_backend();
    autotune_set_log(keep_line, NULL);
    device.prepare = NULL;
    device.open = NULL;
    device.start = NULL;
    cr_assert_eq(device.stop, NULL);
    device.start = begins;
    device.stop = ends;
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, launch(id, 1), .mode = AUTOTUNE_ONLINE, .backend = &device,
             .result = &result);
    cr_assert(result.status == AUTOTUNE_ERR_ARGUMENT && launches == 1 && last_id == 0);
    cr_assert(contains(logged, "mode ONLINE needs a backend whose clock is now() alone"), "%s", logged);
}
/* ---- A device for which no thread waits -------------------------------------------------------------------------- */

/* A device with its own clock, which is `depth` launches behind the calls. It is an error if a time is not asked for in
   time, or if its number is not in use. */
enum { DEPTH = 5 };
static struct {
    uint64_t ns;                       /* the time of its clock */
    size_t made, depth;                /* how many launches were made, and how many of the last have not run yet */
    bool clocks;                       /* the present launches are clocked */
    bool sees_no_launch;               /* but the device sees no launch */
    autotune_status late[CONFIGURATIONS]; /* the status of a launch, which is seen later */
    struct { bool open, ended; uint64_t began, took; size_t made; int id; } calls[AUTOTUNE_MOST_OPEN];
    int entered, place, refuses, unprepared;
    size_t asked, closed, most_open;
} device;
static autotune_status device_launch(int id) {
    launches++;
    launches_of[id]++;
    last_id = id;
    cr_assert(device.clocks || launches_of[id] > 1, "what is tried is measured");
    if (answer_of[id] != AUTOTUNE_OK) return answer_of[id];
    sum++;
    device.made++;
    device.ns += cost_of(id);
    return AUTOTUNE_OK;
}
static autotune_status device_enter(autotune_backend *self, void *place) {
    cr_assert(self->user == &device && place == &device.place && !device.entered);
    if (device.refuses) return AUTOTUNE_REJECTED;
    device.entered++;
    return AUTOTUNE_OK;
}
static void device_leave(autotune_backend *self) {
    (void)self;
    cr_assert_eq(device.entered--, 1);
}
static void *device_place(autotune_backend *self) { (void)self; return &device.place; }
static autotune_status device_clock(autotune_backend *self, size_t number, bool ended) {
    cr_assert(device.entered && number < AUTOTUNE_MOST_OPEN && self->user == &device);
    size_t open = 0;
    device.clocks = !ended;
    if (!ended) {
        cr_assert(!device.calls[number].open, "number %zu is in use", number);
        device.calls[number].ended = false;
        device.calls[number].began = device.ns;
        return AUTOTUNE_OK;
    }
    if (device.sees_no_launch) {
        autotune_explain("nothing was launched");
        return AUTOTUNE_FAILED;
    }
    device.calls[number].ended = true;
    device.calls[number].took = device.ns - device.calls[number].began;
    device.calls[number].made = device.made;
    device.calls[number].id = last_id;
    device.calls[number].open = answer_of[last_id] == AUTOTUNE_OK;
    for (int i = 0; i < AUTOTUNE_MOST_OPEN; i++) open += device.calls[i].open;
    if (open > device.most_open) device.most_open = open;
    return AUTOTUNE_OK;
}
static autotune_status device_ask(autotune_backend *self, size_t number, double *ns) {
    (void)self;
    device.asked++;
    cr_assert(device.calls[number].open && device.calls[number].ended);
    *ns = -1;
    if (device.made < device.calls[number].made + device.depth) return AUTOTUNE_OK;
    device.calls[number].open = false;
    *ns = (double)device.calls[number].took;
    const autotune_status late = device.late[device.calls[number].id];
    if (late != AUTOTUNE_OK) autotune_explain("it broke on the device");
    if (late == AUTOTUNE_ERR_DEVICE) memset(device.calls, 0, sizeof device.calls);
    return late;
}
static autotune_error_class device_classify(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE : AUTOTUNE_ERROR_CONFIGURATION;
}
static bool device_is_prepared(autotune_backend *self, size_t index) {
    (void)self;
    return (int)index != device.unprepared;
}
static autotune_backend *device_open(autotune_backend *self, void *place, const autotune_options *o) {
    (void)o;
    cr_assert_eq(place, &device.place);
    return self;
}
static void device_close(autotune_backend *self) { (void)self; device.closed++; }
static autotune_backend *a_device(void) {
    static autotune_backend backend;
    if (backend.user) return &backend;
    backend = *virtual_backend();
    backend.device = "behind";
    backend.user = &device;
    backend.start = begins, backend.stop = ends;
    backend.place = device_place, backend.open = device_open, backend.close = device_close;
    backend.enter = device_enter, backend.leave = device_leave, backend.classify = device_classify;
    backend.clock_call = device_clock, backend.ask = device_ask, backend.is_prepared = device_is_prepared;
    device.unprepared = -1;
    if (!device.depth) device.depth = DEPTH;
    return &backend;
}
static autotune_result call_device(int key, autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGURATIONS - 1, 1)), 1, device_launch(id), .name = "behind", .key = KEY(key),
             .mode = AUTOTUNE_ONLINE, .backend = a_device(), .verify = o.verify, .user = o.user, .result = &result,
             .cache = AUTOTUNE_CACHE_OFF);
    cr_assert(!device.entered);
    return result;
}
static autotune_result settle_device(int key) {
    static const autotune_options none;
    autotune_result result = call_device(key, none);
    for (size_t calls = 1; !result.cache_hit && calls < 5000; calls++) {
        const size_t before = launches;
        result = call_device(key, none);
        cr_assert(launches == before + 1 || answer_of[last_id] != AUTOTUNE_OK || result.launches > 1);
    }
    return result;
}
Test(online, what_a_device_took_is_asked_for_later) {
    const autotune_result result = settle_device(1);
    cr_assert(result.cache_hit && (int)result.index == BEST && result.verdict == AUTOTUNE_SEPARATED, "%d: %d",
              (int)result.index, result.verdict);
    cr_assert_eq(sum, launches, "each call is made once");
    cr_assert(device.most_open > 1 && device.most_open <= DEPTH + 1, "%zu calls were open", device.most_open);
    cr_assert_eq(device.closed, 1u);
    const size_t asked = device.asked;
    for (int i = 0; i < 20; i++) cr_assert((int)call_device(1, (autotune_options){0}).index == BEST && last_id == BEST);
    cr_assert_eq(device.asked, asked, "an ordinary hit");
}
Test(online, a_device_may_be_far_behind) {
    device.depth = 50;
    cr_assert_eq((int)settle_device(1).index, BEST);
    cr_assert(sum == launches && device.most_open == AUTOTUNE_MOST_OPEN, "%zu calls were open", device.most_open);
}
Test(online, one_call_that_may_be_slow_is_under_way_at_a_time) {
    size_t last = 0, tried = 1;
    for (size_t calls = 1; tried < CONFIGURATIONS; calls++) {
        (void)call_device(1, (autotune_options){0});
        if (calls == 1 || launches_of[last_id] > 1) continue;
        cr_assert_geq(calls, last + DEPTH, "the time of the one before is known");
        last = calls;
        tried++;
    }
}
/* Besides calls of the configuration in use, at most one call is open. This also holds if some calls find no other call
   that has ended, and some find several. */
Test(online, beside_a_call_that_may_be_slow_calls_of_what_is_in_use_alone_are_under_way) {
    autotune_result result = {0};
    while (!result.cache_hit) {
        size_t others = 0;
        result = call_device(1, (autotune_options){0});
        device.depth = 3 + launches / 3 % 2;
        for (int i = 0; i < AUTOTUNE_MOST_OPEN; i++) others += device.calls[i].open && device.calls[i].id != BEST;
        /* after 300 launches BEST is in use */
        cr_assert(launches < 300 || others <= 1, "%zu, call %zu", others, launches);
    }
    cr_assert_eq((int)result.index, BEST);
}
Test(online, where_a_call_cannot_be_clocked_it_is_not_measured) {
    for (int i = 0; i < 10; i++) (void)call_device(1, (autotune_options){0});
    const size_t asked = device.asked;
    device.refuses = true; /* as while a stream is captured */
    for (int i = 0; i < 50; i++) {
        const autotune_result result = call_device(1, (autotune_options){0});
        cr_assert(result.status == AUTOTUNE_OK && last_id == 0 && result.verdict == AUTOTUNE_ONGOING);
    }
    cr_assert_eq(device.asked, asked);
    device.refuses = false;
    cr_assert_eq((int)settle_device(1).index, BEST);
}
Test(online, what_breaks_on_a_device_is_retired_when_it_shows) {
    size_t failures = 0;
    autotune_result result;
    autotune_set_log(keep_line, NULL);
    device.late[BEST] = AUTOTUNE_FAILED;
    for (int calls = 0; calls < 5000; calls++) {
        result = call_device(1, (autotune_options){0});
        cr_assert_eq(result.status, AUTOTUNE_OK, "the call had been made");
        if (result.cache_hit) break;
        failures = result.failed;
    }
    cr_assert(result.cache_hit && ((int)result.index == BEST - 1 || (int)result.index == BEST + 1));
    cr_assert(failures == 1 && launches_of[BEST] == 1, "%zu, %zu", failures, launches_of[BEST]);
    cr_assert(contains(logged, "it broke on the device"), "%s", logged);
}
/* If the device is lost, all open calls are lost, also the call that tried a configuration. */
Test(online, a_race_goes_on_behind_a_device_that_was_lost) {
    do (void)call_device(1, (autotune_options){0});
    while (last_id == 0 || launches_of[last_id] != 2);
    device.late[0] = AUTOTUNE_ERR_DEVICE;
    cr_assert_eq((int)settle_device(1).index, BEST);
    cr_assert(contains(autotune_last_error(), "it broke on the device"));
}
Test(online, what_a_device_rejects_is_made_again) {
    answer_of[3] = answer_of[BEST] = AUTOTUNE_REJECTED;
    const autotune_result result = settle_device(1);
    cr_assert((int)result.index == BEST - 1 || (int)result.index == BEST + 1);
    cr_assert(launches_of[3] == 1 && launches_of[BEST] == 1 && sum == launches - 2);
}
Test(online, what_is_not_prepared_waits) {
    (void)a_device();
    device.unprepared = BEST;
    for (int i = 0; i < 500; i++) cr_assert_eq(call_device(1, (autotune_options){0}).status, AUTOTUNE_OK);
    cr_assert_eq(launches_of[BEST], 0u);
    device.unprepared = -1;
    cr_assert_eq((int)settle_device(1).index, BEST);
}
Test(online, a_race_on_a_device_is_cleared_and_shut_down) {
    for (int i = 0; i < 40; i++) (void)call_device(1, (autotune_options){0});
    cr_assert_eq(autotune_clear("behind", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    memset(device.calls, 0, sizeof device.calls);
    for (int i = 0; i < 40; i++) (void)call_device(1, (autotune_options){0});
    const size_t asked = device.asked;
    autotune_shutdown();
    cr_assert_eq(device.asked, asked, "no call is made now, and .user may point to nothing");
    cr_assert_eq(device.closed, 2u);
}
/* ---- Other statements -------------------------------------------------------------------------------------------- */

Test(online, alternatives_are_tuned) {
    autotune_result result;
    size_t calls = 0;
    do {
        AUTOTUNE_SELECT((.mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = &result,
                         .cache = AUTOTUNE_CACHE_OFF),
                        launch(0, 1), launch(BEST, 1), CASE(launch(3, 1), NAME("three")));
        cr_assert_eq(sum, ++calls);
    } while (!result.cache_hit && calls < 5000);
    cr_assert(result.index == 1 && last_id == BEST);
}
Test(online, the_only_configuration_is_known_at_once) {
    autotune_result result;
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(id, 5)), 1, launch(id, 1), .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(),
                 .result = &result, .cache = AUTOTUNE_CACHE_OFF);
        cr_assert(result.verdict == AUTOTUNE_SINGLE && result.cache_hit == (i > 0));
    }
    cr_assert_eq(launches, 3u);
}
Test(online, the_highest_priority_is_tried_and_lower_ones_if_it_fails) {
    autotune_result result;
    size_t calls = 0;
    answer_of[5] = AUTOTUNE_REJECTED;
    do {
        AUTOTUNE(SPACE(RANGE(id, 0, 9, 1), PRIORITY(id == 5 ? 3 : id >= 8 ? 2 : id == BEST ? -1 : 1)), 1, launch(id, 1),
                 .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = &result,
                 .cache = AUTOTUNE_CACHE_OFF);
    } while (!result.cache_hit && ++calls < 5000);
    cr_assert(result.index == 8 && launches_of[5] == 1 && launches_of[BEST] == 0 && launches_of[4] == 0);
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    return launch((int)autotune_get_int(config, "id"), 1);
}
static bool skips_two(void *user, const autotune_config *config) {
    (void)user;
    return autotune_get_int(config, "id") != 2;
}
static autotune_tuner *create(void) {
    static const int64_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const autotune_axis axis = {.name = "id", .values = values, .count = 9};
    const autotune_desc desc = {.name = "created online", .axes = &axis, .axis_count = 1, .where = skips_two,
                                .launch = launch_created};
    return autotune_create(&desc);
}
Test(online, created_tuners) {
    autotune_tuner *tuner = create();
    autotune_result result;
    const autotune_options o = {.mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .result = &result,
                                .cache = AUTOTUNE_CACHE_OFF};
    size_t calls = 0;
    cr_assert_eq(autotune_tune(tuner, &o), AUTOTUNE_OK, "only calls tune");
    cr_assert_eq(launches, 0u);
    do {
        cr_assert_eq(autotune_call(tuner, &o), AUTOTUNE_OK);
        cr_assert_eq(sum, ++calls);
    } while (!result.cache_hit && calls < 5000);
    cr_assert((int)result.index == BEST && launches_of[2] == 0);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, only_calls_tune_where_the_environment_says_so) {
    setenv("AUTOTUNE_MODE", "online", 1);
    autotune_tuner *tuner = create();
    const autotune_options o = {.backend = virtual_backend(), .cache = AUTOTUNE_CACHE_OFF};
    for (int i = 0; i < 3; i++) cr_assert_eq(autotune_tune(tuner, &o), AUTOTUNE_OK);
    cr_assert_eq(launches, 0u);
    cr_assert_eq(autotune_call(tuner, &o), AUTOTUNE_OK);
    cr_assert_eq(launches, 1u);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, a_tuner_may_be_destroyed_while_its_race_goes_on) {
    autotune_tuner *tuner = create();
    const autotune_options o = {.mode = AUTOTUNE_ONLINE, .backend = virtual_backend(), .cache = AUTOTUNE_CACHE_OFF};
    for (int i = 0; i < 20; i++) (void)autotune_call(tuner, &o);
    autotune_destroy(tuner);
    tuner = create();
    for (int i = 0; i < 20; i++) cr_assert_eq(autotune_call(tuner, &o), AUTOTUNE_OK);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, clearing_and_shutting_down_begin_it_anew) {
    for (int i = 0; i < 40; i++) (void)call(1);
    cr_assert_gt(call(1).tried, 1u);
    cr_assert_eq(autotune_clear("online", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    cr_assert(call(1).tried == 1 && last_id == 0);
    for (int i = 0; i < 40; i++) (void)call(1);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert(call(1).tried == 1 && last_id == 0);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
/* The body calls the same key. The inner call is not measured, and runs the configuration in use. */
static int depth;
static void nested(void) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 5, 1)), .mode = AUTOTUNE_ONLINE, .backend = virtual_backend(),
                   .cache = AUTOTUNE_CACHE_OFF) {
        (void)launch(id, 1);
        if (depth < 2) {
            depth++;
            nested();
            depth--;
        }
    }
}
Test(online, a_call_inside_a_call) {
    for (size_t calls = 1; calls < 300; calls++) {
        nested();
        cr_assert_eq(launches, 3 * calls);
    }
}
/* The configuration in use fails in a call that is not measured. The log reports this. The race goes on until a
   measured call of the configuration fails, too. */
static autotune_status fail_inside(int id, int inner);
static void call_two(int inner) {
    AUTOTUNE(SPACE(AXIS(id, BEST, 0)), 1, fail_inside(id, inner), .name = "two", .mode = AUTOTUNE_ONLINE,
             .backend = virtual_backend(), .max_loss = 10, .max_seconds = 10, .cache = AUTOTUNE_CACHE_OFF);
}
static autotune_status fail_inside(int id, int inner) {
    if (inner) return AUTOTUNE_FAILED;
    if (launches == 4) call_two(1);
    return launch(id, 1);
}
Test(online, what_fails_unmeasured_stays_in_use) {
    for (int i = 0; i < 500; i++) call_two(0);
    cr_assert(last_id == BEST && launches == 500, "%d calls", (int)launches);
    cr_assert(contains(autotune_last_error(), "the call failed"), "%s", autotune_last_error());
}
Test(online, the_child_of_a_fork_tunes_for_itself) {
    int status;
    for (int i = 0; i < 30; i++) (void)call(1);
    const pid_t child = fork();
    if (!child) {
        settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
        _exit((int)call(1).index == BEST ? 0 : 1);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    settle(1, (autotune_options){.mode = AUTOTUNE_ONLINE});
    cr_assert_eq((int)call(1).index, BEST);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static autotune_options step_options(void) {
    return (autotune_options){.backend = virtual_backend(), .cache = AUTOTUNE_CACHE_OFF};
}
Test(online, steps_that_begin_and_end) {
    autotune_tuner *tuner = create();
    autotune_result result = {.cache_hit = false};
    autotune_options o = step_options();
    size_t steps = 0;
    o.result = &result;
    for (; !result.cache_hit && steps < 5000; steps++) {
        autotune_step step;
        cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
        const int id = (int)autotune_get_int(&step.config, "id");
        (void)launch(id, 1);
        cr_assert_eq(autotune_step_end(&step, steps % 2 ? (double)cost_of(id) : NAN), AUTOTUNE_OK);
    }
    cr_assert(last_id == BEST && steps > 20 && steps < 5000 && launches_of[2] == 0);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
static void fail_best_step(double ns) {
    autotune_tuner *tuner = create();
    autotune_result result;
    autotune_options o = step_options();
    autotune_step step;
    size_t failed = 0;
    o.result = &result;
    for (int steps = 0; steps < 600; steps++) {
        cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
        const int id = (int)autotune_get_int(&step.config, "id");
        (void)launch(id, 1);
        failed += autotune_step_end(&step, id == BEST ? ns : (double)cost_of(id)) == AUTOTUNE_FAILED;
    }
    cr_assert(failed == 1 && launches_of[BEST] == 1);
    cr_assert(result.cache_hit && result.loss_seconds < 10, "%g s", result.loss_seconds);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, a_step_that_failed_is_not_tried_again) { fail_best_step(-1); }
Test(online, a_step_without_end_failed) { fail_best_step(INFINITY); }
Test(online, a_step_that_ends_twice_or_late_is_a_sentence) {
    autotune_tuner *tuner = create();
    autotune_options o = step_options();
    autotune_step step, copy;
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
    copy = step;
    cr_assert_eq(autotune_step_end(&step, 1e6), AUTOTUNE_OK);
    cr_assert_eq(autotune_step_end(&step, 1e6), AUTOTUNE_ERR_ARGUMENT);
    cr_assert(contains(autotune_last_error(), "this step is not open"));
    cr_assert_eq(autotune_step_end(&copy, 1e6), AUTOTUNE_ERR_ARGUMENT);
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_step_end(&step, 1e6), AUTOTUNE_ERR_ARGUMENT);
    cr_assert_eq(autotune_step_end(NULL, 1e6), AUTOTUNE_ERR_ARGUMENT);
    memset(&step, 0x41, sizeof step); /* the content of a variable on the stack, in a program that has no tuner */
    cr_assert_eq(autotune_step_begin(NULL, &o, &step), AUTOTUNE_ERR_ARGUMENT);
    cr_assert(step.config.count == 0 && autotune_step_end(&step, 1e6) == AUTOTUNE_OK, "it is not measured");
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert_eq(autotune_step_end(&copy, 1e6), AUTOTUNE_ERR_ARGUMENT, "its key is gone");
    cr_assert(contains(autotune_last_error(), "this step is not open"));
}
Test(online, a_step_that_never_ends_stops_nothing) {
    autotune_tuner *tuner = create();
    autotune_result result = {.cache_hit = false};
    autotune_options o = step_options();
    autotune_step lost, step;
    size_t steps = 0;
    cr_assert_eq(autotune_step_begin(tuner, &o, &lost), AUTOTUNE_OK);
    o.result = &result;
    for (; !result.cache_hit && steps < 5000; steps++) {
        cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
        const int id = (int)autotune_get_int(&step.config, "id");
        if (steps < 1000) cr_assert_eq(id, 0, "what is in use");
        (void)launch(id, 1);
        cr_assert_eq(autotune_step_end(&step, (double)cost_of(id)), AUTOTUNE_OK);
    }
    cr_assert(steps > 1000 && steps < 2000 && last_id == BEST);
    cr_assert_eq(autotune_step_end(&lost, 1e6), AUTOTUNE_ERR_ARGUMENT);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
/* The device sees none of the launches of a step. So it must not report a failure. */
Test(online, a_step_on_a_device_fails_for_no_other_reason) {
    autotune_tuner *tuner = create();
    autotune_options o = {.backend = a_device(), .cache = AUTOTUNE_CACHE_OFF};
    autotune_step step;
    device.sees_no_launch = true;
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
    cr_assert_eq(autotune_step_end(&step, -1), AUTOTUNE_FAILED);
    cr_assert(!contains(autotune_last_error(), "nothing was launched"), "%s", autotune_last_error());
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
/* A race ends although one step of another configuration never ends, and its time is never known. */
Test(online, a_race_ends_that_was_not_told_of_a_step) {
    autotune_tuner *tuner = create();
    autotune_result result = {.cache_hit = false};
    autotune_options o = step_options();
    autotune_step step;
    size_t steps = 0, lost = 0;
    o.result = &result;
    for (; !result.cache_hit && steps < 5000; steps++) {
        cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
        const int id = (int)autotune_get_int(&step.config, "id");
        (void)launch(id, 1);
        if (id != 0 && !lost) lost = steps;
        else cr_assert_eq(autotune_step_end(&step, (double)cost_of(id)), AUTOTUNE_OK);
    }
    cr_assert(lost > 0 && steps > 1000 && steps < 3000 && last_id == BEST, "%d steps", (int)steps);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, a_clock_that_jumps_back_in_a_step_is_no_loss) {
    autotune_tuner *tuner = create();
    autotune_result result;
    autotune_options o = step_options();
    o.result = &result;
    virtual_ns = 1000000000000u;
    for (size_t steps = 0; steps < 10; steps++) {
        autotune_step step;
        cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
        (void)launch((int)autotune_get_int(&step.config, "id"), 1);
        if (steps == 5) virtual_ns -= 500000000000u;
        cr_assert_eq(autotune_step_end(&step, NAN), AUTOTUNE_OK);
    }
    cr_assert(result.loss_seconds < 10, "%g s", result.loss_seconds);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(online, steps_in_other_modes) {
    autotune_tuner *tuner = create();
    autotune_options o = step_options();
    autotune_step step;
    o.mode = AUTOTUNE_OFF;
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
    cr_assert_eq(autotune_get_int(&step.config, "id"), 0);
    cr_assert_eq(autotune_step_end(&step, NAN), AUTOTUNE_OK);
    o.mode = AUTOTUNE_REQUIRE;
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_ERR_MISS);
    cr_assert_eq(step.config.count, 0u);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
