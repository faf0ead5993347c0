/* suite_clock.c - devices that change their speed, kernels that contradict themselves, clocks that stand still or move
   in steps. The fastest configuration still wins, or the verdict says why the times cannot be trusted.

   The kernel is virtual: the test sets the time of a launch, and only launches move the clock. */
#include "virtual_clock.h"

#include <criterion/criterion.h>
#include <math.h>

/* ---- The device -------------------------------------------------------------------------------------------------- */

enum { MOST = 64 };
static const double MILLISECOND = 1e6;

/* The variables that a test sets. */
static double cost_ns[MOST];
static double (*slowness)(int id, size_t number); /* the time of a launch divided by its cost_ns; NULL: 1 */
static size_t fails_from[MOST]; /* from this trial launch on, the configuration fails; 0: it never fails */

/* The counts of the kernel. */
static size_t trials_of[MOST], trials, final_launches;
static int final_id;

static autotune_status launch(int id, bool trial) {
    if (trial) {
        trials++;
        trials_of[id]++;
    } else {
        final_launches++;
        final_id = id;
    }
    virtual_ns += (uint64_t)llround(cost_ns[id] * (slowness ? slowness(id, trials_of[id]) : 1));
    return fails_from[id] && trials_of[id] >= fails_from[id] ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void setup(void *user, const autotune_config *config) { (void)user, (void)config; }
static bool is_idle_before = true; /* true: the device is idle before each race */
/* Tunes a new key. */
static autotune_result tune(int count, autotune_options o) {
    static int calls;
    const int call = ++calls;
    autotune_result result;
    memset(trials_of, 0, sizeof trials_of);
    trials = final_launches = 0;
    if (is_idle_before) idle_before_warm_up();
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1)), 1, launch(id, autotune_trial), .key = KEY(call),
             .backend = o.backend ? o.backend : virtual_backend(), .preset = o.preset, .strategy = o.strategy,
             .seed = o.seed, .max_seconds = o.max_seconds, .setup = o.setup, .verify = o.verify,
             .result = &result);
    cr_assert_eq(result.launches, trials + final_launches);
    return result;
}
static const autotune_options no_options, in_order = {.strategy = AUTOTUNE_EXHAUSTIVE};

static void set_costs(size_t count, const double *ns) {
    for (size_t id = 0; id < count; id++) cost_ns[id] = ns[id];
}
#define SET_COSTS(...) set_costs(sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})
static void set_all_costs(int count, double ns) {
    for (int id = 0; id < count; id++) cost_ns[id] = ns;
}

static bool is_doubted(autotune_result result, const char *part) {
    return result.verdict == AUTOTUNE_UNRELIABLE && result.doubt && contains(result.doubt, part);
}
static bool is_trusted(autotune_result result) {
    return result.verdict != AUTOTUNE_UNRELIABLE && !result.doubt && !result.note;
}
static const char *doubt(autotune_result result) {
    return result.doubt ? result.doubt : result.note ? result.note : "no doubt";
}

/* How many launches a configuration has before the duel, if nothing is odd; and how often the control has a second
   sample. */
enum { SCREEN = 1, HALVING = 1, CONTROLS = 4 };

/* ---- The speed of the device changes ----------------------------------------------------------------------------- */

static size_t change_at; /* from this trial on, the device has another speed */
static double change;    /* its launches take so many times as long */
static double changed_pace(int id, size_t number) {
    (void)id, (void)number;
    return trials >= change_at ? change : 1;
}

/* One configuration is 5 % faster than all others. It wins whenever the speed of the device changes, and wherever it
   stands in the space. */
