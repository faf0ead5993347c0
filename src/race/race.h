/* The race: it finds the fastest configuration, by asking for one measurement after the other.

   The screen launches every configuration once. The halving compares the survivors in rounds, and leaves out those that
   are not near the best, by a margin that follows the noise seen. The duel compares the finalists in rounds, with a
   test that may be looked at after every round. The incumbent is the configuration that won before, else the first of
   the space. It is launched first, warms the device up, and stays until another one is shown to be faster.
   Contradictions of the times make the verdict UNRELIABLE. The thresholds were chosen with bench/replay.c.

   This file: the state of a race, one struct for each room that keeps it up to date, and the rows, which the floors
   above read. Only the rooms of this floor write to them, but for a statement whose race ranks divided. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "request.h"

/* The launch table: a row for each configuration that was tried, in the order of their first launches. */
typedef struct autotune__row {
    size_t index;                               /* of the configuration */
    autotune_status status;                     /* of its last RUN; not AUTOTUNE_OK: it failed, and is out */
    const char *stage;                          /* the name of the last stage that it reached */
    const char *why;                            /* why it went no further, where it is slow; NULL: it is not */
    char *reason;                               /* why it failed; the row owns the text */
    const char *note;                           /* what earlier processes left to be said of it; NULL: nothing */
    size_t launches;                            /* all that were made */
    size_t at_goal;                             /* samples that were not above limits.stop_at_ns */
    uint64_t prepared;                          /* what the backend prepared for it */
    int resources[3];                           /* what its kernels need at most, as autotune_measurement has it */
    double measured;                            /* the least sample, in nanoseconds per launch, as it was measured */
    double minimum;                             /* the same at the device's speed of now: see halving.h */
    bool batched;                               /* these are samples of batches, and not of single launches */
    double *samples;                            /* of the halving or the duel, one for each round */
    double median;                              /* of the samples of the duel */
    double relative;                            /* the median of each of them over the fastest of its round */
    size_t calls, held_up;                      /* of an online race: how many this process measured, and how many of
                                                   these took more than twice what the first configuration does */
    double taken, capped;                       /* what they took over that, in sum; the same where each of them counts
                                                   as twice at most */
} autotune__row;
static bool autotune__failed(const autotune__row *row) { return row->status != AUTOTUNE_OK; }
/* Nor is it slow. */
static bool autotune__works(const autotune__row *row) { return !autotune__failed(row) && !row->why; }

/* evaluate.h: the points that may be raced, and what PRIORITY and MODEL say of them. */
typedef struct autotune__admission {
    size_t visited;                             /* the next point that is evaluated */
    size_t asked;                               /* how many were evaluated */
    size_t *points;                             /* those that were admitted, in ascending order */
    autotune__precedence *precedences;          /* of each of them; NULL: none has a PRIORITY or a cost */
    size_t count;                               /* how many there are; of a sampled space an estimate */
    size_t left_out;                            /* how many are not among them, since they lost an earlier race */
} autotune__admission;

/* priority.h: the points of the PRIORITY that is raced now. */
typedef struct autotune__group {
    size_t number;                              /* how many were chosen */
    autotune__precedence current;               /* the PRIORITY of this one */
    size_t passed;                              /* of this PRIORITY: how many .top_k chose; 0: it left none out */
    size_t reference;                           /* a point of the group that every part of it has; SIZE_MAX: none */
    size_t *order;                              /* its points, in the order of their first launches: those that are
                                                   deferred at the end */
    size_t next;                                /* the position in `order` that comes next */
    size_t first_row;                           /* the row of the group's first launch */
    double began;                               /* when, in seconds since the race began */
    const char *without_effect;                 /* what is said of options that have none; NULL: all have one */
} autotune__group;

/* searching.h: a search that chooses which configuration of the group is launched next. */
typedef enum autotune__extent {
    AUTOTUNE__WHOLE,                            /* there is time for the whole group: what the search has not tried is
                                                   launched in order */
    AUTOTUNE__UNDECIDED,                        /* the first trials show whether there is */
    AUTOTUNE__SEARCHED,                         /* there is not: the search has its trials */
    AUTOTUNE__SEARCH_ENDED                      /* it proposes nothing more: of the rest only what is deferred is
                                                   launched */
} autotune__extent;
typedef struct autotune__searching {
    autotune_search *search;                    /* NULL: the group is launched in order */
    autotune__extent extent;
    double shareable_ns;                        /* of the time since the group began: see autotune__answer */
    double last_at, longest;                    /* seconds of the group, without that: when the last trial began; how
                                                   long one took at most */
    size_t drawn, eligible;                     /* of a sampled space: points that were drawn uniformly; those of them
                                                   that may be raced */
} autotune__searching;

