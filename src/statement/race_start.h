/* The knowledge with which a race begins, beside its limits. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"
#include "suspects.h"

static void autotune__forget_flags(autotune__prior *prior, unsigned flags) {
    size_t i;
    for (i = 0; i < autotune__count(prior->rows); i++) prior->rows[i].flags &= ~flags;
}
/* Times of earlier runs do not count any more: they are of other kernels, or what they speak for no longer works. */
static void autotune__forget_times(autotune__prior *prior) {
    autotune__forget_flags(prior, AUTOTUNE__OF_RACES);
    prior->rest = AUTOTUNE__REST_ANEW;
    prior->former = 0;
    prior->work = prior->seconds = 0;
}
/* Sets up a race of the statement. */
static void autotune__describe_race(const autotune__statement *statement, autotune__race_setup *setup) {
    const autotune__prior *prior = &statement->prior;
    const autotune__race *part = statement->race_state ? statement->race_state->part : NULL;
    memset(setup, 0, sizeof *setup);
    setup->points = statement->subject.space->points;
    setup->space = statement->subject.space;
    setup->purpose = autotune__verifies(&statement->subject) ? AUTOTUNE__TO_VERIFY
                     : prior->recalled.duel                  ? AUTOTUNE__TO_DUEL_AGAIN
                     : part                                  ? AUTOTUNE__TO_DUEL
                     : autotune__environment.audits          ? AUTOTUNE__TO_AUDIT
                     : autotune__is_unlisted(setup->space)   ? AUTOTUNE__TO_SAMPLE : AUTOTUNE__TO_TUNE;
    setup->is_checked = statement->subject.options.outputs.count || statement->subject.options.verify;
    setup->prior = prior->rows;
    setup->scatter = prior->scatter;
    setup->rest = !part ? prior->rest : part->left_out ? AUTOTUNE__REST_UNTRIED : AUTOTUNE__REST_LOST;
}
/* Limits a race that does not tune the whole space. */
static void autotune__limit_to_purpose(const autotune__statement *statement, autotune__limits *limits) {
    const autotune__prior *prior = &statement->prior;
    if (autotune__verifies(&statement->subject)) {
        autotune__limit_to_finalists(limits, limits->seconds);
        limits->stop_at_ns = 0;
    } else if (prior->recalled.duel) autotune__limit_to_duel(limits, prior->seconds);
    else if (prior->seconds > 0 && prior->seconds < limits->seconds) limits->seconds = prior->seconds;
}