Test(many_races, a_change_in_the_screen_misleads_nobody) {
    static const double changes[] = {1.15, 1 / 1.15, 1.07, 1 / 1.07, 1.4, 1 / 1.4};
    static const int counts[] = {6, 20, 50};
    slowness = changed_pace;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            for (change_at = 1; change_at <= (size_t)counts[n]; change_at += 1 + (size_t)counts[n] / 20)
                for (int right = 0; right < counts[n]; right += 1 + counts[n] / 20) {
                    change = changes[c];
                    set_all_costs(counts[n], 1.05 * MILLISECOND);
                    cost_ns[right] = MILLISECOND;
                    const autotune_result result = tune(counts[n], in_order);
                    cr_assert(result.index == (size_t)right,
                              "%.2f times as slow from launch %zu on: %zu of %d won, not %d", change, change_at,
                              result.index, counts[n], right);
                    cr_assert(result.min_ns == MILLISECOND || result.min_ns == (double)llround(change * MILLISECOND),
                              "the least that was measured: %g", result.min_ns);
                }
}

/* The speed changes in the halving. */
Test(many_races, a_change_in_the_halving_misleads_nobody) {
    static const double changes[] = {1.15, 1 / 1.15, 1.07, 1 / 1.07, 1.4, 1 / 1.4};
    static const int counts[] = {6, 20, 50};
    slowness = changed_pace;
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            for (change_at = (size_t)counts[n]; change_at <= 4 * (size_t)counts[n];
                 change_at += 1 + (size_t)counts[n] / 20)
                for (int right = 0; right < counts[n]; right += 1 + counts[n] / 10) {
                    change = changes[c];
                    set_all_costs(counts[n], 1.05 * MILLISECOND);
                    cost_ns[right] = MILLISECOND;
                    const autotune_result result = tune(counts[n], in_order);
                    cr_assert(result.index == (size_t)right,
                              "%.2f times as slow from launch %zu on: %zu of %d won, not %d", change, change_at,
                              result.index, counts[n], right);
                }
}
static double ever_faster(int id, size_t number) {
    (void)id, (void)number;
    return pow(0.995, (double)trials);
}
Test(pace, a_device_that_gets_ever_faster_does_not_hold_up_the_race) {
    slowness = ever_faster;
    set_all_costs(20, 1.05 * MILLISECOND);
    cost_ns[3] = MILLISECOND;
    tune(20, in_order);
    cr_assert(trials > 60 && trials < 300, "%zu trials", trials);
}

/* With .setup each launch is clocked alone. Some launches are held up, for example by the driver. They exclude no
   configuration. */
static size_t held_up_at; /* this launch of every eight of the fastest configuration is held up */
static double held_up(int id, size_t number) { return id == 3 && number % 8 == held_up_at ? 30 : 1; }
Test(pace, launches_that_are_held_up_exclude_nobody) {
    slowness = held_up;
    set_all_costs(20, 3300);
    cost_ns[3] = 2500;
    for (held_up_at = 0; held_up_at < 8; held_up_at++) {
        const autotune_result result = tune(20, (autotune_options){.strategy = AUTOTUNE_EXHAUSTIVE, .setup = setup});
        cr_assert(result.index == 3, "held up in launch %zu of eight: %zu won", held_up_at, result.index);
        cr_assert(fabs(result.median_ns / 2500 - 1) < 0.01, "%g ns", result.median_ns);
    }
}

/* One launch is quicker than the configuration really is, as may happen on a device. */
static int lucky;
static size_t lucky_launch;
static double quicker_once(int id, size_t number) { return id == lucky && number == lucky_launch ? 0.9 : 1; }
Test(pace, one_quick_launch_misleads_nobody) {
    const int count = 32;
    slowness = quicker_once;
    for (lucky = 0; lucky < count; lucky += 8)
        for (lucky_launch = 1; lucky_launch <= 5; lucky_launch++)
            for (int fastest = 3; fastest < count; fastest += 7) {
                set_all_costs(count, 100000);
                cost_ns[fastest] = 96000;
                const autotune_result result = tune(count, in_order);
                cr_assert(result.index == (size_t)fastest && result.verdict == AUTOTUNE_SEPARATED,
                          "launch %zu of %d: %zu won, not %d", lucky_launch, lucky, result.index, fastest);
            }
}
/* The first launches of the process take six times as long, whatever their configuration. They exclude no
   configuration, not even the first one, all of whose launches were slow. */
