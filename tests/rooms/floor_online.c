/* floor_online.c - the rule of online races alone, which is told here what each call took. */
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
typedef struct program { /* one run */
    size_t count;
    double cost_ns[MOST], spent_ns, first_ns, longest_ns, drift;
    bool noisy, varies;
    autotune_status status[MOST];
} program;

static void start(program *p, autotune__online *online, double max_loss, double seconds, uint64_t seed) {
    const autotune__limits limits = {.seed = seed, .rounds = 60};
    const autotune__race_setup setup = {.points = p->count, .incumbent = SIZE_MAX};
    const autotune__answer admitted = {.admitted = true, .cost = AUTOTUNE__NEVER};
    autotune__request request;
    bool asked;
    autotune__prepare_online(online, &setup, &limits, max_loss, seconds);
    for (asked = autotune__online_evaluate(online, NULL, &request); asked;)
        asked = autotune__online_evaluate(online, &admitted, &request);
}
/* One call. Returns the configuration that it ran. */
static size_t call(program *p, autotune__online *online) {
    const double work = p->varies ? 0.7 + 0.6 * uniform() : 1;
    const size_t row = autotune__online_next(online, work);
    autotune__answer answer = {.launches = 1};
    double scale = work;
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
/* The bound is what is asked for, and no other. */
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
/* A configuration that looked faster by chance: an audit shows it, and the first comes into use again, long before the
   others were tried. */
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
    const double before = online.gate.loss_ns;
    cr_assert_eq(autotune__worth(&online), 1.0);
    (void)call(&p, &online);
    cr_assert_eq(online.gate.loss_ns, before);
    finish(&online);
}
Test(online, the_share_falls_with_the_root_of_the_calls) {
    autotune__gate gate = {.max_loss = 0.1, .would_have_taken_ns = 1e9, .calls = 300};
    cr_assert(autotune__gate_admits(&gate, 0.0899e9) && !autotune__gate_admits(&gate, 0.0901e9));
    gate.calls = 1200;
    cr_assert(autotune__gate_admits(&gate, 0.0449e9) && !autotune__gate_admits(&gate, 0.0451e9));
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
        while (online.stage < AUTOTUNE__DECIDING) (void)call(&p, &online);
        for (size_t i = 0; i < p.count; i++) if (uniform() < 0.5) p.status[i] = AUTOTUNE_FAILED;
        p.status[0] = AUTOTUNE_OK;
        for (int calls = 0; calls < 5000 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
        cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
        finish(&online);
    }
}
/* The race may be over before the call of the winner is made. If that fails, it is no winner. */
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
/* Its steps may be longer than most calls. */
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
/* Where all trials were made, and all have failed, those of a lower PRIORITY are not looked for. */
Test(online, trials_may_be_used_up_before_the_last_group) {
    const autotune__limits limits = {.seed = 5, .rounds = 60, .trials = 2};
    const autotune__race_setup setup = {.points = 6, .incumbent = SIZE_MAX};
    const autotune__answer failed = {.launches = 1, .elapsed_ns = 1e6, .status = AUTOTUNE_FAILED};
    autotune__answer admitted = {.admitted = true, .cost = AUTOTUNE__NEVER, .grouped = true};
    autotune__online online;
    autotune__request request;
    bool asked;
    size_t row;
    autotune__prepare_online(&online, &setup, &limits, 1, 1);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;) {
        admitted.group = (int64_t)(request.index / 2);
        asked = autotune__online_evaluate(&online, &admitted, &request);
    }
    while ((row = autotune__online_next(&online, 1)) != SIZE_MAX) autotune__online_take(&online, row, &failed, 1);
    cr_assert_eq(autotune__count(online.race.rows), 2u);
    cr_assert(online.stage == AUTOTUNE__DECIDED && online.race.outcome.winner == SIZE_MAX);
    finish(&online);
}
/* A device that becomes slower in the duel is no reason to try again what others were far ahead of. */
Test(online, who_is_no_finalist_is_not_called_on_a_slower_device) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        program p = random_program(3 * seed, 20);
        autotune__online online;
        bool expected[MOST] = {0};
        p.noisy = p.varies = false;
        start(&p, &online, 0.05, 0.1, seed);
        while (online.stage < AUTOTUNE__DECIDING) (void)call(&p, &online);
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
    const autotune__race_setup setup = {.points = 30, .incumbent = 17};
    const autotune__answer admitted = {.admitted = true, .cost = AUTOTUNE__NEVER};
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
/* A suspect comes last; but the first configuration is in use already, so that it is not tried once more. */
Test(online, a_suspect_that_is_in_use_has_one_row) {
    const autotune__limits limits = {.seed = 5, .rounds = 60};
    const size_t suspects[] = {0, 3};
    const autotune__race_setup setup = {.points = 5, .incumbent = SIZE_MAX, .deferred = suspects, .deferred_count = 2};
    const autotune__answer admitted = {.admitted = true, .cost = AUTOTUNE__NEVER};
    program p = {.count = 5, .cost_ns = {1e6, 2e6, 2e6, 2e6, 2e6}};
    autotune__online online;
    autotune__request request;
    bool asked;
    autotune__prepare_online(&online, &setup, &limits, 10, 10);
    for (asked = autotune__online_evaluate(&online, NULL, &request); asked;)
        asked = autotune__online_evaluate(&online, &admitted, &request);
    for (int calls = 0; calls < 500 && online.stage != AUTOTUNE__DECIDED; calls++) (void)call(&p, &online);
    cr_assert(online.stage == AUTOTUNE__DECIDED && winner(&online) == 0);
    cr_assert_eq(autotune__count(online.race.rows), 5u);
    cr_assert_eq(online.race.rows[4].index, 3u);
    finish(&online);
}

