/* suite_cache_misses.c - keys that modes CACHED and REQUIRE miss are counted, and written beside the cache. With
   AUTOTUNE_MODE=missed only these keys are tuned. An earlier run of a program is a child process here. Allocations fail
   if a test asks for it. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdlib.h>

#include "opened.h"
#include "virtual_clock.h"
#include "cache_file.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- Runs of a program ------------------------------------------------------------------------------------------- */

typedef struct seen {
    int calls[4], trials[4]; /* calls for real, and trial launches, of each key */
    autotune_result last;
    size_t errors;
    char log[2048];
} seen;
static seen *now;
static uint64_t each_ns = 1000; /* the time of the first configuration. The second takes a tenth of it */
static autotune_mode mode;
static autotune_cache policy;
static const char *device = "device one";

static autotune_backend *backend(void) {
    virtual_backend()->device = device;
    return virtual_backend();
}
static autotune_status launch(bool trial, int key, int x) {
    virtual_ns += x == 0 ? each_ns : each_ns / 10;
    if (now && key < 4) ++*(trial ? &now->trials[key] : &now->calls[key]);
    return AUTOTUNE_OK;
}
static autotune_status call(int key) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(x, 0, 1)), 1, launch(autotune_trial, key, x), .key = KEY(key), .name = "missed", .mode = mode,
             .cache = policy, .backend = backend(), .result = &result);
    if (now) now->last = result;
    return result.status;
}
static void call_often(int key, int times) {
    while (times-- > 0) call(key);
}
/* Runs `what` in a process that ends by exit(). */
static seen run(void (*what)(void)) {
    seen *shared = (seen *)shared_memory(sizeof *shared), all;
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        now = shared;
        autotune_set_log(keep_line, NULL);
        what();
        snprintf(now->log, sizeof now->log, "%.2000s", logged);
        now->errors = logged_lines[AUTOTUNE_LOG_ERRORS];
        exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS,
              "status %x", (unsigned)status);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
static char misses_file[300];
static void use_misses(void) {
    use_new_folder();
    unsetenv("AUTOTUNE_MISSES");
    unsetenv("AUTOTUNE_MODE");
    snprintf(misses_file, sizeof misses_file, "%s/misses.jsonl", cache_folder);
}
/* The sums over all lines of a key. */
typedef struct sums {
    int lines;
    double calls, runs;
} sums;
static double number_behind(const char *line, const char *name) {
    const char *at = strstr(line, name);
    return at && strncmp(at + strlen(name), "null", 4) != 0 ? strtod(at + strlen(name), NULL) : -1;
}
static sums sums_of(const char *path, int key) {
    const bytes all = read_file(path);
    char wanted[40];
    sums s = {0, 0, 0};
    snprintf(wanted, sizeof wanted, "\"key\":{\"key\":%d}", key);
    for (char *line = all.at, *feed; line && (feed = strchr(line, '\n')) != NULL; line = feed + 1) {
        *feed = 0;
        if (!is_sound(line, strlen(line)) || !strstr(line, wanted)) continue;
        cr_assert(!strncmp(line, "{\"missed\":1,\"id\":\"", 18), "%s", line);
        s.lines++;
        s.calls += number_behind(line, ",\"calls\":");
        s.runs += number_behind(line, ",\"runs\":");
    }
    return s;
}

TestSuite(misses, .init = use_misses, .fini = remove_folder);

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

