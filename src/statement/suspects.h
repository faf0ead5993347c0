/* Suspects in a race, which are configurations in whose launches earlier runs ended: may one be launched? And what a
   first launch tells to launch notes, which store/launch_notes.h judges, and to the parent of a child process. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "../ranks/floor.h"
#include "statement.h"
#include "race_clock.h"
#include "in_child.h"

/* Do all ranks know that a configuration is not to be launched, because of what earlier runs tell of it? */
static bool autotune__is_spared(const autotune__beginning *beginning, size_t point) {
    const autotune__deferred *deferred = &beginning->deferred;
    size_t i;
    for (i = 0; i < deferred->count; i++) if (deferred->points[i] == point) return deferred->spared[i];
    return false;
}

/* The first launch of a configuration begins: if the program, or its child, ends now, that is to blame. */
static void autotune__launch_begins(autotune__trial_state *trial, size_t point) {
    autotune__open_note(trial->store, point, NULL);
    autotune__tell(trial, AUTOTUNE__LAUNCH_BEGINS, NULL, 0);
}
/* It has come back. While ranks race their parts, the note of all of them stays open. */
static void autotune__launch_came_back(autotune__trial_state *trial, size_t point) {
    if (!trial->turn->race->setup.parts) autotune__close_note(trial->store, point, true);
    autotune__tell(trial, AUTOTUNE__LAUNCH_CAME_BACK, NULL, 0);
}
/* It was not made after all, or its record says what it came to. */
static void autotune__launch_tells_nothing(autotune__trial_state *trial) {
    autotune__close_note(trial->store, trial->request.index, false);
}
/* What lost the device, as a launch note calls it. NULL: nothing did. */
static const char *autotune__lost_by(const autotune__trial_state *trial) {
    const bool lost = autotune__is_loss_of_device(trial->subject->backend, trial->launch_status);
    return !lost ? NULL : trial->mishap == AUTOTUNE__BROKE_DEVICE ? "launch" : "device";
}
/* A launch that lost the device did not return properly: its note stays open. */
static void autotune__note_loss(autotune__trial_state *trial) {
    const char *lost = autotune__lost_by(trial);
    if (lost) autotune__open_note(trial->store, trial->request.index, lost);
}
/* May the configuration be launched, although earlier runs of the program ended in its launch? Its row and the log say
   what is done with a suspect. */
static bool autotune__admits_suspect(autotune__trial_state *trial) {
    static const char *const notes[] = {
        "", "tried last: it did not come back in an earlier run",
        "skipped: it did not come back in earlier runs, again and again, or lost the device",
        "skipped: its launch broke the device in an earlier run"
    };
    const autotune__suspicion suspicion = autotune__suspicion_of(trial->store, trial->request.index);
    if (suspicion == AUTOTUNE__UNSUSPECTED || autotune__is_child(trial)) return true;   /* it may end a child */
    trial->answer.note = notes[suspicion];
    autotune__complain_of(trial->subject, "%s: %s; 'autotune clear' forgets that",
                          autotune__name_point(trial->subject, trial->request.index), notes[suspicion]);
    if (suspicion == AUTOTUNE__TO_BE_LAST) return true;
    autotune__append(&trial->why, "%s", notes[suspicion]);
    trial->launch_status = AUTOTUNE_FAILED;
    trial->answer.spared = suspicion != AUTOTUNE__CONVICTED;        /* a convicted one is known to fail */
    return false;
}
