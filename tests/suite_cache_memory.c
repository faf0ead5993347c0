/* suite_cache_memory.c - the cache on disk and its launch notes when memory or disk space runs out. In each run another
   allocation fails, and writes fail at random. Either the call is made once and the buffers are right, or the call is
   not made and the status says why. Files on disk stay sound. Further tests: processes that save to one path, and the
   dates of records.*/
#define _DEFAULT_SOURCE
#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static long until_failure = -1; /* how many allocations succeed before one fails; -1: all succeed */
static bool one_failed;
static long blocks; /* how many blocks are not freed yet */
static void *allocate_or_fail(void *old, size_t bytes) {
    if (until_failure >= 0 && until_failure-- == 0) return one_failed = true, NULL;
    if (!old) __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    void *block = realloc(old, bytes);
    if (!block) abort(); /* a failure that the suite did not ask for */
    return block;
}
static void free_and_count(void *block) {
    if (block) __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(block);
}
#define AUTOTUNE_REALLOC(old, bytes) allocate_or_fail(old, bytes)
#define AUTOTUNE_FREE(block)         free_and_count(block)
#include <unistd.h>
#define getpid() ((pid_t)7) /* processes of two containers may have equal numbers */
#include <time.h>
static int sleeps;
static void (*after_sleep)(void);
static int sleep_and_count(const struct timespec *time, struct timespec *left) {
    __atomic_add_fetch(&sleeps, 1, __ATOMIC_RELAXED);
    const int result = nanosleep(time, left);
    return after_sleep ? after_sleep() : (void)0, result;
}
#define nanosleep(time, left) sleep_and_count(time, left)
static unsigned writes_fail; /* of 100 writes, so many fail */
static uint64_t dice = 1;
static bool fails_at_random(void) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (dice >> 33) % 100 < writes_fail;
}
/* writes a half: the disk is full */
static ssize_t write_or_fail(int file, const void *bytes, size_t count, off_t offset) {
    if (!fails_at_random()) return pwrite(file, bytes, count, offset);
    if (count > 1 && pwrite(file, bytes, count / 2, offset) < 0) abort();
    return errno = fails_at_random() ? EIO : ENOSPC, -1;
}
#define pwrite(file, bytes, count, offset) write_or_fail(file, bytes, count, offset)
static int cut_or_fail(int file, off_t bytes) { return fails_at_random() ? errno = EIO, -1 : ftruncate(file, bytes); }
#define ftruncate(file, bytes) cut_or_fail(file, bytes)
#define AUTOTUNE_STATIC
#include "virtual_clock.h"
#include "cache_file.h"
#include "sanitized.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

enum { CRASHES_AT = 3, FASTEST = 5, IDS = 8 };
static bool crashes, tried_what_crashes;
static bool none_works; /* each configuration crashes */
static autotune_mode mode_of_statement;
static int calls, total;

