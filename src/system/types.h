/* The types of this floor that are the same on all operating systems: how files are opened, facts of files, results of
   locks, counts of the processor, child processes. The other rooms have the functions for POSIX, and windows.h has
   these functions for Windows. This room includes the headers of ISO C that most rooms use. */
#pragma once
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include "../api/floor.h"
#include "put_text.h"

/* ---- Files ---- */

/* Flags for opening a file: READ, WRITE or both, with any of the further flags. */
enum {
    AUTOTUNE__READ = 1,
    AUTOTUNE__WRITE = 2,
    AUTOTUNE__APPEND = 4,                       /* each write goes to the end of the file */
    AUTOTUNE__CREATE = 8,                       /* the file is created if it does not exist */
    AUTOTUNE__NEW = 16,                         /* the file is created, and must not exist before */
    AUTOTUNE__SHARED = 32,                      /* all users may read a created file; else only its owner may */
    AUTOTUNE__NO_LINK = 64,                     /* the path must not be a link */
    AUTOTUNE__NO_WAIT = 128                     /* opening a pipe does not wait */
};
/* The identity of a file, which it keeps when it is renamed. */
typedef struct autotune__file_id { uint64_t device, number; } autotune__file_id;
/* The facts of a file. */
typedef struct autotune__file_facts {
    autotune__file_id id;
    size_t bytes;
    int64_t modified_ns;                        /* time of the last write, in nanoseconds since 1970 */
    bool is_regular, is_folder;                 /* both false: a link, a pipe or a device */
    bool is_own;                                /* it belongs to the user of this process */
    bool others_may_write;                      /* its group or all users may write it; on Windows always false */
} autotune__file_facts;

/* The result of locking. BUSY: another process has the lock. HELD: this process has the lock now. NO_LOCKS: this file
   or its file system has no locks. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

/* ---- Libraries, threads, processes ---- */

/* The most bytes of the identity of a program or library: see autotune__identify_program(). */
enum { AUTOTUNE__PROGRAM_BYTES = 40 };
/* The program or library that holds an address. `build` is its build id, in hexadecimal digits. A build from other
   sources has another id, and a copy has the same. */
typedef struct autotune__module {
    char build[33];                             /* "": the linker made no build id, or the system hides it */
    char path[4096];                            /* the path of its file; "": unknown */
} autotune__module;

/* The processor's work for the calling thread so far. If the system does not count for each thread, the three counts
   are those of the process. They are 0 if the system does not count at all. */
typedef struct autotune__usage {
    uint64_t cpu_ns;                            /* processor time of the thread, in nanoseconds; 0: unknown */
    long preempted;                             /* how often the thread lost its processor while it could compute */
    long waited;                                /* how often the thread waited for something other than a processor */
    long faults;                                /* how many pages the thread touched for the first time */
} autotune__usage;

/* A child process, as the parent and the child see it. */
typedef struct autotune__child {
    unsigned long process;                      /* process id of the child; 0: there is no child */
    int reports;                                /* a pipe: the parent has the reading end, the child the writing end */
    int life;                                   /* only in the parent: a pipe; closing it ends the child's group */
    autotune__file_id reports_id;               /* only in the child: shows whether `reports` is still this pipe */
} autotune__child;
/* How a child ended. */
typedef enum autotune__fate {
    AUTOTUNE__EXITED,                           /* by exit(), _exit() or the like */
    AUTOTUNE__SIGNALLED,                        /* by a signal */
    AUTOTUNE__STILL_RUNNING,                    /* it had not ended, so the parent killed it */
    AUTOTUNE__END_LOST                          /* unknown: other code of the program has waited for this child */
} autotune__fate;
typedef struct autotune__child_end {
    autotune__fate how;
    int number;                                 /* the exit status or the number of the signal */
} autotune__child_end;
enum {
    AUTOTUNE__REPORT_BYTES = 2048,              /* the most bytes of a report: below 4096, Linux writes them at once */
    AUTOTUNE__CANNOT_REPORT = 97                /* the exit status of a child that cannot send a report */
};
/* The result of a fork. NO_FORK: there is no child. IS_PARENT, IS_CHILD: the process in which the function returns. */
typedef enum autotune__forked { AUTOTUNE__NO_FORK, AUTOTUNE__IS_PARENT, AUTOTUNE__IS_CHILD } autotune__forked;

/* ---- Memory that is compared with its former content ---- */

/* The kind of memory that has changed. */
typedef enum autotune__kind_of_memory {
    AUTOTUNE__IGNORED,                          /* memory of the C library or another thread, or free memory */
    AUTOTUNE__VARIABLE,                         /* a variable of the program or of a library */
    AUTOTUNE__BLOCK,                            /* a block of malloc() in the heap */
    AUTOTUNE__RANDOM,                           /* the state of rand() */
    AUTOTUNE__STACK,                            /* local variables of functions that called the statement */
    AUTOTUNE__UNNAMED                           /* other memory */
} autotune__kind_of_memory;
/* Memory that has changed: a variable, a block, or bytes near each other. */
typedef struct autotune__change {
    autotune__kind_of_memory kind;
    uintptr_t low, high;                        /* its first address, and the address behind its end */
    uintptr_t first, last;                      /* the first and the last byte that changed */
    char name[200];                             /* the name of the variable */
} autotune__change;
/* Frozen memory, and how to compare it. The caller sets stack, excludes, tell and user; frozen.h sets the rest. */
typedef struct autotune__frozen {
    unsigned long process;                      /* a copy of this process that does nothing; 0: there is no copy */
    uintptr_t stack;                            /* the stack is compared from this address on */
    void *changes;                              /* memory for the comparison */
    bool (*excludes)(const void *user, uintptr_t address);      /* returns true if the address is not compared */
    void (*tell)(const void *user, const autotune__change *change);     /* gets each change */
    const void *user;                           /* for the two functions */
    bool is_complete;                           /* all changes were found, not only the first ones */
    size_t told;                                /* how many changes tell() got so far */
} autotune__frozen;