static size_t slow_launches;
static double slow_in_its_first_launches(int id, size_t number) {
    (void)id, (void)number;
    return trials <= slow_launches ? 6 : 1;
}
Test(pace, slow_first_launches_of_the_process_exclude_nobody) {
    enum { MOST_COUNT = 12 };
    slowness = slow_in_its_first_launches;
    for (int count = 3; count <= MOST_COUNT; count++)
        for (int fastest = 0; fastest < count; fastest++)
            for (slow_launches = 1; slow_launches <= (size_t)count + 1; slow_launches++) {
                for (int id = 0; id < count; id++) cost_ns[id] = 7000 * (1 + (id - fastest + count) % count);
                const autotune_result result = tune(count, in_order);
                cr_assert(result.index == (size_t)fastest && result.verdict == AUTOTUNE_SEPARATED,
                          "%zu slow launches: %zu of %d won, not %d", slow_launches, result.index, count, fastest);
            }
}
/* The fastest configuration is slow in the screen. Other configurations are slow after the screen, in batches. In the
   batches it takes less time than they do. */
static double slow_after_the_screen(int id, size_t number) {
    return id == 1 || number > (id == 0 ? warm_ups(cost_ns[0]) : SCREEN) ? 6 : 1;
}
Test(pace, quick_launches_of_the_screen_exclude_nobody_once_batches_show_that_they_were_an_exception) {
    slowness = slow_after_the_screen;
    SET_COSTS(21000, 7000, 14000);
    const autotune_result result = tune(3, no_options);
    cr_assert(result.index == 1 && result.verdict == AUTOTUNE_SEPARATED, "%zu won", result.index);
}
/* Launches are longer in the batches of the halving. So the duel has samples of single launches, and the result shows
   the least of them. */
static double slow_in_the_halving(int id, size_t number) {
    const size_t before = id == 0 ? warm_ups(cost_ns[0]) : SCREEN, launches = 3 * 3;
    return number > before && number <= before + launches ? 6 : 1;
}
Test(pace, the_least_sample_is_not_above_the_median) {
    slowness = slow_in_the_halving;
    SET_COSTS(14000, 21000);
    const autotune_result result = tune(2, no_options);
    cr_assert(result.index == 0 && result.median_ns == 14000 && result.min_ns == 14000, "min %g, median %g",
              result.min_ns, result.median_ns);
}
/* When a device leaves idle, its clock rises: launches take three times as long at first, and then less, for some
   milliseconds of work. In at most 1 % of the races the winner is more than 2 % too slow and its verdict is sure. */