static void thousand_and_ten(void) {
    call_often(1, 1000);
    each_ns = 5000000;
    call_often(2, 10);
}
Test(misses, calls_and_runs_are_written_at_the_end) {
    mode = AUTOTUNE_CACHED;
    const seen s = run(thousand_and_ten);
    cr_assert(s.calls[1] == 1000 && s.calls[2] == 10 && s.trials[1] + s.trials[2] == 0 && s.errors == 0, "%s", s.log);
    const sums first = sums_of(misses_file, 1), second = sums_of(misses_file, 2);
    cr_assert(first.lines == 1 && first.calls == 1000 && first.runs == 1);
    cr_assert(second.lines == 1 && second.calls == 10 && second.runs == 1);
    (void)run(thousand_and_ten);
    const sums again = sums_of(misses_file, 1);
    cr_assert(again.lines == 2 && again.calls == 2000 && again.runs == 2, "the next process adds a line");
    cr_assert_eq(access(cache_file, F_OK), -1, "no record is written");
}
static void write_twice(void) {
    call_often(1, 10);
    write_misses();
    call_often(1, 20);
}
Test(misses, a_run_that_writes_twice_is_one_run) {
    mode = AUTOTUNE_CACHED;
    (void)run(write_twice);
    const sums s = sums_of(misses_file, 1);
    cr_assert(s.lines == 2 && s.calls == 30 && s.runs == 1, "%g calls, %g runs", s.calls, s.runs);
}
static void without_time(void) {
    setenv("AUTOTUNE_MAX_RUN_SECONDS", "0", 1);
    call_often(1, 20);
}
Test(misses, a_key_for_which_the_run_had_no_time_is_counted_and_tuned_by_a_later_run) {
    seen s = run(without_time);
    cr_assert(s.calls[1] == 20 && s.trials[1] == 0 && sums_of(misses_file, 1).calls == 20);
    setenv("AUTOTUNE_MODE", "missed", 1);
    s = run(thousand_and_ten);
    cr_assert(s.trials[1] > 0 && s.trials[2] == 0);
    unsetenv("AUTOTUNE_MODE");
    s = run(without_time);
    cr_assert(s.calls[1] == 20 && s.trials[1] == 0 && s.last.cache_hit && s.last.index == 1);
    cr_assert_eq(sums_of(misses_file, 1).calls, 20, "it is known");
}
Test(misses, what_is_required_is_counted) {
    mode = AUTOTUNE_REQUIRE;
    const seen s = run(thousand_and_ten);
    cr_assert(s.last.status == AUTOTUNE_ERR_MISS && s.calls[1] == 0);
    cr_assert_eq(sums_of(misses_file, 1).calls, 1000);
}
static void call_three(void) { call(3); }
static void require_thrice(void) {
    mode = AUTOTUNE_REQUIRE;
    call_often(1, 3);
}
Test(misses, what_is_required_is_told_once) {
    mode = AUTOTUNE_ON;
    for (int records = 0; records < 2; records++) {
        const seen s = run(require_thrice);
        cr_assert_eq(s.errors, 1u, "with %d records, which that call reads: %s", records, s.log);
        (void)run(call_three);
    }
}
static autotune_status start(autotune_backend *self) { return (void)self, AUTOTUNE_OK; }
static autotune_status stop(autotune_backend *self, double *ns) { return (void)self, *ns = 1, AUTOTUNE_OK; }
static void on_a_queue(void) {
    backend()->start = start;
    backend()->stop = stop;
    call_often(1, 100);
}
Test(misses, launches_that_are_queued_are_counted) {
    mode = AUTOTUNE_CACHED;
    (void)run(on_a_queue);
    cr_assert_eq(sums_of(misses_file, 1).calls, 100);
}
static void modes(void) {
    mode = AUTOTUNE_OFF;
    call_often(1, 3);
    mode = AUTOTUNE_ON;
    call_often(1, 3);
    mode = AUTOTUNE_CACHED;
    call_often(1, 3);
}
Test(misses, hits_and_other_modes_are_not_counted) {
    (void)run(modes);
    cr_assert_eq(access(misses_file, F_OK), -1);
}
static void miss_then_tune(void) {
    mode = AUTOTUNE_CACHED;
    call_often(1, 5);
    mode = AUTOTUNE_ON;
    call(1);
    mode = AUTOTUNE_CACHED;
    call_often(1, 5);
}
Test(misses, what_is_tuned_since_is_not_counted) {
    const seen s = run(miss_then_tune);
    cr_assert(s.trials[1] > 0 && s.last.index == 1);
    cr_assert_eq(sums_of(misses_file, 1).calls, 5);
}
static autotune_status fail(void *user, const autotune_config *config) {
    (void)user, (void)config;
    virtual_ns += 1000;
    return AUTOTUNE_FAILED;
}
static autotune_status pass(void *user, const autotune_config *config) {
    (void)user;
    virtual_ns += 1000;
    return config->count == 1 && config->values[0] == 7 ? AUTOTUNE_OK : AUTOTUNE_FAILED;
}
static void call_created(void) {
    const int64_t values[] = {7, 8};
    const autotune_axis axis = {.name = "x", .values = values, .count = 2};
    autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = pass};
    autotune_tuner *tuner = autotune_create(&desc);
    desc.name = "failing";
    desc.launch = fail;
    autotune_tuner *failing = autotune_create(&desc);
    const autotune_options options = {.mode = AUTOTUNE_CACHED,
                                      .key = {.count = 1, .types = AUTOTUNE_I64, .word = {1}, .text = "key"},
                                      .backend = backend()};
    for (int i = 0; i < 50; i++) {
        if (autotune_call(tuner, &options) != AUTOTUNE_OK) _exit(3);
        if (autotune_call(failing, &options) != AUTOTUNE_FAILED) _exit(4);
        if (autotune_tune(tuner, &options) != AUTOTUNE_OK) _exit(5);
    }
    autotune_destroy(tuner);
    autotune_destroy(failing);
}
Test(misses, created_tuners_and_calls_that_fail_are_counted) {
    (void)run(call_created);
    const bytes all = read_file(misses_file);
    cr_assert(all.at && count_lines(all) == 2 && strstr(all.at, "\"tuner\":\"created\""), "%s", all.at);
    cr_assert_eq(sums_of(misses_file, 1).calls, 100, "50 of each: autotune_tune() is no call");
}
static void begin_steps(void) {
    const int64_t values[] = {7, 8};
    const autotune_axis axis = {.name = "x", .values = values, .count = 2};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = pass};
    autotune_tuner *tuner = autotune_create(&desc);
    const autotune_options options = {.mode = AUTOTUNE_CACHED,
                                      .key = {.count = 1, .types = AUTOTUNE_I64, .word = {1}, .text = "key"},
                                      .backend = backend()};
    for (int i = 0; i < 50; i++) {
        autotune_step step;
        if (autotune_step_begin(tuner, &options, &step) != AUTOTUNE_OK || step.config.values[0] != 7) _exit(3);
        virtual_ns += 1000;
        if (autotune_step_end(&step, 0) != AUTOTUNE_OK) _exit(4);
    }
    autotune_destroy(tuner);
}
Test(misses, steps_are_counted) {
    (void)run(begin_steps);
    const sums s = sums_of(misses_file, 1);
    cr_assert(s.calls == 50, "%g calls", s.calls);
}
static void leave_and_block(void) {
    for (int i = 0; i < 100; i++)
        AUTOTUNE_BLOCK(SPACE(AXIS(x, 0, 1)), .key = KEY(1), .name = "missed", .mode = AUTOTUNE_CACHED,
                       .backend = backend()) {
            (void)x;
            virtual_ns += 1000;
            if (i % 2) break;
        }
}
Test(misses, a_body_that_is_left_is_counted) { (void)run(leave_and_block); }

