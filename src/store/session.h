/* The state that the store keeps for one statement. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"

/* The numbers by which lines of the file are found. The first three stand in the head of each line. */
typedef struct autotune__identity {
    uint64_t id;                                /* of tuner and key */
    uint64_t fingerprint;                       /* of texts without blanks, values, compiler and version */
    uint64_t machine;                           /* of the words for the device */
    uint64_t tuner;                             /* of its name as it is written; 0: that is not known */
} autotune__identity;
/* The answer for the key: a record, or a guess. */
enum { AUTOTUNE__CANDIDATES = 8 };
/* Before they answer the finalists of the record are duelled again; or, in mode VERIFY, they and others. */
typedef enum autotune__duels { AUTOTUNE__NO_DUEL, AUTOTUNE__DUEL_AGAIN, AUTOTUNE__DUEL_TO_VERIFY } autotune__duels;
typedef struct autotune__recalled {
    size_t candidates[AUTOTUNE__CANDIDATES];    /* points, in the order in which they are tried */
    size_t count, next;                         /* how many there are, and how many of them were taken */
    size_t passed;                              /* so many rows of the record were candidates, from the winner on; 0:
                                                   others are not asked for */
    autotune__duels duel;
    autotune_result result;                     /* as the record has it, without the configuration */
    char pin[AUTOTUNE__PIN_BYTES];              /* what AUTOTUNE_USE asks for instead of all this; "": nothing */
    bool restricts;                             /* and it leaves several configurations, which are raced */
    bool spent;                                 /* races of the process took AUTOTUNE_MAX_RUN_SECONDS */
    bool missed;                                /* AUTOTUNE_MODE=missed: the key is in the file of misses */
} autotune__recalled;
/* The limits of what a race may try: see autotune__limits. A number that is 0 is no limit. */
typedef struct autotune__budget { double seconds, screen_seconds; uint64_t trials, top_k, rounds; } autotune__budget;
/* The knowledge before a race. The store finds it out, and the statement has it, for its race and for other ranks. */
typedef struct autotune__prior {
    autotune__recalled recalled;
    /* of a record whose finalists are duelled again: */
    double seconds;                             /* that its race took; without such a record: those after which a race
                                                   was broken off again that compared finalists, or 0 */
    size_t duels;                               /* how often they were duelled again before */
    /* of a record that does not answer for the key, but has times of it, which save launches: */
    size_t former;                              /* how many of its rows count; of either record */
    double scatter;                             /* how far times of the winner are above the least, as a share */
    double work;                                /* of the times of an online race; 0: there are none */

    size_t news;                                /* autotune__news_so_far() before it was found out */
    autotune__prior_row *rows;                  /* see race/prior.h */
    autotune__rest rest;                        /* what is known of the points that have no row */
} autotune__prior;
/* An event of the first launch of a configuration, which is told for the next run of the program. */
typedef enum autotune__launch_told {
    AUTOTUNE__NOTE_BEGUN,                       /* the launch is about to begin */
    AUTOTUNE__NOTE_LOST_DEVICE,                 /* the device was lost in it */
    AUTOTUNE__NOTE_BROKE_DEVICE,                /* the backend knows that it broke the device */
    AUTOTUNE__NOTE_CAME_BACK,                   /* it returned: the configuration is no suspect any more */
    AUTOTUNE__NOTE_NOTHING,                     /* nothing is known, as if its thread ended in it */
    AUTOTUNE__NOTE_OF_OTHER_BUILD               /* the note is of another build: the program was rebuilt since */
} autotune__launch_told;
/* A launch note that an earlier run left open, of a point of this space. */
typedef struct autotune__note {
    size_t index;                               /* of the point; SIZE_MAX: ranks raced their parts, and none is named */
    size_t start, length;                       /* where its line stands in the file */
    autotune__launch_told told;
} autotune__note;
typedef enum autotune__notes_stage {
    AUTOTUNE__NO_NOTES,                         /* nothing is written */
    AUTOTUNE__WRITE_NOTES,
    AUTOTUNE__NOTE_IS_OPEN                      /* the one of this run */
} autotune__notes_stage;
typedef struct autotune__notes {
    autotune__notes_stage stage;
    char *path;
    int file;                                   /* -1: it is not there, or not yet */
    autotune__file_id id;                       /* of the file */
    char *text;                                 /* the file, as the race found it */
    autotune__note *all;
    size_t kept;                                /* how many notes are open in it, but for that of this run */
    autotune__text line;
    size_t head;                                /* so many of its bytes are the same for all configurations */
    size_t offset;                              /* where it stands in the file */
    autotune__thread thread;                    /* that opened the note of this run */
    struct autotune__notes *next;               /* of another race of this process */
} autotune__notes;
/* A kernel that the statement launched. */
typedef struct autotune__kernel_source {
    char *name;
    uint64_t source;                            /* a hash of its tokens */
    uint64_t written;                           /* a digest of the text as written, which older records have */
    const char *compiler;                       /* in words; NULL: the kernel came compiled */
} autotune__kernel_source;

typedef struct autotune__store {
    autotune__subject *subject;
    autotune__prior *prior;                     /* NULL: tuner and key are not known yet */
    autotune_cache policy;
    autotune__identity identity;
    autotune__text device;                      /* its words in records */
    char program[40];                           /* the identity of the program; "": it cannot be told */
    uint64_t *spelling[AUTOTUNE_MAX_AXES];      /* what the values of dimensions are written as: see
                                                   autotune__spell_space() */
    /* what the file knows of the key */
    autotune__text line;                        /* the record that answers; */
    autotune__text former;                      /* the record that the former times are from */
    bool of_other_build;                        /* and another build of the program wrote that one */
    autotune__budget budget;                    /* of the statement */
    autotune__notes notes;
    autotune__kernel_source *kernels;           /* that were launched so far */
    /* the key among processes */
    autotune__locked locked;                    /* of the key's lock. BUSY: this process does not race the key */
    unsigned forks;                             /* when it was asked for: a child that was made since has no lock */
    uint64_t waits_since;                       /* another process was seen to race the key then; 0: none was */
    /* the race */
    double written;                             /* at which of its seconds it was last written in its middle */
} autotune__store;

/* Which process races a key? */
typedef enum autotune__key_turn {
    AUTOTUNE__OURS,                             /* this one; all that is known before the race is found out */
    AUTOTUNE__UNKNOWN,                          /* this one; there is no memory for what is known before the race */
    AUTOTUNE__OTHERS,                           /* another one */
    AUTOTUNE__ANSWERED,                         /* none: the winner is known now */
    AUTOTUNE__GIVEN_UP                          /* another one, which takes so long that this one waits no more */
} autotune__key_turn;

/* Returns false if there is no memory. */
static bool autotune__add_prior(autotune__prior *prior, size_t point, double ns, unsigned flags) {
    const autotune__prior_row row = { point, ns, flags };
    return AUTOTUNE__PUSH(prior->rows, row);
}
