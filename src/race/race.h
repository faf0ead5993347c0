/* The race finds the fastest configuration. It makes one request at a time.

   The screen launches configurations for the first time: all of them, or those that a search chooses. The halving
   compares the survivors in rounds, and keeps those near the best. How near they must be depends on the noise. The duel
   compares the finalists in rounds, with a test that is valid after each round. The incumbent is the winner known
   before the race, else the first configuration of the space. It wins unless another configuration is shown to be
   faster. Mostly it is launched first. The configuration that is launched first warms up the device. Times that cannot
   be trusted make the verdict UNRELIABLE. The thresholds were chosen with bench/replay.c.

   This file has the state of a race: its rows, which the floors above read, and one struct for each room of this
   floor that has state. Rooms of this floor write the state. In an online race the floors online and online_calls
   write it, too. If ranks divide a race, the floor collective does. After a race the floor statement adds to its
   outcome and its rows. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../search/floor.h"
#include "request.h"

/* The launch table: a row for each configuration that was launched, in the order of first launches. */
typedef struct autotune__row {
    size_t index;                               /* the number of the configuration */
    autotune_status status;                     /* of the last RUN; not AUTOTUNE_OK: the row failed, and is out */
    const char *stage;                          /* the name of the last stage that the row reached */
    const char *why;                            /* why the row was cut; NULL: it was not */
    char *reason;                               /* why the row failed; the row owns the text */
    const char *note;                           /* a remark that earlier processes left for the log; NULL: none */
    size_t launches;                            /* how many launches were made */
    size_t at_goal;                             /* how many samples were at or below limits.stop_at_ns */
    uint64_t prepared;                          /* what the backend prepared for the configuration */
    int resources[3];                           /* the most that its kernels need: see autotune_measurement */
    double measured;                            /* the least sample as it was measured, in ns per launch */
    double minimum;                             /* the least sample, corrected to the device's present speed: see
                                                   halving.h */
    bool batched;                               /* `measured` and `minimum` are of batches, else of single launches */
    double *samples;                            /* samples of the halving or the duel, in ns; one for each round */
    double median;                              /* the median of `samples` in the duel, or when time is up, in ns */
    double relative;                            /* the median of `samples`, each divided by the pace of its round;
                                                   written with `median`, but only from five rounds on */
    size_t calls, held_up;                      /* online race: how many calls count for the mean cost of the row; how
                                                   many of them took more than twice as long as the first
                                                   configuration: see online/winner.h */
    double taken, capped;                       /* sum over these calls: time divided by the first configuration's time;
                                                   the same sum, but with each quotient limited to 2 */
} autotune__row;
static bool autotune__failed(const autotune__row *row) { return row->status != AUTOTUNE_OK; }
/* Returns true if the row neither failed nor was cut. */
static bool autotune__works(const autotune__row *row) { return !autotune__failed(row) && !row->why; }

/* evaluate.h: the points that may be raced, and their PRIORITY and cost. */
typedef struct autotune__admission {
    size_t visited;                             /* the next point to evaluate */
    size_t asked;                               /* how many answers were taken; one answer may decide several
                                                   points */
    size_t *points;                             /* the admitted points, in ascending order */
    autotune__precedence *precedences;          /* of each admitted point; NULL: no point has a PRIORITY or a
                                                   cost, or the race does not use them */
    size_t count;                               /* how many points may be raced; of a sampled space an estimate */
    size_t excluded;                            /* how many points are excluded because they lost an earlier race */
} autotune__admission;

/* priority.h: the points of the PRIORITY that is raced now. */
typedef struct autotune__group {
    size_t number;                              /* how many groups were chosen so far; groups that .top_k makes
                                                   of one PRIORITY count once */
    autotune__precedence current;               /* the PRIORITY of this group */
    size_t passed;                              /* how many points of `current` .top_k has chosen; 0: all */
    size_t reference;                           /* the first point by cost, or by number. Each part of a divided group
                                                   has it. SIZE_MAX: the group is empty */
    size_t *order;                              /* the group's points in launch order, the deferred ones last */
    size_t next;                                /* the position in `order` to launch next */
    size_t first_row;                           /* the row of the group's first launch */
    double began;                               /* when the group began, in seconds since the race began */
    const char *without_effect;                 /* a sentence on options without effect; NULL: none */
} autotune__group;

