/* suite_cache_notes.c - launch notes: a run knows which launches ended an earlier run.

   Every run of a program is a child process here, and some of them crash. */
#define _DEFAULT_SOURCE
#include "virtual_clock.h"
#include "cache_file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- Runs of a program ------------------------------------------------------------------------------------------- */

enum { IDS = 8, MOST = 512 };
typedef struct seen {
    autotune_result result;
    int order[MOST]; /* configurations in the order of their first trial */
    int launched, trials, calls, id, setups;
    size_t errors;
    char log[sizeof logged];
    int status; /* the status of the process, from waitpid() */
} seen;
static seen *now; /* the figures of the run in this process */

/* How the program ends, and when. */
typedef enum ending { NOTHING, ABORT, SEGMENT, LEAVE, KILL, WAIT, RETURN, LOSE } ending;
static int wait_here[2], go_on[2]; /* pipes: `wait_here` says that a launch waits, `go_on` lets it go on */
static uint64_t killed_at_ns = UINT64_MAX;
static ending ends;
static int ends_at = 3;       /* the configuration that ends the program, in a trial */
static int ends_at_trial = 1; /* the number of the trial of this configuration that ends the program */
static bool ends_anywhere;    /* the next first launch of any configuration ends the program */
static int killed_at_setup;   /* the number of the setup that kills the program, between two launches; 0: none */
static int times[MOST];

static void wait_for_a_byte(void) {
    char byte = 0;
    if (write(wait_here[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1) abort();
}
static void end_by(ending how) {
    switch (how) {
    case ABORT: abort();
    case SEGMENT: raise(SIGSEGV); break;
    case LEAVE: exit(3);
    case KILL: raise(SIGKILL); break;
    case WAIT:
        if (write(wait_here[1], "", 1) == 1) pause();
        break;
    case RETURN: wait_for_a_byte(); break;
    default: break;
    }
}
static int best = 5;
static autotune_status launch(int id, bool trial) {
    virtual_ns += 100000 + 10000 * (uint64_t)abs(id - best);
    if (!trial) {
        now->calls++;
        now->id = id;
        return AUTOTUNE_OK;
    }
    now->trials++;
    if (times[id]++ == 0 && now->launched < MOST) now->order[now->launched++] = id;
    if (ends != NOTHING && ((ends_anywhere && times[id] == 1) || (id == ends_at && times[id] == ends_at_trial))) {
        if (ends == LOSE) return AUTOTUNE_ERR_DEVICE;
        end_by(ends);
    }
    return AUTOTUNE_OK;
}
static void set_up(void *user, const autotune_config *config) {
    (void)config;
    (void)user;
    if (++now->setups == killed_at_setup) raise(SIGKILL);
}
static autotune_error_class classify(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE : AUTOTUNE_ERROR_CONFIGURATION;
}
static autotune_status start_in_vain(autotune_backend *self) {
    (void)self;
    return AUTOTUNE_FAILED;
}
static autotune_status stop_nothing(autotune_backend *self, double *ns) {
    (void)self, (void)ns;
    return AUTOTUNE_OK;
}
static bool isolated, no_launch_begins, elsewhere;
static autotune_backend *backend(void) {
    static autotune_backend second; /* races on one device take turns, so a second device is needed */
    autotune_backend *virtual = virtual_backend();
    if (elsewhere) {
        second = *virtual;
        second.device = "another device";
        virtual = &second;
    }
    virtual->start = no_launch_begins ? start_in_vain : NULL;
    virtual->stop = no_launch_begins ? stop_nothing : NULL;
    virtual->classify = isolated ? NULL : classify; /* a backend that classifies errors is not isolated */
    return virtual;
}

static int key = 1, last_id = IDS - 1;
static autotune_mode mode;
static autotune_cache policy;
static autotune_strategy strategy;
static const char *version, *name;
static void program(void) {
    AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1)), 1, launch(id, autotune_trial), .key = KEY(key), .mode = mode,
             .cache = policy, .version = version, .name = name, .strategy = strategy,
             .setup = killed_at_setup ? set_up : NULL, .isolate = isolated ? AUTOTUNE_CHILD : AUTOTUNE_IN_PROCESS,
             .backend = backend(), .result = &now->result);
}

