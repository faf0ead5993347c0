/* verdicts.c - tests that pass, fail in each way, or are left out. CTest checks the output. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

static int begun;
static void begin(void) { begun++; }
static void end(void) { cr_assert_eq(begun, 1, "fini() found %d", begun); }
TestSuite(verdicts, .init = begin, .fini = end);

Test(verdicts, passes) {
    cr_assert_eq(begun, 1, "%d", begun);
    cr_assert_float_eq(1.0, 1.1, 0.2);
    cr_expect_null(NULL);
}
Test(verdicts, what_was_said_is_read) {
    char line[9];
    cr_redirect_stderr();
    for (int i = 0; i < 2; i++) {
        fprintf(stderr, "line %d\n", i);
        cr_assert_not_null(fgets(line, sizeof line, cr_get_redirected_stderr()));
        cr_assert_str_eq(line, i == 0 ? "line 0\n" : "line 1\n");
    }
}
Test(verdicts, fails) {
    cr_assert_eq(begun, 2, "100%% of %d", begun);
    printf("it went on\n");
}
Test(verdicts, fails_later) {
    cr_expect_geq(begun, 2);
    begun = 1;
}
Test(verdicts, fails_at_its_end) { begun = 2; }
Test(verdicts, ends_early) { exit(EXIT_SUCCESS); }
Test(verdicts, crashes) { abort(); }
Test(verdicts, left_leaks) { /* only a sanitizer notices the leak */
    char *volatile lost = (char *)malloc(100);
    lost = NULL, free(lost);
}
Test(verdicts, skips) { cr_skip_test("there is nothing to test"); }
Test(verdicts, left_out) { abort(); }
