/* plain_cache_kernels.c - the floor src/kernels, which any backend that compiles uses, with a compiler of this test.
   Code is compiled once, kept on disk, loaded and unloaded. Threads compile ahead. Forks and calls of
   autotune_shutdown() happen meanwhile. */
#define _DEFAULT_SOURCE
#define AUTOTUNE_IMPLEMENTATION
#include "../src/autotune.h"

static unsigned files_read;
static char *count_file(const char *path, size_t *got, const char **why) {
    files_read++;
    return autotune__read_path(path, got, why);
}
#define autotune__read_path count_file
#include "../src/kernels/free_kernels.h"
#include "../src/kernels/ahead.h"

#include "cache_file.h"
#include "plain.h"
#include <semaphore.h>

/* ---- A compiler of the test -------------------------------------------------------------------------------------- */

/* Its machine code is the kernel's name and all options. A source with the word "error" does not compile. */
static char version[] = "1";
static unsigned compiled, at_once, most_at_once, loaded, unloaded;
static bool until_unwanted, refuses_to_load;
static autotune_cache policy = AUTOTUNE_CACHE_OFF;
static sem_t begun, let_go;

static const autotune__known_option known_options[] = {
    {"I", AUTOTUNE__OPTION_FOLDER}, {NULL, AUTOTUNE__OPTION_OTHER}};
static void add_options(autotune__text *options, const autotune__program *own, const autotune__target *target) {
    (void)own;
    autotune__append(options, "-for=%s%c", target->architecture, 0);
}
static void compile(autotune__compilation *c, const autotune__target *to, const autotune__compile_limits *limits) {
    const bool *const unwanted = limits->unwanted;
    const unsigned now = __atomic_add_fetch(&at_once, 1, __ATOMIC_RELAXED);
    autotune__text code = {NULL, false};
    const char *option;
    (void)to;
    if (now > __atomic_load_n(&most_at_once, __ATOMIC_RELAXED))
        __atomic_store_n(&most_at_once, now, __ATOMIC_RELAXED);
    __atomic_add_fetch(&compiled, 1, __ATOMIC_RELAXED);
    if (until_unwanted) {
        sem_post(&begun);
        while (!__atomic_load_n(unwanted, __ATOMIC_RELAXED)) usleep(100);
    }
    __atomic_sub_fetch(&at_once, 1, __ATOMIC_RELAXED);
    if (unwanted && __atomic_load_n(unwanted, __ATOMIC_RELAXED)) {
        c->progress = AUTOTUNE__CODE_WAITING;
        return;
    }
    if (strstr(autotune__source_of(c->program), "error")) {
        autotune__refuse(c, "does not compile: %s", c->name);
        return;
    }
    autotune__append(&code, "%s", c->name);
    AUTOTUNE__EACH_OPTION(option, &c->options) autotune__append(&code, " %s", option);
    CHECK(autotune__take_room(c, autotune__count(code.at), c->name));
    memcpy(c->image, code.at, autotune__count(code.at));
    c->progress = AUTOTUNE__CODE_MADE;
    autotune__free_text(&code);
}
static autotune__kernel *load(const autotune__target *target, const autotune__compilation *c, int *error) {
    (void)target;
    CHECK(c->image && c->symbol);
    *error = refuses_to_load ? 7 : 0;
    if (refuses_to_load) return NULL;
    loaded++;
    return autotune__allocate(sizeof(autotune__kernel));
}
static void unload(autotune__kernel *kernel) {
    unloaded++;
    autotune__free(kernel);
}
static autotune__compiler compiler = {.folder = "codes",
                                      .suffix = "code",
                                      .options = known_options,
                                      .identity = version,
                                      .add_options = add_options,
                                      .compile = compile,
                                      .load = load,
                                      .unload = unload};
static const autotune__compile_limits none = {NULL, 60};
static const autotune__target target = {&compiler, "x", NULL}, twin = {&compiler, "x", NULL},
                              other = {&compiler, "y", NULL};

/* ---- What the tests use ------------------------------------------------------------------------------------------ */