static pid_t start(void (*function)(void), seen *shared) {
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        alarm(600); /* a child that waits for a failed test ends at last */
        signal(SIGABRT, SIG_DFL); /* a sanitizer's handlers are for the test, not for the programs that it watches */
        signal(SIGSEGV, SIG_DFL);
        now = shared;
        autotune_set_log(keep_line, NULL);
        function();
        memcpy(now->log, logged, sizeof logged);
        now->errors = logged_lines[AUTOTUNE_LOG_ERRORS];
        _exit(EXIT_SUCCESS);
    }
    return child;
}
static seen finish(pid_t child, seen *shared) {
    seen all;
    cr_assert(waitpid(child, &shared->status, 0) == child);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
static seen run_of(void (*function)(void)) {
    seen *shared = shared_memory(sizeof *shared);
    return finish(start(function, shared), shared);
}
static seen run(void) { return run_of(program); }
static seen dies(ending how) {
    ends = how;
    const seen s = run();
    ends = NOTHING;
    cr_assert(how == LEAVE ? WIFEXITED(s.status) && WEXITSTATUS(s.status) == 3 : WIFSIGNALED(s.status), "%x",
              (unsigned)s.status);
    cr_assert_eq(s.calls, 0);
    return s;
}
static bool lives(seen s) {
    return WIFEXITED(s.status) && WEXITSTATUS(s.status) == EXIT_SUCCESS && s.result.status == AUTOTUNE_OK &&
           s.calls == 1;
}
static bool launched(seen s, int id) {
    for (int i = 0; i < s.launched; i++)
        if (s.order[i] == id) return true;
    return false;
}
static bool last(seen s, int id) { return s.launched > 0 && s.order[s.launched - 1] == id; }
static bool says(seen s, const char *what) { return strstr(s.log, what) != NULL; }
static const char tried_last[] = "tried last: it did not come back in an earlier run",
                  skipped[] = "skipped: it did not come back in earlier runs, again and again, or lost the device";

/* ---- The files ------------------------------------------------------------------------------------------------------
 */

static char notes_file[600];
/* Finds the file of notes, for tests that damage it. Stores its path in notes_file. */
static bool find_notes(void) {
    char folder[300];
    bool found = false;
    snprintf(folder, sizeof folder, "%s/notes", cache_folder);
    DIR *all = opendir(folder);
    const struct dirent *entry;
    while (all && (entry = readdir(all)) != NULL) {
        if (*entry->d_name == '.') continue;
        snprintf(notes_file, sizeof notes_file, "%s/%s", folder, entry->d_name);
        found = true;
    }
    if (all) closedir(all);
    return found;
}
static bool record_says(const char *what) {
    const bytes all = cache_bytes();
    return all.at && strstr(all.at, what) != NULL;
}

/* ---- The next run ---------------------------------------------------------------------------------------------------
 */

/* Makes the next run, which tunes even if a winner is known. The run uses a copy of the cache, so that later runs of
   the test do not see its results. */
static seen next_run_of(void (*function)(void)) {
    const autotune_mode mode_of_test = mode;
    const autotune_cache policy_of_test = policy;
    char copy[300], command[900];
    snprintf(copy, sizeof copy, "%s-next", cache_folder);
    snprintf(command, sizeof command, "rm -rf '%s' && cp -Rp '%s' '%s'", copy, cache_folder, copy);
    cr_assert_eq(system(command), 0);
    setenv("AUTOTUNE_CACHE_DIR", copy, 1);
    mode = AUTOTUNE_FORCE;
    policy = AUTOTUNE_CACHE_ON;
    const seen s = run_of(function);
    mode = mode_of_test;
    policy = policy_of_test;
    setenv("AUTOTUNE_CACHE_DIR", cache_folder, 1);
    snprintf(command, sizeof command, "rm -rf '%s'", copy);
    cr_assert_eq(system(command), 0);
    return s;
}
static seen next_run(void) { return next_run_of(program); }
static bool blames_nobody(seen s) {
    return lives(s) && s.errors == 0 && !says(s, tried_last) && !says(s, skipped) && s.launched > 1;
}
static bool tries_last(seen s, int id) { return lives(s) && last(s, id) && says(s, tried_last); }
static bool skips(seen s, int id) { return lives(s) && !launched(s, id) && says(s, skipped); }

TestSuite(notes, .init = use_new_folder, .fini = remove_folder);
TestSuite(online, .init = use_new_folder, .fini = remove_folder);
TestSuite(isolation, .init = use_new_folder, .fini = remove_folder);

/* ---- Launches that do not return --------------------------------------------------------------------------------- */

static void once_and_twice(ending how) {
    const seen first = dies(how);
    cr_assert(last(first, 3), "it died there");
    cr_assert(tries_last(next_run(), 3));
    const seen second = dies(how);
    cr_assert(second.launched == IDS && last(second, 3), "tried last, and died again");
    const seen third = run();
    cr_assert(lives(third) && third.id == 5 && !launched(third, 3));
    cr_assert(says(third, skipped) && says(third, "id=3") && third.errors == 1, "%s", third.log);
    cr_assert(third.result.failed == 1 && third.result.space_size == IDS);
    cr_assert(record_says(skipped));
    const seen fourth = run();
    cr_assert(lives(fourth) && fourth.result.cache_hit && fourth.errors == 0);
    cr_assert(fourth.id == 5 && fourth.result.verdict == AUTOTUNE_UNRESOLVED);
}
Test(notes, abort_twice) { once_and_twice(ABORT); }
Test(notes, a_segmentation_fault_twice) { once_and_twice(SEGMENT); }
Test(notes, exit_twice) { once_and_twice(LEAVE); }
Test(notes, killed_twice_in_a_launch) { once_and_twice(KILL); }

Test(notes, what_is_skipped_leaves_the_verdict_open) {
    for (int i = 0; i < 2; i++) {
        mode = i ? AUTOTUNE_FORCE : AUTOTUNE_ON;
        last_id = 1, best = 0, ends_at = 1;
        dies(LEAVE);
        dies(LEAVE);
        seen s = run();
        cr_assert(lives(s) && s.id == 0 && s.result.verdict == AUTOTUNE_UNRESOLVED, "the only one that is left");
        mode = AUTOTUNE_ON;
        s = run();
        cr_assert(lives(s) && s.result.cache_hit && s.result.verdict == AUTOTUNE_UNRESOLVED,
                  "in the next process, too");
        key++;
    }
}
Test(notes, what_comes_back_is_acquitted) {
    dies(ABORT);
    best = 3;
    const seen s = run();
    cr_assert(lives(s) && last(s, 3) && s.id == 3, "it may win");
    cr_assert(says(s, tried_last) && s.errors == 1, "%s", s.log);
    cr_assert(record_says(tried_last));
    cr_assert(blames_nobody(next_run()));
}
Test(notes, what_was_not_launched_is_not_acquitted) {
    dies(ABORT);
    no_launch_begins = true;
    cr_assert_eq(run().result.status, AUTOTUNE_ERR_ALL_FAILED);
    no_launch_begins = false;
    const seen s = run();
    cr_assert(lives(s) && last(s, 3) && says(s, tried_last), "%s", s.log);
}
Test(notes, a_crash_after_one_that_came_back_is_the_first) {
    dies(ABORT);
    cr_assert(lives(run()));
    mode = AUTOTUNE_FORCE;
    dies(ABORT);
    const seen s = run();
    cr_assert(lives(s) && last(s, 3) && says(s, tried_last));
}
Test(notes, two_that_crash) {
    dies(ABORT);
    ends_at = 6;
    dies(ABORT);
    const seen s = run();
    cr_assert(lives(s) && s.launched == IDS);
    cr_assert(s.order[IDS - 2] + s.order[IDS - 1] == 9 && abs(s.order[IDS - 2] - s.order[IDS - 1]) == 3,
              "both are last");
    cr_assert_eq(s.errors, 2u);
    cr_assert(blames_nobody(next_run()));
}
Test(notes, the_first_configuration_that_crashes) {
    ends_at = 0;
    cr_assert_eq(dies(ABORT).launched, 1);
    cr_assert(last(dies(ABORT), 0));
    const seen s = run();
    cr_assert(lives(s) && s.id == 5 && !launched(s, 0));
}
Test(notes, where_all_are_skipped_none_works) {
    last_id = 1;
    for (ends_at = 0; ends_at < 2; ends_at++)
        for (int i = 0; i < 2; i++) dies(ABORT);
    const seen s = run();
    cr_assert(s.result.status == AUTOTUNE_ERR_ALL_FAILED && s.trials == 0 && s.calls == 0);
    cr_assert(says(s, "none of 2 configurations works") && says(s, skipped), "%s", s.log);
}
Test(notes, only_the_first_launch_of_a_configuration_is_written) {
    ends_at_trial = 2;
    ends_at = 5;
    dies(ABORT);
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0);
}

