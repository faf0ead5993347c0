/* The types that all operating systems have in common, and that the floors above see. They are the ways to open files,
   the facts of files, and the answers of locks, clocks and child processes. The functions are in the other rooms for
   POSIX, and in windows.h. The headers of ISO C that most rooms use are included here, for all rooms above. */
#pragma once
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include "../api/floor.h"
#include "put_text.h"

/* ---- Files ---- */

/* How a file is opened: READ, WRITE or both, and what else is wanted. A file that is created is its owner's alone, or
   with SHARED may be read by others. */
enum {
    AUTOTUNE__READ = 1,
    AUTOTUNE__WRITE = 2,
    AUTOTUNE__APPEND = 4,                       /* every write goes behind the end of the file */
    AUTOTUNE__CREATE = 8,                       /* the file is made if it is not there */
    AUTOTUNE__NEW = 16,                         /* it must not be there */
    AUTOTUNE__SHARED = 32,
    AUTOTUNE__NO_LINK = 64,                     /* the path must not end with a link */
    AUTOTUNE__NO_WAIT = 128                     /* a pipe is not waited for */
};
/* The facts of a file. A file keeps its id, whatever its name becomes. */
typedef struct autotune__file_id { uint64_t device, number; } autotune__file_id;
typedef struct autotune__file_facts {
    autotune__file_id id;
    size_t bytes;
    int64_t modified_ns;                        /* when it was written last, in nanoseconds since 1970 */
    bool is_regular, is_folder;                 /* not so: it is a link, a pipe, a device */
    bool is_own;                                /* it belongs to the user */
    bool others_may_write;                      /* its group, or everybody; false on Windows, which does not tell */
} autotune__file_facts;

/* BUSY: another process has the lock. NO_LOCKS: this file, or its file system, has none. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

/* ---- Libraries, threads, processes ---- */

/* The program or the library that holds an address. `build` is what its linker made of all that is in it, in
   hexadecimal digits: built anew from something else it has another one, and a copy has the same. */
typedef struct autotune__module {
    char build[33];                             /* "": the linker made none, or the system does not show it */
    char path[4096];                            /* its file; "": not known */
} autotune__module;

/* The use of the processor by the calling thread so far. The counts are those of all threads of the process if the
   system does not count each thread, and 0 if it counts nothing. */
typedef struct autotune__usage {
    uint64_t computed_ns;                       /* the thread's own clock; 0: unknown */
    long preempted;                             /* how often it lost its processor, though it could have computed on */
    long waited;                                /* how often it waited for something else than a processor */
    long faults;                                /* how many pages it touched for the first time */
} autotune__usage;

typedef struct autotune__child {
    unsigned long process;                      /* its number; 0: there is none */
    int reports;                                /* the pipe: in the parent its reading end, in the child the other */
    int life;                                   /* in the parent: a pipe whose end is the end of the child's group */
    autotune__file_id reports_id;               /* in the child: a body may close the pipe, and open another file */
} autotune__child;
/* How a child ended. */
typedef enum autotune__fate {
    AUTOTUNE__EXITED,                           /* it called exit(), _exit() or the like */
    AUTOTUNE__SIGNALLED,                        /* a signal ended it */
    AUTOTUNE__STILL_RUNNING,                    /* it had not ended, and was killed */
    AUTOTUNE__UNTOLD                            /* unknown: the program has waited for its children itself */
} autotune__fate;
typedef struct autotune__child_end {
    autotune__fate how;
    int number;                                 /* of the exit status, or of the signal */
} autotune__child_end;
enum {
    AUTOTUNE__REPORT_BYTES = 2048,              /* at most; a write to a pipe is whole up to 4096 on Linux */
    AUTOTUNE__CANNOT_REPORT = 97                /* the exit status of a child that could not */
};
typedef enum autotune__forked { AUTOTUNE__NO_FORK, AUTOTUNE__IS_PARENT, AUTOTUNE__IS_CHILD } autotune__forked;

/* ---- Memory that is compared with what it was ---- */

typedef enum autotune__kind_of_memory {
    AUTOTUNE__IGNORED,                          /* of the C library, of other threads, or free */
    AUTOTUNE__VARIABLE,                         /* a variable of the program or of a library */
    AUTOTUNE__BLOCK,                            /* a block of malloc() in the heap */
    AUTOTUNE__RANDOM,                           /* the state of rand() */
    AUTOTUNE__STACK,                            /* local variables of the functions that call the statement */
    AUTOTUNE__UNNAMED                           /* other memory */
} autotune__kind_of_memory;
/* Memory that has changed: a variable, a block, or bytes that stand near each other. */
typedef struct autotune__change {
    autotune__kind_of_memory kind;
    uintptr_t low, high;                        /* where it begins, and the address behind its end */
    uintptr_t first, last;                      /* the first and the last byte that changed */
    char name[200];                             /* of the variable */
} autotune__change;
typedef struct autotune__frozen {
    unsigned long process;                      /* a copy of this process, which does nothing; 0: there is none */
    uintptr_t stack;                            /* the stack is compared from this address on */
    void *room;                                 /* for the comparison */
    bool (*excludes)(const void *user, uintptr_t address);      /* from the comparison */
    void (*tell)(const void *user, const autotune__change *change);
    const void *user;
    bool is_compared;
    size_t told;                                /* changes */
} autotune__frozen;
