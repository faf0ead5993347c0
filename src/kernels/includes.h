/* Scans the files that a program includes. The scan follows each #include line that names a file. It reads every file
   with this name: beside the including file, in the working directory, and in each folder that an option or the
   environment names. So the order in which the compiler searches does not matter. If one of these files changes, or
   is missing at the scan and appears later, the scan becomes invalid. In folders of a toolkit the scan reads only the
   file with the toolkit's version. The scan cannot follow an include of another form. Then the scan is blind: the
   machine code of the program is not kept on disk, unless the compiler has still_holds(). */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "digest.h"
#include "compiler.h"

/* with more files or bytes the scan is blind */
enum { AUTOTUNE__MOST_LOOKED_FOR = 16384, AUTOTUNE__MOST_INCLUDED_BYTES = 64 << 20 };
typedef struct autotune__looked_for {           /* a file for which the scan has looked */
    autotune__file_facts facts;                 /* all 0: the file does not exist */
    autotune__file_id folder;                   /* the folder in which the path stands: the includes of the file are
                                                   searched there. If the path is a link: the folder of the link */
    char *text;                                 /* NULL: the file does not exist, cannot be read, belongs to a
                                                   toolkit, or was read before by another path */
} autotune__looked_for;
typedef struct autotune__scan {
    autotune__digest digest;                    /* of the program's options and text, the versions of toolkits,
                                                   and the included files */
    uint64_t code;                              /* a hash of the same data; if the program's text is C, its comments and
                                                   blanks do not count */
    bool blind;                                 /* the scan does not see all data that decide the code */
    bool has_include_of_macro;                  /* __has_include has a macro as its argument */
    autotune__text folders;                     /* folders that are searched, each with its zero */
    autotune__text toolkits;                    /* folders of a toolkit, each with its zero: their files are not read */
    autotune__looked_for *files;
    autotune__map *paths;                       /* of the files, in the same order */
    size_t bytes;                               /* of all files that were read */
    size_t header_end;                          /* where the headers of the program's text end */
    bool pastes;                                /* a text uses the operator ##, which may join two words to one name */
} autotune__scan;

static const char *autotune__skip_blanks(const char *at) { return at + strspn(at, " \t"); }
static const char *autotune__base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
static autotune__file_id autotune__folder_of(char *path) {
    char *const base = path + (autotune__base_name(path) - path), first = *base;
    autotune__file_facts facts;
    *base = 0;
    (void)autotune__facts_of_path(*path ? path : ".", &facts);
    *base = first;
    return facts.id;
}
/* Returns true if the file was read before, by another spelling of its path. */
static bool autotune__was_read(const autotune__scan *scan, const autotune__looked_for *file, const char *path) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].folder, file->folder) &&
            !strcmp(autotune__base_name(scan->paths[i].key), autotune__base_name(path))) return true;
    return false;
}
static void autotune__read_included(autotune__scan *scan, autotune__looked_for *file, char *path) {
    const char *why;
    size_t bytes = 0;
    file->folder = autotune__folder_of(path);
    if (autotune__was_read(scan, file, path) || !(file->text = autotune__read_path(path, &bytes, &why))) return;
    autotune__digest_bytes(&scan->digest, file->text, bytes);
    scan->code = autotune__hash_more(scan->code, file->text, bytes);
    scan->bytes += bytes;
    if (strlen(file->text) < bytes || scan->bytes > AUTOTUNE__MOST_INCLUDED_BYTES)  /* text after a zero is not seen */
        scan->blind = true;
}
/* Adds a file with its facts. reads: also reads the file. */
static void autotune__scan_file(autotune__scan *scan, const char *folder, size_t folder_length, const char *name,
                                size_t length, bool reads) {
    autotune__text path AUTOTUNE__FREED = { NULL, false };
    autotune__looked_for file;
    memset(&file, 0, sizeof file);
    if (*name != '/') autotune__append(&path, "%.*s/", (int)folder_length, folder);
    autotune__append_piece(&path, name, length);
    if (scan->blind || autotune__value_of(scan->paths, autotune__string(&path))) return;
    if (!path.broken && autotune__facts_of_path(path.at, &file.facts) && reads)
        autotune__read_included(scan, &file, path.at);
    if (!path.broken && autotune__count(scan->files) < AUTOTUNE__MOST_LOOKED_FOR &&
        autotune__put_value(&scan->paths, path.at, scan) && AUTOTUNE__PUSH(scan->files, file)) return;
    scan->blind = true;
    autotune__free(file.text);
}
static void autotune__scan_name(autotune__scan *scan, const char *includer, const char *name, size_t length) {
    const size_t beside = (size_t)(autotune__base_name(includer) - includer);
    const char *folder;
    autotune__digest_bytes(&scan->digest, name, length);
    scan->code = autotune__hash_more(scan->code, name, length);
    if (beside) autotune__scan_file(scan, includer, beside, name, length, true);
    autotune__scan_file(scan, ".", 1, name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) autotune__scan_file(scan, folder, strlen(folder), name, length, true);
    AUTOTUNE__EACH_OPTION(folder, &scan->toolkits)
        autotune__scan_file(scan, folder, strlen(folder), name, length, false);
}
/* Called for a word `include` that no "name" or <name> follows. end: the end of the word. Returns true if the word is
   in a directive. Then a macro may name a file that the scan cannot see. A directive begins at the beginning of a
   line, or after a comment. */
