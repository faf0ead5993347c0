/* The common parts of records, launch notes, lines of misses and lines of mode VERIFY. These parts are the head with
   tuner and key, and the build: .version, compiler, the text of the call, device, and pin. line_head.h reads the
   head. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "key_json.h"

static const char *const autotune__verdict_words[] = { "default", "single",     "separated",
                                                       "tie",     "unresolved", "unreliable" };
AUTOTUNE__ASSERT(sizeof autotune__verdict_words / sizeof *autotune__verdict_words == AUTOTUNE_ONGOING,
                 "each verdict that ends a race has a word");

/* The date is in UTC. It is computed here, because gmtime_r() and strftime() take the time zone lock of the C library.
   A child made by fork() may have inherited this lock from a thread that the child does not have. */
static bool autotune__is_leap_year(int year) { return year % 4 == 0 && (year % 100 || year % 400 == 0); }
static void autotune__append_date(autotune__text *text, int64_t seconds) {         /* since 1970, up to the year 9999 */
    const int64_t last = (int64_t)253402300799, known = seconds < 0 || seconds > last ? 0 : seconds;
    static const char lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const int second = (int)(known % 86400);
    int day = (int)(known / 86400), year, month, days;
    for (year = 1970; (days = 365 + autotune__is_leap_year(year)) <= day; year++) day -= days;
    for (month = 0; (days = lengths[month] + (month == 1 && autotune__is_leap_year(year))) <= day; month++) day -= days;
    autotune__append(text, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month + 1, day + 1, second / 3600, second / 60 % 60,
                     second % 60);
}
/* kind: "autotune" for a record, a time in use or a launch note, "missed" for a miss, "verified" for a comparison in
   mode VERIFY. The head has all members that autotune__read_members() reads. */
static void autotune__append_head(autotune__text *text, const char *kind, const autotune__store *store,
                                  bool unfinished) {
    const autotune__identity *identity = &store->identity;
    autotune__append(text, "{\"%s\":1,\"id\":\"%016llx\",\"fingerprint\":\"%016llx\",\"machine\":\"%016llx\"", kind,
                     (unsigned long long)identity->id, (unsigned long long)identity->fingerprint,
                     (unsigned long long)identity->machine);
    autotune__append(text, ",\"date\":\"");
    autotune__append_date(text, autotune__calendar_seconds());
    autotune__append(text, unfinished ? "\",\"unfinished\":true" : "\"");
    autotune__append_words(text, "tuner", store->subject->name);
    autotune__append(text, ",\"key\":");
    autotune__append_key_object(text, &store->subject->options.key);
    autotune__append_words(text, "program", *store->program ? store->program : NULL);
}
static void autotune__append_call(autotune__text *text, const autotune__subject *subject) {
    size_t length = 0;
    const char *call = autotune__call_text(subject, &length);
    autotune__append_quoted(text, call, call ? length : 0);
}
static void autotune__append_build(autotune__text *text, const autotune__store *store) {
    const autotune__subject *subject = store->subject;
    autotune__append_words(text, "version", subject->options.version);
    autotune__append_words(text, "compiler", subject->site->build);
    autotune__append(text, ",\"call\":");
    autotune__append_call(text, subject);
    autotune__append_words(text, "device", autotune__string(&store->device));
    if (store->prior->recalled.restricts) autotune__append_words(text, "pin", store->prior->recalled.pin);
    if (store->device.broken) text->broken = true;          /* without these words the line would be of another
                                                               machine */
}
