/* Types: the options of a statement with their defaults, and the levels of the log. */
#pragma once
#include "language.h"
#include "types.h"
#include "backend.h"
#include "ranks.h"

/* The behaviour of a statement on a miss. The first configuration is the first one that WHERE admits. If WHERE refuses
   AUTOTUNE_MAX_POINTS points before it, nothing is launched: AUTOTUNE_ERR_SPACE. In mode OFF, and as long
   as no winner is known, later calls with the key do the same as the first call. They do not describe the space again.
   If all configurations of the key failed, later calls launch nothing. */
typedef enum autotune_mode {                    /* the modes before OFF launch a known winner on a hit */
    AUTOTUNE_ON,                                /* tunes, then launches the winner */
    AUTOTUNE_CACHED,                            /* launches the first configuration; never tunes */
    AUTOTUNE_REQUIRE,                           /* launches nothing: AUTOTUNE_ERR_MISS, or an earlier error */
    /* Tunes without extra launches: each call runs one configuration, once, for real. Sometimes this is not the best
       configuration so far. The race of the key goes on from call to call. The mode suits calls of 50 us and more. It
       makes no trials, so it ignores .restore, .zero, .setup, .outputs and .cache_state. It calls .verify after the
       first call of a configuration. With EXHAUSTIVE, configurations have the order of the space. Else they have the
       order of MODEL, or a random order; other strategies have no effect. Until the winner is found the verdict is
       AUTOTUNE_ONGOING. Then each call is a hit, and only .watch times calls. If a call returns AUTOTUNE_REJECTED, it
       is made again at once with the best configuration so far. Any other failure is returned, and its configuration is
       not tried again. One call of a key is measured at a time. Meanwhile other threads call the best one so far.
       Results that depend on the order of additions may differ from call to call. */
    AUTOTUNE_ONLINE,
    AUTOTUNE_OFF,                               /* launches the first configuration, even if the winner is known */
    AUTOTUNE_FORCE                              /* like ON, but tunes each key once in this process, also known keys */
} autotune_mode;
typedef enum autotune_preset { AUTOTUNE_BALANCED, AUTOTUNE_FAST, AUTOTUNE_THOROUGH } autotune_preset;
/* The order and the number of configurations that are tried. A space over AUTOTUNE_MAX_POINTS is not listed: its points
   are drawn and judged one by one. In such a space AUTO means SURROGATE, and result.space_size is an estimate. Only
   EXHAUSTIVE visits all its points, in their order. MODEL has no effect in such a space. A negative PRIORITY excludes a
   point; other values of PRIORITY have no effect. */
typedef enum autotune_strategy {
    /* Tries up to 50 configurations like RANDOM. If there are more, it first tries eight that lie far apart. If the
       limits of time and trials then seem to be enough for all, it tries all. Else it continues like SURROGATE. */
    AUTOTUNE_AUTO,
    AUTOTUNE_EXHAUSTIVE,                        /* all, ordered by MODEL or as in the space; no default time limit */
    AUTOTUNE_RANDOM,                            /* the first, then the others in random order, until the budget ends */
    /* Tries the configuration from which a model of the times so far expects the greatest gain. Without .max_trials and
       .max_seconds the search makes at least 50 trials. It ends when two things are true. The last three fifths of
       its trials brought no gain. Twice as many trials would probably gain less than 2 %. */
    AUTOTUNE_SURROGATE
} autotune_strategy;
typedef enum autotune_cache {
    AUTOTUNE_CACHE_ON,                          /* the cache on disk is read, and new winners are written to it */
    AUTOTUNE_CACHE_OFF,                         /* the cache is neither read nor written */
    AUTOTUNE_CACHE_READONLY                     /* the cache is read; no file, folder or lock is written */
} autotune_cache;
/* The answer for a key that was never tuned. */
typedef enum autotune_unseen {
    AUTOTUNE_RACE,                              /* by .mode: a race, the first configuration, or an error */
    /* In modes ON, CACHED and REQUIRE: the configuration with the best mean over up to four near known keys, if WHERE
       admits it. A key is near if each number is at most twice as large or small, and all other parts are equal. The
       verdict is AUTOTUNE_GUESSED. Later calls are hits, until a race or a load makes more keys known. Then the next
       call guesses again, except with .ranks. Mode ONLINE does not guess: its race begins with the best configurations
       of near keys. autotune_tune() and mode FORCE race. */
    AUTOTUNE_GUESS
} autotune_unseen;
/* The process in which the trials of a race are made. */
typedef enum autotune_isolate {
    /* In the calling thread: a trial can crash the program, or change its memory. */
    AUTOTUNE_IN_PROCESS,
    /* In a child process, which fork() makes before the first trial; on the CPU only. A configuration fails if it
       crashes, calls exit(), leaves its body or does not end within .launch_timeout. The race then goes on in a new
       child. Trials cannot change the memory of the program; .setup and .verify cannot either: the child calls them.
       The child has one thread, so a trial that needs another thread, or a lock that another thread holds, does not
       end. The effects of a trial on files, sockets and other processes stay. longjmp() out of the body is not noticed.
       If launches do not come back from children, the log says so, and the race is made in this process. */
    AUTOTUNE_CHILD
} autotune_isolate;

