/* page.c - for the tests of `autotune report`. `page json` says whether each line of standard input is one value of
   JSON (RFC 8259), as UTF-8. `page records N` prints so many records of the cache, with their checksums. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool value(const unsigned char **at);

static bool is_hex(unsigned char c) { return c && strchr("0123456789abcdefABCDEF", c); }
/* Each function below returns true if its part of JSON begins at *at, and moves *at behind the part. */
static bool escape(const unsigned char **at) { /* an escape, without its backslash */
    if (*(*at)++ != 'u') return strchr("\"\\/bfnrt", (*at)[-1]) && (*at)[-1];
    for (int i = 0; i < 4; i++)
        if (!is_hex(*(*at)++)) return false;
    return true;
}
static bool character(const unsigned char **at) { /* a character of UTF-8 that is not in ASCII */
    const unsigned char first = *(*at)++, second = **at;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4) return false;
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return false;
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return false;
    for (int i = 0; i < more; i++)
        if ((*(*at)++ & 0xC0) != 0x80) return false;
    return true;
}
static bool string(const unsigned char **at) {
    if (*(*at)++ != '"') return false;
    while (**at != '"') {
        if (**at < 0x20 || **at == 0x7F) return false;
        if (**at >= 0x80) {
            if (!character(at)) return false;
        } else if (*(*at)++ == '\\' && !escape(at))
            return false;
    }
    ++*at;
    return true;
}
static bool list(const unsigned char **at, unsigned char end, bool named) { /* an array, or an object if `named` */
    ++*at;
    if (**at == end) return ++*at, true;
    for (;; ++*at) {
        if (named && (!string(at) || *(*at)++ != ':')) return false;
        if (!value(at)) return false;
        if (**at == end) return ++*at, true;
        if (**at != ',') return false;
    }
}
static bool value(const unsigned char **at) { /* a value without spaces, as the command writes it */
    static const char *const words[] = {"null", "true", "false"};
    char *end;
    if (**at == '{') return list(at, '}', true);
    if (**at == '[') return list(at, ']', false);
    if (**at == '"') return string(at);
    for (int i = 0; i < 3; i++)
        if (!strncmp((const char *)*at, words[i], strlen(words[i]))) return *at += strlen(words[i]), true;
    if (!strchr("-0123456789", **at) || !**at) return false;
    (void)strtod((const char *)*at, &end);
    *at = (const unsigned char *)end;
    return true;
}
static int check_json(void) {
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        const unsigned char *at = (const unsigned char *)line;
        number++;
        if (line[length - 1] == '\n') line[--length] = 0;
        if (value(&at) && at == (const unsigned char *)line + length) continue;
        printf("line %zu is no JSON at its byte %td\n", number, at - (const unsigned char *)line);
        return 1;
    }
    free(line);
    printf("%zu\n", number);
    return 0;
}

static uint32_t crc_of(const char *text) {
    uint32_t crc = 0xFFFFFFFFu;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return ~crc;
}
static void print_record(int number) { /* a record of 20 configurations; the first is the winner */
    static const char *const verdicts[] = {"separated", "separated", "tie", "unresolved", "unreliable"};
    static char line[8192];
    const double ns = 1000 + 977.0 * number;
    int at = snprintf(line, sizeof line,
                      "{\"autotune\":1,\"id\":\"%016x\",\"fingerprint\":\"00000000000000f1\","
                      "\"machine\":\"00000000000000a1\",\"date\":\"2026-01-02T03:04:05Z\","
                      "\"tuner\":\"kernels.c:kernel%d\",\"key\":{\"n\":%d},"
                      "\"winner\":{\"tile\":8,\"unroll\":1},\"median_ns\":%.1f,\"verdict\":\"%s\",\"default_ns\":%.1f,"
                      "\"tried\":20,\"space_size\":20,\"seconds\":0.1,\"device\":\"A processor\",\"configurations\":[",
                      (unsigned)number + 1, number % 40, number, ns, verdicts[number % 5], ns * (2 + number % 9));
    for (int i = 0; i < 20; i++)
        at += snprintf(line + at, sizeof line - (size_t)at,
                       "%s{\"config\":{\"tile\":%d,\"unroll\":%d},\"stage\":\"%s\",\"state\":\"slow\","
                       "\"launches\":%d,\"trial\":%d,\"min_ns\":%.1f,\"median_ns\":null}",
                       i ? "," : "", 8 << i % 5, 1 << i / 5, i ? "screen" : "winner", i ? 3 : 1234567,
                       (i * 7 + number) % 20 + 1, ns * (1 + i * 0.1));
    at += snprintf(line + at, sizeof line - (size_t)at, "]");
    printf("%s,\"crc\":\"%08lx\"}\n", line, (unsigned long)crc_of(line));
}
int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "json")) return check_json();
    if (count != 3 || strcmp(arguments[1], "records")) return 2;
    for (int i = 0; i < atoi(arguments[2]); i++) print_record(i);
    return 0;
}