static bool watches_notes, note_missed;
static bool has_open_line(void) {
    char path[600];
    size_t lines = 0;
    snprintf(path, sizeof path, "%s/notes", cache_folder);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (*entry->d_name == '.') continue;
        snprintf(path, sizeof path, "%s/notes/%s", cache_folder, entry->d_name);
        lines += sound_lines(read_file(path));
    }
    if (folder) closedir(folder);
    return lines > 0;
}
static void launch(int id, bool trial) {
    static unsigned launched;
    if (watches_notes && trial && !(launched >> id & 1) && !has_open_line()) note_missed = true;
    launched |= 1u << id;
    virtual_ns += 100000 + 10000 * (uint64_t)abs(id - 5);
    total++;
    calls += !trial;
    if (trial && crashes && (id == CRASHES_AT || none_works)) _exit(EXIT_SUCCESS);
    tried_what_crashes |= (trial || mode_of_statement == AUTOTUNE_ONLINE) && id == CRASHES_AT;
}
static autotune_cache cache_of_statement;
static size_t won; /* the point of the last call for real */
static autotune_status statement(void) {
    autotune_result result;
    calls = total = 0;
    AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(id, autotune_trial), .key = KEY(calls),
             .mode = mode_of_statement, .cache = cache_of_statement,
             .restore = BUFFERS({&total, sizeof total}), .backend = virtual_backend(), .result = &result);
    won = result.index;
    return result.status;
}
static bool as_promised(autotune_status status) {
    return calls == 1 ? total == 1 && (status == AUTOTUNE_OK || status == AUTOTUNE_ERR_MEMORY)
                      : calls == 0 && total == 0 &&
                            (status == AUTOTUNE_ERR_MEMORY || (none_works && status == AUTOTUNE_ERR_ALL_FAILED));
}
static bool may_miss; /* true: a record that could not be read counts as none, since no race may run */
static bool skips;    /* true: the configuration that ended two earlier runs is skipped */
static bool online_calls_go_on(void) {
    bool well = true;
    if (none_works) return statement() == AUTOTUNE_ERR_ALL_FAILED && total == 0;
    for (int i = 0; i < 100; i++) well = well && statement() == AUTOTUNE_OK && calls == 1 && total == 1;
    return well && !(skips && tried_what_crashes);
}
static int open_files(void) {
    int open = 0;
    for (int file = 0; file < 256; file++) open += fcntl(file, F_GETFD) != -1;
    return open;
}
/* The exit status of a child, which runs the statement with a failing allocation, and then without. */
enum { WELL = 0, BROKEN = 1, WELL_WITHOUT_FAILURE = 2 };
static int run(long allocations) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        char saved[320];
        snprintf(saved, sizeof saved, "%s/saved.jsonl", cache_folder);
        autotune_set_log(keep_line, NULL);
        const int files = open_files();
        until_failure = allocations;
        bool well = as_promised(statement());
        until_failure = -1;
        if (mode_of_statement == AUTOTUNE_ONLINE)
            well = well && online_calls_go_on();
        else if (!crashes)
            well = well && statement() == AUTOTUNE_OK && calls == 1 && (won == FASTEST || (may_miss && !won)) &&
                   autotune_save(saved) == AUTOTUNE_OK && !(skips && tried_what_crashes);
        autotune_shutdown();
        well = well && open_files() == files;
        _exit(!well ? BROKEN : one_failed ? WELL : WELL_WITHOUT_FAILURE);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status),
              "%ld allocations, then one fails: ended by signal %d", allocations, WTERMSIG(status));
    return WEXITSTATUS(status);
}
static void fail_every(void (*prepare)(void), long from, long step) {
    long n = from;
    for (int status = WELL; status != WELL_WITHOUT_FAILURE; n += step) {
        prepare();
        status = run(n);
        cr_assert(status != BROKEN, "%ld allocations, then one fails", n);
        cr_assert_eq(sound_lines(cache_bytes()), count_lines(cache_bytes()));
        cr_assert(!cache_bytes().at || !strstr(cache_bytes().at, "no memory"), "%ld allocations: a broken text", n);
    }
    cr_assert(n > 20, "only %ld allocations", n);
}

/* Each test begins at another allocation, since runs have most allocations in common. */
static void fail_each(void (*prepare)(void), long from) { fail_every(prepare, from % NEXT_FAILURE, NEXT_FAILURE); }

TestSuite(cache_memory, .init = use_new_folder, .fini = remove_folder);
TestSuite(online, .init = use_new_folder, .fini = remove_folder);

static void nothing(void) {
    remove_folder();
    cr_assert(mkdir(cache_folder, 0700) == 0);
}
static void a_crash(void) { /* leaves an open launch note */
    nothing();
    crashes = true;
    cr_assert_eq(run(-1), WELL);
    crashes = false;
}
static void two_crashes(void) { /* the configuration has ended two runs, so it is skipped */
    a_crash();
    crashes = true;
    cr_assert_eq(run(-1), WELL);
    crashes = false;
}
static void a_result(void) {}
static void a_rebuild(void) { /* changes the record to one of another build */
    nothing();
    cr_assert_eq(run(-1), WELL_WITHOUT_FAILURE);
    cr_assert_eq(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 1u);
}

