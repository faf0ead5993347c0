/* Trials that are made elsewhere: in child processes, by the floor isolated, which makes audits, too. If the trials of
   a race are made here, trial.elsewhere is NULL. In a child process the race is the same, and reports to its parent. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "statement.h"

typedef enum autotune__report_kind {
    AUTOTUNE__HAS_ANSWER,                       /* the race gets an answer */
    AUTOTUNE__LAUNCH_BEGINS, AUTOTUNE__LAUNCH_CAME_BACK,        /* the first launch of a configuration */
    AUTOTUNE__LAUNCH_IS_PUT_OFF,                /* something is compiled for it */
    AUTOTUNE__REHEARSAL_ENDED,
    AUTOTUNE__SAYS,                             /* a sentence for the log */
    AUTOTUNE__HAS_LEFT,                         /* the body was left, and the child ends */
    AUTOTUNE__HAS_NO_MEMORY,                    /* there is none to go on, and the child ends */
    AUTOTUNE__IS_DONE,                          /* the race is over, and the child ends */
    AUTOTUNE__REPORT_KINDS
} autotune__report_kind;
struct autotune__elsewhere {
    /* A race begins whose trials are not asked for in this process: are they made elsewhere? */
    void (*plan)(autotune__statement *);
    /* A launch comes next. Returns false if a child made it, and the race has another request now. */
    bool (*launches_here)(autotune__statement *);
    /* A RUN has ended. Returns true if the race did not ask for it. */
    bool (*ends_rehearsal)(autotune__trial_state *);
    /* In a child process: */
    bool (*is_child)(const autotune__trial_state *);
    void (*tell)(const autotune__trial_state *, autotune__report_kind, const char *reason, double seconds);
    void (*tell_answer)(const autotune__trial_state *, double seconds);
    void (*leave)(const autotune__trial_state *, autotune__report_kind, const char *reason);    /* the child ends */
    void (*stay_with_parent)(autotune__trial_state *);      /* in a child of the child, which the program made */
    /* In an audit: a launch has worked; the second one comes next; it has come back. */
    void (*audit_launch)(autotune__trial_state *);
    void (*freeze_memory)(autotune__trial_state *, const void *stack);
    void (*compare_memory)(autotune__trial_state *);
};
AUTOTUNE__DECLARE_TABLE(struct autotune__elsewhere, autotune__in_children)
#ifdef AUTOTUNE_WITHOUT_CHILD
AUTOTUNE__EMPTY_TABLE(struct autotune__elsewhere, autotune__in_children)
#endif
/* Is this process a child of the one whose race it is? */
static bool autotune__is_child(const autotune__trial_state *trial) {
    return trial->elsewhere && trial->elsewhere->is_child(trial);
}
