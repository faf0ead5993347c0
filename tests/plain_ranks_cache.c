/* plain_ranks_cache.c - ranks whose caches on disk differ, in every combination: the cache of rank 0 counts
   for all ranks, and no rank waits for ever. */
#define _DEFAULT_SOURCE
#include "forked_ranks.h"
#include "cache_file.h"
#include <dirent.h>

/* The content of a rank's folder: no record; a record of winner tile 1 or tile 2; a record of another build of the
   program. */
typedef enum content { NOTHING, TILE_1, TILE_2, OTHER_PROGRAM, CONTENTS } content;
enum { TILES = 4 };
typedef struct outcome {
    autotune_status status;
    int tile, trials, calls, space;
    int order[TILES]; /* each tile + 1, in the order of first launches */
} outcome;

static char folders[2][240];
static int size = 1, fastest, nearly = -1, wrong_tile = -1, wrong_rank;
static bool swapped; /* true: the process with the folder of rank 1 is rank 0 */
static autotune_agreement agree;
static int first_rank;

static int deadly_tile = -1, deadly_rank; /* the process of this rank ends in a trial of this tile */
/* The place of rank 0 when the process of the deadly rank ends. */
typedef enum whereabouts {
    ANYWHERE,
    IN_A_LAUNCH,           /* in its second launch or a later one, which does not return */
    AT_THE_END_OF_ITS_PART /* waits for the other rank in an exchange */
} whereabouts;
static whereabouts rank_0_is;
static unsigned char *rank_0_waits(void) { return &shared->results[sizeof shared->results - 1]; }
static void wait_to_be_killed(void) {
    __atomic_store_n(rank_0_waits(), 1, __ATOMIC_RELEASE);
    for (;;) pause();
}
static void end_process(void) {
    const struct timespec nap = {0, MILLISECOND};
    while (rank_0_is == IN_A_LAUNCH && !__atomic_load_n(rank_0_waits(), __ATOMIC_ACQUIRE)) nanosleep(&nap, NULL);
    while (rank_0_is == AT_THE_END_OF_ITS_PART && !__atomic_load_n(&shared->groups[0].arrived, __ATOMIC_ACQUIRE))
        nanosleep(&nap, NULL);
    raise(SIGKILL);
}
static autotune_status launch(outcome *seen, bool trial, int tile) {
    int place = 0;
    while (place < TILES && seen->order[place] && seen->order[place] != tile + 1) place++;
    if (trial) seen->order[place] = tile + 1;
    if (trial && rank_0_is == IN_A_LAUNCH && own_rank == 0 && place > 0) wait_to_be_killed();
    if (trial && tile == deadly_tile && own_rank == deadly_rank) end_process();
    seen->trials += trial;
    seen->calls += !trial;
    seen->tile = tile;
    spend((tile == fastest ? 1000 : tile == nearly ? 1008 : 2000) * (uint64_t)(MILLISECOND / 1000));
    return tile == wrong_tile && own_rank == wrong_rank ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static int broadcasts_left = -1; /* the number of broadcasts that work. -1: all */
static autotune_status share_so_often(autotune_ranks *self, void *all, size_t count) {
    const autotune_status status = share_of_first(self, all, count);
    return broadcasts_left-- > 0 ? status : AUTOTUNE_FAILED;
}
static void tune(int rank, int count) {
    outcome *seen = (outcome *)(void *)shared->results + rank;
    static autotune_backend own_clock; /* static: another backend object would make another tuner */
    static autotune_ranks ranks;
    autotune_result result;
    own_clock = virtual_backend("virtual");
    ranks = ranks_of(0, swapped ? count - 1 - rank : rank, count);
    if (broadcasts_left >= 0) ranks.share = share_so_often;
    setenv("AUTOTUNE_CACHE_DIR", folders[rank], 1);
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(seen, autotune_trial, tile), .name = "cached",
             .key = KEY(size), .backend = &own_clock, .ranks = &ranks, .agree = agree, .first_rank = first_rank,
             .result = &result);
    seen->status = result.status;
    seen->space = (int)result.space_size;
}
static outcome outcome_of(int rank) { return ((outcome *)(void *)shared->results)[rank]; }
static const char *file_of(int rank) {
    static char path[2][260];
    snprintf(path[rank], sizeof path[rank], "%s/results.jsonl", folders[rank]);
    return path[rank];
}
static void fill(int rank, content what) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folders[rank]);
    CHECK(strstr(command, "/autotune-test-") && system(command) == 0);
    if (what == NOTHING) return;
    swapped = rank == 1;
    fastest = what == TILE_2 ? 2 : 1;
    nearly = 3; /* the second finalist. It is raced again if the program was built anew, or if the winner fails */
    run_ranks(2, 600, tune);
    nearly = -1;
    CHECK(count_lines(read_file(file_of(rank))) == 1);
    if (what == OTHER_PROGRAM) CHECK(edit_records(file_of(rank), "\"program\":\"", "\"program\":\"another") == 1);
}
static void caches_may_differ(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++)
        for (int first = NOTHING; first < CONTENTS; first++)
            for (int second = NOTHING; second < CONTENTS; second++) {
                const bool known = first == TILE_1 || first == TILE_2;
                agree = (autotune_agreement)a;
                fill(1, (content)second);
                fill(0, (content)first);
                const bytes before = read_file(file_of(1));
                swapped = false;
                fastest = 3;
                run_ranks(2, 600, tune);
                for (int r = 0; r < 2; r++) {
                    const outcome seen = outcome_of(r);
                    CHECK(seen.status == AUTOTUNE_OK && seen.calls == 1);
                    CHECK(seen.tile == (first == TILE_1 ? 1 : first == TILE_2 ? 2 : 3));
                    CHECK((seen.trials > 0) == (!known && (agree != AUTOTUNE_FIRST || r == 0)));
                }
                /* only rank 0 writes */
                const bytes after = read_file(file_of(1));
                CHECK(after.count == before.count && (!after.count || !memcmp(after.at, before.at, after.count)));
                CHECK(second != NOTHING || access(folders[1], F_OK) != 0);
                CHECK(count_lines(read_file(file_of(0))) == 1 + (first == OTHER_PROGRAM));
            }
}
/* The race runs on another rank than rank 0. This rank has the cache, too. */
static void who_races_keeps_the_record(void) {
    agree = AUTOTUNE_FIRST;
    fill(1, NOTHING);
    fill(0, TILE_2);
    swapped = false;
    first_rank = 1;
    for (int again = 0; again < 2; again++) {
        fastest = 3 - again;
        run_ranks(2, 600, tune);
        for (int r = 0; r < 2; r++) {
            const outcome seen = outcome_of(r);
            CHECK(seen.status == AUTOTUNE_OK && seen.tile == 3 && seen.calls == 1);
            CHECK((seen.trials > 0) == (!again && r == 1));
        }
        CHECK(count_lines(read_file(file_of(0))) == 1 && count_lines(read_file(file_of(1))) == 1);
    }
    first_rank = 0;
}
/* A winner from disk fails on one rank. All ranks refuse it, and race. */
static void a_known_winner_may_fail(void) {
    for (wrong_rank = 0; wrong_rank < 2; wrong_rank++)
        for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++) {
            agree = (autotune_agreement)a;
            wrong_tile = -1;
            fill(0, TILE_2);
            swapped = false;
            wrong_tile = 2;
            fastest = 3;
            run_ranks(2, 600, tune);
            for (int r = 0; r < 2; r++)
                CHECK(outcome_of(r).status == AUTOTUNE_OK && outcome_of(r).tile == 3 && outcome_of(r).calls == 2);
        }
    wrong_tile = -1;
}
/* The configuration of a call that communicates depends on the number of ranks. So a record is used only by as many
   ranks. */
