/* criterion.h - runs the suites where there is no Criterion: on other systems, processors and C libraries. It stands
   for the part of Criterion that the suites use. Its folder is given by -isystem, as that of Criterion is: so the
   compiler says nothing of what a macro of these makes of its arguments.

   Each test is a process of its own, one after the other: a fork, or, where a system has none, the program started
   again. A suite is one file, for main() is here. Its arguments:

     --without SUITE/NAME    this test is left out. A * at the end stands for any rest; what leaves out nothing is an
                             error. Which tests are left out is printed.
     --only SUITE/NAME       no test but this one and those of other --only

   The exit status is EXIT_SUCCESS when at least one test ran and none failed. A test passes when it came to its end
   and nothing that it expected was missing. A .timeout is not watched: whoever runs the suite limits it. */
#ifndef WITHOUT_CRITERION_H
#define WITHOUT_CRITERION_H

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

/* ---- What suites write ------------------------------------------------------------------------------------------- */

#define Test(...)      CRITERION_TEST(__VA_ARGS__, .line = __LINE__)
#define TestSuite(...) CRITERION_SUITE(__VA_ARGS__, .line = __LINE__)

#define cr_assert(...)           CRITERION_CHECK(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_not(...)       CRITERION_CHECK_NOT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_null(...)      CRITERION_CHECK_NOT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_not_null(...)  CRITERION_CHECK(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_eq(...)        CRITERION_COMPARE(true, ==, "==", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_neq(...)       CRITERION_COMPARE(true, !=, "!=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_lt(...)        CRITERION_COMPARE(true, <, "<", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_leq(...)       CRITERION_COMPARE(true, <=, "<=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_gt(...)        CRITERION_COMPARE(true, >, ">", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_geq(...)       CRITERION_COMPARE(true, >=, ">=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_str_eq(...)    CRITERION_COMPARE_TEXT(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_str_empty(...) CRITERION_EMPTY(true, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_assert_float_eq(...)  CRITERION_NEAR(true, #__VA_ARGS__, __VA_ARGS__, "")

#define cr_expect(...)          CRITERION_CHECK(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_not(...)      CRITERION_CHECK_NOT(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_null(...)     CRITERION_CHECK_NOT(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_not_null(...) CRITERION_CHECK(false, #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_eq(...)       CRITERION_COMPARE(false, ==, "==", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_neq(...)      CRITERION_COMPARE(false, !=, "!=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_lt(...)       CRITERION_COMPARE(false, <, "<", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_leq(...)      CRITERION_COMPARE(false, <=, "<=", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_gt(...)       CRITERION_COMPARE(false, >, ">", #__VA_ARGS__, __VA_ARGS__, "")
#define cr_expect_geq(...)      CRITERION_COMPARE(false, >=, ">=", #__VA_ARGS__, __VA_ARGS__, "")

#define cr_skip_test(...) criterion_skip("" __VA_ARGS__)

/* ---- What becomes of it ------------------------------------------------------------------------------------------ */

struct criterion_options {
    void (*init)(void);
    void (*fini)(void);
    double timeout;
    int line;
};
struct criterion_test {
    const char *suite, *name; /* the name of a suite's own options is NULL */
    void (*body)(void);
    struct criterion_options options;
    struct criterion_test *next; /* stands in a later line */
};
static struct criterion_test *criterion_tests;

/* Constructors of a file run from its first to its last, or from its last to its first. */
static inline void criterion_add(struct criterion_test *test) {
    struct criterion_test **at = &criterion_tests;
    while (*at && (*at)->options.line < test->options.line) at = &(*at)->next;
    test->next = *at;
    *at = test;
}
#define CRITERION_TEST(suite_name, test_name, ...)                                                \
    static void criterion_##suite_name##_##test_name(void);                                       \
    __attribute__((__constructor__)) static void criterion_add_##suite_name##_##test_name(void) { \
        static struct criterion_test test = {                                                     \
            #suite_name, #test_name, criterion_##suite_name##_##test_name, {__VA_ARGS__}, NULL};  \
        criterion_add(&test);                                                                     \
    }                                                                                             \
    static void criterion_##suite_name##_##test_name(void)
#define CRITERION_SUITE(suite_name, ...)                                                     \
    __attribute__((__constructor__)) static void criterion_add_##suite_name(void) {          \
        static struct criterion_test suite = {#suite_name, NULL, NULL, {__VA_ARGS__}, NULL}; \
        criterion_add(&suite);                                                               \
    }                                                                                        \
    struct criterion_test

/* How the process of a test ends. A body that calls exit() has none of these. */
enum { CRITERION_PASSED = 80, CRITERION_FAILED = 81, CRITERION_SKIPPED = 82 };

static const struct criterion_test *criterion_running;
static unsigned criterion_failures;
#ifndef _WIN32
static pid_t criterion_process; /* that of the test, and not one that its body makes: such a one ends with EXIT_FAILURE
                                   when it does not find what it expects */
#endif

