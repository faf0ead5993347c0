/* The race: a scheduler. It asks for one thing at a time and is told the answer: EVALUATE a point of the space, RUN a
   configuration, PAUSE, FINISH. It knows neither the call site nor the clock; another scheduler can stand in its place.

   Screen every configuration by one launch; halve the survivors on their minimum, by a margin that follows the noise
   seen; let the finalists duel by paired samples, with a test that may be looked at after every round. The incumbent is
   who won before, else the first configuration of the space: it starts, warms the device up, shows by probes whether
   the device's speed changed, and keeps its place in a tie. What speaks against the times makes the verdict UNRELIABLE.
   The thresholds were chosen with bench/replay.c.

   This file: what a race knows, what it asks, and what it is answered. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../api/search.h"
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../space/axes.h"
#include "../search/points.h"

typedef enum autotune__what { AUTOTUNE__EVALUATE, AUTOTUNE__RUN_IT, AUTOTUNE__PAUSE, AUTOTUNE__FINISH } autotune__what;
typedef struct autotune__request {
    autotune__what what;
    size_t index;
    uint32_t launches;                          /* of a RUN */
    double limit_ns;                            /* of a RUN: stop between launches once they took this long together; 0:
                                                   never */
    uint32_t at_least;                          /* but not before so many launches */
    bool first;                                 /* of a RUN: this configuration was not launched before */
    uint64_t prepared;                          /* of a RUN: what the answer to the first RUN of this configuration
                                                   called prepared */
} autotune__request;
typedef struct autotune__answer {
    /* to EVALUATE */
    bool admitted, grouped;
    size_t skip;                                /* so many points after this one are refused with it */
    int64_t group, intra;
    double cost;                                /* AUTOTUNE__NEVER: there is no MODEL */
    /* to RUN */
    autotune_status status;                     /* not AUTOTUNE_OK: the configuration failed */
    const char *reason;                         /* of a failure: the race copies it; NULL: there is none */
    double ns;                                  /* per launch, of the launches that count */
    uint32_t launches;                          /* that count */
    size_t made;                                /* all launches of the RUN, those that do not count among them */
    uint64_t prepared;                          /* what the backend prepared for this configuration */
    bool disturbed;                             /* something else ran in the middle of the launches that count */
    bool clock_jumped;                          /* the user's own clock jumped */
    bool spared;                                /* it was not launched, since earlier runs did not survive it */
    bool no_memory;                             /* for the RUN itself: the race cannot go on */
} autotune__answer;

/* The launch table: a row for each configuration that was tried. */
typedef enum autotune__state { AUTOTUNE__WORKS, AUTOTUNE__SLOW, AUTOTUNE__FAILED } autotune__state;
typedef struct autotune__row {
    size_t index;
    autotune__state state;
    autotune_status status;
    const char *stage, *why;                    /* the last it reached, and why it went no further */
    char *reason;                               /* of a failure */
    const char *note;                           /* what earlier runs say of it; NULL: nothing */
    double minimum, second;                     /* the least of its samples and the next, ns per launch; follow the
                                                   device's pace */
    double measured;                            /* the least as it was measured */
    bool unsure;                                /* it was measured before, or while, the device's pace changed */
    bool batched;                               /* minimum and second are of batches, not of single launches */
    double median, relative;                    /* of the duel's samples, and of each over the fastest of its round */
    double *samples;                            /* of the duel, one for each round */
    uint64_t prepared;                          /* by the backend */
    size_t launches, at_goal;                   /* at_goal: samples at or below stop_at_ns */
} autotune__row;
typedef struct autotune__rank { int64_t group, intra; double cost; bool grouped, tried; } autotune__rank;

/* The points that some number is least of, the least first. */
enum { AUTOTUNE__SHORTLISTED = 10 };
typedef struct autotune__shortlist {
    size_t count, index[AUTOTUNE__SHORTLISTED];
    double value[AUTOTUNE__SHORTLISTED];
} autotune__shortlist;
static bool autotune__makes_shortlist(const autotune__shortlist *list, double value) {
    return value < (list->count < AUTOTUNE__SHORTLISTED ? AUTOTUNE__NEVER : list->value[AUTOTUNE__SHORTLISTED - 1]);
}
static void autotune__shortlist_point(autotune__shortlist *list, size_t index, double value) {
    size_t i;
    if (!autotune__makes_shortlist(list, value)) return;
    i = list->count < AUTOTUNE__SHORTLISTED ? list->count++ : AUTOTUNE__SHORTLISTED - 1;
    for (; i > 0 && list->value[i - 1] > value; i--) {
        list->index[i] = list->index[i - 1];
        list->value[i] = list->value[i - 1];
    }
    list->index[i] = index;
    list->value[i] = value;
}

