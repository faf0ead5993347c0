/* Types: statuses, keys, buffers, configurations, verdicts, results. */
#pragma once
#include "language.h"

/* The most parts of a key, axes of a space, and buffers of one list. */
enum { AUTOTUNE_MAX_KEY = 8, AUTOTUNE_MAX_AXES = 16, AUTOTUNE_MAX_BUFFERS = 8 };
/* The size of the largest space whose points WHERE judges before the race. This takes about 30 ns for each point, and 8
   bytes for each admitted point. A larger space is sampled: WHERE judges only points that are drawn. */
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
    /* Integers are sign-extended, and floats are doubles. A string has its address here; a miss copies the string. */
    uint64_t word[AUTOTUNE_MAX_KEY];
    const char *text;                           /* the arguments of KEY(...) as written, for logs; may be NULL */
} autotune_key;

/* A range of memory in BUFFERS(...): {pointer, bytes}, or {pointer, bytes, type, tolerance}. */
typedef struct autotune_buffer {
    void *memory          AUTOTUNE__DEFAULT(nullptr);
    size_t bytes          AUTOTUNE__DEFAULT(0);               /* 0 bytes are an error, like a NULL pointer */
    autotune_type type    AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);  /* of the elements that .outputs compares */
    /* The relative difference that .outputs allows between two floating-point elements. 0 means the default: 1e-2 for
       F16, 5e-2 for BF16, 1e-4 for F32, 1e-10 for F64. */
    double tolerance      AUTOTUNE__DEFAULT(0);
} autotune_buffer;
typedef struct autotune_buffers {
    autotune_buffer at[AUTOTUNE_MAX_BUFFERS];
    size_t count AUTOTUNE__DEFAULT(0);
} autotune_buffers;

/* A configuration. Names, labels, types and strings belong to the library, and live until autotune_shutdown() or the
   end of the process. In callbacks of a created tuner, names and labels belong to the tuner. */
typedef struct autotune_config {
    size_t index;                               /* its point: the number in the unfiltered product, last axis fastest */
    size_t count;                               /* of axes; 0 if there was no memory for the names */
    const char *const *names;                   /* of the axes */
    const char *const *labels;                  /* the values as logs show them: 32, radix_sort, ROWS */
    const autotune_type *types;
    uint64_t values[AUTOTUNE_MAX_AXES];         /* autotune_get_int() and similar functions read them */
} autotune_config;

/* How sure it is that the winner is the fastest configuration of the space. */
typedef enum autotune_verdict {
    AUTOTUNE_DEFAULT,                           /* nothing was measured; the first configuration was launched */
    AUTOTUNE_SINGLE,                            /* the space has only one configuration */
    /* The winner is faster by more than .margin than every finalist that stayed in the duel. The risk of an error is at
       most 5 % over the whole duel, and lead_low is above 0. A finalist that was far slower in each of three rounds
       leaves the duel; the second stays for six rounds. SEPARATED also means that no other configuration works. If a
       budget left out a part of the space, the verdict is AUTOTUNE_UNRESOLVED, and not SEPARATED or TIE. */
    AUTOTUNE_SEPARATED,
    /* No finalist is faster than the winner by more than 1 %, or 1.7 margins if this is more. The risk is the same. */
    AUTOTUNE_TIE,
    /* Neither SEPARATED nor TIE could be shown. Time or rounds of the duel ran out, or .max_trials or .top_k left
       configurations out. Or .stop_at_ns was reached, or most of a sampled space was not found. Or a configuration was
       skipped, since earlier runs of the program ended in its launch. */
    AUTOTUNE_UNRESOLVED,
    /* The times contradict each other, or the clock cannot be trusted. result.doubt has the reason. */
    AUTOTUNE_UNRELIABLE,
    /* In mode ONLINE: the race goes on. The result is of the configuration that this call ran. */
    AUTOTUNE_ONGOING,
    AUTOTUNE_PINNED,                            /* AUTOTUNE_USE asks for this configuration; nothing was measured */
    /* The key was never tuned. The configuration is the best one for the keys that result.guessed_from names. */
    AUTOTUNE_GUESSED
} autotune_verdict;

/* Every call with .result fills in this result; hits do, too. A time that was not measured is NaN. */
typedef struct autotune_result {
    autotune_status status;                     /* of the launch; or why nothing was launched, or nothing was tuned */
    autotune_verdict verdict;
    bool cache_hit;                             /* the winner was known, and this call made no trial */
    size_t index;                               /* of the configuration that was launched: config.index */
    double median_ns, min_ns;                   /* of the winner, in nanoseconds per launch */
    /* The times of the runner-up, of the first configuration and of the slowest, comparable with median_ns. A finalist
       has its median of the duel. The time of the first configuration comes from the rounds that it shared with the
       winner, if there are three. Any other time is median_ns * its own minimum / min_ns. */
    double runner_up_ns, default_ns, slowest_ns;
    /* By how much the runner-up is slower than the winner; 0.03 is 3 %. lead is the median of the rounds in which both
       ran. lead_low and lead_high are its 95 % interval from a sign test, which assumes nothing about the noise. With
       fewer than 6 such rounds they are NaN. */
    double lead, lead_low, lead_high;
    const char *doubt;                          /* why the verdict is AUTOTUNE_UNRELIABLE, else NULL; never freed */
    /* A remark that does not speak against the winner: launches were interrupted, or are too short to be worth tuning.
       NULL: no remark. Never freed. */
    const char *note;
    size_t space_size;                          /* configurations that WHERE admits and no negative PRIORITY excludes;
                                                   an estimate for a space over 2^24 points */
    size_t refused;                             /* configurations that WHERE, a negative PRIORITY or a pin excludes; 0
                                                   if the space has over 2^24 points, or nothing was raced */
    size_t tried, failed;                       /* configurations launched by this call; failed, rejected or wrong */
    size_t launches;                            /* of this call, with the launch for real */
    double seconds;                             /* of tuning in this call, without waiting for other races */
    /* In mode ONLINE, until the winner is found: the loss of all measured calls of the key in this process, in seconds.
       It is their time beyond the time of the first configuration; below 0: the calls gained time. Calls of the first
       configuration show its time. In other modes 0. */
    double loss_seconds;
    /* AUTOTUNE_GUESSED: the number of near keys, and the nearest, such as "4 keys, the nearest n=512". Else NULL. The
       string lives until autotune_shutdown() or the end of the process. */
    const char *guessed_from;
    /* The median of the first eight calls for real with the known winner in this process, in nanoseconds: see "In use"
       in the manual. NaN: these calls are not timed yet, or never. */
    double in_use_ns;
    autotune_config config;                     /* the last member, so that a hit copies only existing values */
} autotune_result;
