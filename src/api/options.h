/* Types: the options of a statement, each with its default; the levels of the log. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "ranks.h"

/* The behaviour of a statement on a miss. If it launches the first configuration, this is the first one that WHERE
   admits. If WHERE refuses AUTOTUNE_MAX_POINTS points before it, nothing is launched: AUTOTUNE_ERR_SPACE. Without a
   winner, and in OFF, later calls with the key do what the first one did, without describing the space again. So do
   calls with a key all of whose configurations failed: they launch nothing. */
typedef enum autotune_mode {                    /* those that launch a known winner on a hit come first */
    AUTOTUNE_ON,                                /* tunes, then launches the winner */
    AUTOTUNE_CACHED,                            /* launches the first configuration; never tunes */
    AUTOTUNE_REQUIRE,                           /* launches nothing: AUTOTUNE_ERR_MISS, or an error that came before */
    /* Tunes without a single extra launch: each call runs exactly one configuration, once, for real. Now and then that
       is another one than the best so far, and the race of the key goes on from call to call. For calls of 50 us and
       more. .restore, .zero, .setup, .outputs and .cache_state say what trials do, and are not used;
       .verify is asked after a configuration's first call. Configurations are tried in the order of MODEL, else in a
       random one, with EXHAUSTIVE in that of the space; no other .strategy has an effect. Once the winner is found a
       call is a hit, and nothing is timed but what .watch asks for. Until then the verdict is AUTOTUNE_ONGOING. A call
       that returns AUTOTUNE_REJECTED is made again at once with the best so far; any other failure is returned, and its
       configuration is not tried again. One call of a key is measured at a time; those of other threads go on with the
       best so far. Results that depend on the order of additions may differ from call to call. */
    AUTOTUNE_ONLINE,
    AUTOTUNE_OFF,                               /* launches the first configuration, even where the winner is known */
    AUTOTUNE_FORCE                              /* as ON; each key is tuned anew once in this process, though known */
} autotune_mode;
typedef enum autotune_preset { AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH } autotune_preset;
/* In which order configurations are tried, and how many. Points of a space over AUTOTUNE_MAX_POINTS are drawn and
   judged one by one. For such a space AUTO means SURROGATE, result.space_size is an estimate, and only EXHAUSTIVE
   visits all points, in the order of the space. There MODEL has no effect, and PRIORITY only this one: a point of
   negative PRIORITY is never launched. */
typedef enum autotune_strategy {
    /* Tries up to 50 configurations as RANDOM does. If there are more, it first tries eight that lie far apart. If the
       limits of time and trials then seem to be enough for all, it tries all; else it continues as SURROGATE. */
    AUTOTUNE_AUTO,
    AUTOTUNE_EXHAUSTIVE,                        /* all, in the order of MODEL or of the space; no default time limit */
    AUTOTUNE_RANDOM,                            /* the first, then the others in random order, until the budget ends */
    /* Tries the configuration from which a model of the times so far expects the greatest gain. Without .max_trials and
       .max_seconds the search makes at least 50 trials. It ends when the last three fifths of them brought no gain and
       as many more are expected to bring less than 2 %. */
    AUTOTUNE_SURROGATE
} autotune_strategy;
typedef enum autotune_cache {
    AUTOTUNE_CACHE_ON,                          /* the cache on disk is read, and new winners are written to it */
    AUTOTUNE_CACHE_OFF,                         /* it is neither read nor written */
    AUTOTUNE_CACHE_READONLY                     /* it is read; nothing is written, and no folder or lock is made */
} autotune_cache;
/* The answer for a key that was never tuned. */
typedef enum autotune_unseen {
    AUTOTUNE_RACE,                              /* what .mode says: a race, the first configuration, or an error */
    /* In modes ON, CACHED and REQUIRE the configuration that is the best in the mean over up to four nearest known
       keys, if there are configurations that WHERE admits. The numbers of these keys are within a factor of 2 of those
       of the key each, and all other parts are equal. The verdict is AUTOTUNE_GUESSED. Later calls are hits, until a
       race or a load makes more known: then the next call guesses anew, but with .ranks. Mode ONLINE guesses nothing,
       since its race begins with what was best for such keys. autotune_tune() races nonetheless, as mode FORCE does. */
    AUTOTUNE_GUESS
} autotune_unseen;
/* The process in which the trials of a race are made. */
typedef enum autotune_isolate {
    /* In the thread that calls: what a trial breaks is broken. */
    AUTOTUNE_IN_PROCESS,
    /* In a child process, which fork() makes when the first trial comes. A configuration that crashes, calls exit(),
       leaves its body or does not end within .launch_timeout has failed for this reason. The race goes on in the next
       child: there are as many children as such configurations, and one more. Trials cannot change the memory of the
       program; nor can .setup and .verify, which are called in the child. The child has one thread: other threads of
       the program go on in the parent, and a trial that needs them or a lock of theirs does not end. The effects of a
       trial on files, sockets and other processes stay. longjmp() out of the body is not noticed. On the CPU only. If
       launches do not come back from children, a sentence says so, and the process races as if this option was not
       there. */
    AUTOTUNE_CHILD
} autotune_isolate;

