/* A call of a key whose online race goes on: is it measured, or made with what is in use? */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../online/floor.h"
#include "../registry/floor.h"
#include "../statement/floor.h"
#include "race.h"
#include "open_calls.h"
#include "measure.h"

/* The statement makes a call of this thread, and the backend may ask for it. */
static void autotune__take_call(autotune__statement *statement, const autotune_options *said) {
    autotune__set_outer(statement, autotune__current);
    statement->subject.options.result = said->result;
    statement->subject.options.user = said->user;
    statement->subject.options.verify = said->verify;
    statement->subject.options.work = said->work;
    autotune__current = statement;
}
/* Is the call measured that goes to where these options say, on a device that nobody waits for? So it is unless the
   place is none for that now, all numbers are taken, or the race is over. */
static bool autotune__enters(autotune__call_race *ongoing, const autotune_options *said) {
    /* The place that the expression in .backend said besides the backend, in the thread that wrote it. */
    void *const place = said->backend && said->backend->place ? said->backend->place(said->backend) : NULL;
    return autotune__enter_place(ongoing, place) == AUTOTUNE_OK &&
           autotune__collect_times(ongoing) && ongoing->open_count < AUTOTUNE_MOST_OPEN;
}
/* The call is not measured, and goes on with what is known. */
static autotune__start autotune__use_known(const autotune__entry *entry, const autotune_options *said) {
    autotune__start start = { entry->value, NULL };
    if (said->result) autotune__answer_hit(start.slot, said->result);
    return start;
}
/* The call that was claimed is not measured after all. The race may be over: then the winner is known. */
static autotune__start autotune__give_back_call(autotune__statement *statement, autotune__entry *in_use,
                                                const autotune_options *said) {
    const autotune__entry *known = in_use;
    autotune__call_race *ongoing = statement->call_race;
    if (ongoing && ongoing->online.stage == AUTOTUNE__DECIDED) autotune__look_at_end(ongoing);     /* none works */
    if (!statement->call_race && statement->entry && statement->entry->scope.backend == in_use->scope.backend)
        known = statement->entry;
    if (statement->call_race) autotune__leave_place(ongoing);
    autotune__current = statement->outer;
    autotune__hand_back(statement);
    return autotune__use_known(known, said);
}
/* The race of the key goes on, and this call is the one that is measured: no other thread has a call of it now. */
static autotune__start autotune__call_online(autotune__call_race *ongoing, autotune__entry *in_use,
                                             const autotune_options *said) {
    autotune__statement *statement = ongoing->statement;
    autotune__start start = { statement->subject.space->value, &statement->head };
    autotune__take_call(statement, said);
    if ((autotune__is_awaited_later(statement) && !autotune__enters(ongoing, said)) ||
        !autotune__begin_measured(ongoing))
        return autotune__give_back_call(statement, in_use, said);
    return start;
}
/* The call is measured, unless that of another thread is: then it goes on with the best so far, and this is false. */
static bool autotune__continue_call(autotune__entry *in_use, const autotune_options *said, autotune__start *start) {
    autotune__known_key *known_key = in_use->known_key;
    const bool claimed = autotune__claim_call(known_key);
    autotune__call_race *ongoing = claimed && autotune__is_in_use(known_key) ? known_key->calls.race : NULL;
    const autotune__subject *subject = ongoing ? &ongoing->statement->subject : NULL;
    if (subject && (!subject->backend->ask || said->backend == subject->options.backend)) {
        *start = autotune__call_online(ongoing, in_use, said);
        return true;
    }
    if (claimed) autotune__release_call(known_key);
    *start = autotune__use_known(in_use, said);
    return claimed;
}
