/* The log and errors: the state of the process that all threads share, its locks, the lines of the log, the last
   error. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "../system/files.h"
#include "../system/threads.h"
#include "text.h"

/* State of the process. */
static autotune__mutex autotune__lock = AUTOTUNE__MUTEX;          /* of the registry and of every publication;
                                                                               never held while user code runs */
static autotune__condition autotune__changed;                                    /* a race ended */
static autotune__once autotune__locks = AUTOTUNE__ONCE;      /* for those that need an initialisation at run time */
static autotune__mutex autotune__log_lock;                                  /* recursive: a log function may tune */
static autotune_log *autotune__log_function;
static void *autotune__log_user;
static struct autotune__environment {                                       /* -1, 0: not said */
    int mode, preset, cache, log, progress, pin;
    double max_seconds, cache_mib, cubins_mib;
    bool has_seed;
    uint64_t seed;
} autotune__environment;
static autotune__text autotune__complaints;                                 /* about the environment, a line each, until
                                                                               they are said */
static bool autotune__progress_shown;                                       /* a line without its end is on stderr; with
                                                                               the log's lock */
static __thread char autotune__error[1024];

/* Cancellation. A thread cannot be cancelled while it is in this library, except where it waits for another: it would
   leave locks, files and races behind. Where a body is cancelled, and the compiler unwinds no cleanups (C without
   -fexceptions), the end of the thread gives up its statements; nothing of theirs outlives the thread but what the key
   has, which is set as long as there is one. */
static autotune__thread_key autotune__thread_end;
static bool autotune__ends_threads;             /* there is such a key */

/* What is done when a thread ends in the middle of statements, and around a fork. The functions stand where statements
   are known, and are entered here before main() and before constructors of C++: whoever needs the locks first hands
   them to the system. */
static struct autotune__events {
    void (*end_thread)(void *statement);
    void (*before_fork)(void), (*after_fork)(void), (*begin_child)(void);
} autotune__events;

/* What a floor above the statements does besides: in the child of a fork, which has one thread and copies of all locks,
   and in autotune_shutdown(). Entered before main(), as the events are; the floor entered last is called first. */
typedef struct autotune__floor {
    void (*begin_child)(void), (*shut_down)(void);
    struct autotune__floor *entered_before;
} autotune__floor;
static autotune__floor *autotune__floors;
static AUTOTUNE__UNUSED void autotune__enter_floor(autotune__floor *floor) {
    floor->entered_before = autotune__floors;
    autotune__floors = floor;
}

static void autotune__erase_progress(void) {                                /* with the log's lock */
    if (autotune__progress_shown) fputs("\r\033[K", stderr);
    autotune__progress_shown = false;
}
static void autotune__leave_log(int *cancellation) {
    autotune__unlock_mutex(&autotune__log_lock);
    autotune__set_cancellation(*cancellation);
}
/* The log is left by a cleanup: a log function in C++ may throw. */
static void autotune__write_line(autotune_log_level level, const char *line) {
    int cancellation __attribute__((__cleanup__(autotune__leave_log))) = autotune__hold_cancellation();
    autotune__text visible = { NULL, false };
    (void)cancellation;
    autotune__lock_mutex(&autotune__log_lock);
    autotune__erase_progress();
    if (autotune__log_function) autotune__log_function(autotune__log_user, level, line);
    else fprintf(stderr, "autotune: %s\n", autotune__visible(&visible, line));
    autotune__free_text(&visible);
}
/* Does somebody look at stderr, or wish to see how far tuning is? */
static bool autotune__wants_progress(void) {
    bool to_stderr;
    if (autotune__environment.progress >= 0) return autotune__environment.progress == 1;
    autotune__lock_mutex(&autotune__log_lock);
    to_stderr = !autotune__log_function && autotune__environment.log > AUTOTUNE_LOG_OFF;
    autotune__unlock_mutex(&autotune__log_lock);
    return to_stderr && autotune__stderr_is_terminal();
}
static void autotune__say(autotune_log_level level, const char *line) {
    if ((int)level <= autotune__environment.log) autotune__write_line(level, line);
}
/* The error of this thread, and a line in the log. */
static __attribute__((__format__(__printf__, 1, 2))) void autotune__complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
}
/* The same for each line of a text, which is freed. */
static void autotune__complain_of_all(autotune__text *text) {
    const char *at = text->at, *line;
    size_t length;
    while (at && (line = autotune__next_line(&at, text->at + autotune__count(text->at), &length)) != NULL)
        autotune__complain("%.*s", (int)length, line);
    autotune__free_text(text);
}

AUTOTUNE__API const char *autotune_status_text(autotune_status status) {
    static const char *const texts[] = {
#define AUTOTUNE__STATUS(name, text) text,
        AUTOTUNE_STATUSES(AUTOTUNE__STATUS)
#undef AUTOTUNE__STATUS
    };
    return (unsigned)status < AUTOTUNE__STATUS_COUNT ? texts[status] : "an unknown status";
}
AUTOTUNE__API const char *autotune_verdict_text(autotune_verdict verdict) {
    static const char *const texts[] = { "not measured", "the only configuration", "separated",
                                         "a tie within 1 %", "unresolved", "unreliable" };
    return (unsigned)verdict <= AUTOTUNE_UNRELIABLE ? texts[verdict] : "an unknown verdict";
}
AUTOTUNE__API const char *autotune_last_error(void) { return autotune__error; }
