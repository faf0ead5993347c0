/* suite_cache_in_use.c - the first eight calls for real with a known winner are timed, and compared with the race.
   Every run of the program is a child process. The clock is virtual: the test sets the time of a call. */
#define _DEFAULT_SOURCE
#include "expect.h"
#include "virtual_clock.h"
#include "cache_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { CALLS = 8, RACED = 100000 };
typedef struct seen { /* of one run */
    autotune_result last;
    size_t calls, evaluations; /* calls for real; how often the options of all calls were evaluated */
    char log[sizeof logged];
} seen;
static seen *now;
static double use_ns[64]; /* use_ns[i]: the time of call i for real, from the second call on; 0: as in the race */
static autotune_status answers[64]; /* answers[i]: the status of call i for real */
static autotune_options how;        /* options that a test sets: .mode, .backend, .isolate, .cache_state, .ranks */
static size_t key, reads;
static int most_id = 3;
static int fast_id = -1; /* at least 0: this configuration takes RACED, the first takes 3 * RACED, others 4 * RACED */
static uint32_t dice; /* 0: trials take equally long; else their times scatter by 5 % */

static uint64_t count_reads(autotune_backend *self) { reads++; return virtual_now(self); }
static uint64_t thread_ns(void) {
    struct timespec read;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &read);
    return (uint64_t)read.tv_sec * 1000000000u + (uint64_t)read.tv_nsec;
}
static bool by_thread_time; /* the clock is the CPU's; a launch computes for its time */
static void compute(uint64_t ns) {
    const uint64_t end = thread_ns() + ns;
    while (thread_ns() < end) continue;
}
static autotune_result call(void);
static int begun_pipe[2];
static bool blocks; /* the next call for real tells by the pipe that it began, and never ends */
static int inner_calls; /* how often the next call for real calls its own key again */
static autotune_status launch(int id, bool trial) {
    int inner = trial ? 0 : inner_calls;
    if (!trial && blocks) {
        blocks = false;
        cr_assert(write(begun_pipe[1], "", 1) == 1);
        for (;;) pause();
    }
    inner_calls -= inner;
    while (inner-- > 0) call();
    const size_t call = trial ? 0 : now->calls < 63 ? now->calls++ : 63;
    if (by_thread_time) return compute((uint64_t)(use_ns[call] > 0 ? use_ns[call] : RACED)), AUTOTUNE_OK;
    if (dice) dice = dice * 1664525u + 1013904223u;
    if (fast_id >= 0) virtual_ns += (uint64_t)(id == fast_id ? RACED : id ? 4 * RACED : 3 * RACED);
    else
        virtual_ns += (uint64_t)(use_ns[call] > 0 ? use_ns[call] : RACED + 5000 * (dice ? dice % 1000 / 1e3 : id != 1));
    return trial ? AUTOTUNE_OK : answers[call];
}
static size_t evaluated(size_t given) { return now->evaluations++, given; }
static autotune_result call(void) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(id, 0, most_id, 1)), 1, launch(id, autotune_trial), .name = "used", .key = KEY(evaluated(key)),
             .mode = how.mode, .isolate = how.isolate, .cache_state = how.cache_state, .ranks = how.ranks,
             .backend = how.backend, .result = &result);
    return now->last = result;
}
/* Returns true if the next call is a hit. A call that is no hit evaluates its options twice. */
static bool hits(void) {
    const size_t before = now->evaluations;
    return call().cache_hit && now->evaluations == before + 1;
}
static size_t calls_until_hit(void) {
    size_t calls = 0;
    while (!hits()) cr_assert(calls++ < 3000);
    return calls;
}
static void times(size_t count, double ns) {
    for (size_t i = 0; i < 64; i++) use_ns[i] = i == 0 ? 0 : i <= count ? ns : RACED;
}
static seen run(void (*function)(void)) {
    seen *shared = (seen *)shared_memory(sizeof *shared), all;
    int status;
    fflush(NULL);
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        alarm(60);
        now = shared;
        setenv("AUTOTUNE_LOG", "winner", 1);
        autotune_set_log(keep_line, NULL);
        if (!how.backend && !by_thread_time) how.backend = virtual_backend();
        function();
        memcpy(now->log, logged, sizeof logged);
        _exit(EXIT_SUCCESS);
    }
    cr_assert(waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    all = *shared;
    munmap(shared, sizeof *shared);
    return all;
}
static bool tells(const seen *run_seen) { return contains(run_seen->log, "a call in use"); }

