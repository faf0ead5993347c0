/* suite_cache_cubins.c - compiled kernels kept on disk: which kernels are compiled again, and which must not be. Each
   run is its own process. */
#define _DEFAULT_SOURCE
#include "cache_file.h"
#include "saxpy.h"

#include <dirent.h>

#define BODY \
    "extern \"C\" __global__ void tile_saxpy(int n, float a, const float *x, float *y) {\n" \
    "    for (int i = 0; i < TILE; i++) {\n" \
    "        const int at = (int)(blockIdx.x * 32 + threadIdx.x) * TILE + i;\n" \
    "        if (at < n) y[at] = a * x[at] + y[at];\n" \
    "    }\n" \
    "}\n"
static autotune_cuda_program plain = CUDA_PROGRAM(BODY), edited = CUDA_PROGRAM(BODY "\n#define EDITED\n"),
                             with_option = CUDA_PROGRAM(BODY, "--use_fast_math"),
                             with_file = CUDA_PROGRAM_FILE(NULL);

typedef struct seen {
    autotune_result result;
    unsigned compilations;
    size_t objects;
    bool updated;
    int begun;                                  /* calls for real that launched the first of their two kernels */
    char log[1 << 14], misuse[256];
} seen;
static seen *now; /* the data of this run, in memory that the test reads after the run */
static autotune_cuda_program *program;
static autotune_cache policy;
static autotune_mode mode;
static double slow = 80e3;
static char path[300]; /* the path of a file in the folder of the test */

static autotune_result tune_key(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(TILE, 1, 2, 4)), cld(N, 32 * (unsigned)TILE),
             CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y), .backend = CUDA(stream),
             .key = KEY(key), .cache = policy, .mode = mode, .restore = BUFFERS({device(y), BYTES}), .result = &result);
    return result;
}
static void tune(void) { now->result = tune_key(1); }
static void tune_the_winner_without_its_file(void) {
    tune();
    for (int i = 0; i < 2; i++) {
        fill_arrays();
        HOLDS(system("rm -rf \"$AUTOTUNE_CACHE_DIR/cubins\"") == 0, "rm");
        tune();
    }
}
static void tune_another_key(void) { now->result = tune_key(2); }

/* TILE 2 of 1, 2 and 4 is the fastest. The grid of a launch shows its TILE. */
static double tile_cost(const char *name, const unsigned grid[3], const unsigned block[3], unsigned shared_bytes) {
    (void)name, (void)block, (void)shared_bytes;
    return grid[0] == cld(N, 64) ? 40e3 : slow;
}
static seen run_with(autotune_cuda_program *which, void (*body)(void)) {
    seen *shared = shared_memory(sizeof *shared), all;
    int status = 0;
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        in_child = true;
        now = shared;
        program = which;
        start_cuda();
        standin_set_cost(tile_cost);
        now->objects = standin_objects();
        body();
        now->objects = standin_objects() - now->objects;
        now->compilations = standin_compilations();
        snprintf(now->log, sizeof now->log, "%.16000s", logged);
        snprintf(now->misuse, sizeof now->misuse, "%s", standin_misuse());
        if (now->result.status == AUTOTUNE_OK) now->updated = y_was_updated(1);
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    all = *shared;
    munmap(shared, sizeof *shared);
    cr_assert(!*all.misuse, "%s", all.misuse);
    cr_assert(mode == AUTOTUNE_REQUIRE || all.begun || (all.result.status == AUTOTUNE_OK && all.updated), "%s",
              all.log);
    return all;
}
/* Tunes without a record, in a new process. Returns how many kernels this process compiled. */
static unsigned compiles(autotune_cuda_program *which) {
    unlink(cache_file);
    return run_with(which, tune).compilations;
}

