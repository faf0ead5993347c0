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
    AUTOTUNE__DESCRIBING,                       /* the axes are told */
    AUTOTUNE__JUDGING,                          /* the loop evaluates a point for the race */
    AUTOTUNE__SEEKING,                          /* the loop evaluates a point to find the first configuration */
    AUTOTUNE__RECALLING,                        /* the loop evaluates a point that the cache on disk names */
    AUTOTUNE__TRYING,                           /* the loop launches a trial */
    AUTOTUNE__LAUNCHING,                        /* the loop makes the call for real */
    AUTOTUNE__ENDED
} autotune__phase;
typedef struct autotune__stopwatch {            /* of a race, by the clock of its backend */
    uint64_t began;
    uint64_t started, stopped;                  /* the batch that runs, and the one before it */
    uint64_t witnessed;                         /* what autotune__witness() said at `stopped` */
    double suspect_ns;                          /* how long the RUN took if the clock may have jumped; 0: it did not */
    double longest_known_ns;                    /* the longest launch in which it did not */
    double lost_ns;                             /* for which the process was stopped, or by which the clock jumped */
    unsigned gaps;                              /* between launches, that were lost */
} autotune__stopwatch;
/* Carries out the RUNs of a race, one at a time. */
typedef struct autotune__trial {
    autotune__subject *subject;
    autotune__turn *turn;
    autotune__store *store;
    autotune__race *race;                       /* the record's; NULL: none is under way */
    autotune__memories memories;
    autotune__stopwatch watch;
    autotune__pinned pinned;
    size_t launches;                            /* of the statement */
    double clock_cost_ns;                       /* what reading the clock twice takes */
    bool apart;                                 /* every launch is prepared and clocked alone */
    /* the RUN */
    autotune__request request;
    autotune__answer answer;
    bool checking;                              /* this is the first launch of its configuration */
    uint32_t launched, readings, repeats;       /* launches, readings of the clock, and how often it was spoiled */
    long preemptions;                           /* of the process, before it */
    double elapsed_ns;                          /* the time of its launches */
    double settled_ns;                          /* of elapsed_ns: what later launches do not change */
    double alone_ns[AUTOTUNE__MOST_QUEUED];      /* launches that were clocked one by one since, the shortest first */
    size_t alone;                               /* how many */
    /* the batch: the launches since the clock was started */
    uint32_t batch, more;                       /* how many it has, and how many of them are left */
    bool queued;                                /* each is prepared and clocked alone, but they are waited for
                                                   together */
    autotune_status launch_status;
    bool at_fault;                              /* the backend knows that the launch broke the device */
    autotune__text why;                         /* a launch failed */
} autotune__trial;
typedef struct autotune__statement {
    autotune__tuning head;                      /* first: the loop sees only this */
    autotune__subject subject;
    autotune__turn turn;
    autotune__store store;
    autotune__trial trial;
    autotune__phase phase;
    autotune__request request;
    autotune__answer answer;
    bool not_now;                               /* the backend may do nothing but launch: it cannot save buffers for a
                                                   recalled winner */
    bool tune_only;                             /* no call is made at the end */
    bool launches_candidate;                    /* the call is made with a candidate of the cache on disk */
    bool refused;                               /* the known winner is, by WHERE: see AUTOTUNE_CHECKS */
    bool held;                                  /* cancellation is, by autotune__next() */
    size_t judged;                              /* points that were asked about */
    size_t point;                               /* that is judged, in search of the first configuration */
    double progress_shown;                      /* when, in seconds since the race began */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* published by this statement, or found by it */
    autotune_result result;
    struct autotune__statement *outer;               /* the statement whose body entered this one, in this thread */
} autotune__statement;
static __thread autotune__statement *autotune__current;     /* the innermost statement of this thread that is no hit */
static __thread autotune__record *autotune__left_key;       /* its body was left by this thread's last statement */
/* Why a launch failed: what was said about it, else its status' text. */
static const char *autotune__reason(const autotune__trial *trial, autotune_status status) {
    return trial->why.at && *trial->why.at ? autotune__string(&trial->why) : autotune_status_text(status);
}
/* One sentence that begins with the statement's name. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__statement *statement, autotune_status status, const char *format, ...) {
    autotune__text text = { NULL, false };
    const int number = (int)status;             /* a call may have statuses of its own */
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
