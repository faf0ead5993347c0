/* plain_compilers.c - compilers that hang, fork, print without end, are killed or are missing; and programs that wait
   for all their children themselves. No process and no file may be left. */
#define _DEFAULT_SOURCE
#include "../sanitized.h"
#include "compilers.h"
#include <errno.h>
#include <signal.h>

void nothing(void);
#define PROGRAM(name) static autotune_cc_program name = CC_PROGRAM("/* " #name " */ void nothing(void) {}\n")

#define TUNE_FOR(program, seconds) (__extension__({ \
    autotune_result tuned; \
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(program, nothing), .compile_timeout = seconds, \
             .preset = AUTOTUNE_FAST, .compile_threads = 1, .name = #program, .result = &tuned); \
    tuned; }))
#define TUNE(program) TUNE_FOR(program, 0)

static char told[1000];                         /* the last line of the log */
static void keep_told(void *user, autotune_log_level level, const char *line) {
    (void)user;
    if (level <= AUTOTUNE_LOG_ERRORS) snprintf(told, sizeof told, "%s", line);
}

static void hanging_compilers_end(void) {
    PROGRAM(hangs);
    autotune_result result;
    compile_by(sleep_in("sleep %d & sleep %d"));
    result = TUNE_FOR(&hangs, 0.3);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("did not end within 0.3 s, .compile_timeout"));
    CHECK(!sleeps());
}
/* The trials are in a child process, which waits for its compiler. The child counts as hung after .compile_timeout, and
   not after .launch_timeout, which is only for launches. */
static void hanging_compilers_of_children_end(void) {
    PROGRAM(hangs_in_child);
    autotune_result result;
    compile_by(sleep_in("sleep %d & sleep %d"));
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&hangs_in_child, nothing), .isolate = AUTOTUNE_CHILD,
             .compile_timeout = 1, .launch_timeout = 0.3, .preset = AUTOTUNE_FAST, .result = &result);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("did not end within 1 s, .compile_timeout"));
    /* The child was killed with its compiler, so it could not remove its temporary files. */
    CHECK(!sleeps() && system("rm -rf \"$TMPDIR\"/autotune-*") == 0);
}
/* The compiler takes longer than .launch_timeout. The child does not count as hung. */
static void slow_compilers_of_children_are_waited_for(void) {
    PROGRAM(slow_in_child);
    autotune_result result;
    compile_by("sleep 1\n" REAL_COMPILER);
    told[0] = 0;
    autotune_set_log(keep_told, NULL);
    AUTOTUNE(SPACE(AXIS(STEP, 1, 2)), 1, CC_CALL(&slow_in_child, nothing), .isolate = AUTOTUNE_CHILD,
             .launch_timeout = 0.3, .preset = AUTOTUNE_FAST, .result = &result);
    autotune_set_log(say_nothing, NULL);
    CHECK(result.status == AUTOTUNE_OK && !result.failed && !told[0]);
}
static void forked_processes_end(void) {
    PROGRAM(forks);
    compile_by(sleep_in("sleep %d &\nexec cc \"$@\""));
    CHECK(TUNE(&forks).status == AUTOTUNE_OK && !sleeps());
}
static void noise_is_forgotten(void) {
    PROGRAM(noisy);
    PROGRAM(prints);
    compile_by("head -c 3000000 /dev/zero | tr '\\0' 'x'\necho\necho 'it says: error: of the compiler'\nexit 1");
    CHECK(TUNE(&noisy).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("does not compile: xxxxx"));
    compile_by("head -c 300000 /dev/zero\ncat\n"
               "exec cc -w -x c -O0 -o \"$(echo \"$*\" | sed 's/.*-o //;s/ -$//')\" -shared /dev/null");
    (void)TUNE(&prints);                        /* this compiler prints its input, and compiles an empty program */
    CHECK(last_error_has("the program has no function nothing"));
}
static void killed_compilers_are_told(void) {
    PROGRAM(killed);
    PROGRAM(silent);
    PROGRAM(idle);
    PROGRAM(garbage);
    compile_by("kill -9 $$");
    CHECK(TUNE(&killed).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("was killed by signal 9"));
    compile_by("exit 3");
    CHECK(TUNE(&silent).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("the compiler ended with status 3"));
    compile_by("exit 0");
    CHECK(TUNE(&idle).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("the compiler made no file"));
    compile_by("echo garbage > \"$(echo \"$*\" | sed 's/.*-o //;s/ -$//')\"");
    CHECK(TUNE(&garbage).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("cannot be loaded: "));
}
static void first_error_is_told(void) {
    PROGRAM(several);
    compile_by("echo 'a.c: In function f:'\necho 'a.c:1:2: error: the first'\n"
               "echo 'a.c:3:4: error: the second'\nexit 1");
    CHECK(TUNE(&several).status == AUTOTUNE_ERR_ALL_FAILED);
    CHECK(last_error_has("does not compile: a.c:1:2: error: the first") && !last_error_has("the second"));
}
/* The compiler prints the list of its folders, and then the messages of the linker. Only the last message has the word
   "error", but the reason must be the first message. */
