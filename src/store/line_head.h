/* The head of a line: its date and identity. The head is read without a JSON parser. A line is sound if its head and
   its checksum are right. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "json.h"
#include "session.h"

enum { AUTOTUNE__DATE_BYTES = 20 };             /* 2026-11-20T14:05:09Z */
typedef struct autotune__head {
    autotune__identity identity;
    char date[AUTOTUNE__DATE_BYTES];
    bool unfinished;                            /* the line is no finished record: it is the record of a race that did
                                                   not end, a rule for guesses, or a time of calls after a race */
    size_t key, key_length;                     /* position and length of the key in the line; 0: unknown */
} autotune__head;
/* SOUND: the head and the checksum are right.
   NEWER: a later version of the library wrote the line.
   DAMAGED: the line is damaged, or of another kind. */
typedef enum autotune__soundness { AUTOTUNE__SOUND, AUTOTUNE__NEWER, AUTOTUNE__DAMAGED } autotune__soundness;

/* Skips a text of this form: *from moves behind it. In the form, # stands for a hexadecimal digit in lower case, and 0
   for a decimal digit. *number gets the value of the hexadecimal digits. Returns false if there is other text. */
static bool autotune__skip(const char **from, const char *end, const char *form, uint64_t *number) {
    const char *at = *from;
    if (number) *number = 0;
    for (; *form; form++, at++) {
        const unsigned character = at < end ? (unsigned char)*at : 0, digit = character - '0', letter = character - 'a';
        if (*form == '#' ? digit > 9 && letter > 5 : *form == '0' ? digit > 9 : at == end || *at != *form) return false;
        if (*form == '#') *number = *number << 4 | (digit > 9 ? letter + 10 : digit);
    }
    *from = at;
    return true;
}
/* Reads tuner and key from the members at `at`, since guesses and seeds come from records of the tuner's other keys.
   Nothing behind the key is read. */
static void autotune__read_members(const char *line, const char *at, const char *end, autotune__head *head) {
    head->identity.tuner = head->key = head->key_length = 0;
    for (; at < end && !head->key; at += at < end) {
        const char *value = at;
        int open = 0;
        while (at < end && (open || (*at != ',' && *at != '}'))) at = autotune__past_piece(at, end, &open);
        if (autotune__skip(&value, at, "\"tuner\":", NULL))
            head->identity.tuner = autotune__hash_more(0, value, (size_t)(at - value));
        else if (autotune__skip(&value, at, "\"key\":", NULL)) {
            head->key = (size_t)(value - line);
            head->key_length = (size_t)(at - value);
        }
    }
}
/* Reads the head of a line of this kind, without line feed: see autotune__append_head(). Fills *head if the line is
   sound. checked: the checksum has to be right; else it only has to be there. */
static autotune__soundness autotune__read_head(const char *kind, const char *line, size_t length, bool checked,
                                               autotune__head *head) {
    static const char *const forms[] = { ",\"id\":\"################", "\",\"fingerprint\":\"################",
                                         "\",\"machine\":\"################", "\",\"date\":\"" };
    uint64_t *const numbers[] = { &head->identity.id, &head->identity.fingerprint, &head->identity.machine, NULL };
    const char *at = line, *const end = line + length, *date;
    const char *tail = length < AUTOTUNE__CRC_BYTES ? end : end - AUTOTUNE__CRC_BYTES;      /* the checksum */
    unsigned long version;
    uint64_t crc;
    size_t i;
    if (!autotune__skip(&tail, end, ",\"crc\":\"########\"}", &crc) ||
        (checked && crc != autotune__crc(line, length - AUTOTUNE__CRC_BYTES)) ||
        !autotune__skip(&at, end, "{\"", NULL) || !autotune__skip(&at, end, kind, NULL) ||
        !autotune__skip(&at, end, "\":", NULL))
        return AUTOTUNE__DAMAGED;
    version = strtoul(at, (char **)(uintptr_t)&at, 10);         /* strtoul() stops at the checksum at the latest */
    if (version > 1) return AUTOTUNE__NEWER;
    if (version != 1) return AUTOTUNE__DAMAGED;
    for (i = 0; i < 4; i++) if (!autotune__skip(&at, end, forms[i], numbers[i])) return AUTOTUNE__DAMAGED;
    date = at;
    if (!autotune__skip(&at, end, "0000-00-00T00:00:00Z\",", NULL)) return AUTOTUNE__DAMAGED;
    memcpy(head->date, date, sizeof head->date);
    head->unfinished = autotune__skip(&at, end, "\"unfinished\":true,", NULL);
    autotune__read_members(line, at, end, head);
    return AUTOTUNE__SOUND;
}
