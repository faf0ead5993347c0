/* What the unit that has the library in itself does for the others, and autotune.h has no function for. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../../autotune.h"

/* Writes a line to the log if AUTOTUNE_LOG asks for lines of this level. openmp_identify() was called before. */
void openmp_say(autotune_log_level level, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* Reads the beginning of a file, which gets a zero behind it. Returns true unless it is empty or cannot be read. */
bool openmp_read(const char *path, char *text, size_t room);
/* What the linker made of all that is in the program or shared library that has this address; where it made nothing,
   when its file was written, and the size. False: it cannot be told, or nothing is to be changed, by
   AUTOTUNE_MODE=off. */
bool openmp_identify(const void *address, char *words, size_t room);
