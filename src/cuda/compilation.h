/* Compilations: a program, with the values of a configuration as definitions, for one kernel of it. Each is made once.
   What is on disk is read from there again when it is to be loaded again; the rest stays in memory. */
#pragma once
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include "../api/types.h"
#include "../base/memory.h"
#include "../base/text.h"
#include "../space/values.h"
#include "../space/axes.h"
#include "../space/labels.h"
#include "site.h"
#include "context.h"
#include "nvrtc.h"
#include "digest.h"
#include "source_words.h"

typedef enum autotune__cuda_progress {
    AUTOTUNE__CUDA_WAITING, AUTOTUNE__CUDA_IN_WORK, AUTOTUNE__CUDA_COMPILED, AUTOTUNE__CUDA_NOT_COMPILED
} autotune__cuda_progress;
typedef struct autotune__cuda_compilation {
    const autotune_cuda_program *program;
    const char *text;                           /* its source */
    char *definitions;                          /* options, each with its zero; an empty one ends them */
    char *name;                                 /* of the kernel, as written: its own, for an axis' strings end with the
                                                   statement */
    autotune__cuda_progress progress;
    char *image, *lowered;                      /* a cubin or PTX, and the kernel's name in it */
    char *reason;                               /* why not; NULL: no memory */
    bool queued;                                /* some race's workers will come to it */
    bool on_disk;                               /* the image is: it need not stay in memory */
    size_t shared_headers;                      /* the length of its text that is compiled once for all configurations;
                                                   0: none is */
    struct autotune__cuda_kernel *kernels;      /* loaded from it, one for each context */
} autotune__cuda_compilation;
AUTOTUNE__DEFINE_MAP(compilation, autotune__cuda_compilation)
struct autotune__cuda_source {
    char *text;                                 /* of a file; else the program's own */
#ifndef AUTOTUNE_NO_CACHE
    autotune__source_reading reading;                  /* .source is 0 before */
#endif
    bool has_compiled_headers;                  /* by NVRTC, which keeps them */
    bool said_unfilled;
    autotune__compilation_map *compilations;
};

static pthread_mutex_t autotune__cuda_programs_lock = PTHREAD_MUTEX_INITIALIZER;        /* of all that follows, up to
                                                                                           the launch */
static pthread_cond_t autotune__cuda_progressed = PTHREAD_COND_INITIALIZER;

/* A definition for the value of an axis. Negative numbers in parentheses: -D and a minus sign would meet other
   operators. */
static void autotune__cuda_define(autotune__text *text, const char *name, autotune_type type, uint64_t value) {
    const size_t start = autotune__count(text->at);
    if (type == AUTOTUNE_POINTER) return;
    if (type == AUTOTUNE_STRING)
        autotune__append(text, "-D%s=%s%c", name, value ? autotune__string_of_value(value) : "", 0);
    else if (type == AUTOTUNE_U64)
        autotune__append(text, "-D%s=%lluu%c", name, (unsigned long long)value, 0);
    else if (type == AUTOTUNE_F32 || type == AUTOTUNE_F64) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", autotune__double_of_value(type, value));
        autotune__append(text, "-D%s=(", name);
        autotune__append_decimal(text, digits);
        if (!text->broken && !strpbrk(text->at + start + strlen(name) + 4, ".en")) autotune__append(text, ".0");
        autotune__append(text, "%s)%c", type == AUTOTUNE_F32 ? "f" : "", 0);
    } else {
        const int64_t number = autotune__int_of_value(type, value);
        autotune__append(text, number < 0 ? "-D%s=(%lld)%c" : "-D%s=%lld%c", name, (long long)number, 0);
    }
}
/* Of the point located last. The calls of AUTOTUNE_SELECT are no axis of the kernel's. */
static void autotune__cuda_define_point(autotune__text *text, const autotune__space *space) {
    size_t a;
    for (a = 0; a < space->axis_count && !autotune__is_select(space); a++)
        autotune__cuda_define(text, space->axes[a].name, space->axes[a].type, space->value[a]);
}
static void autotune__cuda_define_config(autotune__text *text, const autotune_config *config) {
    size_t a;
    const bool select = config->count == 1 && config->types[0] == AUTOTUNE_U64 && !strcmp(config->names[0], "call");
    for (a = 0; a < config->count && !select; a++)
        autotune__cuda_define(text, config->names[a], config->types[a], config->values[a]);
}