Test(cache_memory, of_a_first_run) { fail_each(nothing, 0); }
Test(cache_memory, of_a_run_after_a_crash) { fail_each(a_crash, 1); }
Test(cache_memory, of_a_run_after_two_crashes) { /* no race begins if there is no memory for reading the notes */
    skips = true;
    fail_every(two_crashes, 0, NEXT_FAILURE > 3 ? 3 : 1);
}
static void two_crashes_and_mode_online(void) {
    mode_of_statement = AUTOTUNE_ON;
    two_crashes();
    mode_of_statement = AUTOTUNE_ONLINE;
}
Test(online, of_a_run_in_mode_online_after_two_crashes) {
    skips = true;
    fail_every(two_crashes_and_mode_online, 0, NEXT_FAILURE > 3 ? 3 : 1);
}
Test(online, of_a_run_in_mode_online_after_all_crashed_twice) {
    none_works = crashes = true;
    for (int runs = 0; runs < 2 * IDS; runs++) cr_assert_eq(run(-1), WELL);
    crashes = false;
    mode_of_statement = AUTOTUNE_ONLINE;
    fail_every(a_result, 0, 1);
}
Test(cache_memory, of_a_run_that_knows_the_winner) {
    cr_assert_eq(run(-1), WELL_WITHOUT_FAILURE);
    fail_each(a_result, 0);
}

Test(cache_memory, of_a_run_that_verifies) {
    cr_assert_eq(run(-1), WELL_WITHOUT_FAILURE);
    setenv("AUTOTUNE_MODE", "verify", 1);
    may_miss = true;
    fail_each(a_result, 0);
    char path[300];
    snprintf(path, sizeof path, "%s/verify.jsonl", cache_folder);
    const bytes verified = read_file(path);
    cr_assert(verified.at && contains(verified.at, "\"rival\":{") && !contains(verified.at, "\"failed\":"));
}
Test(cache_memory, of_a_run_after_a_rebuild) { fail_each(a_rebuild, 2); }

/* If all launches return, the next run has no suspects, whichever writes fail. */
static bool races_again(void) {
    return statement() == AUTOTUNE_OK && won == FASTEST && !contains(logged, "did not come back");
}
Test(cache_memory, of_the_disk_makes_no_suspects) {
    for (uint64_t run = 1; run <= 100; run++) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            autotune_set_log(keep_line, NULL);
            mode_of_statement = AUTOTUNE_FORCE;
            dice = run, writes_fail = 30;
            const bool well = races_again();
            _exit(well ? EXIT_SUCCESS : EXIT_FAILURE);
        }
        cr_assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
        cr_assert_eq(WEXITSTATUS(status), EXIT_SUCCESS, "run %d", (int)run);
        cr_assert(!has_open_line(), "run %d", (int)run);
    }
}

/* ---- All ways through a statement. After autotune_shutdown() no block is left ------------------------------------ */

