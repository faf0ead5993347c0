/* plain_ranks.c - ranks that agree: processes that tune together, or after rank 0. No rank waits for ever. */
#define _DEFAULT_SOURCE
#include "forked_ranks.h"
#include "sanitized.h"
#include <pthread.h>

enum { TILES = 6 };
enum { KEYS = THREAD_SANITIZED ? 20 : 200 }; /* each key takes fifty times as long under the thread sanitizer */
enum { SOME_KEYS = 20 }; /* for tests that need no certain number of keys */
typedef struct outcome {
    autotune_status status;
    int tile, trials, calls;
    bool hit;
} outcome;

/* ---- A statement ------------------------------------------------------------------------------------------------- */

static autotune_backend own_clock;
static autotune_ranks ranks;
static uint64_t noise;
static uint64_t random_part(uint64_t most) {
    return (noise = noise * 6364136223846793005u + 1442695040888963407u) % most;
}

/* The time of a launch in microseconds. Each test sets its own function. */
static uint64_t (*cost)(int rank, int key, int tile);
static autotune_status (*answer)(int rank, int key, int tile, bool trial);
static autotune_options more; /* options that a test adds */
static autotune_agreement agreement; /* the parent sets it before it makes the ranks */
static autotune_status launch(outcome *seen, int key, bool trial, int tile) {
    seen->trials += trial;
    seen->calls += !trial;
    seen->tile = tile;
    spend(1000 * cost(own_rank, key, tile));
    return answer ? answer(own_rank, key, tile, trial) : AUTOTUNE_OK;
}
static outcome tune(int key) {
    outcome seen = {.tile = -1};
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(&seen, key, autotune_trial, tile), .name = "stencil",
             .key = KEY(key), .backend = &own_clock, .ranks = more.ranks ? more.ranks : &ranks, .agree = more.agree,
             .first_rank = more.first_rank, .mode = more.mode, .max_seconds = more.max_seconds,
             .max_trials = more.max_trials, .seed = more.seed, .verify = more.verify, .isolate = more.isolate,
             .unseen = more.unseen, .result = &result);
    seen.status = result.status;
    seen.hit = result.cache_hit && !seen.trials;
    return seen;
}
static void begin(int rank, int count) {
    ranks = all_ranks(count);
    own_clock = virtual_backend("virtual");
    noise = (uint64_t)rank * 7919 + 17;
    answer = NULL;
    memset(&more, 0, sizeof more);
}
static outcome *outcomes(int rank) { return (outcome *)(void *)shared->results + rank * KEYS; }
static int exchanged(void) { return shared->exchanges[own_rank]; }

/* ---- Ranks agree ------------------------------------------------------------------------------------------------- */

/* The time of each tile but the first one is equal, apart from noise. So each rank alone would choose another tile. */
static uint64_t equal_and_noisy(int rank, int key, int tile) {
    (void)rank, (void)key;
    return (tile ? 100000 : 150000) + random_part(3000);
}
/* Ranks that decide apart differ in nearly all keys. 200 keys show that two ranks do not agree by chance. */
static int keys_of(int count) { return count == 2 ? KEYS : SOME_KEYS; }
static void tune_many_keys(int rank, int count) {
    begin(rank, count);
    cost = equal_and_noisy;
    more.agree = agreement;
    for (int key = 0; key < keys_of(count); key++) {
        const outcome first = tune(key);
        CHECK(first.status == AUTOTUNE_OK && first.calls == 1 && first.tile >= 0);
        CHECK((first.trials > 0) == (more.agree != AUTOTUNE_FIRST || rank == 0));
        outcomes(rank)[key] = first;
    }
    const int before = exchanged();
    for (int key = 0; key < keys_of(count); key++) {
        const outcome again = tune(key);
        CHECK(again.hit && again.tile == outcomes(rank)[key].tile && again.calls == 1);
    }
    CHECK(exchanged() == before); /* hits exchange nothing */
}
static void winners_are_equal(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++)
        for (int count = 1; count <= 4; count++) {
            int tiles = 0;
            agreement = (autotune_agreement)a;
            run_ranks(count, 600, tune_many_keys);
            for (int key = 0; key < keys_of(count); key++) {
                for (int r = 1; r < count; r++) CHECK(outcomes(r)[key].tile == outcomes(0)[key].tile);
                tiles |= 1 << outcomes(0)[key].tile;
            }
            CHECK(tiles & (tiles - 1)); /* not always the same tile */
            CHECK(count > 1 ? shared->exchanges[0] > 0 : shared->exchanges[0] == 0);
        }
}
/* Rank 1 takes three times as long with tiles 3 to 5. Rank 0 is fastest with tile 4. With tile 2, the slower rank is
   faster than with any other tile. */
static uint64_t for_the_slowest(int rank, int key, int tile) {
    static const uint64_t alone[TILES] = {9000, 9000, 4000, 1800, 1600, 9000};
    (void)key;
    return rank == 1 && tile > 2 ? 3 * alone[tile] : alone[tile];
}
static void tune_for_the_slowest(int rank, int count) {
    begin(rank, count);
    cost = for_the_slowest;
    outcomes(rank)[0] = tune(1);
    more.agree = AUTOTUNE_DIVIDED;
    outcomes(rank)[1] = tune(2);
}
static void the_slowest_decides(void) {
    run_ranks(2, 600, tune_for_the_slowest);
    for (int r = 0; r < 2; r++) CHECK(outcomes(r)[0].status == AUTOTUNE_OK && outcomes(r)[0].tile == 2);
    for (int r = 0; r < 2; r++) CHECK(outcomes(r)[1].status == AUTOTUNE_OK && outcomes(r)[1].tile == 2);
}

/* Only the rank .first_rank has work: on the other ranks all tiles take equally long. This rank races for all, and all
   ranks use its winner. */
static uint64_t works_alone(int rank, int key, int tile) {
    (void)key;
    return rank == more.first_rank ? 9000 - 1000 * (uint64_t)tile : 50;
}
static void tune_for_one(int rank, int count) {
    begin(rank, count);
    cost = works_alone;
    more.agree = AUTOTUNE_FIRST;
    for (int first = 0; first < count; first++) {
        more.first_rank = first;
        *shared->log[rank] = 0;
        const outcome seen = tune(first);
        CHECK(seen.status == AUTOTUNE_OK && seen.tile == TILES - 1 && seen.calls == 1);
        CHECK((seen.trials > 0) == (rank == first));
        const int before = exchanged();
        CHECK(tune(first).hit && tune(first).tile == TILES - 1 && exchanged() == before);
    }
    /* All ranks report a wrong .first_rank: a number that no rank has, and different numbers on different ranks. */
    static const int wrong_ones[] = {-1, 3};
    for (int i = 0; i < 2; i++) {
        more.first_rank = wrong_ones[i];
        const outcome refused = tune(10 + i);
        CHECK(refused.status == AUTOTUNE_ERR_ARGUMENT && refused.calls == 1 && refused.trials == 0);
        CHECK(last_error_has(i ? ".first_rank is 3: it is one of the 3 ranks, from 0 on" : ".first_rank is -1: "));
    }
    more.first_rank = rank == 2;
    const outcome apart = tune(20);
    CHECK(apart.status == AUTOTUNE_ERR_ARGUMENT && apart.calls == 1 && apart.trials == 0);
    more.agree = AUTOTUNE_DIVIDED;              /* .first_rank has no meaning with DIVIDED */
    CHECK(tune(21).status == AUTOTUNE_OK);
}
static void one_rank_may_have_the_work(void) { run_ranks(3, 600, tune_for_one); }

/* ---- Ranks divide the screen ------------------------------------------------------------------------------------- */

enum { POINTS = 160, FASTEST = 118 };
static int first_launches[POINTS];
/* Ranks with an odd number take ten times as long. */
static uint64_t clearly_apart(int rank, int point) {
    const uint64_t alone = point == FASTEST ? 5 : 20 + (uint64_t)point % 2;
    return rank % 2 ? 10 * alone : alone;
}
static outcome tune_large(int key, int fails) {
    outcome seen = {.tile = -1};
    autotune_result result;
    memset(first_launches, 0, sizeof first_launches);
    AUTOTUNE_BLOCK(SPACE(RANGE(point, 0, POINTS - 1, 1)), .name = "large", .key = KEY(key), .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .strategy = AUTOTUNE_EXHAUSTIVE, .seed = more.seed,
                   .max_trials = more.max_trials, .result = &result) {
        spend(MILLISECOND * clearly_apart(own_rank, point));
        seen.tile = point;
        if (autotune_trial) first_launches[point] = 1;
        else seen.calls++;
        if (point == fails || (fails == POINTS && own_rank == 1 && point != 3)) AUTOTUNE_REJECT("not here");
    }
    for (int point = 0; point < POINTS; point++) seen.trials += first_launches[point];
    seen.status = result.status;
    seen.hit = result.cache_hit;
    CHECK(result.status != AUTOTUNE_OK || (size_t)seen.trials == result.tried);
    return seen;
}
static void divide_the_screen(int rank, int count) {
    begin(rank, count);
    const outcome seen = tune_large(1, -1);
    CHECK(seen.status == AUTOTUNE_OK && seen.tile == FASTEST && seen.calls == 1);
    for (int point = 0; point < POINTS; point++)
        shared->results[rank * POINTS + point] = (unsigned char)first_launches[point];
    outcomes(rank)[80] = seen; /* behind the lists of first launches */
    CHECK(tune_large(1, -1).hit);
}
static void screens_are_divided(void) {
    for (int count = 2; count <= MOST_RANKS; count *= 2) {
        run_ranks(count, 600, divide_the_screen);
        int all = 0;
        const int finalists = 8;
        for (int r = 0; r < count; r++) CHECK(outcomes(r)[80].trials <= (POINTS - 1) / count + 2 + finalists);
        for (int point = 0; point < POINTS; point++) {
            int launched = 0;
            for (int r = 0; r < count; r++) launched |= shared->results[r * POINTS + point];
            all += launched;
        }
        CHECK(all == POINTS); /* each point was launched, by any rank */
    }
}
static void divide_what_fails(int rank, int count) {
    begin(rank, count);
    outcome seen = tune_large(1, FASTEST); /* the fastest point fails on all ranks */
    CHECK(seen.status == AUTOTUNE_OK && seen.tile % 2 == 0 && seen.calls == 1);
    seen = tune_large(2, POINTS); /* on rank 1 only point 3 works, which is no finalist of rank 0 */
    CHECK(seen.status == AUTOTUNE_OK && seen.tile == 3 && seen.calls == 1);
    more.max_trials = 41;
    seen = tune_large(3, -1);
    CHECK(seen.status == AUTOTUNE_OK && seen.trials <= 41 / count + 1 + 8);
}
static void parts_may_fail(void) { run_ranks(2, 600, divide_what_fails); }

