/* escape.h - what comes from a record as it stands in C, CSV, JSON, XML, a script of gnuplot or a pin: one function for
   each. Texts are given as shown.h shows them, so they have no control character; values are given as a record has
   them. For a terminal append_shown() does it. */
#pragma once
#include "library.h"

void append_c_comment(autotune__text *out, const char *text); /* without what would begin or end a comment */
bool is_identifier(const char *name);                         /* of C */
/* Strings in quotes, in lines of some 110 columns that begin with four blanks and end with a line feed. */
void append_c_lines(autotune__text *out, const char *bytes, size_t length);
/* A constant of C: a string with the bytes that the value stands for, or a number. as_string: numbers, too, are. */
void append_c_constant(autotune__text *out, struct value value, bool as_string);
bool is_c_integer(struct value value);
void append_csv(autotune__text *out, const char *field);
void append_json_string(autotune__text *out, const char *text);
/* The value itself. Characters that JSON has not, or that a terminal would obey, are escaped. */
void append_json_value(autotune__text *out, struct value value);
void append_xml(autotune__text *out, const char *text); /* as an attribute or the text of an element */
void append_gnuplot(autotune__text *out, const char *text);
void append_gnuplot_label(autotune__text *out, const char *text); /* of a tic, where % begins a format */
/* Puts the text from `start` on into the form that a pin has. Returns false if AUTOTUNE_USE cannot have the text. */
bool unescape_pin(autotune__text *text, size_t start);