static void the_number_of_ranks_counts(void) {
    agree = AUTOTUNE_TOGETHER;
    fill(0, TILE_1);
    CHECK(strstr(read_file(file_of(0)).at, ", 2 ranks\""));
    swapped = false;
    fastest = 3;
    run_ranks(1, 600, tune);
    CHECK(outcome_of(0).trials > 0 && outcome_of(0).tile == 3);
    run_ranks(2, 600, tune);
    CHECK(outcome_of(0).trials == 0 && outcome_of(0).tile == 1 && outcome_of(1).tile == 1);
}

static int notes_of(int rank) {
    char path[260];
    int files = 0;
    struct dirent *entry;
    snprintf(path, sizeof path, "%s/notes", folders[rank]);
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) files += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return files;
}
/* A configuration ends the program on one rank. Rank 0 knows of this, since its launch notes have the launches of
   all ranks. In the next run all ranks launch this configuration last. After it has ended the program twice, they
   never launch it. If ranks divide a race, rank 0 does not know which rank it was, so the next run does not divide
   the race. */
static int place_of(int rank, int tile) {
    const outcome seen = outcome_of(rank);
    int place = 0;
    while (place < TILES && seen.order[place] != tile + 1) place++;
    return place;
}
/* Returns a tile that this rank launches early. In a divided race no other rank launches the tile in the screen. */
static int early_tile(int rank) {
    fill(0, NOTHING);
    swapped = false;
    fastest = 0;
    run_ranks(2, 600, tune);
    const int tile = outcome_of(rank).order[1] - 1;
    fill(0, NOTHING);
    swapped = false;
    return tile;
}
/* Returns the last value of `rank_0_is` that a test with this deadly rank tries. */
static whereabouts last_place(int rank) {
    return agree == AUTOTUNE_DIVIDED && rank == 1 ? AT_THE_END_OF_ITS_PART : ANYWHERE;
}
static void suspects_come_last(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER)
        for (deadly_rank = 0; deadly_rank < 2; deadly_rank++) {
            agree = (autotune_agreement)a;
            for (int where = ANYWHERE; where <= (int)last_place(deadly_rank); where++) {
                const int tile = deadly_tile = early_tile(deadly_rank);
                rank_0_is = (whereabouts)where;
                CHECK(run_mortal_ranks(2, 600, tune));
                rank_0_is = ANYWHERE;
                if (agree == AUTOTUNE_DIVIDED) {
                    /* now the race is not divided: all ranks make the same launches */
                    CHECK(run_mortal_ranks(2, 600, tune));
                    for (int i = 0; i < TILES && outcome_of(0).order[i] && outcome_of(1).order[i]; i++)
                        CHECK(outcome_of(0).order[i] == outcome_of(1).order[i]);
                }
                deadly_tile = -1;
                run_ranks(2, 600, tune);
                for (int r = 0; r < 2; r++) {
                    CHECK(outcome_of(r).status == AUTOTUNE_OK && outcome_of(r).tile == fastest);
                    CHECK(place_of(r, tile) == TILES - 1); /* the tile is launched last, and no other tile */
                    for (int i = 0; i < TILES; i++) CHECK(outcome_of(0).order[i] == outcome_of(1).order[i]);
                }
                CHECK(notes_of(0) == 0); /* all launches returned */
            }
        }
}
static void what_ends_runs_is_skipped(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER)
        for (deadly_rank = 0; deadly_rank < 2; deadly_rank++) {
            agree = (autotune_agreement)a;
            for (int where = ANYWHERE; where <= (int)last_place(deadly_rank); where++) {
                int deaths = 0;
                const int tile = deadly_tile = early_tile(deadly_rank);
                rank_0_is = (whereabouts)where;
                for (; deaths < 6 && run_mortal_ranks(2, 600, tune); deaths++)
                    if (rank_0_is == IN_A_LAUNCH) rank_0_is = ANYWHERE;
                deadly_tile = -1;
                CHECK(deaths >= 2 && deaths <= 2 + (agree == AUTOTUNE_DIVIDED));
                for (int r = 0; r < 2; r++) {
                    CHECK(outcome_of(r).status == AUTOTUNE_OK && outcome_of(r).tile == fastest);
                    CHECK(place_of(r, tile) == TILES);
                }
            }
        }
}
/* A divided race that came to its end leaves no launch notes. */
static void parts_that_end_leave_no_notes(void) {
    agree = AUTOTUNE_DIVIDED;
    fill(0, NOTHING);
    swapped = false;
    fastest = 0;
    run_ranks(2, 600, tune);
    CHECK(notes_of(0) == 0);
}