TestSuite(in_use, .init = use_new_folder, .fini = remove_folder);
TestSuite(isolation, .init = use_new_folder, .fini = remove_folder);
TestSuite(guesses, .init = use_new_folder, .fini = remove_folder);

/* ---- What is timed ----------------------------------------------------------------------------------------------- */

static void count_calls(void) {
    cr_assert(!call().cache_hit && is_nan(now->last.in_use_ns));
    for (int i = 1; i < CALLS; i++) cr_assert(!hits() && now->last.cache_hit && is_nan(now->last.in_use_ns));
    cr_assert(!hits() && now->last.cache_hit);
    EXPECT_INT(now->last.in_use_ns, RACED);
    for (int i = 0; i < 3; i++) {
        cr_assert(hits() && now->last.launches == 1 && now->last.status == AUTOTUNE_OK && now->last.tried == 0);
        EXPECT_INT(now->last.in_use_ns, RACED);
    }
    EXPECT_INT(now->calls, 1 + CALLS + 3);
}
Test(in_use, the_ninth_call_with_a_known_winner_is_a_hit) {
    const seen raced = run(count_calls);
    cr_expect(!tells(&raced));
}
static void recall(void) {
    /* the winner comes from disk. This first call is not timed */
    cr_assert(call().cache_hit && is_nan(now->last.in_use_ns));
    EXPECT_INT(calls_until_hit(), CALLS);
    EXPECT_INT(now->last.in_use_ns, RACED);
}
Test(in_use, the_next_process_times_them_again) {
    (void)run(count_calls);
    const seen next = run(recall);
    EXPECT_CONTAINS(next.log, "known from an earlier run");
    cr_expect(!tells(&next));
}
static void cache_modes(void) {
    const autotune_mode modes[] = {AUTOTUNE_CACHED, AUTOTUNE_REQUIRE};
    for (key = 0; key < 2; key++) {
        how.mode = AUTOTUNE_ON;
        call();
        how.mode = modes[key];
        EXPECT_INT(calls_until_hit(), CALLS);
    }
    how.mode = AUTOTUNE_FORCE;
    call();
    how.mode = AUTOTUNE_ON;
    EXPECT_INT(calls_until_hit(), CALLS);
}
Test(in_use, modes_in_which_nothing_is_raced_time_calls_too) { (void)run(cache_modes); }

static void many_keys(void) {
    enum { KEYS = 64 };
    for (size_t round = 0; round < 1 + CALLS; round++)
        for (key = 0; key < KEYS; key++) cr_assert(!hits());
    for (key = 0; key < KEYS; key++) cr_assert(hits());
}
Test(in_use, with_many_keys_the_tenth_round_is_the_first_of_hits) { (void)run(many_keys); }

