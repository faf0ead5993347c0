/* pins.h - pins: what AUTOTUNE_USE pins, and lines for it */
#pragma once
#include "records.h"

/* What AUTOTUNE_USE asks for in the place of a record's winner, as shown. NULL: it does not. at: the record. */
const char *pinned_to(const struct record *record, struct value at);
/* A line of a file for AUTOTUNE_USE. The line is a comment if an earlier line pins the same tuner and key, or if no pin
   can say it. No pin can say an escape in a string that is neither of a quote nor of a backslash, a name with a =, or a
   key with a ]=. */
void print_pin(const struct record *records, size_t record);
