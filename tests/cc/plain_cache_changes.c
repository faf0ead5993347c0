/* plain_cache_changes.c - machine code on disk after a change of an input of its compilation: a table with a row for
   each kind of change. Each run is its own process. */
#define _DEFAULT_SOURCE
#include "compilers.h"

void f(int *out);

/* ---- Inputs of a compilation -------------------------------------------------------------------------------------

   Each function below makes version 1 or version 2 of one input. */

#define EITHER "#define V 2\n#else\n#define V 1\n#endif\n"

/* Sets the time of a file to 15 minutes ago (version 1), or to 13 minutes ago (version 2). */
static void settle(const char *name, int version) {
    const struct timespec times[2] = {{time(NULL) - 1000, 0}, {time(NULL) - 1000 + 100 * version, 0}};
    CHECK(utimensat(AT_FDCWD, name, times, 0) == 0);
}
static __attribute__((__format__(__printf__, 3, 0))) void put(const char *name, int version, const char *format) {
    char text[600];
    snprintf(text, sizeof text, format, version);
    write_file(name, text, strlen(text));
    settle(name, version);
}
/* From now on this script compiles all programs. The words follow the path of the script in AUTOTUNE_CC. */
static void compile_by_script(const char *script, const char *words) {
    char command[900];
    const char *const path = make_compiler("script", script);
    settle(path, 1);
    snprintf(command, sizeof command, "%s%s", path, words);
    CHECK(setenv("AUTOTUNE_CC", command, 1) == 0);
}
static void shell(const char *command) { CHECK(system(command) == 0); }
static void set(const char *variable, const char *value) { CHECK(setenv(variable, value, 1) == 0); }

static void second_source(int version) { put("helper.c", version, "int help(void) { return %d; }\n"); }
static void second_source_with_axis(int version) { put("helper.c", version, "int help(void) { return %d * A; }\n"); }
static void object(int version) {
    second_source(version);
    shell("cc -fPIC -c helper.c");
    settle("helper.o", version);
}
static void archive(int version) {
    object(version);
    shell("rm -f libhelp.a && ar rcs libhelp.a helper.o");
    settle("libhelp.a", version);
}
static void archive_by_variable(int version) {
    archive(version);
    set("LIBRARY_PATH", ".");
}
static void header(int version) { put("d2/v.h", version, "#define V %d\n"); }
static void header_by_cpath(int version) {
    header(version);
    set("CPATH", "d1:d2");
}
static void header_with_axis(int version) {
    put("d2/v.h", version, "#define V (%d * A)\n");
    set("CPATH", "d2");
}
static void header_by_c_include_path(int version) {
    header(version);
    set("C_INCLUDE_PATH", "d2");
}
static void another_cpath(int version) {
    put("d1/v.h", 1, "#define V %d\n");
    put("d2/v.h", 2, "#define V %d\n");
    set("CPATH", version == 1 ? "d1" : "d2");
}
static void earlier_header(int version) { put(version == 1 ? "d2/v.h" : "d1/v.h", version, "#define V %d\n"); }
static void earlier_header_by_cpath(int version) {
    earlier_header(version);
    set("CPATH", "d1:d2");
}
static void earlier_folder(int version) {
    put("d2/v.h", 1, "#define V %d\n");
    set("CPATH", "new:d2");
    if (version == 2) {
        CHECK(mkdir("new", 0700) == 0);
        put("new/v.h", 2, "#define V %d\n");
    }
}
/* v.h includes w.h. In version 2 a folder that is searched earlier has another w.h. */
static void earlier_inner_header(int version) {
    if (version == 1) put("d2/v.h", 1, "#include <w.h>\n#define VERSION %d\n");
    put(version == 1 ? "d2/w.h" : "d1/w.h", version, "#define V %d\n");
    set("CPATH", "d1:d2");
}
static void removed_header(int version) {
    put("d1/v.h", 1, "#define V %d\n");
    put("d2/v.h", 2, "#define V %d\n");
    set("CPATH", "d1:d2");
    if (version == 2) unlink("d1/v.h");
}
/* Writes a header whose time and size are the same in both versions: only the content differs. */
static void put_alike(const char *name, int value) {
    put(name, value, "#define V %d\n");
    settle(name, 1);
}
static void header_of_same_time(int version) { put_alike("d2/v.h", version); }
static void older_header(int version) {
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    header(version);
    if (version == 2) CHECK(utimensat(AT_FDCWD, "d2/v.h", times, 0) == 0);
}
static void header_that_names_an_axis(int version) { put("d2/v.h", version, "#define V (%d * A)\n"); }
static void turn(const char *link, const char *to) {
    unlink(link);
    CHECK(symlink(to, link) == 0);
}
static void turned_folder(int version) {
    put_alike("d1/v.h", 1), put_alike("d2/v.h", 2);
    turn("link", version == 1 ? "d1" : "d2");
}
static void turned_header(int version) {
    put_alike("one.h", 1), put_alike("two.h", 2);
    turn("d2/v.h", version == 1 ? "../one.h" : "../two.h");
}
/* `link` is in the list of searched folders. In version 1 it leads to d2, which is in the list, too, so the compiler
   ignores it. In version 2 it leads to d1, which has another w.h. */
