/* The work of one statement that is no hit: all that its parts share. How it is reported. */
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
#include "recalled.h"
#include "records.h"
#include "subject.h"
#include "thread_turns.h"

typedef enum autotune__phase {
    AUTOTUNE__DESCRIBING,                       /* the axes are told */
    AUTOTUNE__JUDGING,                          /* the loop evaluates a point for the race */
    AUTOTUNE__SEEKING,                          /* the loop evaluates a point to find the first configuration */
    AUTOTUNE__RECALLING,                        /* the loop evaluates a point that the cache on disk names */
    AUTOTUNE__TRYING,                           /* the loop launches a trial */
    AUTOTUNE__LAUNCHING,                        /* the loop makes the call for real */
    AUTOTUNE__ENDED
} autotune__phase;
typedef struct autotune__trial {                /* the RUN that is carried out */
    autotune__memories memories;
    bool apart, checking;                       /* every launch is prepared and clocked alone; the first launch of its
                                                   configuration */
    bool queued;                                /* so it is in this batch, but all its launches are waited for
                                                   together */
    uint32_t more;                              /* launches left in the batch */
    uint32_t batch, launched, readings, repeats;        /* launches since the clock was started; of the RUN so far, and
                                                           how often it was clocked; how often it was spoiled */
    long preemptions;                           /* before it */
    double clock_cost_ns, elapsed_ns;
    double settled_ns, alone_ns[AUTOTUNE__MOST_QUEUED]; /* of elapsed_ns: what later launches do not change; launches
                                                           that */
    size_t alone;                               /* were clocked one by one since, the shortest first, and how many */
    autotune_status launch_status;
    bool at_fault;                              /* the backend knows that this launch broke the device */
    autotune__text why;                         /* of a failing launch */
} autotune__trial;
typedef struct autotune__stopwatch {            /* of a race */
    uint64_t began;
    uint64_t started, stopped;                  /* this batch, and the one before it */
    uint64_t witnessed;                         /* at the latter, by autotune__witness() */
    double suspect_ns;                          /* how long the RUN took when the clock may have jumped; 0: it did
                                                   not */
    double longest_known_ns;                    /* of all launches in which it did not */
    double lost_ns;                             /* for which the process was stopped, or by which the clock jumped */
    unsigned gaps;                              /* between launches, that were lost */
} autotune__stopwatch;
typedef struct autotune__work {
    autotune__tuning head;                      /* first: the loop sees only this */
    autotune__subject subject;
    autotune__turn turn;
    autotune__store store;
    autotune__trial trial;
    autotune__stopwatch watch;
    autotune__pinned pinned;
    autotune__phase phase;
    autotune__race race;
    autotune__request request;
    autotune__answer answer;
    bool not_now;                               /* the backend may do nothing but launch: it cannot save buffers for a
                                                   recalled winner */
    bool tune_only;                             /* no call is made at the end */
    bool refused;                               /* the known winner is, by WHERE: see AUTOTUNE_CHECKS */
    bool held;                                  /* cancellation is, by autotune__next() */
    size_t launches;
    size_t judged;                              /* points that were asked about */
    double progress_shown;                      /* when, in seconds since the race began */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* published by this statement, or found by it */
    autotune_result result;
    struct autotune__work *outer;               /* the statement whose body entered this one, in this thread */
} autotune__work;
static __thread autotune__work *autotune__current;          /* the innermost statement of this thread that is no hit */
/* Why a launch failed: what was said about it, else its status' text. */
static const char *autotune__reason(const autotune__work *work, autotune_status status) {
    return work->trial.why.at && *work->trial.why.at ? autotune__string(&work->trial.why)
                                                     : autotune_status_text(status);
}
/* One sentence that begins with the statement's name. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__work *work, autotune_status status, const char *format, ...) {
    autotune__text text = { NULL, false };
    const uint32_t bit = 1u << status;
    const bool once = status == AUTOTUNE_ERR_ARGUMENT || status == AUTOTUNE_ERR_MEMORY;
    va_list list;
    work->status = status;
    autotune__append_subject(&text, &work->subject);
    autotune__append(&text, ": ");
    va_start(list, format);
    autotune__append_list(&text, format, list);
    va_end(list);
    snprintf(autotune__error, sizeof autotune__error, "%s",
             text.broken ? autotune_status_text(status) : autotune__string(&text));
    if (!once || !(__atomic_fetch_or(&work->subject.site->said, bit, __ATOMIC_RELAXED) & bit))
        autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
    autotune__free_text(&text);
}
