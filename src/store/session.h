/* What the store keeps for one statement: its session. A program without the cache on disk has it, too, with nothing in
   it. */
#pragma once
#include <pthread.h>
#include "../api/types.h"
#include "../api/options.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../base/environment.h"
#include "../registry/subject.h"

/* The numbers by which lines of the file are found. The first three stand in the head of each line. */
typedef struct autotune__identity {
    uint64_t id;                                /* of tuner and key */
    uint64_t fingerprint;                       /* of the texts, values, compiler and version that the tuner was made
                                                   of */
    uint64_t machine;                           /* of the device in words */
    uint64_t tuner;                             /* of its name as it is written; 0: it is not known without reading
                                                   JSON */
} autotune__identity;
/* The record that answers for the key: configurations that may win, the winner first. */
typedef struct autotune__candidate { size_t index; double median_ns, min_ns; } autotune__candidate;
enum { AUTOTUNE__CANDIDATES = 8 };
typedef struct autotune__recalled {
    autotune__candidate candidates[AUTOTUNE__CANDIDATES];
    size_t count, next;                         /* how many there are; how many of them were taken */
    autotune_result result;                     /* of the record, without its configuration */
    autotune__text line;                        /* the record */
    bool any_device;                            /* it answers for other devices, and so for other compilers of
                                                   kernels */
} autotune__recalled;
/* The record that does not answer, but whose times save launches. */
typedef struct autotune__former_row {
    size_t index;                               /* first: rows are sorted by it */
    bool contender, set_aside;                  /* may still win; was left out of this race */
    double ns;                                  /* its least time */
    size_t start, length;                       /* of its text */
} autotune__former_row;
typedef struct autotune__former {
    autotune__text text;                        /* of the whole record */
    autotune__former_row *rows;                 /* by index */
    bool only_contenders;                       /* points without a row are left out, too */
    size_t winner;                              /* its point; SIZE_MAX: it has none */
    size_t left_out;                            /* points that the race left out because of it */
} autotune__former;
/* Lines of the journal that earlier runs left open. */
typedef struct autotune__crash {                /* such a line of a point of this space */
    size_t index, start, length;                /* of the line, in the text; index SIZE_MAX: it came back since */
    size_t returned;                            /* how many others had come back from their first launches before */
    bool proven;                                /* the fault was seen */
    bool lost_device, at_fault;                 /* the device was lost in its launch; and by it */
    bool same_program;                          /* that was not rebuilt since */
} autotune__crash;
typedef struct autotune__crashes {
    char *text;                                 /* of the file, as it was read */
    autotune__crash *all;
    size_t *points;                             /* theirs, ascending, each once */
    size_t lines;                               /* that stand open, whatever they blame */
} autotune__crashes;
typedef struct autotune__kernel_source {        /* of a kernel that the statement launched */
    char *name;
    uint64_t source;                            /* a digest */
    const char *compiler;                       /* in words; NULL: it came compiled */
} autotune__kernel_source;
typedef struct autotune__store {
    autotune__subject *subject;                 /* of the statement; this and what follows up to policy is set once */
    struct autotune__store *outer;              /* of the statement further out in this thread; NULL: there is none */
    autotune_cache policy;
    autotune__identity identity;                /* this and program once the tuner is known */
    char program[40];                           /* identity of the file that holds the call site; "": cannot be told */
    autotune__recalled recalled;
    autotune__former former;
    autotune__crashes crashes;
    autotune__kernel_source *kernels;           /* that were launched so far */
    bool outdated;                              /* one of them is not what its record was found with */
    bool all_anew;                              /* former times do not count */
    bool locked;                                /* this process alone races the key */
    uint64_t waits_until;                       /* for another process, which races it; 0: it does not */
    uint64_t looked;                            /* when it was looked at last */
    double written;                             /* seconds of the race: when it was last written in its middle */
    struct autotune__journal *journal;          /* of the race; NULL: none is kept, and none was found */
} autotune__store;

/* What earlier runs say of a configuration. TO_BE_SPARED: it is skipped where others work, and else tried last. */
typedef enum autotune__suspicion {
    AUTOTUNE__UNSUSPECTED, AUTOTUNE__TO_BE_LAST, AUTOTUNE__TO_BE_SPARED, AUTOTUNE__TO_BE_SKIPPED, AUTOTUNE__CONVICTED
} autotune__suspicion;
/* Who races a key, among processes: this one; another one; nobody, for its winner is known now; another one that is
   waited for no more, for it has taken too long. */
typedef enum autotune__key_turn {
    AUTOTUNE__OURS,
    AUTOTUNE__OTHERS,
    AUTOTUNE__ANSWERED,
    AUTOTUNE__GIVEN_UP
} autotune__key_turn;

static void autotune__forget_former(autotune__store *store) {
    autotune__former *former = &store->former;
    AUTOTUNE__FREE_ARRAY(former->rows);
    autotune__free_text(&former->text);
    memset(former, 0, sizeof *former);
    former->winner = SIZE_MAX;
}
/* A statement begins; its options are known. The store was zeroed. */
static void autotune__begin_store(autotune__store *store, autotune__subject *subject, autotune__store *outer) {
    store->subject = subject;
    store->outer = outer;
    store->policy = autotune__cache_policy(&subject->options);
    autotune__forget_former(store);
}
/* A kernel was launched that is not the one which the records speak of: none of them counts any more. */
static void autotune__drop_outdated_records(autotune__store *store) {
    store->recalled.next = store->recalled.count;
    store->outdated = false;
    store->all_anew = true;
}
/* The line stays with the key, for autotune_save(). It is taken over. */
static void autotune__keep_line(autotune__store *store, autotune__text *line) {
    autotune__record *record = store->subject->record;
    autotune__text old;
    pthread_mutex_lock(&autotune__lock);
    old = record->line;
    record->line = *line;
    record->distrusted = false;                 /* this one was found here, or works */
    pthread_mutex_unlock(&autotune__lock);
    memset(line, 0, sizeof *line);
    autotune__free_text(&old);
}
