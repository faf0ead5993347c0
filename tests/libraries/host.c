/* host.c - a program with libraries that tune. Its arguments are five libraries. Two have a copy of the implementation
   of their own, and three use the program's. The second of these is another build of the first, and the third has no
   build id. */
#define _DEFAULT_SOURCE
#include "../plain.h"
#include "../cache_file.h"
#include "copy.h"
#include <dlfcn.h>

typedef struct copy {
    void *library;
    copy_seen (*tune)(int key, void (*in_trial)(void));
    int (*end)(void);
} copy;
static copy one, two;

static copy open_copy(const char *path) {
    copy c = {dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL, NULL};
    if (!c.library) fprintf(stderr, "%s\n", dlerror());
    CHECK(c.library != NULL);
    *(void **)(void *)&c.tune = dlsym(c.library, "copy_tune");
    *(void **)(void *)&c.end = dlsym(c.library, "copy_end");
    CHECK(c.tune != NULL && c.end != NULL);
    return c;
}

/* ---- Two copies on one cache ------------------------------------------------------------------------------------- */

static copy_seen of_two;
static void let_two_tune(void) {
    if (of_two.tile < 0) of_two = two.tune(1, NULL);
}
static void a_copy_waits_for_the_race_of_another(void) {
    of_two.tile = -1;
    const copy_seen of_one = one.tune(1, let_two_tune);
    CHECK(of_one.trials > 0 && of_one.tile == 3);
    CHECK(of_two.trials == 0 && of_two.tile == 0); /* it gave up */
    CHECK(count_lines(cache_bytes()) == 1 && sound_lines(cache_bytes()) == 1);
}

/* Does anybody hold a lock, as another process sees it? */
static bool locked_for_others(void) {
    char path[300];
    int status = 0;
    snprintf(path, sizeof path, "%s/lock", cache_folder);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct flock any = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int file = open(path, O_RDWR);
        _exit(file < 0 || fcntl(file, F_GETLK, &any) != 0 ? 2 : any.l_type != F_UNLCK);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status) == 1;
}
static int locked_before, locked_after;
static void close_the_lock_file(void) { /* as another copy does that is unloaded */
    char path[300];
    snprintf(path, sizeof path, "%s/lock", cache_folder);
    locked_before += locked_for_others();
    const int file = open(path, O_RDWR);
    CHECK(file >= 0 && close(file) == 0);
    locked_after += locked_for_others();
}
static void nobody_drops_the_locks_of_a_copy(void) {
    const copy_seen of_one = one.tune(2, close_the_lock_file);
    CHECK(of_one.trials > 0 && locked_before == of_one.trials && locked_after == of_one.trials);
    CHECK(!locked_for_others());
}

/* A child that was made in a trial ends its copy of the race, and with it drops no lock of its parent's. */
static pid_t child;
static void fork_once(void) {
    int status = 0;
    if (child) return;
    fflush(NULL);
    CHECK((child = fork()) >= 0);
    if (child == 0) child = -1; /* goes on with the race, and then ends */
    else {
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
        CHECK(locked_for_others());
    }
}
static void a_child_drops_no_lock_of_its_parent(void) {
    const copy_seen seen = one.tune(3, fork_once);
    if (child == -1) _exit(seen.tile == 3 ? EXIT_SUCCESS : EXIT_FAILURE);
    CHECK(seen.tile == 3 && !locked_for_others());
}

static void install(const char *from, const char *path) {
    const bytes library = read_file(from);
    CHECK(library.at != NULL);
    unlink(path);
    write_file(path, library.at, library.count);
}

/* ---- A library that is unloaded ---------------------------------------------------------------------------------- */

static int open_files(void) {
    int count = 0;
    for (int file = 0; file < 1024; file++) count += fcntl(file, F_GETFD) != -1;
    return count;
}
static const char *copy_path;
/* The libraries are loaded more often than there can be keys of threads, for instance. The checks for leaks see the
   memory that is left. */
static void a_library_that_is_unloaded_leaves_nothing(void) {
    const int before = open_files();
    char path[300];
    snprintf(path, sizeof path, "%s/copy.so", cache_folder); /* not one that is loaded already */
    install(copy_path, path);
    for (int time = 0; time < 1100; time++) {
        const copy c = open_copy(path);
        if (time % 50 == 0) CHECK(c.tune(5, NULL).tile == 3);
        CHECK(c.end() && dlclose(c.library) == 0);
    }
    CHECK(open_files() == before);
}

/* ---- A library that is replaced ---------------------------------------------------------------------------------- */

/* Another file whose call sites are the same, at the same place in memory, is another build: what it knows from before
   is raced once more. */
