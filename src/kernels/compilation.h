/* Finds or makes the compilation for a program, kernel, architecture and definitions. Each compilation is compiled
   once. This room also has the functions by which a compiler reads a compilation, and gives it machine code or a
   reason. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "compiler.h"
#include "source_words.h"
#include "definitions.h"

/* Returns true if the axis is an argument of a template in the kernel's name, and the source needs no macro of this
   name. An axis that the source mentions is a macro, unless a template has a parameter of this name. */
static bool autotune__is_argument(autotune__program *program, const char *kernel, const char *axis, size_t length) {
    const char *arguments = kernel + strcspn(kernel, "<");
    return autotune__has_word(arguments, strlen(arguments), axis, length) &&
           (autotune__mentions_of(program, axis, length) & AUTOTUNE__NO_MACRO);
}
/* Appends the kernel's name. Values replace the axes for which autotune__is_argument() is true. */
static void autotune__append_instance(autotune__text *instance, autotune__program *program,
                                      const autotune__text *definitions, const char *kernel) {
    const char *at, *next, *value;
    for (at = kernel; *at; at = next) {
        next = autotune__past_token(at);
        value = autotune__value_of_axis(definitions, at, (size_t)(next - at));
        if (value && autotune__is_argument(program, kernel, at, (size_t)(next - at)))
            autotune__append(instance, "%s", value);
        else autotune__append_piece(instance, at, (size_t)(next - at));
    }
}
/* Keeps the definitions on which the code may depend. Their names are in the source, in the kernel's name, or in the
   value of a definition. An axis whose value is in the kernel's name needs no definition. All values of any other axis
   share one compilation. An axis DX beside an axis X counts as mentioned, since the option -DX has the word DX. */
static void autotune__keep_mentioned(autotune__text *kept, autotune__program *program,
                                     const autotune__text *definitions, const char *kernel, const char *instance) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions) {
        const size_t length = strcspn(at, "=") - 2;
        if (!autotune__is_argument(program, kernel, at + 2, length) &&
            ((autotune__mentions_of(program, at + 2, length) & AUTOTUNE__MENTIONED) ||
             autotune__has_word(instance, strlen(instance), at + 2, length) ||
             autotune__has_word(definitions->at, autotune__count(definitions->at), at + 2, length)))
            autotune__append(kept, "%s%c", at, 0);
    }
}
/* Returns the size of the part of the text that may come before the definitions: the headers. This part is the same for
   all configurations. 0: there is no such part, a header may read an axis, or the scan does not see all headers. */
static size_t autotune__shared_bytes(autotune__program *program, const autotune__text *definitions) {
    const char *at;
    AUTOTUNE__EACH_OPTION(at, definitions)
        if (autotune__mentions_of(program, at + 2, strcspn(at + 2, "=")) & AUTOTUNE__SEEN_BY_HEADERS) return 0;
    return program->scan && !program->scan->blind ? program->scan->header_end : 0;
}
/* Refuses a compilation with a reason. If there is no memory for the reason, the compilation is not refused. */
static __attribute__((__format__(__printf__, 2, 3)))
void autotune__refuse(autotune__compilation *compilation, const char *format, ...) {
    autotune__text text AUTOTUNE__FREED = { NULL, false };
    AUTOTUNE__APPEND_ARGUMENTS(&text, format);
    if (!text.broken) compilation->reason = autotune__copy_string(autotune__string(&text));
    if (compilation->reason) compilation->progress = AUTOTUNE__CODE_REFUSED;
}
/* Allocates room for `bytes` bytes of machine code, and for the symbol, which is copied there. Returns false if there
   is no memory. */
static AUTOTUNE__UNUSED bool autotune__take_room(autotune__compilation *compilation, size_t bytes, const char *symbol) {
    compilation->image = (char *)autotune__allocate(bytes + strlen(symbol) + 2);
    if (!compilation->image) return false;
    compilation->image_bytes = bytes;
    compilation->symbol = strcpy(compilation->image + bytes + 1, symbol);
    return true;
}
/* Returns the place in .options where the definitions begin. NULL: there are no options. */
static AUTOTUNE__UNUSED const char *autotune__own_options_end(const autotune__compilation *compilation) {
    const autotune__text *const all = &compilation->options;
    return all->at ? all->at + (autotune__count(all->at) - autotune__count(compilation->definitions.at)) : NULL;
}
/* Returns the axis that probably breaks a header: the compiler's message shows a line that has the name of the axis.
   NULL: the error is in no header, or the message has no axis. */
