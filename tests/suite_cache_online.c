/* suite_cache_online.c - mode ONLINE and the cache on disk: an unfinished race goes on in the next run. */
#define _DEFAULT_SOURCE
#include "virtual_clock.h"
#include "cache_file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <signal.h>

/* ---- Runs of a program ------------------------------------------------------------------------------------------- */

enum { IDS = 12, BEST = 7 };
typedef struct seen { /* the sums over all runs */
    int times[IDS], first[IDS], calls, launched;
    autotune_result result;
    int last_id, order[IDS];
} seen;
static seen *all;
/* the run is killed in a call of killed_at; `failing` fails; the first call of `unlucky` is interrupted */
static int killed_at = -1, failing = -1, unlucky = -1;
static int launches; /* launches in this run */
static int calls_of_a_run, slope = 5000000;
/* speed: of the machine in this run; work and goal: .work and .stop_at_ns of each call */
static double speed = 1, work = 0, goal = 0;
static double unit = 1; /* the unit of work in .work */
static int cold; /* so many first calls take a thousand times as long */

static autotune_status launch(int id) {
    if (all->times[id]++ == 0) all->order[all->launched++] = id;
    all->last_id = id;
    if (id == killed_at) raise(SIGKILL);
    const bool interrupted = unlucky >= 0 && (launches++ % 25 == 24 || (id == unlucky && all->times[id] == 1));
    virtual_ns += (uint64_t)((100000000 + slope * abs(id - BEST)) / speed * (work > 0 ? work : 1)) *
                  (interrupted ? 20 : 1) * (cold-- > 0 ? 1000 : 1);
    return id == failing ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static autotune_result call(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(id), .name = "online", .mode = AUTOTUNE_ONLINE, .max_loss = 1,
             .work = work * unit, .stop_at_ns = goal, .backend = virtual_backend(), .result = &result);
    all->calls++;
    all->result = result;
    return result;
}
static void run_body(void) {
    for (int i = 0; i < calls_of_a_run; i++) (void)call();
}
static void (*body_of_a_run)(void) = run_body;
static int run(int calls) { /* runs one process */
    int status;
    calls_of_a_run = calls;
    const pid_t child = fork();
    if (!child) {
        virtual_ns = 0;
        body_of_a_run();
        exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}
static void begin(void) {
    use_new_folder();
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(all, 0, sizeof *all);
}
TestSuite(online, .init = begin, .fini = remove_folder);

Test(online, a_winner_answers_in_the_next_run) {
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
    const int before = all->times[BEST];
    cr_assert_eq(run(1), 0);
    cr_assert(all->result.cache_hit && all->last_id == BEST && all->times[BEST] == before + 1);
    cr_assert_eq(all->result.verdict, AUTOTUNE_SEPARATED);
}
static void rebuild(void) { /* all records are of another build from now on */
    cr_assert_gt(edit_records(cache_file, "\"program\":\"", "\"program\":\"x"), 0u);
}
Test(online, a_winner_of_another_build_is_compared_again) {
    failing = 3;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
    rebuild();
    slope = -5000000;
    failing = -1;
    const int before = all->times[3];
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && all->result.index == 0, "%d", (int)all->result.index);
    cr_assert(all->times[3] > before, "what failed in another build is tried again");
    const int known = all->times[0];
    cr_assert_eq(run(1), 0);
    cr_assert(all->result.cache_hit && all->times[0] == known + 1);
}
Test(online, what_failed_in_an_unfinished_race_of_another_build_is_tried_again) {
    cr_assert_eq(run(30), 0);
    failing = all->order[1];
    cr_assert(failing > 0 && failing != BEST && unlink(cache_file) == 0);
    cr_assert_eq(run(30), 0);
    const int id = failing, before = all->times[id];
    cr_assert(contains(read_file(cache_file).at, "\"verdict\":\"unfinished\""));
    rebuild();
    failing = -1;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST && all->times[id] > before);
}
Test(online, an_unfinished_race_goes_on_in_the_next_run) {
    cr_assert_eq(run(30), 0);
    const seen first = *all;
    cr_assert(first.launched > 2 && first.launched < IDS, "%d were tried", first.launched);
    cr_assert(contains(read_file(cache_file).at, "\"verdict\":\"unfinished\""));
    cr_assert_eq(run(1), 0);
    cr_assert_neq(all->last_id, 0, "the best so far is in use from the first call on");
    for (int runs = 0; all->launched < IDS && runs < 20; runs++) cr_assert_eq(run(20), 0);
    cr_assert_eq(all->launched, IDS);
    for (int id = 1; id < IDS; id++)
        if (id != BEST) cr_assert_leq(all->times[id], 60, "%d was called %d times", id, all->times[id]);
    cr_assert_eq(run(500), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
}
static void run_two_statements(void) { /* two statements with the same name and key */
    for (int i = 0; i < calls_of_a_run; i++) {
        (void)call();
        AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(IDS - 1 - id), .name = "online", .mode = AUTOTUNE_ONLINE,
                 .max_loss = 1, .backend = virtual_backend());
    }
}
Test(online, two_unfinished_races_of_one_key_are_both_handed_over) {
    body_of_a_run = run_two_statements;
    cr_assert_eq(run(30), 0);
    const char *const text = read_file(cache_file).at, *const first = strstr(text, "\"fingerprint\":\"");
    const char *other = first;
    cr_assert_not_null(first);
    while (other && !strncmp(other, first, 30)) other = strstr(other + 1, "\"fingerprint\":\"");
    cr_assert(other && strstr(other, "\"verdict\":\"unfinished\""), "%s", text);
}
static int key_of_a_run;
static void run_one_key(void) { /* with the first key the first configuration is the best */
    for (int i = 0; i < calls_of_a_run; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(key_of_a_run == 1 ? (id + BEST) % IDS : id),
                 .name = "online", .mode = AUTOTUNE_ONLINE, .max_loss = 1, .key = KEY(key_of_a_run),
                 .backend = virtual_backend(), .result = &all->result);
}
Test(online, what_is_handed_over_keeps_its_times_beside_a_key_that_is_known) {
    body_of_a_run = run_one_key;
    key_of_a_run = 1;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && all->result.index == 0);
    key_of_a_run = 2;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(run(30), 0);
        cr_assert(all->result.verdict == AUTOTUNE_ONGOING && all->result.failed == 0, "%d", (int)all->result.failed);
    }
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && all->result.index == BEST && all->result.failed == 0);
}
static int first_refused; /* WHERE refuses configurations from this one on */
static void run_few(void) {
    for (int i = 0; i < calls_of_a_run; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1), WHERE(id < first_refused)), 1, launch(id), .name = "few",
                 .mode = AUTOTUNE_ONLINE, .max_loss = 1, .backend = virtual_backend(), .result = &all->result);
    if (!first_refused && !strstr(autotune_last_error(), "leave none of 12 configurations that were looked at"))
        _exit(1);
}
/* WHERE judges the configuration that the cache names first, and not again when all are listed. */
Test(online, where_none_is_admitted_any_more_all_were_looked_at_once) {
    body_of_a_run = run_few;
    first_refused = IDS;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
    first_refused = 0;
    cr_assert_eq(run(1), 0);
    cr_assert_eq(all->result.status, AUTOTUNE_ERR_SPACE);
}
/* Functions of atexit() run in reverse order. So a function that the program registers before its first call runs after
   the library has ended its online races. */
