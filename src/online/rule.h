/* The rule of an online race: which configuration the next call runs, and what its time means. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "online.h"
#include "incumbent.h"
#include "winner.h"
#include "second_calls.h"

enum { AUTOTUNE__MOST_COMPARED = 32 };

/* ---- The order ---- */

/* Takes a point out of the order. False: it is not there. */
static bool autotune__take_from_order(autotune__race *race, size_t point) {
    const bool found = autotune__move_up(race, point, race->group.next);
    race->group.next += found;
    return found;
}
/* A group begins. The first configuration has its row, even if it is a suspect, which else come after all others: if it
   is of the group, it leads the order. What is tried next was best before, and then what was best for the nearest other
   key. */
static void autotune__online_order(autotune__online *online) {
    autotune__race *race = &online->race;
    race->group.next = 0;
    autotune__move_up_seeds(race, 0);
    (void)autotune__move_up(race, race->incumbent, 0);
    autotune__put_deferred_last(race);
    (void)autotune__take_from_order(race, race->rows[0].index);
    online->stage = AUTOTUNE__GLANCING;
}
/* The points are judged: the race begins with a row for the first configuration. */
static void autotune__online_start(autotune__online *online) {
    autotune__race *race = &online->race;
    if (autotune__is_over(race) ||
        !autotune__has_memory_for(race, autotune__new_row(race, autotune__first_admitted(race)))) {
        online->stage = AUTOTUNE__DECIDED;
        return;
    }
    race->stage = AUTOTUNE__SCREENING;          /* what comes next is known: see autotune__upcoming() */
    online->incumbent = 0;
    autotune__online_order(online);
}
/* The first configuration takes so long for so much work: by that the times in rows are ratios. */
static void autotune__refer_to(autotune__online *online, double reference_ns, double reference_work) {
    autotune__row *first = &online->race.rows[0];
    online->reference_ns = first->minimum = first->measured = reference_ns;
    online->reference_work = reference_work;
    first->launches = 1;                        /* in an earlier run */
}
/* What an earlier run of the program found out, and could not end: a configuration takes `ratio` times what the first
   one does, as so many calls showed; AUTOTUNE__NEVER: it failed. It counts as glanced at. Points that are not in the
   order are left out. */
static void autotune__restore_row(autotune__online *online, size_t point, double ratio, size_t calls) {
    autotune__race *race = &online->race;
    autotune__row *row;
    if (!autotune__take_from_order(race, point) || !autotune__new_row(race, point)) return;
    row = &race->rows[autotune__count(race->rows) - 1];
    row->launches = calls;
    if (!autotune__is_definite(ratio)) {
        row->status = AUTOTUNE_FAILED;
        row->reason = autotune__copy_string("failed in an earlier run");
        online->failed++;
        return;
    }
    row->measured = row->minimum = ratio * online->reference_ns;
}
/* The point of a configuration that was never tried; SIZE_MAX: none is left. Suspects come after all others. */
static size_t autotune__untried(autotune__race *race) {
    const autotune__group *group = &race->group;
    if (autotune__lacks_trials(race)) {
        race->left_out = AUTOTUNE__LACKS_TRIALS;
        return SIZE_MAX;
    }
    return group->next < autotune__count(group->order) ? group->order[group->next] : SIZE_MAX;
}

/* ---- Comparing ---- */