/* searching.h: a search that chooses which configuration of the group is launched next. */
typedef enum autotune__extent {
    AUTOTUNE__WHOLE,                            /* there is time for all: the rest is launched in order */
    AUTOTUNE__UNDECIDED,                        /* the first trials will show whether there is time for all */
    AUTOTUNE__SEARCHED,                         /* the search chooses what is launched, since the strategy asks
                                                   for it, or since there is no time for all */
    AUTOTUNE__SEARCH_ENDED                      /* the search has ended: only deferred points follow */
} autotune__extent;
typedef struct autotune__searching {
    autotune_search *search;                    /* NULL: the group is launched in order */
    autotune__extent extent;
    double shareable_ns;                        /* the sum over the group's trials: see autotune__answer */
    double last_at, longest;                    /* seconds since the group began, without `shareable_ns`: when the last
                                                   trial began; how long the longest trial took */
    size_t drawn, eligible;                     /* of a sampled space: how many points were drawn uniformly or in order;
                                                   how many of these points may be raced */
} autotune__searching;

/* Why the race is incomplete: a configuration that may be raced was not launched, or not often enough. The last reason
   of the race counts, but SKIPPED replaces no other reason. Records have a word for each reason. */
typedef enum autotune__lack {
    AUTOTUNE__NO_LACK,                          /* the race is complete */
    AUTOTUNE__SKIPPED,                          /* a launch was not made: see AUTOTUNE__SPARED */
    AUTOTUNE__LACKS_POINTS,                     /* a search found no further points */
    AUTOTUNE__LACKS_GAIN,                       /* a search expected little gain from further points */
    AUTOTUNE__LACKS_PLACES,                     /* .top_k admits no further points */
    AUTOTUNE__LACKS_TRIALS,                     /* .max_trials admits no further configurations */
    AUTOTUNE__LACKS_TIME                        /* a limit of time, or the gate of an online race, admits no
                                                   further launches */
} autotune__lack;
/* recheck.h: second launches. */
typedef struct autotune__rechecking {
    double until;                               /* a second launch of a row whose time is known has to end before
                                                   so many seconds of the race */
    size_t confirmed_in_a_row;                  /* how many second launches in a row confirmed the first */
    size_t beyond_in_a_row;                     /* how many of these in a row also took longer than `reach` allows */
    double differences;                         /* sum over second launches: by what share each differs from the first
                                                   launch of its row; a share counts as 10 % at most */
    size_t held_up;                             /* how many of these shares are more than 10 % */
    double reach;                               /* a row that takes up to so many times the best time may win */
} autotune__rechecking;

/* screen_samples.h: the first launches of the race, which warm up the device. */
typedef struct autotune__warm_up {
    bool over;                                  /* the warm-up has ended, or was not needed */
    double began, window_began;                 /* when the warm-up and this window began: `elapsed` less `put_off` of
                                                   the race, in seconds */
    double least_ns, former_ns;                 /* the shortest launch of this window and of the window before, in ns */
} autotune__warm_up;

/* rounds.h: one sample of each survivor, in random order. */
typedef struct autotune__round {
    size_t *rows;                               /* the rows to sample, in random order, with AUTOTUNE__CONTROL */
    size_t at;                                  /* the position in `rows` that is sampled now */
    uint32_t launches;                          /* how many launches a repetition has; fewer for rows that are
                                                   far slower than the best */
    uint32_t repetition;                        /* how many repetitions of the sample were made */
    double least_ns;                            /* the least repetition, which becomes the sample, in ns */
    double fastest_ns;                          /* the least sample of this round, in ns */
    double *pace;                               /* of each complete round: the fastest sample, or in the halving the
                                                   median, in ns; samples are divided by it */
} autotune__round;

/* duel.h */
typedef struct autotune__duel_state {
    size_t finalists;                           /* how many finalists the duel began with; 0: it has not begun */
    size_t to_beat;                             /* the row to beat: see order.h; SIZE_MAX: it is not in the duel */
    size_t readmitted;                          /* how many rows came back that may have been cut wrongly: see
                                                   autotune__duels_cut_rows() */
    double spent_ns;                            /* the time of the duel's launches, in ns */
} autotune__duel_state;
/* The control: one finalist is sampled twice in each round, to show whether a configuration differs from itself. */
typedef struct autotune__control {
    size_t row;                                 /* the row of this finalist; SIZE_MAX: none, or no longer */
    double *first, *second;                     /* the two samples of each round, in ns, in the order of their launches.
                                                   If the row has a copy of its code: `second` is of the copy */
} autotune__control;

/* verdict.h */
typedef struct autotune__lead { double median, low, high; } autotune__lead;         /* see evidence.h */
typedef struct autotune__race_outcome {
    size_t winner, runner_up;                   /* rows; SIZE_MAX: none */
    autotune_verdict verdict;
    const char *doubt;                          /* why the verdict is UNRELIABLE; NULL: it is not */
    const char *note;                           /* a remark on the times that is no doubt; NULL: none */
    autotune__lead lead;                        /* the lead of the winner: see autotune_result */
} autotune__race_outcome;

