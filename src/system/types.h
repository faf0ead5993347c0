/* The types that all operating systems share and that higher floors see. They are ways to open files, facts of files,
   and the answers of locks, clocks and child processes. The other rooms have the functions for POSIX, and windows.h has
   them for Windows. This room includes the headers of ISO C that most rooms use. */
#pragma once
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include "../api/floor.h"
#include "put_text.h"

/* ---- Files ---- */

/* How a file is opened: READ, WRITE or both, with further flags. A created file can be read by its owner only, or with
   SHARED by all. */
enum {
    AUTOTUNE__READ = 1,
    AUTOTUNE__WRITE = 2,
    AUTOTUNE__APPEND = 4,                       /* each write goes to the end of the file */
    AUTOTUNE__CREATE = 8,                       /* the file is created if it does not exist */
    AUTOTUNE__NEW = 16,                         /* the file must not exist */
    AUTOTUNE__SHARED = 32,
    AUTOTUNE__NO_LINK = 64,                     /* the path must not be a link */
    AUTOTUNE__NO_WAIT = 128                     /* opening a pipe does not wait */
};
/* The facts of a file. A file keeps its id when it is renamed. */
typedef struct autotune__file_id { uint64_t device, number; } autotune__file_id;
typedef struct autotune__file_facts {
    autotune__file_id id;
    size_t bytes;
    int64_t modified_ns;                        /* time of the last write, in nanoseconds since 1970 */
    bool is_regular, is_folder;                 /* both false: a link, a pipe or a device */
    bool is_own;                                /* it belongs to the user */
    bool others_may_write;                      /* its group or all users may; on Windows unknown, so false */
} autotune__file_facts;

/* BUSY: another process has the lock. NO_LOCKS: this file or its file system has no locks. */
typedef enum autotune__locked { AUTOTUNE__BUSY, AUTOTUNE__HELD, AUTOTUNE__NO_LOCKS } autotune__locked;

/* ---- Libraries, threads, processes ---- */

/* The program or library that holds an address. `build` is its build id, in hexadecimal digits. A build from other
   sources has another id, and a copy has the same. */
typedef struct autotune__module {
    char build[33];                             /* "": the linker made none, or the system hides it */
    char path[4096];                            /* of its file; "": unknown */
} autotune__module;

/* The processor's work for the calling thread so far. If the system does not count each thread, the counts are those of
   all threads. They are 0 if it counts nothing. */
typedef struct autotune__usage {
    uint64_t computed_ns;                       /* the thread's own clock; 0: unknown */
    long preempted;                             /* how often it lost its processor while it could compute */
    long waited;                                /* how often it waited for something other than a processor */
    long faults;                                /* how many pages it touched for the first time */
} autotune__usage;

typedef struct autotune__child {
    unsigned long process;                      /* process id; 0: none */
    int reports;                                /* a pipe: the parent has the reading end, the child the other */
    int life;                                   /* in the parent: a pipe; closing it ends the child's group */
    autotune__file_id reports_id;               /* in the child: a body may close the pipe and reuse its number */
} autotune__child;
/* How a child ended. */
typedef enum autotune__fate {
    AUTOTUNE__EXITED,                           /* by exit(), _exit() or the like */
    AUTOTUNE__SIGNALLED,                        /* by a signal */
    AUTOTUNE__STILL_RUNNING,                    /* it had not ended, and was killed */
    AUTOTUNE__UNTOLD                            /* unknown: the program itself has waited for its children */
} autotune__fate;
typedef struct autotune__child_end {
    autotune__fate how;
    int number;                                 /* the exit status or the number of the signal */
} autotune__child_end;
enum {
    AUTOTUNE__REPORT_BYTES = 2048,              /* at most; on Linux a write of up to 4096 to a pipe is whole */
    AUTOTUNE__CANNOT_REPORT = 97                /* exit status of a child that cannot report */
};
typedef enum autotune__forked { AUTOTUNE__NO_FORK, AUTOTUNE__IS_PARENT, AUTOTUNE__IS_CHILD } autotune__forked;

/* ---- Memory that is compared with its former content ---- */

typedef enum autotune__kind_of_memory {
    AUTOTUNE__IGNORED,                          /* of the C library or another thread, or free */
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
    char name[200];                             /* of the variable */
} autotune__change;
typedef struct autotune__frozen {
    unsigned long process;                      /* a copy of this process that does nothing; 0: none */
    uintptr_t stack;                            /* the stack is compared from here on */
    void *room;                                 /* memory for the comparison */
    bool (*excludes)(const void *user, uintptr_t address);      /* returns true if the address is not compared */
    void (*tell)(const void *user, const autotune__change *change);
    const void *user;
    bool is_compared;
    size_t told;                                /* changes told so far */
} autotune__frozen;
