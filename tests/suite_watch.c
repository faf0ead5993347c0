/* suite_watch.c - .watch in mode ONLINE. Now and then a call of a key whose winner is known is timed. If the times of
   these calls change, the configurations near the best are compared again. rooms/floor_online.c tests the rule for a
   change. */
#define _DEFAULT_SOURCE
#include "virtual_clock.h"
#include "cache_file.h"

#include <criterion/criterion.h>
#include <math.h>
#include <setjmp.h>

enum { CONFIGURATIONS = 12, BEST = 7, WATCH = 8 };
static size_t launches, launches_of[CONFIGURATIONS], reads;
static double slower[CONFIGURATIONS]; /* a configuration takes so many times as long as at first; 0: as long */
static double device_ns, work; /* device_ns: the clock of a device for which no thread waits; work: the option .work */
static int last_id;
static autotune_status answer = AUTOTUNE_OK;

static autotune_status launch(int id) {
    const double ns = (1e6 + 5e4 * fabs((double)(id - BEST))) * (slower[id] > 0 ? slower[id] : 1);
    launches++;
    launches_of[id]++;
    last_id = id;
    virtual_ns += (uint64_t)(ns * (work > 0 ? work : 1));
    return id == BEST ? answer : AUTOTUNE_OK;
}
static uint64_t count_reads(autotune_backend *self) { reads++; return virtual_now(self); }
static autotune_backend *backend(void) {
    virtual_backend()->now = count_reads;
    return virtual_backend();
}
static autotune_result call_with(autotune_options o) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGURATIONS - 1, 1)), 1, launch(id), .name = "watched", .key = o.key,
             .mode = o.mode, .watch = o.watch, .work = o.work, .ranks = o.ranks, .backend = backend(),
             .result = &result, .cache = o.cache);
    return result;
}
static const autotune_options watched = {.mode = AUTOTUNE_ONLINE, .watch = WATCH, .cache = AUTOTUNE_CACHE_OFF};
static autotune_result call(void) { return call_with(watched); }
static void settle(void) {
    size_t calls = 0;
    while (!call().cache_hit) cr_assert_lt(calls++, 5000u);
}
/* Makes so many calls. Each must be a hit, also by .result. */
static void hits(size_t count, int id) {
    for (size_t i = 0; i < count; i++) {
        const size_t before = launches;
        const autotune_result result = call();
        cr_assert(result.cache_hit && result.status == AUTOTUNE_OK && result.launches == 1 && (int)result.index == id,
                  "call %zu of %d", i, id);
        cr_assert(launches == before + 1 && last_id == id);
    }
}
/* Calls until a call is no hit. Returns the number of hits before it; SIZE_MAX if all `most` calls are hits. */
static size_t hits_until_change(size_t most) {
    for (size_t i = 0; i < most; i++) if (!call().cache_hit) return i;
    return SIZE_MAX;
}
/* Finds a winner. Then makes so many calls that 20 and more are watched, which show the usual time. */
static void settle_and_learn(void) {
    settle();
    hits(40 * WATCH, BEST);
}

/* ---- Which calls are watched ------------------------------------------------------------------------------------- */

Test(watch, one_call_of_so_many_is_timed) {
    settle();
    reads = 0;
    hits(100 * WATCH, BEST);
    cr_assert(reads >= 2 * 95 && reads <= 2 * 105, "%zu reads", reads);
}
Test(watch, without_it_none_is) {
    settle();
    reads = 0;
    for (int i = 0; i < 1000; i++)
        cr_assert(call_with((autotune_options){.mode = AUTOTUNE_ONLINE, .cache = AUTOTUNE_CACHE_OFF}).cache_hit);
    cr_assert_eq(reads, 0u);
}
/* A share of the calls of each key is watched, in whatever order a program calls the keys. */
Test(watch, keys_that_are_called_in_turn_are_all_watched) {
    size_t timed[4] = {0};
    for (int calls = 0; calls < 8000; calls++) {
        const int key = calls % 4;
        autotune_options o = watched;
        o.key = KEY(key);
        const size_t before = reads;
        const autotune_result result = call_with(o);
        if (calls >= 4000) {
            cr_assert(result.cache_hit);
            timed[key] += reads > before;
        }
    }
    for (int key = 0; key < 4; key++)
        cr_assert(timed[key] > 1000 / WATCH / 2 && timed[key] < 1000 / WATCH * 2, "key %d: %zu", key, timed[key]);
}
Test(watch, in_other_modes_none_is) {
    autotune_options o = watched;
    settle();
    reads = 0;
    for (o.mode = AUTOTUNE_ON; o.mode < AUTOTUNE_ONLINE; o.mode++)
        for (int i = 0; i < 100; i++) cr_assert(call_with(o).cache_hit);
    cr_assert_eq(reads, 0u);
}

