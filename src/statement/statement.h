/* A statement that is no hit: what is kept of it until its end, and how its errors are reported. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../api/functions.h"
#include "../site/hit.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../space/key.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "../system/processor.h"
#include "../device/buffers.h"
#include "../race/race.h"
#include "../registry/records.h"
#include "../registry/subject.h"
#include "../registry/thread_turns.h"
#include "../store/store.h"

typedef enum autotune__phase {
    AUTOTUNE__DESCRIBING,                       /* the call site tells the axes */
    AUTOTUNE__JUDGING,                          /* the loop judges a point for the race */
    AUTOTUNE__SEEKING,                          /* the loop judges a point to find the first configuration */
    AUTOTUNE__RECALLING,                        /* the loop judges a candidate that the cache on disk names */
    AUTOTUNE__TRYING,                           /* the loop launches a trial */
    AUTOTUNE__LAUNCHING,                        /* the loop makes the call for real */
    AUTOTUNE__ENDED
} autotune__phase;
typedef struct autotune__stopwatch {            /* times of a race by the clock of its backend */
    uint64_t began;
    uint64_t started, stopped;                  /* the start of this batch; the end of the batch before it */
    uint64_t witnessed;                         /* the result of autotune__witness() at `stopped` */
    double suspect_ns;                          /* the time of a RUN in which the clock may have jumped; else 0 */
    double longest_known_ns;                    /* of a launch during which the clock did not jump */
    double lost_ns;                             /* the process was stopped for it, or the clock jumped by it */
    unsigned gaps;                              /* how many lost times were between two launches */
} autotune__stopwatch;
/* Carries out the RUNs of a race, one at a time. */
typedef struct autotune__trial_state {
    autotune__subject *subject;
    autotune__turn *turn;
    autotune__store *store;
    autotune__memories memories;
    autotune__stopwatch watch;
    autotune__pinned pinned;
    size_t launches;                            /* that the statement made */
    double clock_cost_ns;                       /* the time of reading the clock twice */
    bool apart;                                 /* each launch is prepared and timed alone */
    /* The RUN: */
    autotune__request request;
    autotune__answer answer;
    bool checking;                              /* it is the first launch of the configuration */
    uint32_t launched, readings, repeats;       /* launches; readings of the clock; repetitions since it was spoiled */
    long preemptions;                           /* of the process, before the RUN */
    double elapsed_ns;                          /* the time of the launches */
    double settled_ns;                          /* the part of elapsed_ns that later launches do not change */
    double alone_ns[AUTOTUNE_MOST_QUEUED];      /* the other part: launches that were timed alone, the shortest first */
    size_t alone;                               /* how many times are in alone_ns */
    /* The batch, which is the launches since the clock was started: */
    uint32_t batch, more;                       /* how many launches it has; how many of them are still to be made */
    bool queued;                                /* each launch is timed alone, and the end of all is waited for once */
    autotune_status launch_status;
    bool at_fault;                              /* the backend knows that the launch broke the device */
    autotune__text why;                         /* the reason why a launch failed */
} autotune__trial_state;
typedef struct autotune__statement {
    autotune__tuning head;                      /* the first member: all that the loop sees */
    autotune__subject subject;
    autotune__turn turn;
    autotune__store store;
    autotune__trial_state trial;
    autotune__phase phase;
    autotune__request request;
    autotune__answer answer;
    bool not_now;                               /* the backend can only launch now: buffers cannot be saved */
    bool tune_only;                             /* for autotune_tune(): the call is not made at the end */
    bool launches_candidate;                    /* the call for real has a candidate of the cache on disk */
    bool refused;                               /* WHERE refuses the known winner: see AUTOTUNE_CHECKS */
    bool held;                                  /* autotune__next() holds cancellation */
    size_t judged;                              /* how many points were judged */
    size_t point;                               /* SEEKING: the point that is judged */
    double progress_shown;                      /* the time of the last line of progress, in seconds since the start */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* of the winner, once this statement found or published it */
    autotune_result result;
    struct autotune__statement *outer;          /* the statement of this thread in whose body this one runs */
} autotune__statement;
/* The loop of a statement, and a backend, see no more of it than how it begins. */
static autotune__statement *autotune__statement_of(const autotune__tuning *tuning) {
    return (autotune__statement *)(uintptr_t)tuning;
}
static __thread autotune__statement *autotune__current;     /* the innermost statement of this thread that is no hit */
/* Why a launch failed: the reason that was given, else the text of its status. */
static const char *autotune__reason(const autotune__trial_state *trial, autotune_status status) {
    return trial->why.at && *trial->why.at ? autotune__string(&trial->why) : autotune_status_text(status);
}
/* Reports an error in one sentence that begins with the name of the statement. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__statement *statement, autotune_status status, const char *format, ...) {
    autotune__text text = { NULL, false };
    const int number = (int)status;             /* a call may return numbers that are no autotune_status */
    const uint32_t bit = number >= 0 && number < 32 ? 1u << number : 0;
    const bool once = status == AUTOTUNE_ERR_ARGUMENT || status == AUTOTUNE_ERR_MEMORY;
    va_list list;
    statement->status = status;
    autotune__append_subject(&text, &statement->subject);
    autotune__append(&text, ": ");
    va_start(list, format);
    autotune__append_list(&text, format, list);
    va_end(list);
    snprintf(autotune__error, sizeof autotune__error, "%s",
             text.broken ? autotune_status_text(status) : autotune__string(&text));
    if (!once || !(__atomic_fetch_or(&statement->subject.site->said, bit, __ATOMIC_RELAXED) & bit))
        autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
    autotune__free_text(&text);
}
