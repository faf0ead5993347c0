/* plain_reentry.c - tuned statements inside tuned statements, all on one thread: recursion, nesting, calls from
   callbacks, from the call for real and from hits. The inner statement is tuned. The outer trial that it
   disturbed is repeated. Each statement finds its own winner. */
#include "plain.h"

#define MEASURED .backend = &kernel_clock, .max_seconds = 1e6
static autotune_backend kernel_clock;

/* The effects of one statement. */
typedef struct seen {
    autotune_result result;
    int trials, calls, value;
} seen;
static const seen nothing_yet;

static void launch(seen *s, bool trial, int value, uint64_t milliseconds) {
    spend(milliseconds * MILLISECOND);
    if (trial)
        s->trials++;
    else
        s->calls++, s->value = value;
}
static bool called(const seen *s, int value) {
    return s->calls == 1 && s->value == value && s->result.status == AUTOTUNE_OK;
}
static bool tuned(const seen *s, int value) {
    return called(s, value) && s->trials > 0 && !s->result.cache_hit && s->result.failed == 0;
}
static bool hit(const seen *s, int value) { return called(s, value) && s->trials == 0 && s->result.cache_hit; }

/* ---- Races inside of trials. A race of the inner statement takes far longer than a launch of the outer statement - */

enum { SLOW = 1, QUICK = 2, NEITHER_IS_REJECTED = 3, DEAR = 1000 };
static seen costly(int key) {
    seen s = nothing_yet;
    AUTOTUNE(SPACE(AXIS(way, SLOW, QUICK)), 1,
             launch(&s, autotune_trial, way, autotune_trial ? DEAR * (way == SLOW ? 2 : 1) : 1), .key = KEY(key),
             MEASURED, .result = &s.result);
    return s;
}

/* The inner race runs in the first trial of the best outer configuration, which is not tried first. A trial that is far
   slower than an earlier trial ends its configuration's race. So without the repetition the best configuration would
   lose. */
static void a_disturbed_trial_is_repeated(void) {
    seen outer = nothing_yet, inner = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
        if (tile == 32) {
            const seen now = costly(0);
            if (inner.calls == 0) inner = now;
        }
        launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 5);
    }
    CHECK(tuned(&inner, QUICK) && tuned(&outer, 32));
    /* 1 ms of the outer launch and 1 ms of the inner call: a hit takes as long as its launch */
    CHECK(outer.result.median_ns == 2 * MILLISECOND);
}
/* In the first trial of each configuration, an inner race runs. */
static void every_first_trial_is_disturbed(void) {
    seen outer = nothing_yet;
    int raced = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32, 64, 128)), MEASURED, .result = &outer.result) {
        const seen inner = costly(tile);
        CHECK(tuned(&inner, QUICK) || hit(&inner, QUICK));
        raced += inner.trials > 0;
        launch(&outer, autotune_trial, tile, tile == 64 ? 1 : 5);
    }
    CHECK(raced == 4 && tuned(&outer, 64) && outer.result.median_ns == 2 * MILLISECOND);
}
/* An inner race runs in each trial. The outer race must end nevertheless. */
static void a_trial_that_is_always_disturbed_ends(void) {
    seen outer = nothing_yet;
    int key = 1000;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
        const seen inner = costly(key++);
        CHECK(tuned(&inner, QUICK));
        launch(&outer, autotune_trial, tile, 1);
    }
    CHECK(outer.calls == 1 && outer.result.status == AUTOTUNE_OK && outer.trials > 0);
}

/* ---- Each of the three kinds of statement within each other ------------------------------------------------------ */

static void add(seen *s, bool trial, int value, uint64_t milliseconds, int *sum) {
    launch(s, trial, value, milliseconds), *sum += 1;
}

