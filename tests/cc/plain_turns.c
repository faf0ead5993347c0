/* plain_turns.c - processes that need the same machine code at once. One process compiles it, and the others take it
   from disk. If there is nothing to wait for, they compile it themselves. */
#define _DEFAULT_SOURCE
#include "compilers.h"
#include <signal.h>

enum { PROCESSES = 4, VARIANTS = 3 };
void add(int *out, uint64_t *clock);
static autotune_cc_program by_file = CC_PROGRAM_FILE("add.c");
static const char source[] = "void add(int *out, unsigned long *clock) {\n"
                             "    *out = STEP; *clock += (8 - STEP) * 1000000;\n"
                             "}\n";
/* Starts a process, which makes a race. Each process has another key, so no process waits for the race of another. */
static pid_t begin_process(int key, int threads, double timeout) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        autotune_backend clock = virtual_backend("device of plain_turns");
        autotune_result result;
        int sum = 0;
        AUTOTUNE(SPACE(AXIS(STEP, 1, 2, 4)), 1, CC_CALL(&by_file, add, &sum, &virtual_time), .key = KEY(key),
                 .backend = &clock, .compile_threads = threads, .compile_timeout = timeout, .result = &result);
        if (result.status != AUTOTUNE_OK) fprintf(stderr, "%s\n", autotune_last_error());
        _exit(result.status == AUTOTUNE_OK && sum == 4 ? (int)result.tried : 100);
    }
    return child;
}
/* Waits for a process. Returns how many configurations the process tried, or 100 if it failed. */
static int end_process(pid_t child) {
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
static void begin_anew(const char *script) {
    CHECK(system("rm -rf cc ran began") == 0);
    write_settled("add.c", source);
    compile_by(script);
}
static void await_file(const char *name) {
    while (access(name, F_OK) != 0) usleep(1000);
}

static void each_variant_is_compiled_once(void) {
    static const int threads[] = {1, 3};
    pid_t children[PROCESSES];
    size_t i;
    int k;
    for (i = 0; i < sizeof threads / sizeof *threads; i++) {
        begin_anew("sleep 0.1\n" REAL_COMPILER);
        for (k = 0; k < PROCESSES; k++) children[k] = begin_process(10 * (int)i + k, threads[i], 0);
        for (k = 0; k < PROCESSES; k++) CHECK(end_process(children[k]) == VARIANTS);
        CHECK(compilations() == VARIANTS);
    }
}
/* STEP 2 does not compile. A process that waited in vain for its code compiles it itself, and fails, too. */
static void what_does_not_compile_fails_everywhere(void) {
    pid_t children[PROCESSES];
    int k;
    begin_anew("sleep 0.1\ncase \"$*\" in *STEP=2*) echo 'add.c: error: no' >&2; exit 1;; esac\n" REAL_COMPILER);
    for (k = 0; k < PROCESSES; k++) children[k] = begin_process(20 + k, 1, 0);
    for (k = 0; k < PROCESSES; k++) CHECK(end_process(children[k]) == VARIANTS);
    CHECK(compilations() == VARIANTS - 1 + PROCESSES);
}
/* The first process is killed, or stopped, while its compiler runs. The second process needs the same code. It must not
   wait for the first process without end. */
static void nobody_waits_for(int signal_number, double timeout) {
    const time_t began = time(NULL);
    pid_t first, second;
    begin_anew("mkdir began 2>/dev/null && exec sleep 30\n" REAL_COMPILER);
    first = begin_process(30 + signal_number, 1, 0);
    await_file("began");
    second = begin_process(100 + signal_number, 1, timeout);
    CHECK(kill(first, signal_number) == 0);
    CHECK(end_process(second) == VARIANTS && time(NULL) - began < 30);
    CHECK(kill(first, SIGKILL) == 0 || signal_number == SIGKILL);
    CHECK(waitpid(first, NULL, 0) == first);
}
static void killed_processes_end_their_turn(void) { nobody_waits_for(SIGKILL, 0); }
static void stopped_processes_are_waited_for_no_longer_than_a_compiler(void) { nobody_waits_for(SIGSTOP, 3); }

int main(void) {
    static const plain_test tests[] = {
        {"each_variant_is_compiled_once", each_variant_is_compiled_once},
        {"what_does_not_compile_fails_everywhere", what_does_not_compile_fails_everywhere},
        {"killed_processes_end_their_turn", killed_processes_end_their_turn},
        {"stopped_processes_are_waited_for_no_longer_than_a_compiler",
         stopped_processes_are_waited_for_no_longer_than_a_compiler},
    };
    int status;
    use_new_folder();
    /* Processes that are killed leave files in TMPDIR, which is removed at the end. */
    CHECK(chdir(cache_folder) == 0 && setenv("TMPDIR", cache_folder, 1) == 0);
    status = RUN_PLAIN_TESTS(tests);
    CHECK(chdir("/") == 0);
    remove_folder();
    return status;
}
