/* floor_race_answers.c - the race alone: its reactions to the answers to its requests, and to its setup. The tests
   invent the answers: there is no clock, no call site and no cache. */
#include "../../src/race/decide.h"

#include "../expect.h"

enum { MOST = 64 };
static double ns_of[MOST];       /* the time of a launch of each configuration */
static size_t order[MOST], seen; /* the configurations in the order of their first RUNs, and how many there are */
static size_t runs_of[MOST];
static double waited_ns; /* time before the launches of a RUN */

static autotune__limits usual_limits(void) {
    return (autotune__limits){.seconds = 1e9, .screen_seconds = 1e9, .rounds = 60, .share = 0.6};
}
static autotune__race_setup setup_of(size_t points) {
    for (size_t i = 0; i < points; i++) ns_of[i] = 1e6 * (double)(i + 2);
    memset(runs_of, 0, sizeof runs_of);
    seen = 0;
    waited_ns = 0;
    return (autotune__race_setup){.points = points};
}
static autotune__answer answer_to(const autotune__request *request) {
    autotune__answer answer = {.precedence = {.cost = AUTOTUNE__NEVER}};
    if (request->what != AUTOTUNE__RUN_IT) return answer;
    cr_assert(autotune__is_first_launch(request) == (runs_of[request->index] == 0), "configuration %zu",
              request->index);
    if (runs_of[request->index]++ == 0) order[seen++] = request->index;
    answer.elapsed_ns = ns_of[request->index] * request->launches;
    answer.launches = request->launches;
    answer.made = request->launches;
    answer.prepared = request->prepared;
    return answer;
}
/* Carries out requests until the race ends. `change` may change the answer to a RUN. It may be NULL. */
static void carry_out(autotune__race *race, void change(autotune__answer *, const autotune__request *)) {
    double seconds = 0;
    autotune__request request = autotune__decide(race, NULL, 0);
    while (request.what != AUTOTUNE__FINISH) {
        autotune__answer answer = answer_to(&request);
        if (request.what == AUTOTUNE__RUN_IT && change) change(&answer, &request);
        seconds += (waited_ns + answer.elapsed_ns) / 1e9;
        request = autotune__decide(race, &answer, seconds);
    }
}
static const autotune__row *row_of(const autotune__race *race, size_t index) {
    size_t row = 0;
    while (row < autotune__count(race->rows) && race->rows[row].index != index) row++;
    cr_assert(row < autotune__count(race->rows), "configuration %zu has no row", index);
    return &race->rows[row];
}

/* ---- Too many points --------------------------------------------------------------------------------------------- */

/* If WHERE refuses so many points that the space cannot be listed, a race samples it. A verification and an audit do
   not. */
Test(answers, only_a_race_is_sampled_instead) {
    for (size_t i = 0; i < 3; i++) {
        const autotune__limits limits = usual_limits();
        autotune__race_setup setup = setup_of(MOST);
        autotune__race race;
        setup.purpose = i == 0 ? AUTOTUNE__TO_TUNE : i == 1 ? AUTOTUNE__TO_AUDIT : AUTOTUNE__TO_VERIFY;
        autotune__prepare_race(&race, &setup, &limits);
        race.admitted.asked = AUTOTUNE_MAX_POINTS;
        cr_assert(!autotune__ask_for_point(&race));
        cr_assert_eq(autotune__is_sampled(&race), i == 0);
        autotune__free_race(&race);
    }
}

/* ---- The answer to a RUN ----------------------------------------------------------------------------------------- */

static void prepare_and_repeat(autotune__answer *answer, const autotune__request *request) {
    if (autotune__is_first_launch(request)) answer->prepared = 100 + request->index;
    cr_assert(answer->prepared == 100 + request->index, "the race lost what was prepared for %zu", request->index);
    answer->made += 3;
}
Test(answers, a_row_holds_what_its_runs_brought) {
    const autotune__race_setup setup = setup_of(4);
    const autotune__limits limits = usual_limits();
    autotune__race race;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, prepare_and_repeat);
    cr_assert(race.outcome.verdict == AUTOTUNE_SEPARATED && race.rows[race.outcome.winner].index == 0);
    for (size_t index = 0; index < 4; index++) {
        cr_expect(race.rows[autotune__find_row(&race, index)].prepared == 100 + index);
        cr_expect(row_of(&race, index)->launches == 4 * runs_of[index], "configuration %zu", index);
    }
    cr_expect(autotune__first_admitted(&race) == 0);
    autotune__free_race(&race);
}

