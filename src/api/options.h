/* Types: the options of a statement with their defaults, and the levels of the log. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "ranks.h"

/* The behaviour of a statement on a miss. A call is a hit if its call site knows the winner of its key, else a miss.
   The first configuration is the first point of the space that WHERE admits and that has no negative PRIORITY. If there
   is none among the first AUTOTUNE_MAX_POINTS points, nothing is launched: AUTOTUNE_ERR_SPACE.

   In mode OFF, and as long as no winner is known, later calls with the key do the same as the first call. They do not
   describe the space again, so they are as fast as a hit. If all configurations of the key failed, later calls launch
   nothing. */
typedef enum autotune_mode {                    /* the modes before OFF launch a known winner on a hit */
    AUTOTUNE_ON,                                /* tunes, then launches the winner */
    AUTOTUNE_CACHED,                            /* launches the first configuration; never tunes */
    AUTOTUNE_REQUIRE,                           /* launches nothing: AUTOTUNE_ERR_MISS, or an earlier race's error */
    /* Tunes without extra launches: each call runs one configuration, once, for real. Some calls try a configuration
       that may be slower than the best one so far.
       - The race of a key goes on from call to call. Until the winner is found, the verdict is AUTOTUNE_ONGOING. Then
         each call is a hit, and no call is timed without .watch.
       - The mode suits calls of 50 us and more, and spaces of up to AUTOTUNE_MAX_POINTS points.
       - There are no trials: .restore, .zero, .setup, .outputs and .cache_state have no effect. .verify is called after
         the first call of each configuration.
       - Configurations are tried in the order of MODEL. Without MODEL they are tried in random order, or with
         EXHAUSTIVE in the order of the space. Other strategies have no effect.
       - A call that returns AUTOTUNE_REJECTED is made again at once, with the best configuration so far. Any other
         failure is returned, and its configuration is not tried again.
       - One call of a key is measured at a time. Meanwhile other threads run the best configuration so far.
       - Results that depend on the order of floating-point additions may differ from call to call. */
    AUTOTUNE_ONLINE,
    AUTOTUNE_OFF,                               /* launches the first configuration, even if the winner is known */
    AUTOTUNE_FORCE                              /* like ON, but tunes each key once in this process, even if its winner
                                                   is known */
} autotune_mode;
/* The effort of a race. BALANCED, the default, takes up to 2 s, FAST up to 0.5 s, THOROUGH up to 10 s: see .preset. */
typedef enum autotune_preset { AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH } autotune_preset;
/* The order and the number of configurations that are tried. A space of more than AUTOTUNE_MAX_POINTS points is
   sampled: the search draws points, and WHERE judges each drawn point. In a sampled space
   - AUTO means SURROGATE;
   - EXHAUSTIVE visits all points in their order, and the other strategies visit a part;
   - MODEL and PRIORITY have no effect, except that a negative PRIORITY excludes a point;
   - result.space_size is an estimate. */