/* The survivors are compared. */
static void autotune__compare_survivors(autotune__online *online) {
    autotune__race *race = &online->race;
    if (autotune__count(race->live) == 1 && !autotune__finds_rival(race)) {     /* all others failed */
        autotune__online_finish(online, race->live[0], AUTOTUNE_SEPARATED);
        autotune__conclude_online(online);
        return;
    }
    online->stage = AUTOTUNE__COMPARING;
    race->stage = AUTOTUNE__SURVIVORS_FOUND;
    (void)autotune__decide(race, NULL, 0);
}
/* Is a row among those that are raced now? The order begins with what was tried before. */
static bool autotune__competes(const autotune__race *race, size_t row) {
    if (autotune__failed(&race->rows[row])) return false;
    if (row > 0) return row >= race->group.first_row;
    return autotune__count(race->group.order) > 0 && race->group.order[0] == race->rows[0].index;
}
/* The glances are over: what is near the best is compared. */
static void autotune__online_compare(autotune__online *online) {
    autotune__race *race = &online->race;
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = 0; row < autotune__count(race->rows); row++) {
        if (!autotune__competes(race, row)) continue;
        if (!AUTOTUNE__PUSH(race->live, row)) return;           /* without memory the next call tries it again */
    }
    if (!autotune__count(race->live)) {         /* a lower PRIORITY, if there is one */
        if (autotune__lacks_trials(race) || !autotune__choose_group(race)) {
            autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
            return;
        }
        race->group.first_row = autotune__count(race->rows);
        autotune__online_order(online);
        return;
    }
    if (!autotune__is_definite(online->second_share)) online->again = autotune__doubtful(online);
    if (online->again != SIZE_MAX) return;
    autotune__keep(race, autotune__contending * autotune__usual_scatter(&online->scatter), AUTOTUNE__MOST_COMPARED);
    autotune__compare_survivors(online);
}
/* ---- Watching ---- */

/* The winner, a row, is published, and its calls are watched from now on. */
static void autotune__start_watching(autotune__online *online, size_t winner) {
    autotune__take_over(online, winner, autotune__online_ratio(online, winner), NULL);
    online->race.outcome.winner = winner;
    online->watch.count = 0;
    online->stage = AUTOTUNE__WATCHING;
}
/* Calls of the winner have changed. Those that came into the duel, which have a median, are compared again with it and
   with the first configuration. What this takes is believed as it was until its own calls show it, so that nothing
   counts as gained. Where there is nothing to compare the race ends without a winner; without memory it goes on. */
static void autotune__compare_again(autotune__online *online) {
    autotune__race *race = &online->race;
    size_t i;
    autotune__set_count(race->live, 0);
    for (i = 0; i < autotune__count(race->rows); i++) {
        autotune__row *row = &race->rows[i];
        const bool came_near = i == 0 || i == online->incumbent || autotune__is_definite(row->median);
        row->calls = row->held_up = 0;
        row->taken = row->capped = 0;
        autotune__set_count(row->samples, 0);
        if (came_near && !autotune__failed(row) && !AUTOTUNE__PUSH(race->live, i)) return;
    }
    if (autotune__count(race->live) < 2) { autotune__online_finish(online, SIZE_MAX, AUTOTUNE_DEFAULT); return; }
    race->outcome.doubt = NULL;
    race->samples = 0;                          /* what the duel of before took does not shorten this one */
    race->incumbent = race->rows[online->incumbent].index;   /* it stays unless another is shown to be faster */
    online->before.winner = SIZE_MAX;
    online->own.count = 0;
    online->least_calls = AUTOTUNE__CALLS_OF_WINNER;
    autotune__compare_survivors(online);
}

/* ---- The next call ---- */

/* Does the gate admit a call of a row that was tried before? What that took may never have been told: the step did not
   end, or the thread did. Such a row is expected to be as slow as one that is new. */