static uint64_t dice = 88172645463325252u;
static double uniform(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (double)(dice >> 11) / 9007199254740992.0;
}
/* for how much work the clock rises, and how much work is done before it begins to rise */
static double rising_ns, waiting_ns;
static double worked_ns;
static double while_the_clock_rises(int id, size_t number) {
    const double risen = worked_ns > waiting_ns ? (worked_ns - waiting_ns) / rising_ns : 0;
    const double slow = (risen < 1 ? 3 - 2 * risen : 1) * (1 + 0.01 * (uniform() - 0.5));
    (void)number;
    worked_ns += slow * cost_ns[id];
    return slow;
}
static void race_while_the_clock_rises(int count, const double *waits_ms, size_t waits) {
    static const double rises_ms[] = {1, 2, 5, 10, 20, 50, 100};
    int races = 0, wrong = 0;
    slowness = while_the_clock_rises;
    for (size_t r = 0; r < sizeof rises_ms / sizeof *rises_ms; r++)
        for (size_t w = 0; w < waits; w++)
            for (int fastest = 0; fastest < count; fastest += count / 2 - 1)
                for (uint64_t seed = 1; seed <= 8; seed++, races++) {
                    for (int id = 0; id < count; id++) cost_ns[id] = 100000 + 500 * id;
                    cost_ns[fastest] = 95000;
                    rising_ns = rises_ms[r] * MILLISECOND;
                    waiting_ns = waits_ms[w] * MILLISECOND;
                    worked_ns = 0;
                    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY);
                    const autotune_result result = tune(count, (autotune_options){.seed = seed});
                    wrong += cost_ns[result.index] > 1.02 * 95000 &&
                             (result.verdict == AUTOTUNE_SEPARATED || result.verdict == AUTOTUNE_TIE);
                }
    cr_assert(100 * wrong <= races, "%d of %d winners are slow and called sure", wrong, races);
}
static const double waits_ms[] = {0, 1, 2, 5, 10, 20, 40};
Test(many_races, a_clock_that_rises_misleads_nobody) {
    race_while_the_clock_rises(24, waits_ms, 7);
    race_while_the_clock_rises(60, waits_ms, 7);
}
/* The race follows another race, so there is no warm-up. */
Test(many_races, a_clock_that_rises_without_a_warm_up_misleads_nobody) {
    cost_ns[0] = cost_ns[1] = MILLISECOND;
    (void)tune(2, no_options);
    is_idle_before = false;
    race_while_the_clock_rises(24, waits_ms, 7);
    race_while_the_clock_rises(60, waits_ms, 7);
}

/* A change in the middle of the duel changes neither its winner nor the lead. */
Test(pace, a_change_in_the_duel_misleads_nobody) {
    const size_t before_the_duel = warm_ups(MILLISECOND) + SCREEN + 2 * HALVING, of_a_round = 2, rounds = 8;
    slowness = changed_pace;
    change = 1.4;
    SET_COSTS(MILLISECOND, 1.02 * MILLISECOND);
    for (change_at = before_the_duel + 1; change_at <= before_the_duel + of_a_round * rounds; change_at++) {
        const autotune_result result = tune(2, no_options);
        cr_assert(result.index == 0 && result.verdict == AUTOTUNE_SEPARATED && !result.doubt, "%s", doubt(result));
        cr_assert(fabs(result.lead - 0.02) < 1e-9, "%g", result.lead);
    }
}

/* ---- Doubts about the times -------------------------------------------------------------------------------------- */

/* Two configurations with nearly equal times: in the duel the second is slower and faster in turn. Meanwhile the device
   gets slower. After 200 rounds, the times in the middle of the last third are longer than the times in the middle of
   the first third by two thirds of whole_drift. */
static double whole_drift;
static const double swing = 0.02;
static double undecided(int id, size_t number) {
    const double own = id == 0 ? 1 : number <= SCREEN + HALVING ? 1.001 : number % 2 ? 1 + swing : 1 - swing;
    return own * (1 + whole_drift * (double)trials / 400);
}
Test(doubts, drift) {
    static const double drifts[] = {0.22, -0.22, 0.1, -0.1, 0};
    slowness = undecided;
    SET_COSTS(MILLISECOND, MILLISECOND);
    for (size_t i = 0; i < sizeof drifts / sizeof *drifts; i++) {
        whole_drift = drifts[i];
        const autotune_result result = tune(2, (autotune_options){.preset = AUTOTUNE_THOROUGH});
        cr_assert(trials > 400, "the duel was too short to tell: %zu", trials);
        cr_assert(is_trusted(result), "%g: %s", whole_drift, doubt(result));
    }
}