static char reason[32];
static void fail_odd(autotune__answer *answer, const autotune__request *request) {
    if (request->index % 2 == 0) return;
    snprintf(reason, sizeof reason, "reason %zu", request->index); /* the race has to copy the reason */
    answer->status = AUTOTUNE_FAILED;
    answer->reason = reason;
    answer->made = answer->launches = 0;
}
Test(answers, a_failure_is_filed_with_its_reason_and_never_launched_again) {
    const autotune__race_setup setup = setup_of(6);
    const autotune__limits limits = usual_limits();
    autotune__race race;
    ns_of[1] = 1;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, fail_odd);
    for (size_t index = 1; index < 6; index += 2) {
        const autotune__row *row = row_of(&race, index);
        char expected[32];
        snprintf(expected, sizeof expected, "reason %zu", index);
        cr_expect(autotune__failed(row) && row->status == AUTOTUNE_FAILED && row->launches == 0);
        cr_expect(row->reason && !strcmp(row->reason, expected));
        cr_expect(runs_of[index] == 1);
    }
    cr_expect(race.rows[race.outcome.winner].index == 0);
    autotune__free_race(&race);
}
/* by autotune__decide(), or by autotune__write_answer() if the race is broken off */
Test(answers, an_answer_is_filed_once) {
    const autotune__race_setup setup = setup_of(2);
    const autotune__limits limits = usual_limits();
    autotune__race race;
    autotune__prepare_race(&race, &setup, &limits);
    autotune__request request = autotune__decide(&race, NULL, 0);
    while (request.what == AUTOTUNE__EVALUATE) {
        const autotune__answer answer = answer_to(&request);
        request = autotune__decide(&race, &answer, 0);
    }
    autotune__answer answer = answer_to(&request);
    answer.made = 5;
    answer.note = "a note";
    autotune__write_answer(&race, &answer);
    autotune__write_answer(&race, &answer);
    cr_expect(race.rows[0].launches == 5 && race.runs == 1 && !strcmp(race.rows[0].note, "a note"));
    autotune__free_race(&race);
}

/* ---- Doubts about a winner --------------------------------------------------------------------------------------- */

static size_t stands_still_from, stands_still_for;
static void stand_still(autotune__answer *answer, const autotune__request *request) {
    const size_t run = runs_of[request->index];
    if (run > stands_still_from && run <= stands_still_from + stands_still_for) answer->elapsed_ns = 0;
}
Test(answers, where_the_clock_stands_still_numbers_stay_numbers_and_the_winner_is_in_doubt) {
    size_t doubted = 0;
    for (stands_still_for = 1; stands_still_for <= 32; stands_still_for *= 2)
        for (stands_still_from = 3; stands_still_from <= 30; stands_still_from++) {
            const autotune__race_setup setup = setup_of(3);
            const autotune__limits limits = usual_limits();
            autotune__race race;
            for (size_t i = 0; i < 3; i++) ns_of[i] = 1e6 + 1e3 * (double)i;
            autotune__prepare_race(&race, &setup, &limits);
            carry_out(&race, stand_still);
            const autotune__race_outcome *outcome = &race.outcome;
            cr_assert(autotune__is_finite(outcome->lead.median) && autotune__is_finite(outcome->lead.low) &&
                          autotune__is_finite(outcome->lead.high),
                      "%zu from %zu on: %g, [%g, %g]", stands_still_for, stands_still_from, outcome->lead.median,
                      outcome->lead.low, outcome->lead.high);
            cr_assert((outcome->verdict == AUTOTUNE_UNRELIABLE) == (outcome->doubt != NULL));
            cr_assert(race.rows[outcome->winner].measured > 0 || outcome->doubt != NULL);
            doubted += outcome->doubt != NULL;
            autotune__free_race(&race);
        }
    cr_assert(doubted > 0);
}

