/* floor_base.c - texts and numbers, which all other floors use. */
#include "../../src/base/text.h"
#include "../../src/base/numbers.h"

#include "../expect.h"
#include <locale.h>
#include <math.h>

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Returns the parts of a macro's text, with bars between them. */
static const char *parts_of(const char *text) {
    static char all[256];
    size_t length, number = 0;
    const char *part;
    *all = 0;
    while ((part = autotune__part(text, number++, &length)) != NULL) {
        strncat(all, "|", sizeof all - strlen(all) - 1);
        strncat(all, part, length);
    }
    return all;
}
Test(text, commas_in_parentheses_and_quotes_divide_nothing) {
    EXPECT_STRING(parts_of("a, f(b, c) ,d"), "|a|f(b, c)|d");
    EXPECT_STRING(parts_of("\"x,\\\"y\", ',', z"), "|\"x,\\\"y\"|','|z");
    EXPECT_STRING(parts_of("1'000, u8'\\'', R\"x(,\")\")x\", last"), "|1'000|u8'\\''|R\"x(,\")\")x\"|last");
    EXPECT_STRING(parts_of(""), "");
    EXPECT_STRING(parts_of("((, "), "|((,");
}
/* In C and C++ an identifier may have letters of every language, which have bytes of 128 and more in UTF-8. For gcc it
   may have $. */
Test(text, letters_of_every_language_are_of_a_word) {
    for (int c = 0; c < 256; c++) {
        const bool expected = c >= 128 ||
                              (c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$", c));
        cr_expect_eq(autotune__is_word((char)c), expected, "%d", c);
    }
}
Test(text, what_a_terminal_obeys_is_escaped) {
    autotune__text text = {NULL, false};
    EXPECT_STRING(autotune__visible(&text, "plain"), "plain");
    cr_expect(!text.at, "a plain line is not copied");
    EXPECT_STRING(autotune__visible(&text, "\033[2J\xC2\x9B\xC3\xA4\xFF"), "\\u001b[2J\\u009b\xC3\xA4\\udcff");
    autotune__clear_text(&text);
    EXPECT_STRING(autotune__visible(&text, "a\xE2\x80\xAE" "b\xE2\x81\xA9\xE2\x80\xA8\xE2\x80\xA6\xE2\x82\xAC"),
                  "a\\u202eb\\u2069\\u2028\xE2\x80\xA6\xE2\x82\xAC"); /* an ellipsis and a euro sign are harmless */
    autotune__free_text(&text);
}
Test(text, numbers_have_a_point_in_every_locale) {
    static const char *const with_comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < sizeof with_comma / sizeof *with_comma; i++) {
        autotune__text text = {NULL, false};
        if (!setlocale(LC_NUMERIC, with_comma[i])) continue;
        autotune__append_number(&text, "%g", 2.5);
        EXPECT_STRING(autotune__string(&text), "2.5");
        cr_expect(autotune__number_of("2.5", 3) == 2.5 && autotune__number_of("2,5", 3) == AUTOTUNE__NEVER);
        autotune__free_text(&text);
    }
    setlocale(LC_NUMERIC, "C");
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

Test(numbers, hashes_that_the_cache_keeps_stay_the_same) {
    cr_expect(autotune__hash_string("") == 0xcbf29ce484222325u); /* the published values of FNV-1a */
    cr_expect(autotune__hash_string("foobar") == 0x85944171f73967e8u);
    cr_expect(autotune__hash_more(autotune__hash_more(0, "a", 1), "bc", 2) !=
              autotune__hash_more(autotune__hash_more(0, "ab", 2), "c", 1));
}
Test(numbers, logarithm_exponential_and_root_are_those_of_the_math_library) {
    for (double x = 1e-300; x < 1e300; x *= 17.3) {
        cr_expect(fabs(autotune__logarithm(x) - log(x)) <= 1e-10, "log(%g)", x);
        if (x > 1e-30 && x < 1e30)
            cr_expect(fabs((double)autotune__inverse_root((float)x) * sqrt((double)(float)x) - 1) <= 1e-6, "%g", x);
        if (fabs(log(x)) < 600) cr_expect(fabs(autotune__exp(log(x)) / exp(log(x)) - 1) <= 1e-12, "exp(%g)", log(x));
    }
}
Test(numbers, what_is_unknown_is_no_number) {
    cr_expect(autotune__is_definite(0) && autotune__is_definite(-1e100) && !autotune__is_definite(AUTOTUNE__NEVER));
    cr_expect(!autotune__is_definite((double)NAN) && !autotune__is_definite((double)INFINITY));
    cr_expect(autotune__is_finite(AUTOTUNE__NEVER) && !autotune__is_finite((double)-INFINITY));
    cr_expect(is_nan(autotune__nan()) && !autotune__is_within((double)NAN, 0, 1) && autotune__is_within(1, 0, 1));
}
Test(numbers, positions_among_ascending_numbers) {
    const size_t ascending[] = {2, 3, 5, 7, 11};
    for (size_t value = 0; value < 13; value++) {
        size_t expected = SIZE_MAX;
        for (size_t i = 0; i < 5; i++) expected = ascending[i] == value ? i : expected;
        EXPECT_INT(autotune__position_of(value, ascending, 5), expected);
    }
    EXPECT_INT(autotune__position_of(2, ascending, 0), SIZE_MAX);
}
Test(numbers, medians) {
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    cr_expect(autotune__median(odd, 3) == 2 && autotune__median(even, 4) == 2.5);
    cr_expect(autotune__median(odd, 0) == AUTOTUNE__NEVER);
}
Test(numbers, draws_below_a_bound_are_even) {
    enum { BELOW = 7, DRAWS = 70000 };
    uint64_t state = 1;
    size_t drawn[BELOW] = {0};
    for (int i = 0; i < DRAWS; i++) drawn[autotune__random_below(&state, BELOW)]++;
    for (int i = 0; i < BELOW; i++) /* up to five standard deviations of a binomial distribution */
        cr_expect(fabs((double)drawn[i] - DRAWS / BELOW) < 5 * sqrt(DRAWS / BELOW * (1 - 1.0 / BELOW)), "%d: %zu", i,
                  drawn[i]);
}
