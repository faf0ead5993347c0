/* plain_cache_again.c - the cache on disk from one process to the next. Each process is a new start of this program, so
   the test also runs on a system without fork(). It also tests the user's folder for caches. */
#ifdef __linux__
#define _GNU_SOURCE                             /* sched_setaffinity() */
#include <sched.h>
#endif
#include "plain.h"
#include "set_environment.h"
#include <time.h>

#ifdef _WIN32
#include <direct.h>
#include <process.h>
#define HOME "LOCALAPPDATA"
#else
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#define HOME "XDG_CACHE_HOME"
extern char **environ;
#endif

/* ---- Processes --------------------------------------------------------------------------------------------------- */

static char *program;

#ifdef _WIN32
typedef intptr_t process;
static process start(char *step, char *number) {
    const process started = _spawnl(_P_NOWAIT, program, program, step, number, NULL);
    CHECK(started != -1);
    return started;
}
static int end_of(process started) {
    int status;
    CHECK(_cwait(&status, started, 0) == started);
    return status;
}
#else
typedef pid_t process;
static process start(char *step, char *number) {
    char *const arguments[] = {program, step, number, NULL};
    process started;
    CHECK(posix_spawn(&started, program, NULL, NULL, arguments, environ) == 0);
    return started;
}
static int end_of(process started) {
    int status;
    CHECK(waitpid(started, &status, 0) == started && WIFEXITED(status));
    return WEXITSTATUS(status);
}
#endif
static int run(char *step, char *number) { return end_of(start(step, number)); }

/* ---- What a process does ----------------------------------------------------------------------------------------- */

