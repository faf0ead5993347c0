/* What the unit that has the library in itself tells the others: what AUTOTUNE_MODE and AUTOTUNE_LOG say, which
   autotune.h has no function for. */
#pragma once
#include "../../autotune.h"

/* Does AUTOTUNE_MODE=off forbid to change anything? */
bool openmp_is_off(void);
/* Writes a line to the log if AUTOTUNE_LOG asks for lines of this level. */
void openmp_say(autotune_log_level level, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
