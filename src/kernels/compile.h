/* Compiling: one compilation made by its compiler, or read from disk. */
#pragma once
#include "../api/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "digest.h"
#include "compiler.h"
#include "includes.h"
#include "images.h"
#include "image_turn.h"
#include "program.h"
#include "compilation.h"

static size_t autotune__length_of_axis(const char *name) {              /* behind a $ */
    size_t length = 0;
    while (autotune__is_word(name[length]) && name[length] != '$') length++;
    return length;
}
/* Appends an option with the values of axes in it. An option that is nothing else is divided at blanks. Returns the
   option from the first name on that is no axis. NULL: all are. */
static const char *autotune__append_with_values(autotune__text *words, const autotune__compilation *compilation,
                                                const char *option) {
    autotune__text word AUTOTUNE__FREED = { NULL, false };
    const char *at = option, *dollar, *value, *unknown = NULL;
    size_t length;
    bool whole = false;
    for (; (dollar = strchr(at, '$')) != NULL; at = dollar + 1 + length) {
        length = autotune__length_of_axis(dollar + 1);
        whole = dollar == option && !dollar[1 + length];
        value = autotune__value_of_axis(&compilation->definitions, dollar + 1, length);
        if (!value && !unknown) unknown = dollar + 1;
        autotune__append(&word, "%.*s%s", (int)(dollar - at), at, value ? value : "");
    }
    autotune__append(&word, "%s", at);
    if (whole) autotune__append_divided(words, autotune__string(&word));
    else autotune__append(words, "%s%c", autotune__string(&word), 0);
    words->broken = words->broken || word.broken;
    return unknown;
}
/* Appends all options of the program. Returns false if one names something that is no axis; the compilation is then
   refused. */
static bool autotune__append_options(autotune__text *words, autotune__compilation *compilation) {
    const char *option, *unknown = NULL;
    AUTOTUNE__EACH_OPTION(option, &compilation->program->options) {
        unknown = autotune__append_with_values(words, compilation, option);
        if (!unknown) continue;
        autotune__refuse(compilation, "the option %s asks for $%.*s, which is no axis", option,
                         (int)autotune__length_of_axis(unknown), unknown);
        return false;
    }
    return true;
}
/* The options of a compilation in their order: those that the compiler adds for the target, the program's own, the
   definitions. The compilation may be refused. */
static autotune__text autotune__gather_options(autotune__compilation *compilation, const autotune__target *target) {
    const autotune__program *program = compilation->program;
    autotune__text options = { NULL, false };
    const char *at;
    if (target->compiler->add_options) target->compiler->add_options(&options, program, target);
    (void)autotune__append_options(&options, compilation);
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) autotune__append(&options, "%s%c", at, 0);
    return options;
}
/* Unless another process makes it meanwhile. If a file was edited while it was compiled, the digest is another one
   afterwards, and nothing is kept. */
static void autotune__compile_and_keep(autotune__compilation *compilation, const autotune__target *target,
                                       const autotune__text *options, const autotune__digest *digest,
                                       const autotune__compile_limits *limits) {
    const autotune__locked turn = autotune__await_image_turn(digest, limits);
    autotune__digest after;
    if (!autotune__read_image(compilation, digest) && !autotune__is_unwanted(limits)) {
        target->compiler->compile(compilation, target, options, limits);
        if (compilation->progress == AUTOTUNE__CODE_MADE &&
            autotune__digest_code(&after, compilation, target, options) && !memcmp(digest, &after, sizeof after))
            autotune__keep_image(compilation, digest);
    }
    if (turn == AUTOTUNE__HELD) autotune__end_image_turn(digest);
}
/* Without the lock. Takes the code from disk, or has it compiled and kept there. */
static void autotune__compile(autotune__compilation *compilation, const autotune__target *target,
                              autotune_cache policy, const autotune__compile_limits *limits) {
    autotune__text options AUTOTUNE__FREED = autotune__gather_options(compilation, target);
    autotune__digest digest;
    const bool has_source = autotune__source_of(compilation->program) != NULL,
               refused = compilation->progress == AUTOTUNE__CODE_REFUSED,
               has_digest = has_source && !refused && !options.broken && policy != AUTOTUNE_CACHE_OFF &&
                            autotune__digest_code(&digest, compilation, target, &options);
    if (refused) return;
    if (!has_source) {
        const char *const file = compilation->program->declared->file;
        autotune__refuse(compilation, "%s cannot be read: the path is relative to the working directory",
                         file ? file : "a program without text");
    }
    else if (options.broken) compilation->progress = AUTOTUNE__CODE_REFUSED;
    else if (has_digest && autotune__read_image(compilation, &digest)) {}
    else if (has_digest && policy == AUTOTUNE_CACHE_ON)
        autotune__compile_and_keep(compilation, target, &options, &digest, limits);
    else target->compiler->compile(compilation, target, &options, limits);
}
/* With the lock, which is given up meanwhile. Compiles the kernel here, or waits for the thread that compiles it. An
   unwanted kernel may be left to other threads. A kernel that is still WAITING found no memory. */
static void autotune__finish_compilation(autotune__compilation *compilation, const autotune__target *target,
                                         autotune_cache policy, const autotune__compile_limits *limits) {
    while (compilation->progress < AUTOTUNE__CODE_MADE && !autotune__is_unwanted(limits)) {
        autotune__compilation done = *compilation;
        if (compilation->progress == AUTOTUNE__CODE_IN_WORK) {
            autotune__wait_for(&autotune__kernels_changed, &autotune__kernels_lock);
            continue;
        }
        compilation->progress = AUTOTUNE__CODE_IN_WORK;
        autotune__unlock_mutex(&autotune__kernels_lock);
        autotune__compile(&done, target, policy, limits);
        autotune__lock_mutex(&autotune__kernels_lock);
        done.queued = compilation->queued;      /* which others may have changed meanwhile */
        done.kernels = compilation->kernels;
        *compilation = done;
        if (done.progress == AUTOTUNE__CODE_REFUSED && !done.reason) compilation->progress = AUTOTUNE__CODE_WAITING;
        autotune__wake_all(&autotune__kernels_changed);
        if (compilation->progress < AUTOTUNE__CODE_MADE) break;
    }
}