/* Why was not all launched that should have been? The last reason counts; records have the words. */
typedef enum autotune__lack {
    AUTOTUNE__NO_LACK,
    AUTOTUNE__SKIPPED,                          /* a configuration was not launched: see autotune__answer */
    AUTOTUNE__LACKS_POINTS,                     /* a search found no more of them */
    AUTOTUNE__LACKS_GAIN,                       /* a search expected to gain little by the others */
    AUTOTUNE__LACKS_PLACES,                     /* .top_k */
    AUTOTUNE__LACKS_TRIALS, AUTOTUNE__LACKS_TIME
} autotune__lack;
/* recheck.h: second launches. */
typedef struct autotune__rechecking {
    double until;                               /* seconds since the race began, after which none is made */
    size_t agreed;                              /* second launches in a row that confirmed the first */
    size_t beyond;                              /* second launches in a row that stayed beyond the reach */
    size_t shorter;                             /* samples in a row that were shorter: see autotune__is_rising() */
    double apart;                               /* sum of the shares by which they differ from the first launches,
                                                   each of them 10 % at most */
    double reach;                               /* what takes more than so many times the best is far from it */
} autotune__rechecking;

/* screen_samples.h: the first launches of a process. */
typedef struct autotune__warm_up {
    bool over;
    double began, window_began;                 /* in seconds since the race began, without what limits do not count */
    double least_ns, former_ns;                 /* the least launch of this window, and of the window before */
    bool repeats;                               /* the next launch repeats a first one that was disturbed */
    size_t as_long;                             /* repetitions in a row that took as long as the first launch */
} autotune__warm_up;

/* rounds.h: one sample of each survivor, in random order. */
typedef struct autotune__round {
    size_t *rows;                               /* in the order of their samples; AUTOTUNE__CONTROL among them */
    size_t at;                                  /* the position in `rows` that is sampled now */
    uint32_t launches;                          /* a repetition has so many launches */
    uint32_t repetition;                        /* how many repetitions of the sample were made */
    double least_ns;                            /* the least of these, which becomes the sample */
    double fastest_ns;                          /* the least sample of this round */
    double *pace;                               /* by which the samples of each complete round are divided: the fastest
                                                   of them; in the halving their median */
} autotune__round;

/* duel.h */
typedef struct autotune__duel_state {
    size_t finalists;                           /* 0: the survivors are halved before */
    size_t to_beat;                             /* a row: see order.h */
    size_t called_back;                         /* how many are in it that were cut before, since the device was quicker
                                                   then */
    double spent_ns;                            /* on launches */
} autotune__duel_state;
/* A finalist is sampled twice in each round, to see whether a configuration differs from itself. */
typedef struct autotune__control {
    size_t row;                                 /* SIZE_MAX: none, or no more */
    double *first, *second;                     /* the two samples of each round, in the order of their launches; of
                                                   the row and of its copy, if it is copied */
} autotune__control;

/* verdict.h */
typedef struct autotune__lead { double median, low, high; } autotune__lead;         /* see evidence.h */
typedef struct autotune__race_outcome {
    size_t winner, runner_up;                   /* rows; SIZE_MAX: none */
    autotune_verdict verdict;
    const char *doubt;                          /* why it is UNRELIABLE; NULL: it is not */
    const char *note;                           /* what was noticed of the times, and is no doubt; NULL: nothing */
    autotune__lead lead;                        /* of the winner: see autotune_result */
} autotune__race_outcome;