/* A configuration takes a thousandth of the time of most others. If its output was not checked, it may do nothing. */
static bool is_right(void *user, const autotune_config *config) { return (void)user, (void)config, true; }
Test(doubts, a_winner_that_returns_at_once) {
    static const struct {
        double ns[4];
        bool checked, doubted;
    } cases[] = {{{1e6, 1.1e6, 10, 1.2e6}, false, true},   {{10, 1.1e6, 1.3e6, 1.2e6}, false, true},
                 {{1e6, 1.1e6, 10, 11}, false, true},      {{1e6, 1.1e6, 10, 1.2e6}, true, false},
                 {{1e6, 1.1e6, 5e4, 1.2e6}, false, false}, {{1e9, 4.1e5, 4e5, 4.2e5}, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_costs(4, cases[i].ns);
        autotune_result result = tune(4, (autotune_options){.verify = cases[i].checked ? is_right : NULL});
        cr_expect(is_doubted(result, "returns at once") == cases[i].doubted, "case %zu: %s", i, doubt(result));
    }
}

/* On this machine, the second launch of a configuration within a round takes another time than the first. */
static int best;
static double second_launch;
static double unlike_the_first(int id, size_t number) {
    const size_t before_the_duel = (id == 0 ? warm_ups(cost_ns[0]) : SCREEN) + HALVING;
    return id == best && number > before_the_duel && (number - before_the_duel) % 2 == 0 ? second_launch : 1;
}
Test(doubts, a_configuration_that_differs_from_itself) {
    static const struct {
        double second_launch;
        bool doubted;
    } cases[] = {{1.05, true}, {0.95, true}, {1.012, true}, {1.005, false}, {0.995, false}, {1, false}};
    slowness = unlike_the_first;
    for (best = 0; best < 2; best++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            cost_ns[best] = MILLISECOND;
            cost_ns[!best] = 1.08 * MILLISECOND;
            second_launch = cases[i].second_launch;
            const autotune_result result = tune(2, no_options);
            cr_assert_eq(trials_of[best],
                         (best == 0 ? warm_ups(cost_ns[0]) : SCREEN) + HALVING + 8 + (cases[i].doubted ? 8 : CONTROLS));
            cr_assert(cases[i].doubted ? is_doubted(result, "differed from itself")
                                       : result.verdict == AUTOTUNE_SEPARATED && is_trusted(result),
                      "%g: %s", second_launch, doubt(result));
            cr_assert_eq(result.index, (size_t)best);
        }
}

/* After the fourth round the control stops as soon as the evidence that its samples differ is below 1. If only the
   first k rounds are odd, the evidence after n rounds is 2^n / ((n + 1) C(n, k)). The other configuration is slower and
   faster in turn. */
static size_t odd_rounds;
static double odd_at_first(int id, size_t number) {
    const size_t before_the_duel = (id == 0 ? warm_ups(cost_ns[0]) : SCREEN) + HALVING;
    if (id) return number > before_the_duel ? number % 2 ? 1.02 : 0.98 : 1.001;
    return number > before_the_duel && (number - before_the_duel) % 2 == 0 &&
                   (number - before_the_duel) / 2 <= odd_rounds
               ? 1.05
               : 1;
}
Test(doubts, the_control_runs_as_long_as_it_looks_odd) {
    /* for example 64 / (7 * 15), 128 / (8 * 21), 512 / (10 * 84) are below 1 */
    static const size_t controls[] = {4, 4, 4, 4, 6, 7, 9};
    slowness = odd_at_first;
    SET_COSTS(MILLISECOND, MILLISECOND);
    for (odd_rounds = 0; odd_rounds <= 6; odd_rounds++) {
        const autotune_result result = tune(2, (autotune_options){.preset = AUTOTUNE_THOROUGH});
        const size_t rounds = trials_of[1] - SCREEN - HALVING;
        cr_assert_eq(rounds, 200u, "the duel was decided after %zu", rounds);
        cr_assert_eq(trials_of[0] - warm_ups(cost_ns[0]) - HALVING - rounds, controls[odd_rounds],
                     "%zu odd rounds: the control ran %zu times", odd_rounds,
                     trials_of[0] - warm_ups(cost_ns[0]) - HALVING - rounds);
        cr_assert(is_trusted(result), "%s", doubt(result));
    }
}

/* ---- Devices with their own clock -------------------------------------------------------------------------------- */

/* A launch takes cost_ns by the device's clock. Before its first launch a configuration is compiled. The compilation
   moves the clock of the race, and not the device's clock. */
static const uint64_t COMPILING_NS = 90000000;
static uint64_t device_ns, device_began, compile_ns, preparation_ns;
static autotune_status start_device(autotune_backend *self) {
    return (void)self, device_began = device_ns, AUTOTUNE_OK;
}
static autotune_status stop_device(autotune_backend *self, double *ns) {
    (void)self;
    *ns = (double)(device_ns - device_began);
    virtual_ns += device_ns - device_began;
    return AUTOTUNE_OK;
}
static autotune_status prepare_slowly(autotune_backend *self, const autotune_config *config, uint64_t *prepared) {
    (void)self, (void)config;
    *prepared = 0;
    virtual_ns += preparation_ns;
    return AUTOTUNE_OK;
}
static void launch_on_device(int id) {
    device_ns += (uint64_t)cost_ns[id];
    if (!trials_of[id]++) virtual_ns += compile_ns;
}
static autotune_result tune_on_device(int count, double max_seconds) {
    autotune_backend backend = *virtual_backend();
    autotune_result result;
    backend.start = start_device;
    backend.stop = stop_device;
    backend.prepare = prepare_slowly;
    memset(trials_of, 0, sizeof trials_of);
    AUTOTUNE(SPACE(RANGE(id, 0, count - 1, 1)), 1, launch_on_device(id), .backend = &backend,
             .max_seconds = max_seconds, .strategy = AUTOTUNE_RANDOM, .result = &result);
    return result;
}
static void expect_a_whole_race(void) {
    set_all_costs(50, 1.1 * MILLISECOND);
    cost_ns[7] = MILLISECOND;
    const autotune_result result = tune_on_device(50, 0);
    cr_assert(result.index == 7 && result.verdict == AUTOTUNE_SEPARATED && result.tried == 50, "%s, %zu tried",
              autotune_verdict_text(result.verdict), result.tried);
    cr_assert(result.seconds > 4.5, "%g", result.seconds);
}
Test(own_clock, a_device_that_compiles_in_first_launches_has_its_time_for_launches_all_the_same) {
    compile_ns = COMPILING_NS;
    expect_a_whole_race();
}
Test(own_clock, so_has_one_that_prepares_configurations) {
    preparation_ns = COMPILING_NS;
    expect_a_whole_race();
}
Test(own_clock, first_launches_that_are_slow_on_the_device_count_against_the_limit) {
    set_all_costs(50, 90 * MILLISECOND);
    const autotune_result result = tune_on_device(50, 0);
    cr_assert(result.tried == 50 && result.seconds < 6.7, "%zu tried in %g s", result.tried, result.seconds);
}
Test(own_clock, the_limit_of_the_user_is_not_put_off) {
    compile_ns = COMPILING_NS;
    set_all_costs(50, MILLISECOND);
    const autotune_result result = tune_on_device(50, 1);
    cr_assert(result.tried <= 12 && result.seconds < 1 + 2e-3, "%zu tried by %zu launches in %g s", result.tried,
              result.launches, result.seconds);
}

/* ---- Clocks that move in steps ----------------------------------------------------------------------------------- */

static uint64_t passing_now(autotune_backend *self) { /* reading the clock takes 40 ns */
    virtual_ns += 40;
    return virtual_now(self);
}
static autotune_backend *passing(void) {
    static autotune_backend backend;
    backend = *virtual_backend();
    backend.now = passing_now;
    return &backend;
}

Test(many_races, steps_of_a_millisecond) {
    static const double kernels[] = {2e3, 30e3, 0.7e6, 6.3e6};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int right = 0; right < (kernels[k] < 10e3 ? 2 : kernels[k] < 0.5e6 ? 5 : 20); right++) {
            const autotune_options o = {.backend = passing(), .max_seconds = 100, .seed = (uint64_t)right};
            virtual_step = 1000000;
            set_all_costs(5, 1.3 * kernels[k]);
            cost_ns[right % 5] = kernels[k];
            const autotune_result result = tune(5, o);
            cr_assert(result.index == (size_t)right % 5, "%g ns: %zu won, not %d", kernels[k], result.index, right % 5);
            cr_assert(fabs(result.median_ns / kernels[k] - 1) < 0.15, "%g ns, not %g", result.median_ns, kernels[k]);
        }
}