static void shut_down(void) {
    if (autotune_shutdown() != AUTOTUNE_OK) _exit(1);
}
static void run_and_shut_down(void) {
    atexit(shut_down);
    run_body();
}
Test(online, a_program_may_shut_down_when_it_ends) {
    body_of_a_run = run_and_shut_down;
    cr_assert_eq(run(30), 0);
    cr_assert(contains(read_file(cache_file).at, "\"verdict\":\"unfinished\""));
    const int launched = all->launched;
    cr_assert_eq(run(1000), 0);
    cr_assert(launched < IDS && all->launched == IDS && (int)all->result.index == BEST);
}
/* A backend must live until the end of the last call that names it. Afterwards the program uses its memory for
   something else. The result of open() lives until the race is over, or the program ends. */
static bool opens, shuts_down, main_has_returned;
static uint64_t began_ns[AUTOTUNE_MOST_OPEN], took_ns[AUTOTUNE_MOST_OPEN];
static autotune_backend *open_copy(autotune_backend *self, void *place, const autotune_options *o) {
    autotune_backend *const copy = malloc(sizeof *copy);
    (void)place, (void)o;
    return memcpy(copy, self, sizeof *copy);
}
static void close_copy(autotune_backend *self) {
    if (main_has_returned) _exit(1);
    free(self);
}
static autotune_status clock_call(autotune_backend *self, size_t number, bool ended) {
    (void)self;
    if (ended) took_ns[number] = virtual_ns - began_ns[number];
    else began_ns[number] = virtual_ns;
    return AUTOTUNE_OK;
}
static autotune_status ask(autotune_backend *self, size_t number, double *ns) {
    (void)self;
    *ns = (double)took_ns[number];
    return AUTOTUNE_OK;
}
static void return_from_main(void) { main_has_returned = true; }
static void run_with_mortal_backend(void) {
    static autotune_backend *backend; /* static, so that the address sanitizer does not report its memory as a leak */
    backend = memcpy(malloc(sizeof *backend), virtual_backend(), sizeof *backend);
    backend->device = "mortal";
    if (opens) {
        backend->open = open_copy, backend->close = close_copy;
        backend->clock_call = clock_call, backend->ask = ask;
    }
    for (int i = 0; i < calls_of_a_run; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, IDS - 1, 1)), 1, launch(id), .name = "online", .mode = AUTOTUNE_ONLINE,
                 .max_loss = 1, .backend = backend, .result = &all->result);
    memset(backend, 0x55, sizeof *backend);
    if (shuts_down && autotune_shutdown() != AUTOTUNE_OK) _exit(1);
    atexit(return_from_main);
}
static void end_with_mortal_backend(bool with_open, bool with_shutdown) {
    body_of_a_run = run_with_mortal_backend;
    opens = with_open, shuts_down = with_shutdown;
    for (int runs = 1; runs < 4; runs++) {
        const int launched = all->launched;
        cr_assert_eq(run(10), 0);
        cr_assert(contains(read_file(cache_file).at, "\"verdict\":\"unfinished\""));
        cr_assert(all->launched > launched, "run %d goes on with the race of the run before", runs);
    }
}
Test(online, a_backend_ends_before_the_program) { end_with_mortal_backend(false, false); }
Test(online, a_backend_ends_before_shutdown) { end_with_mortal_backend(false, true); }
Test(online, what_open_returned_is_not_closed_when_the_program_ends) { end_with_mortal_backend(true, false); }
Test(online, what_open_returned_is_closed_in_shutdown) { end_with_mortal_backend(true, true); }
/* The times of the first calls of a program do not compare with times of later calls. So a record has the times of the
   last calls. It has a speed-up only if both configurations were called in turn. */
