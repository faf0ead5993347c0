/* status.c - see status.h */
#include "status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int fail(int status, const char *format, ...) {
    va_list list;
    fputs("autotune: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return status;
}
_Noreturn void no_memory(void) { exit(fail(NOT_DONE, "out of memory")); }