static void every_statement_in_every_other(void) {
    for (int again = 0; again < 2; again++) {
        seen call = nothing_yet, block = nothing_yet, one = nothing_yet, deepest = nothing_yet;
        int sum = 0;
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), .restore = BUFFERS({&sum, sizeof sum}), MEASURED,
                       .result = &block.result) {
            call = one = deepest = nothing_yet;
            AUTOTUNE(SPACE(AXIS(unroll, 1, 2)), 1, add(&call, autotune_trial, unroll, unroll == 2 ? 2 : 9, &sum),
                     .restore = BUFFERS({&sum, sizeof sum}), .key = KEY(tile), MEASURED, .result = &call.result);
            AUTOTUNE_SELECT((.key = KEY(tile), .restore = BUFFERS({&sum, sizeof sum}), MEASURED, .result = &one.result),
                            add(&one, autotune_trial, 1, 9, &sum), add(&one, autotune_trial, 2, 9, &sum),
                            add(&one, autotune_trial, 3, 2, &sum));
            AUTOTUNE_BLOCK(SPACE(AXIS(depth, 1, 2)), .key = KEY(tile), .restore = BUFFERS({&sum, sizeof sum}),
                           MEASURED) {
                deepest = nothing_yet;
                AUTOTUNE(SPACE(AXIS(step, 1, 2)), 1, add(&deepest, autotune_trial, step, step == 1 ? 2 : 9, &sum),
                         .key = KEY(depth, tile), .restore = BUFFERS({&sum, sizeof sum}), MEASURED,
                         .result = &deepest.result);
                CHECK(called(&deepest, 1));
            }
            CHECK(called(&call, 2) && called(&one, 3));
            add(&block, autotune_trial, tile, tile == 32 ? 1 : 20, &sum);
        }
        CHECK(again ? hit(&block, 32) : tuned(&block, 32));
        CHECK(sum == 4); /* each inner statement and the block itself ran once for real */
        CHECK(again ? hit(&call, 2) && hit(&one, 3) && hit(&deepest, 1) : true);
    }
}

/* ---- Recursion --------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 5 };
static seen at_depth[DEEPEST + 1];
static int best_at(int depth) { return depth % 2 ? 16 : 32; }

/* Each depth has its own key. It is tuned in a trial of the depth above, except depth 0. */
static int descend(int depth) {
    int sum = 0;
    seen *s = &at_depth[depth], mine = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), .key = KEY(depth), .restore = BUFFERS({&sum, sizeof sum}), MEASURED,
                   .result = &mine.result) {
        launch(&mine, autotune_trial, tile, tile == best_at(depth) ? 1 : 9);
        sum += depth + (depth < DEEPEST ? descend(depth + 1) : 0);
    }
    CHECK(called(&mine, best_at(depth)));
    if (mine.trials) *s = mine;
    return sum;
}
static void recursion_with_a_key_for_each_depth(void) {
    for (int again = 0; again < 3; again++) CHECK(descend(0) == 0 + 1 + 2 + 3 + 4 + 5);
    for (int depth = 0; depth <= DEEPEST; depth++) CHECK(tuned(&at_depth[depth], best_at(depth)));
}

/* A statement calls itself with the same key. In a trial the winner is not known yet. In the call for real and in hits
   the winner is known. */
static seen same_key_inside;
static int descend_same_key(int depth, seen *s) {
    int sum = 0;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), .restore = BUFFERS({&sum, sizeof sum}), MEASURED, .result = &s->result) {
        launch(s, autotune_trial, tile, tile == 32 ? 1 : 9);
        sum++;
        if (depth > 0) {
            seen inner = nothing_yet;
            sum += descend_same_key(depth - 1, &inner);
            if (autotune_trial)
                same_key_inside = inner;
            else
                CHECK(hit(&inner, 32));
        }
    }
    return sum;
}
static void recursion_on_the_same_key(void) {
    seen s = nothing_yet;
    CHECK(descend_same_key(1, &s) == 2 && tuned(&s, 32));
    /* the inner call launches the first configuration, and remembers no winner */
    CHECK(called(&same_key_inside, 16) && same_key_inside.trials == 0);
    CHECK(!same_key_inside.result.cache_hit && same_key_inside.result.verdict == AUTOTUNE_DEFAULT);
    s = nothing_yet;
    CHECK(descend_same_key(3, &s) == 4 && hit(&s, 32));
}

/* ---- Tuned calls at places where no trial is timed: in callbacks, in the call for real, in a hit ----------------- */

