/* Types: the options of a statement, each with its default; the log */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"

typedef enum autotune_mode {
    AUTOTUNE_ON,                                /* tune on a miss */
    AUTOTUNE_OFF,                               /* the first configuration, always; where WHERE refuses
                                                   AUTOTUNE_MAX_POINTS before it, no call and AUTOTUNE_ERR_SPACE. The
                                                   same holds wherever it takes the winner's place */
    AUTOTUNE_CACHED,                            /* the known winner, else the first configuration; never tunes */
    AUTOTUNE_REQUIRE,                           /* the known winner, else no call and AUTOTUNE_ERR_MISS, or what else is
                                                   wrong */
    AUTOTUNE_FORCE                              /* tune again, once per key and process */
} autotune_mode;
typedef enum autotune_preset { AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH } autotune_preset;
/* In which order configurations are tried, and how many. A space over AUTOTUNE_MAX_POINTS is not listed: points are
   drawn and judged one by one, AUTO is SURROGATE there, and space_size an estimate; only EXHAUSTIVE goes through all of
   it, without the order of MODEL. Which groups of PRIORITY there are is learnt from 256 points that are drawn first: a
   rarer group is raced with the highest of these; and one of which 200 configurations fail is given up for the next. */
typedef enum autotune_strategy {
    AUTOTUNE_AUTO,                              /* up to 50 configurations as RANDOM. Of more, eight that lie far apart
                                                   show whether the limits of time and trials are enough for all: then
                                                   all, else as SURROGATE */
    AUTOTUNE_EXHAUSTIVE,                        /* every configuration in the order of the space (of MODEL, if there is
                                                   one), without a default time limit */
    AUTOTUNE_RANDOM,                            /* the first configuration, then the others in random order, until the
                                                   budget ends */
    AUTOTUNE_SURROGATE,                         /* what a model of the times so far expects to gain most. Without
                                                   .max_trials and .max_seconds it ends after at least 50, when the last
                                                   three fifths of the trials brought no gain and as many again are
                                                   expected to bring less than 2 % */
    AUTOTUNE_GENETIC                            /* crossings and mutations of the best 20, until the budget ends */
} autotune_strategy;
typedef enum autotune_cache {
    AUTOTUNE_CACHE_ON,                          /* the cache on disk answers, and new winners are written to it */
    AUTOTUNE_CACHE_OFF,                         /* it is neither read nor written */
    AUTOTUNE_CACHE_READONLY                     /* it answers; nothing is written, and no folder or lock is made */
} autotune_cache;

/* Options of a statement, written as .name = value after the call. Zero means the default. Strings and buffers are
   copied; .result, .user and .backend are used by their address. */
