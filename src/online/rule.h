/* The rule of an online race: which configuration the next call runs, and what the time of a call means. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../race/floor.h"
#include "gate.h"
#include "pulse.h"
#include "streak.h"
#include "online.h"
#include "incumbent.h"
#include "order.h"
#include "winner.h"
#include "second_calls.h"

/* ---- Comparing ---- */

/* Begins the comparison of the survivors, `race->live`: halving and duel. */
static void autotune__compare_survivors(autotune__online *online) {
    autotune__race *race = &online->race;
    if (autotune__count(race->live) == 1 && !autotune__readmit(race, 1, AUTOTUNE__NEVER)) { /* all other rows failed */
        autotune__online_finish(online, race->live[0], AUTOTUNE_SEPARATED);
        autotune__decide_or_prove(online);
        return;
    }
    online->stage = AUTOTUNE__COMPARING;
    race->stage = AUTOTUNE__SURVIVORS_FOUND;
    (void)autotune__decide(race, NULL, 0);
}
/* Returns true if the row belongs to the current group and works. Row 0 belongs to the group if its configuration is
   the first in the group's order. */
static bool autotune__competes(const autotune__race *race, size_t row) {
    if (autotune__failed(&race->rows[row])) return false;
    if (row > 0) return row >= race->group.first_row;
    return autotune__count(race->group.order) > 0 && race->group.order[0] == race->rows[0].index;
}
/* Runs when all glances are made. Chooses the rows near the best, and begins their comparison. Before the comparison
   there may be second calls. If all rows of the group failed, the glances of the next group begin. */
static void autotune__online_compare(autotune__online *online) {
    autotune__race *race = &online->race;
    const size_t most_compared = 32;
    size_t row;
    autotune__set_count(race->live, 0);
    for (row = 0; row < autotune__count(race->rows); row++) {
        if (!autotune__competes(race, row)) continue;
        if (!AUTOTUNE__PUSH(race->live, row)) return;           /* without memory the next call tries again */
    }
    if (!autotune__count(race->live)) {         /* all rows of the group failed: the group of the next lower PRIORITY
                                                   is tried, if there is one */
        if (autotune__lacks_trials(race) || !autotune__choose_group(race)) {
            autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
            return;
        }
        race->group.first_row = autotune__count(race->rows);
        autotune__online_order(online);
        return;
    }
    online->second_call = autotune__next_second_call(online);
    if (online->second_call != SIZE_MAX) return;
    autotune__keep(race, autotune__contending_ratio * autotune__usual_scatter(&online->streak.ratios), most_compared);
    autotune__compare_survivors(online);
}
/* ---- Watching ---- */

/* The winner, a row, is published. Its calls are watched from now on. */
static void autotune__start_watching(autotune__online *online, size_t winner) {
    autotune__take_over(online, winner, autotune__online_ratio(online, winner), NULL);
    online->race.outcome.winner = winner;
    online->watch.count = 0;
    online->stage = AUTOTUNE__WATCHING;
}
/* The times of the winner's calls have changed. Rows that were in the duel, which have a median, are compared again
   with the winner and the first configuration. If fewer than two rows are left, the race ends without a winner. */
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
    race->samples = 0;                          /* the samples of the earlier duel do not shorten this one */
    race->incumbent = race->rows[online->incumbent].index;   /* wins unless another row is shown to be faster */
    online->first_pulse.count = 0;
    online->least_calls = AUTOTUNE__CALLS_OF_WINNER;
    autotune__compare_survivors(online);
}

/* ---- The next call ---- */

/* Returns true if the gate admits a call of a row that was tried before. The gate admits the incumbent unless the
   incumbent rests. The first configuration can only lose the cost of changes. The time of a row's first call is unknown
   if the call never ended, for instance since the race gave up its step. Then the row is expected to be as slow as a
   configuration that was never tried. */
