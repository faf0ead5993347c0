/* The state that the store keeps for one statement. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"

/* The numbers by which lines of the file are found. The first three stand in the head of each line. */
typedef struct autotune__identity {
    uint64_t id;                                /* a hash of the tuner's name and the key */
    uint64_t fingerprint;                       /* a hash of the tuner: texts of space and call without
                                                   blanks, values of the axes, compiler, and .version; also of a pin
                                                   that leaves several configurations */
    uint64_t machine;                           /* a hash of the words for the device */
    uint64_t tuner;                             /* a hash of the tuner's name as JSON; 0: unknown */
} autotune__identity;
/* The most points that a record or a guess may name as the possible winner. */
enum { AUTOTUNE__CANDIDATES = 8 };
/* The duel that comes before the record of a key answers.
   NO_DUEL: no duel. The record answers at once.
   DUEL_AGAIN: a duel of the finalists, since the winner is not sure.
   DUEL_TO_VERIFY: in mode VERIFY, a duel of the winner with other configurations. */
typedef enum autotune__duels { AUTOTUNE__NO_DUEL, AUTOTUNE__DUEL_AGAIN, AUTOTUNE__DUEL_TO_VERIFY } autotune__duels;
/* The candidates for a key, from its record, from a guess or from a pin. */
typedef struct autotune__recalled {
    size_t candidates[AUTOTUNE__CANDIDATES];    /* points, in the order in which they are tried */
    size_t count, next;                         /* how many candidates there are; how many of them were taken */
    size_t rows_tried;                          /* how many rows of the record were looked at for candidates; 0: no
                                                   row, since the winner comes first; SIZE_MAX: no row is looked
                                                   at any more */
    autotune__duels duel;
    bool slower_in_use;                         /* calls of the winner took far longer than its race measured */
    autotune_result result;                     /* the result in the record or of the guess, without configuration */
    char pin[AUTOTUNE__PIN_BYTES];              /* the pin of AUTOTUNE_USE; "": none */
    bool restricts;                             /* the pin leaves several configurations, which are raced */
    bool spent;                                 /* the races of this process used up AUTOTUNE_MAX_RUN_SECONDS */
    bool of_other_build;                        /* another build of the program wrote the record */
    bool missed;                                /* AUTOTUNE_MODE=missed: the key is in the file of misses */
} autotune__recalled;
/* The knowledge before a race. The store finds this knowledge. The statement holds the struct, for its race and for
   other ranks. */