static int setups, verifications;
static void tuned_setup(void *user, const autotune_config *config) {
    (void)config;
    const seen s = costly(2000);
    CHECK(tuned(&s, QUICK) || hit(&s, QUICK));
    *(int *)user = 1;
    setups++;
}
static bool tuned_verification(void *user, const autotune_config *config) {
    (void)config;
    const seen s = costly(2001);
    CHECK(tuned(&s, QUICK) || hit(&s, QUICK));
    verifications++;
    return *(int *)user == 1;
}
static void callbacks_may_be_tuned(void) {
    for (int again = 0; again < 2; again++) {
        seen s = nothing_yet;
        int ready = 0;
        AUTOTUNE(SPACE(AXIS(tile, 16, 32)), 1, launch(&s, autotune_trial, tile, tile == 16 ? 1 : 5), MEASURED,
                 .result = &s.result, .user = &ready, .setup = tuned_setup, .verify = tuned_verification);
        CHECK(again ? hit(&s, 16) && !ready : tuned(&s, 16) && ready);
        CHECK(again || s.result.median_ns == MILLISECOND); /* the median has no time of the callbacks */
    }
    CHECK(setups >= 2 && verifications == 2);
}
static void the_call_for_real_may_hold_the_first_call_of_another(void) {
    seen outer = nothing_yet, inner = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
        launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 5);
        if (!autotune_trial) inner = costly(3000);
    }
    CHECK(tuned(&outer, 32) && tuned(&inner, QUICK));
}
static void a_hit_may_hold_the_first_call_of_another(void) {
    for (int again = 0; again < 3; again++) {
        seen outer = nothing_yet, inner = nothing_yet;
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
            launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 5);
            if (again > 0) inner = costly(4000);
        }
        CHECK(again ? hit(&outer, 32) : tuned(&outer, 32));
        if (again > 0) CHECK(again == 1 ? tuned(&inner, QUICK) : hit(&inner, QUICK));
    }
}

/* ---- AUTOTUNE_REJECT belongs to the innermost trial -------------------------------------------------------------- */

static seen rejecting(int key, int rejected) { /* rejected: the configuration that is rejected. 0: all are */
    seen s = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(way, SLOW, QUICK)), .key = KEY(key), MEASURED, .result = &s.result) {
        launch(&s, autotune_trial, way, way == QUICK ? 1 : 5);
        if (way == rejected || !rejected) {
            (void)AUTOTUNE_REJECT("not this way: %d", way);
            continue;
        }
    }
    return s;
}
static void an_inner_rejection_stays_inside(void) {
    seen outer = nothing_yet, first_inner = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
        const seen inner = rejecting(tile, QUICK);
        CHECK(called(&inner, SLOW));
        if (inner.trials && tile == 16) first_inner = inner;
        launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 50);
    }
    CHECK(tuned(&outer, 32));
    CHECK(first_inner.result.failed == 1 && first_inner.result.tried == 2);
}
static void an_inner_failure_stays_inside(void) {
    seen outer = nothing_yet;
    size_t failed = 0; /* if all configurations of a key failed, its later calls try nothing */
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32)), MEASURED, .result = &outer.result) {
        const seen inner = rejecting(100, 0);
        CHECK(inner.calls == 0 && inner.result.status == AUTOTUNE_ERR_ALL_FAILED);
        failed += inner.result.failed;
        launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 50);
    }
    CHECK(tuned(&outer, 32) && failed == 2);
}
static void after_an_inner_statement_it_is_the_outer_trial_again(void) {
    seen outer = nothing_yet;
    AUTOTUNE_BLOCK(SPACE(AXIS(tile, 16, 32, 64)), MEASURED, .result = &outer.result) {
        const seen inner = rejecting(200 + tile, NEITHER_IS_REJECTED);
        CHECK(called(&inner, QUICK) && inner.result.failed == 0);
        launch(&outer, autotune_trial, tile, tile == 32 ? 1 : 50);
        if (tile == 32) {
            (void)AUTOTUNE_REJECT("not this tile");
            continue;
        }
    }
    CHECK(called(&outer, 16) && outer.result.failed == 1 && outer.result.tried == 3);
}

int main(void) {
    static const plain_test tests[] = {
        {"a disturbed trial is repeated", a_disturbed_trial_is_repeated},
        {"every first trial is disturbed", every_first_trial_is_disturbed},
        {"a trial that is always disturbed ends", a_trial_that_is_always_disturbed_ends},
        {"every statement in every other", every_statement_in_every_other},
        {"recursion with a key for each depth", recursion_with_a_key_for_each_depth},
        {"recursion on the same key", recursion_on_the_same_key},
        {"callbacks may be tuned", callbacks_may_be_tuned},
        {"the call for real may hold the first call of another", the_call_for_real_may_hold_the_first_call_of_another},
        {"a hit may hold the first call of another", a_hit_may_hold_the_first_call_of_another},
        {"an inner rejection stays inside", an_inner_rejection_stays_inside},
        {"an inner failure stays inside", an_inner_failure_stays_inside},
        {"after an inner statement it is the outer trial again", after_an_inner_statement_it_is_the_outer_trial_again},
    };
    kernel_clock = virtual_backend("kernel clock");
    return RUN_PLAIN_TESTS(tests);
}
