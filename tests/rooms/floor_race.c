/* floor_race.c - the race alone; the tests carry out its requests. They check the arithmetic of the duel, and which
   configurations are left after each round. suite_race.c tests what users see of a race. */
#include "../../src/race/decide.h"

#include "../expect.h"
#include <math.h>

/* ---- The duel ---------------------------------------------------------------------------------------------------- */

/* The evidence is 2^n / ((n + 1) C(n, w)). Pascal's triangle gives the binomials. All are integers below 2^63, so only
   the division rounds. */
Test(race, evidence_is_the_mixture_of_all_biases) {
    enum { ROUNDS = 40 };
    uint64_t binomial[ROUNDS + 1][ROUNDS + 1] = {{0}};
    for (size_t n = 0; n <= ROUNDS; n++) {
        binomial[n][0] = 1;
        for (size_t w = 1; w <= n; w++) binomial[n][w] = binomial[n - 1][w - 1] + (w < n ? binomial[n - 1][w] : 0);
        for (size_t w = 0; w <= n; w++) {
            const double expected = (double)(UINT64_C(1) << n) / (double)((n + 1) * binomial[n][w]);
            const double got = autotune__evidence(w, n, 0.5);
            cr_assert(fabs(got - expected) <= 1e-12 * expected, "E(%zu, %zu) is %.17g, not %.17g", w, n, got, expected);
        }
    }
    cr_assert_eq(autotune__evidence(5, 5, 0.5), 32.0 / 6);
    cr_assert_eq(autotune__evidence(1, 2, 0.5), 2.0 / 3);
    cr_assert(autotune__evidence(200, 200, 0.5) > 1e57 && autotune__evidence(100, 200, 0.5) < 1,
              "no overflow at the most rounds of any preset");
}

/* If the coin really has the assumed chance, the expected evidence after the next round is the evidence now. So the
   race may look at the evidence after every round. */
Test(race, evidence_is_a_martingale) {
    static const double chances[] = {0.5, 0.05, 0.9};
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++)
        for (size_t n = 0; n <= 200; n++)
            for (size_t w = 0; w <= n; w++) {
                const double p = chances[i], now = autotune__evidence(w, n, p),
                             next = (1 - p) * autotune__evidence(w, n + 1, p) + p * autotune__evidence(w + 1, n + 1, p);
                cr_assert(fabs(now - next) <= 1e-12 * now, "E(%zu, %zu)", w, n);
            }
}

/* A row is slower if it loses more than half of the rounds that were decided. If it wins all rounds, this shows the
   contrary. */
Test(race, only_a_majority_shows_that_something_is_slower) {
    enum { SLOW, FAST, ALIKE };
    autotune__row rows[3] = {{.index = 7}, {.index = 3}, {.index = 5}};
    const autotune__race race = {.rows = rows};
    for (int round = 0; round < 20; round++)
        cr_assert(AUTOTUNE__PUSH(rows[SLOW].samples, 105.0) && AUTOTUNE__PUSH(rows[FAST].samples, 100.0) &&
                  AUTOTUNE__PUSH(rows[ALIKE].samples, 100.5));
    cr_assert(autotune__is_shown(&race, 1 / autotune__boundary(&race), SLOW, FAST, 20));
    cr_assert_not(autotune__is_shown(&race, 1 / autotune__boundary(&race), FAST, SLOW, 20));
    cr_assert(autotune__is_shown(&race, autotune__tie(&race), FAST, ALIKE, 20), "it is faster by half a per cent");
    cr_assert_not(autotune__is_shown(&race, autotune__tie(&race), FAST, SLOW, 20));
    cr_assert_not(autotune__is_shown(&race, 1 / autotune__boundary(&race), SLOW, FAST, 1e9), "20 rounds are 2^20 / 21");
    for (int i = 0; i < 3; i++) AUTOTUNE__FREE_ARRAY(rows[i].samples);
}