static void divide_other_spaces(int rank, int count) {
    autotune_result result;
    int called = -1, also = -1;
    begin(rank, count);
    /* The ranks divide each PRIORITY. Only one configuration of the higher PRIORITY works. It is in the part of one
       rank. */
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 39, 1), PRIORITY(tile < 20 ? 2 : 1)), .name = "groups", .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result) {
        spend((uint64_t)(tile < 20 ? 9 : 1) * MILLISECOND);
        called = tile;
        if (tile < 20 && tile != 11) AUTOTUNE_REJECT("not here");
    }
    CHECK(result.status == AUTOTUNE_OK && called == 11);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 39, 1), MODEL(tile == 33 ? 1 : 2 + tile)), .name = "priced", .top_k = 6,
                   .backend = &own_clock, .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result) {
        spend((uint64_t)(tile == 33 ? 1 : 3) * MILLISECOND);
        called = tile;
    }
    CHECK(result.status == AUTOTUNE_OK && called == 33);
    CHECK(result.tried <= 6 && result.verdict == AUTOTUNE_UNRESOLVED); /* .top_k left configurations out */
    /* A space that is too large for a list: each rank searches it from its own seed. */
    AUTOTUNE_BLOCK(SPACE(RANGE(a, 0, 62, 1), RANGE(b, 0, 62, 1), RANGE(c, 0, 62, 1), RANGE(d, 0, 62, 1),
                         RANGE(e, 0, 62, 1)), .name = "huge", .max_trials = 60, .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result) {
        spend((uint64_t)(1 + a + b + c + d + e) * MILLISECOND);
        called = a, also = b;
    }
    CHECK(result.status == AUTOTUNE_OK && called >= 0 && result.tried <= 60 / (size_t)count + 1 + 8);
    outcomes(rank)[0].tile = called * 64 + also;
    /* A space of 2^54 points is not divided. */
    AUTOTUNE_BLOCK(SPACE(RANGE(a, 0, 63, 1), RANGE(b, 0, 63, 1), RANGE(c, 0, 63, 1), RANGE(d, 0, 63, 1),
                         RANGE(e, 0, 63, 1), RANGE(f, 0, 63, 1), RANGE(g, 0, 63, 1), RANGE(h, 0, 63, 1),
                         RANGE(i, 0, 63, 1)), .name = "vast", .max_trials = 24, .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result)
        spend((uint64_t)(1 + a + b + c + d + e + f + g + h + i) * MILLISECOND);
    CHECK(result.status == AUTOTUNE_OK && result.tried == 24);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 39, 1)), .name = "short", .max_seconds = 0.05, .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result) {
        spend((uint64_t)(1 + rank) * MILLISECOND);
        called = tile;
    }
    CHECK(result.status == AUTOTUNE_OK);
    outcomes(rank)[1].tile = called;
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 9, 1)), .name = "failing", .backend = &own_clock, .ranks = &ranks,
                   .agree = AUTOTUNE_DIVIDED, .result = &result) {
        called = -tile;
        AUTOTUNE_REJECT("nowhere");
    }
    CHECK(result.status == AUTOTUNE_ERR_ALL_FAILED && last_error_has("none of"));
    called = -1;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 7)), .name = "single", .backend = &own_clock, .ranks = &ranks,
                   .agree = AUTOTUNE_DIVIDED, .result = &result)
        called = tile;
    CHECK(result.status == AUTOTUNE_OK && result.verdict == AUTOTUNE_SINGLE && called == 7);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 3, 9, 1), WHERE(tile != 5 + rank)), .name = "filters", .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result)
        called = tile;
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && called == 3 && last_error_has("the ranks are out of step"));
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 9, 1)), .name = "left", .backend = &own_clock, .ranks = &ranks,
                   .agree = AUTOTUNE_DIVIDED, .result = &result) {
        called = tile;
        if (autotune_trial && rank == 1) break;
    }
    CHECK(result.status == AUTOTUNE_ERR_LEFT);
}
/* The device becomes faster in the screen, so earlier times of the screen do not count. The time of the race ends
   before there are new times. */
static void divide_without_time(int rank, int count) {
    autotune_result result;
    int called = -1, trials = 0;
    begin(rank, count);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 39, 1)), .name = "out of time", .max_seconds = 0.08, .backend = &own_clock,
                   .ranks = &ranks, .agree = AUTOTUNE_DIVIDED, .result = &result) {
        trials += autotune_trial;
        spend((uint64_t)(trials < 12 ? 4 : 2) * MILLISECOND);
        called = tile;
    }
    CHECK(result.status == AUTOTUNE_OK && called >= 0);
    outcomes(rank)[0].tile = called;
}
/* The time of the divided screen does not count for the limits of the finalists' race. */
static void divide_for_long(int rank, int count) {
    autotune_result result;
    int called = -1;
    begin(rank, count);
    for (int again = 0; again < 2; again++) {
        AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 499, 1)), .name = "long", .backend = &own_clock, .ranks = &ranks,
                       .agree = AUTOTUNE_DIVIDED, .strategy = AUTOTUNE_RANDOM, .result = &result) {
            spend((uint64_t)(tile ? 100 + tile / 10 : 300) * MILLISECOND);
            called = tile;
        }
        CHECK(result.status == AUTOTUNE_OK && called > 0 && result.runner_up_ns > 0 && result.cache_hit == again);
    }
}
static void parts_may_last_long(void) { run_ranks(2, 600, divide_for_long); }
static void time_may_be_over(void) {
    run_ranks(2, 600, divide_without_time);
    CHECK(outcomes(0)[0].tile == outcomes(1)[0].tile);
}
static void any_space_may_be_divided(void) {
    for (int count = 2; count <= 3; count++) {
        run_ranks(count, 600, divide_other_spaces);
        for (int r = 1; r < count; r++)
            CHECK(outcomes(r)[0].tile == outcomes(0)[0].tile && outcomes(r)[1].tile == outcomes(0)[1].tile);
    }
}

/* ---- Failures of one rank ---------------------------------------------------------------------------------------- */

static uint64_t ascending(int rank, int key, int tile) {
    (void)rank, (void)key;
    return 1000 + 500 * (uint64_t)tile;
}
static autotune_status fails_on_rank_1(int rank, int key, int tile, bool trial) {
    (void)key, (void)trial;
    return rank == 1 && tile < 2 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static autotune_status fails_everywhere_else(int rank, int key, int tile, bool trial) {
    (void)key, (void)trial;
    return tile % 2 == rank ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void tune_where_one_fails(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    answer = fails_on_rank_1;
    for (int agree = AUTOTUNE_TOGETHER; agree <= AUTOTUNE_DIVIDED; agree++) {
        more.agree = (autotune_agreement)agree;
        const outcome seen = tune(agree);
        /* With FIRST, rank 0 finds the failure of rank 1 when all ranks launch the winner. Then all ranks race. */
        CHECK(seen.status == AUTOTUNE_OK && seen.tile == 2 && seen.calls == 1 + (agree == AUTOTUNE_FIRST));
        outcomes(rank)[agree] = seen;
    }
    more.agree = AUTOTUNE_TOGETHER;
    answer = fails_everywhere_else;
    const outcome none = tune(10);
    CHECK(none.status == AUTOTUNE_ERR_ALL_FAILED && none.calls == 0);
    CHECK(last_error_has("none of 6 configurations works"));
    CHECK(last_error_has(rank ? "on rank 0" : "on rank 1"));
    answer = NULL; /* ranks do not remember that all failed: at each call without a winner they exchange */
    const outcome again = tune(10);
    CHECK(again.status == AUTOTUNE_OK && again.trials > 0 && again.calls == 1);
}
static void failures_are_shared(void) { run_ranks(2, 600, tune_where_one_fails); }

/* ---- The first configuration is the wrong one -------------------------------------------------------------------- */

/* `out` is 2 on wrong_rank for the configurations from `right` on, and 3 otherwise. So on wrong_rank the first
   configuration may be the wrong one. */
static outcome compute(int key, int wrong_rank, int right) {
    autotune_result result;
    int out = 0;
    shared->log[own_rank][0] = 0;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1,
             (spend(MILLISECOND * (uint64_t)(tile + 1)), out = own_rank == wrong_rank && tile >= right ? 2 : 3),
             .name = "compute", .key = KEY(key), .backend = &own_clock, .ranks = &ranks, .agree = more.agree,
             .outputs = BUFFERS({&out, sizeof out, AUTOTUNE_I32}), .result = &result);
    CHECK(result.status == AUTOTUNE_OK && result.index == 0 && out == 3);
    const bool told = strstr(shared->log[own_rank], "agree with each other, and not with the first one");
    return (outcome){.tile = result.verdict == AUTOTUNE_UNRELIABLE, .calls = told};
}
enum { CASES = 5 };
static const struct { autotune_agreement agree; int wrong_rank; } wrong_cases[CASES] = {
    {AUTOTUNE_TOGETHER, 0}, {AUTOTUNE_TOGETHER, 1}, {AUTOTUNE_FIRST, 0}, {AUTOTUNE_DIVIDED, 0}, {AUTOTUNE_DIVIDED, 1}};
static void compute_wrong_first(int rank, int count) {
    begin(rank, count);
    for (int i = 0; i < 3 * CASES; i++) {
        more.agree = wrong_cases[i / 3].agree;
        outcomes(rank)[i] = compute(i, wrong_cases[i / 3].wrong_rank, i % 3 < 2 ? i % 3 + 1 : TILES - 1);
    }
}
static void a_wrong_first_configuration_is_told(void) {
    run_ranks(2, 60, compute_wrong_first);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 3 * CASES; i++) {
            CHECK(outcomes(r)[i].tile == (i % 3 < 2));
            CHECK(outcomes(r)[i].calls == (i % 3 < 2 && r == 0));
        }
}

