/* The audit of a call, AUTOTUNE_MODE=audit: is .restore complete? What a launch leaves in the buffers that the call
   names is compared with what the first launch left there. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "statement.h"

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
static void autotune__say_audited(const autotune__trial_state *trial) {
    autotune__say_of(AUTOTUNE_LOG_ERRORS, trial->subject,
                     trial->memories.count ? "%d launches from the same buffers left the same in them"
                                           : "nothing is compared after %d launches: .restore, .zero and .outputs name "
                                             "no buffer; if the call reads what it writes, name that in .restore",
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
        autotune__complain_of(trial->subject,
                              "two launches from the same buffers differ (%s): a buffer that the call changes is "
                              "missing in .restore, or the call is not deterministic", autotune__string(&found));
    }
    autotune__free_text(&found);
    if (all->audited == AUTOTUNE__AUDITED) autotune__say_audited(trial);
}
