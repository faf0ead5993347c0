/* shown.h - values as people read them: on one line, with control characters escaped. The returned strings are kept
   until the command ends. */
#pragma once
#include "library.h"

/* Appends the inside of a JSON string, or any text. Escapes of the file stay unchanged, except \", so that users can
   pass the shown text to the command again. */
void append_shown(autotune__text *out, const char *text, size_t length);
const char *shown(const char *text);
void append_value(autotune__text *out, struct value value);
const char *shown_value(struct value value);                     /* "-": missing, or null */
const char *shown_member(struct value object, const char *name); /* likewise */
/* Returns {"tile":32,"order":"ijk"} as tile=32,order=ijk, or as its values alone. "-": the object has no members. */
const char *shown_pairs(struct value object, bool names);
const char *shown_date(const struct line *line);
const char *age_of(const char *date);       /* 3 days; "-": the date is no past time */
const char *short_age_of(const char *date); /* 3 d */
/* Returns the name of a C++ function without its return type, namespaces, parameters and the names of template
   parameters. For instance, fit.cpp:solve<float, 3> for fit.cpp:void ns::solve(int) [with T = float; int N = 3]. Any
   other name is returned unchanged. */
const char *short_name(const char *tuner);
const char *shown_time(double ns);
const char *shortened(const char *text, size_t most); /* with "..." in its middle if it has more than `most` bytes */
__attribute__((__format__(__printf__, 1, 2))) const char *formatted(const char *format, ...);
/* The number in a format. "-": the number was not measured. This is a macro, so that the compiler checks the format. */
#define NUMBER(format, value) (autotune__is_definite(value) ? formatted(format, value) : "-")
/* Returns a bar that fills the share `part` of `columns` columns, in steps of an eighth of a column if the terminal has
   the characters. */
const char *bar(double part, size_t columns);

int compare_naturally(const char *a, const char *b); /* n=64 before n=512 */
/* Returns the place of the value, as shown, among the names. Adds a value that is new. names: an array of stb_ds. */
size_t index_of(const char ***names, struct value value);
