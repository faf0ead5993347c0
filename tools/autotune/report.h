/* report.h - the page of autotune report: a frame that is built in, and data */
#pragma once
#include "crashes.h"
#include "records.h"
#include "worth.h"

/* The page up to its data, and from there to its end: what report/page.cmake makes of the files in report/. Strings. */
extern const unsigned char page_until_data[], page_from_data[];

struct report { /* arrays of stb_ds */
    const struct record *records;
    struct crash *crashes;
    struct worth *missed;
};
/* The data: a line of JSON for all records together, and a line with the launch table of each, which is read when the
   page shows it. They may stand in an element <script> of HTML: their strings are what the command shows elsewhere, and
   have no <. report/data.js says what is in the lines. */
void append_report(autotune__text *out, const struct report *report);