/* By the clock, the first launch of the fastest configuration took no time. This excludes no configuration. */
static void stand_still_once(autotune__answer *answer, const autotune__request *request) {
    if (runs_of[request->index] == 1 && request->index == 1) answer->elapsed_ns = 0;
}
Test(answers, one_launch_without_a_time_excludes_nobody) {
    autotune__race race;
    const autotune__race_setup setup = setup_of(8);
    const autotune__limits limits = usual_limits();
    ns_of[6] = 1.5e6;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, stand_still_once);
    for (size_t index = 0; index < 8; index++) cr_expect(runs_of[index] > 1, "configuration %zu", index);
    EXPECT_INT(race.rows[race.outcome.winner].index, 6);
    autotune__free_race(&race);
}

/* First launches that set something up are repeated at once, until eight second launches in a row took as long as the
   first. */
static size_t sets_up_at; /* the first launch of this configuration takes 100 times as long */
static size_t order_of_runs[4 * MOST], run_count;
static void set_up(autotune__answer *answer, const autotune__request *request) {
    order_of_runs[run_count++ % (4 * MOST)] = request->index;
    if (!autotune__is_first_launch(request)) return;
    answer->execution = AUTOTUNE__SETS_UP;
    if (request->index == sets_up_at) answer->elapsed_ns *= 100;
}
Test(answers, a_first_launch_that_sets_something_up_excludes_nobody) {
    for (sets_up_at = 1; sets_up_at < 41; sets_up_at += 13) {
        autotune__race race;
        const autotune__race_setup setup = setup_of(40);
        autotune__limits limits = usual_limits();
        size_t at_once = 0;
        limits.seed = sets_up_at;
        limits.strategy = AUTOTUNE_EXHAUSTIVE;
        run_count = 0;
        if (sets_up_at < 40) ns_of[sets_up_at] = 1.5e6;
        autotune__prepare_race(&race, &setup, &limits);
        carry_out(&race, set_up);
        for (size_t i = 0; i < 45; i++) at_once += order_of_runs[i] == order_of_runs[i + 1];
        if (sets_up_at <= 8) EXPECT_INT(race.rows[race.outcome.winner].index, sets_up_at);
        cr_expect(at_once == 8 + (sets_up_at <= 8 ? sets_up_at + 1 : 0), "%zu are repeated with %zu", at_once,
                  sets_up_at);
        autotune__free_race(&race);
    }
}

static void disturb_every_fourth(autotune__answer *answer, const autotune__request *request) {
    static size_t count;
    (void)request;
    answer->disturbances = ++count % 4 == 0 ? AUTOTUNE__MOST_REPEATS + 1 : AUTOTUNE__MOST_REPEATS;
}
static void spare_the_last(autotune__answer *answer, const autotune__request *request) {
    if (request->index != 3) return;
    answer->execution = AUTOTUNE__SPARED;
    answer->status = AUTOTUNE_FAILED;
    answer->made = answer->launches = 0;
}
static bool same_words(const char *a, const char *b) { return a && b ? !strcmp(a, b) : !a && !b; }
Test(answers, what_the_answers_say_of_the_measurement_is_in_the_verdict) {
    static const struct {
        void (*change)(autotune__answer *, const autotune__request *);
        autotune_verdict verdict;
        const char *doubt, *note;
    } cases[] = {
        {NULL, AUTOTUNE_SEPARATED, NULL, NULL},
        {disturb_every_fourth, AUTOTUNE_SEPARATED, NULL, "more than a tenth of the launches were interrupted"},
        {spare_the_last, AUTOTUNE_UNRESOLVED, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const autotune__race_setup setup = setup_of(4);
        const autotune__limits limits = usual_limits();
        autotune__race race;
        autotune__prepare_race(&race, &setup, &limits);
        carry_out(&race, cases[i].change);
        cr_expect(race.outcome.verdict == cases[i].verdict, "case %zu: verdict %d", i, (int)race.outcome.verdict);
        cr_expect(same_words(race.outcome.doubt, cases[i].doubt), "case %zu: %s", i, race.outcome.doubt);
        cr_expect(same_words(race.outcome.note, cases[i].note), "case %zu: %s", i, race.outcome.note);
        cr_expect(race.rows[race.outcome.winner].index == 0);
        autotune__free_race(&race);
    }
}
Test(answers, time_that_ends_before_all_are_launched_leaves_the_winner_unresolved) {
    const autotune__race_setup setup = setup_of(12);
    autotune__limits limits = usual_limits();
    autotune__race race;
    limits.seconds = 0.01; /* each launch takes 2 ms to 13 ms */
    limits.screen_seconds = 0;
    for (size_t i = 1; i < 12; i++) ns_of[i] = 9e6;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, NULL);
    cr_expect(seen < 12 && race.rows[race.outcome.winner].index == 0);
    cr_expect(race.outcome.verdict == AUTOTUNE_UNRESOLVED, "verdict %d", (int)race.outcome.verdict);
    autotune__free_race(&race);
}
static void lack_memory(autotune__answer *answer, const autotune__request *request) {
    if (request->index == 2) answer->execution = AUTOTUNE__WITHOUT_MEMORY;
}
Test(answers, an_answer_without_memory_ends_the_race_without_a_winner) {
    const autotune__race_setup setup = setup_of(5);
    const autotune__limits limits = usual_limits();
    autotune__race race;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, lack_memory);
    cr_expect(autotune__lacks_memory(&race) && race.outcome.winner == SIZE_MAX && runs_of[2] == 1);
    autotune__free_race(&race);
}