/* All ranks first launch a seed: a configuration that was good for another key in rank 0's file. */
static void seeds_are_shared(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER)
        for (int good = 1; good < TILES; good++) {
            agree = (autotune_agreement)a;
            size = 1;
            fill(0, NOTHING);
            swapped = false;
            fastest = good;
            run_ranks(2, 600, tune);
            size = 2;
            run_ranks(2, 600, tune);
            for (int r = 0; r < 2; r++) {
                CHECK(outcome_of(r).status == AUTOTUNE_OK && outcome_of(r).tile == fastest && outcome_of(r).trials > 0);
                CHECK(agree == AUTOTUNE_DIVIDED || place_of(r, good) == 1);
            }
        }
    size = 1;
}
/* If the broadcast of the seeds fails, no rank begins the race. */
static void seeds_that_are_lost_begin_no_race(void) {
    agree = AUTOTUNE_TOGETHER;
    fill(0, TILE_2);
    swapped = false;
    size = 2;
    for (broadcasts_left = 0; broadcasts_left <= 3; broadcasts_left++) {
        run_ranks(2, 600, tune);
        for (int r = 0; r < 2; r++) {
            CHECK((outcome_of(r).status == AUTOTUNE_OK) == (broadcasts_left == 3) && outcome_of(r).calls == 1);
            CHECK((outcome_of(r).trials > 0) == (broadcasts_left == 3));
        }
    }
    broadcasts_left = -1;
    size = 1;
}
/* The winner on disk is not sure. All ranks duel its finalists again, and rank 0 stores the result. */
static void finalists_are_duelled_again(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER) {
        agree = (autotune_agreement)a;
        fill(0, NOTHING);
        swapped = false;
        fastest = 2;
        nearly = 1;
        run_ranks(2, 600, tune);
        CHECK(edit_records(file_of(0), "\"verdict\":\"separated\"", "\"verdict\":\"unresolved\"") == 1);
        /* the race gets more seconds. A new duel may take a tenth of them, which now is enough */
        CHECK(edit_records(file_of(0), "\"seconds\":", "\"seconds\":1") == 1);
        run_ranks(2, 600, tune);
        for (int r = 0; r < 2; r++) {
            const outcome seen = outcome_of(r);
            CHECK(seen.status == AUTOTUNE_OK && seen.tile == fastest && seen.trials > 0 && seen.calls == 1);
            CHECK(place_of(r, 1) < TILES && place_of(r, 2) < TILES);
            /* in a divided race tile 3 may be a finalist of its part */
            CHECK(place_of(r, 3) == TILES || agree == AUTOTUNE_DIVIDED);
            CHECK(seen.trials == outcome_of(0).trials && seen.space == TILES);
        }
        CHECK(strstr(read_file(file_of(0)).at, "\"duels\":1"));
        run_ranks(2, 600, tune); /* now the winner is sure */
        for (int r = 0; r < 2; r++) CHECK(outcome_of(r).trials == 0 && outcome_of(r).tile == fastest);
    }
    nearly = -1;
}

