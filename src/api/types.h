/* Types: statuses, keys, buffers, configurations, verdicts, results. */
#pragma once
#include "language.h"

/* The most parts of a key, the most axes of a space, and the most buffers in one BUFFERS(...). */
enum { AUTOTUNE_MAX_KEY = 8, AUTOTUNE_MAX_AXES = 16, AUTOTUNE_MAX_BUFFERS = 8 };
/* A point is one combination of the values of all axes, whether WHERE admits it or not. In a space of up to so many
   points, WHERE judges every point before the race. Judging takes about 30 ns for each point, and 8 bytes for each
   admitted point. A larger space is sampled: the search draws points, and WHERE judges only these. */
enum { AUTOTUNE_MAX_POINTS = 1 << 24 };

/* The results of launches, and of statements and functions of this library. */
#define AUTOTUNE_STATUSES(X) \
    X(AUTOTUNE_OK,              "success") \
    X(AUTOTUNE_FAILED,          "the launch failed") \
    X(AUTOTUNE_REJECTED,        "the configuration does not work here") \
    X(AUTOTUNE_ERR_ARGUMENT,    "an option or an argument is wrong") \
    X(AUTOTUNE_ERR_SPACE,       "the space has no configuration; the call was not made") \
    X(AUTOTUNE_ERR_ALL_FAILED,  "no configuration works; the call was not made") \
    X(AUTOTUNE_ERR_MISS,        "no winner is known") \
    X(AUTOTUNE_ERR_AMBIGUOUS,   "several tuners of this name know the key; name#1, name#2, ... select one") \
    X(AUTOTUNE_ERR_MEMORY,      "out of memory") \
    X(AUTOTUNE_ERR_LEFT,        "the body was left by break, return, goto or an exception during a trial") \
    X(AUTOTUNE_ERR_DEVICE,      "the device can no longer be used") \
    X(AUTOTUNE_ERR_ENVIRONMENT, "it is not available here") \
    X(AUTOTUNE_ERR_FILE,        "a file cannot be read or written, or not all of it is sound")
typedef enum autotune_status {
#define AUTOTUNE__STATUS(name, text) name,
    AUTOTUNE_STATUSES(AUTOTUNE__STATUS)
#undef AUTOTUNE__STATUS
    AUTOTUNE__STATUS_COUNT
} autotune_status;

/* The type of a part of a key, of the values of an axis, or of the elements of a buffer. There are 16 types, because a
   key keeps the type of each part in 4 bits. */
typedef enum autotune_type {
    AUTOTUNE_BYTES,                                             /* only for buffers: compared byte by byte */
    AUTOTUNE_I8, AUTOTUNE_I16, AUTOTUNE_I32, AUTOTUNE_I64,
    AUTOTUNE_U8, AUTOTUNE_U16, AUTOTUNE_U32, AUTOTUNE_U64,
    AUTOTUNE_F16, AUTOTUNE_BF16, AUTOTUNE_F32, AUTOTUNE_F64,
    AUTOTUNE_STRING, AUTOTUNE_POINTER, AUTOTUNE_BOOL,           /* not for buffers; AUTOTUNE_POINTER only for axes */
    /* The types of char, long and unsigned long on this target. */
    AUTOTUNE__CHAR = '\377' < 0 ? AUTOTUNE_I8 : AUTOTUNE_U8,
    AUTOTUNE__LONG = sizeof(long) == 8 ? AUTOTUNE_I64 : AUTOTUNE_I32,
    AUTOTUNE__ULONG = sizeof(long) == 8 ? AUTOTUNE_U64 : AUTOTUNE_U32
} autotune_type;

/* The number of blocks of a launch. A number below 0 or over INT32_MAX in GRID(...) fails the configuration. */
typedef struct autotune_grid { uint32_t x, y, z; } autotune_grid;

/* The value of KEY(...). Two keys are equal if all their parts have the same types and values. Strings are compared by
   content. A key with a NaN is an error, since a NaN equals no value. */
typedef struct autotune_key {
    uint32_t count;                             /* of parts */
    uint32_t types;                             /* an autotune_type for each part, 4 bits each, the first part lowest */
    /* The value of each part. A signed integer is extended by its sign, and an unsigned integer by zeros. A float is
       stored as a double, and a string as its address. A miss copies the string. */
    uint64_t word[AUTOTUNE_MAX_KEY];
    const char *text;                           /* the arguments of KEY(...) as written, for logs; may be NULL */
} autotune_key;

/* A range of memory in BUFFERS(...): {pointer, bytes}, or {pointer, bytes, type, tolerance}. */
typedef struct autotune_buffer {
    void *memory          AUTOTUNE__DEFAULT(nullptr);
    size_t bytes          AUTOTUNE__DEFAULT(0);               /* 0 bytes are an error, like a NULL pointer */
    autotune_type type    AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);  /* of the elements that .outputs compares */
    /* The difference that .outputs allows between two floating-point elements, as a share of the expected element. 0
       means the default: 1e-2 for F16, 5e-2 for BF16, 1e-4 for F32, 1e-10 for F64. A difference as small as a rounding
       error of the largest element is always allowed. */
    double tolerance      AUTOTUNE__DEFAULT(0);
} autotune_buffer;
/* The value of BUFFERS(...). */
typedef struct autotune_buffers {
    autotune_buffer at[AUTOTUNE_MAX_BUFFERS];
    size_t count AUTOTUNE__DEFAULT(0);
} autotune_buffers;

/* A configuration. Names, labels, types and strings belong to the library, and live until autotune_shutdown() or the
   end of the process. In callbacks of a created tuner, names and labels belong to the tuner. */