static autotune_status fails_at; /* the status of calls for real */
static autotune_status with(autotune_options o) {
    autotune_result result;
    if (!o.backend) o.backend = virtual_backend();
    AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, (launch(id, autotune_trial), autotune_trial ? AUTOTUNE_OK : fails_at),
             .name = "ways", .key = KEY("text", o.seed), .mode = o.mode, .backend = o.backend, .version = o.version,
             .isolate = o.isolate, .max_trials = o.max_trials, .outputs = o.outputs, .cache = o.cache,
             .result = &result);
    return result.status;
}
#define WITH(...) with((autotune_options){__VA_ARGS__})
static void race_and_hit(void) { WITH(0), WITH(0); }
static void recall(void) { /* finds the winner that the way before left on disk */
    total = 0;
    cr_assert(WITH(0) == AUTOTUNE_OK && total == 1, "%d launches", total);
}
static void recall_for_another_backend(void) {
    static autotune_backend other;
    other = *virtual_backend();
    WITH(0), WITH(.backend = &other), WITH(.backend = &other);
}
static void race_again(void) { WITH(.mode = AUTOTUNE_FORCE), WITH(.mode = AUTOTUNE_FORCE), WITH(0); }
static void require_what_is_unknown(void) {
    for (uint64_t seed = 1; seed < 40; seed++) WITH(.mode = AUTOTUNE_REQUIRE, .seed = 100 + seed % 20);
}
static void miss_or_switch_off(void) {
    for (int i = 0; i < 20; i++) WITH(.mode = AUTOTUNE_CACHED, .seed = 200), WITH(.mode = AUTOTUNE_OFF, .seed = 201);
}
static void winner_that_fails(void) {
    WITH(.seed = 2);
    fails_at = AUTOTUNE_FAILED;
    for (int i = 0; i < 5; i++) WITH(.seed = 2);
    for (int i = 0; i < 5; i++) WITH(.seed = 3);
    fails_at = AUTOTUNE_OK;
    WITH(.seed = 2);
}
static void recalled_winner_that_fails(void) {
    fails_at = AUTOTUNE_FAILED;
    WITH(.seed = 2), WITH(.seed = 2);
    fails_at = AUTOTUNE_OK;
}
static void versions_and_clearing(void) {
    const autotune_key key = KEY("text", 0);
    WITH(.version = "one"), WITH(.version = "two"), WITH(.version = "one");
    autotune_clear("ways", &key, AUTOTUNE_MEMORY);
    WITH(.version = "one");
    autotune_clear(NULL, NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK);
    WITH(.version = "two");
}
static void options_that_are_wrong(void) {
    WITH(.outputs = {.at = {{.bytes = 4}}, .count = 1}), WITH(.mode = (autotune_mode)99);
    WITH(.max_trials = 1, .seed = 4), WITH(.cache = AUTOTUNE_CACHE_READONLY, .seed = 5);
}
/* getpid() of this suite returns another number, so a child believes that its parent has ended */
static void in_children_that_end(void) {
    for (int i = 0; i < 2; i++) WITH(.isolate = AUTOTUNE_CHILD, .seed = 6);
}
static void online_unfinished(void) {
    for (int i = 0; i < 5; i++) WITH(.mode = AUTOTUNE_ONLINE, .seed = 7);
}
static void online_to_its_end(void) { /* goes on with the race that the way before left */
    for (int i = 0; i < 3000; i++) WITH(.mode = AUTOTUNE_ONLINE, .seed = 7);
}
static void bodies_that_are_left(void) {
    for (int i = 0; i < 5; i++) {
        AUTOTUNE_BLOCK(SPACE(AXIS(id, 1, 2)), .key = KEY("left"), .backend = virtual_backend()) {
            launch(id, autotune_trial);
            if (i < 4) break;
        }
        AUTOTUNE_BLOCK(SPACE(AXIS(id, 1, 2)), .key = KEY("left"), .backend = virtual_backend(),
                       .mode = AUTOTUNE_ONLINE) {
            launch(id, false);
            if (i & 1) break;
        }
    }
}
static void nested_blocks_and_selects(void) {
    for (int i = 0; i < 3; i++) {
        AUTOTUNE_BLOCK(SPACE(CONFIGS((id, text), (1, "a"), (2, "b"))), .key = KEY("nested"),
                       .backend = virtual_backend()) {
            AUTOTUNE_SELECT((.key = KEY(text), .backend = virtual_backend()), launch(id, autotune_trial),
                            CASE(launch(5, autotune_trial), NAME("five"), PRIORITY(1)));
        }
    }
}
static void no_configuration(void) {
    for (int i = 0; i < 3; i++) {
        AUTOTUNE(SPACE(AXIS(id, 1, 2)), 1, AUTOTUNE_REJECT("%d does not work", id), .key = KEY("none"));
        AUTOTUNE(SPACE(AXIS(id, 1, 2), WHERE(id > 2)), 1, launch(id, autotune_trial), .key = KEY("empty"));
    }
}
static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    virtual_ns += 100000 * (uint64_t)config->values[0];
    return AUTOTUNE_OK;
}
static void created_tuners(void) {
    const int64_t values[] = {3, 1, 2};
    const autotune_axis axis = {.name = "x", .values = values, .count = 3};
    const autotune_desc desc = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    autotune_tuner *tuner = autotune_create(&desc), *kept = autotune_create(&desc);
    autotune_options o = {.key = KEY("created"), .backend = virtual_backend()};
    autotune_step step;
    for (int i = 0; i < 3; i++) (void)autotune_call(tuner, &o);
    o.key = KEY("queued");
    (void)autotune_add(tuner, &o), (void)autotune_tune_all();
    o.key = KEY("waits");
    (void)autotune_add(kept, &o);
    o.key = KEY("steps"), o.mode = AUTOTUNE_ONLINE;
    for (int i = 0; i < 3; i++)
        if (autotune_step_begin(kept, &o, &step) == AUTOTUNE_OK) (void)autotune_step_end(&step, i == 2 ? -1 : 1e6);
    autotune_destroy(tuner);
    autotune_destroy(kept);
}
static void searches(void) {
    const autotune_search_axis axes[] = {{.count = 9}, {.count = 7}};
    const autotune_search_desc desc = {.axes = axes, .axis_count = 2};
    autotune_search *search = autotune_search_create(&desc);
    size_t point;
    for (int i = 0; i < 12 && autotune_search_ask(search, &point) == AUTOTUNE_OK; i++)
        (void)autotune_search_tell(search, point, (double)(1 + point % 5));
    autotune_search_destroy(search);
    AUTOTUNE(SPACE(RANGE(a, 0, 9999, 1), RANGE(b, 0, 9999, 1)), 1, launch(5 + (a + b) % 3, autotune_trial),
             .key = KEY("large"), .max_trials = 8, .backend = virtual_backend());
}
static void visit_one(void *user, const autotune_known *known) { (void)user, (void)known; }
static void files_and_listing(void) {
    const autotune_key key = KEY("text", 0);
    autotune_config config;
    char path[600];
    snprintf(path, sizeof path, "%s/saved", cache_folder);
    WITH(0);
    (void)autotune_save(path), (void)autotune_load(path), (void)autotune_load_text("{}\n", 3);
    (void)autotune_lookup("ways", key, &config), (void)autotune_lookup("no such name", key, &config);
    autotune_each(visit_one, NULL);
}
Test(cache_memory, nothing_is_left_behind_a_shutdown) {
#define WAY(function) {#function, function}
    static const struct { const char *name; void (*go)(void); } ways[] = {
        WAY(race_and_hit), WAY(recall), WAY(recall_for_another_backend), WAY(race_again), WAY(require_what_is_unknown),
        WAY(miss_or_switch_off), WAY(winner_that_fails), WAY(recalled_winner_that_fails), WAY(versions_and_clearing),
        WAY(options_that_are_wrong), WAY(in_children_that_end), WAY(online_unfinished), WAY(online_to_its_end),
        WAY(bodies_that_are_left), WAY(nested_blocks_and_selects), WAY(no_configuration), WAY(created_tuners),
        WAY(searches), WAY(files_and_listing),
    };
    autotune_set_log(keep_line, NULL);
    /* in the second round, the file on disk has the winners of the first */
    for (size_t twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            *logged = 0;
            ways[i].go();
            cr_assert(blocks > 0 || ways[i].go == searches, "%s allocates nothing", ways[i].name);
            cr_assert(autotune_shutdown() == AUTOTUNE_OK, "%s: %s", ways[i].name, autotune_last_error());
            cr_expect(blocks == 0, "%s, time %zu: %ld blocks are left", ways[i].name, twice + 1, blocks);
            blocks = 0;
        }
    }
}