/* The program was built anew, so the next run races again: all ranks together, or rank 0 alone. The run after it
   launches no trial. */
static outcome tune_many(int rank, int count) {
    enum { MANY = 40 };
    outcome seen = {.tile = -1};
    bool launched[MANY] = {false};
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_result result;
    autotune_ranks ranks = all_ranks(count);
    setenv("AUTOTUNE_CACHE_DIR", folders[rank], 1);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, MANY - 1, 1)), .name = "many", .backend = &own_clock, .ranks = &ranks,
                   .agree = agree, .result = &result) {
        spend(MILLISECOND * (uint64_t)(10 + tile % 10 + (rank == 1 ? tile / 10 : 0)));
        launched[tile] = launched[tile] || autotune_trial;
        seen.tile = tile;
        seen.calls += !autotune_trial;
    }
    for (int tile = 0; tile < MANY; tile++) seen.trials += launched[tile];
    seen.status = result.status;
    seen.space = (int)result.space_size;
    return seen;
}
static void tune_many_and_tell(int rank, int count) {
    ((outcome *)(void *)shared->results)[rank] = tune_many(rank, count);
}
static void former_times_save_launches_of_one_rank(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_FIRST; a++) {
        agree = (autotune_agreement)a;
        fill(0, NOTHING);
        run_ranks(2, 600, tune_many_and_tell);
        CHECK(outcome_of(0).trials == 40 && outcome_of(1).trials == (agree == AUTOTUNE_TOGETHER ? 40 : 0));
        CHECK(edit_records(file_of(0), "\"program\":\"", "\"program\":\"another") == 1);
        for (int again = 1; again < 3; again++) {
            run_ranks(2, 600, tune_many_and_tell);
            for (int r = 0; r < 2; r++) {
                const outcome seen = outcome_of(r);
                CHECK(seen.status == AUTOTUNE_OK && seen.calls == 1 && seen.space == 40);
                CHECK(seen.tile == outcome_of(0).tile && seen.tile % 10 == 0);
                CHECK(again == 2 || (agree != AUTOTUNE_TOGETHER && r > 0) ? seen.trials == 0 : seen.trials == 40);
                CHECK((seen.trials > 0) == (again == 1 && (r == 0 || agree == AUTOTUNE_TOGETHER)));
            }
        }
    }
}

