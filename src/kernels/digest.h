/* Digests of 128 bits: FNV-1a, and a second hash by another rule. This room also hashes the tokens of a source. */
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
    digest->word[0] = (a ^ count) * 1099511628211u; /* marks the end: "ab", "c" differs from "a", "bc" */
    digest->word[1] = (b + count) * 0x9E3779B97F4A7C15u;
}
static void autotune__digest_string(autotune__digest *digest, const char *string) {
    autotune__digest_bytes(digest, string, strlen(string));
}
/* Returns true if the two characters make one token without a gap between them, such as `+=`. `>>` and `..` do not
   count: `> >` closes two templates like `>>`, and `... ...` means the same as `......`. */
static bool autotune__are_joined(char first, char second) {
    if (second == '=') return strchr("+-*/%&|^<>!=", first) != NULL;
    return (first == second && strchr("+-<&|:#", second)) || (first == '-' && second == '>');
}
/* Hashes the tokens of a source, without comments and blanks. A line feed counts if it ends a directive. A gap is a
   comment, or blanks. A gap counts between characters that would be one token without the gap. A gap also counts in a
   #define between name and `(`. */
static uint64_t autotune__hash_code(uint64_t hash, const char *text) {
    const char *at, *next, *feed;
    char last = ' ';
    bool directive = false, gap = false, joined = false, defines = false, named = false;
    for (at = text; *at; at = next) {
        bool counts = *at == '\n' && directive;
        next = at + 1;
        if (*at == '\n') directive = named = false;
        else if (at[0] == '/' && at[1] == '/') next = at + strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') next = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (at[0] == '\\' && at[1] == '\n') { next = at + 2; continue; }
        else if (!strchr(" \t\r\f\v", *at)) {
            counts = true;
            directive = directive || *at == '#';
            next = autotune__past_token(at);
            feed = autotune__past_raw_string(at) ? NULL : (const char *)memchr(at, '\n', (size_t)(next - at));
            if (feed && feed > at && feed[-1] != '\\') next = feed;     /* a quote left open in a directive */
            joined = !joined && autotune__are_joined(last, *at);
            if (gap && (joined || (named && *at == '('))) hash = autotune__hash_byte(hash, ' ');
            joined = joined && !gap;
            named = defines;
            defines = directive && next - at == 6 && !memcmp(at, "define", 6);
        }
        if ((gap = !counts)) continue;
        last = next[-1];
        hash = autotune__hash_more(hash, at, (size_t)(next - at));
    }
    return hash;
}