/* returns a line of this machine, with its line feed */
static bytes of_machine(const char *tuner, const char *machine) {
    char text[400];
    snprintf(text, sizeof text, "{\"autotune\":1,\"id\":\"5d0c6f1b2a9e4478\",\"fingerprint\":\"b1946ac92492d234\","
             "\"machine\":\"%s\",\"date\":\"2026-11-20T14:05:09Z\",\"tuner\":\"%s\",\"key\":{}", machine, tuner);
    bytes line = with_crc(text, strlen(text));
    line.at[line.count++] = '\n';
    return line;
}
/* One allocation fails in a call that rewrites the file, in each run another one. The call reports the failure, or does
   what it promises. No other record is lost. */
static autotune_status tune_named(const char *name, autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(id, autotune_trial), .name = name, .key = KEY("a"),
             .mode = mode, .backend = virtual_backend(), .result = &result);
    return result.status;
}
static size_t records_of(const char *name) {
    const bytes all = cache_bytes();
    char tuner[40];
    size_t count = 0;
    snprintf(tuner, sizeof tuner, "\"tuner\":\"%s\"", name);
    for (const char *at = all.at; at && (at = strstr(at, tuner)); at++) count++;
    return count;
}
static bool clears_one(void) {
    const autotune_key key = KEY("a");
    const autotune_status status = autotune_clear("one", &key, AUTOTUNE_DISK | AUTOTUNE_MEMORY);
    return records_of("two") == 1 &&
           (status == AUTOTUNE_OK ? records_of("one") == 0
                                  : logged_lines[AUTOTUNE_LOG_ERRORS] && *autotune_last_error());
}
static bool appends(void) { /* appends to a file with room for one record */
    const bytes record = of_machine("three", "0f343b0931126a20");
    autotune__text line = {NULL, false};
    autotune__append_piece(&line, record.at, record.count);
    autotune__lock_mutex(&autotune__cache_lock);
    const bool written = autotune__append_line(&line);
    autotune__unlock_cache();
    autotune__free_text(&line);
    return sound_lines(cache_bytes()) >= 1 && (!written || records_of("three") == 1);
}
static int run_with_failure(bool (*call)(void), long allocations) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        autotune_set_log(keep_line, NULL);
        until_failure = allocations;
        const bool well = call();
        until_failure = -1;
        _exit(!well ? BROKEN : one_failed ? WELL : WELL_WITHOUT_FAILURE);
    }
    cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}