/* A clock is too coarse if a fifth of the rounds are ties, from five rounds on. */
Test(race, a_clock_is_too_coarse_from_five_rounds_on) {
    autotune__row rows[2] = {{.index = 0}, {.index = 1}};
    autotune__race race = {.rows = rows};
    race.outcome.runner_up = 1;
    for (int round = 0; round < 6; round++) {
        cr_assert(AUTOTUNE__PUSH(rows[0].samples, 100.0 + 2 * round));
        cr_assert(AUTOTUNE__PUSH(rows[1].samples, 100.0 + 3 * round));
        cr_assert_eq(autotune__too_coarse(&race), round == 4, "%d rounds", round + 1);
    }
    for (int i = 0; i < 2; i++) AUTOTUNE__FREE_ARRAY(rows[i].samples);
}

Test(race, what_is_known_of_a_point_is_one_row) {
    static const autotune__prior_row given[] = {{7, 2e6, AUTOTUNE__SEED},
                                                {3, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED | AUTOTUNE__SKIP},
                                                {7, AUTOTUNE__NEVER, AUTOTUNE__WON},
                                                {3, 1e6, AUTOTUNE__LOST}};
    autotune__prior_row *rows = NULL;
    for (size_t i = 0; i < 4; i++) cr_assert(AUTOTUNE__PUSH(rows, given[i]));
    autotune__sort_prior(rows);
    cr_assert(autotune__count(rows) == 2 && rows[0].point == 3 && rows[1].point == 7);
    cr_assert(autotune__prior_flags(rows, 3) == (AUTOTUNE__DEFERRED | AUTOTUNE__SKIP | AUTOTUNE__LOST));
    cr_assert(autotune__prior_flags(rows, 7) == (AUTOTUNE__SEED | AUTOTUNE__WON) && !autotune__prior_flags(rows, 5));
    cr_assert(rows[0].ns == 1e6 && rows[1].ns == 2e6 && autotune__best_seeds(rows).count == 1);
    AUTOTUNE__FREE_ARRAY(rows);
    autotune__sort_prior(rows);
    cr_assert(!autotune__prior_flags(rows, 3) && autotune__best_seeds(rows).count == 0);
}
/* An earlier race was of another build. Configurations that lost there are left out, and so are configurations that its
   record does not name. The first configuration is not left out. */
Test(race, what_lost_before_is_not_launched) {
    static const autotune__prior_row given[] = {{0, 9e6, AUTOTUNE__LOST}, {2, 1e6, AUTOTUNE__SEED | AUTOTUNE__WON},
                                                {3, 2e6, AUTOTUNE__LOST}, {4, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED}};
    const autotune__limits limits = {.seconds = 1, .screen_seconds = 1};
    const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
    for (int only_seeds = 0; only_seeds < 2; only_seeds++) {
        autotune__race_setup setup = {.points = 6, .rest = only_seeds ? AUTOTUNE__REST_LOST : AUTOTUNE__REST_UNKNOWN};
        autotune__race race;
        for (size_t i = 0; i < 4; i++) cr_assert(AUTOTUNE__PUSH(setup.prior, given[i]));
        autotune__prepare_race(&race, &setup, &limits);
        autotune__request request = autotune__decide(&race, NULL, 0);
        while (request.what == AUTOTUNE__EVALUATE) request = autotune__decide(&race, &admitted, 0);
        EXPECT_INT(race.admitted.count, only_seeds ? 2 : 5);
        EXPECT_INT(race.admitted.excluded, only_seeds ? 4 : 1);
        cr_expect(race.incumbent == 2 && race.admitted.points[0] == 0 && race.admitted.points[only_seeds ? 1 : 2] == 2);
        cr_expect(setup.prior[2].flags & AUTOTUNE__ASIDE && !(setup.prior[0].flags & AUTOTUNE__ASIDE));
        autotune__free_race(&race);
        AUTOTUNE__FREE_ARRAY(setup.prior);
    }
}