static bool autotune__may_try(const autotune__online *online, size_t row, double work) {
    const double ratio = autotune__online_ratio(online, row),
                 slowness = autotune__is_definite(ratio) ? ratio - 1 : autotune__expected_slowness(&online->gate);
    if (row == 0) return true;
    return row == online->incumbent ? !autotune__rests(online) :
           autotune__gate_admits(&online->gate, slowness * autotune__first_takes(online, work));
}
/* May a configuration be tried that never was? */
static bool autotune__may_enter(const autotune__online *online, size_t point, double work) {
    autotune_backend *backend = online->backend;
    return autotune__gate_admits(&online->gate, autotune__expected_slowness(&online->gate) *
                                                    autotune__first_takes(online, work)) &&
           (!backend || !backend->is_prepared || backend->is_prepared(backend, point));
}
/* Which of those that are being looked at this call tries; SIZE_MAX: none. */
static size_t autotune__glance(autotune__online *online, double work) {
    autotune__race *race = &online->race;
    const bool works = online->incumbent != SIZE_MAX;
    size_t point = autotune__untried(race);
    if (point == SIZE_MAX) {
        autotune__online_compare(online);
        if (works || online->stage != AUTOTUNE__GLANCING) return SIZE_MAX;
        point = autotune__untried(race);        /* of a lower PRIORITY: the call is made with something */
    }
    if (point == SIZE_MAX || (works && !autotune__may_enter(online, point, work))) return SIZE_MAX;
    if (!autotune__new_row(race, point)) return SIZE_MAX;
    race->group.next++;
    return autotune__count(race->rows) - 1;
}
/* The row that this call tries; SIZE_MAX: none, and it is a call of the incumbent. */
static size_t autotune__next_tried(autotune__online *online, double work) {
    const bool rests = online->tried != SIZE_MAX && online->tried != online->incumbent && online->again == SIZE_MAX &&
                       online->stage != AUTOTUNE__COMPARING;
    if (online->incumbent != SIZE_MAX && (rests || !autotune__has_pulse(&online->pulse))) return SIZE_MAX;
    if (online->incumbent != SIZE_MAX && autotune__audit_is_due(online)) return 0;
    if (online->again != SIZE_MAX) return autotune__may_try(online, online->again, work) ? online->again : SIZE_MAX;
    if (online->stage == AUTOTUNE__GLANCING) return autotune__glance(online, work);
    if (online->stage >= AUTOTUNE__PROVING)
        return online->stage == AUTOTUNE__PROVING ? autotune__doubtful(online) : SIZE_MAX;
    return autotune__may_try(online, online->race.row, work) ? online->race.row : SIZE_MAX;
}
/* The row that the next measured call runs. SIZE_MAX: none works; the race is over, or has no memory. */
static size_t autotune__online_next(autotune__online *online, double work) {
    online->tried = online->stage == AUTOTUNE__WATCHING ? SIZE_MAX : autotune__next_tried(online, work);
    online->chosen = online->tried != SIZE_MAX;
    return online->chosen ? online->tried : autotune__row_in_use(online);
}

/* ---- What a call took ---- */

/* After a failure of the incumbent the best of the others comes into use. */
static void autotune__replace_incumbent(autotune__online *online) {
    autotune__race *race = &online->race;
    size_t i, best = SIZE_MAX;
    for (i = 0; i < autotune__count(race->rows); i++)
        if (!autotune__failed(&race->rows[i]) && autotune__is_definite(race->rows[i].minimum) &&
            (best == SIZE_MAX || race->rows[i].minimum < race->rows[best].minimum))
            best = i;
    autotune__take_over(online, best, best == SIZE_MAX ? 1 : autotune__online_ratio(online, best),
                        "what was used before it failed");
}
/* The duel may be over; or all of its finalists have failed, and then the best of the others wins. If it was the second
   one, its winner has to have shown that the one of before is slower: else that stays, and all that was said of it. */
static void autotune__look_at_duel(autotune__online *online) {
    autotune__race *race = &online->race;
    const size_t before = online->before.winner;
    if (online->stage != AUTOTUNE__COMPARING || race->stage == AUTOTUNE__HALVING || race->stage == AUTOTUNE__DUELLING)
        return;
    if (race->stage < AUTOTUNE__HALVING) {
        autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
        return;
    }
    if (before != SIZE_MAX && race->outcome.winner != SIZE_MAX && autotune__works(&race->rows[before])) {
        race->rows[race->outcome.winner].stage = "duel";
        (void)autotune__finish(race, before, race->outcome.verdict);
        if (online->before.verdict != AUTOTUNE_SEPARATED || !(race->outcome.lead < online->before.lead))
            race->outcome = online->before;
    }
    autotune__conclude_online(online);
}
/* A configuration failed, in a call that was counted, or in none. */
static void autotune__online_failed(autotune__online *online, size_t row, const autotune__answer *answer) {
    autotune__race *race = &online->race;
    autotune__row *failed = &race->rows[row];
    const bool compared = online->stage == AUTOTUNE__COMPARING && row == race->row,
               won = online->stage >= AUTOTUNE__PROVING && row == race->outcome.winner;
    online->again = SIZE_MAX;
    online->failed++;
    if (!compared) {
        autotune__remove_live(race, row);
        failed->status = answer->status;
        failed->reason = autotune__copy_string(answer->reason);
    } else (void)autotune__decide(race, answer, 0);
    if (row == online->incumbent) autotune__replace_incumbent(online);
    if (won) {                                  /* the race was over before this call began */
        failed->stage = "screen";
        autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
    }
    autotune__look_at_duel(online);
}
/* A configuration fails without a measured call. The reason outlives the race. spared: it might work, and is not
   launched since earlier runs ended in its launch. */