static const char *autotune__axis_in_header(const autotune__compilation *compilation, const char *error) {
    const char *const shown = strchr(error, '\n'), *const end = shown ? strstr(shown, "\n\n") : NULL;
    const char *const place = shown && !strncmp(error, "<command-line>", 14) ? shown + 1 : error;   /* for gcc */
    const char *const own = autotune__path_of(compilation->program);
    const size_t length = strcspn(place, "(:\n"), bytes = end ? (size_t)(end - shown) : shown ? strlen(shown) : 0;
    const char *axis;
    if (!shown || length < 3 || (strlen(own) == length && !strncmp(own, place, length)) ||
        (place[length - 1] != 'h' && strncmp(place + length - 3, "hpp", 3) != 0)) return NULL;
    AUTOTUNE__EACH_OPTION(axis, &compilation->definitions)
        if (autotune__has_word(shown, bytes, axis + 2, strcspn(axis, "=") - 2)) return axis + 2;
    return NULL;
}
/* Refuses a compilation that does not compile. The reason is the first line of the compiler's log that has an error.
   If no line has an error, the reason is the first line. If the log is NULL or empty, the reason is `otherwise`. */
static AUTOTUNE__UNUSED void autotune__refuse_by_log(autotune__compilation *compilation, const char *log,
                                                     const char *otherwise) {
    const char *at = log ? strstr(log, "rror") : NULL, *axis;      /* error, or Error */
    while (at && at > log && at[-1] != '\n') at--;
    if (!at || !strncmp(at, "collect2", 8)) at = log && *log ? log : otherwise;     /* collect2 repeats the linker */
    axis = autotune__axis_in_header(compilation, at);
    autotune__refuse(compilation, axis ? "does not compile: %.*s; the axis %.*s is a macro in this header: give it "
                                         "another name"
                                       : "does not compile: %.*s",
                     (int)strcspn(at, "\n"), at, axis ? (int)strcspn(axis, "=") : 0, axis);
}
/* Returns the text of a compilation: the first `length` bytes, `between`, the definitions, and the rest. NULL: no
   memory. */
static AUTOTUNE__UNUSED char *autotune__text_with_definitions(const autotune__compilation *compilation, size_t length,
                                                              const char *between) {
    const char *const text = autotune__source_of(compilation->program), *at;
    autotune__text whole AUTOTUNE__FREED = { NULL, false };
    unsigned long line = 1;
    for (at = text; at < text + length; at++) line += *at == '\n';
    autotune__append(&whole, "%.*s%s", (int)length, text, between);
    AUTOTUNE__EACH_OPTION(at, &compilation->definitions) {
        const int name = (int)strcspn(at, "=");
        autotune__append(&whole, "#define %.*s %s\n", name - 2, at + 2, at + name + 1);
    }
    autotune__append(&whole, "#line %lu\n%s", line, text + length);
    return whole.broken ? NULL : autotune__copy_string(autotune__string(&whole));
}
/* The caller holds the lock. Takes over `definitions`, unless there is no memory: then returns NULL. */
static autotune__compilation *autotune__new_compilation(autotune__program *program, const char *key, const char *name,
                                                        const char *instance, autotune__text *definitions) {
    autotune__compilation *compilation = (autotune__compilation *)autotune__put_block(
        &program->compilations, key, autotune__allocate(sizeof *compilation + strlen(name) + strlen(instance) + 2));
    if (!compilation) return NULL;
    compilation->program = program;
    compilation->name = strcpy((char *)(compilation + 1), name);
    compilation->instance = strcpy(compilation->name + strlen(name) + 1, instance);
    compilation->definitions = *definitions;
    definitions->at = NULL;
    compilation->shared_bytes = autotune__shared_bytes(program, &compilation->definitions);
    return compilation;
}
/* The caller holds the lock. Finds or makes a compilation, but does not compile it. NULL: no memory. */
static autotune__compilation *autotune__compilation_of(const autotune__target *target, autotune__program *program,
                                                       const char *name, const autotune__text *definitions) {
    autotune__text key AUTOTUNE__FREED = { NULL, false }, kept AUTOTUNE__FREED = { NULL, false },
                   instance AUTOTUNE__FREED = { NULL, false };
    autotune__compilation *compilation = NULL;
    const char *at;
    if (autotune__source_of(program)) {
        autotune__append_instance(&instance, program, definitions, name);
        autotune__keep_mentioned(&kept, program, definitions, name, autotune__string(&instance));
    }
    autotune__append(&key, "%s\n%s\n%s", target->architecture, name, autotune__string(&instance));
    AUTOTUNE__EACH_OPTION(at, &kept) autotune__append(&key, "\n%s", at);
    key.broken = key.broken || kept.broken || instance.broken || definitions->broken;
    if (!key.broken && !(compilation = (autotune__compilation *)autotune__value_of(program->compilations, key.at)))
        compilation = autotune__new_compilation(program, key.at, name, autotune__string(&instance), &kept);
    return compilation;
}
