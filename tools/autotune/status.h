/* status.h - the exit status of the command, and its messages */
#pragma once

enum {
    DONE,
    FAULTY,  /* a line of a file was unsound and skipped, or something was not found; the rest was done */
    NOT_DONE /* a wrong command line, a file that cannot be read or written, no memory */
};

/* Prints a message and returns the status. */
__attribute__((__format__(__printf__, 2, 3))) int fail(int status, const char *format, ...);
_Noreturn void no_memory(void);
