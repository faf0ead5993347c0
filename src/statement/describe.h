/* Takes the description that the loop of a statement gives: its axes, and for a point the values of WHERE, PRIORITY and
   MODEL. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../race/floor.h"
#include "statement.h"

static autotune__space *autotune__space_of(autotune__tuning *tuning) {
    return autotune__statement_of(tuning)->subject.space;
}

AUTOTUNE__COLD void autotune__tell_axis(autotune__tuning *tuning, const char *name, const char *text,
                                        const void *values, size_t count, int type) {
    autotune__space *space = autotune__space_of(tuning);
    const bool negative = count > PTRDIFF_MAX;
    size_t length;
    if (negative) space->problem = "an AXIS_OF has a count below 0";
    else if (!count) space->problem = "an AXIS_OF has no value";
    else if (!values) space->problem = "an AXIS_OF has a NULL pointer";
    else if (text && (autotune__part(text, count, &length) || !autotune__part(text, count - 1, &length)))
        space->problem = "a value of an AXIS has a comma: put the value into parentheses";
    autotune__add_list(space, name, text, values, negative ? 0 : count, (autotune_type)type);
}
AUTOTUNE__COLD void autotune__range(autotune__tuning *tuning, const char *name, int64_t first, int64_t last,
                                    int64_t step, autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    const size_t count = autotune__count_of_range(first, last, step);
    const int64_t end = (int64_t)((uint64_t)first + (count - 1) * (uint64_t)step);
    if (!count) space->problem = "a RANGE has no value: its step is 0 or leads away from its last value";
    else if (type == AUTOTUNE_U64 ? (end < 0) != (first < 0)
                                  : autotune__int_of_value(type, autotune__value_of_int(type, end)) != end)
        space->problem = "a RANGE has values that its first value's type cannot hold";
    autotune__add_rule(space, name, AUTOTUNE__STEPS, first, step, count, type);
}
AUTOTUNE__COLD void autotune__pow2(autotune__tuning *tuning, const char *name, int64_t first, int64_t last,
                                   autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    const size_t count = autotune__count_of_pow2(first, last);
    if (!count) space->problem = "a POW2 has no value: its first is not positive or above its last";
    else if (type != AUTOTUNE_U64 &&
             autotune__int_of_value(type, autotune__value_of_int(type, first << (count - 1))) != first << (count - 1))
        space->problem = "a POW2 has values that its first value's type cannot hold";
    autotune__add_rule(space, name, AUTOTUNE__DOUBLING, first, 0, count, type);
}
AUTOTUNE__COLD void autotune__table(autotune__tuning *tuning, const char *text, const void *rows, size_t row_bytes,
                                    size_t count) {
    autotune__space *space = autotune__space_of(tuning);
    autotune__dimension *dimension = autotune__new_dimension(space, count);
    dimension->rows = (const unsigned char *)rows;
    dimension->row_bytes = row_bytes;
    dimension->text = text;
}
/* Adds a column to the last table. */
AUTOTUNE__COLD void autotune__column(autotune__tuning *tuning, const char *name, size_t offset, autotune_type type) {
    autotune__space *space = autotune__space_of(tuning);
    autotune__dimension *table = &space->dimensions[space->dimension_count - 1];
    autotune__axis_of_space *axis = autotune__new_axis(space, name, type);
    if (!axis) return;
    axis->dimension = space->dimension_count - 1;
    axis->texts = table->text;
    axis->column = table->columns++;
    autotune__copy_values(axis, table->rows + offset, table->row_bytes, table->count);
}
AUTOTUNE__COLD void autotune__calls(autotune__tuning *tuning, const char *text, const char *expanded, size_t count) {
    autotune__space *space = autotune__space_of(tuning);
    size_t length = 0;
    autotune__add_rule(space, "call", AUTOTUNE__STEPS, 0, 1, count, AUTOTUNE_U64);
    /* The written text has too few parts if a macro of the program stands for several calls. */
    space->axes[0].texts = autotune__part(text, count - 1, &length) ? text : expanded;
}
AUTOTUNE__COLD void autotune__call_name(autotune__tuning *tuning, size_t call, const char *name) {
    if (call < 64) autotune__space_of(tuning)->call_names[call] = name;
}

/* Returns how many consecutive points AUTOTUNE_USE leaves out, beginning with the located point. 0: AUTOTUNE_USE admits
   the located point. */
static size_t autotune__points_left_out(const autotune__statement *statement) {
    const autotune__recalled *recalled = &statement->prior.recalled;
    const bool counts = recalled->restricts || statement->head.phase == AUTOTUNE__RECALLING;
    return counts && *recalled->pin ? autotune__points_refused_by_pin(statement->subject.space, recalled->pin) : 0;
}
/* Called if a WHERE refuses the located point. If each WHERE admits the point, autotune__admit() is called. */
AUTOTUNE__COLD void autotune__refuse_point(autotune__tuning *tuning, const char *by) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const size_t left_out = autotune__points_left_out(statement);
    size_t *refused = &statement->trial.answer.refused;
    autotune__count_refused(statement->subject.space, by, *refused);
    if (left_out > *refused) *refused = left_out;
}
AUTOTUNE__COLD void autotune__admit(autotune__tuning *tuning) {
    autotune__statement *statement = autotune__statement_of(tuning);
    const size_t left_out = statement->trial.answer.refused = autotune__points_left_out(statement);
    if (left_out) autotune__count_refused(statement->subject.space, "AUTOTUNE_USE", left_out);
    else if (!autotune__is_eligible(&statement->trial.answer))
        autotune__count_refused(statement->subject.space, "PRIORITY", 1);
}
AUTOTUNE__COLD void autotune__priority(autotune__tuning *tuning, int64_t group, int64_t intra) {
    autotune__precedence *said = &autotune__statement_of(tuning)->trial.answer.precedence;
    said->group = group < 0 ? 0 : (uint64_t)group + 1;
    said->intra = group < 0 ? group : intra;
}
AUTOTUNE__COLD void autotune__model(autotune__tuning *tuning, double cost) {
    autotune__statement_of(tuning)->trial.answer.precedence.cost = cost;
}
/* Begins to judge a space: no point is judged or refused yet. */
static void autotune__judge_anew(autotune__statement *statement) {
    statement->judged = 0;
    memset(statement->subject.space->refusals, 0, sizeof statement->subject.space->refusals);
}
/* Locates a point, so that the loop judges it next. */
static void autotune__judge(autotune__statement *statement, size_t index) {
    memset(&statement->trial.answer, 0, sizeof statement->trial.answer);
    statement->trial.answer.refused = 1;        /* until autotune__admit() changes this number */
    statement->trial.answer.precedence.cost = AUTOTUNE__NEVER;
    statement->judged++;
    autotune__locate(statement->subject.space, index);
}