static autotune_status fails_later_on_rank_1(int rank, int key, int tile, bool trial) {
    (void)key, (void)tile;
    return rank == 1 && !trial ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void fail_in_a_hit(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    CHECK(tune(1).status == AUTOTUNE_OK);
    const int before = exchanged();
    answer = fails_later_on_rank_1;
    for (int i = 0; i < 3; i++) CHECK(tune(1).status == (rank ? AUTOTUNE_FAILED : AUTOTUNE_OK));
    answer = NULL;
    CHECK(tune(1).hit && exchanged() == before);
    CHECK(!rank || strstr(shared->log[1], "it is not forgotten, since other ranks have it"));
}
static void one_rank_retires_nothing(void) { run_ranks(2, 600, fail_in_a_hit); }

/* The call for real, which follows the race, fails on one rank. */
static void fail_for_real(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    answer = fails_later_on_rank_1;
    CHECK(tune(1).status == (rank ? AUTOTUNE_FAILED : AUTOTUNE_OK));
    answer = NULL;
    const int before = exchanged();
    CHECK(tune(1).hit && exchanged() == before);
}
static void nor_in_the_call_for_real(void) { run_ranks(2, 600, fail_for_real); }

/* A device's clock does not start on one rank. All ranks make the launch, since ranks may communicate in it. Then the
   race goes on, or ends, in the same way on all ranks. */
static int starts, fails_at;
static autotune_status wrong;
static autotune_status start_or_fail(autotune_backend *self) {
    (void)self;
    return ++starts == fails_at && own_rank == 1 ? wrong : AUTOTUNE_OK;
}
static autotune_status stop_the_clock(autotune_backend *self, double *ns) {
    (void)self, (void)ns;
    return AUTOTUNE_OK;
}
static autotune_error_class class_of(autotune_backend *self, autotune_status status) {
    (void)self;
    return status == AUTOTUNE_ERR_DEVICE ? AUTOTUNE_ERROR_DEVICE : AUTOTUNE_ERROR_CONFIGURATION;
}
static void fail_to_start(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    own_clock.start = start_or_fail;
    own_clock.stop = stop_the_clock;
    own_clock.classify = class_of;
    for (fails_at = 1; fails_at <= SOME_KEYS / 2; fails_at++) {
        wrong = AUTOTUNE_FAILED;
        starts = 0;
        const outcome one_fails = tune(fails_at);
        CHECK(one_fails.status == AUTOTUNE_OK && one_fails.calls == 1);
        outcomes(rank)[2 * fails_at - 2] = one_fails;
        wrong = AUTOTUNE_ERR_DEVICE;
        starts = 0;
        const outcome lost = tune(100 + fails_at);
        CHECK(lost.status == AUTOTUNE_ERR_DEVICE && lost.calls == 0);
        CHECK(last_error_has("tuning stopped at") && (!rank || !last_error_has("on rank")));
        outcomes(rank)[2 * fails_at - 1] = lost;
    }
}
static void clocks_that_do_not_start_are_shared(void) {
    run_ranks(2, 600, fail_to_start);
    for (int i = 0; i < SOME_KEYS; i++)
        CHECK(outcomes(0)[i].tile == outcomes(1)[i].tile && outcomes(0)[i].trials == outcomes(1)[i].trials);
}

/* ---- Ranks whose statements differ ------------------------------------------------------------------------------- */

static void take_another_key(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    const outcome seen = tune(rank == 2 ? 7 : 6);
    CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT && seen.calls == 1 && seen.trials == 0 && seen.tile == 0);
    snprintf((char *)shared->results + 600 * rank, 600, "%s", autotune_last_error());
    const outcome next = tune(6);
    CHECK(next.status == AUTOTUNE_OK && next.trials > 0 && next.tile == 0);
    more.max_trials = rank == 1 ? 3 : 4;
    CHECK(tune(8).status == AUTOTUNE_ERR_ARGUMENT);
    CHECK(last_error_has("the ranks are out of step"));
}
/* All ranks report the same sentence. It names the part of key, space or options in which ranks differ, and both
   values. */
static bool verified(void *user, const autotune_config *config) { return (void)user, (void)config, true; }
static void differ_in_one_thing(int rank, int count) {
    static const char *const told[] = {
        "rank 0 has .key with key=0, and rank 2 has .key with key=90",
        "rank 0 has .max_trials = 0, and rank 2 has .max_trials = 3",
        "rank 0 has .mode = AUTOTUNE_ON, and rank 2 has .mode = AUTOTUNE_CACHED",
        "rank 0 has .agree = AUTOTUNE_TOGETHER, and rank 2 has .agree = AUTOTUNE_DIVIDED",
        "rank 0 has 0 .verify, and rank 2 has 1 .verify"};
    begin(rank, count);
    cost = ascending;
    for (int i = 0; i < 5; i++) {
        const autotune_options all = more;
        if (rank >= 2) {
            more.max_trials = i == 1 ? (uint64_t)rank + 1 : 0;
            more.mode = i == 2 ? AUTOTUNE_CACHED : AUTOTUNE_ON;
            more.agree = i == 3 ? AUTOTUNE_DIVIDED : AUTOTUNE_TOGETHER;
            more.verify = i == 4 ? verified : NULL;
        }
        const outcome seen = tune(rank >= 2 && i == 0 ? 90 : i);
        CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT && seen.calls == 1 && seen.trials == 0);
        CHECK(last_error_has("the ranks are out of step") && last_error_has(told[i]));
        more = all;
        CHECK(tune(100 + i).status == AUTOTUNE_OK);
    }
    autotune_result result;
    const char *const words[] = {"slow", rank == 1 ? "fast, or so" : "fast"};
    AUTOTUNE_BLOCK(SPACE(AXIS_OF(word, words, 2)), .name = "words", .backend = &own_clock, .ranks = &ranks,
                   .result = &result) (void)word;
    CHECK(last_error_has("rank 0 has 2 values in word: slow fast, and rank 1 has 2 values in word: slow fast, or so"));
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .name = rank ? "others" : "own", .backend = &own_clock, .ranks = &ranks,
                   .result = &result) (void)tile;
    CHECK(last_error_has("rank 0 has the statement own, and rank 1 has the statement others"));
    char name[200] = "";
    for (int i = 0; i < 180; i++) strcat(name, "n");
    name[179] = (char)('a' + rank);
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .name = name, .backend = &own_clock, .ranks = &ranks, .result = &result)
        (void)tile;
    /* the sentence does not have the rest of the long name */
    CHECK(last_error_has("nnn, and rank 1 has the statement nnn"));
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .name = "digits", .key = KEY(1.0 + 1e-9 * rank), .backend = &own_clock,
                   .ranks = &ranks, .result = &result) (void)tile;
    CHECK(last_error_has("rank 0 has .key 12:3ff0000000000000, and rank 1 has .key 12:3ff00000"));
}
static void differences_are_told(void) { run_ranks(4, 600, differ_in_one_thing); }

/* After a statement's ranks were out of step twice, the statement exchanges only in every 64th call. This also holds if
   one rank has another key in each call. Another statement of the same ranks agrees as before, and so does the same
   statement of other ranks. */