static bool autotune__may_try(const autotune__online *online, size_t row, double work) {
    const double known = autotune__online_ratio(online, row), first_ns = autotune__first_takes(online, work),
                 ratio = online->race.rows[row].launches == 1 ? known * online->streak.second_call_ratio : known,
                 slowness = autotune__is_definite(ratio) ? ratio - 1 : autotune__expected_slowness(&online->gate),
                 changes_ns = row == online->streak.row ? 0 : 2 * autotune__next_change_ns(online);
    if (row == online->incumbent) return row == 0 || !autotune__incumbent_rests(online);
    if (row == 0) return !(changes_ns > 0) || autotune__gate_admits(&online->gate, changes_ns, 0);
    return autotune__gate_admits(&online->gate, slowness * first_ns + changes_ns, 0);
}
/* Returns true if the gate admits a configuration that was never tried. */
static bool autotune__may_try_new(const autotune__online *online, double work) {
    const double slowness = autotune__expected_slowness(&online->gate);
    return autotune__gate_admits(&online->gate,
                                 slowness * autotune__first_takes(online, work) + autotune__next_change_ns(online),
                                 online->gate.built_ns / (double)(1 + online->gate.first_calls));
}
/* Counts a call in which the gate admits no trial. After 5000 such calls in a row no further configuration is tried,
   and there are no second calls. A comparison then ends, and the incumbent wins. Returns SIZE_MAX. */
static size_t autotune__refuse_trial(autotune__online *online) {
    const size_t patience = 5000;
    if (++online->refused < patience) return SIZE_MAX;
    online->race.lack = AUTOTUNE__LACKS_TIME;
    online->second_call = SIZE_MAX;
    if (online->stage == AUTOTUNE__COMPARING) {
        autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
        autotune__decide_or_prove(online);
    }
    return SIZE_MAX;
}
/* Returns the row that this call glances at: a new configuration, or a row that is called again. SIZE_MAX: the call is
   no glance. */
static size_t autotune__glance(autotune__online *online, double work) {
    autotune__race *race = &online->race;
    autotune_backend *waits_for = online->backend && online->backend->is_prepared ? online->backend : NULL;
    const bool works = online->incumbent != SIZE_MAX;
    size_t point = autotune__untried(race);
    if (point == SIZE_MAX && online->second_call == SIZE_MAX) {
        autotune__online_compare(online);
        if (online->stage != AUTOTUNE__GLANCING) return SIZE_MAX;
        if (!works) point = autotune__untried(race);    /* a lower PRIORITY has points, and this call has to run some
                                                           configuration */
    }
    if (online->second_call != SIZE_MAX && autotune__may_try(online, online->second_call, work))
        return online->second_call;
    if (works && (point == SIZE_MAX || !autotune__may_try_new(online, work))) return autotune__refuse_trial(online);
    if (point == SIZE_MAX || (works && waits_for && !waits_for->is_prepared(waits_for, point)) ||
        !autotune__new_row(race, point))
        return SIZE_MAX;
    race->group.next++;
    return autotune__count(race->rows) - 1;
}
/* Returns true if the next call is the second of two calls in a row. */
static bool autotune__follows_at_once(const autotune__online *online) {
    return online->streak.row == online->second_call ||
           (online->tried == 0 && online->incumbent != 0 && online->streak.row == 0 && online->streak.calls == 1 &&
            autotune__trial_is_two_calls(online));
}
/* Returns the row that this call tries or audits. SIZE_MAX: the call runs the row in use. */
static size_t autotune__next_tried(autotune__online *online, double work) {
    const bool works = online->incumbent != SIZE_MAX, at_once = autotune__follows_at_once(online),
               tries = online->tried != SIZE_MAX && online->tried != online->incumbent,
               waits = !at_once && online->stage != AUTOTUNE__COMPARING && (tries || online->gap > 0);
    if (works && (waits || !autotune__has_pulse(&online->pulse))) return SIZE_MAX;
    if (works && at_once && online->second_call == SIZE_MAX) return 0;
    if (works && autotune__audit_is_due(online) && autotune__may_try(online, 0, work)) return 0;
    if (online->stage == AUTOTUNE__GLANCING) return autotune__glance(online, work);
    if (online->stage >= AUTOTUNE__PROVING) return SIZE_MAX;
    return autotune__may_try(online, online->race.row, work) ? online->race.row : autotune__refuse_trial(online);
}
/* Returns the row that the next measured call runs. SIZE_MAX: no row works, or there is no memory for a row. If the
   race is over, the call runs the row in use. */
