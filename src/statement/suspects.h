/* A suspect is a configuration whose launch did not return in an earlier run: the program ended, or the device was
   lost. This room decides if a suspect is launched. It also notes first launches (store/launch_notes.h), and reports
   them to the parent of a child process. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "race_clock.h"
#include "elsewhere.h"

/* Called before the first launch of a configuration. If the program or its child ends now, this configuration is
   suspect. */
static void autotune__launch_begins(autotune__trial_state *trial, size_t point) {
    (void)autotune__note_launch(trial->store, point, AUTOTUNE__NOTE_BEGUN);
    if (trial->isolation) autotune__in_children.tell(trial, AUTOTUNE__LAUNCH_BEGINS, NULL, 0);
}
/* Called after the first launch has returned. Ranks that race their parts share one note, which stays open until the
   parts are raced. */
static void autotune__launch_came_back(autotune__trial_state *trial, size_t point) {
    if (!trial->turn->race->setup.parts) (void)autotune__note_launch(trial->store, point, AUTOTUNE__NOTE_CAME_BACK);
    if (trial->isolation) autotune__in_children.tell(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);
}
/* Called before a compiler runs inside a first launch. If the program ends while the compiler runs, the configuration
   is not suspect. Returns true if the caller has to call autotune__launch_begins() after the compiler. */
static bool autotune__put_off_launch(autotune__trial_state *trial) {
    const bool told = autotune__is_child(trial) && autotune__is_new(trial);
    if (told) autotune__in_children.tell(trial, AUTOTUNE__LAUNCH_IS_PUT_OFF, NULL, 0);
    return autotune__note_launch(trial->store, trial->request.index, AUTOTUNE__NOTE_WITHDRAWN) || told;
}
/* Closes the note of a first launch that was not made, that a step makes later, or whose outcome the record has. */
static void autotune__withdraw_launch(autotune__trial_state *trial) {
    (void)autotune__note_launch(trial->store, trial->request.index, AUTOTUNE__NOTE_WITHDRAWN);
}
/* Notes a launch that lost the device. Its note stays open, since the launch did not return properly. */
static void autotune__note_loss(autotune__trial_state *trial) {
    if (!autotune__is_loss_of_device(trial->subject->backend, trial->launch_status)) return;
    (void)autotune__note_launch(trial->store, trial->request.index, trial->mishap == AUTOTUNE__BROKE_DEVICE
                                                                  ? AUTOTUNE__NOTE_BROKE_DEVICE
                                                                  : AUTOTUNE__NOTE_LOST_DEVICE);
}
/* Returns true if the configuration is no suspect, or is launched nevertheless. Writes the decision about a suspect to
   the answer and to the log. */
static bool autotune__admits_suspect(autotune__trial_state *trial) {
    const unsigned flags = autotune__prior_flags(trial->turn->race->setup.prior, trial->request.index);
    if (!(flags & AUTOTUNE__SUSPECT) || autotune__is_child(trial)) return true;   /* only the child would end */
    trial->answer.note =
        flags & AUTOTUNE__CONVICTED ? "skipped: its launch broke the device in an earlier run"
        : flags & AUTOTUNE__SKIP
            ? "skipped: it did not come back in earlier runs, again and again, or lost the device"
            : "tried last: it did not come back in an earlier run";
    autotune__complain_of(trial->subject, "%s: %s; 'autotune clear' forgets that",
                          autotune__name_point(trial->subject, trial->request.index), trial->answer.note);
    if (!(flags & AUTOTUNE__SKIP)) return true;
    autotune__append(&trial->why, "%s", trial->answer.note);
    trial->launch_status = AUTOTUNE_FAILED;
    if (!(flags & AUTOTUNE__CONVICTED)) trial->answer.execution = AUTOTUNE__SPARED;     /* it might work */
    return false;
}
