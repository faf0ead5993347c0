/* main.c - the command `autotune`: what tuning found out, from the cache on disk and from files that autotune_save() wrote

   It reads with the library's own functions, which it has in itself: sections "Records as text" and "The cache on disk" of autotune.h.
   docs/cache-format.md describes the file, autotune.1 the command.

   Results go to standard output: in columns on a terminal, separated by tabs elsewhere. Messages go to standard error. Whatever comes
   from a file is shown with its control characters escaped. */
#define _DEFAULT_SOURCE /* timegm */
#define AUTOTUNE_STATIC
#define AUTOTUNE_NO_SHORT_NAMES
#include "../../autotune.h"
#ifdef AUTOTUNE_NO_CACHE
#error "the command reads the cache on disk: it needs jsmn"
#endif
#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <langinfo.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "status.c"
#include "shown.c"
#include "table.c"
#include "records.c"
#include "crashes.c"
#include "list.c"
#include "show.c"
#include "check.c"
#include "export.c"
#include "merge.c"
#include "clear.c"
#include "plot.c"

static const struct command {
    const char *name;
    int (*run)(char **arguments); /* which end with two NULL */
    int least, most;              /* arguments */
    const char *options;          /* letters of those it has */
    const char *synopsis, *purpose, *help;
} commands[] = {
    {"list", list, 0, 2, "fd", "[TUNER [KEY]]", "tuners, keys and their winners",
     "On a terminal, a line for each record: its time, how much faster it is than the first\n"
     "configuration, the verdict and the age. Elsewhere, separated by tabs: tuner, key, winner,\n"
     "nanoseconds, speed-up, verdict, date, device.\n"},
    {"show", show, 1, 2, "fd", "TUNER [KEY]", "all configurations of a tuner, sorted by time",
     "On a terminal, a summary of each race and a table with bars, the longest the fastest.\n"
     "Elsewhere, separated by tabs: tuner, key, configuration, nanoseconds, minimum, median, stage,\n"
     "state, launches, reason of a failure. Then what the journal knows: configurations whose first\n"
     "launch did not come back (state lost), and how often.\n"},
    {"check", check, 0, INT_MAX, "fd", "[FILE...]", "whether files are sound",
     "Names each line that is damaged, cut short or of a later version, by its number. The exit status\n"
     "is 0 if there is none, 1 if there is one, 2 if a file cannot be read. Of the cache on disk it\n"
     "names the configurations whose first launch did not come back, too.\n"},
    {"export", export_records, 0, 2, "fdFon", "--format c|csv|json|t4 [TUNER [KEY]]", "records in other formats",
     "c     a header with the winners as one string, for autotune_load_text(): a program that has them\n"
     "      compiled in needs no file\n"
     "csv   a line for each configuration, with a column for each axis and part of a key\n"
     "json  an array of the records\n"
     "t4    one race in the T4 results format of the auto-tuning community, times in milliseconds\n"},
    {"merge", merge, 1, INT_MAX, "doc", "[--output FILE | --cache] FILE...", "one file of several",
     "Of two records for the same tuner, key, device and build the later counts. Without an option the\n"
     "result goes to standard output.\n"},
    {"plot", plot, 1, 2, "fdotx", "--output FILE | --terminal [--axes X,Y] TUNER [KEY]", "a race as a picture, by gnuplot",
     "All configurations, sorted by time: of finalists the median, with a bar down to the least time;\n"
     "of others the least time. With --axes a heat map: the least time for each pair of two axes' values.\n"},
    {"clear", clear, 0, 2, "fda", "--all | TUNER [KEY]", "forget records, of the cache on disk or of --file",
     "With the cache also which configurations did not come back from their first launch. Programs that\n"
     "run keep what they know. A --file is replaced as a whole.\n"},
};
static const struct described_option {
    struct option option;
    const char *argument, *help;
} described[] = {
    {{"file", required_argument, NULL, 'f'}, "FILE", "read this file, - for standard input, instead of the cache on disk"},
    {{"dir", required_argument, NULL, 'd'}, "DIR", "the folder of the cache on disk, instead of AUTOTUNE_CACHE_DIR"},
    {{"format", required_argument, NULL, 'F'}, "FORMAT", "c, csv, json or t4"},
    {{"output", required_argument, NULL, 'o'}, "FILE", "write to this file, instead of standard output"},
    {{"name", required_argument, NULL, 'n'}, "NAME", "with --format c: what the string is called (autotune_winners)"},
    {{"cache", no_argument, NULL, 'c'}, "", "add the records to the cache on disk"},
    {{"terminal", no_argument, NULL, 't'}, "", "plot in the terminal, with characters"},
    {{"axes", required_argument, NULL, 'x'}, "X,Y", "plot these two axes against each other"},
    {{"all", no_argument, NULL, 'a'}, "", "all records"},
    {{"help", no_argument, NULL, 'h'}, "", "this text"},
};
enum { COMMANDS = sizeof commands / sizeof *commands, OPTIONS = sizeof described / sizeof *described };

