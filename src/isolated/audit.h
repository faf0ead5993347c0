/* The audit of a call, AUTOTUNE_MODE=audit, checks if .restore is complete. The audit makes three launches. After the
   second and the third launch it compares the buffers that the call names with their content after the first launch. In
   a child process the audit also compares other memory before and after the second launch. The next launch starts with
   each change of other memory. The manual lists the memory that is not compared. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "state.h"
#include "in_child.h"

/* Logs a sentence of the audit. A child reports the sentence to its parent, which logs it. */
static __attribute__((__format__(__printf__, 2, 3))) void autotune__say_of_audit(const autotune__trial_state *trial,
                                                                                 const char *format, ...) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    AUTOTUNE__APPEND_ARGUMENTS(&text, format);
    if (autotune__is_child(trial)) autotune__report_as_child(trial, AUTOTUNE__SAYS, autotune__string(&text), 0);
    else autotune__say_of(AUTOTUNE_LOG_ERRORS, trial->subject, "%s", autotune__string(&text));
}
/* Returns true if the address is in a buffer that the call names, or in the state of the isolated race. Neither is
   compared with frozen memory. */
static bool autotune__is_named_by_call(const void *user, uintptr_t address) {
    const autotune__trial_state *trial = (const autotune__trial_state *)user;
    const autotune__memory *memory = trial->memories.at, *end = memory + trial->memories.count;
    while (memory < end && address - (uintptr_t)memory->buffer.memory >= memory->buffer.bytes) memory++;
    return memory < end || address - (uintptr_t)trial->isolation < sizeof *trial->isolation;
}
/* Logs a change, such as: a second launch changes 16384 bytes of c: .restore = BUFFERS({c, 16384}). The first number
   counts the bytes from the first to the last changed byte. To cover whole elements, this range is extended to
   multiples of 16 bytes, but not beyond the end of the variable or block. */
static void autotune__tell_change(const void *user, const autotune__change *change) {
    static const char *const nouns[] = { "", "", "a block of malloc()", "the state of rand()",
                                         "local variables of the functions that call it", "memory without a name" };
    const autotune__trial_state *trial = (const autotune__trial_state *)user;
    const uintptr_t low = change->low, room = change->high - low, behind = (change->last - low) / 16 * 16 + 16;
    const unsigned long bytes = (unsigned long)((behind < room ? behind : room) - (change->first - low) / 16 * 16);
    if (!*change->name)
        autotune__say_of_audit(trial, "a second launch changes %lu bytes of %s: %s", bytes, nouns[change->kind],
                               change->kind == AUTOTUNE__RANDOM ? "each launch gets other random numbers"
                                                                : "name the buffer in .restore");
    else
        autotune__say_of_audit(trial, "a second launch changes %lu bytes of %s: .restore = BUFFERS({%s%s, %lu})", bytes,
                               change->name, room <= 16 ? "&" : "", change->name, (unsigned long)room);
}
/* Called at the end of autotune__next(). In the child of an audit, freezes the memory before the second launch. An
   audit is rare, so the functions of an audit are not inlined into autotune__next(). */
static __attribute__((__noinline__)) void autotune__freeze_memory(autotune__trial_state *trial, const void *stack) {
    autotune__frozen *frozen = &trial->isolation->frozen;
    const char *why = NULL;
    if (!autotune__environment.audits || !autotune__is_child(trial) || trial->memories.audited != 1 || frozen->changes)
        return;
    frozen->stack = (uintptr_t)stack;
    frozen->excludes = autotune__is_named_by_call;
    frozen->tell = autotune__tell_change;
    frozen->user = trial;
    if (!autotune__freeze(frozen, &why))
        autotune__say_of_audit(trial, "memory that the call does not name is not compared: %s", why);
}
/* Called at the beginning of autotune__next(). Compares the memory if it was frozen before the launch. */
static __attribute__((__cold__, __noinline__)) void autotune__compare_memory(autotune__trial_state *trial) {
    if (!trial->isolation->frozen.process) return;
    /* A comparison may take longer than the parent waits for a launch. So the child first reports that the launch has
       returned. */
    autotune__report_as_child(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);
    autotune__tell_changes(&trial->isolation->frozen);
}
static void autotune__say_audited(const autotune__trial_state *trial) {
    const autotune__frozen *frozen = trial->isolation ? &trial->isolation->frozen : NULL;
    const bool is_complete = frozen && frozen->is_complete, nothing = is_complete && !frozen->told;
    if (trial->memories.count > 0)
        autotune__say_of_audit(trial, "3 launches from the same buffers left the same in them%s",
                               nothing ? "; the second launch changes nothing else that an audit compares" : "");
    else if (nothing || !is_complete)
        autotune__say_of_audit(trial, "%s", nothing ? "the second launch changes nothing that an audit compares"
                                                    : "nothing is compared after 3 launches: .restore, .zero and "
                                                      ".outputs name no buffer; if the call reads what it writes, "
                                                      "name that in .restore");
}
/* Called in an audit after each launch that worked. Logs the first difference of a named buffer from its content after
   the first launch. If no buffer differed, logs the result of the audit after the last launch. */
static __attribute__((__cold__, __noinline__)) void autotune__audit_launch(autotune__trial_state *trial) {
    autotune__memories *all = &trial->memories;
    autotune__text found AUTOTUNE__FREED = { NULL, false };
    size_t i;
    all->audited++;
    for (i = 0; i < all->count && all->audited <= AUTOTUNE__AUDITED; i++) {
        if (autotune__compare_output(all, &all->at[i], trial->subject->backend, &found) != AUTOTUNE_FAILED) continue;
        all->audited = AUTOTUNE__AUDITED + 1;
        autotune__append(&found, ", in ");
        autotune__append_buffer_name(&found, &trial->subject->options, &all->at[i]);
        autotune__say_of_audit(trial, "two launches from the same buffers differ (%s): a buffer that the call changes "
                                      "is missing in .restore, or the call is not deterministic",
                               autotune__string(&found));
    }
    if (all->audited == AUTOTUNE__AUDITED) autotune__say_audited(trial);
}