/* The request whose answer a race awaits, which is where it goes on: see decide.h. */
typedef enum autotune__stage {
    AUTOTUNE__BEGINNING,                        /* to nothing: it asks for the first time */
    AUTOTUNE__EVALUATING,                       /* may a point be raced? */
    AUTOTUNE__AUDITING,                         /* a launch of the first configuration, and of no other */
    AUTOTUNE__DRAWING,                          /* may a point be raced that the search has drawn? */
    AUTOTUNE__SCREENING,                        /* a first launch */
    AUTOTUNE__RECHECKING,                       /* a second launch, or a later one of what differs from a record */
    AUTOTUNE__SURVIVORS_FOUND,                  /* to nothing: survivors that were found otherwise are halved now */
    AUTOTUNE__HALVING,                          /* a sample of a survivor */
    AUTOTUNE__FINALISTS_FOUND,                  /* to nothing: finalists that were found otherwise are duelled now */
    AUTOTUNE__DUELLING,                         /* a sample of a finalist */
    AUTOTUNE__OVER, AUTOTUNE__OUT_OF_MEMORY     /* it is over, and has no winner */
} autotune__stage;
typedef struct autotune__race {
    autotune__race_setup setup;                 /* the purpose TO_TUNE becomes TO_SAMPLE where too many points have
                                                   to be evaluated */
    autotune__limits limits;
    autotune__stage stage;
    size_t incumbent;                           /* the point that won before; SIZE_MAX: there is none */
    uint64_t random;                            /* the state of the random numbers */
    double elapsed;                             /* seconds since the race began */
    double before_duel_ns;                      /* spent on launches before the duel */
    size_t samples;                             /* that were taken in all */
    double put_off;                             /* seconds that no limit counts, but one that the user gave */
    double patience;                            /* seconds by which waiting for a processor may still put off the end */
    autotune__row *rows;
    autotune__request request;                  /* the last one */
    size_t row;                                 /* that runs now, or ran last */
    size_t *live;                               /* the rows of the survivors */
    double best_ns;                             /* the least minimum of the group's rows; AUTOTUNE__NEVER: none works */
    autotune__admission admitted;
    autotune__group group;
    autotune__searching searching;
    autotune__lack left_out;
    autotune__rechecking rechecking;
    size_t checked, changed;                    /* so many rows take what the record of another build says; a row that
                                                   does not, SIZE_MAX: none */
    autotune__warm_up warm_up;
    autotune__round round;
    autotune__duel_state duel;
    autotune__control control;
    size_t runs, disturbed;                     /* RUNs with a launch; those of them that were disturbed */
    autotune__race_outcome outcome;
} autotune__race;

/* Is there nothing more to ask? */
static bool autotune__is_over(const autotune__race *race) { return race->stage >= AUTOTUNE__OVER; }
static bool autotune__lacks_memory(const autotune__race *race) { return race->stage == AUTOTUNE__OUT_OF_MEMORY; }
/* Takes whether there was memory for something. Returns false if there was none: the race ends without a winner. */
static __attribute__((__cold__, __noinline__)) bool autotune__has_memory_for(autotune__race *race, bool there_was) {
    if (there_was) return true;
    race->stage = AUTOTUNE__OUT_OF_MEMORY;
    race->outcome.winner = SIZE_MAX;
    race->outcome.verdict = AUTOTUNE_DEFAULT;
    return false;
}

/* Functions whose names begin with "ask" return true if they ask for something. */
static bool autotune__ask(autotune__race *race, autotune__what what, size_t index) {
    race->request.what = what;
    race->request.index = index;
    return !autotune__is_over(race);
}
/* Returns the time of a launch, by the best that is known of it: the median of the duel, else the minimum. */
static double autotune__time(const autotune__row *row) {
    return autotune__is_definite(row->median)    ? row->median
           : autotune__is_definite(row->minimum) ? row->minimum
                                                 : row->measured;
}
static bool autotune__ask_run(autotune__race *race, size_t row, uint32_t launches, double limit_ns) {
    const double known_ns = autotune__time(&race->rows[row]);
    race->row = row;
    race->request.launches = launches;
    race->request.limit_ns = limit_ns;
    race->request.occasion = race->rows[row].launches ? AUTOTUNE__LAUNCHED_BEFORE : AUTOTUNE__FIRST_LAUNCH;
    race->request.prepared = race->rows[row].prepared;
    race->request.until_seconds = race->limits.seconds;
    race->request.tick_ns = race->limits.tick_ns;
    race->request.expected_ns = autotune__is_definite(known_ns) ? known_ns : 0;
    return autotune__ask(race, AUTOTUNE__RUN_IT, race->rows[row].index);
}
/* A launch takes another time in a batch than alone, mostly a shorter one, and the mean of a batch is never as low as
   its least launch. So only samples of the kind of the last one count: those of batches, or of single launches. */