/* ---- Changes ----------------------------------------------------------------------------------------------------- */

Test(watch, without_a_change_nothing_is_compared) {
    settle();
    hits(2000 * WATCH, BEST);
}
Test(watch, a_winner_that_became_slower_is_found_and_replaced) {
    settle_and_learn();
    slower[BEST] = 1.2;
    const size_t calls = hits_until_change(20 * WATCH);
    cr_assert_neq(calls, SIZE_MAX);
    memset(launches_of, 0, sizeof launches_of);
    settle();
    cr_assert(last_id == BEST - 1 || last_id == BEST + 1, "%d", last_id);
    cr_assert(launches_of[0] > 0 && launches_of[BEST] > 0, "the first one and the winner are compared");
    cr_assert_eq(launches_of[CONFIGURATIONS - 1], 0u, "what was slow is not");
    const int now = last_id;
    hits(2000 * WATCH, now);
}
Test(watch, each_of_many_changes_is_followed) {
    settle_and_learn();
    for (int change = 0; change < 6; change++) {
        const int before = last_id;
        slower[before] = 1.3;
        cr_assert_neq(hits_until_change(20 * WATCH), SIZE_MAX, "change %d", change);
        settle();
        cr_assert_neq(last_id, before, "change %d", change);
        hits(40 * WATCH, last_id);
    }
}
Test(watch, where_all_became_faster_the_winner_stays) {
    settle_and_learn();
    for (int id = 0; id < CONFIGURATIONS; id++) slower[id] = 0.8;
    cr_assert_neq(hits_until_change(20 * WATCH), SIZE_MAX);
    settle();
    hits(2000 * WATCH, BEST);
}
Test(watch, the_log_says_what_changed) {
    autotune_set_log(keep_line, NULL);
    setenv("AUTOTUNE_LOG", "winner", 1);
    settle_and_learn();
    slower[BEST] = 1.2;
    cr_assert_neq(hits_until_change(20 * WATCH), SIZE_MAX);
    cr_assert(contains(logged, "calls take 1.20 times as long as before: id=7"), "%s", logged);
}
/* A change is not reported if the times return to those of an earlier comparison. */
Test(watch, a_program_that_returns_to_what_it_did_does_not_race_again) {
    size_t changes = 0;
    settle_and_learn();
    for (int phase = 0; phase < 40; phase++) {
        for (int id = 0; id < CONFIGURATIONS; id++) slower[id] = phase % 2 ? 1 : 2;
        for (int i = 0; i < 60 * WATCH; i++) changes += call().verdict == AUTOTUNE_ONGOING && last_id != BEST;
        if (phase == 0) { settle(); changes = 0; }
    }
    cr_assert_eq(changes, 0u);
}
Test(watch, work_is_divided_out) {
    autotune_options o = watched;
    size_t calls = 0;
    do {
        o.work = work = (double)(calls % 7 + 1);
    } while (!call_with(o).cache_hit && ++calls < 5000);
    for (calls = 0; calls < 500 * WATCH; calls++) {
        o.work = work = (double)(calls % 11 + 1);
        cr_assert(call_with(o).cache_hit);
    }
}
/* The loss of all races of a key together has a bound. */
Test(watch, the_loss_stays_within_its_bound) {
    double first = 0, spent = 0, longest = 0;
    for (size_t calls = 0; calls < 20000; calls++) {
        const uint64_t before = virtual_ns;
        if (calls == 7000) slower[BEST] = 3;
        if (calls == 14000) for (int id = 1; id < CONFIGURATIONS; id++) slower[id] = 5;
        const bool measured = call().verdict == AUTOTUNE_ONGOING;
        const double ns = (double)(virtual_ns - before);
        if (!measured) continue;
        spent += ns;
        first += 1.35e6;
        if (ns > longest) longest = ns;
        cr_assert_leq(spent, 1.05 * first + 1e8 + longest, "call %zu", calls);
    }
    cr_assert_eq(last_id, 0);
}

