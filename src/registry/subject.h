/* A subject, which is what a statement tunes: all that the log, the registry and the store know of the statement. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "tuners.h"
#include "ranks.h"

typedef struct autotune__subject {
    autotune__site *site;                       /* has the texts of space and call, and what they were compiled with */
    const char *name;                           /* of the tuner: options.name, or own_name */
    char *own_name;
    autotune_options options;                   /* the key, and what is to be done */
    char *strings;                              /* the copies of its strings */
    autotune_mode mode;
    autotune_backend *backend;                  /* the device */
    void (*close)(autotune_backend *);          /* of `backend`. NULL: it has none, and may be gone when an online race
                                                   ends */
    bool follows;                               /* another rank has the disk and the terminal */
    const void *peers;                          /* the ranks with which its calls agree; NULL: none */
    int together;                               /* how many ranks run a call together; 0 or 1: none do */
    bool is_distorted;                          /* times are not what they are otherwise: the store writes nothing */
    const void *code;                           /* an address in the program or library that holds the call */
    autotune__space *space;
    autotune__known_key *known_key;             /* what the registry knows of it; NULL before it was asked */
    autotune__text named_point;                 /* see autotune__name_point() */
} autotune__subject;

static bool autotune__is_cold(const autotune__subject *subject) {
    const autotune_cache_state asked = subject->options.cache_state;
    return (asked ? asked : subject->backend->cache_state) == AUTOTUNE_COLD;
}
static void autotune__append_subject(autotune__text *text, const autotune__subject *subject) {
    autotune__append_case(text, subject->name, &subject->options.key);
}
/* A text that is freed where its block ends: the sentence about a subject of which a function has the format. */
#define AUTOTUNE__SENTENCE(text, subject, format)          \
    autotune__text text AUTOTUNE__FREED = { NULL, false }; \
    autotune__append_subject(&text, subject);              \
    autotune__append(&text, ": ");                         \
    AUTOTUNE__APPEND_ARGUMENTS(&text, format)
/* Logs a sentence about a subject. */
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 3, 4)))
void autotune__say_of(autotune_log_level level, const autotune__subject *subject, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, subject, format);
    autotune__say(level, autotune__string(&text));
}
/* The same as the last error of this thread. */
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 2, 3)))
void autotune__complain_of(const autotune__subject *subject, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, subject, format);
    autotune__complain("%s", autotune__string(&text));
}
/* Returns the name of a point in logs, which holds until the next point is named. */
static AUTOTUNE__UNUSED const char *autotune__name_point(autotune__subject *subject, size_t index) {
    autotune__clear_text(&subject->named_point);
    autotune__append_point(&subject->named_point, subject->space, index);
    return autotune__string(&subject->named_point);
}
/* The text of the call as written in the program. NULL for a block, and for a SELECT, whose values are the texts. */
static const char *autotune__call_text(const autotune__subject *subject, size_t *length) {
    const char *text = subject->site->text,
               *part = autotune__is_select(subject->space) ? NULL : autotune__part(text, 1, length);
    return part && *part != '.' ? autotune__part(text, 2, length) : NULL;
}
static AUTOTUNE__UNUSED bool autotune__may_tune(const autotune__subject *subject) {
    return subject->mode == AUTOTUNE_ON || subject->mode == AUTOTUNE_FORCE;
}
/* Is the winner of a record compared with others, and used whatever they show? Nothing in the record is changed. */
static AUTOTUNE__UNUSED bool autotune__verifies(const autotune__subject *subject) {
    return subject->mode == autotune__verify_mode;
}
