/* check.c - autotune check: checks if files are sound */
#include "command.h"
#include "crashes.h"
#include "files.h"
#include "shown.h"
#include <limits.h>

static void summarize(size_t number) {
    const struct input *input = &inputs[number];
    size_t replaced = 0;
    for (size_t i = 0; i < line_count(); i++) {
        const struct line line = line_at(i);
        replaced += line.source == number + 1 && line.replaced;
    }
    printf("%s: records %zu, replaced by later ones %zu, unsound lines %zu\n", input->name, input->sound, replaced,
           input->unsound);
}
static int check(char **arguments) {
    struct crash *crashes = NULL;
    int status;
    faults_to = stdout;
    status = *arguments ? read_files(arguments) : read_named();
    if (status == NOT_DONE && !inputs) return status;
    for (size_t i = 0; i < COUNT(inputs); i++) summarize(i);
    if (!*arguments) crashes = read_crashes(arguments);
    for (size_t i = 0; i < COUNT(crashes); i++)
        printf("%s: %s %s %s: did not come back from its first launch, %zu time%s, last %s\n", shown(notes_path()),
               crashes[i].tuner, crashes[i].key, crashes[i].config, crashes[i].launches,
               crashes[i].launches == 1 ? "" : "s",
               crashes[i].date);
    stbds_arrfree(crashes);
    return status;
}
const struct command check_command = {
    .name = "check",
    .run = check,
    .least = 0,
    .most = INT_MAX,
    .options = "fd",
    .synopsis = "[FILE...]",
    .purpose = "whether files are sound",
    .help = "Names each line that is damaged, cut short or of a later version, by its number. The exit status\n"
            "is 0 if there is none, 1 if there is one, 2 if a file cannot be read. Of the cache on disk it\n"
            "names the configurations whose first launch did not come back, too.\n",
};