static size_t autotune__online_next(autotune__online *online, double work) {
    online->tried = online->stage == AUTOTUNE__WATCHING ? SIZE_MAX : autotune__next_tried(online, work);
    online->chosen = online->tried != SIZE_MAX;
    return online->chosen ? online->tried : autotune__row_in_use(online);
}

/* ---- What a call took ---- */

/* Ends the race if the duel has ended. If no row of the group works, the incumbent wins. */
static void autotune__look_at_duel(autotune__online *online) {
    autotune__race *race = &online->race;
    if (online->stage != AUTOTUNE__COMPARING || race->stage == AUTOTUNE__HALVING || race->stage == AUTOTUNE__DUELLING)
        return;
    if (race->stage < AUTOTUNE__HALVING) autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
    else autotune__decide_or_prove(online);
}
/* Takes the failure of a configuration. The caller has counted the call that failed, if there was a call. */
static void autotune__online_failed(autotune__online *online, size_t row, const autotune__answer *answer) {
    autotune__race *race = &online->race;
    autotune__row *failed = &race->rows[row];
    const bool compared = online->stage == AUTOTUNE__COMPARING && row == race->row,
               won = online->stage >= AUTOTUNE__PROVING && row == race->outcome.winner;
    online->second_call = SIZE_MAX;
    online->failed++;
    if (!compared) {
        autotune__remove_live(race, row);
        failed->status = answer->status;
        failed->reason = autotune__copy_string(answer->reason);
    } else (void)autotune__decide(race, answer, 0);
    if (row == online->incumbent) autotune__replace_incumbent(online);
    if (won) {                                  /* the winner was chosen before this call began */
        failed->stage = "screen";
        autotune__online_finish(online, online->incumbent, AUTOTUNE_UNRESOLVED);
    }
    autotune__look_at_duel(online);
}
/* Excludes a configuration without a measured call. reason: this text outlives the race. spared: the configuration
   might work, but is not launched, since earlier runs of the program ended in its launch. */
static void autotune__online_exclude(autotune__online *online, size_t row, const char *reason, bool spared) {
    autotune__answer answer;
    memset(&answer, 0, sizeof answer);
    answer.status = AUTOTUNE_FAILED;
    answer.reason = reason;
    if (spared && !online->race.lack) online->race.lack = AUTOTUNE__SKIPPED;
    online->race.rows[row].note = reason;       /* so that the record has the row although it was not launched */
    autotune__online_failed(online, row, &answer);
}
/* Compares the first two calls of a row, to see if the first call built something. first, second: the times of these
   calls, without the cost of a change, divided by the first configuration's time. */
static void autotune__compare_calls(autotune__online *online, double first, double second) {
    autotune__streak *streak = &online->streak;
    streak->second_call_ratio = second < first ? second / first : 1;
    streak->true_firsts = first > autotune__built * second ? 0 : streak->true_firsts + 1;
    if (!streak->true_firsts) online->gate.built_ns += (first - second) * autotune__first_takes(online, streak->work);
}
/* Takes the time of a glance. The configuration comes into use if two of its calls were clearly faster than the
   incumbent. If a trial is two calls in a row, the two calls of one trial count. */
static void autotune__take_glance(autotune__online *online, size_t row) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    const autotune__streak *streak = &online->streak;
    const bool two_calls = autotune__trial_is_two_calls(online);
    const double in_use_ns = online->ratio * online->reference_ns, once_ns = tried->minimum,
                 scale = in_use_ns / autotune__pulse_ns(&online->pulse),
                 change_ns = autotune__next_change_ns(online) * scale / streak->work, ns = streak->ns * scale,
                 close_by_ns = autotune__near_ratio * autotune__usual_scatter(&streak->ratios) * in_use_ns + change_ns,
                 faster_ns = autotune__gain_for_use(online, autotune__gain_at_once) * in_use_ns,
                 other_ns = autotune__is_definite(streak->before_ns) ? streak->before_ns * scale
                            : two_calls                           ? AUTOTUNE__NEVER : once_ns;
    const bool second = autotune__is_definite(once_ns);
    if (!second) autotune__note_first_call(&online->gate, ns / online->reference_ns);
    else if (tried->launches == 2)
        autotune__compare_calls(online, (once_ns - change_ns) / online->reference_ns, ns / online->reference_ns);
    if (tried->launches == 2 && ns > in_use_ns && once_ns > in_use_ns)
        online->second_ns += ((ns < once_ns ? ns : once_ns) - in_use_ns) / scale * streak->work;
    autotune__add_sample(tried, ns, false);
    online->second_call = SIZE_MAX;
    if (second && ns < faster_ns && other_ns < faster_ns)
        autotune__take_over(online, row, (ns + other_ns) / 2 / online->reference_ns, "both of its calls were faster");
    else if (second ? (two_calls && streak->calls == 1) || (tried->launches == 2 && ns < faster_ns)
                    : ns < close_by_ns || !autotune__are_firsts_true(online))
        online->second_call = row;
}
/* At the end of a round the leader comes into use if it is more than 2 % faster than the incumbent. The leader also
   comes into use if the incumbent failed or was cut. The first two rounds of the halving, and the first four rounds of
   the duel, change nothing. */
