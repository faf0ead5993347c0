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
static size_t autotune__free_position(const autotune__call_race *call_race) {
    return (call_race->oldest + call_race->open_count) % AUTOTUNE_MOST_OPEN;
}
/* Starts the clock of a call. If the clock of the device cannot start, the call is made without a time. */
static void autotune__clock_launch(autotune__call_race *call_race) {
    autotune__statement *statement = call_race->statement;
    autotune_backend *backend = statement->subject.backend;
    if (!backend->ask) {
        statement->trial.watch.started = backend->now(backend);
        return;
    }
    if (call_race->place == AUTOTUNE__ENTERED && call_race->open_count < AUTOTUNE_MOST_OPEN &&
        backend->clock_call(backend, autotune__free_position(call_race), false) == AUTOTUNE_OK)
        call_race->place = AUTOTUNE__CLOCKED;
    autotune__clear_text(&statement->trial.why);
}
static void autotune__stop_device_clock(autotune__call_race *call_race) {
    autotune__trial_state *trial = &call_race->statement->trial;
    autotune_backend *backend = call_race->statement->subject.backend;
    autotune_status status;
    if (call_race->place != AUTOTUNE__CLOCKED) return;
    call_race->place = AUTOTUNE__ENTERED;
    status = backend->clock_call(backend, autotune__free_position(call_race), true);
    if (trial->launch_status == AUTOTUNE_OK) trial->launch_status = status;
}
/* Stops the clock of the device. If the call was clocked, it becomes an open call. Returns false if a launch or the
   clock failed. */
static bool autotune__open_call(autotune__call_race *call_race) {
    const bool clocked = call_race->place == AUTOTUNE__CLOCKED;
    autotune__stop_device_clock(call_race);
    if (call_race->statement->trial.launch_status != AUTOTUNE_OK) return false;
    if (!clocked) return true;
    call_race->call.chosen = call_race->online.chosen;
    call_race->open[autotune__free_position(call_race)] = call_race->call;
    call_race->open_count++;
    return true;
}

/* ---- Earlier calls ---- */

/* Returns the position of the open call that has probably lost the device: the oldest call of a configuration that was
   never measured before, else the oldest call. */
static size_t autotune__culprit(const autotune__call_race *call_race) {
    size_t i;
    for (i = 0; i < call_race->open_count; i++) {
        const size_t position = (call_race->oldest + i) % AUTOTUNE_MOST_OPEN;
        if (!call_race->online.race.rows[call_race->open[position].row].launches) return position;
    }
    return call_race->oldest;
}
/* Takes the oldest open call out of the ring if this call has ended. If the device is lost, takes out the probable
   culprit, and drops all other open calls. *ns: the time of the call; 0 if the call failed. Returns false if the oldest
   open call has not ended, or if no call is open. */
static bool autotune__close_call(autotune__call_race *call_race, double *ns) {
    autotune__statement *statement = call_race->statement;
    autotune__trial_state *trial = &statement->trial;
    autotune_backend *backend = statement->subject.backend;
    size_t position = call_race->oldest;
    *ns = 0;
    if (!call_race->open_count) return false;
    autotune__clear_text(&trial->why);
    trial->launch_status = backend->ask(backend, position, ns);
    if (trial->launch_status == AUTOTUNE_OK && *ns < 0) return false;
    if (autotune__is_loss_of_device(backend, trial->launch_status)) {
        position = autotune__culprit(call_race);
        call_race->open_count = 1;                /* the device is lost, so no other open call gets a time */
    } else if (trial->launch_status == AUTOTUNE_OK && *ns < backend->least_launch_ns) {
        autotune__say_too_short(&trial->why, *ns);
        trial->launch_status = AUTOTUNE_FAILED;
    }
    if (trial->launch_status != AUTOTUNE_OK) *ns = 0;
    call_race->call = call_race->open[position];
    call_race->online.chosen = call_race->call.chosen;
    call_race->oldest = (call_race->oldest + 1) % AUTOTUNE_MOST_OPEN;
    call_race->open_count--;
    return true;
}
static bool autotune__is_open(const autotune__call_race *call_race, size_t row) {
    size_t i;
    for (i = 0; i < call_race->open_count; i++)
        if (call_race->open[(call_race->oldest + i) % AUTOTUNE_MOST_OPEN].row == row) return true;
    return false;
}