/* A statement without .ranks: rank 0 tunes alone. After autotune_agree() all ranks know the winner. */
static void tune_alone_and_share(int rank, int count) {
    outcome *seen = (outcome *)(void *)shared->results + rank;
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_result result = {.status = AUTOTUNE_OK};
    autotune_ranks ranks = all_ranks(count), none = {.rank = 0, .count = 0}, one = {.rank = 0, .count = 1};
    setenv("AUTOTUNE_CACHE", "off", 1);
    CHECK(autotune_agree(&none) == AUTOTUNE_ERR_ARGUMENT && autotune_agree(NULL) == AUTOTUNE_ERR_ARGUMENT);
    CHECK(autotune_agree(&one) == AUTOTUNE_OK && autotune_agree(&ranks) == AUTOTUNE_OK); /* no winner is known yet */
    for (int round = 0; round < 2; round++) {
        if (rank == 0 || round == 1)
            AUTOTUNE(SPACE(RANGE(tile, 0, 3, 1)), 1, launch(seen, autotune_trial, tile), .name = "alone",
                     .backend = &own_clock, .result = &result);
        if (round == 0) CHECK(autotune_agree(&ranks) == AUTOTUNE_OK);
    }
    CHECK(result.status == AUTOTUNE_OK && seen->tile == fastest && (seen->trials > 0) == (rank == 0));
    /* Rank 0 is in a statement while rank 1 calls autotune_agree(). */
    if (rank == 1) CHECK(autotune_agree(&ranks) == AUTOTUNE_ERR_ENVIRONMENT && last_error_has("nothing was shared"));
    else
        AUTOTUNE(SPACE(RANGE(tile, 0, 3, 1)), 1, launch(seen, autotune_trial, tile), .name = "other",
                 .backend = &own_clock, .ranks = &ranks, .result = &result);
    CHECK(rank == 1 || (result.status != AUTOTUNE_OK && seen->tile == 0));
}
static void all_know_what_rank_0_knows(void) {
    fastest = 2;
    run_ranks(2, 600, tune_alone_and_share);
}

/* Runs in mode CACHED write the misses of rank 0 to its file. In mode MISSED all ranks tune the keys of this file. */
static const char *run_mode;
static int calls_in_mode = 3;
static void tune_in_mode(int rank, int count) {
    setenv("AUTOTUNE_MODE", run_mode, 1);
    for (int i = 0; i < calls_in_mode; i++) tune(rank, count);
}
static void miss_and_shut_down(int rank, int count) {
    tune_in_mode(rank, count);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}
