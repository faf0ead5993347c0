/* The duel: finalists leave once they are shown to be slower. The duel ends when one is left, when the rest ties, or
   when its rounds or its time are used up. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "prior.h"
#include "race.h"
#include "evidence.h"
#include "verdict.h"
#include "cut.h"
#include "rounds.h"

/* The chance of an error that a duel accepts. */
static const double autotune__alpha = 0.05;
/* Keeps few configurations for many rounds: six from the 5th round on, four from the 8th, three from the 20th. The
   leader, the incumbent and the first configuration stay. If too many other configurations are within the forgiven
   share of the leader, the order decides which of them stay. */
static void autotune__thin_out(autotune__race *race, size_t leader) {
    const size_t rounds = autotune__rounds(race),
                 most = rounds >= 20 ? 3 : rounds >= 8 ? 4 : rounds >= AUTOTUNE__FIRST_LOOK ? 6 : SIZE_MAX;
    size_t at = autotune__count(race->live);
    if (at <= most) return;
    autotune__sort_live(race, 0, (1 + autotune__forgiven_in_cuts(race)) * autotune__score(&race->rows[leader]));
    while (autotune__count(race->live) > most)
        if (race->live[--at] != leader) autotune__drop(race, race->live[at], "not among the best");
}
/* Adds the row of a configuration to the survivors, unless it failed or takes more than twice the best time. In a
   verification the incumbent may take longer. */
static void autotune__bring_back(autotune__race *race, size_t index) {
    const size_t row = autotune__working_row(race, index);
    const bool verified = autotune__is_verifying(race) && index == race->incumbent;
    if (row != SIZE_MAX && (verified || race->rows[row].minimum <= 2 * race->best_ns) &&
        autotune__position_among(row, race->live) == SIZE_MAX)
        (void)autotune__has_memory_for(race, AUTOTUNE__PUSH(race->live, row));
}
/* Brings the incumbent and the first configuration, which the order prefers, back to the survivors if they were cut. If
   ranks divide the race, a part brings back neither. Then sets the row to beat; SIZE_MAX: this row is no survivor. */
static void autotune__bring_back_to_beat(autotune__race *race) {
    const size_t row = autotune__row_to_beat(race);
    if (!race->setup.parts) {
        autotune__bring_back(race, race->incumbent);
        autotune__bring_back(race, autotune__first_admitted(race));
    }
    race->duel.to_beat = autotune__position_among(row, race->live) == SIZE_MAX ? SIZE_MAX : row;
}
static bool autotune__finish_unresolved(autotune__race *race) {
    if (!race->duel.finalists) autotune__bring_back_to_beat(race);
    return autotune__finish(race, autotune__pick(race), AUTOTUNE_UNRESOLVED);
}
/* Returns true if the rounds show that no other survivor is faster than this row by more than a tie. In a pair only one
   configuration can be the faster one, so only one test of the pair can err. So these tests use the same threshold as
   the tests that drop rows. */
static bool autotune__unbeaten(const autotune__race *race, size_t row, double threshold) {
    size_t i;
    for (i = 0; i < autotune__count(race->live); i++)
        if (race->live[i] != row && !autotune__is_shown(race, autotune__tie(race), race->live[i], row, threshold))
            return false;
    return true;
}
/* Returns true if the rounds are used up, or if the duel has taken its share of the time of the launches before it.
   Without a limit a duel of equal configurations might not end. The share counts only after 12 rounds, 128 samples of
   the race, and 50 ms of the duel. In any case the duel may take a tenth of the elapsed time of the race: compilation
   may have taken much longer than the launches. */
