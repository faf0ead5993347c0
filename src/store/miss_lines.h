/* Lines of the file of misses: written, read, and added up. */
#pragma once
#include <stdlib.h>
#include "../system/floor.h"
#include "../base/floor.h"
#include "../registry/floor.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "write_line.h"

/* A line as it will be written, but for its date and its counts. */
static autotune__text autotune__words_of_miss(const autotune__store *store) {
    autotune__text words = { NULL, false };
    autotune__append_head(&words, "missed", store, false);
    autotune__append_build(&words, store);
    return words;
}
/* length: of the words. dated: the line gets the date of today. */
static void autotune__append_miss(autotune__text *text, const char *words, size_t length,
                                  const autotune__miss_counts *counts, bool dated) {
    const size_t start = autotune__count(text->at);
    const char *date = strstr(words, "\"date\":\"") + strlen("\"date\":\""), *rest = date + AUTOTUNE__DATE_BYTES;
    autotune__append(text, "%.*s", (int)((dated ? date : rest) - words), words);
    if (dated) autotune__append_date(text, autotune__calendar_seconds());
    autotune__append(text, "%.*s,\"calls\":%.0f,\"runs\":%.0f", (int)(length - (size_t)(rest - words)), rest,
                     counts->calls, counts->runs);
    autotune__append_measure(text, "first_seconds", "%.6g", counts->first_seconds);
    autotune__append_crc(text, start);
}

typedef struct autotune__miss_line {
    autotune__head head;
    const char *words;                          /* where the line begins */
    size_t length;                              /* of what stands before the counts */
    autotune__miss_counts counts;
} autotune__miss_line;
/* A member of the counts: `at` moves behind its value, which is a number or null. */
static bool autotune__read_count(const char **at, const char *end, const char *name, double *value) {
    const char *digits;
    if (!autotune__skip(at, end, name)) return false;
    *value = AUTOTUNE__NEVER;
    if (autotune__skip(at, end, "null")) return true;
    for (digits = *at; *at < end && **at != ','; ++*at) {}
    *value = autotune__number_of(digits, (size_t)(*at - digits));
    return autotune__is_within(*value, 0, 1e300);
}
/* The counts stand before the checksum, and within a string no quote stands without a backslash, so that the last
   ,"calls": is the member. */
static bool autotune__read_miss(const char *line, size_t length, autotune__miss_line *miss) {
    const char *const end = line + length, *at;
    const size_t bytes = strlen(",\"calls\":");
    if (autotune__read_head_of("missed", line, length, &miss->head) != AUTOTUNE__SOUND) return false;
    for (at = end - AUTOTUNE__CRC_BYTES; at > line && memcmp(at, ",\"calls\":", bytes); at--) {}
    miss->words = line;
    miss->length = (size_t)(at - line);
    return at > line && autotune__read_count(&at, end, ",\"calls\":", &miss->counts.calls) &&
           autotune__read_count(&at, end, ",\"runs\":", &miss->counts.runs) &&
           autotune__read_count(&at, end, ",\"first_seconds\":", &miss->counts.first_seconds);
}
/* 0: both are of one tuner, key, device and build. */
static int autotune__order_identities(const autotune__identity *a, const autotune__identity *b) {
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    if (a->machine != b->machine) return a->machine < b->machine ? -1 : 1;
    return a->fingerprint < b->fingerprint ? -1 : a->fingerprint > b->fingerprint;
}
/* Of equals the last line of the text comes first. */
static int autotune__order_miss_lines(const void *left, const void *right) {
    const autotune__miss_line *a = (const autotune__miss_line *)left, *b = (const autotune__miss_line *)right;
    const int order = autotune__order_identities(&a->head.identity, &b->head.identity);
    return order ? order : a->words > b->words ? -1 : 1;
}
/* What its calls would take if each took as long as the first; of those that were not timed the one with more calls is
   worth more, and all of them less than the others. */
static double autotune__worth_of(const autotune__miss_counts *counts) {
    return counts->calls * (autotune__is_definite(counts->first_seconds) ? counts->first_seconds : 1e-12);
}
/* What is worth most stands first. */
static int autotune__order_by_worth(const void *left, const void *right) {
    const autotune__miss_line *a = (const autotune__miss_line *)left, *b = (const autotune__miss_line *)right;
    const double its = autotune__worth_of(&a->counts), others = autotune__worth_of(&b->counts);
    const int order = autotune__order_doubles(&others, &its);
    return order ? order : autotune__order_miss_lines(left, right);
}
/* All sound lines of a text, which has to outlive them, added up, in the order of their identities. NULL: there
   are none, or no memory. The caller frees the array. Of first calls the shortest counts. */
static autotune__miss_line *autotune__read_misses(const char *text, size_t bytes) {
    autotune__miss_line *lines = NULL, line;
    const char *at = text, *next;
    size_t length, i, kept = 0;
    while ((next = autotune__next_line(&at, text + bytes, &length)) != NULL)
        if (autotune__read_miss(next, length, &line) && !AUTOTUNE__PUSH(lines, line)) break;
    if (!lines) return NULL;
    qsort(lines, autotune__count(lines), sizeof *lines, autotune__order_miss_lines);
    for (i = 1; i < autotune__count(lines); i++) {
        if (autotune__order_identities(&lines[kept].head.identity, &lines[i].head.identity)) {
            lines[++kept] = lines[i];
            continue;
        }
        lines[kept].counts.calls += lines[i].counts.calls;
        lines[kept].counts.runs += lines[i].counts.runs;
        if (lines[i].counts.first_seconds < lines[kept].counts.first_seconds)
            lines[kept].counts.first_seconds = lines[i].counts.first_seconds;
    }
    autotune__set_count(lines, kept + 1);
    return lines;
}
