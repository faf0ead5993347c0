/* plain_ends.c - programs that end while a compiler works: killed, by exit(), in a child. No process may be left. The
   next program removes the folder that is left. Each program is a child process, since a process looks only once for
   such folders. */
#define _DEFAULT_SOURCE
#include "compilers.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

void nothing(void);
static autotune_cc_program program = CC_PROGRAM("void nothing(void) {}\n");
static char temporary[400];
static autotune_isolate isolate;
static autotune_cache policy = AUTOTUNE_CACHE_OFF;

static autotune_status tune(void) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&program, nothing), .preset = AUTOTUNE_FAST, .isolate = isolate,
             .cache = policy, .result = &result);
    return result.status == AUTOTUNE_OK && result.failed ? AUTOTUNE_FAILED : result.status;
}
static void compiles(void) { _exit(tune() == AUTOTUNE_OK ? EXIT_SUCCESS : EXIT_FAILURE); }
static void *compile_beside(void *unused) {
    (void)tune();
    return unused;
}
static void exits_beside_a_compiler(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, compile_beside, NULL) == 0);
    while (access(in_folder("go"), F_OK) != 0) usleep(1000);
    exit(EXIT_SUCCESS);
}
static pid_t begin(void (*function)(void)) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        alarm(60);
        function();
    }
    return child;
}
static int end(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}
/* Starts a process that compiles, with a compiler that does not end by itself. Returns when the compiler runs. */
static pid_t begin_to_hang(void (*function)(void)) {
    pid_t child;
    compile_by(sleep_in("sleep %d & sleep %d"));
    child = begin(function);
    while (!runs(sleep_in("sleep %d "))) usleep(1000);
    return child;
}
/* Returns the path of the one folder that a compilation left in the temporary folder. */
static char *left(void) {
    static char path[700];
    DIR *folder = opendir(temporary);
    const struct dirent *entry;
    CHECK(folder != NULL && files_in(temporary) == 1);
    while ((entry = readdir(folder)) != NULL)
        if (*entry->d_name != '.') snprintf(path, sizeof path, "%s/%s", temporary, entry->d_name);
    closedir(folder);
    return path;
}
static void make_old(const char *folder) {      /* sets the time of its file to two minutes ago */
    const struct timespec times[2] = {{time(NULL) - 120, 0}, {time(NULL) - 120, 0}};
    char path[800];
    snprintf(path, sizeof path, "%s/input", folder);
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}
static void the_next_program_compiles(void) {
    compile_by(REAL_COMPILER);
    CHECK(end(begin(compiles)) == 0);
}

/* Lets a program remove old folders. This program writes no record, since its cache is off. */
static void sweep(void) {
    const autotune_cache before = policy;
    policy = AUTOTUNE_CACHE_OFF;
    the_next_program_compiles();
    policy = before;
}

static void killed_programs_leave_no_process(void) {
    const pid_t child = begin_to_hang(compiles);
    char other[500], stranger[600];
    CHECK(kill(child, SIGKILL) == 0 && WIFSIGNALED(end(child)) && !sleeps());
    the_next_program_compiles();
    /* The folder is new. Another process may have made it, and may lock it in a moment. So the folder stays. */
    CHECK(access(left(), F_OK) == 0);
    make_old(left());
    the_next_program_compiles();
    CHECK(files_in(temporary) == 0);
    /* A folder with such a name that has another file was not made by the library. So the folder stays. */
    snprintf(other, sizeof other, "%s/autotune-1-0123456789abcdef", temporary);
    snprintf(stranger, sizeof stranger, "%s/thesis", other);
    CHECK(mkdir(other, 0700) == 0);
    write_file(stranger, "text", 4);
    the_next_program_compiles();
    CHECK(access(stranger, F_OK) == 0 && unlink(stranger) == 0 && rmdir(other) == 0);
}
static void folders_of_others_that_compile_are_left_alone(void) {
    const pid_t child = begin_to_hang(compiles);
    make_old(left());
    the_next_program_compiles();
    CHECK(files_in(left()) > 0);
    CHECK(kill(child, SIGKILL) == 0 && WIFSIGNALED(end(child)) && !sleeps());
    the_next_program_compiles();
    CHECK(files_in(temporary) == 0);
}
static void programs_that_exit_leave_no_process(void) {
    const pid_t child = begin_to_hang(exits_beside_a_compiler);
    write_text("go", "");
    CHECK(WIFEXITED(end(child)) && !sleeps());
    make_old(left());
    the_next_program_compiles();
    CHECK(files_in(temporary) == 0);
}
/* The trials are in a child process of the program, so the compiler is a child of this child. The program is killed.
   The child and the compiler must end, too. */
