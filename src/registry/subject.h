/* The subject of a statement: all that the log, the registry and the store know of the statement. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "tuners.h"
#include "ranks.h"

typedef struct autotune__subject {
    autotune__site *site;                       /* has the texts of space and call, and the compiler that built them */
    const char *name;                           /* the tuner's name: options.name or own_name */
    char *own_name;
    autotune_options options;                   /* with the key */
    char *strings;                              /* copies of strings for `options` */
    autotune_mode mode;
    autotune_backend *backend;                  /* the device */
    void (*close)(autotune_backend *);          /* a copy of backend->close. NULL: the backend may be gone at the end of
                                                   an online race, and must not be read then */
    bool follows;                               /* another rank uses the disk and the terminal */
    const void *peers;                          /* the ranks that agree with this one; NULL: none */
    int together;                               /* how many ranks make each launch together; 0 or 1: this rank alone */
    bool is_distorted;                          /* something distorts the times: the store writes no records */
    const void *code;                           /* an address in the program or library that holds the call */
    autotune__space *space;
    autotune__known_key *known_key;             /* see tuners.h; NULL: not looked up yet */
    autotune__text named_point;                 /* see autotune__name_point() */
} autotune__subject;

static bool autotune__is_cold(const autotune__subject *subject) {
    const autotune_cache_state asked = subject->options.cache_state;
    return (asked ? asked : subject->backend->cache_state) == AUTOTUNE_COLD;
}
static void autotune__append_subject(autotune__text *text, const autotune__subject *subject) {
    autotune__append_case(text, subject->name, &subject->options.key);
}
/* Makes a message about a subject from the arguments behind `format`. The text is freed at the end of the block. */
#define AUTOTUNE__SENTENCE(text, subject, format)          \
    autotune__text text AUTOTUNE__FREED = { NULL, false }; \
    autotune__append_subject(&text, subject);              \
    autotune__append(&text, ": ");                         \
    AUTOTUNE__APPEND_ARGUMENTS(&text, format)
/* Logs a message about a subject. */
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 3, 4)))
void autotune__say_of(autotune_log_level level, const autotune__subject *subject, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, subject, format);
    autotune__say(level, autotune__string(&text));
}
/* Logs a message about a subject, and makes it the last error of this thread. */
static AUTOTUNE__UNUSED __attribute__((__format__(__printf__, 2, 3)))
void autotune__complain_of(const autotune__subject *subject, const char *format, ...) {
    AUTOTUNE__SENTENCE(text, subject, format);
    autotune__complain("%s", autotune__string(&text));
}
/* Returns the name of a point in logs. The text is valid until the next point is named. */
static AUTOTUNE__UNUSED const char *autotune__name_point(autotune__subject *subject, size_t index) {
    autotune__clear_text(&subject->named_point);
    autotune__append_point(&subject->named_point, subject->space, index);
    return autotune__string(&subject->named_point);
}
/* Returns the text of the call in the program. NULL: the statement has a block, is a SELECT, or is a call of a created
   tuner. */
static const char *autotune__call_text(const autotune__subject *subject, size_t *length) {
    const char *text = subject->site->text,
               *part = autotune__is_select(subject->space) ? NULL : autotune__part(text, 1, length);
    return part && *part != '.' ? autotune__part(text, 2, length) : NULL;
}
static AUTOTUNE__UNUSED bool autotune__may_tune(const autotune__subject *subject) {
    return subject->mode == AUTOTUNE_ON || subject->mode == AUTOTUNE_FORCE;
}
/* Returns true in mode VERIFY: the winner of a record is compared with other configurations, and stays the winner even
   if it is slower. */
static AUTOTUNE__UNUSED bool autotune__verifies(const autotune__subject *subject) {
    return subject->mode == autotune__verify_mode;
}
