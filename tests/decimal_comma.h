/* decimal_comma.h - a locale with a decimal comma (0,5), for tests of texts that need a point in every locale. */
#ifndef DECIMAL_COMMA_H
#define DECIMAL_COMMA_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "set_environment.h"

static inline bool with_a_decimal_comma(void) {
    return (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "de_DE") || setlocale(LC_ALL, "German")) &&
           *localeconv()->decimal_point == ',';
}
/* If no such locale is installed, makes one in the folder. Later processes may need it, so the folder must stay. Makes
   only the numbers of de_DE, since the whole locale would take a second. Returns false if this fails. */
static inline bool use_decimal_comma(const char *folder) {
    char command[600];
    if (with_a_decimal_comma()) return true;
    snprintf(command, sizeof command,
             "cd '%.200s' && "
             "printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\ngrouping -1\\nEND LC_NUMERIC\\n' "
             ">numbers && localedef -c -i ./numbers -f ISO-8859-1 ./de_DE >output 2>&1; test -d de_DE",
             folder);
    setenv("LOCPATH", folder, 1);
    return system(command) == 0 && with_a_decimal_comma();
}
#ifdef _WIN32
static inline bool use_decimal_comma_here(void) { return with_a_decimal_comma(); }
#else
static inline bool use_decimal_comma_here(void) { /* in this process alone */
    char folder[] = "/tmp/autotune-locale-XXXXXX", command[100];
    bool there;
    if (!mkdtemp(folder)) return false;
    there = use_decimal_comma(folder);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) == 0 && there;
}
#endif

#endif
