/* Pins: the configurations that the environment asks for, whatever was measured. AUTOTUNE_USE has pins with ; between
   them, as matmul.c:*=tile=32, unroll=4; sort.c:sort*=first, or @FILE, a file with a pin in each line. */
#pragma once
#include <stdlib.h>
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "subject.h"

/* pattern: of a tuner's name, or of its name and key as the log shows them; * stands for any characters. wanted:
   "first", or values of axes as the log shows them. */
typedef struct autotune__pin { const char *pattern, *wanted; bool used; } autotune__pin;
enum { AUTOTUNE__PIN_BYTES = 256 };             /* of `wanted`, with its zero */
/* autotune__lock guards them. */
static autotune__pin *autotune__pins;
static char *autotune__pins_text;               /* they point into it */
static bool autotune__pins_are_read;

static const char *autotune__past_blanks(const char *at) { return at + strspn(at, " \t\r"); }
/* What is between two places, without the blanks around it. The byte at `end` becomes a zero. */
static char *autotune__cut_out(char *at, char *end) {
    at += autotune__past_blanks(at) - at;
    while (end > at && strchr(" \t\r", end[-1])) end--;
    *end = 0;
    return at;
}
/* The = between pattern and configuration. A key in the pattern may have others: matmul [n=512]=tile=32. */
static char *autotune__equals_of_pin(char *text) {
    char *equals = strchr(text, '='), *bracket = strchr(text, '[');
    if (!equals || !bracket || bracket > equals) return equals;
    return (bracket = strstr(bracket, "]=")) ? bracket + 1 : NULL;
}
static void autotune__add_pin(char *text, autotune__text *problems) {
    char *equals = autotune__equals_of_pin(text);
    autotune__pin pin = { text, NULL, false };
    if (!*text || *text == '#') return;
    if (equals) pin.wanted = autotune__past_blanks(equals + 1);
    if (!equals || equals == text || !*pin.wanted || strlen(pin.wanted) >= AUTOTUNE__PIN_BYTES)
        autotune__append(problems, "AUTOTUNE_USE: '%.64s' is no pin and is ignored: a pin is TUNER=first or "
                         "TUNER=axis=value, axis=value, and has at most %d bytes behind the first =\n", text,
                         (int)AUTOTUNE__PIN_BYTES - 1);
    else {
        pin.pattern = autotune__cut_out(text, equals);
        if (!AUTOTUNE__PUSH(autotune__pins, pin)) problems->broken = true;
    }
}
static void autotune__add_pins(char *text, const char *separators, autotune__text *problems) {
    while (text) {
        char *end = text + strcspn(text, separators), *next = *end ? end + 1 : NULL;
        autotune__add_pin(autotune__cut_out(text, end), problems);
        text = next;
    }
}
static void autotune__say_unused_pins(void) {   /* the program ends, or all is freed */
    size_t i;
    for (i = 0; i < autotune__count(autotune__pins); i++)
        if (!autotune__is_set(&autotune__pins[i].used))
            autotune__complain("AUTOTUNE_USE: no tuner fits '%s', so that nothing was pinned to '%s'",
                               autotune__pins[i].pattern, autotune__pins[i].wanted);
}
static void autotune__read_pins(void) {
    static bool watched;
    const char *given = autotune__variable("AUTOTUNE_USE"), *why = "out of memory";
    const bool is_file = given && *given == '@';
    autotune__text problems = { NULL, false };
    size_t bytes;
    char *text = !given || !*given ? NULL : is_file ? autotune__read_path(given + 1, &bytes, &why)
                                                    : autotune__copy_string(given);
    if (given && *given && !text)
        autotune__append(&problems, "AUTOTUNE_USE=%.200s cannot be read (%s): nothing is pinned\n", given, why);
    autotune__lock_mutex(&autotune__lock);
    if (!autotune__pins_are_read) {
        autotune__pins_text = text;
        autotune__add_pins(text, is_file ? "\n" : ";\n", &problems);
        text = NULL;
        if (autotune__pins && !watched) watched = atexit(autotune__say_unused_pins) == 0;
        autotune__pins_are_read = true;
    } else autotune__clear_text(&problems);
    autotune__unlock_mutex(&autotune__lock);
    autotune__free(text);
    autotune__complain_of_all(&problems);
}
static void autotune__free_pins(void) {         /* autotune_shutdown(): with the lock */
    AUTOTUNE__FREE_ARRAY(autotune__pins);
    autotune__free(autotune__pins_text);
    autotune__pins_text = NULL;
    autotune__pins_are_read = false;
}

