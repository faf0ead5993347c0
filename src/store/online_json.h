/* How far an online race is, in an unfinished record: its member "online". Points are named by their numbers. */
#pragma once
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/text.h"
#include "../race/race.h"
#include "../race/evidence.h"
#include "../space/axes.h"
#include "../online/pulse.h"
#include "../online/online.h"
#include "../online/handover.h"
#include "json.h"
#include "configuration_json.h"
#include "duel_json.h"

/* ---- Writing ---- */

static const char *const autotune__stage_words[] = { "glancing", "comparing", "deciding" };

static void autotune__append_numbers(autotune__text *text, const double *numbers, size_t count) {
    size_t i;
    autotune__append(text, "[");
    for (i = 0; i < count; i++) {
        autotune__append(text, i ? "," : "");
        autotune__append_number(text, "%.7g", numbers[i]);
    }
    autotune__append(text, "]");
}
static bool autotune__is_compared(const autotune__online *online, const autotune__row *row) {
    return !autotune__failed(row) &&
           (online->stage == AUTOTUNE__DECIDING ? autotune__is_finalist(row) : autotune__works(row));
}
static void autotune__append_ratios(autotune__text *text, const autotune__online *online) {
    const autotune__race *race = &online->race;
    size_t i, written = 0;
    autotune__append(text, ",\"ratios\":{");
    for (i = 0; i < autotune__count(race->rows); i++) {
        const autotune__row *row = &race->rows[i];
        if (autotune__failed(row) || !autotune__is_definite(row->minimum)) continue;
        autotune__append(text, written++ ? ",\"%lu\":" : "\"%lu\":", (unsigned long)row->index);
        autotune__append_number(text, "%.6g", row->minimum / online->reference_ns);
    }
    autotune__append(text, "}");
}
static void autotune__append_compared(autotune__text *text, const autotune__online *online) {
    const autotune__race *race = &online->race;
    size_t i, written = 0;
    autotune__append(text, ",\"samples\":{");
    for (i = 0; i < autotune__count(race->rows); i++) {
        if (!autotune__is_compared(online, &race->rows[i])) continue;
        autotune__append(text, written++ ? ",\"%lu\":" : "\"%lu\":", (unsigned long)race->rows[i].index);
        autotune__append_numbers(text, race->rows[i].samples, autotune__count(race->rows[i].samples));
    }
    autotune__append(text, "},\"left\":[");
    for (i = 0; i < autotune__count(race->live); i++)
        autotune__append(text, i ? ",%lu" : "%lu", (unsigned long)race->rows[race->live[i]].index);
    autotune__append(text, "]");
    if (online->stage != AUTOTUNE__DECIDING) return;
    autotune__append(text, ",\"control\":%lu,\"controlled\":%s,\"first\":",
                     (unsigned long)race->rows[race->control.row].index, race->control.active ? "true" : "false");
    autotune__append_numbers(text, race->control.first, autotune__count(race->control.first));
    autotune__append(text, ",\"second\":");
    autotune__append_numbers(text, race->control.second, autotune__count(race->control.second));
}
/* The audits, the latest first. */
static void autotune__append_audits(autotune__text *text, const autotune__pulse *audits) {
    const size_t most = AUTOTUNE__PULSE;
    double latest[AUTOTUNE__PULSE];
    size_t i;
    for (i = 0; i < most && i < audits->count; i++) latest[i] = audits->beats[(audits->count - 1 - i) % most];
    autotune__append(text, ",\"audits\":");
    autotune__append_numbers(text, latest, i);
}
static void autotune__append_online(autotune__text *text, autotune__space *space, const autotune__online *online) {
    const autotune__race *race = &online->race;
    if (online->incumbent == SIZE_MAX || online->stage == AUTOTUNE__DECIDED ||
        !autotune__is_definite(online->reference_ns))
        return;
    autotune__append(text, ",\"online\":{\"stage\":\"%s\",\"in_use\":%lu,\"config\":",
                     autotune__stage_words[online->stage], (unsigned long)race->rows[online->incumbent].index);
    autotune__append_config(text, space, race->rows[online->incumbent].index);
    autotune__append_measure(text, "pace", "%.7g", online->ratio);
    autotune__append_measure(text, "pulse_ns", "%.7g", autotune__pulse_to_hand_over(online));
    autotune__append_measure(text, "first_ns", "%.7g", online->reference_ns);
    autotune__append_measure(text, "work", "%.7g", online->reference_work);
    autotune__append_audits(text, &online->audits);
    autotune__append_ratios(text, online);
    if (online->stage != AUTOTUNE__GLANCING) autotune__append_compared(text, online);
    autotune__append(text, "}");
}