static double each_ns;
static void look(void *user, const autotune_known *known) { (void)user, each_ns = known->result.in_use_ns; }
static void each(void) {
    call();
    autotune_each(look, NULL);
    cr_assert(is_nan(each_ns));
    EXPECT_INT(calls_until_hit(), CALLS);
    autotune_each(look, NULL);
    EXPECT_INT(each_ns, RACED);
    cr_assert(autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    call();
    autotune_each(look, NULL);
    cr_assert(is_nan(each_ns));
}
Test(in_use, autotune_each_has_their_median) { (void)run(each); }

static void call_once(void) { call(); }

/* ---- Differences that the log reports ---------------------------------------------------------------------------- */

static void use(void) {
    call();
    for (int i = 0; i < 3 * CALLS; i++) call();
}
static seen use_with(size_t count, double ns) {
    times(count, ns);
    key++;
    return run(use);
}
Test(in_use, what_takes_far_longer_in_use_is_told) {
    const seen slow = use_with(CALLS, 7.3 * RACED);
    EXPECT_CONTAINS(slow.log, "used [evaluated(key)=1]: 730.00 us a call in use, 7.30 x what the race measured: its "
                              "trials were not like the program's calls (the same data, in the caches?)");
    EXPECT_CONTAINS(slow.log, "see 'In use' in the manual");
    EXPECT_INT(slow.last.in_use_ns, 7.3 * RACED);
    EXPECT_INT(slow.last.median_ns, RACED);
}
static autotune_status flush_nothing(autotune_backend *self) { return (void)self, AUTOTUNE_OK; }
Test(in_use, what_takes_far_less_in_use_is_told) {
    autotune_backend cold = *virtual_backend(); /* a backend of the test, since emptying real caches takes long */
    const seen fast = use_with(CALLS, 0.3 * RACED);
    EXPECT_CONTAINS(fast.log, "30.00 us a call in use, 0.30 x what the race measured: its trials were not like");
    cold.flush = flush_nothing;
    how.backend = &cold;
    how.cache_state = AUTOTUNE_COLD;
    const seen hot = use_with(CALLS, 0.3 * RACED);
    EXPECT_CONTAINS(hot.log, "0.30 x what the race measured: its trials were not like the program's calls (they began "
                             "with empty caches)");
}
/* A record of another build gives the winner in modes that race nothing. */
static void use_without_race(void) {
    how.mode = AUTOTUNE_CACHED;
    use();
}
Test(in_use, another_build_is_told) {
    times(CALLS, 3 * RACED);
    (void)run(call_once);
    cr_assert(edit_records(cache_file, "\"program\":\"", "\"program\":\"0") == 1);
    const seen other = run(use_without_race);
    EXPECT_CONTAINS(other.log, "3.00 x what the race measured: its trials were not like the program's calls (the race "
                               "was of another build); see");
}
/* So the winner of the other build stays sure, and its finalists are not duelled again. */
Test(in_use, nothing_is_written_behind_a_record_of_another_build) {
    times(CALLS, 3 * RACED);
    (void)run(call_once);
    edit_records(cache_file, "\"program\":\"", "\"program\":\"0");
    const seen other = run(use_without_race);
    cr_expect(tells(&other) && count_lines(cache_bytes()) == 1);
    edit_records(cache_file, "\"program\":\"0", "\"program\":\"");
    const seen own = run(use);
    cr_expect(contains(own.log, "known from an earlier run") && count_lines(cache_bytes()) == 2, "%s", own.log);
}
static void use_quick(void) {
    for (int i = 0; i < 2 * CALLS; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, (virtual_ns += autotune_trial ? 20 : 5000, AUTOTUNE_OK), .name = "quick",
                 .backend = how.backend);
}
Test(in_use, what_the_race_noticed_is_named) {
    const seen quick = run(use_quick);
    EXPECT_CONTAINS(quick.log, "its trials were not like the program's calls (the first configuration takes less than "
                               "2 ns more, and a hit may cost 2 ns: tuning gains nothing); see");
}
Test(in_use, six_of_eight_calls_decide) {
    const double far[] = {2.1, 0.4};
    for (int i = 0; i < 2; i++) {
        const seen six = use_with(6, far[i] * RACED), five = use_with(5, far[i] * RACED);
        cr_expect(tells(&six) && !tells(&five), "%g", far[i]);
    }
}
Test(in_use, up_to_a_factor_of_two_nothing_is_told) {
    const double near[] = {1.99, 1, 0.51};
    for (int i = 0; i < 3; i++) {
        const seen used = use_with(CALLS, near[i] * RACED);
        cr_expect(!tells(&used), "%g", near[i]);
        EXPECT_INT(used.last.in_use_ns, near[i] * RACED);
    }
}
#ifdef __linux__
static void keep_busy(void) {
    for (volatile unsigned long n = 0;; n++) if (n % 1000000 == 0 && getppid() == 1) _exit(EXIT_SUCCESS);
}
/* On a loaded machine too many calls may be preempted, and then nothing is known of a key's calls in use. */
static seen use_until_known(double ns) {
    seen used = use_with(63, ns);
    for (int tries = 0; is_nan(used.last.in_use_ns) && tries < 50; tries++) used = use_with(63, ns);
    return used;
}
/* If two threads share a core, either may take twice as long. */
Test(in_use, beside_a_busy_process_a_factor_of_four_is_needed) {
    by_thread_time = true;
    fflush(NULL);
    const pid_t busy = fork();
    cr_assert(busy >= 0);
    if (busy == 0) keep_busy();
    const seen shared = use_until_known(3 * RACED), next = run(use), slow = use_until_known(8 * RACED);
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    cr_expect(!tells(&shared), "%s", shared.log);
    cr_expect(shared.last.in_use_ns > 2 * shared.last.median_ns);
    cr_expect(!tells(&next) && contains(next.log, "known from an earlier run"), "%s", next.log);
    cr_expect(tells(&slow), "%s", slow.log);
}
#endif
static void tune_again(void) {
    use();
    cr_assert(autotune_clear("used", NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK) == AUTOTUNE_OK);
    use();
}
Test(in_use, it_is_told_once_for_a_key) {
    times(63, 5 * RACED);
    use_ns[2 * CALLS + 1] = 0; /* the call after the second race takes as long as in the race */
    const seen twice = run(tune_again);
    EXPECT_INT(count_of(twice.log, "a call in use"), 1);
    /* the second winner was timed, too, but the log reports only the first */
    EXPECT_INT(twice.last.in_use_ns, 5 * RACED);
}
static void coarse(void) {
    virtual_step = 1000000; /* a step is as long as ten launches */
    use();
}
Test(in_use, a_step_of_the_clock_is_told_as_nothing) {
    times(CALLS, 0);
    const seen used = run(coarse);
    cr_expect(!tells(&used), "%s", used.log);
}

/* ---- What does not count ----------------------------------------------------------------------------------------- */

static void fail_once(void) {
    answers[3] = AUTOTUNE_FAILED;
    call();
    call();
    call();
    cr_assert(call().status == AUTOTUNE_FAILED);
    EXPECT_CONTAINS(autotune_last_error(), "the winner failed (the launch failed) and is forgotten");
    cr_assert(!call().cache_hit && now->last.status == AUTOTUNE_OK); /* the next call races again */
    EXPECT_INT(calls_until_hit(), CALLS);
}
Test(in_use, a_call_that_fails_does_not_count) { (void)run(fail_once); }

static int leaves;
static bool left(void) { /* leaves the call by return */
    now->evaluations = 0;
    AUTOTUNE_BLOCK(SPACE(RANGE(id, 0, 3, 1)), .name = "left", .key = KEY(evaluated(1)), .backend = virtual_backend()) {
        virtual_ns += id == 1 ? RACED : 2 * RACED;
        if (!autotune_trial && leaves-- > 0) return true;
    }
    return false;
}
static void leave(void) {
    size_t calls = 0;
    left();
    for (leaves = 3; left() || now->evaluations == 2; calls++) cr_assert(calls < 100);
    EXPECT_INT(calls, 3 + CALLS);
}
Test(in_use, a_call_that_is_left_does_not_count) { (void)run(leave); }
static void always_leave(void) {
    size_t calls = 0;
    left();
    for (leaves = 1000; left() && now->evaluations == 2; calls++) cr_assert(calls < 100);
    EXPECT_INT(calls, 3 * CALLS + 1);
}
Test(in_use, calls_that_are_always_left_are_hits_in_the_end) { (void)run(always_leave); }

static void outlast(void) {
    call();
    inner_calls = 1010; /* the probation ends before so many inner calls are made */
    call();
    cr_assert(inner_calls == 0 && hits() && is_nan(now->last.in_use_ns));
}
Test(in_use, a_call_that_ends_after_the_probation_does_not_count) {
    const seen all = run(outlast);
    cr_expect(!tells(&all) && !contains(cache_bytes().at, "in_use_ns"));
}

static void errno_stays(void) {
    call();
    for (int i = 0; i < 2 * CALLS; i++) {
        errno = 42 + i;
        call();
        cr_assert(errno == 42 + i);
    }
}
Test(in_use, errno_is_left_alone) { (void)run(errno_stays); }

/* ---- Where nothing is timed -------------------------------------------------------------------------------------- */

static void expect_hits_at_once(void) {
    how.backend->now = count_reads;
    call();
    reads = 0;
    EXPECT_INT(calls_until_hit(), 0);
    EXPECT_INT(reads, 0);
    cr_assert(is_nan(now->last.in_use_ns));
}
static void isolated(void) {
    how.isolate = AUTOTUNE_CHILD;
    expect_hits_at_once();
}
static void pinned(void) {
    setenv("AUTOTUNE_USE", "used=id=1", 1);
    expect_hits_at_once();
    cr_assert(now->last.verdict == AUTOTUNE_PINNED);
}
static void off(void) {
    how.backend->now = count_reads;
    how.mode = AUTOTUNE_OFF;
    for (int i = 0; i < 2 * CALLS; i++) call();
    EXPECT_INT(reads, 0);
}
static autotune_status start(autotune_backend *self) { return (void)self, AUTOTUNE_OK; }
static autotune_status stop(autotune_backend *self, double *ns) {
    static uint64_t before;
    *ns = (double)(self->now(self) - before);
    return AUTOTUNE_OK;
}
static void waited_for(void) {
    how.backend->start = start;
    how.backend->stop = stop;
    expect_hits_at_once();
}
Test(in_use, nothing_is_timed_where_nothing_can_be_compared) {
    void (*const functions[])(void) = {pinned, off, waited_for};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        key = i;
        (void)run(functions[i]);
    }
}
Test(isolation, nothing_is_timed_if_trials_are_made_in_a_child) { (void)run(isolated); }
static void isolated_later(void) {
    call();
    cr_assert(!hits() && autotune_clear("used", NULL, AUTOTUNE_MEMORY | AUTOTUNE_DISK) == AUTOTUNE_OK);
    isolated();
}
Test(isolation, nothing_is_timed_if_the_winner_before_was_on_probation) { (void)run(isolated_later); }
static void guessed(void) {
    const autotune_key first = KEY((size_t)2);
    setenv("AUTOTUNE_UNSEEN", "guess", 1);
    key = 2;
    call();
    key = 1;
    how.mode = AUTOTUNE_FORCE; /* this mode does not guess */
    call();
    key = 2;
    how.mode = AUTOTUNE_ON;
    cr_assert(!hits() && autotune_clear("used", &first, AUTOTUNE_MEMORY | AUTOTUNE_DISK) == AUTOTUNE_OK);
    expect_hits_at_once();
    cr_assert(now->last.verdict == AUTOTUNE_GUESSED);
}
Test(guesses, no_guess_is_timed_if_the_winner_before_was_on_probation) { (void)run(guessed); }

