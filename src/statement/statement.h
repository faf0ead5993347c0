/* A statement that is no hit: its state until its end, and the reports of its errors. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "sampling.h"

typedef struct autotune__stopwatch {            /* times of a race */
    uint64_t began;                             /* when the race began, by the clock of the backend */
    uint64_t started;                           /* when this batch began, by the clock of the backend */
    autotune__usage used;                       /* the thread's use of the processor at `started` */
    double others_ns;                           /* processor time of other threads at the end of the last batch */
    size_t compiling;                           /* autotune__compiling at `started` */
} autotune__stopwatch;
/* The mishap of a launch, as its backend reports it. */
typedef enum autotune__mishap {
    AUTOTUNE__NO_MISHAP, AUTOTUNE__NOT_LAUNCHED,        /* NOT_LAUNCHED: see autotune__refuse_call() */
    AUTOTUNE__OUTDATED,                         /* the record is of another kernel than the launched one */
    AUTOTUNE__BROKE_DEVICE                      /* see autotune__launch_broke_device() */
} autotune__mishap;
typedef enum autotune__task {
    AUTOTUNE__TASK_CALL,                        /* the call is made at the end, after tuning if it is needed */
    AUTOTUNE__TASK_TUNE,                        /* autotune_tune(): the call is not made at the end */
    AUTOTUNE__TASK_LAUNCH                       /* the call is made without a race: the backend can launch now, but
                                                   cannot race or save buffers. An error of this call does not count
                                                   for later calls */
} autotune__task;
/* The plan of a call. Only plan.h writes this struct and subject.mode, and all other rooms read them. subject.mode is
   the mode that holds now. prior.recalled is the knowledge of the key without a race. */
typedef struct autotune__plan {
    autotune__task task;
    autotune_mode asked_mode;                   /* the mode that options and environment ask for */
    bool in_process;                            /* no child is asked for: trials are made in this process */
    bool is_detour;                             /* the winner was refused: another configuration is launched */
    bool measures;                              /* calls for real are measured, and no trial is made: mode ONLINE */
    bool races;                                 /* a race may look for a winner that is not known: the mode is not OFF,
                                                   CACHED or REQUIRE */
    bool needs_winner;                          /* no other configuration replaces the winner: mode REQUIRE */
    bool launches_once;                         /* a launch that ran is the call, even if it failed */
} autotune__plan;
enum { AUTOTUNE__FORGETFUL = 3 };               /* how many launches of a finalist begin with an empty branch
                                                   predictor: see learnt.h */
