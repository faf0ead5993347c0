/* floor_online.c - the rule of online races alone: the tests tell it the time of each call. */
#include "../../src/online/rule.h"
#include "../../src/online/handover.h"

#include "../expect.h"
#include <criterion/criterion.h>
#include <math.h>

static uint64_t dice;
static double uniform(void) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return ((double)(dice >> 11) + 0.5) / 9007199254740992.0;
}
static double exponential(void) { return -log(uniform()); }

enum { MOST = 100 };
typedef struct program { /* the figures of one run */
    size_t count;
    double cost_ns[MOST], spent_ns, first_ns, longest_ns, drift;
    double unit; /* the .work of a usual call; 0: 1 */
    bool noisy, varies;
    autotune_status status[MOST];
} program;

static autotune__prior_row *prior_rows; /* what the next races know before they begin */
static void know(size_t point, double ns, unsigned flags) {
    const autotune__prior_row row = {point, ns, flags};
    cr_assert(AUTOTUNE__PUSH(prior_rows, row));
    autotune__sort_prior(prior_rows);
}
static void start(program *p, autotune__online *online, double max_loss, double seconds, uint64_t seed) {
    const autotune__limits limits = {.seed = seed, .rounds = 60};
    const autotune__race_setup setup = {.points = p->count, .prior = prior_rows};
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    autotune__request request;
    bool asked;
    autotune__prepare_online(online, &setup, &limits, max_loss, seconds);
    for (asked = autotune__online_evaluate(online, NULL, &request); asked;)
        asked = autotune__online_evaluate(online, &admitted, &request);
}
/* Makes one call. Returns the configuration that it ran. */
static size_t call(program *p, autotune__online *online) {
    const double amount = p->varies ? 0.7 + 0.6 * uniform() : 1, work = p->unit > 0 ? amount * p->unit : amount;
    const size_t row = autotune__online_next(online, work);
    autotune__answer answer = {.launches = 1};
    double scale = amount;
    cr_assert_lt(row, autotune__count(online->race.rows));
    const size_t index = online->race.rows[row].index;
    if (p->noisy) {
        p->drift = 0.98 * p->drift + 0.02 * (uniform() - 0.5);
        scale *= (1 + p->drift) * (1 + 0.02 * exponential());
        if (uniform() < 0.05) scale *= 1 + 0.5 * exponential();
    }
    answer.elapsed_ns = p->cost_ns[index] * scale;
    answer.status = p->status[index];
    p->spent_ns += answer.elapsed_ns;
    p->first_ns += p->cost_ns[0] * scale;
    if (answer.elapsed_ns > p->longest_ns) p->longest_ns = answer.elapsed_ns;
    autotune__online_take(online, row, &answer, work);
    return index;
}
static void finish(autotune__online *online) { autotune__free_race(&online->race); }
static size_t winner(const autotune__online *online) {
    return online->race.rows[online->race.outcome.winner].index;
}
static program random_program(uint64_t seed, size_t count) {
    program p = {.count = count, .noisy = true, .varies = seed % 2};
    dice = seed * 7919 + 1;
    for (size_t i = 0; i < count; i++) p.cost_ns[i] = 1e6 * (1 + exponential() * (seed % 3 ? 1.5 : 0.05));
    return p;
}

Test(online, the_bound_holds_after_every_call) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        program p = random_program(seed, seed % 5 ? 30 : MOST);
        autotune__online online;
        start(&p, &online, 0.05, 0.001, seed);
        for (int calls = 0; calls < 3000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            (void)call(&p, &online);
            cr_assert_leq(p.spent_ns, 1.05 * p.first_ns + 1e6 + p.longest_ns, "seed %d, call %d", (int)seed, calls);
        }
        finish(&online);
    }
}
/* The bound is the one that was asked for. */
Test(online, a_smaller_bound_holds_too) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        program p = random_program(seed, 30);
        autotune__online online;
        start(&p, &online, 0.01, 1e-9, seed);
        for (int calls = 0; calls < 1000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            (void)call(&p, &online);
            cr_assert_leq(p.spent_ns, 1.015 * p.first_ns + p.longest_ns, "seed %d, call %d", (int)seed, calls);
        }
        finish(&online);
    }
}
Test(online, the_winner_is_among_the_best) {
    size_t wrong = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        program p = random_program(seed, 30);
        autotune__online online;
        double best = HUGE_VAL;
        start(&p, &online, 0.05, 0.1, seed);
        for (int calls = 0; calls < 5000 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        for (size_t i = 0; i < p.count; i++) if (p.cost_ns[i] < best) best = p.cost_ns[i];
        wrong += p.cost_ns[winner(&online)] > 1.01 * best;
        finish(&online);
    }
    cr_assert_leq(wrong, 3u);
}
Test(online, without_an_allowance_nothing_is_tried_before_it_is_paid_for) {
    program p = {.count = 10};
    autotune__online online;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 1e6 * (double)(1 + i);
    start(&p, &online, 0.05, 1e-9, 1);
    for (int calls = 0; calls < 22; calls++) cr_assert_eq(call(&p, &online), 0u, "call %d", calls);
    size_t calls = 22;
    while (call(&p, &online) == 0) calls++;
    cr_assert_leq(calls, 30u, "a call is expected to take twice the time: 1 / (0.9 * 0.05) calls pay for it");
    finish(&online);
}
/* The gate expects twice the time of the first configuration, as if one first call had been made. Later it expects the
   mean of first calls. Faster first calls do not lower the mean. */
Test(gate, a_first_call_is_expected_to_take_what_first_calls_took) {
    autotune__gate gate = {.calls = 0};
    cr_assert_eq(autotune__expected_slowness(&gate), 1);
    autotune__note_first_call(&gate, 3);
    cr_assert_eq(autotune__expected_slowness(&gate), 1.5);
    autotune__note_first_call(&gate, 0.5);
    cr_assert_eq(autotune__expected_slowness(&gate), 1);
}
Test(online, between_two_glances_the_incumbent_runs) {
    program p = random_program(1, MOST);
    autotune__online online;
    size_t last = 0;
    start(&p, &online, 10, 10, 1);
    while (online.stage == AUTOTUNE__GLANCING) {
        const size_t incumbent = online.race.rows[online.incumbent].index, ran = call(&p, &online);
        cr_assert(ran == incumbent || last == incumbent || ran == last || ran == 0 || last == 0);
        last = ran;
    }
    finish(&online);
}
Test(online, what_is_clearly_faster_comes_into_use_at_once) {
    program p = {.count = 2, .cost_ns = {2e6, 1e6}};
    autotune__online online;
    start(&p, &online, 1, 1, 1);
    for (int calls = 0; calls < 7; calls++) (void)call(&p, &online);
    cr_assert_eq(online.incumbent, 1u);
    cr_assert_float_eq(online.ratio, 0.5, 1e-9);
    finish(&online);
}
/* A configuration looked faster by chance. An audit shows this, and the first configuration comes into use again, long
   before all configurations were tried. */