static void autotune__follow_leader(autotune__online *online) {
    autotune__race *race = &online->race;
    const bool stays = online->incumbent != SIZE_MAX && autotune__works(&race->rows[online->incumbent]);
    size_t leader;
    if (autotune__is_over(race) || race->round.at || !autotune__count(race->live) ||
        autotune__rounds(race) < (race->stage == AUTOTUNE__HALVING ? 3 : AUTOTUNE__FIRST_LOOK))
        return;
    leader = autotune__leader(race);
    if (leader == online->incumbent ||
        (stays && autotune__score(&race->rows[leader]) > autotune__gain_for_use(online, autotune__gain_in_rounds) *
                                                                autotune__score(&race->rows[online->incumbent])))
        return;
    autotune__take_over(online, leader, autotune__online_ratio(online, leader), NULL);
}
/* Takes a call of a row that is compared. The duel uses only times of its own rounds, so it compares times. The halving
   also uses the times of glances, and during the glances the device may have had another speed. So the halving compares
   ratios to the incumbent's time, as glances do. */
static void autotune__take_comparison(autotune__online *online, size_t row, const autotune__answer *answer,
                                      double ratio, double unit_ns) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    autotune__streak *streak = &online->streak;
    const bool duels = race->stage == AUTOTUNE__DUELLING;
    const double least = tried->minimum;
    autotune__answer answer_for_race = *answer;
    if (autotune__trial_is_two_calls(online) && streak->calls < 2) return;
    streak->calls = 0;
    answer_for_race.elapsed_ns = duels ? unit_ns * online->reference_work : ratio * online->reference_ns;
    answer_for_race.prepared = tried->prepared;
    (void)autotune__decide(race, &answer_for_race, 0);
    if (duels) tried->minimum = least;
    autotune__follow_leader(online);
}
/* Takes the sample of a call that worked, once the incumbent has a pulse. The call was a glance, a comparison, an
   audit, or a call of the row in use. */
static void autotune__take_sample_of(autotune__online *online, size_t row, const autotune__answer *answer) {
    autotune__race *race = &online->race;
    autotune__row *tried = &race->rows[row];
    const double own_ns = autotune__pulse_ns(&online->first_pulse), unit_ns = autotune__trial_ns(online),
                 ratio = unit_ns / autotune__pulse_ns(&online->pulse) * online->ratio;
    /* The mean of calls is compared with the median of the first configuration's own calls. */
    if (row != 0 && tried->launches > 1 && !(online->streak.changed && autotune__next_change_ns(online) > 0))
        autotune__note_cost(tried, online->streak.ns / (autotune__is_definite(own_ns) ? own_ns : online->first_ns));
    /* Row 0 ran, since the incumbent rested. Or the incumbent has changed since an open call began. */
    if (!online->chosen && row != online->incumbent) return;
    if (online->stage == AUTOTUNE__COMPARING && row == race->row && online->chosen)
        autotune__take_comparison(online, row, answer, ratio, unit_ns);
    else if (online->stage == AUTOTUNE__GLANCING && row != online->incumbent && row != 0)
        autotune__take_glance(online, row);
    else if (online->stage == AUTOTUNE__PROVING) autotune__decide_or_prove(online);
    autotune__look_at_duel(online);
    if (online->stage != AUTOTUNE__GLANCING) return;
    race->row = row;
    if (autotune__reaches_goal(race, online->streak.ns * online->reference_work))
        autotune__online_finish(online, row, AUTOTUNE_UNRESOLVED);
}
/* Takes a call of a row. work: how much the call had to do, in any unit. If a device told the time later, the
   configuration may have failed meanwhile. Calls of a watched winner count only for the watch. A call that worked
   counts as at least 1 ns, since the rule divides by times. */
