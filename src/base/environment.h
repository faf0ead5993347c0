/* Reads the environment variables AUTOTUNE_... once, before the first statement that is no hit. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "numbers.h"
#include "text.h"
#include "process.h"
#include "log.h"

/* AUTOTUNE_MODE=missed: a key in the file of misses is tuned as in mode ON. Any other key is as in mode CACHED. No
   option asks for this mode. */
static const autotune_mode autotune__missed_mode = (autotune_mode)(AUTOTUNE_FORCE + 1);
/* AUTOTUNE_MODE=audit: as mode FORCE, but a race launches only the first configuration, as in race/audit.h, and nothing
   is kept. */
static const int autotune__audit_mode = AUTOTUNE_FORCE + 3;
#ifdef AUTOTUNE_WITHOUT_CHILD
#define AUTOTUNE__AUDIT ""                      /* left out */
#else
#define AUTOTUNE__AUDIT ", audit"
#endif
/* AUTOTUNE_MODE=verify: the winner of a record is duelled again, as in race/verification.h. A key without a record is
   as in mode CACHED. */
static const autotune_mode autotune__verify_mode = (autotune_mode)(AUTOTUNE_FORCE + 2);
/* Messages about wrong variables. They are logged only after all variables are read: a log function may call the
   library, and this call would wait until all variables are read. */
static autotune__text autotune__complaints;

/* Complains of a variable whose name is `name` with one letter left out, or with an S at the end. */
static void autotune__look_for_misspelt(const char *name) {
    const size_t length = strlen(name), prefix = sizeof "AUTOTUNE_" - 1;
    char *const *at = autotune__is_privileged() ? NULL : autotune__all_variables();
    for (; at && *at; at++) {
        const char *other = *at;
        size_t same = 0, others;
        while (other[same] == name[same] && name[same]) same++;
        if (same < prefix) continue;
        others = strcspn(other, "=");
        if (same == length ? others != length + 1 || other[same] != 'S'
                           : others + 1 != length || memcmp(other + same, name + same + 1, others - same))
            continue;
        autotune__append(&autotune__complaints, "%.*s=%.40s is ignored: is %s meant?\n", (int)others, other,
                         other + others + 1, name);
    }
}
/* Returns the position of the variable's value among the words, from 0 on. otherwise: the result if the variable is not
   set, or has another value. */