/* ---- What a race knows before it begins -------------------------------------------------------------------------- */

/* A search begins with the cheapest configurations of its group. Cheap points of an earlier group do not count. */
Test(answers, a_search_prefers_what_its_group_has) {
    static const size_t cheapest[] = {7, 5, 99};
    const autotune__answer answer = {.precedence = {.cost = 1}};
    autotune__race race = {.incumbent = SIZE_MAX};
    autotune_search search = {.list = NULL};
    for (size_t i = 3; i <= 7; i++) autotune__enlist(&race, i, &answer);
    race.group.reference = 7;
    for (size_t i = 0; i < 3; i++) cr_assert(AUTOTUNE__PUSH(race.group.order, cheapest[i]));
    autotune__set_count(race.group.order, 2);
    cr_assert(autotune__prefer_points(&race, &search));
    cr_assert(autotune__count(search.preferred) == 3 && search.preferred[0] == 3 && search.preferred[1] == 7 &&
              search.preferred[2] == 5);
    AUTOTUNE__FREE_ARRAY(search.preferred);
    autotune__free_race(&race);
}
/* If a space has too many points to evaluate, it is one group, whatever PRIORITY said of the evaluated points. Its
   first configuration comes first. */
Test(answers, a_space_that_is_sampled_instead_begins_with_its_first_configuration) {
    autotune__race race = {.incumbent = SIZE_MAX, .setup = {.points = 9}, .limits = usual_limits()};
    for (size_t i = 0; i < 3; i++) {
        const autotune__answer answer = {
            .precedence = {.group = i == 2 ? 5 : 1, .cost = i == 2 ? 1 : AUTOTUNE__NEVER}};
        autotune__enlist(&race, i, &answer);
    }
    race.admitted.asked = AUTOTUNE_MAX_POINTS;
    cr_assert(!autotune__ask_for_point(&race));
    cr_assert(autotune__end_evaluating(&race) && autotune__choose_group(&race));
    cr_assert(autotune__count(race.group.order) == 1 && race.group.order[0] == 0);
    cr_assert(!race.admitted.precedences && race.group.without_effect && !autotune__choose_group(&race));
    AUTOTUNE__FREE_ARRAY(race.admitted.points);
    AUTOTUNE__FREE_ARRAY(race.admitted.precedences);
    AUTOTUNE__FREE_ARRAY(race.group.order);
}
/* A winner whose launches became longer is duelled once more, with rows that were cut for shorter times. Samples that a
   row no longer has are not used. */
