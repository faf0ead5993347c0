/* The memory of a statement is freed. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../space/floor.h"
#include "../device/floor.h"
#include "../registry/floor.h"
#include "../store/floor.h"
#include "statement.h"
#include "options.h"

static void autotune__end_subject(autotune__subject *subject) {
    if (subject->close) subject->close(subject->backend);
    if (subject->space && subject->site->file) autotune__free_space(subject->space);  /* else a tuner has it */
    autotune__free(subject->space);
    autotune__free(subject->strings);
    autotune__free(subject->own_name);
    autotune__free_text(&subject->named_point);
}
static __attribute__((__cold__)) void autotune__free_statement(autotune__statement *statement) {
    autotune__end_store(&statement->store);
    autotune__free_memories(&statement->trial.memories, statement->subject.backend);
    autotune__free_text(&statement->trial.why);
    autotune__free(statement->trial.isolation);
    autotune__end_subject(&statement->subject);
    autotune__free(statement);
}