/* ---- Events while a winner is watched ---------------------------------------------------------------------------- */

Test(watch, a_watched_call_that_fails_is_replaced) {
    autotune_options o = watched;
    size_t failed = 0;
    o.watch = 1;
    settle_and_learn();
    answer = AUTOTUNE_FAILED;
    for (int i = 0; i < 1000; i++) failed += call_with(o).status == AUTOTUNE_FAILED;
    cr_assert(failed == 1 && last_id != BEST && call().cache_hit, "%zu", failed);
}
Test(watch, clearing_begins_anew) {
    settle_and_learn();
    slower[BEST] = 3;
    cr_assert_eq(autotune_clear("watched", NULL, AUTOTUNE_MEMORY), AUTOTUNE_OK);
    cr_assert(call().tried == 1 && last_id == 0);
    settle();
    cr_assert_neq(last_id, BEST);
    hits(100 * WATCH, last_id);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
    cr_assert(call().tried == 1 && last_id == 0);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(watch, a_winner_that_another_mode_finds_is_watched_in_its_place) {
    settle_and_learn();
    slower[BEST] = 3;
    cr_assert(!call_with((autotune_options){.mode = AUTOTUNE_FORCE, .cache = AUTOTUNE_CACHE_OFF}).cache_hit);
    const int now = last_id;
    cr_assert_neq(now, BEST);
    hits(100 * WATCH, now);
    slower[now] = 3;
    cr_assert_neq(hits_until_change(30 * WATCH), SIZE_MAX);
    settle();
    cr_assert_neq(last_id, now);
}
static autotune_result left;
static void leave_body(bool leaves) {
    for (int once = 0; once < 1; once++)
        AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, CONFIGURATIONS - 1, 1)), .name = "left", .mode = AUTOTUNE_ONLINE,
                       .watch = WATCH, .backend = backend(), .result = &left, .cache = AUTOTUNE_CACHE_OFF) {
            (void)launch(id);
            if (leaves) return;
        }
}
Test(watch, a_body_that_is_left_is_left_as_a_hit_is) {
    for (int i = 0; i < 2000; i++) leave_body(false);
    cr_assert_eq(last_id, BEST);
    for (int i = 0; i < 100 * WATCH; i++) {
        leave_body(true);
        cr_assert(left.seconds == 0, "the time of no other call is shown");
    }
    for (int i = 0; i < 100 * WATCH; i++) leave_body(false);
    cr_assert_eq(last_id, BEST);
}
Test(watch, a_fork_watches_for_itself) {
    int status;
    settle_and_learn();
    const pid_t child = fork();
    if (!child) {
        hits(40 * WATCH, BEST);
        slower[BEST] = 1.5;
        if (hits_until_change(30 * WATCH) == SIZE_MAX) _exit(1);
        settle();
        _exit(last_id == BEST);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    hits(100 * WATCH, BEST);
}
Test(watch, beside_ranks_it_is_refused) {
    autotune_ranks alone = {.rank = 0, .count = 1};
    autotune_options o = watched;
    o.ranks = &alone;
    autotune_set_log(keep_line, NULL);
    cr_assert_eq(call_with(o).status, AUTOTUNE_ERR_ARGUMENT);
    cr_assert(contains(logged, ".watch is set beside .ranks: hits tell other ranks nothing"), "%s", logged);
}

/* ---- Created tuners ---------------------------------------------------------------------------------------------- */

static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    return launch((int)autotune_get_int(config, "id"));
}
static autotune_tuner *create(void) {
    static const int64_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const autotune_axis axis = {.name = "id", .values = values, .count = CONFIGURATIONS};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    return autotune_create(&desc);
}
static autotune_result call_created(autotune_tuner *tuner) {
    autotune_result result;
    autotune_options o = watched;
    o.backend = backend();
    o.result = &result;
    cr_assert_eq(autotune_call(tuner, &o), AUTOTUNE_OK);
    return result;
}
static autotune_result step_created(autotune_tuner *tuner) {
    autotune_result result;
    autotune_options o = watched;
    autotune_step step;
    o.backend = backend();
    o.result = &result;
    cr_assert_eq(autotune_step_begin(tuner, &o, &step), AUTOTUNE_OK);
    (void)launch((int)autotune_get_int(&step.config, "id"));
    cr_assert_eq(autotune_step_end(&step, NAN), AUTOTUNE_OK);
    return result;
}
static void watch_created(autotune_result (*call_it)(autotune_tuner *)) {
    autotune_tuner *tuner = create();
    for (int i = 0; i < 2000; i++) (void)call_it(tuner);
    cr_assert(call_it(tuner).cache_hit && last_id == BEST);
    reads = 0;
    for (int i = 0; i < 100 * WATCH; i++) (void)call_it(tuner);
    cr_assert(reads >= 2 * 95 && reads <= 3 * 105, "%zu reads", reads);
    slower[BEST] = 1.3;
    size_t calls = 0;
    while (call_it(tuner).cache_hit) cr_assert_lt(calls++, 20u * WATCH);
    while (!call_it(tuner).cache_hit) cr_assert_lt(calls++, 2000u);
    cr_assert_neq(last_id, BEST);
    autotune_destroy(tuner);
    cr_assert_eq(autotune_shutdown(), AUTOTUNE_OK);
}
Test(watch, created_tuners_are_watched) { watch_created(call_created); }
Test(watch, steps_are_watched) { watch_created(step_created); }
Test(watch, a_watched_step_that_never_ends_is_given_up) {
    autotune_tuner *tuner = create();
    autotune_options o = watched;
    autotune_step forgotten;
    size_t before, calls = 0;
    autotune_set_log(keep_line, NULL);
    o.backend = backend();
    for (int i = 0; i < 2000; i++) (void)step_created(tuner);
    cr_assert_eq(last_id, BEST);
    do {
        before = reads;
        cr_assert_eq(autotune_step_begin(tuner, &o, &forgotten), AUTOTUNE_OK);
        if (reads == before) cr_assert_eq(autotune_step_end(&forgotten, NAN), AUTOTUNE_OK);
    } while (reads == before);
    for (int i = 0; i < 1100; i++) (void)step_created(tuner);
    cr_assert(contains(logged, "did not end while 1000 others began"), "%s", logged);
    for (int i = 0; i < 100 * WATCH; i++) (void)step_created(tuner);
    slower[BEST] = 1.3;
    while (step_created(tuner).cache_hit) cr_assert_lt(calls++, 20u * WATCH);
    autotune_destroy(tuner);
}

