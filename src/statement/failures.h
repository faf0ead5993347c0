/* What a call says of its failure: a status, autotune_explain(), autotune_reject(), a wrong number of blocks. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "identity.h"
#include "settle.h"
#include "trial.h"

/* A status other than AUTOTUNE_OK, from the body or the call. */
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status) {
    autotune__fail_launch(&autotune__statement_of(tuning)->trial, (autotune_status)status);
}
/* Why the call of a hit fails: a hit has no statement that would keep the reason. launching: what this thread explains
   is of a hit, whatever statement that stands in. */
static __thread struct { bool launching; char why[256]; } autotune__hit_call;
static AUTOTUNE__UNUSED void autotune__begin_hit_call(void) {
    autotune__hit_call.launching = true;
    *autotune__hit_call.why = 0;
}
static AUTOTUNE__UNUSED void autotune__end_hit_call(void) { autotune__hit_call.launching = false; }
/* The winner failed in a hit: it is forgotten, and the next call tunes again. It is not to blame where the device, or
   what the backend needs, does not work; nor is it where the first configuration stands in for a winner. What an online
   race has in use stays. */
AUTOTUNE__COLD void autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why) {
    autotune__entry *entry = autotune__kept_entry(slot);
    const bool innocent = status == AUTOTUNE_ERR_DEVICE || status == AUTOTUNE_ERR_ENVIRONMENT || !entry ||
                          !entry->known_key,
               shared = !innocent && autotune__others_have(entry),
               forgotten = !innocent && !shared && autotune__forget_failed(entry);
    if (!why) why = *autotune__hit_call.why ? autotune__hit_call.why : autotune_status_text((autotune_status)status);
    if (result) result->status = (autotune_status)status;
    if (shared)
        autotune__complain("%s%s%s: the winner failed on rank %d (%s); it is not forgotten, since other ranks have it, "
                           "too: autotune_clear() on all ranks forgets it",
                           AUTOTUNE__SITE_NAME(site), entry->ranks->rank, why);
    else if (forgotten)
        autotune__complain("%s%s%s: the winner failed (%s) and is forgotten; a later call tunes again",
                           AUTOTUNE__SITE_NAME(site), why);
    else autotune__complain("%s%s%s: the call failed: %s", AUTOTUNE__SITE_NAME(site), why);
    *autotune__hit_call.why = 0;
}
AUTOTUNE__COLD void autotune__hit_violated(const autotune__site *site, const uint64_t *slot) {
    if (!__atomic_exchange_n(&autotune__entry_of(slot)->violated, true, __ATOMIC_RELAXED))
        autotune__complain(
            "%s%s%s: the %s does not satisfy WHERE, RANGE and POW2 here and is not launched: something that these read "
            "is missing in .key, or is bucketed there by ANCHOR(...)",
            AUTOTUNE__SITE_NAME(site),
            autotune__entry_of(slot)->known_key ? "known winner" : "first configuration of an earlier call");
}
/* As autotune__hit_violated(), for a winner that was found after a miss. False: WHERE admitted the configuration in
   this very statement. */
AUTOTUNE__COLD bool autotune__known_violated(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    if (!statement->entry || statement->subject.space->located != SIZE_MAX) return false;
    autotune__hit_violated(statement->subject.site, statement->entry->value);
    statement->exception = AUTOTUNE__REFUSES_WINNER;
    return true;
}
/* Keeps the first reason of a launch, since later failures mostly follow from the first. */
static void autotune__explain_list(const char *format, va_list list) {
    autotune__statement *statement = autotune__current;
    if (autotune__hit_call.launching) {
        if (!*autotune__hit_call.why) vsnprintf(autotune__hit_call.why, sizeof autotune__hit_call.why, format, list);
    } else if (statement && !autotune__has_text(&statement->trial.why))
        autotune__append_list(&statement->trial.why, format, list);
}
AUTOTUNE__COLD void autotune_explain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__explain_list(format, list);
    va_end(list);
}
/* For checks: explains, and returns false. */
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 1, 2))) bool autotune__disallow(const char *format,
                                                                                              ...) {
    va_list list;
    va_start(list, format);
    autotune__explain_list(format, list);
    va_end(list);
    return false;
}
/* Whatever was explained before, the launch of the innermost statement fails for this. False: there is none. */
static bool autotune__fail_current(autotune_status status, const char *why) {
    autotune__statement *statement = autotune__current;
    if (!statement) return false;
    autotune__clear_text(&statement->trial.why);
    autotune__append(&statement->trial.why, "%s", why);
    autotune__fail_launch(&statement->trial, status);
    return true;
}
AUTOTUNE__COLD autotune_status autotune_reject(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    (void)autotune__fail_current(AUTOTUNE_REJECTED, autotune__error);
    return AUTOTUNE_REJECTED;
}
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void) {
    const autotune_grid none = { 0, 0, 0 };
    const char *why = "a number of blocks or threads is negative or above INT32_MAX";
    if (!autotune__fail_current(AUTOTUNE_FAILED, why)) autotune__complain("%s: 0 is passed instead", why);
    return none;
}