typedef struct autotune__prior {
    autotune__recalled recalled;
    /* Seconds that limit this race; 0: none.
       Repeated duel: seconds of the race in the record. The duel may take a tenth of these seconds.
       After a resumed race that was broken off again, in its halving or duel: seconds of that race. */
    double seconds;
    size_t duels;                               /* how often the finalists of the record were duelled again before */
    /* The former record: this record does not answer, but its times save launches. */
    size_t former_rows;                         /* how many of its rows are used; before a repeated duel: how many
                                                   configurations its race tried */
    double scatter;                             /* median time of its winner divided by the least time, less 1 */
    double work;                                /* of an online race: the work of the calls that were timed; else 0 */

    size_t changes;                             /* autotune__changes_so_far() when the store began to look for a
                                                   winner */
    autotune__prior_row *rows;                  /* see race/prior.h */
    autotune__rest rest;                        /* what is known of points without a row */
} autotune__prior;
/* An event in the first launch of a configuration, for the launch notes. */
typedef enum autotune__launch_event {
    AUTOTUNE__NOTE_BEGUN,                       /* the launch is about to begin */
    AUTOTUNE__NOTE_LOST_DEVICE,                 /* the device was lost in the launch */
    AUTOTUNE__NOTE_BROKE_DEVICE,                /* the backend knows that the launch broke the device */
    AUTOTUNE__NOTE_CAME_BACK,                   /* the launch returned: the configuration is no suspect any more */
    AUTOTUNE__NOTE_WITHDRAWN,                   /* the launch waits for a compiler, was not made, or has its
                                                   outcome in a record: only the note of this run is closed */
    AUTOTUNE__NOTE_OF_OTHER_BUILD               /* read from an old note: another build of the program wrote it */
} autotune__launch_event;
/* A launch note of a point of this space, which an earlier run left open. */
typedef struct autotune__note {
    size_t index;                               /* a point; SIZE_MAX: the note of a race that ranks divided */
    size_t start, length;                       /* position and length of its line in the file; length 0: the line is in
                                                   the file of another key */
    autotune__launch_event event;               /* what the note says of the launch */
} autotune__note;
typedef enum autotune__notes_stage {
    AUTOTUNE__NO_NOTES,                         /* this race writes no notes */
    AUTOTUNE__NOTE_IS_CLOSED,                   /* this race writes notes; its own note is closed */
    AUTOTUNE__NOTE_IS_OPEN                      /* the note of this run is open */
} autotune__notes_stage;
/* The file of launch notes of the key that the statement races. */
typedef struct autotune__notes {
    autotune__notes_stage stage;
    char *path;                                 /* NULL: this race has no file */
    int file;                                   /* -1: not open */
    autotune__file_id id;                       /* identity of `file` */
    char *text;                                 /* content of the file when the race began */
    autotune__note *all;                        /* open notes of earlier runs that may name points of this space */
    size_t kept;                                /* how many notes of earlier runs are open in the file; above 0: the
                                                   end of the race does not remove the file */
    autotune__text line;                        /* the note of this run, as written last */
    size_t head;                                /* how many bytes of `line` are the same for all configurations */
    size_t offset;                              /* position of `line` in the file */
    autotune__thread thread;                    /* the thread that opened the note of this run */
    struct autotune__notes *next;               /* the notes of another race of this process */
} autotune__notes;
/* A kernel that the statement launched. */
typedef struct autotune__kernel_source {
    char *name;
    uint64_t source;                            /* a hash of the source's tokens */
    uint64_t written;                           /* a hash of the source as written: older records have this hash */
    const char *compiler;                       /* name and version; NULL: the kernel came compiled */
} autotune__kernel_source;

/* The store of one statement. */
typedef struct autotune__store {
    autotune__subject *subject;
    autotune__prior *prior;                     /* NULL: the store is not opened */
    autotune_cache policy;                      /* how the statement uses the cache on disk */
    autotune__identity identity;
    autotune__text device;                      /* the words for the device in records */
    const char *program;                        /* see autotune__known_tuner */
    uint64_t *spelling[AUTOTUNE_MAX_AXES];      /* hashes of the texts of a dimension's values: see
                                                   autotune__spell_space() */
    size_t spelled_axes;                        /* how many axes `spelling` covers so far */
    /* Records of the key, in the cache's file or loaded: */
    autotune__text line;                        /* the record that answers */
    autotune__text former;                      /* the record of the former times */
    bool of_other_build;                        /* another build of the program wrote `former` */
    const autotune__limits *limits;             /* of the statement's race */
    autotune__notes notes;
    autotune__kernel_source *kernels;           /* the kernels that were launched so far */
    /* The lock of the key among processes: */
    autotune__locked locked;                    /* BUSY: the lock was not taken yet, or is not held any more, or another
                                                   process holds the lock */
    unsigned forks;                             /* autotune__forks when `locked` was set: a child made by a later
                                                   fork() does not hold the lock */
    uint64_t waits_since;                       /* when another process was first seen to race the key; 0: never */
    /* The race: */
    double written_at;                          /* `seconds` of the last autotune__checkpoint() that wrote; 0: none */
} autotune__store;

/* The answer to a statement that asks for the turn to race its key. */
typedef enum autotune__process_turn {
    AUTOTUNE__OURS,                             /* this process races the key, with all prior knowledge */
    AUTOTUNE__UNKNOWN,                          /* memory for launch notes or prior knowledge was lacking */
    AUTOTUNE__OTHERS,                           /* another process races the key: the statement waits, and asks again */
    AUTOTUNE__ANSWERED,                         /* the record answers: no process has to race the key now */
    AUTOTUNE__GIVEN_UP                          /* another process races the key for too long, or in mode ONLINE, and
                                                   this process does not wait; or mode VERIFY found no record */
} autotune__process_turn;

/* Returns false if there is no memory. */
static bool autotune__add_prior(autotune__prior *prior, size_t point, double ns, unsigned flags) {
    const autotune__prior_row row = { point, ns, flags };
    return AUTOTUNE__PUSH(prior->rows, row);
}
