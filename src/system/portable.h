/* Functions that are the same, or nearly the same, for all operating systems. They are for environment variables,
   paths, the folder of the cache, replacing files, reports of a child, locks, the identity of a program, and
   libraries. */
#pragma once
#include <time.h>
#include "../api/floor.h"
#include "floor.h"

/* Returns the value of an environment variable; NULL if it is not set, or if the process has more rights than its user.
   The user sets the variables, so a path in such a variable could make the process write files that the user may not
   write. */
static AUTOTUNE__UNUSED const char *autotune__variable(const char *name) {
    return autotune__is_privileged() ? NULL : getenv(name);
}

/* Returns all variables of this process. */
static char *const *autotune__all_variables(void) {
#ifndef _WIN32
    extern char **environ;
    return environ;
#else
    return _environ;
#endif
}

/* Returns the seconds since 1970, by the clock of the calendar. */
static AUTOTUNE__UNUSED int64_t autotune__calendar_seconds(void) { return (int64_t)time(NULL); }

/* Returns the last separator between a folder and a name; NULL: none. */
static AUTOTUNE__UNUSED const char *autotune__last_separator(const char *path) {
    const char *last = NULL;
    for (; *path; path++) if (autotune__is_separator(*path)) last = path;
    return last;
}
/* Makes a folder and the folders above it. During the call `path` changes; after the call it is as before. */
static AUTOTUNE__UNUSED bool autotune__make_folders(char *path) {
    int first_error = 0;                        /* errno of the first folder that could not be made */
    char *at;
    for (at = path + 1; *at; at++) {
        const char separator = *at;
        if (!autotune__is_separator(separator)) continue;
        *at = 0;
        if (!autotune__make_folder(path) && errno != EEXIST && !first_error) first_error = errno;
        *at = separator;
    }
    if (autotune__make_folder(path) || errno == EEXIST) return true;
    if (errno == ENOENT && first_error) errno = first_error;
    return false;
}

/* Writes the path of the cache's folder, which is below a folder that the environment names: see
   autotune__cache_places. A relative path does not count. Returns NULL, or a sentence that says why there is no
   folder. */
static AUTOTUNE__UNUSED const char *autotune__find_user_cache(char *path, size_t room) {
    const size_t count = sizeof autotune__cache_places / sizeof *autotune__cache_places;
    size_t i;
    for (i = 0; i < count; i++) {
        const char *folder = autotune__variable(autotune__cache_places[i][0]);
        const int length = folder && autotune__is_absolute(folder)
                               ? snprintf(path, room, "%s/%s", folder, autotune__cache_places[i][1]) : -1;
        if (length >= 0 && (size_t)length < room) return NULL;
    }
    return autotune__no_cache_place;
}

/* Writes `content` to a new file, closes it, and renames it to `path`. A file that has this path before is replaced.
   file, new_name: number and path of the new file. lasting: the new file has to outlive a crash of the machine. On an
   error the new file is removed: see *why. */
static AUTOTUNE__UNUSED bool autotune__fill_and_rename(int file, const char *new_name, const char *path,
                                                       const char *content, size_t bytes, bool lasting,
                                                       const char **why) {
    bool written = autotune__fits(0, bytes) && autotune__write_all(file, content, bytes) &&
                   (!lasting || autotune__flush_file(file));
    if (!written) *why = strerror(errno);
    if (!autotune__close_file(file) && written) { *why = strerror(errno); written = false; }
    if (written && !autotune__rename_over(new_name, path)) { *why = strerror(errno); written = false; }
    if (!written) autotune__remove_file(new_name);
    return written;
}
/* For a local variable with the number of a file: closes the file at the end of the variable's scope. */
#define AUTOTUNE__CLOSED __attribute__((__cleanup__(autotune__close_local)))
static AUTOTUNE__UNUSED void autotune__close_local(const int *file) { (void)autotune__close_file(*file); }
static AUTOTUNE__UNUSED bool autotune__is_same_id(autotune__file_id a, autotune__file_id b) {
    return a.device == b.device && a.number == b.number;
}
/* Returns true if the number `file` still belongs to the file `id`. Other code may have closed the file, and opened
   another file with the same number. */
static AUTOTUNE__UNUSED bool autotune__is_open_as(int file, autotune__file_id id) {
    autotune__file_facts facts;
    return file >= 0 && autotune__facts_of_file(file, &facts) && autotune__is_same_id(facts.id, id);
}
/* Runs in the child: sends a report to the parent. If the body has closed the pipe, or the parent has ended, the child
   ends. */
static AUTOTUNE__UNUSED void autotune__report_to_parent(const autotune__child *child, const void *report,
                                                        size_t bytes) {
    if (!autotune__is_open_as(child->reports, child->reports_id) ||
        !autotune__write_all(child->reports, (const char *)report, bytes))
        _Exit(AUTOTUNE__CANNOT_REPORT);
}