Test(online, the_audits_put_the_first_configuration_back) {
    program p = {.count = 60};
    autotune__online online;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 3e6;
    p.cost_ns[0] = 1e6;
    p.cost_ns[1] = 0.5e6;
    start(&p, &online, 10, 10, 1);
    while (online.incumbent == 0) {
        (void)call(&p, &online);
        cr_assert_lt(online.gate.calls, 300u);
    }
    p.cost_ns[1] = 1.3e6;
    for (int calls = 0; calls < 12 && online.incumbent != 0; calls++) (void)call(&p, &online);
    cr_assert(online.incumbent == 0 && online.stage == AUTOTUNE__GLANCING);
    finish(&online);
}
Test(online, a_gain_counts_only_once_audits_have_shown_it) {
    program p = {.count = 2, .cost_ns = {2e6, 1e6}};
    autotune__online online;
    start(&p, &online, 1, 1, 1);
    while (online.incumbent == 0) (void)call(&p, &online);
    const double before = autotune__loss_ns(&online.gate);
    cr_assert_eq(autotune__sure_ratio(&online), 1.0);
    (void)call(&p, &online);
    cr_assert_eq(autotune__loss_ns(&online.gate), before);
    finish(&online);
}
Test(online, the_share_falls_with_the_root_of_the_calls) {
    autotune__gate gate = {.max_loss = 0.1, .would_have_taken_ns = 1e9, .calls = 300};
    cr_assert(autotune__gate_admits(&gate, 0.0899e9, 0) && !autotune__gate_admits(&gate, 0.0901e9, 0));
    gate.calls = 1200;
    cr_assert(autotune__gate_admits(&gate, 0.0449e9, 0) && !autotune__gate_admits(&gate, 0.0451e9, 0));
}
Test(online, failures_leave_the_race) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        program p = random_program(seed, 30);
        autotune__online online;
        size_t runs[MOST] = {0};
        for (size_t i = 0; i < p.count; i++) if (uniform() < 0.3) p.status[i] = AUTOTUNE_FAILED;
        start(&p, &online, 1, 1, seed);
        for (int calls = 0; calls < 5000 && online.stage != AUTOTUNE__DECIDED; calls++) runs[call(&p, &online)]++;
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        cr_assert_eq(p.status[winner(&online)], AUTOTUNE_OK);
        for (size_t i = 0; i < p.count; i++) if (p.status[i] != AUTOTUNE_OK) cr_assert_eq(runs[i], 1u);
        finish(&online);
    }
}
Test(online, finalists_may_fail_in_the_duel) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        program p = random_program(3 * seed, 12);
        autotune__online online;
        start(&p, &online, 1, 1, seed);
        while (online.stage < AUTOTUNE__COMPARING || online.race.stage == AUTOTUNE__HALVING) (void)call(&p, &online);
        for (size_t i = 0; i < p.count; i++) if (uniform() < 0.5) p.status[i] = AUTOTUNE_FAILED;
        p.status[0] = AUTOTUNE_OK;
        for (int calls = 0; calls < 5000 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        finish(&online);
    }
}
/* A race may end before the call of its winner is made. If this call fails, the winner is no winner. */
Test(online, the_winner_may_fail_in_the_last_call) {
    program p = {.count = 2, .cost_ns = {1e6, 2e6}, .status = {AUTOTUNE_OK, AUTOTUNE_FAILED}};
    autotune__online online;
    start(&p, &online, 10, 10, 1);
    for (bool over = false; !over;) {
        const size_t row = autotune__online_next(&online, 1);
        over = online.stage == AUTOTUNE__DECIDED;
        const autotune__answer answer = {.launches = 1, .elapsed_ns = p.cost_ns[online.race.rows[row].index],
                                         .status = over ? AUTOTUNE_FAILED : p.status[online.race.rows[row].index]};
        autotune__online_take(&online, row, &answer, 1);
    }
    cr_assert(online.stage == AUTOTUNE__DECIDED && online.race.outcome.winner == SIZE_MAX);
    finish(&online);
}
/* The steps of a clock may be longer than most calls. */
Test(online, a_clock_may_stand_still) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        program p = {.count = 12};
        autotune__online online;
        dice = seed;
        start(&p, &online, 10, 10, seed);
        for (int calls = 0; calls < 3000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            const double ns = uniform() < 0.6 ? 0 : 1e6;
            for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = ns;
            (void)call(&p, &online);
        }
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        finish(&online);
    }
}
/* All allowed trials were made, and all have failed. The race does not try configurations of a lower PRIORITY. */
Test(online, trials_may_be_used_up_before_the_last_group) {
    const autotune__limits limits = {.seed = 5, .rounds = 60, .trials = 2};
    const autotune__race_setup setup = {.points = 6};
    const autotune__answer failed = {.launches = 1, .elapsed_ns = 1e6, .status = AUTOTUNE_FAILED};
    autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    autotune__online online;
    autotune__request request;
    bool asked;
    size_t row;
    autotune__prepare_online(&online, &setup, &limits, 1, 1);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;) {
        admitted.precedence.group = 1 + request.index / 2;
        asked = autotune__online_evaluate(&online, &admitted, &request);
    }
    while ((row = autotune__online_next(&online, 1)) != SIZE_MAX) autotune__online_take(&online, row, &failed, 1);
    cr_assert_eq(autotune__count(online.race.rows), 2u);
    cr_assert(online.stage == AUTOTUNE__DECIDED && online.race.outcome.winner == SIZE_MAX);
    finish(&online);
}
/* The device becomes slower in the duel. The race does not call configurations again that were far slower than
   others. */