static void children_end_with_all_that_they_started(void) {
    pid_t child;
    isolate = AUTOTUNE_CHILD;
    child = begin_to_hang(compiles);
    isolate = AUTOTUNE_IN_PROCESS;
    CHECK(kill(child, SIGKILL) == 0 && WIFSIGNALED(end(child)) && !sleeps());
    make_old(left());
    /* The child ends some time after the program. Until then it keeps the lock of its folder. */
    for (int i = 0; i < 100 && files_in(temporary) > 0; i++) the_next_program_compiles();
    CHECK(files_in(temporary) == 0);
}
/* Programs are interrupted while they compile, so before any launch. There are more interrupts than configurations. So
   if an interrupted compilation made suspects, all configurations would be suspects. */
static void interrupted_compilations_blame_nobody(void) {
    policy = AUTOTUNE_CACHE_ON;
    for (int i = 0; i < 3; i++) {
        const pid_t child = begin_to_hang(compiles);
        CHECK(kill(child, SIGINT) == 0 && WIFSIGNALED(end(child)) && !sleeps());
        make_old(left());
        sweep();
    }
    the_next_program_compiles();
    policy = AUTOTUNE_CACHE_OFF;
}
/* For STEP 2 the compiled function kills the program. After two such runs the third run skips this configuration. */
void ends(void);
static void launch_what_ends(void) {
    static autotune_cc_program ending = CC_PROGRAM("#include <signal.h>\n#include <unistd.h>\n"
                                                   "void ends(void) { if (STEP == 2) kill(getpid(), SIGKILL); }\n");
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&ending, ends), .preset = AUTOTUNE_FAST, .result = &result);
    _exit(result.status == AUTOTUNE_OK ? (int)result.failed : 100);
}
static void launches_are_to_blame(void) {
    compile_by(REAL_COMPILER);
    for (int i = 0; i < 2; i++) CHECK(WIFSIGNALED(end(begin(launch_what_ends))));
    CHECK(WEXITSTATUS(end(begin(launch_what_ends))) == 1);
    CHECK(system("rm -rf \"$TMPDIR\"/autotune-*") == 0);
}
/* The path of the temporary folder is longer than a usual buffer, or as long as the system allows. The library must not
   cut the path: it would remove files in another folder. */
static void long_paths_lose_no_file(void) {
    char path[4200], file[4300], sentence[600];
    size_t length, piece, most;
    snprintf(path, sizeof path, "%s", temporary);
    for (most = 1023; most <= 4070; most += 3047) {
        for (length = strlen(path); length < most; length += piece) {
            piece = most - length > 201 ? 200 : most - length;
            snprintf(path + length, sizeof path - length, "/%0*d", (int)piece - 1, 0);
            CHECK(mkdir(path, 0700) == 0);
        }
        CHECK(strlen(path) == most);
        snprintf(file, sizeof file, "%s/thesis", path);
        write_file(file, "text", 4);
        setenv("TMPDIR", path, 1);
        compile_by(REAL_COMPILER);
        const int status = end(begin(compiles));
        CHECK(access(file, F_OK) == 0 && files_in(path) == 1);
        CHECK(most < 4000 ? status == 0 : WEXITSTATUS(status) == EXIT_FAILURE);
    }
    CHECK(tune() == AUTOTUNE_ERR_ALL_FAILED && last_error_has("TMPDIR or /tmp: File name too long"));
    setenv("TMPDIR", temporary, 1);
    snprintf(sentence, sizeof sentence, "rm -rf '%s'/0*", temporary);
    CHECK(system(sentence) == 0);
}

int main(void) {
    static const plain_test tests[] = {
        {"killed_programs_leave_no_process", killed_programs_leave_no_process},
        {"folders_of_others_that_compile_are_left_alone", folders_of_others_that_compile_are_left_alone},
        {"programs_that_exit_leave_no_process", programs_that_exit_leave_no_process},
        {"children_end_with_all_that_they_started", children_end_with_all_that_they_started},
        {"interrupted_compilations_blame_nobody", interrupted_compilations_blame_nobody},
        {"launches_are_to_blame", launches_are_to_blame},
        {"long_paths_lose_no_file", long_paths_lose_no_file},
    };
    int status;
    use_new_folder();
    snprintf(temporary, sizeof temporary, "%s/temporary", cache_folder);
    CHECK(mkdir(temporary, 0700) == 0 && setenv("TMPDIR", temporary, 1) == 0);
    (void)sleep_in("%d %d");
    status = RUN_PLAIN_TESTS(tests);
    CHECK(files_in(temporary) == 0);
    remove_folder();
    return status;
}
