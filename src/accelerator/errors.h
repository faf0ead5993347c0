/* Errors of a device's driver: their names, and whose fault each is. */
#pragma once
#include "../api/types.h"
#include "../statement/failures.h"

/* AUTOTUNE_FAILED: this configuration does not work. AUTOTUNE_ERR_ENVIRONMENT: the driver does not work here, or not
   now. AUTOTUNE_ERR_DEVICE: the device is lost. */
typedef struct autotune__driver_error { int code; autotune_status status; const char *name; } autotune__driver_error;
#define AUTOTUNE__DRIVER_ERROR(code, name, status) { code, AUTOTUNE_##status, name },
/* Errors of a driver in an array. The last has the code 0, and stands for all that are not listed. */
#define AUTOTUNE__DEFINE_ERRORS(array, unknown, ...) \
    static const autotune__driver_error array[] = { __VA_ARGS__ { 0, AUTOTUNE_FAILED, unknown } };

/* What is known of an error. */
static const autotune__driver_error *autotune__known_error(const autotune__driver_error *known, int code) {
    while (known->code && known->code != code) known++;
    return known;
}
static autotune_status autotune__status_of_error(const autotune__driver_error *known, int code) {
    return code ? autotune__known_error(known, code)->status : AUTOTUNE_OK;
}
/* For "%s (%d)". */
#define AUTOTUNE__ERROR_WORDS(known, code) autotune__known_error(known, (int)(code))->name, (int)(code)
/* Says what a function of the driver returned; function: NULL for a call of the user's. */
static void autotune__explain_error(const autotune__driver_error *known, const char *function, int code) {
    autotune_explain("%s%s%s (%d)", function ? function : "", function ? ": " : "",
                     AUTOTUNE__ERROR_WORDS(known, code));
}