/* ---- Who is still in the race ------------------------------------------------------------------------------------ */

enum { MOST = 128 };
static const double MILLISECOND = 1e6;
static double cost_ns[MOST];
static double (*cost_of)(size_t index);

/* Random numbers of this test. */
static uint64_t dice;
static double uniform(void) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (double)(dice >> 11) / 9007199254740992.0;
}
static double noisy_cost(size_t index) {
    const double u = uniform();
    /* like a processor without other work: little noise, and sometimes an interruption */
    return cost_ns[index] * (1 + 0.04 * u * u) * (uniform() < 0.02 ? 1 + 4 * uniform() : 1);
}
static double even_cost(size_t index) { return cost_ns[index] * (1 + 0.10 * uniform()); }

/* The facts that a test notes after each decision. */
typedef struct survivors {
    size_t live[MOST], count; /* the live rows and their number, at the last look in the halving or the duel */
    size_t least_in_halving, finalists, after_5, after_8, after_20;
} survivors;

static bool is_live(const autotune__race *race, size_t row) {
    for (size_t i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] == row) return true;
    return false;
}
static void look(const autotune__race *race, survivors *s) {
    if (race->stage != AUTOTUNE__HALVING && race->stage != AUTOTUNE__DUELLING) return;
    s->count = autotune__count(race->live);
    memcpy(s->live, race->live, s->count * sizeof *s->live);
    for (size_t row = 0; row < autotune__count(race->rows); row++) {
        const autotune__row *r = &race->rows[row];
        cr_assert_eq(is_live(race, row), autotune__works(r));
        cr_assert_eq(is_live(race, row), r->why == NULL && !autotune__failed(r),
                     "each that is out has a reason, and no other");
    }
    if (race->stage == AUTOTUNE__HALVING && s->count < s->least_in_halving) s->least_in_halving = s->count;
    if (race->stage == AUTOTUNE__DUELLING && autotune__rounds(race) == 0) s->finalists = s->count;
    if (race->stage == AUTOTUNE__DUELLING && autotune__rounds(race) >= 5 && !s->after_5) s->after_5 = s->count;
    if (race->stage == AUTOTUNE__DUELLING && autotune__rounds(race) >= 8 && !s->after_8) s->after_8 = s->count;
    if (race->stage == AUTOTUNE__DUELLING && autotune__rounds(race) >= 20 && !s->after_20) s->after_20 = s->count;
}
static void carry_out_all(autotune__race *race, survivors *s) {
    autotune__request request = autotune__decide(race, NULL, 0);
    double ns = 0;
    while (request.what != AUTOTUNE__FINISH) {
        autotune__answer answer = {.precedence = {.cost = NAN}, .status = AUTOTUNE_OK};
        if (request.what == AUTOTUNE__RUN_IT) {
            double run_ns = 0;
            do run_ns += cost_of(request.index);
            while (++answer.launches < request.launches && !(request.limit_ns > 0 && run_ns > request.limit_ns));
            answer.elapsed_ns = run_ns;
            answer.made = answer.launches;
            ns += run_ns;
        }
        request = autotune__decide(race, &answer, ns / 1e9);
        look(race, s);
    }
}
static autotune_verdict drive(size_t count, uint64_t seed, survivors *s) {
    const autotune__limits limits = {.seconds = HUGE_VAL,
                                     .screen_seconds = HUGE_VAL,
                                     .seed = seed,
                                     .rounds = 200,
                                     .share = HUGE_VAL};
    const autotune__race_setup setup = {.points = count};
    autotune__race race;
    *s = (survivors){.least_in_halving = MOST};
    autotune__prepare_race(&race, &setup, &limits);
    carry_out_all(&race, s);
    bool winner_was_live = false;
    for (size_t i = 0; i < s->count; i++) winner_was_live = winner_was_live || s->live[i] == race.outcome.winner;
    cr_assert(s->count == 0 || winner_was_live, "seed %d: a configuration that was out won", (int)seed);
    const autotune_verdict verdict = race.outcome.verdict;
    autotune__free_race(&race);
    return verdict;
}