/* Locks the mutex until the end of the block. */
#define AUTOTUNE__WITH_LOCK(mutex) \
    autotune__mutex *const autotune__held __attribute__((__cleanup__(autotune__let_go))) = (mutex); \
    autotune__lock_mutex(autotune__held)
AUTOTUNE__INLINE void autotune__let_go(autotune__mutex *const *held) { autotune__unlock_mutex(*held); }
/* Locks the mutex, or gives up after so many milliseconds. Returns true if this thread has the lock. */
static AUTOTUNE__UNUSED bool autotune__lock_within(autotune__mutex *mutex, unsigned milliseconds) {
    for (; !autotune__try_mutex(mutex); milliseconds--) {
        if (!milliseconds) return false;
        autotune__sleep_ns(1000000);
    }
    return true;
}

/* Writes the identity of the program or library that holds an address: its build id, else date and size of its file.
   Returns false, and writes "", if neither is known. */
static AUTOTUNE__UNUSED bool autotune__identify_program(const void *address, char *words, size_t room) {
    autotune__module module;
    autotune__file_facts facts;
    *words = 0;
    if (!autotune__find_module(address, &module)) return false;
    if (*module.build) autotune__put_text(words, room, "%s", module.build);
    else if (autotune__is_absolute(module.path) && autotune__facts_of_path(module.path, &facts))
        autotune__put_text(words, room, "%llx-%llx", (unsigned long long)facts.modified_ns,
                           (unsigned long long)facts.bytes);
    return *words;
}

/* A library that may be missing. names: the names of its file, up to a NULL; the first that can be opened is used.
   The other members are parts of messages. what: the beginning of each message, such as "CUDA is not available".
   absent: the end of the message if no file can be opened. needed: the end of the message if the library lacks a
   function. */
typedef struct autotune__optional_library { const char *names[5], *what, *absent, *needed; } autotune__optional_library;

/* Finds functions by name. names: each name ends with a zero, the last name with two. functions: a struct of pointers,
   which gets the addresses in this order; NULL for a missing function. Returns the first missing name; NULL: no name is
   missing. */
static AUTOTUNE__UNUSED const char *autotune__find_functions(void *library, const char *names, void *functions) {
    const char *missing = NULL;
    char *at = (char *)functions;
    for (; *names; names += strlen(names) + 1, at += sizeof(void *)) {
        void *const symbol = autotune__symbol_of(library, names);
        memcpy(at, &symbol, sizeof symbol);     /* ISO C cannot cast void * to a function */
        if (!symbol && !missing) missing = names;
    }
    return missing;
}
/* Opens a library, and finds functions in it. Returns NULL if the library is missing, or lacks a function: see
   `problem`. */
static AUTOTUNE__UNUSED void *autotune__open_functions(const autotune__optional_library *of, const char *names,
                                                       void *functions, char *problem, size_t bytes) {
    const char *missing = NULL, *name = NULL;
    void *library = NULL;
    size_t i;
    for (i = 0; !library && of->names[i]; i++) library = autotune__open_library(name = of->names[i]);
    if (!library) autotune__put_text(problem, bytes, "%s: %s", of->what, of->absent);
    else missing = autotune__find_functions(library, names, functions);
    if (missing) autotune__put_text(problem, bytes, "%s: %s lacks %s: %s", of->what, name, missing, of->needed);
    return missing ? NULL : library;
}
/* A list macro such as AUTOTUNE__NVRTC_FUNCTIONS(X) calls X for each function. With this macro as X, the list becomes
   the `names` of autotune__find_functions(). */
#define AUTOTUNE__NAME_OF_FUNCTION(...) AUTOTUNE__FIRST_AS_NAME(__VA_ARGS__, ~)
#define AUTOTUNE__FIRST_AS_NAME(name, ...) #name "\0"
/* Defines the function works(): its first call in the process calls open(), which opens a library. Returns true if
   `problem` is "" after that: the library works. */
#define AUTOTUNE__DEFINE_WORKS(works, open, problem) \
    AUTOTUNE__INLINE bool works(void) {              \
        static autotune__once once = AUTOTUNE__ONCE; \
        autotune__run_once(&once, open);             \
        return !*(problem);                          \
    }

#if !defined __linux__ || !defined __GLIBC__    /* else system/frozen.h has these */
static AUTOTUNE__UNUSED bool autotune__freeze(autotune__frozen *frozen AUTOTUNE__UNUSED, const char **why) {
    *why = "only Linux with glibc shows what a launch changes";
    return false;
}
static AUTOTUNE__UNUSED void autotune__tell_changes(autotune__frozen *frozen AUTOTUNE__UNUSED) {}
#endif
