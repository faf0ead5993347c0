/* The log lines of a race, and its progress line. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
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
    const bool faster = outcome->lead.median < 0;      /* a runner-up may be faster, but too little to win */
    const double percent = faster ? -100 : 100;
    autotune__text line AUTOTUNE__FREED = { NULL, false };
    autotune__append(&line, "  the second: %s", autotune__name_point(subject, race->rows[outcome->runner_up].index));
    if (autotune__is_definite(outcome->lead.median))
        autotune__append(&line, ", %s by %.2f %%", faster ? "faster" : "slower", percent * outcome->lead.median);
    if (autotune__is_definite(outcome->lead.low))
        autotune__append(&line, " (%.2f to %.2f %%)", percent * (faster ? outcome->lead.high : outcome->lead.low),
                         percent * (faster ? outcome->lead.low : outcome->lead.high));
    autotune__append(&line, " after %lu rounds", (unsigned long)autotune__rounds(race));
    autotune__say(AUTOTUNE_LOG_FULL, autotune__string(&line));
}
/* A tuner with a key part that never repeats is tuned in every call. The log gives one hint for each tuner. The hint
   comes in the first race that follows MANY races and finds more than MANY keys. */
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
/* Appends the winner's speed as a multiple of the first configuration's speed, or the reason why this multiple is
   unknown. */
static void autotune__append_speed(autotune__text *line, const autotune__race *race, const autotune_result *result) {
    const size_t first = autotune__find_row(race, autotune__first_admitted(race));
    const char *const why = first == SIZE_MAX ? NULL : race->rows[first].why;
    if (autotune__is_definite(result->default_ns) && result->median_ns > 0)
        autotune__append(line, ", %.2f x the first configuration's speed", result->default_ns / result->median_ns);
    else if (!autotune__is_definite(result->default_ns))
        autotune__append(line, why ? ", the first configuration %s (%s)" : ", the first configuration %s",
                         first == SIZE_MAX                      ? "was not launched"
                         : autotune__failed(&race->rows[first]) ? "failed"
                                                                : "has fewer than three rounds with the winner", why);
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
    if (autotune__is_definite(result->median_ns)) {
        autotune__append_time(&line, result->median_ns);
        autotune__append_speed(&line, race, result);
        autotune__append(&line, ", ");
    }
    autotune__append(&line, "%s", autotune_verdict_text(result->verdict));
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
        autotune__append(&line, "; the program is new, and %lu checked configurations agree with its record",
                         (unsigned long)race->checked);
    else if (race->setup.rest == AUTOTUNE__REST_REBUILT) autotune__append(&line, "; the program is new");
    if (subject->site->file && !subject->options.backend && strstr(subject->site->build, AUTOTUNE__UNOPTIMISED))
        autotune__append(&line, "; the call site is compiled without optimisation");
    autotune__say_of(AUTOTUNE_LOG_WINNER, subject, "%s", autotune__string(&line));
}
/* Appends up to three failures with different reasons. */
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

/* A race of more than half a second writes its progress on a line of a terminal, at most ten times a second. The line
   shows the time until the limit of the screen, and after the screen the time until the limit of the race. The
   line has less than 80 columns, since a wrapped line could not be erased. */
static void autotune__hide_progress(void) {
    AUTOTUNE__WITH_LOG;
    autotune__erase_progress();
    fflush(stderr);
}
/* *shown: when the line was last written, in seconds since the race began. */
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
