/* Suspects in a race, which are configurations in whose launches earlier runs ended: may one be launched? And what a
   first launch tells to launch notes, which store/launch_notes.h judges, and to the parent of a child process. */
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

/* The first launch of a configuration begins: if the program, or its child, ends now, that is to blame. */
static void autotune__launch_begins(autotune__trial_state *trial, size_t point) {
    (void)autotune__note_launch(trial->store, point, AUTOTUNE__NOTE_BEGUN);
    if (trial->elsewhere) trial->elsewhere->tell(trial, AUTOTUNE__LAUNCH_BEGINS, NULL, 0);
}
/* It has come back. While ranks race their parts, the note of all of them stays open. */
static void autotune__launch_came_back(autotune__trial_state *trial, size_t point) {
    if (!trial->turn->race->setup.parts) (void)autotune__note_launch(trial->store, point, AUTOTUNE__NOTE_CAME_BACK);
    if (trial->elsewhere) trial->elsewhere->tell(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);
}
/* Something is compiled in the midst of a first launch: what ends the program meanwhile is not to blame. Returns true
   if the launch begins anew after that. */
static bool autotune__launch_is_put_off(autotune__trial_state *trial) {
    const bool told = autotune__is_child(trial) && autotune__is_new(trial);
    if (told) trial->elsewhere->tell(trial, AUTOTUNE__LAUNCH_IS_PUT_OFF, NULL, 0);
    return autotune__note_launch(trial->store, trial->request.index, AUTOTUNE__NOTE_NOTHING) || told;
}
/* It was not made after all, or its record says what it came to. */
static void autotune__launch_tells_nothing(autotune__trial_state *trial) {
    (void)autotune__note_launch(trial->store, trial->request.index, AUTOTUNE__NOTE_NOTHING);
}
/* A launch that lost the device did not return properly: its note stays open. */
static void autotune__note_loss(autotune__trial_state *trial) {
    if (!autotune__is_loss_of_device(trial->subject->backend, trial->launch_status)) return;
    (void)autotune__note_launch(trial->store, trial->request.index, trial->mishap == AUTOTUNE__BROKE_DEVICE
                                                                  ? AUTOTUNE__NOTE_BROKE_DEVICE
                                                                  : AUTOTUNE__NOTE_LOST_DEVICE);
}
/* May the configuration be launched, although earlier runs of the program ended in its launch? Its row and the log say
   what is done with a suspect. */
static bool autotune__admits_suspect(autotune__trial_state *trial) {
    const unsigned flags = autotune__prior_flags(trial->turn->race->setup.prior, trial->request.index);
    if (!(flags & AUTOTUNE__SUSPECT) || autotune__is_child(trial)) return true;         /* it may end a child */
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
    if (!(flags & AUTOTUNE__CONVICTED)) trial->answer.execution = AUTOTUNE__SPARED;     /* else it is known to fail */
    return false;
}
