/* Suspects: configurations whose first launch did not come back in earlier runs, as the journal tells. A suspect is
   tried last, or skipped.

   A configuration may end the whole program, by a signal or by exit(); it may hang, or break the device. So a line is
   written before its first launch, and closed after it. If the next run finds the line open, the configuration is a
   suspect there.

   An open line is no proof, since most programs that end in the middle of a race were stopped from outside. So exit(),
   or the end of main, closes the lines of all races except the one whose launch called exit(); and a suspect that comes
   back is acquitted at once. A suspect is skipped when the program ended in its launch in several runs in a row, and
   chance does not explain that. A program that is stopped at a random moment is stopped in a launch as often as that
   launch has a share of the time. If n others came back in the same race before, and the suspect could win, so that it
   takes no longer than any of them, its share is at most 1 / (n + 1). The shares of all these runs are multiplied, and
   chance is out when the product is 5 % or less: after two runs if many others were tried before, after three or four
   if few were, and after four runs in any case. If a run saw that the configuration called exit() or broke the device,
   its share there is 0. So whoever stops programs at random may put a long launch off, and hardly ever the best one.

   What breaks the device ends the tuning of the whole process. So a suspect in whose launch the device was lost is
   skipped if others work; and if the backend knows that the launch itself was at fault, by an illegal address for
   instance, that is proof at once.

   The winner that the cache knows is launched for real, and not in a race. If the program ended there, the next run
   launches another configuration in its place, and marks the line; the run after that gives the winner another chance.
   So the next run does not end there again, and a winner that was not to blame is away for one run only. How many
   others came back before is in such a line how many calls of the winner had fit into the time that the thread had
   computed: if the program was stopped by chance, that call has no larger share of its time.

   Ranks that divide a race launch different configurations at the same time, and only one of them writes a journal. It
   writes a line that blames nobody, before the first of these launches, and closes it when all ranks have raced their
   parts. A run that finds it open does not divide the race: what ends that run, too, is launched by all ranks then, and
   has a line of its own.

   The file of the journal is that of one key of one tuner on one device. It is there only while the key is raced, or
   has something to tell. It belongs to the process that holds the lock of the key. A process that lives has at most two
   lines open there, and holds a lock for each: that of the key for the last line of a race, and that of the call for
   the last line of a call for real.

   This file: reading the lines, and judging. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include "../base/memory.h"
#include "../base/numbers.h"
#include "../base/read_files.h"
#include "../system/files.h"
#include "../system/folders.h"
#include "../base/text.h"
#include "session.h"
#include "json.h"
#include "line_head.h"
#include "configuration_json.h"
#include "write_files.h"
#include "read_record.h"
#include "disk.h"
#include "lines.h"
#include "folder.h"
#include "lock.h"

enum { AUTOTUNE__JOURNAL_BYTES = 32 << 10 };    /* of a file, at most; the oldest lines are forgotten */