static bool tunes_both(void) {
    return tune_named("one", AUTOTUNE_ON) == AUTOTUNE_OK && tune_named("two", AUTOTUNE_ON) == AUTOTUNE_OK;
}
static void fail_each_of(bool (*call)(void)) {
    int status = WELL;
    for (long n = 0; status != WELL_WITHOUT_FAILURE; n += NEXT_FAILURE) {
        nothing();
        cr_assert_eq(run_with_failure(tunes_both, -1), WELL_WITHOUT_FAILURE);
        status = run_with_failure(call, n);
        cr_assert(status != BROKEN, "%ld allocations, then one fails", n);
    }
}
static bool keeps_notes_or_says_so(void) {
    watches_notes = true;
    (void)tune_named("three", AUTOTUNE_ON);
    return !note_missed || logged_lines[AUTOTUNE_LOG_ERRORS];
}
Test(cache_memory, of_the_launch_notes) { fail_each_of(keeps_notes_or_says_so); }
Test(cache_memory, of_clearing) { fail_each_of(clears_one); }
Test(cache_memory, of_rewriting) {
    setenv("AUTOTUNE_CACHE_MIB", "0.001", 1);
    fail_each_of(appends);
}

/* Another process is stopped while it holds the lock for writing. A call waits for this lock once, and not again for
   each key. */
