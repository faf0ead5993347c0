/* escape.h - escapes texts and values of records for C, CSV, JSON, XML, scripts of gnuplot, and pins. The functions
   take a text as shown.h shows it, without control characters, and a value as the record has it. For a terminal use
   append_shown(). */
#pragma once
#include "library.h"

void append_c_comment(autotune__text *out, const char *text); /* without the begin or end of a comment */
bool is_identifier(const char *name);                         /* of C */
/* Appends strings in quotes. Their lines have about 110 columns, begin with four blanks, and end with a line feed. */
void append_c_lines(autotune__text *out, const char *bytes, size_t length);
/* Appends a constant of C: the bytes of the value as a string, or a number. as_string: a number is a string, too. */
void append_c_constant(autotune__text *out, struct value value, bool as_string);
bool is_c_integer(struct value value);
void append_csv(autotune__text *out, const char *field);
void append_json_string(autotune__text *out, const char *text);
/* Appends the value. Escapes characters that JSON does not allow, and control characters of a terminal. */
void append_json_value(autotune__text *out, struct value value);
void append_xml(autotune__text *out, const char *text); /* as an attribute or the text of an element */
void append_gnuplot(autotune__text *out, const char *text);
void append_gnuplot_label(autotune__text *out, const char *text); /* the label of a tic, where % begins a format */
/* Changes the text from `start` on to the form of a pin. Returns false if AUTOTUNE_USE cannot express the text. */
bool unescape_pin(autotune__text *text, size_t start);