static bool autotune__matches_up_to(const char *end, const char *pattern, const char *text) {
    const char *past_star = NULL, *from = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') { past_star = ++pattern; from = text; }
        else if (pattern < end && *pattern == *text) { pattern++; text++; }
        else if (past_star) { pattern = past_star; text = ++from; }
        else return false;
    }
    while (pattern < end && *pattern == '*') pattern++;
    return pattern == end;
}
static bool autotune__matches(const char *pattern, const char *text) {
    return autotune__matches_up_to(pattern + strlen(pattern), pattern, text);
}
/* Does the pattern without its key fit the name of a tuner? That a key is not called is usual, and not told. */
static bool autotune__fits_tuner(const char *pattern, const char *name) {
    const char *end = pattern + strcspn(pattern, "[");
    while (end > pattern && end[-1] == ' ') end--;
    return autotune__matches_up_to(end, pattern, name);
}
/* Copies what the first pin that fits the subject asks for to `wanted`, which has AUTOTUNE__PIN_BYTES. False: none
   fits. Of ranks the pins of rank 0 count, and it tells which were of no use. */
static bool autotune__find_pin(const autotune__subject *subject, char *wanted) {
    autotune__text full AUTOTUNE__FREED = { NULL, false };
    size_t i;
    *wanted = 0;
    if (!autotune__is_set(&autotune__pins_are_read)) autotune__read_pins();
    if (!autotune__pins) return false;
    autotune__append_subject(&full, subject);
    AUTOTUNE__WITH_LOCK(&autotune__lock);
    for (i = 0; i < autotune__count(autotune__pins); i++) {
        autotune__pin *pin = &autotune__pins[i];
        const bool fits = autotune__matches(pin->pattern, subject->name) ||
                          autotune__matches(pin->pattern, autotune__string(&full));
        if (fits || autotune__is_follower(&subject->options) || autotune__fits_tuner(pin->pattern, subject->name))
            pin->used = true;
        if (fits && !*wanted) memcpy(wanted, pin->wanted, autotune__bytes_of(pin->wanted));
    }
    return *wanted != 0;
}

/* The values that are wanted of the axes. at NULL: any. */
typedef struct autotune__wanted {
    struct { const char *at; size_t length; } of[AUTOTUNE_MAX_AXES];
} autotune__wanted;

/* Which axis does `at` name with a = behind it? *value is what follows. SIZE_MAX: none. */
static size_t autotune__named_axis(const autotune__space *space, const char *at, const char **value) {
    size_t a;
    for (a = 0; a < space->axis_count; a++) {
        const size_t length = strlen(space->axes[a].name);
        const char *equals;
        if (strncmp(at, space->axes[a].name, length) != 0) continue;
        equals = autotune__past_blanks(at + length);
        if (*equals != '=') continue;
        *value = autotune__past_blanks(equals + 1);
        return a;
    }
    return SIZE_MAX;
}
/* The comma with another axis behind it, or the end of the text: a value may have commas. */
static const char *autotune__end_of_value(const autotune__space *space, const char *at) {
    const char *ignored;
    while ((at = strchr(at, ',')) != NULL && autotune__named_axis(space, autotune__past_blanks(++at), &ignored) ==
           SIZE_MAX) {}
    return at;
}
static bool autotune__has_wanted(const autotune__space *space, const autotune__wanted *wanted, size_t a, size_t digit) {
    autotune__text label AUTOTUNE__FREED = { NULL, false };
    if (!wanted->of[a].at) return true;
    autotune__append_label_of(&label, space, a, digit);
    return strlen(autotune__string(&label)) == wanted->of[a].length &&
           !strncmp(autotune__string(&label), wanted->of[a].at, wanted->of[a].length);
}
/* False: an axis or a value is not there. */
static bool autotune__read_wanted(const autotune__space *space, const char *text, autotune__wanted *wanted) {
    memset(wanted, 0, sizeof *wanted);
    while (text && strcmp(text, "first") != 0) {
        size_t a = autotune__named_axis(space, autotune__past_blanks(text), &text), digit = 0, count, length;
        const char *next;
        if (a == SIZE_MAX && autotune__is_select(space)) a = 0;     /* the log shows its calls without the axis */
        if (a == SIZE_MAX) return false;
        next = autotune__end_of_value(space, text);
        for (length = next ? (size_t)(next - 1 - text) : strlen(text); length && text[length - 1] == ' ';) length--;
        wanted->of[a].at = text;
        wanted->of[a].length = length;
        count = space->dimensions[space->axes[a].dimension].count;
        while (digit < count && !autotune__has_wanted(space, wanted, a, digit)) digit++;
        if (digit == count) return false;
        text = next;
    }
    return true;
}
/* The next point from `from` on that has all values that are wanted. SIZE_MAX: none of those that were looked at. */
static size_t autotune__next_wanted(autotune__space *space, const char *text, size_t from) {
    autotune__wanted wanted;
    size_t looked_at, a;
    if (!autotune__read_wanted(space, text, &wanted)) return SIZE_MAX;
    for (looked_at = 0; from < space->points && looked_at < AUTOTUNE_MAX_POINTS; looked_at++) {
        autotune__locate(space, from);
        for (a = 0; a < space->axis_count; a++)
            if (!autotune__has_wanted(space, &wanted, a, space->dimensions[space->axes[a].dimension].digit)) break;
        if (a == space->axis_count) return from;
        from += 1 + autotune__points_below(space, space->axes[a].dimension);
    }
    return SIZE_MAX;
}
