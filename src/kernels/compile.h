/* Compiles one compilation, or reads its machine code from disk. */
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

/* Appends an option of the program, with the value of an axis in place of each $NAME. An option that is only "$NAME" is
   divided at blanks. Returns false if a NAME is no axis; the compilation is then refused. */
static bool autotune__append_with_values(autotune__compilation *compilation, const char *option) {
    autotune__text word AUTOTUNE__FREED = { NULL, false };
    const char *at = option, *dollar, *value;
    size_t length;
    bool whole = false;
    for (; (dollar = strchr(at, '$')) != NULL; at = dollar + 1 + length) {
        for (length = 0; autotune__is_word(dollar[1 + length]) && dollar[1 + length] != '$'; length++) continue;
        whole = dollar == option && !dollar[1 + length];
        value = autotune__value_of_axis(&compilation->definitions, dollar + 1, length);
        if (!value) {
            autotune__refuse(compilation, "the option %s asks for $%.*s, which is no axis", option, (int)length,
                             dollar + 1);
            return false;
        }
        autotune__append(&word, "%.*s%s", (int)(dollar - at), at, value);
    }
    autotune__append(&word, "%s", at);
    if (whole) autotune__append_divided(&compilation->options, autotune__string(&word));
    else autotune__append(&compilation->options, "%s%c", autotune__string(&word), 0);
    compilation->options.broken = compilation->options.broken || word.broken;
    return true;
}
/* Gathers the options of a compilation in their order: options of the compiler for the target, options of the program,
   definitions. Returns false if the compilation is refused, or if there is no memory. */
static bool autotune__gather_options(autotune__compilation *compilation, const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const char *at;
    autotune__free_text(&compilation->options);
    if (target->compiler->add_options) target->compiler->add_options(&compilation->options, program, target);
    AUTOTUNE__EACH_OPTION(at, &program->options) if (!autotune__append_with_values(compilation, at)) return false;
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) autotune__append(&compilation->options, "%s%c", at, 0);
    return !compilation->options.broken;
}
/* Compiles and keeps the code on disk, unless another process makes the code meanwhile. If the user edits a file
   meanwhile, the digest differs afterwards, and the code is not kept. */
static void autotune__compile_and_keep(autotune__compilation *compilation, const autotune__target *target,
                                       const autotune__digest *digest, const autotune__compile_limits *limits) {
    const bool has_turn = autotune__take_image_turn(digest, limits);
    autotune__digest after;
    if (!autotune__read_image(compilation, digest) && !autotune__is_unwanted(limits)) {
        target->compiler->compile(compilation, target, limits);
        if (compilation->progress == AUTOTUNE__CODE_MADE &&
            autotune__digest_code(&after, compilation, target) && !memcmp(digest, &after, sizeof after))
            autotune__keep_image(compilation, digest);
    }
    if (has_turn) autotune__end_image_turn(digest);
}
/* The caller does not hold the lock. Reads the code from disk, or compiles it. Policy ON: compiled code is kept on
   disk. Policy OFF: no code is read from disk. */
static void autotune__compile(autotune__compilation *compilation, const autotune__target *target,
                              autotune_cache policy, const autotune__compile_limits *limits) {
    const char *const file = compilation->program->declared->file;
    autotune__digest digest;
    bool has_digest;
    if (!autotune__source_of(compilation->program))
        autotune__refuse(compilation, "%s cannot be read: the path is relative to the working directory",
                         file ? file : "a program without text");
    else if (autotune__gather_options(compilation, target)) {
        has_digest = policy != AUTOTUNE_CACHE_OFF && autotune__digest_code(&digest, compilation, target);
        if (has_digest && autotune__read_image(compilation, &digest)) return;
        if (has_digest && policy == AUTOTUNE_CACHE_ON) autotune__compile_and_keep(compilation, target, &digest, limits);
        else target->compiler->compile(compilation, target, limits);
    }
}
/* The caller holds the lock, which is released meanwhile. Compiles in this thread, or waits for the thread that
   compiles. Ends early if the code is unwanted. If the compilation is not complete afterwards, the code is unwanted or
   there was no memory. */
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
        *compilation = done;
        autotune__wake_all(&autotune__kernels_changed);
        if (compilation->progress < AUTOTUNE__CODE_MADE) break;
    }
}