typedef struct autotune__limits {
    double seconds, screen_seconds;             /* no launch after; and of those that only give every configuration its
                                                   first */
    double tick_ns;                             /* the clock moves in such steps; 0: they are finer than can be told */
    uint64_t trials, top_k, seed;
    double stop_at_ns;
    size_t rounds;                              /* of a duel, at most */
    double share;                               /* of a duel: of the time of what came before, at most */
    autotune_strategy strategy;
    bool whole_batches;                         /* one by one, the launches of a batch would take longer */
    bool explicit_seconds;                      /* the user's own limit; else seconds is put off by checks of outputs
                                                   and compilations */
} autotune__limits;

/* What is raced. The race copies it; the space and the list of postponed points stay the caller's, and outlive the
   race. */
typedef struct autotune__race_setup {
    size_t points;                              /* of the space */
    const autotune__space *space;               /* NULL: there is no search */
    bool sampled;                               /* the space is too large to be listed: points are judged as the search
                                                   draws them */
    size_t incumbent;                           /* the point that won before; SIZE_MAX: there is none */
    const size_t *postponed;                    /* points that are launched after all others of their batch,
                                                   ascending */
    size_t postponed_count;
    autotune__shortlist seeds;                  /* points that a search tries first, after the first configuration and
                                                   the incumbent */
} autotune__race_setup;

typedef enum autotune__stage {
    AUTOTUNE__EVALUATING,
    AUTOTUNE__SURVEYING,
    AUTOTUNE__SCREENING,
    AUTOTUNE__HALVING,
    AUTOTUNE__DUELLING,
    AUTOTUNE__CONFIRMING,
    AUTOTUNE__OVER
} autotune__stage;
typedef enum autotune__repeat {
    AUTOTUNE__NO_REPEAT,
    AUTOTUNE__ONCE_MORE,
    AUTOTUNE__UNTIL_THE_CLOCK_MOVES
} autotune__repeat;
typedef struct autotune__race {
    autotune__race_setup setup;
    autotune__limits limits;
    autotune__stage stage;
    double elapsed, before_ns, duel_ns;         /* seconds in all; nanoseconds of launches before the duel, and in it */
    size_t samples;                             /* that were taken */
    uint64_t random;
    bool no_memory, no_model;                   /* no_model: .top_k without predicted costs */
    /* what is raced */
    size_t visited, admitted_count;             /* points that were looked at; those that may be raced */
    size_t *admitted;                           /* their indices, ascending */
    autotune__rank *ranks;                      /* beside them, from the first PRIORITY or MODEL on; else NULL */
    uint32_t *order;                            /* of the batch that is screened: places in admitted */
    size_t *late, next_late;                    /* postponed points of the batch that is screened; who is next */
    autotune__row *rows;
    size_t *live;                               /* rows that are still in the race */
    size_t row;                                 /* that runs now, or ran last */
    bool running;                               /* it runs now: its answer is awaited */
    /* the search, where the space is too large to be screened whole, or its strategy says so */
    size_t drawn, hits;                         /* points of it that were drawn uniformly; those that may be raced */
    size_t surveyed;                            /* the point that is drawn now */
    autotune__rank level, lower, above;         /* of a sample: the lowest that is raced now, the next that is known,
                                                   and where it ends */
    autotune__shortlist cheapest;               /* of the points that were drawn, by MODEL */
    autotune_search *search;                    /* of the batch that is screened; NULL: it is screened in order */
    bool deciding, whole;                       /* AUTO: does the whole batch fit the budget? It does: the rest goes in
                                                   order */
    bool judging, admits;                       /* a point is being judged for the search; what came out */
    size_t judged;                              /* which */
    bool searched;                              /* the search is over */
    size_t told;                                /* rows that the search knows */
    double batch_began;                         /* elapsed seconds */
    /* the screen */
    size_t next, batch_rows, again;             /* in order; the batch's first row; the row that may be screened
                                                   again */
    autotune__repeat repeat;                    /* of the row that ran last */
    bool first_batch, priced;                   /* priced: MODEL predicts costs of the batch */
    bool cut_short;                             /* time ended before all that is to be tried was launched, or it was not
                                                   found */
    bool spared;                                /* a configuration was not launched, since earlier runs did not survive
                                                   it */
    bool clock_asked;                           /* how long it takes until the clock moves */
    double best_ns;
    /* the device's pace */
    unsigned warm_ups;                          /* launches of the first that works; settled: they agree */
    bool settled;
    double warming_ns, last_ns;
    size_t probe, probed, probe_due;            /* a row; how many rows there were when it ran last, and when it runs
                                                   next */
    unsigned probes, pauses;                    /* launches of the probe that runs now, 0: none; pauses in all */
    bool pausing;
    double probe_ns, probed_ns, probed_most_ns; /* what it should take; the least and the most that it took now */
    double pace, fastest_pace, slowdown;        /* over that of the beginning; the fastest so far; the worst over the
                                                   fastest before it */
    /* the rounds of halving and duel */
    size_t *round, turn;                        /* the rows of this round in their order, the twin among them; who is
                                                   next */
    size_t finalists, halvings, rounds_left, rounds;
    bool quicker;                               /* the last sample, by more than 5 % than any of its row before */
    unsigned repeated_rounds;                   /* of the halving, for that */
    uint32_t epoch, epochs, launches;           /* of one sample: the least of some epochs, each of some launches */
    double epoch_ns;
    double noise;                               /* how far apart the two best samples of a row are, over the lesser: the
                                                   median */
    double *fastest;                            /* of each round of the duel */
    size_t twin;                                /* the row that runs twice in a round; SIZE_MAX: none */
    bool twin_runs;
    double *earlier, *later;                    /* its two times of each round, in the order in which they were
                                                   measured */
    /* what the answers said of the measurement itself */
    size_t runs, disturbed;                     /* RUNs with a launch; those that were disturbed */
    bool clock_jumped;
    /* the end */
    size_t winner, runner_up;                   /* rows; SIZE_MAX: none */
    autotune_verdict verdict;
    const char *doubt;                          /* why it is UNRELIABLE */
    double lead, lead_low, lead_high;
    unsigned confirmed;                         /* launches that confirmed which configuration is the slowest */
} autotune__race;