static const char usage[] = "usage: autotune COMMAND [OPTION...] [ARGUMENT...]\n\n";

static int help(FILE *to) {
    fputs(usage, to);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].purpose);
    fputs("\n  autotune COMMAND --help    says more of one\n  autotune --version\n\n"
          "The file is --file FILE, or results.jsonl in the folder --dir DIR, AUTOTUNE_CACHE_DIR,\n"
          "XDG_CACHE_HOME/autotune or ~/.cache/autotune, the first that is set.\n",
          to);
    return DONE;
}
static int help_on(const struct command *command) {
    printf("usage: autotune %s [OPTION...] %s\n\n%s.\n\n%s\n", command->name, command->synopsis, command->purpose, command->help);
    for (size_t i = 0; i < OPTIONS; i++)
        if (described[i].option.val == 'h' || strchr(command->options, described[i].option.val))
            printf("  --%s%s%-*s %s\n", described[i].option.name, *described[i].argument ? " " : "",
                   (int)(15 - strlen(described[i].option.name)), described[i].argument, described[i].help);
    return DONE;
}
static const struct command *command_named(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i].name)) return &commands[i];
    return NULL;
}
/* Options may stand before, between and behind arguments; -- ends them. True: the command is to be run. */
static bool read_options(const struct command *command, int count, char **arguments, int *status) {
    struct option long_options[OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    int letter;
    *status = NOT_DONE;
    for (size_t i = 0; i < OPTIONS; i++) long_options[i] = described[i].option;
    while ((letter = getopt_long(count, arguments, "hf:o:", long_options, NULL)) != -1) {
        if (letter == '?') return false; /* getopt_long() said what is wrong */
        if (letter == 'h') return *status = help_on(command), false;
        if (!strchr(command->options, letter)) {
            size_t i = 0;
            while (described[i].option.val != letter) i++;
            return fail(NOT_DONE, "%s has no option --%s; see 'autotune %s --help'", command->name, described[i].option.name,
                        command->name),
                   false;
        }
        switch (letter) {
        case 'f': options.file = optarg; break;
        case 'd': options.dir = optarg; break;
        case 'F': options.format = optarg; break;
        case 'o': options.output = optarg; break;
        case 'n': options.name = optarg; break;
        case 'c': options.cache = true; break;
        case 't': options.terminal = true; break;
        case 'x': options.axes = optarg; break;
        default: options.all = true;
        }
    }
    if (count - optind >= command->least && count - optind <= command->most) {
        if (!options.file || !options.dir) return true;
        return fail(NOT_DONE, "--file and --dir exclude each other"), false;
    }
    return fail(NOT_DONE, "%s takes %s; see 'autotune %s --help'", command->name, command->synopsis, command->name), false;
}
static int run(const struct command *command, int count, char **arguments) {
    int status;
    optind = 1;
    if (!read_options(command, count, arguments, &status)) return status;
    autotune__ready();
    autotune__environment.log = AUTOTUNE_LOG_ERRORS; /* what the library says here are the command's own errors */
    if (count - optind == 1) return command->run((char *[]){arguments[optind], NULL, NULL});
    return command->run(count == optind ? (char *[]){NULL, NULL} : arguments + optind);
}
static int finish(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status == DONE && faults ? FAULTY : status;
    return errno == EPIPE ? NOT_DONE : fail(NOT_DONE, "standard output: %s", strerror(errno));
}
int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : NULL;
    const bool asks_help = name && (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"));
    const struct command *command = name ? command_named(asks_help && count > 2 ? arguments[2] : name) : NULL;
    setlocale(LC_CTYPE, "");
    if (!name) return help(stderr), NOT_DONE;
    if (command) return finish(asks_help ? help_on(command) : run(command, count - 1, arguments + 1));
    if (asks_help && count == 2) return finish(help(stdout));
    if (!strcmp(name, "--version")) {
        printf("autotune %d.%d.%d\n", AUTOTUNE_VERSION_MAJOR, AUTOTUNE_VERSION_MINOR, AUTOTUNE_VERSION_PATCH);
        return finish(DONE);
    }
    return fail(NOT_DONE, "'%s' is not a command; see 'autotune --help'", shown(asks_help ? arguments[2] : name));
}
