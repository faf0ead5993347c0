/* A statement that is no hit: what is kept of it until its end, and how its errors are reported. */
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

typedef struct autotune__stopwatch {            /* times of a race by the clock of its backend */
    uint64_t began;
    uint64_t started;                           /* the start of this batch */
    autotune__usage used;                       /* by the thread, at `started` */
    double others_ns;                           /* for which other threads had computed, after the batch before */
} autotune__stopwatch;
/* The mishap of a launch that a backend may know of. */
typedef enum autotune__mishap {
    AUTOTUNE__NO_MISHAP, AUTOTUNE__NOT_LAUNCHED,
    AUTOTUNE__OUTDATED,                         /* the records speak of another kernel than was launched */
    AUTOTUNE__BROKE_DEVICE
} autotune__mishap;
typedef enum autotune__task {
    AUTOTUNE__TASK_CALL,
    AUTOTUNE__TASK_TUNE,                        /* autotune_tune(): the call is not made at the end */
    AUTOTUNE__TASK_LAUNCH                       /* the backend can only launch now, and save no buffers: the call tells
                                                   nothing of later ones */
} autotune__task;
/* How a call goes. Beside this stands the mode that holds, in the subject, and what is known, in recalled. plan.h alone
   writes all of it. */
typedef struct autotune__plan {
    autotune__task task;
    autotune_mode asked;                        /* by the options and the environment */
    bool here;                                  /* trials are asked for in this process */
    bool detours;                               /* another configuration is launched than the winner, which was
                                                   refused */
} autotune__plan;
enum { AUTOTUNE__FORGETFUL = 3 };               /* launches: see learnt.h */
/* Carries out the requests of a race, one at a time. */
typedef struct autotune__trial_state {
    autotune__subject *subject;
    autotune__turn *turn;
    autotune__store *store;
    const struct autotune__peers *peers;        /* see peers.h; NULL: the statement is alone */
    struct autotune__peer_group *group;         /* that they form */
    const struct autotune__elsewhere *elsewhere;    /* see elsewhere.h; NULL: trials are made here */
    struct autotune__isolation *isolation;      /* the state of that; NULL: there is none */
    autotune__memories memories;
    autotune__stopwatch watch;
    size_t launches;                            /* that the statement made */
    unsigned preempted_as;                      /* of all answers */
    autotune__clock clock;                      /* of the backend, with the coarsest step of all ranks */
    autotune__request request;                  /* of the race, or the point that is judged; its occasion is the first
                                                   launch of the configuration until that has ended */
    autotune__answer answer;                    /* to this */
    double seconds;                             /* since the race began, at its last answer; of ranks in step, at their
                                                   last all-reduce, on the rank where most of them passed */
    autotune__sampling sampling;                /* of the RUN */
    double forgetful_ns[AUTOTUNE__FORGETFUL];   /* of its launches with an empty branch predictor; 0: not made */
    /* The batch, which is the launches since the clock was started: */
    uint32_t batch, more;                       /* how many launches it has; how many of them are still to be made */
    autotune__timing timing;                    /* how they are made */
    autotune_status launch_status;
    autotune__mishap mishap;                    /* of this launch */
    bool device_idled;                          /* the device beside the CPU, before the first launches of a race */
    bool begun;                                 /* a kernel of a candidate is that of its record, and was launched */
    autotune__text why;                         /* the reason why a launch failed */
} autotune__trial_state;
/* The limits with which a race begins. If ranks race together, they hold for the races of all ranks. */
typedef struct autotune__beginning {
    autotune__limits limits;
    double max_loss, allowance_seconds;         /* of an online race */
} autotune__beginning;
/* The state that a statement needs for its race, from the beginning to the end of the race. */
typedef struct autotune__race_state {
    autotune__race race;
    autotune__beginning agreed;                 /* with the other ranks, if there are any */
    autotune__race *part;                       /* of ranks that divide a race, once the finalists of all parts are
                                                   raced: the race of the part */
} autotune__race_state;
typedef struct autotune__statement {
    autotune__tuning head;                      /* the first member: its phase, which is all that the loop sees */
    autotune__subject subject;
    autotune__turn turn;
    autotune__store store;
    autotune__prior prior;                      /* what the store knows of the key */
    autotune__race_state *race_state;           /* NULL: there is no race */
    autotune__trial_state trial;
    autotune__plan plan;
    int error_number;                           /* errno, as the program left it before the statement or in its call */
    autotune__call_race *call_race;             /* that measures the calls of this statement; NULL: none */
    size_t judged;                              /* how many points were judged */
    double progress_shown;                      /* the time of the last line of progress, in seconds since the start */
    autotune_status status;                     /* of the statement */
    autotune__entry *entry;                     /* of the winner, once this statement found or published it */
    autotune_result result;
    bool awaited;                               /* the time of its call is, which a device tells later */
    struct autotune__statement *next_awaited;   /* the one of its key whose call came before */
    struct autotune__statement *outer;          /* the statement of this thread in whose body this one runs */
} autotune__statement;
/* The loop of a statement, and a backend, see no more of it than how it begins. */
static autotune__statement *autotune__statement_of(const autotune__tuning *tuning) {
    return (autotune__statement *)(uintptr_t)tuning;
}
static __thread autotune__statement *autotune__current;     /* the innermost statement of this thread that is no hit */
/* The statement in whose body this one runs; NULL: none. */
static void autotune__set_outer(autotune__statement *statement, autotune__statement *outer) {
    statement->outer = outer;
    statement->turn.outer = outer ? &outer->turn : NULL;
}
/* Was the configuration of the request never launched? */
static bool autotune__is_new(const autotune__trial_state *trial) { return autotune__is_first_launch(&trial->request); }
static uint64_t autotune__clock_now(const autotune__subject *subject) {
    return subject->backend->now(subject->backend);
}
static double autotune__passed_ns(uint64_t from, uint64_t to) { return to > from ? (double)(to - from) : 0; }
/* Returns the meaning of an error of a launch to its backend. */
static autotune_error_class autotune__class_of(autotune_backend *backend, autotune_status status) {
    return backend->classify ? backend->classify(backend, status) : AUTOTUNE_ERROR_CONFIGURATION;
}
static bool autotune__is_loss_of_device(autotune_backend *backend, autotune_status status) {
    return status != AUTOTUNE_OK && autotune__class_of(backend, status) == AUTOTUNE_ERROR_DEVICE;
}
/* Why a launch failed: the reason that was given, else the text of its status. */
static const char *autotune__reason(const autotune__trial_state *trial, autotune_status status) {
    return autotune__has_text(&trial->why) ? autotune__string(&trial->why) : autotune_status_text(status);
}
/* Is it the first time that something of this kind is said of the call site? */
static bool autotune__says_first(autotune__site *site, autotune_status status) {
    const uint32_t bit = 1u << status;
    return !(__atomic_fetch_or(&site->reported, bit, __ATOMIC_RELAXED) & bit);
}
/* An error of a call site, whose text is freed. The log has one of options, or of memory, once for each site. */
static void autotune__complain_at(autotune__site *site, autotune_status status, autotune__text *text) {
    const bool once = status == AUTOTUNE_ERR_ARGUMENT || status == AUTOTUNE_ERR_MEMORY;
    autotune__put_text(autotune__error, sizeof autotune__error, "%s",
                       text->broken ? autotune_status_text(status) : autotune__string(text));
    if (!once || autotune__says_first(site, status)) autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
    autotune__free_text(text);
}
/* Reports an error in one sentence that begins with the name of the statement. */
static __attribute__((__format__(__printf__, 3, 4)))
void autotune__report(autotune__statement *statement, autotune_status status, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, &statement->subject, format);
    statement->status = status;
    autotune__complain_at(statement->subject.site, status, &text);
}
