/* Values of axes, which have 8 bytes each: their conversion from and to numbers and strings. Also autotune_get_int()
   and similar functions. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "key.h"

AUTOTUNE__INLINE bool autotune__is_float(autotune_type type) { return type >= AUTOTUNE_F16 && type <= AUTOTUNE_F64; }
static bool autotune__has_size(autotune_type type) { return type != AUTOTUNE_STRING && type != AUTOTUNE_POINTER; }
AUTOTUNE__INLINE size_t autotune__type_bytes(autotune_type type) {
    static const unsigned char bytes[] = {
        1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, sizeof(char *), sizeof(void *), sizeof(bool)
    };
    return bytes[type];
}
/* Returns the offset in bytes of the low part of a 64-bit integer. The low part has as many bytes as the type. In a
   value of an axis the bytes of its type come first on every machine. */
AUTOTUNE__INLINE size_t autotune__low_bytes(autotune_type type) {
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint64_t) - autotune__type_bytes(type) : 0;
}
static uint64_t autotune__value_of_int(autotune_type type, int64_t number) {
    uint64_t value = 0;
    if (type == AUTOTUNE_BOOL) number = number != 0;
    memcpy(&value, (const char *)&number + autotune__low_bytes(type), autotune__type_bytes(type));
    return value;
}
static int64_t autotune__int_of_value(autotune_type type, uint64_t value) {
    const size_t bytes = autotune__type_bytes(type);
    const bool is_signed = type >= AUTOTUNE_I8 && type <= AUTOTUNE_I64;
    const uint64_t sign = is_signed ? (uint64_t)1 << (8 * bytes - 1) : 0;
    uint64_t number = 0;
    memcpy((char *)&number + autotune__low_bytes(type), &value, bytes);
    return (int64_t)((number ^ sign) - sign);
}
static double autotune__double_of_value(autotune_type type, uint64_t value) {
    float f;
    if (type == AUTOTUNE_F64) return autotune__as_double(value);
    memcpy(&f, &value, sizeof f);
    return type == AUTOTUNE_F32   ? (double)f
           : type == AUTOTUNE_U64 ? (double)value
                                  : (double)autotune__int_of_value(type, value);
}
/* Returns a part of a key as a number, which can be compared with a part of another type. */
static double autotune__number_of_part(const autotune_key *key, uint32_t part) {    /* not for a string */
    const autotune_type type = autotune__part_type(key->types, part);
    if (autotune__is_float(type)) return autotune__as_double(key->word[part]);
    return type == AUTOTUNE_U64 ? (double)key->word[part] : (double)(int64_t)key->word[part];
}
static const char *autotune__string_of_value(uint64_t value) {
    const char *text;
    memcpy(&text, &value, sizeof text);
    return text;
}
/* Maps values to integers with the same order. Floating-point values are ordered by their bits. So a NaN has a place,
   too: by its sign before or behind all numbers. */
static uint64_t autotune__order_of_value(autotune_type type, uint64_t value) {
    const uint64_t sign = (uint64_t)1 << 63;
    if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64) {
        const uint64_t bits = autotune__bits(autotune__double_of_value(type, value));
        return bits & sign ? ~bits : bits | sign;
    }
    return (uint64_t)autotune__int_of_value(type, value) ^ (type >= AUTOTUNE_I8 && type <= AUTOTUNE_I64 ? sign : 0);
}
/* Compares two values for a sort; 0: they are equal. Numbers are ordered by size. Strings and
   pointers are sorted only so that equal values become neighbours. */
static int autotune__compare_values(autotune_type type, uint64_t x, uint64_t y) {
    if (autotune__same_word(type, x, y)) return 0;
    if (type == AUTOTUNE_STRING && x && y) return strcmp(autotune__string_of_value(x), autotune__string_of_value(y));
    if (!autotune__has_size(type)) return x < y ? -1 : 1;
    return autotune__order_of_value(type, x) < autotune__order_of_value(type, y) ? -1 : 1;
}

/* Reports a missing value, once for each name: a launch may ask for a misspelt name at every call. If two names have
   the same hash, from 0 to 31, only the first name is reported. */
static __attribute__((__cold__, __noinline__)) void autotune__lack_value(const char *name) {
    static uint32_t said;
    const uint32_t bit = (uint32_t)1 << autotune__hash_string(name ? name : "") % 32;
    autotune__put_text(autotune__error, sizeof autotune__error,
                       "the configuration has no value '%.64s' of the type that was asked for", name ? name : "NULL");
    if (!(__atomic_fetch_or(&said, bit, __ATOMIC_RELAXED) & bit)) autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
}
/* Returns the value of the axis with this name, if `types` has the bit of its type. NULL: none; the last error says
   so. */
static const uint64_t *autotune__value_named(const autotune_config *config, const char *name, unsigned types,
                                             autotune_type *type) {
    size_t a;
    for (a = 0; config && name && a < config->count; a++) {
        if (strcmp(config->names[a], name)) continue;
        *type = config->types[a];
        if (types >> *type & 1) return &config->values[a];
        break;
    }
    autotune__lack_value(name);
    return NULL;
}
#define AUTOTUNE__INTEGERS (1u << AUTOTUNE_BOOL | 0x1FEu)       /* I8 to U64 */
AUTOTUNE__API int64_t autotune_get_int(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, AUTOTUNE__INTEGERS, &type);
    return value ? autotune__int_of_value(type, *value) : 0;
}
AUTOTUNE__API double autotune_get_double(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name,
                                                  AUTOTUNE__INTEGERS | 1u << AUTOTUNE_F32 | 1u << AUTOTUNE_F64, &type);
    return value ? autotune__double_of_value(type, *value) : autotune__nan();
}
AUTOTUNE__API const char *autotune_get_string(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 1u << AUTOTUNE_STRING, &type);
    return value ? autotune__string_of_value(*value) : NULL;
}
AUTOTUNE__API void *autotune_get_pointer(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 1u << AUTOTUNE_POINTER, &type);
    void *pointer = NULL;
    if (value) memcpy(&pointer, value, sizeof pointer);
    return pointer;
}
AUTOTUNE__API const char *autotune_get_label(const autotune_config *config, const char *name) {
    autotune_type type;
    const uint64_t *value = autotune__value_named(config, name, 0xFFFFu, &type);
    return value ? config->labels[value - config->values] : NULL;
}
AUTOTUNE__API size_t autotune_get_index(const autotune_config *config) { return config ? config->index : 0; }

AUTOTUNE__API uint64_t autotune_anchor(uint64_t x, uint64_t base, uint64_t min, uint64_t max) {
    uint64_t bucket = 1;
    if (base < 2) base = 2;
    while (bucket < x) {
        if (bucket > UINT64_MAX / base) { bucket = UINT64_MAX; break; }
        bucket *= base;
    }
    if (min && bucket < min) bucket = min;
    if (max && bucket > max) bucket = max;
    return bucket;
}
