/* list.c - autotune list: a line for each record */
#include "command.h"
#include "files.h"
#include "records.h"
#include "shown.h"
#include "table.h"

/* Of an online race that goes on it shows what is in use. */
static void list_record(struct table *table, const struct record *record) {
    const struct value at = open_record(record), online = member(at, "online");
    const double pace = number_at(member(online, "pace"));
    const bool goes_on = is_there(member(online, "config")) && pace > 0;
    const char *winner = shown_pairs(goes_on ? member(online, "config") : member(at, "winner"), true),
               *verdict = goes_on ? "ongoing" : shown_member(at, "verdict"), *device = shown_member(at, "device"),
               *date = shown_date(&record->line);
    const double ns = goes_on ? pace * number_at(member(online, "first_ns")) : ns_of(at),
                 speedup = goes_on ? 1 / pace : speedup_of(at);
    if (on_terminal())
        ADD_ROW(table, record->tuner, record->key, winner, shown_time(ns), NUMBER("%.2f x", speedup), verdict,
                age_of(date), device);
    else
        ADD_ROW(table, record->tuner, record->key, winner, NUMBER("%.10g", ns), NUMBER("%.4g", speedup), verdict, date,
                device);
    close_json(at);
}
static int list(char **arguments) {
    struct table table = {NULL, 8, 1 << 3 | 1 << 4 | 1 << 6};
    bool devices = false;
    if (read_named() != DONE) return NOT_DONE;
    struct record *records = select_records(arguments);
    if (!records) return none_found(arguments);
    for (size_t i = 1; i < COUNT(records); i++) devices = devices || records[i].line.machine != records[0].line.machine;
    if (on_terminal() && !devices) table.columns = 7;
    if (on_terminal()) ADD_ROW(&table, "TUNER", "KEY", "WINNER", "TIME", "SPEED-UP", "VERDICT", "AGE", "DEVICE");
    for (size_t i = 0; i < COUNT(records); i++) list_record(&table, &records[i]);
    print_table(&table);
    stbds_arrfree(records);
    return DONE;
}
const struct command list_command = {
    .name = "list",
    .run = list,
    .least = 0,
    .most = 2,
    .options = "fd",
    .synopsis = "[TUNER [KEY]]",
    .purpose = "tuners, keys and their winners",
    .help = "On a terminal, a line for each record: its time, how much faster it is than the first\n"
            "configuration, the verdict and the age. Elsewhere, separated by tabs: tuner, key, winner,\n"
            "nanoseconds, speed-up, verdict, date, device.\n",
};