static void turned_double(int version) {
    put("d3/w.h", 1, "#define V %d\n");
    put("d2/v.h", 1, "/* %d */\n#include <w.h>\n");
    if (version == 2) put("d1/w.h", 2, "#define V %d\n");
    turn("link", version == 1 ? "d2" : "d1");
}
static void renamed_folder(int version) {
    if (version == 1) put_alike("d1/v.h", 2), put_alike("d2/v.h", 1);
    else shell("mv d2 old && mv d1 d2");
}
static void first_file_at_link(int version) {
    put("d2/v.h", 1, "#define V %d\n");
    turn("d1/v.h", "w.h");
    if (version == 2) put("d1/w.h", 2, "#define V %d\n");
}
static void first_file_at_folder(int version) {
    put("d2/v.h", 1, "#define V %d\n");
    if (version == 1) CHECK(mkdir("d1/v.h", 0700) == 0), settle("d1/v.h", 1);
    else CHECK(rmdir("d1/v.h") == 0), put("d1/v.h", 2, "#define V %d\n");
}
static void source_within(int version) { put("other.c", version, "enum { V = %d };\n"); }
/* In version 2 a folder that is searched earlier has sub/w.h, too. */
static void earlier_in_outer_folder(int version) {
    put("d2/v.h", 1, "/* %d */\n#include <sub/w.h>\n");
    put(version == 1 ? "d2/sub/w.h" : "d1/sub/w.h", version, "#define V %d\n");
}
static void earlier_beside(int version) {
    put("d2/v.h", 1, "/* %d */\n#include \"sub/u.h\"\n");
    put("d2/sub/u.h", 1, "/* %d */\n#include \"w.h\"\n");
    put(version == 1 ? "d1/w.h" : "d2/sub/w.h", version, "#define V %d\n");
}
static void next_header(int version) {
    put("d1/v.h", 1, "/* %d */\n#include_next <v.h>\n");
    put(version == 1 ? "d3/v.h" : "d2/v.h", version, "#define V %d\n");
}
static void unsearched_header(int version) {
    put_alike("d2/v.h", version);
    put_alike(version == 1 ? "d1/v.h" : "d3/v.h", version == 1 ? 2 : 1);
}
static void folder_of_compiler(int version) {
    header_of_same_time(version);
    compile_by_script(REAL_COMPILER, " -Id2");
}
static void condition(int version) {
    set("CPATH", "d1");
    if (version == 2) put("d1/w.h", version, "/* %d */\n");
}
static void condition_in_header(int version) {
    put("d2/v.h", 1, "#if __has_include(<w.h>)\n" EITHER "#define VERSION %d\n");
    if (version == 2) put("d1/w.h", version, "/* %d */\n");
}
static void data(int version) { put("d2/data", version, ".byte %d\n"); }
static void bytes_of_data(int version) { put("d2/data", version, version == 1 ? "\1" : "\2"); }
static void response_file(int version) { put("words", version, "-DV=%d\n"); }
static void tools(int version) {
    put("d1/as", version, "#!/bin/sh\nexec /usr/bin/as --defsym version=%d \"$@\"\n");
    CHECK(chmod("d1/as", 0700) == 0);
}
static void tools_by_variable(int version) {
    tools(version);
    set("COMPILER_PATH", "d1");
}
/* The first word of AUTOTUNE_CC is a script, which runs the compiler of the second word. The content of this compiler
   changes. */
