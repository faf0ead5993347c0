/* The setup of a race, its requests, and the answers to them.

   A race makes one request at a time: EVALUATE a point of the space, RUN a configuration, FINISH. A RUN is one or more
   launches of one configuration, and gives one sample. The race knows neither the call site nor the clock. */
#pragma once
#include "../api/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "prior.h"

/* EVALUATE: asks WHERE, PRIORITY and MODEL about a point.
   RUN_IT, in comments RUN: launches a configuration.
   FINISH: the race has ended. */
typedef enum autotune__what { AUTOTUNE__EVALUATE, AUTOTUNE__RUN_IT, AUTOTUNE__FINISH } autotune__what;
typedef enum autotune__occasion {
    AUTOTUNE__LAUNCHED_BEFORE,                  /* this configuration was launched before */
    AUTOTUNE__FIRST_LAUNCH,                     /* this configuration was not launched before */
    AUTOTUNE__OF_CONTROL                        /* the control: the second sample of its row in this round */
} autotune__occasion;
typedef struct autotune__request {
    autotune__what what;
    size_t index;                               /* the point to EVALUATE, or the configuration to RUN */
    /* For RUN only: */
    double limit_ns;                            /* stop once the launches of this RUN have taken so long together, in
                                                   ns; 0: no limit */
    uint32_t launches;                          /* how many launches to make at most */
    double until_seconds;                       /* make no further launch after so many seconds of the race; the first
                                                   batch is launched in any case */
    double tick_ns;                             /* the step in which the clock moves, in ns; 0: unknown */
    double expected_ns;                         /* the time of a launch, in ns; 0: unknown */
    autotune__occasion occasion;
    uint64_t prepared;                          /* `prepared` of the last answer for this configuration; 0: none yet */
} autotune__request;
static bool autotune__is_first_launch(const autotune__request *request) {
    return request->occasion == AUTOTUNE__FIRST_LAUNCH;
}

/* PRIORITY and cost of a point. */
typedef struct autotune__precedence {
    uint64_t group;                             /* 1 + the first number of PRIORITY; 0: no PRIORITY, or its first number
                                                   is below 0 */
    int64_t intra;                              /* the second number of PRIORITY, or its first number if that is below
                                                   0. Below 0: the point is never launched */
    double cost;                                /* the cost that MODEL predicts; AUTOTUNE__NEVER: no MODEL */
} autotune__precedence;
typedef enum autotune__execution {              /* of a RUN; if several ranks answer, the largest value counts */
    AUTOTUNE__AS_ASKED,                         /* nothing to remark */
    AUTOTUNE__SETS_UP,                          /* a first launch touched new memory pages, or waited for new threads:
                                                   later launches may be shorter */
    AUTOTUNE__BY_COPY,                          /* the control's second sample ran a second copy of the row's code */
    AUTOTUNE__SPARED,                           /* no launch was made: this configuration ended too many earlier runs */
    AUTOTUNE__WITHOUT_MEMORY                    /* no memory to carry out the request: the race has to end */
} autotune__execution;
enum { AUTOTUNE__MOST_REPEATS = 3 };            /* how often a disturbed RUN is repeated at most */
typedef struct autotune__answer {
    /* To EVALUATE: */
    size_t refused;                             /* so many points, from the request's point on, are refused by WHERE or
                                                   left out by AUTOTUNE_USE; 0: the point is admitted */
    autotune__precedence precedence;
    /* To RUN: */
    autotune_status status;                     /* not AUTOTUNE_OK: the configuration failed */
    const char *reason;                         /* why it failed; the race copies the text */
    const char *note;                           /* a remark for the log on earlier runs of this configuration, a string
                                                   constant; NULL: none */
    double elapsed_ns;                          /* the time of all launches of the sample, in ns */
    uint32_t launches;                          /* how many launches the sample has */
    size_t made;                                /* how many launches were made, in the sample and outside */
    uint64_t prepared;                          /* what the backend prepared for this configuration */
    double unlaunched_seconds;                  /* time in which nothing was launched: compiling, or checking outputs */
    double waited_seconds;                      /* how long launches waited for a processor */
    unsigned preemptions;                       /* how preempted launches were timed: see statement/race_clock.h */
    double shareable_ns;                        /* how long the trial waited for work such as compiling, in ns. Other
                                                   threads do such work ahead for later trials */
    autotune__execution execution;
    autotune__output_match outputs;             /* of a first launch: are its outputs the expected ones? */
    uint32_t disturbances;                      /* how often a RUN was disturbed. More than MOST_REPEATS: the last
                                                   repetition was disturbed, too */
} autotune__answer;
/* Returns the number of points that the answer decides. */
static size_t autotune__points_of(const autotune__answer *answer) { return answer->refused ? answer->refused : 1; }
/* Returns the sample: the time of one launch, in ns. */
static double autotune__sample_ns(const autotune__answer *answer) {
    return answer->launches ? answer->elapsed_ns / answer->launches : 0;
}