/* ---- A device for which no thread waits -------------------------------------------------------------------------- */

static struct { double began, took; bool open; } clocked[AUTOTUNE_MOST_OPEN];
static autotune_status begins(autotune_backend *self) { (void)self; return AUTOTUNE_OK; }
static autotune_status ends(autotune_backend *self, double *ns) { (void)self; *ns = 0; return AUTOTUNE_OK; }
static autotune_status clock_call(autotune_backend *self, size_t number, bool ended) {
    (void)self;
    if (ended) clocked[number].took = device_ns - clocked[number].began;
    else clocked[number].began = device_ns;
    return AUTOTUNE_OK;
}
static autotune_status ask(autotune_backend *self, size_t number, double *ns) {
    (void)self;
    *ns = clocked[number].took;
    return AUTOTUNE_OK;
}
static autotune_status launch_there(int id) {
    const uint64_t before = virtual_ns;
    const autotune_status status = launch(id);
    device_ns += (double)(virtual_ns - before);
    virtual_ns = before;
    return status;
}
static autotune_result call_there(void) {
    static autotune_backend device;
    autotune_result result;
    if (!device.ask) {
        device = *virtual_backend();
        device.device = "behind";
        device.start = begins, device.stop = ends, device.clock_call = clock_call, device.ask = ask;
    }
    AUTOTUNE(SPACE(RANGE(id, 0, CONFIGURATIONS - 1, 1)), 1, launch_there(id), .name = "there",
             .mode = AUTOTUNE_ONLINE, .watch = WATCH, .backend = &device, .result = &result,
             .cache = AUTOTUNE_CACHE_OFF);
    return result;
}
Test(watch, calls_of_a_device_that_nobody_waits_for_are_watched) {
    size_t calls = 0;
    while (!call_there().cache_hit) cr_assert_lt(calls++, 5000u);
    for (calls = 0; calls < 1000 * WATCH; calls++) cr_assert(call_there().cache_hit && last_id == BEST);
    slower[BEST] = 1.3;
    for (calls = 0; call_there().cache_hit;) cr_assert_lt(calls++, 25u * WATCH);
    while (!call_there().cache_hit) cr_assert_lt(calls++, 2000u);
    cr_assert_neq(last_id, BEST);
}

