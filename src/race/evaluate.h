/* The first stage: which points may be raced. Every point of a space is evaluated; of a sampled one those that are
   drawn. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "finalists.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"
#include "survey.h"
#include "screen.h"

/* From now on the space is sampled, since to evaluate all of its points takes too long. */
static void autotune__sample_instead(autotune__race *race) {
    race->setup.sampled = true;
    race->admitted.visited = race->setup.points;
    autotune__set_count(race->admitted.points, 1);
    autotune__set_count(race->admitted.precedences, 1);
}
/* Of a sampled space only the first configuration is looked for in order. If finalists are known before the race, only
   these are evaluated; if they are duelled again, and fewer than two are still admitted, it ends without a winner. */
static bool autotune__evaluate(autotune__race *race, const autotune__answer *answer) {
    const autotune__finalists *known = race->setup.finalists;
    autotune__admission *admitted = &race->admitted;
    const bool sampled = race->setup.sampled && !known;
    bool found;
    if (answer) {
        autotune__enlist(race, race->request.index, answer);
        admitted->visited += 1 + (known ? 0 : answer->skip);
        admitted->asked++;
    }
    if (race->no_memory) return false;
    found = sampled && (admitted->points || admitted->visited > AUTOTUNE__FRUITLESS);
    if (admitted->visited < (known ? known->count : race->setup.points) && !found)
        return autotune__ask(race, AUTOTUNE__EVALUATE,
                             known ? known->points[admitted->visited] : admitted->visited, 0);
    admitted->count = autotune__count(admitted->points);
    if (known) AUTOTUNE__FREE_ARRAY(admitted->precedences);         /* of whatever PRIORITY */
    if (sampled && (admitted->precedences || !admitted->count)) { race->stage = AUTOTUNE__SURVEYING; return false; }
    if (admitted->count < 2 && autotune__duels_again(known))
        return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (admitted->count == 1 && !sampled && !known && autotune__new_row(race, admitted->points[0]))
        return autotune__finish(race, 0, AUTOTUNE_SINGLE);
    return autotune__next_group(race);
}
/* The survey of a sampled space: see survey.h. */
static bool autotune__survey_space(autotune__race *race, const autotune__answer *answer) {
    const size_t enough = 256, most = 1 << 18;
    autotune__survey *survey = &race->survey;
    if (answer) autotune__take_surveyed(race, answer);
    else if (race->admitted.precedences) race->group.current = race->admitted.precedences[0];
    if (survey->eligible >= enough || survey->drawn >= most) return autotune__next_group(race);
    return autotune__ask(race, AUTOTUNE__EVALUATE,
                         (size_t)autotune__random_below(&race->random, race->setup.points), 0);
}