static int autotune__choice(const char *name, const char *words, int otherwise) {
    const char *value = autotune__variable(name), *at;
    size_t length;
    int i = 0;
    autotune__look_for_misspelt(name);
    if (!value || !*value) return otherwise;
    for (at = words; *at; at += length, at += strspn(at, ", "), i++) {
        length = strcspn(at, ",");
        if (length == strlen(value) && !memcmp(at, value, length)) return i;
    }
    autotune__append(&autotune__complaints, "%s=%.40s is not known and is ignored: it is one of %s\n", name, value,
                     words);
    return otherwise;
}
static double autotune__number(const char *name, double otherwise, double smallest, double largest,
                               const char *accepted) {
    const char *value = autotune__variable(name);
    double number;
    autotune__look_for_misspelt(name);
    if (!value || !*value) return otherwise;
    number = autotune__number_of(value, strlen(value));
    if (autotune__is_within(number, smallest, largest)) return number;
    autotune__append(&autotune__complaints, "%s=%.40s is %s and is ignored: it is %s\n", name, value,
                     autotune__is_definite(number) ? "out of range" : "no number", accepted);
    return otherwise;
}
static double autotune__whole_number(const char *name, double otherwise, double largest, const char *accepted) {
    const double number = autotune__number(name, otherwise, 0, largest, accepted);
    if (number == otherwise || (double)(uint64_t)number == number) return number;
    autotune__append(&autotune__complaints, "%s=%.40s is no integer and is ignored: it is %s\n", name,
                     autotune__variable(name), accepted);
    return otherwise;
}
static __attribute__((__cold__)) void autotune__read_environment(void) {
    static const char *const others[] = { "AUTOTUNE_USE", "AUTOTUNE_CACHE_DIR", "AUTOTUNE_MISSES", "AUTOTUNE_CC" };
    struct autotune__environment *e = &autotune__environment;
    double seed;
    size_t i;
    e->log = autotune__choice("AUTOTUNE_LOG", "off, errors, winner, full", AUTOTUNE_LOG_ERRORS);
    e->mode = autotune__choice(
        "AUTOTUNE_MODE", "on, cached, require, online, off, force, missed, verify" AUTOTUNE__AUDIT, -1);
    e->preset = autotune__choice("AUTOTUNE_PRESET", "balanced, fast, thorough", -1);
    e->cache_state = autotune__choice("AUTOTUNE_CACHE_STATE", "hot, cold", -1) + AUTOTUNE_HOT;
    e->cache = autotune__is_privileged() ? AUTOTUNE_CACHE_OFF
                                         : autotune__choice("AUTOTUNE_CACHE", "on, off, readonly", -1);
    e->isolate = autotune__choice("AUTOTUNE_ISOLATE", "off, child", -1);
    e->unseen = autotune__choice("AUTOTUNE_UNSEEN", "race, guess", -1);
    e->audits = e->mode == autotune__audit_mode;
    if (e->audits) {
        e->mode = AUTOTUNE_FORCE;
        e->cache = AUTOTUNE_CACHE_OFF;
    }
    if (e->mode == (int)autotune__verify_mode && e->cache > 0)
        autotune__append(&autotune__complaints, "AUTOTUNE_MODE=verify: with AUTOTUNE_CACHE=%s nothing is verified, as "
                         "its folder gets no verify.jsonl\n", e->cache == AUTOTUNE_CACHE_OFF ? "off" : "readonly");
    e->progress = autotune__choice("AUTOTUNE_PROGRESS", "0, 1", -1);
    e->max_seconds = autotune__number("AUTOTUNE_MAX_SECONDS", 0, 1e-9, 1e18, "a number of seconds greater than 0");
    e->max_run_seconds = autotune__number("AUTOTUNE_MAX_RUN_SECONDS", AUTOTUNE__NEVER, 0, 1e18, "a number of seconds");
    e->margin = autotune__number("AUTOTUNE_MARGIN", 0, 1e-9, 1, "a share above 0 and up to 1, as 0.02");
    e->cache_mib = autotune__number("AUTOTUNE_CACHE_MIB", 64, 1e-9, 1e18, "a number of MiB greater than 0");
    e->cubins_mib =
        autotune__number("AUTOTUNE_CUBINS_MIB", 256, 0, 1e18, "a number of MiB, 0 to keep no compiled kernels");
    seed = autotune__whole_number("AUTOTUNE_SEED", -1, 9007199254740991, "an integer from 0 to 2^53 - 1");
    e->has_seed = seed >= 0;
    e->seed = e->has_seed ? (uint64_t)seed : 0;
    for (i = 0; i < sizeof others / sizeof *others; i++)        /* other rooms read them later */
        autotune__look_for_misspelt(others[i]);
}
/* Returns how a statement may use the cache on disk: as AUTOTUNE_CACHE says, or else as .cache says. */
static autotune_cache autotune__cache_policy(const autotune_options *options) {
    return autotune__environment.cache < 0 ? options->cache : (autotune_cache)autotune__environment.cache;
}
static __attribute__((__cold__)) void autotune__begin_process(void) {
    autotune__make_condition(&autotune__changed);
    autotune__watch_forks(autotune__events.before_fork, autotune__events.after_fork, autotune__events.begin_forked);
    autotune__read_environment();
}
static void autotune__ready(void) {             /* each call that is no hit begins with it */
    static autotune__once begun = AUTOTUNE__ONCE;
    autotune__text complaints = { NULL, false };
    autotune__run_once(&begun, autotune__begin_process);
    if (AUTOTUNE__LIKELY(__atomic_load_n(&autotune__complaints.at, __ATOMIC_RELAXED) == NULL)) return;
    complaints.at = __atomic_exchange_n(&autotune__complaints.at, (char *)NULL, __ATOMIC_ACQ_REL);
    autotune__complain_of_all(&complaints);
}
