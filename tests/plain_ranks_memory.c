/* plain_ranks_memory.c - one rank runs out of memory, in each run at another allocation. No rank waits for ever. Either
   all ranks make their call or none does, all with the same status, and the messages name this cause. When memory is
   available again, the ranks agree. */
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "opened.h"
#include "forked_ranks.h"

static autotune_agreement agree;
static autotune_mode mode;
static bool communicates;     /* in each call the ranks exchange a value... */
static autotune_ranks beside; /* ...in this group */
static bool fails_again;      /* after a failure, the first allocation after the next call for real fails, too */
static int failing_rank;
static long failing_allocation;
enum { CALLS = 6 };
typedef struct outcome {
    autotune_status status;
    int calls, tile;
    bool failed, hit, blames_where;
} outcome;
static outcome *outcomes(int rank) { return (outcome *)(void *)shared->results + CALLS * rank; }

static outcome tune(autotune_ranks *ranks, autotune_backend *own_clock) {
    outcome seen = {.tile = -1};
    autotune_result result = {.status = AUTOTUNE_OK};
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 11, 1)), .name = "memory", .backend = own_clock, .ranks = ranks, .agree = agree,
                   .mode = mode, .result = &result) {
        double met = 0;
        spend((uint64_t)(12 - tile) * MILLISECOND);
        if (communicates) CHECK(beside.max(&beside, &met, 1) == AUTOTUNE_OK);
        seen.tile = tile;
        seen.calls += !autotune_trial;
        if (fails_again && own_rank == failing_rank && allocator.failed && !autotune_trial) {
            allocator.until_failure = 0;
            fails_again = false;
        }
    }
    seen.status = result.status;
    seen.blames_where = result.status != AUTOTUNE_OK && mode != AUTOTUNE_ONLINE && last_error_has("out of step");
    seen.hit = result.cache_hit && result.verdict != AUTOTUNE_ONGOING;
    return seen;
}
static void run_out_of_memory(int rank, int count) {
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_ranks ranks = all_ranks(count);
    beside = ranks_of(1, rank, count);
    if (rank == failing_rank) allocator.until_failure = failing_allocation;
    outcomes(rank)[0] = tune(&ranks, &own_clock);
    allocator.until_failure = -1;
    outcomes(rank)[0].failed = allocator.failed;
    for (int call = 1; call < CALLS; call++) outcomes(rank)[call] = tune(&ranks, &own_clock);
}
/* Runs out of memory at the allocation with this number. Returns false if the rank makes fewer allocations. */
static bool fail_at(long allocation) {
    const bool online = mode == AUTOTUNE_ONLINE;
    failing_allocation = allocation;
    run_ranks(2, 60, run_out_of_memory);
    const outcome *own = outcomes(failing_rank), *other = outcomes(1 - failing_rank);
    if (!own[0].failed) return false;
    CHECK(own[0].calls == other[0].calls);
    for (int call = 0; call < CALLS; call++) CHECK(!own[call].blames_where && !other[call].blames_where);
    /* In mode ONLINE, each call has its own status on each rank. In the next call the ranks find out that one of them
       knows less. */
    if (!online) CHECK(own[0].status == other[0].status);
    for (int call = online ? 2 : 1; call < CALLS; call++) {
        CHECK(own[call].status == AUTOTUNE_OK && other[call].status == AUTOTUNE_OK);
        CHECK(own[call].tile == other[call].tile && own[call].calls == 1 && other[call].calls == 1);
    }
    return true;
}

/* Mode ONLINE: one allocation fails, anywhere between the second call and the end of the race. */
static void run_out_later(int rank, int count) {
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_ranks ranks = all_ranks(count);
    beside = ranks_of(1, rank, count);
    int call = 0;
    outcome seen = tune(&ranks, &own_clock);
    if (rank == failing_rank) allocator.until_failure = failing_allocation;
    for (; call < 2000 && !(seen.hit); call++) {
        seen = tune(&ranks, &own_clock);
        /* the status may be an error: that the ranks begin the race again */
        CHECK(seen.calls == 1 && !seen.blames_where);
    }
    seen.failed = allocator.failed;
    seen.calls = call;
    outcomes(rank)[0] = seen;
}
static bool fail_later_at(long allocation) {
    failing_allocation = allocation;
    run_ranks(2, 60, run_out_later);
    const outcome *own = outcomes(failing_rank), *other = outcomes(1 - failing_rank);
    CHECK(own->hit && other->hit && own->tile == other->tile && own->calls == other->calls);
    return own->failed;
}
static void online_later(void) {
    mode = AUTOTUNE_ONLINE;
    for (failing_rank = 0; failing_rank < 2; failing_rank++)
        for (long allocation = failing_rank; fail_later_at(allocation); allocation += 5) {}
}
static void allocations_may_fail(autotune_agreement a, autotune_mode m, long stride) {
    agree = a;
    mode = m;
    for (failing_rank = 0; failing_rank < 2; failing_rank++)
        for (long allocation = failing_rank; fail_at(allocation); allocation += stride) {}
}
static void together(void) { allocations_may_fail(AUTOTUNE_TOGETHER, AUTOTUNE_ON, 3); }
static void after_rank_0(void) { allocations_may_fail(AUTOTUNE_FIRST, AUTOTUNE_ON, 4); }
static void divided(void) { allocations_may_fail(AUTOTUNE_DIVIDED, AUTOTUNE_ON, 4); }
static void online(void) {
    communicates = true;
    allocations_may_fail(AUTOTUNE_TOGETHER, AUTOTUNE_ONLINE, 2);
    communicates = false;
    fails_again = true;
    allocations_may_fail(AUTOTUNE_TOGETHER, AUTOTUNE_ONLINE, 1);
    fails_again = false;
}