/* ---- The device is lost ---------------------------------------------------------------------------------------------
 */

static seen loses(void) {
    ends = LOSE;
    const seen s = run();
    ends = NOTHING;
    cr_assert(s.result.status == AUTOTUNE_ERR_DEVICE && s.calls == 0);
    return s;
}
static void lost(void) {
    loses();
    const seen next = run();
    cr_assert(lives(next) && !launched(next, ends_at) && says(next, skipped), "%s", next.log);
    cr_assert(next.result.verdict == AUTOTUNE_UNRESOLVED);
    cr_assert(skips(next_run(), ends_at), "in the run after that, too");
}
Test(notes, a_configuration_that_loses_the_device) { lost(); }
Test(notes, a_configuration_that_loses_the_device_later) {
    ends_at_trial = 2;
    ends_at = 5;
    lost();
}

/* ---- Launches that must not become suspects ---------------------------------------------------------------------- */

Test(notes, killed_between_two_launches) {
    killed_at_setup = 5;
    const seen dead = run();
    cr_assert(WIFSIGNALED(dead.status) && dead.trials == 4);
    killed_at_setup = 0;
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0 && s.launched == IDS);
    cr_assert(blames_nobody(next_run()));
}
static void *race_in_a_thread(void *unused) {
    program();
    return unused;
}
static autotune_status call_that_waits(int id) {
    virtual_ns += 1000000;
    if (id == ends_at) end_by(WAIT);
    return AUTOTUNE_OK;
}
static void *call_in_a_thread(void *unused) {
    for (int i = 0; i < 1000; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1)), 1, call_that_waits(id), .key = KEY(key), .mode = AUTOTUNE_ONLINE,
                 .backend = backend());
    return unused;
}
static void makes_calls(void) { (void)call_in_a_thread(NULL); }
static void ends_beside_a_race(void) { /* the fourth configuration waits until the program ends */
    static pthread_t thread;
    char byte = 0;
    if (pthread_create(&thread, NULL, race_in_a_thread, NULL) != 0 || read(wait_here[0], &byte, 1) != 1) abort();
    exit(EXIT_SUCCESS);
}
Test(notes, exit_beside_a_launch_blames_nobody) {
    cr_assert(pipe(wait_here) == 0);
    for (int i = 0; i < 10; i++) {
        ends = WAIT;
        const seen dead = run_of(ends_beside_a_race);
        cr_assert(WIFEXITED(dead.status) && dead.trials > 0, "%d", i);
    }
    ends = NOTHING;
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0 && s.launched == IDS, "%s", s.log);
}
/* The program's own handler of atexit() runs after the handler of the library, and lets the race go on. The launch that
   follows must not become a suspect. */
