/* Finds the names that a program mentions. The definition of any other name does not change the program's machine
   code. */
#pragma once
#include "../base/floor.h"
#include "digest.h"
#include "compiler.h"
#include "includes.h"

/* The places that mention a name. A word in a comment counts, too.
   MENTIONED: the program may mention the name.
   SEEN_BY_HEADERS: a header may mention the name.
   NO_MACRO: the program needs no macro of this name. No text and no option has this word, or a template has a parameter
   of this name. */
enum { AUTOTUNE__MENTIONED = 1, AUTOTUNE__SEEN_BY_HEADERS = 2, AUTOTUNE__NO_MACRO = 4 };

static bool autotune__has_word(const char *text, size_t bytes, const char *word, size_t length) {
    const char *at = text, *const end = text + bytes;
    for (; (size_t)(end - at) >= length && (at = (const char *)memchr(at, *word, (size_t)(end - at))) != NULL; at++)
        if ((size_t)(end - at) >= length && !memcmp(at, word, length) &&
            (at == text || at[-1] == '$' || !autotune__is_word(at[-1])) &&          /* an option may have $A$B */
            (at + length == end || at[length] == '$' || !autotune__is_word(at[length]))) return true;
    return false;
}
/* Returns true if the parameter list of a template in the text has this name. A macro of this name would break the
   template. Reads the whole text. */
static bool autotune__declares(const char *text, size_t bytes AUTOTUNE__UNUSED, const char *name, size_t length) {
    const char *at = text, *list;
    while ((at = strstr(at, "template")) != NULL) {
        int depth = 0;
        at += 8;
        list = at += strspn(at, " \t\r\n");
        do depth += (*at == '<') - (*at == '>'); while (depth > 0 && *++at);
        if (autotune__has_word(list, (size_t)(at - list), name, length)) return true;
    }
    return false;
}
/* Returns true if is_so() holds for the first `bytes` bytes of the program's text, or for an included file. */
static bool autotune__some_text(bool (*is_so)(const char *text, size_t bytes, const char *word, size_t length),
                                const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const autotune__scan *scan = program->scan;
    bool some = is_so(autotune__source_of(program), bytes, word, length);
    size_t i;
    for (i = 0; !some && i < autotune__count(scan->files); i++)
        some = scan->files[i].text && is_so(scan->files[i].text, strlen(scan->files[i].text), word, length);
    return some;
}
/* Returns true if the first `bytes` bytes of the text, an included file, or an option of the program mentions the
   name. If `bytes` is the end of the headers, options with a `$` do not count. */
static bool autotune__is_mentioned(const autotune__program *program, size_t bytes, const char *word, size_t length) {
    const char *option;
    AUTOTUNE__EACH_OPTION(option, &program->options)        /* headers see the value of $NAME, not the name */
        if ((bytes != program->scan->header_end || !strchr(option, '$')) &&
            autotune__has_word(option, strlen(option), word, length)) return true;
    return autotune__some_text(autotune__has_word, program, bytes, word, length);
}
/* Returns true if headers of a toolkit may read the macro. These headers are not scanned. */
static bool autotune__configures_toolkit(const char *name) {
    return !strncmp(name, "CU", 2) || !strncmp(name, "NV", 2) || !strncmp(name, "CCCL_", 5) ||
           !strncmp(name, "THRUST_", 7) || !strncmp(name, "LIBCUDACXX_", 11);
}
/* Returns true if headers may read the macro of this name. The operator ## may join two mentioned words to this
   name, or a mentioned word and a number. Headers of the compiler may read any name that begins with an underscore. */
static bool autotune__headers_may_read(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = program->scan->header_end;
    size_t i;
    for (i = 1; program->scan->pastes && i < length; i++)
        if (autotune__is_mentioned(program, bytes, name, i) &&
            ((name[i] >= '0' && name[i] <= '9') || autotune__is_mentioned(program, bytes, name + i, length - i)))
            return true;
    return *name == '_' || (program->scan->toolkits.at && autotune__configures_toolkit(name)) ||
           autotune__is_mentioned(program, bytes, name, length);
}
static unsigned autotune__find_mentions(const autotune__program *program, const char *name, size_t length) {
    const size_t bytes = strlen(autotune__source_of(program));
    const bool seen = autotune__is_mentioned(program, bytes, name, length),
               declared = autotune__some_text(autotune__declares, program, bytes, name, length);
    unsigned mentions = seen || program->scan->pastes || program->scan->blind ? AUTOTUNE__MENTIONED : 0;
    if (program->scan->blind || autotune__headers_may_read(program, name, length))
        mentions |= AUTOTUNE__SEEN_BY_HEADERS;
    return !seen || declared ? mentions | AUTOTUNE__NO_MACRO : mentions;
}
/* The caller holds the lock. Returns the places that mention the name of a definition. Texts may be long, so a map
   keeps the answer. The map has the answer plus one, since NULL means that there is no answer. */
static unsigned autotune__mentions_of(autotune__program *program, const char *name, size_t length) {
    autotune__text key AUTOTUNE__FREED = { NULL, false };
    uintptr_t known;
    unsigned mentions;
    if (!program->scan) return AUTOTUNE__MENTIONED | AUTOTUNE__SEEN_BY_HEADERS;
    autotune__append(&key, "%.*s", (int)length, name);
    known = key.broken ? 0 : (uintptr_t)autotune__value_of(program->mentions, key.at);
    if (known) return (unsigned)known - 1;
    mentions = autotune__find_mentions(program, name, length);
    if (!key.broken) (void)autotune__put_value(&program->mentions, key.at, (void *)(uintptr_t)(mentions + 1));
    return mentions;
}
