/* show.c - autotune show: all configurations of a tuner, and those whose launch did not return */
#include "command.h"
#include "crashes.h"
#include "files.h"
#include "in_use.h"
#include "pins.h"
#include "records.h"
#include "shown.h"
#include "table.h"
#include "verified.h"
#include <math.h>

/* Shows why the race left configurations out. */
static void show_undone(struct value at) {
    static const struct { const char *word, *sentence; } all[] = {
        {"time", "time was up before all was tried"},
        {"trials", ".max_trials left configurations out"},
        {"top_k", ".top_k left configurations out"},
        {"points", "no further points of the space were found"},
        {"skipped", "a configuration that ended an earlier run was skipped"},
    };
    const char *why = is_string(member(at, "left_out")) ? shown_member(at, "left_out") : "";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(why, all[i].word)) printf("  left out %s\n", all[i].sentence);
}
/* Shows facts about the winner since the race: its time in use, its verification, its pin. */
static void show_later(const struct record *record, struct value at, const struct verified *all) {
    const struct verified *verified = verified_of(all, &record->line);
    const char *pin = pinned_to(record, at);
    const struct in_use in_use = in_use_of(record);
    if (in_use.date)
        printf("  in use   %s, on %s%s\n", shown_in_use(&in_use), in_use.date,
               in_use.is_logged ? ": see 'In use' in the manual" : "");
    if (verified) printf("  verified %s: %s\n", shown_date(&verified->line), shown_verified(verified));
    if (pin) printf("  pinned   AUTOTUNE_USE asks for %s\n", pin);
}
static void show_summary(const struct record *record, struct value at, const struct verified *verified) {
    const double lead = number_at(member(at, "lead")), percent = lead < 0 ? -100 : 100, /* it may be faster */
                 low = number_at(member(at, lead < 0 ? "lead_high" : "lead_low")),
                 high = number_at(member(at, lead < 0 ? "lead_low" : "lead_high")), speedup = speedup_of(at),
                 seconds = number_at(member(at, "seconds"));
    const char *date = shown_date(&record->line), *age = age_of(date);
    printf("%s  %s\n", record->tuner, record->key);
    const char *winner = formatted("  winner   %s, %s", shown_pairs(member(at, "winner"), true), shown_time(ns_of(at))),
               *gain = NUMBER("%.2f x the first configuration's speed", speedup);
    printf("%s", winner);
    if (*gain != '-') printf(strlen(winner) + strlen(gain) + 2 > terminal_width() ? ",\n           %s" : ", %s", gain);
    printf("\n  verdict  %s", shown_member(at, "verdict"));
    if (is_string(member(at, "doubt")))
        printf(": %s", shown_member(at, "doubt"));
    else if (fabs(lead) < 0.00005)
        printf(", the second takes the same time");
    else if (autotune__is_definite(lead))
        printf(", the second takes %.2f %% %s", percent * lead, lead < 0 ? "less" : "longer");
    else if (is_raw(member(at, "verdict"), "\"unfinished\""))
        printf(": the race did not end; the next run of the program goes on with it");
    if (autotune__is_definite(low)) printf(" (95 %%: %.2f to %.2f)", percent * low, percent * high);
    if (autotune__is_definite(number_at(member(at, "duels"))))
        printf("\n  duels    finalists duelled again in later runs: %s", shown_member(at, "duels"));
    printf("\n  race     %s of %s tried, %s failed, %s launches, %s s\n", shown_member(at, "tried"),
           shown_member(at, "space_size"), shown_member(at, "failed"), shown_member(at, "launches"),
           seconds < 1000 ? NUMBER("%.3g", seconds) : NUMBER("%.0f", seconds));
    if (member(at, "configurations").place < 0)
        printf("  table    none: 'autotune export' left it out, or it went for want of room\n");
    if (autotune__is_definite(number_at(member(at, "checked"))))
        printf("  checked  the program was built anew, and %s configurations compared as before\n",
               shown_member(at, "checked"));
    if (is_string(member(at, "pin"))) printf("  pin      AUTOTUNE_USE left what has %s\n", shown_member(at, "pin"));
    show_undone(at);
    printf("  made     %s, ", date);
    if (*age != '-') printf("%s ago, ", age);
    printf("by %s\n", shown_member(at, "compiler"));
    show_later(record, at, verified);
    printf("  device   %s\n\n", shown_member(at, "device"));
}
/* Resources of the kernels of a configuration: registers, bytes of local memory, bytes of shared memory. */
enum { COLUMNS = 6, FIELDS = 10, RESOURCES = 3 }; /* COLUMNS, FIELDS: of a row without resources, on a terminal, and
                                                     elsewhere */
static bool have_resources(const struct row *rows) {
    for (size_t i = 0; i < COUNT(rows); i++)
        if (is_there(member(rows[i].at, "resources"))) return true;
    return false;
}
static void add_resources(const char **cells, struct value row) {
    struct value element = {NULL, -1};
    const struct value resources = member(row, "resources");
    for (size_t i = 0; i < RESOURCES; i++)
        cells[i] = next_element(resources, &element) ? shown_value(element) : "-";
}
/* Returns the width of the bars: 20 columns, or less on a narrow terminal. Time, ratio, stage and launches, with the
   blanks before them, take 41 columns, and resources 26. */