static void autotune__online_take(autotune__online *online, size_t row, const autotune__answer *answer, double work) {
    autotune__row *tried = &online->race.rows[row];
    const double ns = answer->elapsed_ns > 1 ? answer->elapsed_ns : 1, unit_ns = ns / work,
                 before_ns = online->gate.would_have_taken_ns;
    const bool incumbent_called = online->gate.since_work > 0, failed = answer->status != AUTOTUNE_OK;
    autotune__note_call(&online->streak, row, unit_ns, work, tried->launches == 1 || autotune__includes_change(online));
    if (failed || autotune__failed(tried)) {
        autotune__count_any_call(&online->gate, answer->elapsed_ns, failed ? 0 : autotune__first_takes(online, work));
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
    if (online->streak.changed) autotune__account_change(online, row, ns, work);
    /* The call shows the usual time of its row, unless it may include the cost of a change. */
    const bool shows_time = !online->streak.changed || !autotune__trial_is_two_calls(online);
    if (row == 0 && shows_time) autotune__add_beat(&online->first_pulse, autotune__trial_ns(online));
    if (online->incumbent == SIZE_MAX) autotune__take_over(online, row, 1, NULL);
    if (row == online->incumbent && shows_time) autotune__take_incumbent_call(online, work);
    if (row == 0 && shows_time)
        autotune__count_call_of_first(&online->gate, ns, autotune__has_pulse(&online->pulse)
                                          ? autotune__pulse_ns(&online->first_pulse) * work : 0, work);
    else if (row == online->incumbent && shows_time) autotune__account_incumbent(online, ns, work);
    else autotune__count_any_call(&online->gate, ns, autotune__first_would_take(online, row, ns, work));
    if (row != 0 && online->incumbent != 0 && !autotune__is_audited(online)) {
        online->unaudited_work += work;
        online->counted_ns += online->gate.would_have_taken_ns - before_ns;
    }
    if (row != online->incumbent) {
        online->refused = 0;
        online->gap = autotune__is_timed_later(online) || row == 0 ? 0
                      : autotune__trial_is_two_calls(online) ? 2 + autotune__random(&online->race.random) % 2
                                                             : 1 + !(autotune__random(&online->race.random) % 4);
    } else if (online->gap) online->gap--;
    if (!autotune__has_pulse(&online->pulse)) return;
    if (!(tried->measured <= unit_ns * online->reference_work)) tried->measured = unit_ns * online->reference_work;
    if (row == 0 && row != online->incumbent && incumbent_called && shows_time)
        autotune__audit(online, autotune__trial_ns(online));
    if (autotune__has_pulse(&online->pulse)) autotune__take_sample_of(online, row, answer);
}
static void autotune__prepare_online(autotune__online *online, const autotune__race_setup *setup,
                                     const autotune__limits *limits, double max_loss, double allowance_seconds) {
    autotune__limits own = *limits;
    memset(online, 0, sizeof *online);
    own.seconds = own.screen_seconds = own.share = AUTOTUNE__NEVER;
    own.tick_ns = 0;                            /* the step of the clock does not matter */
    own.sampling = AUTOTUNE__BY_LAUNCHES;
    if (own.strategy != AUTOTUNE_EXHAUSTIVE) own.strategy = AUTOTUNE_RANDOM;
    autotune__prepare_race(&online->race, setup, &own);
    online->gate.max_loss = max_loss;
    online->gate.allowance_ns = allowance_seconds * 1e9;
    online->incumbent = online->tried = online->second_call = online->streak.row = SIZE_MAX;
    online->ratio = online->streak.second_call_ratio = 1;
    online->least_calls = AUTOTUNE__CALLS_OF_WINNER;
    online->first_ns = online->reference_ns = AUTOTUNE__NEVER;
}
/* Judges the points of the space, like autotune__decide(). Returns true if *request asks for a point. Returns false if
   all points are judged: the race has started, or is decided. */
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
