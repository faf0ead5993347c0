/* plain_leave.c - break, return, goto and continue in an AUTOTUNE_BLOCK: in a trial, in the call for real and on a hit.
   The effects of the launch stay, and the tuner stays usable. None of them acts on a loop around the statement. */
#include "plain.h"

enum { FIRST = 16, MIDDLE = 32, BEST = 64 }; /* the tiles of every space here */
#define TILES    SPACE(AXIS(tile, FIRST, MIDDLE, BEST))
#define MEASURED .backend = &kernel_clock, .max_seconds = 1e6
static autotune_backend kernel_clock;

/* The effects of one statement. */
typedef struct seen {
    autotune_result result;
    int trials, trials_of_first, trials_of_best, calls, tile;
} seen;
static const seen nothing_yet;

static void launch(seen *s, bool trial, int tile) {
    spend((uint64_t)(tile == BEST ? 1 : 3) * MILLISECOND);
    if (trial)
        s->trials++, s->trials_of_first += tile == FIRST, s->trials_of_best += tile == BEST;
    else
        s->calls++, s->tile = tile;
}
static bool called(const seen *s, int tile) {
    return s->calls == 1 && s->tile == tile && s->result.status == AUTOTUNE_OK;
}
static bool tuned(const seen *s, int tile) { return called(s, tile) && s->trials > 0 && !s->result.cache_hit; }
static bool hit(const seen *s, int tile) { return called(s, tile) && s->trials == 0 && s->result.cache_hit; }
static bool left(const seen *s) {
    return s->result.status == AUTOTUNE_ERR_LEFT && s->calls == 0 && last_error_has("left the body");
}

/* ---- The ways to leave a body: in the trial of one tile (`when`), or in the call for real ------------------------ */

enum { NEVER = -1, FOR_REAL = 0 };
static bool leaves(int when, bool trial, int tile) { return trial ? tile == when : when == FOR_REAL; }

static seen by_break(int key, int when) {
    seen s = nothing_yet;
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .result = &s.result) {
        launch(&s, autotune_trial, tile);
        if (leaves(when, autotune_trial, tile)) break;
    }
    return s;
}
static seen by_goto(int key, int when) {
    seen s = nothing_yet;
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .result = &s.result) {
        launch(&s, autotune_trial, tile);
        if (leaves(when, autotune_trial, tile)) goto out;
    }
out:
    return s;
}
static int returning(seen *s, int key, int when) {
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .result = &s->result) {
        launch(s, autotune_trial, tile);
        if (leaves(when, autotune_trial, tile)) return tile;
    }
    return 0;
}
static seen by_return(int key, int when) {
    seen s = nothing_yet;
    const int returned = returning(&s, key, when);
    CHECK(returned == (s.result.status == AUTOTUNE_ERR_LEFT ? when : when == FOR_REAL ? s.tile : 0));
    return s;
}
static seen by_break_out_of_loops(int key, int when) { /* the body has loops with their own break */
    seen s = nothing_yet;
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .result = &s.result) {
        int turns = 0;
        for (int i = 0; i < 3; i++) {
            if (i == 1) continue;
            while (true) {
                turns++;
                break;
            }
        }
        CHECK(turns == 2);
        launch(&s, autotune_trial, tile);
        if (leaves(when, autotune_trial, tile)) break;
    }
    return s;
}
static seen (*const ways[])(int key, int when) = {by_break, by_goto, by_return, by_break_out_of_loops};
enum { WAYS = sizeof ways / sizeof *ways };

/* ---- In a trial -------------------------------------------------------------------------------------------------- */