/* ---- The next run of the program --------------------------------------------------------------------------------- */

static int run(void (*body)(void)) {
    int status;
    const pid_t child = fork();
    if (!child) { body(); exit(0); }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}
static autotune_result call_kept(void) {
    return call_with((autotune_options){.mode = AUTOTUNE_ONLINE, .watch = WATCH});
}
static void settle_kept(void) {
    size_t calls = 0;
    while (!call_kept().cache_hit) if (calls++ > 5000) _exit(2);
}
static void change_in_next_run(void) {
    size_t calls = 0;
    if (!call_kept().cache_hit || last_id != BEST) _exit(3);
    while (calls++ < 40 * WATCH) if (!call_kept().cache_hit || last_id != BEST) _exit(4);
    if (launches_of[0]) _exit(5);
    slower[BEST] = 1.3;
    for (calls = 0; call_kept().cache_hit;) if (calls++ > 20 * WATCH) _exit(6);
    memset(launches_of, 0, sizeof launches_of);
    settle_kept();
    if (last_id == BEST || !launches_of[0] || !launches_of[BEST]) _exit(7);
    for (calls = 0; calls < 40 * WATCH; calls++) if (!call_kept().cache_hit) _exit(8);
    slower[last_id] = 1.5;
    for (calls = 0; call_kept().cache_hit;) if (calls++ > 20 * WATCH) _exit(9);
}
static void expect_other_winner(void) { if (!call_kept().cache_hit || last_id == BEST) _exit(10); }
Test(watch, a_winner_of_an_earlier_run_is_watched, .init = use_new_folder, .fini = remove_folder) {
    cr_assert_eq(run(settle_kept), 0);
    const int status = run(change_in_next_run);
    cr_assert_eq(status, 0, "%d", WEXITSTATUS(status));
    cr_assert_eq(run(expect_other_winner), 0);
}
static autotune_result call_all_watched(void) {
    return call_with((autotune_options){.mode = AUTOTUNE_ONLINE, .watch = 1});
}
static void fail_in_next_run(void) {
    size_t failed = 0;
    for (int calls = 0; calls < 20; calls++) if (!call_all_watched().cache_hit) _exit(3);
    answer = AUTOTUNE_FAILED;
    for (int calls = 0; calls < 2000; calls++) failed += call_all_watched().status == AUTOTUNE_FAILED;
    if (failed < 1 || failed > 2 || last_id == BEST || !call_all_watched().cache_hit) _exit(4);
}
Test(watch, a_winner_of_an_earlier_run_that_fails_is_replaced, .init = use_new_folder, .fini = remove_folder) {
    cr_assert_eq(run(settle_kept), 0);
    const int status = run(fail_in_next_run);
    cr_assert_eq(status, 0, "%d", WEXITSTATUS(status));
}
static void pinned_run(void) {
    setenv("AUTOTUNE_USE", "watched=id=3", 1);
    for (int calls = 0; calls < 200 * WATCH; calls++) {
        if (call_kept().verdict != AUTOTUNE_PINNED || last_id != 3) _exit(3);
        if (calls == 100 * WATCH) slower[3] = 2;
    }
}
Test(watch, what_is_pinned_is_not, .init = use_new_folder, .fini = remove_folder) {
    cr_assert_eq(run(settle_kept), 0);
    cr_assert_eq(run(pinned_run), 0);
}
static void settle_beside_pin(void) {
    setenv("AUTOTUNE_USE", "watched=id!=6", 1);
    settle_kept();
}
static void change_beside_pin(void) {
    setenv("AUTOTUNE_USE", "watched=id!=6", 1);
    change_in_next_run();
    settle_kept();
    if (launches_of[6] || last_id == 6) _exit(11);
}
Test(watch, what_a_pin_leaves_is, .init = use_new_folder, .fini = remove_folder) {
    cr_assert_eq(run(settle_beside_pin), 0);
    const int status = run(change_beside_pin);
    cr_assert_eq(status, 0, "%d", WEXITSTATUS(status));
}