Test(online, who_is_no_finalist_is_not_called_on_a_slower_device) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        program p = random_program(3 * seed, 20);
        autotune__online online;
        bool expected[MOST] = {0};
        p.noisy = p.varies = false;
        start(&p, &online, 0.05, 0.1, seed);
        while (online.stage < AUTOTUNE__COMPARING || online.race.stage == AUTOTUNE__HALVING) (void)call(&p, &online);
        for (size_t i = 0; i < autotune__count(online.race.live); i++)
            expected[online.race.rows[online.race.live[i]].index] = true;
        expected[0] = expected[online.race.rows[online.incumbent].index] = true;
        for (size_t i = 0; i < p.count; i++) p.cost_ns[i] *= 1.5;
        for (int calls = 0; calls < 5000 && online.stage != AUTOTUNE__DECIDED; calls++)
            cr_assert(expected[call(&p, &online)], "seed %d, call %d", (int)seed, calls);
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        finish(&online);
    }
}
Test(online, the_best_of_before_is_tried_first) {
    const autotune__limits limits = {.seed = 5, .rounds = 60};
    know(17, AUTOTUNE__NEVER, AUTOTUNE__WON);
    const autotune__race_setup setup = {.points = 30, .prior = prior_rows};
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    program p = {.count = 30};
    autotune__online online;
    autotune__request request;
    bool asked;
    size_t ran = 0;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 1e6;
    autotune__prepare_online(&online, &setup, &limits, 1, 1);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;)
        asked = autotune__online_evaluate(&online, &admitted, &request);
    while (!ran) ran = call(&p, &online);
    cr_assert_eq(ran, 17u);
    finish(&online);
}
/* After the winner of an earlier race, the race tries the best configurations of other keys, the nearest key first. */
Test(online, then_what_was_best_for_other_keys_is_tried) {
    static const size_t best[] = {17, 21, 9, 25};
    const autotune__limits limits = {.seed = 5, .rounds = 60};
    for (size_t i = 0; i < 4; i++) know(best[i], (double)i, i ? AUTOTUNE__SEED : AUTOTUNE__WON);
    const autotune__race_setup setup = {.points = 30, .prior = prior_rows};
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    program p = {.count = 30};
    autotune__online online;
    autotune__request request;
    bool asked;
    size_t seen = 0;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 1e6;
    autotune__prepare_online(&online, &setup, &limits, 1, 1);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;)
        asked = autotune__online_evaluate(&online, &admitted, &request);
    for (int calls = 0; calls < 200 && seen < 4; calls++) {
        const size_t ran = call(&p, &online);
        if (ran == 0 || (seen && ran == best[seen - 1])) continue;
        cr_assert_eq(ran, best[seen], "call %d ran %zu", calls, ran);
        seen++;
    }
    cr_assert_eq(seen, 4u);
    finish(&online);
}
/* Suspects come last, also an earlier winner. Only the first configuration is not last: a program without tuning would
   call it, too. */
Test(online, suspects_come_last_but_the_first_configuration) {
    const autotune__limits limits = {.seed = 5, .rounds = 60};
    know(0, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED);
    know(3, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED | AUTOTUNE__WON);
    const autotune__race_setup setup = {.points = 5, .prior = prior_rows};
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    program p = {.count = 5, .cost_ns = {1e6, 2e6, 2e6, 2e6, 2e6}};
    autotune__online online;
    autotune__request request;
    bool asked;
    autotune__prepare_online(&online, &setup, &limits, 10, 10);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;)
        asked = autotune__online_evaluate(&online, &admitted, &request);
    for (int calls = 0; calls < 500 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
    cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
    cr_assert_eq(winner(&online), 0u);
    cr_assert_eq(autotune__count(online.race.rows), 5u);
    cr_assert_eq(online.race.rows[0].index, 0u);
    cr_assert_eq(online.race.rows[4].index, 3u, "the suspect is the last");
    finish(&online);
}

/* Hands over the time of each configuration, and the configuration in use, to the next process. Returns the point in
   use. */
static size_t hand_over(const autotune__online *online) {
    const autotune__race *race = &online->race;
    const size_t in_use = race->rows[online->incumbent].index;
    for (size_t row = 0; row < autotune__count(race->rows); row++)
        know(race->rows[row].index, race->rows[row].minimum,
             AUTOTUNE__TIMED | (race->rows[row].launches > 1 ? 0 : AUTOTUNE__CALLED_ONCE));
    know(in_use, AUTOTUNE__NEVER, AUTOTUNE__USED_BEFORE);
    return in_use;
}
static size_t calls_after_handover(size_t in_use, double work, program *p, uint64_t seed) {
    autotune__online online;
    size_t calls = 0;
    start(p, &online, 10, 10, seed);
    autotune__take_handover(&online, work);
    cr_assert_eq(autotune__count(online.race.rows), p->count, "nothing is looked at again");
    cr_assert_eq(online.race.rows[online.incumbent].index, in_use);
    for (; online.stage != AUTOTUNE__DECIDED && calls < 5000; calls++) (void)call(p, &online);
    cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
    cr_assert_eq(winner(&online), 7u);
    finish(&online);
    return calls;
}
/* A record does not say which configuration was in use, or names one that does not exist now. */
Test(online, the_first_configuration_is_in_use_where_nobody_says_what_was) {
    static const double times[] = {1e6, 0.8e6, 0.5e6, 0.9e6};
    for (size_t k = 0; k < 4; k++) know(k, times[k], AUTOTUNE__TIMED);
    for (size_t i = 0; i < 2; i++) {
        program p = {.count = 4};
        autotune__online online;
        if (i) know(99, AUTOTUNE__NEVER, AUTOTUNE__USED_BEFORE);
        start(&p, &online, 10, 10, 1);
        autotune__take_handover(&online, 1);
        cr_assert_eq(online.race.rows[online.incumbent].index, 0u);
        cr_assert_eq(autotune__count(online.race.rows), 4u);
        finish(&online);
    }
}
Test(online, what_was_found_out_is_taken_over) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        program p = {.count = 30};
        autotune__online before;
        dice = seed;
        for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = i == 7 ? 0.9e6 : 1e6 * (1 + 0.4 * uniform());
        start(&p, &before, 10, 10, seed);
        while (before.stage < AUTOTUNE__COMPARING || before.race.stage == AUTOTUNE__HALVING) (void)call(&p, &before);
        const double work = before.reference_work;
        const size_t in_use = hand_over(&before);
        finish(&before);
        (void)calls_after_handover(in_use, work, &p, seed);
        AUTOTUNE__FREE_ARRAY(prior_rows);
    }
}
/* Without a time of the first configuration, no ratio is known. But a failed configuration is known, and is not
   tried. */