static void shell(const char *format, const char *argument) {
    char command[1024];
    snprintf(command, sizeof command, format, argument);
    cr_assert(system(command) == 0, "%s", command);
}
/* Writes a file in the folder of the test. */
static void write_text(const char *name, const char *text) {
    snprintf(path, sizeof path, "%s/%s", cache_folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}
/* Returns the number of kernels on disk, and sets `size` to the sum of their bytes. */
static size_t cubins(size_t *size) {
    char name[300];
    struct stat status;
    size_t count = 0;
    snprintf(name, sizeof name, "%s/cubins", cache_folder);
    DIR *list = opendir(name);
    *size = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (*entry->d_name == '.') continue;
        cr_assert(fstatat(dirfd(list), entry->d_name, &status, 0) == 0);
        *size += (size_t)status.st_size, count++;
    }
    if (list) closedir(list);
    return count;
}
static size_t cubin_count(void) {
    size_t size;
    return cubins(&size);
}
TestSuite(cubins, .init = use_new_folder, .fini = remove_folder);
TestSuite(sources, .init = use_new_folder, .fini = remove_folder);

/* ---- What is not compiled again ---------------------------------------------------------------------------------- */

Test(cubins, a_second_run_compiles_nothing) {
    cr_assert(run_with(&plain, tune).compilations == 3);
    const seen second = run_with(&plain, tune);
    cr_assert(second.result.cache_hit && second.compilations == 0, "%s", second.log);
    const seen other = run_with(&plain, tune_another_key);
    cr_assert(!other.result.cache_hit && other.result.tried == 3 && other.compilations == 0,
              "another key needs no other code");
}
Test(cubins, they_lie_in_a_folder_of_their_own_for_their_owner_alone) {
    struct stat status;
    run_with(&plain, tune);
    cr_assert_eq(cubin_count(), 3);
    snprintf(path, sizeof path, "%s/cubins", cache_folder);
    cr_assert(stat(path, &status) == 0 && (status.st_mode & 0777) == 0700);
    shell("test -z \"$(find %s/cubins -type f ! -perm 600)\"", cache_folder);
    /* The files are ELF files with the extension .cubin, so that tools of the toolkit can read them. */
    shell("for f in %s/cubins/*.cubin; do head -c 4 $f | grep -q ELF || exit 1; done", cache_folder);
}

Test(cubins, of_what_was_loaded_the_winner_stays_and_is_not_read_again) {
    cr_assert_eq(run_with(&plain, tune).objects, 1);
    const seen second = run_with(&plain, tune_the_winner_without_its_file);
    const size_t marks = 2; /* the events of the last call, whose time was not read yet */
    cr_assert(second.result.cache_hit && second.compilations == 0 && second.objects == 1 + marks, "%s", second.log);
}

/* ---- What must be compiled again --------------------------------------------------------------------------------- */

Test(cubins, another_text_or_option_is_other_code) {
    run_with(&plain, tune);
    cr_assert_eq(compiles(&edited), 3);
    cr_assert_eq(compiles(&with_option), 3);
    cr_assert_eq(cubin_count(), 9);
}
Test(cubins, what_is_included_counts_however_deep) {
    char file[300], option[300];
    write_text("inner.h", "#define INNER 1\n");
    write_text("outer.h", "  #/* deep */  include\t<inner.h> // found beside\n");
    write_text("program.cu", "#include \"./outer.h\"\n" BODY);
    snprintf(file, sizeof file, "%s/program.cu", cache_folder);
    with_file.source.file = file;
    run_with(&with_file, tune);
    cr_assert_eq(compiles(&with_file), 0);
    write_text("inner.h", "#define INNER 2\n");
    cr_assert_eq(compiles(&with_file), 3, "a file that is included by one that is included");

    static autotune_cuda_program elsewhere = CUDA_PROGRAM("#include <over.h>\n" BODY, "");
    shell("mkdir %s/include", cache_folder);
    write_text("include/over.h", "#define OVER 1\n");
    snprintf(option, sizeof option, "--include-path=%s/include", cache_folder);
    elsewhere.source.options[0] = option;
    compiles(&elsewhere);
    cr_assert_eq(compiles(&elsewhere), 0);
    write_text("include/over.h", "#define OVER 2\n");
    cr_assert_eq(compiles(&elsewhere), 3);
}
Test(cubins, a_file_that_appears_where_none_was_found_counts) {
    static autotune_cuda_program asks = CUDA_PROGRAM(
        "#ifdef __has_include // C++17\n#if __has_include(\"late.h\")\n#define X\n#endif\n#endif\n" BODY, "");
    char option[300];
    snprintf(option, sizeof option, "-I%s", cache_folder);
    asks.source.options[0] = option;
    compiles(&asks);
    cr_expect_eq(compiles(&asks), 0);
    write_text("late.h", "#define LATE\n");
    cr_expect_eq(compiles(&asks), 3);
}
/* A macro of a header uses __has_include() with its argument. The headers of CUDA 13 have such a macro. */
Test(cubins, a_file_that_a_macro_asks_for_counts_where_it_is_included) {
    static autotune_cuda_program asks = CUDA_PROGRAM("#include <asks.h>\n#define X <unseen.h>\n#if HAS(X)\n#endif\n"
                                                     "#if HAS(<later.h>)\n#include <later.h>\n#endif\n" BODY, "");
    char option[300];
    snprintf(option, sizeof option, "-I%s", cache_folder);
    asks.source.options[0] = option;
    write_text("asks.h", "#ifdef __has_include\n#  define HAS(_X) __has_include(_X)\n#else\n#  define HAS(_X) 0\n"
                         "#endif\n#define HAS_TOO(y) __has_include(y)\n");
    compiles(&asks);
    cr_expect_eq(compiles(&asks), 0);
    write_text("later.h", "#define LATER\n");
    cr_expect_eq(compiles(&asks), 3);
    cr_expect_eq(compiles(&asks), 0);
    write_text("later.h", "#define LATER 2\n");
    cr_expect_eq(compiles(&asks), 3);
}
/* Makes a folder that looks like the folder of the toolkit. A header in this folder includes another header by a
   macro. */
