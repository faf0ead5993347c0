/* A session's clock: the time of batches of launches, by the events of the driver. In a trial start() begins a batch,
   and mark() or stop() ends it. Only stop() waits for the device, and for all batches at once. So the device does not
   idle between batches. In mode ONLINE and on probation each call is a batch: clock_call() begins and ends the batch,
   and ask() reads its time later. Steps that only one driver needs, such as emptying its queue before a trial, are in
   the start(), stop() or clock_call() of its backend. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../base/floor.h"
#include "../device/floor.h"
#include "../statement/floor.h"
#include "accelerator.h"
#include "session.h"

static autotune_status autotune__begin_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune_status status = session->accelerator->driver->begin_batch(session);
    session->running = status == AUTOTUNE_OK;
    return status;
}
static autotune_status autotune__end_batch(autotune_backend *self) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    session->running = false;
    return driver->end_batch ? driver->end_batch(session) : AUTOTUNE_OK;
}
static autotune_status autotune__mark_batch(autotune_backend *self) {
    const autotune_status status = autotune__end_batch(self);
    if (status == AUTOTUNE_OK) autotune__accelerator_session_of(self)->number++;
    return status;
}
/* Sums the times of launches that were clocked one by one. If the shortest time is less than any launch takes, the call
   launches nothing on this stream. All times then show only how long the CPU took between two events. So the shortest
   time replaces all times. Then their mean is below least_launch_ns, and the statement fails the configuration. This
   test is left out if the clock's steps are too coarse. */
static double autotune__sum_of_batches(const autotune_backend *self, double *times, size_t count) {
    const autotune__tuning *tuning = autotune__tuning_with(self);          /* NULL: no statement uses the clock */
    const autotune__clock clock = autotune__clock_in(tuning);
    const double least_ns = tuning ? self->least_launch_ns : 0;
    autotune__sort(times, count);
    if (count && clock.tick_ns < least_ns / 4 && times[0] - clock.cost_ns < least_ns) return times[0] * (double)count;
    return autotune__sum_of_launches(times, count, clock.tick_ns);
}
static autotune_status autotune__stop_batches(autotune_backend *self, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = session->running ? autotune__mark_batch(self) : AUTOTUNE_OK;
    double times[AUTOTUNE_MOST_QUEUED];
    size_t i;
    if (status == AUTOTUNE_OK) status = autotune__check_accelerator(session);
    if (status == AUTOTUNE_OK && session->number) status = driver->await(session);
    for (i = 0; status == AUTOTUNE_OK && i < session->number; i++) status = driver->measure(session, i, &times[i]);
    *ns = autotune__sum_of_batches(self, times, i);
    session->number = 0;
    return status;
}

static autotune_status autotune__enter_measured(autotune_backend *self, void *place) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    autotune_status status;
    session->asked_later = true;
    session->place = place;
    status = autotune__check_accelerator(session);
    return status == AUTOTUNE_OK ? session->accelerator->driver->enter(session) : status;
}
static autotune_status autotune__clock_measured(autotune_backend *self, size_t number, bool ended) {
    autotune__accelerator_session_of(self)->number = number;
    return ended ? autotune__end_batch(self) : autotune__begin_batch(self);
}
static autotune_status autotune__ask_measured(autotune_backend *self, size_t number, double *ns) {
    autotune__accelerator_session *session = autotune__accelerator_session_of(self);
    const autotune__driver_interface *driver = session->accelerator->driver;
    autotune_status status = autotune__check_accelerator(session);
    int error = 0;
    *ns = -1;
    if (status != AUTOTUNE_OK || !driver->has_done(session, number, &error)) return status;
    status = autotune__kernel_outcome(session, error);
    return status == AUTOTUNE_OK ? driver->measure(session, number, ns) : status;
}
