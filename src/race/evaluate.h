/* The first stage: which points may be raced. Every point of a space is evaluated; of a sampled one those that are
   drawn. */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../search/points.h"
#include "earlier_duels.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"
#include "survey.h"
#include "screen.h"

/* Of a sampled space only the first configuration is looked for in order. If finalists are known before the race, only
   these are evaluated; if their duel goes on, and fewer than two are still admitted, it ends without a winner. */
static bool autotune__evaluate(autotune__race *race, const autotune__answer *answer) {
    const autotune__earlier *earlier = race->setup.earlier;
    const bool sampled = race->setup.sampled && !earlier;
    autotune__admission *admitted = &race->admitted;
    bool found;
    if (answer) {
        autotune__enlist(race, race->request.index, answer);
        admitted->visited += 1 + (earlier ? 0 : answer->skip);
    }
    if (race->no_memory) return false;
    found = sampled && (admitted->points || admitted->visited > AUTOTUNE__FRUITLESS);
    if (admitted->visited < (earlier ? earlier->count : race->setup.points) && !found)
        return autotune__ask(race, AUTOTUNE__EVALUATE,
                             earlier ? earlier->finalists[admitted->visited].point : admitted->visited, 0);
    admitted->count = autotune__count(admitted->points);
    if (earlier) AUTOTUNE__FREE_ARRAY(admitted->precedences);         /* of whatever PRIORITY */
    if (sampled && (admitted->precedences || !admitted->count)) { race->stage = AUTOTUNE__SURVEYING; return false; }
    if (admitted->count < 2 && autotune__goes_on_with(earlier))
        return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (admitted->count == 1 && !sampled && !earlier && autotune__new_row(race, admitted->points[0]))
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
/* Before the first launch: from now on the space is sampled, since to evaluate all of its points takes too long. */
static void autotune__sample_instead(autotune__race *race) {
    race->setup.sampled = true;
    race->admitted.visited = race->setup.points;
    autotune__set_count(race->admitted.points, 1);
    autotune__set_count(race->admitted.precedences, 1);
}
