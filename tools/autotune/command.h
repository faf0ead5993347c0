/* command.h - a command, as main.c chooses it */
#pragma once

struct command {
    const char *name;
    int (*run)(char **arguments); /* which end with two NULL. Returns what the program ends with: see status.h */
    int least, most;              /* arguments */
    const char *options;          /* letters of those it has: see options.c; +: they stand before all arguments */
    const char *synopsis, *purpose, *help;
};
extern const struct command list_command, show_command, check_command, export_command, merge_command, plot_command,
    report_command, clear_command, misses_command, verify_command, fit_command, tune_command;

extern const char version[]; /* of the library */