static double number_after(const char *text, const char *name) {
    const char *const at = strstr(text, name);
    cr_assert_not_null(at, "%s in %s", name, text);
    return strncmp(at + strlen(name), "null", 4) ? strtod(at + strlen(name), NULL) : 0;
}
Test(online, times_are_those_of_the_last_calls) {
    cold = 6;
    cr_assert_eq(run(60), 0);
    const char *text = read_file(cache_file).at, *next = text; /* the last record counts */
    cr_assert_not_null(text);
    for (; (next = strstr(next, "\"online\":{")); next++) text = next;
    const int used = (int)number_after(text, "\"in_use\":");
    const double takes = 1e8 + slope * abs(used - BEST), first = 1e8 + slope * BEST,
                 speed_up = number_after(text, "\"speed_up\":");
    cr_assert(used != 0 && fabs(number_after(text, "\"ns\":") / takes - 1) < 1e-3, "%s", text);
    cr_assert(speed_up > 0 && fabs(speed_up * takes / first - 1) < 1e-3, "%s", text);
}
Test(online, the_time_of_a_winner_without_a_duel_is_its_own) {
    cold = 6;
    goal = 100000001;
    cr_assert_eq(run(200), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
    cr_assert(fabs(all->result.median_ns / 1e8 - 1) < 1e-3, "%g ns", all->result.median_ns);
}
/* The machine has another speed in each run, so times of different runs must not be compared directly. */
static void run_ten_calls(int runs) {
    for (int i = 0; i < runs; i++) {
        speed = 1 + 0.1 * (i * 7 % 10);
        cr_assert_eq(run(10), 0);
    }
}
Test(online, a_key_with_ten_calls_in_each_run_uses_the_best) {
    run_ten_calls(20);
    cr_assert_eq(all->launched, IDS);
    const int before = all->times[BEST];
    run_ten_calls(20);
    cr_assert_geq(all->times[BEST] - before, 80, "%d of 200 calls", all->times[BEST] - before);
    cr_assert(!all->result.cache_hit);
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST, "index %d", (int)all->result.index);
    cr_assert_eq(all->result.verdict, AUTOTUNE_SEPARATED);
}
/* In an earlier run one interrupted call excluded a configuration. The run that settles the key calls this
   configuration again. */
