/* The state of an online race in an unfinished record: its member "online". Points are named by their numbers. */
#pragma once
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "configuration_json.h"

/* The findings that an online race hands over to the next process, besides its rows. */
typedef struct autotune__handover {
    size_t in_use;                              /* the point in use */
    double ns, speed_up, first_ns, work;        /* ns: time of `in_use` for `work`. speed_up: time of the first
                                                   configuration divided by the time of `in_use`. first_ns: time of
                                                   the first configuration for `work`. AUTOTUNE__NEVER: unknown */
} autotune__handover;
/* Appends the member "online" to an unfinished record. */
static void autotune__append_handover(autotune__text *text, autotune__space *space, const autotune__race *race,
                                      const autotune__handover *handover) {
    size_t i, once, written;
    autotune__append(text, ",\"online\":{\"in_use\":%lu,\"config\":", (unsigned long)handover->in_use);
    autotune__append_config(text, space, handover->in_use);
    autotune__append_measure(text, "ns", "%.7g", handover->ns);
    autotune__append_measure(text, "speed_up", "%.7g", handover->speed_up);
    autotune__append_measure(text, "first_ns", "%.7g", handover->first_ns);
    autotune__append_measure(text, "work", "%.7g", handover->work);
    for (once = 0; once < 2; once++) {          /* "once": one call, which may have been interrupted */
        autotune__append(text, once ? "},\"once\":{" : ",\"ratios\":{");
        for (i = written = 0; i < autotune__count(race->rows); i++) {
            const autotune__row *row = &race->rows[i];
            if (autotune__failed(row) || !autotune__is_definite(row->minimum) || (row->launches == 1) != once) continue;
            autotune__append(text, written++ ? ",\"%lu\":" : "\"%lu\":", (unsigned long)row->index);
            autotune__append_number(text, "%.6g", row->minimum / handover->first_ns);
        }
    }
    autotune__append(text, "}}");
}
/* Returns a ratio, a time or a work; 0: there is none. The product of two such numbers is definite. */
static double autotune__positive_at(const autotune__json *json, int at) {
    const double number = autotune__number_at(json, at);
    return autotune__is_within(number, 1e-70, 1e70) ? number : 0;
}
/* Reads the findings of an online race that an earlier process of this program did not end. Returns false if the record
   has no such findings, if a finding is damaged, or if there is no memory. */
static bool autotune__read_handover(autotune__store *store, const autotune__json *json) {
    static const char *const members[] = { "ratios", "once" };
    const int handed = autotune__member(json, 0, "online");
    const double first_ns = autotune__positive_at(json, autotune__member(json, handed, "first_ns"));
    autotune__prior *prior = store->prior;
    bool sound = handed > 0 && *store->program && autotune__says(json, 0, "program", store->program);
    size_t once;
    if (!autotune__measured_calls.begin) return false;  /* the door ONLINE is left out */
    for (once = 0; once < 2; once++) {
        int at = 0, ratios = autotune__member(json, handed, members[once]);
        while (sound && (at = autotune__next_member(json, ratios, at)) > 0) {
            const double ns = autotune__positive_at(json, autotune__member_value(json, at)) * first_ns;
            const size_t point = (size_t)strtoull(json->text + at + 1, NULL, 10);
            sound = ns > 0 && autotune__add_prior(prior, point, ns,
                                                  once ? AUTOTUNE__TIMED | AUTOTUNE__CALLED_ONCE : AUTOTUNE__TIMED);
        }
    }
    if (!sound) return false;
    prior->work = autotune__positive_at(json, autotune__member(json, handed, "work"));
    return autotune__add_prior(prior, autotune__count_in(json, handed, "in_use"), AUTOTUNE__NEVER,
                               AUTOTUNE__USED_BEFORE);
}