/* Its path, which the caller frees; NULL: no cache, or no memory. With the lock of the cache. */
static char *autotune__journal_path(const autotune__store *store) {
    char name[48];
    snprintf(name, sizeof name, "%016llx-%016llx.jsonl", (unsigned long long)store->identity.id,
             (unsigned long long)store->identity.machine);
    return autotune__find_cache() ? autotune__joined(autotune__disk.journals, name) : NULL;
}
/* Moves the sound lines of a text, those of later versions, too, to its beginning. Returns how many bytes they have. */
static size_t autotune__keep_open_lines(char *text, size_t bytes) {
    const char *at = text, *line;
    autotune__head head;
    size_t length, kept = 0;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL) {
        if (autotune__read_head(line, length, &head) == AUTOTUNE__DAMAGED) continue;
        memmove(text + kept, line, length + 1);
        kept += length + 1;
    }
    return kept;
}
/* A file, or its end, of so many bytes; it begins at byte `start` of the file. NULL: it cannot be read. */
static char *autotune__read_journal(int file, size_t *start, size_t *bytes) {
    autotune__file_facts facts;
    if (!autotune__facts_of_file(file, &facts)) return NULL;
    *start = facts.bytes > AUTOTUNE__JOURNAL_BYTES ? facts.bytes - AUTOTUNE__JOURNAL_BYTES : 0;
    return autotune__read_part(file, *start, AUTOTUNE__JOURNAL_BYTES, bytes);
}
/* Lines of calls for real have a member that others do not have, as their last one. */
static bool autotune__is_of_call(const char *line, size_t length) {
    static const char last[] = ",\"spared\":0";
    const size_t bytes = sizeof last - 1, behind = AUTOTUNE__CRC_BYTES;
    return length >= bytes + behind && !memcmp(line + length - behind - bytes, last, bytes - 1);
}
/* Do processes that live have a line open there, in a race, or in a call? */
typedef struct autotune__alive { bool in_race, in_call; } autotune__alive;
/* Others than this one. With the lock of the cache. */
static autotune__alive autotune__others_alive(const autotune__identity *identity) {
    autotune__alive alive;
    alive.in_race = autotune__is_locked(autotune__lock_byte(identity));
    alive.in_call = autotune__is_locked(autotune__call_byte(identity));
    return alive;
}
/* The last open line of a race, or of a call, is closed in this text, since it blames nobody. */
static void autotune__leave_out_last(char *text, size_t bytes, bool of_call) {
    const char *at = text, *line;
    autotune__head head;
    size_t length, end = 0;
    while ((line = autotune__next_line(&at, text + bytes, &length)) != NULL)
        if (autotune__is_of_call(line, length) == of_call &&
            autotune__read_head(line, length, &head) != AUTOTUNE__DAMAGED)
            end = (size_t)(line - text) + length;
    if (end) text[end - 1] = AUTOTUNE__CANCEL;
}
static void autotune__leave_out_living(autotune__alive alive, char *text, size_t bytes) {
    if (alive.in_race) autotune__leave_out_last(text, bytes, false);
    if (alive.in_call) autotune__leave_out_last(text, bytes, true);
}
static void autotune__read_crash(autotune__store *store, const autotune__head *head, size_t start, size_t length) {
    autotune__crash crash;
    autotune__json json;
    if (!autotune__parse(&json, store->crashes.text + start, length)) return;
    if (autotune__speaks_of(&json, store, false) && autotune__same_kernel(&json, head, store) &&
        autotune__spell_space(store)) {
        const int fault = autotune__member(&json, 0, "fault");
        crash.of_parts = autotune__member(&json, 0, "ranks") >= 0;
        crash.index = crash.of_parts ? 0 : autotune__find_point(store, &json, 0, "config");
        crash.start = start;
        crash.length = length;
        crash.returned = autotune__count_in(&json, 0, "returned");
        crash.unspared = autotune__member(&json, 0, "spared") >= 0 && !autotune__count_in(&json, 0, "spared");
        crash.fault = fault < 0                                  ? AUTOTUNE__NO_FAULT
                      : autotune__spells(&json, fault, "launch") ? AUTOTUNE__LAUNCH_AT_FAULT
                      : autotune__spells(&json, fault, "device") ? AUTOTUNE__DEVICE_LOST
                                                                 : AUTOTUNE__PROGRAM_ENDED;
        crash.same_program = autotune__same_string(&json, 0, "program", *store->program ? store->program : NULL);
        if (crash.index != SIZE_MAX) (void)AUTOTUNE__PUSH(store->crashes.all, crash);
    }
    autotune__free_json(&json);
}
static void autotune__read_crashes(autotune__store *store) {
    const char *const text = store->crashes.text, *at = text, *line;
    autotune__head head;
    size_t length;
    while (text && (line = autotune__next_line(&at, text + store->crashes.bytes, &length)) != NULL)
        if (autotune__read_head(line, length, &head) == AUTOTUNE__SOUND &&
            head.identity.id == store->identity.id && head.identity.machine == store->identity.machine)
            autotune__read_crash(store, &head, (size_t)(line - text), length);
}
static void autotune__free_crashes(autotune__crashes *crashes) {
    AUTOTUNE__FREE_ARRAY(crashes->all);
    AUTOTUNE__FREE_ARRAY(crashes->points);
    autotune__free(crashes->text);
    memset(crashes, 0, sizeof *crashes);
}
/* Did a run end while ranks divided the race? */
static bool autotune__ended_in_parts(const autotune__store *store) {
    size_t i;
    for (i = 0; i < autotune__count(store->crashes.all); i++)
        if (store->crashes.all[i].of_parts && store->crashes.all[i].index != SIZE_MAX) return true;
    return false;
}
/* Had the kernels that this run launched so far the same sources when that run ended? */
static bool autotune__blames_kernels(const autotune__store *store, const autotune__crash *crash) {
    autotune__json json;
    bool same = true;
    size_t i;
    if (!store->kernels || !autotune__parse(&json, store->crashes.text + crash->start, crash->length)) return true;
    for (i = 0; i < autotune__count(store->kernels); i++)
        same = same && autotune__had_kernel(&json, &store->kernels[i], false);
    autotune__free_json(&json);
    return same;
}
/* What earlier runs say of this point, as told at the beginning of this file. A program that was rebuilt gives the
   point another chance. */
