/* A call of a key whose online race goes on: it is measured, or it uses the row in use. */
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

/* Gives the statement to this thread for a call. Takes the options that may differ between calls. */
static void autotune__take_call(autotune__statement *statement, const autotune_options *said) {
    autotune__set_outer(statement, autotune__current);
    statement->subject.options.result = said->result;
    statement->subject.options.user = said->user;
    statement->subject.options.verify = said->verify;
    statement->subject.options.work = said->work;
    autotune__current = statement;
}
/* Returns true if the call can be measured at the place that these options name. Times come later here. It cannot if
   the place cannot be entered now, if all numbers are taken, or if the race is over. */
static bool autotune__can_measure(autotune__call_race *ongoing, const autotune_options *said) {
    /* The place that the expression in .backend named besides the backend, in the thread that evaluated it. */
    void *const place = said->backend && said->backend->place ? said->backend->place(said->backend) : NULL;
    return autotune__enter_place(ongoing, place) == AUTOTUNE_OK &&
           autotune__collect_times(ongoing) && ongoing->open_count < AUTOTUNE_MOST_OPEN;
}
/* The call is not measured: it uses the known row. */
static autotune__start autotune__use_known(const autotune__entry *entry, const autotune_options *said) {
    autotune__start start = { entry->value, NULL };
    if (said->result) autotune__answer_hit(start.slot, said->result);
    return start;
}
/* Gives back a claimed call, which is not measured after all. If the race is over, the call uses the winner. */
static autotune__start autotune__give_back_call(autotune__statement *statement, autotune__entry *in_use,
                                                const autotune_options *said) {
    const autotune__entry *known = in_use;
    autotune__call_race *ongoing = statement->call_race;
    if (ongoing && ongoing->online.stage == AUTOTUNE__DECIDED) autotune__look_at_end(ongoing);     /* no row works */
    if (!statement->call_race && statement->entry && statement->entry->scope.backend == in_use->scope.backend)
        known = statement->entry;
    if (statement->call_race) autotune__leave_place(ongoing);
    autotune__current = statement->outer;
    autotune__hand_back(statement);
    return autotune__use_known(known, said);
}
/* Measures this call for the race of the key. This thread holds the call lock of the key. */
static autotune__start autotune__call_online(autotune__call_race *ongoing, autotune__entry *in_use,
                                             const autotune_options *said) {
    autotune__statement *statement = ongoing->statement;
    autotune__start start = { statement->subject.space->value, &statement->head };
    autotune__take_call(statement, said);
    if ((statement->subject.backend->ask && !autotune__can_measure(ongoing, said)) ||
        !autotune__begin_measured(ongoing))
        return autotune__give_back_call(statement, in_use, said);
    return start;
}
/* Measures the call. Returns false if another thread holds the call lock of the key: this call uses the row in use. */
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
