/* The services of the unit that has the library in itself for the other units. The header autotune.h has no function
   for them. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../../autotune.h"

/* Writes a line to the log if AUTOTUNE_LOG asks for lines of this level. openmp_identify() was called before. */
void openmp_say(autotune_log_level level, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* Reads the beginning of a file, which gets a zero behind it. Returns true unless it is empty or cannot be read. */
bool openmp_read(const char *path, char *text, size_t room);
/* Tells the build id of the program or shared library that has this address. If the linker made none, it tells the time
   and size of the file. Returns false if neither can be told, or if AUTOTUNE_MODE=off says that nothing is to be
   changed. */
bool openmp_identify(const void *address, char *words, size_t room);