static autotune_cuda_program in_toolkit = CUDA_PROGRAM("#include <core.h>\n" BODY, "", "");
static void make_a_toolkit(void) {
    static char option[300], other[300];
    snprintf(option, sizeof option, "-I%s/toolkit", cache_folder);
    snprintf(other, sizeof other, "-I%s/other", cache_folder);
    in_toolkit.source.options[0] = option;
    in_toolkit.source.options[1] = other;
    shell("mkdir -p %s/toolkit", cache_folder);
    shell("mkdir -p %s/other/cuda/std", cache_folder);
    write_text("toolkit/cuda.h", "#define CUDA_VERSION 13000\n");
    write_text("toolkit/vector_types.h", "\n");
    write_text("toolkit/core.h", "#define SYSTEM <system.h>\n#include SYSTEM\n");
    write_text("toolkit/system.h", "#define TILE_OF(x) int TILE\n");
}
Test(cubins, headers_of_a_toolkit_are_known_by_its_version) {
    make_a_toolkit();
    compiles(&in_toolkit);
    cr_expect_eq(compiles(&in_toolkit), 0, "what they include by macros hides nothing");
    write_text("toolkit/cuda.h", "#define CUDA_VERSION 13010\n");
    cr_expect_eq(compiles(&in_toolkit), 3, "another version");
    cr_expect_eq(compiles(&in_toolkit), 0);
    write_text("other/core.h", "#define OTHER\n");
    cr_expect_eq(compiles(&in_toolkit), 3, "a folder that is no toolkit's may have the header, too");
    write_text("other/core.h", "#define OTHER 2\n");
    cr_expect_eq(compiles(&in_toolkit), 3);
}
static void tune_and_see_options(void) {
    tune();
    HOLDS(strstr(standin_last_options(), "--pch") && !strstr(standin_last_options(), "-DTILE"), "%s",
          standin_last_options());
}
Test(cubins, headers_of_a_toolkit_are_compiled_before_the_axes) {
    make_a_toolkit();
    run_with(&in_toolkit, tune_and_see_options);
}
Test(cubins, a_toolkits_headers_are_looked_into_beside_others_of_the_kind) {
    make_a_toolkit();
    write_text("other/cuda/std/version", "\n");
    compiles(&in_toolkit);
    cr_expect_eq(compiles(&in_toolkit), 3);
    remove(path);
    write_text("toolkit/stdio.h", "\n");
    cr_expect_eq(compiles(&in_toolkit), 3, "the folder of a system is no toolkit's");
    cr_expect_eq(compiles(&in_toolkit), 3);
}
static void edit_what_is_included(void) { write_text("shifting.h", "#define SHIFTED\n"); }
Test(cubins, a_file_that_is_edited_while_it_is_compiled_is_not_kept) {
    char option[300];
    static autotune_cuda_program shifting = CUDA_PROGRAM("#include <shifting.h>\n" BODY, "");
    snprintf(option, sizeof option, "-I%s", cache_folder);
    shifting.source.options[0] = option;
    write_text("shifting.h", "\n");
    standin_set_before_compilation(edit_what_is_included);
    compiles(&shifting);
    standin_set_before_compilation(NULL);
    write_text("shifting.h", "\n");
    cr_assert_eq(compiles(&shifting), 3);
}
static void tune_two_kernels(void) {
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1)), .backend = CUDA(stream), .restore = BUFFERS({device(y), BYTES}),
                   .result = &now->result) {
        autotune_grid blocks = GRID(cld(N, 256));
        const autotune_status code = CUDA_LAUNCH(program, "scale<1>", THREADS(256), SHARED(0), N, y);
        blocks = GRID(cld(N, 32));
        if (code != AUTOTUNE_OK ||
            CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y) != AUTOTUNE_OK)
            AUTOTUNE_REJECT("%d", (int)code);
    }
}
Test(cubins, each_kernel_of_a_source_has_its_own) {
    static autotune_cuda_program both = CUDA_PROGRAM(BODY
                                                     "template <int S> __global__ void scale(int n, float *y) {\n"
                                                     "    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);\n"
                                                     "    if (i < n) y[i] = y[i] * S;\n"
                                                     "}\n");
    cr_assert_eq(run_with(&both, tune_two_kernels).compilations, 2);
    cr_assert_eq(run_with(&both, tune_two_kernels).compilations, 0);
}
Test(cubins, another_compiler_makes_other_code) {
    run_with(&plain, tune);
    standin_set_nvrtc_version(12090);
    cr_assert_eq(compiles(&plain), 3);
    standin_set_nvrtc_version(13000);
    cr_assert_eq(compiles(&plain), 0);
}
Test(cubins, what_no_literal_name_includes_is_not_seen_and_nothing_kept) {
    static autotune_cuda_program hidden[] = {CUDA_PROGRAM("#define X <stddef.h>\n#include X\n" BODY),
                                             CUDA_PROGRAM("#define X <stddef.h>\n # include /* b */ X\n" BODY),
                                             CUDA_PROGRAM("#include \"std\\\ndef.h\"\n" BODY),
                                             CUDA_PROGRAM(BODY, "--pre-include=stddef.h")};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        run_with(&hidden[i], tune_another_key);
        cr_expect_eq(cubin_count(), 0, "%zu", i);
    }
}
Test(cubins, a_comment_that_says_include_hides_nothing) {
    static autotune_cuda_program remarks[] = {CUDA_PROGRAM("// see: include the others, or include <\n" BODY),
                                              CUDA_PROGRAM("/* = include */ // what to include\n" BODY)};
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        cr_expect_gt(compiles(&remarks[i]), 0, "%zu", i);
        cr_expect_eq(compiles(&remarks[i]), 0, "%zu", i);
    }
}
Test(cubins, headers_that_include_each_other_come_to_an_end) {
    char file[300];
    shell("mkdir %s/a $AUTOTUNE_CACHE_DIR/b", cache_folder);
    write_text("a/a.h", "#pragma once\n#include \"../b/b.h\"\n");
    write_text("b/b.h", "#pragma once\n#include \"../a/a.h\"\n");
    write_text("program.cu", "#include \"a/a.h\"\n" BODY);
    snprintf(file, sizeof file, "%s/program.cu", cache_folder);
    with_file.source.file = file;
    run_with(&with_file, tune);
    cr_assert_eq(compiles(&with_file), 0);
}