/* No launch takes as long as a step of the clock, so the length of a step is not known. */
Test(steps, that_are_too_coarse) {
    virtual_step = 1000000;
    SET_COSTS(6.31 * MILLISECOND, 6.30 * MILLISECOND, 6.32 * MILLISECOND);
    autotune_result result = tune(3, no_options);
    cr_assert(is_doubted(result, "too coarse"), "%s", doubt(result));
    virtual_step = 1000;
    result = tune(3, no_options);
    cr_assert(is_trusted(result), "%s", doubt(result));
}

/* The clock never moves. The race launches each configuration once, and one of them again. Then it tries one round of
   long samples. */
Test(steps, that_never_come) {
    for (int count = 2; count <= 12; count += 5) { /* all launches take 0 ns */
        const autotune_result result = tune(count, no_options);
        cr_assert(result.status == AUTOTUNE_OK && result.index == 0 && final_launches == 1 && final_id == 0);
        cr_assert(is_doubted(result, "did not move"), "%s", doubt(result));
        cr_assert(trials > (size_t)count + 1 && trials < (size_t)count * 4000, "%zu", trials);
        cr_assert(!(result.lead > 0) && result.seconds < 1e-9);
    }
    cr_assert_eq(tune(1, no_options).verdict, AUTOTUNE_SINGLE);
}