static const char *plugin_path, *changed_plugin_path;
static copy_seen tune_with(const char *path, void **place) {
    const copy plugin = open_copy(path);
    const copy_seen seen = plugin.tune(4, NULL);
    *(void **)(void *)place = dlsym(plugin.library, "copy_tune");
    CHECK(plugin.end() && dlclose(plugin.library) == 0); /* what this process knows is forgotten */
    return seen;
}
static void a_library_that_is_replaced_is_another_build(void) {
    char path[300];
    void *before, *after;
    snprintf(path, sizeof path, "%s/plugin.so", cache_folder);
    install(plugin_path, path);
    CHECK(tune_with(path, &before).trials > 0);
    CHECK(tune_with(path, &after).trials == 0); /* it is known from disk */
    install(changed_plugin_path, path);
    const copy_seen seen = tune_with(path, &after);
    if (before != after) puts("  (it came to another place)");
    CHECK(seen.trials > 0 && seen.tile == 3);
}
/* Runs in a process that never calls autotune_shutdown(): its replacement is another build, too. */
static void a_library_that_is_replaced_without_a_shutdown_is_another_build(void) {
    char path[300];
    int status = 0;
    snprintf(path, sizeof path, "%s/kept.so", cache_folder);
    fflush(NULL);
    const pid_t program = fork();
    if (program == 0) {
        static const int trials_wanted[] = {1, 0, 1, 0};
        for (int i = 0; i < 4; i++) {
            install(i < 2 ? plugin_path : changed_plugin_path, path);
            const copy plugin = open_copy(path);
            const copy_seen seen = plugin.tune(6, NULL);
            CHECK((seen.trials > 0) == trials_wanted[i] && seen.tile == 3);
            CHECK(dlclose(plugin.library) == 0);
        }
        _exit(EXIT_SUCCESS);
    }
    CHECK(program > 0 && waitpid(program, &status, 0) == program && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
/* The rest of the race is lost. */
static void a_program_ends_after_a_library_whose_online_race_goes_on(void) {
    int status = 0;
    fflush(NULL);
    const pid_t program = fork();
    if (program == 0) {
        void *plugin = dlopen(changed_plugin_path, RTLD_NOW | RTLD_LOCAL);
        int (*call)(void);
        CHECK(plugin != NULL);
        *(void **)(void *)&call = dlsym(plugin, "copy_call_online");
        CHECK(call() && call() && dlclose(plugin) == 0);
        exit(EXIT_SUCCESS);
    }
    CHECK(program > 0 && waitpid(program, &status, 0) == program && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
/* Even of one that its linker gave no build id, and whose file is another one by now. */
static const char *unnamed_plugin_path;
static void a_race_is_written_though_the_file_of_its_library_is_gone(void) {
    int status = 0;
    char path[300];
    snprintf(path, sizeof path, "%s/unnamed.so", cache_folder);
    install(unnamed_plugin_path, path);
    remove(cache_file);
    fflush(NULL);
    const pid_t program = fork();
    if (program == 0) {
        void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        int (*call)(void);
        CHECK(plugin != NULL);
        *(void **)(void *)&call = dlsym(plugin, "copy_call_online");
        CHECK(call() && call() && unlink(path) == 0);
        exit(EXIT_SUCCESS);
    }
    CHECK(program > 0 && waitpid(program, &status, 0) == program && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(count_lines(cache_bytes()) == 1 && sound_lines(cache_bytes()) == 1);
}

static void a_library_without_a_build_id_that_is_written_again_within_a_second_is_another_build(void) {
    static const long written_ns[] = {100, 100, 200};
    char path[300];
    void *place;
    snprintf(path, sizeof path, "%s/unnamed.so", cache_folder);
    install(unnamed_plugin_path, path);
    remove(cache_file);
    for (size_t i = 0; i < 3; i++) {
        const struct timespec written[] = {{1000000000, written_ns[i]}, {1000000000, written_ns[i]}};
        CHECK(utimensat(AT_FDCWD, path, written, 0) == 0);
        CHECK((tune_with(path, &place).trials > 0) == (i != 1));
    }
}

int main(int argc, char **argv) {
    static const plain_test tests[] = {
        {"a copy waits for the race of another", a_copy_waits_for_the_race_of_another},
        {"nobody drops the locks of a copy", nobody_drops_the_locks_of_a_copy},
        {"a child drops no lock of its parent", a_child_drops_no_lock_of_its_parent},
        {"a library that is unloaded leaves nothing", a_library_that_is_unloaded_leaves_nothing},
        {"a library that is replaced is another build", a_library_that_is_replaced_is_another_build},
        {"a library that is replaced without a shutdown is another build",
         a_library_that_is_replaced_without_a_shutdown_is_another_build},
        {"a program ends after a library whose online race goes on",
         a_program_ends_after_a_library_whose_online_race_goes_on},
        {"a race is written though the file of its library is gone",
         a_race_is_written_though_the_file_of_its_library_is_gone},
        {"a library without a build id that is written again within a second is another build",
         a_library_without_a_build_id_that_is_written_again_within_a_second_is_another_build},
    };
    CHECK(argc == 6);
    use_new_folder();
    one = open_copy(argv[1]);
    two = open_copy(argv[2]);
    copy_path = argv[1];
    plugin_path = argv[3];
    changed_plugin_path = argv[4];
    unnamed_plugin_path = argv[5];
    const int status = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return status;
}