Test(online, times_without_that_of_the_first_one_are_not_taken_over) {
    for (int failed = 0; failed < 2; failed++) {
        program p = {.count = 3, .cost_ns = {1e6, 2e6, 3e6}};
        autotune__online online;
        know(2, 1e6, AUTOTUNE__TIMED | AUTOTUNE__CALLED_ONCE | AUTOTUNE__USED_BEFORE);
        if (failed) know(1, AUTOTUNE__NEVER, AUTOTUNE__LOST | AUTOTUNE__FAILED_BEFORE);
        start(&p, &online, 10, 10, 1);
        autotune__take_handover(&online, 1);
        cr_assert(online.incumbent == 0 && autotune__count(online.race.rows) == (failed ? 2 : 1));
        cr_assert(!failed || (online.race.rows[1].index == 1 && autotune__failed(&online.race.rows[1])));
        finish(&online);
    }
}
/* After a race that has ended, only its winner counts. */
Test(online, of_a_race_that_ended_nothing_but_the_winner_is_taken_over) {
    program p = {.count = 3, .cost_ns = {1e6, 2e6, 3e6}};
    autotune__online online;
    for (size_t i = 0; i < 3; i++) know(i, 1e6, AUTOTUNE__TIMED | (i ? 0 : AUTOTUNE__WON));
    start(&p, &online, 10, 10, 1);
    autotune__take_handover(&online, 1);
    cr_assert_eq(autotune__count(online.race.rows), 1u);
    finish(&online);
}

/* ---- The loss ---------------------------------------------------------------------------------------------------- */

/* A call in use takes long. Its time is a loss: it is not known if the first configuration would have taken as long. */
static bool is_overdrawn(const autotune__gate *gate) { return autotune__loss_ns(gate) > autotune__bound_ns(gate, 1); }
static autotune__gate with_loss(double first_again_ns) {
    autotune__gate gate = {.max_loss = 0.05, .allowance_ns = 1e6};
    for (int i = 0; i < 10; i++) autotune__count_call_of_first(&gate, 1e6, 1e6, 1);
    for (int i = 0; i < 10; i++) autotune__count_incumbent_call(&gate, 0.5e6, 1e6, 0.5e6, 2, 1);
    autotune__count_incumbent_call(&gate, 100e6, 1e6, 0.5e6, 2, 1);
    autotune__count_call_of_first(&gate, first_again_ns, 1e6, 1);
    return gate;
}
Test(online, a_long_call_is_lost_unless_the_first_one_is_slow_too) {
    const autotune__gate lost = with_loss(1e6), slow = with_loss(400e6);
    cr_assert_float_eq(autotune__loss_ns(&lost), 10 * -0.5e6 + 99e6, 1);
    cr_assert(is_overdrawn(&lost));
    cr_assert_float_eq(autotune__loss_ns(&slow), 105e6 - 2 * 105e6, 1, "in all of them it took twice as long");
    cr_assert(!is_overdrawn(&slow));
}
/* If calls of the first configuration take long now and then, this is expected of other configurations, too. It never
   counts as a gain. */
Test(online, long_calls_of_the_first_one_are_expected_in_others) {
    autotune__gate gate = {.max_loss = 0.05};
    for (int i = 0; i < 20; i++) autotune__count_call_of_first(&gate, i % 10 ? 1e6 : 101e6, 1e6, 1);
    for (int i = 0; i < 10; i++) autotune__count_incumbent_call(&gate, 1e6, 1e6, 1e6, 1, 1);
    cr_assert_float_eq(autotune__loss_ns(&gate), 0, 1);
    autotune__count_incumbent_call(&gate, 61e6, 1e6, 1e6, 1, 1);
    cr_assert_float_eq(autotune__loss_ns(&gate), 0, 1);
    autotune__count_incumbent_call(&gate, 61e6, 1e6, 1e6, 1, 1);
    cr_assert_float_eq(autotune__loss_ns(&gate), 0, 1, "10 in each of 12 calls");
    autotune__count_incumbent_call(&gate, 61e6, 1e6, 1e6, 1, 1);
    cr_assert_float_eq(autotune__loss_ns(&gate), 180e6 - 130e6, 1);
}
/* The longest call of the first configuration counts as much as the second longest. */
Test(online, one_long_call_of_the_first_one_says_nothing) {
    autotune__gate gate = {.max_loss = 0.05};
    for (int i = 0; i < 20; i++) autotune__count_call_of_first(&gate, i == 3 ? 1e12 : 1e6, 1e6, 1);
    autotune__count_incumbent_call(&gate, 101e6, 1e6, 1e6, 1, 1);
    cr_assert_float_eq(autotune__loss_ns(&gate), 100e6, 1);
}
/* Most calls of a configuration take 0.3 ms, and some take 200 ms. It does not win, although it is the fastest in most
   rounds. */
Test(online, what_is_slow_in_the_mean_does_not_win) {
    size_t slow = 0, settled = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        program p = {.count = 6, .cost_ns = {1e6, 0.3e6, 0.6e6, 2e6, 0.9e6, 1.5e6}};
        autotune__online online;
        dice = seed;
        start(&p, &online, 0.05, 10, seed);
        for (int calls = 0; calls < 3000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            p.cost_ns[1] = uniform() < 0.1 ? 20e6 : 0.3e6;
            (void)call(&p, &online);
        }
        settled += online.stage == AUTOTUNE__DECIDED;
        slow += online.stage == AUTOTUNE__DECIDED && winner(&online) == 1;
        finish(&online);
    }
    /* by chance, a configuration may have two long calls of 60 */
    cr_assert(slow <= 20 && settled >= 175, "%zu of %zu", slow, settled);
}
/* The machine interrupts one call of 40 or of 25, of any configuration. So the mean of the best configuration does not
   count against it. */
Test(online, interrupted_calls_do_not_reject_the_best) {
    size_t rejected = 0;
    for (int interval = 25; interval <= 40; interval += 15)
        for (uint64_t seed = 1; seed <= 100; seed++) {
            program p = {.count = 6};
            autotune__online online;
            dice = seed;
            start(&p, &online, 0.05, 10, seed);
            for (int calls = 0; calls < 3000 && online.stage != AUTOTUNE__DECIDED; calls++) {
                const double times = uniform() * interval < 1 ? 20 : 1;
                for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = times * (1e6 + 5e4 * (double)((i + 2) % p.count));
                (void)call(&p, &online);
            }
            for (size_t row = 0; row < autotune__count(online.race.rows); row++)
                rejected += online.race.rows[row].index == 4 &&
                            online.race.rows[row].why == autotune__too_slow_in_the_mean;
            finish(&online);
        }
    cr_assert_leq(rejected, 12u, "%zu of 200; by a mean of few calls they were 75", rejected);
}
/* Calls that take at most twice as long do not count as held up. So they all count, and a configuration with many of
   them loses soon. */