static void let_a_launch_begin(void) {
    char byte = 0;
    ends = WAIT;
    if (write(go_on[1], "", 1) != 1 || read(wait_here[0], &byte, 1) != 1) abort();
}
static void ends_while_a_race_goes_on(void) {
    if (atexit(let_a_launch_begin) != 0) abort();
    ends_anywhere = true;
    ends_beside_a_race();
}
Test(notes, launches_after_exit_are_not_to_blame) {
    cr_assert(pipe(wait_here) == 0 && pipe(go_on) == 0);
    ends = RETURN;
    const seen dead = run_of(ends_while_a_race_goes_on);
    cr_assert(WIFEXITED(dead.status) && dead.trials > 1);
    ends = NOTHING;
    cr_assert(blames_nobody(next_run()));
}
static void exits_in_a_launch(void) {
    char byte = 0;
    if (read(wait_here[0], &byte, 1) != 1) abort();
    name = "other";
    elsewhere = true;
    ends = LEAVE;
    memset(times, 0, sizeof times);
    program();
}
static void exits_in_a_launch_beside_a_race(void) {
    static pthread_t thread;
    if (pthread_create(&thread, NULL, race_in_a_thread, NULL) != 0) abort();
    exits_in_a_launch();
}
Test(notes, exit_in_a_launch_blames_that_alone) {
    cr_assert(pipe(wait_here) == 0);
    ends = WAIT;
    const seen dead = run_of(exits_in_a_launch_beside_a_race);
    cr_assert(WIFEXITED(dead.status) && WEXITSTATUS(dead.status) == 3);
    ends = NOTHING;
    const seen innocent = run();
    cr_assert(lives(innocent) && innocent.errors == 0, "%s", innocent.log);
    name = "other";
    elsewhere = true;
    const seen guilty = run();
    cr_assert(lives(guilty) && guilty.errors == 1 && last(guilty, ends_at), "%s", guilty.log);
    cr_assert(says(guilty, tried_last));
}
static void ends_beside_a_call(void) { /* mode ONLINE: makes calls until a call waits */
    static pthread_t thread;
    char byte = 0;
    if (pthread_create(&thread, NULL, call_in_a_thread, NULL) != 0 || read(wait_here[0], &byte, 1) != 1) abort();
    exit(EXIT_SUCCESS);
}
Test(online, exit_beside_a_measured_call_blames_nobody) {
    cr_assert(pipe(wait_here) == 0);
    const seen dead = run_of(ends_beside_a_call);
    cr_assert(WIFEXITED(dead.status));
    ends_at = -1;
    const seen next = run_of(makes_calls);
    cr_assert(WIFEXITED(next.status) && WEXITSTATUS(next.status) == EXIT_SUCCESS && next.errors == 0, "%s", next.log);
}

