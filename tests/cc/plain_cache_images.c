/* plain_cache_images.c - machine code is kept on disk: a second process compiles nothing, and needs no compiler. Also
   tests which changes make machine code stale. */
#define _DEFAULT_SOURCE
#include "compilers.h"
#include <dirent.h>

void add(int *out, uint64_t *clock);
static autotune_cc_program by_file = CC_PROGRAM_FILE("add.c", "-isystem$FOLDER");
static const char source[] = "#include \"own.h\"\n"
                             "#include <system.h>\n"
                             "#include <stdint.h>\n"
                             "void add(int *out, uint64_t *clock) {\n"
                             "    *out = STEP * OWN + SYSTEM;\n"
                             "    *clock += (8 - STEP) * 1000000;\n"
                             "}\n";
static int sum;
static autotune_result tune(int key, autotune_mode mode) {
    autotune_backend clock = virtual_backend("device of plain_cache_images");
    autotune_result result;
    sum = 0;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4), AXIS(FOLDER, "elsewhere")), 1,
             CC_CALL(&by_file, add, &sum, &virtual_time), .key = KEY(key), .mode = mode, .backend = &clock,
             .result = &result);
    return result;
}

/* ---- Several processes, one after the other ---------------------------------------------------------------------- */

typedef struct run {
    autotune_result result;
    int sum;
    size_t compilations;                        /* in this run */
    char said[1000];                            /* the last line of the log of this run */
} run;
static void keep_line(void *user, autotune_log_level level, const char *line) {
    (void)level;
    snprintf((char *)user, sizeof((run *)0)->said, "%s", line);
}
/* Makes a call with this key in a new process. */
static run run_with(int key, autotune_mode mode) {
    run *const told = (run *)shared_memory(sizeof *told), copy;
    pid_t child;
    int status = 0;
    forget_compilations();
    CHECK((child = fork()) >= 0);
    if (!child) {
        autotune_set_log(keep_line, told->said);
        told->result = tune(key, mode);
        told->sum = sum;
        if (told->result.status != AUTOTUNE_OK) fprintf(stderr, "%s\n", autotune_last_error());
        _exit(EXIT_SUCCESS);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    told->compilations = compilations();
    copy = *told;
    munmap(told, sizeof *told);
    return copy;
}
static void write_sources(void) {
    write_settled("add.c", source);
    write_settled("own.h", "#define OWN 10\n");
    write_settled("elsewhere/system.h", "#define SYSTEM 1\n");
}
static void second_process_compiles_nothing(void) {
    run r = run_with(1, AUTOTUNE_ON);
    CHECK(r.result.status == AUTOTUNE_OK && r.result.tried == 3 && r.sum == 41 && r.compilations == 3);
    r = run_with(1, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41 && r.compilations == 0);
    r = run_with(2, AUTOTUNE_ON);               /* a race of another key takes all images from disk */
    CHECK(!r.result.cache_hit && r.result.tried == 3 && r.sum == 41 && r.compilations == 0);
}
static void images_answer_without_compiler(void) {
    char path[4096], *const named = getenv("AUTOTUNE_CC");
    run r;
    snprintf(path, sizeof path, "%s", named);
    CHECK(rename(path, in_folder("hidden")) == 0);      /* now AUTOTUNE_CC names a compiler that does not exist */
    r = run_with(1, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41);
    r = run_with(3, AUTOTUNE_ON);
    CHECK(r.result.status == AUTOTUNE_OK && r.result.tried == 3 && r.sum == 41);
    CHECK(rename(in_folder("hidden"), path) == 0);
}
static void changed_headers_are_seen(void) {
    run r;
    write_settled("own.h", "#define OWN 100\n");
    r = run_with(1, AUTOTUNE_ON);               /* the known winner had another source, so the key is tuned again */
    CHECK(!r.result.cache_hit && r.sum == 401 && r.compilations == 3);
    write_settled("elsewhere/system.h", "#define SYSTEM 22\n");
    r = run_with(1, AUTOTUNE_ON);               /* the record does not name this header, but the image does */
    CHECK(r.result.cache_hit && r.sum == 422 && r.compilations == 1);
    r = run_with(1, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 422 && r.compilations == 0);
    write_sources();
    r = run_with(1, AUTOTUNE_ON);
    CHECK(r.sum == 41);
}
static void another_compiler_compiles_anew(void) {
    run r;
    CHECK(run_with(4, AUTOTUNE_ON).sum == 41);
    compile_by("# another size\n" REAL_COMPILER);
    r = run_with(4, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41 && r.compilations == 1);
}
/* Without AUTOTUNE_CC the library looks for cc in the folders of PATH. */
static void another_path_compiles_anew(void) {
    char before[4096], path[5000], *const named = getenv("AUTOTUNE_CC");
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    snprintf(path, sizeof path, "%s", named);
    unsetenv("AUTOTUNE_CC");
    CHECK(run_with(10, AUTOTUNE_ON).sum == 41 && run_with(10, AUTOTUNE_ON).compilations == 0);
    write_text("bin/cc", "#!/bin/sh\nPATH=/usr/bin:/bin exec gcc -DSCRIPT \"$@\"\n");
    CHECK(chmod("bin/cc", 0700) == 0);
    setenv("AUTOTUNE_CC", path, 1);
    snprintf(path, sizeof path, "%s/bin:%s", cache_folder, before);
    setenv("PATH", path, 1);
    unsetenv("AUTOTUNE_CC");
    write_settled("elsewhere/system.h", "#ifdef SCRIPT\n#define SYSTEM 2\n#else\n#define SYSTEM 1\n#endif\n");
    CHECK(run_with(11, AUTOTUNE_ON).sum == 42);
    setenv("PATH", before, 1);
    CHECK(run_with(11, AUTOTUNE_ON).sum == 41);     /* the image that bin/cc made is not used */
    compile_by(REAL_COMPILER);
    write_sources();
}
static void same_content_is_the_same_header(void) {
    const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
    run r = run_with(12, AUTOTUNE_ON);
    CHECK(r.sum == 41);
    CHECK(utimensat(AT_FDCWD, "own.h", times, 0) == 0);     /* as in another checkout: only the time differs */
    r = run_with(12, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41 && r.compilations == 0);
}
static void new_files_are_not_kept(void) {
    run r;
    write_text("elsewhere/system.h", "#define SYSTEM 5\n");    /* the time of this file is now */
    r = run_with(5, AUTOTUNE_ON);
    CHECK(r.sum == 45 && r.compilations == 3);
    r = run_with(5, AUTOTUNE_ON);
    CHECK(r.sum == 45 && r.compilations == 1);
    write_sources();
}
/* The compiler writes a rule of make with no dependencies, as clang does for a text that includes nothing. */
static void a_rule_that_names_no_file_is_one(void) {
    char *const named = getenv("AUTOTUNE_CC"), path[4096];
    snprintf(path, sizeof path, "%s", named);
    setenv("AUTOTUNE_CC", make_compiler("nothing_read", "cc \"$@\" || exit; while [ \"$1\" != -MF ]; do shift; done\n"
                                                        "echo \"$4:\" >\"$2\""), 1);
    CHECK(run_with(20, AUTOTUNE_ON).compilations == 3);
    CHECK(run_with(21, AUTOTUNE_ON).compilations == 0);
    setenv("AUTOTUNE_CC", path, 1);
}
static void nothing_is_kept_with_the_cache_off(void) {
    run r;
    setenv("AUTOTUNE_CACHE", "off", 1);
    r = run_with(6, AUTOTUNE_ON);
    CHECK(r.sum == 41 && r.compilations == 3);
    unsetenv("AUTOTUNE_CACHE");
}

/* ---- Images that are damaged, or that other users may write ------------------------------------------------------ */

typedef void (*visit)(const char *path);
static size_t for_each_image(visit way) {
    DIR *folder = opendir(in_folder("cc"));
    const struct dirent *entry;
    size_t count = 0;
    CHECK(folder != NULL);
    while ((entry = readdir(folder)) != NULL) {
        char path[700];
        if (!strstr(entry->d_name, ".so")) continue;
        snprintf(path, sizeof path, "%s/%s", in_folder("cc"), entry->d_name);
        way(path);
        count++;
    }
    closedir(folder);
    return count;
}
static void damage(const char *path) {
    const bytes all = read_file(path);
    all.at[all.count / 2] ^= 1;
    write_file(path, all.at, all.count);
}
static void cut(const char *path) { CHECK(truncate(path, 1000) == 0); }
static void damaged_images_are_compiled_anew(void) {
    static const visit ways[] = {damage, cut};
    size_t i;
    for (i = 0; i < sizeof ways / sizeof *ways; i++) {
        run r;
        CHECK(for_each_image(ways[i]) > 0);
        r = run_with(7 + (int)i, AUTOTUNE_ON);
        CHECK(r.result.status == AUTOTUNE_OK && r.sum == 41 && r.compilations == 3);
    }
}
static void let_all_write(const char *path) { CHECK(chmod(path, 0666) == 0); }
static void what_others_may_write_is_not_loaded(void) {
    run r;
    CHECK(run_with(30, AUTOTUNE_ON).sum == 41);
    CHECK(chmod(in_folder("cc"), 0777) == 0);
    r = run_with(30, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41 && r.compilations == 1);
    CHECK(strstr(r.said, "cc: is not a folder to which only this user may write") != NULL);
    CHECK(run_with(30, AUTOTUNE_ON).compilations == 1);     /* the run before kept nothing in this folder */
    CHECK(chmod(in_folder("cc"), 0700) == 0 && run_with(30, AUTOTUNE_ON).compilations == 0);
    CHECK(for_each_image(let_all_write) > 0);
    r = run_with(30, AUTOTUNE_ON);
    CHECK(r.result.cache_hit && r.sum == 41 && r.compilations == 1);
    CHECK(strstr(r.said, ".so: is a file to which others may write: machine code there is not loaded") != NULL);
    CHECK(run_with(30, AUTOTUNE_ON).compilations == 0);     /* the run before replaced the file */
}

int main(void) {
    static const plain_test tests[] = {
        {"second_process_compiles_nothing", second_process_compiles_nothing},
        {"images_answer_without_compiler", images_answer_without_compiler},
        {"changed_headers_are_seen", changed_headers_are_seen},
        {"another_compiler_compiles_anew", another_compiler_compiles_anew},
        {"another_path_compiles_anew", another_path_compiles_anew},
        {"same_content_is_the_same_header", same_content_is_the_same_header},
        {"new_files_are_not_kept", new_files_are_not_kept},
        {"a_rule_that_names_no_file_is_one", a_rule_that_names_no_file_is_one},
        {"nothing_is_kept_with_the_cache_off", nothing_is_kept_with_the_cache_off},
        {"damaged_images_are_compiled_anew", damaged_images_are_compiled_anew},
        {"what_others_may_write_is_not_loaded", what_others_may_write_is_not_loaded},
    };
    int status;
    use_new_folder();
    CHECK(chdir(cache_folder) == 0 && mkdir("elsewhere", 0700) == 0 && mkdir("bin", 0700) == 0);
    write_sources();
    compile_by(REAL_COMPILER);
    status = RUN_PLAIN_TESTS(tests);
    CHECK(chdir("/") == 0);
    remove_folder();
    return status;
}