static size_t bar_columns(const struct row *rows, bool resources) {
    size_t widest = strlen("CONFIGURATION") + (resources ? 26 : 0), room = terminal_width();
    for (size_t i = 0; i < COUNT(rows); i++) {
        const size_t width = strlen(shown_pairs(member(rows[i].at, "config"), true)) + (resources ? 26 : 0);
        if (width > widest) widest = width;
    }
    return room > widest + 61 ? 20 : room > widest + 46 ? room - widest - 41 : 5;
}
static void show_row(struct table *table, const struct record *record, const struct row *row, double best,
                     size_t columns, bool resources) {
    const char *config = shown_pairs(member(row->at, "config"), true), *stage = shown_member(row->at, "stage"),
               *state = shown_member(row->at, "state"), *launches = shown_member(row->at, "launches"),
               *reason = shown_member(row->at, "reason");
    const double ratio = autotune__is_definite(row->ns) ? row->ns / best : AUTOTUNE__NEVER;
    const char *in_columns[] = {config, shown_time(row->ns), NUMBER("%.2f x", ratio), bar(best / row->ns, columns),
                                stage, launches, "", "", "", ""};
    const char *as_fields[] = {record->tuner, record->key, config,
                               NUMBER("%.10g", row->failed ? AUTOTUNE__NEVER : row->ns),
                               shown_member(row->at, "min_ns"), shown_member(row->at, "median_ns"), stage, state,
                               launches, reason, "", "", ""};
    if (row->failed) {
        in_columns[1] = "-", in_columns[2] = in_columns[3] = "", in_columns[4] = state;
        in_columns[resources ? COLUMNS + RESOURCES : COLUMNS] = reason;
    }
    if (resources) add_resources(on_terminal() ? &in_columns[COLUMNS] : &as_fields[FIELDS], row->at);
    add_row(table, on_terminal() ? in_columns : as_fields);
}
static void show_record(const struct record *record, const struct verified *verified) {
    const struct value at = open_record(record);
    struct row *rows = rows_of(at);
    const bool resources = have_resources(rows);
    struct table table = {.columns = (size_t)((on_terminal() ? COLUMNS : FIELDS) + (resources ? RESOURCES : 0)),
                          .right = 1 << 1 | 1 << 2 | 1 << 5 | (resources ? 7 << COLUMNS : 0)};
    double best = AUTOTUNE__NEVER;
    bool failures = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!rows[i].failed && rows[i].ns < best) best = rows[i].ns;
        failures = failures || rows[i].failed;
    }
    if (on_terminal() && failures) table.columns++;
    if (on_terminal()) show_summary(record, at, verified);
    if (on_terminal() && rows && resources)
        ADD_ROW(&table, "CONFIGURATION", "TIME", "TO BEST", "SPEED", "LEFT AT", "LAUNCHES", "REGISTERS", "LOCAL",
                "SHARED", "REASON");
    else if (on_terminal() && rows)
        ADD_ROW(&table, "CONFIGURATION", "TIME", "TO BEST", "SPEED", "LEFT AT", "LAUNCHES", "REASON");
    const size_t columns = on_terminal() ? bar_columns(rows, resources) : 0;
    for (size_t i = 0; i < COUNT(rows); i++) show_row(&table, record, &rows[i], best, columns, resources);
    print_table(&table);
    stbds_arrfree(rows);
    close_json(at);
}
/* Shows configurations whose launch did not return, in the columns of show_record(). */
static void show_crashes(const struct crash *crashes) {
    struct table table = {.columns = on_terminal() ? 5 : FIELDS, .right = 1 << 3, .shrinks = 1 << 2, .grouped = true};
    if (on_terminal())
        puts("Lost: the first launch did not come back. Tried last; skipped if that happens twice");
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "CONFIGURATION", "LOST", "LAST TIME");
    for (size_t i = 0; i < COUNT(crashes); i++) {
        const struct crash *crash = &crashes[i];
        const char *launches = formatted("%zu", crash->launches);
        if (on_terminal())
            ADD_ROW(&table, short_name(crash->tuner), crash->key, crash->config, launches, crash->date);
        else
            ADD_ROW(&table, crash->tuner, crash->key, crash->config, "-", "-", "-", "screen", "lost", launches,
                    "did not come back");
    }
    print_table(&table);
}
static int show(char **arguments) {
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    struct crash *crashes = read_crashes(arguments);
    struct verified *verified = on_terminal() ? read_verified_if_any() : NULL;
    if (!records && !crashes) return none_found(arguments);
    for (size_t i = 0; i < COUNT(records); i++) {
        if (i && on_terminal()) putchar('\n');
        show_record(&records[i], verified);
    }
    if (records && crashes && on_terminal()) putchar('\n');
    if (crashes) show_crashes(crashes);
    stbds_arrfree(records);
    stbds_arrfree(crashes);
    stbds_arrfree(verified);
    return DONE;
}
const struct command show_command = {
    .name = "show",
    .run = show,
    .least = 1,
    .most = 2,
    .options = "fd",
    .synopsis = "TUNER [KEY]",
    .purpose = "all configurations of a tuner: the winner, the others by time",
    .help = "On a terminal, a summary of each race, what verified its winner last, and a table with bars,\n"
            "the longest the fastest.\n"
            "Elsewhere, separated by tabs: tuner, key, configuration, nanoseconds, minimum, median, stage,\n"
            "state, launches, reason of a failure; and if CUDA_LAUNCH launched, the registers of a thread, its\n"
            "bytes of local memory, and the bytes of shared memory of a block. Then the launch notes:\n"
            "configurations whose first launch did not come back (state lost), and how often.\n",
};