static void second_word(int version) {
    put("d1/real", version, "#!/bin/sh\nexec cc -DV=%d \"$@\"\n");
    CHECK(chmod("d1/real", 0700) == 0);
    if (version == 1) compile_by_script("exec \"$@\"", " ./d1/real");
}
static void module_of_fortran(int version) {
    put("v.f90", version, "module values\ninteger, parameter :: v = %d\nend module\n");
    shell("gfortran -c v.f90");
    settle("values.mod", version);
    if (version == 1) compile_by_script("exec gfortran \"$@\"", "");
}
static void included_by_fortran(int version) {
    put("v.inc", version, "integer, parameter :: v = %d\n");
    if (version == 1) compile_by_script("exec gfortran \"$@\"", "");
}
static void nothing(int version) { (void)version; }
static void nothing_of_fortran(int version) {
    if (version == 1) compile_by_script("exec gfortran \"$@\"", "");
}
static void nothing_in_folders(int version) {
    if (version == 1) header(1);
    set("LIBRARY_PATH", "/usr/lib:/nowhere");
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

#define CALLS "int help(void);\nvoid f(int *o) { *o = help() + 0 * A; }\n"
#define READS "#include <v.h>\nvoid f(int *o) { *o = V + 0 * A; }\n"
#define TAKES "void f(int *o) { *o = V + 0 * A; }\n"
#define HAS(directive) \
    "__asm__(\".section .rodata\\n.globl blob\\nblob: " directive "\\n.text\\n\");\n" \
    "extern const unsigned char blob[] __attribute__((visibility(\"hidden\")));\n" \
    "void f(int *o) { *o = blob[0] + 0 * A; }\n"
#define FORTRAN(first, second) \
    "subroutine f(o) bind(c)\n" first "use iso_c_binding\n" second "integer(c_int) :: o\no = v + 0 * A\n" \
    "end subroutine\n"

enum { EVERY_RUN, KEPT };
typedef struct way {
    const char *name;
    int is_kept;
    bool changes;                               /* true: the function gives 2 after version 2; false: 1, as before */
    void (*make)(int version);
    const char *file, *source, *options[8];
    const char *flags;                          /* the value of the axis FLAGS */
} way;
static const way ways[] = {
    {"nothing", KEPT, false, nothing, "k.c", "#include <math.h>\n#include <stdint.h>\nvoid f(int *o) { *o = A; }\n",
     {"-O2", "-march=native", "-std=gnu11", "-Wall", "-DX=1", "-I.", "-lm", "$FLAGS"},
     "-fopenmp -g -funroll-loops --param=max-unroll-times=4 -DY -pthread"},
    {"nothing in folders", KEPT, false, nothing_in_folders, "k.c", READS,
     {"-I", "d1", "-isystem", "d1", "-iquote", "d1", "-idirafterd2"}, ""},
    {"source", EVERY_RUN, true, second_source, "k.c", CALLS, {"helper.c"}, ""},
    {"source by an axis", EVERY_RUN, true, second_source, "k.c", CALLS, {"$FLAGS"}, "-O1 helper.c"},
    {"source with an axis", EVERY_RUN, true, second_source_with_axis, "k.c",
     "int help(void);\nvoid f(int *o) { *o = help(); }\n", {"helper.c"}, ""},
    {"object", EVERY_RUN, true, object, "k.c", CALLS, {"helper.o"}, ""},
    {"object for the linker", EVERY_RUN, true, object, "k.c", CALLS, {"-Wl,--no-undefined,helper.o"}, ""},
    {"word for the linker", EVERY_RUN, true, object, "k.c", CALLS, {"-Xlinker", "helper.o"}, ""},
    {"archive by -l and -L", EVERY_RUN, true, archive, "k.c", CALLS, {"-L.", "-lhelp"}, ""},
    {"archive by LIBRARY_PATH", EVERY_RUN, true, archive_by_variable, "k.c", CALLS, {"-lhelp"}, ""},
    {"-lm and LIBRARY_PATH", EVERY_RUN, false, nothing_in_folders, "k.c", "void f(int *o) { *o = A; }\n", {"-lm"}, ""},
    {"response file", EVERY_RUN, true, response_file, "k.c", TAKES, {"@words"}, ""},
    {"folder of tools", EVERY_RUN, false, tools, "k.c", "void f(int *o) { *o = A; }\n", {"-Bd1"}, ""},
    {"COMPILER_PATH", EVERY_RUN, false, tools_by_variable, "k.c", "void f(int *o) { *o = A; }\n", {"-O1"}, ""},
    {"compiler behind another", EVERY_RUN, true, second_word, "k.c", TAKES, {"-O1"}, ""},
    {"-include", EVERY_RUN, true, header, "k.c", TAKES, {"-include", "d2/v.h"}, ""},
    {"-I", KEPT, true, header, "k.c", READS, {"-Id2"}, ""},
    {"-isystem", KEPT, true, header, "k.c", READS, {"-isystem", "d2"}, ""},
    {"-I by an axis", KEPT, true, header, "k.c", READS, {"$FLAGS"}, "-Id2"},
    {"CPATH", KEPT, true, header_by_cpath, "k.c", READS, {"-O1"}, ""},
    {"CPATH with an axis", KEPT, true, header_with_axis, "k.c", "#include <v.h>\nvoid f(int *o) { *o = V; }\n",
     {"-O1"}, ""},
    {"C_INCLUDE_PATH", KEPT, true, header_by_c_include_path, "k.c", READS, {"-O1"}, ""},
    {"another CPATH", KEPT, true, another_cpath, "k.c", READS, {"-O1"}, ""},
    {"earlier on -I", KEPT, true, earlier_header, "k.c", READS, {"-Id1", "-Id2"}, ""},
    {"earlier on -isystem", KEPT, true, earlier_header, "k.c", READS, {"-isystem", "d1", "-isystem", "d2"}, ""},
    {"earlier on -iquote", KEPT, true, earlier_header, "k.c", "#include \"v.h\"\n" TAKES,
     {"-iquoted1", "-idirafter", "d2"}, ""},
    {"earlier by an axis", KEPT, true, earlier_header, "k.c", READS, {"$FLAGS"}, "-isystem d1 -Wall -isystem d2"},
    {"earlier on CPATH", KEPT, true, earlier_header_by_cpath, "k.c", READS, {"-O1"}, ""},
    {"earlier by a new folder", KEPT, true, earlier_folder, "k.c", READS, {"-O1"}, ""},
    {"earlier within a header", KEPT, true, earlier_inner_header, "k.c", READS, {"-O1"}, ""},
    {"removed from CPATH", KEPT, true, removed_header, "k.c", READS, {"-O1"}, ""},
    {"header of the same time", KEPT, true, header_of_same_time, "k.c", READS, {"$FLAGS"}, "-Id2"},
    {"older header", KEPT, true, older_header, "k.c", READS, {"-Id2"}, ""},
    {"nothing in Fortran", KEPT, false, nothing_of_fortran, "k.F90",
     "subroutine f(o) bind(c)\nuse iso_c_binding\ninteger(c_int) :: o\no = A\nend subroutine\n", {"-O1"}, ""},
    {"-I with an axis", KEPT, true, header_of_same_time, "k.c", READS, {"-I$FLAGS"}, "d2"},
    {"header with an axis by an axis", KEPT, true, header_that_names_an_axis, "k.c",
     "#include <v.h>\nvoid f(int *o) { *o = V; }\n", {"$FLAGS"}, "-Id2"},
    {"header with an axis by -I with an axis", KEPT, true, header_that_names_an_axis, "k.c",
     "#include <v.h>\nvoid f(int *o) { *o = V; }\n", {"-I$FLAGS"}, "d2"},
    {"link to a folder", KEPT, true, turned_folder, "k.c", READS, {"$FLAGS"}, "-Ilink"},
    {"link to a header", KEPT, true, turned_header, "k.c", READS, {"$FLAGS"}, "-Id2"},
    {"link to a folder that is searched", KEPT, true, turned_double, "k.c", READS, {"$FLAGS"},
     "-Id2 -Ilink -Id3"},
    {"renamed folder", KEPT, true, renamed_folder, "k.c", READS, {"$FLAGS"}, "-Id2"},
    {"earlier behind a link", KEPT, true, first_file_at_link, "k.c", READS, {"$FLAGS"}, "-Id1 -Id2"},
    {"earlier for a folder", KEPT, true, first_file_at_folder, "k.c", READS, {"$FLAGS"}, "-Id1 -Id2"},
    {"source within the source", KEPT, true, source_within, "k.c", "#include \"other.c\"\n" TAKES, {"-O1"}, ""},
    {"earlier in an outer folder", KEPT, true, earlier_in_outer_folder, "k.c", READS, {"$FLAGS"},
     "-Id1 -Id2 -Id2/sub"},
    {"earlier beside", KEPT, true, earlier_beside, "k.c", READS, {"$FLAGS"}, "-Id2 -Id1"},
    {"#include_next", KEPT, true, next_header, "k.c", READS, {"$FLAGS"}, "-Id1 -Id2 -Id3"},
    {"where the compiler does not search", KEPT, true, unsearched_header, "k.c", READS, {"-iquoted1", "$FLAGS"},
     "-Id2 -Id3"},
    {"folder among the compiler's words", KEPT, true, folder_of_compiler, "k.c", READS, {"-O1"}, ""},
    {"by a macro", EVERY_RUN, true, header, "k.c", "#include HEADER\n" TAKES, {"-Id2", "-DHEADER=<v.h>"}, ""},
    {"by #import", EVERY_RUN, true, earlier_header, "k.c", "#import <v.h>\n" TAKES, {"-Id1", "-Id2"}, ""},
    {"__has_include", KEPT, true, condition, "k.c",
     "#ifdef __has_include\n#if __has_include(<w.h>)\n" EITHER "#endif\n" TAKES, {"-O1"}, ""},
    {"__has_include in a header", KEPT, true, condition_in_header, "k.c", READS, {"$FLAGS"}, "-Id2 -Id1"},
    {"__has_include by a macro", EVERY_RUN, true, condition, "k.c",
     "#define HAS(x) __has_include(x)\n#if HAS(<w.h>)\n" EITHER TAKES, {"-O1"}, ""},
    {"__has_embed", EVERY_RUN, false, nothing, "k.c", "/* __has_embed */\nvoid f(int *o) { *o = A; }\n", {"-O1"}, ""},
    {"#embed", EVERY_RUN, false, nothing, "k.c", "#if 0\n#  embed \"x\"\n#endif\nvoid f(int *o) { *o = A; }\n", {"-O1"},
     ""},
    {".incbin", EVERY_RUN, true, bytes_of_data, "k.c", HAS(".incbin \\\"d2/data\\\""), {"-O1"}, ""},
    {".include", EVERY_RUN, true, data, "k.c", HAS(".include \\\"d2/data\\\""), {"-O1"}, ""},
    {"module of Fortran", EVERY_RUN, true, module_of_fortran, "k.F90", FORTRAN("use values\n", ""), {"-O1"}, ""},
    {"file of Fortran", EVERY_RUN, true, included_by_fortran, "k.F90", FORTRAN("", "include 'v.inc'\n"), {"-O1"}, ""},
};

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static autotune_cc_program program;
static int call(const way *w, int a) {
    autotune_result r;
    int out = -1, i;
    program.file = w->file;
    for (i = 0; i < 8; i++) program.options[i] = w->options[i];
    AUTOTUNE(SPACE(AXIS(A, a), AXIS(FLAGS, w->flags)), 1, CC_CALL(&program, f, &out), .key = KEY(a), .result = &r,
             .name = w->name);
    if (r.status) fprintf(stderr, "%s: %s\n", w->name, autotune_last_error());
    return r.status ? 99 : out;
}
static int end_of(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
/* Returns the value that the compiled function gives in a new process. */
static int value_of(const way *w, int a) {
    pid_t child;
    forget_compilations();
    CHECK((child = fork()) >= 0);
    if (!child) _exit(call(w, a));
    return end_of(child);
}
static bool is_as(const way *w, int version, int value, size_t count) {
    const size_t ran = compilations();
    if (value == version && ran == count) return true;
    fprintf(stderr, "%s: version %d gave %d, with %zu compilations in the place of %zu\n", w->name, version, value, ran,
            count);
    return false;
}
static bool holds(const way *w) {
    const size_t again = w->is_kept ? 0 : 1;
    const int last = w->changes ? 2 : 1;
    bool sound;
    shell("rm -rf ../cc ../results.jsonl ./* && mkdir -p d1/sub d2/sub d3");
    unsetenv("CPATH"), unsetenv("C_INCLUDE_PATH"), unsetenv("LIBRARY_PATH"), unsetenv("COMPILER_PATH");
    compile_by_script(REAL_COMPILER, "");
    put(w->file, 1, w->source);
    w->make(1);
    sound = is_as(w, 1, value_of(w, 1), 1);
    sound = is_as(w, 1, value_of(w, 1), again) && sound;
    w->make(2);
    sound = is_as(w, last, value_of(w, 1), w->changes ? 1 : again) && sound;
    sound = is_as(w, last, value_of(w, 1), again) && sound;
    return sound;
}
/* The library reads a source once in a process, but the compiler reads it for each configuration. Between the two
   configurations of this process the source is edited. */
static void a_source_that_is_edited_meanwhile_is_not_kept(void) {
    static const way edited = {"edited", KEPT, true, nothing, "k.c", "void f(int *o) { *o = %d + 0 * A; }\n", {"-O1"},
                               ""};
    pid_t child;
    shell("rm -rf ../cc ../results.jsonl");
    put("k.c", 1, edited.source);
    CHECK((child = fork()) >= 0);
    if (!child) {
        int first = call(&edited, 1);
        put("k.c", 2, edited.source);
        _exit(10 * first + call(&edited, 2));
    }
    CHECK(end_of(child) == 12);
    put("k.c", 1, edited.source);
    CHECK(value_of(&edited, 1) == 1 && compilations() == 0);
    CHECK(value_of(&edited, 2) == 1 && compilations() == 1);
}
/* The option -lm names a library, which reads no axis. B is not in the source, so both values of B share their code. */
static void a_library_names_no_axis(void) {
    pid_t child;
    put("k.c", 1, "void f(int *o) { *o = %d * A; }\n");
    forget_compilations();
    CHECK((child = fork()) >= 0);
    if (!child) {
        autotune_result r;
        int out = 0;
        program.file = "k.c";
        program.options[0] = "-lm";
        AUTOTUNE(SPACE(AXIS(A, 1), AXIS(B, 1, 2)), 1, CC_CALL(&program, f, &out), .result = &r);
        _exit(r.status ? 99 : out);
    }
    CHECK(end_of(child) == 1 && compilations() == 1);
}
static bool has_fortran(void) { return system("gfortran --version > /dev/null 2>&1") == 0; }

int main(void) {
    const bool fortran = has_fortran();
    bool all = true;
    size_t i;
    use_new_folder();
    CHECK(chdir(cache_folder) == 0 && mkdir("row", 0700) == 0 && chdir("row") == 0);
    for (i = 0; i < sizeof ways / sizeof *ways; i++)
        if (fortran || !strstr(ways[i].file, ".F90")) all = holds(&ways[i]) && all;
    a_source_that_is_edited_meanwhile_is_not_kept();
    a_library_names_no_axis();
    CHECK(chdir("/") == 0);
    remove_folder();
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