static outcome tune_named(const char *name, autotune_ranks *of_these) {
    outcome seen = {.tile = -1};
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(&seen, 1, autotune_trial, tile), .name = name,
             .backend = &own_clock, .ranks = of_these, .result = &result);
    seen.status = result.status;
    return seen;
}
static autotune_mode mode_apart;
static void stay_apart(int rank, int count) {
    int votes = 0, calls = 0, changes = 0;
    begin(rank, count);
    more.mode = mode_apart;
    autotune_ranks others = ranks_of(1, rank, count);
    cost = ascending;
    for (int call = 0; call < 200; call++) {
        const int before = exchanged();
        const outcome seen = tune(rank ? 1000 + changes++ : 7);
        const bool votes_now = exchanged() > before;
        CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT && seen.calls == 1 && seen.trials == 0 && seen.tile == 0);
        CHECK(votes_now == (call == 0 || call % 64 == 1));
        CHECK(last_error_has(votes_now                   ? "rank 0 has .key with key=7"
                             : more.max_seconds < 0 ? ".max_seconds is -1"
                                                    : "compare again in every 64th one"));
        votes += votes_now;
        calls += seen.calls;
        if (call == 20) CHECK(tune_named("beside", &ranks).status == AUTOTUNE_OK);
        if (call == 21) CHECK(tune_named("stencil", &others).status == AUTOTUNE_OK);
        /* one rank's own error ends its call without an exchange */
        more.max_seconds = call == 30 && rank == 1 ? -1 : 0;
    }
    CHECK(votes == 5 && calls == 200);
    while (tune(8).status != AUTOTUNE_OK) CHECK(++calls < 264);
    CHECK(tune(rank ? 3 : 4).status == AUTOTUNE_ERR_ARGUMENT); /* the count of calls out of step begins again */
    CHECK(tune(9).status == AUTOTUNE_OK);
}
static void call_in_another_order(int rank, int count) {
    static const char *const names[] = {"one", "two"};
    begin(rank, count);
    cost = ascending;
    for (int call = 0; call < 3; call++) {
        CHECK(tune_named(names[(call + rank) % 2], &ranks).status == AUTOTUNE_ERR_ARGUMENT);
        CHECK(last_error_has("rank 0 has the statement "));
    }
    /* the calls of other statements have no influence on this statement */
    CHECK(tune_named("one", &ranks).status == AUTOTUNE_OK);
}
/* Calls with different keys do not end an online race of another key of the same statement. */
static void differ_beside_a_race(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    more.mode = AUTOTUNE_ONLINE;
    outcome seen = tune(1);
    for (int call = 0; call < 2000 && !seen.hit; call++) {
        CHECK(tune(rank ? 5 : 4).status == AUTOTUNE_ERR_ARGUMENT);
        seen = tune(1);
        CHECK(seen.status == AUTOTUNE_OK && seen.calls == 1);
    }
    CHECK(seen.hit);
}
static void ranks_that_differ_seldom_compare(void) {
    run_ranks(2, 600, differ_beside_a_race);
    run_ranks(2, 600, stay_apart);
    mode_apart = AUTOTUNE_ONLINE;
    run_ranks(2, 600, stay_apart);
    run_ranks(2, 20, call_in_another_order);
}

static void another_key_is_a_sentence(void) {
    run_ranks(3, 600, take_another_key);
    const char *sentence = (const char *)shared->results;
    CHECK(strstr(sentence, "stencil [key=6]: the ranks are out of step: rank 0 has .key with key=6, and rank 2 has "
                           ".key with key=7; the first configuration is launched untuned"));
    CHECK(!strcmp(sentence, sentence + 600));
    CHECK(strstr(sentence + 1200, "stencil [key=7]: the ranks are out of step: rank 0 has .key with key=6, and"));
    CHECK(strstr(shared->log[0], sentence));
    for (int r = 1; r < 3; r++) CHECK(!*shared->log[r]); /* only rank 0 logs */
}
static void take_another_space(int rank, int count) {
    begin(rank, count);
    autotune_result result;
    int called = -1;
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 3, rank == 1 ? 8 : 9, 1)), .name = "spaces", .backend = &own_clock,
                   .ranks = &ranks, .result = &result) {
        spend(1000000);
        called = tile;
    }
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && called == 3);
    CHECK(last_error_has("the ranks are out of step"));
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 3, 9, 1), WHERE(tile != 5 + rank)), .name = "filters", .backend = &own_clock,
                   .ranks = &ranks, .result = &result) {
        spend(1000000);
        called = tile;
    }
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && called == 3 && last_error_has("the ranks are out of step"));
}
static void another_space_is_a_sentence(void) { run_ranks(2, 600, take_another_space); }

/* A rank cannot take part in a statement, since its options have an error. */
static void come_to_an_end(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    more.max_seconds = rank == 1 ? -1 : 0;
    const outcome seen = tune(1);
    CHECK(seen.status != AUTOTUNE_OK && seen.calls == 1 && seen.tile == 0 && seen.trials == 0);
    CHECK(last_error_has(rank == 1 ? ".max_seconds is -1" : "rank 1 came to its end before the others"));
    more.max_seconds = 0;
    CHECK(tune(1).status == AUTOTUNE_OK);
}
static void who_cannot_is_not_waited_for(void) { run_ranks(3, 600, come_to_an_end); }

static void leave_the_body(int rank, int count) {
    begin(rank, count);
    int calls = 0, trials = 0;
    autotune_result result = {.status = AUTOTUNE_OK};
    for (int round = 0; round < 3; round++) {
        AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 3, 1)), .name = "left", .backend = &own_clock, .ranks = &ranks,
                       .result = &result) {
            spend(1000000 * (uint64_t)(tile + 1));
            if (autotune_trial && rank == 1 && tile == 2) break;
            calls += !autotune_trial;
            trials += autotune_trial;
        }
        CHECK((result.status == AUTOTUNE_ERR_LEFT) == (round == 0));
    }
    CHECK(calls == 2 && trials > 0);
}
static void a_body_that_is_left_ends_all(void) { run_ranks(2, 600, leave_the_body); }

/* In mode ONLINE, WHERE admits other configurations on rank 1. Ranks may communicate in a call, so all ranks must know
   of the difference before the call. */
static void list_differently(int rank, int count) {
    autotune_result result = {.status = AUTOTUNE_OK};
    begin(rank, count);
    int launched = -1;
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 3, 9, 1), WHERE(tile != 3 + rank)), .name = "filters", .backend = &own_clock,
                   .ranks = &ranks, .mode = AUTOTUNE_ONLINE, .result = &result)
        launched = tile;
    CHECK(result.status == AUTOTUNE_ERR_ARGUMENT && launched == (rank ? 3 : 4));
    CHECK(last_error_has("the ranks are out of step"));
}
static void lists_are_compared_before_a_call(void) { run_ranks(2, 600, list_differently); }

/* A statement reports that its ranks lack a function, or have a wrong number. The statement exchanges nothing. */
static void call_without_functions(int rank, int count) {
    static const char *const lacks[] = {".ranks lacks the function max", ".ranks lacks the function share",
                                        ".ranks has rank 7 of 2"};
    begin(rank, count);
    cost = ascending;
    for (int i = 0; i < 3; i++)
        for (int mode = AUTOTUNE_ON; mode <= AUTOTUNE_ONLINE; mode += AUTOTUNE_ONLINE - AUTOTUNE_ON) {
            ranks = all_ranks(count);
            if (i == 0) ranks.max = NULL;
            else if (i == 1) ranks.share = NULL;
            else ranks.rank = 7;
            more.mode = (autotune_mode)mode;
            const outcome seen = tune(i);
            CHECK(seen.status == AUTOTUNE_ERR_ARGUMENT && seen.calls == 1 && seen.tile == 0);
            CHECK(last_error_has(lacks[i]));
        }
    CHECK(exchanged() == 0);
}
/* Only the first `works` broadcasts of rank 0 work. No rank launches a trial unless all broadcasts work. */
static int broadcasts_left;
static autotune_status share_so_often(autotune_ranks *self, void *bytes, size_t count) {
    const autotune_status status = share_of_first(self, bytes, count);
    return broadcasts_left-- > 0 ? status : AUTOTUNE_FAILED;
}
static void lose_broadcasts(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    for (int mode = AUTOTUNE_ON; mode <= AUTOTUNE_ONLINE; mode += AUTOTUNE_ONLINE - AUTOTUNE_ON) {
        int works = 0;
        for (more.mode = (autotune_mode)mode; works < 20; works++) {
            ranks.share = share_so_often;
            broadcasts_left = works;
            const outcome seen = tune(works);
            if (seen.status == AUTOTUNE_OK) break;
            CHECK(seen.calls == 1 && seen.tile == 0 && seen.trials == 0);
            CHECK(last_error_has("cannot reach the other ranks"));
            CHECK(broadcasts_left == -1);       /* no broadcast follows the failed broadcast */
        }
        CHECK(works == 2); /* one broadcast has what rank 0 knows of the key, the other has the beginning of the race */
    }
}
static void a_broadcast_that_fails_begins_no_race(void) { run_ranks(2, 600, lose_broadcasts); }
static void ranks_without_functions_are_a_sentence(void) { run_ranks(2, 600, call_without_functions); }

/* Rank 1 comes after rank 0 has logged that it waits. */
static autotune_agreement agreement_of_late;
static autotune_mode mode_of_late;
static void come_late(int rank, int count) {
    const struct timespec nap = {0, MILLISECOND};
    begin(rank, count);
    cost = ascending;
    more.agree = agreement_of_late;
    more.mode = mode_of_late;
    while (rank == 1 && !__atomic_load_n(&shared->log[0][0], __ATOMIC_ACQUIRE)) nanosleep(&nap, NULL);
    if (rank == 1) shared->seconds_of_nap = 0; /* from now on no waiting time is counted */
    CHECK(tune(3).status == AUTOTUNE_OK);
}
static void waiting_is_said(void) {
    shared->seconds_of_nap = 4;
    run_ranks(2, 600, come_late);
    CHECK(strstr(shared->log[0], "stencil [key=3]: rank 0 of 2 has been waiting for other ranks for 12 s"));
    CHECK(!strstr(shared->log[0], ".agree") && !*shared->log[1]);
}
static void waiting_for_ranks_that_may_communicate_is_said(void) {
    shared->seconds_of_nap = 4;
    agreement_of_late = AUTOTUNE_FIRST;
    run_ranks(2, 600, come_late);
    CHECK(strstr(shared->log[0], "; with .agree = AUTOTUNE_FIRST or _DIVIDED its call must not wait for other ranks"));
    shared->seconds_of_nap = 4;
    /* all ranks make the calls of mode ONLINE together, so a call may wait for other ranks */
    mode_of_late = AUTOTUNE_ONLINE;
    run_ranks(2, 600, come_late);
    CHECK(strstr(shared->log[0], "has been waiting for") && !strstr(shared->log[0], ".agree"));
}