Test(online, a_call_that_was_interrupted_in_an_earlier_run_is_made_again) {
    unlucky = BEST;
    for (int runs = 0; all->launched < IDS && runs < 40; runs++) cr_assert_eq(run(20), 0);
    cr_assert(all->launched == IDS && all->times[BEST] == 1, "%d, %d", all->launched, all->times[BEST]);
    cr_assert(contains(read_file(cache_file).at, "\"once\":{"));
    cr_assert_eq(run(2000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST, "index %d", (int)all->result.index);
    const int before = all->times[BEST];
    cr_assert_eq(run(1), 0);
    cr_assert(all->result.cache_hit && all->times[BEST] == before + 1, "and so it is in the next run");
}
/* Older lines have no member `once`: each configuration in `ratios` was called twice. */
Test(online, a_line_without_counts_of_calls_is_read) {
    for (int runs = 0; runs < 8; runs++) cr_assert_eq(run(10), 0);
    const int launched = all->launched;
    cr_assert_geq(edit_records(cache_file, "},\"once\":{", ","), 1u);
    cr_assert_eq(run(1), 0);
    cr_assert(launched > 2 && all->last_id != 0, "what was in use is");
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST);
}
/* A record may have any content. */
Test(online, what_was_handed_over_is_not_trusted) {
    static const char *const edits[][2] = {
        {"\"in_use\":", "\"in_use\":4000,\"i\":"},     {"\"in_use\":", "\"in_use\":3,\"i\":"},
        {"\"ratios\":{", "\"ratios\":{\"7\":1e99,"},   {"\"ratios\":{", "\"ratios\":{\"7\":-5,"},
        {"\"ratios\":{", "\"ratios\":[],\"r\":{"},     {"\"first_ns\":", "\"first_ns\":-1,\"f\":"},
        {"\"work\":", "\"work\":null,\"w\":"},      {"\"once\":{", "\"once\":{\"7\":-5,"},
        {"\"once\":{", "\"once\":[],\"o\":{"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        remove(cache_file);
        memset(all, 0, sizeof *all);
        speed = 1;
        for (int runs = 0; runs < 8; runs++) cr_assert_eq(run(10), 0);
        cr_assert_geq(edit_records(cache_file, edits[i][0], edits[i][1]), 1u);
        cr_assert_eq(run(10), 0);
        cr_assert_eq(run(1000), 0);
        cr_assert(all->result.cache_hit && (int)all->result.index == BEST, "%s: %d", edits[i][1],
                  (int)all->result.index);
    }
}
Test(online, a_key_whose_work_differs_is_settled_too) {
    for (int runs = 0; runs < 20; runs++) {
        work = 1000 + 300 * (runs % 3);
        cr_assert_eq(run(10), 0);
    }
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST, "index %d", (int)all->result.index);
}
Test(online, the_next_run_goes_on_whatever_the_unit_of_work_is) {
    static const double units[] = {1, 1e-20, 1e30};
    int calls = 0;
    for (size_t i = 0; i < 3; i++) {
        remove(cache_file);
        memset(all, 0, sizeof *all);
        work = 3;
        unit = units[i];
        for (int runs = 0; runs < 20; runs++) cr_assert_eq(run(10), 0);
        if (!i) calls = all->launched;
        cr_assert(all->launched == IDS && calls == IDS, "%g: %d were tried", unit, all->launched);
    }
}
Test(online, what_failed_is_not_tried_in_the_next_run) {
    failing = 3;
    for (int runs = 0; runs < 6; runs++) cr_assert_eq(run(40), 0);
    cr_assert_eq(all->times[3], 1);
}
Test(online, a_first_call_that_does_not_come_back_is_tried_last) {
    killed_at = 9;
    int runs = 0;
    while (WIFEXITED(run(100)) && runs < 5) runs++;
    cr_assert_eq(all->times[9], 1);
    const int before = all->launched;
    (void)run(100);
    cr_assert(all->launched == IDS || all->times[9] == 1, "%d were tried, after %d", all->launched, before);
}
/* A configuration that ended two runs is skipped. It is not launched, and neither the record nor a launch note counts
   it as launched. So later races skip it, too. */