static pid_t holder;
static void hold_the_lock(void) {
    char path[300], ready = 0;
    int told[2];
    snprintf(path, sizeof path, "%s/lock", cache_folder);
    cr_assert_eq(pipe(told), 0);
    fflush(NULL);
    holder = fork();
    cr_assert(holder >= 0);
    if (holder == 0) {
        struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
        const int file = open(path, O_RDWR | O_CREAT, 0600);
        if (file < 0 || fcntl(file, F_SETLK, &byte) != 0 || write(told[1], &ready, 1) != 1) _exit(EXIT_FAILURE);
        for (;;) pause();
    }
    cr_assert_eq(read(told[0], &ready, 1), 1);
}
static void let_five_seconds_pass(void) { autotune__disk.waits_since = autotune__wait_clock() - 5000000000u; }
Test(cache_memory, a_lock_that_is_not_to_be_had_is_waited_for_once) {
    hold_the_lock();
    autotune__lock_mutex(&autotune__cache_lock);
    cr_assert(autotune__find_cache());
    after_sleep = let_five_seconds_pass;
    cr_assert(autotune__lock_file(true) == AUTOTUNE__BUSY && sleeps == 1);
    after_sleep = NULL;
    sleeps = 0;
    for (int i = 0; i < 3; i++) cr_assert(autotune__lock_file(true) == AUTOTUNE__BUSY && sleeps == 0);
    cr_assert(kill(holder, SIGKILL) == 0 && waitpid(holder, NULL, 0) == holder);
    const autotune__locked locked = autotune__lock_file(true);
    cr_assert(locked == AUTOTUNE__HELD && autotune__disk.waits_since == 0, "and then as long as ever");
    autotune__unlock_file(locked);
    autotune__unlock_cache();
}

/* Two call sites race a key in mode ONLINE. The second site races without the locks, so it must not release them. */
Test(cache_memory, what_was_not_locked_is_not_given_back) {
    autotune__subject subject = {.mode = AUTOTUNE_ONLINE};
    autotune__store one = {.subject = &subject, .identity = {.id = 1}}, other = one;
    const uint64_t locks[] = {autotune__lock_byte(&one.identity), autotune__lasting_byte(&one.identity)};
    cr_assert_eq(autotune__lock_key(&one), AUTOTUNE__HELD);
    cr_assert_eq(autotune__lock_key(&other), AUTOTUNE__NO_LOCKS);
    autotune__unlock_key(&other);
    for (int i = 0; i < 2; i++) cr_assert_neq(autotune__find_held(locks[i]), SIZE_MAX);
    autotune__unlock_key(&one);
    for (int i = 0; i < 2; i++) cr_assert_eq(autotune__find_held(locks[i]), SIZE_MAX);
}

static void lose_patience(void) {
    autotune__lock_mutex(&autotune__cache_lock);
    let_five_seconds_pass();
    autotune__unlock_cache();
}
static void end_holder(void) { cr_assert(kill(holder, SIGKILL) == 0 && waitpid(holder, NULL, 0) == holder); }
Test(cache_memory, what_a_lock_kept_from_the_file_is_known_in_this_process_alone) {
    autotune_set_log(keep_line, NULL);
    hold_the_lock();
    lose_patience();
    cr_assert(tunes_both() && records_of("one") == 0);
    cr_assert(logged_lines[AUTOTUNE_LOG_ERRORS] == 1 &&
                  contains(logged, "another process keeps it locked: results of this run are not kept on disk"),
              "%s", logged);
    end_holder();
    cr_assert_eq(tune_named("three", AUTOTUNE_ON), AUTOTUNE_OK);
    cr_assert(records_of("one") == 0 && records_of("two") == 0 && records_of("three") == 1);
    cr_assert_eq(tune_named("one", AUTOTUNE_REQUIRE), AUTOTUNE_OK, "it is known here");
}
/* A thread waits for the lock. Meanwhile other threads go on, also a thread that forks. */
static void *tune_in_thread(void *status) {
    *(autotune_status *)status = tune_named("one", AUTOTUNE_ON);
    return NULL;
}
Test(cache_memory, who_waits_for_the_lock_holds_up_no_fork) {
    autotune_status status = AUTOTUNE_FAILED;
    pthread_t thread;
    hold_the_lock();
    cr_assert_eq(pthread_create(&thread, NULL, tune_in_thread, &status), 0);
    while (!__atomic_load_n(&sleeps, __ATOMIC_RELAXED)) sched_yield();
    const pid_t child = fork();
    if (child == 0) _exit(EXIT_SUCCESS);
    cr_assert(child > 0 && waitpid(child, NULL, 0) == child);
    end_holder();
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert(status == AUTOTUNE_OK && records_of("one") == 1, "the wait was not over before the fork");
}

