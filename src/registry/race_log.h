/* The lines of the log about a race. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "subject.h"

static void autotune__append_time(autotune__text *text, double ns) {
    if (!autotune__is_definite(ns)) autotune__append(text, "-");
    else if (ns < 1e3) autotune__append(text, "%.1f ns", ns);
    else if (ns < 1e6) autotune__append(text, "%.2f us", ns / 1e3);
    else if (ns < 1e9) autotune__append(text, "%.3f ms", ns / 1e6);
    else autotune__append(text, "%.3f s", ns / 1e9);
}
static void autotune__log_row(autotune__subject *subject, const autotune__row *row) {
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    autotune__append(&line, "  %-8s min ", autotune__failed(row) ? "failed" : row->stage);
    autotune__append_time(&line, row->measured);
    autotune__append(&line, ", median ");
    autotune__append_time(&line, row->median);
    autotune__append(&line, ", %lu launches  %s", (unsigned long)row->launches,
                     autotune__name_point(subject, row->index));
    if (row->reason || row->why || row->note)
        autotune__append(&line, "  (%s)", row->reason ? row->reason : row->note ? row->note : row->why);
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
}
static void autotune__log_second(autotune__subject *subject, const autotune__race *race) {
    const autotune__race_outcome *outcome = &race->outcome;
    const bool faster = outcome->lead.median < 0;      /* of two that are alike the first one wins */
    const double percent = faster ? -100 : 100;
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    autotune__append(&line, "  the second: %s",
                     autotune__name_point(subject, race->rows[outcome->runner_up].index));
    if (autotune__is_definite(outcome->lead.median))
        autotune__append(&line, ", %s by %.2f %%", faster ? "faster" : "slower", percent * outcome->lead.median);
    if (autotune__is_definite(outcome->lead.low))
        autotune__append(&line, " (%.2f to %.2f %%)", percent * (faster ? outcome->lead.high : outcome->lead.low),
                         percent * (faster ? outcome->lead.low : outcome->lead.high));
    autotune__append(&line, " after %lu rounds", (unsigned long)autotune__rounds(race));
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
}
/* A tuner whose key has a part that never repeats is tuned in every call. The log gives a hint once for each tuner, at
   the first race that has MANY races before it and more than MANY keys. */
static void autotune__count_race(autotune__subject *subject) {
    enum { MANY = 64 };
    autotune__known_tuner *tuner = subject->known_key->tuner;
    size_t before = 0;
    autotune__lock_mutex(&autotune__lock);
    if (tuner->races < MANY || AUTOTUNE__MAP_COUNT(tuner->keys) > MANY) before = tuner->races++;
    autotune__unlock_mutex(&autotune__lock);
    if (before == MANY)
        autotune__say_of(AUTOTUNE_LOG_ERRORS, subject, "more than %d keys, each of which is tuned for itself: if a "
                         "part of .key hardly ever repeats, bucket it with ANCHOR(...), or leave out what the best "
                         "configuration does not depend on", MANY);
}
/* Why is the first configuration not compared with the winner? */
static const char *autotune__why_without_first(const autotune__race *race) {
    const size_t first = autotune__find_row(race, autotune__first_admitted(race));
    return first == SIZE_MAX                      ? "was not launched"
           : autotune__failed(&race->rows[first]) ? "failed"
                                                  : "took too long for three rounds with the winner";
}
/* Logs a race. */
static void autotune__log_race(autotune__subject *subject, const autotune__race *race, const autotune_result *result) {
    const size_t winner = race->outcome.winner;
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    size_t i;
    if (autotune__environment.audits) return;   /* nothing was measured */
    if (!autotune__duels_again(race)) autotune__count_race(subject);
    if (autotune__environment.log >= AUTOTUNE_LOG_FULL) {
        for (i = 0; i < autotune__count(race->rows); i++) autotune__log_row(subject, &race->rows[i]);
        if (race->outcome.runner_up != SIZE_MAX) autotune__log_second(subject, race);
    }
    if (autotune__environment.log < AUTOTUNE_LOG_WINNER || winner == SIZE_MAX) return;
    autotune__append(&line, "%s: ", autotune__name_point(subject, race->rows[winner].index));
    autotune__append_time(&line, result->median_ns);
    if (autotune__is_definite(result->default_ns) && result->median_ns > 0)
        autotune__append(&line, ", %.2f x the first configuration's speed", result->default_ns / result->median_ns);
    else if (!autotune__is_definite(result->default_ns))
        autotune__append(&line, ", the first configuration %s", autotune__why_without_first(race));
    autotune__append(&line, ", %s", autotune_verdict_text(result->verdict));
    if (result->verdict == AUTOTUNE_TIE) autotune__append(&line, " within %g %%", 100 * (autotune__tie(race) - 1));
    if (result->doubt) autotune__append(&line, " (%s)", result->doubt);
    if (result->note) autotune__append(&line, "; %s", result->note);
    if (autotune__duels_again(race))
        autotune__append(&line, "; the %lu best of an earlier run compared again", (unsigned long)result->tried);
    else autotune__append(&line, "; %lu of %s%lu tried", (unsigned long)result->tried,
                          autotune__is_sampled(race) ? "about " : "", (unsigned long)result->space_size);
    if (result->refused) autotune__append(&line, ", %lu refused", (unsigned long)result->refused);
    if (result->refused) autotune__append_refusals(&line, subject->space);
    autotune__append(&line, ", %lu failed, %lu launches, %.3f s", (unsigned long)result->failed,
                     (unsigned long)result->launches, result->seconds);
    if (subject->mode != AUTOTUNE_ONLINE &&
        (autotune__is_cold(subject) || subject->backend->cache_state == AUTOTUNE_COLD))
        autotune__append(&line, "; caches were %s", autotune__is_cold(subject) ? "cold" : "hot");
    if (race->checked)
        autotune__append(&line, "; the program is new, and its record holds for %lu that were checked",
                         (unsigned long)race->checked);
    else if (race->setup.rest == AUTOTUNE__REST_REBUILT) autotune__append(&line, "; the program is new");
    if (subject->site->file && !subject->options.backend && strstr(subject->site->build, AUTOTUNE__UNOPTIMISED))
        autotune__append(&line, "; the call site is compiled without optimisation");
    autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "%s", autotune__string(&line));
}
/* Up to three failures, each with its reason, which none of the others has. */
static void autotune__append_failures(autotune__text *text, autotune__subject *subject, const autotune__race *race) {
    const char *told[3];
    size_t i, k, count = 0, more = 0;
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        const char *const reason = row->reason ? row->reason : autotune_status_text(row->status);
        for (k = 0; k < count && strcmp(told[k], reason); k++) {}
        if (!autotune__failed(row)) continue;
        if (k < count || count == 3) { more++; continue; }
        told[count++] = reason;
        autotune__append(text, "%s%s: %s", k ? "; " : "", autotune__name_point(subject, row->index), reason);
    }
    if (more) autotune__append(text, "; and %lu more", (unsigned long)more);
}
