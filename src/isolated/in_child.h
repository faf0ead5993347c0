/* The reports of a child process to its parent, and the end of a child's rehearsal. The child runs the loop of the
   statement like any race. It reports to the parent each answer that it gives to its own race. The parent gives the
   same answers to its race (parent.h). So both races have the same state, unless a launch writes to the memory of the
   child's race. The race can go on in the parent, or in the next child. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "../statement/floor.h"
#include "state.h"

static bool autotune__is_in_child(const autotune__trial_state *trial) {
    return trial->isolation->where == AUTOTUNE__IN_THIS_CHILD;
}
/* Called in a process that the program forks. This process compares no frozen memory, since the frozen memory is a copy
   of the process that forked. If a child forked, the new process reports nothing to the parent of the child. */
static void autotune__stay_with_parent(autotune__trial_state *trial) {
    trial->isolation->frozen.process = 0;
    if (autotune__is_in_child(trial)) trial->isolation->where = AUTOTUNE__HERE;
}
/* A report of the child to its parent. The text of a reason, or a sentence for the log, follows the struct. */
typedef struct autotune__message {
    uint32_t magic;                             /* AUTOTUNE__MAGIC; another number: a body wrote to the pipe */
    uint32_t kind, reason_bytes;                /* an autotune__report_kind; the length of the text that follows */
    autotune__request request;                  /* the request that the child carries out */
    autotune__answer answer;                    /* the answer without its reason */
    double seconds;                             /* with an answer: how long the race has taken, in seconds; else 0 */
    size_t launches;                            /* how many launches the statement has made */
} autotune__message;
enum { AUTOTUNE__MAGIC = 0x7A37E5, AUTOTUNE__REASON_BYTES = 1000 };

/* Sends a report. Does nothing in a process that is no child of a race. */
static void autotune__report_as_child(const autotune__trial_state *trial, autotune__report_kind kind,
                                      const char *reason, double seconds) {
    union { autotune__message message; char bytes[AUTOTUNE__REPORT_BYTES]; } report;
    const size_t length = reason ? strlen(reason) : 0;
    autotune__message *message = &report.message;
    if (!autotune__is_in_child(trial)) return;
    memset(message, 0, sizeof *message);
    message->magic = AUTOTUNE__MAGIC;
    message->kind = (uint32_t)kind;
    message->reason_bytes = length < AUTOTUNE__REASON_BYTES ? (uint32_t)length : (uint32_t)AUTOTUNE__REASON_BYTES;
    message->request = trial->request;
    message->answer = trial->answer;
    message->answer.reason = NULL;
    message->seconds = seconds;
    message->launches = trial->launches;
    if (message->reason_bytes) memcpy(report.bytes + sizeof *message, reason, message->reason_bytes);
    autotune__report_to_parent(&trial->isolation->child, &report, sizeof *message + message->reason_bytes);
}
/* Returns true if the process has memory left for the race. */
static bool autotune__has_memory(void) {
    void *volatile some = autotune__allocate(1 << 16);     /* volatile: clang removes unused allocations */
    const bool has = some != NULL;
    autotune__free(some);
    return has;
}
/* If this process is a child, sends a last report, and ends the child. The program goes on in the parent alone. */
static void autotune__end_child_process(const autotune__trial_state *trial, autotune__report_kind kind,
                                        const char *reason) {
    autotune__report_as_child(trial, kind, reason, 0);
    if (autotune__is_in_child(trial)) autotune__leave_child();
}
/* Reports to the parent an answer that the child gives to its race. If the child has no memory left, the configuration
   has used up the memory. Then the child ends. */
static void autotune__tell_answer(const autotune__trial_state *trial, double seconds) {
    const bool failed = trial->request.what == AUTOTUNE__RUN_IT && trial->answer.status != AUTOTUNE_OK;
    if (!autotune__is_in_child(trial)) return;
    if (trial->answer.execution == AUTOTUNE__WITHOUT_MEMORY || !autotune__has_memory())
        autotune__end_child_process(trial, AUTOTUNE__HAS_NO_MEMORY, NULL);
    autotune__report_as_child(trial, AUTOTUNE__HAS_ANSWER, failed ? trial->answer.reason : NULL, seconds);
}
/* Notes the first configuration that works, and forgets it if it fails later. The next children launch this
   configuration in their rehearsal. */
static void autotune__learn_what_works(autotune__trial_state *trial) {
    autotune__isolation *isolation = trial->isolation;
    const bool works = trial->answer.status == AUTOTUNE_OK;
    if (works && isolation->known == SIZE_MAX) isolation->known = trial->request.index;
    else if (!works && isolation->known == trial->request.index) isolation->known = SIZE_MAX;
}
/* Called after a RUN. Returns true if the RUN was a rehearsal. Then trial->request is again the request of the race,
   which has no answer yet. */
static bool autotune__was_rehearsal(autotune__trial_state *trial) {
    autotune__isolation *isolation = trial->isolation;
    if (!isolation->rehearses) { autotune__learn_what_works(trial); return false; }
    isolation->rehearses = false;
    trial->request = isolation->next;
    autotune__report_as_child(trial, AUTOTUNE__REHEARSAL_ENDED, NULL, 0);
    return true;
}
