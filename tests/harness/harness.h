/* harness.h - runs a suite, if Criterion does not: under sanitizers, on Windows, with musl, on an emulated processor,
   and if Criterion is not installed. Each test runs in its own process, one after the other, so that no test can
   disturb the next. The harness makes the process by fork(), or on a system without fork() by starting the program
   again. A suite is one file, since main() is here. It needs only a C compiler. The macros and headers have the names
   of Criterion's. The compiler gets this folder by -isystem, so that it gives no warnings about the macros.

   The arguments of a suite:

     --without SUITE/NAME    leaves this test out, and prints its name. A * at the end matches every text. It is an
                             error if no test matches
     --only SUITE/NAME       runs only this test, and the tests of other --only

   The exit status is EXIT_SUCCESS if at least one test ran and none failed. A test passes if it came to its end and all
   its checks held. The harness sets no time limit. */
#ifndef HARNESS_H
#define HARNESS_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>
#include <process.h>
#else
#include <sys/wait.h>
#include <unistd.h>
#endif

/* ---- The macros that suites use ---------------------------------------------------------------------------------- */

#define Test(...)      HARNESS_TEST(__VA_ARGS__, .line = __LINE__)
#define TestSuite(...) HARNESS_SUITE(__VA_ARGS__, .line = __LINE__)

#define cr_assert(...)           HARNESS_CHECK(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_not(...)       HARNESS_CHECK_NOT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_null(...)      HARNESS_CHECK_NOT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_not_null(...)  HARNESS_CHECK(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_eq(...)        HARNESS_COMPARE(true, ==, "==", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_neq(...)       HARNESS_COMPARE(true, !=, "!=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_lt(...)        HARNESS_COMPARE(true, <, "<", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_leq(...)       HARNESS_COMPARE(true, <=, "<=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_gt(...)        HARNESS_COMPARE(true, >, ">", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_geq(...)       HARNESS_COMPARE(true, >=, ">=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_str_eq(...)    HARNESS_COMPARE_TEXT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_str_empty(...) HARNESS_EMPTY(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_float_eq(...)  HARNESS_NEAR(true, #__VA_ARGS__, __VA_ARGS__, "")

#define cr_expect(...)          HARNESS_CHECK(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_not(...)      HARNESS_CHECK_NOT(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_null(...)     HARNESS_CHECK_NOT(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_not_null(...) HARNESS_CHECK(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_eq(...)       HARNESS_COMPARE(false, ==, "==", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_neq(...)      HARNESS_COMPARE(false, !=, "!=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_lt(...)       HARNESS_COMPARE(false, <, "<", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_leq(...)      HARNESS_COMPARE(false, <=, "<=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_gt(...)       HARNESS_COMPARE(false, >, ">", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_geq(...)      HARNESS_COMPARE(false, >=, ">=", #__VA_ARGS__, __VA_ARGS__, "")

#define cr_skip_test(...) harness_skip("" __VA_ARGS__)

/* ---- Their implementation ---------------------------------------------------------------------------------------- */

struct harness_options {
    void (*init)(void);
    void (*fini)(void);
    int line;
};
struct harness_test {
    const char *suite, *name; /* name is NULL: the options of the suite */
    void (*body)(void);
    struct harness_options options;
    struct harness_test *next; /* the next test of the file */
};
static struct harness_test *harness_tests;

/* Compilers run the constructors of a file in either order: from the first, or from the last. */
static inline void harness_add(struct harness_test *test) {
    struct harness_test **at = &harness_tests;
    while (*at && (*at)->options.line < test->options.line) at = &(*at)->next;
    test->next = *at;
    *at = test;
}
#define HARNESS_TEST(suite_name, test_name, ...)                                                \
    static void harness_##suite_name##_##test_name(void);                                       \
    __attribute__((__constructor__)) static void harness_add_##suite_name##_##test_name(void) { \
        static struct harness_test test = {                                                     \
            #suite_name, #test_name, harness_##suite_name##_##test_name, {__VA_ARGS__}, NULL};  \
        harness_add(&test);                                                                     \
    }                                                                                           \
    static void harness_##suite_name##_##test_name(void)
#define HARNESS_SUITE(suite_name, ...)                                                     \
    __attribute__((__constructor__)) static void harness_add_##suite_name(void) {          \
        static struct harness_test suite = {#suite_name, NULL, NULL, {__VA_ARGS__}, NULL}; \
        harness_add(&suite);                                                               \
    }                                                                                      \
    struct harness_test