static autotune__suspicion autotune__suspicion_of(const autotune__store *store, size_t index) {
    const autotune__crash *crash = store->crashes.all;
    const double chance_is_out = 0.05;
    const size_t enough = 4;
    autotune__suspicion suspicion = AUTOTUNE__UNSUSPECTED;
    size_t i, proofs = 0, ends = 0;             /* in a row */
    double chance = 1;
    for (i = 0; i < autotune__count(store->crashes.all); i++, crash++) {
        if (crash->index == SIZE_MAX || crash->of_parts) continue;
        if (crash->index != index) {
            if (!crash->fault) { ends = proofs; chance = proofs ? 0 : 1; }
            continue;
        }
        if (!autotune__blames_kernels(store, crash)) continue;
        if (suspicion == AUTOTUNE__UNSUSPECTED) suspicion = AUTOTUNE__TO_BE_LAST;
        if (!crash->same_program) continue;
        if (crash->fault == AUTOTUNE__LAUNCH_AT_FAULT) return AUTOTUNE__CONVICTED;
        if (crash->fault == AUTOTUNE__DEVICE_LOST || crash->unspared) suspicion = AUTOTUNE__TO_BE_SPARED;
        ends++;
        proofs += crash->fault != AUTOTUNE__NO_FAULT;
        chance = crash->fault ? 0 : chance / (double)(crash->returned + 1);
        if (ends >= enough || (ends >= 2 && chance <= chance_is_out)) suspicion = AUTOTUNE__TO_BE_SKIPPED;
    }
    return suspicion;
}
/* What the race launches last: suspects; and, where it goes on since it had too little time, what was tried before,
   which is launched again if there is time left. What was never tried comes first, behind the winner. Without memory
   some of this is tried at its turn. */
static void autotune__list_last_points(autotune__store *store) {
    const autotune__former *former = &store->former;
    autotune__crashes *crashes = &store->crashes;
    size_t i, count, kept = 0, *points = NULL;
    for (i = 0; i < autotune__count(crashes->all); i++)
        if (!crashes->all[i].of_parts && !AUTOTUNE__PUSH(points, crashes->all[i].index)) break;
    for (i = 0; former->goes_on && i < autotune__count(former->rows); i++)
        if (former->rows[i].contender && former->rows[i].index != former->winner &&
            !AUTOTUNE__PUSH(points, former->rows[i].index))
            break;
    count = autotune__count(points);
    if (count) qsort(points, count, sizeof *points, autotune__order_sizes);
    for (i = 0; i < count; i++) if (!i || points[i] != points[kept - 1]) points[kept++] = points[i];
    autotune__set_count(points, kept);
    crashes->points = points;
}

/* Visits all journals, with their open lines. With the lock of the cache. */
typedef void autotune__visit_journal(const char *path, const autotune__line *lines, size_t count, void *user);
typedef struct autotune__journal_visitor { autotune__visit_journal *visit; void *user; } autotune__journal_visitor;
static void autotune__show_journal(const char *name, void *user) {
    const autotune__journal_visitor *visitor = (const autotune__journal_visitor *)user;
    char *path = autotune__joined(autotune__disk.journals, name);
    size_t start, bytes, length, kept = 0;
    autotune__line line, *lines = NULL;
    const char *why;
    const int file = path ? autotune__open_ours(path, AUTOTUNE__READ, &why) : -1;
    char *text = file >= 0 ? autotune__read_journal(file, &start, &bytes) : NULL;
    const char *at = text;
    memset(&line, 0, sizeof line);
    if (text) kept = autotune__keep_open_lines(text, bytes);
    if (kept && autotune__next_line(&at, text + kept, &length) &&
        autotune__read_head(text, length, &line.head) == AUTOTUNE__SOUND)
        autotune__leave_out_living(autotune__others_alive(&line.head.identity), text, kept);
    for (at = text; kept && (line.text = autotune__next_line(&at, text + kept, &line.length)) != NULL;)
        if (autotune__read_head(line.text, line.length, &line.head) == AUTOTUNE__SOUND && !AUTOTUNE__PUSH(lines, line))
            break;
    if (lines) visitor->visit(path, lines, autotune__count(lines), visitor->user);
    AUTOTUNE__FREE_ARRAY(lines);
    autotune__free(text);
    autotune__close_file(file);
    autotune__free(path);
}
static void autotune__walk_journals(autotune__visit_journal *visit, void *user) {
    autotune__journal_visitor visitor = { visit, user };
    autotune__walk_folder(autotune__disk.journals, autotune__show_journal, &visitor);
}