/* ---- Files that are not what they should be ---------------------------------------------------------------------- */

Test(cubins, damaged_and_foreign_files_are_compiled_anew_and_replaced) {
    static const char *const damages[] = {
        /* one byte of the machine code is changed */
        "for f in %s/cubins/*; do printf X | dd of=$f bs=1 seek=2000 conv=notrunc status=none; done",
        "for f in %s/cubins/*; do truncate -s -1 $f; done",
        "for f in %s/cubins/*; do truncate -s 5 $f; done",
        "for f in %s/cubins/*; do : > $f; done",
        "for f in %s/cubins/*; do printf 'all but a cubin\n' > $f; done",
        /* each file is sound, but has the kernel of another configuration */
        "cd %s/cubins; set -- *; mv $1 x; mv $2 $1; mv $3 $2; mv x $3",
        "cd %s/cubins; for f in *; do mv $f ../$f.moved; ln -s ../$f.moved $f; done",
        "cd %s/cubins; for f in *; do rm $f; mkfifo $f; done",
    };
    run_with(&plain, tune);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        shell(damages[i], cache_folder);
        cr_expect_eq(compiles(&plain), 3, "damage %zu", i);
        cr_expect_eq(compiles(&plain), 0, "damage %zu", i);
    }
    cr_assert_eq(cubin_count(), 3);
}
Test(cubins, a_folder_that_is_a_link_is_not_used) {
    shell("mkdir %s/elsewhere && ln -s elsewhere $AUTOTUNE_CACHE_DIR/cubins", cache_folder);
    const seen first = run_with(&plain, tune);
    cr_assert(first.compilations == 3 && contains(first.log, "cubins: is not a folder to which only this user"), "%s",
              first.log);
    shell("rmdir %s/elsewhere", cache_folder); /* this works only if the folder is empty */
}

