/* The key as JSON, {"n":1024,"transposed":true}: writing a key, and comparing a key with a recorded key. The values of
   two keys are compared as texts, since each value is written in one way only. Names are not compared. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "json.h"

static void autotune__append_key_value(autotune__text *text, const autotune_key *key, uint32_t part) {
    const uint64_t word = key->word[part];
    switch (autotune__part_type(key->types, part)) {
    case AUTOTUNE_STRING: autotune__append_string(text, autotune__as_string(word)); break;
    case AUTOTUNE_F32: case AUTOTUNE_F64: autotune__append_double(text, autotune__as_double(word)); break;
    case AUTOTUNE_BOOL: autotune__append(text, word ? "true" : "false"); break;
    case AUTOTUNE_U64: autotune__append(text, "%llu", (unsigned long long)word); break;
    default: autotune__append(text, "%lld", (long long)(int64_t)word);
    }
}
/* Appends {"n":1024,"transposed":true}. */
static void autotune__append_key_object(autotune__text *text, const autotune_key *key) {
    uint32_t i;
    autotune__append(text, "{");
    for (i = 0; i < autotune__parts(key); i++) {
        size_t length = 0;
        const char *name = key->text ? autotune__part(key->text, i, &length) : NULL;
        autotune__append(text, i ? "," : "");
        if (name) autotune__append_quoted(text, name, length);
        else autotune__append(text, "\"%u\"", i + 1);
        autotune__append(text, ":");
        autotune__append_key_value(text, key, i);
    }
    autotune__append(text, "}");
}

/* Returns true if the part of the key equals the recorded part. */
static bool autotune__same_value(const autotune_key *key, uint32_t part, const autotune__json *json, int at) {
    autotune__text value AUTOTUNE__FREED = { NULL, false };
    autotune__append_key_value(&value, key, part);
    return autotune__is_raw(json, at, autotune__string(&value));
}
/* Returns true if a record is of this key. */
static bool autotune__is_of_key(const autotune__json *json, const autotune_key *key) {
    const int object = autotune__member(json, 0, "key");
    bool same = true;
    uint32_t i;
    int at = 0;
    for (i = 0; i < autotune__parts(key) && same; i++) {
        at = autotune__next_member(json, object, at);
        same = at > 0 && autotune__same_value(key, i, json, autotune__member_value(json, at));
    }
    return same && autotune__next_member(json, object, at) < 0;
}