typedef enum autotune_strategy {
    /* Up to 50 configurations are tried like RANDOM. If there are more, AUTO first tries eight that lie far apart. If
       the limits of time and trials then seem to be enough for all configurations, AUTO tries all. Else it continues
       like SURROGATE. */
    AUTOTUNE_AUTO,
    AUTOTUNE_EXHAUSTIVE,                        /* all, ordered by MODEL or as in the space; no default time limit */
    AUTOTUNE_RANDOM,                            /* the first, then all others in random order, until the budget ends */
    /* Each trial is the configuration from which a model of the times so far expects the greatest gain. Without
       .max_trials and .max_seconds the search makes at least 50 trials. After that it ends as soon as two conditions
       hold:
       - the last three fifths of its trials brought no gain of more than 0.2 %;
       - as many further trials as it has made would probably gain less than 2 %. */
    AUTOTUNE_SURROGATE
} autotune_strategy;
/* The use of the cache on disk. */
typedef enum autotune_cache {
    AUTOTUNE_CACHE_ON,                          /* the cache on disk is read, and new winners are written to it */
    AUTOTUNE_CACHE_OFF,                         /* the cache is neither read nor written */
    AUTOTUNE_CACHE_READONLY                     /* the cache is read; no file, folder or lock is written */
} autotune_cache;
/* The behaviour for a key that was never tuned. */
typedef enum autotune_unseen {
    AUTOTUNE_RACE,                              /* .mode decides: a race, the first configuration, or an error */
    /* In the modes ON, CACHED and REQUIRE the call launches the configuration that is the best in the mean over up to
       four near known keys. The verdict is AUTOTUNE_GUESSED.
       - A key is near if each of its numbers is at most twice as large or half as large, and all other parts are equal.
       - A configuration that WHERE refuses is passed over.
       - Later calls are hits, until a race or autotune_load() makes more keys known. Then the next call guesses again,
         but not with .ranks.
       - Mode ONLINE does not guess: after the first configuration its race tries the best configurations of near keys.
       - Mode FORCE and autotune_tune() do not guess: they race. */
    AUTOTUNE_GUESS
} autotune_unseen;
/* The process in which the trials of a race are made. */
typedef enum autotune_isolate {
    /* In this process, in the calling thread: a trial can crash the program, or change its memory. */
    AUTOTUNE_IN_PROCESS,
    /* In a child process, which fork() makes before the first trial; on the CPU only.
       - A configuration fails if its trial crashes, calls exit(), leaves the body, or does not end within
         .launch_timeout. The race then goes on in a new child.
       - Trials cannot change the memory of the program. Nor can .setup and .verify, which the child calls.
       - The child has one thread. A trial that needs another thread, or a lock that another thread holds, does not end.
       - The effects of a trial on files, sockets and other processes stay.
       - longjmp() out of the body is not noticed.
       - If no launch in a child comes to its end, the log says so, and the race is made in this process. */
    AUTOTUNE_CHILD
} autotune_isolate;

/* Options of a statement, written as .name = value after the call. Zero means the default. Strings and lists of buffers
   are copied. The objects to which .result and .user point must live until the call returns. A backend must live
   longer: see autotune_backend. */