/* Options of a statement, written as .name = value after the call. Zero means the default. Strings and lists of buffers
   are copied; what .result, .user and .backend point to must live until the call returns, .backend even longer. */
struct autotune_options {
    char autotune__first AUTOTUNE__DEFAULT(0);                  /* so that a call without options is legal C11 */
    struct autotune__write_options_as_dot_name_equals_value     /* its name is the compiler's message for a value */
        *autotune__second AUTOTUNE__DEFAULT(nullptr);           /* that is written without .name = */
    autotune_key key AUTOTUNE__DEFAULT({});                     /* KEY(...); default: one winner for the call site */
    /* The name of the tuner. The default is file.c:function. Call sites share their results if they have the same name,
       texts of space and call, values of the axes, and version. */
    const char *name AUTOTUNE__DEFAULT(nullptr);
    /* Any string of the program's. A tuner of another version is another tuner: change it when a kernel was changed. */
    const char *version AUTOTUNE__DEFAULT(nullptr);
    autotune_mode mode AUTOTUNE__DEFAULT(AUTOTUNE_ON);
    /* The limits of a race. FAST: 0.5 s and 16 rounds of the duel; BALANCED: 2 s and 40; THOROUGH: 10 s and 200. With
       FAST and BALANCED a race of 128 samples and more also ends its duel once this took over 50 ms and longer
       than all before it. */
    autotune_preset preset AUTOTUNE__DEFAULT(AUTOTUNE_BALANCED);
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);
    /* AUTOTUNE_CACHE_STATE overrides it. The log tells it with each race where one of both is cold: this, or the
       backend's default. */
    autotune_cache_state cache_state AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_STATE_DEFAULT);
    /* Seconds after which a launch on a device has failed, up to 1e9; 0: 10 s. If it has not ended within nine times as
       long besides, but 9 s at most, it counts as hung, and the device as lost. A launch on the CPU can be ended in a
       child process alone: see AUTOTUNE_CHILD. There 0 means 10 s, or 20 times the longest launch of the race so far if
       this is longer. */
    double launch_timeout AUTOTUNE__DEFAULT(0);
    /* Threads that compile kernels ahead of the measurements, 1 to 256, all signals blocked. 0: one less than there are
       processors, so that one is left to measure, and eight at most: what more would compile, the race may never try.
       A kernel that is needed before a thread began with it is compiled by the calling thread. On the CPU it counts for
       CC_CALL alone. */
    int compile_threads AUTOTUNE__DEFAULT(0);
    /* CC_CALL, and CUDA_LAUNCH with an NVRTC that has nvrtcSetFlowCallback: seconds after which a compilation has
       failed, and its compiler is ended, up to 1e9. 0: 60 s, with CUDA as long as .max_seconds, but 10 s at least. */
    double compile_timeout AUTOTUNE__DEFAULT(0);
    /* In mode ONLINE see .max_loss. Else the longest time of a race, in seconds up to 1e9; no launch starts later. 0:
       the preset's time, and ten times as long for the first launches of all configurations, so that slow kernels are
       compared at all. A tenth of the time is kept for the configurations that then stand best; with 0 it is added.
       With 0 the time of .outputs, .verify and compiling is not counted, and a search makes 50 trials however long its
       launches take. All else that these trials need may take four times as long as first launches may. */
    double max_seconds AUTOTUNE__DEFAULT(0);
    /* ONLINE: the most that tuning may cost, over all measured calls of a key in this process, and at every moment
       until the winner is found. This is a share of the time that the first configuration would have taken for the same
       calls, up to 1e3 (0: 0.05, which is 5 %). To it .max_seconds (0: 0.1 s) and one call are added. The time of the
       first configuration is known from its own calls, which are made in between. A long call of another configuration
       counts as lost, unless the first one turns out to be slow, too. While more is lost, the first configuration is
       called, or a configuration that has gained more than it may lose. */
    double max_loss AUTOTUNE__DEFAULT(0);
    /* ONLINE: how much this call has to do, above 0 and in any unit: times are compared per unit. 0: all calls of a key
       do the same. */
    double work AUTOTUNE__DEFAULT(0);
    /* ONLINE: one call in so many of a key whose winner is known is timed, as one in 256; 0: none is. The first 20 of
       them show what is usual, per unit of .work. When later ones have changed, the winner, what came near it and the
       first configuration are compared again, within .max_loss, which holds for all races of the key together. Some 10
       such calls show a change of 20 %. They are chosen evenly, and not each so-and-so-many-th one, so that each of
       several keys gets its share. A hit costs some 2 ns more. With .ranks it is refused: hits tell ranks nothing. */
    unsigned watch AUTOTUNE__DEFAULT(0);
    /* By which share another configuration has to be faster to take the place of the winner that was known before.
       Without such a winner the first configuration of the space has this place. Up to 1; 0: 0.002, which is 0.2 %. A
       configuration within one margin of the fastest is always a tie, and the first of a tie wins. A configuration that
       is slower by two margins never wins. In between one boundary decides, the same in every run: 1.7 margins. With
       0.02 near-ties stay the same from process to process, and winners are slower by up to 3.4 %, or more where
       launches scatter by as much. AUTOTUNE_MARGIN overrides it. */
    double margin AUTOTUNE__DEFAULT(0);
    uint64_t max_trials AUTOTUNE__DEFAULT(0);                   /* the most configurations that are tried; 0: all */
    /* How many configurations of each PRIORITY are raced: those that MODEL predicts cheapest, and if all of them fail,
       as many of the others; 0: all. Without a MODEL, or in a space over AUTOTUNE_MAX_POINTS, all are raced, and the
       log says so. */
    uint64_t top_k AUTOTUNE__DEFAULT(0);
    uint64_t seed AUTOTUNE__DEFAULT(0);                         /* same seed and same times: same order, same winner */
    /* Two samples of a configuration at or below this time, in nanoseconds per launch, end the race; 0: never. For
       instance a roofline, or a time that is known to be good. */
    double stop_at_ns AUTOTUNE__DEFAULT(0);
    autotune_buffers restore AUTOTUNE__DEFAULT({});             /* get their old content before every trial launch */
    autotune_buffers zero AUTOTUNE__DEFAULT({});                /* are filled with zeros before every trial launch */
    /* Their content after a configuration's first launch is compared with that of the first configuration that works. A
       difference fails the configuration. Before that launch they are filled with poison (NaNs, or random bits), so
       that an element that the call does not write is noticed. If the body is left during that launch, elements that
       still are poison get their old value back. In buffers without a type, runs of four bytes and more, and the edges,
       do. */
    autotune_buffers outputs AUTOTUNE__DEFAULT({});
    /* Called before every trial launch, after .restore; its time does not count. It may give each trial other data of
       the same kind, since the branch predictor learns short data that never changes; or prepare what the configuration
       needs, as a layout. `config` is the one that is launched next, and valid during the call. */
    void (*setup)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    /* Called after the first launch of each configuration, `config`; false fails the configuration. */
    bool (*verify)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);                      /* what .setup and .verify get */
    autotune_backend *backend AUTOTUNE__DEFAULT(nullptr);       /* NULL: the CPU */
    /* The ranks of a parallel program, with which this statement chooses its winner: it is collective until its winner
       is known. Hits call nothing, but compare the pointer. NULL: this process chooses alone. */
    autotune_ranks *ranks AUTOTUNE__DEFAULT(nullptr);
    autotune_agreement agree AUTOTUNE__DEFAULT(AUTOTUNE_TOGETHER);      /* how they come to the same winner */
    /* AUTOTUNE_FIRST: the rank that races for all, from 0 on, and reads and writes the cache and the log; as the one
       that has the work. All ranks give the same. Without AUTOTUNE_FIRST that is rank 0. */
    int first_rank AUTOTUNE__DEFAULT(0);
    autotune_cache cache AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_ON);  /* AUTOTUNE_CACHE in the environment overrides it */
    autotune_unseen unseen AUTOTUNE__DEFAULT(AUTOTUNE_RACE);    /* AUTOTUNE_UNSEEN in the environment overrides it */
    /* AUTOTUNE_ISOLATE in the environment overrides it. */
    autotune_isolate isolate AUTOTUNE__DEFAULT(AUTOTUNE_IN_PROCESS);
    autotune_result *result AUTOTUNE__DEFAULT(nullptr);         /* filled in by every call; NULL: no result */
    void *autotune__place AUTOTUNE__DEFAULT(nullptr);           /* what the backend's function place() returned */
};

typedef enum autotune_log_level {
    AUTOTUNE_LOG_OFF,
    AUTOTUNE_LOG_ERRORS,                        /* the default */
    AUTOTUNE_LOG_WINNER,                        /* and a line for each race */
    AUTOTUNE_LOG_FULL                           /* and a line for each configuration, and for each kernel of
                                                   CUDA_LAUNCH: its registers, local and shared memory */
} autotune_log_level;
/* Receives one line of the log, without a line feed; the line is valid until the function returns. */
typedef void autotune_log(void *user, autotune_log_level level, const char *line);