static bool autotune__is_spent(const autotune__race *race) {
    const double spent_ns = race->duel.spent_ns;
    if (autotune__rounds(race) >= race->limits.rounds) return true;
    return autotune__rounds(race) >= 12 && race->samples >= 128 && spent_ns > 50e6 &&
           spent_ns > race->limits.share * race->before_duel_ns &&
           spent_ns > autotune__share_of_finalists * race->elapsed * 1e9;
}
/* Returns true if the row took far longer than the leader in every round, in three rounds at least. Disturbances do not
   meet the same configuration in every round, so a small factor is enough: 1.02 + (reach - 1.02) / 10. The reach is
   from recheck.h. If the reach is unknown, or 2 and more, the factor is 3. The factor is never below the boundary. For
   two rows the result stays false until the leader's lead over the row has an interval. These are the row to beat, and
   the survivor that stands first in `live` besides the leader. */
static bool autotune__is_far(const autotune__race *race, size_t row, size_t leader) {
    const double reach = race->rechecking.reach, *slow = race->rows[row].samples, *fast = race->rows[leader].samples,
                 known = reach > 1 && reach < 2 ? 1.02 + (reach - 1.02) / 10 : autotune__far_factor,
                 boundary = autotune__boundary(race), factor = known > boundary ? known : boundary;
    const bool needs_interval = row == race->duel.to_beat || row == race->live[race->live[0] == leader];
    const size_t rounds = autotune__rounds(race);
    size_t i = 0;
    while (i < rounds && slow[i] > factor * fast[i]) i++;
    return i == rounds && rounds >= autotune__least_rounds &&
           (!needs_interval || autotune__is_definite(autotune__lead_of(race, leader, row).low));
}
/* Drops rows that are shown to be slower than the leader, or far slower in every round. For the row to beat, the
   threshold of a single comparison is enough. In a verification the incumbent takes the place of the leader. */
static void autotune__drop_slower(autotune__race *race, size_t leader, double threshold) {
    size_t i;
    for (i = autotune__count(race->live); i-- > 0;) {
        const size_t row = race->live[i];
        if (row == leader) continue;
        if (autotune__is_far(race, row, leader)) autotune__drop(race, row, "far slower in every round");
        else if (autotune__is_shown(race, 1 / autotune__boundary(race), row, leader,
                                    row == race->duel.to_beat ? 1 / autotune__alpha : threshold))
            autotune__drop(race, row, "shown to be slower");
    }
}
/* Brings back the best rows of the group that were cut, and were in no duel: `most` rows at most, with a least time
   below `below_ns`. They join the one survivor. Called, too, if all other survivors failed, so that the winner is
   compared with another row. Returns false if there are none, or no memory, or if ranks divide the race. */
static bool autotune__readmit(autotune__race *race, size_t most, double below_ns) {
    autotune__shortlist best;
    size_t i;
    best.count = 0;
    for (i = race->group.first_row; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        if (!autotune__failed(row) && row->why && strcmp(row->stage, "duel") && row->minimum < below_ns)
            autotune__shortlist_point(&best, i, row->minimum);
    }
    for (i = 0; i < best.count && i < most && !race->setup.parts; i++)
        if (!autotune__has_memory_for(race, AUTOTUNE__PUSH(race->live, best.index[i]))) return false;
    return autotune__count(race->live) > 1;
}
/* Duels the winner with rows that may have been cut wrongly: the best first, five in a race at most. Cuts compare least
   times of a few launches, and may err in two ways. First, the device may have lowered its clocks since the cut. Then
   the winner now takes more than 3 % longer than its least time. In this case each row comes back whose least time is
   below the winner's time now. Second, a single launch of the winner may have been short by chance. If the winner's
   least time is of batches now, this time does not show the launch. So in any other case a row comes back if its least
   time is 3 % below the winner's time now. Returns true if a row comes back. */
