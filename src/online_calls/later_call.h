/* A later call of a key whose online race goes on, or whose winner is watched: the call is measured, or runs the row in
   use. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../online/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "call_lock.h"
#include "race.h"
#include "open_calls.h"
#include "measure.h"

/* Enters the place that these options name, and tells the rule the times of open calls that have ended. Returns true if
   the device can clock the call there. Returns false if the backend cannot enter the place now, if too many calls are
   open, or if the race was ended. */
static bool autotune__can_measure(autotune__call_race *call_race, const autotune_options *options) {
    /* The expression in .backend may also name a place, such as CUDA(stream). The backend keeps the place that this
       thread named last. */
    void *const place = options->backend && options->backend->place ? options->backend->place(options->backend) : NULL;
    return autotune__enter_place(call_race, place) == AUTOTUNE_OK &&
           autotune__collect_times(call_race) && call_race->open_count < AUTOTUNE_MOST_OPEN;
}
/* Returns the start of a call that runs the configuration of this entry, and is not measured. */
static autotune__start autotune__use_known(const autotune__entry *entry, const autotune_options *options) {
    autotune__start start = { entry->value, NULL };
    if (options->result) autotune__answer_hit(start.slot, options->result);
    return start;
}
/* Releases the call lock of a call that cannot be measured. If the race is over and the winner's entry has the backend
   of this call, the call runs the winner. Else the call runs the row in use. */
static autotune__start autotune__give_up_call(autotune__statement *statement, autotune__entry *in_use,
                                              const autotune_options *options) {
    const autotune__entry *known = in_use;
    autotune__call_race *call_race = statement->call_race;
    if (call_race && call_race->online.stage == AUTOTUNE__DECIDED) autotune__publish_or_write(call_race);
    if (!statement->call_race && statement->entry && statement->entry->scope.backend == in_use->scope.backend)
        known = statement->entry;
    if (statement->call_race) autotune__leave_place(call_race);
    autotune__current = statement->outer;
    autotune__end_call_and_unlock(statement);
    return autotune__use_known(known, options);
}
/* Starts a call, and measures it for the race of the key, unless the backend cannot measure the call, no row works,
   or there is no memory. This thread holds the call lock of the key. Makes the statement of the race this thread's
   current statement, and copies the options that may differ between calls. */
static autotune__start autotune__call_online(autotune__call_race *call_race, autotune__entry *in_use,
                                             const autotune_options *options) {
    autotune__statement *statement = call_race->statement;
    autotune__start start = { statement->subject.space->value, &statement->head };
    autotune__set_outer(statement, autotune__current);
    autotune__current = statement;
    statement->subject.options.result = options->result;
    statement->subject.options.user = options->user;
    statement->subject.options.verify = options->verify;
    statement->subject.options.work = options->work;
    if ((statement->subject.backend->ask && !autotune__can_measure(call_race, options)) ||
        !autotune__begin_measured(call_race))
        return autotune__give_up_call(statement, in_use, options);
    return start;
}
/* Starts a call. The call is measured if this thread gets the call lock of the key, and if the key still has a race. If
   a device clocks the calls, .backend must also be the backend of the race. Else the call runs the row in use. Returns
   true if this thread got the lock. */
static bool autotune__continue_call(autotune__entry *in_use, const autotune_options *options, autotune__start *start) {
    autotune__known_key *known_key = in_use->known_key;
    const bool locked = autotune__take_call_lock(known_key);
    autotune__call_race *call_race = locked && autotune__has_in_use(known_key) ? known_key->calls.race : NULL;
    const autotune__subject *subject = call_race ? &call_race->statement->subject : NULL;
    if (subject && (!subject->backend->ask || options->backend == subject->options.backend)) {
        *start = autotune__call_online(call_race, in_use, options);
        return true;
    }
    if (locked) autotune__release_call_lock(known_key);
    *start = autotune__use_known(in_use, options);
    return locked;
}