Test(answers, a_second_duel_is_one_of_rows_that_are_there) {
    autotune__race race = {.incumbent = SIZE_MAX};
    const autotune__row winner = {.measured = 1e6}, cut = {.minimum = 1.05e6, .why = "too slow", .stage = "halving"};
    const autotune__row rows[] = {winner, cut, cut};
    for (size_t i = 0; i < 3; i++) cr_assert(AUTOTUNE__PUSH(race.rows, rows[i]));
    for (size_t i = 0; i < AUTOTUNE__FIRST_LOOK; i++)
        cr_assert(AUTOTUNE__PUSH(race.rows[0].samples, 1.1e6) && AUTOTUNE__PUSH(race.round.pace, 1.1e6));
    cr_assert(AUTOTUNE__PUSH(race.live, 0));
    autotune__set_count(race.rows, 1);
    cr_assert(!autotune__duels_cut_rows(&race, 0));
    autotune__set_count(race.rows, 2);
    cr_assert(autotune__duels_cut_rows(&race, 0));
    cr_assert(autotune__count(race.live) == 2 && race.live[0] == 0 && race.live[1] == 1);
    autotune__free_race(&race);
}
/* The winner's least time is of batches. The least time of a single launch was forgotten. Rows that were cut because of
   the forgotten time are duelled if their least time is shorter by more than launches vary. */
Test(answers, a_second_duel_needs_no_least_time_that_was_forgotten) {
    autotune__race race = {.incumbent = SIZE_MAX};
    const autotune__row winner = {.measured = 1.1e6}, cut = {.minimum = 1.08e6, .why = "too slow", .stage = "screen"};
    cr_assert(AUTOTUNE__PUSH(race.rows, winner) && AUTOTUNE__PUSH(race.rows, cut) && AUTOTUNE__PUSH(race.live, 0));
    for (size_t i = 0; i < AUTOTUNE__FIRST_LOOK; i++)
        cr_assert(AUTOTUNE__PUSH(race.rows[0].samples, 1.1e6) && AUTOTUNE__PUSH(race.round.pace, 1.1e6));
    cr_assert(!autotune__duels_cut_rows(&race, 0));
    race.rows[1].minimum = 1.06e6;
    cr_assert(autotune__duels_cut_rows(&race, 0) && race.live[1] == 1);
    autotune__free_race(&race);
}
/* A configuration that reaches .stop_at_ns twice ends the race at once. Configurations that were far slower are not
   launched again. */
Test(answers, a_goal_that_is_reached_ends_the_screen) {
    const autotune__race_setup setup = setup_of(4);
    autotune__limits limits = usual_limits();
    autotune__race race;
    limits.strategy = AUTOTUNE_EXHAUSTIVE;
    limits.stop_at_ns = 1.5e6;
    ns_of[1] = 50e6;
    ns_of[2] = 1e6;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, NULL);
    cr_assert(race.rows[race.outcome.winner].index == 2 && runs_of[1] == 1 && runs_of[2] == 2 && runs_of[3] == 0);
    autotune__free_race(&race);
}
/* Makes the rows that a race knows before it begins. */
static autotune__prior_row *prior_of(size_t count, const autotune__prior_row *given) {
    autotune__prior_row *rows = NULL;
    for (size_t i = 0; i < count; i++) cr_assert(AUTOTUNE__PUSH(rows, given[i]));
    autotune__sort_prior(rows);
    return rows;
}
/* The points that may be compiled ahead: the order of the race, then the deferred points, and no others. */
Test(answers, what_comes_next_is_known_to_its_end) {
    static const autotune__prior_row suspect = {1, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED};
    static const size_t expected[] = {0, 2, 3, 1};
    autotune__race_setup setup = setup_of(4);
    autotune__limits limits = usual_limits();
    autotune__race race;
    limits.strategy = AUTOTUNE_EXHAUSTIVE;
    for (int some_deferred = 0; some_deferred < 2; some_deferred++) {
        const size_t launched = 1; /* the point of the present request */
        size_t k = 0;
        setup.prior = some_deferred ? prior_of(1, &suspect) : NULL;
        autotune__prepare_race(&race, &setup, &limits);
        autotune__request request = autotune__decide(&race, NULL, 0);
        const autotune__answer admitted = {.precedence = {.cost = AUTOTUNE__NEVER}};
        while (request.what != AUTOTUNE__RUN_IT) request = autotune__decide(&race, &admitted, 0);
        for (; k + launched < 4; k++)
            EXPECT_INT(autotune__upcoming(&race, k), some_deferred ? expected[k + launched] : k + launched);
        for (; k < 9; k++) cr_expect_eq(autotune__upcoming(&race, k), SIZE_MAX, "%zu", k);
        autotune__free_race(&race);
        AUTOTUNE__FREE_ARRAY(setup.prior);
    }
}
Test(answers, deferred_configurations_are_launched_last_and_the_incumbent_first) {
    static const autotune__prior_row given[] = {{9, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED},
                                                {7, AUTOTUNE__NEVER, AUTOTUNE__WON},
                                                {5, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED},
                                                {0, AUTOTUNE__NEVER, AUTOTUNE__DEFERRED}};
    static const size_t deferred[] = {0, 5, 9};
    autotune__race_setup setup = setup_of(12);
    const autotune__limits limits = usual_limits();
    autotune__race race;
    setup.prior = prior_of(4, given);
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, NULL);
    cr_assert(seen == 12 && order[0] == 7);
    for (size_t i = 0; i < 3; i++) cr_expect(order[9 + i] == deferred[i], "place %zu: %zu", 9 + i, order[9 + i]);
    autotune__free_race(&race);
    AUTOTUNE__FREE_ARRAY(setup.prior);
}
/* Eight trials of a group show if there is time for all of its configurations. Trials of an earlier group do not
   count. */