static void (*in_launch)(void); /* runs in the first launch of configuration 3 */
static void does_not_stop(void) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, last_id, 1)), .name = "a", .key = KEY(key), .cache = policy, .backend = backend(),
                   .result = &now->result) {
        (void)launch(id, autotune_trial);
        if (autotune_trial && id == 3 && times[3] == 1 && in_launch) in_launch();
    }
}
static void fork_and_end(void) { /* the child ends by exit(), as the child of a library may */
    const pid_t child = fork();
    if (child == 0) exit(EXIT_SUCCESS);
    if (child < 0 || waitpid(child, NULL, 0) != child) abort();
    raise(SIGKILL);
}
static void forks_in_a_launch(void) {
    in_launch = fork_and_end;
    does_not_stop();
}
Test(notes, exit_in_a_child_is_not_its_parent_s) {
    const seen dead = run_of(forks_in_a_launch);
    cr_assert(WIFSIGNALED(dead.status));
    cr_assert(tries_last(next_run_of(does_not_stop), 3));
}

static void leave_a_child(void) { /* leaves a child, and is killed */
    if (fork() == 0) {
        char byte;
        alarm(600); /* an alarm of the parent is not inherited */
        _exit(read(wait_here[0], &byte, 1) == 1 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    raise(SIGKILL);
}
static void forks_a_child_that_stays(void) {
    in_launch = leave_a_child;
    does_not_stop();
}
Test(notes, a_child_does_not_keep_the_locks_of_its_parent) {
    cr_assert(pipe(wait_here) == 0);
    cr_assert(WIFSIGNALED(run_of(forks_a_child_that_stays).status));
    const seen s = run_of(does_not_stop);
    cr_assert(lives(s) && s.launched == IDS && last(s, 3), "%s", s.log);
    cr_assert(write(wait_here[1], "", 1) == 1);
}

/* Runs are stopped at random; then a run finds the best configuration, or reports that it is skipped. A run is stopped
   when its clock reaches a random time. So long launches are stopped more often than short launches. */
static autotune_status stoppable_launch(int id, bool trial) {
    const autotune_status status = launch(id, trial);
    if (trial && virtual_ns >= killed_at_ns) raise(SIGKILL);
    return status;
}
static void stoppable(void) {
    AUTOTUNE(SPACE(AXIS(id, 3, 9, 5, 30)), 1, stoppable_launch(id, autotune_trial), .key = KEY(key),
             .backend = backend(), .result = &now->result);
}
Test(notes, stopped_at_random_the_best_is_found_or_said_to_be_skipped) {
    uint64_t random = 1;
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 6; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            killed_at_ns = virtual_ns + 1 + (random >> 33) % 1500000; /* during the first launches, or soon after */
            const seen s = run_of(stoppable);
            if (lives(s)) break;
        }
        killed_at_ns = UINT64_MAX;
        const seen s = run_of(stoppable);
        cr_assert(lives(s) && (s.id == 5 || (says(s, skipped) && !launched(s, 5))), "round %d: %s", round, s.log);
        cr_assert(!says(s, skipped) || s.result.verdict == AUTOTUNE_UNRESOLVED, "round %d", round);
        key++;
    }
}
Test(notes, a_race_that_ends_blames_nobody) {
    cr_assert(lives(run()));
    cr_assert(blames_nobody(next_run()));
}
static void leaves_the_body(void) {
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, last_id, 1)), .key = KEY(key), .backend = backend(), .result = &now->result) {
        (void)launch(id, autotune_trial);
        if (autotune_trial && id == 3) break;
    }
}
Test(notes, a_body_that_is_left) {
    for (int i = 0; i < 2; i++) {
        const seen s = run_of(leaves_the_body);
        cr_assert(WIFEXITED(s.status) && s.trials > 0 && !says(s, tried_last) && !says(s, skipped), "%s", s.log);
    }
}
Test(notes, another_version_or_key) {
    dies(ABORT);
    version = "2";
    seen s = run();
    cr_assert(lives(s) && s.errors == 0 && launched(s, 3));
    version = NULL;
    key = 2;
    s = run();
    cr_assert(lives(s) && s.errors == 0 && launched(s, 3));
    key = 1;
    s = run();
    cr_assert(lives(s) && says(s, tried_last));
}
Test(notes, a_space_that_grew) {
    dies(ABORT);
    dies(ABORT);
    last_id = IDS;
    const seen s = run();
    cr_assert(lives(s) && !launched(s, 3) && launched(s, IDS) && says(s, skipped));
}
Test(notes, a_program_that_was_rebuilt_tries_again_last) {
    dies(ABORT);
    dies(ABORT);
    cr_assert(find_notes() && edit_records(notes_file, "\"program\":\"", "\"program\":\"x") > 0);
    const seen s = run();
    cr_assert(tries_last(s, 3));
    cr_assert(blames_nobody(next_run()));
}