static void folders_are_no_message(void) {
    PROGRAM(unlinked);
    PROGRAM(refused);
    const char *const folders = "echo '#include <...> search starts here:'\necho ' /mirror'\n"
                                "echo 'End of search list.'\n";
    char script[400];
    snprintf(script, sizeof script, "%secho 'ld: undefined x'\necho 'collect2: error: 1'\nexit 1", folders);
    compile_by(script);
    CHECK(TUNE(&unlinked).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("does not compile: ld: undefined x"));
    snprintf(script, sizeof script, "echo 'cc1: error: before'\n%sexit 1", folders);
    compile_by(script);
    CHECK(TUNE(&refused).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("does not compile: cc1: error: before"));
}
static void missing_compilers_end_the_race(void) {
    PROGRAM(alone);
    PROGRAM(unfound);
    PROGRAM(no_program);
    autotune_result result;
    char path[4096];
    setenv("AUTOTUNE_CC", "no-such-compiler -O2", 1);
    result = TUNE(&alone);
    CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT && last_error_has("no-such-compiler was not found"));
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    unsetenv("AUTOTUNE_CC");
    setenv("PATH", "/no/such/folder", 1);
    result = TUNE(&unfound);
    CHECK(result.status == AUTOTUNE_ERR_ENVIRONMENT);
    CHECK(last_error_has("install gcc or clang, or name one in AUTOTUNE_CC"));
    setenv("PATH", path, 1);
    setenv("AUTOTUNE_CC", write_text("not-executable", "text"), 1);
    result = TUNE(&no_program);
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED);
    /* The thread sanitizer makes fork() of vfork(), so the error of exec does not reach the library. */
    CHECK(THREAD_SANITIZED || last_error_has("Permission denied"));
}
/* Blanks separate the words of AUTOTUNE_CC and of --cc=. Quotes are a part of a word. */
static void compilers_may_have_several_words(void) {
    PROGRAM(by_setting);
    static autotune_cc_program by_option = CC_PROGRAM("void nothing(void) {}\n", "--cc=$COMPILER");
    autotune_result result;
    char words[1200];
    CHECK(mkdir(in_folder("cc=1"), 0700) == 0);
    snprintf(words, sizeof words, "\t%s  -DQUOTED='a' -O1 ", make_compiler("cc=1/\"c'c\"", REAL_COMPILER));
    forget_compilations();
    setenv("AUTOTUNE_CC", words, 1);
    CHECK(TUNE(&by_setting).status == AUTOTUNE_OK && was_compiled_with("-DQUOTED='a' -O1 -x"));
    unsetenv("AUTOTUNE_CC");
    forget_compilations();
    AUTOTUNE(SPACE(AXIS(COMPILER, (const char *)words)), 1, CC_CALL(&by_option, nothing), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && was_compiled_with("-O1 -x"));
}
/* The implementation was compiled with AUTOTUNE_CC_DEFAULT="default-compiler-of-tests". If this compiler does not
   exist, the library uses cc. */