/* Ranks that race together cannot make trials in children: rank 0 logs this. Rank 0 alone can. */
static pid_t rank_process;
static autotune_status answer_in_child(int rank, int key, int tile, bool trial) {
    (void)rank, (void)key, (void)tile;
    return trial && (getpid() == rank_process) == (more.agree == AUTOTUNE_FIRST) ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void ask_for_children(int rank, int count) {
    static const char refusal[] = "ranks that race together agree after each launch, and a child process does not "
                                  "reach the others";
    begin(rank, count);
    own_clock = autotune_cpu();
    cost = ascending;
    answer = answer_in_child;
    rank_process = getpid();
    more.isolate = AUTOTUNE_CHILD;
    for (int i = 0; i < 2; i++) {
        more.agree = i ? AUTOTUNE_FIRST : AUTOTUNE_TOGETHER;
        *shared->log[rank] = 0;
        const outcome seen = tune(i);
        CHECK(seen.status == AUTOTUNE_OK && seen.calls == 1 && tune(i).hit);
        CHECK((strstr(shared->log[rank], refusal) != NULL) == (i == 0 && rank == 0));
        if (i) CHECK(seen.trials == 0);
    }
}
static void together_is_not_isolated(void) { run_ranks(2, 600, ask_for_children); }

/* ---- Several groups, several threads, statements inside of statements -------------------------------------------- */

static uint64_t by_row(int rank, int key, int tile) {
    (void)key;
    return 1000 + 1000 * (uint64_t)((tile + 2 * (rank / 2)) % TILES);
}
/* Two rows and two columns of ranks: 0 1 / 2 3. The winners of the rows differ, so the ranks of a column have to
   race. */
static void tune_in_two_groups(int rank, int count) {
    begin(rank, count);
    cost = by_row;
    autotune_ranks row = ranks_of(1 + rank / 2, rank % 2, 2), column = ranks_of(3, rank / 2, 2);
    more.ranks = &row;
    const outcome of_row = tune(1);
    CHECK(of_row.status == AUTOTUNE_OK && of_row.tile == (rank < 2 ? 0 : 4));
    if (rank % 2) return; /* only the first column has a group */
    more.ranks = &column;
    const outcome of_column = tune(1);
    CHECK(of_column.status == AUTOTUNE_OK && of_column.trials > 0);
    const int before = exchanged();
    CHECK(tune(1).hit && tune(1).tile == of_column.tile);
    more.ranks = &row;
    CHECK(tune(1).hit && tune(1).tile == of_row.tile && exchanged() == before);
    outcomes(rank)[0] = of_column;
}
static void groups_agree_apart(void) {
    run_ranks(4, 600, tune_in_two_groups);
    CHECK(outcomes(0)[0].tile == outcomes(2)[0].tile);
}
/* In mode ONLINE, a row and a column call the same statement with the same key in turn, and communicate in the call.
   Each group finds its own winner. */
static autotune_status exchange_within_group(int rank, int key, int tile, bool trial) {
    double extremes[2] = {tile, -tile};
    (void)rank, (void)key, (void)trial;
    CHECK(more.ranks->max(more.ranks, extremes, 2) == AUTOTUNE_OK && extremes[0] == -extremes[1]);
    return AUTOTUNE_OK;
}
static void tune_in_two_groups_online(int rank, int count) {
    const int sides = 2 - rank % 2;
    autotune_ranks groups[2];
    outcome seen[2];
    begin(rank, count);
    cost = by_row;
    answer = exchange_within_group;
    more.mode = AUTOTUNE_ONLINE;
    groups[0] = ranks_of(1 + rank / 2, rank % 2, 2);
    groups[1] = ranks_of(3, rank / 2, 2);
    for (int call = 0; call < 2000; call++)
        for (int side = 0; side < sides; side++) {
            more.ranks = &groups[side];
            seen[side] = tune(1);
            CHECK(seen[side].status == AUTOTUNE_OK && seen[side].calls == 1);
        }
    for (int side = 0; side < sides; side++) {
        CHECK(seen[side].hit);
        outcomes(rank)[side] = seen[side];
    }
}
static void groups_agree_apart_online(void) {
    run_ranks(4, 600, tune_in_two_groups_online);
    for (int r = 0; r < 4; r++) CHECK(outcomes(r)[0].tile == (r < 2 ? 0 : 4));
    CHECK(outcomes(0)[1].tile == outcomes(2)[1].tile);
}
static outcome inside;
static autotune_status tune_inside(int rank, int key, int tile, bool trial) {
    (void)rank, (void)tile;
    if (trial && key < 100 && inside.calls == 0) {
        answer = NULL;
        inside = tune(key + 100);
    }
    return AUTOTUNE_OK;
}
static void nest(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    answer = tune_inside;
    CHECK(tune(1).status == AUTOTUNE_OK && inside.status == AUTOTUNE_OK && inside.tile == 0 && inside.trials > 0);
    more.agree = AUTOTUNE_FIRST;
    inside.calls = 0;
    answer = tune_inside;
    CHECK(tune(2).status == AUTOTUNE_OK);
    CHECK(rank > 0 || (inside.status == AUTOTUNE_ERR_ARGUMENT && inside.trials == 0 && inside.calls == 1));
    CHECK(rank > 0 || strstr(shared->log[0], "this rank is in a trial that it makes alone"));
}
static void statements_nest(void) { run_ranks(2, 600, nest); }

static pthread_barrier_t both;
static autotune_status let_the_other_in(int rank, int key, int tile, bool trial) {
    (void)rank, (void)key, (void)tile;
    if (trial && inside.calls == 0) {
        inside.calls = 1;
        pthread_barrier_wait(&both); /* now the other thread begins */
        pthread_barrier_wait(&both); /* now the other thread has ended */
    }
    return AUTOTUNE_OK;
}
/* Tunes in a second thread. A hit exchanges nothing. A statement that is no hit is refused, without an exchange. */
static void tune_two(autotune_status expected) {
    autotune_result result;
    int called = 0;
    const int before = exchanged();
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .name = "beside", .backend = &own_clock, .ranks = &ranks,
                   .result = &result) {
        spend((uint64_t)tile * MILLISECOND);
        called += !autotune_trial;
    }
    CHECK(result.status == expected && called == 1);
    CHECK((exchanged() == before) == (expected != AUTOTUNE_OK));
}
static void *tune_beside(void *user) {
    (void)user;
    pthread_barrier_wait(&both);
    CHECK(tune(9).hit);
    tune_two(AUTOTUNE_ERR_ARGUMENT);
    CHECK(last_error_has("another thread is in a statement of these ranks just now"));
    CHECK(autotune_agree(&ranks) == AUTOTUNE_ERR_ARGUMENT && last_error_has("another statement uses these ranks"));
    pthread_barrier_wait(&both);
    return NULL;
}
static void tune_in_two_threads(int rank, int count) {
    pthread_t thread;
    begin(rank, count);
    cost = ascending;
    CHECK(tune(9).status == AUTOTUNE_OK);
    answer = let_the_other_in;
    inside.calls = 0;
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0 && pthread_create(&thread, NULL, tune_beside, NULL) == 0);
    CHECK(tune(1).status == AUTOTUNE_OK);
    pthread_join(thread, NULL);
    tune_two(AUTOTUNE_OK);
    CHECK(tune(1).hit);
}
static void two_threads_are_a_sentence(void) { run_ranks(2, 600, tune_in_two_threads); }

/* Mode ONLINE: a second thread calls the key in the middle of a call of the first thread. The online race goes on. */
static void *call_beside(void *user) {
    (void)user;
    pthread_barrier_wait(&both);
    const int before = exchanged();
    const outcome seen = tune(1);
    CHECK(seen.calls == 1 && seen.status == AUTOTUNE_ERR_ARGUMENT && exchanged() == before);
    CHECK(last_error_has("stencil [key=1]: two calls of this key at once"));
    pthread_barrier_wait(&both);
    return NULL;
}
static autotune_status let_it_in_online(int rank, int key, int tile, bool trial) {
    (void)rank, (void)key, (void)tile, (void)trial;
    if (inside.calls++ == 10) {
        pthread_barrier_wait(&both);
        pthread_barrier_wait(&both);
    }
    return AUTOTUNE_OK;
}
static void crowd_online(int rank, int count) {
    outcome seen = {.hit = false};
    pthread_t thread;
    (void)rank;
    begin(rank, count);
    cost = ascending;
    answer = let_it_in_online;
    more.mode = AUTOTUNE_ONLINE;
    inside.calls = 0;
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0 && pthread_create(&thread, NULL, call_beside, NULL) == 0);
    for (int call = 0; call < 500; call++) {
        seen = tune(1);
        CHECK(seen.calls == 1 && seen.status == AUTOTUNE_OK);
    }
    pthread_join(thread, NULL);
    CHECK(seen.hit && seen.tile == 0);
}
static void a_second_thread_online_is_a_sentence(void) {
    run_ranks(2, 600, crowd_online);
    const char *said = strstr(shared->log[0], "two calls of this key at once");
    CHECK(said && !strstr(said + 1, "two threads") && !strstr(shared->log[0], "no longer measure the same calls"));
}