/* ---- Caches that are off, read-only or not writable -------------------------------------------------------------- */

Test(notes, off_writes_nothing) {
    policy = AUTOTUNE_CACHE_OFF;
    dies(ABORT);
    cr_assert_eq(access(cache_file, F_OK), -1);
    cr_assert(blames_nobody(next_run()));
}
Test(notes, off_reads_nothing) {
    dies(ABORT);
    dies(ABORT);
    policy = AUTOTUNE_CACHE_OFF;
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0 && launched(s, 3));
    cr_assert(skips(next_run(), 3));
}
Test(notes, readonly_neither_writes_nor_reads_them) {
    policy = AUTOTUNE_CACHE_READONLY;
    dies(ABORT);
    cr_assert(blames_nobody(next_run()));
    policy = AUTOTUNE_CACHE_ON;
    dies(ABORT);
    policy = AUTOTUNE_CACHE_READONLY;
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0 && launched(s, 3));
    cr_assert(tries_last(next_run(), 3));
}
Test(notes, a_folder_that_cannot_be_made_is_said_once) {
    char path[300];
    snprintf(path, sizeof path, "%s/notes", cache_folder);
    write_file(path, "", 0);
    const seen s = run();
    cr_assert(lives(s) && s.errors == 1 && says(s, "will not be known to the next run"), "%s", s.log);
}

/* ---- Damage ---------------------------------------------------------------------------------------------------------
 */

static void append_to_notes(const char *text, size_t count) {
    const int file = open(notes_file, O_WRONLY | O_APPEND);
    cr_assert(file >= 0 && write(file, text, count) == (ssize_t)count);
    close(file);
}
Test(notes, damaged_lines_are_ignored) {
    dies(ABORT);
    cr_assert(find_notes());
    append_to_notes("{\"autotune\":1,\"id\":\n\n\x18\n{\"autotune\":1", 31);
    const seen s = dies(ABORT);
    cr_assert(last(s, 3) && s.launched == IDS);
    cr_assert(skips(run(), 3));
}
Test(notes, a_line_that_was_damaged_does_not_count) {
    dies(ABORT);
    cr_assert(find_notes());
    bytes all = read_file(notes_file);
    all.at[all.count / 2] ^= 1;
    write_file(notes_file, all.at, all.count);
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0);
    cr_assert(blames_nobody(next_run()));
}
Test(notes, a_line_without_its_end_does_not_count) {
    dies(ABORT);
    cr_assert(find_notes());
    const bytes all = read_file(notes_file);
    write_file(notes_file, all.at, all.count - 1);
    const seen s = run();
    cr_assert(lives(s) && s.errors == 0);
}
Test(notes, its_size_is_bounded) {
    dies(ABORT);
    cr_assert(find_notes());
    const bytes one = read_file(notes_file);
    for (size_t i = 0; i <= (256u << 10) / one.count; i++) append_to_notes(one.at, one.count);
    ends_at = 4;
    cr_assert(!launched(dies(ABORT), 3), "its notes are read");
    const seen s = run();
    cr_assert(launched(s, 3) && tries_last(s, 4), "and begun anew");
}

/* ---- Several processes ----------------------------------------------------------------------------------------------
 */

