/* Which points may be raced: every one of a space is evaluated, of a sampled space the first that may. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "finalists.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"

/* From now on the space is sampled, since to evaluate all of its points takes too long. */
static void autotune__sample_instead(autotune__race *race) {
    race->setup.sampled = true;
    race->admitted.visited = race->setup.points;
    autotune__set_count(race->admitted.points, 1);
}
/* The finalists that alone are raced. NULL: there are none, or a verification still looks for the first configuration,
   with which they are compared. */
static const autotune__finalists *autotune__known_list(const autotune__race *race) {
    return autotune__is_verifying(race) && !race->admitted.points ? NULL : race->setup.finalists;
}
/* Asks for the next point. False: all were evaluated. Of a sampled space only the first configuration is looked for in
   order. If finalists are known before the race, only these are evaluated. */
static bool autotune__ask_for_point(autotune__race *race) {
    const autotune__finalists *known = autotune__known_list(race);
    const autotune__admission *admitted = &race->admitted;
    if (race->setup.purpose == AUTOTUNE__TO_AUDIT && admitted->points) return false;
    if (race->setup.sampled && !race->setup.finalists &&
        (admitted->points || admitted->visited > AUTOTUNE__FRUITLESS))
        return false;
    if (admitted->visited >= (known ? known->count : race->setup.points)) return false;
    if (admitted->asked >= AUTOTUNE_MAX_POINTS) { autotune__sample_instead(race); return false; }
    return autotune__ask(race, AUTOTUNE__EVALUATE, known ? known->points[admitted->visited] : admitted->visited);
}
static void autotune__take_point(autotune__race *race, const autotune__answer *answer) {
    const autotune__finalists *known = autotune__known_list(race);
    autotune__enlist(race, race->request.index, answer);
    race->admitted.visited += 1 + (known ? 0 : answer->skip);
    race->admitted.asked++;
    if (known != autotune__known_list(race))        /* it is the first, and may be a finalist, which so was judged */
        race->admitted.visited = 1 + autotune__position_among(race->request.index, race->setup.finalists->points,
                                                              race->setup.finalists->count);
}
/* All points were evaluated. True: there is something to race. Finalists that are duelled again need another one, but
   a winner that is verified needs none; a single configuration wins without a launch. */
static bool autotune__end_evaluating(autotune__race *race) {
    const autotune__finalists *known = race->setup.finalists;
    autotune__admission *admitted = &race->admitted;
    admitted->count = autotune__count(admitted->points);
    if (known) AUTOTUNE__FREE_ARRAY(admitted->precedences);     /* of whatever PRIORITY */
    if (admitted->count + autotune__is_verifying(race) < 2 && autotune__duels_again(known))
        return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (admitted->count == 1 && !race->setup.sampled && !known && autotune__new_row(race, admitted->points[0]))
        return autotune__finish(race, 0, AUTOTUNE_SINGLE);
    return true;
}