/* Rank 0 makes a trial alone. In this trial rank 0 reaches statements of several ranks, which the other ranks do not
   reach: a statement with an online race, and a statement of another group. These statements must exchange nothing. */
static autotune_ranks other_group;
static autotune_status call_others_inside(int rank, int key, int tile, bool trial) {
    (void)tile;
    if (key != 1 || !trial) return AUTOTUNE_OK;
    CHECK(rank == 0);
    more.agree = AUTOTUNE_TOGETHER;
    more.mode = AUTOTUNE_ONLINE;
    CHECK(tune(2).calls == 1);
    more.mode = AUTOTUNE_ON;
    more.ranks = &other_group;
    inside = tune(3);
    CHECK(inside.calls == 1 && inside.trials == 0 && inside.status == AUTOTUNE_ERR_ARGUMENT);
    CHECK(autotune_agree(&ranks) == AUTOTUNE_ERR_ARGUMENT && last_error_has("another statement uses these ranks"));
    more.ranks = NULL;
    more.agree = AUTOTUNE_FIRST;
    return AUTOTUNE_OK;
}
static void call_inside_alone(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    answer = call_others_inside;
    other_group = ranks_of(1, rank, count);
    more.mode = AUTOTUNE_ONLINE;
    for (int call = 0; call < 3; call++) CHECK(tune(2).status == AUTOTUNE_OK);
    more.mode = AUTOTUNE_ON;
    more.agree = AUTOTUNE_FIRST;
    const outcome seen = tune(1);
    CHECK(seen.status == AUTOTUNE_OK && seen.tile == 0);
    more.agree = AUTOTUNE_TOGETHER;
    more.ranks = &other_group;
    CHECK(tune(3).status == AUTOTUNE_OK);
    more.ranks = NULL;
    more.mode = AUTOTUNE_ONLINE;
    for (int call = 0; call < 3; call++) CHECK(tune(2).status == AUTOTUNE_OK);
}
static void trials_of_one_rank_call_nobody(void) { run_ranks(2, 600, call_inside_alone); }

/* A rank forks in a trial. The child goes on alone, and the other ranks go on as before. */
static bool is_child;
static autotune_status fork_once(int rank, int key, int tile, bool trial) {
    int status;
    pid_t child;
    (void)key, (void)tile;
    if (!trial || rank != 1 || ++inside.calls != 4) return AUTOTUNE_OK;
    CHECK((child = fork()) >= 0);
    is_child = child == 0;
    if (is_child) return AUTOTUNE_OK;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    return AUTOTUNE_OK;
}
static void fork_in_a_trial(int rank, int count) {
    (void)rank;
    begin(rank, count);
    more.agree = agreement;
    cost = ascending;
    answer = fork_once;
    inside.calls = 0;
    const int before = exchanged();
    const outcome seen = tune(1);
    CHECK(seen.status == AUTOTUNE_OK && seen.tile == 0);
    if (is_child) _exit(EXIT_SUCCESS);
    CHECK(exchanged() > before && tune(1).hit);
}
static void children_go_on_alone(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER) {
        agreement = (autotune_agreement)a;
        run_ranks(2, 600, fork_in_a_trial);
    }
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

static void use_modes(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    more.mode = AUTOTUNE_OFF;
    const int before = exchanged();
    CHECK(tune(1).tile == 0 && exchanged() == before);
    more.mode = AUTOTUNE_CACHED;
    CHECK(tune(1).tile == 0 && tune(1).trials == 0);
    const int so_far = exchanged();
    CHECK(tune(1).tile == 0 && exchanged() > so_far);           /* no stand-in is used for a key without a winner */
    more.mode = AUTOTUNE_REQUIRE;
    CHECK(tune(1).status == AUTOTUNE_ERR_MISS);
    more.mode = AUTOTUNE_ON;
    CHECK(tune(1).trials > 0);
    more.mode = AUTOTUNE_REQUIRE;
    CHECK(tune(1).hit);
    more.mode = AUTOTUNE_FORCE;
    CHECK(tune(1).trials > 0 && tune(1).hit);
}
static void modes_agree(void) { run_ranks(2, 600, use_modes); }

/* WHERE refuses the winner on rank 1 alone. The call is a hit on rank 0, so rank 1 must not wait for rank 0. Mode
   REQUIRE launches no other configuration. */
static void refuse_winner_on_one(int rank, int count) {
    autotune_result result;
    const autotune_mode modes[] = {AUTOTUNE_ON, AUTOTUNE_ON, AUTOTUNE_CACHED, AUTOTUNE_REQUIRE};
    begin(rank, count);
    for (int i = 0; i < 4; i++) {
        const int n = i && rank == 1 ? 600 : 1000, before = exchanged(); /* ANCHOR(n) is 1024 */
        int called = -1;
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 500, 1000), WHERE(tile <= n)), .name = "anchored", .backend = &own_clock,
                       .ranks = &ranks, .key = KEY(ANCHOR(n)), .mode = modes[i], .result = &result) {
            spend(tile == 1000 ? MILLISECOND : 3 * MILLISECOND);
            called = tile;
        }
        if (i) CHECK(exchanged() == before);
        if (n == 1000) CHECK(result.status == AUTOTUNE_OK && called == 1000);
        else if (modes[i] != AUTOTUNE_REQUIRE) CHECK(result.status == AUTOTUNE_OK && called == 500);
        else CHECK(result.status == AUTOTUNE_ERR_MISS && called == -1 && last_error_has("the winner was refused"));
    }
}
static void a_refused_winner_waits_for_no_rank(void) { run_ranks(2, 600, refuse_winner_on_one); }

/* Each call is real, and all ranks make it with the same configuration. Until the winner is found, each call has one
   exchange, of the times. Hits exchange nothing. */
static uint64_t noisy_for_the_slowest(int rank, int key, int tile) {
    return for_the_slowest(rank, key, tile) + random_part(200);
}
static autotune_status fails_online(int rank, int key, int tile, bool trial) {
    (void)trial;
    return key == 2 && rank == 1 && tile == 2 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static void tune_online(int rank, int count) {
    begin(rank, count);
    cost = noisy_for_the_slowest;
    answer = fails_online;
    more.mode = AUTOTUNE_ONLINE;
    for (int key = 1; key <= 2; key++) {
        unsigned tiles = 0;
        outcome seen;
        int calls = 0, before = 0, more_than_one = 0;
        for (seen = tune(key); !seen.hit && calls < 20000; seen = tune(key), calls++) {
            CHECK(seen.calls == 1 && seen.trials == 0);
            if (calls > 0) more_than_one += exchanged() - before - (count > 1);
            CHECK(seen.status == (key == 2 && rank == 1 && seen.tile == 2 ? AUTOTUNE_FAILED : AUTOTUNE_OK));
            tiles = tiles * 31 + (unsigned)seen.tile;
            before = exchanged();
        }
        /* only the last call before the winner has two exchanges */
        CHECK(seen.hit && calls > 20 && exchanged() == before && more_than_one == (count > 1));
        outcomes(rank)[key] = seen;
        outcomes(rank)[key].trials = (int)(tiles >> 1);
        before = exchanged();
        for (int again = 0; again < 5; again++) CHECK(tune(key).hit && exchanged() == before);
    }
}
static void online_races_agree(void) {
    for (int count = 1; count <= 3; count++) {
        run_ranks(count, 600, tune_online);
        for (int r = 1; r < count; r++)
            for (int key = 1; key <= 2; key++) {
                CHECK(outcomes(r)[key].tile == outcomes(0)[key].tile);
                /* `trials` is a hash of the tiles of all calls: each call had the same tile on all ranks */
                CHECK(outcomes(r)[key].trials == outcomes(0)[key].trials);
            }
        CHECK(outcomes(0)[1].tile == (count == 1 ? 4 : 2));
        CHECK(outcomes(0)[2].tile != (count == 1 ? 2 : -1));
        CHECK(count == 1 || (outcomes(0)[2].tile == 4));
    }
}
/* AUTOTUNE_MODE=online forbids extra launches, also for a statement with ranks. */
static void call_in_online_environment(int rank, int count) {
    autotune_result result;
    int called = 0;
    setenv("AUTOTUNE_MODE", "online", 1);
    begin(rank, count);
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 5, 1)), .name = "online", .backend = &own_clock, .ranks = &ranks,
                   .result = &result) {
        spend((uint64_t)(6 - tile) * MILLISECOND);
        called++;
    }
    CHECK(called == 1 && result.verdict == AUTOTUNE_ONGOING);
}
static void the_environment_sets_online(void) { run_ranks(2, 600, call_in_online_environment); }
static void part_online(int rank, int count) {
    autotune_result result = {.status = AUTOTUNE_OK};
    int dropped = 0, called = 0;
    begin(rank, count);
    /* in call 10 the ranks give different .work; in call 25 one rank leaves the body */
    for (int call = 0; call < 40; call++) {
        AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 5, 1)), .name = "online", .backend = &own_clock, .ranks = &ranks,
                       .mode = AUTOTUNE_ONLINE, .work = call == 10 ? 1 + rank : 1, .result = &result) {
            spend((uint64_t)(6 - tile) * MILLISECOND);
            called++;
            if (call == 25 && rank == 1) break;
        }
        dropped += last_error_has("no longer measure the same calls") && call == 10;
    }
    CHECK(called == 40 && dropped == 1);
    CHECK(result.status == AUTOTUNE_OK);
    outcomes(rank)[0].tile = (int)result.index;
}
static void online_races_end_alike(void) {
    run_ranks(2, 600, part_online);
    CHECK(outcomes(0)[0].tile == outcomes(1)[0].tile);
}

