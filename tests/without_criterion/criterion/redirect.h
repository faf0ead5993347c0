/* redirect.h - what the suites use of Criterion's <criterion/redirect.h>, where there is no Criterion. */
#ifndef WITHOUT_CRITERION_REDIRECT_H
#define WITHOUT_CRITERION_REDIRECT_H

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <io.h>
#define CRITERION_STANDARD_ERROR_OF(file) _dup2(_fileno(file), 2)
#else
#include <unistd.h>
#define CRITERION_STANDARD_ERROR_OF(file) dup2(fileno(file), 2)
#endif

static FILE *criterion_said; /* what is written to the standard error output */

static inline void cr_redirect_stderr(void) {
    fflush(stderr);
    if (!(criterion_said = tmpfile()) || CRITERION_STANDARD_ERROR_OF(criterion_said) < 0) abort();
}
/* What was written since the last call. */
static inline FILE *cr_get_redirected_stderr(void) {
    static long read_before;
    FILE *since = tmpfile();
    int character;
    fflush(stderr);
    if (!since || fseek(criterion_said, read_before, SEEK_SET) != 0) abort();
    while ((character = getc(criterion_said)) != EOF) putc(character, since);
    read_before = ftell(criterion_said);
    rewind(since);
    return since;
}

#endif