static void ranks_tune_what_was_missed(void) {
    char misses[260];
    snprintf(misses, sizeof misses, "%s/misses.jsonl", folders[1]);
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++) {
        agree = (autotune_agreement)a;
        fill(0, NOTHING);
        fill(1, NOTHING);
        swapped = false;
        fastest = 2;
        run_mode = "missed";
        run_ranks(2, 600, tune_in_mode);
        for (int r = 0; r < 2; r++) CHECK(outcome_of(r).trials == 0 && outcome_of(r).tile == 0);
        run_mode = "cached";
        run_ranks(2, 600, miss_and_shut_down);
        CHECK(access(misses, F_OK) != 0);
        run_mode = "missed";
        run_ranks(2, 600, tune_in_mode);
        for (int r = 0; r < 2; r++) CHECK(outcome_of(r).status == AUTOTUNE_OK && outcome_of(r).tile == 2);
        CHECK(outcome_of(0).trials > 0);
    }
}

/* In mode VERIFY all ranks, or rank 0 alone, duel the winner in rank 0's file. All ranks use the winner. Rank 0 writes
   one line to verify.jsonl. */
static void ranks_verify_at_call(int calls, bool known) {
    char path[2][260];
    for (int r = 0; r < 2; r++) snprintf(path[r], sizeof path[r], "%s/verify.jsonl", folders[r]);
    fill(1, TILE_2);
    fill(0, known ? TILE_1 : NOTHING);
    const bytes before = read_file(file_of(0));
    swapped = false;
    fastest = 3; /* tile 3 was the second finalist, and is now the fastest */
    run_mode = "verify";
    calls_in_mode = calls;
    run_ranks(2, 600, tune_in_mode);
    for (int r = 0; r < 2; r++) {
        const outcome seen = outcome_of(r);
        CHECK(seen.status == AUTOTUNE_OK && seen.calls == calls && seen.tile == known);
        CHECK((seen.trials > 0) == (known && (agree != AUTOTUNE_FIRST || r == 0)));
    }
    const bytes line = read_file(path[0]), after = read_file(file_of(0));
    CHECK(after.count == before.count && (!after.count || !memcmp(after.at, before.at, after.count)));
    CHECK(access(path[1], F_OK) != 0);
    CHECK(count_lines(line) == 1 && sound_lines(line) == 1);
    CHECK(strstr(line.at, known ? "\"winner\":{\"tile\":1}" : "\"winner\":null,") != NULL);
    CHECK(!known || strstr(line.at, "\"rival\":{\"tile\":3}") != NULL);
}
static void ranks_verify(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++)
        for (int known = 0; known < 2; known++)
            for (int calls = 1; calls <= 3; calls += 2) {
                agree = (autotune_agreement)a;
                ranks_verify_at_call(calls, known);
            }
}

int main(void) {
    static const plain_test tests[] = {
        {"caches_may_differ", caches_may_differ},
        {"who_races_keeps_the_record", who_races_keeps_the_record},
        {"a_known_winner_may_fail", a_known_winner_may_fail},
        {"the_number_of_ranks_counts", the_number_of_ranks_counts},
        {"seeds_are_shared", seeds_are_shared},
        {"seeds_that_are_lost_begin_no_race", seeds_that_are_lost_begin_no_race},
        {"finalists_are_duelled_again", finalists_are_duelled_again},
        {"suspects_come_last", suspects_come_last},
        {"what_ends_runs_is_skipped", what_ends_runs_is_skipped},
        {"parts_that_end_leave_no_notes", parts_that_end_leave_no_notes},
        {"former_times_save_launches_of_one_rank", former_times_save_launches_of_one_rank},
        {"all_know_what_rank_0_knows", all_know_what_rank_0_knows},
        {"ranks_tune_what_was_missed", ranks_tune_what_was_missed},
        {"ranks_verify", ranks_verify},
    };
    int failed;
    share_run();
    use_new_folder();
    for (int r = 0; r < 2; r++) snprintf(folders[r], sizeof folders[r], "%s/rank%d", cache_folder, r);
    failed = RUN_PLAIN_TESTS(tests);
    remove_folder();
    return failed;
}
