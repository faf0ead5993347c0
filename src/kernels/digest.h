/* Digests of 128 bits: FNV-1a, and beside it a hash of another kind. */
#pragma once
#include "../base/floor.h"

typedef struct autotune__digest { uint64_t word[2]; } autotune__digest;

static void autotune__digest_bytes(autotune__digest *digest, const void *bytes, size_t count) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t a = digest->word[0], b = digest->word[1];
    size_t i;
    for (i = 0; i < count; i++) {
        a = autotune__hash_byte(a, at[i]);
        b = ((b << 9 | b >> 55) + at[i] + 1) * 0x9E3779B97F4A7C15u;
    }
    digest->word[0] = (a ^ count) * 1099511628211u; /* an end, so that "ab", "c" differs from "a", "bc" */
    digest->word[1] = (b + count) * 0x9E3779B97F4A7C15u;
}
static void autotune__digest_string(autotune__digest *digest, const char *string) {
    autotune__digest_bytes(digest, string, strlen(string));
}
