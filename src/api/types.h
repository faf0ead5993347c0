/* Types: statuses, keys, buffers, configurations, verdicts, results */
#pragma once
#include "language.h"

/* parts of a key; axes of a space; buffers of a list */
enum { AUTOTUNE_MAX_KEY = 8, AUTOTUNE_MAX_AXES = 16, AUTOTUNE_MAX_BUFFERS = 8 };
enum { AUTOTUNE_MAX_POINTS = 1 << 24 };     /* of a space up to this size WHERE is asked about each point, at some 30
                                               ns, and 8 bytes if it admits it; a larger one is sampled */

/* What a launch may return, and what a statement or function says of itself. */
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

/* Of what a key, an axis or a buffer is made. Sixteen values, so that the types of a key's parts fit 4 bits each. */
typedef enum autotune_type {
    AUTOTUNE_BYTES,                                             /* a buffer of anything, compared byte by byte */
    AUTOTUNE_I8, AUTOTUNE_I16, AUTOTUNE_I32, AUTOTUNE_I64,
    AUTOTUNE_U8, AUTOTUNE_U16, AUTOTUNE_U32, AUTOTUNE_U64,
    AUTOTUNE_F16, AUTOTUNE_BF16, AUTOTUNE_F32, AUTOTUNE_F64,
    AUTOTUNE_STRING, AUTOTUNE_POINTER, AUTOTUNE_BOOL,           /* values of axes and keys, not of buffers */
    AUTOTUNE__CHAR = '\377' < 0 ? AUTOTUNE_I8 : AUTOTUNE_U8,  /* on POSIX short has 16 bits and int 32 */
    AUTOTUNE__LONG = sizeof(long) == 8 ? AUTOTUNE_I64 : AUTOTUNE_I32,
    AUTOTUNE__ULONG = sizeof(long) == 8 ? AUTOTUNE_U64 : AUTOTUNE_U32
} autotune_type;

/* How many blocks a launch has. A negative or too large (over INT32_MAX) count fails the configuration. */
typedef struct autotune_grid { uint32_t x, y, z; } autotune_grid;

/* What KEY(...) makes. Equal keys have equal parts: numbers by value, strings by content. A NaN is an error: it equals
   nothing. */
typedef struct autotune_key {
    uint32_t count;                             /* parts in use */
    uint32_t types;                             /* an autotune_type for each part, 4 bits each, the first lowest */
    uint64_t word[AUTOTUNE_MAX_KEY];            /* integers sign-extended, floats as double, strings by address (copied
                                                   at a miss) */
    const char *text;                           /* the parts as written, for logs */
} autotune_key;

/* One memory range: {pointer, bytes}, or {pointer, bytes, type, tolerance}. */
typedef struct autotune_buffer {
    void *memory          AUTOTUNE__DEFAULT(nullptr);
    size_t bytes          AUTOTUNE__DEFAULT(0);               /* 0 is an error, as a NULL pointer is */
    autotune_type type    AUTOTUNE__DEFAULT(AUTOTUNE_BYTES);  /* how .outputs compares it */
    double tolerance      AUTOTUNE__DEFAULT(0);               /* floating point, relative; 0: 1e-2 (F16), 5e-2 (BF16),
                                                                 1e-4 (F32), 1e-10 (F64) */
} autotune_buffer;
typedef struct autotune_buffers {
    autotune_buffer at[AUTOTUNE_MAX_BUFFERS];
    size_t count AUTOTUNE__DEFAULT(0);
} autotune_buffers;

/* One configuration. It owns its values; names, labels and strings are the tuner's and live as long as the process. */
typedef struct autotune_config {
    size_t index;                               /* rank in the unfiltered product, last axis fastest */
    size_t count;                               /* axes */
    const char *const *names;
    const char *const *labels;                  /* what logs call the values: 32, radix_sort, ROWS */
    const autotune_type *types;
    uint64_t values[AUTOTUNE_MAX_AXES];         /* read them with autotune_get_int() and its like */
} autotune_config;

typedef enum autotune_verdict {
    AUTOTUNE_DEFAULT,                           /* not measured: the first configuration */
    AUTOTUNE_SINGLE,                            /* there was only one */
    AUTOTUNE_SEPARATED,                         /* faster by 0.2 % and more than every other that stayed in the duel, at
                                                   a 5 % risk of error over the whole of it; or three times as fast as
                                                   the next in the launches before */
    AUTOTUNE_TIE,                               /* no finalist is more than 1 % faster than this one, at the same
                                                   risk */
    AUTOTUNE_UNRESOLVED,                        /* time, the rounds of the finalists or .stop_at_ns ended the race
                                                   before either could be shown; or of a sampled space most was not
                                                   found; or a configuration was skipped because earlier runs of the
                                                   program ended in its launch */
    AUTOTUNE_UNRELIABLE                         /* the times contradict each other or the clock cannot be trusted:
                                                   result.doubt says why. The winner is used in this process, and not
                                                   kept on disk: the next run tunes again; autotune_save() keeps it */
} autotune_verdict;

/* What .result is filled with at every call, hits included. Times are NaN where they were not measured. */
typedef struct autotune_result {
    autotune_status status;                     /* the launch's own status, or why it was not made or not tuned */
    autotune_verdict verdict;
    bool cache_hit;                             /* the winner was known: this call made no trial */
    size_t index;                               /* of the configuration launched; the same as config.index */
    double median_ns, min_ns;                   /* of the winner, nanoseconds per launch */
    double runner_up_ns, default_ns, slowest_ns;/* of the second, of the first configuration and of the slowest that was
                                                   measured, to be compared with median_ns: the median of the duel;
                                                   where a configuration left the race before it, median_ns as many
                                                   times as its minimum is the winner's */
    double lead, lead_low, lead_high;           /* how much longer the second takes than the winner, 0.03 for 3 %: the
                                                   median of the duel's rounds, and the interval that holds it at 95 %
                                                   (by the signs, so whatever the noise is like). NaN where the two met
                                                   in too few rounds, 6 for an interval */
    const char *doubt;                          /* why the verdict is UNRELIABLE; else NULL */
    size_t space_size;                          /* configurations that WHERE and negative priorities leave */
    size_t tried, failed;                       /* by this call: configurations launched; those of them that failed,
                                                   were rejected or wrong */
    size_t launches;                            /* by this call: every run, the final one included */
    double seconds;                             /* of this call's tuning, waiting for other races left out */
    autotune_config config;                     /* last, so that a hit copies only the values that are there */
} autotune_result;