/* The exit status of a test's process. Any other status means that the body ended the process itself. */
enum { HARNESS_PASSED = 80, HARNESS_FAILED = 81, HARNESS_SKIPPED = 82 };

static const struct harness_test *harness_running;
static unsigned harness_failures;
#ifndef _WIN32
static pid_t harness_process; /* the process of the test. A child that the body makes ends with EXIT_FAILURE if a
                                 check fails */
#endif

static inline bool harness_is_the_test(void) {
#ifdef _WIN32
    return true;
#else
    return getpid() == harness_process;
#endif
}
static inline void harness_end(int status) {
    const struct harness_test *test = harness_running;
    fflush(NULL);
    if (!harness_is_the_test()) _exit(EXIT_FAILURE);
    harness_running = NULL; /* a failed check in fini() must not call fini() again */
    if (test && test->options.fini) test->options.fini();
    fflush(NULL);
    /* A sanitizer looks for leaks in exit(), and may change the exit status. A check may fail anywhere, also where
       exit() must not be called. */
    if (status == HARNESS_PASSED && !harness_failures) exit(status);
    _exit(harness_failures && status == HARNESS_PASSED ? HARNESS_FAILED : status);
}
static inline void harness_skip(const char *format, ...) {
    va_list values;
    printf("[SKIP] %s/%s: ", harness_running->suite, harness_running->name);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    harness_end(HARNESS_SKIPPED);
}
static inline void harness_check(bool fatal, bool holds, const char *file, int line, const char *text,
                                 const char *format, ...) {
    va_list values;
    if (holds) return;
    harness_failures++;
    printf("%s:%d: failed: %s%s", file, line, text, *format ? ": " : "");
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    fflush(stdout);
    if (fatal || !harness_is_the_test()) harness_end(HARNESS_FAILED);
}
static inline bool harness_near(double a, double b, double most) { return a - b <= most && b - a <= most; }

/* The last argument, an empty text, is the format if the test has no format. */
#define HARNESS_CHECK(fatal, text, condition, ...) \
    harness_check(fatal, (condition) ? true : false, __FILE__, __LINE__, text, __VA_ARGS__)
#define HARNESS_CHECK_NOT(fatal, text, condition, ...) \
    harness_check(fatal, (condition) ? false : true, __FILE__, __LINE__, "not " text, __VA_ARGS__)
#define HARNESS_COMPARE(fatal, operator, word, text, a, b, ...) \
    harness_check(fatal, (a) operator(b), __FILE__, __LINE__, word " of " text, __VA_ARGS__)
#define HARNESS_COMPARE_TEXT(fatal, text, a, b, ...) \
    harness_check(fatal, !strcmp(a, b), __FILE__, __LINE__, "equal: " text, __VA_ARGS__)
#define HARNESS_EMPTY(fatal, text, a, ...) \
    harness_check(fatal, !*(a), __FILE__, __LINE__, "empty: " text, __VA_ARGS__)
#define HARNESS_NEAR(fatal, text, a, b, most, ...) \
    harness_check(fatal, harness_near(a, b, most), __FILE__, __LINE__, "near: " text, __VA_ARGS__)

/* ---- Texts on standard error ------------------------------------------------------------------------------------- */

#ifdef _WIN32
#define HARNESS_STANDARD_ERROR_OF(file) _dup2(_fileno(file), 2)
#else
#define HARNESS_STANDARD_ERROR_OF(file) dup2(fileno(file), 2)
#endif

static FILE *harness_said;

static inline void cr_redirect_stderr(void) {
    fflush(stderr);
    if (!(harness_said = tmpfile()) || HARNESS_STANDARD_ERROR_OF(harness_said) < 0) abort();
}
/* Returns the text on standard error since the last call. */
static inline FILE *cr_get_redirected_stderr(void) {
    static long read_before;
    FILE *since = tmpfile();
    int character;
    fflush(stderr);
    if (!since || fseek(harness_said, read_before, SEEK_SET) != 0) abort();
    while ((character = getc(harness_said)) != EOF) putc(character, since);
    read_before = ftell(harness_said);
    rewind(since);
    return since;
}

/* ---- main() ------------------------------------------------------------------------------------------------------ */