/* A clock of the program may call the library. The library must not hold a lock when it reads the clock. */
static uint64_t count_keys(autotune_backend *self) {
    (void)autotune_open_keys();
    return virtual_now(self);
}
static void count_keys_in_clock(void) {
    how.backend->now = count_keys;
    call();
    (void)calls_until_hit();
}
Test(in_use, the_clock_may_call_the_library) { (void)run(count_keys_in_clock); }

/* Calls inside of a trial of another statement are not timed, although their winner is on probation. They still look up
   the winner. */
static size_t inner_reads;
static autotune_status outer_launch(int id, bool trial) {
    const size_t before = reads;
    call();
    if (trial) inner_reads += reads - before;
    virtual_ns += (uint64_t)(RACED * id);
    return AUTOTUNE_OK;
}
static void nested(void) {
    how.backend->now = count_reads;
    call();
    AUTOTUNE(SPACE(RANGE(id, 1, 3, 1)), 1, outer_launch(id, autotune_trial), .name = "outer",
             .backend = how.backend);
    EXPECT_INT(inner_reads, 0);
}
Test(in_use, no_call_inside_of_a_trial_is_timed) { (void)run(nested); }

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 4 };
static uint64_t tick(autotune_backend *self) {
    static uint64_t ticks;
    (void)self;
    __atomic_fetch_add(&reads, 1, __ATOMIC_RELAXED);
    return __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
}
static void *call_often(void *unused) {
    for (int i = 0; i < 1000; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, AUTOTUNE_OK, .name = "threads", .backend = how.backend);
    return unused;
}
static void share(void) {
    pthread_t threads[THREADS];
    const size_t of_calibration = 101; /* each thread that times a call reads the clock so often for its calibration */
    AUTOTUNE(SPACE(RANGE(id, 0, 3, 1)), 1, (virtual_ns += 1000 * (uint64_t)(id + 1), AUTOTUNE_OK), .name = "threads",
             .backend = how.backend);
    how.backend->now = tick;
    for (int i = 0; i < THREADS; i++) cr_assert(!pthread_create(&threads[i], NULL, call_often, NULL));
    for (int i = 0; i < THREADS; i++) cr_assert(!pthread_join(threads[i], NULL));
    cr_expect(reads >= of_calibration + 2 * CALLS && reads <= THREADS * of_calibration + 2 * CALLS, "%zu", reads);
}
Test(in_use, threads_share_the_eight_calls) { (void)run(share); }