/* What one process hands over to the next, of a race that is in its duel, or before it. */
static void hand_over(const autotune__online *online, autotune__handover *handed) {
    const autotune__race *race = &online->race;
    memset(handed, 0, sizeof *handed);
    handed->stage = online->stage;
    handed->reference_ns = online->reference_ns;
    handed->reference_work = online->reference_work;
    handed->ratio = online->ratio;
    handed->pulse_ns = autotune__pulse_to_hand_over(online);
    handed->incumbent = race->rows[online->incumbent].index;
    handed->control = race->control.row < autotune__count(race->rows) ? race->rows[race->control.row].index : SIZE_MAX;
    handed->controlled = race->control.active;
    for (size_t i = 0; i < autotune__count(race->control.first); i++)
        (void)AUTOTUNE__PUSH(handed->first, race->control.first[i]);
    for (size_t i = 0; i < autotune__count(race->control.second); i++)
        (void)AUTOTUNE__PUSH(handed->second, race->control.second[i]);
    for (size_t row = 0; row < autotune__count(race->rows); row++) {
        const autotune__row *r = &race->rows[row];
        const autotune__handed_ratio ratio = {r->index, r->minimum / online->reference_ns};
        autotune__handed_row compared = {r->index, NULL};
        if (row) (void)AUTOTUNE__PUSH(handed->ratios, ratio);
        if (strcmp(r->stage, online->stage == AUTOTUNE__DECIDING ? "duel" : "halving")) continue;
        for (size_t i = 0; i < autotune__count(r->samples); i++) (void)AUTOTUNE__PUSH(compared.samples, r->samples[i]);
        (void)AUTOTUNE__PUSH(handed->compared, compared);
    }
    for (size_t i = 0; i < autotune__count(race->live); i++)
        (void)AUTOTUNE__PUSH(handed->left, race->rows[race->live[i]].index);
}
/* A comparison that is not sound is taken over as a whole or not at all: half of it would be a part of the next one. */
typedef enum damage { SOUND, LEFT_TWICE, LEFT_ALONE, UNEVEN, TOO_LONG_CONTROL, TWICE_COMPARED, TOO_MANY_ROUNDS,
               DAMAGES } damage;
static void damage_it(autotune__handover *handed, damage how) {
    const size_t last = autotune__count(handed->left) - 1;
    switch (how) {
    case LEFT_TWICE: handed->left[last] = handed->left[0]; break;
    case LEFT_ALONE: autotune__set_count(handed->left, 1); break;
    case UNEVEN:
        for (size_t i = 0; i < autotune__count(handed->compared); i++)
            for (int more = 0; more < 3 && handed->compared[i].point == handed->left[last]; more++)
                (void)AUTOTUNE__PUSH(handed->compared[i].samples, 1e6);
        break;
    case TOO_LONG_CONTROL: for (int i = 0; i < 9; i++) (void)AUTOTUNE__PUSH(handed->second, 1e6); break;
    case TWICE_COMPARED:
        handed->compared[autotune__count(handed->compared) - 1].point = handed->compared[0].point;
        break;
    case TOO_MANY_ROUNDS:
        for (size_t i = 0; i < autotune__count(handed->compared); i++)
            while (autotune__count(handed->compared[i].samples) < AUTOTUNE__MOST_ROUNDS - 1)
                (void)AUTOTUNE__PUSH(handed->compared[i].samples, 1e6);
        break;
    default: break;
    }
}
static void take_over_damaged(autotune__online_stage stage, damage how, uint64_t seed) {
    program p = {.count = 30};
    autotune__online before, online;
    autotune__handover handed;
    size_t calls = 0, samples = 0;
    dice = seed;
    for (size_t i = 0; i < p.count; i++) p.cost_ns[i] = 1e6 * (1 + 0.1 * uniform());
    start(&p, &before, 10, 10, seed);
    while (before.stage < stage) (void)call(&p, &before);
    for (int more = 0; more < 25; more++) (void)call(&p, &before);
    cr_assert_eq(before.stage, stage);
    hand_over(&before, &handed);
    finish(&before);
    damage_it(&handed, how);
    start(&p, &online, 10, 10, seed);
    autotune__take_handover(&online, &handed);
    autotune__free_handover(&handed);
    for (size_t row = 0; row < autotune__count(online.race.rows); row++) {
        const autotune__row *r = &online.race.rows[row];
        samples += autotune__count(r->samples);
        if (how == SOUND) continue;
        cr_assert(autotune__works(r), "damage %d", (int)how);
        cr_assert(!r->why && !strcmp(r->stage, "screen"), "damage %d", (int)how);
    }
    if (how == SOUND) cr_assert(online.stage == stage && samples > 0);
    else
        cr_assert(online.stage == AUTOTUNE__GLANCING && !samples && !online.race.samples &&
                  !autotune__count(online.race.live) && !autotune__rounds(&online.race) &&
                  !online.race.control.active && !autotune__count(online.race.control.first),
                  "damage %d of stage %d", (int)how, (int)stage);
    for (; online.stage != AUTOTUNE__DECIDED && calls < 5000; calls++) (void)call(&p, &online);
    cr_assert_eq(online.stage, AUTOTUNE__DECIDED);
    finish(&online);
}
Test(online, a_comparison_is_taken_over_whole_or_not_at_all) {
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int how = SOUND; how < DAMAGES; how++) {
            if (how != TOO_MANY_ROUNDS) take_over_damaged(AUTOTUNE__DECIDING, (damage)how, seed);
            if (how != TOO_LONG_CONTROL) take_over_damaged(AUTOTUNE__COMPARING, (damage)how, seed);
        }
}
