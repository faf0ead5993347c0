/* options.h - the options of the command line */
#pragma once
#include <stdbool.h>
#include "command.h"

extern struct options {
    const char *file, *dir, *output, *format, *name, *axes, *library, *worse_than, *junit, *at_most, *guard, *plot;
    bool all, as_pins, in_use, cache, terminal, help;
} options;

/* Options may stand before, between and behind arguments; -- ends them. arguments[0] is the command; optind is then the
   first argument behind the options. Returns false after a message about a wrong option. */
bool read_options(const struct command *command, int count, char **arguments);
void print_options(const struct command *command); /* for its help */