Test(online, what_takes_twice_as_long_in_a_quarter_of_its_calls_does_not_win) {
    size_t rejected = 0, published = 0, most = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        program p = {.count = 3, .cost_ns = {1e6, 0.9e6, 1.2e6}};
        autotune__online online;
        size_t calls = 0;
        dice = seed;
        start(&p, &online, 0.05, 10, seed);
        for (; calls < 3000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            p.cost_ns[1] = uniform() < 0.28 ? 1.99e6 : 0.9e6;
            (void)call(&p, &online);
        }
        rejected += online.race.rows[autotune__find_row(&online.race, 1)].why == autotune__too_slow_in_the_mean;
        published += winner(&online) == 1;
        if (calls > most) most = calls;
        finish(&online);
    }
    cr_assert(rejected >= 25 && published <= 20 && most < 500, "%zu, %zu; %zu calls", rejected, published, most);
}
/* Runs a program. Sometimes, calls of a configuration other than the first take 20 times as long; from call 1000 on
   they take twice as long. The winner is watched. Notes the row of each call. Returns the number of calls in which the
   configuration in use rested. */
enum { CALLS_NOTED = 1500 };
static size_t note_rows(double unit, bool varies, uint64_t seed, size_t *rows) {
    program p = random_program(seed, 12);
    autotune__online online;
    size_t rests = 0, calls = 0;
    double cost[MOST];
    p.unit = unit;
    p.varies = varies;
    memcpy(cost, p.cost_ns, sizeof cost);
    start(&p, &online, 0.05, 0.01, seed);
    for (; calls < CALLS_NOTED; calls++) {
        const bool is_long = uniform() < 0.05;
        for (size_t i = 1; i < p.count; i++) p.cost_ns[i] = cost[i] * (is_long ? 20 : 1) * (calls < 1000 ? 1 : 2);
        if (online.stage == AUTOTUNE__DECIDED && online.race.outcome.winner == SIZE_MAX) break;
        if (online.stage == AUTOTUNE__DECIDED) autotune__start_watching(&online, online.race.outcome.winner);
        rests += autotune__incumbent_rests(&online);
        rows[calls] = call(&p, &online);
    }
    for (; calls < CALLS_NOTED; calls++) rows[calls] = SIZE_MAX;
    finish(&online);
    return rests;
}
Test(online, the_unit_of_work_changes_no_decision) {
    static const double units[] = {1e-3, 1e6, 0x1p-20, 1e-100, 1e100};
    static size_t rows[CALLS_NOTED], expected[CALLS_NOTED];
    size_t rests = 0;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            const size_t usual = note_rows(1, seed % 4 == 0, seed, expected),
                         found = note_rows(units[i], seed % 4 == 0, seed, rows);
            size_t calls = 0;
            while (calls < CALLS_NOTED && rows[calls] == expected[calls]) calls++;
            cr_expect(calls == CALLS_NOTED && found == usual, "seed %d, .work = %g: call %zu differs; rests %zu, %zu",
                      (int)seed, units[i], calls, found, usual);
            rests += usual;
        }
    cr_assert_gt(rests, 0u);
}
/* A call with little work reaches no goal, although it is short. */
Test(online, calls_with_little_work_reach_no_goal) {
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    const autotune__race_setup setup = {.points = 3};
    for (int heavy = 0; heavy < 2; heavy++) {
        const autotune__limits limits = {.seed = 1, .rounds = 60, .stop_at_ns = heavy ? 6e6 : 4e6};
        program p = {.count = 3, .cost_ns = {1e6, 0.5e6, 2e6}};
        autotune__online online;
        autotune__request request;
        autotune__prepare_online(&online, &setup, &limits, 10, 10);
        for (bool asked = autotune__online_evaluate(&online, NULL, &request); asked;)
            asked = autotune__online_evaluate(&online, &admitted, &request);
        for (int calls = 1; calls < 1000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            const double work = calls % 3 ? 10 : 1;
            const size_t row = autotune__online_next(&online, work);
            const autotune__answer answer = {.launches = 1,
                                             .elapsed_ns = work * p.cost_ns[online.race.rows[row].index]};
            autotune__online_take(&online, row, &answer, work);
        }
        cr_assert_eq(winner(&online), 1u);
        cr_assert_eq(online.race.outcome.verdict, heavy ? AUTOTUNE_UNRESOLVED : AUTOTUNE_SEPARATED, "%d", heavy);
        finish(&online);
    }
}
/* While the calls of the configuration in use have lost more than the bound, this configuration rests: the first
   configuration is called. */
