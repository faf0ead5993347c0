/* Checks of a launch: its outputs, .verify, and its time. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "statement.h"
#include "race_clock.h"
#include "peers.h"
#include "elsewhere.h"

/* Appends the name of a buffer, such as "buffer 2 of .restore". */
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
/* Calls .verify, if the launch of this point worked. .verify may refuse the launch. */
static void autotune__ask_verify(autotune__trial_state *trial, size_t point) {
    const autotune_options *o = &trial->subject->options;
    autotune_config config;
    if (trial->launch_status != AUTOTUNE_OK || !o->verify) return;
    if (!autotune__configure(trial->subject->space, point, &config)) {
        trial->launch_status = AUTOTUNE_ERR_MEMORY;
        return;
    }
    if (o->verify(o->user, &config)) return;
    autotune_explain("refused by .verify");     /* a reason that .verify gave stays */
    trial->launch_status = AUTOTUNE_FAILED;
}
/* Logs outputs that have only NaNs. The call has probably read its outputs, which were filled with NaNs as poison. A
   comparison of NaNs does not notice wrong results. */
static void autotune__tell_of_nan(autotune__trial_state *trial) {
    autotune__text name AUTOTUNE__FREED = { NULL, false };
    size_t i;
    for (i = 0; i < trial->memories.count; i++) {
        autotune__memory *memory = &trial->memories.at[i];
        if (memory->largest >= 0) continue;
        memory->largest = 0;
        autotune__clear_text(&name);
        autotune__append_buffer_name(&name, &trial->subject->options, memory);
        autotune__complain_of(trial->subject,
                              "a launch left nothing but NaNs in %s, so that wrong results there are not noticed: if "
                              "the call reads the buffer, name it in .restore, too", autotune__string(&name));
    }
}
/* Called after a first launch that worked, if there is something to check. Compares its outputs with the expected
   outputs, or makes the comparisons of an audit. Then calls .verify. The check may fail on one rank alone, so the ranks
   agree after the check. */
static void autotune__check_outputs(autotune__trial_state *trial) {
    const uint64_t from = autotune__clock_now(trial->subject);
    if (autotune__environment.audits) autotune__in_children.audit_launch(trial);
    else trial->launch_status = autotune__compare(&trial->memories, trial->subject->backend, &trial->why);
    if (trial->launch_status == AUTOTUNE_FAILED && !autotune__environment.audits)
        trial->answer.outputs = autotune__compare_with_wrong(&trial->memories, trial->subject->backend);
    autotune__ask_verify(trial, trial->request.index);
    if (trial->launch_status == AUTOTUNE_OK)
        trial->launch_status = autotune__keep_outputs(&trial->memories, trial->subject->backend);
    if (trial->launch_status == AUTOTUNE_OK) autotune__clear_text(&trial->why);  /* why the device did not compare */
    if (trial->launch_status == AUTOTUNE_OK) trial->answer.outputs = AUTOTUNE__AS_EXPECTED;
    autotune__count_match(&trial->memories, trial->answer.outputs);
    autotune__tell_of_nan(trial);
    if (trial->launch_status == AUTOTUNE_ERR_MEMORY) trial->answer.execution = AUTOTUNE__WITHOUT_MEMORY;
    autotune__exclude_time_since(trial, from);
    if (trial->peers) trial->peers->agree_to_go_on(trial);
}
static void autotune__say_too_short(autotune__text *why, double ns) {
    autotune__append(why, "%.0f ns is less than an empty launch takes: the call launches on another stream than "
                          ".backend names, or its launch was refused and nobody asked for the error "
                          "(after <<<>>> return cudaGetLastError())", ns);
}
/* Fails a launch that took less time than any launch takes: it ran on a stream that is not timed, or was refused. A
   launch of a disturbed RUN does not fail, since its time does not count. */
static void autotune__check_time(autotune__trial_state *trial, bool disturbed) {
    if (trial->launch_status != AUTOTUNE_OK || disturbed ||
        !autotune__is_below_least(&trial->sampling, trial->subject->backend->least_launch_ns, trial->request.tick_ns))
        return;
    autotune__say_too_short(&trial->why, trial->sampling.elapsed_ns / trial->sampling.launched);
    trial->launch_status = AUTOTUNE_FAILED;
}