/* In one call, one rank has a special option, or rejects a launch, or leaves the body. The rank makes all exchanges,
   and the ranks go on together. */
typedef enum oddity {
    NO_WORK,                                    /* .work is -1 in the odd call */
    REJECTS_FIRST,                              /* rejects all launches of tile 0 */
    REJECTS_AND_LEAVES,                         /* rejects the first launch of the odd call, leaves the second */
    REJECTS_TWICE,                              /* rejects both launches of the odd call */
    LEAVES_TWICE,                               /* leaves the body in two odd calls */
    ODDITIES
} oddity;
enum { ODD_CALL = 15, ODD_AGAIN = 22 };
static oddity odd;
static int odd_launches;
static autotune_result odd_result;
static bool is_odd_call(int call) {
    return own_rank == 1 && (call == ODD_CALL || (odd == LEAVES_TWICE && call == ODD_AGAIN));
}
static void call_oddly(int call) {
    const bool is_odd = is_odd_call(call);
    odd_launches = 0;
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, TILES - 1, 1)), .name = "odd", .backend = &own_clock, .ranks = &ranks,
                   .mode = AUTOTUNE_ONLINE, .work = odd == NO_WORK && is_odd ? -1 : 5, .result = &odd_result) {
        spend((uint64_t)(3 + (tile + 2) % TILES) * MILLISECOND);
        odd_launches++;
        if (odd == REJECTS_FIRST && own_rank == 1 && tile == 0) AUTOTUNE_REJECT("not here");
        if (odd == REJECTS_AND_LEAVES && is_odd) {
            if (odd_launches == 2) break;
            AUTOTUNE_REJECT("not now");
        }
        if (odd == LEAVES_TWICE && is_odd) break;
        if (odd == REJECTS_TWICE && is_odd) AUTOTUNE_REJECT("nothing now");
    }
}
static void be_odd_once(int rank, int count) {
    begin(rank, count);
    odd_result.cache_hit = false;
    int call = 0;
    for (; call < 2000 && !(odd_result.cache_hit && odd_result.verdict != AUTOTUNE_ONGOING); call++) {
        const bool is_odd = is_odd_call(call), rejects = odd == REJECTS_FIRST && rank == 1 && call == 0;
        call_oddly(call);
        CHECK(odd_launches == 1 + ((odd == REJECTS_AND_LEAVES || odd == REJECTS_TWICE) && is_odd));
        CHECK(odd_result.status == (odd == NO_WORK && is_odd ? AUTOTUNE_ERR_ARGUMENT : rejects ? AUTOTUNE_REJECTED
                                    : odd >= REJECTS_AND_LEAVES && odd != REJECTS_TWICE && is_odd ? AUTOTUNE_ERR_LEFT
                                    : odd == REJECTS_TWICE && is_odd ? AUTOTUNE_REJECTED : AUTOTUNE_OK));
        if (odd == NO_WORK && is_odd) CHECK(last_error_has(".work is -1: it is a number above 0; the earlier value"));
    }
    CHECK(call > ODD_CALL + 5 && call < 2000);
    outcomes(rank)[odd].tile = (int)odd_result.index;
    outcomes(rank)[odd].calls = call;
}
static void one_odd_call_is_no_end(void) {
    for (int i = 0; i < ODDITIES; i++) {
        odd = (oddity)i;
        run_ranks(2, 600, be_odd_once);
        CHECK(outcomes(0)[i].tile == outcomes(1)[i].tile && outcomes(0)[i].calls == outcomes(1)[i].calls);
        /* the best tile, or the second best if the rank left a call of the best tile */
        CHECK(outcomes(0)[i].tile >= 4 || odd == LEAVES_TWICE);
        CHECK(!strstr(shared->log[0], "no longer measure the same calls"));
    }
}

/* On one rank, the first call of the best tile takes very long. One slow call of one rank excludes no configuration. */
static void be_interrupted(int rank, int count) {
    enum { FAST = 4 };
    autotune_result result = {.cache_hit = false};
    int of_fast = 0;
    begin(rank, count);
    for (int call = 0; call < 2000 && !result.cache_hit; call++)
        AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, TILES - 1, 1)), .name = "interrupted", .backend = &own_clock,
                       .ranks = &ranks, .mode = AUTOTUNE_ONLINE, .result = &result) {
            of_fast += tile == FAST;
            spend((uint64_t)(tile != FAST ? 2 : of_fast == 1 && rank == 1 ? 60 : 1) * MILLISECOND);
        }
    CHECK(result.cache_hit && result.index == FAST);
}
static void one_interrupted_call_excludes_none(void) { run_ranks(2, 600, be_interrupted); }

/* ---- Created tuners, and SELECT ---------------------------------------------------------------------------------- */

static autotune_status launch_created(void *user, const autotune_config *config) {
    (void)user;
    spend(1000000 * (uint64_t)(1 + (autotune_get_int(config, "tile") + own_rank) % 5));
    return AUTOTUNE_OK;
}
static void call_created(int rank, int count) {
    static const int64_t tiles[] = {0, 1, 2, 3, 4};
    const autotune_axis axis = {.name = "tile", .values = tiles, .count = 5};
    const autotune_desc description = {.name = "created", .axes = &axis, .axis_count = 1, .launch = launch_created};
    autotune_result result;
    int called = 0;
    begin(rank, count);
    autotune_options options = {.backend = &own_clock, .ranks = &ranks, .result = &result};
    autotune_tuner *tuner = autotune_create(&description);
    CHECK(autotune_tune(tuner, &options) == AUTOTUNE_OK && result.tried == 5);
    const int64_t tile = autotune_get_int(&result.config, "tile");
    const int before = exchanged();
    CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK && result.cache_hit && exchanged() == before);
    outcomes(rank)[0].tile = (int)tile;
    for (int key = 0; key < 3; key++) {
        options.key = KEY(key);
        CHECK(autotune_add(tuner, &options) == AUTOTUNE_OK);
    }
    CHECK(autotune_tune_all() == AUTOTUNE_OK);
    CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK && result.cache_hit);
    autotune_step step;
    CHECK(autotune_step_begin(tuner, &options, &step) == AUTOTUNE_ERR_ARGUMENT);
    CHECK(last_error_has("steps are measured by one rank alone"));
    options.key = KEY(3);
    options.mode = AUTOTUNE_ONLINE;
    CHECK(autotune_call(tuner, &options) == AUTOTUNE_OK && result.launches == 1);
    CHECK(result.verdict == AUTOTUNE_ONGOING);
    autotune_destroy(tuner);
    AUTOTUNE_SELECT((.name = "select", .backend = &own_clock, .ranks = &ranks), (spend(3000000), called = 1),
                    (spend(rank ? 5000000 : 1000000), called = 2));
    CHECK(called == 1);
    CHECK(autotune_shutdown() == AUTOTUNE_OK);
}
static void created_tuners_agree(void) {
    run_ranks(3, 600, call_created);
    for (int r = 1; r < 3; r++) CHECK(outcomes(r)[0].tile == outcomes(0)[0].tile);
}

/* ---- Audits ------------------------------------------------------------------------------------------------------ */

static void audit(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    setenv("AUTOTUNE_MODE", "audit", 1);
    more.agree = agreement;
    const outcome seen = tune(1);
    const bool together = agreement != AUTOTUNE_FIRST;          /* with FIRST, rank 0 launches in a child */
    CHECK(seen.status == AUTOTUNE_OK && seen.calls == 1 && seen.tile == 0);
    CHECK(rank || (together ? seen.trials >= 3 : !seen.trials));
    CHECK(tune(1).hit);
    const bool named_alone = together || ADDRESS_SANITIZED || THREAD_SANITIZED;
    CHECK(rank || strstr(shared->log[0], named_alone ? "nothing is compared after 3 launches" : "a second launch "));
}
static void audits_agree(void) {
    static const autotune_agreement all[] = {AUTOTUNE_TOGETHER, AUTOTUNE_FIRST, AUTOTUNE_DIVIDED};
    for (int i = 0; i < 3; i++) {
        agreement = all[i];
        run_ranks(2, 600, audit);
    }
}

/* ---- Pins -------------------------------------------------------------------------------------------------------- */

