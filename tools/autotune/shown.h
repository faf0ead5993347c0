/* shown.h - values as people read them: on one line, with what a terminal would obey escaped. Strings are kept until
   the command ends. */
#pragma once
#include "library.h"

/* The inside of a JSON string, or any text. Escapes of a file stay as they are but for \", so that what is shown can be
   given to the command again. */
void append_shown(autotune__text *out, const char *text, size_t length);
const char *shown(const char *text);
void append_value(autotune__text *out, struct value value);
const char *shown_value(struct value value);                     /* "-": there is none, or null */
const char *shown_member(struct value object, const char *name); /* likewise */
/* {"tile":32,"order":"ijk"} as tile=32,order=ijk, or its values alone; "-": it has none. */
const char *shown_pairs(struct value object, bool names);
const char *shown_date(const struct line *line);
const char *age_of(const char *date);       /* 3 days; "-": the date is no past time */
const char *short_age_of(const char *date); /* 3 d */
/* A function of C++ without its return type, namespaces, parameters and the names of template parameters:
   fit.cpp:solve<float, 3> for fit.cpp:void ns::solve(int) [with T = float; int N = 3]. Any other name as it is. */
const char *short_name(const char *tuner);
const char *shown_time(double ns);
const char *shortened(const char *text, size_t most); /* with "..." in its middle if it has more bytes */
__attribute__((__format__(__printf__, 1, 2))) const char *formatted(const char *format, ...);
/* In a format for one number; "-": it was not measured. A macro, so that the compiler sees the format. */
#define NUMBER(format, value) (autotune__is_definite(value) ? formatted(format, value) : "-")
/* A bar of so many columns, to an eighth of one if the terminal has the characters. */
const char *bar(double part, size_t columns);

int compare_naturally(const char *a, const char *b); /* n=64 before n=512 */
/* Which of the names the value is, as shown; a new one is added. names: an array of stb_ds. */
size_t index_of(const char ***names, struct value value);