Test(answers, a_lower_group_is_searched_by_its_own_trials) {
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    const autotune__race_setup setup = {.points = 128, .space = &space};
    const autotune__limits limits = usual_limits();
    autotune__race race;
    autotune__add_rule(&space, "a", AUTOTUNE__DOUBLING, 1, 0, 128, AUTOTUNE_I32);
    autotune__add_rule(&space, "b", AUTOTUNE__DOUBLING, 1, 0, 1 << 15, AUTOTUNE_I32);
    autotune__prepare_race(&race, &setup, &limits);
    autotune__request request = autotune__decide(&race, NULL, 0);
    while (request.what != AUTOTUNE__FINISH && autotune__count(race.rows) <= 8 + 8) {
        const bool high = request.index < 8;
        const autotune__answer answer = {.precedence = {.group = 1 + high, .cost = AUTOTUNE__NEVER},
                                         .status = high ? AUTOTUNE_FAILED : AUTOTUNE_OK, .elapsed_ns = 1e6,
                                         .launches = 1, .made = 1};
        if (autotune__count(race.rows) > 8) EXPECT_INT(race.searching.extent, AUTOTUNE__UNDECIDED);
        request = autotune__decide(&race, &answer, 0);
    }
    EXPECT_INT(race.searching.extent, AUTOTUNE__WHOLE);
    autotune__free_race(&race);
    autotune__free_space(&space);
}
/* Before each first launch there is a compilation of a second. So there is time for 20 of 64 configurations, as the
   first eight show. If other threads compile ahead from then on, there is time for all. If these threads do not help,
   there is time for a search. */
static bool shares, helps;
static void compile_first(autotune__answer *answer, const autotune__request *request) {
    waited_ns = !autotune__is_first_launch(request) ? 0 : helps && seen > 8 ? 1e7 : 1e9;
    if (shares) answer->shareable_ns = 0.9 * waited_ns;
}
Test(answers, what_is_compiled_ahead_by_other_threads_leaves_time_for_the_whole_batch) {
    static const struct { bool shares, helps; autotune__extent extent; } cases[] = {
        {false, false, AUTOTUNE__SEARCHED}, {true, true, AUTOTUNE__WHOLE}, {true, false, AUTOTUNE__SEARCHED}};
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__add_rule(&space, "a", AUTOTUNE__DOUBLING, 1, 0, 128, AUTOTUNE_I32);
    autotune__add_rule(&space, "b", AUTOTUNE__DOUBLING, 1, 0, 128, AUTOTUNE_I32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        autotune__race_setup setup = setup_of(64);
        autotune__limits limits = usual_limits();
        autotune__race race;
        setup.space = &space;
        limits.screen_seconds = 20;
        shares = cases[i].shares;
        helps = cases[i].helps;
        autotune__prepare_race(&race, &setup, &limits);
        carry_out(&race, compile_first);
        cr_expect_eq(race.searching.extent, cases[i].extent, "case %zu: %d", i, (int)race.searching.extent);
        if (helps) cr_expect_eq(seen, 64);
        autotune__free_race(&race);
    }
    autotune__free_space(&space);
}
/* There is time for all 64 configurations, whose launches take 2 to 65 ms. But one of the first eight trials is held up
   for 5 s. */