static void autotune__online_exclude(autotune__online *online, size_t row, const char *reason, bool spared) {
    autotune__answer answer;
    memset(&answer, 0, sizeof answer);
    answer.status = AUTOTUNE_FAILED;
    answer.reason = reason;
    if (spared && !online->race.left_out) online->race.left_out = AUTOTUNE__SKIPPED;
    online->race.rows[row].note = reason;       /* so that the record has the row, although it was not launched */
    autotune__online_failed(online, row, &answer);
}
/* A configuration was glanced at. */
static void autotune__glanced(autotune__online *online, size_t row, double ratio) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    const double ns = ratio * online->reference_ns,
                 close_by = autotune__near * autotune__usual_scatter(&online->scatter) * online->ratio,
                 once = tried->minimum, longer = ns > once ? ns : once;
    const bool second = autotune__is_definite(once);
    if (!second) autotune__note_entered(&online->gate, ratio);
    autotune__add_sample(tried, ns, false);
    online->again = SIZE_MAX;
    if (!second && ratio < close_by) online->again = row;
    if (second &&
        longer < autotune__gain_for_use(online, autotune__clearly) * online->ratio * online->reference_ns)
        autotune__take_over(online, row, (ns + once) / 2 / online->reference_ns, "both of its calls were faster");
}
/* After a round: the leader comes into use if it is clearly faster, or if the incumbent has left. */
static void autotune__follow_leader(autotune__online *online) {
    autotune__race *race = &online->race;
    const bool stays = online->incumbent != SIZE_MAX && autotune__works(&race->rows[online->incumbent]);
    size_t leader;
    if (autotune__is_over(race) || race->round.at || !autotune__count(race->live)) return;
    if (autotune__rounds(race) < (race->stage == AUTOTUNE__HALVING ? 3 : AUTOTUNE__FIRST_LOOK)) return;
    leader = autotune__leader(race);
    if (leader == online->incumbent) return;
    if (stays && autotune__standing(&race->rows[leader]) > autotune__gain_for_use(online, autotune__measurable) *
                                                               autotune__standing(&race->rows[online->incumbent]))
        return;
    autotune__take_over(online, leader, autotune__online_ratio(online, leader), NULL);
}
/* A call of what is compared. A round of the duel compares times; those of the halving are ratios to the incumbent, as
   they are in rows: the device may have another speed now than when these were first called. */
static void autotune__take_comparison(autotune__online *online, size_t row, const autotune__answer *answer,
                                      double ratio, double unit_ns) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    const bool duels = race->stage == AUTOTUNE__DUELLING;
    const double least = tried->minimum;
    autotune__answer told = *answer;
    told.elapsed_ns = duels ? unit_ns * online->reference_work : ratio * online->reference_ns;
    told.prepared = tried->prepared;
    (void)autotune__decide(race, &told, 0);
    if (duels) tried->minimum = least;
    autotune__follow_leader(online);
}
/* A call that is no failure, beside the pulse: it is a sample of what is being looked at, or compared. */
static void autotune__take_sample_of(autotune__online *online, size_t row, const autotune__answer *answer,
                                     double unit_ns) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    const double own_ns = autotune__own_ns(online),
                 ratio = unit_ns / autotune__pulse_ns(&online->pulse) * online->ratio;
    /* The mean of calls is compared to what the first configuration takes in the middle of its own. */
    if (row != 0) autotune__note_cost(tried, unit_ns / (autotune__is_definite(own_ns) ? own_ns : online->first_ns));
    if (!online->chosen && row != online->incumbent) return;    /* the first configuration, while the incumbent rests */
    if (online->stage == AUTOTUNE__PROVING && online->chosen && row != 0 && tried->launches == 2)
        autotune__take_second(online, row, ratio, answer->elapsed_ns);
    if (online->stage == AUTOTUNE__COMPARING && row == race->row && online->chosen)
        autotune__take_comparison(online, row, answer, ratio, unit_ns);
    else if (online->stage == AUTOTUNE__GLANCING && row != online->incumbent && row != 0)
        autotune__glanced(online, row, ratio);
    else if (online->stage == AUTOTUNE__PROVING) autotune__conclude_online(online);
    autotune__look_at_duel(online);
    if (online->stage == AUTOTUNE__GLANCING) {
        race->row = row;
        if (autotune__at_goal(race, answer->elapsed_ns)) autotune__online_finish(online, row, AUTOTUNE_UNRESOLVED);
    }
}
/* The call of a row is over. work: how much it had to do, in any unit. A call whose time came later may be one of a
   configuration that failed meanwhile. It took a nanosecond at least, even if the clock did not move: times are divided
   by each other. */
