/* The mode and the limits of a statement, from its options and the environment. Checks and copies of options. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../race/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "peers.h"

static autotune_mode autotune__mode_of(const autotune_options *options) {
    const int wanted = autotune__environment.mode;
    const bool launches_more = wanted == AUTOTUNE_ON || wanted == AUTOTUNE_FORCE || wanted == AUTOTUNE_ONLINE ||
                               wanted == (int)autotune__missed_mode || wanted == (int)autotune__verify_mode,
               author_forbids = options->mode != AUTOTUNE_ON && options->mode != AUTOTUNE_FORCE;
    if (options->mode == AUTOTUNE_REQUIRE) return AUTOTUNE_REQUIRE;     /* no other mode launches less */
    return wanted < 0 || (launches_more && author_forbids) ? options->mode : (autotune_mode)wanted;
}
static uint64_t autotune__raced_ns;             /* atomic: the time of all races that ended in this process */
/* Returns true if no race may begin any more. The log says so once. */
static bool autotune__has_spent_run(void) {
    static bool said;
    const double seconds = (double)__atomic_load_n(&autotune__raced_ns, __ATOMIC_RELAXED) / 1e9;
    char sentence[160];
    if (!(seconds >= autotune__environment.max_run_seconds)) return false;
    autotune__put_text(sentence, sizeof sentence, "AUTOTUNE_MAX_RUN_SECONDS: races took %.3f s, and from now on a key "
                       "that is not known launches the first configuration", seconds);
    if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED)) autotune__say(AUTOTUNE_LOG_WINNER, sentence);
    return true;
}
/* Returns true if each launch of a trial is prepared, and so timed alone. */
static bool autotune__launches_alone(const autotune__subject *subject) {
    const autotune_options *o = &subject->options;
    return o->restore.count || o->zero.count || o->setup || autotune__is_cold(subject);
}
/* Returns the limits of a race. The step of the clock, and how long the device idled, are not known yet. */
static autotune__limits autotune__limits_of(const autotune__subject *subject) {
    static const struct { double seconds; size_t rounds; double share; }
        /* balanced, fast, thorough */
        presets[] = { { 2, 40, 1 }, { 0.5, 16, 1 }, { 10, 200, AUTOTUNE__NEVER } };
    const autotune_options *o = &subject->options;
    const struct autotune__environment *e = &autotune__environment;
    const int preset = e->preset < 0 ? (int)o->preset : e->preset;
    const double given = e->max_seconds > 0 ? e->max_seconds : o->max_seconds;
    const bool endless = o->strategy == AUTOTUNE_EXHAUSTIVE;
    autotune__limits limits;
    limits.seconds = given > 0 ? given : endless ? AUTOTUNE__NEVER : presets[preset].seconds;
    limits.screen_seconds = given > 0 ? 0 : endless ? limits.seconds : 10 * limits.seconds;
    limits.margin = e->margin > 0 ? e->margin : o->margin;
    limits.tick_ns = limits.idle_seconds = 0;
    limits.sampling = subject->backend->start && !autotune__launches_alone(subject) ? AUTOTUNE__BY_BATCHES
                                                                                     : AUTOTUNE__BY_CLOCK;
    limits.trials = o->max_trials;
    limits.top_k = o->top_k;
    limits.seed = e->has_seed ? e->seed : o->seed;
    limits.stop_at_ns = o->stop_at_ns;
    limits.rounds = presets[preset].rounds;
    limits.share = presets[preset].share;
    limits.strategy = o->strategy;
    return limits;
}
/* Limits a race of finalists to `seconds`. The limits of a screen do not apply to this race. */
static void autotune__limit_to_finalists(autotune__limits *limits, double seconds) {
    if (!autotune__has_own_limit(limits)) limits->screen_seconds = seconds;
    limits->seconds = seconds;
    limits->trials = limits->top_k = 0;
    limits->strategy = AUTOTUNE_RANDOM;
}
/* Limits a duel of the finalists of an earlier race to a tenth of the time of the earlier race. seconds: the time of
   the earlier race. No screen comes before the duel, so the limit that autotune__is_spent() derives from earlier
   launches has no effect. */
