/* Rounds. The halving and the duel consist of rounds. A round takes one sample of each survivor, in random order. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "screen_samples.h"
#include "cut.h"

/* The element of round.rows that stands for the second sample of the control. */
enum { AUTOTUNE__CONTROL = INT32_MAX };

/* Returns true if the first configuration is no finalist, and the round samples it, too. The result compares the winner
   with the first configuration, by their samples of the same rounds. So the first configuration is sampled in the first
   three rounds of the duel. It is left out if three of its launches would take too long: longer than all launches
   before the duel, or longer than a third of the time left. */
static const size_t autotune__least_rounds = 3;
static bool autotune__samples_first(const autotune__race *race, size_t row) {
    const double left_ns = (race->limits.seconds - race->elapsed) * 1e9, spent_ns = race->before_duel_ns,
                 most_ns = left_ns / 3 < spent_ns ? left_ns / 3 : spent_ns;
    return race->duel.finalists && row != SIZE_MAX && autotune__position_among(row, race->live) == SIZE_MAX &&
           autotune__rounds(race) < autotune__least_rounds &&
           autotune__count(race->rows[row].samples) == autotune__rounds(race) &&
           (double)autotune__least_rounds * race->rows[row].minimum <= most_ns;
}
/* Starts a round. If a sample needs five launches or more, up to 20 % are added at random. Otherwise samples could keep
   step with periodic work of the machine. */
static void autotune__start_round(autotune__race *race) {
    const size_t live = autotune__count(race->live),
                 first = autotune__working_row(race, autotune__first_admitted(race));
    autotune__round *round = &race->round;
    size_t i;
    autotune__set_count(round->rows, 0);
    if (!autotune__has_memory_for(race, AUTOTUNE__ROOM(round->rows, live + 2))) return;
    for (i = 0; i < live; i++) (void)AUTOTUNE__PUSH(round->rows, race->live[i]);
    if (race->duel.finalists && race->control.row != SIZE_MAX && !autotune__failed(&race->rows[race->control.row]))
        (void)AUTOTUNE__PUSH(round->rows, AUTOTUNE__CONTROL);
    if (autotune__samples_first(race, first)) (void)AUTOTUNE__PUSH(round->rows, first);
    autotune__shuffle(round->rows, 0, &race->random);
    round->at = round->repetition = 0;
    round->fastest_ns = AUTOTUNE__NEVER;
    round->launches = autotune__launches_of_sample(race, race->best_ns);
    if (round->launches >= 5)
        round->launches += (uint32_t)(autotune__random(&race->random) % (round->launches / 5 + 1));
}
/* Returns the number of launches of a sample of the row: as many as the best row needs. Then the samples of all
   rows can be compared. A row that is far slower than the best row may get fewer launches: only as many as the clock
   needs for this row. Otherwise its sample could take all time that is left. */
static uint32_t autotune__launches_of(const autotune__race *race, size_t row) {
    const double ns = race->rows[row].minimum;
    const uint32_t most = race->round.launches, own = autotune__launches_of_sample(race, ns);
    return autotune__is_definite(ns) && ns > autotune__far_factor * race->best_ns && own < most ? own : most;
}
static size_t autotune__row_sampled(const autotune__race *race) {
    const size_t row = race->round.rows[race->round.at];
    return row == AUTOTUNE__CONTROL ? race->control.row : row;
}
/* Returns true if survivors are still compared: the race goes on, at least one survivor works, and there is time. */
static bool autotune__compares(const autotune__race *race) {
    return !autotune__is_over(race) && autotune__count(race->live) && autotune__in_time(race);
}
/* Asks for the next repetition of a sample. Returns false if the round is complete, or has to end. */
static bool autotune__ask_for_sample(autotune__race *race) {
    autotune__round *round = &race->round;
    size_t row;
    if (!autotune__compares(race)) return false;
    while (round->at < autotune__count(round->rows) && autotune__failed(&race->rows[autotune__row_sampled(race)]))
        round->at++;
    if (round->at == autotune__count(round->rows)) return false;
    row = autotune__row_sampled(race);
    (void)autotune__ask_run(race, row, autotune__launches_of(race, row), 0);
    if (round->rows[round->at] == AUTOTUNE__CONTROL) race->request.occasion = AUTOTUNE__OF_CONTROL;
    return true;
}

/* Takes the sample once its last repetition is made. */
static void autotune__take_sample(autotune__race *race, const autotune__answer *answer) {
    const double ns = race->round.least_ns;
    const bool controlled = race->duel.finalists && race->row == race->control.row,
               is_control = race->round.rows[race->round.at] == AUTOTUNE__CONTROL,
               first = answer->execution != AUTOTUNE__BY_COPY &&
                       autotune__count(race->control.first) <= autotune__rounds(race);
    autotune__row *row = &race->rows[race->row];
    if (!race->duel.finalists && ns > autotune__least_batch_ns) (void)autotune__note_rising(race, ns);
    autotune__add_sample(row, ns, race->round.launches > 1);
    race->samples++;
    if (!is_control && ns < race->round.fastest_ns) race->round.fastest_ns = ns;
    if (autotune__has_memory_for(race, (!controlled || (first ? AUTOTUNE__PUSH(race->control.first, ns)
                                                              : AUTOTUNE__PUSH(race->control.second, ns))) &&
                                           (is_control || AUTOTUNE__PUSH(row->samples, ns))) &&
        autotune__reaches_goal(race, ns))
        autotune__finish(race, race->row, AUTOTUNE_UNRESOLVED);
}
static void autotune__take_repetition(autotune__race *race, const autotune__answer *answer) {
    autotune__round *round = &race->round;
    const double ns = autotune__sample_ns(answer);
    if (answer->status != AUTOTUNE_OK) autotune__remove_live(race, race->row);
    else {
        if (!round->repetition || ns < round->least_ns) round->least_ns = ns;
        if (++round->repetition < autotune__repetitions(race)) return;
        autotune__take_sample(race, answer);
    }
    round->at++;
    round->repetition = 0;
}

/* Ends the round. Returns false if survivors are no longer compared, for instance since time is up, or if there is no
   memory. */
static bool autotune__end_round(autotune__race *race) {
    return autotune__compares(race) &&
           autotune__has_memory_for(race, AUTOTUNE__PUSH(race->round.pace, race->round.fastest_ns));
}
/* Forgets the samples of all rounds so far. */
static void autotune__forget_rounds(autotune__race *race) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++) {
        race->rows[i].relative = AUTOTUNE__NEVER;
        autotune__set_count(race->rows[i].samples, 0);
    }
    autotune__set_count(race->round.pace, 0);
}