/* If many configurations are alike, the duel has eight of them and the first of the space. Six are left after the fifth
   round, four after the eighth, three after the twentieth. */
Test(many_races, many_equals_are_thinned_out) {
    survivors s, most = {.count = 0};
    cost_of = even_cost;
    for (int id = 0; id < 100; id++) cost_ns[id] = MILLISECOND;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (size_t count = 9; count <= 100; count += 13) {
            dice = 0x9E3779B97F4A7C15u * seed;
            drive(count, seed, &s);
            cr_assert(s.finalists >= 2 && s.least_in_halving >= s.finalists);
            if (s.finalists > most.finalists) most.finalists = s.finalists;
            if (s.after_5 > most.after_5) most.after_5 = s.after_5;
            if (s.after_8 > most.after_8) most.after_8 = s.after_8;
            if (s.after_20 > most.after_20) most.after_20 = s.after_20;
        }
    cr_assert(most.finalists == 9 && most.after_5 == 6 && most.after_8 == 4 && most.after_20 == 3, "%zu, %zu, %zu, %zu",
              most.finalists, most.after_5, most.after_8, most.after_20);
}

/* Whatever the times are: a row that has left does not come back, and at least two rows are in the duel. */
Test(race, survivors) {
    survivors s;
    cost_of = noisy_cost;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const size_t count = 2 + seed % 40;
        dice = 0x9E3779B97F4A7C15u * seed;
        for (size_t id = 0; id < count; id++) cost_ns[id] = MILLISECOND * (1 + (double)(seed % 7) * uniform());
        drive(count, seed, &s);
        cr_assert(s.finalists >= 2, "%zu of %zu", s.finalists, count);
    }
}

/* ---- Verifications ----------------------------------------------------------------------------------------------- */

/* VERIFIED is the winner's point in the record, among others. The least time of the others is 1 ms. The first
   configuration of the space takes more. */
enum { FINALISTS = 5, VERIFIED = 20 };
/* normal noise with a standard deviation of 2 %; one launch of fifty is held up */
static double wide_cost(size_t index) {
    const double normal = sqrt(-2 * log(uniform() + 1e-12)) * cos(6.283185307179586 * uniform());
    return cost_ns[index] * (1 + 0.02 * normal) * (uniform() < 0.02 ? 1.5 : 1);
}
/* Returns the share by which the winner is shown to be slower than the best of the others; below 0: it is not shown. */
static double shown_slower(uint64_t seed) {
    const autotune__limits limits = {.seconds = HUGE_VAL, .screen_seconds = HUGE_VAL, .seed = seed, .rounds = 60};
    autotune__race_setup setup = {.points = MOST, .purpose = AUTOTUNE__TO_VERIFY};
    for (unsigned i = 0; i < FINALISTS; i++) {
        const unsigned flags = AUTOTUNE__FINALIST | (i ? 0 : AUTOTUNE__WON);
        const autotune__prior_row finalist = {VERIFIED + 3 * i, AUTOTUNE__NEVER, flags};
        cr_assert(AUTOTUNE__PUSH(setup.prior, finalist));
    }
    survivors s = {.count = 0};
    autotune__race race;
    dice = 0x9E3779B97F4A7C15u * seed;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out_all(&race, &s);
    const double slower = autotune__is_definite(race.outcome.lead.high) ? 1 / (1 + race.outcome.lead.high) - 1 : -1;
    cr_assert(race.rows[race.outcome.winner].index == VERIFIED && race.admitted.count == FINALISTS + 1 &&
              race.admitted.points[0] == 0);
    autotune__free_race(&race);
    AUTOTUNE__FREE_ARRAY(setup.prior);
    return slower;
}
static int shown_of_thousand(double winner_takes, double share) {
    int shown = 0;
    cost_of = wide_cost;
    cost_ns[0] = 2.5 * MILLISECOND;
    for (size_t i = 0; i < FINALISTS; i++) cost_ns[VERIFIED + 3 * i] = MILLISECOND * (i < 2 ? 1 : 1 + 0.01 * (double)i);
    cost_ns[VERIFIED] *= winner_takes;
    for (uint64_t seed = 1; seed <= 1000; seed++) shown += shown_slower(seed) > share;
    return shown;
}
Test(many_races, a_winner_is_seldom_called_slower_and_mostly_found_if_it_is) {
    const int false_alarms = shown_of_thousand(1, 0), found = shown_of_thousand(1.05, 0.03);
    printf("verified: of 1000 winners that are as fast as another %d are called slower; of 1000 that became 5 %% "
           "slower %d are called more than 3 %% slower\n", false_alarms, found);
    cr_assert(false_alarms <= 50 && found >= 900, "%d, %d", false_alarms, found);
}

