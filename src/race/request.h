/* The setup of a race, its requests, and the answers to them.

   A race asks for one thing at a time, and is told the answer: EVALUATE a point of the space, RUN a configuration,
   FINISH. A RUN is one launch or more of one configuration, and becomes one sample. The race knows neither the
   call site nor the clock. */
#pragma once
#include "../api/floor.h"
#include "../space/floor.h"
#include "prior.h"

typedef enum autotune__what { AUTOTUNE__EVALUATE, AUTOTUNE__RUN_IT, AUTOTUNE__FINISH } autotune__what;
typedef enum autotune__occasion {
    AUTOTUNE__LAUNCHED_BEFORE,
    AUTOTUNE__FIRST_LAUNCH,                     /* this configuration was not launched before */
    AUTOTUNE__OF_CONTROL                        /* of the two samples of its row in this round, the control's */
} autotune__occasion;
typedef struct autotune__request {
    autotune__what what;
    size_t index;                               /* the point to EVALUATE, or the configuration to RUN */
    /* RUN only */
    double limit_ns;                            /* make no further launch once the launches took so long together; 0:
                                                   make all of them */
    uint32_t launches;                          /* make so many launches */
    double until_seconds;                       /* make no further launch after so many seconds of the race */
    double tick_ns;                             /* the clock moves in such steps; 0: in none that the race knows */
    double expected_ns;                         /* what a launch is known to take; 0: nothing is known */
    autotune__occasion occasion;
    uint64_t prepared;                          /* what the answer to its first RUN gave as `prepared` */
} autotune__request;
static bool autotune__is_first_launch(const autotune__request *request) {
    return request->occasion == AUTOTUNE__FIRST_LAUNCH;
}

/* What PRIORITY and MODEL say of a point. */
typedef struct autotune__precedence {
    uint64_t group;                             /* of its PRIORITY, and 1; 0: it has none */
    int64_t intra;                              /* of its PRIORITY; below 0: it is never launched */
    double cost;                                /* that MODEL predicts; AUTOTUNE__NEVER: there is no MODEL */
} autotune__precedence;
typedef enum autotune__execution {              /* of a RUN; what the worst of several ranks says counts for all */
    AUTOTUNE__AS_ASKED,
    AUTOTUNE__SETS_UP,                          /* a first launch did what later ones may not: it touched pages for the
                                                   first time, or it waited */
    AUTOTUNE__BY_COPY,                          /* the control was another copy of the row's code, in all rounds */
    AUTOTUNE__SPARED,                           /* no launch was made, because earlier processes did not survive it */
    AUTOTUNE__WITHOUT_MEMORY                    /* there is none to carry out requests: the race has to end */
} autotune__execution;
enum { AUTOTUNE__MOST_REPEATS = 3 };            /* of a RUN that something disturbs */
typedef struct autotune__answer {
    /* to EVALUATE */
    size_t refused;                             /* WHERE refuses so many points from this one on; 0: it admits it */
    autotune__precedence precedence;
    /* to RUN */
    autotune_status status;                     /* not AUTOTUNE_OK: the configuration failed */
    const char *reason;                         /* why it failed; the race copies the text */
    const char *note;                           /* what earlier processes left to be said of it, a text that lives as
                                                   long as the program; NULL: nothing */
    double elapsed_ns;                          /* the time of all launches of the sample together */
    uint32_t launches;                          /* how many launches the sample is made of */
    size_t made;                                /* how many launches were made, with those that are not in the sample */
    uint64_t prepared;                          /* what the backend prepared for this configuration */
    double besides_seconds;                     /* what took so long was no launch: compiling, or checking outputs */
    double waited_seconds;                      /* for which launches waited for a processor */
    unsigned preempted_as;                      /* how preempted launches were timed: see statement/waiting.h */
    double shareable_ns;                        /* of the time since the last answer: what other threads can take over
                                                   from now on, since it is prepared ahead */
    autotune__execution execution;
    uint32_t disturbances;                      /* how often something else ran during the sample; above MOST_REPEATS:
                                                   it was repeated for that, and is disturbed nonetheless */
} autotune__answer;
/* To how many points is this the answer? */
static size_t autotune__points_answered(const autotune__answer *said) { return said->refused ? said->refused : 1; }
/* The sample, which is the time of one launch. */
static double autotune__sample_ns(const autotune__answer *answer) {
    return answer->launches ? answer->elapsed_ns / answer->launches : 0;
}

typedef enum autotune__sampling_by {            /* which launches are a sample? */
    AUTOTUNE__BY_CLOCK,                         /* as many as the clock needs to tell their time */
    AUTOTUNE__BY_BATCHES,                       /* these, too; but one by one launches take longer than in a batch */
    AUTOTUNE__BY_LAUNCHES                       /* each one, however short, as in an online race */
} autotune__sampling_by;
/* When a race ends, and how it measures. The race owns its copy. */
typedef struct autotune__limits {
    double seconds;                             /* after this time no launch is asked for */
    double screen_seconds;                      /* after this time no configuration gets its first launch; 0: the user
                                                   gave `seconds`, which nothing puts off, and a part of which first
                                                   launches may take */
    uint64_t trials;                            /* the most configurations that are launched; 0: all */
    uint64_t top_k;                             /* the most configurations of a group, by the least cost; 0: all */
    double stop_at_ns;                          /* a configuration with two such samples wins at once; 0: none does */
    size_t rounds;                              /* the most rounds of a duel */
    double share;                               /* the most time of a duel, over the time of all launches before it */
    double margin;                              /* another configuration has to be faster by this share; 0: 0.002 */
    double tick_ns;                             /* the clock moves in such steps; 0: in none that can be told */
    double idle_seconds;                        /* since the race before this one ended on the device */
    autotune__sampling_by sampling;
    uint64_t seed;                              /* random numbers begin with it */
    autotune_strategy strategy;
} autotune__limits;

/* Did the user give the time? */
static bool autotune__is_given(const autotune__limits *limits) { return !(limits->screen_seconds > 0); }
static double autotune__screen_limit(const autotune__limits *limits) {
    return autotune__is_given(limits) ? limits->seconds : limits->screen_seconds;
}

/* The field of the race, and its purpose: all of the space, or finalists alone. */
typedef enum autotune__purpose_of_race {
    AUTOTUNE__TO_TUNE,
    AUTOTUNE__TO_SAMPLE,                        /* the same, of a space too large to be listed: only the points that a
                                                   search draws are evaluated */
    AUTOTUNE__TO_AUDIT,                         /* see audit.h */
    AUTOTUNE__TO_DUEL,                          /* finalists that were found just now, part by part */
    AUTOTUNE__TO_DUEL_AGAIN,                    /* finalists of an earlier run */
    AUTOTUNE__TO_VERIFY                         /* those and the first of the space: see verification.h */
} autotune__purpose_of_race;
/* The race copies the struct. The space is borrowed, and so are the rows, in which the race notes what it leaves out:
   they outlive the race. */
typedef struct autotune__race_setup {
    size_t points;                              /* how many points the space has */
    const autotune__space *space;               /* NULL: no search is possible, the space is raced in order */
    autotune__purpose_of_race purpose;
    bool is_checked;                            /* .outputs or .verify check what a configuration computes */
    autotune__prior_row *prior;                 /* what is known before the race: an array, see base/memory.h */
    autotune__rest rest;                        /* and of points that have no row there */
    double scatter;                             /* how far times of that scatter, as a share */
    size_t part, parts;                         /* this part of each group is raced, out of so many, up to the duel; 0
                                                   parts: all of it */
} autotune__race_setup;