static void autotune__limit_to_duel(autotune__limits *limits, double seconds) {
    autotune__limit_to_finalists(limits, 0.1 * seconds < limits->seconds ? 0.1 * seconds : limits->seconds);
    limits->screen_seconds = 0;                 /* no screen comes before the duel */
}
static AUTOTUNE__UNUSED bool autotune__is_work(double work) { return autotune__is_within(work, 0, 1e100); }
/* Returns true if a number or an enumerator is wrong, and appends a sentence. */
static bool autotune__number_problem(autotune__text *to, const autotune_options *o) {
    const struct { const char *option; double value, most; const char *right; } numbers[] = {
        { "mode", (double)o->mode, AUTOTUNE_FORCE, "one of AUTOTUNE_ON, _OFF, _CACHED, _REQUIRE, _FORCE, _ONLINE" },
        { "preset", (double)o->preset, AUTOTUNE_THOROUGH, "one of AUTOTUNE_BALANCED, _FAST, _THOROUGH" },
        { "strategy", (double)o->strategy, AUTOTUNE_SURROGATE,
          "one of AUTOTUNE_AUTO, _EXHAUSTIVE, _RANDOM, _SURROGATE" },
        { "cache_state", (double)o->cache_state, AUTOTUNE_COLD, "one of AUTOTUNE_HOT, _COLD" },
        { "cache", (double)o->cache, AUTOTUNE_CACHE_READONLY, "one of AUTOTUNE_CACHE_ON, _OFF, _READONLY" },
        { "isolate", (double)o->isolate, AUTOTUNE_CHILD, "one of AUTOTUNE_IN_PROCESS, AUTOTUNE_CHILD" },
        { "unseen", (double)o->unseen, AUTOTUNE_GUESS, "one of AUTOTUNE_RACE, AUTOTUNE_GUESS" },
        { "agree", (double)o->agree, AUTOTUNE_DIVIDED, "one of AUTOTUNE_TOGETHER, _FIRST, _DIVIDED" },
        { "compile_threads", (double)o->compile_threads, 256, "a number of threads up to 256, or 0 for the default" },
        { "max_loss", o->max_loss, 1e3, "a share of the time, as 0.05, or 0 for the default" },
        { "margin", o->margin, 1, "a share of the time up to 1, as 0.02, or 0 for the default" },
        { "work", o->work, 1e100, "a number above 0, or 0 where all calls do the same" },
        { "compile_timeout", o->compile_timeout, 1e9, "a time in seconds, or 0 for the default" },
        { "launch_timeout", o->launch_timeout, 1e9, "a time in seconds, or 0 for the default" },
        { "max_seconds", o->max_seconds, 1e9, "a time in seconds, or 0 for the default" },
        { "stop_at_ns", o->stop_at_ns, 1e18, "a time in nanoseconds, or 0 for never" } };
    size_t i = 0;
    while (i < sizeof numbers / sizeof *numbers && autotune__is_within(numbers[i].value, 0, numbers[i].most)) i++;
    if (i == sizeof numbers / sizeof *numbers) return false;
    autotune__append(to, ".%s is %g: it is %s", numbers[i].option, numbers[i].value, numbers[i].right);
    return true;
}
/* Returns true if an option is wrong, and appends a sentence. */
static __attribute__((__cold__)) bool autotune__option_problem(autotune__text *problem, const autotune_options *o) {
    const autotune_backend *b = o->backend;
    const char *key = autotune__key_problem(&o->key);
    if (key) autotune__append(problem, "%s", key);
    else if (autotune__number_problem(problem, o)) return true;
    else if (b && (!b->device || !b->now || !b->allocate || !b->release || !b->copy || !b->fill || !b->read ||
                   !b->write || !b->flush))
        autotune__append(problem, ".backend lacks a function that every backend has: start from autotune_cpu()");
    else if (b && !b->start != !b->stop)
        autotune__append(problem, ".backend has %s: a clock of the device's own needs both",
                         b->start ? "start() and no stop()" : "stop() and no start()");
    else return autotune__peers_problem(problem, o) || autotune__list_problem(problem, "restore", &o->restore) ||
                autotune__list_problem(problem, "zero", &o->zero) ||
                autotune__list_problem(problem, "outputs", &o->outputs);
    return true;
}

/* Copies options and their strings. The returned block of memory has the strings. NULL: no memory. */
static char *autotune__copy_options(autotune_options *to, const autotune_options *from) {
    char *const strings = (char *)autotune__allocate(
        1 + autotune__bytes_of_parts(&from->key) + autotune__bytes_of(from->key.text) +
        autotune__bytes_of(from->name) + autotune__bytes_of(from->version)), *at = strings;
    *to = *from;
    if (!strings) return NULL;
    /* Options that autotune_add() copied already have a place: the place of the thread that called autotune_add(). */
    if (to->backend && to->backend->place && !to->autotune__place)
        to->autotune__place = to->backend->place(to->backend);
    autotune__put_words(to->key.word, &at, &from->key);
    to->key.text = autotune__put_string(&at, from->key.text);
    to->name = autotune__put_string(&at, from->name);
    to->version = autotune__put_string(&at, from->version);
    return strings;
}
