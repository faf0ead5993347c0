/* command.h - a command, as main.c chooses it */
#pragma once

struct command {
    const char *name;
    int (*run)(char **arguments); /* two NULL end the arguments. Returns the exit status: see status.h */
    int least, most;              /* how many arguments the command takes */
    const char *options;          /* the letters of its options: see options.c. +: options stand before all arguments */
    const char *synopsis, *purpose, *help;
};
extern const struct command list_command, show_command, check_command, export_command, merge_command, plot_command,
    report_command, clear_command, misses_command, verify_command, fit_command, tune_command;

extern const char version[]; /* the version of the library */
