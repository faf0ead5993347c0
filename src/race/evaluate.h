/* The evaluation finds the points that may be raced. A race that lists its space evaluates each point that no earlier
   answer decided. A sampled space and an audit need only the first point that may be raced, and a race of finalists
   needs the finalists. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "prior.h"
#include "request.h"
#include "race.h"
#include "verdict.h"
#include "priority.h"

/* Returns the first finalist from `point` on; SIZE_MAX: none. */
static size_t autotune__finalist_from(const autotune__prior_row *rows, size_t point) {
    size_t i = 0;
    while (i < autotune__count(rows) && (rows[i].point < point || !(rows[i].flags & AUTOTUNE__FINALIST))) i++;
    return i < autotune__count(rows) ? rows[i].point : SIZE_MAX;
}
/* Asks for the evaluation of the next point. Returns false once no further point has to be evaluated. A sampled space
   is evaluated in order up to its first configuration, or up to AUTOTUNE__FRUITLESS points. An audit needs only the
   first configuration. A race of finalists evaluates the finalists only. A verification also looks for the first
   configuration, to compare the finalists with it. No race evaluates more than AUTOTUNE_MAX_POINTS points here. */
static bool autotune__ask_for_point(autotune__race *race) {
    autotune__admission *admitted = &race->admitted;
    if (race->setup.purpose == AUTOTUNE__TO_AUDIT && admitted->points) return false;
    if (autotune__is_sampled(race) && (admitted->points || admitted->visited > AUTOTUNE__FRUITLESS)) return false;
    if (autotune__races_finalists(race) && (admitted->points || !autotune__is_verifying(race)))
        admitted->visited = autotune__finalist_from(race->setup.prior, admitted->visited);
    if (admitted->visited >= race->setup.points) return false;
    if (admitted->asked >= AUTOTUNE_MAX_POINTS) {
        if (race->setup.purpose != AUTOTUNE__TO_TUNE) return false;
        race->setup.purpose = AUTOTUNE__TO_SAMPLE;      /* evaluating all points would take too long */
        admitted->visited = race->setup.points;
        autotune__set_count(admitted->points, 1);
        return false;
    }
    return autotune__ask(race, AUTOTUNE__EVALUATE, admitted->visited);
}
static void autotune__take_point(autotune__race *race, const autotune__answer *answer) {
    autotune__enlist(race, race->request.index, answer);
    race->admitted.visited += autotune__points_of(answer);
    race->admitted.asked++;
}
/* Ends the evaluation. Returns false if the race ends here. A repeated duel ends without two points, a verification
   without one point. In a race that lists its space, a single configuration wins without a launch. Returns true even if
   no point may be raced: then there is no group to race. */
static bool autotune__end_evaluating(autotune__race *race) {
    const bool lists = race->setup.purpose == AUTOTUNE__TO_TUNE;
    autotune__admission *admitted = &race->admitted;
    admitted->count = autotune__count(admitted->points);
    if (autotune__is_sampled(race) && (admitted->precedences || race->limits.top_k))
        race->group.without_effect =
            "PRIORITY, MODEL and .top_k need a space of up to 2^24 points, which can be listed: here they only "
            "left out points of negative PRIORITY";
    if (!lists) AUTOTUNE__FREE_ARRAY(admitted->precedences);    /* PRIORITY does not count */
    if (admitted->count + autotune__is_verifying(race) < 2 && autotune__duels_again(race))
        return autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    if (admitted->count == 1 && !admitted->excluded && lists && autotune__new_row(race, admitted->points[0]))
        return autotune__finish(race, 0, AUTOTUNE_SINGLE);
    return true;
}