/* ---- When and where ---------------------------------------------------------------------------------------------- */

/* Calls until misses are written. This takes two seconds, and not a minute, although the process is killed then. */
static void until_killed(void) {
    struct timespec began, at;
    clock_gettime(CLOCK_MONOTONIC, &began);
    do {
        call_often(1, 1000);
        clock_gettime(CLOCK_MONOTONIC, &at);
    } while (access(misses_file, F_OK) != 0 && at.tv_sec - began.tv_sec < 60);
    if (fork() == 0) _exit(0); /* the child of a fork writes nothing */
    kill(getpid(), SIGKILL);
}
Test(misses, a_process_that_is_killed_has_written_now_and_then) {
    int status;
    mode = AUTOTUNE_CACHED;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) until_killed();
    cr_assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    const sums s = sums_of(misses_file, 1);
    cr_assert(s.lines == 1 && s.calls > 0, "%d lines, %g calls", s.lines, s.calls);
}
static void one_call_when_due(void) {
    call(2);
    make_misses_due();
    call(1);
    _exit(EXIT_SUCCESS); /* _exit() writes no more misses */
}
Test(misses, a_miss_that_is_due_at_once_is_written) {
    mode = AUTOTUNE_CACHED;
    (void)run(one_call_when_due);
    const sums s = sums_of(misses_file, 1);
    cr_assert(s.lines == 1 && s.calls == 1, "%d lines, %g calls", s.lines, s.calls);
}
static void fork_in_the_middle(void) {
    call_often(1, 10);
    const pid_t child = fork();
    if (child == 0) {
        call_often(1, 3);
        exit(EXIT_SUCCESS);
    }
    waitpid(child, NULL, 0);
    call_often(1, 10);
}
Test(misses, a_child_counts_its_own_calls) {
    mode = AUTOTUNE_CACHED;
    (void)run(fork_in_the_middle);
    cr_assert_eq(sums_of(misses_file, 1).calls, 23);
}
static void shut_down(void) {
    call_often(1, 5);
    if (autotune_shutdown() != AUTOTUNE_OK) _exit(3);
    call_often(1, 4);
}
Test(misses, a_shutdown_writes_them) {
    mode = AUTOTUNE_CACHED;
    (void)run(shut_down);
    cr_assert(sums_of(misses_file, 1).calls == 9 && sums_of(misses_file, 1).lines == 2);
}
static void hundred(void) { call_often(1, 100); }
Test(misses, the_variable_names_another_file_or_none) {
    char other[300];
    mode = AUTOTUNE_CACHED;
    snprintf(other, sizeof other, "%s/other", cache_folder);
    policy = AUTOTUNE_CACHE_READONLY;
    (void)run(hundred);
    cr_assert_eq(access(misses_file, F_OK), -1, "nothing is written to a cache that is only read");
    setenv("AUTOTUNE_MISSES", other, 1);
    (void)run(hundred);
    cr_assert(sums_of(other, 1).calls == 100 && access(misses_file, F_OK) != 0, "but to a file that is named");
    policy = AUTOTUNE_CACHE_ON;
    setenv("AUTOTUNE_MISSES", "off", 1);
    (void)run(hundred);
    cr_assert(access(misses_file, F_OK) != 0 && access("off", F_OK) != 0);
}
static void shut_down_as_nobody(void) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(EXIT_FAILURE);
    shut_down();
}
static void is_said_once(const char *why) {
    const seen s = run(shut_down);
    cr_assert(s.errors == 1 && s.calls[1] == 9 && contains(s.log, why), "%s: %s", why, s.log);
}
Test(misses, what_is_no_file_is_said_once) {
    char target[300];
    mode = AUTOTUNE_CACHED;
    snprintf(target, sizeof target, "%s/target", cache_folder);
    cr_assert_eq(mkdir(misses_file, 0700), 0);
    is_said_once("/misses.jsonl: Is a directory: misses are not written; AUTOTUNE_MISSES names another file");
    cr_assert(rmdir(misses_file) == 0 && symlink(target, misses_file) == 0);
    is_said_once("/misses.jsonl: is a link, which is not followed: misses are not written");
    cr_assert(access(target, F_OK) != 0 && unlink(misses_file) == 0 && mkfifo(misses_file, 0600) == 0);
    is_said_once("/misses.jsonl: is no regular file: misses are not written");
}
Test(misses, what_cannot_be_written_is_said_where_the_user_named_it) {
    char other[300];
    mode = AUTOTUNE_CACHED;
    cr_assert_eq(chmod(cache_folder, geteuid() == 0 ? 0755 : 0500), 0);
    seen s = run(geteuid() == 0 ? shut_down_as_nobody : shut_down);
    cr_assert(s.errors == 0 && s.calls[1] == 9, "%s", s.log);
    cr_assert_eq(chmod(cache_folder, 0700), 0);
    snprintf(other, sizeof other, "%s/absent/file", cache_folder);
    setenv("AUTOTUNE_MISSES", other, 1);
    s = run(shut_down);
    cr_assert(s.errors == 1 && contains(s.log, "absent/file") && contains(s.log, "AUTOTUNE_MISSES"), "%s", s.log);
}
Test(misses, a_line_that_was_cut_short_or_damaged_costs_only_itself) {
    mode = AUTOTUNE_CACHED;
    (void)run(thousand_and_ten);
    bytes all = read_file(misses_file);
    strstr(all.at, "\"key\":{\"key\":2")[0] ^= 4;
    write_file(misses_file, all.at, all.count - 30);
    (void)run(hundred);
    const sums s = sums_of(misses_file, 1);
    cr_assert_eq(sums_of(misses_file, 2).lines, 0);
    cr_assert(s.lines == 1 && s.calls == 100, "%d lines", s.lines);
}
Test(misses, so_does_the_only_line) {
    mode = AUTOTUNE_CACHED;
    (void)run(hundred);
    const bytes all = read_file(misses_file);
    write_file(misses_file, all.at, 30);
    (void)run(hundred);
    const sums s = sums_of(misses_file, 1);
    cr_assert(s.lines == 1 && s.calls == 100, "%d lines", s.lines);
}
Test(misses, a_file_of_something_else_is_left_alone) {
    static const char text[] = "what the user keeps there";
    char other[300];
    mode = AUTOTUNE_CACHED;
    snprintf(other, sizeof other, "%s/precious", cache_folder);
    write_file(other, text, sizeof text - 1);
    setenv("AUTOTUNE_MISSES", other, 1);
    const seen s = run(shut_down);
    cr_assert(s.errors == 1 && contains(s.log, "is of something else"), "%s", s.log);
    cr_assert_str_eq(read_file(other).at, text);
}
static void many_keys(void) {
    for (int key = 1; key <= 3000; key++) {
        each_ns = key == 77 ? 1000000 : 1000;
        call(key);
    }
}
static void many_keys_and_shut_down(void) {
    many_keys();
    (void)autotune_shutdown();
}
Test(misses, a_file_without_room_is_left_as_it_is) {
    char other[300];
    mode = AUTOTUNE_CACHED;
    snprintf(other, sizeof other, "%s/other", cache_folder);
    setenv("AUTOTUNE_MISSES", other, 1);
    while (access(other, F_OK) != 0 || read_file(other).count < 1 << 20)
        cr_assert(!contains(run(many_keys_and_shut_down).log, "no room"));
    const bytes before = read_file(other);
    cr_assert(contains(run(many_keys_and_shut_down).log, "other: has no room left"));
    const bytes after = read_file(other);
    cr_assert(before.count == after.count && !memcmp(before.at, after.at, after.count));
    cr_assert_eq(sound_lines(after), count_lines(after));
}
static void more_keys_than_are_noted(void) {
    for (int key = 1; key <= 4100; key++) call(key);
    (void)autotune_shutdown();
}
Test(misses, a_process_notes_4096_keys) {
    mode = AUTOTUNE_CACHED;
    run(more_keys_than_are_noted);
    cr_assert_eq(count_lines(read_file(misses_file)), 4096u);
}
Test(misses, several_processes_write_one_file) {
    enum { PROCESSES = 12 };
    int status;
    mode = AUTOTUNE_CACHED;
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            for (int k = 0; k < 20; k++) {
                hundred();
                (void)autotune_shutdown();
            }
            exit(EXIT_SUCCESS);
        }
    for (int i = 0; i < PROCESSES; i++) cr_assert(wait(&status) > 0 && status == 0);
    const bytes all = read_file(misses_file);
    cr_assert(sound_lines(all) == count_lines(all), "a torn line");
    cr_assert_eq(sums_of(misses_file, 1).calls, 100.0 * 20 * PROCESSES);
}

