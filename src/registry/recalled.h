/* What the cache on disk says of a statement's key: types that the cache fills and the statement reads. */
#pragma once
#include "../api/types.h"
#include "../api/options.h"
#include "../base/text.h"

/* What the cache on disk says of a statement's key. */
typedef struct autotune__identity {
    uint64_t id;                                /* of tuner and key */
    uint64_t fingerprint;                       /* of the texts, values, compiler and version that the tuner was made
                                                   of */
    uint64_t machine;                           /* of the device in words */
    uint64_t tuner;                             /* of its name as it is written; 0: it is not known without reading
                                                   JSON */
} autotune__identity;
typedef struct autotune__candidate { size_t index; double median_ns, min_ns; } autotune__candidate;
typedef struct autotune__former_row {           /* of a record that does not answer, but whose times save launches */
    size_t index;
    bool contender, set_aside;                  /* may still win; was left out of this race */
    double ns;                                  /* its least time */
    size_t start, length;                       /* of its text */
} autotune__former_row;
typedef struct autotune__former {
    autotune__text text;                        /* of the whole record */
    autotune__former_row *rows;                 /* by index */
    bool only_contenders;                       /* points without a row are left out, too */
    bool has_winner;
    size_t winner;                              /* its point */
    size_t left_out;
} autotune__former;
typedef struct autotune__kernel_source {        /* of a kernel that the statement launched */
    char *name;
    uint64_t source;                            /* a digest */
    const char *compiler;                       /* in words; NULL: it came compiled */
} autotune__kernel_source;
enum { AUTOTUNE__CANDIDATES = 8 };
typedef struct autotune__store {
    autotune_cache policy;
    autotune__identity identity;
    char program[40];                           /* identity of the file that holds the call site; "": cannot be told */
    autotune__candidate candidates[AUTOTUNE__CANDIDATES];       /* the winner, then others */
    size_t count, next;
    autotune_result result;                     /* of the record, without its configuration */
    autotune__text line;                        /* the record */
    bool launching;                             /* the call is made with a candidate */
    bool any_device;                            /* it answers for other devices, and so for other compilers of
                                                   kernels */
    autotune__kernel_source *kernels;           /* that were launched so far */
    bool outdated;                              /* one of them is not what the record was found with */
    bool all_anew;                              /* former times do not count */
    bool locked;                                /* this process alone races the key */
    uint64_t waits_until;                       /* for another process, which races it; 0: it does not */
    uint64_t written;                           /* by the backend's clock: when the race was last written in its
                                                   middle */
    autotune__former former;
    struct autotune__journal *journal;          /* of the race; NULL: none is kept, and none was found */
} autotune__store;

/* One execution of a statement that was no hit: what the machine below works on. */
/* What earlier runs say of a configuration. TO_BE_SPARED: it is skipped where others work, and else tried last. */
typedef enum autotune__suspicion {
    AUTOTUNE__UNSUSPECTED, AUTOTUNE__TO_BE_LAST, AUTOTUNE__TO_BE_SPARED, AUTOTUNE__TO_BE_SKIPPED, AUTOTUNE__CONVICTED
} autotune__suspicion;