static void a_left_trial_fails_its_configuration(void) {
    for (int way = 0; way < WAYS; way++) {
        seen s = ways[way](way, FIRST);
        CHECK(left(&s) && s.trials == 1);
        s = ways[way](way, FIRST);
        CHECK(tuned(&s, BEST) && s.trials_of_first == 0 && s.result.failed == 1);
        s = ways[way](way, FIRST);
        CHECK(hit(&s, BEST));
    }
}
static void a_left_trial_of_the_best_configuration(void) {
    for (int way = 0; way < WAYS; way++) {
        const int key = 100 + way;
        seen s = ways[way](key, BEST);
        CHECK(left(&s) && s.trials_of_best == 1);
        s = ways[way](key, BEST);
        CHECK(tuned(&s, FIRST) && s.trials_of_best == 0 && s.result.failed == 1);
        s = ways[way](key, NEVER);
        CHECK(hit(&s, FIRST));
    }
}
static void after_two_the_key_stays_on_the_first_configuration(void) {
    for (int way = 0; way < WAYS; way++) {
        const int key = 200 + way;
        seen s = ways[way](key, MIDDLE);
        CHECK(left(&s) && !last_error_has("stays on the first configuration"));
        s = ways[way](key, BEST);
        CHECK(left(&s) && last_error_has("stays on the first configuration"));
        for (int again = 0; again < 3; again++) {
            s = ways[way](key, NEVER);
            CHECK(hit(&s, FIRST) && s.result.verdict == AUTOTUNE_DEFAULT);
        }
        s = ways[way](key + 1000, NEVER); /* other keys are tuned as before */
        CHECK(tuned(&s, BEST));
    }
}
static void a_goto_can_try_the_statement_again(void) {
    seen s = nothing_yet;
    int retries = 0;
again:
    AUTOTUNE_BLOCK(TILES, MEASURED, .result = &s.result) {
        launch(&s, autotune_trial, tile);
        if (autotune_trial && tile == FIRST) {
            retries++;
            goto again;
        }
    }
    CHECK(retries == 1 && tuned(&s, BEST));
}

/* ---- In the call for real, and on a hit -------------------------------------------------------------------------- */

static void leaving_the_call_for_real_changes_nothing(void) {
    for (int way = 0; way < WAYS; way++) {
        const int key = 300 + way;
        seen s = ways[way](key, FOR_REAL);
        CHECK(tuned(&s, BEST) && s.result.failed == 0);
        for (int again = 0; again < 3; again++) {
            s = ways[way](key, FOR_REAL);
            CHECK(hit(&s, BEST));
        }
    }
}
static void leaving_an_untuned_call_changes_nothing(void) {
    seen s = nothing_yet;
    for (int again = 0; again < 3; again++) {
        s = nothing_yet;
        AUTOTUNE_BLOCK(TILES, MEASURED, .mode = AUTOTUNE_OFF, .result = &s.result) {
            launch(&s, autotune_trial, tile);
            break;
        }
        CHECK(called(&s, FIRST) && s.trials == 0);
    }
}
static void continue_ends_a_launch_and_leaves_nothing(void) {
    for (int again = 0; again < 2; again++) {
        seen s = nothing_yet;
        bool passed = false;
        AUTOTUNE_BLOCK(TILES, MEASURED, .result = &s.result) {
            launch(&s, autotune_trial, tile);
            if (tile > 0) continue;
            passed = true;
        }
        CHECK(!passed && (again ? hit(&s, BEST) : tuned(&s, BEST)) && s.result.failed == 0);
    }
}

/* ---- The caller's own loops -------------------------------------------------------------------------------------- */

/* A statement whose body ends early in each launch: in trials, in the call for real, and on hits. */
#define ENDED_BY(way)                                  \
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED) { \
        spend(MILLISECOND *(uint64_t)tile);            \
        bodies++;                                      \
        way;                                           \
    }
