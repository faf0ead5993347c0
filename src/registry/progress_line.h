/* The progress of a race that takes more than half a second is one line on a terminal, written ten times a second. The
   time left is the longest that the race may take. The line has less than 80 columns, since a longer one that wraps
   could not be erased. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "subject.h"
#include "race_log.h"

static void autotune__hide_progress(void) {
    AUTOTUNE__WITH_LOG;
    autotune__erase_progress();
    fflush(stderr);
}
/* *shown: the time, since the race began, at which the line was written last. */
static void autotune__show_progress(const autotune__subject *subject, const autotune__race *race, double *shown) {
    const bool screening = autotune__is_screening(race);
    const double limit = screening ? autotune__screen_limit(&race->limits) + race->put_off : race->limits.seconds,
                 left = limit - race->elapsed;
    autotune__text line AUTOTUNE__FREED = { NULL, false }, visible AUTOTUNE__FREED = { NULL, false };
    if (autotune__is_over(race) || race->elapsed < 0.5 || race->elapsed < *shown + 0.1) return;
    if (!autotune__wants_progress()) return;
    *shown = race->elapsed;
    autotune__append_subject(&line, subject);
    if (autotune__count(line.at) > 26) { autotune__set_count(line.at, 23); autotune__append(&line, "..."); }
    if (screening && autotune__is_searching(race))
        autotune__append(&line, ": searching, %lu tried", (unsigned long)autotune__count(race->rows));
    else if (screening)
        autotune__append(&line, ": screening %lu of %lu", (unsigned long)race->group.next,
                         (unsigned long)autotune__count(race->group.order));
    else if (race->stage < AUTOTUNE__DRAWING)
        autotune__append(&line, ": looking at %lu", (unsigned long)race->admitted.asked);
    else
        autotune__append(&line, ": %s %lu", race->stage == AUTOTUNE__HALVING ? "halving" : "duel of",
                         (unsigned long)autotune__count(race->live));
    if (autotune__is_definite(race->best_ns)) {
        autotune__append(&line, ", best ");
        autotune__append_time(&line, race->best_ns);
    }
    if (left >= 0 && left < 1e6) autotune__append(&line, ", %.1f s left", left);
    AUTOTUNE__WITH_LOG;
    fprintf(stderr, "\r%.79s\033[K", autotune__visible(&visible, autotune__string(&line)));
    fflush(stderr);
    autotune__progress_shown = true;
}
