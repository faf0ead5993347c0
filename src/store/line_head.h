/* The head of a line: its date and identity, which are read without a JSON parser. Is the line sound? */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "json.h"
#include "session.h"

enum { AUTOTUNE__DATE_BYTES = 20 };             /* 2026-11-20T14:05:09Z */
typedef struct autotune__head {
    autotune__identity identity;
    char date[AUTOTUNE__DATE_BYTES];
    bool unfinished;
    size_t key, key_length;                     /* where the key stands in the line; 0: that is not known */
} autotune__head;
typedef enum autotune__soundness { AUTOTUNE__SOUND, AUTOTUNE__NEWER, AUTOTUNE__DAMAGED } autotune__soundness;

/* Both move `at` behind the text that is expected there. They return false if other text stands there. */
static bool autotune__skip(const char **at, const char *end, const char *expected) {
    const size_t length = strlen(expected);
    if ((size_t)(end - *at) < length || memcmp(*at, expected, length)) return false;
    *at += length;
    return true;
}
/* Hexadecimal digits in lower case. */
static bool autotune__skip_hex(const char **at, const char *end, unsigned digits, uint64_t *value) {
    for (*value = 0; digits; digits--, ++*at) {
        const unsigned character = *at < end ? (unsigned char)**at : 0, digit = character - '0',
                       letter = character - 'a';
        if (digit > 9 && letter > 5) return false;
        *value = *value << 4 | (digit > 9 ? letter + 10 : digit);
    }
    return true;
}
/* A date as autotune__append_date() writes it: 0 stands for a digit. */
static bool autotune__skip_date(const char **at, const char *end, char date[AUTOTUNE__DATE_BYTES]) {
    static const char form[] = "0000-00-00T00:00:00Z";
    size_t i;
    if (end - *at < AUTOTUNE__DATE_BYTES) return false;
    for (i = 0; i < AUTOTUNE__DATE_BYTES; i++)
        if (form[i] == '0' ? (*at)[i] < '0' || (*at)[i] > '9' : (*at)[i] != form[i]) return false;
    memcpy(date, *at, AUTOTUNE__DATE_BYTES);
    *at += AUTOTUNE__DATE_BYTES;
    return true;
}
/* Reads tuner and key from the members from `at` on: by them the records of the tuner's other keys are found. Nothing
   behind the key is read. */
static void autotune__read_members(const char *line, const char *at, const char *end, autotune__head *head) {
    head->identity.tuner = head->key = head->key_length = 0;
    for (; at < end && !head->key; at += at < end) {
        const char *value = at;
        int open = 0;
        while (at < end && (open || (*at != ',' && *at != '}'))) at = autotune__past_piece(at, end, &open);
        if (autotune__skip(&value, at, "\"tuner\":"))
            head->identity.tuner = autotune__hash_more(0, value, (size_t)(at - value));
        else if (autotune__skip(&value, at, "\"key\":")) {
            head->key = (size_t)(value - line);
            head->key_length = (size_t)(at - value);
        }
    }
}
/* Reads the head of a line without its line feed, of a kind that autotune__append_head() names. The head is filled if
   the line is sound. checked: its checksum is right; else it only has one. */
static autotune__soundness autotune__read_head_of(const char *kind, const char *line, size_t length, bool checked,
                                                  autotune__head *head) {
    static const char *const names[] = { ",\"id\":\"", "\",\"fingerprint\":\"", "\",\"machine\":\"" };
    uint64_t *const numbers[] = { &head->identity.id, &head->identity.fingerprint, &head->identity.machine };
    const char *at = line, *const end = line + length;
    const char *tail = length < AUTOTUNE__CRC_BYTES ? end : end - AUTOTUNE__CRC_BYTES;      /* the checksum */
    unsigned long version = 0;
    uint64_t crc;
    size_t i;
    if (!autotune__skip(&tail, end, ",\"crc\":\"") || !autotune__skip_hex(&tail, end, 8, &crc) ||
        !autotune__skip(&tail, end, "\"}") || (checked && crc != autotune__crc(line, length - AUTOTUNE__CRC_BYTES)))
        return AUTOTUNE__DAMAGED;
    if (!autotune__skip(&at, end, "{\"") || !autotune__skip(&at, end, kind) || !autotune__skip(&at, end, "\":"))
        return AUTOTUNE__DAMAGED;
    for (; at < end && *at >= '0' && *at <= '9' && version < 1000000; at++)
        version = 10 * version + (unsigned long)(*at - '0');
    if (version > 1) return AUTOTUNE__NEWER;
    if (version != 1) return AUTOTUNE__DAMAGED;
    for (i = 0; i < 3; i++)
        if (!autotune__skip(&at, end, names[i]) || !autotune__skip_hex(&at, end, 16, numbers[i]))
            return AUTOTUNE__DAMAGED;
    if (!autotune__skip(&at, end, "\",\"date\":\"") || !autotune__skip_date(&at, end, head->date) ||
        !autotune__skip(&at, end, "\","))
        return AUTOTUNE__DAMAGED;
    head->unfinished = autotune__skip(&at, end, "\"unfinished\":true,");
    autotune__read_members(line, at, end, head);
    return AUTOTUNE__SOUND;
}
static autotune__soundness autotune__read_head(const char *line, size_t length, autotune__head *head) {
    return autotune__read_head_of("autotune", line, length, true, head);
}
