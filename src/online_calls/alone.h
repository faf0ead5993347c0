/* The functions of ranks.h in a program without the door RANKS: each statement is alone. */
#pragma once
#include "../api/floor.h"
#include "../statement/floor.h"
#include "race.h"

static const char *autotune__why_peers_cannot_measure(const autotune__statement *alone) { (void)alone; return NULL; }
static bool autotune__all_make_first_call(autotune__call_race *call_race) { (void)call_race; return true; }
static void autotune__show_in_use(autotune__call_race *call_race) { autotune__publish_row_in_use(call_race); }
static bool autotune__agree_on_call(autotune__call_race *call_race, double *ns, autotune_status *status) {
    (void)call_race, (void)ns, (void)status;
    return true;
}
static void autotune__agree_on_end(autotune__statement *statement, bool won) { (void)statement, (void)won; }