static inline bool harness_is_named(const struct harness_test *test, const char *pattern) {
    char whole[512];
    const size_t length = strlen(pattern);
    snprintf(whole, sizeof whole, "%s/%s", test->suite, test->name);
    if (length && pattern[length - 1] == '*') return !strncmp(whole, pattern, length - 1);
    return !strcmp(whole, pattern);
}
static inline void harness_run_here(struct harness_test *test) {
    const struct harness_test *suite = harness_tests;
    while (suite && (suite->name || strcmp(suite->suite, test->suite) != 0)) suite = suite->next;
    if (suite && !test->options.init) test->options.init = suite->options.init;
    if (suite && !test->options.fini) test->options.fini = suite->options.fini;
    harness_running = test;
#ifndef _WIN32
    harness_process = getpid();
#endif
    if (test->options.init) test->options.init();
    test->body();
    harness_end(HARNESS_PASSED);
}
#ifdef _WIN32
/* Returns the exit status of a process that runs the test. On a busy machine Wine sometimes cannot start a process.
   Then _spawnv() returns -1, which is no exit status of a test. The function prints a line, and tries at most twice
   again. */
static inline int harness_spawn(const char *program, const struct harness_test *test) {
    char number[24];
    const char *arguments[] = {program, "--run", number, NULL};
    int status = -1;
    snprintf(number, sizeof number, "%d", test->options.line);
    for (int attempt = 0; attempt < 3 && status == -1; attempt++) {
        errno = 0;
        status = (int)_spawnv(_P_WAIT, program, arguments);
        if (status != -1) break;
        printf("[NOT STARTED] %s/%s: %s\n", test->suite, test->name, strerror(errno));
    }
    return status;
}
#endif
/* Runs the test in a process, and returns its exit status; -1: a signal ended the process. */
static inline int harness_run(const char *program, struct harness_test *test) {
#ifdef _WIN32
    return harness_spawn(program, test);
#else
    int status;
    const pid_t process = fork();
    (void)program;
    if (process == 0) harness_run_here(test);
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
#endif
}
/* Returns true if the arguments leave the test out. Arguments that match a test become NULL in `unused`. */
static inline bool harness_is_left_out(const struct harness_test *test, int count, char **arguments,
                                       const char **unused) {
    bool out = false, only = false, in = false;
    for (int i = 1; i + 1 < count; i += 2) {
        const bool speaks = harness_is_named(test, arguments[i + 1]), without = !strcmp(arguments[i], "--without");
        if (speaks) unused[i] = NULL;
        if (without)
            out |= speaks;
        else
            only = true, in |= speaks;
    }
    if (out) printf("[LEFT OUT] %s/%s\n", test->suite, test->name);
    return out || (only && !in);
}
int main(int count, char **arguments) {
    unsigned tested = 0, passed = 0, skipped = 0, left_out = 0, wrong = 0;
    const char **unused = (const char **)calloc((size_t)count + 1, sizeof *unused);
    if (!unused) return EXIT_FAILURE;
    for (int i = 1; i < count; i += 2) {
        unused[i] = arguments[i];
        if (!strcmp(arguments[i], "--run") && count == 3) {
            for (struct harness_test *test = harness_tests; test; test = test->next)
                if (test->name && test->options.line == atoi(arguments[2])) harness_run_here(test);
        }
        if ((strcmp(arguments[i], "--without") != 0 && strcmp(arguments[i], "--only") != 0) || i + 1 == count) {
            printf("%s: not understood: --without SUITE/NAME and --only SUITE/NAME are\n", arguments[i]);
            return EXIT_FAILURE;
        }
    }
    for (struct harness_test *test = harness_tests; test; test = test->next) {
        int status;
        if (!test->name) continue;
        if (harness_is_left_out(test, count, arguments, unused)) {
            left_out++;
            continue;
        }
        fflush(stdout);
        tested++;
        status = harness_run(arguments[0], test);
        if (status == HARNESS_PASSED)
            passed++;
        else if (status == HARNESS_SKIPPED)
            skipped++;
        else if (status == HARNESS_FAILED)
            printf("[FAIL] %s/%s\n", test->suite, test->name);
        else
            printf("[CRASH] %s/%s: it ended before its end, %d\n", test->suite, test->name, status);
    }
    for (int i = 1; i < count; i += 2)
        if (unused[i]) wrong++, printf("%s %s: there is no such test\n", unused[i], arguments[i + 1]);
    printf("Tested: %u | Passing: %u | Failing: %u | Skipped: %u | Left out: %u\n", tested, passed,
           tested - passed - skipped, skipped, left_out);
    free((void *)unused);
    return tested && !wrong && tested == passed + skipped ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