static bool autotune__includes_unseen(const char *text, const char *word, const char *end) {
    while (word > text && (word[-1] == ' ' || word[-1] == '\t')) word--;
    if (autotune__is_word(*end) || *end == '\'' || word == text || *--word != '#') return false;
    while (word > text && word[-1] != '\n' && word[-1] <= ' ') word--;
    return word == text || word[-1] == '\n' || word[-1] == '/';
}
static bool autotune__has_pastes(const char *text) { return strstr(text, "##") || strstr(text, "%:%:"); }
/* Returns the end of the headers of a text: after the last #include that is outside of conditions, and has only
   directives and comments before it. 0: there is none. */
static size_t autotune__header_end(const char *text) {
    const char *at = text, *end = text;
    int depth = 0;
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            if (!(at = strstr(at + 2, "*/"))) break;
            at += 2;
        } else if (*at == '#') {
            const char *word = autotune__skip_blanks(at + 1), *const line = at;
            while (*at && (*at != '\n' || at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\'))) at++;
            if (memchr(line, '*', (size_t)(at - line))) break;      /* a comment may go on in the next line */
            if (!strncmp(word, "if", 2)) depth++;
            else if (!strncmp(word, "endif", 5)) depth--;
            else if (!strncmp(word, "include", 7) && !depth && *at) end = at + 1;
        } else break;
    }
    return (size_t)(end - text);
}
/* Finds each "name" and <name> after the word `include`, wherever the word stands: in a directive, in __has_include or
   in a comment. */
static void autotune__scan_text(autotune__scan *scan, const char *text, const char *path) {
    const char *at = text, *word, *end;
    scan->pastes = scan->pastes || autotune__has_pastes(text);
    while (!scan->blind && (word = strstr(at, "include")) != NULL) {
        const char *const behind = word + (strncmp(word + 7, "_next", 5) ? 7 : 12);
        at = autotune__skip_blanks(behind);
        if (*at == '(') at = autotune__skip_blanks(at + 1);
        end = *at == '<' ? strpbrk(at, ">\n") : *at == '"' ? strpbrk(at + 1, "\"\n") : NULL;
        if (end && *end != '\n') autotune__scan_name(scan, path, at + 1, (size_t)(end - at - 1));
        else if (word - text < 6 || strncmp(word - 6, "__has_", 6))
            scan->blind = autotune__includes_unseen(text, word, behind);
        else scan->has_include_of_macro = scan->has_include_of_macro || *autotune__skip_blanks(behind) == '(';
    }
}
static void autotune__scan_files(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++)              /* more files are added meanwhile */
        if (scan->files[i].text) autotune__scan_text(scan, scan->files[i].text, scan->paths[i].key);
}
static const char *autotune__path_of(const autotune__program *program) {        /* of its source; "": no file */
    return program->declared->file ? program->declared->file : "";
}
/* Moves the folders of toolkits from `folders` to `toolkits`: the version of a toolkit stands for its headers. Some
   folders have copies of a toolkit's headers, but no toolkit. If there is such a folder, the function moves no folder,
   since headers of the toolkit may include the copies. */
static void autotune__set_toolkits_apart(autotune__scan *scan, const autotune__compiler *compiler) {
    autotune__text rest = { NULL, false };
    const char *folder, *version, *why;
    bool strange = !compiler->version_file;
    size_t bytes;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders)
        strange = strange || ((version = compiler->version_file(folder)) != NULL && !*version);
    if (strange) return;
    AUTOTUNE__EACH_OPTION(folder, &scan->folders) {
        version = compiler->version_file(folder);
        char *path AUTOTUNE__OWNED = version ? autotune__joined(folder, version) : NULL,
             *text AUTOTUNE__OWNED = path ? autotune__read_path(path, &bytes, &why) : NULL;
        autotune__append(text ? &scan->toolkits : &rest, "%s%c", folder, 0);
        if (text) autotune__digest_bytes(&scan->digest, text, bytes);
        if (text) scan->code = autotune__hash_more(scan->code, text, bytes);
        if (text) autotune__scan_file(scan, folder, strlen(folder), version, strlen(version), false);
    }
    rest.broken = rest.broken || scan->toolkits.broken;
    autotune__free_text(&scan->folders);
    scan->folders = rest;
}
/* Returns true if compilers may take the file for Fortran or assembler, by the suffix of its name. In these languages
   `//` begins no comment, and line feeds have a meaning. */
