/* The state for the child processes of a race. in_child.h and isolation.h say what these do. */
#pragma once
#include "../system/floor.h"
#include "../race/floor.h"

/* The process in which trials are made: this process, its child processes, or this process as such a child.
   NOWHERE_YET: none was made. REHEARSING: this process is a child, and first launches a configuration that works once
   more, to touch all memory. */
typedef enum autotune__where {
    AUTOTUNE__NOWHERE_YET, AUTOTUNE__HERE, AUTOTUNE__IN_CHILDREN, AUTOTUNE__IN_THIS_CHILD, AUTOTUNE__REHEARSING
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
} autotune__isolation;
/* Returns true if trials are asked for in this process, where the calls for real are made. AUTOTUNE_ISOLATE decides if
   it is set, else the option .isolate. An audit is made in a child. */
static bool autotune__tries_here(const autotune_options *options) {
    const int wanted = autotune__environment.isolate;
    return wanted >= 0 ? wanted != AUTOTUNE_CHILD : !autotune__environment.audits && options->isolate != AUTOTUNE_CHILD;
}
