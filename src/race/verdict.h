/* How a race ends: its verdict, and the reasons for which the verdict is UNRELIABLE. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "prior.h"
#include "race.h"
#include "evidence.h"

/* Returns true if winner and runner-up tie in a fifth of the rounds or more, and the clock moves in steps of more than
   1 % of the winner's time. The least difference of two samples of the winner counts as the step. Needs five rounds. */
static bool autotune__too_coarse(const autotune__race *race) {
    const double *winner = race->rows[race->outcome.winner].samples,
                 *second = autotune__samples(race, race->outcome.runner_up);
    const size_t rounds = autotune__rounds_of_both(winner, second);
    double step = AUTOTUNE__NEVER;
    size_t i, k, decided;
    (void)autotune__wins(winner, second, rounds, 1, &decided);
    for (i = 0; i < rounds; i++)
        for (k = 0; k < rounds; k++)
            if (winner[i] > winner[k] && winner[i] - winner[k] < step) step = winner[i] - winner[k];
    return rounds >= 5 && 5 * (rounds - decided) >= rounds && autotune__is_definite(step) &&
           step > 0.01 * autotune__median_of(winner, rounds);
}
/* Returns true if the winner takes less than 0.1 ms, and at least half of the rows that did not fail take over 1000
   times as long. If .outputs or .verify checks results, returns false: a winner that computes nothing would fail the
   check. */
static bool autotune__seems_to_do_nothing(const autotune__race *race) {
    const double ns = autotune__time(&race->rows[race->outcome.winner]), at_once_ns = 1e5;
    int balance = 0;                            /* rows that take more than 1000 times as long, less all other rows */
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (!autotune__failed(&race->rows[i])) balance += autotune__time(&race->rows[i]) > 1000 * ns ? 1 : -1;
    return ns < at_once_ns && balance >= 0 && !race->setup.is_checked;
}
/* Returns the reason to doubt the times; NULL: none. The duel compares times of one round, whose order is random. So a
   disturbance that hits configurations by chance does not change the winner, and is no reason: see autotune__noticed().
   A clock that cannot be trusted can change the winner, and so can a configuration that differs from itself. */
static const char *autotune__doubts(const autotune__race *race) {
    if (!(race->rows[race->outcome.winner].measured > 0)) return "the clock did not move during the launches";
    if (autotune__seems_to_do_nothing(race))
        return "it returns at once, and most others take 1000 times as long: does it compute anything? Name .outputs";
    if (autotune__control_evidence(race) >= 20)
        return "a configuration that ran twice in each round differed from itself";
    return autotune__too_coarse(race) ? "the clock is too coarse: many rounds ended in a tie" : NULL;
}
/* Returns true if the winner takes less than 50 ns, and the first configuration less than 2 ns more: a hit may cost
   2 ns. */
static bool autotune__gains_nothing(const autotune__race *race) {
    const double short_ns = 50, hit_ns = 2, ns = autotune__time(&race->rows[race->outcome.winner]);
    const size_t first = autotune__working_row(race, autotune__first_admitted(race));
    return ns < short_ns && first != SIZE_MAX && autotune__time(&race->rows[first]) < ns + hit_ns;
}
/* Returns a remark on the times that does not speak against the winner; NULL: none. */
static const char *autotune__noticed(const autotune__race *race) {
    if (autotune__gains_nothing(race))
        return "the first configuration takes less than 2 ns more, and a hit may cost 2 ns: tuning gains nothing";
    if (race->runs >= 10 && 10 * race->disturbed > race->runs)
        return "more than a tenth of the launches were interrupted";
    return race->rows[race->outcome.winner].note;
}
static void autotune__crown(autotune__race *race, size_t winner) {
    race->outcome.winner = winner;
    race->rows[winner].stage = "winner";
    race->rows[winner].why = NULL;
    race->outcome.runner_up = autotune__find_runner_up(race);
    race->outcome.lead = autotune__lead_of(race, winner, race->outcome.runner_up);
}
/* After a duel of an earlier run's finalists: keeps the earlier winner if it still works and the duel shows nothing.
   A duel shows nothing if its times are in doubt, or if it has fewer than five rounds. Such a duel is no evidence for
   the earlier winner, either, so the verdict is never better than UNRESOLVED. */
static void autotune__keep_incumbent_in_doubt(autotune__race *race) {
    autotune__race_outcome *outcome = &race->outcome;
    const size_t row = autotune__working_row(race, race->incumbent);
    if (!autotune__duels_again(race) || row == SIZE_MAX ||
        (!outcome->doubt && autotune__rounds(race) >= AUTOTUNE__FIRST_LOOK))
        return;
    race->rows[outcome->winner].stage = "duel";
    autotune__crown(race, row);
    if (!outcome->doubt) outcome->verdict = AUTOTUNE_UNRESOLVED;
}
/* Ends the race. winner: the row that won; SIZE_MAX: none. In a verification the incumbent wins instead, if it works.
   If this race or the earlier race is incomplete, SEPARATED and TIE become UNRESOLVED. SEPARATED also becomes
   UNRESOLVED if there is a runner-up, and the interval of the lead is unknown or not above 0. For instance, all other
   finalists failed. If the times are in doubt, the verdict becomes UNRELIABLE. Always returns false: the race has no
   further request. */
static bool autotune__finish(autotune__race *race, size_t winner, autotune_verdict verdict) {
    autotune__race_outcome *outcome = &race->outcome;
    const bool sure = verdict == AUTOTUNE_SEPARATED || verdict == AUTOTUNE_TIE,
               incomplete = race->lack || race->setup.rest > AUTOTUNE__REST_LOST;
    if (autotune__lacks_memory(race)) return false;
    if (autotune__is_verifying(race)) winner = autotune__working_row(race, race->incumbent);
    outcome->winner = winner;
    outcome->verdict = sure && incomplete ? AUTOTUNE_UNRESOLVED : verdict;
    race->stage = AUTOTUNE__OVER;
    if (winner == SIZE_MAX || verdict == AUTOTUNE_SINGLE || race->setup.parts) return false;
    autotune__crown(race, winner);
    if (outcome->verdict == AUTOTUNE_SEPARATED && outcome->runner_up != SIZE_MAX &&
        !(outcome->lead.low > 0 && autotune__is_definite(outcome->lead.low)))
        outcome->verdict = AUTOTUNE_UNRESOLVED;
    if (!outcome->doubt) outcome->doubt = autotune__doubts(race);
    if (outcome->doubt) outcome->verdict = AUTOTUNE_UNRELIABLE;
    outcome->note = autotune__noticed(race);
    autotune__keep_incumbent_in_doubt(race);
    return false;
}