/* A line is searched for among the lines of its tuner, key and machine, and not among the lines of all machines. */
static void add_line_of(const char *machine) {
    const bytes line = of_machine("t", machine);
    cr_assert_eq(autotune_load_text(line.at, line.count), AUTOTUNE_OK);
}
Test(cache_memory, lines_of_many_machines_are_not_one_chain) {
    for (int machine = 1; machine <= 20; machine++) {
        char digits[20];
        snprintf(digits, sizeof digits, "%016x", (unsigned)machine);
        add_line_of(digits);
    }
    cr_assert_eq(autotune__count(autotune__disk.lines), 20u);
    for (size_t i = 0; i < 20; i++) cr_assert_eq(autotune__disk.lines[i].older, 0u);
}

/* Several processes save to one path. No process writes to a temporary file of another process, or through a link. */
enum { SAVERS = 3, SAVES = 60 };
static void save_often(const char *path) {
    char link[400];
    bool well = statement() == AUTOTUNE_OK;
    for (int i = 1; i <= SAVES; i++) {
        snprintf(link, sizeof link, "%s.new-%ld-%d", path, (long)getpid(), i);
        if (symlink("/dev/full", link) != 0 && errno != EEXIST) well = false;
        well = well && autotune_save(path) == AUTOTUNE_OK;
    }
    _exit(well ? EXIT_SUCCESS : EXIT_FAILURE);
}
Test(cache_memory, of_processes_with_one_number_that_save_to_one_path) {
    char path[300];
    pid_t child[SAVERS];
    snprintf(path, sizeof path, "%s/saved.jsonl", cache_folder);
    fflush(NULL);
    for (int i = 0; i < SAVERS; i++) {
        child[i] = fork();
        cr_assert(child[i] >= 0);
        if (child[i] == 0) save_often(path);
    }
    for (int i = 0; i < SAVERS; i++) {
        int status = 0;
        cr_assert(waitpid(child[i], &status, 0) == child[i] && WIFEXITED(status) &&
                  WEXITSTATUS(status) == EXIT_SUCCESS);
    }
    cr_assert_eq(sound_lines(read_file(path)), 1u);
}

/* The library computes the date of a record without the calendar of the C library. Both must give the same date. */
static void expect_the_date(int64_t seconds) {
    const time_t calendar = (time_t)seconds;
    struct tm utc;
    char expected[32];
    autotune__text date = {NULL, false};
    if (calendar != seconds) return;            /* if time_t has 32 bits */
    cr_assert(gmtime_r(&calendar, &utc));
    strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &utc);
    autotune__append_date(&date, seconds);
    cr_assert_str_eq(autotune__string(&date), expected);
    autotune__free_text(&date);
}
Test(cache_memory, dates_of_records_are_those_of_the_calendar) {
    enum { FOUR_CENTURIES = 146097, DAY = 86400 };
    const int64_t end_of_9999 = 253402300799;
    autotune__text date = {NULL, false};
    for (int64_t day = 0; day < FOUR_CENTURIES; day++) expect_the_date(day * DAY + day * 7919 % DAY);
    for (int64_t second = -2; second < 2; second++) expect_the_date(951868800 + second); /* a 29th of February */
    expect_the_date(end_of_9999);
    autotune__append_date(&date, end_of_9999 + 1);
    autotune__append_date(&date, -1);
    cr_assert_str_eq(autotune__string(&date), "1970-01-01T00:00:00Z1970-01-01T00:00:00Z", "what has no such date");
    autotune__free_text(&date);
}
