/* options.c - see options.h */
#include "options.h"
#include "shown.h"
#include "status.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

struct options options;

static const struct described {
    char letter;
    const char *name, *argument, *help;
    const char **text; /* gets the argument of the option; NULL: the option has no argument */
    bool *flag;        /* becomes true if the option was given; NULL: the option has an argument */
} described[] = {
    {'f', "file", "FILE", "read this file, - for standard input, instead of the cache on disk", &options.file, NULL},
    {'d', "dir", "DIR", "the folder of the cache on disk, instead of AUTOTUNE_CACHE_DIR", &options.dir, NULL},
    {'F', "format", "FORMAT", "c, csv, json or t4", &options.format, NULL},
    {'J', "format", "FORMAT", "json, a line for the cache, or c, a function", &options.format, NULL},
    {'o', "output", "FILE", "write to this file, instead of standard output", &options.output, NULL},
    {'n', "name", "NAME", "with --format c: what the string is called (autotune_winners)", &options.name, NULL},
    {'m', "name", "NAME", "with --format c: what the function is called (autotune_rule)", &options.name, NULL},
    {'c', "cache", "", "add the records to the cache on disk", NULL, &options.cache},
    {'C', "cache", "", "with --format json: add the line to the cache on disk", NULL, &options.cache},
    {'t', "terminal", "", "plot in the terminal, with characters", NULL, &options.terminal},
    {'x', "axes", "X,Y", "plot these two axes against each other", &options.axes, NULL},
    {'p', "as-pins", "", "as AUTOTUNE_USE takes them", NULL, &options.as_pins},
    {'w', "worse-than", "SHARE", "a winner may be slower than what is best now by so much (3%)", &options.worse_than,
     NULL},
    {'u', "in-use", "", "whether calls of winners take what the race measured, of the records", NULL, &options.in_use},
    {'j', "junit", "FILE", "write the result as JUnit has it, too", &options.junit, NULL},
    {'N', "at-most", "N", "the most configurations of a rule (8)", &options.at_most, NULL},
    {'R', "at-most", "N", "the most runs of the program (20)", &options.at_most, NULL},
    {'G', "guard", "G", "how many times its best time a key may take in a rule (1.1)", &options.guard, NULL},
    {'P', "plot", "FILE", "draw the regret over the size, by gnuplot: FILE.png or FILE.svg", &options.plot, NULL},
    {'l', "library", "FILE", "the library of the charts, instead of that of libjs-vega", &options.library, NULL},
    {'a', "all", "", "all records", NULL, &options.all},
    {'h', "help", "", "this text", NULL, &options.help},
};
enum { OPTIONS = sizeof described / sizeof *described };

static bool has(const struct command *command, const struct described *option) {
    return option->letter == 'h' || strchr(command->options, option->letter) != NULL;
}
/* Returns true if the option belongs to another command: options of different commands may share a name. Then the name
   means only the option that this command has. */
static bool is_for_another(const struct command *command, size_t option) {
    for (size_t i = 0; !has(command, &described[option]) && i < OPTIONS; i++)
        if (i != option && !strcmp(described[i].name, described[option].name) &&
            (has(command, &described[i]) || i < option))
            return true;
    return false;
}
static const struct described *option_of(int letter) {
    const struct described *option = described;
    while (option->letter != letter) option++;
    return option;
}

bool read_options(const struct command *command, int count, char **arguments) {
    struct option long_options[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    static char program[] = "autotune";
    const char *const letters = strchr(command->options, '+') ? "+hf:o:" : "hf:o:";
    int letter;
    for (size_t i = 0, filled = 0; i < OPTIONS; i++)
        if (!is_for_another(command, i))
            long_options[filled++] =
                (struct option){described[i].name, described[i].text ? required_argument : no_argument, NULL,
                                described[i].letter};
    optind = 1;
    arguments[0] = program; /* getopt_long() begins its messages with this name */
    while (!options.help && (letter = getopt_long(count, arguments, letters, long_options, NULL)) != -1) {
        if (letter == '?') { /* getopt_long() printed the error */
            fail(NOT_DONE, "see 'autotune %s --help'", command->name);
            return false;
        }
        const struct described *option = option_of(letter);
        if (!has(command, option)) {
            fail(NOT_DONE, "%s has no option --%s; see 'autotune %s --help'", command->name, option->name,
                 command->name);
            return false;
        }
        if (option->text)
            *option->text = optarg;
        else
            *option->flag = true;
    }
    if (options.help) return true;
    if (count - optind < command->least || count - optind > command->most) {
        fail(NOT_DONE, "%s takes %s; see 'autotune %s --help'", command->name, command->synopsis, command->name);
        return false;
    }
    if (!options.file || !options.dir) return true;
    fail(NOT_DONE, "--file and --dir exclude each other");
    return false;
}
void print_options(const struct command *command) {
    for (const struct described *option = described; option < described + OPTIONS; option++)
        if (has(command, option))
            printf("  --%-18s %s\n",
                   *option->argument ? formatted("%s %s", option->name, option->argument) : option->name, option->help);
}
