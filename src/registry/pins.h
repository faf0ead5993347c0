/* Pins: AUTOTUNE_USE restricts tuners to some configurations, whatever races found. The variable holds pins with ;
   between them, for example matmul.c:*=tile=32, unroll!=4; sort.c:sort*=first. @FILE names a file with a pin in each
   line. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "subject.h"

/* pattern: a tuner's name, or its name and key as in the log; * stands for any characters.
   wanted: "first", or for each part an axis, = or !=, and a value as in the log.
   used: a tuner fits the pattern, or another rank says which pins were not used. */
typedef struct autotune__pin { const char *pattern, *wanted; bool used; } autotune__pin;
enum { AUTOTUNE__PIN_BYTES = 256 };             /* for `wanted`, with its zero */
/* autotune__lock guards these three variables. */
static autotune__pin *autotune__pins;
static char *autotune__pins_text;               /* the pins point into it */
static bool autotune__pins_are_read;

static const char *autotune__past_blanks(const char *at) { return at + strspn(at, " \t\r"); }
/* Returns the text between `at` and `end` without blanks around it. The byte behind this text becomes a zero. */
static char *autotune__cut_out(char *at, char *end) {
    at += autotune__past_blanks(at) - at;
    while (end > at && strchr(" \t\r", end[-1])) end--;
    *end = 0;
    return at;
}
/* Returns the = between pattern and configuration; NULL: none. A key in the pattern may have a = itself: matmul
   [n=512]=tile=32. */
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
                         "TUNER=axis=value, axis=value, and has at most %d bytes behind TUNER=\n", text,
                         (int)AUTOTUNE__PIN_BYTES - 1);
    else {
        pin.pattern = autotune__cut_out(text, equals);
        if (!AUTOTUNE__PUSH(autotune__pins, pin)) problems->broken = true;
    }
}
static void autotune__say_unused_pins(void) {   /* at exit and in autotune_shutdown() */
    size_t i;
    for (i = 0; i < autotune__count(autotune__pins); i++)
        if (!autotune__is_set(&autotune__pins[i].used))
            autotune__complain("AUTOTUNE_USE: no tuner fits '%s', so that nothing was pinned to '%s'",
                               autotune__pins[i].pattern, autotune__pins[i].wanted);
}
static void autotune__read_pins(autotune__text *problems) {         /* with the lock */
    static bool watched;
    const char *given = autotune__variable("AUTOTUNE_USE"), *why = "out of memory";
    const bool is_file = given && *given == '@';
    char *at, *end, *next;
    size_t bytes;
    autotune__pins_are_read = true;
    if (!given || !*given) return;
    autotune__pins_text = is_file ? autotune__read_path(given + 1, &bytes, &why) : autotune__copy_string(given);
    if (!autotune__pins_text)
        autotune__append(problems, "AUTOTUNE_USE=%.200s cannot be read (%s): nothing is pinned\n", given, why);
    for (at = autotune__pins_text; at; at = next) {
        end = at + strcspn(at, is_file ? "\n" : ";\n");
        next = *end ? end + 1 : NULL;
        autotune__add_pin(autotune__cut_out(at, end), problems);
    }
    if (autotune__pins && !watched) watched = atexit(autotune__say_unused_pins) == 0;
}
static void autotune__free_pins(void) {         /* with the lock, in autotune_shutdown() */
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
/* Returns true if the pattern without its key matches the name. Such a pin counts as used, even if no call has its
   key. */
static bool autotune__fits_tuner(const char *pattern, const char *name) {
    const char *end = pattern + strcspn(pattern, "[");
    while (end > pattern && end[-1] == ' ') end--;
    return autotune__matches_up_to(end, pattern, name);
}
/* Copies the configuration of the first matching pin to `wanted`, which has AUTOTUNE__PIN_BYTES bytes; "" if no pin
   matches. The pins of the first rank count for all ranks, and the first rank says which pins were not used. */
static void autotune__find_pin(const autotune__subject *subject, char *wanted) {
    autotune__text full AUTOTUNE__FREED = { NULL, false }, problems = { NULL, false };
    size_t i;
    *wanted = 0;
    autotune__lock_mutex(&autotune__lock);
    if (!autotune__pins_are_read) autotune__read_pins(&problems);
    if (autotune__pins) autotune__append_subject(&full, subject);
    for (i = 0; i < autotune__count(autotune__pins); i++) {
        autotune__pin *pin = &autotune__pins[i];
        const bool fits = autotune__matches(pin->pattern, subject->name) ||
                          autotune__matches(pin->pattern, autotune__string(&full));
        if (fits || subject->follows || autotune__fits_tuner(pin->pattern, subject->name)) pin->used = true;
        if (fits && !*wanted) memcpy(wanted, pin->wanted, autotune__bytes_of(pin->wanted));
    }
    autotune__unlock_mutex(&autotune__lock);
    if (problems.at) autotune__complain_of_all(&problems);
}

/* A part of a pin: a value that an axis has to have, or must not have. */
typedef struct autotune__pin_part { size_t axis, length; const char *value; bool excluded; } autotune__pin_part;

/* Finds the axis that `at` names before = or !=. wish->axis is SIZE_MAX if `at` names none. */
static void autotune__read_named_axis(const autotune__space *space, const char *at, autotune__pin_part *wish) {
    for (wish->axis = 0; wish->axis < space->axis_count; wish->axis++) {
        const char *name = space->axes[wish->axis].name, *sign;
        if (strncmp(at, name, strlen(name)) != 0) continue;
        sign = autotune__past_blanks(at + strlen(name));
        wish->excluded = *sign == '!';
        if (sign[wish->excluded] != '=') continue;
        wish->value = autotune__past_blanks(sign + 1 + wish->excluded);
        return;
    }
    wish->axis = SIZE_MAX;
}
/* A value may have commas. It ends at a comma before the name of an axis. Returns the text behind this comma; NULL:
   there is no such comma. */
static const char *autotune__end_of_value(const autotune__space *space, const char *at) {
    autotune__pin_part next;
    for (next.axis = SIZE_MAX; next.axis == SIZE_MAX && (at = strchr(at, ',')) != NULL;)
        autotune__read_named_axis(space, autotune__past_blanks(++at), &next);
    return at;
}
/* Reads the first part of `text`. Returns the text behind this part; NULL: no other part follows. */
static const char *autotune__read_wish(const autotune__space *space, const char *text, autotune__pin_part *wish) {
    const char *rest;
    wish->excluded = false;
    wish->value = text = autotune__past_blanks(text);
    autotune__read_named_axis(space, text, wish);
    if (wish->axis == SIZE_MAX && autotune__is_select(space)) wish->axis = 0;   /* a SELECT: logs name no axis */
    rest = autotune__end_of_value(space, wish->value);
    wish->length = rest ? (size_t)(rest - 1 - wish->value) : strlen(wish->value);
    while (wish->length && wish->value[wish->length - 1] == ' ') wish->length--;
    return rest;
}
static bool autotune__has_value(const autotune__space *space, const autotune__pin_part *wish, size_t digit) {
    autotune__text label AUTOTUNE__FREED = { NULL, false };
    autotune__append_label_of(&label, space, wish->axis, digit);
    return strlen(autotune__string(&label)) == wish->length &&
           !strncmp(autotune__string(&label), wish->value, wish->length);
}
static bool autotune__asks_for_first(const char *pin) { return !strcmp(pin, "first"); }
/* Returns true if the space has each axis and each value of a pin. */
static bool autotune__is_pin_of(const autotune__space *space, const char *pin) {
    autotune__pin_part wish;
    while (pin && !autotune__asks_for_first(pin)) {
        size_t digit = 0;
        pin = autotune__read_wish(space, pin, &wish);
        if (wish.axis == SIZE_MAX) return false;
        while (!autotune__has_value(space, &wish, digit))
            if (++digit == space->dimensions[space->axes[wish.axis].dimension].count) return false;
    }
    return true;
}
/* Returns how many consecutive points, beginning with the located point, have the same refused value. 0: the pin admits
   the located point. */
static size_t autotune__points_refused_by_pin(const autotune__space *space, const char *pin) {
    autotune__pin_part wish;
    size_t refused = 0;
    while (pin && *pin && !autotune__asks_for_first(pin)) {
        size_t dimension, points;
        pin = autotune__read_wish(space, pin, &wish);
        dimension = space->axes[wish.axis].dimension;
        if (autotune__has_value(space, &wish, space->dimensions[dimension].digit) != wish.excluded) continue;
        points = 1 + autotune__points_left_below(space, dimension);
        if (points > refused) refused = points;
    }
    return refused;
}
