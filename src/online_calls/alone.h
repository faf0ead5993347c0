/* The functions of ranks.h in a program without the door RANKS: each statement is alone. */
#pragma once
#include "../api/floor.h"
#include "../statement/floor.h"
#include "race.h"

static const char *autotune__apart_online(const autotune__statement *statement) { (void)statement; return NULL; }
static bool autotune__all_make_first_call(autotune__call_race *ongoing) { (void)ongoing; return true; }
static void autotune__show_in_use(autotune__call_race *ongoing) { autotune__publish_row_in_use(ongoing); }
static bool autotune__agree_on_call(autotune__call_race *ongoing, double *ns, autotune_status *status) {
    (void)ongoing, (void)ns, (void)status;
    return true;
}
static void autotune__agree_on_end(autotune__statement *statement, bool won) { (void)statement, (void)won; }