Test(online, after_a_call_that_cost_too_much_the_first_one_is_called) {
    program p = {.count = 2, .cost_ns = {1e6, 0.5e6}};
    autotune__online online;
    start(&p, &online, 0.05, 0.1, 1);
    for (int calls = 0; calls < 40; calls++) (void)call(&p, &online);
    cr_assert_eq(online.incumbent, 1u);
    p.cost_ns[1] = 1e9;
    while (call(&p, &online) != 1) {}
    p.cost_ns[1] = 0.5e6;
    for (int calls = 0; calls < 100; calls++) cr_assert_eq(call(&p, &online), 0u);
    cr_assert_eq(autotune__row_in_use(&online), 0u);
    finish(&online);
}
/* Two configurations are compared in rounds: one or two calls do not show which is faster. */
Test(online, two_are_compared_in_rounds) {
    program p = {.count = 2, .cost_ns = {1e6, 20e6}};
    autotune__online online;
    start(&p, &online, 10, 10, 1);
    for (int calls = 0; calls < 1000 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
    cr_assert(online.stage == AUTOTUNE__DECIDED && winner(&online) == 0);
    cr_assert_eq(online.race.outcome.verdict, AUTOTUNE_SEPARATED);
    cr_assert_geq(autotune__rounds(&online.race), 3u);
    finish(&online);
}

/* On a device, earlier calls of the incumbent may end while its call of a round is open. Their times do not count for
   the round. */
Test(online, a_call_beside_a_comparison_is_no_part_of_it) {
    program p = {.count = 2, .cost_ns = {1e6, 1e6}};
    const autotune__answer answer = {.launches = 1, .elapsed_ns = 1e6};
    autotune__online online;
    start(&p, &online, 0.05, 0.1, 1);
    while (online.stage != AUTOTUNE__COMPARING || online.race.row != online.incumbent) (void)call(&p, &online);
    const size_t at = online.race.round.at, samples = online.race.samples;
    online.chosen = false;
    autotune__online_take(&online, online.incumbent, &answer, 1);
    cr_assert(online.race.row == online.incumbent && online.race.round.at == at && online.race.samples == samples);
    online.chosen = true;
    autotune__online_take(&online, online.incumbent, &answer, 1);
    cr_assert(online.race.row != online.incumbent || online.race.round.at != at || online.race.samples != samples);
    finish(&online);
}
/* All other configurations that were near fail before the duel. Then configurations that were cut come back, and are
   compared with the winner. */
Test(online, what_is_left_alone_is_compared_with_what_was_cut) {
    program p = {.count = 20};
    autotune__online online;
    for (size_t i = 0; i < p.count; i++)
        p.cost_ns[i] = i >= 1 && i <= 11 ? 1e6 + 1e3 * (double)i : 2e6 + 1e5 * (double)i;
    start(&p, &online, 1, 10, 1);
    for (int calls = 0; calls < 2000 && online.stage != AUTOTUNE__DECIDED; calls++) {
        for (size_t i = 1; i <= 11 && online.stage == AUTOTUNE__COMPARING; i++)
            if (i != 3) p.status[i] = AUTOTUNE_FAILED;
        (void)call(&p, &online);
    }
    cr_assert(online.stage == AUTOTUNE__DECIDED && winner(&online) == 3);
    cr_assert_eq(online.race.outcome.verdict, AUTOTUNE_SEPARATED);
    cr_assert_geq(autotune__rounds(&online.race), 3u, "%zu rounds", autotune__rounds(&online.race));
    finish(&online);
}
Test(online, ranks_call_each_one_twice) {
    program p = random_program(2, 30);
    autotune__online online;
    size_t runs[MOST] = {0};
    start(&p, &online, 10, 10, 1);
    online.calls_each_twice = true;
    while (online.stage < AUTOTUNE__COMPARING) runs[call(&p, &online)]++;
    for (size_t i = 0; i < p.count; i++) cr_assert_geq(runs[i], 2u, "configuration %zu", i);
    finish(&online);
}


/* ---- Second calls ------------------------------------------------------------------------------------------------ */

/* One call of 41 takes 10 times as long. So does the first call of one configuration, but not its second call. */
static void interrupt(program *p, autotune__online *online, size_t unlucky, size_t *runs) {
    double cost[MOST];
    memcpy(cost, p->cost_ns, sizeof cost);
    for (size_t calls = 1; calls < 20000 && online->stage != AUTOTUNE__DECIDED; calls++) {
        for (size_t i = 0; i < p->count; i++) {
            const bool interrupted = i == unlucky && runs[i] < 2 ? runs[i] == 0 : calls % 41 == 0;
            p->cost_ns[i] = cost[i] * (interrupted ? 10 : 1);
        }
        runs[call(p, online)]++;
    }
    memcpy(p->cost_ns, cost, sizeof cost);
    cr_assert_eq(online->stage, AUTOTUNE__DECIDED);
}
Test(online, one_call_that_was_interrupted_excludes_nothing) {
    size_t excluded = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        program p = {.count = 30};
        autotune__online online;
        size_t runs[MOST] = {0};
        for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 1e6 + 5e4 * (double)i;
        p.cost_ns[0] = 2e6;
        start(&p, &online, 0.05, 0.1, seed);
        interrupt(&p, &online, 1, runs);
        excluded += winner(&online) != 1;
        if (winner(&online) == 1) cr_assert_eq(online.race.outcome.verdict, AUTOTUNE_SEPARATED);
        finish(&online);
    }
    cr_assert_leq(excluded, 3u, "%zu: in few runs no call of what was in use is interrupted", excluded);
}
/* A configuration that comes back and is slower than the winner does not change the verdict. */
Test(online, what_comes_back_and_loses_changes_nothing) {
    size_t never = 0;                           /* in few runs no call of the configuration in use is interrupted */
    for (uint64_t seed = 1; seed <= 20; seed++) {
        program p = {.count = 6, .cost_ns = {2e6, 1e6, 1.02e6, 1.08e6, 1.9e6, 1.95e6}};
        autotune__online online;
        size_t runs[MOST] = {0};
        start(&p, &online, 0.05, 0.1, seed);
        interrupt(&p, &online, 3, runs);
        const autotune__race_outcome *outcome = &online.race.outcome;
        never += runs[3] == 1;
        cr_assert(winner(&online) == 1 && runs[3] != 2, "%zu calls", runs[3]);
        cr_assert_eq(outcome->verdict, AUTOTUNE_SEPARATED);
        cr_assert_eq(online.race.rows[outcome->runner_up].index, 2u);
        cr_assert_float_eq(outcome->lead.median, 0.02, 1e-6, "%g", outcome->lead.median);
        cr_assert(!strcmp(online.race.rows[outcome->winner].stage, "winner"));
        finish(&online);
    }
    cr_assert_leq(never, 3u, "%zu", never);
}
/* Slow configurations are called a second time. This may take a fiftieth of the time, one call more, and the calls that
   show that first calls were right. Without interruptions three calls show this. */
Test(online, the_time_of_second_calls_is_bounded) {
    for (int interrupted = 0; interrupted < 2; interrupted++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            program p = {.count = 60};
            autotune__online online;
            size_t runs[MOST] = {0}, second = 0;
            double calls = 0;
            for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = i < 2 ? 2e6 - 1e6 * (double)i : 5e6 + 1e5 * (double)i;
            start(&p, &online, 0.05, 10, seed);
            if (interrupted) interrupt(&p, &online, SIZE_MAX, runs);
            else while (online.stage != AUTOTUNE__DECIDED) runs[call(&p, &online)]++;
            for (size_t i = 0; i < p.count; i++) calls += (double)runs[i];
            for (size_t i = 2; i < p.count; i++) second += runs[i] == 2;
            cr_assert_eq(winner(&online), 1u);
            /* Each second call takes at least 4 ms. The first configuration would have taken 2 ms, or 20 ms if
               interrupted. */
            if (interrupted) cr_assert(second >= 1 &&
                                       ((double)second - 3) * 4 <= 0.02 * 2 * (calls + 9 * calls / 41) + 20);
            else cr_assert_leq(second, 3u, "three show that first calls tell the truth");
            finish(&online);
        }
}

