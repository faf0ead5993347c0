/* expect.h - checks for suites. A check that fails prints the actual and the expected value. */
#ifndef EXPECT_H
#define EXPECT_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EXPECT_INT(actual, expected)                                                                         \
    do {                                                                                                     \
        const long long actual_int = (long long)(actual), expected_int = (long long)(expected);              \
        cr_expect(actual_int == expected_int, "%s is %lld and not %lld", #actual, actual_int, expected_int); \
    } while (0)
#define EXPECT_STRING(actual, expected)                                                                             \
    do {                                                                                                            \
        const char *const actual_string = (actual), *const expected_string = (expected);                            \
        cr_expect(actual_string && !strcmp(actual_string, expected_string), "%s is \"%s\" and not \"%s\"", #actual, \
                  actual_string ? actual_string : "(NULL)", expected_string);                                       \
    } while (0)
#define EXPECT_CONTAINS(text, part)                                                                                    \
    do {                                                                                                               \
        const char *const whole_text = (text), *const wanted_part = (part);                                            \
        cr_expect(strstr(whole_text, wanted_part) != NULL, "\"%s\" does not contain \"%s\"", whole_text, wanted_part); \
    } while (0)

/* Compares bits: some suites are also compiled with -ffast-math, and then isnan() is always false. */
static inline bool is_nan(double value) {
    uint64_t bits;
    __asm__("" : "+m"(value));
    memcpy(&bits, &value, sizeof bits);
    return bits << 1 > UINT64_C(0xFFE0000000000000);
}
static inline size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

#endif