static void stops_in_a_launch(void) {
    in_launch = wait_for_a_byte;
    does_not_stop();
}
Test(notes, a_line_of_a_process_that_lives_blames_nobody) {
    seen *first = shared_memory(sizeof *first);
    char byte = 0;
    seen s;
    cr_assert(pipe(wait_here) == 0 && pipe(go_on) == 0);
    const pid_t lives_on = start(stops_in_a_launch, first);
    cr_assert(read(wait_here[0], &byte, 1) == 1);
    key = 2; /* a run of another key at the same time */
    ends = ABORT;
    s = run_of(does_not_stop);
    ends = NOTHING;
    cr_assert(WIFSIGNALED(s.status));
    key = 1; /* the same key: its note is open, but its process still runs, so it has not crashed */
    policy = AUTOTUNE_CACHE_READONLY;
    s = run_of(does_not_stop);
    cr_assert(lives(s) && s.errors == 0, "%s", s.log);
    policy = AUTOTUNE_CACHE_ON;
    cr_assert(write(go_on[1], &byte, 1) == 1);
    s = finish(lives_on, first);
    cr_assert(lives(s) && s.errors == 0);
    key = 2;
    cr_assert(tries_last(run_of(does_not_stop), 3));
}
Test(notes, a_process_that_is_killed_blames_where_it_was) {
    seen *first = shared_memory(sizeof *first);
    char byte = 0;
    cr_assert(pipe(wait_here) == 0 && pipe(go_on) == 0);
    const pid_t child = start(stops_in_a_launch, first);
    cr_assert(read(wait_here[0], &byte, 1) == 1);
    kill(child, SIGKILL);
    finish(child, first);
    const seen s = run_of(does_not_stop);
    cr_assert(tries_last(s, 3), "%s", s.log);
}

/* ---- A suspect is launched last, whatever the order -------------------------------------------------------------- */

static void is_last_with(autotune_strategy chosen, int points) {
    strategy = chosen;
    last_id = points - 1;
    ends_at = 0; /* every strategy tries configuration 0, and tries it first */
    dies(ABORT);
    const seen s = run();
    cr_assert(lives(s) && last(s, 0) && s.launched > 1, "%d of %d", s.launched, points);
    for (int i = 0; i < s.launched - 1; i++) cr_assert(s.order[i] != 0, "once");
    cr_assert(s.id != 0 && says(s, tried_last));
}
Test(notes, last_in_the_order_of_the_space) { is_last_with(AUTOTUNE_EXHAUSTIVE, 20); }
Test(notes, last_in_a_random_order) { is_last_with(AUTOTUNE_RANDOM, 20); }
Test(notes, last_where_all_are_tried_after_eight) { is_last_with(AUTOTUNE_AUTO, 200); }
Test(notes, last_after_a_search_by_model) { is_last_with(AUTOTUNE_SURROGATE, 300); }
static autotune_status sampled_launch(int a, int b, bool trial) {
    const int point = 1000 * a + b;
    virtual_ns += 100000 + (uint64_t)(a + b);
    if (trial && !launched(*now, point)) now->order[now->launched++] = point;
    if (trial && ends != NOTHING && now->launched == ends_at) end_by(ends);
    now->calls += !trial;
    return AUTOTUNE_OK;
}
static void of_a_sampled_space(void) {
    AUTOTUNE(SPACE(RANGE(a, 0, 19999, 1), RANGE(b, 0, 999, 1)), 1, sampled_launch(a, b, autotune_trial),
             .strategy = AUTOTUNE_SURROGATE, .backend = backend(), .result = &now->result);
}
static void is_last_of_what_is_sampled(int nth) {
    ends = ABORT;
    ends_at = nth;
    seen s = run_of(of_a_sampled_space);
    const int suspect = s.order[nth - 1];
    cr_assert(WIFSIGNALED(s.status) && s.launched == nth);
    ends = NOTHING;
    s = run_of(of_a_sampled_space);
    cr_assert(lives(s) && s.launched > nth && last(s, suspect) && says(s, tried_last));
}
Test(notes, last_in_a_space_that_is_sampled) { is_last_of_what_is_sampled(1); }
Test(notes, last_in_a_space_that_is_sampled_where_the_search_draws_it) { is_last_of_what_is_sampled(12); }
static void with_priorities(void) {
    AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1),
                   PRIORITY(id == 3  ? 2
                            : id < 6 ? 1
                                     : 0),
                   MODEL(id)),
             1, launch(id, autotune_trial), .backend = backend(), .result = &now->result);
}
Test(notes, alone_in_its_priority_it_is_tried_at_its_turn) {
    ends = ABORT;
    for (int i = 0; i < 2; i++) cr_assert(WIFSIGNALED(run_of(with_priorities).status));
    ends = NOTHING;
    const seen s = run_of(with_priorities);
    cr_assert(lives(s) && !launched(s, 3) && s.id == 5 && !launched(s, 6), "then those of the next lower");
}

/* Two blocks in one function, with one key. A configuration that ended the program in one block is no suspect in the
   other block. */