/* Makes a program with this text. Nobody frees the program. autotune_shutdown() frees its compilations. */
static autotune__program *program(const char *text, const char **options, size_t count) {
    autotune__program *made = (autotune__program *)kept(sizeof *made);
    made->compiler = &compiler;
    made->declared = (autotune_program_source *)kept(sizeof *made->declared);
    made->declared->text = text;
    for (size_t i = 0; i < count; i++) autotune__append(&made->options, "%s%c", options[i], 0);
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__empty_program(made);
    made->next = autotune__programs;
    autotune__programs = made;
    autotune__unlock_mutex(&autotune__kernels_lock);
    return made;
}
static autotune__compilation *find(autotune__program *of, const autotune__target *where, const char *definitions) {
    autotune__text text = {NULL, false};
    autotune__compilation *found;
    for (const char *at = definitions; *at; at += strlen(at) + 1) autotune__append(&text, "%s%c", at, 0);
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__read_program(of);
    found = autotune__compilation_of(where, of, "f", &text);
    autotune__unlock_mutex(&autotune__kernels_lock);
    autotune__free_text(&text);
    CHECK(found);
    return found;
}
static bool has_options(const autotune__program *of, const char *options, size_t length) {
    return autotune__count(of->options.at) == length && !memcmp(of->options.at, options, length);
}
/* Makes programs from sources as users declare them. The options of a program are the folder of its file and the
   declared options. This compiler does not divide an option at a blank. */
static void a_program_is_made_once_of_the_users_own(void) {
    static autotune_program_source file = {NULL, "some/where/program.text", {"-DONE=1 2", "-w"}, NULL},
                                   beside = {NULL, "program.text", {NULL}, NULL}, text = {"TILE", NULL, {NULL}, NULL};
    autotune__lock_mutex(&autotune__kernels_lock);
    const autotune__program *of_file = autotune__program_from(&file, &compiler),
                            *of_beside = autotune__program_from(&beside, &compiler),
                            *of_text = autotune__program_from(&text, &compiler);
    CHECK(has_options(of_file, "-Isome/where/\0-DONE=1 2\0-w", sizeof "-Isome/where/\0-DONE=1 2\0-w"));
    CHECK(has_options(of_beside, "-I.", sizeof "-I.") && autotune__count(of_text->options.at) == 0);
    CHECK(of_file->declared == &file && autotune__program_from(&file, &compiler) == of_file && of_text->scan);
    autotune__unlock_mutex(&autotune__kernels_lock);
}
static unsigned compilations(void) { return __atomic_load_n(&compiled, __ATOMIC_RELAXED); }
/* returns how often it was compiled */
static unsigned finish(autotune__compilation *c, const autotune__target *where) {
    const unsigned before = compilations();
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__finish_compilation(c, where, policy, &none);
    autotune__unlock_mutex(&autotune__kernels_lock);
    return compilations() - before;
}
static unsigned compiles(autotune__program *of, const autotune__target *where, const char *definitions) {
    return finish(find(of, where, definitions), where);
}
static void forget_all(void) { CHECK(autotune_shutdown() == AUTOTUNE_OK); }
static size_t files(void) {
    char folder[300];
    size_t count = 0;
    snprintf(folder, sizeof folder, "%s/codes", cache_folder);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (*entry->d_name == '.') continue;
        CHECK(strlen(entry->d_name) == 32 + strlen(".code") && strstr(entry->d_name, ".code"));
        count++;
    }
    if (list) closedir(list);
    return count;
}

/* ---- Compilations ------------------------------------------------------------------------------------------------ */