static void default_compiler_is_the_first_one_that_is_there(void) {
    PROGRAM(by_default);
    PROGRAM(by_cc);
    char path[4096], with_default[4500];
    const char *const compiler = make_compiler("default-compiler-of-tests", REAL_COMPILER);
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    snprintf(with_default, sizeof with_default, "%s:%s", cache_folder, path);
    unsetenv("AUTOTUNE_CC");
    setenv("PATH", with_default, 1);
    forget_compilations();
    CHECK(TUNE(&by_default).status == AUTOTUNE_OK && compilations() == 1);
    CHECK(unlink(compiler) == 0);
    CHECK(TUNE(&by_cc).status == AUTOTUNE_OK && compilations() == 1);
    setenv("PATH", path, 1);
}
static void temporary_folder_may_be_missing(void) {
    PROGRAM(homeless);
    char before[400];
    snprintf(before, sizeof before, "%s", getenv("TMPDIR"));
    compile_by(REAL_COMPILER);
    setenv("TMPDIR", "/no/such/folder", 1);
    CHECK(TUNE(&homeless).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("TMPDIR or /tmp: No such file"));
    setenv("TMPDIR", before, 1);
}

/* ---- Programs that handle the ends of children ------------------------------------------------------------------- */

static void wait_for_all(int number) {
    const int error_number = errno;
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    errno = error_number;
}
static void children_may_be_waited_for_by_others(void) {
    PROGRAM(reaped);
    PROGRAM(broken);
    PROGRAM(ignored);
    compile_by(REAL_COMPILER);
    CHECK(signal(SIGCHLD, wait_for_all) != SIG_ERR);
    CHECK(TUNE(&reaped).status == AUTOTUNE_OK);
    compile_by("echo 'error: nothing'\nexit 1");
    CHECK(TUNE(&broken).status == AUTOTUNE_ERR_ALL_FAILED);
    compile_by(REAL_COMPILER);
    CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    CHECK(TUNE(&ignored).status == AUTOTUNE_OK);
    CHECK(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
}
/* A compiler starts with the default signal handlers, whatever handlers the program has. */
static void compilers_begin_anew(void) {
    PROGRAM(anew);
    compile_by("kill -PIPE $$\nexit 1");
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    CHECK(TUNE(&anew).status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("was killed by signal 13"));
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
}
static void unwanted_compilations_end(void) {
    static autotune_cc_program unwanted = CC_PROGRAM("void nothing(void) {}\n", "--cc=$COMPILER", "-DSTEP_OF=$STEP");
    autotune_result result;
    char late[400];
    const time_t began = time(NULL);
    snprintf(late, sizeof late, "%s", make_compiler("late", sleep_in("sleep %d")));
    AUTOTUNE(SPACE(AXIS(COMPILER, "cc", (const char *)late), AXIS(STEP, 1, 2, 3)), 1, CC_CALL(&unwanted, nothing),
             .strategy = AUTOTUNE_EXHAUSTIVE, .max_trials = 2, .compile_threads = 4, .preset = AUTOTUNE_FAST,
             .result = &result);
    CHECK(result.status == AUTOTUNE_OK && time(NULL) - began < 30);
    CHECK(!sleeps());
}

int main(void) {
    static const plain_test tests[] = {
        {"hanging_compilers_end", hanging_compilers_end},
        {"hanging_compilers_of_children_end", hanging_compilers_of_children_end},
        {"slow_compilers_of_children_are_waited_for", slow_compilers_of_children_are_waited_for},
        {"forked_processes_end", forked_processes_end},
        {"noise_is_forgotten", noise_is_forgotten},
        {"killed_compilers_are_told", killed_compilers_are_told},
        {"first_error_is_told", first_error_is_told},
        {"folders_are_no_message", folders_are_no_message},
        {"missing_compilers_end_the_race", missing_compilers_end_the_race},
        {"compilers_may_have_several_words", compilers_may_have_several_words},
        {"default_compiler_is_the_first_one_that_is_there", default_compiler_is_the_first_one_that_is_there},
        {"temporary_folder_may_be_missing", temporary_folder_may_be_missing},
        {"children_may_be_waited_for_by_others", children_may_be_waited_for_by_others},
        {"compilers_begin_anew", compilers_begin_anew},
        {"unwanted_compilations_end", unwanted_compilations_end},
    };
    char temporary[300];
    int status;
    use_new_folder();
    snprintf(temporary, sizeof temporary, "%s/temporary", cache_folder);
    CHECK(mkdir(temporary, 0700) == 0 && setenv("TMPDIR", temporary, 1) == 0);
    status = RUN_PLAIN_TESTS(tests);
    autotune_shutdown();
    CHECK(files_in(temporary) == 0);
    remove_folder();
    return status;
}