struct autotune_options {
    char autotune__first AUTOTUNE__DEFAULT(0);                  /* makes a statement without options legal C11 */
    struct autotune__write_options_as_dot_name_equals_value     /* a value without .name = does not compile: the */
        *autotune__second AUTOTUNE__DEFAULT(nullptr);           /* compiler's message names this type */
    autotune_key key AUTOTUNE__DEFAULT({});                     /* KEY(...); default: one winner for the call site */
    /* The name of the tuner. The default is file.c:function. Call sites share their results if five things are equal:
       name, text of the space, text of the call, values of the axes, and version. */
    const char *name AUTOTUNE__DEFAULT(nullptr);
    /* Any string. Change the string if the kernel changes: then old results do not count, and each key is tuned
       again. */
    const char *version AUTOTUNE__DEFAULT(nullptr);
    autotune_mode mode AUTOTUNE__DEFAULT(AUTOTUNE_ON);
    /* The limits of a race:
       - FAST: 0.5 s, and 16 rounds of the duel;
       - BALANCED: 2 s, and 40 rounds;
       - THOROUGH: 10 s, and 200 rounds.
       With FAST and BALANCED a race of 128 samples or more may end earlier. This happens if its duel has taken more
       than 50 ms, and longer than all launches before the duel. */
    autotune_preset preset AUTOTUNE__DEFAULT(AUTOTUNE_BALANCED);
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);
    /* AUTOTUNE_CACHE_STATE in the environment overrides this option. The log of a race names the state of the caches if
       it is cold, or if the default of the backend is cold. */
    autotune_cache_state cache_state AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_STATE_DEFAULT);
    /* Seconds after which a launch has failed, up to 1e9.
       - On a device 0 means 10 s. After this time the library waits for nine times this time more, but for 9 s at most.
         If the launch still has not ended, it counts as hung, and the device as lost.
       - On the CPU the option counts only with AUTOTUNE_CHILD, since only a child can be ended. Then 0 means 10 s, or
         20 times the longest launch of the race so far, if that is longer. */
    double launch_timeout AUTOTUNE__DEFAULT(0);
    /* The number of threads that compile kernels before the race needs them, up to 256. 0: one less than the number of
       processors, and eight at most. All signals are blocked in these threads. If the race needs a kernel that no
       thread has begun to compile, the calling thread compiles it. On the CPU the option counts only for CC_CALL. */
    int compile_threads AUTOTUNE__DEFAULT(0);
    /* Seconds after which a compilation has failed, and its compiler is ended, up to 1e9. 0: 60 s; with CUDA
       .max_seconds if that is given and shorter, but 10 s at least. The option counts for CC_CALL, and for CUDA_LAUNCH
       if NVRTC has nvrtcSetFlowCallback. */
    double compile_timeout AUTOTUNE__DEFAULT(0);
    /* The longest time of a race, in seconds up to 1e9: no launch starts later. The first launches of configurations
       may use nine tenths of this time. For mode ONLINE see .max_loss. 0 means the time of the preset, with these
       exceptions:
       - First launches may take ten times as long, so that slow kernels are compared, too. A ninth of their time is
         added to compare the best configurations.
       - The time of .outputs, .verify and compiling does not count.
       - On the CPU waits for a processor that other processes use do not count, up to twice the limit.
       - A search makes 50 trials even if their launches take longer. It makes fewer if its other work, such as
         compiling, takes more than four times the limit of first launches. */
    double max_seconds AUTOTUNE__DEFAULT(0);
    /* ONLINE: the most time that tuning may lose, at each moment until the winner is found. The loss is the time of all
       measured calls of a key in this process, less the time that the first configuration would have taken for them.
       Calls of the first configuration in between show that time. The limit of the loss is the sum of three times:
       - .max_loss times the time that the first configuration would have taken; up to 1e3; 0: 0.05, which is 5 %;
       - .max_seconds; 0: 0.1 s;
       - the time of one call.
       If a call takes unusually long, its extra time counts as loss, unless the first configuration is also slow at
       that time. While the loss is above the limit, calls run the first configuration. They may also run a faster
       configuration that has gained more time than its next call may lose. */
    double max_loss AUTOTUNE__DEFAULT(0);
    /* ONLINE: the amount of work of this call, such as the number of cells, in any unit: times are compared per unit.
       Times in .result, and .stop_at_ns, are then for the work of the fifth call of the key. From 1e-100 to 1e100; 0:
       all calls of a key do the same work. */
    double work AUTOTUNE__DEFAULT(0);
    /* ONLINE: 256 means that one call in 256 of a key whose winner is known is timed; 0: no call.
       - The first 20 timed calls show the usual time per unit of .work. If later times differ, the winner is compared
         again, with the first configuration and with those that were nearly as fast. .max_loss limits all races of the
         key together. About 10 timed calls show a change of 20 %.
       - Timed calls are spread evenly over the hits of a thread, so that each of several keys gets its share.
       - A hit costs some 2 ns more.
       - The option is refused with .ranks, since ranks exchange nothing on hits. */
    unsigned watch AUTOTUNE__DEFAULT(0);
    /* The share by which a configuration has to be faster to replace the earlier winner. If there is no earlier winner,
       the first configuration of the space takes its place here. Up to 1; 0: 0.002, which is 0.2 %. AUTOTUNE_MARGIN in
       the environment overrides this option.
       - A configuration within one margin of the fastest always counts as alike. From several alike configurations
         the race chooses the earlier winner, else the first configuration, else the one with the lowest index.
       - A configuration that is slower than the fastest by two margins never wins.
       - Between one and two margins, a configuration counts as alike unless the race shows that it is slower by more
         than 1.7 margins.
       With 0.02, most processes choose the same one of several alike configurations. This winner may be up to 3.4 %
       slower than the fastest, or more if the times of launches vary. */
    double margin AUTOTUNE__DEFAULT(0);
    uint64_t max_trials AUTOTUNE__DEFAULT(0);                   /* the most configurations that are tried; 0: all */
    /* The number of configurations of each PRIORITY that are raced: those with the lowest cost by MODEL. If all of
       these fail, the next .top_k configurations are raced. 0: all. The option has no effect, and the log says so,
       without a MODEL and in a space of more than AUTOTUNE_MAX_POINTS points. */
    uint64_t top_k AUTOTUNE__DEFAULT(0);
    uint64_t seed AUTOTUNE__DEFAULT(0);                         /* same seed and same times: same order, same winner */
    /* A time that is good enough, such as a roofline, in nanoseconds per launch. The race ends as soon as two samples
       of a configuration are at or below this time. 0: no such time. */
    double stop_at_ns AUTOTUNE__DEFAULT(0);
    autotune_buffers restore AUTOTUNE__DEFAULT({});             /* restored before every trial launch */
    autotune_buffers zero AUTOTUNE__DEFAULT({});                /* filled with zeros before every trial launch */
    /* After a configuration's first launch, these buffers are compared with the outputs of the first configuration that
       works. A difference fails the configuration. Before this launch the buffers are filled with poison (NaNs, or
       random bits), which shows elements that the call does not write. If the body is left during the launch, elements
       that are still poison are restored. In a buffer of type AUTOTUNE_BYTES a byte that the call wrote may equal
       the poison. So there poison is restored only in runs of four bytes, or at an end of the buffer. */
    autotune_buffers outputs AUTOTUNE__DEFAULT({});
    /* Called before every trial launch, after .restore; the time of the call does not count. .setup may give each trial
       other data of the same kind, since the branch predictor learns short data that never changes. .setup may also
       prepare a layout that the configuration needs. `config` is launched next, and is valid during the call. */
    void (*setup)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    /* Called after the first launch of each configuration. If it returns false, this configuration fails. */
    bool (*verify)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);                      /* the first argument of .setup and .verify */
    autotune_backend *backend AUTOTUNE__DEFAULT(nullptr);       /* NULL: the CPU */
    /* The ranks of a parallel program, which choose one winner together. Until the winner is known all ranks make the
       call together: the statement is collective. A hit only compares the pointer. NULL: this process chooses alone. */
    autotune_ranks *ranks AUTOTUNE__DEFAULT(nullptr);
    autotune_agreement agree AUTOTUNE__DEFAULT(AUTOTUNE_TOGETHER);      /* how ranks agree on one winner */
    /* With AUTOTUNE_FIRST: the rank, counted from 0, that races for all ranks and uses the cache and the log. All ranks
       give the same number. Without AUTOTUNE_FIRST the option has no effect: rank 0 uses the cache and the log. */
    int first_rank AUTOTUNE__DEFAULT(0);
    autotune_cache cache AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_ON);  /* AUTOTUNE_CACHE in the environment overrides it */
    autotune_unseen unseen AUTOTUNE__DEFAULT(AUTOTUNE_RACE);    /* AUTOTUNE_UNSEEN in the environment overrides it */
    /* AUTOTUNE_ISOLATE in the environment overrides this option. */
    autotune_isolate isolate AUTOTUNE__DEFAULT(AUTOTUNE_IN_PROCESS);
    autotune_result *result AUTOTUNE__DEFAULT(nullptr);         /* filled in by every call; NULL: no result */
    void *autotune__place AUTOTUNE__DEFAULT(nullptr);           /* the result of the backend's place() */
};

/* The lines of the log that are printed; each level includes the lines of the levels before it. */
typedef enum autotune_log_level {
    AUTOTUNE_LOG_OFF,
    AUTOTUNE_LOG_ERRORS,                        /* errors; the default */
    AUTOTUNE_LOG_WINNER,                        /* a line for each race, and remarks */
    AUTOTUNE_LOG_FULL                           /* also a line for each configuration and each CUDA_LAUNCH
                                                   kernel: its registers, local and shared memory */
} autotune_log_level;
/* Receives one line of the log, without a line feed; the line is valid until the function returns. */
typedef void autotune_log(void *user, autotune_log_level level, const char *line);
