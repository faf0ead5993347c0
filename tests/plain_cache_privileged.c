/* plain_cache_privileged.c - a process with more rights than the user who started it ignores its environment: else the
   user could make it write files that the user may not write. The test makes a setuid copy of itself, which runs as
   root, and starts the copy as the user nobody. The test must run as root. The folder for temporary files must allow
   setuid programs. */
#define _DEFAULT_SOURCE
#include "plain.h"
#include "cache_file.h"

enum { NOBODY = 65534, CANNOT_RUN_HERE = 77, HAS_NO_MORE_RIGHTS = 78 };

/* ---- The copy ---------------------------------------------------------------------------------------------------- */

static int launches;
static autotune_status launch(int tile, autotune_backend *clock) {
    (void)clock;
    launches++;
    spend((uint64_t)(tile + 1) * MILLISECOND);
    return AUTOTUNE_OK;
}
static autotune_result run(autotune_mode mode, int key, autotune_backend *clock) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, 3, 1)), 1, launch(tile, clock), .name = "privileged", .key = KEY(key), .mode = mode,
             .backend = clock, .result = &result);
    return result;
}
/* Calls a key in mode ON, which races unless AUTOTUNE_MODE=cached forbids it. Calls a second key in mode CACHED, which
   is a miss. Then closes the cache. */
static int run_copy(bool privileged) {
    autotune_backend clock = virtual_backend("device");
    const bool may_race = privileged || strcmp(getenv("AUTOTUNE_MODE"), "cached");
    if (privileged && geteuid() == getuid()) return HAS_NO_MORE_RIGHTS;
    autotune_set_log(say_nothing, NULL);
    CHECK(run(AUTOTUNE_ON, 1, &clock).status == AUTOTUNE_OK);
    CHECK(may_race ? launches > 4 : launches == 1);
    CHECK(run(AUTOTUNE_CACHED, 2, &clock).status == AUTOTUNE_OK);
    CHECK(run(AUTOTUNE_CACHED, 2, &clock).status == AUTOTUNE_OK);
    CHECK(!privileged || autotune_clear(NULL, NULL, AUTOTUNE_DISK) == AUTOTUNE_ERR_ENVIRONMENT);
    autotune_shutdown();
    return EXIT_SUCCESS;
}

/* ---- The process that starts the copy ---------------------------------------------------------------------------- */

static char folder[200];
static const char *in_folder(const char *name) {
    static char path[4][300];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}
static void copy_self(const char *path, mode_t mode) {
    const bytes self = read_file("/proc/self/exe");
    CHECK(self.at != NULL);
    write_file(path, self.at, self.count);
    CHECK(chmod(path, mode) == 0);
}
/* Starts a copy of this program as the user nobody. Returns the exit status of the copy. */
static int start(const char *program, const char *mode, const char *misses) {
    int status = 0;
    const pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        setenv("AUTOTUNE_MODE", mode, 1);
        setenv("AUTOTUNE_MISSES", in_folder(misses), 1);
        setenv("AUTOTUNE_CACHE_DIR", in_folder("closed/cache"), 1);
        setenv("XDG_CACHE_HOME", in_folder("closed"), 1);
        setenv("HOME", in_folder("closed"), 1);
        setenv("AUTOTUNE_CACHE", "on", 1);
        if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(CANNOT_RUN_HERE);
        execl(in_folder(program), program, program, (char *)NULL);
        _exit(CANNOT_RUN_HERE);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
static bool is_there(const char *path) { return access(path, F_OK) == 0; }

int main(int count, char **arguments) {
    static const char before[] = "what root wrote\n";
    int status;
    if (count > 1) return run_copy(!strcmp(arguments[1], "setuid"));
    if (geteuid() != 0) return CANNOT_RUN_HERE;
    use_new_folder();
    snprintf(folder, sizeof folder, "%s", cache_folder);
    CHECK(chmod(folder, 0755) == 0 && mkdir(in_folder("closed"), 0700) == 0);
    copy_self(in_folder("plain"), 0755);
    copy_self(in_folder("setuid"), 04755);
    write_file(in_folder("file"), before, sizeof before - 1);

    status = start("setuid", "cached", "file");
    if (status == HAS_NO_MORE_RIGHTS || status == CANNOT_RUN_HERE) { remove_folder(); return CANNOT_RUN_HERE; }
    CHECK(status == EXIT_SUCCESS);
    CHECK(read_file(in_folder("file")).count == sizeof before - 1);
    CHECK(!is_there(in_folder("closed/cache")) && !is_there(in_folder("closed/autotune")) &&
          !is_there(in_folder("closed/.cache")));

    /* A copy without more rights does what its environment says. */
    CHECK(chown(in_folder("closed"), NOBODY, NOBODY) == 0);
    CHECK(start("plain", "cached", "closed/misses") == EXIT_SUCCESS && read_file(in_folder("closed/misses")).count > 0);
    CHECK(start("plain", "on", "closed/misses") == EXIT_SUCCESS && is_there(in_folder("closed/cache/results.jsonl")));
    remove_folder();
    return EXIT_SUCCESS;
}