/* ---- The lead ---------------------------------------------------------------------------------------------------- */

/* Rounds in which the second takes 1, 2, 3, ... % longer, in a mixed order. The limit is the number of heads below
   which fair coins fall in at most one case of 40. Of 8 coins 0 show heads in 1 case of 256, and at most 1 in 9. Of 20
   coins at most 5 do in 21700 cases of 1048576, and at most 6 in 60460. */
Test(race, the_lead_is_a_median_between_order_statistics) {
    static const struct {
        size_t rounds;
        double lead, low, high; /* in % */
    } cases[] = {{1, 1, NAN, NAN}, {2, 1.5, NAN, NAN}, {5, 3, NAN, NAN}, {6, 3.5, 1, 6},    {7, 4, 1, 7},
                 {8, 4.5, 1, 8},   {9, 5, 2, 8},       {12, 6.5, 3, 10}, {20, 10.5, 6, 15}, {100, 50.5, 40, 61}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const autotune__limits limits = {.rounds = 200};
        const autotune__race_setup setup = {.points = 2};
        autotune__race race;
        autotune__row winner = {.samples = NULL}, second = {.samples = NULL};
        autotune__prepare_race(&race, &setup, &limits);
        for (size_t round = 0; round < cases[i].rounds; round++) {
            const double percent = (double)((round * 11 + 3) % cases[i].rounds + 1);
            /* the machine gets slower from round to round */
            cr_assert(AUTOTUNE__PUSH(winner.samples, 200.0 + (double)round));
            cr_assert(AUTOTUNE__PUSH(second.samples, (200.0 + (double)round) * (1 + percent / 100)));
        }
        cr_assert(AUTOTUNE__PUSH(second.samples, 1e9), "a round that the winner was not in");
        cr_assert(AUTOTUNE__PUSH(race.rows, winner) && AUTOTUNE__PUSH(race.rows, second));
        race.outcome.winner = 0;
        race.outcome.runner_up = 1;
        race.outcome.lead = autotune__lead_of(&race, 0, 1);
        cr_assert(fabs(100 * race.outcome.lead.median - cases[i].lead) < 1e-9, "%zu rounds: %.9g %%", cases[i].rounds,
                  100 * race.outcome.lead.median);
        cr_assert_eq(autotune__is_definite(race.outcome.lead.low), autotune__is_definite(cases[i].low), "%zu rounds",
                     cases[i].rounds);
        if (autotune__is_definite(cases[i].low))
            cr_assert(fabs(100 * race.outcome.lead.low - cases[i].low) < 1e-9 &&
                          fabs(100 * race.outcome.lead.high - cases[i].high) < 1e-9,
                      "%zu rounds: %.9g to %.9g %%", cases[i].rounds, 100 * race.outcome.lead.low,
                      100 * race.outcome.lead.high);
        autotune__free_race(&race);
    }
}