static bool autotune__duels_cut_rows(autotune__race *race, size_t winner) {
    const size_t rounds = autotune__rounds(race), most = 5;
    const double share = 1.03;
    double now_ns;
    /* Least times of an online race are made from ratios, which do not depend on the speed of the device. */
    if (race->limits.sampling == AUTOTUNE__BY_LAUNCHES || autotune__races_finalists(race) ||
        rounds < AUTOTUNE__FIRST_LOOK)
        return false;
    now_ns = autotune__median_of(race->rows[winner].samples + rounds - AUTOTUNE__FIRST_LOOK, AUTOTUNE__FIRST_LOOK);
    (void)autotune__readmit(race, most - race->duel.readmitted,
                              now_ns > share * race->rows[winner].measured ? now_ns : now_ns / share);
    race->duel.readmitted += autotune__count(race->live) - 1;
    return autotune__count(race->live) > 1;
}
/* Starts the duel of the survivors. Earlier rounds no longer count. */
static void autotune__start_duel(autotune__race *race) {
    size_t i;
    autotune__forget_rounds(race);
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        row->stage = "duel";
        row->why = NULL;
    }
    race->duel.finalists = autotune__count(race->live);
}
/* The survivors of the halving become finalists, and so do the incumbent and the first configuration: see
   autotune__bring_back(). If ranks divide the race, this part of the race ends here, and the finalists of all parts are
   duelled later. Returns false if there is no duel. */
static bool autotune__begin_duel(autotune__race *race) {
    if (!autotune__compares(race)) return false;
    autotune__bring_back_to_beat(race);
    autotune__sort_live(race, 0, 0);
    race->best_ns = race->rows[race->live[0]].minimum;
    if (race->setup.parts) return autotune__finish(race, race->live[0], AUTOTUNE_UNRESOLVED);
    if (race->control.row != SIZE_MAX) race->control.row = autotune__count(race->live) > 1 ? race->live[0] : SIZE_MAX;
    return true;
}
/* Ends a round of the duel. The control is sampled in the first four rounds, and then as long as it seems to differ
   from itself. Returns false if the round is not complete, or if there is no memory. */
static bool autotune__take_round(autotune__race *race) {
    const size_t controlled = 4;
    if (!autotune__end_round(race)) return false;
    if (autotune__rounds(race) >= controlled && autotune__control_evidence(race) < 1) race->control.row = SIZE_MAX;
    autotune__update_medians(race);
    return true;
}
/* Runs after every round. Returns true if another round is due. If the leader's score is better than all other scores
   by more than a tie, the duel goes on until it is spent. More rounds may show that the leader is the fastest. The duel
   errs if it drops the fastest finalist. Each comparison of the fastest finalist may drop it, so the threshold grows
   with the number of comparisons. The threshold is 20 at least, which needs eight rounds. */
static bool autotune__duel(autotune__race *race) {
    const double threshold = (double)(race->duel.finalists - 1) / autotune__alpha;
    size_t leader, choice;
    bool spent, leads;
    if (!autotune__take_round(race)) return false;
    leader = autotune__leader(race);
    autotune__thin_out(race, leader);
    autotune__drop_slower(race, leader, threshold);
    if (autotune__count(race->live) == 1) return false;
    choice = autotune__pick(race);
    spent = autotune__is_spent(race);
    autotune__sort_live(race, 0, 0);
    leads = autotune__score(&race->rows[race->live[1]]) >
            autotune__tie(race) * autotune__score(&race->rows[leader]);
    if ((spent || !leads) && autotune__unbeaten(race, choice, threshold))
        return autotune__finish(race, choice, AUTOTUNE_TIE);
    return !spent || autotune__finish(race, choice, AUTOTUNE_UNRESOLVED);
}
/* Called after a duel. If one finalist is left, returns true if it is duelled with other rows; else it wins. Returns
   false if several are left, if time is up, or if the race has ended. */
static bool autotune__duels_others(autotune__race *race) {
    if (!autotune__compares(race) || autotune__count(race->live) > 1) return false;
    race->control.row = SIZE_MAX;
    return (autotune__rounds(race) < autotune__least_rounds && autotune__readmit(race, 1, AUTOTUNE__NEVER)) ||
           autotune__duels_cut_rows(race, race->live[0]) || autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
}