/* The keys of the ranks differ, so they are out of step. They compare in the first two calls, and then in every 64th
   call. One allocation fails in one of these calls, or in a call without an exchange. */
static outcome tune_apart(autotune_ranks *ranks, autotune_backend *own_clock) {
    outcome seen = {.tile = -1};
    autotune_result result = {.status = AUTOTUNE_OK};
    AUTOTUNE_BLOCK(SPACE(RANGE(tile, 0, 2, 1)), .name = "apart", .backend = own_clock, .ranks = ranks,
                   .key = KEY(own_rank), .result = &result) {
        seen.calls++;
        seen.tile = tile;
    }
    seen.status = result.status;
    return seen;
}
static int failing_call;
static void run_out_apart(int rank, int count) {
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_ranks ranks = all_ranks(count);
    outcome *seen = outcomes(rank);
    for (int call = 0; call < 70; call++) {
        const int before = shared->exchanges[rank];
        if (call == failing_call && rank == failing_rank) allocator.until_failure = failing_allocation;
        const outcome now = tune_apart(&ranks, &own_clock);
        allocator.until_failure = -1;
        CHECK(now.status != AUTOTUNE_OK && now.tile <= 0 && now.calls <= 1);
        if (shared->exchanges[rank] > before) seen->calls++;
    }
    seen->failed = allocator.failed;
}
static bool apart_fails_at(long allocation) {
    failing_allocation = allocation;
    run_ranks(2, 60, run_out_apart);
    CHECK(outcomes(0)->calls == outcomes(1)->calls && outcomes(0)->calls <= 5);
    return outcomes(failing_rank)->failed;
}
static void apart(void) {
    mode = AUTOTUNE_ON;
    for (failing_call = 1; failing_call <= 65; failing_call += failing_call < 3 ? 1 : 62)
        for (failing_rank = 0; failing_rank < 2; failing_rank++)
            for (long allocation = 0; apart_fails_at(allocation); allocation++) {}
}

/* autotune_agree() shares what rank 0 tuned alone, while one allocation fails. */
static void share_without_memory(int rank, int count) {
    autotune_backend own_clock = virtual_backend("virtual");
    autotune_ranks ranks = all_ranks(count);
    outcome *seen = outcomes(rank);
    if (rank == 0) tune(NULL, &own_clock);
    if (rank == failing_rank) allocator.until_failure = failing_allocation;
    seen->status = autotune_agree(&ranks);
    allocator.until_failure = -1;
    seen->failed = allocator.failed;
    CHECK(seen->status == AUTOTUNE_OK || last_error_has("autotune_agree(): "));
    CHECK(autotune_agree(&ranks) == AUTOTUNE_OK && tune(NULL, &own_clock).hit);
}
static bool sharing_fails_at(long allocation) {
    failing_allocation = allocation;
    run_ranks(2, 60, share_without_memory);
    return outcomes(failing_rank)->failed;
}
static void sharing(void) {
    mode = AUTOTUNE_ON;
    for (failing_rank = 0; failing_rank < 2; failing_rank++)
        for (long allocation = 0; sharing_fails_at(allocation); allocation++) {}
}

int main(void) {
    static const plain_test tests[] = {
        {"together", together},
        {"after_rank_0", after_rank_0},
        {"divided", divided},
        {"online", online},
        {"online_later", online_later},
        {"sharing", sharing},
        {"apart", apart},
    };
    share_run();
    setenv("AUTOTUNE_CACHE", "off", 1);
    return RUN_PLAIN_TESTS(tests);
}