/* ---- Clocks that take time --------------------------------------------------------------------------------------- */

static uint64_t slow_now(autotune_backend *self) {
    (void)self;
    return virtual_ns += 100;
}
Test(readings, cost_nothing_of_a_kernels_time) {
    /* a sample of the first kernel is many launches between two readings */
    static const double kernels[] = {70, 3000, 100000};
    autotune_backend slow = *virtual_backend();
    slow.now = slow_now;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        SET_COSTS(1.5 * kernels[k], kernels[k]);
        const autotune_result result = tune(2, (autotune_options){.backend = &slow});
        cr_assert(result.index == 1 && result.median_ns == kernels[k] && result.min_ns == kernels[k],
                  "%.17g ns, not %g", result.median_ns, kernels[k]);
    }
}

/* ---- Times that are long, and true ------------------------------------------------------------------------------- */

/* Only kernels move the clock. Long times are accepted as they are. */
Test(own_clock, long_kernels_are_what_they_say) {
    SET_COSTS(17e9, 16e9, 20e9);
    autotune_result result = tune(3, in_order);
    cr_assert(result.index == 1 && result.median_ns == 16e9 && result.verdict == AUTOTUNE_SEPARATED &&
                  is_trusted(result),
              "%s", doubt(result));
    double seconds = 0;
    for (int id = 0; id < 3; id++) seconds += (double)trials_of[id] * cost_ns[id] / 1e9;
    cr_assert(fabs(result.seconds - seconds) < 1e-3, "%g s, not %g", result.seconds, seconds);
    SET_COSTS(1e6, 16e9); /* one takes a millisecond, the other 16 seconds */
    result = tune(2, in_order);
    cr_assert(result.index == 0 && result.slowest_ns == 16e9 && is_trusted(result), "%s", doubt(result));
}
