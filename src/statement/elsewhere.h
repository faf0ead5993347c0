/* Trials that are made elsewhere: in child processes, by the floor `isolated`. The floor `isolated` makes audits, too.
   The state of these functions is trial.isolation: NULL until a race asks for a child. Without a state only plan() and
   audit_launch() are called. A child process has a copy of its parent's race, and reports to its parent. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "statement.h"

typedef enum autotune__report_kind {
    AUTOTUNE__HAS_ANSWER,                       /* the race gets an answer */
    AUTOTUNE__LAUNCH_BEGINS,                    /* the first launch of a configuration begins */
    AUTOTUNE__LAUNCH_CAME_BACK,                 /* the first launch has returned */
    AUTOTUNE__LAUNCH_IS_PUT_OFF,                /* a kernel is compiled before the first launch */
    AUTOTUNE__REHEARSAL_ENDED,                  /* the child has launched a known configuration first, to touch its
                                                   memory */
    AUTOTUNE__SAYS,                             /* a sentence for the log */
    AUTOTUNE__HAS_LEFT,                         /* the body or the statement was left, and the child ends */
    AUTOTUNE__HAS_NO_MEMORY,                    /* there is no memory to go on, and the child ends */
    AUTOTUNE__IS_DONE,                          /* the race is over, and the child ends */
    AUTOTUNE__REPORT_KINDS                      /* the number of kinds */
} autotune__report_kind;
struct autotune__elsewhere {
    /* Called before a race that asks for a child: decides if its trials are made in a child. */
    void (*plan)(autotune__statement *);
    /* Called before a RUN. Returns false if a child made launches, and has ended. Then the loop has to look at the
       request and the phase again, since the race may have gone on or ended. */
    bool (*launches_here)(autotune__statement *);
    /* Called after a RUN. Returns true if this RUN was a rehearsal, for which the race did not ask. */
    bool (*was_rehearsal)(autotune__trial_state *);
    /* In a child process; in another process these functions report nothing: */
    bool (*is_child)(const autotune__trial_state *);
    void (*tell)(const autotune__trial_state *, autotune__report_kind, const char *reason, double seconds);
    void (*tell_answer)(const autotune__trial_state *, double seconds);
    void (*leave)(const autotune__trial_state *, autotune__report_kind, const char *reason);    /* the child ends */
    void (*stay_with_parent)(autotune__trial_state *);      /* called in a process that the program itself forks */
    /* In an audit: */
    void (*audit_launch)(autotune__trial_state *);          /* called after a launch that worked */
    void (*freeze_memory)(autotune__trial_state *, const void *stack);      /* keeps memory before the second launch */
    void (*compare_memory)(autotune__trial_state *);        /* compares memory after the second launch */
};
AUTOTUNE__DECLARE_TABLE(struct autotune__elsewhere, autotune__in_children)
#ifdef AUTOTUNE_WITHOUT_CHILD
AUTOTUNE__EMPTY_TABLE(struct autotune__elsewhere, autotune__in_children)
#endif
/* Returns true if this process is a child, which makes the trials of its parent's race. */
static bool autotune__is_child(const autotune__trial_state *trial) {
    return trial->isolation && autotune__in_children.is_child(trial);
}
