/* How a council agrees: its ballots, what they walk past together, and why it is dissolved. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../api/ranks.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/process.h"
#include "../base/log.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "ballot.h"
#include "sitting.h"

static __thread autotune__council *autotune__waits_in;     /* whose ranks this thread waits for, which was not said */

/* From here on ranks have to know the same of this, too. */
static void autotune__walk_on(autotune__council *council, uint64_t word) {
    council->path = autotune__hash_word(council->path, word);
}
/* WHERE, PRIORITY and MODEL said this of a point. */
static AUTOTUNE__UNUSED void autotune__walk_past(autotune__council *council, uint64_t index, bool admitted,
                                                 int64_t group, int64_t intra, double cost) {
    uint64_t bits;
    memcpy(&bits, &cost, sizeof bits);
    council->judged = true;
    autotune__walk_on(council, index << 1 | admitted);
    autotune__walk_on(council, (uint64_t)group);
    autotune__walk_on(council, (uint64_t)intra);
    autotune__walk_on(council, bits);
}
static bool autotune__is_in_step(const autotune__council *council) {
    return council && council->sits && council->in_step;
}

/* The statement cannot agree any more, and ends like this. */
static void autotune__dissolve(autotune__council *council, autotune__ending ending, autotune__cause cause) {
    if (council->ending < ending) council->ending = ending;
    council->cause = cause;
    (void)autotune__adjourn(council);
}
/* The values of all ranks become their maxima; or, if they are NULL, the bytes of rank 0 become everybody's. False: the
   council is dissolved. */
static bool autotune__exchange(autotune__council *council, double *values, void *bytes, size_t count) {
    autotune_ranks *ranks = council->ranks;
    autotune_status status;
    autotune__waits_in = council;
    status = values ? (ranks->max)(ranks, values, count)       /* a program may have a macro named max */
                    : ranks->share(ranks, bytes, count);
    autotune__waits_in = NULL;
    if (status == AUTOTUNE_OK) return true;
    council->trouble.status = status;
    council->trouble.rank = ranks->rank;
    autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__UNREACHABLE);
    return false;
}
/* Ranks are out of step: why, as far as the last ballot tells? */
static autotune__cause autotune__cause_of_difference(const autotune__council *council, const autotune__ballot *own) {
    if (council->said.at[AUTOTUNE__THREADS] > 0 && (!council->path || own->at[AUTOTUNE__MEASURES] > 0))
        return AUTOTUNE__DISORDERED;
    if (council->said.at[AUTOTUNE__MEASURES] > own->at[AUTOTUNE__MEASURES]) return AUTOTUNE__KNOWS_NO_RACE;
    return council->trouble.status == AUTOTUNE_ERR_MEMORY ? AUTOTUNE__CANNOT_GO_ON : AUTOTUNE__OUT_OF_STEP;
}
/* Exchanges a ballot. False: the council is dissolved, since a rank came to its end, the ranks are out of step, or they
   cannot reach each other. */
static bool autotune__vote(autotune__council *council, const autotune__ballot *own) {
    council->said = *own;
    autotune__pledge(&council->said, AUTOTUNE__PATH, council->path);
    council->said.at[AUTOTUNE__GOES_ON] = own->at[AUTOTUNE__ENDING] == 0;
    council->said.at[AUTOTUNE__THREADS] = autotune__is_set(&autotune__several_threads);
    council->judged = false;
    council->trouble = autotune__read_trouble(0);
    if (!autotune__exchange(council, council->said.at, NULL, AUTOTUNE__PLACES)) return false;
    council->trouble = autotune__read_trouble(council->said.at[AUTOTUNE__TROUBLE]);
    if (council->said.at[AUTOTUNE__ENDING] > 0) {
        const bool alike = council->said.at[AUTOTUNE__GOES_ON] == 0 &&
                           autotune__is_unanimous(&council->said, AUTOTUNE__PATH);
        const autotune__ending ending = (autotune__ending)(int)council->said.at[AUTOTUNE__ENDING];
        council->kept = alike && ending == AUTOTUNE__WITH_WINNER && council->said.at[AUTOTUNE__UNPUBLISHED] == 0;
        if (!alike) autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, AUTOTUNE__AT_ITS_END);
        autotune__dissolve(council, ending, AUTOTUNE__AT_ITS_END);
    } else if (!autotune__is_unanimous(&council->said, AUTOTUNE__PATH))
        autotune__dissolve(council, AUTOTUNE__UNTUNED_CALL, autotune__cause_of_difference(council, own));
    return council->sits;
}
/* The bytes of rank 0 become everybody's. False: the council is dissolved. */
static bool autotune__share(autotune__council *council, void *bytes, size_t count) {
    return autotune__exchange(council, NULL, bytes, count);
}

/* A statement ends before it has a council: the other ranks must not wait for it. */
static void autotune__resign(const autotune_options *options, autotune_status status) {
    autotune__council council;
    memset(&council, 0, sizeof council);
    council.ranks = autotune__ranks_of(options);
    if (!council.ranks) return;
    if (autotune__convene(&council)) {
        autotune__abstain(council.ranks, AUTOTUNE__NO_CALL, status);
        (void)autotune__adjourn(&council);
    } else autotune__leave_sitting(&council, true);
}

/* Says once in an exchange that it takes long. */
AUTOTUNE__API void autotune_waiting(autotune_ranks *self, double seconds, const char *whom) {
    autotune__council *council = autotune__waits_in;
    autotune__text line = { NULL, false };
    if (!council || council->ranks != self || !(seconds >= 10)) return;
    autotune__waits_in = NULL;
    if (council->subject) autotune__append_subject(&line, council->subject);
    else autotune__append(&line, "autotune_agree()");
    autotune__append(&line,
                     ": rank %d of %d has been waiting for %s for %.0f s: all ranks have to call this statement, with "
                     "the same key, and with AUTOTUNE_MODE=off on all or on none",
                     self->rank, self->count, whom ? whom : "other ranks", seconds);
    if (autotune__environment.log >= AUTOTUNE_LOG_ERRORS) /* also on a rank that is hushed: rank 0 may be missing */
        autotune__write_line(AUTOTUNE_LOG_ERRORS, autotune__string(&line));
    autotune__free_text(&line);
}