Test(online, what_ends_runs_is_skipped) {
    autotune_set_log(keep_line, NULL);
    killed_at = 9;
    for (int deaths = 0; deaths < 10 && all->times[9] == deaths; deaths++)
        for (int runs = 0; runs < 20 && !all->result.cache_hit && WIFEXITED(run(100)); runs++) {}
    const int deaths = all->times[9];
    cr_assert(deaths == 2 && all->result.cache_hit && (int)all->result.index == BEST, "%d", deaths);
    cr_assert_eq(all->result.verdict, AUTOTUNE_UNRESOLVED);
    const char *record = read_file(cache_file).at;
    cr_assert(contains(record, "\"left_out\":\"skipped\""), "%s", record);
    cr_assert(contains(record, "\"state\":\"failed\",\"launches\":0"), "%s", record);
    for (int races = 0; races < 2; races++) {
        remove(cache_file);
        memset(&all->result, 0, sizeof all->result);
        for (int runs = 0; runs < 20 && !all->result.cache_hit; runs++) cr_assert_eq(run(100), 0);
        cr_assert(all->result.cache_hit && all->times[9] == deaths, "race %d launched it again", races);
    }
}
/* The first configuration ends each run that launches it, until it is skipped. Other configurations are called in its
   place. It is not tried again among them. */
Test(online, the_first_configuration_may_be_skipped) {
    int deaths = 0;
    killed_at = 0;
    while (deaths < 10 && !WIFEXITED(run(100))) deaths++;
    cr_assert_eq(deaths, 2);
    for (int runs = 0; runs < 20 && !all->result.cache_hit; runs++) cr_assert_eq(run(100), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST && all->times[0] == deaths);
    const char *rows = read_file(cache_file).at, *next;
    /* finds the rows of the last record */
    while ((next = strstr(rows + 1, "\"configurations\":")) != NULL) rows = next;
    cr_assert(contains(rows, "{\"config\":{\"id\":0},\"stage\":\"screen\",\"state\":\"failed\",\"launches\":0,"), "%s",
              rows);
    cr_assert_null(strstr(strstr(rows, "{\"id\":0}") + 1, "{\"id\":0}"), "it has one row: %s", rows);
}
/* Each of three configurations ends the runs that launch it. At last none is left: the call is not made, and its status
   says why. */