/* The stage of a race: which answer the race waits for, and where it goes on in decide.h. */
typedef enum autotune__stage {
    AUTOTUNE__BEGINNING,                        /* no answer: the race has not asked yet */
    AUTOTUNE__EVALUATING,                       /* whether a point may be raced */
    AUTOTUNE__AUDITING,                         /* a launch of the first configuration, in an audit */
    AUTOTUNE__DRAWING,                          /* whether a point that the search has drawn may be raced */
    AUTOTUNE__SCREENING,                        /* a first launch */
    AUTOTUNE__RECHECKING,                       /* a second launch, a first launch that is made again, or a later
                                                   launch to check a record */
    AUTOTUNE__SURVIVORS_FOUND,                  /* no answer: survivors of an online race are halved now */
    AUTOTUNE__HALVING,                          /* a sample of a survivor */
    AUTOTUNE__DUELLING,                         /* a sample of a finalist */
    AUTOTUNE__OVER,                             /* no answer: the race has ended */
    AUTOTUNE__OUT_OF_MEMORY                     /* no answer: the race has ended without a winner */
} autotune__stage;
typedef struct autotune__race {
    autotune__race_setup setup;                 /* TO_TUNE becomes TO_SAMPLE if too many points have to be evaluated */
    autotune__limits limits;
    autotune__stage stage;
    size_t incumbent;                           /* the winner known before, a point. SIZE_MAX: there is none, so
                                                   the first configuration is the one to beat */
    uint64_t random;                            /* the state of the random numbers */
    double elapsed;                             /* seconds since the race began */
    double before_duel_ns;                      /* the time of all launches before the duel, in ns */
    size_t samples;                             /* how many samples were taken */
    size_t shorter_in_a_row;                    /* how many samples in a row were far shorter than all samples of
                                                   their rows before: see autotune__note_rising() */
    double put_off;                             /* limits of time were extended by so many seconds: see decide.h */
    double patience;                            /* so many seconds of waiting may still extend limits */
    autotune__row *rows;
    autotune__request request;                  /* the last request */
    size_t row;                                 /* the row that runs now, or ran last */
    size_t *live;                               /* the rows of the survivors */
    double best_ns;                             /* the best time of the group's rows: the least minimum, except
                                                   in recheck.h and halving.h; AUTOTUNE__NEVER: none known */
    autotune__admission admitted;
    autotune__group group;
    autotune__searching searching;
    autotune__lack lack;
    autotune__rechecking rechecking;
    size_t checked, contradicting;              /* how many rows have a time in the record of another build; a row that
                                                   contradicts it, SIZE_MAX: none */
    autotune__warm_up warm_up;
    bool repeats_first;                         /* the next launch repeats a first launch: see screen_samples.h */
    size_t vain_repeats;                        /* how many of these repetitions in a row took about as long as the
                                                   first launch */
    autotune__round round;
    autotune__duel_state duel;
    autotune__control control;
    size_t runs, disturbed;                     /* how many RUNs had a launch; how many RUNs were disturbed even in
                                                   their last repetition */
    autotune__race_outcome outcome;
} autotune__race;

static bool autotune__is_over(const autotune__race *race) { return race->stage >= AUTOTUNE__OVER; }
static bool autotune__lacks_memory(const autotune__race *race) { return race->stage == AUTOTUNE__OUT_OF_MEMORY; }
/* Ends the race without a winner if there was no memory. Returns `there_was`. */
static __attribute__((__cold__, __noinline__)) bool autotune__has_memory_for(autotune__race *race, bool there_was) {
    if (there_was) return true;
    race->stage = AUTOTUNE__OUT_OF_MEMORY;
    race->outcome.winner = SIZE_MAX;
    race->outcome.verdict = AUTOTUNE_DEFAULT;
    return false;
}