static void hold_up_once(autotune__answer *answer, const autotune__request *request) {
    (void)answer;
    waited_ns = autotune__is_first_launch(request) && seen == 4 ? 5e9 : 0;
}
Test(answers, a_trial_that_was_held_up_does_not_decide_that_there_is_no_time_for_all) {
    autotune__space space = {.points = 1, .located = SIZE_MAX};
    autotune__race_setup setup = setup_of(64);
    autotune__limits limits = usual_limits();
    autotune__race race;
    autotune__add_rule(&space, "a", AUTOTUNE__DOUBLING, 1, 0, 128, AUTOTUNE_I32);
    autotune__add_rule(&space, "b", AUTOTUNE__DOUBLING, 1, 0, 128, AUTOTUNE_I32);
    setup.space = &space;
    limits.screen_seconds = 20;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, hold_up_once);
    cr_expect_eq(race.searching.extent, AUTOTUNE__WHOLE);
    cr_expect_eq(seen, 64);
    autotune__free_race(&race);
    autotune__free_space(&space);
}
/* Eight kernels, each compiled for a second and launched in a millisecond, that differ by less than their noise. */
static void compile_and_vary(autotune__answer *answer, const autotune__request *request) {
    static uint64_t noise;
    if (autotune__is_first_launch(request)) noise = seen;
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    waited_ns = autotune__is_first_launch(request) ? 1e9 : 0;
    answer->elapsed_ns = 1e6 * request->launches * (1 + 0.2 * (double)(noise >> 11) / 9007199254740992.0);
}
Test(answers, a_duel_has_all_its_rounds_where_compiling_took_much_longer_than_launching) {
    autotune__race_setup setup = setup_of(8);
    autotune__limits limits = usual_limits();
    autotune__race race;
    limits.seconds = 2;
    limits.screen_seconds = 20;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, compile_and_vary);
    cr_expect(race.outcome.verdict != AUTOTUNE_UNRESOLVED || autotune__rounds(&race) == limits.rounds, "%zu rounds",
              autotune__rounds(&race));
    cr_expect_gt(autotune__rounds(&race), (size_t)30);
    autotune__free_race(&race);
}
static void wait_and_compile(autotune__answer *answer, const autotune__request *request) {
    if (!autotune__is_first_launch(request)) return;
    answer->unlaunched_seconds = 1.5;
    answer->waited_seconds = 3;
}
Test(answers, a_limit_is_put_off_unless_the_user_gave_it) { /* for waiting to three times its length at most */
    for (int given = 0; given < 2; given++) {
        const autotune__race_setup setup = setup_of(2);
        autotune__limits limits = usual_limits();
        autotune__race race;
        limits.seconds = 2;
        if (given) limits.screen_seconds = 0;
        autotune__prepare_race(&race, &setup, &limits);
        carry_out(&race, wait_and_compile);
        cr_expect(race.limits.seconds == (given ? 2 : 2 + 1.5 + 1.5 + 4), "%g s", race.limits.seconds);
        cr_expect(race.limits.screen_seconds == limits.screen_seconds);
        autotune__free_race(&race);
    }
}
static void expect_what_is_known(autotune__answer *answer, const autotune__request *request) {
    (void)answer;
    cr_expect(request->until_seconds == 2 && !(request->tick_ns > 0));
    cr_expect(autotune__is_first_launch(request) == !(request->expected_ns > 0), "%g ns expected",
              request->expected_ns);
}
Test(answers, a_request_says_what_the_race_knows_of_the_launch) {
    const autotune__race_setup setup = setup_of(3);
    autotune__limits limits = usual_limits();
    autotune__race race;
    limits.seconds = 2;
    limits.screen_seconds = 0;
    autotune__prepare_race(&race, &setup, &limits);
    carry_out(&race, expect_what_is_known);
    autotune__free_race(&race);
}