static void autotune__online_take(autotune__online *online, size_t row, const autotune__answer *answer, double work) {
    autotune__row *tried = &online->race.rows[row];
    const double ns = answer->elapsed_ns > 1 ? answer->elapsed_ns : 1, unit_ns = ns / work;
    const bool paired = autotune__is_paired(online), failed = answer->status != AUTOTUNE_OK;
    if (failed || autotune__failed(tried)) {
        autotune__pass_gate(&online->gate, answer->elapsed_ns, failed ? 0 : autotune__first_takes(online, work));
        tried->launches += !autotune__failed(tried);
        if (!autotune__failed(tried)) autotune__online_failed(online, row, answer);
        return;
    }
    tried->launches++;
    if (online->stage == AUTOTUNE__WATCHING) {
        if (row == online->incumbent && autotune__watch_call(&online->watch, row, unit_ns))
            autotune__compare_again(online);
        return;
    }
    if (row == 0) autotune__beat(&online->own, unit_ns);
    if (online->incumbent == SIZE_MAX) autotune__take_over(online, row, 1, NULL);
    if (row == online->incumbent) autotune__feel_pulse(online, unit_ns, work);
    if (row == 0) autotune__account_first(online, ns, work);
    else if (row == online->incumbent) autotune__account_incumbent(online, ns, work);
    else autotune__pass_gate(&online->gate, ns, autotune__first_takes(online, work));
    if (!autotune__has_pulse(&online->pulse)) return;
    if (!(tried->measured <= unit_ns * online->reference_work)) tried->measured = unit_ns * online->reference_work;
    if (row == 0 && row != online->incumbent && paired) autotune__audit(online, unit_ns);
    if (autotune__has_pulse(&online->pulse)) autotune__take_sample_of(online, row, answer, unit_ns);
}
static void autotune__prepare_online(autotune__online *online, const autotune__race_setup *setup,
                                     const autotune__limits *limits, double max_loss, double allowance_seconds) {
    autotune__limits own = *limits;
    memset(online, 0, sizeof *online);
    own.seconds = own.screen_seconds = own.share = AUTOTUNE__NEVER;
    own.tick_ns = 0;                            /* however coarse the clock is */
    own.sampling = AUTOTUNE__BY_LAUNCHES;
    if (own.strategy != AUTOTUNE_EXHAUSTIVE) own.strategy = AUTOTUNE_RANDOM;
    autotune__prepare_race(&online->race, setup, &own);
    online->gate.max_loss = max_loss;
    online->gate.allowance_ns = allowance_seconds * 1e9;
    online->incumbent = online->tried = online->again = online->before.winner = SIZE_MAX;
    online->second_share = 0.01;
    online->ratio = 1;
    online->least_calls = AUTOTUNE__CALLS_OF_WINNER;
    online->first_ns = online->reference_ns = AUTOTUNE__NEVER;
}
/* Judges the points of the space, one after the other, as autotune__decide() does. True: *request asks for one. */
static bool autotune__online_evaluate(autotune__online *online, const autotune__answer *answer,
                                      autotune__request *request) {
    autotune__race *race = &online->race;
    if (answer) autotune__take_point(race, answer);
    if (autotune__ask_for_point(race)) { *request = race->request; return true; }
    if (!autotune__is_over(race) && autotune__end_evaluating(race) && !autotune__start_next_group(race))
        (void)autotune__finish(race, SIZE_MAX, AUTOTUNE_DEFAULT);
    autotune__online_start(online);
    return false;
}