static bool autotune__may_not_be_c(const char *path) {
    const char *const suffix = strrchr(autotune__base_name(path), '.');
    return suffix && suffix[1] && strchr("fFsS", suffix[1]);
}
/* Scans a program that has source: its options, its text or file, and the included files. If an option names
   a file, this file is not scanned, and the scan is blind. The digest has no data of a configuration or a device. The
   digest has no path of a folder, unless the path is an option of its own. */
static void autotune__scan_source(autotune__scan *scan, const autotune__program *program) {
    const char *text = autotune__source_of(program), *option, *value = NULL, *folder;
    const char *const *variable = program->compiler->variables;
    bool reads_files = false, is_c = !autotune__may_not_be_c(autotune__path_of(program));
    size_t length;
    memset(scan, 0, sizeof *scan);
    AUTOTUNE__EACH_OPTION(option, &program->options) {
        const autotune__option_kind kind =
            option == value ? AUTOTUNE__OPTION_OTHER : autotune__read_option(program->compiler, option, &value);
        reads_files = reads_files || kind == AUTOTUNE__OPTION_FILE ||
                      (kind == AUTOTUNE__OPTION_FOLDER && strchr(value, '$'));       /* a folder named by an axis */
        is_c = is_c && strncmp(option, "-x", 2);                /* -x names a language */
        if (kind == AUTOTUNE__OPTION_FOLDER) autotune__append(&scan->folders, "%s%c", value, 0);
        else autotune__digest_string(&scan->digest, option);
        scan->pastes = scan->pastes || autotune__has_pastes(option);
    }
    scan->header_end = autotune__header_end(text);
    for (; variable && *variable; variable++)
        AUTOTUNE__EACH_FOLDER(folder, length, autotune__variable(*variable))
            autotune__append(&scan->folders, "%.*s%c", (int)length, folder, 0);
    scan->code = is_c ? autotune__hash_code(scan->digest.word[0], text)
                      : autotune__hash_more(scan->digest.word[0], text, strlen(text));
    autotune__set_toolkits_apart(scan, program->compiler);
    autotune__digest_string(&scan->digest, text);
    autotune__scan_text(scan, text, autotune__path_of(program));
    autotune__scan_files(scan);
    scan->blind = scan->blind || reads_files || scan->folders.broken;
}
static void autotune__free_scan(autotune__scan *scan) {
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) autotune__free(scan->files[i].text);
    AUTOTUNE__FREE_ARRAY(scan->files);
    autotune__free_map(&scan->paths);
    autotune__free_text(&scan->folders);
    autotune__free_text(&scan->toolkits);
}
/* Returns true if a new scan would probably find the same files. Reads no file for this. */
static bool autotune__files_unchanged(const autotune__scan *scan) {
    autotune__file_facts facts;
    size_t i;
    for (i = 0; i < autotune__count(scan->files); i++) {
        const autotune__file_facts *known = &scan->files[i].facts;
        (void)autotune__facts_of_path(scan->paths[i].key, &facts);
        if (!autotune__is_same_id(facts.id, known->id) || facts.bytes != known->bytes ||
            facts.modified_ns != known->modified_ns) return false;
    }
    return true;
}
/* Makes the digest of all data that decide the machine code of a compilation for this target. Returns false if there is
   no scan, or if a file has changed since the scan. Also returns false if the scan is blind and the compiler has no
   still_holds(). */
static bool autotune__digest_code(autotune__digest *digest, const autotune__compilation *compilation,
                                  const autotune__target *target) {
    const autotune__program *program = compilation->program;
    const autotune__scan *scan = program->scan;
    const char *option;
    const char *const *variable = target->compiler->variables;
    if (!scan || (scan->blind && !target->compiler->still_holds) || !autotune__files_unchanged(scan)) return false;
    memset(digest, 0, sizeof *digest);
    if (target->compiler->version) autotune__digest_string(digest, target->compiler->version);
    if (target->compiler->identity) autotune__digest_string(digest, target->compiler->identity);
    for (; variable && *variable; variable++) {
        const char *const value = autotune__variable(*variable);
        autotune__digest_string(digest, value ? value : "");
    }
    autotune__digest_string(digest, target->architecture);
    autotune__digest_string(digest, autotune__path_of(program));        /* __FILE__ */
    autotune__digest_string(digest, compilation->instance);
    AUTOTUNE__EACH_OPTION(option, &compilation->options) autotune__digest_string(digest, option);
    autotune__digest_bytes(digest, &scan->digest, sizeof scan->digest);
    return true;
}
