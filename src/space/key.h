/* Keys: their parts, how they are compared, and how they are written as text.

   A key is compared in five ways:
   - A hit compares words and types (registry/hit.h).
   - autotune_lookup() compares numbers of different types, too: 512 equals 512.0 (registry/known.h).
   - The exact text finds the known key of this process, since a map is indexed by texts.
   - A hash of the tuner's name and this text finds the key on disk (store/identity.h).
   - A record has the key as JSON, and the JSON texts are compared (store/key_json.h).
   The text with names of parts is for people, and is not compared. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"

AUTOTUNE__INLINE autotune_type autotune__part_type(uint32_t types, uint32_t part) {
    return (autotune_type)(types >> 4 * part & 15);
}
AUTOTUNE__INLINE const char *autotune__as_string(uint64_t word) { return (const char *)(uintptr_t)word; }
static double autotune__as_double(uint64_t word) { double value; memcpy(&value, &word, sizeof value); return value; }
AUTOTUNE__INLINE uint32_t autotune__parts(const autotune_key *key) {
    return key->count < AUTOTUNE_MAX_KEY ? key->count : (uint32_t)AUTOTUNE_MAX_KEY;
}
AUTOTUNE__INLINE bool autotune__same_word(autotune_type type, uint64_t a, uint64_t b) {
    if (AUTOTUNE__LIKELY(a == b || type != AUTOTUNE_STRING)) return a == b;
    return a && b && !strcmp(autotune__as_string(a), autotune__as_string(b));
}
/* Adds a part. A part beyond AUTOTUNE_MAX_KEY is only counted: autotune__key_problem() then reports the key. */
static void autotune__add_part(autotune_key *key, autotune_type type, uint64_t word) {
    if (key->count < AUTOTUNE_MAX_KEY) {
        key->types |= (uint32_t)type << 4 * key->count;
        key->word[key->count] = word;
    }
    if (key->count <= AUTOTUNE_MAX_KEY) key->count++;
}
AUTOTUNE__API void autotune_key_add_int(autotune_key *key, int64_t value) {
    autotune__add_part(key, AUTOTUNE_I64, autotune__word_signed(value));
}
AUTOTUNE__API void autotune_key_add_double(autotune_key *key, double value) {
    autotune__add_part(key, AUTOTUNE_F64, autotune__word_double(value));
}
AUTOTUNE__API void autotune_key_add_string(autotune_key *key, const char *value) {
    autotune__add_part(key, AUTOTUNE_STRING, autotune__word_pointer(value));
}
/* Returns true if the key has no part, or if KEY(...) made the key from at most 8 parts. `.key = n` sets the count, and
   no type. */
static bool autotune__is_made(const autotune_key *key) {
    return !key->count || (key->count <= AUTOTUNE_MAX_KEY && autotune__part_type(key->types, 0) != AUTOTUNE_BYTES);
}
/* Returns the problem with a key; NULL: none. */
static const char *autotune__key_problem(const autotune_key *key) {
    uint32_t i;
    if (!autotune__is_made(key))
        return "the key was not made with KEY(...), or has more than 8 parts: write .key = KEY(n), not .key = n";
    for (i = 0; i < key->count; i++) {
        const autotune_type type = autotune__part_type(key->types, i);
        if ((type == AUTOTUNE_F32 || type == AUTOTUNE_F64) && autotune__are_nan(key->word[i]))
            return "a part of the key is not a number (NaN) and would never be found again: test for it first";
    }
    return NULL;
}
static void autotune__append_part(autotune__text *text, const autotune_key *key, uint32_t i, bool exact) {
    const autotune_type type = autotune__part_type(key->types, i);
    const uint64_t word = key->word[i];
    size_t length = 0;
    const char *name = exact ? NULL : autotune__part(key->text, i, &length);
    if (exact) autotune__append(text, "%d:", (int)type);
    else if (name && (*name == '_' || (*name >= 'A' && *name <= 'z')))
        autotune__append(text, "%.*s=", (int)length, name);
    if (type == AUTOTUNE_STRING) {
        const char *string = word ? autotune__as_string(word) : "NULL";
        if (exact && word) autotune__append(text, "%lu:%s", (unsigned long)strlen(string), string);
        else autotune__append(text, "%.64s", string);
    } else if (type != AUTOTUNE_F32 && type != AUTOTUNE_F64)
        autotune__append_integer(text, type >= AUTOTUNE_U8 && type <= AUTOTUNE_U64, word);
    else if (exact) autotune__append(text, "%llx", (unsigned long long)word);
    else autotune__append_number(text, "%g", autotune__as_double(word));
}
/* Appends the key. exact: different keys have different texts. Else the text is for people, and names the parts. */
static void autotune__append_key(autotune__text *text, const autotune_key *key, bool exact) {
    uint32_t i;
    for (i = 0; i < autotune__parts(key); i++) {
        if (i) autotune__append(text, "%s", exact ? "," : ", ");
        autotune__append_part(text, key, i, exact);
    }
}

/* For instance: matmul.c:matmul [n=512] */
static void autotune__append_case(autotune__text *text, const char *name, const autotune_key *key) {
    autotune__append(text, "%s", name);
    if (key->count && autotune__is_made(key)) {
        autotune__append(text, " [");
        autotune__append_key(text, key, false);
        autotune__append(text, "]");
    }
}