static void each_configuration_is_compiled_once(void) {
    autotune__program *p = program("TILE", NULL, 0);
    CHECK(compiles(p, &target, "-DTILE=1\0") == 1 && compiles(p, &target, "-DTILE=2\0") == 1);
    CHECK(compiles(p, &target, "-DTILE=1\0") == 0 && compiles(p, &twin, "-DTILE=2\0") == 0);
    CHECK(compiles(p, &other, "-DTILE=1\0") == 1);
    CHECK(strcmp(find(p, &target, "-DTILE=1\0")->image, "f -for=x -DTILE=1") == 0);
    CHECK(strcmp(find(p, &other, "-DTILE=1\0")->image, "f -for=y -DTILE=1") == 0);
    forget_all();
}
static void what_a_source_does_not_mention_changes_no_code(void) {
    autotune__program *p = program("TILE", NULL, 0), *pastes = program("TILE a##b", NULL, 0);
    CHECK(compiles(p, &target, "-DTILE=1\0-DCHUNK=1\0") == 1);
    CHECK(find(p, &target, "-DTILE=1\0-DCHUNK=1\0") == find(p, &target, "-DTILE=1\0-DCHUNK=2\0"));
    /* the value CHUNK of TILE is a name that is also defined, so CHUNK matters */
    CHECK(compiles(p, &target, "-DTILE=CHUNK\0-DCHUNK=2\0") == 1);
    CHECK(find(p, &target, "-DTILE=CHUNK\0-DCHUNK=2\0") != find(p, &target, "-DTILE=CHUNK\0-DCHUNK=3\0"));
    CHECK(find(pastes, &target, "-DTILE=1\0-DCHUNK=1\0") != find(pastes, &target, "-DTILE=1\0-DCHUNK=2\0"));
    forget_all();
}
static void what_is_on_disk_is_not_compiled_again(void) {
    static const char *options[] = {"-fast"};
    autotune__program *p = program("DISK", NULL, 0), *same = program("DISK", NULL, 0),
                      *fast = program("DISK", options, 1);
    use_new_folder();
    policy = AUTOTUNE_CACHE_ON;
    CHECK(compiles(p, &target, "-DDISK=1\0") == 1 && compiles(p, &target, "-DDISK=2\0") == 1 && files() == 2);
    CHECK(compiles(same, &target, "-DDISK=1\0") == 0);
    CHECK(strcmp(find(same, &target, "-DDISK=1\0")->image, "f -for=x -DDISK=1") == 0 &&
          strcmp(find(same, &target, "-DDISK=1\0")->symbol, "f") == 0);
    forget_all();
    CHECK(compiles(p, &target, "-DDISK=2\0") == 0);
    CHECK(compiles(p, &other, "-DDISK=2\0") == 1 && compiles(fast, &target, "-DDISK=2\0") == 1 && files() == 4);
    forget_all();
    version[0] = '2';
    CHECK(compiles(p, &target, "-DDISK=2\0") == 1 && files() == 5);
    forget_all();
    policy = AUTOTUNE_CACHE_OFF;
    remove_folder();
}
/* The process that compiles an image must not be taken for one that tunes a key in mode ONLINE. */
static void the_lock_of_an_image_is_no_lock_of_a_key(void) {
    static const uint64_t words[] = {0, 1, 0x3FFFFFFE, 0x3FFFFFFF, 0x40000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof words / sizeof *words && sizeof(void *) > 4; i++) {
        const autotune__digest digest = {{words[i], 0}};
        const autotune__identity key = {.id = words[i]};
        CHECK(autotune__image_byte(&digest) > 0x80000000u && autotune__image_byte(&digest) <= UINT32_MAX);
        CHECK(autotune__lock_byte(&key) >= 1 && autotune__lock_byte(&key) <= 0x40000000u);
        CHECK(autotune__lasting_byte(&key) > 0x40000000u && autotune__lasting_byte(&key) <= 0x80000000u);
    }
}
static void why_something_is_refused_is_told(void) {
    autotune__program *wrong = program("error", NULL, 0), *absent = program(NULL, NULL, 0);
    autotune__compilation *c = find(wrong, &target, "");
    /* the second call does not try the refused source again */
    CHECK(finish(c, &target) == 1 && finish(c, &target) == 0);
    CHECK(c->progress == AUTOTUNE__CODE_REFUSED && !strcmp(c->reason, "does not compile: f"));
    absent->declared->file = "/nowhere/program.text";
    c = find(absent, &target, "");
    CHECK(finish(c, &target) == 0 && strstr(c->reason, "/nowhere/program.text cannot be read"));
    forget_all();
}

/* ---- The tokens of a source -------------------------------------------------------------------------------------- */

