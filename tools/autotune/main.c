/* main.c - the command `autotune`: shows the results of tuning, from the cache on disk and from saved files

   docs/cache-format.md describes the files, autotune.1 the command. Each command, such as list, has its own file with
   its help. The commands share these files:

       options   the options of the command line
       files     reading whole files, and writing files
       records   which records the arguments select, and their content
       gnuplot   pictures
       crashes   the launch notes
       pins      AUTOTUNE_USE
       verified  the results of mode VERIFY
       shown     values as people read them
       escape    values in other languages
       table     tables
       text      growing arrays and texts
       status    the exit status, and messages
       library   functions of the library: JSON, lines and their checksums, the cache's folder and locks

   Results go to standard output: in columns on a terminal, separated by tabs elsewhere. Messages go to standard error.
   The command escapes control characters in all texts of files. */
#include "command.h"
#include "files.h"
#include "options.h"
#include "shown.h"
#include <errno.h>
#include <locale.h>
#include <unistd.h>

static const struct command *const commands[] = {&list_command,   &show_command,   &misses_command, &verify_command,
                                                 &check_command,  &export_command, &merge_command,  &plot_command,
                                                 &report_command, &fit_command,    &tune_command,   &clear_command};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(FILE *to) {
    fputs("usage: autotune COMMAND [OPTION...] [ARGUMENT...]\n\n", to);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(to, "  %-8s %s\n", commands[i]->name, commands[i]->purpose);
    fputs("\n  autotune COMMAND --help    says more of one\n  autotune --version\n\n"
          "The file is --file FILE, or results.jsonl in the folder --dir DIR, AUTOTUNE_CACHE_DIR,\n"
          "XDG_CACHE_HOME/autotune or ~/.cache/autotune, the first that is set.\n",
          to);
    return DONE;
}
static int help_on(const struct command *command) {
    printf("usage: autotune %s [OPTION...] %s\n\n%s.\n\n%s\n", command->name, command->synopsis, command->purpose,
           command->help);
    print_options(command);
    return DONE;
}
static const struct command *command_named(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(name, commands[i]->name)) return commands[i];
    return NULL;
}
static int run(const struct command *command, int count, char **arguments) {
    if (!read_options(command, count, arguments)) return NOT_DONE;
    if (options.help) return help_on(command);
    start_library();
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
        printf("autotune %s\n", version);
        return finish(DONE);
    }
    return fail(NOT_DONE, "'%s' is not a command; see 'autotune --help'", shown(asks_help ? arguments[2] : name));
}
