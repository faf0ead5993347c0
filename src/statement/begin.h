/* A call that is no hit. An entry or a stand-in answers the call, or an online race goes on, or a statement begins. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "peers.h"
#include "plan.h"
#include "identity.h"
#include "left_out.h"

static __attribute__((__cold__)) void autotune__free_statement(autotune__statement *statement) {
    autotune__subject *subject = &statement->subject;
    autotune__end_store(&statement->store);
    autotune__free_memories(&statement->trial.memories, subject->backend);
    autotune__free_text(&statement->trial.why);
    autotune__free(statement->trial.isolation);
    if (subject->close) subject->close(subject->backend);
    if (subject->space && subject->site->file) autotune__free_space(subject->space);  /* else a created tuner owns it */
    autotune__free(subject->space);
    autotune__free(subject->strings);
    autotune__free(subject->own_name);
    autotune__free_text(&subject->named_point);
    autotune__free(statement);
}
/* Returns false if there is no memory; autotune__free_statement() then frees the members that were made. */
static bool autotune__begin_subject(autotune__subject *subject, autotune__site *site,
                                    const autotune_options *options, const struct autotune__peers *peers) {
    autotune_backend *backend = options->backend ? options->backend : &autotune__cpu_backend;
    subject->site = site;
    subject->space = (autotune__space *)autotune__allocate(sizeof *subject->space);
    if (!subject->space || !(subject->strings = autotune__copy_options(&subject->options, options))) return false;
    if (autotune__environment.cache_state)
        subject->options.cache_state = (autotune_cache_state)autotune__environment.cache_state;
    subject->code = site;
    if (peers) peers->begin(subject);
    if (!options->name) subject->own_name = autotune__site_name(site);
    subject->name = options->name ? subject->options.name : subject->own_name;
    subject->backend =
        backend->open ? backend->open(backend, subject->options.autotune__place, &subject->options) : backend;
    subject->space->points = 1;
    subject->space->located = SIZE_MAX;
    if (subject->backend) subject->close = subject->backend->close;
    return subject->name && subject->backend;
}
static autotune__statement *autotune__make_statement(autotune__site *site, const autotune_options *options,
                                                     autotune_mode mode) {
    const struct autotune__peers *peers = autotune__peers_of(options);
    autotune__statement *statement =
        (autotune__statement *)autotune__allocate(sizeof *statement + (peers ? peers->group_bytes : 0));
    if (!statement) return NULL;
    if (!autotune__begin_subject(&statement->subject, site, options, peers)) {
        autotune__free_statement(statement);
        return NULL;
    }
    autotune__set_outer(statement, autotune__current);
    autotune__plan_statement(statement, mode);
    statement->prior.changes = autotune__changes_so_far();
    statement->turn.subject = &statement->subject;
    statement->trial.subject = &statement->subject;
    statement->trial.turn = &statement->turn;
    statement->trial.store = &statement->store;
    autotune__give_peers(statement, peers);
    autotune__clear_result(&statement->result);
    autotune__current = statement;
    return statement;
}

/* Begins a statement for a call that is no hit. Next, the call site describes its axes to the statement. */
static __attribute__((__cold__)) autotune__start autotune__begin_statement(
    autotune__site *site, const autotune_options *options, autotune_mode mode) {
    autotune__start start = { NULL, NULL };
    autotune_result nothing;
    const int error_number = errno;
    const struct autotune__peers *peers = mode == AUTOTUNE_OFF ? NULL : autotune__peers_of(options);
    autotune__statement *statement = autotune__make_statement(site, options, mode);
    if (statement) {
        statement->error_number = error_number;
        start.tuning = &statement->head;
        if (peers) peers->join(statement);
    } else {
        if (peers) peers->end_before_joining(site, options, AUTOTUNE_ERR_MEMORY);
        autotune__complain("%s%s%s: out of memory before the space could be described; the call was not made",
                           AUTOTUNE__SITE_NAME(site));
        autotune__clear_result(&nothing);
        nothing.status = AUTOTUNE_ERR_MEMORY;
        if (options->result) *options->result = autotune__shown(&nothing);
    }
    errno = error_number;
    return start;
}
/* Answers with the entry that the site has for the key: the winner, or a stand-in that is up to date. Returns false if
   the site has neither, or if the mode or autotune_tune() does not accept the entry. calls: true for a call, false for
   autotune_tune(). This function and autotune__run_statement(), which makes calls of created tuners, are not cold: a
   compiler makes cold functions short, and not fast. */
static __attribute__((__noinline__)) bool autotune__answers_at_once(const autotune__site *site,
                                                                    const autotune_options *options,
                                                                    autotune_mode mode, bool calls,
                                                                    autotune__start *answer) {
    const autotune__stand_in *stand_in;
    if (autotune__key_problem(&options->key)) return false;
    stand_in = autotune__find_stand_in(site, options, mode);       /* ranks have no stand-in */
    if (stand_in && autotune__is_up_to_date(stand_in, mode)) {
        answer->slot = autotune__answer_without_winner(stand_in, options->result);
        if (stand_in->missed && calls) autotune__count_miss(stand_in->missed, NULL);
        return true;
    }
    answer->slot = mode == AUTOTUNE_OFF ? NULL : autotune__find_winner(site, options);
    if (!answer->slot || (mode == AUTOTUNE_FORCE && !autotune__entry_of(answer->slot)->forced) ||
        (!calls && autotune__is_guess(autotune__entry_of(answer->slot))))
        return false;
    if (options->result) autotune__answer_hit(answer->slot, options->result);
    return true;
}
static autotune__start autotune__begin_any(autotune__site *site, const autotune_options *options, bool calls) {
    autotune_mode mode = (autotune__ready(), autotune__mode_of(options));
    const bool has_entries = __atomic_load_n(&site->last, __ATOMIC_RELAXED) != &AUTOTUNE__NO_ENTRY ||
                             __atomic_load_n(&site->stand_ins, __ATOMIC_RELAXED);
    autotune__start answer = { NULL, NULL };
    if (mode == AUTOTUNE_ONLINE && !autotune__measured_calls.begin) {
        if (!autotune__is_follower(options)) autotune__say_left_out(site, AUTOTUNE__MEASURED_CALLS);
        mode = AUTOTUNE_CACHED;
    }
    if (has_entries && autotune__answers_at_once(site, options, mode, calls, &answer))
        return options->watch && mode == AUTOTUNE_ONLINE && calls && answer.slot
                   ? autotune__measured_calls.watch(site, options, answer) : answer;
    if (mode == AUTOTUNE_ONLINE && autotune__measured_calls.go_on(site, options, &answer)) return answer;
    return autotune__begin_statement(site, options, mode);
}
/* Begins a detour: the configuration of a hit was refused. The statement does not tune. It does not ask other ranks
   either, since the call may be a hit on these ranks. */
AUTOTUNE__COLD autotune__start autotune__begin_again(autotune__site *site, const autotune_options *options) {
    const autotune_mode mode = autotune__peers_of(options) ? AUTOTUNE_OFF
                               : autotune__mode_of(options) == AUTOTUNE_REQUIRE ? AUTOTUNE_REQUIRE : AUTOTUNE_CACHED;
    const autotune__start start = autotune__begin_statement(site, options, mode);
    if (start.tuning) autotune__plan_detour(autotune__statement_of(start.tuning));
    return start;
}
