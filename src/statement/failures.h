/* What a call says of its failure: a status, autotune_explain(), autotune_reject(), a wrong number of blocks. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/functions.h"
#include "../site/hit.h"
#include "../system/threads.h"
#include "../base/text.h"
#include "../base/log.h"
#include "../registry/entries.h"
#include "statement.h"
#include "../registry/results.h"
#include "begin.h"
#include "trial.h"

/* A status other than AUTOTUNE_OK, from the body or the call. */
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status) {
    autotune__fail_launch(&autotune__statement_of(tuning)->trial, (autotune_status)status);
}
/* The winner failed in a hit: it is forgotten, and the next call tunes again. */
AUTOTUNE__COLD void autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why) {
    autotune__entry *entry = autotune__entry_of(slot);
    autotune__lock_mutex(&autotune__lock);
    autotune__forget(entry);
    entry->record->distrusted = true;
    autotune__unlock_mutex(&autotune__lock);
    if (result) result->status = (autotune_status)status;
    autotune__complain("%s%s%s: the winner failed (%s) and is forgotten; a later call tunes again",
                       AUTOTUNE__SITE_NAME(site), why ? why : autotune_status_text((autotune_status)status));
}
AUTOTUNE__COLD void autotune__hit_violated(const autotune__site *site, const uint64_t *slot) {
    if (!__atomic_exchange_n(&autotune__entry_of(slot)->violated, true, __ATOMIC_RELAXED))
        autotune__complain(
            "%s%s%s: the known winner does not satisfy WHERE here and is not launched: something that WHERE "
            "reads is missing in .key, or is bucketed there by ANCHOR(...)",
            AUTOTUNE__SITE_NAME(site));
}
/* As autotune__hit_violated(), for a winner that was found after a miss. False: WHERE admitted the configuration in
   this very statement. */
AUTOTUNE__COLD bool autotune__known_violated(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (!statement->entry || statement->subject.space.at != SIZE_MAX) return false;
    autotune__hit_violated(statement->subject.site, statement->entry->value);
    return statement->refused = true;
}
/* Keeps the first reason of a launch, since later failures mostly follow from the first. */
static void autotune__explain_list(const char *format, va_list list) {
    autotune__statement *statement = autotune__current;
    if (statement && !(statement->trial.why.at && *statement->trial.why.at))
        autotune__append_list(&statement->trial.why, format, list);
}
AUTOTUNE__COLD void autotune_explain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__explain_list(format, list);
    va_end(list);
}
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...) {
    autotune__statement *statement = autotune__current;
    va_list list;
    va_start(list, format);
    vsnprintf(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    if (statement) {
        autotune__clear_text(&statement->trial.why);
        autotune__append(&statement->trial.why, "%s", autotune__error);
        autotune__fail_launch(&statement->trial, AUTOTUNE_REJECTED);
    }
    return AUTOTUNE_REJECTED;
}
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void) {
    const autotune_grid none = { 0, 0, 0 };
    autotune__statement *statement = autotune__current;
    if (statement) {
        autotune__clear_text(&statement->trial.why);
        autotune__append(&statement->trial.why, "a number of blocks or threads is negative or above INT32_MAX");
        autotune__fail_launch(&statement->trial, AUTOTUNE_FAILED);
    } else autotune__complain("a number of blocks or threads is negative or above INT32_MAX: 0 is passed instead");
    return none;
}