/* The value of the option that defines a macro; NULL: none of the program's options does. NVRTC knows -DNAME=value and
   --define-macro=NAME=value, and both with the name in an option of its own. */
static const char *autotune__cuda_defined(const autotune_cuda_program *program, const char *name) {
    static const char *const spellings[] = { "--define-macro", "-define-macro", "-D" };
    const size_t length = strlen(name);
    size_t i, k;
    for (i = 0; i < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[i]; i++) {
        const char *at = program->options[i];
        for (k = 0; k < sizeof spellings / sizeof *spellings && strncmp(at, spellings[k], strlen(spellings[k])); k++) {}
        if (k == sizeof spellings / sizeof *spellings) continue;
        at += strlen(spellings[k]);
        if (!*at && !(at = program->options[i + 1])) break;
        at += strspn(at, "= ");
        if (!strncmp(at, name, length) && (!at[length] || at[length] == '=')) return at[length] ? at + length + 1 : "1";
    }
    return NULL;
}
/* The value that the configuration, or else an option, gives a macro; NULL: neither. */
static const char *autotune__cuda_macro(const autotune_cuda_program *program, const autotune__text *definitions,
                                        const char *name) {
    const size_t length = strlen(name);
    const char *at = autotune__string(definitions), *end = at + autotune__count(definitions->at);
    for (; at < end; at += strlen(at) + 1)
        if (!strncmp(at + 2, name, length) && at[2 + length] == '=') return at + 3 + length;
    return autotune__cuda_defined(program, name);
}
/* The number that a hint gives; 0: none. false: it is none between 0 and most, and why says so. */
static bool autotune__cuda_hint(const autotune_cuda_program *program, const autotune__text *definitions,
                                const char *name, long most, long *number, char *why, size_t bytes) {
    const char *value = autotune__cuda_macro(program, definitions, name);
    char *end = NULL;
    *number = value ? strtol(value, &end, 10) : 0;
    if (!value) return true;
    if (*end == 'u') end++;                                 /* as unsigned values are defined */
    if (end > value && !*end && *number >= 0 && *number <= most) return true;
    snprintf(why, bytes, "%s is %s: a whole number from 0 to %ld is needed", name, value, most);
    return false;
}
/* Adds to the definitions what hints make of them: a limit of registers, of which the compiler is told as of a
   definition, so that it is part of what tells compilations apart. threads: of a block. false: they cannot be, and why
   says so. */
static bool autotune__cuda_add_hints(autotune__text *definitions, const autotune__cuda_context *context,
                                     const autotune_cuda_program *program, uint64_t threads, char *why, size_t bytes) {
    enum { MOST_REGISTERS = 255, MOST_BLOCKS = 32 };        /* of any compute capability so far: CUDA C++ Programming
                                                               Guide */
    enum { UNIT = 8, WARP = 32 };                           /* a warp's registers are given out by 256: 8 a thread */
    long registers, blocks, derived;
    size_t i;
    if (!autotune__cuda_hint(program, definitions, "REGISTERS_PER_THREAD", MOST_REGISTERS, &registers, why, bytes) ||
        !autotune__cuda_hint(program, definitions, "BLOCKS_PER_MULTIPROCESSOR", MOST_BLOCKS, &blocks, why, bytes))
        return false;
    if (blocks && threads) {
        const uint64_t needed = (uint64_t)blocks * ((threads + WARP - 1) / WARP * WARP);
        if (context->most_threads && needed > (uint64_t)context->most_threads) {
            snprintf(
                why, bytes,
                "BLOCKS_PER_MULTIPROCESSOR is %ld: with %llu threads each they need %llu, and a multiprocessor has %d",
                blocks, (unsigned long long)threads, (unsigned long long)needed, context->most_threads);
            return false;
        }
        derived = (long)((uint64_t)context->registers / needed / UNIT * UNIT);
        if (derived && derived <= MOST_REGISTERS && (!registers || derived < registers)) registers = derived;
    }
    if (!registers) return true;
    for (i = 0; i < AUTOTUNE_CUDA_MAX_OPTIONS && program->options[i]; i++) {
        if (!strstr(program->options[i], "-maxrregcount")) continue;
        snprintf(why, bytes,
                 "%s is an option of the program, and REGISTERS_PER_THREAD or BLOCKS_PER_MULTIPROCESSOR sets it too: "
                 "leave out one of them",
                 program->options[i]);
        return false;
    }
    autotune__append(definitions, "--maxrregcount=%ld%c", registers, 0);
    return true;
}
/* Definitions as a compilation needs them. false: they contradict the options of the program, or each other, and why
   says so. */