/* If other users may write to a file, its machine code is not loaded. If other users may write to the folder, no kernel
   is read from it or written to it. */
Test(cubins, what_others_may_write_is_not_loaded) {
    static const char *const rights[] = {"chmod 0777 %s/cubins", "chmod 0770 %s/cubins", "chmod 0666 %s/cubins/*"};
    run_with(&plain, tune);
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
        const bool is_file = strchr(rights[i], '*') != NULL;
        shell(rights[i], cache_folder);
        unlink(cache_file);
        const seen opened = run_with(&plain, tune);
        cr_expect_eq(opened.compilations, 3, "rights %zu", i);
        cr_expect(contains(opened.log, is_file ? "is a file to which others may write: machine code there is not loaded"
                                               : "cubins: is not a folder to which only this user may write"),
                  "rights %zu: %s", i, opened.log);
        cr_expect_eq(compiles(&plain), is_file ? 0 : 3, "rights %zu", i); /* the run before replaced the files */
        shell("chmod 0700 %s/cubins", cache_folder);
        cr_expect_eq(compiles(&plain), 0, "rights %zu", i);
    }
}

/* ---- Where nothing is kept, or not written ----------------------------------------------------------------------- */

Test(cubins, off_neither_reads_nor_writes) {
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert(run_with(&plain, tune).compilations == 3);
    cr_assert_eq(cubin_count(), 0);
    policy = AUTOTUNE_CACHE_ON;
    run_with(&plain, tune);
    policy = AUTOTUNE_CACHE_OFF;
    cr_assert_eq(compiles(&plain), 3);
    policy = AUTOTUNE_CACHE_ON;
    setenv("AUTOTUNE_CACHE", "off", 1);
    cr_assert_eq(compiles(&plain), 3);
}
Test(cubins, readonly_reads_and_writes_nothing) {
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert(run_with(&plain, tune).compilations == 3);
    cr_assert_eq(cubin_count(), 0);
    policy = AUTOTUNE_CACHE_ON;
    run_with(&plain, tune);
    policy = AUTOTUNE_CACHE_READONLY;
    cr_assert_eq(compiles(&plain), 0);
}
Test(cubins, without_a_folder_tuning_goes_on) {
    write_text("file", "in the way");
    snprintf(path, sizeof path, "%s/file/cache", cache_folder);
    setenv("AUTOTUNE_CACHE_DIR", path, 1);
    cr_assert(run_with(&plain, tune).compilations == 3);
    setenv("AUTOTUNE_CACHE_DIR", cache_folder, 1);
}

