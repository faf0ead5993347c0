/* report.h - the page of autotune report: a frame that is built in, the library of its charts, and data */
#pragma once
#include "crashes.h"
#include "records.h"
#include "verified.h"
#include "worth.h"

/* Strings, which report/page.cmake makes of the files in report/: page.html, where @style@ and others stand for what
   report.c puts there; the style; the script. */
extern const unsigned char page_frame[], page_style[], page_script[];

struct report { /* arrays of stb_ds */
    const struct record *records;
    struct crash *crashes;
    struct worth *missed;
    struct verified *verified;
};
/* The data: a line of JSON for all records together, and a line with the launch table of each, which is read when the
   page shows it. They may stand in an element <script> of HTML: their strings are what the command shows elsewhere, and
   have no <. report/data.js says what is in the lines. */
void append_report(autotune__text *out, const struct report *report);

/* Reads the library of the charts, Vega, from files of the system or of the user. Makes it a script that vega.js
   understands, and its licence HTML. Returns false after a message about a missing file. */
bool append_library(autotune__text *script, autotune__text *licence);

/* 'sha256-…' of the bytes, as the policy of a page (CSP) names a script that it allows. */
void append_hash(autotune__text *out, const char *text, size_t bytes);