static bool autotune__cuda_complete(autotune__text *definitions, const autotune__cuda_context *context,
                                    const autotune_cuda_program *program, uint64_t threads, char *why, size_t bytes) {
    const char *at = autotune__string(definitions), *end = at + autotune__count(definitions->at);
    char name[64];
    if (program->image || definitions->broken) return true;
    for (; at < end; at += strlen(at) + 1) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 2, "="), at + 2);
        if (!autotune__cuda_defined(program, name)) continue;
        snprintf(why, bytes, "%s is an axis, and an option of the program defines it too: name one of them otherwise",
                 name);
        return false;
    }
    return autotune__cuda_add_hints(definitions, context, program, threads, why, bytes);
}

/* With the lock. */
static struct autotune__cuda_source *autotune__cuda_source_of(autotune_cuda_program *program) {    /* NULL: no memory */
    size_t bytes;
    if (!program->source) program->source = (struct autotune__cuda_source *)autotune__allocate(sizeof *program->source);
    if (program->source && !program->source->text && program->file)
        program->source->text = autotune__read_file(program->file, &bytes);
#ifndef AUTOTUNE_NO_CACHE
    if (program->source && !program->source->reading.source) {
        const char *text = program->text ? program->text : program->source->text;
        if (program->image || text) autotune__read_source(&program->source->reading, program, text);
    }
#endif
    return program->source;
}

/* The definitions on which the code may depend. On others it does not: nothing that is compiled has their names,
   neither the source nor the kernel's name, nor the value of a definition. All their values share one compilation. */
static void autotune__cuda_keep_mentioned(autotune__text *kept, const struct autotune__cuda_source *source,
                                          const autotune__text *definitions, const char *kernel) {
    const char *at = definitions->at, *const end = at ? at + autotune__count(at) : at;
#ifndef AUTOTUNE_NO_CACHE
    const autotune__source_reading *reading = &source->reading;
    uint32_t *words = NULL;
    bool sees_all = reading->all_seen && !reading->pastes && autotune__add_words(&words, kernel, strlen(kernel));
    for (; at < end; at += strlen(at) + 1) {
        const char *value = at + strcspn(at, "=");
        sees_all = sees_all && autotune__add_words(&words, value, strlen(value));
    }
    autotune__sort_words(words);
    for (at = definitions->at; at < end; at += strlen(at) + 1) {
        const size_t length = strcspn(at, "=") - 2;
        if (!sees_all || strncmp(at, "-D", 2) || autotune__has_word(reading->words, at + 2, length) ||
            autotune__has_word(words, at + 2, length))
            autotune__append(kept, "%s%c", at, 0);
    }
    AUTOTUNE__FREE_ARRAY(words);
#else
    (void)source; (void)kernel;
    for (; at < end; at += strlen(at) + 1) autotune__append(kept, "%s%c", at, 0);
#endif
}
/* May headers read the macro of this name? Where ## stands somewhere, two words of theirs may become the name; a number
   is no word, but may be the second. */