static void two_blocks(void) {
    if (ends)
        AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, last_id, 1)), .backend = backend()) { (void)launch(id, autotune_trial); }
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, last_id, 1)), .backend = backend(), .result = &now->result) {
        (void)launch(id, autotune_trial);
    }
}
Test(notes, a_block_is_not_blamed_for_another) {
    ends = ABORT;
    for (int i = 0; i < 2; i++) cr_assert(WIFSIGNALED(run_of(two_blocks).status));
    ends = NOTHING;
    const seen s = run_of(two_blocks);
    cr_assert(lives(s) && s.id == 5 && launched(s, 3) && !says(s, skipped) && s.errors == 0, "%s", s.log);
}

/* ---- Forgetting -----------------------------------------------------------------------------------------------------
 */

static int where_to_clear;
static const char *name_to_clear;
static void clears(void) {
    autotune_key two = KEY(2);
    now->result.status = autotune_clear(name_to_clear, where_to_clear == 2 ? &two : NULL, AUTOTUNE_DISK);
}
static void cheapest_three(void) { /* .top_k with MODEL: id 0, 1 and 2 are the cheapest */
    AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1), MODEL(id)), 1, launch(id, autotune_trial), .key = KEY(key), .top_k = 3,
             .backend = backend(), .result = &now->result);
}
Test(notes, who_is_tried_late_counts_for_top_k_as_others_do) {
    ends = ABORT, ends_at = 1;
    cr_assert(WIFSIGNALED(run_of(cheapest_three).status));
    ends = NOTHING;
    const seen s = run_of(cheapest_three);
    cr_assert(lives(s) && s.launched == 3 && last(s, 1) && launched(s, 0) && launched(s, 2), "%s", s.log);
}
/* A body closes all open files. Then it opens its own files, one of which gets the number of the file of notes. The
   library must not write to it. */
static char precious[600];
static void close_all_and_write(int id, bool trial) {
    static int done;
    (void)launch(id, trial);
    if (done++) return;
    for (int file = 3; file < 64; file++) close(file);
    for (int i = 0; i < 40; i++)
        if (open(precious, O_RDWR) < 0) abort();
}
static void closes_descriptors(void) {
    AUTOTUNE(SPACE(RANGE(id, 0, last_id, 1)), 1, close_all_and_write(id, autotune_trial), .key = KEY(key),
             .backend = backend(), .result = &now->result);
}
Test(notes, a_file_that_got_its_descriptor_is_left_alone) {
    static const char text[] = "what the program keeps there";
    snprintf(precious, sizeof precious, "%s/precious", cache_folder);
    write_file(precious, text, sizeof text - 1);
    const seen s = run_of(closes_descriptors);
    cr_assert(WIFEXITED(s.status) && s.result.status == AUTOTUNE_OK && s.calls == 1, "%s", s.log);
    const bytes now_there = read_file(precious);
    cr_assert(now_there.count == sizeof text - 1 && !memcmp(now_there.at, text, now_there.count), "%.100s",
              now_there.at);
}
Test(notes, clear_forgets) {
    name = "one";
    dies(ABORT);
    key = 2;
    dies(ABORT);
    name = "two";
    dies(ABORT);
    name_to_clear = "two";
    run_of(clears);
    cr_assert(blames_nobody(next_run()));
    name = "one";
    cr_assert(tries_last(next_run(), ends_at));
    name_to_clear = NULL;
    where_to_clear = 2;
    run_of(clears);
    cr_assert(blames_nobody(next_run()));
    key = 1;
    cr_assert(tries_last(next_run(), ends_at));
    where_to_clear = 0;
    run_of(clears);
    cr_assert(blames_nobody(next_run()));
}

/* ---- Trials in a child process --------------------------------------------------------------------------------------
 */

/* A crash in a child is a failure, which is in the record. So no launch note is left. */
Test(isolation, a_crash_in_a_child_is_in_the_record) {
    isolated = true;
    ends = ABORT;
    const seen first = run();
    cr_assert(lives(first) && launched(first, ends_at) && first.result.failed == 1);
    cr_assert(record_says("\"state\":\"failed\"") && record_says("killed by signal 6 (Aborted)"));
    const seen second = run();
    cr_assert(lives(second) && second.result.cache_hit && second.trials == 0);
}
/* A suspect is launched in a child, like any other configuration. There it works or fails. */
Test(isolation, a_suspect_is_launched_in_a_child) {
    for (int again = 0; again < 2; again++) dies(ABORT);
    isolated = true;
    const seen s = run();
    cr_assert(lives(s) && launched(s, ends_at) && s.result.failed == 0 && !says(s, skipped));
    cr_assert(blames_nobody(next_run()));
}