struct autotune_options {
    char autotune__first AUTOTUNE__DEFAULT(0);                  /* so that no option at all is legal C11 */
    struct autotune__write_options_as_dot_name_equals_value     /* met by a value without .name = */
        *autotune__second AUTOTUNE__DEFAULT(nullptr);
    autotune_key key AUTOTUNE__DEFAULT({});                     /* KEY(...): what the winner depends on;
                                                                   none: one winner for the call site */
    const char *name AUTOTUNE__DEFAULT(nullptr);                /* the tuner's name; default file.c:function. Call sites
                                                                   with equal name, texts of space and call, values and
                                                                   version share their results */
    const char *version AUTOTUNE__DEFAULT(nullptr);             /* yours; a tuner of another version is another tuner.
                                                                   For edits inside a kernel */
    autotune_mode mode AUTOTUNE__DEFAULT(AUTOTUNE_ON);
    autotune_preset preset AUTOTUNE__DEFAULT(AUTOTUNE_BALANCED);/* FAST: 0.5 s and 16 rounds of the finalists; BALANCED:
                                                                   2 s, 60; THOROUGH: 10 s, 200. With the first two the
                                                                   finalists' rounds end once they took 0.6 of the time
                                                                   of all before them, 50 ms, and the race had 128
                                                                   samples */
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);
    /* what the caches hold when a trial starts */
    autotune_cache_state cache_state AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_STATE_DEFAULT);
    double launch_timeout AUTOTUNE__DEFAULT(0);                 /* seconds after which a launch on a device counts as
                                                                   hung, and the device as lost; 0: 10. On the CPU
                                                                   nothing can end a launch */
    int compile_threads AUTOTUNE__DEFAULT(0);                   /* threads that compile kernels ahead of the
                                                                   measurements, up to 256. 0: at first one, and then as
                                                                   many as compile more in the same time, up to as many
                                                                   as there are processors but one, 16 at most. What is
                                                                   needed and not begun the calling thread compiles
                                                                   itself. They take none of the program's signals. On
                                                                   the CPU nothing is compiled */
    double max_seconds AUTOTUNE__DEFAULT(0);                    /* for the race; no launch starts later. 0: as the
                                                                   preset says, with ten times that for the first launch
                                                                   of every configuration, so that slow kernels are
                                                                   compared at all. A search has 50 trials however long
                                                                   their launches are, unless what else they need takes
                                                                   four times as long as first launches may. What
                                                                   .outputs, .verify and compiling take comes on top, so
                                                                   that launches have the preset's time */
    uint64_t max_trials AUTOTUNE__DEFAULT(0);                   /* different configurations tried, failures included; 0:
                                                                   all */
    uint64_t top_k AUTOTUNE__DEFAULT(0);                        /* race only the k configurations, of each priority,
                                                                   that MODEL predicts cheapest; 0: all. Without a
                                                                   MODEL, or in a space over AUTOTUNE_MAX_POINTS, all
                                                                   are raced, and a sentence says so */
    uint64_t seed AUTOTUNE__DEFAULT(0);                         /* of every random order. Same seed and same times: same
                                                                   winner */
    double stop_at_ns AUTOTUNE__DEFAULT(0);                     /* two samples at or below this end the race (a
                                                                   roofline, a known good time); 0: never */
    autotune_buffers restore AUTOTUNE__DEFAULT({});             /* put back to what they were before every trial
                                                                   launch */
    autotune_buffers zero AUTOTUNE__DEFAULT({});                /* zeroed before every trial launch */
    /* .outputs: poisoned before each configuration's first launch. If the body is left in it, elements that were not
       written get their old value back; of buffers without a type runs of four bytes and more, and the edges. */
    autotune_buffers outputs AUTOTUNE__DEFAULT({});             /* compared with those of the first configuration that
                                                                   works; a mismatch fails */
    void (*setup)(void *user) AUTOTUNE__DEFAULT(nullptr);       /* called before every trial launch, after .restore, not
                                                                   timed; may give each trial other data of the same
                                                                   kind, which a branch predictor cannot learn by
                                                                   heart */
    bool (*verify)(void *user) AUTOTUNE__DEFAULT(nullptr);      /* called after the first launch of each configuration;
                                                                   false fails it */
    void *user AUTOTUNE__DEFAULT(nullptr);
    autotune_backend *backend AUTOTUNE__DEFAULT(nullptr);       /* NULL: the CPU */
    autotune_cache cache AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_ON);  /* the cache on disk for this call site;
                                                                   AUTOTUNE_CACHE=on|off|readonly in the environment
                                                                   overrides it */
    autotune_result *result AUTOTUNE__DEFAULT(nullptr);
    void *autotune__place AUTOTUNE__DEFAULT(nullptr);           /* of the backend */
};

typedef enum autotune_log_level {
    AUTOTUNE_LOG_OFF,
    AUTOTUNE_LOG_ERRORS,
    AUTOTUNE_LOG_WINNER,
    AUTOTUNE_LOG_FULL
} autotune_log_level;
typedef void autotune_log(void *user, autotune_log_level level, const char *line);    /* a line without its line feed */