static void autotune__add_sample(autotune__row *row, double ns, bool batched) {
    if (row->batched != batched) row->minimum = row->measured = AUTOTUNE__NEVER;
    row->batched = batched;
    if (!(row->measured <= ns)) row->measured = ns;
    if (!(row->minimum <= ns)) row->minimum = ns;
}
/* Counts samples in a row that are shorter by a sixth than the least of their row before. Returns true from the third
   on: the clock of the device rises, and what was launched before tells nothing beside what is launched now. */
static bool autotune__is_rising(autotune__race *race, double ns) {
    const double before_ns = race->rows[race->row].measured;
    size_t *shorter = &race->rechecking.shorter;
    if (*shorter < 3) *shorter = autotune__is_definite(before_ns) && 1.2 * ns < before_ns ? *shorter + 1 : 0;
    return *shorter >= 3;
}
/* Are only those points evaluated that a search draws? */
static bool autotune__is_sampled(const autotune__race *race) { return race->setup.purpose == AUTOTUNE__TO_SAMPLE; }
/* Are finalists alone raced? */
static bool autotune__races_finalists(const autotune__race *race) { return race->setup.purpose >= AUTOTUNE__TO_DUEL; }
/* Did an earlier run duel them? */
static bool autotune__duels_again(const autotune__race *race) { return race->setup.purpose >= AUTOTUNE__TO_DUEL_AGAIN; }
/* The first configuration of the space; SIZE_MAX: none is known yet. */
static size_t autotune__first_admitted(const autotune__race *race) {
    return autotune__count(race->admitted.points) ? race->admitted.points[0] : SIZE_MAX;
}
/* The first position of a value in an array; SIZE_MAX: it is not there. */
static size_t autotune__position_among(size_t value, const size_t *array) {
    size_t at = 0;
    while (at < autotune__count(array) && array[at] != value) at++;
    return at < autotune__count(array) ? at : SIZE_MAX;
}
/* Puts the elements of an array from the position `first` on into a random order. */
static void autotune__shuffle(size_t *array, size_t first, uint64_t *random) {
    size_t i;
    for (i = autotune__count(array); i > first + 1; i--) {
        const size_t j = first + (size_t)(autotune__random(random) % (i - first)), swap = array[i - 1];
        array[i - 1] = array[j];
        array[j] = swap;
    }
}
static bool autotune__new_row(autotune__race *race, size_t index) {
    autotune__row row;
    memset(&row, 0, sizeof row);
    row.index = index;
    row.stage = "screen";
    row.minimum = row.measured = row.median = row.relative = AUTOTUNE__NEVER;
    return AUTOTUNE__PUSH(race->rows, row);
}
static size_t autotune__find_row(const autotune__race *race, size_t index) {        /* SIZE_MAX: there is none */
    size_t row = 0;
    while (row < autotune__count(race->rows) && race->rows[row].index != index) row++;
    return row < autotune__count(race->rows) ? row : SIZE_MAX;
}
/* The row of a configuration that works; SIZE_MAX: it failed, or was not launched. */
static size_t autotune__working_row(const autotune__race *race, size_t index) {
    const size_t row = autotune__find_row(race, index);
    return row == SIZE_MAX || autotune__failed(&race->rows[row]) ? SIZE_MAX : row;
}
/* Does a search choose what is launched next? */
static bool autotune__is_searching(const autotune__race *race) {
    const autotune__extent extent = race->searching.extent;
    return race->searching.search && (extent == AUTOTUNE__UNDECIDED || extent == AUTOTUNE__SEARCHED);
}
/* Are these launches before the halving? */
static bool autotune__is_screening(const autotune__race *race) {
    return race->stage >= AUTOTUNE__DRAWING && race->stage <= AUTOTUNE__RECHECKING;
}
/* The rounds that are complete, of the halving or the duel. */
static size_t autotune__rounds(const autotune__race *race) { return autotune__count(race->round.pace); }
static bool autotune__lacks_trials(const autotune__race *race) {
    return race->limits.trials && autotune__count(race->rows) >= race->limits.trials;
}
static bool autotune__in_time(const autotune__race *race) { return race->elapsed < race->limits.seconds; }
static bool autotune__is_verifying(const autotune__race *race) { return race->setup.purpose == AUTOTUNE__TO_VERIFY; }
/* Counts a sample that reaches .stop_at_ns. Returns true if it is the second of its row, and ends the race. */
static bool autotune__at_goal(autotune__race *race, double ns) {
    return race->limits.stop_at_ns > 0 && ns <= race->limits.stop_at_ns && ++race->rows[race->row].at_goal >= 2;
}