static void *call_and_block(void *unused) { return call(), unused; }
/* A thread makes a timed call when the process forks. The child does not have this thread. */
static void fork_beside_a_timed_call(void) {
    pthread_t thread;
    char byte;
    int status;
    call();
    blocks = true;
    cr_assert(pipe(begun_pipe) == 0 && !pthread_create(&thread, NULL, call_and_block, NULL));
    cr_assert(read(begun_pipe[0], &byte, 1) == 1);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(calls_until_hit() == CALLS ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    cr_assert(waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}
Test(in_use, a_child_waits_for_no_call_of_a_thread_that_it_lacks) { (void)run(fork_beside_a_timed_call); }

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

static size_t lines_in_use(void) { return count_of(cache_bytes().at, "\"verdict\":\"in use\""); }
Test(in_use, a_line_behind_the_record_has_the_median) {
    times(CALLS, 1.5 * RACED);
    (void)run(use);
    EXPECT_INT(lines_in_use(), 1);
    EXPECT_CONTAINS(cache_bytes().at, "\"in_use_ns\":150000.0,\"scatter\":0,\"told\":false,\"crc\"");
    cr_expect(sound_lines(cache_bytes()) == 2 && count_lines(cache_bytes()) == 2);
}
Test(in_use, there_is_one_line_a_day) {
    for (int i = 0; i < 3; i++) (void)run(use);
    EXPECT_INT(lines_in_use(), 1);
    const char today[] = "\"date\":\"2";
    /* sets the dates of the records to a thousand years ago */
    cr_assert(edit_records(cache_file, today, "\"date\":\"1") == 2);
    (void)run(use);
    EXPECT_INT(lines_in_use(), 2);
}
Test(in_use, a_winner_that_is_far_slower_is_duelled_again_in_three_runs) {
    times(CALLS, 5 * RACED);
    most_id = 11;
    for (int i = 0; i < 5; i++) {
        dice = 1 + (uint32_t)i;
        const seen used = run(use);
        cr_expect(tells(&used), "run %d", i);
        cr_expect(contains(used.log, "known from an earlier run") == (i == 4), "run %d: %s", i, used.log);
    }
    EXPECT_INT(count_of(cache_bytes().at, "\"duels\":3"), 1);
}
/* A shared library has the kernels, and is built anew: the program's own build stays the same. The first run after this
   build finds the winner slower in use. The next run finds it slower in the duel, too, and races all configurations. */
Test(in_use, a_winner_that_is_far_slower_in_the_duel_too_is_raced_anew) {
    most_id = 40;
    fast_id = 17;
    EXPECT_INT(run(use).last.index, 17);
    fast_id = 30;
    const seen slower = run(use);
    cr_expect(slower.last.index == 17 && tells(&slower), "%s", slower.log);
    const seen anew = run(use);
    EXPECT_CONTAINS(anew.log, "]: id=17 takes 400 us, and 100 us in the record: all configurations are raced");
    cr_expect(anew.last.index == 30 && !tells(&anew), "%s", anew.log);
    const seen known = run(use);
    cr_expect(known.last.index == 30 && contains(known.log, "known from an earlier run") && !tells(&known), "%s",
              known.log);
}
Test(in_use, the_first_configuration_has_its_figure_of_the_later_duel) {
    most_id = 255; /* the race takes long */
    const seen raced = use_with(CALLS, 5 * RACED);
    EXPECT_INT(100 * raced.last.default_ns / raced.last.median_ns, 105);
    dice = 1; /* now all are alike */
    const seen again = run(call_once);
    EXPECT_CONTAINS(again.log, " best of an earlier run compared again");
    cr_expect(again.last.index == 1 && again.last.default_ns < 1.03 * again.last.median_ns, "%s", again.log);
}
static void use_short(void) {
    for (int i = 0; i < 2 * CALLS; i++)
        AUTOTUNE(SPACE(RANGE(id, 0, 255, 1)), 1,
                 (virtual_ns += autotune_trial ? id ? 20 + (uint64_t)(id != 1) : 300 : 5000, AUTOTUNE_OK),
                 .name = "short", .backend = how.backend, .result = &now->last);
}
Test(in_use, a_first_configuration_that_is_not_duelled_again_gives_no_remark) {
    (void)run(use_short);
    const seen again = run(use_short);
    EXPECT_CONTAINS(again.log, " best of an earlier run compared again");
    cr_expect(again.last.index == 1 && !contains(again.log, "tuning gains nothing"), "%s", again.log);
}
Test(in_use, a_winner_that_is_faster_or_as_raced_is_not_duelled_again) {
    const double used_ns[] = {0.3 * RACED, RACED};
    for (key = 0; key < 2; key++) {
        times(CALLS, used_ns[key]);
        (void)run(use);
        EXPECT_CONTAINS(cache_bytes().at, key ? "\"told\":false" : "\"told\":true");
        const seen next = run(use);
        EXPECT_CONTAINS(next.log, "known from an earlier run");
    }
}
/* Two statements of one function have the same name and key, and differ in their texts. */
static void use_two(void) {
    for (int i = 0; i < 3 * CALLS; i++) {
        AUTOTUNE(SPACE(AXIS(id, 0, 1)), 1, (virtual_ns += RACED * (uint64_t)(id + 1), AUTOTUNE_OK),
                 .backend = how.backend);
        AUTOTUNE(SPACE(AXIS(id, 1, 0)), 1, (virtual_ns += RACED * (uint64_t)(id + 2), AUTOTUNE_OK),
                 .backend = how.backend);
    }
}
Test(in_use, each_of_two_statements_of_a_function_has_a_line) {
    for (int i = 0; i < 2; i++) {
        (void)run(use_two);
        EXPECT_INT(lines_in_use(), 2);
    }
}
static void use_pinned(void) {
    setenv("AUTOTUNE_USE", "used=id!=2", 1);
    use();
}
Test(in_use, a_race_with_a_pin_has_a_line_beside_the_race_without) {
    for (int i = 0; i < 2; i++) {
        (void)run(use);
        (void)run(use_pinned);
    }
    EXPECT_INT(lines_in_use(), 2);
}
static char saved[256];
static void use_loaded(void) {
    cr_assert(autotune_load(saved) == AUTOTUNE_OK);
    use();
}
Test(in_use, a_record_that_was_loaded_has_no_line) {
    (void)run(call_once);
    snprintf(saved, sizeof saved, "%s/saved.jsonl", cache_folder);
    cr_assert(rename(cache_file, saved) == 0);
    for (int i = 0; i < 2; i++) {
        const seen used = run(use_loaded);
        EXPECT_CONTAINS(used.log, "known from an earlier run");
        cr_expect(access(cache_file, F_OK) != 0, "run %d", i); /* no line stands in a file without the record */
    }
}
static void use_without_cache(void) {
    setenv("AUTOTUNE_CACHE", "readonly", 1);
    use();
}
Test(in_use, nothing_is_written_where_the_cache_is_read_only) {
    (void)run(call_once);
    (void)run(use_without_cache);
    EXPECT_INT(lines_in_use(), 0);
}
/* A record may be wrong: it may be a copy from another program, or edited by hand. */
Test(in_use, a_record_whose_times_are_wrong_is_told) {
    const char *const wrong[] = {"\"median_ns\":30000.0,\"verdict\"", "\"median_ns\":300000.0,\"verdict\""};
    for (key = 0; key < 2; key++) {
        times(CALLS, RACED);
        (void)run(call_once);
        cr_assert(edit_records(cache_file, "\"median_ns\":100000.0,\"verdict\"", wrong[key]) == 1);
        const seen next = run(use);
        cr_expect(tells(&next), "%s", next.log);
        EXPECT_CONTAINS(next.log, "known from an earlier run");
    }
}
