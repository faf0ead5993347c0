/* The evidence of duels in a record: a finalist's row has a member "duel". */
#pragma once
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../race/earlier_duels.h"
#include "../race/race.h"
#include "../race/evidence.h"
#include "json.h"

static const char *const autotune__finding_words[AUTOTUNE__FINDINGS] = { "slower", "no_faster" };

static bool autotune__is_finalist(const autotune__row *row) {
    return !autotune__failed(row) && (!strcmp(row->stage, "duel") || !strcmp(row->stage, "winner"));
}
static void autotune__append_finding(autotune__text *text, const autotune__race *race, autotune__finding finding,
                                   size_t row) {
    size_t i, written = 0;
    autotune__append(text, ",\"%s\":{", autotune__finding_words[finding]);
    for (i = 0; i < autotune__count(race->rows); i++) {
        if (i == row || !autotune__is_finalist(&race->rows[i])) continue;
        autotune__append(text, written++ ? ",\"%lu\":" : "\"%lu\":", (unsigned long)race->rows[i].index);
        autotune__append_number(text, "%.3g", autotune__lasting_evidence(race, finding, row, i));
    }
    autotune__append(text, "}");
}
/* Only a winner that is not sure is duelled again, and only rounds that nothing speaks against count. */
static void autotune__append_duel(autotune__text *text, const autotune__race *race, size_t row) {
    const autotune__row *r = &race->rows[row];
    const autotune__earlier *earlier = race->setup.earlier;
    const size_t at = autotune__finalist_at(earlier, r->index),
                 before = at == SIZE_MAX ? 0 : earlier->finalists[at].rounds;
    size_t finding;
    if (race->outcome.verdict != AUTOTUNE_UNRESOLVED || !autotune__is_finalist(r) || !r->samples) return;
    autotune__append(text, ",\"duel\":{\"rounds\":%lu", (unsigned long)(before + autotune__count(r->samples)));
    autotune__append_ratio(text, "relative", r->relative);
    for (finding = 0; finding < AUTOTUNE__FINDINGS; finding++)
        autotune__append_finding(text, race, (autotune__finding)finding, row);
    autotune__append(text, "}");
}