/* a pin without a tile leaves several configurations, which are raced */
static const char *pin_of_rank_0, *pin_of_rank_1;
static void tune_pinned(int rank, int count) {
    begin(rank, count);
    cost = ascending;
    if (rank ? pin_of_rank_1 : pin_of_rank_0) setenv("AUTOTUNE_USE", rank ? pin_of_rank_1 : pin_of_rank_0, 1);
    outcomes(rank)[0] = tune(1);
    CHECK(outcomes(rank)[0].status == AUTOTUNE_OK && outcomes(rank)[0].calls == 1);
    outcomes(rank)[1] = tune(1);
    CHECK(outcomes(rank)[1].hit);
    exit(EXIT_SUCCESS);     /* not _exit(): exit() reports a pin that no tuner fits */
}
static void pins_of_rank_0_count(void) {
    static const struct { const char *own, *other; int tile; } cases[] = {
        {"stencil=tile=4", NULL, 4},
        {"absent=first;stencil=tile=3", "absent=first;stencil=tile=5", 3},
        {NULL, "stencil=tile=5", -1},
        {"stencil=tile!=0", "stencil=tile!=1", -1},
        {"stencil=tile=77", NULL, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pin_of_rank_0 = cases[i].own;
        pin_of_rank_1 = cases[i].other;
        run_ranks(2, 600, tune_pinned);
        CHECK((strstr(shared->log[0], "no tuner fits 'absent'") != NULL) == (i == 1));
        CHECK(!*shared->log[1]);               /* only rank 0 logs */
        for (int r = 0; r < 2; r++) {
            CHECK(outcomes(r)[0].tile == outcomes(0)[0].tile && outcomes(r)[1].tile == outcomes(0)[0].tile);
            CHECK(i != 3 || outcomes(r)[0].tile == 1);
            CHECK(cases[i].tile < 0 ? outcomes(r)[0].trials > 0
                                    : outcomes(r)[0].tile == cases[i].tile && outcomes(r)[0].trials == 0);
        }
    }
}

/* ---- A coarse clock ---------------------------------------------------------------------------------------------- */

enum { STEP_NS = 100000 };
static uint64_t stepwise_now(autotune_backend *self) {
    const uint64_t ns = virtual_now(self);
    return ns - ns % STEP_NS;
}
static void tell_step(autotune_backend *self, double *resolution_ns, double *cost_ns) {
    (void)self;
    *resolution_ns = STEP_NS;
    *cost_ns = 0;
}
static void tune_by_steps(int rank, int count) {
    autotune_result result;
    begin(rank, count);
    own_clock.now = stepwise_now;
    own_clock.calibrate = tell_step;
    for (int known = 0; known < 2; known++) {
        AUTOTUNE(SPACE(RANGE(tile, 0, 7, 1)), 1, spend(20000 + 3000 * (uint64_t)(7 - tile)), .name = "steps",
                 .backend = &own_clock, .ranks = &ranks, .agree = agreement, .result = &result);
        CHECK(result.index == 7 && result.cache_hit == (known == 1));
    }
}
static void the_step_of_a_clock_is_known_to_all(void) {
    const autotune_agreement agreements[] = {AUTOTUNE_TOGETHER, AUTOTUNE_DIVIDED};
    for (int i = 0; i < 2; i++) {
        agreement = agreements[i];
        run_ranks(2, 60, tune_by_steps);
    }
}

/* ---- Guesses ----------------------------------------------------------------------------------------------------- */

/* For each key another tile is the best. Tile 5 is nearly the best for all keys. On rank 1 all tiles take twice as
   long. */
static uint64_t best_by_key(int rank, int key, int tile) {
    const uint64_t alone = tile == 5 ? 1100 : tile == key / 10 % 5 ? 1000 : 3000;
    return rank ? 2 * alone : alone;
}
static autotune_status tune_alone(int key) {    /* without .ranks: only this rank knows the winner */
    static autotune_backend clock;
    autotune_result result;
    outcome seen = {.tile = -1};
    clock = own_clock;
    AUTOTUNE(SPACE(RANGE(tile, 0, TILES - 1, 1)), 1, launch(&seen, key, autotune_trial, tile), .name = "alone",
             .key = KEY(key), .backend = &clock, .result = &result);
    return result.status;
}
static autotune_status hear_of_another(int rank, int key, int tile, bool trial) {
    (void)tile;
    return rank == 1 && key == 116 && !trial ? tune_alone(8) : AUTOTUNE_OK;
}
static void guess_together(int rank, int count) {
    begin(rank, count);
    cost = best_by_key;
    more.agree = agreement;
    for (int key = 100; key <= 120; key += 10) CHECK(tune(key).tile == key / 10 % 5);
    if (rank == 0) more.unseen = AUTOTUNE_GUESS;
    outcomes(rank)[0] = tune(114);
    CHECK(outcomes(rank)[0].tile == 5 && !outcomes(rank)[0].trials && outcomes(rank)[0].calls == 1);
    if (rank == 1) CHECK(tune_alone(7) == AUTOTUNE_OK);
    const int before = exchanged();
    CHECK(tune(114).tile == 5 && tune(114).hit && exchanged() == before);
    answer = hear_of_another;                   /* while the guess is launched, rank 1 tunes another key */
    CHECK(tune(116).tile == 5);
    answer = NULL;
    const int asked = exchanged();
    CHECK(tune(116).tile == 5 && tune(116).hit && exchanged() == asked);
    CHECK(tune(300).tile == 0);                 /* no key is near, so the key is raced */
    CHECK(tune(114).tile == 5);
    CHECK(autotune_clear("stencil", NULL, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    more.unseen = AUTOTUNE_RACE;
    CHECK(tune(114).tile == 1);
}
static void rank_0_guesses(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a += AUTOTUNE_DIVIDED - AUTOTUNE_TOGETHER) {
        agreement = (autotune_agreement)a;
        run_ranks(2, 600, guess_together);
    }
}
/* ---- In use ------------------------------------------------------------------------------------------------------ */

static bool raced;
static uint64_t longer_in_use(int rank, int key, int tile) {
    (void)rank, (void)key;
    return (raced ? 5000 : 1000) + 100 * (uint64_t)tile;
}
static void use_for_long(int rank, int count) {
    begin(rank, count);
    setenv("AUTOTUNE_LOG", "winner", 1);
    cost = longer_in_use;
    more.agree = agreement;
    CHECK(tune(1).status == AUTOTUNE_OK);
    raced = true;
    const int before = exchanged();
    for (int i = 0; i < 10; i++) CHECK(tune(1).hit);
    CHECK(exchanged() == before);
}
/* Each rank times its own calls in use. Only rank 0 logs that they differ from the race. */
static void rank_0_tells_of_calls_in_use(void) {
    for (int a = AUTOTUNE_TOGETHER; a <= AUTOTUNE_DIVIDED; a++) {
        agreement = (autotune_agreement)a;
        run_ranks(3, 600, use_for_long);
        for (int r = 0; r < 3; r++) CHECK(!strstr(shared->log[r], "a call in use, 5.00 x what") == (r > 0));
    }
}

int main(void) {
    static const plain_test tests[] = {
        {"winners_are_equal", winners_are_equal},
        {"the_slowest_decides", the_slowest_decides},
        {"one_rank_may_have_the_work", one_rank_may_have_the_work},
        {"screens_are_divided", screens_are_divided},
        {"parts_may_fail", parts_may_fail},
        {"any_space_may_be_divided", any_space_may_be_divided},
        {"parts_may_last_long", parts_may_last_long},
        {"time_may_be_over", time_may_be_over},
        {"failures_are_shared", failures_are_shared},
        {"a_wrong_first_configuration_is_told", a_wrong_first_configuration_is_told},
        {"one_rank_retires_nothing", one_rank_retires_nothing},
        {"nor_in_the_call_for_real", nor_in_the_call_for_real},
        {"clocks_that_do_not_start_are_shared", clocks_that_do_not_start_are_shared},
        {"another_key_is_a_sentence", another_key_is_a_sentence},
        {"differences_are_told", differences_are_told},
        {"ranks_that_differ_seldom_compare", ranks_that_differ_seldom_compare},
        {"another_space_is_a_sentence", another_space_is_a_sentence},
        {"who_cannot_is_not_waited_for", who_cannot_is_not_waited_for},
        {"a_body_that_is_left_ends_all", a_body_that_is_left_ends_all},
        {"lists_are_compared_before_a_call", lists_are_compared_before_a_call},
        {"a_broadcast_that_fails_begins_no_race", a_broadcast_that_fails_begins_no_race},
        {"ranks_without_functions_are_a_sentence", ranks_without_functions_are_a_sentence},
        {"waiting_is_said", waiting_is_said},
        {"waiting_for_ranks_that_may_communicate_is_said", waiting_for_ranks_that_may_communicate_is_said},
        {"together_is_not_isolated", together_is_not_isolated},
        {"groups_agree_apart", groups_agree_apart},
        {"groups_agree_apart_online", groups_agree_apart_online},
        {"statements_nest", statements_nest},
        {"two_threads_are_a_sentence", two_threads_are_a_sentence},
        {"a_second_thread_online_is_a_sentence", a_second_thread_online_is_a_sentence},
        {"trials_of_one_rank_call_nobody", trials_of_one_rank_call_nobody},
        {"children_go_on_alone", children_go_on_alone},
        {"modes_agree", modes_agree},
        {"a_refused_winner_waits_for_no_rank", a_refused_winner_waits_for_no_rank},
        {"online_races_agree", online_races_agree},
        {"online_races_end_alike", online_races_end_alike},
        {"one_odd_call_is_no_end", one_odd_call_is_no_end},
        {"one_interrupted_call_excludes_none", one_interrupted_call_excludes_none},
        {"the_environment_sets_online", the_environment_sets_online},
        {"created_tuners_agree", created_tuners_agree},
        {"audits_agree", audits_agree},
        {"pins_of_rank_0_count", pins_of_rank_0_count},
        {"the_step_of_a_clock_is_known_to_all", the_step_of_a_clock_is_known_to_all},
        {"rank_0_guesses", rank_0_guesses},
        {"rank_0_tells_of_calls_in_use", rank_0_tells_of_calls_in_use},
    };
    share_run();
    setenv("AUTOTUNE_CACHE", "off", 1);
    return RUN_PLAIN_TESTS(tests);
}
