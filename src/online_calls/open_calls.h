/* Open calls of an online race. The device clocks these calls, and no thread waits for the device. A later call of the
   key asks for their times. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"
#include "../online/floor.h"
#include "../statement/floor.h"
#include "race.h"

/* ---- This call ---- */

/* Returns the first free position of the ring. */
static size_t autotune__free_number(const autotune__call_race *ongoing) {
    return (ongoing->oldest + ongoing->open_count) % AUTOTUNE_MOST_OPEN;
}
/* Starts the clock of a call. If the clock of the device cannot start, the call is made without a time. */
static void autotune__clock_launch(autotune__call_race *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune_backend *backend = statement->subject.backend;
    if (!backend->ask) {
        statement->trial.watch.started = backend->now(backend);
        return;
    }
    if (ongoing->place == AUTOTUNE__ENTERED && ongoing->open_count < AUTOTUNE_MOST_OPEN &&
        backend->clock_call(backend, autotune__free_number(ongoing), false) == AUTOTUNE_OK)
        ongoing->place = AUTOTUNE__CLOCKED;
    autotune__clear_text(&statement->trial.why);
}
static void autotune__stop_device_clock(autotune__call_race *ongoing) {
    autotune__trial_state *trial = &ongoing->statement->trial;
    autotune_backend *backend = ongoing->statement->subject.backend;
    autotune_status status;
    if (ongoing->place != AUTOTUNE__CLOCKED) return;
    ongoing->place = AUTOTUNE__ENTERED;
    status = backend->clock_call(backend, autotune__free_number(ongoing), true);
    if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = status;
}
/* Stops the clock of the device. If the call was clocked, it becomes an open call. Returns false if a launch failed. */
static bool autotune__put_off(autotune__call_race *ongoing) {
    autotune__statement *statement = ongoing->statement;
    autotune__trial_state *trial = &statement->trial;
    const bool clocked = ongoing->place == AUTOTUNE__CLOCKED;
    autotune__stop_device_clock(ongoing);
    if (trial->launch_status != AUTOTUNE_OK) return false;
    if (!clocked) return true;
    ongoing->call.chosen = ongoing->online.chosen;
    ongoing->open[autotune__free_number(ongoing)] = ongoing->call;
    ongoing->open_count++;
    return true;
}

/* ---- Earlier calls ---- */

/* Returns the position of the open call that has probably lost the device: the oldest call of a configuration that was
   never measured before, else the oldest call. */
static size_t autotune__culprit(const autotune__call_race *ongoing) {
    size_t i;
    for (i = 0; i < ongoing->open_count; i++) {
        const size_t number = (ongoing->oldest + i) % AUTOTUNE_MOST_OPEN;
        if (!ongoing->online.race.rows[ongoing->open[number].row].launches) return number;
    }
    return ongoing->oldest;
}
/* Takes the oldest open call out of the ring if this call has ended. *ns: its time; 0 if it failed. Returns false if no
   open call has ended. */
static bool autotune__close_call(autotune__call_race *ongoing, double *ns) {
    autotune__statement *statement = ongoing->statement;
    autotune__trial_state *trial = &statement->trial;
    autotune_backend *backend = statement->subject.backend;
    size_t number = ongoing->oldest;
    *ns = 0;
    if (!ongoing->open_count) return false;
    autotune__clear_text(&trial->why);
    trial->launch_status = backend->ask(backend, number, ns);
    if (trial->launch_status == AUTOTUNE_OK && *ns < 0) return false;
    if (autotune__is_loss_of_device(backend, trial->launch_status)) {
        number = autotune__culprit(ongoing);
        ongoing->open_count = 1;                /* the device is lost, so no other open call gets a time */
    } else if (trial->launch_status == AUTOTUNE_OK && *ns < backend->least_launch_ns) {
        autotune__say_too_short(&trial->why, *ns);
        trial->launch_status = AUTOTUNE_FAILED;
    }
    if (trial->launch_status != AUTOTUNE_OK) *ns = 0;
    ongoing->call = ongoing->open[number];
    ongoing->online.chosen = ongoing->call.chosen;
    ongoing->oldest = (ongoing->oldest + 1) % AUTOTUNE_MOST_OPEN;
    ongoing->open_count--;
    return true;
}
static bool autotune__is_open(const autotune__call_race *ongoing, size_t row) {
    size_t i;
    for (i = 0; i < ongoing->open_count; i++)
        if (ongoing->open[(ongoing->oldest + i) % AUTOTUNE_MOST_OPEN].row == row) return true;
    return false;
}
