/* Dependencies of an image: the files that decide its code. This room follows the includes of the source through the
   folders that the compiler searches. The option -Wp,-v makes the compiler print these folders. All files that are
   found go into one digest. The symbol of the image has the digest and the folders: "digest folder folder ". By -MD
   the compiler lists the files that it read. If this room did not follow one of these files, the image is not kept,
   and the program is compiled again in each run. The same holds if an option or the source may read further files. */
#pragma once
#include "../system/floor.h"
#include "../base/floor.h"
#include "../kernels/floor.h"
#include "command.h"

/* ---- Words ---- */

/* Returns true if these words, except `skipped`, bring in headers alone. -lm is allowed: it is a shared library, so no
   code is copied from it, unless LIBRARY_PATH leads to another library. */
static bool autotune__cc_are_simple(const autotune__compiler *compiler, const autotune__text *words,
                                    const char *skipped) {
    const char *word;
    AUTOTUNE__EACH_OPTION(word, words)
        if (word != skipped && (strcmp(word, "-lm") || autotune__variable("LIBRARY_PATH")) &&
            (!strncmp(word, "-l", 2) || autotune__read_option(compiler, word, &skipped) == AUTOTUNE__OPTION_FILE ||
             (!strncmp(word, "-f", 2) && strchr(word, '=') && autotune__cc_is_file(strrchr(word, '=') + 1))))
            return false;
    return true;
}
static bool autotune__cc_is_simple(const autotune__cc_command *command, const autotune__compiler *compiler) {
    return !autotune__variable("COMPILER_PATH") && !autotune__variable("GCC_EXEC_PREFIX") &&
           !autotune__variable("CCC_OVERRIDE_OPTIONS") &&
           autotune__cc_are_simple(compiler, &command->compiler, command->compiler.at) &&
           autotune__cc_are_simple(compiler, &command->options, NULL) &&
           autotune__cc_are_simple(compiler, &command->libraries, NULL);
}

/* ---- Files ---- */

/* Follows the includes of the source through `folders`. The scan owns `folders`. unasked: headers that compilers
   include by default. */
static autotune__scan autotune__cc_follow(const autotune__cc_command *command, const autotune__program *program,
                                          autotune__text folders) {
    static const char unasked[] = "#include <stdc-predef.h>\n#include <finclude/math-vector-fortran.h>\n"
                                  "#include <finclude/x86_64-linux-gnu/math-vector-fortran.h>\n"
                                  "#include <finclude/aarch64-linux-gnu/math-vector-fortran.h>\n";
    const char *const path = autotune__path_of(program);
    autotune__scan scan;
    size_t i;
    memset(&scan, 0, sizeof scan);
    scan.folders = folders;
    autotune__digest_string(&scan.digest, command->path);
    autotune__digest_bytes(&scan.digest, &command->facts.bytes, sizeof command->facts.bytes);
    autotune__digest_bytes(&scan.digest, &command->facts.modified_ns, sizeof command->facts.modified_ns);
    autotune__scan_text(&scan, unasked, "");
    if (*path) autotune__scan_file(&scan, ".", 1, path, strlen(path), true);
    else autotune__scan_text(&scan, autotune__source_of(program), "");
    autotune__scan_files(&scan);
    for (i = 0; i < autotune__count(scan.files); i++)
        if (scan.files[i].facts.id.number) autotune__digest_bytes(&scan.digest, &i, sizeof i);  /* it exists */
    return scan;
}
/* Reads the folders that the compiler prints. The compiler ignores a folder that does not exist, or is a link to
   another folder. Ignored folders are read, too, since they may exist later. If the text is broken, some folders may be
   missing. */
static const char autotune__cc_folders_end[] = "End of search list.";
static autotune__text autotune__cc_read_folders(const char *printed) {
    autotune__text folders = { NULL, false };
    const char *at = printed, *feed;
    char path[4096];
    for (; at && strncmp(at, autotune__cc_folders_end, sizeof autotune__cc_folders_end - 1);
         at = (feed = strchr(at, '\n')) != NULL ? feed + 1 : NULL)
        if (sscanf(at, "ignoring %*s directory \"%4095[^\"\n]", path) == 1 ||
            (at[0] == ' ' && at[1] != ' ' && sscanf(at, " %4095[^\n]", path) == 1))
            autotune__append(&folders, "%s%c", path, 0);
    if (!at) folders.broken = true;
    return folders;
}
/* Returns true if a text may bring in files without #include. */
static bool autotune__cc_brings_more(const char *text) {
    return strstr(text, "incbin") || strstr(text, ".include") || strstr(text, "__has_embed") ||
           autotune__has_word(text, strlen(text), "embed", 5);
}
static bool autotune__cc_was_followed(const autotune__scan *scan, const char *path) {
    autotune__file_facts facts;
    size_t i;
    if (!autotune__facts_of_path(path, &facts)) return false;
    for (i = 0; i < autotune__count(scan->files); i++)
        if (scan->files[i].text && autotune__is_same_id(scan->files[i].facts.id, facts.id))
            return !autotune__cc_brings_more(scan->files[i].text);
    return false;
}
/* Returns true if each file that the compiler read was followed, and was written before the compilation began. rule:
   the list of these files, as a rule for make. A path with a blank counts as two paths that do not exist. */
static bool autotune__cc_followed_all(const autotune__scan *scan, const char *rule, int64_t began_ns) {
    autotune__text paths AUTOTUNE__FREED = { NULL, false };
    const char *const at = rule ? strstr(rule, "/made:") : NULL, *path;
    bool all = at && !scan->blind && !scan->has_include_of_macro && !scan->folders.broken;
    size_t i;
    if (at) autotune__append_divided(&paths, strchr(at, ':') + 1);     /* clang names only files that it read */
    AUTOTUNE__EACH_OPTION(path, &paths) all = all && (!strcmp(path, "\\") || autotune__cc_was_followed(scan, path));
    for (i = 0; i < autotune__count(scan->files); i++)
        all = all && scan->files[i].facts.modified_ns < began_ns - 2000000000;
    return all && !paths.broken;
}
/* Reads the compiler's version from the image. An image of clang may name gcc, too. */
static void autotune__cc_read_version(autotune__compilation *compilation, const char *image, size_t bytes) {
    size_t at = 0;
    while (at + 64 < bytes && memcmp(image + at, "clang version ", 14) && memcmp(image + at, "GCC: ", 5)) at++;
    autotune__put_text(compilation->version, sizeof compilation->version, "%s", at + 64 < bytes ? image + at : "C");
}
/* Returns true if the folders of an image still give its digest. Without a compiler the image always holds. */
static bool autotune__cc_still_holds(autotune__compilation *compilation) {
    const char *const symbol = compilation->symbol;
    autotune__text folders = { NULL, false };
    autotune__cc_command command;
    autotune__scan scan;
    bool holds = autotune__cc_make_command(&command, compilation);
    if (holds && *command.path) {
        autotune__append_divided(&folders, symbol + strcspn(symbol, " "));
        scan = autotune__cc_follow(&command, compilation->program, folders);
        holds = autotune__cc_is_simple(&command, compilation->program->compiler) &&     /* 33: digest and dot */
                !strncmp(symbol, autotune__name_image(compilation->program->compiler, &scan.digest).at, 33);
        autotune__free_scan(&scan);
    }
    autotune__cc_read_version(compilation, compilation->image, compilation->image_bytes);
    autotune__cc_free_command(&command);
    return holds;
}
