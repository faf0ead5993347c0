/* The name of a statement, and the identity by which the statement finds its tuner and its key. */
#pragma once
#include "../site/floor.h"
#include "../system/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"

/* The name of a call site, for three %s: its file without folders, a colon, its function. A created tuner has no
   file. */
#define AUTOTUNE__SITE_NAME(site) autotune__site_file(site), (site)->file ? ":" : "", (site)->function
static const char *autotune__site_file(const autotune__site *site) {
    const char *separator = site->file ? autotune__last_separator(site->file) : NULL;
    return separator ? separator + 1 : site->file ? site->file : "";
}
static char *autotune__site_name(const autotune__site *site) {
    const size_t bytes = strlen(autotune__site_file(site)) + 1 + strlen(site->function) + 1;
    char *name = (char *)autotune__allocate(bytes);
    if (name) autotune__put_text(name, bytes, "%s%s%s", AUTOTUNE__SITE_NAME(site));
    return name;
}
/* Returns true if another call site may have the same name. Two lambdas or unnamed classes in one function may have the
   same name. Two instances of a template may have the same name, too: if their arguments are local types, types in an
   unnamed namespace, static functions, or values of type auto. g++ and clang++ write the arguments of a template behind
   "[". */
static bool autotune__lacks_own_name(const autotune__subject *subject) {
    static const char *const words[] = { "<lambda", "(lambda", "<unnamed", "(anonymous class)", "(anonymous str" };
    const char *at = subject->own_name && subject->site->file ? subject->site->function : "";
    size_t i;
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(at, words[i])) return true;
    return (at = strchr(at, '[')) != NULL && (strpbrk(at, "({") || strstr(at, "auto "));
}
/* Separates two call sites of the same name. A winner that came from a record may belong to either site. So such
   winners are forgotten, and the records of this name are removed from the disk. */
static void autotune__part_from_namesake(const autotune__subject *subject) {
    const bool on_disk = autotune__cache_policy(&subject->options) == AUTOTUNE_CACHE_ON && !subject->follows;
    autotune__known_key *known_key;
    autotune__known_tuner *other;
    autotune__lock_mutex(&autotune__lock);
    other = autotune__mark_namesakes(subject->known_key->tuner, subject->site);
    for (known_key = other ? autotune__known_keys : NULL; known_key; known_key = known_key->next)
        if (known_key->tuner == other && known_key->is_recalled) autotune__forget_known(known_key);
    autotune__unlock_mutex(&autotune__lock);
    if (!other) return;
    autotune__say_of(AUTOTUNE_LOG_ERRORS, subject,
                     "another lambda, or another instance of a template, has this name: each is tuned for itself, and "
                     "nothing is kept for the next process; give each kernel a .name");
    if (on_disk) (void)autotune_clear(subject->name, NULL, AUTOTUNE_DISK);
}
/* Appends the texts of a tuner, which are the same in each process: version, compiler and target, the text of space and
   call, and the values of all axes. The text of a block is not known, so the line of the block replaces its text.
   Blocks are not numbered in the order in which they run, since the input of a program may decide which blocks run. */
static void autotune__append_texts(autotune__text *text, const autotune__statement *statement) {
    const char *written = statement->subject.site->text;
    size_t length = 0;
    autotune__append(text, "%s\n%s\n", statement->subject.options.version ? statement->subject.options.version : "",
                     statement->subject.site->build);
    if (!written) autotune__append(text, "created");
    else if (autotune__is_select(statement->subject.space)) autotune__append(text, "%s", written);
    else {
        const char *part = autotune__part(written, 0, &length);
        autotune__append(text, "%.*s", (int)length, part ? part : "");
        part = autotune__call_text(&statement->subject, &length);
        if (part) autotune__append(text, "\n%.*s", (int)length, part);
        else autotune__append(text, "\n%d", statement->subject.site->line);
    }
    autotune__append_space(text, statement->subject.space);
}
/* Appends the identity. Two call sites of this process are the same tuner if they have the same name, texts, program,
   backend, ranks and addresses of functions. So a library that replaces another one has tuners of its own. A site that
   lacks its own name is always a separate tuner. */
static void autotune__append_identity(autotune__text *text, const autotune__statement *statement,
                                      const autotune__text *texts, const char *program) {
    const autotune__subject *subject = &statement->subject;
    autotune__append(text, "%s\n%s\n%s %s %p %p", subject->name, autotune__string(texts), program,
                     subject->backend->device,
                     subject->backend->family ? subject->backend->family : (const void *)subject->options.backend,
                     subject->peers);
    if (autotune__lacks_own_name(subject)) autotune__append(text, " %p", (const void *)subject->site);
    autotune__append_pointers(text, subject->space);
    text->broken = text->broken || texts->broken;
}
/* Finds or makes the tuner and the key in the registry, and opens the store. Returns false if there is no memory. */
static bool autotune__identify(autotune__statement *statement) {
    autotune__text texts AUTOTUNE__FREED = { NULL, false }, identity AUTOTUNE__FREED = { NULL, false },
                   key AUTOTUNE__FREED = { NULL, false };
    char program[AUTOTUNE__PROGRAM_BYTES];
    autotune__append_texts(&texts, statement);
    const uint64_t written = autotune__hash_string(autotune__string(&texts));
    if (texts.at) autotune__set_count(texts.at, autotune__remove_blanks(texts.at, autotune__count(texts.at)));
    (void)autotune__identify_program(statement->subject.code, program, sizeof program);
    autotune__append_identity(&identity, statement, &texts, program);
    autotune__append_key(&key, &statement->subject.options.key, true);
    autotune__append(&key, "%s", "");           /* a key without parts is an empty string */
    if (identity.broken || key.broken ||
        !autotune__enrol(&statement->subject, identity.at, key.at, program, autotune__hash_string(texts.at), written))
        return false;
    if (autotune__lacks_own_name(&statement->subject)) autotune__part_from_namesake(&statement->subject);
    statement->limits = autotune__limits_of(&statement->subject);
    autotune__open_store(&statement->store, &statement->subject, &statement->prior, key.at, &statement->limits);
    return true;
}
