/* pins.h - pins: the configurations that AUTOTUNE_USE asks for, and lines for its file */
#pragma once
#include "records.h"

/* Returns the configuration, as shown, that AUTOTUNE_USE asks for instead of a record's winner. NULL: there is no such
   pin. at: the opened record. */
const char *pinned_to(const struct record *record, struct value at);
/* Prints a record's winner as a line of a file for AUTOTUNE_USE. The line is a comment if an earlier line pins the same
   tuner and key, or if a pin cannot express the winner. A pin cannot have:

   - an escape in a string, except of a quote or a backslash
   - a name with =
   - a key with ]= */
void print_pin(const struct record *records, size_t record);