/* Functions whose names begin with "ask" return true if they make a request. */
static bool autotune__ask(autotune__race *race, autotune__what what, size_t index) {
    race->request.what = what;
    race->request.index = index;
    return !autotune__is_over(race);
}
/* Returns the least time of a launch: at the device's present speed if this is known, else as it was measured. */
static double autotune__least_ns(const autotune__row *row) {
    return autotune__is_definite(row->minimum) ? row->minimum : row->measured;
}
/* Returns the time of a launch: the median if there is one, else the least time. */
static double autotune__time(const autotune__row *row) {
    return autotune__is_definite(row->median) ? row->median : autotune__least_ns(row);
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
/* Adds a sample to the least times of the row. A launch mostly takes less time in a batch than alone. But the mean of a
   batch is not the time of its shortest launch. So samples of batches and of single launches are not compared: only
   samples of the same kind as the last sample count. */
static void autotune__add_sample(autotune__row *row, double ns, bool batched) {
    if (row->batched != batched) row->minimum = row->measured = AUTOTUNE__NEVER;
    row->batched = batched;
    if (!(row->measured <= ns)) row->measured = ns;
    if (!(row->minimum <= ns)) row->minimum = ns;
}
/* Returns true if the clock of the device rises, so that earlier times cannot be compared with later ones. The sign:
   three samples in succession, each shorter by a sixth than all earlier samples of its configuration. Counts such
   samples. Once there were three, the result stays true until the caller sets the count to 0. */
static bool autotune__note_rising(autotune__race *race, double ns) {
    const double before_ns = race->rows[race->row].measured;
    size_t *shorter = &race->shorter_in_a_row;
    if (*shorter < 3) *shorter = autotune__is_definite(before_ns) && 1.2 * ns < before_ns ? *shorter + 1 : 0;
    return *shorter >= 3;
}
/* Returns true if the space is sampled: besides the first configuration, only points that a search draws are
   evaluated. */
static bool autotune__is_sampled(const autotune__race *race) { return race->setup.purpose == AUTOTUNE__TO_SAMPLE; }
/* Returns true if only finalists are raced. */
static bool autotune__races_finalists(const autotune__race *race) { return race->setup.purpose >= AUTOTUNE__TO_DUEL; }
/* Returns true if finalists of an earlier run are raced. */
static bool autotune__duels_again(const autotune__race *race) { return race->setup.purpose >= AUTOTUNE__TO_DUEL_AGAIN; }
/* Returns the first configuration of the space; SIZE_MAX: it is not known. A duel of an earlier run's finalists
   evaluates these finalists alone, so the least of them is surely the first configuration only if it is point 0. In a
   race of the finalists of parts, the least finalist counts as the first configuration. */
static size_t autotune__first_admitted(const autotune__race *race) {
    const size_t *points = race->admitted.points;
    const bool unsure = race->setup.purpose == AUTOTUNE__TO_DUEL_AGAIN;
    return !autotune__count(points) || (unsure && points[0]) ? SIZE_MAX : points[0];
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
static size_t autotune__find_row(const autotune__race *race, size_t index) {        /* SIZE_MAX: none */
    size_t row = 0;
    while (row < autotune__count(race->rows) && race->rows[row].index != index) row++;
    return row < autotune__count(race->rows) ? row : SIZE_MAX;
}
/* Returns the row of a configuration; SIZE_MAX: it failed, or was not launched. */
static size_t autotune__working_row(const autotune__race *race, size_t index) {
    const size_t row = autotune__find_row(race, index);
    return row == SIZE_MAX || autotune__failed(&race->rows[row]) ? SIZE_MAX : row;
}
/* Returns true if a search chooses the next launch. */
static bool autotune__is_searching(const autotune__race *race) {
    const autotune__extent extent = race->searching.extent;
    return race->searching.search && (extent == AUTOTUNE__UNDECIDED || extent == AUTOTUNE__SEARCHED);
}
/* Returns true if the race screens or rechecks. */
static bool autotune__is_screening(const autotune__race *race) {
    return race->stage >= AUTOTUNE__DRAWING && race->stage <= AUTOTUNE__RECHECKING;
}
/* The share of the time that first launches leave to the finalists. One launch of a configuration shows little, so
   finalists need more launches. But with a larger share, a search of a large space would find worse winners. */
static const double autotune__share_of_finalists = 0.1;
/* Returns the limit of first launches, in seconds since the race began. A limit of the user is for the finalists, too:
   once a configuration works, first launches leave the finalists their share. autotune__no_time_left() says when first
   launches go on beyond the default limit. */
static double autotune__screen_seconds(const autotune__race *race) {
    const bool keeps = autotune__has_own_limit(&race->limits) && autotune__is_definite(race->best_ns);
    return autotune__screen_limit(&race->limits) * (keeps ? 1 - autotune__share_of_finalists : 1);
}
/* Returns the number of complete rounds, of the halving or of the duel. */
static size_t autotune__rounds(const autotune__race *race) { return autotune__count(race->round.pace); }
static bool autotune__lacks_trials(const autotune__race *race) {
    return race->limits.trials && autotune__count(race->rows) >= race->limits.trials;
}
static bool autotune__in_time(const autotune__race *race) { return race->elapsed < race->limits.seconds; }
static bool autotune__is_verifying(const autotune__race *race) { return race->setup.purpose == AUTOTUNE__TO_VERIFY; }
/* Counts a sample that reaches .stop_at_ns. Returns true if its row has two such samples: the caller ends the race. */
static bool autotune__reaches_goal(autotune__race *race, double ns) {
    return race->limits.stop_at_ns > 0 && ns <= race->limits.stop_at_ns && ++race->rows[race->row].at_goal >= 2;
}