typedef enum autotune__sampling_by {            /* How many launches make a sample: */
    AUTOTUNE__BY_CLOCK,                         /* as many as the clock needs to measure their time */
    AUTOTUNE__BY_BATCHES,                       /* as BY_CLOCK; and as a launch alone takes longer than in a batch, the
                                                   screen excludes less */
    AUTOTUNE__BY_LAUNCHES                       /* one, however short: an online race */
} autotune__sampling_by;
/* The limits: when a race ends, and how it measures. The race owns its copy. */
typedef struct autotune__limits {
    double seconds;                             /* after so many seconds the race makes no launch, except first launches
                                                   before `screen_seconds` */
    double screen_seconds;                      /* after so many seconds no configuration gets its first launch. 0: the
                                                   user gave `seconds`, or finalists are duelled again. Then nothing
                                                   extends `seconds`, and first launches get a part of `seconds` */
    uint64_t trials;                            /* how many configurations are launched at most; 0: all */
    uint64_t top_k;                             /* how many configurations of one group are launched at most, those
                                                   with the least cost; 0: all */
    double stop_at_ns;                          /* a configuration with two samples up to this time, in ns, wins at
                                                   once; 0: no configuration does */
    size_t rounds;                              /* how many rounds a duel has at most */
    double share;                               /* a duel may end once it took this share of the time of all launches
                                                   before it: see race/duel.h */
    double margin;                              /* a winner must be faster than the row to beat by this share; 0: by
                                                   0.002 */
    double tick_ns;                             /* the step in which the clock moves, in ns; 0: no step can be seen */
    double idle_seconds;                        /* seconds since the last race on this device ended */
    autotune__sampling_by sampling;
    uint64_t seed;                              /* the seed of the random numbers */
    autotune_strategy strategy;
} autotune__limits;

/* Returns true if the user gave a limit of time, or if finalists are duelled again. Then nothing extends the limit. */
static bool autotune__has_own_limit(const autotune__limits *limits) { return !(limits->screen_seconds > 0); }
static double autotune__screen_limit(const autotune__limits *limits) {
    return autotune__has_own_limit(limits) ? limits->seconds : limits->screen_seconds;
}

/* The purpose of a race: which configurations it launches, and why. */
typedef enum autotune__purpose_of_race {
    AUTOTUNE__TO_TUNE,                          /* all configurations that may win */
    AUTOTUNE__TO_SAMPLE,                        /* TO_TUNE, but only points that a search draws are evaluated */
    AUTOTUNE__TO_AUDIT,                         /* the first configuration: see audit.h */
    AUTOTUNE__TO_DUEL,                          /* the finalists of all parts of a divided race */
    AUTOTUNE__TO_DUEL_AGAIN,                    /* the finalists of an earlier run */
    AUTOTUNE__TO_VERIFY                         /* the finalists of an earlier run and the first configuration: see
                                                   verification.h */
} autotune__purpose_of_race;
/* The race copies this struct, and borrows the space and the array `prior`. Both outlive the race. The race sets the
   flag ASIDE in rows of `prior`. */
typedef struct autotune__race_setup {
    size_t points;                              /* how many points the space has */
    const autotune__space *space;               /* NULL: there is no search, the space is raced in order */
    autotune__purpose_of_race purpose;
    bool is_checked;                            /* .outputs or .verify check the results of configurations */
    autotune__prior_row *prior;                 /* what is known before the race: an array, see base/memory.h */
    autotune__rest rest;                        /* what is known of points without a row in `prior` */
    double scatter;                             /* how far the earlier winner's times scatter: median divided by least
                                                   time, less 1 */
    size_t part, parts;                         /* part: this race screens and halves this part of each group; the first
                                                   part is 0. parts: how many parts there are; 0: the race is not
                                                   divided */
} autotune__race_setup;