#define GO_ON_IN_EVERY_LOOP(first_key, way)                                                                        \
    do {                                                                                                           \
        int turns = 0, after = 0, bodies = 0, key = first_key;                                                     \
        for (int i = 0; i < 3; i++, key++)                                                                         \
            for (int j = 0; j < 4; j++) {                                                                          \
                turns++;                                                                                           \
                ENDED_BY(way) after++;                                                                             \
            }                                                                                                      \
        CHECK(turns == 12 && after == 12 && bodies >= 12);                                                         \
        for (int i = 0; i < 5; i++) ENDED_BY(turns++; way) /* no braces: the statement is the loop's whole body */ \
        CHECK(turns >= 17);                                                                                        \
        do {                                                                                                       \
            turns = 0;                                                                                             \
            ENDED_BY(way) after = 0;                                                                               \
        } while (++key % 4);                                                                                       \
        while (turns < 3) {                                                                                        \
            turns++;                                                                                               \
            ENDED_BY(way) after++;                                                                                 \
        }                                                                                                          \
        CHECK(turns == 3 && after == 3);                                                                           \
        switch (turns) {                                                                                           \
        case 3:                                                                                                    \
            ENDED_BY(way)                                                                                          \
            after = 100;                                                                                           \
            break;                                                                                                 \
        default: CHECK(turns == 3);                                                                                \
        }                                                                                                          \
        CHECK(after == 100);                                                                                       \
    } while (0)

static void the_callers_loops_go_on(void) {
    GO_ON_IN_EVERY_LOOP(0, break);
    GO_ON_IN_EVERY_LOOP(100, continue);
    GO_ON_IN_EVERY_LOOP(200, if (autotune_trial) continue; else break);
}

/* ---- Blocks in blocks -------------------------------------------------------------------------------------------- */

static void break_leaves_the_inner_block_alone(void) {
    for (int again = 0; again < 2; again++) {
        seen outer = nothing_yet, inner = nothing_yet;
        AUTOTUNE_BLOCK(TILES, MEASURED, .result = &outer.result) {
            AUTOTUNE_BLOCK(SPACE(AXIS(inner_tile, FIRST, BEST)), .key = KEY(tile), MEASURED, .result = &inner.result) {
                launch(&inner, autotune_trial, inner_tile);
                break;
            }
            launch(&outer, autotune_trial, tile);
        }
        CHECK(outer.result.status == AUTOTUNE_OK && outer.calls == 1 && outer.result.failed == 0 && outer.tile == BEST);
    }
}
/* Returns through both blocks: in a trial of the outer block, within a trial of the inner block. If the key of the
   inner block is known, the return is in a hit of the inner block. */
static int return_through_two(seen *outer, seen *inner, int key) {
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .result = &outer->result) {
        launch(outer, autotune_trial, tile);
        if (tile == FIRST)
            AUTOTUNE_BLOCK(SPACE(AXIS(inner_tile, FIRST, BEST)), .key = KEY(key), MEASURED, .result = &inner->result) {
                launch(inner, autotune_trial, inner_tile);
                if (inner_tile == FIRST) return 1;
            }
    }
    return 0;
}
static void return_leaves_both_blocks(void) {
    seen outer = nothing_yet, inner = nothing_yet;
    CHECK(return_through_two(&outer, &inner, 1) == 1);
    CHECK(left(&outer) && outer.trials == 1 && inner.result.status == AUTOTUNE_ERR_LEFT && inner.trials == 1 &&
          inner.calls == 0);
    CHECK(AUTOTUNE_REJECT("outside of every trial") == AUTOTUNE_REJECTED);
    outer = inner = nothing_yet;
    /* the first configuration is left out, so the inner block is not entered */
    CHECK(return_through_two(&outer, &inner, 1) == 0);
    CHECK(tuned(&outer, BEST) && outer.result.failed == 1 && inner.trials == 0);
}

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* in bytes. Bytes without a type are compared in words of 8: LENGTH is two words and a half */
enum { LENGTH = 20, OLD = 7, NEW = 9 };

/* Writes the bytes [from, to) of the output in the first trial launch of a tile, and leaves the body there. Other
   launches write all bytes. */
