/* options.h - the options of the command line */
#pragma once
#include <stdbool.h>
#include "command.h"

extern struct options {
    const char *file, *dir, *output, *format, *name, *axes, *library, *worse_than, *junit, *at_most, *guard, *plot;
    bool all, as_pins, in_use, cache, terminal, help;
} options;

/* Reads the options, which may stand before, between and behind arguments; -- ends them. arguments[0] is the command.
   Moves options before arguments, and sets optind to the first argument. If an option is wrong, prints a message and
   returns false. */
bool read_options(const struct command *command, int count, char **arguments);
void print_options(const struct command *command); /* for the help of the command */
