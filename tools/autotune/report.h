/* report.h - the page of `autotune report`: a built-in frame, the library of its charts, and its data */
#pragma once
#include "crashes.h"
#include "records.h"
#include "verified.h"
#include "worth.h"

/* report/page.cmake makes these strings from the files in report/: page.html, the style, and the script. In page.html
   report.c replaces names such as @style@ by the parts of the page. */
extern const unsigned char page_frame[], page_style[], page_script[];

struct report { /* arrays of stb_ds */
    const struct record *records;
    struct crash *crashes;
    struct worth *missed;
    struct verified *verified;
};
/* Appends the data of the page: a line of JSON for all records together, and a line with the launch table of each
   record. The page parses a launch table when it shows the record. The lines may stand in an element <script> of HTML,
   since their strings have no <. report/data.js describes the lines. */
void append_report(autotune__text *out, const struct report *report);

/* Reads Vega, the library of the charts, from files of the system or of the user. Appends Vega as a script that vega.js
   can call, and its licence as HTML. If a file is missing, prints a message and returns false. */
bool append_library(autotune__text *script, autotune__text *licence);

/* Appends 'sha256-…' of the bytes. The Content-Security-Policy of the page allows a script by this hash. */
void append_hash(autotune__text *out, const char *text, size_t bytes);