static unsigned pairs_are(bool same, const char *const (*pair)[2], size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if ((autotune__hash_code(0, pair[i][0]) == autotune__hash_code(0, pair[i][1])) == same) continue;
        fprintf(stderr, "'%s' and '%s' must have %s tokens\n", pair[i][0], pair[i][1], same ? "equal" : "different");
        wrong++;
    }
    return wrong;
}
static void a_formatter_changes_no_tokens(void) {
    static const char *const same[][2] = {
        {"a +b", "a+ b"},
        {"a+b", "a /* plus */ + // b\n b"},
        {"f();\n  g();\n", "\tf( ) ;g();"},
        {"*to++ = n-- > 0", "*to++=n-->0"},
        {"i++ + 1", "i+++1"},
        {"a && &b", "a&&&b"},
        {"a - -b", "a\n- /**/ -b"},
        {"A<B<int> > c", "A<B<int>> c"},
        {"(T... ...)", "(T......)"},
        {"a +\\\n+ b", "a ++ b"},
        {"f (x)", "f(x)"},
        {" = x", "=x"},
        {"#if defined (F)\n#pragma unroll (4)\n", "#if defined(F)\n#  pragma unroll(4)\n"},
        {"#define f  /**/ (x)\n", "# define f (x)\n"},
        {"#define f(x) ((x) + 1)\n", "#define f(x)((x)+1)\n"},
        {"#define f\\\n(x)\n", "#define f(x)\n"},
        {"#define f\n (x)", "#define f\n(x)"},
        {"#define f +\n +x", "#define f +\n+x"},
        {"VECTOR\"a\" + b", "VECTOR\"a\"+b"},
        {"f (\"R\") + R", "f(\"R\")+R"},
        {"f (u8R\"x(a )\" //)x\") // end", "f(u8R\"x(a )\" //)x\")"},
    };
    static const char *const differ[][2] = {
        {"a + +b", "a ++b"},
        {"a - -b", "a --b"},
        {"x < < y", "x << y"},
        {"a - > b", "a->b"},
        {"a + = b", "a += b"},
        {"a = = b", "a == b"},
        {"a & &b", "a && b"},
        {"a ? b : ::c", "a ? b :: : c"},
        {"a +/**/+ b", "a ++ b"},
        {"a + ++b", "a ++ + b"},
        {"a b", "ab"},
        {"#define f (x)\n", "#define f(x)\n"},
        {"#define f/**/(x)\n", "#define f(x)\n"},
        {"#define f\nx", "#define f x"},
        {"R\"(a // b)\"", "R\"(a // c)\""},
        {"R\"(\n)\" \"a // b\"", "R\"(\n)\" \"a // c\""},
        {"R\"(a +\n\n\" b)\"", "R\"(a +\n\"b)\""},
    };
    CHECK(pairs_are(true, same, sizeof same / sizeof *same) == 0);
    CHECK(pairs_are(false, differ, sizeof differ / sizeof *differ) == 0);
}
/* Records on disk have this hash of their kernel's source. So it must stay equal in all versions. */
static void the_hash_of_tokens_stays_what_it_was(void) {
    static const char text[] = "#include \"tile.h\"\n"
                               "#define SQUARE(x) ((x) * (x)) /* of a number */\n"
                               "#if defined (TILE) && (TILE > 1)\n"
                               "#pragma unroll (TILE)\n"
                               "#endif\n"
                               "template <class T> void fill(T *to, int n, A<B<T> > by = 1.5e-3f) { // every element\n"
                               "    while (n-- > 0) *to++ = i++ + SQUARE (n) - x[-1] == y && &z->w;\n"
                               "}\n";
    CHECK(autotune__hash_code(0, text) == 0xf4d349dca9768452u);
}

static uint64_t code_of(const char *file, const char *option, const char *text) {
    autotune__program *of = program(text, &option, 1);
    of->declared->file = file;
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__read_program(of);
    autotune__unlock_mutex(&autotune__kernels_lock);
    return of->scan->code;
}
/* In Fortran `//` joins texts, and in Fortran and assembler the end of a line ends a statement. So only sources in C
   lose comments. */
