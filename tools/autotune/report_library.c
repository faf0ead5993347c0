/* report_library.c - see report.h: makes a script of the page from the library of the charts */
#include "report.h"
#include "files.h"
#include "options.h"
#include "shown.h"
#include <errno.h>
#include <strings.h>

/* Debian's libjs-vega installs no single file of Vega, but a file for each CommonJS module, without a module loader.
   Charts need these modules. */
static const char *const parts[] = {"util",      "time",        "format",          "loader",     "dataflow",
                                    "scale",     "encode",      "statistics",      "transforms", "canvas",
                                    "scenegraph", "view-transforms", "expression", "selection",  "functions",
                                    "event-selector", "parser", "runtime",         "view",       "interpreter"};
static const char folder_of_package[] = "/usr/share/javascript/vega";
static const char licence_of_package[] = "/usr/share/doc/libjs-vega/copyright";

/* Appends a module as a member of an object. Leaves out the name of the source map, which a browser's debugger would
   load. */
static bool append_part(autotune__text *script, const char *name, const char *path) {
    struct input input;
    if (!read_path(path, &input)) return false;
    static const char map[] = "\n//# sourceMappingURL=";
    size_t bytes = input.bytes, at = bytes < 200 ? 0 : bytes - 200;
    for (; at + sizeof map <= bytes; at++)
        if (!memcmp(input.text + at, map, sizeof map - 1)) bytes = at;
    append(script, "libraryParts[\"vega%s\"] = function(exports, module, require) {\n%.*s\n};\n", name, (int)bytes,
           input.text);
    free(input.text);
    return true;
}
static bool append_parts(autotune__text *script, const char *folder) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        autotune__text path = {NULL, false}, name = {NULL, false};
        append(&path, "%s/vega-%s.min.js", folder, parts[i]);
        append(&name, "-%s", parts[i]);
        const bool is_read = append_part(script, name.at, path.at);
        const int error = errno;
        autotune__free_text(&path);
        autotune__free_text(&name);
        errno = error;
        if (!is_read) return false;
    }
    return true;
}
/* Returns false if the text contains the end of a script, or the begin of an HTML comment. In the page such a text
   would end the script too early. */
static bool may_stand_in_a_page(const char *script) {
    for (const char *at = script; (at = strchr(at, '<')) != NULL; at++)
        if (!strncmp(at, "<!--", 4) || !strncasecmp(at, "</script", 8) || !strncasecmp(at, "<script", 7)) return false;
    return true;
}
/* Returns the first function that the page calls (see vega.js) and the library does not export. NULL: the library
   exports all of them. */
static const char *lacks(const char *script) {
    static const char *const exported[] = {".View", ".parse", ".expressionInterpreter"};
    for (size_t i = 0; i < sizeof exported / sizeof *exported; i++)
        if (!strstr(script, exported[i])) return exported[i];
    return NULL;
}
static void append_licence(autotune__text *licence) {
    struct input input;
    append(licence, "The charts are drawn by Vega, Copyright University of Washington Interactive Data Lab, under the "
                    "BSD 3-Clause License: https://github.com/vega/vega\n");
    if (options.library || !read_path(licence_of_package, &input)) return;
    for (size_t i = 0; i < input.bytes; i++) {
        const char character = input.text[i];
        append(licence, character == '<' ? "&lt;" : character == '&' ? "&amp;" : "%c", character);
    }
    free(input.text);
}
bool append_library(autotune__text *script, autotune__text *licence) {
    append(script, "const libraryParts = {};\n");
    const char *path = options.library ? options.library : folder_of_package;
    if (!append_parts(script, path) && !(errno == ENOTDIR && append_part(script, "", path))) {
        fail(NOT_DONE, "report: Vega, which draws the charts, is not in %s (%s). On Debian: apt-get install "
                       "libjs-vega. Elsewhere: --library FILE", shown(path), strerror(errno));
        return false;
    }
    const char *const lacking = lacks(script->at);
    if (lacking) {
        fail(NOT_DONE, "report: %s is not Vega 5 with its interpreter: '%s' does not occur in it", shown(path),
             lacking);
        return false;
    }
    if (!may_stand_in_a_page(script->at)) {
        fail(NOT_DONE, "report: %s has '<!--' or the tag of a script, so it cannot stand in a page", shown(path));
        return false;
    }
    append_licence(licence);
    return true;
}