/* ---- Tuning what was missed -------------------------------------------------------------------------------------- */

static void three_keys(void) {
    for (int key = 1; key <= 3; key++) call_often(key, 3);
}
static void missed_run(void) {
    setenv("AUTOTUNE_MODE", "missed", 1);
    three_keys();
}
static void only_the_second(void) { call_often(2, 20); }
Test(misses, only_what_was_missed_is_tuned) {
    mode = AUTOTUNE_CACHED;
    (void)run(only_the_second);
    const bytes before = read_file(misses_file);
    mode = AUTOTUNE_ON;
    seen s = run(missed_run);
    cr_assert(s.trials[2] > 0 && s.trials[1] == 0 && s.trials[3] == 0 && s.errors == 0, "%s", s.log);
    cr_assert(s.calls[1] == 3 && s.calls[2] == 3 && s.calls[3] == 3);
    const bytes after = read_file(misses_file);
    cr_assert(before.count == after.count, "a tuning run counts nothing");
    s = run(missed_run);
    cr_assert(s.trials[2] == 0, "what is known is not tuned again");
    mode = AUTOTUNE_CACHED;
    s = run(only_the_second);
    cr_assert(s.last.index == 1 && s.last.cache_hit && sums_of(misses_file, 2).calls == 20, "nor missed");
}
Test(misses, on_another_device_or_where_the_author_forbids_it_nothing_is_tuned) {
    mode = AUTOTUNE_CACHED;
    (void)run(only_the_second);
    seen s = run(missed_run);
    cr_assert(s.trials[2] == 0, "the call site says CACHED");
    mode = AUTOTUNE_ON;
    device = "device two";
    s = run(missed_run);
    cr_assert(s.trials[2] == 0 && s.calls[2] == 3);
}
Test(misses, without_a_list_it_is_said_once) {
    const seen s = run(missed_run);
    cr_assert(s.trials[1] + s.trials[2] + s.trials[3] == 0 && s.calls[3] == 3);
    cr_assert(s.errors == 1 && contains(s.log, "misses.jsonl: has no miss: AUTOTUNE_MODE=missed tunes nothing"), "%s",
              s.log);
}
Test(misses, a_list_that_cannot_be_read_is_said_with_the_reason) {
    cr_assert_eq(mkdir(misses_file, 0700), 0);
    const seen s = run(missed_run);
    cr_assert(s.errors == 1 && contains(s.log, "misses.jsonl: is no regular file: AUTOTUNE_MODE=missed tunes nothing"),
              "%s", s.log);
    cr_assert_eq(rmdir(misses_file), 0);
}
Test(misses, of_a_huge_list_its_first_part_counts) {
    if (sizeof(off_t) < 8) cr_skip_test("no file of this size can be opened");
    const off_t huge = (off_t)(UINT64_C(8) << 30);
    struct rusage used;
    struct stat status;
    mode = AUTOTUNE_CACHED;
    (void)run(only_the_second);
    cr_assert_eq(truncate(misses_file, huge), 0);
    mode = AUTOTUNE_ON;
    const seen s = run(missed_run);
    cr_assert(s.trials[2] > 0 && s.trials[1] == 0 && s.errors == 1, "%s", s.log);
    cr_assert(contains(s.log, "misses.jsonl: is longer than 5 MiB: the rest is not read"), "%s", s.log);
    cr_assert(getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_maxrss < 500000, "%ld KiB", used.ru_maxrss);
    cr_assert(stat(misses_file, &status) == 0 && status.st_size == huge);
}
static int64_t two[] = {0, 1};
static int tuned[8], tuned_count;
static autotune_status launch_created(void *user, const autotune_config *config) {
    const int key = (int)(intptr_t)user;
    if (!tuned_count || tuned[tuned_count - 1] != key) tuned[tuned_count++] = key;
    virtual_ns += config->values[0] ? 100 : 1000;
    return AUTOTUNE_OK;
}
static autotune_options options_of(intptr_t key) {
    return (autotune_options){.key = {.count = 1, .types = AUTOTUNE_I64, .word = {(uint64_t)key}, .text = "n"},
                              .backend = backend(), .user = (void *)key, .mode = mode};
}
static autotune_tuner *tuner_of(void) {
    const autotune_axis axis = {.name = "x", .values = two, .count = 2};
    const autotune_desc desc = {.name = "queued", .axes = &axis, .axis_count = 1, .launch = launch_created};
    return autotune_create(&desc);
}
static void produce(void) {
    autotune_tuner *tuner = tuner_of();
    for (intptr_t key = 2; key <= 4; key++) {
        const autotune_options options = options_of(key);
        for (int i = 0; i < (key == 3 ? 50 : 10 * (int)key); i++) autotune_call(tuner, &options);
    }
}
static void tune_queued(void) {
    setenv("AUTOTUNE_MODE", "missed", 1);
    autotune_tuner *tuner = tuner_of();
    for (intptr_t key = 1; key <= 5; key++) {
        const autotune_options options = options_of(key);
        if (autotune_add(tuner, &options) != AUTOTUNE_OK) _exit(3);
    }
    if (autotune_tune_all() != AUTOTUNE_OK) _exit(4);
    memcpy(now->calls, tuned, sizeof now->calls);
    now->trials[0] = tuned_count;
}
Test(misses, tune_all_tunes_what_was_missed) {
    mode = AUTOTUNE_CACHED;
    (void)run(produce);
    mode = AUTOTUNE_ON;
    const seen s = run(tune_queued);
    cr_assert(s.trials[0] == 3 && s.calls[0] == 2 && s.calls[1] == 3 && s.calls[2] == 4, "%d: %d, %d, %d", s.trials[0],
              s.calls[0], s.calls[1], s.calls[2]);
}

/* ---- Without memory ---------------------------------------------------------------------------------------------- */

static long failing;
static void miss_without_memory(void) {
    call(3); /* makes the allocations that a process makes once */
    allocator.until_failure = failing;
    call_often(1, 20);
    (void)autotune_shutdown();
    allocator.until_failure = -1;
    now->trials[0] = allocator.failed;
}
Test(misses, each_allocation_fails_in_turn) {
    int counted = 0;
    mode = AUTOTUNE_CACHED;
    for (bool some = true; some; failing++) {
        remove(misses_file);
        const seen s = run(miss_without_memory);
        some = s.trials[0];
        cr_assert(s.calls[1] >= 19, "%ld: %d calls: %s", failing, s.calls[1], s.log);
        const bytes all = read_file(misses_file);
        cr_assert(!all.at || sound_lines(all) == count_lines(all));
        counted += sums_of(misses_file, 1).calls > 0;
    }
    cr_assert(failing > 20 && counted > 5, "%ld allocations, %d", failing, counted);
    failing = 0;
    mode = AUTOTUNE_ON;
}