/* Options of a statement, written as .name = value after the call. Zero means the default. Strings and lists of buffers
   are copied. The objects of .result, .user and .backend must live until the call returns; .backend even longer. */
struct autotune_options {
    char autotune__first AUTOTUNE__DEFAULT(0);                  /* makes a call without options legal C11 */
    struct autotune__write_options_as_dot_name_equals_value     /* a value without .name = does not compile: the */
        *autotune__second AUTOTUNE__DEFAULT(nullptr);           /* compiler's message names this type */
    autotune_key key AUTOTUNE__DEFAULT({});                     /* KEY(...); default: one winner for the call site */
    /* The name of the tuner. The default is file.c:function. Call sites share their results if they have the same name,
       texts of space and call, values of the axes, and version. */
    const char *name AUTOTUNE__DEFAULT(nullptr);
    /* Any string. Another version is another tuner, which is tuned again: change the string if the kernel changes. */
    const char *version AUTOTUNE__DEFAULT(nullptr);
    autotune_mode mode AUTOTUNE__DEFAULT(AUTOTUNE_ON);
    /* The limits of a race. FAST: 0.5 s and 16 rounds of the duel; BALANCED: 2 s and 40; THOROUGH: 10 s and 200. With
       FAST and BALANCED a race with 128 samples or more may end earlier: once its duel took 50 ms, and longer than the
       race before the duel. */
    autotune_preset preset AUTOTUNE__DEFAULT(AUTOTUNE_BALANCED);
    autotune_strategy strategy AUTOTUNE__DEFAULT(AUTOTUNE_AUTO);
    /* AUTOTUNE_CACHE_STATE in the environment overrides this option. The log of a race names the state if the state or
       the backend's default is cold. */
    autotune_cache_state cache_state AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_STATE_DEFAULT);
    /* Seconds after which a launch on a device has failed, up to 1e9; 0: 10 s. The library then waits nine times as
       long, but 9 s at most. If the launch still has not ended, it counts as hung, and the device as lost. On the CPU
       the option counts only with AUTOTUNE_CHILD, which can end a launch. On the CPU 0 means 10 s, or 20 times the
       longest launch of the race so far, if this is longer. */
    double launch_timeout AUTOTUNE__DEFAULT(0);
    /* The number of threads that compile kernels before the race needs them, 1 to 256. All signals are blocked in these
       threads. 0: one less than the number of processors, and eight at most. If no thread has begun to compile a needed
       kernel, the calling thread compiles it. On the CPU the option counts only for CC_CALL. */
    int compile_threads AUTOTUNE__DEFAULT(0);
    /* Seconds after which a compilation has failed, and its compiler is ended, up to 1e9. 0: 60 s; with CUDA
       .max_seconds if it is shorter, but 10 s at least. For CC_CALL, and for CUDA_LAUNCH if NVRTC has
       nvrtcSetFlowCallback. */
    double compile_timeout AUTOTUNE__DEFAULT(0);
    /* The longest time of a race, in seconds up to 1e9; no launch starts later. First launches use nine tenths of it.
       0: the preset's time. Then first launches may take ten times as long, so that slow kernels are compared, too. A
       ninth of their time is added for the best configurations. The time of .outputs, .verify and compiling does not
       count then. A search makes 50 trials even if its launches take long. It makes fewer if its other work takes more
       than four times the limit of first launches. For mode ONLINE see .max_loss. */
    double max_seconds AUTOTUNE__DEFAULT(0);
    /* ONLINE: the most time that tuning may lose, at each moment until the winner is found. It counts all measured
       calls of a key in this process. It is a share of the time that the first configuration would have taken for these
       calls, up to 1e3 (0: 0.05, which is 5 %). .max_seconds (0: 0.1 s) and the time of one call are added to it. Calls
       of the first configuration in between show its time. The extra time of a long call is lost, unless the first
       configuration is also slow at that time. While the loss is above this limit, calls run the first
       configuration, or a faster one whose gains are larger than its possible losses. */
    double max_loss AUTOTUNE__DEFAULT(0);
    /* ONLINE: the amount of work of this call, above 0 and in any unit: times are compared per unit. 0: all calls of a
       key do the same work. */
    double work AUTOTUNE__DEFAULT(0);
    /* ONLINE: times one of `watch` calls of a key whose winner is known, such as 1 of 256; 0: no call. The first 20
       timed calls show the usual time per unit of .work. If later times change, the winner is compared again with the
       first configuration and near ones. .max_loss then limits all races of the key together. About 10 timed calls show
       a change of 20 %. Timed calls are spread evenly over the hits of a thread, so that each of several keys gets its
       share. A hit costs some 2 ns more. The option is refused with .ranks, since ranks exchange nothing on hits. */
    unsigned watch AUTOTUNE__DEFAULT(0);
    /* The share by which a configuration has to be faster to replace the earlier winner. Without an earlier winner it
       has to replace the first configuration of the space. Up to 1; 0: 0.002, which is 0.2 %. A configuration within
       one margin of the fastest is always a tie, and the first of a tie wins. A configuration that is slower by two
       margins never wins. The boundary between both is 1.7 margins. With 0.02, near-ties have the same winner in each
       process. This winner may be up to 3.4 % slower than the fastest, or more if the times of launches vary.
       AUTOTUNE_MARGIN in the environment overrides this option. */
    double margin AUTOTUNE__DEFAULT(0);
    uint64_t max_trials AUTOTUNE__DEFAULT(0);                   /* the most configurations that are tried; 0: all */
    /* The number of configurations of each PRIORITY that are raced. They have the lowest cost by MODEL. If all of them
       fail, the race takes the same number of further ones. 0: all. Without a MODEL, or in a space over
       AUTOTUNE_MAX_POINTS, all are raced, and the log says so. */
    uint64_t top_k AUTOTUNE__DEFAULT(0);
    uint64_t seed AUTOTUNE__DEFAULT(0);                         /* same seed and same times: same order, same winner */
    /* The race ends once two samples of a configuration are at or below this time, in nanoseconds per launch; 0: never.
       It may be a roofline, or a time that is known to be good. */
    double stop_at_ns AUTOTUNE__DEFAULT(0);
    autotune_buffers restore AUTOTUNE__DEFAULT({});             /* restored before every trial launch */
    autotune_buffers zero AUTOTUNE__DEFAULT({});                /* filled with zeros before every trial launch */
    /* After a configuration's first launch these buffers are compared with those of the first configuration that works.
       A difference fails the configuration. Before the launch they are filled with poison (NaNs, or random bits). It
       shows elements that the call does not write. If the body is left during the launch, elements that still are
       poison are restored. A buffer without a type has no elements: poison there counts from four bytes in a row on, or
       at an edge of the buffer. */
    autotune_buffers outputs AUTOTUNE__DEFAULT({});
    /* Called before every trial launch, after .restore; its time does not count. It may give each trial other data of
       the same kind, since the branch predictor learns short data that never changes. It may also prepare a layout that
       the configuration needs. `config` is launched next, and is valid during the call. */
    void (*setup)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    /* Called after the first launch of each configuration, `config`; false fails the configuration. */
    bool (*verify)(void *user, const autotune_config *config) AUTOTUNE__DEFAULT(nullptr);
    void *user AUTOTUNE__DEFAULT(nullptr);                      /* the first argument of .setup and .verify */
    autotune_backend *backend AUTOTUNE__DEFAULT(nullptr);       /* NULL: the CPU */
    /* The ranks of a parallel program, which choose one winner together. The statement is collective until the winner
       is known. A hit only compares the pointer. NULL: this process chooses alone. */
    autotune_ranks *ranks AUTOTUNE__DEFAULT(nullptr);
    autotune_agreement agree AUTOTUNE__DEFAULT(AUTOTUNE_TOGETHER);      /* how ranks agree on one winner */
    /* With AUTOTUNE_FIRST: the rank, from 0 on, that races for all ranks, and uses the cache and the log. All ranks
       give the same number. Without AUTOTUNE_FIRST rank 0 uses the cache and the log. */
    int first_rank AUTOTUNE__DEFAULT(0);
    autotune_cache cache AUTOTUNE__DEFAULT(AUTOTUNE_CACHE_ON);  /* AUTOTUNE_CACHE in the environment overrides it */
    autotune_unseen unseen AUTOTUNE__DEFAULT(AUTOTUNE_RACE);    /* AUTOTUNE_UNSEEN in the environment overrides it */
    /* AUTOTUNE_ISOLATE in the environment overrides it. */
    autotune_isolate isolate AUTOTUNE__DEFAULT(AUTOTUNE_IN_PROCESS);
    autotune_result *result AUTOTUNE__DEFAULT(nullptr);         /* filled in by every call; NULL: no result */
    void *autotune__place AUTOTUNE__DEFAULT(nullptr);           /* the result of the backend's place() */
};

typedef enum autotune_log_level {
    AUTOTUNE_LOG_OFF,
    AUTOTUNE_LOG_ERRORS,                        /* the default */
    AUTOTUNE_LOG_WINNER,                        /* errors, and a line for each race */
    AUTOTUNE_LOG_FULL                           /* also a line for each configuration and each CUDA_LAUNCH
                                                   kernel: its registers, local and shared memory */
} autotune_log_level;
/* Receives one line of the log, without a line feed; the line is valid until the function returns. */
typedef void autotune_log(void *user, autotune_log_level level, const char *line);