typedef struct autotune_config {
    /* The number of its point in the product of all axes, counted before WHERE. The last axis varies fastest. */
    size_t index;
    size_t count;                               /* of axes; 0 if there was no memory for the names */
    const char *const *names;                   /* of the axes */
    const char *const *labels;                  /* the values as logs show them: 32, radix_sort, ROWS */
    const autotune_type *types;                 /* of the axes */
    uint64_t values[AUTOTUNE_MAX_AXES];         /* autotune_get_int() and similar functions read them */
} autotune_config;

/* How sure it is that the winner is the fastest configuration of the space. At its end a race compares the fastest
   configurations, its finalists, in rounds: this is the duel. In each round every finalist is measured once. */
typedef enum autotune_verdict {
    AUTOTUNE_DEFAULT,                           /* nothing was measured; the first configuration was launched */
    AUTOTUNE_SINGLE,                            /* the space has only one configuration */
    /* The winner is faster by more than .margin than every finalist that stayed in the duel. The risk of an error is at
       most 5 % over the whole duel, and result.lead_low is above 0. A finalist that is far slower in each of the first
       three rounds leaves the duel. The second best finalist stays for six rounds. The verdict is also SEPARATED if no
       other configuration works. If a budget left out a part of the space, the verdict is UNRESOLVED in place of
       SEPARATED or TIE. */
    AUTOTUNE_SEPARATED,
    /* No finalist is faster than the winner by more than 1 %, or 1.7 margins if this is more. The risk of an error is
       at most 5 %, as for SEPARATED. */
    AUTOTUNE_TIE,
    /* Neither SEPARATED nor TIE could be shown, for one of these reasons:
       - the time or the rounds of the duel ran out;
       - .max_seconds, .max_trials, .top_k or a search left configurations out;
       - the race ended by .stop_at_ns;
       - a configuration was skipped, since earlier runs of the program ended in its launch;
       - another build of the program made the record, and this build may not race. */
    AUTOTUNE_UNRESOLVED,
    /* The times contradict each other, or the clock cannot be trusted. result.doubt has the reason. */
    AUTOTUNE_UNRELIABLE,
    /* In mode ONLINE: the race goes on. The result describes the configuration that this call ran. */
    AUTOTUNE_ONGOING,
    AUTOTUNE_PINNED,                            /* AUTOTUNE_USE names this configuration; nothing was measured */
    /* The key was never tuned. The configuration is the best one for the near keys that result.guessed_from names. */
    AUTOTUNE_GUESSED
} autotune_verdict;

/* Every call with .result fills in this result; hits do, too. A time that was not measured is NaN. */
typedef struct autotune_result {
    autotune_status status;                     /* of the launch; or the error that prevented launch or tuning */
    autotune_verdict verdict;
    bool cache_hit;                             /* the winner was known, and this call made no trial */
    size_t index;                               /* of the configuration that was launched: config.index */
    double median_ns, min_ns;                   /* of the winner, in nanoseconds per launch */
    /* The times of three configurations, which are comparable with median_ns:
       - runner_up_ns: the second best configuration, which is the runner-up;
       - default_ns: the first configuration; from the rounds in which both this configuration and the winner ran; NaN
         if there are fewer than three such rounds;
       - slowest_ns: the slowest configuration.
       The time of a finalist is its median in the duel. Any other time is median_ns * (least time of the configuration)
       / min_ns. */
    double runner_up_ns, default_ns, slowest_ns;
    /* By how much the runner-up is slower than the winner; 0.03 is 3 %. lead is the median over the rounds in which
       both ran. lead_low and lead_high are the ends of the 95 % interval of lead, from a sign test: such a test assumes
       nothing about the noise. With fewer than 6 such rounds both ends are NaN. */
    double lead, lead_low, lead_high;
    /* The reason for AUTOTUNE_UNRELIABLE; NULL for any other verdict. The string always stays valid. */
    const char *doubt;
    /* A remark that does not put the winner in doubt: launches were interrupted, or are too short to be worth tuning.
       NULL: no remark. The string always stays valid. */
    const char *note;
    size_t space_size;                          /* configurations that WHERE admits and no negative PRIORITY excludes;
                                                   an estimate for a space over 2^24 points */
    size_t refused;                             /* configurations that WHERE, a negative PRIORITY or a pin excludes; 0
                                                   if the space has over 2^24 points, or nothing was raced */
    /* tried: the configurations that this call launched; in mode ONLINE those that the race launched so far. failed:
       those of `tried` that failed, were rejected, or had wrong outputs. */
    size_t tried, failed;
    size_t launches;                            /* of this call, including the launch for real */
    double seconds;                             /* the time of tuning in this call, without waits for other races */
    /* In mode ONLINE: the loss of all measured calls of the key in this process, in seconds. This is the time of these
       calls, less the time that the first configuration would have taken for them. Calls of the first configuration in
       between show that time. Below 0: the calls gained time. In other modes 0. */
    double loss_seconds;
    /* With the verdict AUTOTUNE_GUESSED: how many near keys the guess comes from, and the nearest of them, such as "4
       keys, the nearest n=512". NULL for any other verdict. The string lives until autotune_shutdown() or the end of
       the process. */
    const char *guessed_from;
    /* The median time of the first eight calls for real with the known winner in this process, in nanoseconds: see "In
       use" in the manual. NaN: fewer than eight such calls were timed so far, or such calls are never timed. */
    double in_use_ns;
    autotune_config config;                     /* the last member, so that a hit copies only the values in use */
} autotune_result;
