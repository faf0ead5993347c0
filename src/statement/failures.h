/* The ways in which a call reports its failure: a status, autotune_explain(), autotune_reject(), a wrong number of
   blocks. This room also decides if the winner of a hit that failed is forgotten. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "statement.h"
#include "identity.h"
#include "settle.h"
#include "trial.h"

/* Takes a status other than AUTOTUNE_OK, from the body or the call. */
AUTOTUNE__COLD void autotune__trial_failed(autotune__tuning *tuning, int status) {
    autotune__fail_launch(&autotune__statement_of(tuning)->trial, (autotune_status)status);
}
/* The failure of a hit in this thread. It is kept here, since a hit has no statement.
   launching: the library launches for a hit, so autotune_explain() explains the failure of this hit.
   reported: the values of a hit whose failed launch was reported. If its call then fails, too, this is not reported.
   rejections: how often the thread called autotune_reject() outside of statements.
   seen: `rejections` when a hit failed last.
   why: the reason of the failure; "": no reason is known. */
static __thread struct { bool launching; const uint64_t *reported; unsigned rejections, seen; char why[256]; }
    autotune__hit_call;
AUTOTUNE__COLD unsigned autotune__rejections(void) { return autotune__hit_call.rejections; }
/* Returns the reason that the call gave, else the text of the status. autotune_reject() gives its reason as the last
   error of the thread. */
static const char *autotune__why_hit_failed(autotune_status status) {
    char *why = autotune__hit_call.why;
    if (!*why && status == AUTOTUNE_REJECTED && autotune__hit_call.rejections != autotune__hit_call.seen)
        autotune__put_text(why, sizeof autotune__hit_call.why, "%s", autotune__error);
    autotune__hit_call.seen = autotune__hit_call.rejections;
    return *why ? why : autotune_status_text(status);
}
static AUTOTUNE__UNUSED void autotune__begin_hit_call(void) {
    autotune__hit_call.launching = true;
    *autotune__hit_call.why = 0;
}
static AUTOTUNE__UNUSED void autotune__end_hit_call(void) { autotune__hit_call.launching = false; }
/* Forgets a winner that failed in a hit, so that a later call tunes again. A winner stays if the device or the
   environment failed. A stand-in stays, too. autotune__forget_winner() names the other winners that stay. Returns true
   if the call was rejected, and is made again with another configuration. */
AUTOTUNE__COLD bool autotune__hit_failed(const autotune__site *site, const uint64_t *slot, autotune_result *result,
                                         int status, const char *why) {
    autotune__entry *entry = autotune__kept_entry(slot);
    const bool innocent = status == AUTOTUNE_ERR_DEVICE || status == AUTOTUNE_ERR_ENVIRONMENT || !entry ||
                          !entry->known_key, told = slot && autotune__hit_call.reported == slot,
               again = status == AUTOTUNE_REJECTED && entry && !autotune__others_have(entry) &&
                       (!site->text || AUTOTUNE__MAY_REFUSE(site->text)) && entry->result.verdict != AUTOTUNE_PINNED;
    const char *stays;
    autotune__hit_call.reported = NULL;
    if (told) return false;
    if (!why) why = autotune__why_hit_failed((autotune_status)status);
    if (result) result->status = (autotune_status)status;
    stays = innocent ? "" : autotune__forget_winner(entry, true);
    if (!stays)
        autotune__complain("%s%s%s: the winner failed (%s) and is forgotten; a later call tunes again",
                           AUTOTUNE__SITE_NAME(site), why);
    else if (!again || *stays)
        autotune__complain("%s%s%s: the call failed: %s%s", AUTOTUNE__SITE_NAME(site), why, stays);
    *autotune__hit_call.why = 0;
    return again;
}
/* Takes the failure of a launch that the library made, such as CUDA_LAUNCH, OPENCL_RUN or CC_CALL. */
AUTOTUNE__COLD void autotune__own_launch_failed(autotune__tuning *tuning, const autotune__site *site,
                                                const uint64_t *slot, autotune_result *result, int status) {
    if (tuning) { autotune__trial_failed(tuning, status); return; }
    autotune__hit_call.reported = NULL;
    autotune__hit_failed(site, slot, result, status, NULL);
    autotune__hit_call.reported = slot;
}
/* Called if WHERE refuses the configuration of a hit or of a record: the call is made with another configuration.
   Always returns false: the refused configuration is not launched. */
AUTOTUNE__COLD bool autotune__report_refused(autotune__site *site) {
    if (autotune__says_first(site, AUTOTUNE_ERR_SPACE))
        autotune__complain(
            "%s%s%s: what is known for the key does not satisfy WHERE here: something that WHERE reads is missing in "
            ".key, or is bucketed there by ANCHOR(...)", AUTOTUNE__SITE_NAME(site));
    return false;
}
/* Keeps the first reason of a launch: most later failures follow from the first. */
AUTOTUNE__COLD void autotune_explain(const char *format, ...) {
    autotune__statement *statement = autotune__current;
    va_list list;
    va_start(list, format);
    if (autotune__hit_call.launching) {
        if (!*autotune__hit_call.why)
            autotune__put_list(autotune__hit_call.why, sizeof autotune__hit_call.why, format, list);
    } else if (statement && !autotune__has_text(&statement->trial.why))
        autotune__append_list(&statement->trial.why, format, list);
    va_end(list);
}
/* Fails the launch of the innermost statement. `why` replaces any earlier reason. Returns false if there is no
   statement. */
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
    autotune__put_list(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    if (!autotune__fail_current(AUTOTUNE_REJECTED, autotune__error)) autotune__hit_call.rejections++;
    return AUTOTUNE_REJECTED;
}
AUTOTUNE__COLD autotune_grid autotune__bad_grid(void) {
    const autotune_grid none = { 0, 0, 0 };
    const char *why = "a number of blocks or threads is negative or above INT32_MAX";
    if (!autotune__fail_current(AUTOTUNE_FAILED, why)) autotune__complain("%s: 0 is passed instead", why);
    return none;
}