/* Each stage takes the answer to what it asked last, NULL when it begins. It asks for the next thing and returns true,
   or it hands over to another stage and returns false. */
static bool autotune__ask(autotune__request *request, autotune__what what, size_t index, uint32_t launches,
                          double limit_ns) {
    request->what = what;
    request->index = index;
    request->launches = launches;
    request->limit_ns = limit_ns;
    request->at_least = 1;
    return true;
}
static bool autotune__ask_run(autotune__race *race, autotune__request *request, size_t row, uint32_t launches,
                              double limit_ns) {
    race->row = row;
    race->running = true;
    (void)autotune__ask(request, AUTOTUNE__RUN_IT, race->rows[row].index, launches, limit_ns);
    request->first = race->rows[row].launches == 0;
    request->prepared = race->rows[row].prepared;
    return true;
}
static double autotune__time(const autotune__row *row) {
    return autotune__is_definite(row->median)    ? row->median
           : autotune__is_definite(row->minimum) ? row->minimum
                                                 : row->measured;
}
/* A launch in a batch takes another time than one alone, mostly a shorter one, and a mean is never as low as the least:
   once a row has samples of batches, those of single launches no longer count. */
static void autotune__note(autotune__row *row, double ns, bool batched) {
    if (row->batched && !batched) return;
    if (row->batched != batched) row->minimum = row->second = row->measured = AUTOTUNE__NEVER;
    row->batched = batched;
    if (!(row->measured <= ns)) row->measured = ns;
    if (!(row->minimum <= ns)) { row->second = row->minimum; row->minimum = ns; }
    else if (!(row->second <= ns)) row->second = ns;
}
/* The first configuration of the space; SIZE_MAX: none is known yet. */
static size_t autotune__first_admitted(const autotune__race *race) {
    return autotune__count(race->admitted) ? race->admitted[0] : SIZE_MAX;
}
/* What the backend prepared for this configuration; 0: nothing. */
static uint64_t autotune__prepared_of(const autotune__race *race, size_t index) {
    size_t i;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (race->rows[i].index == index) return race->rows[i].prepared;
    return 0;
}
/* What earlier runs say of the configuration that runs now: a text that lives as long as the program. */
static void autotune__annotate(autotune__race *race, const char *note) { race->rows[race->row].note = note; }
/* The limit by default is put off by what takes time and is no launch: checks of outputs, compilations. Not the one
   that the user gave, nor the one of the first launches. */
static void autotune__put_off_limit(autotune__race *race, double seconds) {
    if (!race->limits.explicit_seconds && seconds > 0) race->limits.seconds += seconds;
}
static bool autotune__in_time(const autotune__race *race) { return race->elapsed < race->limits.seconds; }
static bool autotune__at_goal(autotune__race *race, double ns) {
    return race->limits.stop_at_ns > 0 && ns <= race->limits.stop_at_ns && ++race->rows[race->row].at_goal >= 2;
}