static bool autotune__headers_may_read(const autotune__source_reading *reading, const char *name, size_t length) {
    const uint32_t *const words = reading->header_words;
    size_t i;
    for (i = 1; reading->pastes && i < length; i++)
        if (autotune__has_word(words, name, i) &&
            ((name[i] >= '0' && name[i] <= '9') || autotune__has_word(words, name + i, length - i))) return true;
    return autotune__has_word(words, name, length);
}
/* How much of the text may be compiled before the definitions are made: its headers, unless one of them may read an
   axis, or cannot be seen. Names that begin with an underscore may be meant for headers that NVRTC brings along. */
static size_t autotune__cuda_shared_headers(const autotune__cuda_compilation *compilation) {
#ifndef AUTOTUNE_NO_CACHE
    const autotune__source_reading *reading = &compilation->program->source->reading;
    const char *at;
    if (autotune__nvrtc.version < 12080 || !reading->all_seen) return 0;
    for (at = compilation->definitions; *at; at += strlen(at) + 1)
        if (!strncmp(at, "-D", 2) && (at[2] == '_' || strchr(at, '\n') ||
            autotune__headers_may_read(reading, at + 2, strcspn(at + 2, "=")))) return 0;
    return reading->header_end;
#else
    (void)compilation;
    return 0;
#endif
}
static void autotune__cuda_not_compiled(autotune__cuda_compilation *compilation, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));
static void autotune__cuda_not_compiled(autotune__cuda_compilation *compilation, const char *format, ...) {
    autotune__text text = { NULL, false };
    va_list list;
    va_start(list, format);
    autotune__append_list(&text, format, list);
    va_end(list);
    compilation->reason = text.broken ? NULL : autotune__copy_string(autotune__string(&text));
    compilation->progress = AUTOTUNE__CUDA_NOT_COMPILED;
    autotune__free_text(&text);
}
/* With the lock: found or made, not yet compiled. NULL: no memory. The definitions end with a zero for each, then one
   more. */
static autotune__cuda_compilation *autotune__cuda_compilation_of(const autotune__cuda_context *context,
                                                                 autotune_cuda_program *program, const char *name,
                                                                 const autotune__text *definitions) {
    struct autotune__cuda_source *source = autotune__cuda_source_of(program);
    autotune__text key = { NULL, false };
    autotune__cuda_compilation *compilation = NULL;
    autotune__text kept = { NULL, false };
    const size_t name_bytes = strlen(name) + 1;
    const char *at;
    size_t bytes;
    char *copy = NULL;
    if (!source || definitions->broken) return NULL;
    if (!program->image) autotune__cuda_keep_mentioned(&kept, source, definitions, name);
    bytes = autotune__count(kept.at);
    autotune__append(&key, "%d\n%s", context->capability, name);
    for (at = kept.at; bytes && at < kept.at + bytes; at += strlen(at) + 1) autotune__append(&key, "\n%s", at);
    key.broken = key.broken || kept.broken;
    if (!key.broken) compilation = autotune__find_compilation(source->compilations, key.at);
    if (!compilation && !key.broken && (copy = autotune__copy_string(key.at)) &&
             (compilation = (autotune__cuda_compilation *)autotune__allocate(sizeof *compilation + bytes + 1 +
                                                                             name_bytes))) {
        compilation->program = program;
        compilation->text = program->text ? program->text : source->text;
        compilation->definitions = (char *)(compilation + 1);
        compilation->name = (char *)memcpy(compilation->definitions + bytes + 1, name, name_bytes);
        if (bytes) memcpy(compilation->definitions, kept.at, bytes);
        compilation->shared_headers = autotune__cuda_shared_headers(compilation);
        if (!autotune__put_compilation(&source->compilations, copy, compilation)) {
            autotune__free(compilation);
            compilation = NULL;
        } else if (program->image) compilation->progress = AUTOTUNE__CUDA_COMPILED;
        else if (!compilation->text)
            autotune__cuda_not_compiled(compilation, "%s cannot be read: the path is relative to the working directory",
                                        program->file ? program->file : "a program without text");
    }
    if (!compilation) autotune__free(copy);
    autotune__free_text(&key);
    autotune__free_text(&kept);
    return compilation;
}
