/* The order of an online race: which configuration is tried next. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "online.h"

/* Takes a point out of the order. Returns false if the order does not have the point, or if the point was taken out
   before. */
static bool autotune__take_from_order(autotune__race *race, size_t point) {
    const bool found = autotune__move_up(race, point, race->group.next);
    race->group.next += found;
    return found;
}
/* Puts a new group into order. The first configuration has row 0 already, even if it is a suspect. If it belongs to the
   group, it comes first. The winner known before comes next, then the best seeds. The other seeds come after all
   configurations that are no seeds. Suspects come last. */
static void autotune__online_order(autotune__online *online) {
    autotune__race *race = &online->race;
    race->group.next = 0;
    autotune__move_up_seeds(race, 0);
    (void)autotune__move_up(race, race->incumbent, 0);
    autotune__put_deferred_last(race);
    (void)autotune__take_from_order(race, race->rows[0].index);
    online->stage = AUTOTUNE__GLANCING;
}
/* Starts the race once all points are judged, with a row for the first configuration. If the race is over, or if there
   is no memory, the race is decided. */
static void autotune__online_start(autotune__online *online) {
    autotune__race *race = &online->race;
    if (autotune__is_over(race) ||
        !autotune__has_memory_for(race, autotune__new_row(race, autotune__first_admitted(race)))) {
        online->stage = AUTOTUNE__DECIDED;
        return;
    }
    race->stage = AUTOTUNE__SCREENING;          /* so that autotune__upcoming() knows the next points */
    online->incumbent = 0;
    autotune__online_order(online);
}
/* Returns the next point of the order, which was never tried; SIZE_MAX: no point is left, or no trial may be made. */
static size_t autotune__untried(autotune__race *race) {
    const autotune__group *group = &race->group;
    if (race->lack == AUTOTUNE__LACKS_TIME) return SIZE_MAX;
    if (autotune__lacks_trials(race)) {
        race->lack = AUTOTUNE__LACKS_TRIALS;
        return SIZE_MAX;
    }
    return group->next < autotune__count(group->order) ? group->order[group->next] : SIZE_MAX;
}
