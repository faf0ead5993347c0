/* tune.c - autotune tune: starts a program again and again, until all its races have ended

   A program may end within a race: a configuration crashes, breaks the device, or ends the process. The next run
   continues the race, and knows from the launch notes which configuration ended the program. */
#include "command.h"
#include "crashes.h"
#include "files.h"
#include "options.h"
#include "records.h"
#include "shown.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct progress { /* counts of the cache on disk */
    size_t known; /* keys with a winner */
    size_t open;  /* keys whose race did not end */
    size_t lost;  /* launches that did not return */
};

static struct progress count_progress(void) {
    struct progress now = {0, 0, 0};
    struct record *records = read_cache_if_any() == NOT_DONE ? NULL : merged_records();
    struct crash *crashes = read_crashes((char *[]){NULL});
    for (size_t i = 0; i < COUNT(records); i++) {
        if (is_rule(&records[i])) continue;
        now.known += !records[i].line.unfinished;
        now.open += records[i].line.unfinished;
    }
    for (size_t i = 0; i < COUNT(crashes); i++) now.lost += crashes[i].launches;
    stbds_arrfree(records);
    stbds_arrfree(crashes);
    return now;
}
/* Reads the cache in a child process, because a process keeps all lines that it reads. If this fails, prints why, and
   returns false. */
static bool read_progress(struct progress *now) {
    int ends[2], status = 0;
    if (pipe(ends) != 0) return fail(NOT_DONE, "tune: %s", strerror(errno)), false;
    const pid_t child = fork();
    if (child == 0) {
        *now = count_progress();
        _exit(write(ends[1], now, sizeof *now) == (ssize_t)sizeof *now ? DONE : NOT_DONE);
    }
    close(ends[1]);
    const bool read_all = child > 0 && read(ends[0], now, sizeof *now) == (ssize_t)sizeof *now;
    close(ends[0]);
    if (child > 0) while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return read_all || (fail(NOT_DONE, "tune: the cache cannot be read"), false);
}
/* Runs the program. Returns its status as waitpid() does. If this fails, prints why, and returns -1. */
static int run_program(char **arguments) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (options.dir) setenv("AUTOTUNE_CACHE_DIR", options.dir, 1);
        execvp(arguments[0], arguments);
        fail(NOT_DONE, "%s: %s", shown(arguments[0]), strerror(errno));
        _exit(127);
    }
    if (child < 0) return fail(NOT_DONE, "tune: %s", strerror(errno)), -1;
    while (waitpid(child, &status, 0) < 0) if (errno != EINTR) return -1;
    return status;
}
static const char *end_of(int status) {
    return WIFSIGNALED(status) ? formatted("ended by signal %d", WTERMSIG(status))
           : WEXITSTATUS(status) ? formatted("exited with %d", WEXITSTATUS(status)) : "ended";
}
static int number_of_runs(void) {
    char *end = NULL;
    const long most = options.at_most ? strtol(options.at_most, &end, 10) : 20;
    return most > 0 && most <= 10000 && (!end || !*end) ? (int)most : 0;
}
/* Prints which configurations later runs skip, or try last. */
static void report_lost(void) {
    struct crash *crashes = read_crashes((char *[]){NULL});
    for (size_t i = 0; i < COUNT(crashes); i++)
        printf("%s [%s]: %s did not come back in %zu run%s\n", crashes[i].tuner, crashes[i].key, crashes[i].config,
               crashes[i].launches, crashes[i].launches == 1 ? "" : "s");
    stbds_arrfree(crashes);
}
static int tune(char **arguments) {
    const int most = number_of_runs();
    struct progress before, now = {0, 0, 0};
    int run = 0, status = 0;
    bool changed = true;
    if (!most) return fail(NOT_DONE, "tune: --at-most is a number of runs, from 1 to 10000");
    if (!may_write_cache())
        return fail(NOT_DONE, "AUTOTUNE_CACHE is off or readonly: nothing would be kept between the runs. Unset it");
    if (!named_cache() || !read_progress(&before)) return NOT_DONE;
    while (run < most && changed) {
        const time_t began = time(NULL);
        status = run_program(arguments);
        if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127) || !read_progress(&now)) return NOT_DONE;
        fprintf(stderr, "autotune: run %d of at most %d %s after %.0f s: %zu known, %zu open, launches lost: %zu\n",
                ++run, most, end_of(status), difftime(time(NULL), began), now.known, now.open, now.lost);
        if (!now.open && status == 0) break;
        changed = now.known != before.known || now.open != before.open || now.lost != before.lost;
        before = now;
    }
    printf("%d run%s: %zu known, %zu open\n", run, run == 1 ? "" : "s", now.known, now.open);
    report_lost();
    if (!now.open && status == 0) return DONE;
    if (changed) return fail(FAULTY, "tune: the last run %s; --at-most allows more runs", end_of(status));
    return fail(FAULTY, "tune: the last run %s, and brought nothing new", end_of(status));
}
const struct command tune_command = {
    .name = "tune",
    .run = tune,
    .least = 1,
    .most = INT_MAX,
    .options = "dR+",
    .synopsis = "[--at-most N] [--] PROGRAM [ARGUMENT...]",
    .purpose = "run a program again until its races have ended",
    .help = "For programs that a configuration may end: by a crash, or by an error that breaks the device. The next\n"
            "run goes on with the race, and a configuration that ended two runs is skipped. The exit status is 1 if\n"
            "a race is still open, or if the last run failed.\n",
};