/* ---- How much there is ------------------------------------------------------------------------------------------- */

Test(cubins, where_there_is_no_room_for_another_all_go) {
    size_t size;
    char room[32];
    run_with(&plain, tune);
    cubins(&size);
    snprintf(room, sizeof room, "%.6f", 5.5 / 3 * (double)size / 1048576); /* there is room for five kernels */
    setenv("AUTOTUNE_CUBINS_MIB", room, 1);
    cr_assert_eq(compiles(&edited), 3);
    cr_assert_eq(cubin_count(), 1, "the sixth alone");
    setenv("AUTOTUNE_CUBINS_MIB", "256", 1);
    cr_assert_eq(compiles(&plain), 3);
    cr_assert_eq(compiles(&edited), 2);
    cr_assert_eq(cubin_count(), 6);
}
/* A file that a process did not finish is removed if it is two minutes old. A new one stays: another process may still
   be writing it. */
Test(cubins, what_was_not_finished_goes_too) {
    shell("mkdir -m 700 %s/cubins && cd $AUTOTUNE_CACHE_DIR/cubins && "
          "truncate -s 2M 0123456789abcdef0123456789abcdef.cubin.77-0 0123456789abcdef0123456789abcdef.cubin.78-0 "
          "notes.txt && touch -d '2 minutes ago' 0123456789abcdef0123456789abcdef.cubin.77-0",
          cache_folder);
    setenv("AUTOTUNE_CUBINS_MIB", "1", 1);
    run_with(&plain, tune);
    shell("test ! -e %s/cubins/0123456789abcdef0123456789abcdef.cubin.77-0", cache_folder);
    shell("cd %s/cubins && test -e 0123456789abcdef0123456789abcdef.cubin.78-0 -a -e notes.txt", cache_folder);
    setenv("AUTOTUNE_CUBINS_MIB", "256", 1);
}
Test(cubins, a_bound_of_nothing_keeps_nothing) {
    setenv("AUTOTUNE_CUBINS_MIB", "0", 1);
    run_with(&plain, tune);
    cr_assert_eq(cubin_count(), 0);
}

/* ---- What is known of a kernel whose source has changed ---------------------------------------------------------- */

static bool said(seen run) {
    return contains(run.log, "no longer counts: the source of a kernel, or its compiler, has changed since");
}