static inline bool criterion_is_the_test(void) {
#ifdef _WIN32
    return true;
#else
    return getpid() == criterion_process;
#endif
}
static inline void criterion_end(int status) {
    const struct criterion_test *test = criterion_running;
    fflush(NULL);
    if (!criterion_is_the_test()) _exit(EXIT_FAILURE);
    criterion_running = NULL; /* what fini() asserts does not call it again */
    if (test && test->options.fini) test->options.fini();
    fflush(NULL);
    /* A sanitizer looks for leaks when a process exits, and gives it another status. A test that fails may do so in the
       middle of anything, where it cannot be left by exit(). */
    if (status == CRITERION_PASSED && !criterion_failures) exit(status);
    _exit(criterion_failures && status == CRITERION_PASSED ? CRITERION_FAILED : status);
}
static inline void criterion_skip(const char *format, ...) {
    va_list values;
    printf("[SKIP] %s/%s: ", criterion_running->suite, criterion_running->name);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    criterion_end(CRITERION_SKIPPED);
}
static inline void criterion_check(bool fatal, bool holds, const char *file, int line, const char *text,
                                   const char *format, ...) {
    va_list values;
    if (holds) return;
    criterion_failures++;
    printf("%s:%d: failed: %s%s", file, line, text, *format ? ": " : "");
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    fflush(stdout);
    if (fatal || !criterion_is_the_test()) criterion_end(CRITERION_FAILED);
}
static inline bool criterion_near(double a, double b, double most) { return a - b <= most && b - a <= most; }

/* The last argument, an empty text, is the format where a test gives none. */
#define CRITERION_CHECK(fatal, text, condition, ...) \
    criterion_check(fatal, (condition) ? true : false, __FILE__, __LINE__, text, __VA_ARGS__)
#define CRITERION_CHECK_NOT(fatal, text, condition, ...) \
    criterion_check(fatal, (condition) ? false : true, __FILE__, __LINE__, "not " text, __VA_ARGS__)
#define CRITERION_COMPARE(fatal, operator, word, text, a, b, ...) \
    criterion_check(fatal, (a) operator(b), __FILE__, __LINE__, word " of " text, __VA_ARGS__)
#define CRITERION_COMPARE_TEXT(fatal, text, a, b, ...) \
    criterion_check(fatal, !strcmp(a, b), __FILE__, __LINE__, "equal: " text, __VA_ARGS__)
#define CRITERION_EMPTY(fatal, text, a, ...) \
    criterion_check(fatal, !*(a), __FILE__, __LINE__, "empty: " text, __VA_ARGS__)
#define CRITERION_NEAR(fatal, text, a, b, most, ...) \
    criterion_check(fatal, criterion_near(a, b, most), __FILE__, __LINE__, "near: " text, __VA_ARGS__)

/* ---- main() ------------------------------------------------------------------------------------------------------ */

static inline bool criterion_is_named(const struct criterion_test *test, const char *pattern) {
    char whole[512];
    const size_t length = strlen(pattern);
    snprintf(whole, sizeof whole, "%s/%s", test->suite, test->name);
    if (length && pattern[length - 1] == '*') return !strncmp(whole, pattern, length - 1);
    return !strcmp(whole, pattern);
}
static inline void criterion_run_here(struct criterion_test *test) {
    const struct criterion_test *suite = criterion_tests;
    while (suite && (suite->name || strcmp(suite->suite, test->suite) != 0)) suite = suite->next;
    if (suite && !test->options.init) test->options.init = suite->options.init;
    if (suite && !test->options.fini) test->options.fini = suite->options.fini;
    criterion_running = test;
#ifndef _WIN32
    criterion_process = getpid();
#endif
    if (test->options.init) test->options.init();
    test->body();
    criterion_end(CRITERION_PASSED);
}
#ifdef _WIN32
/* Returns the exit status of a process that runs the test. Wine on a busy machine now and then cannot start a process:
 * _spawnv() returns -1, which no test ends with, and the test is tried twice again, with a line that says so. */
static inline int criterion_spawn(const char *program, const struct criterion_test *test) {
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
/* Returns how the test's process ended; -1: otherwise than by an exit status. */
static inline int criterion_run(const char *program, struct criterion_test *test) {
#ifdef _WIN32
    return criterion_spawn(program, test);
#else
    int status;
    const pid_t process = fork();
    (void)program;
    if (process == 0) criterion_run_here(test);
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
#endif
}
/* Is the test left out? An argument that spoke of a test is replaced by NULL in `unused`. */
static inline bool criterion_is_left_out(const struct criterion_test *test, int count, char **arguments,
                                         const char **unused) {
    bool out = false, only = false, in = false;
    for (int i = 1; i + 1 < count; i += 2) {
        const bool speaks = criterion_is_named(test, arguments[i + 1]), without = !strcmp(arguments[i], "--without");
        if (speaks) unused[i] = NULL;
        if (without)
            out |= speaks;
        else
            only = true, in |= speaks;
    }
    return out || (only && !in);
}
int main(int count, char **arguments) {
    unsigned tested = 0, passed = 0, skipped = 0, left_out = 0, wrong = 0;
    const char **unused = (const char **)calloc((size_t)count + 1, sizeof *unused);
    if (!unused) return EXIT_FAILURE;
    for (int i = 1; i < count; i += 2) {
        unused[i] = arguments[i];
        if (!strcmp(arguments[i], "--run") && count == 3) {
            for (struct criterion_test *test = criterion_tests; test; test = test->next)
                if (test->name && test->options.line == atoi(arguments[2])) criterion_run_here(test);
        }
        if ((strcmp(arguments[i], "--without") != 0 && strcmp(arguments[i], "--only") != 0) || i + 1 == count) {
            printf("%s: not understood: --without SUITE/NAME and --only SUITE/NAME are\n", arguments[i]);
            return EXIT_FAILURE;
        }
    }
    for (struct criterion_test *test = criterion_tests; test; test = test->next) {
        int status;
        if (!test->name) continue;
        if (criterion_is_left_out(test, count, arguments, unused)) {
            printf("[LEFT OUT] %s/%s\n", test->suite, test->name);
            left_out++;
            continue;
        }
        fflush(stdout);
        tested++;
        status = criterion_run(arguments[0], test);
        if (status == CRITERION_PASSED)
            passed++;
        else if (status == CRITERION_SKIPPED)
            skipped++;
        else if (status == CRITERION_FAILED)
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