static void only_a_source_in_c_loses_its_comments(void) {
    static const char *const in_c[] = {NULL, "some.d/kernel.c", "kernel", "kernel.cu", "fast.cpp"},
                      *const no_c[] = {"some/kernel.f90", "kernel.F90", "kernel.for", "kernel.S"};
    static const char text[] = "name = 'a' // 'b'\n", same[] = "name='a' // 'c'\n";
    for (size_t i = 0; i < sizeof in_c / sizeof *in_c; i++) {
        CHECK(code_of(in_c[i], "-O1", text) == code_of(in_c[i], "-O1", same));
        CHECK(code_of(in_c[i], "-xf95", text) != code_of(in_c[i], "-xf95", same));
    }
    for (size_t i = 0; i < sizeof no_c / sizeof *no_c; i++)
        CHECK(code_of(no_c[i], "-O1", text) != code_of(no_c[i], "-O1", same));
    forget_all();
}

/* ---- Headers ----------------------------------------------------------------------------------------------------- */

/* Writes a file into the test's folder. Sets the time of the file, and of the folder in which it lies, to an hour ago,
   plus `later` seconds. */
static void write_long_ago(const char *name, const char *text, int later) {
    const struct timespec then = {time(NULL) - 3600 + later, 0}, times[] = {then, then};
    char path[300];
    snprintf(path, sizeof path, "%s/%s", cache_folder, name);
    write_file(path, text, strlen(text));
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
    *strrchr(path, '/') = 0;
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}
static void headers_are_read_once_while_they_stay_as_they_are(void) {
    static char option[310], folder[300], before[4096];
    static const char *options[] = {option};
    autotune__program *p = program("#include <outer.h>\nTILE", options, 1);
    use_new_folder();
    policy = AUTOTUNE_CACHE_ON;
    snprintf(folder, sizeof folder, "%s/include", cache_folder);
    snprintf(option, sizeof option, "-I%s", folder);
    CHECK(mkdir(folder, 0700) == 0 && getcwd(before, sizeof before) && chdir(folder) == 0);
    write_long_ago("include/inner.h", "// one", 0);
    write_long_ago("include/outer.h", "#include \"inner.h\"", 0);
    files_read = 0;
    CHECK(compiles(p, &target, "-DTILE=1\0") == 1 && compiles(p, &target, "-DTILE=2\0") == 1 && files() == 2);
    CHECK(files_read == 2);
    forget_all();
    CHECK(compiles(p, &target, "-DTILE=1\0") == 0);
    write_long_ago("include/inner.h", "// two", 1); /* as long as the old text */
    /* it changed after it was read, so the code is not written to disk */
    CHECK(compiles(p, &target, "-DTILE=2\0") == 1 && files() == 2);
    forget_all();
    CHECK(compiles(p, &target, "-DTILE=2\0") == 1 && files() == 3);
    forget_all();
    write_long_ago("include/inner.h", "// one", 2);
    CHECK(compiles(p, &target, "-DTILE=2\0") == 0); /* the header has its first text again, whose code is on disk */
    write_long_ago("include/other.h", "", 3);       /* the folder changes, but no header */
    CHECK(compiles(p, &target, "-DTILE=1\0") == 0);
    CHECK(chdir(before) == 0);
    forget_all();
    policy = AUTOTUNE_CACHE_OFF;
    remove_folder();
}
static void headers_beside_the_program_are_found_from_any_folder(void) {
    static char option[300], path[300];
    static autotune_program_source source = {NULL, path, {option}, NULL};
    autotune__program *p;
    use_new_folder();
    snprintf(path, sizeof path, "%s/beside", cache_folder);
    snprintf(option, sizeof option, "-I%s/include", cache_folder);
    CHECK(mkdir(path, 0700) == 0 && mkdir(option + 2, 0700) == 0);
    write_long_ago("beside/program.text", "#include <elsewhere.h>\n", 0);
    write_long_ago("include/elsewhere.h", "#include <beside.h>\n", 0);
    write_long_ago("beside/beside.h", "TILE\n", 0);
    snprintf(path, sizeof path, "%s/beside/program.text", cache_folder);
    autotune__lock_mutex(&autotune__kernels_lock);
    p = autotune__program_from(&source, &compiler);
    autotune__unlock_mutex(&autotune__kernels_lock);
    CHECK(find(p, &target, "-DTILE=1\0") != find(p, &target, "-DTILE=2\0"));
    forget_all();
    remove_folder();
}
/* links/code.h is a symbolic link to files/code.h, so both are the same file for the system. But each includes the
   value.h of its own folder, and only the folder of the link has this file. */