enum { IDS = 6, BEST = 4, PROCESSES = 4, KEYS = 12, OF_CPU = 500 };
/* place_of: the place of each id in the order of first trials, from 1 */
static int trials, tried, place_of[IDS], leaves_at = -1;
static autotune_backend own_clock;
static autotune_result tune(int key, autotune_mode mode) {
    autotune_result result;
    trials = 0;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, IDS - 1, 1)), .key = KEY(key), .mode = mode, .backend = &own_clock,
                   .strategy = AUTOTUNE_EXHAUSTIVE, .result = &result) {
        spend((uint64_t)(1 + abs(id - BEST)) * MILLISECOND);
        trials += autotune_trial;
        if (autotune_trial && !place_of[id]) place_of[id] = ++tried;
        if (autotune_trial && id == leaves_at) exit(7);
    }
    CHECK(result.status == AUTOTUNE_OK && result.index == BEST);
    return result;
}
static void miss(int key) {
    for (int i = 0; i < 2; i++)
        AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, IDS - 1, 1)), .key = KEY(key), .mode = AUTOTUNE_CACHED,
                       .backend = &own_clock) {
            spend((uint64_t)(1 + id) * MILLISECOND);
        }
}
static size_t errors;
static void count_errors(void *user, autotune_log_level level, const char *line) {
    (void)user;
    errors += level == AUTOTUNE_LOG_ERRORS;
    if (level == AUTOTUNE_LOG_ERRORS) fprintf(stderr, "%s\n", line);
}
/* Tunes all keys. Returns how many of them this process raced: the other processes raced the others. */
static int tune_all(int number, autotune_mode mode) {
    int races = 0;
    for (int i = 0; i < KEYS; i++) {
        (void)tune((7 * i + number) % KEYS, mode);
        races += trials > 0;
    }
    return races;
}
/* Binds the process to one processor. Returns false if the system cannot do this, or if the process has only one. */
static bool use_one_processor(void) {
#ifdef __linux__
    cpu_set_t all, one;
    size_t first = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return false;
    while (!CPU_ISSET(first, &all)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
#else
    return false;
#endif
}
static int step(const char *name, int number) {
    const bool bound = !strncmp(name, "bound-", 6);
    if (bound && !use_one_processor()) return 77;
    if (bound) name += 6;
    own_clock = virtual_backend(number == OF_CPU ? "cpu" : "its own");
    autotune_set_log(count_errors, NULL);
    if (!strcmp(name, "tune"))
        CHECK(!tune(number, AUTOTUNE_ON).cache_hit && trials > 0);
    else if (!strcmp(name, "know"))
        CHECK(tune(number, AUTOTUNE_ON).cache_hit && trials == 0);
    else if (!strcmp(name, "miss"))
        miss(number);
    else if (!strcmp(name, "clear"))
        CHECK(autotune_clear(NULL, NULL, AUTOTUNE_DISK) == AUTOTUNE_OK);
    else if (!strcmp(name, "tune-all"))
        return tune_all(number, AUTOTUNE_ON);
    else if (!strcmp(name, "tune-anew"))
        return tune_all(number, AUTOTUNE_FORCE) == KEYS && !errors ? 0 : 99;
    else if (!strcmp(name, "exit"))
        leaves_at = number, (void)tune(1000, AUTOTUNE_ON);
    else if (!strcmp(name, "try-last")) {
        CHECK(!tune(1000, AUTOTUNE_ON).cache_hit && trials > 0 && place_of[number] == IDS);
        errors = 0; /* the log has an error line for the id that is tried last, which is right */
    } else
        errors++; /* no step has this name */
    return errors ? 98 : 0;
}

/* ---- The tests --------------------------------------------------------------------------------------------------- */

static char home[500], file_path[600];
static size_t lines_of_file(void) {
    FILE *file = fopen(file_path, "rb");
    size_t lines = 0;
    int character, last = '\n';
    if (!file) return 0;
    while ((character = getc(file)) != EOF) lines += (last = character) == '\n';
    CHECK(last == '\n');
    fclose(file);
    return lines;
}
static void the_next_process_knows_the_winner(void) {
    CHECK(run("tune", "1") == 0);
    CHECK(lines_of_file() == 1);
    CHECK(run("know", "1") == 0);
    CHECK(run("tune", "2") == 0);
    CHECK(run("know", "1") == 0 && run("know", "2") == 0);
    CHECK(lines_of_file() == 2);
}
static void what_is_cleared_is_tuned_again(void) {
    CHECK(run("clear", "0") == 0);
    CHECK(lines_of_file() == 0);
    CHECK(run("tune", "1") == 0 && run("know", "1") == 0);
}
static void one_process_tunes_each_key(void) {
    static char *const numbers[PROCESSES] = {"0", "1", "2", "3"};
    process started[PROCESSES];
    int races = 0;
    CHECK(run("clear", "0") == 0);
    for (int i = 0; i < PROCESSES; i++) started[i] = start("tune-all", numbers[i]);
    for (int i = 0; i < PROCESSES; i++) races += end_of(started[i]);
    CHECK(races == KEYS && lines_of_file() == KEYS);
}
/* All processes force races of the same keys. The file may have 0.02 MiB only, so it is rewritten meanwhile. */
static void processes_write_at_once(void) {
    static char *const numbers[PROCESSES] = {"0", "1", "2", "3"};
    process started[PROCESSES];
    setenv("AUTOTUNE_CACHE_MIB", "0.02", 1);
    for (int i = 0; i < PROCESSES; i++) started[i] = start("tune-anew", numbers[i]);
    for (int i = 0; i < PROCESSES; i++) CHECK(end_of(started[i]) == 0);
    setenv("AUTOTUNE_CACHE_MIB", "", 1);
    CHECK(lines_of_file() > 0 && lines_of_file() < KEYS * PROCESSES);
    CHECK(run("know", "11") == 0 || run("know", "0") == 0);
}
static void what_ended_the_program_is_tried_last(void) {
    CHECK(run("exit", "2") == 7);
    CHECK(run("try-last", "2") == 0);
}
static void misses_are_written_to_the_file_that_is_named(void) {
    char path[600];
    FILE *file;
    snprintf(path, sizeof path, "%s/named.jsonl", home);
    setenv("AUTOTUNE_MISSES", path, 1);
    CHECK(run("miss", "1000") == 0);
    setenv("AUTOTUNE_MISSES", "", 1);
    CHECK((file = fopen(path, "rb")) != NULL);
    fclose(file);
}
static void a_record_of_one_processor_answers_on_one(void) {
    const int tuned = run("bound-tune", "500");
    if (tuned == 77) return;
    CHECK(tuned == 0 && run("bound-know", "500") == 0);
    CHECK(run("tune", "500") == 0 && run("know", "500") == 0 && run("bound-know", "500") == 0);
}
static const plain_test tests[] = {
    {"the next process knows the winner", the_next_process_knows_the_winner},
    {"what is cleared is tuned again", what_is_cleared_is_tuned_again},
    {"one process tunes each key", one_process_tunes_each_key},
    {"processes write at once", processes_write_at_once},
    {"what ended the program is tried last", what_ended_the_program_is_tried_last},
    {"a record of one processor answers on one", a_record_of_one_processor_answers_on_one},
    {"misses are written to the file that is named", misses_are_written_to_the_file_that_is_named},
};

static void use_home(const char *argument) {
    const char *where = getenv("TMPDIR");
#ifdef _WIN32
    snprintf(home, sizeof home, "%.300s\\autotune-again-%s", getenv("TEMP"), argument);
    (void)where;
    CHECK(_mkdir(home) == 0);
#else
    snprintf(home, sizeof home, "%.300s/autotune-again-%s", where ? where : "/tmp", argument);
    CHECK(mkdir(home, 0700) == 0);
#endif
    snprintf(file_path, sizeof file_path, "%s/autotune/results.jsonl", home);
    setenv(HOME, home, 1);
    setenv("AUTOTUNE_CACHE", "on", 1);
    unsetenv("AUTOTUNE_CACHE_DIR");
}
static void remove_home(void) {
    char command[600];
#ifdef _WIN32
    snprintf(command, sizeof command, "rmdir /s /q \"%s\"", home);
#else
    snprintf(command, sizeof command, "rm -r '%s'", home);
#endif
    CHECK(system(command) == 0);
}
int main(int count, char **arguments) {
    char number[48];
    int status;
    program = arguments[0];
    if (count == 3) return step(arguments[1], atoi(arguments[2]));
    CHECK(count == 1);
    snprintf(number, sizeof number, "%lu-%lu", (unsigned long)getpid(), (unsigned long)time(NULL));
    use_home(number);
    status = RUN_PLAIN_TESTS(tests);
    remove_home();
    return status;
}