static seen partly_written(int key, int when, autotune_type type, unsigned char *out, int from, int to) {
    seen s = nothing_yet;
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .outputs = BUFFERS({out, LENGTH, type}), .result = &s.result) {
        const bool leaving = leaves(when, autotune_trial, tile);
        launch(&s, autotune_trial, tile);
        for (int i = leaving ? from : 0; i < (leaving ? to : LENGTH); i++) out[i] = NEW;
        if (leaving) break;
    }
    return s;
}
static void what_a_left_launch_wrote_stays(void) {
    static const autotune_type types[] = {AUTOTUNE_BYTES, AUTOTUNE_U8, AUTOTUNE_I32};
    int key = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const int step = types[t] == AUTOTUNE_I32 ? 4 : 1; /* writes whole elements */
        for (int from = 0; from < LENGTH; from += step)
            for (int to = from; to <= LENGTH; to += step) {
                unsigned char out[LENGTH];
                const seen s = (memset(out, OLD, LENGTH),
                                partly_written(key++, to % 2 ? FIRST : BEST, types[t], out, from, to));
                CHECK(left(&s));
                for (int i = 0; i < LENGTH; i++) CHECK(out[i] == (from <= i && i < to ? NEW : OLD));
            }
    }
}
static void the_next_calls_write_everything(void) {
    unsigned char out[LENGTH];
    for (int again = 0; again < 3; again++) {
        const seen s = (memset(out, OLD, LENGTH), partly_written(-1, MIDDLE, AUTOTUNE_BYTES, out, 3, 6));
        CHECK(again == 0 ? left(&s) : again == 1 ? tuned(&s, BEST) : hit(&s, BEST));
        for (int i = 0; i < LENGTH; i++) CHECK(out[i] == (again > 0 || (3 <= i && i < 6) ? NEW : OLD));
    }
}
/* Adds 1 to a total, which trials restore. So one statement adds 1, whatever happened before. */
static seen adding(int key, int when, int *total, bool as_output) {
    seen s = nothing_yet;
    const autotune_buffers buffers = BUFFERS({total, sizeof *total});
    const autotune_buffers none = {.count = 0};
    AUTOTUNE_BLOCK(TILES, .key = KEY(key), MEASURED, .restore = buffers, .outputs = as_output ? buffers : none,
                   .result = &s.result) {
        launch(&s, autotune_trial, tile);
        ++*total;
        if (leaves(when, autotune_trial, tile)) break;
    }
    return s;
}
static void a_left_launch_counts_once(void) {
    static const int tiles[] = {FIRST, MIDDLE, BEST, FOR_REAL};
    for (int i = 0; i < 8; i++) {
        int total = 40;
        const seen s = adding(i, tiles[i % 4], &total, i >= 4);
        CHECK(total == 41 && (tiles[i % 4] == FOR_REAL ? tuned(&s, BEST) : left(&s)));
        for (int more = 1; more <= 3; more++) {
            (void)adding(i, FOR_REAL, &total, i >= 4);
            CHECK(total == 41 + more);
        }
    }
}

int main(void) {
    static const plain_test tests[] = {
        {"a left trial fails its configuration", a_left_trial_fails_its_configuration},
        {"a left trial of the best configuration", a_left_trial_of_the_best_configuration},
        {"after two the key stays on the first configuration", after_two_the_key_stays_on_the_first_configuration},
        {"a goto can try the statement again", a_goto_can_try_the_statement_again},
        {"leaving the call for real changes nothing", leaving_the_call_for_real_changes_nothing},
        {"leaving an untuned call changes nothing", leaving_an_untuned_call_changes_nothing},
        {"continue ends a launch and leaves nothing", continue_ends_a_launch_and_leaves_nothing},
        {"the caller's loops go on", the_callers_loops_go_on},
        {"break leaves the inner block alone", break_leaves_the_inner_block_alone},
        {"return leaves both blocks", return_leaves_both_blocks},
        {"what a left launch wrote stays", what_a_left_launch_wrote_stays},
        {"the next calls write everything", the_next_calls_write_everything},
        {"a left launch counts once", a_left_launch_counts_once},
    };
    kernel_clock = virtual_backend("kernel clock");
    return RUN_PLAIN_TESTS(tests);
}
