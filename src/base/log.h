/* The log, and the last error of a thread. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "memory.h"
#include "text.h"
#include "process.h"

static autotune_log *autotune__log_function;                                /* NULL: lines go to stderr */
static void *autotune__log_user;
static bool autotune__progress_shown;                                       /* a line without line feed is on stderr;
                                                                               guarded by the log's lock */
static __thread char autotune__error[1024];
static __thread bool autotune__is_silent;                      /* this rank is a follower: the first rank logs for it */

/* Takes the lock of the log, unless this thread has it: a log function may call the library. */
static bool autotune__enter_log(void) {
    if (autotune__has_log) return false;
    autotune__lock_mutex(&autotune__log_lock);
    return autotune__has_log = true;
}
static void autotune__leave_log(const bool *entered) {
    if (!*entered || !autotune__has_log) return;                            /* a child of fork() has no lock */
    autotune__has_log = false;
    autotune__unlock_mutex(&autotune__log_lock);
}
/* Holds the lock until the block ends, even if a log function in C++ throws. */
#define AUTOTUNE__WITH_LOG \
    const bool autotune__entered AUTOTUNE__UNUSED __attribute__((__cleanup__(autotune__leave_log))) = \
        autotune__enter_log()

AUTOTUNE__API void autotune_set_log(autotune_log *log, void *user) {
    AUTOTUNE__WITH_LOG;
    autotune__log_function = log;
    autotune__log_user = user;
}
static void autotune__erase_progress(void) {                                /* with the log's lock */
    if (autotune__progress_shown) fputs("\r\033[K", stderr);
    autotune__progress_shown = false;
}
/* Writes one line to the log. */
static void autotune__write_line(autotune_log_level level, const char *line) {
    autotune__text visible AUTOTUNE__FREED = { NULL, false };
    AUTOTUNE__WITH_LOG;
    autotune__erase_progress();
    if (autotune__log_function) autotune__log_function(autotune__log_user, level, line);
    else fprintf(stderr, "autotune: %s\n", autotune__visible(&visible, line));
}
/* Returns true if progress is shown: as AUTOTUNE_PROGRESS says, or else if the log goes to a terminal. */
static bool autotune__wants_progress(void) {
    AUTOTUNE__WITH_LOG;
    if (autotune__is_silent) return false;
    if (autotune__environment.progress >= 0) return autotune__environment.progress == 1;
    return !autotune__log_function && autotune__environment.log > AUTOTUNE_LOG_OFF && autotune__stderr_is_terminal();
}
static void autotune__say(autotune_log_level level, const char *line) {
    if ((int)level <= autotune__environment.log && !autotune__is_silent) autotune__write_line(level, line);
}
/* Sets the last error of this thread, and logs it. */
static __attribute__((__format__(__printf__, 1, 2))) void autotune__complain(const char *format, ...) {
    va_list list;
    va_start(list, format);
    autotune__put_list(autotune__error, sizeof autotune__error, format, list);
    va_end(list);
    autotune__say(AUTOTUNE_LOG_ERRORS, autotune__error);
}
/* Logs each line of a text as an error, and frees the text. */
static void autotune__complain_of_all(autotune__text *text) {
    const char *at = text->at, *line;
    size_t length;
    while (at && (line = autotune__next_line(&at, text->at + autotune__count(text->at), &length)) != NULL)
        autotune__complain("%.*s", (int)length, line);
    autotune__free_text(text);
}

AUTOTUNE__API int autotune_version(void) { return AUTOTUNE_VERSION; }
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
                                         "a tie", "unresolved", "unreliable", "ongoing", "pinned",
                                         "guessed" };
    return (unsigned)verdict <= AUTOTUNE_GUESSED ? texts[verdict] : "an unknown verdict";
}
AUTOTUNE__API const char *autotune_last_error(void) { return autotune__error; }