/* ---- Ranks beside other programs --------------------------------------------------------------------------------- */

/* A call takes as long as on the slower of two ranks. Other programs hold up each rank: now and then for up to three
   times its call, by any time, or in periods. */
typedef enum contention { NOW_AND_THEN, BY_ANYTHING, IN_PERIODS, ALWAYS, CONTENTIONS, NONE = CONTENTIONS } contention;
static double held_up(contention how, bool *busy) {
    switch (how) {
    case NOW_AND_THEN: return uniform() < 0.35 ? 1 + 3 * uniform() : 1 + 0.02 * exponential();
    case BY_ANYTHING: return 1 + 0.15 * (pow(uniform(), -1 / 1.5) - 1);
    case IN_PERIODS:
        if (uniform() < 0.1) *busy = !*busy;
        return *busy ? 1.5 + 2.5 * uniform() : 1 + 0.05 * exponential();
    case ALWAYS: return exp(1.2 * (uniform() + uniform() + uniform() - 1.5));
    default: return 1 + 0.01 * exponential();
    }
}
typedef struct verdicts { size_t settled, separated, wrong, unfounded; } verdicts; /* wrong: also ties */
static verdicts decide_under(contention how, size_t runs, bool twice) {
    verdicts seen = {0, 0, 0, 0};
    for (uint64_t seed = 1; seed <= runs; seed++) {
        program p = {.count = 3};
        static const double base[] = {106e6, 100e6, 108e6};
        autotune__online online;
        bool busy[2] = {false, false};
        dice = seed * 7919;
        start(&p, &online, 1, 10, seed);
        if (twice) online.calls_each_twice = true;
        for (int calls = 0; calls < 1000 && online.stage != AUTOTUNE__DECIDED; calls++) {
            const double a = held_up(how, &busy[0]), b = held_up(how, &busy[1]);
            for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = base[i] * (a > b ? a : b);
            (void)call(&p, &online);
        }
        if (online.stage == AUTOTUNE__DECIDED) {
            const bool separated = online.race.outcome.verdict == AUTOTUNE_SEPARATED,
                       sure = separated || online.race.outcome.verdict == AUTOTUNE_TIE;
            seen.settled++;
            seen.separated += separated;
            seen.wrong += sure && winner(&online) != 1;
            seen.unfounded += separated && autotune__rounds(&online.race) < 3;
        }
        finish(&online);
    }
    return seen;
}
Test(online, ranks_that_are_held_up_are_rarely_told_apart_wrongly) {
    const size_t runs = 200;
    for (int how = 0; how < CONTENTIONS; how++) {
        const verdicts seen = decide_under((contention)how, runs, true);
        cr_assert_geq(seen.settled, runs * 9 / 10);
        cr_assert_eq(seen.unfounded, 0u);
        cr_assert_leq(seen.wrong, runs / 40, "%d: %zu of %zu", how, seen.wrong, seen.separated);
    }
    const verdicts quiet = decide_under(NONE, 20, true);
    cr_assert(quiet.separated == 20 && quiet.wrong == 0);
}
/* A configuration that comes back after the duel is compared in its own duel, however long the first duel was. */
Test(online, one_that_is_held_up_separates_nothing_without_rounds) {
    const size_t runs = 200;
    for (int how = 0; how < CONTENTIONS; how++) {
        const verdicts seen = decide_under((contention)how, runs, false);
        cr_assert_eq(seen.unfounded, 0u);
        cr_assert_leq(seen.wrong, runs / 40, "%d: %zu of %zu", how, seen.wrong, seen.separated);
    }
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

/* Watches so many calls of a row. Each takes ns; a `share` of them takes ten times as long. Returns the number of calls
   until a change is shown; SIZE_MAX if none is shown. */
static size_t watch_calls(autotune__call_watch *watch, size_t row, double ns, double share, size_t calls) {
    for (size_t i = 1; i <= calls; i++)
        if (autotune__watch_call(watch, row, ns * (1 + 0.02 * exponential()) * (uniform() < share ? 10 : 1))) return i;
    return SIZE_MAX;
}
Test(watch, a_change_is_shown_by_ten_calls) {
    static const double changes[] = {1.2, 0.8, 1000};
    for (int i = 0; i < 3; i++) {
        autotune__call_watch watch = {.count = 0};
        cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 1000), SIZE_MAX);
        cr_assert_eq(watch_calls(&watch, 1, changes[i] * 1e6, 0, 20), 10u);
        cr_assert_float_eq(watch.change, changes[i], 0.05 * changes[i]);
    }
}
/* A fifth of the calls take ten times as long: this is no change. */
Test(watch, calls_that_are_interrupted_are_no_change) {
    size_t shown = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        autotune__call_watch watch = {.count = 0};
        dice = seed * 7919;
        shown += watch_calls(&watch, 1, 1e6, 0.2, 20000) != SIZE_MAX;
    }
    cr_assert_leq(shown, 1u);
}
Test(watch, a_burst_of_eight_calls_is_no_change) {
    autotune__call_watch watch = {.count = 0};
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 100), SIZE_MAX);
        cr_assert_eq(watch_calls(&watch, 1, 1e8, 0, 8), SIZE_MAX);
    }
}
Test(watch, what_was_compared_before_is_no_change_of_the_same_configuration) {
    autotune__call_watch watch = {.count = 0};
    cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 100), SIZE_MAX);
    cr_assert_eq(watch_calls(&watch, 1, 2e6, 0, 100), 10u);
    for (int i = 0; i < 10; i++) {
        cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 100), SIZE_MAX);
        cr_assert_eq(watch_calls(&watch, 1, 2e6, 0, 100), SIZE_MAX);
    }
    watch.count = 0;
    cr_assert_eq(watch_calls(&watch, 2, 1e6, 0, 100), SIZE_MAX, "another winner");
    cr_assert_eq(watch_calls(&watch, 2, 2e6, 0, 100), 10u);
}
/* The watch remembers the last eight comparisons. */
Test(watch, what_was_compared_long_ago_is_forgotten) {
    autotune__call_watch watch = {.count = 0};
    double ns = 1e6;
    for (int i = 0; i < AUTOTUNE__LEVELS; i++, ns *= 1.5) (void)watch_calls(&watch, 1, ns, 0, 100);
    cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 100), SIZE_MAX);
    cr_assert_eq(watch_calls(&watch, 1, ns, 0, 100), 10u);
    cr_assert_eq(watch_calls(&watch, 1, ns, 0, 100), SIZE_MAX);
    cr_assert_eq(watch_calls(&watch, 1, 1e6, 0, 100), 10u);
}
static void watch_until_change(program *p, autotune__online *online) {
    for (int calls = 0; online->stage == AUTOTUNE__WATCHING; calls++) {
        (void)call(p, online);
        cr_assert_lt(calls, 40);
    }
}
Test(watch, the_finalists_and_the_first_one_are_compared_again) {
    program p = {.count = 30};
    autotune__online online;
    size_t runs[MOST] = {0}, raced = 0;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 2e6 + 1e6 * (double)i;
    p.cost_ns[5] = 1e6, p.cost_ns[6] = 1.05e6;
    start(&p, &online, 0.05, 0.1, 1);
    while (online.stage != AUTOTUNE__DECIDED) (void)call(&p, &online);
    cr_assert_eq(winner(&online), 5u);
    autotune__start_watching(&online, online.race.outcome.winner);
    for (int calls = 0; calls < 100; calls++) cr_assert_eq(call(&p, &online), 5u);
    online.race.samples = 1000; /* however long the first race was, */
    online.least_calls = 5000;  /* and however many calls its winner had to make */
    p.cost_ns[5] = 1.3e6;
    watch_until_change(&p, &online);
    cr_assert_eq(online.least_calls, (size_t)AUTOTUNE__CALLS_OF_WINNER);
    cr_assert_eq(autotune__count(online.race.live), 3u);
    cr_assert_neq(autotune__position_among(0, online.race.live), SIZE_MAX, "the first configuration, too");
    const double before = p.spent_ns, first = p.first_ns;
    while (online.stage != AUTOTUNE__DECIDED) runs[call(&p, &online)]++;
    for (size_t i = 0; i < p.count; i++) raced += runs[i] > 0;
    cr_assert(winner(&online) == 6 && runs[0] && runs[5] && raced == 3, "%zu", raced);
    cr_assert(online.race.outcome.verdict == AUTOTUNE_SEPARATED && autotune__rounds(&online.race) >= 3);
    cr_assert_leq(p.spent_ns - before, 1.05 * (p.first_ns - first) + 1e8 + p.longest_ns);
    finish(&online);
}
/* The bound of the loss is for all races of a key together. A later race does not get it again. */
Test(watch, the_loss_of_all_races_is_one) {
    program p = random_program(4, 30);
    autotune__online online;
    double spent = 0, first = 0, longest = 0;
    p.noisy = false;
    start(&p, &online, 0.05, 0.02, 1);
    for (int changes = 0; changes < 6; changes++) {
        while (online.stage != AUTOTUNE__DECIDED) {
            const double spent_ns = p.spent_ns, first_ns = p.first_ns;
            (void)call(&p, &online);
            spent += p.spent_ns - spent_ns;
            first += p.first_ns - first_ns;
            if (p.spent_ns - spent_ns > longest) longest = p.spent_ns - spent_ns;
            cr_assert_leq(spent, 1.05 * first + 0.02e9 + longest, "after %d changes", changes);
        }
        autotune__start_watching(&online, online.race.outcome.winner);
        for (int calls = 0; calls < 30; calls++) (void)call(&p, &online);
        p.cost_ns[winner(&online)] *= 4;
        watch_until_change(&p, &online);
    }
    finish(&online);
}
/* A race of one configuration has nothing to compare. So after a change there is no winner. */
Test(watch, alone_a_winner_that_has_changed_is_none) {
    program p = {.count = 4, .cost_ns = {3e6, 2e6, 1e6, 4e6}};
    autotune__online online;
    const autotune__limits limits = {.seed = 1, .rounds = 60};
    const autotune__race_setup setup = {.points = p.count};
    autotune__prepare_online(&online, &setup, &limits, 0.05, 0.1);
    cr_assert(autotune__new_row(&online.race, 2));
    autotune__start_watching(&online, 0);
    for (int calls = 0; calls < 100; calls++) cr_assert_eq(call(&p, &online), 2u);
    p.cost_ns[2] = 2e6;
    watch_until_change(&p, &online);
    cr_assert(online.stage == AUTOTUNE__DECIDED && online.race.outcome.winner == SIZE_MAX);
    finish(&online);
}
static program settled_program(autotune__online *online) {
    program p = {.count = 6, .cost_ns = {2e6, 1e6, 1.05e6, 3e6, 4e6, 5e6}};
    start(&p, online, 0.05, 0.1, 1);
    while (online->stage != AUTOTUNE__DECIDED) (void)call(&p, online);
    cr_assert_eq(winner(online), 1u);
    autotune__start_watching(online, online->race.outcome.winner);
    for (int calls = 0; calls < 50; calls++) cr_assert_eq(call(&p, online), 1u);
    return p;
}
/* All configurations take three times as long. The winner stays, although it is slower than the first configuration was
   before. */