static void a_link_is_followed_from_its_own_folder(void) {
    char option[300], files_folder[300], links_folder[300], link[310];
    const char *options[] = {option};
    autotune__program *p;
    use_new_folder();
    snprintf(option, sizeof option, "-I%s", cache_folder);
    snprintf(files_folder, sizeof files_folder, "%s/files", cache_folder);
    snprintf(links_folder, sizeof links_folder, "%s/links", cache_folder);
    snprintf(link, sizeof link, "%s/code.h", links_folder);
    CHECK(mkdir(files_folder, 0700) == 0 && mkdir(links_folder, 0700) == 0 && symlink("../files/code.h", link) == 0);
    write_long_ago("files/code.h", "#include \"value.h\"\n", 0);
    write_long_ago("links/value.h", "TILE\n", 0);
    p = program("#include <files/code.h>\n#include <links/code.h>\n", options, 1);
    CHECK(find(p, &target, "-DTILE=1\0") != find(p, &target, "-DTILE=2\0"));
    forget_all();
    remove_folder();
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

static void kernels_are_loaded_for_each_target_and_let_go_by_their_last_user(void) {
    autotune__compilation *c = find(program("LOAD", NULL, 0), &target, "");
    autotune__kernel **first = NULL, **second = NULL, *here, *there;
    int error = 0;
    finish(c, &target);
    loaded = unloaded = 0;
    here = autotune__load_kernel(&target, c, &error);
    there = autotune__load_kernel(&twin, c, &error);
    CHECK(here && there && here != there && autotune__load_kernel(&target, c, &error) == here && loaded == 2);
    autotune__use_kernel(&first, here);
    autotune__use_kernel(&first, here);
    autotune__use_kernel(&second, here);
    autotune__use_kernel(&second, there);
    autotune__let_kernels_go(first);
    CHECK(unloaded == 0 && autotune__loaded_kernel(&target, c) == here);
    there->kept = true;
    autotune__let_kernels_go(second);
    CHECK(unloaded == 1 && !autotune__loaded_kernel(&target, c));
    CHECK(autotune__loaded_kernel(&twin, c) == there && !autotune__loaded_kernel(&other, c));
    refuses_to_load = true;
    CHECK(!autotune__load_kernel(&target, c, &error) && error == 7);
    refuses_to_load = false;
    CHECK(autotune__load_kernel(&target, c, &error) && loaded == 3);
    forget_all();
    CHECK(unloaded == 3);
}

/* ---- Workers ----------------------------------------------------------------------------------------------------- */

enum { QUEUED = 8 };
static void queue(autotune__kernel_session *session, autotune__program *p) {
    autotune__compilation *all[QUEUED];
    for (int i = 0; i < QUEUED; i++) {
        char definition[32] = "";
        snprintf(definition, sizeof definition - 2, "-DAHEAD=%d", i);
        all[i] = find(p, &target, definition);
    }
    autotune__lock_mutex(&autotune__kernels_lock);
    if (!session->workers) session->workers = autotune__hire_workers(session);
    CHECK(session->workers && session->workers->most == 2);
    for (int i = 0; i < QUEUED; i++) autotune__queue_compilation(session->workers, all[i]);
    autotune__call_workers(session->workers);
    autotune__unlock_mutex(&autotune__kernels_lock);
}
static void workers_compile_what_is_queued_and_no_more_at_once_than_they_are(void) {
    autotune__program *p = program("AHEAD", NULL, 0);
    autotune__kernel_session session = {.target = &target, .policy = AUTOTUNE_CACHE_OFF, .threads = 2};
    compiled = most_at_once = 0;
    queue(&session, p);
    for (int i = 0; i < QUEUED; i++) { /* finish() waits if a worker compiles it */
        char definition[32] = "";
        snprintf(definition, sizeof definition - 2, "-DAHEAD=%d", i);
        autotune__compilation *c = find(p, &target, definition);
        finish(c, &target);
        CHECK(c->progress == AUTOTUNE__CODE_MADE);
    }
    CHECK(compiled == QUEUED && most_at_once <= 3); /* this thread compiles too */
    autotune__end_kernel_session(&session);
    forget_all();
}
static void a_race_that_ends_gives_up_what_is_in_work_and_leaves_what_waits(void) {
    autotune__program *p = program("AHEAD", NULL, 0);
    autotune__kernel_session session = {.target = &target, .policy = AUTOTUNE_CACHE_OFF, .threads = 2};
    until_unwanted = true;
    compiled = 0;
    queue(&session, p);
    sem_wait(&begun);
    sem_wait(&begun);
    autotune__end_kernel_session(&session);
    until_unwanted = false;
    CHECK(compiled == 2);
    for (int i = 0; i < QUEUED; i++) {
        char definition[32] = "";
        snprintf(definition, sizeof definition - 2, "-DAHEAD=%d", i);
        autotune__compilation *c = find(p, &target, definition);
        CHECK(c->progress == AUTOTUNE__CODE_WAITING && finish(c, &target) == 1);
    }
    forget_all();
}

/* The body of a race: compiles and launches a kernel. autotune__compile_ahead() queues the kernels that the race will
   probably launch next. */
static autotune__kernel_session racing = {.target = &target, .threads = 2};
static unsigned launches;
enum { TILES = 12, NAMES = 2, POINTS = TILES * NAMES };
static autotune_status launch(autotune__program *p, int tile, const char *name) {
    autotune__text definitions = {NULL, false};
    autotune__compilation *c;
    autotune__tuning *tuning = autotune__innermost();
    const bool trying = autotune__is_trying(tuning);
    const size_t index = autotune__point_of(tuning);
    autotune__lock_mutex(&autotune__kernels_lock);
    if (trying) autotune__compile_ahead(&racing, tuning, p, name);
    autotune__unlock_mutex(&autotune__kernels_lock);
    /* four compilations for two workers: two for each */
    CHECK(launches++ || autotune__count(racing.workers->queue) == 4);
    /* the last point is only queued, not compiled */
    if (launches == 1) CHECK(!autotune__is_compiled(&racing, tuning, POINTS - 1));
    autotune__define(&definitions, "TILE", AUTOTUNE_I64, (uint64_t)tile);
    autotune__lock_mutex(&autotune__kernels_lock);
    c = autotune__compilation_of(&target, p, name, &definitions);
    autotune__finish_compilation(c, &target, AUTOTUNE_CACHE_OFF, &none);
    autotune__unlock_mutex(&autotune__kernels_lock);
    autotune__free_text(&definitions);
    if (trying) CHECK(autotune__is_compiled(&racing, tuning, index));
    spend(MILLISECOND * (uint64_t)tile);
    return AUTOTUNE_OK;
}
static void what_a_race_tries_next_is_compiled_ahead(void) {
    autotune_backend clock = virtual_backend("kernels");
    autotune__program *p = program("TILE", NULL, 0);
    autotune_result result;
    autotune__lock_mutex(&autotune__kernels_lock);
    autotune__read_program(p);
    autotune__unlock_mutex(&autotune__kernels_lock);
    compiled = 0;
    AUTOTUNE(SPACE(RANGE(TILE, 1, TILES, 1), AXIS(name, "f", "g")), 1, launch(p, TILE, name),
             .backend = &clock, .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.tried == POINTS && compiled == POINTS);
    CHECK(autotune__count(racing.workers->queue) >= 16);
    autotune__end_kernel_session(&racing);
    forget_all();
}

/* ---- The process ------------------------------------------------------------------------------------------------- */

/* Holds the lock of kernels, while workers compile. */
static void *hold_lock(void *unused) {
    (void)unused;
    autotune__lock_mutex(&autotune__kernels_lock);
    sem_post(&begun);
    sem_wait(&let_go);
    autotune__unlock_mutex(&autotune__kernels_lock);
    return NULL;
}
static void the_child_of_a_fork_waits_for_no_thread_of_its_parent(void) {
    autotune__program *p = program("AHEAD", NULL, 0);
    autotune__kernel_session session = {.target = &target, .policy = AUTOTUNE_CACHE_OFF, .threads = 2};
    pthread_t holder;
    int status;
    until_unwanted = true;
    queue(&session, p);
    sem_wait(&begun);
    sem_wait(&begun);
    CHECK(pthread_create(&holder, NULL, hold_lock, NULL) == 0);
    sem_wait(&begun);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(600); /* no other process would end a child that hangs */
        until_unwanted = false;
        CHECK(compiles(p, &target, "-DAHEAD=0\0") == 1 && compiles(p, &target, "-DAHEAD=0\0") == 0);
        autotune__end_kernel_session(&session);
        CHECK(autotune_shutdown() == AUTOTUNE_OK && compiles(p, &target, "-DAHEAD=0\0") == 1);
        _exit(EXIT_SUCCESS);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    sem_post(&let_go);
    pthread_join(holder, NULL);
    autotune__end_kernel_session(&session);
    until_unwanted = false;
    forget_all();
}
static void shutting_down_unloads_kernels_and_forgets_what_was_compiled(void) {
    autotune__program *p = program("SHUT", NULL, 0);
    autotune__compilation *c = find(p, &target, "");
    int error;
    CHECK(finish(c, &target) == 1);
    loaded = unloaded = 0;
    CHECK(autotune__load_kernel(&target, c, &error) && autotune__load_kernel(&twin, c, &error));
    forget_all();
    CHECK(loaded == 2 && unloaded == 2 && !p->compilations && !p->scan);
    CHECK(compiles(p, &target, "") == 1);
    forget_all();
}

int main(void) {
    const plain_test tests[] = {
        {"a_program_is_made_once_of_the_users_own", a_program_is_made_once_of_the_users_own},
        {"each_configuration_is_compiled_once", each_configuration_is_compiled_once},
        {"what_a_source_does_not_mention_changes_no_code", what_a_source_does_not_mention_changes_no_code},
        {"what_is_on_disk_is_not_compiled_again", what_is_on_disk_is_not_compiled_again},
        {"the_lock_of_an_image_is_no_lock_of_a_key", the_lock_of_an_image_is_no_lock_of_a_key},
        {"why_something_is_refused_is_told", why_something_is_refused_is_told},
        {"a_formatter_changes_no_tokens", a_formatter_changes_no_tokens},
        {"the_hash_of_tokens_stays_what_it_was", the_hash_of_tokens_stays_what_it_was},
        {"only_a_source_in_c_loses_its_comments", only_a_source_in_c_loses_its_comments},
        {"headers_are_read_once_while_they_stay_as_they_are", headers_are_read_once_while_they_stay_as_they_are},
        {"headers_beside_the_program_are_found_from_any_folder", headers_beside_the_program_are_found_from_any_folder},
        {"a_link_is_followed_from_its_own_folder", a_link_is_followed_from_its_own_folder},
        {"kernels_are_loaded_for_each_target_and_let_go_by_their_last_user",
         kernels_are_loaded_for_each_target_and_let_go_by_their_last_user},
        {"workers_compile_what_is_queued_and_no_more_at_once_than_they_are",
         workers_compile_what_is_queued_and_no_more_at_once_than_they_are},
        {"a_race_that_ends_gives_up_what_is_in_work_and_leaves_what_waits",
         a_race_that_ends_gives_up_what_is_in_work_and_leaves_what_waits},
        {"what_a_race_tries_next_is_compiled_ahead", what_a_race_tries_next_is_compiled_ahead},
        {"the_child_of_a_fork_waits_for_no_thread_of_its_parent",
         the_child_of_a_fork_waits_for_no_thread_of_its_parent},
        {"shutting_down_unloads_kernels_and_forgets_what_was_compiled",
         shutting_down_unloads_kernels_and_forgets_what_was_compiled}};
    CHECK(sem_init(&begun, 0, 0) == 0 && sem_init(&let_go, 0, 0) == 0);
    autotune__ready();
    const int status = RUN_PLAIN_TESTS(tests);
    remove_folder(); /* tests without their own folder wrote to the folder of an earlier test */
    return status;
}