/* ---- Reading ---- */

/* A ratio or a time; 0: it is none. */
static double autotune__positive_at(const autotune__json *json, int at) {
    const double number = autotune__number_at(json, at);
    return autotune__is_within(number, 1e-9, 1e18) ? number : 0;
}
static bool autotune__read_positive(const autotune__json *json, int object, const char *name, double *number) {
    *number = autotune__positive_at(json, autotune__member(json, object, name));
    return *number > 0;
}
/* False: one of them is no number above 0, there are too many, or there is no memory. */
static bool autotune__read_samples(const autotune__json *json, int array, double **samples) {
    int at = 0;
    while ((at = autotune__next_row(json, array, at)) > 0) {
        const double sample = autotune__positive_at(json, at);
        if (!(sample > 0) || autotune__count(*samples) == AUTOTUNE__MOST_ROUNDS || !AUTOTUNE__PUSH(*samples, sample))
            return false;
    }
    return true;
}
static bool autotune__read_ratios(const autotune__json *json, int online, autotune__handover *handed) {
    const int ratios = autotune__member(json, online, "ratios");
    int at = 0;
    while ((at = autotune__next_member(json, ratios, at)) > 0) {
        autotune__handed_ratio tried;
        tried.point = autotune__point_named(json, at);
        tried.ratio = autotune__positive_at(json, at + 1);
        if (!(tried.ratio > 0) || !AUTOTUNE__PUSH(handed->ratios, tried)) return false;
    }
    return true;
}
static bool autotune__read_compared(const autotune__json *json, int online, autotune__handover *handed) {
    const int samples = autotune__member(json, online, "samples"), left = autotune__member(json, online, "left");
    int at = 0;
    while ((at = autotune__next_member(json, samples, at)) > 0) {
        autotune__handed_row row;
        row.point = autotune__point_named(json, at);
        row.samples = NULL;
        if (!autotune__read_samples(json, at + 1, &row.samples) || !AUTOTUNE__PUSH(handed->compared, row)) {
            AUTOTUNE__FREE_ARRAY(row.samples);
            return false;
        }
    }
    for (at = 0; (at = autotune__next_row(json, left, at)) > 0;) {
        const double point = autotune__number_at(json, at);
        if (!autotune__is_within(point, 0, 1e15) || !AUTOTUNE__PUSH(handed->left, (size_t)point)) return false;
    }
    if (handed->stage != AUTOTUNE__DECIDING) return true;
    handed->control = autotune__count_in(json, online, "control");
    handed->controlled = autotune__is_raw(json, autotune__member(json, online, "controlled"), "true", 4);
    return autotune__read_samples(json, autotune__member(json, online, "first"), &handed->first) &&
           autotune__read_samples(json, autotune__member(json, online, "second"), &handed->second);
}
static bool autotune__read_handover(const autotune__json *json, int online, autotune__handover *handed) {
    const int audits = autotune__member(json, online, "audits");
    int at = 0;
    handed->stage = autotune__says(json, online, "stage", "deciding")    ? AUTOTUNE__DECIDING
                    : autotune__says(json, online, "stage", "comparing") ? AUTOTUNE__COMPARING : AUTOTUNE__GLANCING;
    handed->incumbent = autotune__count_in(json, online, "in_use");
    if (!autotune__read_positive(json, online, "pace", &handed->ratio) ||
        !autotune__read_positive(json, online, "pulse_ns", &handed->pulse_ns) ||
        !autotune__read_positive(json, online, "first_ns", &handed->reference_ns) ||
        !autotune__read_positive(json, online, "work", &handed->reference_work))
        return false;
    while (handed->audits.count < AUTOTUNE__PULSE && (at = autotune__next_row(json, audits, at)) > 0) {
        const double audit = autotune__positive_at(json, at);
        if (!(audit > 0)) return false;
        autotune__beat(&handed->audits, audit);
    }
    if (!autotune__read_ratios(json, online, handed)) return false;
    if (handed->stage != AUTOTUNE__GLANCING && !autotune__read_compared(json, online, handed))
        handed->stage = AUTOTUNE__GLANCING;
    return true;
}
