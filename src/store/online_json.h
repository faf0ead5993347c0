/* How far an online race is, in an unfinished record: its member "online". Points are named by their numbers. */
#pragma once
#include <stdlib.h>
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../online/floor.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"

AUTOTUNE__DEFINE_AROUND(autotune__online_of, autotune__online, race, autotune__race)
/* Appends the members that an unfinished record of an online race has besides. */
static void autotune__append_progress(autotune__text *text, autotune__space *space, const autotune__race *race) {
    const autotune__online *online = autotune__online_of((autotune__race *)(uintptr_t)race);
    size_t in_use, i, once, written;
    if (race->limits.sampling != AUTOTUNE__BY_LAUNCHES || online->incumbent == SIZE_MAX ||
        online->stage == AUTOTUNE__DECIDED || !autotune__is_definite(online->reference_ns))
        return;
    in_use = race->rows[online->incumbent].index;
    autotune__append(text, ",\"online\":{\"in_use\":%lu,\"config\":", (unsigned long)in_use);
    autotune__append_config(text, space, in_use);
    autotune__append_measure(text, "ns", "%.7g", online->pulse.count
                             ? autotune__pulse_ns(&online->pulse) * online->reference_work : AUTOTUNE__NEVER);
    autotune__append_measure(text, "speed_up", "%.7g", online->incumbent ? autotune__audited_ratio(online) : 1);
    autotune__append_measure(text, "first_ns", "%.7g", online->reference_ns);
    autotune__append_measure(text, "work", "%.7g", online->reference_work);
    for (once = 0; once < 2; once++) {          /* what was called once may have been interrupted, and stands apart */
        autotune__append(text, once ? "},\"once\":{" : ",\"ratios\":{");
        for (i = written = 0; i < autotune__count(race->rows); i++) {
            const autotune__row *row = &race->rows[i];
            if (autotune__failed(row) || !autotune__is_definite(row->minimum) || (row->launches == 1) != once) continue;
            autotune__append(text, written++ ? ",\"%lu\":" : "\"%lu\":", (unsigned long)row->index);
            autotune__append_number(text, "%.6g", row->minimum / online->reference_ns);
        }
    }
    autotune__append(text, "}}");
}
/* A ratio or a time; 0: it is none. */
static double autotune__positive_at(const autotune__json *json, int at) {
    const double number = autotune__number_at(json, at);
    return autotune__is_within(number, 1e-9, 1e18) ? number : 0;
}
/* Reads the findings of an online race of this very program and tuner that another process could not end. Returns false
   if the record has no findings of such a race. */
static bool autotune__read_handover(autotune__store *store, const autotune__json *json) {
    static const char *const members[] = { "ratios", "once" };
    const int online = autotune__member(json, 0, "online");
    const double first_ns = autotune__positive_at(json, autotune__member(json, online, "first_ns"));
    autotune__prior *prior = store->prior;
    bool sound = online > 0 && *store->program && autotune__says(json, 0, "program", store->program);
    size_t once;
    for (once = 0; once < 2; once++) {
        int at = 0, ratios = autotune__member(json, online, members[once]);
        while (sound && (at = autotune__next_member(json, ratios, at)) > 0) {
            const double ns = autotune__positive_at(json, autotune__member_value(json, at)) * first_ns;
            const size_t point = (size_t)strtoull(json->text + at + 1, NULL, 10);
            sound = ns > 0 && autotune__add_prior(prior, point, ns,
                                                  once ? AUTOTUNE__TIMED | AUTOTUNE__CALLED_ONCE : AUTOTUNE__TIMED);
        }
    }
    if (!sound) return false;
    prior->work = autotune__positive_at(json, autotune__member(json, online, "work"));
    return autotune__add_prior(prior, autotune__count_in(json, online, "in_use"), AUTOTUNE__NEVER,
                               AUTOTUNE__USED_BEFORE);
}
