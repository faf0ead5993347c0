/* The halving: survivors near the best stay, until there are few enough for the duel. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "prior.h"
#include "race.h"
#include "verdict.h"
#include "screen_samples.h"
#include "cut.h"
#include "rounds.h"
#include "duel.h"

/* Keeps the best survivors: at least two, and as many as can have four samples each in the time left. Notes the lack of
   time if a dropped row is near enough to the best that the first cut might keep it. Returns true if a row was
   dropped. */
static bool autotune__keep_within_time(autotune__race *race) {
    const double left_ns = (race->limits.seconds - race->elapsed) * 1e9, samples = 4, widest_margin = 1.15,
                 launches = autotune__launches_of_sample(race, race->best_ns) * autotune__repetitions(race);
    double needed_ns = 0;
    size_t count = 0;
    for (; count < autotune__count(race->live); count++) {
        needed_ns += samples * launches * race->rows[race->live[count]].minimum;
        if (count >= 2 && needed_ns > left_ns) break;
    }
    if (count < autotune__count(race->live) && race->rows[race->live[count]].minimum <= widest_margin * race->best_ns)
        race->lack = AUTOTUNE__LACKS_TIME;
    return autotune__keep_first(race, count, "not among the best, and there is no time for more");
}
/* Returns true if the survivors are duelled at once. Two rounds here are the first and second launches: see recheck.h.
   - Finalists of an earlier race or of parts need no halving if they do not have two rounds.
   - Few survivors need no halving if they have two rounds, if time is short, or if each launch is a sample. */
static bool autotune__needs_no_halving(const autotune__race *race, bool short_of_time) {
    const bool two_rounds = autotune__rounds(race) == 2, one_by_one = race->limits.sampling == AUTOTUNE__BY_LAUNCHES;
    if (autotune__races_finalists(race) && !two_rounds) return true;
    return autotune__count(race->live) <= AUTOTUNE__FINALISTS && (two_rounds || short_of_time || one_by_one);
}
/* Prepares the halving. Returns true if there is a halving. Otherwise the survivors are duelled at once. This duel has
   no control if time is short. */
static bool autotune__start_halving(autotune__race *race) {
    const bool short_of_time = !autotune__races_finalists(race) && autotune__keep_within_time(race),
               halves = !autotune__needs_no_halving(race, short_of_time);
    autotune__set_count(race->control.first, 0);
    autotune__set_count(race->control.second, 0);
    race->control.row = short_of_time && !halves ? SIZE_MAX : race->live[0];
    race->duel.finalists = 0;
    if (autotune__rounds(race) != 2) autotune__forget_rounds(race);
    return halves;
}
/* Sets the pace of each round to the median of the survivors' samples. One sample that is too short or too long hardly
   changes the median. Returns false if there is no memory. */
static bool autotune__measure_paces(autotune__race *race) {
    const size_t survivors = autotune__count(race->live);
    double *samples AUTOTUNE__OWNED = (double *)autotune__allocate(survivors * sizeof *samples);
    size_t round, i;
    for (round = 0; samples && round < autotune__rounds(race); round++) {
        for (i = 0; i < survivors; i++) samples[i] = race->rows[race->live[i]].samples[round];
        race->round.pace[round] = autotune__median(samples, survivors);
    }
    return autotune__has_memory_for(race, samples != NULL);
}
/* Updates the minima of the survivors, and race->best_ns. A minimum is a ratio times the pace of the last round: a
   sample divided by the pace of its round does not depend on the speed of the device. If the speed changes within a
   round, the ratios of this round are wrong. So with three rounds or more the second least ratio of a row counts. With
   fewer rounds the least ratio counts. But if a row has two ratios that are far apart, best_ns uses the larger one.
   Returns false if there is no memory. */
static bool autotune__update_minima(autotune__race *race) {
    const size_t rounds = autotune__rounds(race);
    double near_best;
    size_t i;
    if (!autotune__measure_paces(race)) return false;
    near_best = 1 + autotune__near_best(race);
    race->best_ns = AUTOTUNE__NEVER;
    for (i = 0; i < autotune__count(race->live); i++) {
        autotune__row *row = &race->rows[race->live[i]];
        double least[2], ns;
        autotune__least_ratios(race, row, least);
        row->minimum = least[rounds > 2] * race->round.pace[rounds - 1];
        ns = rounds == 2 && least[1] > near_best * least[0] ? least[1] * race->round.pace[1] : row->minimum;
        if (!(race->best_ns <= ns)) race->best_ns = ns;
    }
    return true;
}
/* Runs after every round. Returns true if another round is due. The survivors near the best stay. From the third round
   on at most half of them stay, or eight if that is more. The rounds start again in two cases:
   - The clock of the device rises: see autotune__note_rising().
   - A sample needs at least twice as many launches as it had. The screen times single launches. Reading the clock makes
     the next launch longer: a launch of 25 ns seemed to take 800 ns. Launches in batches are shorter. */
static bool autotune__halve(autotune__race *race) {
    const size_t half = (autotune__count(race->live) + 1) / 2, finalists = AUTOTUNE__FINALISTS;
    size_t most = SIZE_MAX;
    if (!autotune__end_round(race) || !autotune__update_minima(race)) return false;
    if (!(race->best_ns > 0)) return autotune__finish_unresolved(race);     /* the clock stands still */
    if (autotune__launches_of_sample(race, race->best_ns) >= 2 * race->round.launches || race->shorter_in_a_row >= 3) {
        race->shorter_in_a_row = 0;
        autotune__forget_rounds(race);
        return true;
    }
    if (autotune__rounds(race) > 2) most = half < finalists ? finalists : half;
    autotune__keep(race, 1 + autotune__near_best(race), most);
    if (autotune__count(race->live) == 1 && !autotune__readmit(race, 1, AUTOTUNE__NEVER))
        return autotune__finish(race, race->live[0], AUTOTUNE_SEPARATED);
    return autotune__count(race->live) > finalists;
}