/* The state for carrying out the requests of a race, one at a time. */
typedef struct autotune__trial_state {
    autotune__subject *subject;
    autotune__thread_turn *turn;
    autotune__store *store;
    const struct autotune__peers *peers;        /* see peers.h; NULL: the statement is alone */
    struct autotune__peer_group *group;         /* the data that `peers` keep for this statement */
    struct autotune__isolation *isolation;      /* the state of elsewhere.h; NULL: trials are made in this process */
    autotune__memories memories;
    autotune__stopwatch watch;
    size_t launches;                            /* how many launches the statement has made */
    unsigned preemptions;                      /* the bits of all answers so far: see race_clock.h */
    autotune__clock clock;                      /* the clock of the backend; its step is the coarsest of all ranks */
    autotune__request request;                  /* the request of the race. Without a race, its `index` is the point
                                                   that is judged. Its `occasion` is FIRST_LAUNCH only until one launch
                                                   of the RUN has ended */
    autotune__answer answer;                    /* the answer to `request` */
    double seconds;                             /* from the beginning of the race to its last answer. Ranks in step: to
                                                   their last all-reduce, on the rank where this time is longest */
    autotune__sampling sampling;                /* of the RUN that is made now */
    bool forgets;                               /* this launch begins with an empty branch predictor */
    double forgetful_ns[AUTOTUNE__FORGETFUL];   /* times of launches with an empty branch predictor; 0: not made */
    /* The batch: the launches since the last start of the clock. */
    uint32_t batch, launches_left;              /* the number of its launches; how many of these are still to be made */
    autotune__timing timing;                    /* how these launches are made */
    autotune_status launch_status;              /* of the last launch */
    autotune__mishap mishap;                    /* of the last launch */
    bool device_idled;                          /* no device beside the CPU worked before the first launches */
    bool launched_kernel;                       /* a kernel was launched that agrees with the record */
    autotune__text why;                         /* the reason why a launch failed */
} autotune__trial_state;
/* The limits with which a race begins. If ranks race together, all have the same limits. */
typedef struct autotune__beginning {
    autotune__limits limits;
    double max_loss, allowance_seconds;         /* of an online race */
} autotune__beginning;
/* The state that a statement needs for its race, from the beginning to the end of the race. */
typedef struct autotune__race_state {
    autotune__race race;
    autotune__beginning agreed;                 /* the same on all ranks that race together */
    autotune__race *part;                       /* not NULL: ranks divide the race, `race` now compares the finalists of
                                                   all ranks, and this is the race of this rank's part */
} autotune__race_state;
typedef struct autotune__statement {
    autotune__tuning head;                      /* has to come first: the loop knows only this member */
    autotune__subject subject;
    autotune__thread_turn turn;
    autotune__store store;
    autotune__prior prior;                      /* the knowledge of the store about the key */
    autotune__race_state *race_state;           /* NULL: there is no race */
    autotune__trial_state trial;
    autotune__plan plan;
    autotune__limits limits;                    /* of a race, by the options and the environment */
    int error_number;                           /* the program's errno, from before the statement or from its call */
    autotune__call_race *call_race;             /* the online race that measures this call; NULL: none */
    size_t judged;                              /* how many points were judged */
    double progress_shown;                      /* when the last line of progress was shown: seconds since the race
                                                   began */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* of the winner, once this statement found or published it */
    autotune_result result;
    bool awaited;                               /* the time of this call is awaited: the device tells it later */
    struct autotune__statement *next_awaited;   /* an earlier call of the key whose time is awaited */
    struct autotune__statement *outer;          /* the statement whose body runs this statement; NULL: none */
} autotune__statement;
/* The loop of a statement and its backend know only the first member of the statement. */
static autotune__statement *autotune__statement_of(const autotune__tuning *tuning) {
    return (autotune__statement *)(uintptr_t)tuning;
}
static __thread autotune__statement *autotune__current;     /* the innermost statement of this thread that is no hit */
/* Sets the statement whose body runs this statement. outer: NULL if there is none. */
static void autotune__set_outer(autotune__statement *statement, autotune__statement *outer) {
    statement->outer = outer;
    statement->turn.outer = outer ? &outer->turn : NULL;
}
/* Returns true if the RUN has to treat its launch as the first launch of the configuration. In an audit all launches
   are treated like this. */
static bool autotune__is_new(const autotune__trial_state *trial) { return autotune__is_first_launch(&trial->request); }
static uint64_t autotune__clock_now(const autotune__subject *subject) {
    return subject->backend->now(subject->backend);
}
static double autotune__passed_ns(uint64_t from, uint64_t to) { return to > from ? (double)(to - from) : 0; }
/* Returns the class that the backend gives to an error of a launch. */
static autotune_error_class autotune__class_of(autotune_backend *backend, autotune_status status) {
    return backend->classify ? backend->classify(backend, status) : AUTOTUNE_ERROR_CONFIGURATION;
}
static bool autotune__is_loss_of_device(autotune_backend *backend, autotune_status status) {
    return status != AUTOTUNE_OK && autotune__class_of(backend, status) == AUTOTUNE_ERROR_DEVICE;
}
/* Returns the reason that was given for a failed launch, else the text of its status. */
static const char *autotune__reason(const autotune__trial_state *trial, autotune_status status) {
    return autotune__has_text(&trial->why) ? autotune__string(&trial->why) : autotune_status_text(status);
}
/* Returns true if this status was not logged for the call site before, and notes that the caller logs it now. */
static bool autotune__says_first(autotune__site *site, autotune_status status) {
    const uint32_t bit = 1u << status;
    return !(__atomic_fetch_or(&site->reported, bit, __ATOMIC_RELAXED) & bit);
}
/* Reports an error of a call site. Errors of options and of memory are logged once for each site. */
static void autotune__complain_at(autotune__site *site, autotune_status status, const autotune__text *text) {
    const bool once = status == AUTOTUNE_ERR_ARGUMENT || status == AUTOTUNE_ERR_MEMORY;
    autotune__put_text(autotune__error, sizeof autotune__error, "%s",
                       text->broken ? autotune_status_text(status) : autotune__string(text));
    if (!once || autotune__says_first(site, status)) autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
}
/* Reports an error in one sentence that begins with the name of the statement. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__statement *statement, autotune_status status, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, &statement->subject, format);
    statement->status = status;
    autotune__complain_at(statement->subject.site, status, &text);
}