Test(watch, where_all_take_three_times_as_long_the_winner_stays) {
    autotune__online online;
    program p = settled_program(&online);
    size_t runs[MOST] = {0};
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] *= 3;
    watch_until_change(&p, &online);
    while (online.stage != AUTOTUNE__DECIDED) runs[call(&p, &online)]++;
    cr_assert_eq(winner(&online), 1u);
    cr_assert_null(online.race.rows[online.race.outcome.winner].why);
    cr_assert(runs[1] >= 60 && runs[0] + runs[1] + runs[2] <= 150, "%zu, %zu, %zu", runs[0], runs[1], runs[2]);
    finish(&online);
}
/* A watched winner is published, so hits run it, too. So it does not rest. */
Test(watch, what_is_watched_does_not_rest) {
    autotune__online online;
    program p = settled_program(&online);
    online.gate.lost_ns = 1e15;
    cr_assert_eq(call(&p, &online), 1u);
    finish(&online);
}
/* On a device, a call of another configuration may be open when the race ends. Its late time does not count for the
   winner. */
Test(watch, the_late_time_of_another_call_is_none_of_the_winner) {
    autotune__online online;
    program p = settled_program(&online);
    const autotune__answer late = {.launches = 1, .elapsed_ns = 2e6};
    for (int calls = 0; calls < 20; calls++) autotune__online_take(&online, 0, &late, 1);
    for (int calls = 0; calls < 20; calls++) cr_assert_eq(call(&p, &online), 1u);
    cr_assert_eq(online.stage, AUTOTUNE__WATCHING);
    finish(&online);
}
