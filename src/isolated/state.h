/* The state for the child processes of a race: see in_child.h and parent.h. */
#pragma once
#include "../system/floor.h"
#include "../race/floor.h"

/* Which process makes the trials:
   - HERE: this process.
   - IN_CHILDREN: child processes. This process is their parent.
   - IN_THIS_CHILD: this process, which is a child. */
typedef enum autotune__where { AUTOTUNE__HERE, AUTOTUNE__IN_CHILDREN, AUTOTUNE__IN_THIS_CHILD } autotune__where;
/* The evidence that launches in children return, or hang:
   - UNPROVEN: no launch has returned or hung yet.
   - ONE_HUNG: one launch has hung before any launch has returned.
   - THEY_HANG: two launches have hung before any launch has returned; in an audit one launch.
   - THEY_COME_BACK: a launch has returned. From then on a launch that hangs is the fault of its configuration. */
typedef enum autotune__launch_evidence {
    AUTOTUNE__UNPROVEN, AUTOTUNE__ONE_HUNG, AUTOTUNE__THEY_HANG, AUTOTUNE__THEY_COME_BACK
} autotune__launch_evidence;
typedef struct autotune__isolation {
    autotune__where where;
    autotune__child child;
    /* In the child, and in a process that the program forks inside it: */
    bool rehearses;                             /* this RUN is the rehearsal: the child launches `known` first, to touch
                                                   its memory */
    autotune__request next;                     /* the request to answer after the rehearsal */
    /* In the parent, and in its children: */
    size_t known;                               /* a configuration that works, for the rehearsal; SIZE_MAX: none yet */
    /* In the parent: */
    autotune__launch_evidence launch_evidence;
    bool named_threads;                         /* a child was late: if the parent has several threads, the log says
                                                   that the child lacks them */
    /* In a child of an audit: */
    autotune__frozen frozen;                    /* the memory before the second launch */
} autotune__isolation;