static void run_deadly(void) {
    autotune_result result;
    alarm(600); /* a statement that hangs ends here */
    for (int i = 0; i < calls_of_a_run; i++) {
        memset(&result, 0, sizeof result);
        AUTOTUNE(SPACE(AXIS(id, 0, 1, 2)), 1, launch(killed_at = id), .name = "deadly", .mode = AUTOTUNE_ONLINE,
                 .backend = virtual_backend(), .result = &result);
        all->calls++;
        if (!strstr(autotune_last_error(), "deadly: none of 3 configurations works, so the call was not made: ") ||
            !strstr(autotune_last_error(), "skipped: it did not come back in earlier runs"))
            _exit(2);
    }
    all->result = result;
}
Test(online, where_all_are_skipped_none_is_called) {
    int deaths = 0;
    body_of_a_run = run_deadly;
    while (deaths < 40 && WIFSIGNALED(run(1))) deaths++;
    cr_assert(deaths < 40 && all->calls == 1, "%d runs ended, %d calls returned", deaths, all->calls);
    cr_assert_eq(all->result.status, AUTOTUNE_ERR_ALL_FAILED);
    cr_assert_eq(run(3), 0);
    cr_assert(all->calls == 4 && all->times[0] + all->times[1] + all->times[2] == deaths);
}
/* Steps, with begin and end. The test gives their times. */
static autotune_status never_launched(void *user, const autotune_config *config) {
    (void)user, (void)config;
    return AUTOTUNE_FAILED;
}
static bool gives_up_last; /* the last step begins, and does not end: its tuner is destroyed */
static void run_steps(void) {
    static int64_t ids[IDS];
    static const autotune_axis axis = {.name = "id", .values = ids, .count = IDS};
    autotune_result result;
    for (int i = 0; i < IDS; i++) ids[i] = i;
    autotune_tuner *tuner = autotune_create(
        &(autotune_desc){.name = "steps", .axes = &axis, .axis_count = 1, .launch = never_launched});
    for (int i = 0; i < calls_of_a_run; i++) {
        autotune_step step;
        const autotune_options options = {.mode = AUTOTUNE_ONLINE, .max_loss = 1, .backend = virtual_backend(),
                                          .result = &result};
        if (autotune_step_begin(tuner, &options, &step) != AUTOTUNE_OK) _exit(1);
        if (gives_up_last && i == calls_of_a_run - 1) break;
        (void)launch((int)autotune_get_int(&step.config, "id"));
        if (autotune_step_end(&step, NAN) != AUTOTUNE_OK) _exit(1);
        all->result = result;
    }
    autotune_destroy(tuner);
}
Test(online, steps_go_on_in_the_next_run) {
    int runs = 0;
    body_of_a_run = run_steps;
    for (; all->launched < IDS && runs < 100; runs++) cr_assert_eq(run(10), 0);
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST, "index %d after %d runs",
              (int)all->result.index, runs);
    cr_assert(runs > 3 && all->launched == IDS);
}
Test(online, no_cache_no_file) {
    setenv("AUTOTUNE_CACHE", "off", 1);
    cr_assert_eq(run(30), 0);
    cr_assert_eq(read_file(cache_file).at, NULL);
}
static int files_of_notes(void) {
    char path[300];
    struct dirent *entry;
    int files = 0;
    snprintf(path, sizeof path, "%s/notes", cache_folder);
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) files += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return files;
}
Test(online, notes_leave_nothing_behind) {
    cr_assert_eq(run(30), 0);
    cr_assert_eq(files_of_notes(), 0);
}
/* The work of a step may be launched later, and end much later. So a step in progress is no suspect if the program
   ends. */
Test(online, a_program_that_ends_in_a_step_leaves_no_note) {
    body_of_a_run = run_steps;
    killed_at = 9;
    for (int deaths = 1; deaths <= 3; deaths++) {
        int runs = 0;
        while (runs < 40 && !WIFSIGNALED(run(100))) runs++;
        cr_assert(runs < 40 && all->times[9] == deaths, "it was called %d times", all->times[9]);
    }
    killed_at = -1;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST && all->result.failed == 0);
}
/* A step that begins and does not end is no suspect, since the program did not end in it. */
Test(online, a_step_that_is_given_up_leaves_no_note) {
    body_of_a_run = run_steps;
    gives_up_last = true;
    for (int calls = 1; calls < 20; calls++) {
        cr_assert_eq(run(calls), 0);
        cr_assert_eq(files_of_notes(), 0, "after %d calls", calls);
    }
    gives_up_last = false;
    cr_assert_eq(run(1000), 0);
    cr_assert(all->result.cache_hit && (int)all->result.index == BEST && all->result.failed == 0);
}
