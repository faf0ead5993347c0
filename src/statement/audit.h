/* The audit of a call, AUTOTUNE_MODE=audit: is .restore complete? What a launch leaves in the buffers that the call
   names is compared with what the first launch left there. In a child process all other memory is compared, too: what
   the second launch changes there is carried over from launch to launch. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "in_child.h"

/* For instance: buffer 2 of .restore */
static void autotune__append_buffer_name(autotune__text *text, const autotune_options *o,
                                         const autotune__memory *memory) {
    const autotune_buffers *const lists[] = { &o->restore, &o->zero, &o->outputs };
    static const char *const names[] = { "restore", "zero", "outputs" };
    size_t list, i;
    for (list = 0; list < 3; list++)
        for (i = 0; i < lists[list]->count; i++)
            if (lists[list]->at[i].memory == memory->buffer.memory &&
                lists[list]->at[i].bytes == memory->buffer.bytes) {
                autotune__append(text, "buffer %lu of .%s", (unsigned long)i + 1, names[list]);
                return;
            }
}
/* A sentence of the audit: said by the parent, whose log the program has. */
static __attribute__((__format__(__printf__, 2, 3))) void autotune__say_of_audit(const autotune__trial_state *trial,
                                                                                 const char *format, ...) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    va_list list;
    va_start(list, format);
    autotune__append_list(&text, format, list);
    va_end(list);
    if (autotune__is_child(trial)) autotune__tell(trial, AUTOTUNE__SAYS, autotune__string(&text), 0);
    else autotune__say_of(AUTOTUNE_LOG_ERRORS, trial->subject, "%s", autotune__string(&text));
}
/* The memory that the call names is compared otherwise. */
static size_t autotune__bytes_of_call(const void *user, uintptr_t address) {
    const autotune__trial_state *trial = (const autotune__trial_state *)user;
    const autotune__memories *all = &trial->memories;
    size_t i;
    if (address - (uintptr_t)&trial->audit < sizeof trial->audit) return 1;
    for (i = 0; i < all->count; i++) {
        const autotune_buffer *buffer = &all->at[i].buffer;
        const uintptr_t offset = address - (uintptr_t)buffer->memory;
        if (offset < buffer->bytes) return buffer->bytes - offset;
    }
    return 0;
}
/* For instance: a second launch changes 16384 bytes of c: .restore = BUFFERS({c, 16384}) */
static void autotune__tell_change(const autotune__trial_state *trial, const autotune__change *change) {
    static const char *const nouns[] = { "", "", "a block of malloc()", "local variables of the functions that call it",
                                         "", "unnamed memory (mmap(), a large malloc(), thread-local)" };
    const uintptr_t word = change->last - change->first < 4 ? 4 : 8, first = change->first & ~(word - 1),
                    end = (change->last + word) & ~(word - 1), room = change->high - change->low;
    const bool is_variable = change->kind == AUTOTUNE__VARIABLE;
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    autotune__append(&text, "%lu bytes of %s%s", (unsigned long)(is_variable && room < word ? room : end - first),
                     *change->name ? change->name : nouns[change->kind], is_variable || !*change->name ? "" : "[]");
    if (first > change->low) autotune__append(&text, " from byte %lu on", (unsigned long)(first - change->low));
    if (is_variable || change->is_pointer)
        autotune__append(&text, ": .restore = BUFFERS({%s%s, %lu})", is_variable && room <= 16 ? "&" : "", change->name,
                         (unsigned long)(is_variable ? room : end - change->low));
    else autotune__append(&text, ": name the buffer in .restore");
    if (change->kind == AUTOTUNE__RANDOM)
        autotune__say_of_audit(trial, "a second launch changes the state of rand(): each launch gets other random "
                                      "numbers");
    else autotune__say_of_audit(trial, "a second launch changes %s", autotune__string(&text));
}
/* The second launch comes next. */
static void autotune__freeze_memory(autotune__trial_state *trial, const void *stack) {
    autotune__audit_state *audit = &trial->audit;
    const char *why = NULL;
    if (!autotune__environment.audits || !autotune__is_child(trial) || trial->memories.audited != 1 || audit->tried)
        return;
    audit->tried = true;
    if (!autotune__freeze(&audit->frozen, stack, &why))
        autotune__say_of_audit(trial, "memory that the call does not name is not compared: %s", why);
}
/* The second launch came back. */
static void autotune__compare_memory(autotune__trial_state *trial) {
    autotune__audit_state *audit = &trial->audit;
    autotune__change changes[AUTOTUNE__MOST_CHANGES];
    size_t count, i;
    if (!audit->frozen.process) return;
    autotune__tell(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);         /* a comparison may take longer than a launch */
    count = autotune__find_changes(&audit->frozen, autotune__bytes_of_call, trial, changes);
    for (i = 0; i < count; i++) autotune__tell_change(trial, &changes[i]);
    if (audit->frozen.left_out)
        autotune__say_of_audit(trial, "%snot compared are %s",
                               count ? "" : "a second launch changes nothing else, and ", audit->frozen.left_out);
    audit->carried = count || audit->frozen.left_out ? AUTOTUNE__MEMORY_CARRIED : AUTOTUNE__NOTHING_CARRIED;
}
static void autotune__say_audited(const autotune__trial_state *trial) {
    const bool named = trial->memories.count > 0;
    const bool nothing = trial->audit.carried == AUTOTUNE__NOTHING_CARRIED;
    if (named)
        autotune__say_of_audit(trial, "%d launches from the same buffers left the same in them%s",
                               (int)AUTOTUNE__AUDITED, nothing ? "; the second launch changes nothing else: nothing "
                                                                 "else is carried over" : "");
    else if (nothing)
        autotune__say_of_audit(trial, "the second launch changes nothing: nothing is carried over");
    else if (trial->audit.carried == AUTOTUNE__NOT_COMPARED)
        autotune__say_of_audit(trial, "nothing is compared after %d launches: .restore, .zero and .outputs name no "
                                      "buffer; if the call reads what it writes, name that in .restore",
                               (int)AUTOTUNE__AUDITED);
}
/* A launch of an audit has worked. The first difference to the first launch is told, else that there was none. */
static void autotune__audit_launch(autotune__trial_state *trial) {
    autotune__memories *all = &trial->memories;
    autotune__text found = { NULL, false };
    size_t i;
    all->audited++;
    for (i = 0; i < all->count && all->audited <= AUTOTUNE__AUDITED; i++) {
        if (!all->at[i].expected ||
            autotune__compare_output(all, &all->at[i], trial->subject->backend, &found) != AUTOTUNE_FAILED) continue;
        all->audited = AUTOTUNE__AUDITED + 1;
        autotune__append(&found, ", in ");
        autotune__append_buffer_name(&found, &trial->subject->options, &all->at[i]);
        autotune__say_of_audit(trial, "two launches from the same buffers differ (%s): a buffer that the call changes "
                                      "is missing in .restore, or the call is not deterministic",
                               autotune__string(&found));
    }
    autotune__free_text(&found);
    if (all->audited == AUTOTUNE__AUDITED) autotune__say_audited(trial);
}
