/* The state for the child processes of a race. in_child.h and parent.h say what these do. */
#pragma once
#include "../system/floor.h"
#include "../race/floor.h"

/* The process in which trials are made: this process, its child processes, or this process as such a child.
   REHEARSING: this process is a child, and first launches a configuration that works once
   more, to touch all memory. */
typedef enum autotune__where {
    AUTOTUNE__HERE, AUTOTUNE__IN_CHILDREN, AUTOTUNE__IN_THIS_CHILD, AUTOTUNE__REHEARSING
} autotune__where;
/* Do launches come back from children here? Until one launch has come back, none of two that do not has to be to
   blame. */
typedef enum autotune__proof {
    AUTOTUNE__UNPROVEN, AUTOTUNE__ONE_HUNG, AUTOTUNE__THEY_HANG, AUTOTUNE__THEY_COME_BACK
} autotune__proof;
typedef struct autotune__isolation {
    autotune__where where;
    autotune__child child;
    /* In the child: */
    autotune__request next;                     /* after the rehearsal */
    /* In both: */
    size_t known;                               /* a configuration that works, for the rehearsal; SIZE_MAX: none yet */
    /* In the parent: */
    autotune__proof proof;
    bool told_of_threads;
    /* In a child of an audit: */
    autotune__frozen frozen;                    /* the memory before the second launch */
} autotune__isolation;