Test(sources, a_winner_of_another_source_is_not_used_and_the_key_tuned_at_once) {
    slow = 4e6; /* the losers are so slow that the record has no finalists, to which a later race might be limited */
    cr_assert(!said(run_with(&plain, tune)));
    const seen other = run_with(&edited, tune);
    cr_assert(said(other) && !other.result.cache_hit && other.result.tried == 3 && other.result.index == 1, "%s",
              other.log);
    const seen again = run_with(&edited, tune);
    cr_assert(!said(again) && again.result.cache_hit && again.result.tried == 0, "%s", again.log);
    cr_assert(said(run_with(&with_option, tune)));
}
Test(sources, what_a_file_includes_is_a_part_of_it_and_where_it_lies_is_not) {
    char file[300], option[300];
    write_text("tile.h", "#define ONE 1\n");
    write_text("program.cu", "#include <tile.h>\n" BODY);
    snprintf(file, sizeof file, "%s/program.cu", cache_folder);
    snprintf(option, sizeof option, "--include-path=%s", cache_folder);
    with_file.source.file = file;
    with_file.source.options[0] = option;
    run_with(&with_file, tune);
    shell("mkdir %s/moved && cp $AUTOTUNE_CACHE_DIR/tile.h $AUTOTUNE_CACHE_DIR/program.cu $AUTOTUNE_CACHE_DIR/moved",
          cache_folder);
    snprintf(file, sizeof file, "%s/moved/program.cu", cache_folder);
    snprintf(option, sizeof option, "--include-path=%s/moved", cache_folder);
    cr_assert(run_with(&with_file, tune).result.cache_hit);
    write_text("moved/tile.h", "#define ONE 2\n");
    const seen other = run_with(&with_file, tune);
    cr_assert(said(other) && other.result.tried == 3, "%s", other.log);
}
Test(sources, another_compiler_makes_other_kernels) {
    run_with(&plain, tune);
    standin_set_nvrtc_version(12090);
    cr_assert(said(run_with(&plain, tune)));
    cr_assert(!said(run_with(&plain, tune)));
}
Test(sources, a_record_that_names_no_kernels_answers) {
    run_with(&plain, tune);
    cr_assert_eq(edit_records(cache_file, "\"kernels\":[", "\"formerly\":["), 1);
    cr_assert(run_with(&edited, tune).result.cache_hit);
}
static void tune_three_times(void) {
    for (int i = 0; i < 3; i++) {
        fill_arrays();
        tune();
        HOLDS(now->result.index == 0 && now->result.verdict == AUTOTUNE_DEFAULT && !now->result.cache_hit, "%d", i);
    }
}
Test(sources, nor_is_another_of_its_record_the_winner_of_a_later_call) {
    run_with(&plain, tune);
    mode = AUTOTUNE_CACHED;
    cr_assert(said(run_with(&edited, tune_three_times)));
}
Test(sources, where_no_race_may_run_a_winner_of_another_source_is_none) {
    run_with(&plain, tune);
    mode = AUTOTUNE_CACHED;
    cr_assert(run_with(&plain, tune).result.index == 1);
    const seen cached = run_with(&edited, tune);
    cr_assert(cached.result.index == 0 && cached.result.verdict == AUTOTUNE_DEFAULT && said(cached), "%s", cached.log);
    mode = AUTOTUNE_REQUIRE;
    cr_assert(run_with(&edited, tune).result.status == AUTOTUNE_ERR_MISS);
}
Test(sources, in_mode_online_nothing_is_launched_of_a_winner_of_another_source_and_tuning_begins_at_once) {
    run_with(&plain, tune);
    mode = AUTOTUNE_ONLINE;
    const seen other = run_with(&edited, tune);
    cr_assert(other.result.status == AUTOTUNE_OK && other.result.verdict == AUTOTUNE_ONGOING && other.updated, "%s",
              other.log);
    cr_assert(said(other) && other.result.launches == 1 && other.result.index == 0, "%s", other.log);
}
static void tune_where_the_second_of_two_is_edited(void) {
    AUTOTUNE_BLOCK(SPACE(AXIS(TILE, 1, 2)), .backend = CUDA(stream), .mode = mode, .result = &now->result) {
        static autotune_cuda_program first = CUDA_PROGRAM("extern \"C\" __global__ void begin() {}\n");
        autotune_grid blocks = GRID(1);
        if (CUDA_LAUNCH(&first, "begin", THREADS(32), SHARED(0)) == AUTOTUNE_OK) now->begun += !autotune_trial;
        blocks = GRID(cld(N, 32 * (unsigned)TILE));
        (void)CUDA_LAUNCH(program, "tile_saxpy", THREADS(32), SHARED(0), N, 2.0f, x, y);
    }
}
Test(sources, in_mode_online_what_was_launched_before_the_kernel_that_was_edited_is_not_launched_again) {
    cr_assert_eq(run_with(&plain, tune_where_the_second_of_two_is_edited).begun, 1);
    mode = AUTOTUNE_ONLINE;
    const seen other = run_with(&edited, tune_where_the_second_of_two_is_edited);
    cr_assert(other.begun == 1 && other.result.status == AUTOTUNE_FAILED, "%d\n%s", other.begun, other.log);
}
Test(sources, a_rebuilt_program_races_all_whether_or_not_the_source_changed) {
    slow = 4e6; /* the losers are so slow that the record has no finalists */
    run_with(&plain, tune);
    cr_assert_eq(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 1);
    const bytes rebuilt = cache_bytes();
    const seen same = run_with(&plain, tune);
    cr_assert(!same.result.cache_hit && same.result.tried == 3 && !said(same), "%s", same.log);
    write_file(cache_file, rebuilt.at, rebuilt.count);
    const seen other = run_with(&edited, tune);
    cr_assert(!other.result.cache_hit && other.result.tried == 3 && other.result.index == 1 && !said(other), "%s",
              other.log);
}
